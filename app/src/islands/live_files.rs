//! Progress of files under way, in the rows that the server already drew.

use leptos::prelude::*;

/// Follows the progress stream and updates the files of this page. When one is done its figures
/// are offered, not swapped under the reader.
#[island]
pub fn LiveFiles() -> impl IntoView {
    #[cfg(feature = "hydrate")]
    Effect::new(|_| follow());
}

/// Follows the files that the page shows as under way.
#[cfg(feature = "hydrate")]
pub(super) fn follow() {
    use super::{browser, progress};
    use web_sys::{HtmlElement, HtmlProgressElement};

    let mut open: Vec<(String, HtmlElement)> = browser::all("[data-file]")
        .into_iter()
        .filter(|row| browser::within::<HtmlProgressElement>(row, "progress").is_some())
        .filter_map(|row| Some((row.get_attribute("data-file")?, row)))
        .collect();
    progress::hear(move |event| {
        // The list may have been exchanged: whoever did follows the new one.
        open.retain(|(_, row)| row.is_connected());
        let Some(event) = event else {
            // Done between the page and the stream: what they came to is one step away.
            for (id, row) in open.drain(..) {
                offer(&id, &row);
            }
            return false;
        };
        let Some(at) = open.iter().position(|(id, _)| *id == event.id) else {
            return !open.is_empty();
        };
        let Some((id, row)) = open.get(at) else {
            return true;
        };
        let text = |selector: &str, text: &str| {
            if let Some(element) = browser::within::<HtmlElement>(row, selector) {
                element.set_text_content(Some(text));
            }
        };
        text("[data-state]", progress::state_word(&event.state));
        text("[data-rows]", &event.says());
        if event.done {
            browser::announce(&event.says());
            offer(id, row);
            open.remove(at);
        } else if let Some(bar) = browser::within::<HtmlProgressElement>(row, "progress") {
            if event.rows_total > 0.0 {
                bar.set_max(event.rows_total);
                bar.set_value(event.rows_done);
            } else {
                let _ = bar.remove_attribute("value");
            }
        }
        !open.is_empty()
    });
}

/// Takes the bar away and offers the file's page.
#[cfg(feature = "hydrate")]
fn offer(id: &str, row: &web_sys::HtmlElement) {
    use super::browser;
    use web_sys::{Element, Node};

    if let Some(bar) = browser::within::<Element>(row, "progress") {
        bar.remove();
    }
    let link = browser::document().and_then(|d| d.create_element("a").ok());
    let place = browser::within::<Node>(row, "[data-rows]");
    if let (Some(link), Some(place)) = (link, place) {
        link.set_text_content(Some(" Show its figures"));
        let _ = link.set_attribute("href", &domain::view::routes::file(id));
        let _ = place.append_child(&link);
    }
}
