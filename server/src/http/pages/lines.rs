//! Settlement lines: those of a file, and one down to its bytes.

use axum::{body::Body, extract::Path, response::Response};
use domain::view::line::{LineFilter, RawLinePage};
use engine::views;

use crate::http::{download::attachment, failure::Failure, fields::Filter, visit::Visit};

/// The lines of a file.
pub async fn of_file(
    visit: Visit,
    Path(file): Path<String>,
    Filter(filter): Filter<LineFilter>,
) -> Result<Response, Failure> {
    let page = views::lines(&visit.web.engine, &visit.actor(), &file, &filter)
        .await?
        .ok_or_else(|| Failure::not_found("settlement file"))?;
    visit.show(page, app::pages::lines).await
}

/// One line with everything that was read from it.
pub async fn line(
    visit: Visit,
    Path((file, line_no)): Path<(String, u64)>,
) -> Result<Response, Failure> {
    let page = load(&visit, &file, line_no).await?;
    visit.show(page, app::pages::line).await
}

/// The line's bytes alone, card numbers masked.
pub async fn raw(
    visit: Visit,
    Path((file, line_no)): Path<(String, u64)>,
) -> Result<Response, Failure> {
    let page = load(&visit, &file, line_no).await?;
    let name = format!("{file}-line-{line_no}.txt");
    attachment(Body::from(page.text), &name, "text/plain; charset=utf-8")
}

async fn load(visit: &Visit, file: &str, line_no: u64) -> Result<RawLinePage, Failure> {
    let web = &visit.web;
    views::line(&web.engine, &visit.actor(), &web.evidence, file, line_no)
        .await?
        .ok_or_else(|| Failure::not_found("settlement line"))
}
