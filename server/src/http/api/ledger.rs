//! `/api/v1/ledger`.

use axum::{
    Json,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use domain::view::ledger::{BalanceFilter, EntryFilter};
use engine::views;

use super::{Caller, found};
use crate::http::{failure::Failure, fields::Filter, state::Web};

/// Entries under a filter.
pub async fn entries(
    State(web): State<Web>,
    Caller(actor): Caller,
    Filter(filter): Filter<EntryFilter>,
) -> Result<Response, Failure> {
    Ok(Json(views::entries(&web.engine, &actor, &filter).await?).into_response())
}

/// The trial balance.
pub async fn trial_balance(
    State(web): State<Web>,
    Caller(actor): Caller,
    Filter(filter): Filter<BalanceFilter>,
) -> Result<Response, Failure> {
    Ok(Json(views::trial_balance(&web.engine, &actor, &filter).await?).into_response())
}

/// The newest sealed block.
pub async fn head(State(web): State<Web>) -> Result<Response, Failure> {
    found(views::ledger_head(&web.engine).await?, "sealed block")
}

/// The proof that an entry lies in its block.
pub async fn proof(
    State(web): State<Web>,
    Caller(actor): Caller,
    Path(number): Path<i64>,
) -> Result<Response, Failure> {
    let entry = views::entry(&web.engine, &actor, number).await?;
    let proof = entry
        .ok_or_else(|| Failure::not_found("ledger entry"))?
        .proof;
    found(proof, "proof yet: the entry waits for its block")
}
