//! User accounts, their history, and failed sign-ins.

use super::{
    StorageError,
    counter::{allocate, take_turn},
    stored,
    tx::Connected,
};
use crate::{all, exec, exec_one, opt, scalar, statements};
use domain::{actor::Role, time::Instant};
use std::collections::BTreeSet;

statements! {
    BY_ID(1) = "user/by_id.sql";
    BY_EMAIL(1) = "user/by_email.sql";
    LIST(0) = "user/list.sql", may_scan "a few users, in the order of their addresses";
    ANYBODY(0) = "user/anybody.sql", may_scan "stops at the first row";
    ADD(6) = "user/add.sql";
    CHANGE(4) = "user/change.sql";
    CHANGE_PASSWORD(3) = "user/change_password.sql";
    ADD_EVENT(6) = "user/add_event.sql";
    FAILURES(1) = "user/failures.sql";
    FAIL(2) = "user/fail.sql";
    FORGIVE(1) = "user/forgive.sql";
    FORGET_FAILURES(1) = "user/forget_failures.sql";
}

/// A user account as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserAccount {
    /// Key.
    pub id: i64,
    /// Address, lower case.
    pub email: String,
    /// argon2id in PHC form.
    pub password_hash: String,
    /// Roles.
    pub roles: BTreeSet<Role>,
    /// Whether they are shut out.
    pub disabled: bool,
    /// When they were added.
    pub created_at: Instant,
    /// By whom: 0 for the operator.
    pub created_by: i64,
    /// Who last changed roles, state or, for them, the password: 0 for the operator.
    pub changed_by: i64,
}

#[derive(sqlx::FromRow)]
struct UserRow {
    id: i64,
    email: String,
    password_hash: String,
    roles: String,
    disabled: i64,
    created_at: i64,
    created_by: i64,
    changed_by: i64,
}

impl TryFrom<UserRow> for UserAccount {
    type Error = StorageError;

    fn try_from(row: UserRow) -> Result<Self, StorageError> {
        Ok(Self {
            roles: stored::parse_list("user_account", "roles", row.id, &row.roles)?,
            disabled: row.disabled != 0,
            created_at: Instant::from_micros(row.created_at),
            id: row.id,
            email: row.email,
            password_hash: row.password_hash,
            created_by: row.created_by,
            changed_by: row.changed_by,
        })
    }
}

/// A change to a user account, for its history.
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    /// Whose.
    pub user_id: i64,
    /// added, roles, disabled, enabled, password, token.
    pub what: &'static str,
    /// Roles after the change, as stored.
    pub roles: &'a str,
    /// Who did it: 0 for the operator.
    pub by: i64,
    /// When.
    pub at: Instant,
}

/// Waits until nobody else changes people, and keeps others out until the unit of work ends: what a
/// change rests on, such as that another administrator is left, still holds when it is written.
pub async fn alone(tx: impl Connected) -> Result<(), StorageError> {
    take_turn(tx, "user_account").await
}

/// A user by key.
pub async fn by_id(mut tx: impl Connected, id: i64) -> Result<Option<UserAccount>, StorageError> {
    opt!(&mut tx, UserRow, BY_ID, id)?
        .map(TryInto::try_into)
        .transpose()
}

/// A user by address, which is stored in lower case.
pub async fn by_email(
    mut tx: impl Connected,
    email: &str,
) -> Result<Option<UserAccount>, StorageError> {
    opt!(&mut tx, UserRow, BY_EMAIL, email)?
        .map(TryInto::try_into)
        .transpose()
}

/// All users, by address.
pub async fn list(mut tx: impl Connected) -> Result<Vec<UserAccount>, StorageError> {
    all!(&mut tx, UserRow, LIST)?
        .into_iter()
        .map(TryInto::try_into)
        .collect()
}

/// Whether there is any user.
pub async fn anybody(mut tx: impl Connected) -> Result<bool, StorageError> {
    Ok(scalar!(&mut tx, i64, ANYBODY)? > 0)
}

/// Adds a user and returns their key.
pub async fn add(
    mut tx: impl Connected,
    email: &str,
    password_hash: &str,
    roles: &str,
    by: i64,
    at: Instant,
) -> Result<i64, StorageError> {
    let id = allocate(&mut tx, "user_account", 1).await?;
    exec_one!(
        &mut tx,
        ADD,
        id,
        email,
        password_hash,
        roles,
        at.micros(),
        by
    )?;
    Ok(id)
}

/// Sets roles and state.
pub async fn change(
    mut tx: impl Connected,
    id: i64,
    roles: &str,
    disabled: bool,
    by: i64,
) -> Result<(), StorageError> {
    exec_one!(&mut tx, CHANGE, id, roles, i64::from(disabled), by)
}

/// Sets the password; `changed_by` is who counts as having changed the account last.
pub async fn change_password(
    mut tx: impl Connected,
    id: i64,
    password_hash: &str,
    changed_by: i64,
) -> Result<(), StorageError> {
    exec_one!(&mut tx, CHANGE_PASSWORD, id, password_hash, changed_by)
}

/// Adds to the history of a user account and returns the record's key.
pub async fn add_event(mut tx: impl Connected, change: Change<'_>) -> Result<i64, StorageError> {
    let id = allocate(&mut tx, "user_event", 1).await?;
    let Change {
        user_id,
        what,
        roles,
        by,
        at,
    } = change;
    exec_one!(
        &mut tx,
        ADD_EVENT,
        id,
        user_id,
        what,
        roles,
        by,
        at.micros()
    )?;
    Ok(id)
}

/// How often in a row signing in with an address failed, and when last.
pub async fn failures(
    mut tx: impl Connected,
    address: &[u8],
) -> Result<Option<(i64, Instant)>, StorageError> {
    let found: Option<(i64, i64)> = opt!(&mut tx, (i64, i64), FAILURES, address)?;
    Ok(found.map(|(count, last)| (count, Instant::from_micros(last))))
}

/// Counts a failed sign-in and returns how many there were.
pub async fn fail(
    mut tx: impl Connected,
    address: &[u8],
    at: Instant,
) -> Result<i64, StorageError> {
    scalar!(&mut tx, i64, FAIL, address, at.micros())
}

/// Forgets the failures of an address, after it signed in.
pub async fn forgive(mut tx: impl Connected, address: &[u8]) -> Result<(), StorageError> {
    exec!(&mut tx, FORGIVE, address).map(|_| ())
}

/// Forgets failures older than an instant.
pub async fn forget_failures(mut tx: impl Connected, before: Instant) -> Result<(), StorageError> {
    exec!(&mut tx, FORGET_FAILURES, before.micros()).map(|_| ())
}
