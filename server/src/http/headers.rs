//! Headers that every answer carries unless its handler said otherwise.

use axum::{
    Router,
    http::{HeaderName, HeaderValue, header},
};
use tower_http::set_header::SetResponseHeaderLayer;

use super::config::WebConfig;

/// Pages are never stored; assets and downloads say otherwise themselves.
const HEADERS: [(HeaderName, &str); 8] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // Not `no-referrer`: it turns the Origin of a form post into `null`, which the forgery check refuses.
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (HeaderName::from_static("x-robots-tag"), "noindex"),
];

/// Two years, as the preload list of browsers asks.
const STRICT_TRANSPORT: &str = "max-age=63072000; includeSubDomains";

/// Adds them to every answer of a router.
pub fn on_every_answer<S: Clone + Send + Sync + 'static>(
    mut router: Router<S>,
    config: &WebConfig,
) -> Router<S> {
    for (name, value) in HEADERS {
        router = router.layer(SetResponseHeaderLayer::if_not_present(
            name,
            HeaderValue::from_static(value),
        ));
    }
    if config.behind_tls {
        router = router.layer(SetResponseHeaderLayer::if_not_present(
            header::STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static(STRICT_TRANSPORT),
        ));
    }
    router
}
