//! `/api/v1/settlement-files`.

use axum::{
    Json,
    body::Body,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use domain::view::routes::field;
use engine::views;
use serde_json::json;

use super::{Caller, found};
use crate::http::{failure::Failure, fields::Asked, pages, state::Web, upload};

/// Takes a file as the body: 202 with its id, 200 for bytes that were there already.
pub async fn receive(
    State(web): State<Web>,
    Caller(actor): Caller,
    Asked(asked): Asked,
    body: Body,
) -> Result<Response, Failure> {
    let provider = asked.text(field::PROVIDER);
    pages::upload::check_provider(&web, &actor, provider).await?;
    let stored = upload::raw(&web, body).await?;
    let name = asked.text(field::FILENAME);
    let profile = asked.given("profile");
    let received = pages::upload::register(&web, &actor, provider, name, profile, stored).await?;
    let status = if received.known {
        StatusCode::OK
    } else {
        StatusCode::ACCEPTED
    };
    let answer = json!({
        "file_id": received.public_id,
        "sha256": hex::encode(stored.sha256),
        "known": received.known,
        "read_again": received.read_again,
    });
    Ok((status, Json(answer)).into_response())
}

/// How a file stands, counted.
pub async fn show(
    State(web): State<Web>,
    Caller(actor): Caller,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    found(
        views::file(&web.engine, &actor, &id).await?,
        "settlement file",
    )
}
