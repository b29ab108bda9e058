//! `/api/v1/exports/audit`.

use axum::{extract::State, http::StatusCode, response::Response};

use super::Caller;
use crate::http::{failure::Failure, fields::Asked, pages::audit, state::Web};

/// The audit bundle of a period.
pub async fn audit(
    State(web): State<Web>,
    Caller(actor): Caller,
    Asked(asked): Asked,
) -> Result<Response, Failure> {
    let (from, to) = audit::period(&asked).map_err(|problem| {
        Failure::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            format!("{}: {}", problem.field, problem.message),
        )
    })?;
    audit::bundle(&web, &actor, from, to).await
}
