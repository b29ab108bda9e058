//! `/review`: the queue and, beside it, one case.

use axum::response::Response;
use domain::view::queue::QueueFilter;
use engine::views;

use crate::http::{failure::Failure, fields::Filter, visit::Visit};

/// The queue.
pub async fn queue(visit: Visit, Filter(filter): Filter<QueueFilter>) -> Result<Response, Failure> {
    let queue = views::queue(&visit.web.engine, &visit.actor(), &filter).await?;
    visit
        .show(queue, |assets, shell, queue| {
            app::pages::review(assets, shell, queue, None)
        })
        .await
}
