//! The browser bundle: embedded in the binary, compressed once at build time, and served under a
//! path that holds the hash of its content, so that browsers may keep it for ever.

use axum::{
    Router,
    extract::Path,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../site"]
struct Site;

const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// The hash of everything that is embedded, as it stands in the path.
static HASH: LazyLock<String> = LazyLock::new(|| {
    let mut names: Vec<_> = Site::iter().collect();
    names.sort_unstable();
    let mut hash = Sha256::new();
    for name in names {
        hash.update(name.as_bytes());
        hash.update([0]);
        if let Some(file) = Site::get(&name) {
            hash.update(file.metadata.sha256_hash());
        }
    }
    hex::encode(hash.finalize()).chars().take(16).collect()
});

/// Where pages find the bundle, without a slash at the end: `/assets/0123456789abcdef`.
pub fn base() -> String {
    format!("/assets/{}", *HASH)
}

/// The two routes of the bundle.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/assets/{hash}/{file}", get(asset))
        .route("/favicon.ico", get(favicon))
}

async fn asset(Path((hash, file)): Path<(String, String)>, headers: HeaderMap) -> Response {
    if hash == *HASH {
        answer(&file, &headers, FOREVER)
    } else {
        StatusCode::NOT_FOUND.into_response()
    }
}

async fn favicon(headers: HeaderMap) -> Response {
    answer("favicon.svg", &headers, A_DAY)
}

fn answer(file: &str, headers: &HeaderMap, keep: HeaderValue) -> Response {
    let Some(kind) = content_type(file) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let accepted = headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let accepts = |coding: &str| {
        accepted
            .split(',')
            .any(|part| part.split(';').next().is_some_and(|c| c.trim() == coding))
    };
    let compressed = [("br", "br"), ("gzip", "gz")]
        .into_iter()
        .filter(|(coding, _)| accepts(coding))
        .find_map(|(coding, suffix)| Some((coding, Site::get(&format!("{file}.{suffix}"))?)));
    let (coding, content) = match compressed {
        Some((coding, content)) => (Some(coding), content),
        None => match Site::get(file) {
            Some(content) => (None, content),
            None => return StatusCode::NOT_FOUND.into_response(),
        },
    };
    let mut response = (
        [
            (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
            (header::CACHE_CONTROL, keep),
            (header::VARY, HeaderValue::from_static("accept-encoding")),
        ],
        content.data,
    )
        .into_response();
    if let Some(coding) = coding {
        response
            .headers_mut()
            .insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    response
}

/// Only what a page refers to is served, and not its compressed copies under their own names.
fn content_type(file: &str) -> Option<&'static str> {
    match file.rsplit_once('.')?.1 {
        "js" => Some("text/javascript; charset=utf-8"),
        "wasm" => Some("application/wasm"),
        "css" => Some("text/css; charset=utf-8"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}
