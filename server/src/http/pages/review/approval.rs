//! `POST /decisions/{decision}/approval`: a second person's yes or no, or the decider taking their
//! decision back.

use axum::{extract::Path, http::StatusCode, response::Response};
use domain::view::{
    FieldProblem, Link,
    case::CasePage,
    routes::{field, pattern},
};
use engine::{
    Error,
    decide::{Decided, answer_decision, withdraw_decision},
};

use super::{case, decide::go_on, filter_of, form, onward::Way};
use crate::http::{
    failure::{Failure, sentence},
    fields::{Fields, Posted},
    visit::Visit,
};

/// The comment that the form for taking one's own decision back carries.
const WITHDRAWN: &str = "withdrawn";

/// Answers.
pub async fn submit(
    visit: Visit,
    Path(decision): Path<String>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    let approve = posted.text(field::APPROVE) == "1";
    let comment = posted.text(field::COMMENT);
    let filter = filter_of(&posted);
    // As it stands in the list before the answer moves it.
    let shown = match posted.given(field::CASE) {
        Some(id) => Some(case::load(&visit, id, &filter).await?),
        None => None,
    };
    match answer(&visit, &decision, approve, comment).await {
        Ok(decided) => {
            go_on(&visit.web, &decided);
            let way = match shown.filter(|page| page.id == decided.case_id) {
                Some(page) if decided.state != "VOID" => Way::past(page, filter),
                _ => Way::stay(&decided.case_id, filter),
            };
            way.go(visit, &decided).await
        }
        Err(Error::Invalid { field, problem }) if shown.is_some() => {
            let problem = FieldProblem::new(field, sentence(&problem));
            again(
                visit,
                StatusCode::UNPROCESSABLE_ENTITY,
                shown,
                &posted,
                problem,
            )
            .await
        }
        Err(Error::Conflict(problem)) if shown.is_some() => {
            let problem = FieldProblem::new("", sentence(&problem));
            // As it stands now: what waited may have been answered meanwhile.
            let id = posted.text(field::CASE);
            let shown = Some(case::load(&visit, id, &filter).await?);
            again(visit, StatusCode::CONFLICT, shown, &posted, problem).await
        }
        Err(error) => {
            let back = Link::new("Review queue", pattern::REVIEW);
            Err(Failure::from(error).with_link(back))
        }
    }
}

/// The case again, with what was typed and what stands in the way.
async fn again(
    visit: Visit,
    status: StatusCode,
    shown: Option<CasePage>,
    posted: &Fields,
    problem: FieldProblem,
) -> Result<Response, Failure> {
    let mut page = shown.ok_or_else(|| Failure::not_found("case"))?;
    page.typed = Some(form::typed(posted));
    page.problems = vec![problem];
    Box::pin(case::answer(visit, status, page, &filter_of(posted))).await
}

async fn answer(
    visit: &Visit,
    decision: &str,
    approve: bool,
    comment: &str,
) -> Result<Decided, Error> {
    let (engine, actor) = (&visit.web.engine, visit.actor());
    if !approve && comment == WITHDRAWN {
        match withdraw_decision(engine, &actor, decision).await {
            // Not theirs: then it is a second person whose reason happens to be this word.
            Err(Error::Conflict(_)) => {}
            answer => return answer,
        }
    }
    answer_decision(engine, &actor, decision, approve, comment).await
}
