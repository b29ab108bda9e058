//! Provider accounts as an administrator sees them.

use super::{StorageError, counter::allocate, stored, tx::Connected};
use crate::{all, exec_one, opt, statements};
use domain::{
    account::{Policy, ProviderKind},
    time::{Instant, Zone},
};
use std::collections::BTreeMap;

statements! {
    BY_NAME(1) = "provider/by_name.sql";
    LIST(0) = "provider/list.sql", may_scan "a few accounts, in the order of their names";
    ADD(5) = "provider/add.sql";
    ADD_GATE(1) = "provider/add_gate.sql";
    ADD_POLICY(5) = "provider/add_policy.sql";
}

/// A provider account with the policy in force and who set it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// Key.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Whose formats it speaks.
    pub kind: ProviderKind,
    /// In which its days are cut.
    pub zone: Zone,
    /// The policy in force.
    pub policy: Policy,
    /// Its version, from 1.
    pub policy_version: i64,
    /// Who set it.
    pub changed_by: String,
    /// When.
    pub changed_at: Instant,
}

#[derive(sqlx::FromRow)]
struct ProviderRow {
    id: i64,
    name: String,
    kind: String,
    zone: String,
    version: i64,
    fields: String,
    changed_by: String,
    changed_at: i64,
}

impl TryFrom<ProviderRow> for Provider {
    type Error = StorageError;

    fn try_from(row: ProviderRow) -> Result<Self, StorageError> {
        Ok(Self {
            kind: stored::parse("provider_account", "kind", row.id, &row.kind)?,
            zone: stored::parse("provider_account", "zone", row.id, &row.zone)?,
            policy: read_policy(&row.name, &row.fields)?,
            policy_version: row.version,
            changed_at: Instant::from_micros(row.changed_at),
            changed_by: row.changed_by,
            id: row.id,
            name: row.name,
        })
    }
}

/// Reads a policy as stored: field to text, so that a field added later takes its default.
pub fn read_policy(account: &str, fields: &str) -> Result<Policy, StorageError> {
    let stored: BTreeMap<String, String> =
        stored::json("provider_policy", "fields", account, fields)?;
    let mut policy = Policy::default();
    for (field, value) in stored {
        policy
            .set(&field, &value)
            .map_err(|e| stored::corrupt("provider_policy", "fields", account, &e))?;
    }
    Ok(policy)
}

/// A provider account by name.
pub async fn by_name(mut tx: impl Connected, name: &str) -> Result<Option<Provider>, StorageError> {
    opt!(&mut tx, ProviderRow, BY_NAME, name)?
        .map(TryInto::try_into)
        .transpose()
}

/// All provider accounts, by name.
pub async fn list(mut tx: impl Connected) -> Result<Vec<Provider>, StorageError> {
    all!(&mut tx, ProviderRow, LIST)?
        .into_iter()
        .map(TryInto::try_into)
        .collect()
}

/// Adds a provider account with its gate, without a policy yet, and returns its key.
pub async fn add(
    mut tx: impl Connected,
    name: &str,
    kind: ProviderKind,
    zone: Zone,
    at: Instant,
) -> Result<i64, StorageError> {
    let id = allocate(&mut tx, "provider_account", 1).await?;
    exec_one!(
        &mut tx,
        ADD,
        id,
        name,
        kind.code(),
        zone.to_string(),
        at.micros()
    )?;
    exec_one!(&mut tx, ADD_GATE, id)?;
    Ok(id)
}

/// Adds a version of a policy, its fields as JSON.
pub async fn add_policy(
    mut tx: impl Connected,
    account_id: i64,
    version: i64,
    fields: &str,
    changed_by: &str,
    at: Instant,
) -> Result<(), StorageError> {
    exec_one!(
        &mut tx,
        ADD_POLICY,
        account_id,
        version,
        fields,
        changed_by,
        at.micros()
    )
}
