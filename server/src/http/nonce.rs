//! The content security policy and its nonce: one per answer, drawn before the page is rendered.

use axum::{
    extract::Request,
    http::{HeaderValue, header},
    middleware::Next,
    response::Response,
};

/// The nonce that this answer's own scripts carry.
#[derive(Debug, Clone)]
pub struct CspNonce(pub String);

/// Draws the nonce, lets the page be made, then states the policy.
pub async fn content_security_policy(mut request: Request, next: Next) -> Response {
    let nonce = hex::encode(crate::system::random_bytes::<16>());
    request.extensions_mut().insert(CspNonce(nonce.clone()));
    let mut response = next.run(request).await;
    if let Ok(policy) = HeaderValue::from_str(&policy(&nonce)) {
        response
            .headers_mut()
            .insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

fn policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; \
         style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; \
         object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
}
