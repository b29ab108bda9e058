//! Progress of files under way, in the rows that the server already drew.

use leptos::prelude::*;

/// Follows the progress stream and updates the files of this page. When one is done its figures
/// are offered, not swapped under the reader.
#[island]
pub fn LiveFiles() -> impl IntoView {
    #[cfg(feature = "hydrate")]
    Effect::new(|_| follow());
}

#[cfg(feature = "hydrate")]
fn follow() {
    use super::{browser, progress};
    use wasm_bindgen::JsCast;
    use web_sys::{HtmlElement, HtmlProgressElement};

    let mut open: Vec<(String, HtmlElement)> = browser::all("[data-file]")
        .into_iter()
        .filter(|row| browser::within::<HtmlProgressElement>(row, "progress").is_some())
        .filter_map(|row| Some((row.get_attribute("data-file")?, row)))
        .collect();
    progress::hear(move |event| {
        let Some(at) = open.iter().position(|(id, _)| *id == event.id) else {
            return !open.is_empty();
        };
        let Some((_, row)) = open.get(at) else {
            return true;
        };
        let text = |selector: &str, text: &str| {
            if let Some(element) = browser::within::<HtmlElement>(row, selector) {
                element.set_text_content(Some(text));
            }
        };
        text("[data-state]", progress::state_word(&event.state));
        text("[data-rows]", &event.says());
        if let Some(bar) = browser::within::<HtmlProgressElement>(row, "progress") {
            if event.done {
                bar.remove();
            } else if event.rows_total > 0.0 {
                bar.set_max(event.rows_total);
                bar.set_value(event.rows_done);
            } else {
                let _ = bar.remove_attribute("value");
            }
        }
        if event.done {
            browser::announce(&event.says());
            let link = browser::document().and_then(|d| d.create_element("a").ok());
            let cell = browser::within::<HtmlElement>(row, "[data-rows]");
            if let (Some(link), Some(cell)) = (link, cell) {
                link.set_text_content(Some(" Show its figures"));
                let _ = link.set_attribute("href", &domain::view::routes::file(&event.id));
                let _ = cell.append_child(link.unchecked_ref());
            }
            open.remove(at);
        }
        !open.is_empty()
    });
}
