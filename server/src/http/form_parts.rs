//! A form with files, part by part. The parser takes whatever is ready into its buffer, so it is given
//! small pieces and looks at what it has after each: headers that do not end are noticed by how much
//! it asks for while it looks, and no content that came along with a header is taken for one.

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
    task::{Context, Poll, ready},
};

use super::failure::Failure;

/// Bytes that the headers of a part may have.
const MOST_HEADER_BYTES: u64 = 64 * 1024;
/// Most bytes that the parser is given at once.
const PIECE: usize = 16 * 1024;
/// Bytes that the parser may ask for while it looks for headers. Before the first part it asks twice
/// before it looks: as much may be content that came behind the headers.
const MOST_WHILE_LOOKING: u64 = MOST_HEADER_BYTES + 2 * PIECE as u64;
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
    /// What came and the parser has not been given.
    rest: Bytes,
    /// Whether the parser must look at what it has before it is given more.
    paused: bool,
    thrown_away: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("the headers of a part do not end")]
struct HeadersTooLong;

impl Stream for Watched {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.paused) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if self.gate.is_shut() {
            return self.throw_away(context);
        }
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_next(context)) {
                Some(Ok(bytes)) => self.rest = bytes,
                ended => return Poll::Ready(ended),
            }
        }
        let length = self.rest.len().min(PIECE);
        let piece = self.rest.split_to(length);
        self.paused = true;
        self.gate.count(length as u64);
        Poll::Ready(Some(Ok(piece)))
    }
}

impl Watched {
    /// Reads what is left, so that the answer is not lost in a broken connection.
    fn throw_away(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, axum::Error>>> {
        while self.thrown_away <= MOST_THROWN_AWAY {
            match ready!(Pin::new(&mut self.body).poll_next(context)) {
                Some(Ok(bytes)) => self.thrown_away += bytes.len() as u64,
                _ => break,
            }
        }
        Poll::Ready(Some(Err(axum::Error::new(HeadersTooLong))))
    }
}

impl Gate {
    fn look_for_headers(&self) {
        self.read.store(0, Ordering::Relaxed);
        self.headers.store(true, Ordering::Relaxed);
    }

    fn headers_are_found(&self) {
        self.headers.store(false, Ordering::Relaxed);
    }

    fn count(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Whether more was asked for while headers are looked for than they may have. It stays so.
    fn is_shut(&self) -> bool {
        let looking = self.headers.load(Ordering::Relaxed);
        if looking && self.read.load(Ordering::Relaxed) > MOST_WHILE_LOOKING {
            self.shut.store(true, Ordering::Relaxed);
        }
        self.shut.load(Ordering::Relaxed)
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
            rest: Bytes::new(),
            paused: false,
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
        self.gate.look_for_headers();
        let next = self.form.next_field().await;
        self.gate.headers_are_found();
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

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header;
    use futures_util::stream;

    const BOUNDARY: &str = "a-form";

    /// Contents of these lengths, each under its headers and followed by a text.
    fn form_of(lengths: &[usize]) -> Vec<u8> {
        let mut body = Vec::new();
        for length in lengths {
            body.extend(
                format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n")
                    .bytes(),
            );
            // No headers' end in it, and the start of a boundary.
            body.extend("x\r\n--a-f".bytes().cycle().take(*length));
            body.extend("\r\n".bytes());
        }
        body.extend(format!("--{BOUNDARY}--\r\n").bytes());
        body
    }

    /// The lengths that come out where the body comes in chunks of one length.
    async fn read(body: Vec<u8>, chunk: usize) -> Result<Vec<usize>, Failure> {
        let chunks: Vec<_> = body
            .chunks(chunk)
            .map(|c| Ok::<_, std::convert::Infallible>(Bytes::copy_from_slice(c)))
            .collect();
        let request = Request::builder()
            .header(
                header::CONTENT_TYPE,
                format!("multipart/form-data; boundary={BOUNDARY}"),
            )
            .body(Body::from_stream(stream::iter(chunks)))
            .unwrap();
        let mut form = FormParts::from_request(request, &()).await?;
        let mut lengths = Vec::new();
        while let Some(mut part) = form.next().await? {
            let mut length = 0;
            while let Some(bytes) = part.chunk().await.map_err(|e| interrupted(&e))? {
                // What is in memory at once does not follow from how it came: a part adds two pieces.
                let most = 2 * PIECE * (lengths.len() + 1) + BOUNDARY.len();
                assert!(bytes.len() <= most, "{} at once", bytes.len());
                length += bytes.len();
            }
            lengths.push(length);
        }
        Ok(lengths)
    }

    #[tokio::test]
    async fn contents_are_not_taken_for_headers_however_they_come() {
        let forms: [&[usize]; 4] = [
            &[20_000, 20_000, 20_000, 300_000],
            &[300_000, 300_000, 300_000],
            &[0, 1, 65_536, 65_537, 0, 131_072],
            &[5, 1_000_000, 5],
        ];
        for lengths in forms {
            let body = form_of(lengths);
            for chunk in [7, 61, 1_000, 16_384, 65_535, 65_537, 100_001, body.len()] {
                let came = read(body.clone(), chunk).await;
                assert_eq!(came.ok().as_deref(), Some(lengths), "in chunks of {chunk}");
            }
        }
    }

    #[tokio::test]
    async fn headers_are_taken_up_to_their_bound_and_not_much_beyond() {
        let with_header = |length: usize| {
            let body = format!("--{BOUNDARY}\r\nX-Padding: {}\r\n\r\ny", "p".repeat(length));
            [
                body.into_bytes(),
                format!("\r\n--{BOUNDARY}--\r\n").into_bytes(),
            ]
            .concat()
        };
        for chunk in [1, 1_000, 65_537, 1 << 20] {
            let taken = read(with_header(65_000), chunk).await;
            assert_eq!(taken.ok(), Some(vec![1]), "in chunks of {chunk}");
            let refused = read(with_header(150_000), chunk).await;
            assert!(refused.is_err(), "in chunks of {chunk}");
        }
    }
}
