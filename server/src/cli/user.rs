//! `tieout user`: who may sign in.

use clap::{Args, Subcommand};
use domain::actor::Role;
use engine::users::{self, NewUser, PasswordChange};
use serde_json::json;
use std::io::Read as _;

use super::{
    Refused,
    output::Table,
    place::{Global, OPERATOR, Place},
};

/// Its subcommands.
#[derive(Debug, Subcommand)]
pub enum User {
    /// Add a user
    Add(Add),
    /// List users with their roles
    List,
    /// Set a user's password and end all of their sessions
    Password(Password),
    /// Shut a user out, everywhere and at once
    Disable {
        /// Their address
        email: String,
    },
}

/// Who is to be added.
#[derive(Debug, Args)]
pub struct Add {
    /// Their address
    email: String,

    /// A role: viewer, analyst, approver, auditor or admin; repeat it for more
    #[arg(long = "role", value_name = "ROLE", required = true, num_args = 1..)]
    roles: Vec<Role>,

    /// Read the first password from standard input: nowhere else may it be given
    #[arg(long, required = true)]
    password_stdin: bool,
}

/// Whose password is to be set.
#[derive(Debug, Args)]
pub struct Password {
    /// Their address
    email: String,

    /// Read the new password from standard input: nowhere else may it be given
    #[arg(long, required = true)]
    password_stdin: bool,
}

impl User {
    /// Runs it.
    pub async fn run(self, global: &Global) -> Result<(), Refused> {
        match self {
            Self::Add(add) => add.run(global).await,
            Self::Password(password) => password.run(global).await,
            Self::List => list(&global.open_existing().await?).await,
            Self::Disable { email } => disable(&global.open_existing().await?, &email).await,
        }
    }
}

impl Add {
    async fn run(self, global: &Global) -> Result<(), Refused> {
        let place = global.open_existing().await?;
        let password = password_from_stdin()?;
        let new = NewUser {
            email: self.email,
            password,
            roles: self.roles.into_iter().collect(),
        };
        let user = users::add_user(&place.engine, &OPERATOR, new).await?;
        let roles: Vec<_> = user.roles.iter().map(|role| role.code()).collect();
        place.output.answer(
            &json!({ "email": user.email, "roles": roles }),
            format!("Added {} ({}).", user.email, roles.join(", ")),
        )
    }
}

impl Password {
    async fn run(self, global: &Global) -> Result<(), Refused> {
        let place = global.open_existing().await?;
        let new = password_from_stdin()?;
        let user = users::find_by_email(&place.engine, &self.email)
            .await?
            .ok_or_else(|| engine::Error::not_found("user", &self.email))?;
        let change = PasswordChange {
            user_id: user.id,
            current: None,
            new,
            keep_session: None,
        };
        users::change_password(&place.engine, &OPERATOR, change).await?;
        place.output.answer(
            &json!({ "email": user.email, "password": "changed" }),
            format!(
                "The password of {} is set. They are signed out everywhere.",
                user.email
            ),
        )
    }
}

/// One line; the end of the line, as `echo` writes it, is not part of the password.
fn password_from_stdin() -> Result<String, Refused> {
    const LONGEST: u64 = 4096;
    let mut text = String::new();
    std::io::stdin()
        .lock()
        .take(LONGEST)
        .read_to_string(&mut text)
        .map_err(|error| Refused(format!("cannot read the password: {error}")))?;
    let password = text.strip_suffix('\n').unwrap_or(&text);
    Ok(password.strip_suffix('\r').unwrap_or(password).to_owned())
}

async fn list(place: &Place) -> Result<(), Refused> {
    let users = users::list(&place.engine, &OPERATOR).await?;
    let mut table = Table::new(&["address", "roles", "state", "added by"]);
    for user in &users {
        let roles: Vec<_> = user.roles.iter().map(|role| role.code()).collect();
        let state = if user.disabled { "shut out" } else { "let in" };
        table.row([
            user.email.clone(),
            roles.join(", "),
            state.to_owned(),
            user.created_by.clone(),
        ]);
    }
    place.output.answer(&json!({ "users": users }), table)
}

async fn disable(place: &Place, email: &str) -> Result<(), Refused> {
    let user = users::find_by_email(&place.engine, email)
        .await?
        .ok_or_else(|| engine::Error::not_found("user", email))?;
    users::set_disabled(&place.engine, &OPERATOR, user.id, true).await?;
    place.output.answer(
        &json!({ "email": user.email, "disabled": true }),
        format!("{} is shut out, everywhere and at once.", user.email),
    )
}
