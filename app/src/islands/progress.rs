//! The one event stream of a page: how far files under way have come.

use super::browser::{is_true, listen, number_of, text_of};
use domain::view::{files::WAITS, routes::pattern};
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::{Event, EventSource, MessageEvent};

/// One event of the stream.
#[derive(Debug, Clone)]
pub struct Progress {
    /// The file's public id.
    pub id: String,
    /// Its state, in capitals.
    pub state: String,
    /// Rows done in the pass under way.
    pub rows_done: f64,
    /// Rows that the pass looks at; zero while not known.
    pub rows_total: f64,
    /// Whether nothing more will come.
    pub done: bool,
    /// Whether it waits for another process to let go of its account.
    pub waits: bool,
    /// A sentence for when it is done.
    pub summary: String,
}

impl Progress {
    /// The state in words, with the rows done, and left where that is known.
    pub fn says(&self) -> String {
        if self.done && !self.summary.is_empty() {
            return self.summary.clone();
        }
        if self.waits {
            return WAITS.to_owned();
        }
        let word = state_word(&self.state);
        if self.done || (self.rows_done == 0.0 && self.rows_total == 0.0) {
            return word.to_owned();
        }
        let done = super::browser::count(self.rows_done);
        let rows = if done == "1" { "row" } else { "rows" };
        if self.rows_total == 0.0 {
            return format!("{word}: {done} {rows} done");
        }
        let left = super::browser::count((self.rows_total - self.rows_done).max(0.0));
        format!("{word}: {done} {rows} done, {left} left")
    }
}

/// A file's state in words.
pub fn state_word(state: &str) -> &'static str {
    match state {
        "RECEIVED" => "waiting to be read",
        "READING" => "reading",
        "POSTING" => "matching",
        "CLOSING" => "closing",
        "TAKING_BACK" => "being taken back",
        "USED" => "used",
        "HELD" => "held",
        "REFUSED" => "refused",
        "WITHDRAWN" => "put away",
        _ => "under way",
    }
}

/// Hears an event, or that the stream is over; answers whether it wants more.
type Listener = Box<dyn FnMut(Option<&Progress>) -> bool>;

struct Stream {
    source: Option<EventSource>,
    listeners: Vec<Listener>,
}

thread_local! {
    static STREAM: RefCell<Stream> = const {
        RefCell::new(Stream { source: None, listeners: Vec::new() })
    };
}

/// Hears every event until the listener answers that it needs no more. The stream opens with the
/// first listener and closes with the last: browsers allow six to a server. `None` says that the
/// server ended it, since nothing is under way.
pub fn hear(listener: impl FnMut(Option<&Progress>) -> bool + 'static) {
    STREAM.with_borrow_mut(|stream| {
        stream.listeners.push(Box::new(listener));
        if stream.source.is_some() {
            return;
        }
        let Ok(source) = EventSource::new(pattern::PROGRESS) else {
            return;
        };
        listen(&source, "message", |event: MessageEvent| {
            if let Some(progress) = event.data().as_string().as_deref().and_then(read) {
                pass_on(Some(&progress));
            }
        });
        let ended = source.clone();
        listen(&source, "error", move |_: Event| {
            // Anything else is a broken connection, which the browser mends by itself.
            if ended.ready_state() == EventSource::CLOSED {
                STREAM.with_borrow_mut(|stream| stream.source = None);
                pass_on(None);
            }
        });
        stream.source = Some(source);
    });
}

fn read(json: &str) -> Option<Progress> {
    let object = js_sys::JSON::parse(json).ok()?;
    object.dyn_ref::<js_sys::Object>()?;
    Some(Progress {
        id: text_of(&object, "id"),
        state: text_of(&object, "state"),
        rows_done: number_of(&object, "rows_done"),
        rows_total: number_of(&object, "rows_total"),
        done: is_true(&object, "done"),
        waits: is_true(&object, "waits"),
        summary: text_of(&object, "summary"),
    })
}

fn pass_on(progress: Option<&Progress>) {
    // Taken out while they run, so that a listener may add another.
    let mut heard = STREAM.with_borrow_mut(|stream| std::mem::take(&mut stream.listeners));
    heard.retain_mut(|listener| listener(progress));
    STREAM.with_borrow_mut(|stream| {
        heard.append(&mut stream.listeners);
        stream.listeners = heard;
        if stream.listeners.is_empty()
            && let Some(source) = stream.source.take()
        {
            source.close();
        }
    });
}
