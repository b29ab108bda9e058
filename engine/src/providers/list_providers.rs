//! Lists provider accounts with the policy in force.

use crate::{Engine, Error, storage::providers};
use domain::{
    account::{CoverageRule, OnRejected, PartialCaptures},
    actor::{Actor, Permission},
    view::{
        form::Choice,
        settings::{PolicyField, ProviderSettings},
    },
};

/// All provider accounts, by name.
pub async fn list(engine: &Engine, actor: &Actor) -> Result<Vec<ProviderSettings>, Error> {
    actor.require(Permission::Read)?;
    let found = providers::list(&mut engine.store.read().await?).await?;
    Ok(found.into_iter().map(shown).collect())
}

fn shown(provider: providers::Provider) -> ProviderSettings {
    let fields = provider.policy.fields().into_iter();
    ProviderSettings {
        policy: fields
            .map(|(field, value)| PolicyField {
                field: field.to_owned(),
                value,
                choices: choices(field),
            })
            .collect(),
        name: provider.name,
        kind: provider.kind,
        zone: provider.zone,
        policy_version: provider.policy_version,
        changed_by: provider.changed_by,
        changed_at: provider.changed_at,
    }
}

/// The values that a field takes, where they are few.
fn choices(field: &str) -> Vec<Choice> {
    let codes: Vec<&str> = match field {
        "composite_auto" => vec!["off"],
        "partial_captures" => PartialCaptures::ALL.iter().map(|v| v.code()).collect(),
        "on_rejected" => OnRejected::ALL.iter().map(|v| v.code()).collect(),
        "coverage" => CoverageRule::ALL.iter().map(|v| v.code()).collect(),
        _ => Vec::new(),
    };
    codes
        .into_iter()
        .map(|code| Choice::new(code, code.replace('_', " ")))
        .collect()
}
