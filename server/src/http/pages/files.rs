//! `/files`: the list, one of them, and what happens to one that is held.

use axum::{extract::Path, http::StatusCode, response::Response};
use domain::{
    cases::ReasonCode,
    view::{
        FieldProblem,
        case::TypedDecision,
        file::FilePage,
        files::{FileFilter, FileRow, FilesPage},
        routes::{self, field},
        shell::Flash,
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
    let (engine, actor) = (&visit.web.engine, visit.actor());
    let done = async {
        Ok(
            match accept_file(engine, &actor, &id, &reason(&posted)?).await? {
                Accepted::Posting => flash::done("Accepted. The file is being matched and posted."),
                Accepted::NeedsSecond => {
                    flash::note("Accepted by you. A second person must accept it as well.")
                }
            },
        )
    };
    let done = done.await;
    visit.web.bell.ring();
    answer(visit, &id, &posted, Form::Accept, done).await
}

/// Puts a held file away, with a reason.
pub async fn put_away(
    visit: Visit,
    Path(id): Path<String>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    let (engine, actor) = (&visit.web.engine, visit.actor());
    let done = async {
        ingest::put_away(engine, &actor, &id, &reason(&posted)?).await?;
        Ok(flash::done("The file is put away."))
    };
    let done = done.await;
    answer(visit, &id, &posted, Form::Move, done).await
}

/// Holds a file again that was put away, with a reason.
pub async fn hold_again(
    visit: Visit,
    Path(id): Path<String>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    let (engine, actor) = (&visit.web.engine, visit.actor());
    let done = async {
        ingest::hold_again(engine, &actor, &id, &reason(&posted)?).await?;
        Ok(flash::done("The file is held again."))
    };
    let done = done.await;
    answer(visit, &id, &posted, Form::Move, done).await
}

/// Asks for a used file to be taken back or, as the second person, agrees.
pub async fn take_back(
    visit: Visit,
    Path(id): Path<String>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    let (engine, actor) = (&visit.web.engine, visit.actor());
    let done = async {
        let taken = ingest::take_back(engine, &actor, &id, &reason(&posted)?).await?;
        Ok(match taken {
            TakenBack::UnderWay => flash::done("Agreed. The file's lines are leaving the books."),
            TakenBack::NeedsSecond => {
                flash::note("Noted. A second person must agree before anything happens.")
            }
        })
    };
    let done = done.await;
    visit.web.bell.ring();
    answer(visit, &id, &posted, Form::TakeBack, done).await
}

/// Keeps a file that somebody wanted taken back, with a reason.
pub async fn keep(
    visit: Visit,
    Path(id): Path<String>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    let (engine, actor) = (&visit.web.engine, visit.actor());
    let done = async {
        ingest::keep(engine, &actor, &id, &reason(&posted)?).await?;
        Ok(flash::done("The file is kept."))
    };
    let done = done.await;
    answer(visit, &id, &posted, Form::Keep, done).await
}

/// The forms of the page of a file.
#[derive(Clone, Copy)]
enum Form {
    Accept,
    /// Away, or held again.
    Move,
    TakeBack,
    Keep,
}

impl Form {
    /// What was typed into it, on the page that shows it again.
    fn typed(self, page: &mut FilePage) -> Option<&mut TypedDecision> {
        Some(match self {
            Self::Accept => &mut page.accept.as_mut()?.typed,
            Self::Move => &mut page.put_away.as_mut()?.typed,
            Self::TakeBack => &mut page.take_back.as_mut()?.typed,
            Self::Keep => &mut page.take_back.as_mut()?.typed_to_keep,
        })
    }
}

/// Back to the file with word of what was done, or its form once more with what was typed.
async fn answer(
    visit: Visit,
    id: &str,
    posted: &Fields,
    form: Form,
    done: Result<Flash, Error>,
) -> Result<Response, Failure> {
    let (status, field, problem) = match done {
        Ok(word) => return visit.go_to(&routes::file(id), word).await,
        Err(Error::Invalid { field, problem }) if field == field::REASON => {
            (StatusCode::UNPROCESSABLE_ENTITY, field, problem)
        }
        Err(Error::Invalid { problem, .. }) => {
            (StatusCode::UNPROCESSABLE_ENTITY, field::COMMENT, problem)
        }
        Err(Error::Conflict(problem)) => (StatusCode::CONFLICT, "", problem),
        Err(error) => return Err(error.into()),
    };
    let mut page = load(&visit, id).await?;
    if let Some(typed) = form.typed(&mut page) {
        "again".clone_into(&mut typed.action);
        posted.text(field::REASON).clone_into(&mut typed.reason);
        posted.text(field::COMMENT).clone_into(&mut typed.comment);
    }
    page.problems = vec![FieldProblem::new(field, sentence(&problem))];
    visit.answer(status, page, app::pages::file).await
}

/// The words of the chosen reason, and the comment.
fn reason(posted: &Fields) -> Result<String, Error> {
    let chosen = posted.text(field::REASON).parse::<ReasonCode>();
    let reason = chosen.map_err(|_| Error::invalid(field::REASON, "choose a reason"))?;
    let comment = posted.text(field::COMMENT);
    let title = reason.title();
    if !comment.is_empty() {
        return Ok(format!("{title}: {comment}"));
    }
    if reason.demands_comment() {
        let problem = format!("the reason “{title}” needs a comment");
        return Err(Error::invalid(field::COMMENT, problem));
    }
    Ok(title.to_owned())
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
