//! `POST /review/bulk`: what one choice would do to the ticked cases; with `apply=1`, the choice.

use axum::{http::StatusCode, response::Response};
use domain::{
    cases::{Action, DecisionParams},
    view::{
        FieldProblem, Link,
        bulk::Bulk,
        routes::{self, field},
    },
};
use engine::{
    Error,
    decide::{Choice, Picked, decide_several, foresee_several},
};

use super::{filter_of, form};
use crate::http::{
    failure::{Failure, sentence},
    fields::{Fields, Posted},
    visit::Visit,
};

/// Shows the preview, or decides and shows what became of each case.
pub async fn submit(visit: Visit, Posted(posted): Posted) -> Result<Response, Failure> {
    let picked = picked(&posted)?;
    let action: Action = form::parsed(&posted, field::ACTION).map_err(|p| refused(&posted, p))?;
    if posted.text(field::APPLY) != "1" {
        let bulk = foresee(&visit, action, &posted, &picked).await?;
        return answer(visit, StatusCode::OK, bulk).await;
    }
    match decide(&visit, action, &posted, &picked).await {
        Ok(mut bulk) => {
            bulk.filter = filter_of(&posted);
            let done: Vec<_> = bulk.done().map(|item| item.row.clone()).collect();
            for row in done {
                bulk.filter.hold(&row.id, row.severity);
            }
            answer(visit, StatusCode::OK, bulk).await
        }
        Err(Refused::Form(problem)) => {
            let mut bulk = foresee(&visit, action, &posted, &picked).await?;
            bulk.problems = vec![problem];
            answer(visit, StatusCode::UNPROCESSABLE_ENTITY, bulk).await
        }
        Err(Refused::Whole(error)) => Err(Failure::from(error).with_link(back(&posted))),
    }
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
        reason_code: form::parsed(posted, field::REASON)?,
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
    action: Action,
    posted: &Fields,
    picked: &[Picked],
) -> Result<Bulk, Failure> {
    // What cannot be read yet is asked for again on the page.
    let params = form::params_of_any(posted).unwrap_or_else(|_| DecisionParams::default());
    let foreseen =
        foresee_several(&visit.web.engine, &visit.actor(), action, &params, picked).await;
    let mut bulk = foreseen.map_err(|e| Failure::from(e).with_link(back(posted)))?;
    bulk.typed = form::typed(posted);
    bulk.filter = filter_of(posted);
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
