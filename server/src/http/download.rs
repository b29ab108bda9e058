//! Answers too large to hold: written to a file of our own, then streamed.

use axum::{
    body::Body,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use engine::evidence_store::Draft;
use tokio_util::io::ReaderStream;

use super::failure::Failure;

/// Streams a draft as a file with this name. The draft's own name goes at once; what is open stays
/// readable until it is closed, so that nothing is left behind however the download ends.
pub async fn send(draft: Draft, name: &str, kind: &'static str) -> Result<Response, Failure> {
    let file = tokio::fs::File::open(draft.path())
        .await
        .map_err(|e| Failure::broken(&e))?;
    drop(draft);
    attachment(Body::from_stream(ReaderStream::new(file)), name, kind)
}

/// A body that the browser saves under a name.
pub fn attachment(body: Body, name: &str, kind: &'static str) -> Result<Response, Failure> {
    let plain: String = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        .collect();
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{plain}\""))
        .map_err(|e| Failure::broken(&e))?;
    let mut response = body.into_response();
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
        .headers_mut()
        .insert(header::CONTENT_DISPOSITION, disposition);
    Ok(response)
}
