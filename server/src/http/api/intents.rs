//! `/api/v1/intents`: what payment workers register, claim and read.

use axum::{
    Json,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use domain::registry::NewIntent;
use engine::registry::{
    Answered, ClaimRequest, claim_attempt, create_intent, intents_by_reference, show_intent,
};
use serde_json::json;

use super::{Caller, Sent, found};
use crate::http::{failure::Failure, fields::Asked, state::Web};

const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Registers an intent: 201, or 200 with the stored answer where the key came with it before.
pub async fn create(
    State(web): State<Web>,
    Caller(actor): Caller,
    headers: HeaderMap,
    Sent(new): Sent<NewIntent>,
) -> Result<Response, Failure> {
    let key = headers
        .get(IDEMPOTENCY_KEY)
        .and_then(|value| value.to_str().ok())
        .map(str::trim)
        .unwrap_or_default();
    let answered = create_intent(&web.engine, &actor, key, &new).await?;
    let status = match answered {
        Answered::Done(_) => StatusCode::CREATED,
        Answered::Again(_) => StatusCode::OK,
    };
    Ok((status, Json(answered.into_inner())).into_response())
}

/// Intents with a merchant reference, newest first.
pub async fn list(
    State(web): State<Web>,
    Caller(actor): Caller,
    Asked(asked): Asked,
) -> Result<Response, Failure> {
    let reference = asked.text("reference").trim();
    if reference.is_empty() {
        return Err(Failure::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "Say which: /api/v1/intents?reference=MERCHANT_REFERENCE.",
        ));
    }
    let intents = intents_by_reference(&web.engine, &actor, reference).await?;
    Ok(Json(json!({ "intents": intents })).into_response())
}

/// One intent.
pub async fn show(
    State(web): State<Web>,
    Caller(actor): Caller,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    found(show_intent(&web.engine, &actor, &id).await?, "intent")
}

/// Claims the next attempt: 201, also where the same claim is heard again while its lease lasts.
pub async fn claim(
    State(web): State<Web>,
    Caller(actor): Caller,
    Path(id): Path<String>,
    Sent(request): Sent<ClaimRequest>,
) -> Result<Response, Failure> {
    let answered = claim_attempt(&web.engine, &actor, &id, &request).await?;
    Ok((StatusCode::CREATED, Json(answered.into_inner())).into_response())
}
