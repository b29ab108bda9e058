//! Turns a view into an answer, with this answer's nonce.

use axum::{body::Body, extract::Request, http::StatusCode, response::Response};
use domain::view::visible::visible_html;
use futures_util::StreamExt as _;
use leptos::{nonce::Nonce, prelude::*};

use super::nonce::CspNonce;

/// Renders a whole document. The view is made inside the renderer's own scope. Here, for every page,
/// characters that cannot be seen become visible.
pub async fn document<V: IntoView + 'static>(
    status: StatusCode,
    nonce: CspNonce,
    view: impl FnOnce() -> V + Send + 'static,
) -> Response {
    let context = move || provide_context(Nonce::from_value(nonce.0.clone()));
    let mut response = leptos_axum::handle_response_inner(
        context,
        view,
        Request::new(Body::empty()),
        |app, chunks, _| {
            Box::pin(async move {
                // Pages load nothing while they are rendered, so that they are whole at once.
                let html = app.to_html_stream_in_order().collect::<String>().await;
                let html = visible_html(&html).into_owned();
                let whole = futures_util::stream::once(async move { html });
                Box::pin(whole.chain(chunks())) as _
            })
        },
    )
    .await;
    *response.status_mut() = status;
    response
}
