//! Provider accounts and their policy.

use axum::{extract::Path, http::StatusCode, response::Response};
use domain::{
    account::{Policy, ProviderKind, policy_title},
    time::Zone,
    view::{
        FieldProblem,
        amount::capital,
        routes::{field, pattern},
        settings::{SettingsPage, SettingsTab},
    },
};
use engine::providers::{self, Added, NewProvider};

use super::{again, answer, empty, problem_of, unreadable};
use crate::http::{
    failure::{Failure, sentence},
    fields::{Fields, Posted},
    session::flash,
    visit::Visit,
};

/// Shows them.
pub async fn show(visit: Visit) -> Result<Response, Failure> {
    let page = list(&visit).await?;
    answer(visit, StatusCode::OK, page).await
}

/// Adds one.
pub async fn add(visit: Visit, Posted(posted): Posted) -> Result<Response, Failure> {
    let new = match read(&posted) {
        Ok(new) => new,
        Err(problem) => {
            let tab = list(&visit).await?;
            return again(visit, tab, &posted, unreadable(problem)).await;
        }
    };
    let name = new.name.clone();
    match providers::add_provider(&visit.web.engine, &visit.actor(), new).await {
        Ok(Added::New) => {
            let done = flash::done(format!(
                "{name} is added. Upload its files, or import your payments first."
            ));
            visit.go_to(pattern::PROVIDERS, done).await
        }
        Ok(Added::Known) => {
            let note = flash::note(format!("{name} was there already, with these fields."));
            visit.go_to(pattern::PROVIDERS, note).await
        }
        Err(error) => {
            let (status, problem) = problem_of(error, &[])?;
            let tab = list(&visit).await?;
            again(visit, tab, &posted, (status, in_words(problem))).await
        }
    }
}

/// Changes the policy of one.
pub async fn change_policy(
    visit: Visit,
    Path(name): Path<String>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    let mut page = list(&visit).await?;
    let known = page.providers.iter().find(|p| p.name == name);
    let version = known
        .map(|p| p.policy_version)
        .ok_or_else(|| Failure::not_found("provider account"))?;
    let seen = posted.text(field::POLICY_VERSION);
    if seen.parse() != Ok(version) {
        page.problems = vec![FieldProblem::new(
            "",
            format!("The policy of {name} was changed in the meantime. This is how it stands now."),
        )];
        return answer(visit, StatusCode::CONFLICT, page).await;
    }
    let fields = policy_fields(&posted);
    match providers::change_policy(&visit.web.engine, &visit.actor(), &name, &fields).await {
        Ok(now) if now == version => {
            let note = flash::note(format!(
                "Nothing differs: the policy of {name} stays as it is."
            ));
            visit.go_to(pattern::PROVIDERS, note).await
        }
        Ok(now) => {
            let done = flash::done(format!(
                "Version {now} of the policy of {name} is in force."
            ));
            visit.go_to(pattern::PROVIDERS, done).await
        }
        Err(error) => {
            let (status, problem) = problem_of(error, &[])?;
            let mut problem = in_words(problem);
            // The form's names are the policy's with a prefix.
            if !problem.field.is_empty() {
                problem.field = format!("{}{}", field::POLICY_PREFIX, problem.field);
            }
            page.typed_for = name;
            again(visit, page, &posted, (status, problem)).await
        }
    }
}

/// A problem with policy fields by the names that the form gives them.
fn in_words(mut problem: FieldProblem) -> FieldProblem {
    for field in Policy::default().fields().keys() {
        let title = format!("“{}”", policy_title(field));
        // A sentence begins with a capital.
        for name in [(*field).to_owned(), capital(field)] {
            problem.message = problem.message.replace(&name, &title);
        }
    }
    problem
}

async fn list(visit: &Visit) -> Result<SettingsPage, Failure> {
    Ok(SettingsPage {
        providers: providers::list(&visit.web.engine, &visit.actor()).await?,
        ..empty(SettingsTab::Providers)
    })
}

fn read(posted: &Fields) -> Result<NewProvider, FieldProblem> {
    let kind = posted.text(field::KIND).parse::<ProviderKind>();
    let kind = kind.map_err(|e| FieldProblem::new(field::KIND, sentence(&e.to_string())))?;
    let zone = posted.given(field::ZONE).unwrap_or("UTC").parse::<Zone>();
    let zone = zone.map_err(|e| FieldProblem::new(field::ZONE, sentence(&e.to_string())))?;
    Ok(NewProvider {
        name: posted.text(field::NAME).to_owned(),
        kind,
        zone,
        fields: policy_fields(posted),
    })
}

fn policy_fields(posted: &Fields) -> Vec<(String, String)> {
    let named = posted.pairs().iter().filter_map(|(name, value)| {
        let name = name.strip_prefix(field::POLICY_PREFIX)?;
        Some((name.to_owned(), value.trim().to_owned()))
    });
    named.collect()
}
