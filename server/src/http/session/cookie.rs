//! The session cookie: its flags, and a repair of how it is taken away.

use axum::{
    extract::{Request, State},
    http::{HeaderValue, header},
    middleware::Next,
    response::Response,
};
use tower_sessions::{
    Expiry, SessionManagerLayer, SessionStore,
    cookie::{SameSite, time::Duration},
};

use crate::http::config::WebConfig;

/// A session that nobody uses ends after this time.
pub const IDLE_SECONDS: i64 = 60 * 60;

/// The layer that loads and saves sessions.
pub fn layer<S: SessionStore + Clone>(store: S, config: &WebConfig) -> SessionManagerLayer<S> {
    SessionManagerLayer::new(store)
        .with_name(config.cookie_name())
        .with_secure(!config.insecure_http)
        .with_http_only(true)
        // Not Strict: a link in a mail or a chat would arrive without the session.
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(Duration::seconds(IDLE_SECONDS)))
}

/// Browsers ignore a `__Host-` cookie without `Secure`, also the one that takes it away.
pub async fn secure_removal(State(secure): State<bool>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if !secure {
        return response;
    }
    let cookies: Vec<HeaderValue> = response
        .headers()
        .get_all(header::SET_COOKIE)
        .iter()
        .map(with_secure)
        .collect();
    response.headers_mut().remove(header::SET_COOKIE);
    for cookie in cookies {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

fn with_secure(cookie: &HeaderValue) -> HeaderValue {
    let Ok(text) = cookie.to_str() else {
        return cookie.clone();
    };
    let has = text
        .split(';')
        .any(|part| part.trim().eq_ignore_ascii_case("secure"));
    if has {
        return cookie.clone();
    }
    HeaderValue::from_str(&format!("{text}; Secure")).unwrap_or_else(|_| cookie.clone())
}
