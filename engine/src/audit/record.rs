//! Adds a record to the audit log.

use crate::{
    Error,
    seal::Leaves,
    storage::{
        Tx,
        audit::{self, NewRecord},
    },
};
use domain::{actor::Actor, seal::records::AuditEntryRecord, time::Instant};

/// Records that an actor did something, in the transaction in which it is done.
///
/// `detail` holds old and new values, ids and hashes; never a password, a token or a payload.
pub async fn record(
    tx: &mut Tx,
    leaves: &mut Leaves,
    actor: &Actor,
    at: Instant,
    action: &'static str,
    subject: &str,
    detail: &serde_json::Value,
) -> Result<(), Error> {
    let (actor_name, detail) = (actor.name(), detail.to_string());
    let id = audit::add(
        tx,
        NewRecord {
            at,
            actor: &actor_name,
            user_id: actor.person().map_or(0, |(id, _)| id),
            action,
            subject,
            detail: &detail,
        },
    )
    .await?;
    leaves.push(
        id,
        &AuditEntryRecord {
            at: at.micros(),
            actor: actor_name.as_str().into(),
            action,
            subject: subject.into(),
            detail: detail.as_str().into(),
        },
    );
    Ok(())
}
