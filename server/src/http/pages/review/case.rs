//! One case beside the queue.

use axum::{extract::Path, http::StatusCode, response::Response};
use domain::view::{case::CasePage, queue::QueueFilter};
use engine::views;

use crate::http::{failure::Failure, fields::Filter, visit::Visit};

/// Shows it.
pub async fn show(
    visit: Visit,
    Path(case): Path<String>,
    Filter(filter): Filter<QueueFilter>,
) -> Result<Response, Failure> {
    let page = load(&visit, &case, &filter).await?;
    answer(visit, StatusCode::OK, page, &filter).await
}

/// The case as it stands, for whoever looks.
pub(super) async fn load(
    visit: &Visit,
    case: &str,
    filter: &QueueFilter,
) -> Result<CasePage, Failure> {
    views::case(&visit.web.engine, &visit.actor(), case, filter)
        .await?
        .ok_or_else(|| Failure::not_found("case"))
}

/// Answers with a case beside its queue.
pub(super) async fn answer(
    visit: Visit,
    status: StatusCode,
    case: CasePage,
    filter: &QueueFilter,
) -> Result<Response, Failure> {
    let queue = views::queue(&visit.web.engine, &visit.actor(), filter).await?;
    visit
        .answer(status, (queue, case), |assets, shell, (queue, case)| {
            app::pages::review(assets, shell, queue, Some(case))
        })
        .await
}
