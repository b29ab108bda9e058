//! `POST /review/views` keeps the list's filter by name, `POST /review/views/{view}/remove` forgets one.

use axum::{extract::Path, response::Response};
use domain::view::{
    Link,
    queue::QueueFilter,
    routes::{self, field},
};
use engine::saved_views::{remove_view, save_view};

use super::filter_of;
use crate::http::{failure::Failure, fields::Posted, session::flash, visit::Visit};

/// Keeps it.
pub async fn save(visit: Visit, Posted(posted): Posted) -> Result<Response, Failure> {
    let filter = filter_of(&posted);
    let name = posted.text(field::NAME);
    save_view(&visit.web.engine, &visit.actor(), name, &filter)
        .await
        .map_err(|e| Failure::from(e).with_link(back(&filter)))?;
    let done = flash::done(format!("The view {name} is saved: only you see it."));
    visit.go_to(&routes::review(&filter), done).await
}

/// Forgets it; the list stays as it is.
pub async fn remove(
    visit: Visit,
    Path(view): Path<i64>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    let filter = filter_of(&posted);
    remove_view(&visit.web.engine, &visit.actor(), view)
        .await
        .map_err(|e| Failure::from(e).with_link(back(&filter)))?;
    let done = flash::done("The view is removed. Its cases are untouched.");
    visit.go_to(&routes::review(&filter), done).await
}

fn back(filter: &QueueFilter) -> Link {
    Link::new("Review queue", routes::review(filter))
}
