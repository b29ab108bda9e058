//! Adds a version of a provider account's policy. Verdicts name the version under which they were
//! given.

use super::policy_history::{self, Account};
use crate::{
    Engine, Error, audit, in_tx,
    seal::Leaves,
    storage::{accounts, providers},
};
use domain::actor::{Actor, Permission};
use serde_json::{Map, Value, json};

/// Sets policy fields and returns the version in force: the same one where nothing differs.
pub async fn change_policy(
    engine: &Engine,
    actor: &Actor,
    name: &str,
    fields: &[(String, String)],
) -> Result<i64, Error> {
    actor.require(Permission::Administer)?;
    let at = engine.now();
    in_tx!(engine.store, |tx| {
        let found = providers::by_name(&mut *tx, name).await?;
        let id = found
            .ok_or_else(|| Error::not_found("provider account", name))?
            .id;
        // Whoever posts now ends first, so that nothing comes into a period after it was closed.
        accounts::pass_gate(tx, id).await?;
        let found = providers::by_name(&mut *tx, name).await?;
        let known = found.ok_or_else(|| Error::not_found("provider account", name))?;
        let mut policy = known.policy.clone();
        policy_history::apply(&mut policy, fields)?;
        policy_history::check_closed(&policy, at.day_in(known.zone))?;
        if policy == known.policy {
            return Ok(known.policy_version);
        }
        let version = known.policy_version + 1;
        let account = Account {
            id: known.id,
            name,
            kind: known.kind,
            zone: known.zone,
        };
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        policy_history::add(tx, &mut leaves, actor, at, &account, version, &policy).await?;
        let (old, new) = (known.policy.fields(), policy.fields());
        let changed: Map<String, Value> = new
            .into_iter()
            .filter(|(field, value)| old.get(field) != Some(value))
            .map(|(field, value)| {
                (
                    field.to_owned(),
                    json!({ "old": old.get(field), "new": value }),
                )
            })
            .collect();
        let detail = json!({ "version": version, "changed": changed });
        audit::record(tx, &mut leaves, actor, at, "change_policy", name, &detail).await?;
        leaves.write(tx).await?;
        Ok(version)
    })
}
