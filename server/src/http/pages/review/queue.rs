//! The queue.

use axum::response::Response;
use domain::view::queue::QueueFilter;
use engine::views;

use crate::http::{failure::Failure, fields::Filter, visit::Visit};

/// Shows it.
pub async fn show(visit: Visit, Filter(filter): Filter<QueueFilter>) -> Result<Response, Failure> {
    let queue = views::queue(&visit.web.engine, &visit.actor(), &filter).await?;
    visit
        .show(queue, |assets, shell, queue| {
            app::pages::review(assets, shell, queue, None)
        })
        .await
}
