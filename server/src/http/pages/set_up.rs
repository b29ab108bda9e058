//! `/setup/{token}`: the first run. The administrator, and on the same page the first analyst, approver
//! and auditor.

use axum::{extract::Path, http::StatusCode, response::Response};
use domain::view::{
    FieldProblem, Link,
    routes::{field, pattern},
    setup::SetUp,
};
use engine::users::{self, NewPerson, PASSWORD_MIN, SetUpPeople};

use crate::http::{
    failure::{Failure, sentence},
    fields::{Fields, Posted},
    session::{self, flash},
    visit::Anonymous,
};

/// Shows the form while the link holds.
pub async fn show(visit: Anonymous, Path(token): Path<String>) -> Result<Response, Failure> {
    if !users::set_up_link_holds(&visit.web.engine, &token).await? {
        return Err(dead_link());
    }
    let form = SetUp {
        token,
        password_min: PASSWORD_MIN,
        ..SetUp::default()
    };
    page(visit, StatusCode::OK, form).await
}

/// Creates the people and signs the administrator in.
pub async fn submit(
    visit: Anonymous,
    Path(token): Path<String>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    let engine = &visit.web.engine;
    if !users::set_up_link_holds(engine, &token).await? {
        return Err(dead_link());
    }
    match users::set_up(engine, &token, people(&posted)).await {
        Ok(admin) => {
            session::begin(&visit.session, admin.id, engine.now()).await?;
            let done = flash::done(
                "The first accounts are made, and you are signed in as the administrator. \
                 Next: add a provider account.",
            );
            visit.go_to(pattern::PROVIDERS, Some(done)).await
        }
        Err(engine::Error::Invalid { field, problem }) => {
            let form = SetUp {
                token,
                admin_email: posted.text(field::ADMIN_EMAIL).to_owned(),
                analyst_email: posted.text(field::ANALYST_EMAIL).to_owned(),
                approver_email: posted.text(field::APPROVER_EMAIL).to_owned(),
                auditor_email: posted.text(field::AUDITOR_EMAIL).to_owned(),
                password_min: PASSWORD_MIN,
                problems: vec![FieldProblem::new(field, sentence(&problem))],
            };
            page(visit, StatusCode::UNPROCESSABLE_ENTITY, form).await
        }
        Err(error) => Err(error.into()),
    }
}

fn people(posted: &Fields) -> SetUpPeople {
    let person = |email: &str, password: &str| NewPerson {
        email: posted.text(email).to_owned(),
        password: posted.raw(password).to_owned(),
    };
    let optional = |email: &str, password: &str| {
        let both_empty = posted.text(email).is_empty() && posted.raw(password).is_empty();
        (!both_empty).then(|| person(email, password))
    };
    SetUpPeople {
        admin: person(field::ADMIN_EMAIL, field::ADMIN_PASSWORD),
        analyst: optional(field::ANALYST_EMAIL, field::ANALYST_PASSWORD),
        approver: optional(field::APPROVER_EMAIL, field::APPROVER_PASSWORD),
        auditor: optional(field::AUDITOR_EMAIL, field::AUDITOR_PASSWORD),
    }
}

async fn page(visit: Anonymous, status: StatusCode, form: SetUp) -> Result<Response, Failure> {
    visit.answer(status, form, app::pages::set_up).await
}

fn dead_link() -> Failure {
    Failure::new(
        StatusCode::NOT_FOUND,
        "This set-up link was used or is too old. While there is no user yet, \
         the server prints a new one each time it starts.",
    )
    .with_link(Link::new("Sign in", pattern::SIGN_IN))
}
