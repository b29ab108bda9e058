//! Verifies a database: seals what waits, recomputes all of it, and says for each thing that was
//! checked whether it holds, with the first record that breaks it.

use super::{books, bytes, cases, chain, current, decisions, files, keys, leaves};
use crate::{
    Engine, Error, EvidenceStore,
    seal::{append_blocks, secret},
    storage::{Reader, StorageError},
};
use domain::{
    actor::{Actor, Permission},
    seal::{Head, Secret, hex_of},
    time::Instant,
    view::{
        amount::counted,
        audit::{Check, Verification},
    },
};

/// Verifies the database and the received files beside it, each of which is read again.
pub async fn verify_with_files(
    engine: &Engine,
    actor: &Actor,
    noted: Option<Head>,
    evidence: &EvidenceStore,
) -> Result<Verification, Error> {
    let mut verification = verify_database(engine, actor, noted).await?;
    let found = bytes::check(engine, evidence).await?;
    let good = found.words();
    verification.checks.push(check(
        "every received file is kept as it came",
        found.broken,
        good,
    ));
    Ok(verification)
}

/// Verifies everything in the database. `noted` is a head that was written down elsewhere: the chain
/// must pass through it.
pub async fn verify_database(
    engine: &Engine,
    actor: &Actor,
    noted: Option<Head>,
) -> Result<Verification, Error> {
    actor.require(Permission::Audit)?;
    append_blocks(engine).await?;
    let mut reader = engine.store.read().await?;
    let secret = secret::known(&mut reader)
        .await?
        // Nothing was ever sealed: any secret gives the leaves of no record.
        .unwrap_or_else(|| Secret::new(&[0; 32]));
    let leaves = match leaves::check(&mut reader, secret).await {
        Err(Error::Storage(corrupt @ StorageError::Corrupt { .. })) => leaves::Found {
            broken: Some(corrupt.to_string()),
            ..leaves::Found::default()
        },
        other => other?,
    };
    let chain = match chain::check(&mut reader, noted).await {
        Err(Error::Storage(corrupt @ StorageError::Corrupt { .. })) => chain::Found {
            broken: Some(corrupt.to_string()),
            ..chain::Found::default()
        },
        other => other?,
    };
    let mut checks = vec![
        check(
            "every record is as it was sealed",
            leaves.broken,
            format!("{} recomputed", counted(leaves.leaves, "record", "records")),
        ),
        check(
            "every record has exactly one leaf",
            leaves.uncovered,
            format!("{} leaves", leaves.leaves),
        ),
        check(
            "every block holds the root of its leaves and names the block before",
            chain.broken,
            format!("{} blocks recomputed", chain.blocks),
        ),
    ];
    if let Some(noted) = noted {
        checks.push(check(
            "the noted head lies on the chain",
            chain.off_chain,
            noted.to_string(),
        ));
    }
    let order = decisions::Order {
        decided: leaves.decided,
        answered: leaves.answered,
    };
    checks.extend(sums(&mut reader).await?);
    checks.extend(standings(&mut reader, &order, engine.now()).await?);
    checks.push(check(
        "every row counts once",
        leaves.identity,
        String::new(),
    ));
    let keys = match leaves.intent_key {
        Some(missing) => Some(missing),
        None => said(keys::keys(&mut reader).await)?,
    };
    checks.push(check(
        "lines and payments are found by the texts that they bear",
        keys,
        String::new(),
    ));
    Ok(Verification {
        at: engine.now(),
        by: actor.name(),
        blocks: chain.blocks,
        leaves: leaves.leaves,
        head_block: chain.head.map_or(0, |h| h.number),
        head_hash: chain.head.map_or_else(String::new, |h| hex_of(&h.hash)),
        checks,
    })
}

/// Whether the books sum up, and whether the lines explain them.
async fn sums(reader: &mut Reader) -> Result<Vec<Check>, Error> {
    let mut checks = Vec::new();
    for (what, broken) in [
        (
            "every entry sums to zero in each currency",
            books::entries_balance(reader).await,
        ),
        (
            "every balance is the sum of its postings",
            books::balances_are_sums(reader).await,
        ),
        (
            "the trial balance sums to zero in each currency",
            books::trial_balance_is_zero(reader).await,
        ),
        (
            "every verdict's entry exists",
            books::verdicts_are_posted(reader).await,
        ),
        (
            "every entry is over as many lines as it says",
            books::entries_count_lines(reader).await,
        ),
        (
            "accounts equal the lines and open items behind them",
            books::lines_explain_the_ledger(reader).await,
        ),
        (
            "suspense, reserve, in transit and carried forward are the sums of their open items",
            books::open_items_are_the_balance(reader).await,
        ),
    ] {
        checks.push(check(what, said(broken)?, String::new()));
    }
    Ok(checks)
}

/// Whether what stands is what the histories give.
async fn standings(
    reader: &mut Reader,
    order: &decisions::Order,
    now: Instant,
) -> Result<Vec<Check>, Error> {
    let mut checks = Vec::new();
    for (what, broken) in [
        (
            "every line stands as its last verdict says",
            current::lines(reader).await,
        ),
        (
            "every file counts its lines by verdict",
            current::file_verdicts(reader).await,
        ),
        (
            "every payment and account of a person stands as its history says",
            current::states(reader).await,
        ),
        (
            "every file stands as its history says",
            files::files(reader).await,
        ),
        (
            "every case stands as its history says",
            cases::cases(reader, now).await,
        ),
        (
            "every decision and ruling stands as its history says",
            decisions::decisions(reader, order).await,
        ),
        (
            "every line is shared out as its last verdict says",
            current::shares(reader).await,
        ),
        (
            "every intent's matched money is the sum of its lines",
            current::intents(reader).await,
        ),
        (
            "every batch is the sum of its lines",
            current::batches(reader).await,
        ),
        (
            "every line that names nobody waits by its own amount",
            current::buckets(reader).await,
        ),
        (
            "everything that a row names is there, and every current row is of something",
            current::references(reader).await,
        ),
    ] {
        checks.push(check(what, said(broken)?, String::new()));
    }
    Ok(checks)
}

/// What cannot even be read is named as what is wrong, and the rest is still checked.
fn said(found: Result<Option<String>, Error>) -> Result<Option<String>, Error> {
    match found {
        Err(Error::Storage(corrupt @ StorageError::Corrupt { .. })) => {
            Ok(Some(corrupt.to_string()))
        }
        other => other,
    }
}

fn check(what: &str, broken: Option<String>, good: String) -> Check {
    Check {
        what: what.to_owned(),
        holds: broken.is_none(),
        detail: broken.unwrap_or(good),
    }
}
