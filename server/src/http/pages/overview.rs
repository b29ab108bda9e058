//! `/`: how things stand.

use axum::response::Response;
use engine::views;

use crate::http::{failure::Failure, visit::Visit};

/// Shows it.
pub async fn show(visit: Visit) -> Result<Response, Failure> {
    let page = views::overview(&visit.web.engine, &visit.actor()).await?;
    visit.show(page, app::pages::overview).await
}
