//! Keeps the hash of the request that a worker is about to send to its provider.
//!
//! It is evidence about the attempt, sealed when the attempt is claimed, before anything is sent: what
//! the provider says it received can be compared with it. It says nothing of an outcome.

use crate::{
    Engine, Error,
    seal::Leaves,
    storage::{Tx, counter::allocate, payments, stored},
};
use domain::{
    account::ProviderAccount,
    seal::{Text, records::EvidenceRecord},
    time::Instant,
};
use sha2::{Digest, Sha256};

/// The kind of evidence that this is.
pub(crate) const KIND: &str = "api_request";

/// The attempt that a worker claimed, and whose word the digest is.
pub(super) struct Claimed<'a> {
    /// Key of its intent.
    pub intent_id: i64,
    /// The company's id of its intent.
    pub intent: &'a str,
    /// Its id.
    pub attempt: &'a str,
    /// The account at which it is made.
    pub account: &'a ProviderAccount,
    /// The worker, as history shows it.
    pub worker: &'a str,
    pub now: Instant,
}

/// Keeps a digest as the worker gave it.
pub(super) async fn keep(
    engine: &Engine,
    tx: &mut Tx,
    claimed: &Claimed<'_>,
    digest: &str,
) -> Result<(), Error> {
    let known = payments::attempts_by_public_id(&mut *tx, std::iter::once(claimed.attempt)).await?;
    let attempt = known
        .first()
        .ok_or_else(|| Error::Internal("a claimed attempt is gone".to_owned()))?;
    let claim = stored::to_json(&serde_json::json!({
        "attempt": claimed.attempt,
        "request_digest": digest,
    }))?;
    let hash: [u8; 32] = Sha256::digest(claim.as_bytes()).into();
    let id = allocate(&mut *tx, "evidence", 1).await?;
    let now = claimed.now.micros();
    let mut leaves = Leaves::begin(tx, &engine.sources).await?;
    let mut rows = payments::evidence_rows();
    rows.add()
        .int(id)
        .text(KIND)
        .opt_int(Some(claimed.account.id))
        .opt_int(Some(claimed.intent_id))
        .opt_int(Some(attempt.id))
        .text(claimed.worker)
        .blob(&hash)
        .text(&claim)
        .opt_int(None)
        .int(now);
    leaves.push(
        id,
        &EvidenceRecord {
            kind: KIND,
            provider: Some(&claimed.account.name),
            intent: Some(claimed.intent),
            attempt: Some(claimed.attempt),
            source: Text::Plain(claimed.worker),
            content_hash: &hash,
            claim: Text::Plain(&claim),
            occurred_at: None,
            received_at: now,
        },
    );
    rows.insert_into(tx, "evidence").await?;
    leaves.write(tx).await
}
