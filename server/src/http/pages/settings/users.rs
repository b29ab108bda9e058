//! Users, their roles, and who is shut out.

use axum::{extract::Path, http::StatusCode, response::Response};
use domain::{
    actor::Role,
    view::{
        FieldProblem,
        routes::{field, pattern},
        settings::{SettingsPage, SettingsTab},
    },
};
use engine::users::{self, NewUser};
use std::collections::BTreeSet;

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
    let roles = match roles(&posted) {
        Ok(roles) => roles,
        Err(problem) => {
            let tab = list(&visit).await?;
            return again(visit, tab, &posted, unreadable(problem)).await;
        }
    };
    let new = NewUser {
        email: posted.text(field::EMAIL).to_owned(),
        password: posted.raw(field::PASSWORD).to_owned(),
        roles,
    };
    match users::add_user(&visit.web.engine, &visit.actor(), new).await {
        Ok(user) => {
            let done = flash::done(format!(
                "{} is added. Tell them their first password on a safe way.",
                user.email
            ));
            visit.go_to(pattern::USERS, done).await
        }
        Err(error) => {
            let refused = problem_of(error, &[("roles", field::ROLE)])?;
            let tab = list(&visit).await?;
            again(visit, tab, &posted, refused).await
        }
    }
}

/// Changes the roles of one, or shuts them out or lets them in: what the form names.
pub async fn change(
    visit: Visit,
    Path(user): Path<i64>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    let (engine, actor) = (&visit.web.engine, visit.actor());
    let email = users::find(engine, user)
        .await?
        .ok_or_else(|| Failure::not_found("user"))?
        .email;
    let changed = match posted.given(field::DISABLED) {
        Some(disabled) => users::set_disabled(engine, &actor, user, disabled == "1").await,
        None => match roles(&posted) {
            Ok(roles) => users::change_roles(engine, &actor, user, &roles).await,
            Err(problem) => {
                let tab = list(&visit).await?;
                return again(visit, tab, &posted, unreadable(problem)).await;
            }
        },
    };
    match changed {
        Ok(()) => {
            let text = match posted.given(field::DISABLED) {
                Some("1") => format!("{email} is shut out, everywhere and at once."),
                Some(_) => format!("{email} may sign in again."),
                None => format!("The roles of {email} are changed."),
            };
            visit.go_to(pattern::USERS, flash::done(text)).await
        }
        Err(error) => {
            let refused = problem_of(error, &[("roles", field::ROLE)])?;
            let tab = list(&visit).await?;
            again(visit, tab, &posted, refused).await
        }
    }
}

async fn list(visit: &Visit) -> Result<SettingsPage, Failure> {
    Ok(SettingsPage {
        users: users::list(&visit.web.engine, &visit.actor()).await?,
        ..empty(SettingsTab::Users)
    })
}

fn roles(posted: &Fields) -> Result<BTreeSet<Role>, FieldProblem> {
    let roles: Result<_, _> = posted.all(field::ROLE).map(str::parse).collect();
    roles.map_err(|e: domain::codes::UnknownCode| {
        FieldProblem::new(field::ROLE, sentence(&e.to_string()))
    })
}
