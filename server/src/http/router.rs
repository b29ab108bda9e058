//! The whole web: routes inside, then what surrounds every answer.
//!
//! From the inside out: the door of each route; panics become failures; time and size limits;
//! requests from other sites are refused; failures become pages or problem documents; the session;
//! compression; the bundle, which is compressed already and needs no session; log and request id;
//! the content security policy and the other headers, so that refusals carry them too.

use axum::{
    Router,
    http::{Method, StatusCode, Uri},
    middleware::{from_fn, from_fn_with_state},
    response::{IntoResponse, Redirect, Response},
};
use std::any::Any;
use tower_http::{
    catch_panic::CatchPanicLayer, compression::CompressionLayer, limit::RequestBodyLimitLayer,
    timeout::TimeoutLayer,
};

use super::{
    assets,
    failure::Failure,
    failure_page, forgery, headers, nonce, request_id, routes,
    session::{cookie, store::Sessions},
    state::Web,
};

/// Forms are small: a comment, a policy, a few fields.
const FORM_LIMIT_BYTES: usize = 256 * 1024;

/// Builds it.
pub fn build(web: &Web) -> Router {
    let mut pages = Router::new();
    let mut streams = Router::new();
    for route in routes::table() {
        if route.streams {
            streams = route.mount(web, streams);
        } else {
            pages = route.mount(web, pages);
        }
    }
    let pages = pages
        .layer(CatchPanicLayer::custom(panicked))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::GATEWAY_TIMEOUT,
            web.config.page_timeout,
        ))
        .layer(RequestBodyLimitLayer::new(FORM_LIMIT_BYTES));
    let streams = streams
        .layer(axum::extract::DefaultBodyLimit::disable())
        .layer(CatchPanicLayer::custom(panicked));
    let sessions = Sessions::new(web.engine.clone());
    let router = pages
        .merge(streams)
        .fallback(async || Failure::of_status(StatusCode::NOT_FOUND))
        .method_not_allowed_fallback(other_method)
        .layer(forgery::layer())
        .layer(from_fn_with_state(web.clone(), failure_page::show_failures))
        .layer(cookie::layer(sessions, &web.config))
        .layer(from_fn_with_state(
            !web.config.insecure_http,
            cookie::secure_removal,
        ))
        .layer(CompressionLayer::new())
        .merge(assets::router())
        .layer(from_fn(request_id::name_and_log))
        .layer(from_fn(nonce::content_security_policy));
    headers::on_every_answer(router, &web.config).with_state(web.clone())
}

/// An address that only takes forms, asked for by a reload or by Back, leads to the page that the form
/// stood on. Programs are told that they may not.
async fn other_method(method: Method, uri: Uri) -> Response {
    let path = uri.path();
    let for_programs = ["/api/", "/hooks/"].iter().any(|p| path.starts_with(p));
    match path.rsplit_once('/') {
        Some((page, _)) if method == Method::GET && !for_programs => {
            Redirect::to(if page.is_empty() { "/" } else { page }).into_response()
        }
        _ => Failure::of_status(StatusCode::METHOD_NOT_ALLOWED).into_response(),
    }
}

fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let what = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    tracing::error!(what, "a handler panicked");
    Failure::of_status(StatusCode::INTERNAL_SERVER_ERROR).into_response()
}
