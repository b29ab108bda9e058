//! One's own password.

use axum::{http::StatusCode, response::Response};
use domain::view::{
    FieldProblem,
    routes::{field, pattern},
    settings::SettingsTab,
};
use engine::users::{self, PasswordChange};

use super::{again, answer, empty, problem_of, unreadable};
use crate::http::{
    failure::Failure,
    fields::{Fields, Posted},
    session::flash,
    visit::Visit,
};

/// Shows the form.
pub async fn show(visit: Visit) -> Result<Response, Failure> {
    answer(visit, StatusCode::OK, empty(SettingsTab::Password)).await
}

/// Sets it, and ends all of the person's sessions but this one.
pub async fn change(visit: Visit, Posted(posted): Posted) -> Result<Response, Failure> {
    let tab = empty(SettingsTab::Password);
    if let Err(problem) = typed_twice(&posted) {
        return again(visit, tab, &posted, unreadable(problem)).await;
    }
    let change = PasswordChange {
        user_id: visit.person.user_id,
        current: Some(posted.raw(field::CURRENT_PASSWORD).to_owned()),
        new: posted.raw(field::NEW_PASSWORD).to_owned(),
        keep_session: visit.session().id().map(|id| id.to_string()),
    };
    match users::change_password(&visit.web.engine, &visit.actor(), change).await {
        Ok(()) => {
            let done = flash::done("Your password is changed. You are signed out everywhere else.");
            visit.go_to(pattern::OWN_PASSWORD, done).await
        }
        Err(error) => {
            let refused = problem_of(error, &[])?;
            again(visit, tab, &posted, refused).await
        }
    }
}

fn typed_twice(posted: &Fields) -> Result<(), FieldProblem> {
    if posted.raw(field::NEW_PASSWORD) == posted.raw(field::NEW_PASSWORD_AGAIN) {
        Ok(())
    } else {
        Err(FieldProblem::new(
            field::NEW_PASSWORD_AGAIN,
            "The two are not the same. Type the new password twice.",
        ))
    }
}
