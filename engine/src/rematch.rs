//! Judge again what others may have missed: payments that came after their lines, and the reverse.

use crate::{
    Engine, Error,
    derive::{Buckets, Cause, Seeds, derive},
    in_tx,
    seal::Leaves,
    storage::{
        accounts, files, matching,
        rematch::{self, Word},
    },
};
use std::collections::BTreeSet;

/// Intents judged in one transaction.
const CHUNK: usize = 1_000;

/// Words taken up together: a payment that is registered alone leaves one about each account.
const WORDS: i64 = 100;

/// Drains what waits, account by account, except where a file is being posted: its closing pass
/// drains then.
pub async fn drain(engine: &Engine) -> Result<(), Error> {
    let waiting = rematch::accounts(engine.store.read().await?).await?;
    for account in waiting {
        let busy = !files::unfinished_of_account(engine.store.read().await?, account)
            .await?
            .is_empty();
        if !busy {
            drain_account(engine, account).await?;
        }
    }
    Ok(())
}

/// Drains what waits about one account.
pub async fn drain_account(engine: &Engine, account: i64) -> Result<(), Error> {
    loop {
        let words = rematch::next(engine.store.read().await?, account, WORDS).await?;
        if words.is_empty() {
            return Ok(());
        }
        let mut intents = BTreeSet::new();
        for word in &words {
            intents.extend(touched(engine, word).await?);
        }
        let intents: Vec<i64> = intents.into_iter().collect();
        for part in intents.chunks(CHUNK) {
            judge(engine, account, part).await?;
        }
        let struck = in_tx!(engine.store, |tx| {
            for word in &words {
                rematch::done(tx, word.id).await?;
            }
            Ok(())
        });
        struck.or_else(|e| match e {
            // Somebody else drained one of them at the same time.
            Error::Storage(crate::storage::StorageError::RowCount { .. }) => Ok(()),
            e => Err(e),
        })?;
    }
}

/// The intents that are to be judged because of a word.
async fn touched(engine: &Engine, word: &Word) -> Result<Vec<i64>, Error> {
    let reading = engine.store.read().await?;
    let (account, first, last) = (word.account_id, word.first_id, word.last_id);
    Ok(if word.what == "intents" {
        matching::named_intents(reading, account, first, last).await?
    } else {
        matching::touched_intents(reading, account, first, last).await?
    })
}

async fn judge(engine: &Engine, account: i64, intents: &[i64]) -> Result<(), Error> {
    let now = engine.now();
    in_tx!(engine.store, |tx| {
        accounts::pass_gate(tx, account).await?;
        let known = accounts::all(&mut *tx).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let seeds = Seeds {
            intents: intents.iter().copied().collect(),
            ..Seeds::default()
        };
        let cause = Cause {
            kind: "rematch",
            name: "payments",
            actor: "tieout",
            person: false,
            now,
        };
        derive(tx, &mut leaves, &known, &seeds, Buckets::Given(&[]), cause).await?;
        leaves.write(tx).await
    })
}
