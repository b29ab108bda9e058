//! `/api/v1/cases` and `/api/v1/decisions`.

use axum::{
    Json,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use domain::view::queue::QueueFilter;
use engine::{
    decide::{DecisionRequest, answer_decision, decide_case},
    views,
};

use super::{Caller, Sent, found};
use crate::http::{failure::Failure, fields::Filter, pages::review, state::Web};

/// A second person's answer.
#[derive(Debug, serde::Deserialize)]
pub struct Answer {
    approve: bool,
    #[serde(default)]
    comment: String,
}

/// The queue under a filter.
pub async fn list(
    State(web): State<Web>,
    Caller(actor): Caller,
    Filter(filter): Filter<QueueFilter>,
) -> Result<Response, Failure> {
    Ok(Json(views::queue(&web.engine, &actor, &filter).await?).into_response())
}

/// One case.
pub async fn show(
    State(web): State<Web>,
    Caller(actor): Caller,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let filter = QueueFilter::default();
    found(
        views::case(&web.engine, &actor, &id, &filter).await?,
        "case",
    )
}

/// Decides, as the person of the token.
pub async fn decide(
    State(web): State<Web>,
    Caller(actor): Caller,
    Path(id): Path<String>,
    Sent(request): Sent<DecisionRequest>,
) -> Result<Response, Failure> {
    let decided = decide_case(&web.engine, &actor, &id, &request).await?;
    review::decide::go_on(&web, &decided);
    Ok(Json(decided).into_response())
}

/// Approves or refuses another's decision, as the person of the token.
pub async fn approve(
    State(web): State<Web>,
    Caller(actor): Caller,
    Path(decision): Path<String>,
    Sent(answer): Sent<Answer>,
) -> Result<Response, Failure> {
    let decided = answer_decision(
        &web.engine,
        &actor,
        &decision,
        answer.approve,
        &answer.comment,
    )
    .await?;
    review::decide::go_on(&web, &decided);
    Ok(Json(decided).into_response())
}
