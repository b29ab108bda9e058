//! `/api/v1/cases` and `/api/v1/decisions`.

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use domain::{actor::Actor, matching::LineName, money::Money, view::queue::QueueFilter};
use engine::{
    decide::{DecisionRequest, answer_decision, decide_case, share_currency},
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
    Sent(mut sent): Sent<serde_json::Value>,
) -> Result<Response, Failure> {
    read_shares(&web, &actor, &id, &mut sent).await?;
    let request: DecisionRequest = serde_json::from_value(sent)
        .map_err(|error| unreadable(format!("The body cannot be read: {error}.")))?;
    let decided = decide_case(&web.engine, &actor, &id, &request).await?;
    review::decide::go_on(&web, &decided);
    Ok(Json(decided).into_response())
}

/// Turns amounts of shares that are decimals, as everywhere in the API, into minor units. Whole numbers
/// are minor units already.
async fn read_shares(
    web: &Web,
    actor: &Actor,
    case: &str,
    sent: &mut serde_json::Value,
) -> Result<(), Failure> {
    for (number, share) in (1..).zip(shares(sent)) {
        let amount = share.get("amount").unwrap_or(&serde_json::Value::Null);
        if !amount.is_string() && !amount.is_i64() {
            let why = "give its amount as a decimal, such as \"10.00\"";
            return Err(unreadable(format!("{}: {why}.", named(number, share))));
        }
    }
    if !shares(sent).any(|share| {
        share
            .get("amount")
            .is_some_and(serde_json::Value::is_string)
    }) {
        return Ok(());
    }
    let line = sent
        .pointer("/params/line")
        .and_then(|line| line.as_str()?.parse::<LineName>().ok());
    let currency = share_currency(&web.engine, actor, case, line.as_ref()).await?;
    for (number, share) in (1..).zip(shares(sent)) {
        let Some(text) = share.get("amount").and_then(serde_json::Value::as_str) else {
            continue;
        };
        let read = Money::parse_major(text, currency)
            .map_err(|error| unreadable(format!("{}: {error}.", named(number, share))))?;
        if let Some(amount) = share.get_mut("amount") {
            *amount = read.minor.into();
        }
    }
    Ok(())
}

/// A share by its place and by whom it names, as a person finds it in what was sent.
fn named(number: usize, share: &serde_json::Value) -> String {
    let text = |field| share.get(field).and_then(serde_json::Value::as_str);
    let payment = text("intent")
        .filter(|id| !id.is_empty())
        .or(text("attempt"));
    payment.filter(|id| !id.is_empty()).map_or_else(
        || format!("Share {number}"),
        |id| {
            let id: String = id.chars().take(80).collect();
            format!("Share {number} (for payment “{id}”)")
        },
    )
}

fn shares(sent: &mut serde_json::Value) -> impl Iterator<Item = &mut serde_json::Value> {
    let shares = sent.pointer_mut("/params/shares");
    let shares = shares.and_then(serde_json::Value::as_array_mut);
    shares.into_iter().flatten()
}

fn unreadable(why: String) -> Failure {
    Failure::new(StatusCode::UNPROCESSABLE_ENTITY, why)
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
