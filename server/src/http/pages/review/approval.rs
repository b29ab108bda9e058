//! `POST /decisions/{decision}/approval`: a second person's yes or no, or the decider taking their
//! decision back.

use axum::{extract::Path, response::Response};
use domain::view::{
    Link,
    routes::{field, pattern},
};
use engine::{
    Error,
    decide::{Decided, answer_decision, withdraw_decision},
};

use super::{case, decide::go_on, filter_of, onward::Way};
use crate::http::{failure::Failure, fields::Posted, visit::Visit};

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
        Err(error) => {
            let back = Link::new("Review queue", pattern::REVIEW);
            Err(Failure::from(error).with_link(back))
        }
    }
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
