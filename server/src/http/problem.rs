//! Failures for programs: RFC 9457 problem documents.

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::failure::Failure;

/// The document of a failure. `type` is stable; `current` says how things stand after a conflict.
pub fn document(failure: &Failure, request_id: &str) -> Response {
    let mut body = json!({
        "type": format!("urn:tieout:problem:{}", failure.code),
        "title": failure.status.canonical_reason().unwrap_or("Refused"),
        "status": failure.status.as_u16(),
        "detail": failure.message,
        "code": failure.code,
        "request_id": request_id,
    });
    if let (Some(current), Some(fields)) = (&failure.current, body.as_object_mut()) {
        fields.insert("current".to_owned(), current.clone());
    }
    let mut response = (failure.status, body.to_string()).into_response();
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/problem+json"),
    );
    response
}
