//! Verifies a database: seals what waits, recomputes all of it, and says for each thing that was
//! checked whether it holds, with the first record that breaks it.

use super::{books, chain, current, leaves};
use crate::{
    Engine, Error,
    seal::{append_blocks, secret},
};
use domain::{
    actor::{Actor, Permission},
    seal::{Head, Secret, hex_of},
    view::{
        amount::counted,
        audit::{Check, Verification},
    },
};

/// Verifies everything. `noted` is a head that was written down elsewhere: the chain must pass
/// through it.
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
    let leaves = leaves::check(&mut reader, secret).await?;
    let chain = chain::check(&mut reader, noted).await?;
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
    let reader = &mut reader;
    for (what, broken) in [
        (
            "every entry sums to zero in each currency",
            books::entries_balance(reader).await?,
        ),
        (
            "every balance is the sum of its postings",
            books::balances_are_sums(reader).await?,
        ),
        (
            "the trial balance sums to zero in each currency",
            books::trial_balance_is_zero(reader).await?,
        ),
        (
            "every verdict's entry exists",
            books::verdicts_are_posted(reader).await?,
        ),
        (
            "accounts equal the lines and open items behind them",
            books::lines_explain_the_ledger(reader).await?,
        ),
        (
            "suspense, reserve, in transit and carried forward are the sums of their open items",
            books::open_items_are_the_balance(reader).await?,
        ),
        (
            "every line stands as its last verdict says",
            current::lines(reader).await?,
        ),
        (
            "every payment, case, file and account of a person stands as its history says",
            current::states(reader).await?,
        ),
        (
            "every line is shared out as its last verdict says",
            current::shares(reader).await?,
        ),
        (
            "every intent's matched money is the sum of its lines",
            current::intents(reader).await?,
        ),
        (
            "every batch is the sum of its lines",
            current::batches(reader).await?,
        ),
        ("every row counts once", current::identities(reader).await?),
    ] {
        checks.push(check(what, broken, String::new()));
    }
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

fn check(what: &str, broken: Option<String>, good: String) -> Check {
    Check {
        what: what.to_owned(),
        holds: broken.is_none(),
        detail: broken.unwrap_or(good),
    }
}
