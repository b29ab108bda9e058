//! A few counters as plain text, in the form that Prometheus reads.

use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use std::{
    fmt::Write as _,
    sync::atomic::{AtomicU64, Ordering},
};

/// Answers by class of status: 1xx to 5xx.
static ANSWERS: [AtomicU64; 5] = [const { AtomicU64::new(0) }; 5];
static ANSWER_MS: AtomicU64 = AtomicU64::new(0);
static UPLOADED_BYTES: AtomicU64 = AtomicU64::new(0);
static REFUSED_FORGERIES: AtomicU64 = AtomicU64::new(0);

/// Counts an answer.
pub fn count(status: u16, took_ms: u64) {
    if let Some(class) = usize::from(status / 100)
        .checked_sub(1)
        .and_then(|c| ANSWERS.get(c))
    {
        class.fetch_add(1, Ordering::Relaxed);
    }
    ANSWER_MS.fetch_add(took_ms, Ordering::Relaxed);
}

/// Counts bytes received in uploads.
pub fn uploaded(bytes: u64) {
    UPLOADED_BYTES.fetch_add(bytes, Ordering::Relaxed);
}

/// Counts a request that another site made a browser send.
pub fn refused_forgery() {
    REFUSED_FORGERIES.fetch_add(1, Ordering::Relaxed);
}

/// `GET /metrics`.
pub async fn show() -> Response {
    let mut text = String::new();
    text.push_str("# TYPE tieout_http_answers_total counter\n");
    for (class, counter) in (1..).zip(&ANSWERS) {
        let _ = writeln!(
            text,
            "tieout_http_answers_total{{status=\"{class}xx\"}} {}",
            counter.load(Ordering::Relaxed)
        );
    }
    for (name, counter) in [
        ("tieout_http_answer_milliseconds_total", &ANSWER_MS),
        ("tieout_uploaded_bytes_total", &UPLOADED_BYTES),
        ("tieout_refused_forgeries_total", &REFUSED_FORGERIES),
    ] {
        let _ = writeln!(
            text,
            "# TYPE {name} counter\n{name} {}",
            counter.load(Ordering::Relaxed)
        );
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}
