//! One case beside the queue.

use axum::{extract::Path, http::StatusCode, response::Response};
use domain::view::{case::CasePage, queue::QueueFilter, routes::field};
use engine::views;

use crate::http::{
    failure::Failure,
    fields::{Asked, Filter},
    visit::Visit,
};

/// Shows it.
pub async fn show(
    visit: Visit,
    Path(case): Path<String>,
    Filter(filter): Filter<QueueFilter>,
    Asked(asked): Asked,
) -> Result<Response, Failure> {
    let page = look(&visit, &case, &filter, asked.text(field::FIND)).await?;
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

/// The case with the payments that were looked for.
pub(super) async fn look(
    visit: &Visit,
    case: &str,
    filter: &QueueFilter,
    find: &str,
) -> Result<CasePage, Failure> {
    let mut page = load(visit, case, filter).await?;
    views::find_payments(&visit.web.engine, &visit.actor(), &mut page, find).await?;
    Ok(page)
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
