//! Makes an API token. With the scope `decide` it needs a user and acts as that person, with the
//! roles they have at the time of each request.
//!
//! Whoever holds such a token decides as that person. So people make one for themselves only; for
//! anybody else the operator does, at the command line. A token of any scope that somebody makes for
//! another counts as a change of that account, as a new password does: neither may approve what the
//! other decided.

use crate::{
    Engine, Error, audit, in_tx,
    seal::Leaves,
    sessions::hash_of,
    storage::{
        Tx, tokens,
        users::{self, UserAccount},
    },
    users::history,
};
use domain::{
    actor::{Actor, Permission, Scope},
    time::Instant,
};
use serde_json::json;
use std::collections::BTreeSet;

/// Starts every token, so that one that leaked into a text can be found.
const PREFIX: &str = "tieout_";
const LONGEST_NAME: usize = 80;

/// What is to be made.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// What people call it.
    pub name: String,
    /// At least one scope.
    pub scopes: BTreeSet<Scope>,
    /// Address of the person as whom it acts.
    pub user: Option<String>,
}

/// Makes a token and returns it: this is the only time that it can be seen.
pub async fn add_token(engine: &Engine, actor: &Actor, new: NewToken) -> Result<String, Error> {
    actor.require(Permission::Administer)?;
    let name = new.name.trim();
    if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control)
    {
        return Err(Error::invalid(
            "name",
            format!("must be a name of at most {LONGEST_NAME} characters"),
        ));
    }
    if new.scopes.is_empty() {
        return Err(Error::invalid("scopes", "at least one scope is needed"));
    }
    if new.scopes.contains(&Scope::Decide) && new.user.is_none() {
        return Err(Error::invalid(
            "user",
            "a token that decides needs the person as whom it decides",
        ));
    }
    let token = format!("{PREFIX}{}", hex::encode(engine.sources.ids.secret()?));
    let at = engine.now();
    let mut codes: Vec<_> = new.scopes.iter().map(|s| s.code()).collect();
    codes.sort_unstable();
    in_tx!(engine.store, |tx| {
        users::alone(&mut *tx).await?;
        if tokens::by_name(&mut *tx, name).await?.is_some() {
            return Err(Error::Conflict(format!(
                "there is already a token {name:?}; names are not used again"
            )));
        }
        let user = match new.user.as_deref().map(|u| u.trim().to_lowercase()) {
            None => None,
            Some(email) => {
                let found = users::by_email(&mut *tx, &email).await?;
                Some(found.ok_or_else(|| Error::not_found("user", &email))?)
            }
        };
        if let Some(user) = user
            .as_ref()
            .filter(|_| new.scopes.contains(&Scope::Decide))
        {
            check_decides_for_self(actor, user)?;
        }
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        tokens::add(
            &mut *tx,
            name,
            &hash_of(&token),
            &codes.join(","),
            user.as_ref().map(|u| u.id),
            at,
        )
        .await?;
        if let Some(user) = &user {
            note(tx, &mut leaves, actor, at, user).await?;
        }
        let detail = json!({ "scopes": codes, "user": new.user });
        audit::record(tx, &mut leaves, actor, at, "add_token", name, &detail).await?;
        leaves.write(tx).await
    })?;
    Ok(token)
}

/// Refuses a person who would decide as somebody else.
fn check_decides_for_self(actor: &Actor, user: &UserAccount) -> Result<(), Error> {
    let own = actor.person().is_some_and(|(id, _)| id == user.id);
    if own || matches!(actor, Actor::Operator) {
        return Ok(());
    }
    Err(Error::invalid(
        "user",
        format!(
            "a token that decides can be made for oneself only: for {} the operator makes it with `tieout token add` on the server",
            user.email
        ),
    ))
}

/// The account has a further key: its history says so, and whoever made it for another counts as
/// having changed the account last.
async fn note(
    tx: &mut Tx,
    leaves: &mut Leaves,
    actor: &Actor,
    at: Instant,
    user: &UserAccount,
) -> Result<(), Error> {
    let by = history::who(actor);
    if by != user.id {
        let roles = history::roles_text(&user.roles);
        users::change(&mut *tx, user.id, &roles, user.disabled, by).await?;
    }
    let account = (user.id, user.email.as_str());
    history::add(tx, leaves, actor, at, account, "token", &user.roles).await
}
