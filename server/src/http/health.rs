//! `/healthz`: the process answers. `/readyz`: its database does too.

use axum::{extract::State, http::StatusCode};

use super::state::Web;

/// The process answers.
pub async fn alive() -> &'static str {
    "ok\n"
}

/// The database answers.
pub async fn ready(State(web): State<Web>) -> (StatusCode, &'static str) {
    match web.engine.store.read().await {
        Ok(_) => (StatusCode::OK, "ready\n"),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            (
                StatusCode::SERVICE_UNAVAILABLE,
                "the database does not answer\n",
            )
        }
    }
}
