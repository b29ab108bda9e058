//! Versions of policies: added, sealed, never changed.

use crate::{
    Error,
    seal::Leaves,
    storage::{Tx, providers, stored},
};
use domain::{
    account::{Policy, PolicyError, ProviderKind},
    actor::Actor,
    seal::records::ProviderPolicyRecord,
    time::{Day, Instant, Zone},
};

/// Whose policy it is, in names.
pub(super) struct Account<'a> {
    pub(super) id: i64,
    pub(super) name: &'a str,
    pub(super) kind: ProviderKind,
    pub(super) zone: Zone,
}

/// Sets fields from text, as on the command line.
pub(super) fn apply(policy: &mut Policy, fields: &[(String, String)]) -> Result<(), Error> {
    for (field, value) in fields {
        policy
            .set(field, value)
            .map_err(|e: PolicyError| Error::invalid(known(field), e.to_string()))?;
    }
    Ok(())
}

/// A field by its own name; the name of the option where there is no such field.
fn known(field: &str) -> &'static str {
    let fields = Policy::default().fields();
    fields
        .into_keys()
        .find(|name| *name == field)
        .unwrap_or("set")
}

/// Only days that are over can be closed: what happens today is booked under today.
pub(super) fn check_closed(policy: &Policy, today: Day) -> Result<(), Error> {
    match policy.books_closed_to {
        Some(day) if day >= today => Err(Error::invalid(
            "books_closed_to",
            format!("books_closed_to must be a day that is over, before {today}"),
        )),
        _ => Ok(()),
    }
}

/// Adds a version.
pub(super) async fn add(
    tx: &mut Tx,
    leaves: &mut Leaves,
    actor: &Actor,
    at: Instant,
    account: &Account<'_>,
    version: i64,
    policy: &Policy,
) -> Result<(), Error> {
    let fields = stored::to_json(&policy.fields())?;
    let changed_by = actor.name();
    providers::add_policy(&mut *tx, account.id, version, &fields, &changed_by, at).await?;
    leaves.push_part(
        account.id,
        version,
        &ProviderPolicyRecord {
            provider: account.name,
            kind: account.kind.code(),
            zone: &account.zone.to_string(),
            version,
            fields: &fields,
            changed_by: changed_by.as_str().into(),
            changed_at: at.micros(),
        },
    );
    Ok(())
}
