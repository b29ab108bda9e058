//! What a person sent for approval.

use axum::response::Response;
use domain::view::sent::SentFilter;
use engine::views;

use crate::http::{failure::Failure, fields::Filter, visit::Visit};

/// The list of it.
pub async fn show(visit: Visit, Filter(filter): Filter<SentFilter>) -> Result<Response, Failure> {
    let page = views::sent(&visit.web.engine, &visit.actor(), &filter).await?;
    visit.show(page, app::pages::sent).await
}
