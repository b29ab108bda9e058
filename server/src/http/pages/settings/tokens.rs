//! API tokens.

use axum::{extract::Path, http::StatusCode, response::Response};
use domain::{
    actor::Scope,
    codes::UnknownCode,
    view::{
        FieldProblem,
        routes::{field, pattern},
        settings::{self, SettingsPage, SettingsTab},
    },
};
use engine::tokens::{self, NewToken};
use std::collections::BTreeSet;

use super::{again, answer, empty, problem_of, unreadable};
use crate::http::{
    failure::{Failure, sentence},
    fields::Posted,
    session::flash,
    visit::Visit,
};

/// Shows them.
pub async fn show(visit: Visit) -> Result<Response, Failure> {
    let page = list(&visit).await?;
    answer(visit, StatusCode::OK, page).await
}

/// Makes one. The page answers at once: a redirect would have to keep the token somewhere.
pub async fn add(visit: Visit, Posted(posted): Posted) -> Result<Response, Failure> {
    let scopes: Result<BTreeSet<Scope>, UnknownCode> =
        posted.all(field::SCOPE).map(str::parse).collect();
    let scopes = match scopes {
        Ok(scopes) => scopes,
        Err(error) => {
            let problem = FieldProblem::new(field::SCOPE, sentence(&error.to_string()));
            let tab = list(&visit).await?;
            return again(visit, tab, &posted, unreadable(problem)).await;
        }
    };
    let name = posted.text(field::NAME).to_owned();
    let new = NewToken {
        name: name.clone(),
        scopes,
        user: posted.given(field::USER).map(str::to_owned),
    };
    match tokens::add_token(&visit.web.engine, &visit.actor(), new).await {
        Ok(token) => {
            let page = SettingsPage {
                new_token: Some(settings::NewToken { name, token }),
                ..list(&visit).await?
            };
            answer(visit, StatusCode::OK, page).await
        }
        Err(engine::Error::NotFound { .. }) => {
            let problem = FieldProblem::new(field::USER, "Nobody has this address.");
            let tab = list(&visit).await?;
            again(visit, tab, &posted, unreadable(problem)).await
        }
        Err(error) => {
            let refused = problem_of(error, &[("scopes", field::SCOPE)])?;
            let tab = list(&visit).await?;
            again(visit, tab, &posted, refused).await
        }
    }
}

/// Ends one.
pub async fn revoke(visit: Visit, Path(token): Path<i64>) -> Result<Response, Failure> {
    let (engine, actor) = (&visit.web.engine, visit.actor());
    let known = tokens::list(engine, &actor).await?;
    let name = known
        .into_iter()
        .find(|row| row.token_id == token)
        .ok_or_else(|| Failure::not_found("token"))?
        .name;
    tokens::revoke_token(engine, &actor, &name).await?;
    let done = flash::done(format!(
        "The token {name} is revoked: it opens nothing any more."
    ));
    visit.go_to(pattern::TOKENS, done).await
}

async fn list(visit: &Visit) -> Result<SettingsPage, Failure> {
    Ok(SettingsPage {
        tokens: tokens::list(&visit.web.engine, &visit.actor()).await?,
        users: engine::users::list(&visit.web.engine, &visit.actor()).await?,
        ..empty(SettingsTab::Tokens)
    })
}
