//! What a page keeps over a step to the next one: scroll positions, ticked boxes; and that a form
//! is sent once.

use super::browser::{all, announce, document, first, listen, reveal, session, window};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlInputElement, SubmitEvent};

const PICKED: &str = "tieout.picked";

/// Restores what the page before left, and keeps what this one has.
pub fn wire() {
    restore_scroll();
    if first("form[data-picked]").is_some() {
        // What a bulk decision left undone is what is ticked now.
        keep_picked();
    } else {
        restore_picked();
    }
    if let Some(flash) = first("[data-flash] p") {
        announce(&flash.text_content().unwrap_or_default());
    }
    if let Some(window) = window() {
        listen(&window, "pagehide", |_: Event| keep_scroll());
        // A page that comes back from the browser's own cache can be sent again.
        listen(&window, "pageshow", |_: Event| {
            for form in all("form[data-sent]") {
                let _ = form.remove_attribute("data-sent");
            }
            for button in all("[aria-busy]") {
                let _ = button.remove_attribute("aria-busy");
            }
        });
    }
    if let Some(document) = document() {
        listen(&document, "submit", send_once);
        listen(&document, "change", |event: Event| {
            let is_case = event
                .target()
                .and_then(|t| t.dyn_into::<HtmlInputElement>().ok())
                .is_some_and(|input| input.name() == "case");
            if is_case {
                keep_picked();
            }
        });
    }
}

/// The second click on a form that is on its way does nothing.
fn send_once(event: SubmitEvent) {
    let Some(form) = event
        .target()
        .and_then(|t| t.dyn_into::<Element>().ok())
        .filter(|form| form.has_attribute("data-once"))
    else {
        return;
    };
    if form.has_attribute("data-sent") {
        event.prevent_default();
        return;
    }
    let _ = form.set_attribute("data-sent", "");
    if let Some(button) = event.submitter() {
        let _ = button.set_attribute("aria-busy", "true");
    }
}

fn scroll_key(name: &str) -> String {
    let search = window()
        .and_then(|w| w.location().search().ok())
        .unwrap_or_default();
    // A decision only adds a row that is held in place: the list is the same.
    let list: Vec<&str> = search
        .split(['?', '&'])
        .filter(|pair| !pair.is_empty() && !pair.starts_with("held="))
        .collect();
    format!("tieout.scroll.{name}?{}", list.join("&"))
}

fn keep_scroll() {
    for pane in all("[data-keep-scroll]") {
        let name = pane.get_attribute("data-keep-scroll").unwrap_or_default();
        if let Some(store) = session() {
            let _ = store.set_item(&scroll_key(&name), &pane.scroll_top().to_string());
        }
    }
}

fn restore_scroll() {
    for pane in all("[data-keep-scroll]") {
        let name = pane.get_attribute("data-keep-scroll").unwrap_or_default();
        let kept = session()
            .and_then(|s| s.get_item(&scroll_key(&name)).ok().flatten())
            .and_then(|text| text.parse::<i32>().ok());
        if let Some(top) = kept {
            pane.set_scroll_top(top);
        }
        if let Some(selected) = super::browser::within::<Element>(&pane, "tr.selected") {
            reveal(&selected);
        }
    }
}

fn boxes() -> impl Iterator<Item = HtmlInputElement> {
    all("input[name=case][type=checkbox]")
        .into_iter()
        .filter_map(|e| e.dyn_into().ok())
}

fn keep_picked() {
    let picked: Vec<String> = boxes()
        .filter(HtmlInputElement::checked)
        .map(|b| b.value())
        .collect();
    if let Some(store) = session() {
        let _ = store.set_item(PICKED, &picked.join(" "));
    }
}

/// Boxes name case and version: one that has changed since is not ticked again.
fn restore_picked() {
    let kept = session()
        .and_then(|s| s.get_item(PICKED).ok().flatten())
        .unwrap_or_default();
    for tick in boxes() {
        if kept.split(' ').any(|k| k == tick.value()) {
            tick.set_checked(true);
        }
    }
}
