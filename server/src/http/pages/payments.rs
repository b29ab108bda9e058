//! `/payments`: intents by any reference, one of them, and imports of the company's CSV.

use axum::{extract::Path, http::StatusCode, response::Response};
use domain::view::{
    FieldProblem,
    amount::counted,
    payments::{ImportReport, PaymentFilter, PaymentsPage, RefusedRow},
    routes::{field, pattern},
};
use engine::{
    evidence_store::Stored,
    import_payments::{PaymentsImport, import_stored_payments},
    views,
};

use crate::http::{
    failure::{Failure, sentence},
    fields::Filter,
    form_parts::{FormParts, skip},
    session::flash,
    upload,
    visit::Visit,
};

/// Bytes of a part of the form that is not the file.
const MOST_SKIPPED_BYTES: u64 = 64 * 1024;

/// Refused rows that the page lists.
const MOST_REFUSED_SHOWN: usize = 100;

/// Shows them.
pub async fn show(
    visit: Visit,
    Filter(filter): Filter<PaymentFilter>,
) -> Result<Response, Failure> {
    let page = views::payments(&visit.web.engine, &visit.actor(), &filter).await?;
    visit.show(page, app::pages::payments).await
}

/// Shows one.
pub async fn intent(visit: Visit, Path(intent): Path<String>) -> Result<Response, Failure> {
    let page = views::intent(&visit.web.engine, &visit.actor(), &intent)
        .await?
        .ok_or_else(|| Failure::not_found("payment"))?;
    visit.show(page, app::pages::intent).await
}

/// Imports a payments CSV. The bytes are kept first; where rows were refused, the page says which.
pub async fn import(visit: Visit, mut form: FormParts) -> Result<Response, Failure> {
    let mut file: Option<(String, Stored)> = None;
    while let Some(part) = form.next().await? {
        let name = part.file_name().unwrap_or_default().to_owned();
        if part.name() == Some(field::FILE) && !name.is_empty() {
            file = Some((name, upload::field(&visit.web, part).await?));
        } else {
            skip(part, MOST_SKIPPED_BYTES).await?;
        }
    }
    let Some((name, stored)) = file else {
        let problem = FieldProblem::new(field::FILE, "Choose a payments CSV.");
        return refuse(visit, problem).await;
    };
    let web = &visit.web;
    let actor = visit.actor();
    match import_stored_payments(&web.engine, &actor, &web.evidence, stored, &name).await {
        Ok(done) if done.refused_rows == 0 => {
            let text = format!(
                "{name}: {}, {}, {} learned something, {} said nothing new.",
                counted(done.intents_new, "new intent", "new intents"),
                counted(done.attempts_new, "new attempt", "new attempts"),
                counted(done.attempts_updated, "attempt", "attempts"),
                counted(done.unchanged, "row", "rows")
            );
            visit.go_to(pattern::PAYMENTS, flash::done(text)).await
        }
        Ok(done) => {
            let page = PaymentsPage {
                imported: Some(report(name, done)),
                ..page(&visit).await?
            };
            visit
                .answer(StatusCode::UNPROCESSABLE_ENTITY, page, app::pages::payments)
                .await
        }
        Err(engine::Error::Invalid { problem, .. }) => {
            let problem = FieldProblem::new(field::FILE, sentence(&problem));
            refuse(visit, problem).await
        }
        Err(error) => Err(error.into()),
    }
}

async fn refuse(visit: Visit, problem: FieldProblem) -> Result<Response, Failure> {
    let page = PaymentsPage {
        problems: vec![problem],
        ..page(&visit).await?
    };
    visit
        .answer(StatusCode::UNPROCESSABLE_ENTITY, page, app::pages::payments)
        .await
}

async fn page(visit: &Visit) -> Result<PaymentsPage, Failure> {
    let filter = PaymentFilter::default();
    Ok(views::payments(&visit.web.engine, &visit.actor(), &filter).await?)
}

fn report(name: String, done: PaymentsImport) -> ImportReport {
    let shown = done.refused.into_iter().take(MOST_REFUSED_SHOWN);
    ImportReport {
        name,
        rows: done.rows,
        intents_new: done.intents_new,
        attempts_new: done.attempts_new,
        attempts_updated: done.attempts_updated,
        unchanged: done.unchanged,
        refused: shown
            .map(|row| RefusedRow {
                line: row.line,
                reason: row.reason,
            })
            .collect(),
        refused_total: done.refused_rows,
    }
}
