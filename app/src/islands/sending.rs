//! Sending files: one request each, two at a time, so that the page stays responsive and one bad
//! file stops none of the others.

use super::{
    browser::{announce, first, is_true, listen, text_of, within},
    progress, refresh,
    upload::Parcel,
};
use domain::view::routes::{self, field, pattern};
use leptos::prelude::*;
use std::{cell::RefCell, collections::VecDeque, rc::Rc};
use wasm_bindgen::JsValue;
use web_sys::{
    DragEvent, Event, File, FileList, HtmlElement, HtmlFormElement, HtmlInputElement,
    HtmlSelectElement, ProgressEvent, XmlHttpRequest,
};

/// Requests under way at once: browsers allow six to a server, and the event stream is one.
const AT_ONCE: usize = 2;

/// What waits and how much is under way.
#[derive(Default)]
struct Queue {
    waiting: VecDeque<(Parcel, File, String)>,
    sending: usize,
}

type Shared = Rc<RefCell<Queue>>;

/// Listens to the form and to files dropped on it.
pub fn wire(parcels: RwSignal<Vec<Parcel>>) {
    let Some(place) = first("[data-uploader]") else {
        return;
    };
    let queue = Shared::default();

    let (at, sends) = (place.clone(), queue.clone());
    listen(&place, "submit", move |event: Event| {
        let field = within::<HtmlInputElement>(&at, "input[type=file]");
        if let Some(files) = field.as_ref().and_then(HtmlInputElement::files) {
            event.prevent_default();
            take(&at, &files, parcels, &sends);
            if let Some(form) = within::<HtmlFormElement>(&at, "form") {
                // The field is emptied; the account stays chosen.
                let account = account(&at);
                form.reset();
                if let Some(select) = within::<HtmlSelectElement>(&at, "select") {
                    select.set_value(&account);
                }
            }
        }
    });

    let lit = |on: bool| {
        if let Some(drop) = first("[data-drop]") {
            let _ = drop.class_list().toggle_with_force("over", on);
        }
    };
    listen(&place, "dragover", move |event: DragEvent| {
        event.prevent_default();
        lit(true);
    });
    listen(&place, "dragleave", move |_: DragEvent| lit(false));
    let at = place.clone();
    listen(&place, "drop", move |event: DragEvent| {
        event.prevent_default();
        lit(false);
        if let Some(files) = event.data_transfer().and_then(|d| d.files()) {
            take(&at, &files, parcels, &queue);
        }
    });
}

fn account(place: &HtmlElement) -> String {
    within::<HtmlSelectElement>(place, "select").map_or_else(String::new, |s| s.value())
}

fn take(place: &HtmlElement, files: &FileList, parcels: RwSignal<Vec<Parcel>>, queue: &Shared) {
    let account = account(place);
    for file in (0..files.length()).filter_map(|index| files.get(index)) {
        let parcel = Parcel {
            number: parcels.with_untracked(Vec::len),
            name: StoredValue::new(file.name()),
            size: StoredValue::new(size(file.size())),
            percent: RwSignal::new(0.0),
            says: RwSignal::new("waiting".to_owned()),
            done: RwSignal::new(false),
            refused: RwSignal::new(false),
            held: RwSignal::new(false),
            href: RwSignal::new(None),
        };
        parcels.update(|list| list.push(parcel));
        queue
            .borrow_mut()
            .waiting
            .push_back((parcel, file, account.clone()));
    }
    send_next(queue);
}

/// A size in words; the browser gives it as a float.
fn size(bytes: f64) -> String {
    if bytes < 1024.0 * 1024.0 {
        format!("{} KB", super::browser::count((bytes / 1024.0).ceil()))
    } else {
        format!("{:.1} MB", bytes / (1024.0 * 1024.0))
    }
}

fn send_next(queue: &Shared) {
    loop {
        let next = {
            let mut queue = queue.borrow_mut();
            if queue.sending >= AT_ONCE {
                return;
            }
            let Some(next) = queue.waiting.pop_front() else {
                return;
            };
            queue.sending += 1;
            next
        };
        let (parcel, file, account) = next;
        if send(parcel, &file, &account, queue).is_err() {
            refuse(parcel, "This browser could not send it. Choose it again.");
            finished(queue);
        }
    }
}

fn finished(queue: &Shared) {
    let mut queue = queue.borrow_mut();
    queue.sending = queue.sending.saturating_sub(1);
}

fn send(parcel: Parcel, file: &File, account: &str, queue: &Shared) -> Result<(), JsValue> {
    let name = parcel.name.get_value();
    let url = routes::query(
        pattern::UPLOAD,
        &[(field::PROVIDER, account), (field::FILENAME, &name)],
    );
    let request = XmlHttpRequest::new()?;
    request.open("POST", &url)?;
    request.set_request_header("content-type", "application/octet-stream")?;
    request.set_request_header("accept", "application/json")?;
    let upload = request.upload()?;
    listen(&upload, "progress", move |event: ProgressEvent| {
        if event.length_computable() && event.total() > 0.0 {
            let percent = (event.loaded() / event.total() * 100.0).floor();
            parcel.percent.set(percent);
            parcel.says.set(format!("sending, {percent} %"));
        }
    });
    let (answer, queue) = (request.clone(), queue.clone());
    listen(&request, "loadend", move |_: Event| {
        arrived(parcel, &answer);
        finished(&queue);
        send_next(&queue);
    });
    request.send_with_opt_blob(Some(file))
}

/// Reads the server's answer; status 0 means that none came.
fn arrived(parcel: Parcel, answer: &XmlHttpRequest) {
    let status = answer.status().unwrap_or(0);
    let body = answer.response_text().ok().flatten().unwrap_or_default();
    let body = js_sys::JSON::parse(&body)
        .ok()
        .filter(JsValue::is_object)
        .unwrap_or_else(|| js_sys::Object::new().into());
    if !(200..300).contains(&status) {
        let told = [text_of(&body, "detail"), text_of(&body, "message")]
            .into_iter()
            .find(|t| !t.is_empty());
        let text = told.unwrap_or_else(|| {
            match status {
                0 => "The connection broke. Nothing was stored: send it again.",
                401 => "You are signed out. Sign in and send it again.",
                403 => "Your roles do not allow uploads.",
                413 => "It is larger than this server accepts.",
                _ => "The server did not take it. Send it again.",
            }
            .to_owned()
        });
        refuse(parcel, &text);
        return;
    }
    let id = text_of(&body, "id");
    let message = text_of(&body, "message");
    parcel.href.set(Some(routes::file(&id)));
    refresh::files();
    let state = text_of(&body, "state");
    parcel.held.set(is_held(&state));
    let settled = matches!(state.as_str(), "USED" | "HELD" | "REFUSED" | "WITHDRAWN");
    if is_true(&body, "known") || settled {
        let text = if message.is_empty() {
            "The same file is here already: nothing changes.".to_owned()
        } else {
            message
        };
        end(parcel, text);
        return;
    }
    parcel.percent.set(-1.0);
    parcel.says.set("stored, waiting to be read".to_owned());
    progress::hear(move |event| {
        let Some(event) = event else {
            end(parcel, "stored; its page tells how it stands".to_owned());
            refresh::files();
            return false;
        };
        if event.id != id {
            return true;
        }
        if event.done {
            parcel
                .held
                .set(is_held(&event.state) || event.summary.starts_with("stopped"));
            end(parcel, event.says());
            refresh::files();
            return false;
        }
        let known = event.rows_total > 0.0;
        parcel.percent.set(if known {
            (event.rows_done / event.rows_total * 100.0).floor()
        } else {
            -1.0
        });
        parcel.says.set(event.says());
        true
    });
}

fn end(parcel: Parcel, text: String) {
    announce(&format!("{}: {text}", parcel.name.get_value()));
    parcel.says.set(text);
    parcel.done.set(true);
}

fn refuse(parcel: Parcel, text: &str) {
    announce(&format!("{}: {text}", parcel.name.get_value()));
    parcel.says.set(text.to_owned());
    parcel.refused.set(true);
}

/// Whether a file of this state waits for a person.
fn is_held(state: &str) -> bool {
    matches!(state, "HELD" | "REFUSED")
}
