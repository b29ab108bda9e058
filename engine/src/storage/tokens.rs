//! API tokens, under the hash of their secret.

use super::{StorageError, counter::allocate, stored, tx::Connected};
use crate::{all, exec_one, opt, statements};
use domain::{
    actor::{Role, Scope},
    time::Instant,
    view::settings::TokenRow,
};
use std::collections::BTreeSet;

statements! {
    ADD(6) = "token/add.sql";
    BY_NAME(1) = "token/by_name.sql";
    IN_FORCE(1) = "token/in_force.sql";
    LIST(0) = "token/list.sql", may_scan "a few tokens, in the order of their names";
    REVOKE(2) = "token/revoke.sql";
}

/// A token that a request may carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InForce {
    /// Key.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Scopes.
    pub scopes: BTreeSet<Scope>,
    /// As whom it acts.
    pub person: Option<Person>,
}

/// As whom a token acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Key.
    pub id: i64,
    /// Address.
    pub email: String,
    /// Roles that hold now.
    pub roles: BTreeSet<Role>,
    /// Whether they are shut out, and the token with them.
    pub disabled: bool,
}

#[derive(sqlx::FromRow)]
struct InForceRow {
    token_id: i64,
    name: String,
    scopes: String,
    user_id: Option<i64>,
    email: Option<String>,
    roles: Option<String>,
    disabled: Option<i64>,
}

#[derive(sqlx::FromRow)]
struct ListRow {
    id: i64,
    name: String,
    scopes: String,
    email: String,
    created_at: i64,
    revoked_at: Option<i64>,
}

/// Adds a token and returns its key.
pub async fn add(
    mut tx: impl Connected,
    name: &str,
    token_hash: &[u8],
    scopes: &str,
    user_id: Option<i64>,
    at: Instant,
) -> Result<i64, StorageError> {
    let id = allocate(&mut tx, "api_token", 1).await?;
    exec_one!(
        &mut tx,
        ADD,
        id,
        name,
        token_hash,
        scopes,
        user_id,
        at.micros()
    )?;
    Ok(id)
}

/// Key of a token by name, and whether it is revoked.
pub async fn by_name(
    mut tx: impl Connected,
    name: &str,
) -> Result<Option<(i64, bool)>, StorageError> {
    #[derive(sqlx::FromRow)]
    struct Found {
        id: i64,
        revoked_at: Option<i64>,
    }
    let found = opt!(&mut tx, Found, BY_NAME, name)?;
    Ok(found.map(|f| (f.id, f.revoked_at.is_some())))
}

/// The token with this hash, unless it is revoked.
pub async fn in_force(
    mut tx: impl Connected,
    token_hash: &[u8],
) -> Result<Option<InForce>, StorageError> {
    let Some(row) = opt!(&mut tx, InForceRow, IN_FORCE, token_hash)? else {
        return Ok(None);
    };
    let person = match (row.user_id, row.email, row.roles, row.disabled) {
        (Some(id), Some(email), Some(roles), Some(disabled)) => Some(Person {
            roles: stored::parse_list("user_account", "roles", id, &roles)?,
            disabled: disabled != 0,
            id,
            email,
        }),
        _ => None,
    };
    Ok(Some(InForce {
        id: row.token_id,
        scopes: stored::parse_list("api_token", "scopes", row.token_id, &row.scopes)?,
        name: row.name,
        person,
    }))
}

/// All tokens, by name.
pub async fn list(mut tx: impl Connected) -> Result<Vec<TokenRow>, StorageError> {
    let rows = all!(&mut tx, ListRow, LIST)?;
    rows.into_iter()
        .map(|row| {
            Ok(TokenRow {
                token_id: row.id,
                scopes: stored::parse_list("api_token", "scopes", row.id, &row.scopes)?,
                name: row.name,
                user: row.email,
                created_at: Instant::from_micros(row.created_at),
                revoked_at: row.revoked_at.map(Instant::from_micros),
            })
        })
        .collect()
}

/// Revokes a token that is in force.
pub async fn revoke(mut tx: impl Connected, id: i64, at: Instant) -> Result<(), StorageError> {
    exec_one!(&mut tx, REVOKE, id, at.micros())
}
