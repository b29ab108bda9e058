//! One id per request, in the log and on the answer, so that a person can quote it.

use axum::{
    extract::{MatchedPath, Request},
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::Response,
};
use std::time::Instant;
use tracing::Instrument;

/// The id of a request.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Names the request, runs it inside a span of that name, and logs how it ended: the route and
/// never the path, which may hold a secret, nor any payload.
pub async fn name_and_log(mut request: Request, next: Next) -> Response {
    let id = hex::encode(crate::system::random_bytes::<8>());
    request.extensions_mut().insert(RequestId(id.clone()));
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("-", MatchedPath::as_str)
        .to_owned();
    let span = tracing::info_span!("request", id, method = %request.method(), route);
    let started = Instant::now();
    let mut response = next.run(request).instrument(span.clone()).await;
    let took_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let status = response.status().as_u16();
    span.in_scope(|| {
        if status >= 500 {
            tracing::error!(status, took_ms, "answered");
        } else {
            tracing::debug!(status, took_ms, "answered");
        }
    });
    super::metrics::count(status, took_ms);
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(HEADER, value);
    }
    response
}
