//! Takes a file in: its bytes are stored already; now it has a name, an account and a place in line.

use super::file::{self, Mover};
use crate::{
    Engine, Error, audit,
    evidence_store::Stored,
    in_tx,
    seal::Leaves,
    storage::{
        accounts,
        counter::allocate,
        files::{self, StoredFile},
    },
};
use domain::{
    actor::{Actor, Permission},
    seal::{Text, records::SettlementFileRecord},
};

/// A file that was taken in, or recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// Key in storage.
    pub id: i64,
    /// Its public id.
    pub public_id: String,
    /// The provider account.
    pub account_id: i64,
    /// Whether these bytes were there before; then nothing changed.
    pub known: bool,
}

/// Takes stored bytes in as a settlement file of an account. The same bytes for the same account are
/// recognised, and nothing changes.
pub async fn receive_file(
    engine: &Engine,
    actor: &Actor,
    provider: &str,
    name: &str,
    profile: Option<&str>,
    bytes: Stored,
) -> Result<Received, Error> {
    actor.require(Permission::Ingest)?;
    let now = engine.now();
    let public_id = engine.sources.ids.public_id();
    let name: String = name
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or("")
        .chars()
        .take(200)
        .collect();
    in_tx!(engine.store, |tx| {
        let known_accounts = accounts::all(&mut *tx).await?;
        let account = known_accounts
            .values()
            .find(|a| a.name == provider)
            .ok_or_else(|| Error::not_found("provider account", provider))?;
        if let Some((id, public_id, _)) = files::known(&mut *tx, account.id, &bytes.sha256).await? {
            return Ok(Received {
                id,
                public_id,
                account_id: account.id,
                known: true,
            });
        }
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let id = allocate(&mut *tx, "settlement_file", 1).await?;
        let mut stored = StoredFile {
            id,
            public_id: public_id.clone(),
            account_id: account.id,
            sha256: bytes.sha256.to_vec(),
            bytes: i64::try_from(bytes.bytes).unwrap_or(i64::MAX),
            name: name.clone(),
            received_at: now.micros(),
            received_by: actor.name(),
            state: "RECEIVED".to_owned(),
            seq: 0,
            profile: profile.unwrap_or("").to_owned(),
            encoding: String::new(),
            rows_total: 0,
            rows_done: 0,
            lines_done: 0,
            accepted: 0,
            report: "{}".to_owned(),
            failures: 0,
            error: String::new(),
            first_day: None,
            last_day: None,
            covered_spans: String::new(),
        };
        files::insert(tx, &stored).await?;
        leaves.push(
            id,
            &SettlementFileRecord {
                provider: &account.name,
                file: &bytes.sha256,
                bytes: stored.bytes,
                name: Text::Plain(&stored.name),
                received_at: stored.received_at,
                received_by: Text::Plain(&stored.received_by),
            },
        );
        let actor_name = actor.name();
        let mover = Mover {
            actor: &actor_name,
            now,
            provider: &account.name,
        };
        file::step(
            tx,
            &mut leaves,
            &mut stored,
            "RECEIVED",
            &serde_json::json!({}),
            mover,
        )
        .await?;
        let detail = serde_json::json!({
            "provider": account.name,
            "sha256": hex::encode(bytes.sha256),
            "bytes": bytes.bytes,
        });
        audit::record(
            tx,
            &mut leaves,
            actor,
            now,
            "file.receive",
            &stored.public_id,
            &detail,
        )
        .await?;
        leaves.write(tx).await?;
        Ok(Received {
            id,
            public_id: stored.public_id,
            account_id: account.id,
            known: false,
        })
    })
}
