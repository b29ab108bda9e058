//! Provider accounts with the policy in force, and the gate before each.

use super::{
    StorageError,
    providers::read_policy,
    stored,
    tx::{Connected, Tx},
};
use crate::{all, scalar, statements};
use domain::{account::ProviderAccount, matching::Accounts};

statements! {
    ACCOUNTS(0) = "account/all.sql", may_scan "a few accounts";
    PASS_GATE(1) = "account/pass_gate.sql";
    GATE(1) = "account/gate.sql";
}

#[derive(sqlx::FromRow)]
struct AccountRow {
    id: i64,
    name: String,
    kind: String,
    zone: String,
    version: i64,
    fields: String,
}

/// Every provider account, by key.
pub async fn all(mut tx: impl Connected) -> Result<Accounts, StorageError> {
    let rows = all!(&mut tx, AccountRow, ACCOUNTS)?;
    rows.into_iter()
        .map(|row| {
            let policy = read_policy(&row.name, &row.fields)?;
            let account = ProviderAccount {
                id: row.id,
                kind: stored::parse("provider_account", "kind", &row.name, &row.kind)?,
                zone: stored::parse("provider_account", "zone", &row.name, &row.zone)?,
                policy,
                policy_version: row.version,
                name: row.name,
            };
            Ok((row.id, account))
        })
        .collect()
}

/// Waits until nobody else judges lines of this account, and keeps others out until the unit of
/// work ends: of two writers the later sees what the earlier wrote. Returns how often the gate was
/// passed, this time included.
pub async fn pass_gate(tx: &mut Tx, account: i64) -> Result<i64, StorageError> {
    scalar!(tx, i64, PASS_GATE, account)
}

/// How often the gate of an account was passed.
pub async fn gate(mut tx: impl Connected, account: i64) -> Result<i64, StorageError> {
    scalar!(&mut tx, i64, GATE, account)
}
