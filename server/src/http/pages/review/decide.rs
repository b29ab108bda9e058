//! `POST /review/{case}/decide`.

use axum::{extract::Path, http::StatusCode, response::Response};
use domain::view::{
    FieldProblem,
    case::{CasePage, Stale},
    routes::field,
};
use engine::{
    Error,
    decide::{Decided, DecisionRequest, decide_case, foresee_case},
    views,
};

use super::{case, filter_of, form, onward::Way};
use crate::http::{
    failure::{Failure, sentence},
    fields::{Fields, Posted},
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
    let page = case::look(&visit, &id, &filter, posted.text(field::FIND)).await?;
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
    if posted.text(field::PREVIEW) == "1" {
        return Box::pin(preview(visit, &id, page, &posted, &request)).await;
    }
    let decided = decide_case(&visit.web.engine, &visit.actor(), &id, &request).await;
    match decided {
        Ok(decided) => {
            go_on(&visit.web, &decided);
            let way = Way::onward(&decided, request.action, page, filter);
            way.go(visit, &decided).await
        }
        Err(Error::Stale(stale)) => {
            // As it stands now: it may have moved since this request began.
            let find = posted.text(field::FIND);
            let mut page = case::look(&visit, &id, &filter, find).await?;
            let seen = stale.seen;
            let mut events: Vec<_> = page
                .history
                .iter()
                .filter(|event| event.version > seen)
                .cloned()
                .collect();
            events.sort_by_key(|event| event.version);
            let (engine, actor) = (&visit.web.engine, visit.actor());
            let changes = views::changes_between(engine, &actor, &id, seen, page.version).await?;
            page.stale = Some(Stale {
                seen,
                now: page.version,
                events,
                changes,
            });
            page.typed = Some(form::typed(&posted));
            Box::pin(case::answer(visit, StatusCode::CONFLICT, page, &filter)).await
        }
        Err(Error::Refused(refusal)) => {
            let problem = form::problem_of(&refusal, &posted);
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

/// The case again, with what was chosen and what that would post.
async fn preview(
    visit: Visit,
    id: &str,
    mut page: CasePage,
    posted: &Fields,
    request: &DecisionRequest,
) -> Result<Response, Failure> {
    let foreseen = foresee_case(&visit.web.engine, &visit.actor(), id, request).await;
    let (status, problem) = match foreseen {
        Ok(mut effect) => {
            let told = std::slice::from_ref(&effect.text);
            effect.text = views::in_words(&visit.web.engine, told).await?.concat();
            let action = request.action.code();
            if let Some(choice) = page.actions.iter_mut().find(|a| a.action == action) {
                choice.effect = effect;
            }
            page.typed = Some(form::typed(posted));
            return Box::pin(case::answer(
                visit,
                StatusCode::OK,
                page,
                &filter_of(posted),
            ))
            .await;
        }
        Err(Error::Refused(refusal)) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            form::problem_of(&refusal, posted),
        ),
        Err(Error::Conflict(problem)) => (
            StatusCode::CONFLICT,
            FieldProblem::new("", sentence(&problem)),
        ),
        Err(error) => return Err(error.into()),
    };
    again(visit, status, page, posted, problem).await
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
    Box::pin(case::answer(visit, status, page, &filter_of(posted))).await
}

/// A decision may let a held file go on.
pub fn go_on(web: &Web, decided: &Decided) {
    if decided.work_account.is_some() {
        web.bell.ring();
    }
}
