//! What the audit log says of an import: who brought which bytes, and what came of it.

use super::PaymentsImport;
use crate::{Engine, Error, audit, evidence_store::Stored, in_tx, seal::Leaves};
use domain::actor::Actor;

/// Writes into the audit log who is about to import which bytes.
pub async fn begin(engine: &Engine, actor: &Actor, stored: Stored) -> Result<(), Error> {
    record(
        engine,
        actor,
        "payments.receive",
        &serde_json::json!({
            "sha256": hex::encode(stored.sha256),
            "bytes": stored.bytes,
        }),
    )
    .await
}

/// Writes into the audit log who imported what, and what came of it.
pub async fn done(
    engine: &Engine,
    actor: &Actor,
    stored: Option<Stored>,
    import: &PaymentsImport,
) -> Result<(), Error> {
    record(
        engine,
        actor,
        "payments.import",
        &serde_json::json!({
            "sha256": stored.map(|stored| hex::encode(stored.sha256)),
            "rows": import.rows,
            "intents_new": import.intents_new,
            "attempts_new": import.attempts_new,
            "attempts_updated": import.attempts_updated,
            "unchanged": import.unchanged,
            "refused": import.refused_rows,
        }),
    )
    .await
}

async fn record(
    engine: &Engine,
    actor: &Actor,
    action: &'static str,
    detail: &serde_json::Value,
) -> Result<(), Error> {
    in_tx!(engine.store, |tx| {
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let now = engine.now();
        audit::record(tx, &mut leaves, actor, now, action, "payments", detail).await?;
        leaves.write(tx).await
    })
}
