//! The one place where failures become what a person or a program reads.

use axum::{
    extract::{FromRequestParts, Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::Response,
};
use domain::view::{refusal::Refusal, routes::pattern};

use super::{
    failure::Failure, problem, request_id::RequestId, session, state::Web, visit::Anonymous,
};

/// Turns whatever failed without a page of its own into one: failures of handlers, unknown paths
/// and methods, bodies that are too large, pages that took too long, panics.
pub async fn show_failures(State(web): State<Web>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path();
    let for_a_program = path.starts_with("/api/") || path == pattern::UPLOAD;
    let request_id = parts
        .extensions
        .get::<RequestId>()
        .map(|id| id.0.clone())
        .unwrap_or_default();
    let visit = Anonymous::from_request_parts(&mut parts, &web).await;
    let response = next.run(Request::from_parts(parts, body)).await;
    let Some(failure) = failure_of(&response) else {
        return response;
    };
    let mut shown = if for_a_program {
        problem::document(&failure, &request_id)
    } else {
        match visit {
            Ok(visit) => page(visit, &failure, request_id).await,
            Err(_) => plain(&failure),
        }
    };
    if let Some(seconds) = failure.retry_after_seconds {
        shown
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    // What a handler or layer said beside the status, such as which methods are allowed.
    if let Some(allowed) = response.headers().get(header::ALLOW) {
        shown.headers_mut().insert(header::ALLOW, allowed.clone());
    }
    shown
}

fn failure_of(response: &Response) -> Option<Failure> {
    if let Some(failure) = response.extensions().get::<Failure>() {
        return Some(failure.clone());
    }
    let status = response.status();
    let failed = status.is_client_error() || status.is_server_error();
    let kind = response
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    // A page that keeps what was typed, or a document, speaks for itself.
    let speaks = ["text/html", "application/json", "application/problem+json"]
        .iter()
        .any(|known| kind.starts_with(known));
    (failed && !speaks).then(|| Failure::of_status(status))
}

async fn page(visit: Anonymous, failure: &Failure, request_id: String) -> Response {
    // Where the database is what failed, the page is made without asking it again.
    let person = if failure.status.is_server_error() {
        None
    } else {
        session::person(&visit.web.engine, &visit.session)
            .await
            .unwrap_or(None)
    };
    let refusal = Refusal {
        what: failure.message.clone(),
        links: failure.links.clone(),
        request_id,
        ..Refusal::new(failure.status.as_u16())
    };
    let page = visit
        .answer_for(person, failure.status, refusal, app::pages::refusal)
        .await;
    page.unwrap_or_else(|second| plain(&second))
}

fn plain(failure: &Failure) -> Response {
    let text = failure.message.clone();
    let mut response = Response::new(text.into());
    *response.status_mut() = match failure.status {
        status if status.is_success() => StatusCode::INTERNAL_SERVER_ERROR,
        status => status,
    };
    response
}
