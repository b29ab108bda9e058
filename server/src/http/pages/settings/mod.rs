//! Settings: one file per tab.

pub mod password;
pub mod providers;
pub mod tokens;
pub mod users;

use axum::{
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use domain::view::{
    FieldProblem,
    routes::pattern,
    settings::{SettingsPage, SettingsTab},
};

use crate::http::{
    failure::{Failure, sentence},
    fields::Fields,
    visit::Visit,
};

/// `/settings` leads to its first tab.
pub async fn first_tab() -> Response {
    Redirect::to(pattern::PROVIDERS).into_response()
}

/// A tab with nothing in it yet.
fn empty(tab: SettingsTab) -> SettingsPage {
    SettingsPage {
        tab,
        providers: Vec::new(),
        users: Vec::new(),
        tokens: Vec::new(),
        new_token: None,
        typed: Vec::new(),
        typed_for: String::new(),
        problems: Vec::new(),
        password_min: engine::users::PASSWORD_MIN,
    }
}

/// What was wrong with a form, and the status that says so.
type Refused = (StatusCode, FieldProblem);

async fn answer(visit: Visit, status: StatusCode, page: SettingsPage) -> Result<Response, Failure> {
    visit.answer(status, page, app::pages::settings).await
}

/// The tab again, with what was typed and what was wrong with it.
async fn again(
    visit: Visit,
    tab: SettingsPage,
    posted: &Fields,
    (status, problem): Refused,
) -> Result<Response, Failure> {
    let page = SettingsPage {
        typed: typed(posted),
        problems: vec![problem],
        ..tab
    };
    answer(visit, status, page).await
}

/// A form that could not be read.
const fn unreadable(problem: FieldProblem) -> Refused {
    (StatusCode::UNPROCESSABLE_ENTITY, problem)
}

/// What was wrong with a form, where its page can show that; other errors have pages of their own.
/// The use case calls a field by its own name; `names` gives the form's.
fn problem_of(error: engine::Error, names: &[(&str, &str)]) -> Result<Refused, Failure> {
    match error {
        engine::Error::Invalid { field, problem } => {
            let shown = names.iter().find(|(own, _)| *own == field);
            let name = shown.map_or(field, |(_, form)| form);
            let problem = FieldProblem::new(name, sentence(&problem));
            Ok(unreadable(problem))
        }
        engine::Error::Conflict(problem) => Ok((
            StatusCode::CONFLICT,
            FieldProblem::new("", sentence(&problem)),
        )),
        other => Err(other.into()),
    }
}

/// What was typed, without the passwords.
fn typed(posted: &Fields) -> Vec<(String, String)> {
    posted
        .pairs()
        .iter()
        .filter(|(name, _)| !name.contains("password"))
        .cloned()
        .collect()
}
