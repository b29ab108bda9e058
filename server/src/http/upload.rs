//! Bytes on their way from a request to the store of raw files: counted and hashed while they
//! stream, never held whole.

use axum::{
    body::{Body, Bytes},
    extract::multipart::{Field, MultipartError},
    http::StatusCode,
};
use engine::evidence_store::{EvidenceStore, Incoming, Stored};
use futures_util::{Stream, StreamExt as _};

use super::{failure::Failure, metrics, state::Web};

/// Takes a raw body.
pub async fn raw(web: &Web, body: Body) -> Result<Stored, Failure> {
    let chunks = body.into_data_stream();
    receive(&web.evidence, web.config.upload_limit_bytes, chunks).await
}

/// Takes one file of a form.
pub async fn field(web: &Web, field: Field<'_>) -> Result<Stored, Failure> {
    receive(&web.evidence, web.config.upload_limit_bytes, field).await
}

async fn receive<E>(
    store: &EvidenceStore,
    limit: u64,
    chunks: impl Stream<Item = Result<Bytes, E>>,
) -> Result<Stored, Failure>
where
    E: Interrupted,
{
    let mut incoming = store.begin().await.map_err(|e| Failure::broken(&e))?;
    // Dropped unfinished, it leaves nothing.
    pour(&mut incoming, limit, chunks).await?;
    let stored = incoming.finish().await.map_err(|e| Failure::broken(&e))?;
    metrics::uploaded(stored.bytes);
    Ok(stored)
}

async fn pour<E: Interrupted>(
    incoming: &mut Incoming,
    limit: u64,
    chunks: impl Stream<Item = Result<Bytes, E>>,
) -> Result<(), Failure> {
    let mut chunks = std::pin::pin!(chunks);
    let mut bytes: u64 = 0;
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|error| error.failure())?;
        bytes = bytes.saturating_add(chunk.len() as u64);
        if bytes > limit {
            return Err(too_large(limit));
        }
        incoming
            .write(&chunk)
            .await
            .map_err(|e| Failure::broken(&e))?;
    }
    Ok(())
}

/// Refuses by what the sender declares, before anything is read.
pub fn check_declared(web: &Web, declared_bytes: Option<u64>) -> Result<(), Failure> {
    let limit = web.config.upload_limit_bytes;
    match declared_bytes {
        Some(bytes) if bytes > limit => Err(too_large(limit)),
        _ => Ok(()),
    }
}

fn too_large(limit: u64) -> Failure {
    Failure::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("The file is larger than {limit} bytes, the most that this server takes."),
    )
}

/// The sender stopped in the middle.
trait Interrupted {
    fn failure(&self) -> Failure;
}

impl Interrupted for axum::Error {
    fn failure(&self) -> Failure {
        broken_off()
    }
}

impl Interrupted for MultipartError {
    fn failure(&self) -> Failure {
        broken_off()
    }
}

/// The sender stopped in the middle.
pub fn broken_off() -> Failure {
    Failure::new(
        StatusCode::BAD_REQUEST,
        "The upload broke off before its end, so nothing was kept. Send the file again.",
    )
}
