//! `/files`: the list, one of them, and what happens to one that is held.

use axum::{extract::Path, http::StatusCode, response::Response};
use domain::{
    cases::ReasonCode,
    view::{
        FieldProblem,
        file::FilePage,
        files::{FileFilter, FileRow, FilesPage},
        routes::{self, field},
    },
};
use engine::{
    Error,
    export::export_rejected_rows,
    ingest::{self, Accepted, TakenBack, accept_file},
    views,
};

use std::io::{BufWriter, Write as _};

use crate::http::{
    download::send,
    failure::{Failure, sentence},
    fields::{Fields, Filter, Posted},
    session::flash,
    state::Web,
    visit::Visit,
};

/// Shows the list.
pub async fn show(visit: Visit, Filter(filter): Filter<FileFilter>) -> Result<Response, Failure> {
    let mut page = FilesPage {
        max_bytes: visit.web.config.upload_limit_bytes,
        ..views::files(&visit.web.engine, &visit.actor(), &filter).await?
    };
    mark_waiting(&visit.web, page.rows.iter_mut());
    visit.show(page, app::pages::files).await
}

/// Shows one.
pub async fn file(visit: Visit, Path(id): Path<String>) -> Result<Response, Failure> {
    let page = load(&visit, &id).await?;
    visit.show(page, app::pages::file).await
}

/// The rows that could not be read, to be repaired and uploaded again.
pub async fn rejected_rows(visit: Visit, Path(id): Path<String>) -> Result<Response, Failure> {
    let web = &visit.web;
    let draft = web.evidence.draft().await;
    let draft = draft.map_err(|e| Failure::broken(&e))?;
    let mut out = BufWriter::new(draft.writer().map_err(|e| Failure::broken(&e))?);
    let actor = visit.actor();
    let found = export_rejected_rows(&web.engine, &actor, &web.evidence, &id, &mut out).await?;
    if !found {
        return Err(Failure::not_found("settlement file"));
    }
    out.flush().map_err(|e| Failure::broken(&e))?;
    drop(out);
    send(
        draft,
        &format!("rejected-{id}.csv"),
        "text/csv; charset=utf-8",
    )
    .await
}

/// Uses a held file as it is, with a reason.
pub async fn accept(
    visit: Visit,
    Path(id): Path<String>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    if let Some(problem) = comment_missing(&posted) {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return refuse(visit, &id, &posted, status, problem).await;
    }
    let (engine, actor) = (&visit.web.engine, visit.actor());
    match accept_file(engine, &actor, &id, &reason(&posted)).await {
        Ok(accepted) => {
            visit.web.bell.ring();
            let done = match accepted {
                Accepted::Posting => flash::done("Accepted. The file is being matched and posted."),
                Accepted::NeedsSecond => {
                    flash::note("Accepted by you. A second person must accept it as well.")
                }
            };
            visit.go_to(&routes::file(&id), done).await
        }
        Err(Error::Invalid { problem, .. }) => {
            let problem = FieldProblem::new(field::COMMENT, sentence(&problem));
            refuse(
                visit,
                &id,
                &posted,
                StatusCode::UNPROCESSABLE_ENTITY,
                problem,
            )
            .await
        }
        Err(Error::Conflict(problem)) => {
            let problem = FieldProblem::new("", sentence(&problem));
            refuse(visit, &id, &posted, StatusCode::CONFLICT, problem).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Puts a held file away, with a reason.
pub async fn put_away(
    visit: Visit,
    Path(id): Path<String>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    if let Some(problem) = comment_missing(&posted) {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return refuse_to_move(visit, &id, &posted, status, problem).await;
    }
    let (engine, actor) = (&visit.web.engine, visit.actor());
    let done = ingest::put_away(engine, &actor, &id, &reason(&posted)).await;
    moved(visit, &id, &posted, done, "The file is put away.").await
}

/// Holds a file again that was put away, with a reason.
pub async fn hold_again(
    visit: Visit,
    Path(id): Path<String>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    if let Some(problem) = comment_missing(&posted) {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return refuse_to_move(visit, &id, &posted, status, problem).await;
    }
    let (engine, actor) = (&visit.web.engine, visit.actor());
    let done = ingest::hold_again(engine, &actor, &id, &reason(&posted)).await;
    moved(visit, &id, &posted, done, "The file is held again.").await
}

/// Asks for a used file to be taken back or, as the second person, agrees.
pub async fn take_back(
    visit: Visit,
    Path(id): Path<String>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    if let Some(problem) = comment_missing(&posted) {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return refuse_to_move(visit, &id, &posted, status, problem).await;
    }
    let (engine, actor) = (&visit.web.engine, visit.actor());
    match ingest::take_back(engine, &actor, &id, &reason(&posted)).await {
        Ok(TakenBack::UnderWay) => {
            visit.web.bell.ring();
            let words = "Agreed. The file's lines are leaving the books.";
            moved(visit, &id, &posted, Ok(()), words).await
        }
        Ok(TakenBack::NeedsSecond) => {
            let words = "Noted. A second person must agree before anything happens.";
            visit.go_to(&routes::file(&id), flash::note(words)).await
        }
        Err(error) => moved(visit, &id, &posted, Err(error), "").await,
    }
}

/// Keeps a file that somebody wanted taken back, with a reason.
pub async fn keep(
    visit: Visit,
    Path(id): Path<String>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    if let Some(problem) = comment_missing(&posted) {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return refuse_to_move(visit, &id, &posted, status, problem).await;
    }
    let (engine, actor) = (&visit.web.engine, visit.actor());
    let done = ingest::keep(engine, &actor, &id, &reason(&posted)).await;
    moved(visit, &id, &posted, done, "The file is kept.").await
}

async fn moved(
    visit: Visit,
    id: &str,
    posted: &Fields,
    done: Result<(), Error>,
    words: &'static str,
) -> Result<Response, Failure> {
    let (status, problem) = match done {
        Ok(()) => return visit.go_to(&routes::file(id), flash::done(words)).await,
        Err(Error::Invalid { problem, .. }) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            FieldProblem::new(field::COMMENT, sentence(&problem)),
        ),
        Err(Error::Conflict(problem)) => (
            StatusCode::CONFLICT,
            FieldProblem::new("", sentence(&problem)),
        ),
        Err(error) => return Err(error.into()),
    };
    refuse_to_move(visit, id, posted, status, problem).await
}

async fn refuse_to_move(
    visit: Visit,
    id: &str,
    posted: &Fields,
    status: StatusCode,
    problem: FieldProblem,
) -> Result<Response, Failure> {
    let mut page = load(&visit, id).await?;
    let put_away = page.put_away.as_mut().map(|form| &mut form.typed);
    let take_back = page.take_back.as_mut().map(|form| &mut form.typed);
    for typed in put_away.into_iter().chain(take_back) {
        posted.text(field::REASON).clone_into(&mut typed.reason);
        posted.text(field::COMMENT).clone_into(&mut typed.comment);
    }
    page.problems = vec![problem];
    visit.answer(status, page, app::pages::file).await
}

async fn refuse(
    visit: Visit,
    id: &str,
    posted: &Fields,
    status: StatusCode,
    problem: FieldProblem,
) -> Result<Response, Failure> {
    let mut page = load(&visit, id).await?;
    if let Some(form) = &mut page.accept {
        posted
            .text(field::REASON)
            .clone_into(&mut form.typed.reason);
        posted
            .text(field::COMMENT)
            .clone_into(&mut form.typed.comment);
    }
    page.problems = vec![problem];
    visit.answer(status, page, app::pages::file).await
}

/// A reason that says too little alone.
fn comment_missing(posted: &Fields) -> Option<FieldProblem> {
    let reason: ReasonCode = posted.text(field::REASON).parse().ok()?;
    let missing = reason.demands_comment() && posted.text(field::COMMENT).is_empty();
    missing.then(|| {
        let text = format!("The reason “{}” needs a comment.", reason.title());
        FieldProblem::new(field::COMMENT, text)
    })
}

/// The reason's words, and the comment.
fn reason(posted: &Fields) -> String {
    let code = posted.text(field::REASON).parse::<ReasonCode>();
    let words = code.map_or("", ReasonCode::title);
    let parts = [words, posted.text(field::COMMENT)];
    let said: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    said.join(": ")
}

/// Which of the files wait only this process knows: it is the one that waits.
fn mark_waiting<'a>(web: &Web, rows: impl Iterator<Item = &'a mut FileRow>) {
    let board = web.progress.now();
    for row in rows {
        row.waits = row.is_under_way() && board.get(&row.id).is_some_and(|file| file.waits);
    }
}

async fn load(visit: &Visit, id: &str) -> Result<FilePage, Failure> {
    let found = views::file(&visit.web.engine, &visit.actor(), id).await?;
    let mut page = found.ok_or_else(|| Failure::not_found("settlement file"))?;
    mark_waiting(&visit.web, std::iter::once(&mut page.file));
    Ok(page)
}
