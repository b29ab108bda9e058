//! Finds users, and tells who may approve whose decision.

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

/// Whether one user may approve what another decided: another person with the approver role, let
/// in, and neither made or last changed by the other, be it by way of accounts that they made. So
/// nobody makes themselves a second pair of eyes.
pub async fn may_approve(
    mut tx: impl Connected,
    decider: i64,
    approver: i64,
) -> Result<bool, StorageError> {
    let (Some(by), Some(of)) = (
        users::by_id(&mut tx, approver).await?,
        users::by_id(&mut tx, decider).await?,
    ) else {
        return Ok(false);
    };
    let grants = by.roles.iter().any(|r| r.grants(Permission::Approve));
    Ok(decider != approver
        && grants
        && !by.disabled
        && !makers(&mut tx, &by).await?.contains(&decider)
        && !makers(&mut tx, &of).await?.contains(&approver))
}

/// Who made or last changed an account, who made or last changed theirs, and so on.
async fn makers(
    mut tx: impl Connected,
    account: &users::UserAccount,
) -> Result<BTreeSet<i64>, StorageError> {
    let mut known = BTreeSet::new();
    let mut next = vec![account.created_by, account.changed_by];
    while let Some(maker) = next.pop() {
        // An account that its owner changed last leads to nobody new.
        if maker == account.id || !known.insert(maker) {
            continue;
        }
        if let Some(maker) = users::by_id(&mut tx, maker).await? {
            next.extend([maker.created_by, maker.changed_by]);
        }
    }
    Ok(known)
}
