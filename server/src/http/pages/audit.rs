//! `/audit`: who did what, the audit bundle, and whether the seal holds.

use axum::{extract::State, http::StatusCode, response::Response};
use domain::{
    actor::Actor,
    time::{Day, Zone},
    view::{
        FieldProblem,
        audit::{AuditFilter, AuditPage, Verification},
        routes::field,
    },
};
use engine::{audit, audit_bundle::export_audit, verify::verify_with_files};

use crate::http::{
    download::send,
    failure::{Failure, sentence},
    fields::{Asked, Fields, Filter},
    state::Web,
    visit::Visit,
};

/// Days that the export form proposes, today included.
const DAYS_PROPOSED: i64 = 31;

/// Shows the log.
pub async fn show(visit: Visit, Filter(filter): Filter<AuditFilter>) -> Result<Response, Failure> {
    let page = match log(&visit, &filter).await {
        Ok(page) => page,
        Err(engine::Error::Invalid { field, problem }) => AuditPage {
            problems: vec![FieldProblem::new(field, sentence(&problem))],
            filter,
            ..log(&visit, &AuditFilter::default()).await?
        },
        Err(error) => return Err(error.into()),
    };
    visit.show(page, app::pages::audit).await
}

/// Recomputes everything, and shows what was found above the log.
pub async fn verify(visit: Visit) -> Result<Response, Failure> {
    let found: Verification =
        verify_with_files(&visit.web.engine, &visit.actor(), None, &visit.web.evidence).await?;
    let page = AuditPage {
        verified: Some(found),
        ..log(&visit, &AuditFilter::default()).await?
    };
    visit.show(page, app::pages::audit).await
}

/// The audit bundle of a period as a download.
pub async fn export(
    visit: Visit,
    State(web): State<Web>,
    Asked(asked): Asked,
) -> Result<Response, Failure> {
    let (from, to) = match period(&asked) {
        Ok(period) => period,
        Err(problem) => {
            let page = AuditPage {
                problems: vec![problem],
                ..log(&visit, &AuditFilter::default()).await?
            };
            return visit
                .answer(StatusCode::UNPROCESSABLE_ENTITY, page, app::pages::audit)
                .await;
        }
    };
    bundle(&web, &visit.actor(), from, to).await
}

/// Writes a bundle and streams it.
pub async fn bundle(web: &Web, actor: &Actor, from: Day, to: Day) -> Result<Response, Failure> {
    let draft = web.evidence.draft().await;
    let draft = draft.map_err(|e| Failure::broken(&e))?;
    export_audit(&web.engine, actor, from, to, draft.path()).await?;
    let name = format!("tieout-audit-{from}-{to}.zip");
    send(draft, &name, "application/zip").await
}

async fn log(visit: &Visit, filter: &AuditFilter) -> Result<AuditPage, engine::Error> {
    let engine = &visit.web.engine;
    let today = engine.now().day_in(Zone::UTC);
    let first = Day::from_number(today.number() - DAYS_PROPOSED + 1).unwrap_or(today);
    Ok(AuditPage {
        export_from: first.to_string(),
        export_to: today.to_string(),
        ..audit::list(engine, &visit.actor(), filter).await?
    })
}

/// First and last day of an export.
pub fn period(asked: &Fields) -> Result<(Day, Day), FieldProblem> {
    let day = |name: &str| {
        Day::parse(asked.text(name))
            .map_err(|error| FieldProblem::new(name, sentence(&error.to_string())))
    };
    let (from, to) = (day(field::FROM)?, day(field::TO)?);
    if to < from {
        return Err(FieldProblem::new(
            field::TO,
            "The last day lies before the first.",
        ));
    }
    Ok((from, to))
}
