//! The list of files as it stands now, in place of the one that the page came with.

use super::{
    browser::{document, first, listen, window},
    live_files,
};
use std::cell::Cell;
use wasm_bindgen::JsValue;
use web_sys::{Document, Event, Node, XmlHttpRequest, XmlHttpRequestResponseType};

/// The part of the page that is exchanged.
const LIST: &str = "[data-files]";

thread_local! {
    static UNDER_WAY: Cell<bool> = const { Cell::new(false) };
    static AGAIN: Cell<bool> = const { Cell::new(false) };
    /// Whether it is exchanged as soon as nobody is in it.
    static WAITS: Cell<bool> = const { Cell::new(false) };
}

/// Fetches the page anew and exchanges its list. Asked while one fetch is under way, it is done once
/// more after that, however often it was asked.
pub fn files() {
    if UNDER_WAY.replace(true) {
        AGAIN.set(true);
    } else if fetch().is_err() {
        UNDER_WAY.set(false);
    }
}

fn fetch() -> Result<(), JsValue> {
    let Some(window) = window() else {
        return Err(JsValue::NULL);
    };
    let request = XmlHttpRequest::new()?;
    request.open("GET", &window.location().href()?)?;
    request.set_response_type(XmlHttpRequestResponseType::Document);
    let answer = request.clone();
    listen(&request, "loadend", move |_: Event| {
        if answer.status() == Ok(200)
            && let Ok(Some(page)) = answer.response_xml()
        {
            exchange(&page);
        }
        UNDER_WAY.set(false);
        if AGAIN.replace(false) {
            files();
        }
    });
    request.send()
}

/// Leaves the list alone while somebody is in it: nothing moves under their hands. It is exchanged
/// once they have left it.
fn exchange(page: &Document) {
    let Some(old) = first(LIST) else { return };
    let new = page.query_selector(LIST).ok().flatten();
    let active = document().and_then(|d| d.active_element());
    let busy = active.is_some_and(|a| old.contains(Some(AsRef::<Node>::as_ref(&a))));
    if busy {
        if !WAITS.replace(true) {
            listen(&old, "focusout", |_: Event| {
                if WAITS.replace(false) {
                    files();
                }
            });
        }
        return;
    }
    if let Some(new) = new
        && old.replace_with_with_node_1(&new).is_ok()
    {
        WAITS.set(false);
        live_files::follow();
    }
}
