//! Keys: a letter for everything a page offers, taken from its own markup, so that a key never
//! does what the page does not show. Single keys can be switched off (WCAG 2.1.4).

use super::{
    browser::{all, document, first, listen, local, reveal, within},
    palette,
};
use std::cell::Cell;
use wasm_bindgen::JsCast;
use web_sys::{
    Element, Event, HtmlButtonElement, HtmlDetailsElement, HtmlDialogElement, HtmlElement,
    HtmlInputElement, KeyboardEvent,
};

const SETTING: &str = "tieout.keys";
/// How long after `g` a letter still names a place, in milliseconds.
const GO_FOR: f64 = 1500.0;

thread_local! {
    static GO_SINCE: Cell<f64> = const { Cell::new(f64::NEG_INFINITY) };
}

/// Listens, and shows the buttons that only work with scripts.
pub fn wire() {
    if let Some(document) = document() {
        listen(&document, "keydown", pressed);
    }
    if let Some(button) = first("[data-help]") {
        button.set_hidden(false);
        listen(&button, "click", |_: Event| help());
    }
    let switch = first("[data-keys-switch]").and_then(|e| e.dyn_into::<HtmlInputElement>().ok());
    if let Some(switch) = switch {
        switch.set_checked(single_keys());
        let read = switch.clone();
        listen(&switch, "change", move |_: Event| {
            if let Some(store) = local() {
                let _ = store.set_item(SETTING, if read.checked() { "on" } else { "off" });
            }
        });
    }
}

fn single_keys() -> bool {
    local()
        .and_then(|s| s.get_item(SETTING).ok().flatten())
        .is_none_or(|setting| setting != "off")
}

/// Opens the list of keys.
pub fn help() {
    if let Some(dialog) = first("dialog.help").and_then(|d| d.dyn_into::<HtmlDialogElement>().ok())
    {
        let _ = dialog.show_modal();
    }
}

fn pressed(event: KeyboardEvent) {
    if event.default_prevented() || event.is_composing() {
        return;
    }
    let key = event.key();
    if (event.ctrl_key() || event.meta_key()) && !event.alt_key() && !event.shift_key() {
        if key == "k" {
            event.prevent_default();
            palette::open();
        }
        return;
    }
    if event.alt_key() || first("dialog[open]").is_some() {
        return;
    }
    if key == "Enter"
        && let Some(decision) = chosen_in(&event)
    {
        act(&decision);
        event.prevent_default();
        return;
    }
    if types(&event) {
        return;
    }
    if key == "Enter" {
        if on_nothing() && enter() {
            event.prevent_default();
        }
        return;
    }
    if single_keys() && single(&key, event.time_stamp()) {
        event.prevent_default();
    }
}

/// The decision in whose list something is chosen: there Enter does nothing of its own.
fn chosen_in(event: &KeyboardEvent) -> Option<HtmlElement> {
    let list = event.target()?.dyn_into::<HtmlElement>().ok()?;
    if list.tag_name() != "SELECT" || !list.matches(":valid").ok()? {
        return None;
    }
    list.closest("details.choice").ok()??.dyn_into().ok()
}

/// Whether the key belongs to a field.
fn types(event: &KeyboardEvent) -> bool {
    event
        .target()
        .and_then(|t| t.dyn_into::<HtmlElement>().ok())
        .is_some_and(|e| {
            matches!(e.tag_name().as_str(), "INPUT" | "SELECT" | "TEXTAREA")
                && !matches!(
                    e.get_attribute("type").as_deref(),
                    Some("checkbox" | "radio")
                )
                || e.is_content_editable()
        })
}

fn on_nothing() -> bool {
    document()
        .and_then(|d| d.active_element())
        .is_none_or(|e| matches!(e.tag_name().as_str(), "BODY" | "MAIN" | "SECTION"))
}

/// Opens the first case, or the first decision of the open one.
fn enter() -> bool {
    if let Some(first) = first("[data-first]") {
        first.click();
        return true;
    }
    match first("details.choice") {
        Some(choice) => {
            act(&choice);
            true
        }
        None => false,
    }
}

fn single(key: &str, now: f64) -> bool {
    let since_go = now - GO_SINCE.replace(f64::NEG_INFINITY);
    if since_go < GO_FOR {
        if let Some(place) = find("data-go", key) {
            place.click();
            return true;
        }
        return false;
    }
    match key {
        "g" => GO_SINCE.set(now),
        "?" => help(),
        "/" => match first("[data-search]") {
            Some(field) => {
                let _ = field.focus();
            }
            None => return false,
        },
        "j" => return step(1),
        "k" => return step(-1),
        _ => match find("data-key", key) {
            Some(element) => act(&element),
            None => return key == "x" && tick(),
        },
    }
    true
}

/// Ticks the row of the open case, or takes its tick away.
fn tick() -> bool {
    first(".list tr.selected input[type=checkbox]").is_some_and(|tick| {
        tick.click();
        true
    })
}

fn find(attribute: &str, value: &str) -> Option<HtmlElement> {
    all(&format!("[{attribute}]"))
        .into_iter()
        .find(|e| e.get_attribute(attribute).as_deref() == Some(value))
}

/// The next or previous row: of the queue it is opened, of any other list its link is focused.
fn step(by: isize) -> bool {
    let cases = all(".row-link");
    if !cases.is_empty() {
        let here = cases.iter().position(|c| c.has_attribute("aria-current"));
        return match target(here, by, cases.len()).and_then(|at| cases.get(at)) {
            Some(next) => {
                next.click();
                true
            }
            None => {
                by > 0
                    && first(".queue .pager a").is_some_and(|more| {
                        more.click();
                        true
                    })
            }
        };
    }
    let rows = all(".sheet tbody a");
    let active = document().and_then(|d| d.active_element());
    let here = rows
        .iter()
        .position(|r| active.as_ref().is_some_and(|a| a.is_same_node(Some(r))));
    match target(here, by, rows.len()).and_then(|at| rows.get(at)) {
        Some(next) => {
            let _ = next.focus();
            true
        }
        None => false,
    }
}

fn target(here: Option<usize>, by: isize, len: usize) -> Option<usize> {
    match here {
        Some(at) => at.checked_add_signed(by).filter(|at| *at < len),
        None if by > 0 => (len > 0).then_some(0),
        None => len.checked_sub(1),
    }
}

/// Opens a decision and puts the focus where the person goes on: on what is still missing, or on
/// its button. A key alone never decides.
pub fn act(element: &HtmlElement) {
    if let Some(details) = element.dyn_ref::<HtmlDetailsElement>() {
        details.set_open(true);
        let missing = within::<HtmlElement>(element, "form :is(input, select, textarea):invalid");
        let button = within::<HtmlButtonElement>(element, "form button").map(HtmlElement::from);
        if let Some(next) = missing.or(button) {
            let _ = next.focus();
        }
        reveal(element.unchecked_ref::<Element>());
    } else if element.tag_name() == "A" {
        element.click();
    } else {
        let _ = element.focus();
    }
}
