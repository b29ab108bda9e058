//! Refuses what another site makes a browser send: by `Sec-Fetch-Site`, else by `Origin`.

use axum::{
    http::{Method, StatusCode, Uri},
    response::IntoResponse,
};
use tower_http::csrf::{CsrfLayer, ProtectionError};

use super::failure::Failure;

type Refusal = fn(ProtectionError) -> axum::response::Response;

/// The layer over pages. Programs bring a token with each call and no browser sends that by itself,
/// so their paths pass.
pub fn layer() -> CsrfLayer<Refusal> {
    CsrfLayer::new()
        .with_insecure_bypass(|_: &Method, uri: &Uri| uri.path().starts_with("/api/"))
        .with_rejection_response(refuse as Refusal)
}

fn refuse(error: ProtectionError) -> axum::response::Response {
    super::metrics::refused_forgery();
    tracing::warn!(%error, "refused a request that came from another site");
    Failure::new(
        StatusCode::FORBIDDEN,
        "This was sent from another site, so nothing was done. Open the page here and send it again.",
    )
    .into_response()
}
