//! Answers too large to hold: written to a file without a name, then streamed.

use axum::{
    body::Body,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use std::path::PathBuf;
use tokio_util::io::ReaderStream;

use super::failure::Failure;

/// A file on its way to a download. Its name goes when this is dropped; what is open stays readable
/// until it is closed, so that nothing is left behind however the download ends.
#[derive(Debug)]
pub struct Draft {
    /// Where to write.
    pub path: PathBuf,
}

impl Draft {
    /// A path that nobody else uses.
    pub fn new() -> Self {
        let name = hex::encode(crate::system::random_bytes::<16>());
        Self {
            path: std::env::temp_dir().join(format!("tieout-{name}")),
        }
    }

    /// Streams what was written as a file with this name.
    pub async fn send(self, name: &str, kind: &'static str) -> Result<Response, Failure> {
        let file = tokio::fs::File::open(&self.path)
            .await
            .map_err(|e| Failure::broken(&e))?;
        drop(self);
        attachment(Body::from_stream(ReaderStream::new(file)), name, kind)
    }
}

impl Default for Draft {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
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
