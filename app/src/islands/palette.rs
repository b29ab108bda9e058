//! The command palette: everything the page offers by name, with the key that does it next time.

use super::{
    browser::{all, document, first, go, listen},
    keys,
};
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlDialogElement, HtmlElement, HtmlInputElement, KeyboardEvent};

/// Something that the palette can do.
#[derive(Clone)]
struct Command {
    label: String,
    key: String,
    run: Run,
}

#[derive(Clone)]
enum Run {
    Click(HtmlElement),
    Act(HtmlElement),
    Help,
    Go(String),
}

/// Most commands shown at once.
const SHOWN: usize = 12;

thread_local! {
    static SHOWN_NOW: RefCell<Vec<Command>> = const { RefCell::new(Vec::new()) };
    static SELECTED: Cell<usize> = const { Cell::new(0) };
}

fn dialog() -> Option<HtmlDialogElement> {
    first("dialog.palette")?.dyn_into().ok()
}

fn input() -> Option<HtmlInputElement> {
    first("dialog.palette input")?.dyn_into().ok()
}

/// Shows the opener and listens.
pub fn wire() {
    if let Some(opener) = first("[data-palette]") {
        opener.set_hidden(false);
        listen(&opener, "click", |_: Event| open());
    }
    if let Some(input) = input() {
        listen(&input, "input", |_: Event| fill());
        listen(&input, "keydown", pressed);
    }
    if let Some(list) = first("dialog.palette ul") {
        listen(&list, "click", |event: Event| {
            let row = event
                .target()
                .and_then(|t| t.dyn_into::<Element>().ok())
                .and_then(|e| e.closest("li").ok().flatten());
            let at = row
                .and_then(|r| r.get_attribute("data-at"))
                .and_then(|at| at.parse().ok());
            if let Some(at) = at {
                SELECTED.set(at);
                run();
            }
        });
    }
}

/// Opens it, empty.
pub fn open() {
    let (Some(dialog), Some(input)) = (dialog(), input()) else {
        return;
    };
    if !dialog.open() {
        let _ = dialog.show_modal();
    }
    input.set_value("");
    let _ = input.focus();
    fill();
}

fn pressed(event: KeyboardEvent) {
    let len = SHOWN_NOW.with_borrow(Vec::len);
    let at = SELECTED.get();
    match event.key().as_str() {
        "ArrowDown" => select(if at + 1 < len { at + 1 } else { 0 }),
        "ArrowUp" => select(at.checked_sub(1).unwrap_or(len.saturating_sub(1))),
        "Enter" => run(),
        _ => return,
    }
    event.prevent_default();
}

/// Everything on offer: decisions of the page, places, help.
fn commands() -> Vec<Command> {
    let text = |e: &HtmlElement, attribute: &str| e.get_attribute(attribute).unwrap_or_default();
    let mut list: Vec<Command> = all("[data-label]")
        .into_iter()
        .map(|e| Command {
            label: text(&e, "data-label"),
            key: text(&e, "data-key"),
            run: Run::Act(e),
        })
        .collect();
    for (rel, label, key) in [("next", "Next case", "j"), ("prev", "Previous case", "k")] {
        if let Some(link) = first(&format!(".case-steps a[rel={rel}]")) {
            list.push(Command {
                label: label.to_owned(),
                key: key.to_owned(),
                run: Run::Click(link),
            });
        }
    }
    list.extend(all("[data-go]").into_iter().map(|e| {
        // The first text of the link, without its count.
        let name = e
            .first_child()
            .and_then(|n| n.text_content())
            .unwrap_or_default();
        Command {
            label: format!("Go to {}", name.trim()),
            key: format!("g {}", text(&e, "data-go")),
            run: Run::Click(e),
        }
    }));
    list.push(Command {
        label: "Keyboard help".to_owned(),
        key: "?".to_owned(),
        run: Run::Help,
    });
    list
}

fn fill() {
    let Some(input) = input() else { return };
    let typed = input.value();
    let wanted = typed.trim().to_lowercase();
    let mut found: Vec<Command> = commands()
        .into_iter()
        .filter(|c| {
            let label = c.label.to_lowercase();
            wanted.split_whitespace().all(|word| label.contains(word))
        })
        .take(SHOWN)
        .collect();
    if !wanted.is_empty() {
        let encoded: String = js_sys::encode_uri_component(typed.trim()).into();
        for (place, path) in [("payments", "/payments"), ("cases", "/review")] {
            found.push(Command {
                label: format!("Find “{}” in {place}", typed.trim()),
                key: String::new(),
                run: Run::Go(format!("{path}?q={encoded}")),
            });
        }
    }
    draw(&found);
    SHOWN_NOW.set(found);
    select(0);
}

fn draw(commands: &[Command]) {
    let (Some(list), Some(document)) = (first("dialog.palette ul"), document()) else {
        return;
    };
    list.set_text_content(None);
    for (at, command) in commands.iter().enumerate() {
        let Ok(row) = document.create_element("li") else {
            continue;
        };
        row.set_text_content(Some(&format!("{} ", command.label)));
        row.set_id(&format!("palette-{at}"));
        let _ = row.set_attribute("role", "option");
        let _ = row.set_attribute("data-at", &at.to_string());
        if !command.key.is_empty()
            && let Ok(key) = document.create_element("kbd")
        {
            key.set_text_content(Some(&command.key));
            let _ = row.append_child(&key);
        }
        let _ = list.append_child(&row);
    }
}

fn select(at: usize) {
    SELECTED.set(at);
    for (index, row) in all("dialog.palette li").iter().enumerate() {
        let chosen = index == at;
        let _ = row.set_attribute("aria-selected", if chosen { "true" } else { "false" });
        if chosen {
            super::browser::reveal(row);
        }
    }
    if let Some(input) = input() {
        let _ = input.set_attribute("aria-activedescendant", &format!("palette-{at}"));
    }
}

fn run() {
    let command = SHOWN_NOW.with_borrow(|list| list.get(SELECTED.get()).cloned());
    let Some(command) = command else { return };
    if let Some(dialog) = dialog() {
        dialog.close();
    }
    match command.run {
        Run::Click(element) => element.click(),
        Run::Act(element) => keys::act(&element),
        Run::Help => keys::help(),
        Run::Go(href) => go(&href),
    }
}
