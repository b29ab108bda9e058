//! Finds users, one or all.

use super::independence::People;
use crate::{
    Engine, Error,
    storage::{StorageError, tx::Connected, users},
};
use domain::{
    actor::{Actor, Permission, Role},
    view::settings::UserRow,
};
use std::collections::{BTreeMap, BTreeSet};

/// A user as others need to know them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Key.
    pub id: i64,
    /// Address, lower case.
    pub email: String,
    /// Roles.
    pub roles: BTreeSet<Role>,
    /// Whether they are shut out.
    pub disabled: bool,
}

impl From<users::UserAccount> for User {
    fn from(account: users::UserAccount) -> Self {
        Self {
            id: account.id,
            email: account.email,
            roles: account.roles,
            disabled: account.disabled,
        }
    }
}

/// A user by key.
pub async fn find(engine: &Engine, id: i64) -> Result<Option<User>, Error> {
    let found = users::by_id(&mut engine.store.read().await?, id).await?;
    Ok(found.map(User::from))
}

/// A user by address.
pub async fn find_by_email(engine: &Engine, email: &str) -> Result<Option<User>, Error> {
    let email = email.trim().to_lowercase();
    let found = users::by_email(&mut engine.store.read().await?, &email).await?;
    Ok(found.map(User::from))
}

/// Whether there is any user yet.
pub async fn anybody(engine: &Engine) -> Result<bool, Error> {
    Ok(users::anybody(&mut engine.store.read().await?).await?)
}

/// All users, by address.
pub async fn list(engine: &Engine, actor: &Actor) -> Result<Vec<UserRow>, Error> {
    actor.require(Permission::Read)?;
    let accounts = users::list(&mut engine.store.read().await?).await?;
    let names: BTreeMap<i64, String> = accounts.iter().map(|a| (a.id, a.email.clone())).collect();
    let name = |id: i64| match id {
        0 => "operator".to_owned(),
        id => names
            .get(&id)
            .cloned()
            .unwrap_or_else(|| format!("user {id}")),
    };
    let me = actor.person().map(|(id, _)| id);
    let shown = accounts.into_iter().map(|account| UserRow {
        user_id: account.id,
        me: me == Some(account.id),
        created_by: name(account.created_by),
        changed_by: name(account.changed_by),
        email: account.email,
        roles: account.roles,
        disabled: account.disabled,
        created_at: account.created_at,
    });
    Ok(shown.collect())
}

/// Whether one user may approve what another decided: see [`independence`](super::independence).
pub async fn may_approve(
    tx: impl Connected,
    decider: i64,
    approver: i64,
) -> Result<bool, StorageError> {
    Ok(People::read(tx).await?.may_approve(decider, approver))
}
