//! Adds a provider account. The same call again does nothing, so that set-up scripts can be run
//! again; the same name with other fields is refused.

use super::policy_history::{self, Account};
use crate::{Engine, Error, audit, in_tx, seal::Leaves, storage::providers};
use domain::{
    account::{Policy, ProviderKind},
    actor::{Actor, Permission},
    time::Zone,
};
use serde_json::json;

const LONGEST_NAME: usize = 64;

/// What is to be added.
#[derive(Debug, Clone)]
pub struct NewProvider {
    /// What people and addresses call it, such as `stripe-eu`.
    pub name: String,
    /// Whose formats it speaks.
    pub kind: ProviderKind,
    /// In which its days are cut.
    pub zone: Zone,
    /// Policy fields that differ from the default.
    pub fields: Vec<(String, String)>,
}

/// Whether anything was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// The account is new.
    New,
    /// It was there, with the same fields.
    Known,
}

/// Adds a provider account.
pub async fn add_provider(
    engine: &Engine,
    actor: &Actor,
    new: NewProvider,
) -> Result<Added, Error> {
    actor.require(Permission::Administer)?;
    check_name(&new.name)?;
    let mut policy = Policy::default();
    policy_history::apply(&mut policy, &new.fields)?;
    let at = engine.now();
    policy_history::check_closed(&policy, at.day_in(new.zone))?;
    in_tx!(engine.store, |tx| {
        if let Some(known) = providers::by_name(&mut *tx, &new.name).await? {
            if (known.kind, known.zone, &known.policy) == (new.kind, new.zone, &policy) {
                return Ok(Added::Known);
            }
            return Err(differs(&new.name, &differences(&known, &new, &policy)));
        }
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let id = providers::add(&mut *tx, &new.name, new.kind, new.zone, at).await?;
        let account = Account {
            id,
            name: &new.name,
            kind: new.kind,
            zone: new.zone,
        };
        policy_history::add(tx, &mut leaves, actor, at, &account, 1, &policy).await?;
        let detail = json!({ "kind": new.kind, "zone": new.zone, "policy": policy.fields() });
        audit::record(
            tx,
            &mut leaves,
            actor,
            at,
            "add_provider",
            &new.name,
            &detail,
        )
        .await?;
        leaves.write(tx).await?;
        Ok(Added::New)
    })
}

/// Names stand in addresses, file names and exports.
fn check_name(name: &str) -> Result<(), Error> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let starts = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    if starts && name.chars().all(plain) && name.len() <= LONGEST_NAME {
        Ok(())
    } else {
        Err(Error::invalid(
            "name",
            format!("must be up to {LONGEST_NAME} letters, digits, hyphens, dots and underscores"),
        ))
    }
}

fn differences(known: &providers::Provider, new: &NewProvider, policy: &Policy) -> Vec<String> {
    let mut found = Vec::new();
    if known.kind != new.kind {
        found.push(format!("kind is {}", known.kind));
    }
    if known.zone != new.zone {
        found.push(format!("timezone is {}", known.zone));
    }
    let wanted = policy.fields();
    for (field, value) in known.policy.fields() {
        if wanted.get(field) != Some(&value) {
            found.push(format!("{field} is {value}"));
        }
    }
    found
}

fn differs(name: &str, differences: &[String]) -> Error {
    Error::Conflict(format!(
        "there is already a provider account {name} with other fields: {}",
        differences.join(", ")
    ))
}
