//! `POST /review/{case}/decide`.

use axum::{extract::Path, http::StatusCode, response::Response};
use domain::view::{
    FieldProblem,
    case::{CasePage, Stale},
    shell::{Flash, Tone},
};
use engine::{
    Error,
    decide::{Decided, decide_case},
};

use super::{back_to, case, filter_of, form};
use crate::http::{
    failure::{Failure, sentence},
    fields::{Fields, Posted},
    session::flash,
    state::Web,
    visit::Visit,
};

/// Decides, or shows the case again with what was typed and what stands in the way.
pub async fn submit(
    visit: Visit,
    Path(id): Path<String>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    let filter = filter_of(&posted);
    let page = case::load(&visit, &id, &filter).await?;
    let request = match form::read(&posted, &page) {
        Ok(request) => request,
        Err(problem) => {
            return again(
                visit,
                StatusCode::UNPROCESSABLE_ENTITY,
                page,
                &posted,
                problem,
            )
            .await;
        }
    };
    let decided = decide_case(&visit.web.engine, &visit.actor(), &id, &request).await;
    match decided {
        Ok(decided) => {
            go_on(&visit.web, &decided);
            visit.go_to(&back_to(&id, &posted), told(&decided)).await
        }
        Err(Error::Stale(stale)) => {
            // As it stands now: it may have moved since this request began.
            let mut page = case::load(&visit, &id, &filter).await?;
            let seen = stale.seen;
            let mut events: Vec<_> = page
                .history
                .iter()
                .filter(|event| event.version > seen)
                .cloned()
                .collect();
            events.sort_by_key(|event| event.version);
            page.stale = Some(Stale {
                seen,
                now: page.version,
                events,
                changes: Vec::new(),
            });
            page.typed = Some(form::typed(&posted));
            case::answer(visit, StatusCode::CONFLICT, page, &filter).await
        }
        Err(Error::Refused(refusal)) => {
            let problem = FieldProblem::new("", sentence(&refusal.to_string()));
            again(
                visit,
                StatusCode::UNPROCESSABLE_ENTITY,
                page,
                &posted,
                problem,
            )
            .await
        }
        Err(Error::Invalid { field, problem }) => {
            let problem = FieldProblem::new(field, sentence(&problem));
            again(
                visit,
                StatusCode::UNPROCESSABLE_ENTITY,
                page,
                &posted,
                problem,
            )
            .await
        }
        Err(Error::Conflict(problem)) => {
            let problem = FieldProblem::new("", sentence(&problem));
            again(visit, StatusCode::CONFLICT, page, &posted, problem).await
        }
        Err(error) => Err(error.into()),
    }
}

async fn again(
    visit: Visit,
    status: StatusCode,
    mut page: CasePage,
    posted: &Fields,
    problem: FieldProblem,
) -> Result<Response, Failure> {
    page.typed = Some(form::typed(posted));
    page.problems = vec![problem];
    case::answer(visit, status, page, &filter_of(posted)).await
}

/// A decision may let a held file go on.
pub fn go_on(web: &Web, decided: &Decided) {
    if decided.work_account.is_some() {
        web.bell.ring();
    }
}

/// What a decision did, for the next page.
pub(super) fn told(decided: &Decided) -> Flash {
    let effects = decided.effects.join(" ");
    let (tone, what) = match decided.state.as_str() {
        "AWAITING" => (Tone::Note, "Sent for approval. Once approved:"),
        "APPLIED" => (Tone::Done, "Decided."),
        "REFUSED" => (Tone::Done, "Refused: the case is open again."),
        "VOID" => (Tone::Done, "Taken back: the case is open again."),
        _ => (Tone::Done, "Done."),
    };
    let text = match decided.state.as_str() {
        "REFUSED" | "VOID" => what.to_owned(),
        _ => format!("{what} {effects}").trim_end().to_owned(),
    };
    Flash {
        tone,
        ..flash::done(text)
    }
}
