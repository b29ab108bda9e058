//! The little of the DOM that islands share.

use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Document, Element, Event, EventTarget, HtmlElement, Storage, Window};

/// The window.
pub fn window() -> Option<Window> {
    web_sys::window()
}

/// The document.
pub fn document() -> Option<Document> {
    window()?.document()
}

/// The first element that a selector finds.
pub fn first(selector: &str) -> Option<HtmlElement> {
    document()?
        .query_selector(selector)
        .ok()
        .flatten()?
        .dyn_into()
        .ok()
}

/// Every element that a selector finds.
pub fn all(selector: &str) -> Vec<HtmlElement> {
    let Some(list) = document().and_then(|d| d.query_selector_all(selector).ok()) else {
        return Vec::new();
    };
    (0..list.length())
        .filter_map(|index| list.item(index)?.dyn_into().ok())
        .collect()
}

/// The first element below another that a selector finds.
pub fn within<T: JsCast>(element: &Element, selector: &str) -> Option<T> {
    element
        .query_selector(selector)
        .ok()
        .flatten()?
        .dyn_into()
        .ok()
}

/// Listens for as long as the page lives.
pub fn listen<E: JsCast>(target: &EventTarget, name: &str, mut heard: impl FnMut(E) + 'static) {
    let closure = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
        heard(event.unchecked_into());
    });
    // A target that refuses listeners cannot be helped: the page works without them.
    let _ = target.add_event_listener_with_callback(name, closure.as_ref().unchecked_ref());
    closure.forget();
}

/// What this tab remembers until it is closed.
pub fn session() -> Option<Storage> {
    window()?.session_storage().ok().flatten()
}

/// What this browser remembers.
pub fn local() -> Option<Storage> {
    window()?.local_storage().ok().flatten()
}

/// Scrolls an element into view by the shortest way.
pub fn reveal(element: &Element) {
    let options = web_sys::ScrollIntoViewOptions::new();
    options.set_block(web_sys::ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}

/// Goes to an address.
pub fn go(href: &str) {
    if let Some(window) = window() {
        // Refused only for addresses that are none.
        let _ = window.location().set_href(href);
    }
}

/// Says something to those who listen instead of looking, without moving the focus.
pub fn announce(text: &str) {
    if let Some(region) = first("[data-announce]") {
        region.set_text_content(Some(text));
    }
}

/// A text field of a parsed JSON object, or nothing.
pub fn text_of(object: &JsValue, name: &str) -> String {
    js_sys::Reflect::get(object, &JsValue::from_str(name))
        .ok()
        .and_then(|value| value.as_string())
        .unwrap_or_default()
}

/// A number of a parsed JSON object, or zero.
pub fn number_of(object: &JsValue, name: &str) -> f64 {
    js_sys::Reflect::get(object, &JsValue::from_str(name))
        .ok()
        .and_then(|value| value.as_f64())
        .unwrap_or_default()
}

/// Whether a field of a parsed JSON object is true.
pub fn is_true(object: &JsValue, name: &str) -> bool {
    js_sys::Reflect::get(object, &JsValue::from_str(name))
        .ok()
        .and_then(|value| value.as_bool())
        .unwrap_or_default()
}

/// A whole number with grouped thousands, as the browser's own formatter would do it for English.
pub fn count(number: f64) -> String {
    let digits = format!("{:.0}", number.max(0.0));
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
