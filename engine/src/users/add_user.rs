//! Adds a user. The administrator who adds them counts as their creator: neither may approve the
//! other's decisions.

use super::{User, email, history, password};
use crate::{
    Engine, Error, audit, in_tx,
    seal::Leaves,
    storage::{Tx, users},
};
use domain::{
    actor::{Actor, Permission, Role},
    time::Instant,
};
use serde_json::json;
use std::collections::BTreeSet;

/// Who is to be added.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// Their address.
    pub email: String,
    /// Their first password.
    pub password: String,
    /// At least one role.
    pub roles: BTreeSet<Role>,
}

/// Adds a user; refused if the address is taken.
pub async fn add_user(engine: &Engine, actor: &Actor, new: NewUser) -> Result<User, Error> {
    actor.require(Permission::Administer)?;
    let email = email::read(&new.email)?;
    password::check("password", &new.password)?;
    check_roles(&new.roles)?;
    let hash = password::hash(&new.password).await?;
    let at = engine.now();
    in_tx!(engine.store, |tx| {
        users::alone(&mut *tx).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let user = insert(tx, &mut leaves, actor, at, &email, &hash, &new.roles).await?;
        leaves.write(tx).await?;
        Ok(user)
    })
}

/// Refuses an empty set: somebody without a role can do nothing.
pub(super) fn check_roles(roles: &BTreeSet<Role>) -> Result<(), Error> {
    if roles.is_empty() {
        return Err(Error::invalid("roles", "at least one role is needed"));
    }
    Ok(())
}

/// Writes a user whose address, password and roles are checked.
pub(super) async fn insert(
    tx: &mut Tx,
    leaves: &mut Leaves,
    actor: &Actor,
    at: Instant,
    email: &str,
    hash: &str,
    roles: &BTreeSet<Role>,
) -> Result<User, Error> {
    if users::by_email(&mut *tx, email).await?.is_some() {
        return Err(Error::Conflict(format!("there is already a user {email}")));
    }
    let stored = history::roles_text(roles);
    let id = users::add(&mut *tx, email, hash, &stored, history::who(actor), at).await?;
    history::add(tx, leaves, actor, at, (id, email), "added", roles).await?;
    audit::record(
        tx,
        leaves,
        actor,
        at,
        "add_user",
        email,
        &json!({ "roles": roles }),
    )
    .await?;
    Ok(User {
        id,
        email: email.to_owned(),
        roles: roles.clone(),
        disabled: false,
    })
}
