//! `/api/v1/attempts`: what came of a call to a provider.

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use domain::{registry::ReportText, view::registry::ReportResult};
use engine::registry::report_outcome;

use super::{Caller, Sent};
use crate::http::{failure::Failure, state::Web};

/// Takes a report: 200 where the attempt waited for it, 202 where it is kept as evidence; the same
/// report again gets the same answer.
pub async fn report(
    State(web): State<Web>,
    Caller(actor): Caller,
    Path(id): Path<String>,
    Sent(report): Sent<ReportText>,
) -> Result<Response, Failure> {
    let answer = report_outcome(&web.engine, &actor, &id, &report)
        .await?
        .into_inner();
    let status = match answer.result {
        ReportResult::Recorded => StatusCode::OK,
        ReportResult::RecordedAsEvidence => StatusCode::ACCEPTED,
    };
    Ok((status, Json(answer)).into_response())
}
