//! A form with files, part by part. How much is read while a part's headers are looked for is bounded:
//! headers that do not end would otherwise be held in memory as long as they come.

use axum::{
    body::{Body, BodyDataStream, Bytes},
    extract::{
        FromRequest, Multipart, Request,
        multipart::{Field, MultipartError},
    },
    http::StatusCode,
};
use futures_util::Stream;
use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

use super::failure::Failure;

/// Bytes that may be read before a part's headers end.
const MOST_HEADER_BYTES: u64 = 64 * 1024;
/// Bytes of a refused form that are still read.
const MOST_THROWN_AWAY: u64 = 16 * 1024 * 1024;
/// Parts of one form.
const MOST_PARTS: usize = 200;

/// A posted form with files.
pub struct FormParts {
    form: Multipart,
    gate: Arc<Gate>,
    parts: usize,
}

/// What is read, seen from outside of the parser.
#[derive(Debug, Default)]
struct Gate {
    /// Whether headers are being looked for.
    headers: AtomicBool,
    /// Bytes read since then.
    read: AtomicU64,
    /// Whether it was too much.
    shut: AtomicBool,
}

/// The body on its way to the parser.
struct Watched {
    body: BodyDataStream,
    gate: Arc<Gate>,
    thrown_away: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("the headers of a part do not end")]
struct HeadersTooLong;

impl Stream for Watched {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let gate = self.gate.clone();
        let looking = gate.headers.load(Ordering::Relaxed);
        if looking && gate.read.load(Ordering::Relaxed) > MOST_HEADER_BYTES {
            gate.shut.store(true, Ordering::Relaxed);
        }
        // What is left is read and thrown away, so that the answer is not lost in a broken connection.
        while gate.shut.load(Ordering::Relaxed) {
            match Pin::new(&mut self.body).poll_next(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(Ok(bytes))) if self.thrown_away <= MOST_THROWN_AWAY => {
                    self.thrown_away += bytes.len() as u64;
                }
                Poll::Ready(_) => {
                    return Poll::Ready(Some(Err(axum::Error::new(HeadersTooLong))));
                }
            }
        }
        let next = Pin::new(&mut self.body).poll_next(context);
        if let (true, Poll::Ready(Some(Ok(bytes)))) = (looking, &next) {
            gate.read.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        }
        next
    }
}

impl<S: Send + Sync> FromRequest<S> for FormParts {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        let gate = Arc::new(Gate::default());
        let (parts, body) = request.into_parts();
        let watched = Watched {
            body: body.into_data_stream(),
            gate: gate.clone(),
            thrown_away: 0,
        };
        let request = Request::from_parts(parts, Body::from_stream(watched));
        let form = Multipart::from_request(request, state)
            .await
            .map_err(|refused| {
                Failure::new(
                    refused.status(),
                    "This form was sent in a way that cannot be read here.",
                )
            })?;
        Ok(Self {
            form,
            gate,
            parts: 0,
        })
    }
}

impl FormParts {
    /// The next part, if there is one. A part that is of no interest must be read to its end with
    /// [`skip`] before.
    pub async fn next(&mut self) -> Result<Option<Field<'_>>, Failure> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(Failure::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("A form takes at most {MOST_PARTS} parts."),
            ));
        }
        self.gate.read.store(0, Ordering::Relaxed);
        self.gate.headers.store(true, Ordering::Relaxed);
        let next = self.form.next_field().await;
        self.gate.headers.store(false, Ordering::Relaxed);
        next.map_err(|error| {
            if self.gate.shut.load(Ordering::Relaxed) {
                return Failure::new(
                    StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                    format!(
                        "The headers of a part of this form are longer than {MOST_HEADER_BYTES} bytes."
                    ),
                );
            }
            interrupted(&error)
        })
    }
}

/// Reads a part that nobody asked for to its end, up to a limit.
pub async fn skip(mut part: Field<'_>, most_bytes: u64) -> Result<(), Failure> {
    let mut bytes: u64 = 0;
    while let Some(chunk) = part.chunk().await.map_err(|e| interrupted(&e))? {
        bytes = bytes.saturating_add(chunk.len() as u64);
        if bytes > most_bytes {
            return Err(Failure::of_status(StatusCode::PAYLOAD_TOO_LARGE));
        }
    }
    Ok(())
}

/// What a form that stopped in the middle is told.
pub fn interrupted(error: &MultipartError) -> Failure {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return Failure::of_status(StatusCode::PAYLOAD_TOO_LARGE);
    }
    super::upload::broken_off()
}
