//! `POST /review/bulk`: what one choice would do to the ticked cases; with `apply=1`, the choice; with
//! `page`, another page of the queue on which they are still ticked.

use axum::{
    http::StatusCode,
    response::{IntoResponse as _, Redirect, Response},
};
use domain::{
    cases::{Action, DecisionParams},
    view::{
        FieldProblem, Link,
        bulk::{APPROVE, Bulk},
        routes::{self, field},
    },
};
use engine::{
    Error,
    decide::{
        Choice, MOST_AT_ONCE, Picked, approve_several, decide_several, foresee_approvals,
        foresee_several,
    },
};

use super::{filter_of, form};
use crate::http::{
    failure::{Failure, sentence},
    fields::{Fields, Posted},
    visit::Visit,
};

/// What is done with the ticked cases.
#[derive(Clone, Copy)]
enum What {
    /// The same decision about each.
    Decide(Action),
    /// A yes to the decision of somebody else that waits in each.
    Approve,
}

/// Goes to another page of the queue with what is ticked, shows the preview, or decides and shows what
/// became of each case.
pub async fn submit(visit: Visit, Posted(posted): Posted) -> Result<Response, Failure> {
    if let Some(page) = posted.given(field::NEXT_PAGE) {
        return Ok(turn(&posted, page));
    }
    let picked = picked(&posted)?;
    let what = what(&posted).map_err(|p| refused(&posted, p))?;
    if posted.text(field::APPLY) != "1" {
        let bulk = foresee(&visit, what, &posted, &picked).await?;
        return answer(visit, StatusCode::OK, bulk).await;
    }
    let done = match what {
        What::Decide(action) => decide(&visit, action, &posted, &picked).await,
        What::Approve => approve(&visit, &posted, &picked).await,
    };
    match done {
        Ok(mut bulk) => {
            bulk.filter = filter_of(&posted);
            bulk.filter.ticked = String::new();
            let done: Vec<_> = bulk.done().map(|item| item.row.clone()).collect();
            for row in done {
                bulk.filter.hold(&row.id, row.severity);
            }
            answer(visit, StatusCode::OK, bulk).await
        }
        Err(Refused::Form(problem)) => {
            let mut bulk = foresee(&visit, what, &posted, &picked).await?;
            bulk.problems = vec![problem];
            answer(visit, StatusCode::UNPROCESSABLE_ENTITY, bulk).await
        }
        Err(Refused::Whole(error)) => Err(Failure::from(error).with_link(back(&posted))),
    }
}

fn what(posted: &Fields) -> Result<What, FieldProblem> {
    if posted.text(field::ACTION) == APPROVE {
        return Ok(What::Approve);
    }
    form::parsed(posted, field::ACTION).map(What::Decide)
}

/// Another page of the queue, with what is ticked in its address.
fn turn(posted: &Fields, page: &str) -> Response {
    let mut filter = filter_of(posted);
    let ticked: Vec<&str> = posted.all(field::CASE).take(MOST_AT_ONCE).collect();
    filter.ticked = ticked.join(".");
    filter.after = if page == field::FIRST_PAGE {
        String::new()
    } else {
        page.to_owned()
    };
    Redirect::to(&routes::review(&filter)).into_response()
}

async fn approve(visit: &Visit, posted: &Fields, picked: &[Picked]) -> Result<Bulk, Refused> {
    let comment = posted.text(field::COMMENT);
    let (engine, actor) = (&visit.web.engine, visit.actor());
    let (bulk, work) = approve_several(engine, &actor, comment, picked)
        .await
        .map_err(Refused::Whole)?;
    if work {
        visit.web.bell.ring();
    }
    Ok(bulk)
}

/// Why nothing was decided at all.
enum Refused {
    /// Something in the form: it is shown again with what was typed.
    Form(FieldProblem),
    /// Anything else.
    Whole(Error),
}

impl From<FieldProblem> for Refused {
    fn from(problem: FieldProblem) -> Self {
        Self::Form(problem)
    }
}

async fn decide(
    visit: &Visit,
    action: Action,
    posted: &Fields,
    picked: &[Picked],
) -> Result<Bulk, Refused> {
    let choice = Choice {
        bulk_id: posted.text(field::BULK_ID).to_owned(),
        action,
        reason_code: form::reason(posted)?,
        comment: posted.text(field::COMMENT).to_owned(),
        params: form::params_of_any(posted)?,
    };
    let decided = decide_several(&visit.web.engine, &visit.actor(), &choice, picked).await;
    match decided {
        Ok((bulk, work)) => {
            if work {
                visit.web.bell.ring();
            }
            Ok(bulk)
        }
        Err(Error::Refused(refusal)) => {
            let message = sentence(&refusal.to_string());
            Err(FieldProblem::new(field::COMMENT, message).into())
        }
        Err(error) => Err(Refused::Whole(error)),
    }
}

/// The preview with what was typed so far.
async fn foresee(
    visit: &Visit,
    what: What,
    posted: &Fields,
    picked: &[Picked],
) -> Result<Bulk, Failure> {
    // What cannot be read yet is asked for again on the page.
    let params = form::params_of_any(posted).unwrap_or_else(|_| DecisionParams::default());
    let (engine, actor) = (&visit.web.engine, visit.actor());
    let foreseen = match what {
        What::Decide(action) => foresee_several(engine, &actor, action, &params, picked).await,
        What::Approve => foresee_approvals(engine, &actor, picked).await,
    };
    let mut bulk = foreseen.map_err(|e| Failure::from(e).with_link(back(posted)))?;
    bulk.typed = form::typed(posted);
    bulk.filter = filter_of(posted);
    // Whoever goes back finds them ticked.
    let ticked: Vec<String> = picked
        .iter()
        .map(|pick| format!("{}@{}", pick.case, pick.version))
        .collect();
    bulk.filter.ticked = ticked.join(".");
    if let Some(id) = posted.given(field::BULK_ID) {
        id.clone_into(&mut bulk.bulk_id);
    }
    Ok(bulk)
}

async fn answer(visit: Visit, status: StatusCode, mut bulk: Bulk) -> Result<Response, Failure> {
    for item in &mut bulk.items {
        item.says = sentence(&item.says);
    }
    visit.answer(status, bulk, app::pages::bulk).await
}

/// The ticked cases: `<id>@<version>`, the hash of what was shown of each beside it.
fn picked(posted: &Fields) -> Result<Vec<Picked>, Failure> {
    let picked: Option<Vec<Picked>> = posted
        .all(field::CASE)
        .map(|text| {
            let (case, version) = text.split_once('@')?;
            let evidence = format!("{}{case}", field::EVIDENCE_PREFIX);
            Some(Picked {
                case: case.to_owned(),
                version: version.parse().ok()?,
                evidence: posted.text(&evidence).to_owned(),
            })
        })
        .collect();
    match picked {
        Some(picked) if !picked.is_empty() => Ok(picked),
        _ => {
            let problem = FieldProblem::new(
                field::CASE,
                "Nothing is ticked. Tick the cases that you mean, then choose what to do with them.",
            );
            Err(refused(posted, problem))
        }
    }
}

fn refused(posted: &Fields, problem: FieldProblem) -> Failure {
    Failure::new(StatusCode::UNPROCESSABLE_ENTITY, problem.message).with_link(back(posted))
}

fn back(posted: &Fields) -> Link {
    Link::new("Review queue", routes::review(&filter_of(posted)))
}
