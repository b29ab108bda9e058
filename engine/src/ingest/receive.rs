//! Takes a file in: its bytes are stored already; now it has a name, an account and a place in line.

use super::{
    file::{self, Mover},
    report::FileReport,
};
use crate::{
    Engine, Error, audit,
    evidence_store::Stored,
    in_tx,
    seal::Leaves,
    storage::{
        Tx, accounts,
        counter::allocate,
        files::{self, StoredFile},
        stored,
    },
};
use domain::{
    actor::{Actor, Permission},
    formats::READER_VERSION,
    one_line::file_name,
    seal::{Text, records::SettlementFileRecord},
    time::Instant,
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
    /// Whether these bytes were there before and nothing changed.
    pub known: bool,
    /// Whether these bytes were there before, could not be read, and are read again.
    pub read_again: bool,
}

/// Takes stored bytes in as a settlement file of an account. The same bytes for the same account are
/// recognised, and nothing changes; but those of a file of which nothing could be read are read again
/// where another profile is asked for, or where the reader has learned something since.
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
    let name = file_name(name);
    in_tx!(engine.store, |tx| {
        let known_accounts = accounts::all(&mut *tx).await?;
        let account = known_accounts
            .values()
            .find(|a| a.name == provider)
            .ok_or_else(|| Error::not_found("provider account", provider))?;
        let known = files::known(&mut *tx, account.id, &bytes.sha256).await?;
        if let Some((id, public_id, state)) = known {
            let again = Again {
                provider: &account.name,
                profile: profile.unwrap_or(""),
                now,
            };
            // Only a held file is worth waiting for at the account's gate.
            let read_again =
                state == "HELD" && read_again(tx, engine, actor, (account.id, id), again).await?;
            return Ok(Received {
                id,
                public_id,
                account_id: account.id,
                known: !read_again,
                read_again,
            });
        }
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let id = allocate(&mut *tx, "settlement_file", 1).await?;
        let mut new = StoredFile {
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
        files::insert(tx, &new).await?;
        leaves.push(
            id,
            &SettlementFileRecord {
                provider: &account.name,
                file: &bytes.sha256,
                bytes: new.bytes,
                name: Text::Plain(&new.name),
                received_at: new.received_at,
                received_by: Text::Plain(&new.received_by),
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
            &mut new,
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
            &new.public_id,
            &detail,
        )
        .await?;
        leaves.write(tx).await?;
        Ok(Received {
            id,
            public_id: new.public_id,
            account_id: account.id,
            known: false,
            read_again: false,
        })
    })
}

/// What a file that is known is sent again with.
struct Again<'a> {
    provider: &'a str,
    profile: &'a str,
    now: Instant,
}

/// Sends a known file back to be read, if nothing of it could be read and it may go better now.
async fn read_again(
    tx: &mut Tx,
    engine: &Engine,
    actor: &Actor,
    (account, file): (i64, i64),
    again: Again<'_>,
) -> Result<bool, Error> {
    accounts::pass_gate(tx, account).await?;
    let mut file = files::by_id(&mut *tx, file).await?;
    let report: FileReport = stored::json("file_now", "report", &file.public_id, &file.report)?;
    let unread = file.state == "HELD" && !report.rows_written;
    let promising = report.asked != again.profile || report.reader < READER_VERSION;
    if !unread || !promising {
        return Ok(false);
    }
    again.profile.clone_into(&mut file.profile);
    let mut leaves = Leaves::begin(tx, &engine.sources).await?;
    let name = actor.name();
    let mover = Mover {
        actor: &name,
        now: again.now,
        provider: again.provider,
    };
    let detail = serde_json::json!({ "read_again": true, "profile": again.profile });
    file::step(tx, &mut leaves, &mut file, "RECEIVED", &detail, mover).await?;
    let (action, subject) = ("file.read_again", &file.public_id);
    audit::record(tx, &mut leaves, actor, again.now, action, subject, &detail).await?;
    leaves.write(tx).await?;
    Ok(true)
}
