//! Makes an API token. With the scope `decide` it needs a user and acts as that person, with the
//! roles they have at the time of each request.

use crate::{
    Engine, Error, audit, in_tx,
    seal::Leaves,
    sessions::hash_of,
    storage::{tokens, users},
};
use domain::actor::{Actor, Permission, Scope};
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
        if tokens::by_name(&mut *tx, name).await?.is_some() {
            return Err(Error::Conflict(format!(
                "there is already a token {name:?}; names are not used again"
            )));
        }
        let user_id = match new.user.as_deref().map(|u| u.trim().to_lowercase()) {
            None => None,
            Some(email) => {
                let found = users::by_email(&mut *tx, &email).await?;
                Some(found.ok_or_else(|| Error::not_found("user", &email))?.id)
            }
        };
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        tokens::add(
            &mut *tx,
            name,
            &hash_of(&token),
            &codes.join(","),
            user_id,
            at,
        )
        .await?;
        let detail = json!({ "scopes": codes, "user": new.user });
        audit::record(tx, &mut leaves, actor, at, "add_token", name, &detail).await?;
        leaves.write(tx).await
    })?;
    Ok(token)
}
