//! Judge again what others may have missed: payments that came after their lines, and the reverse.

use crate::{
    Engine, Error,
    derive::{Buckets, Cause, Seeds, derive},
    in_tx,
    seal::Leaves,
    storage::{accounts, files, matching, rematch},
};

/// Intents judged in one transaction.
const CHUNK: usize = 1_000;

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
        let words = rematch::next(engine.store.read().await?, account, 1).await?;
        let Some(word) = words.into_iter().next() else {
            return Ok(());
        };
        let touched = matching::touched_intents(
            engine.store.read().await?,
            account,
            word.first_id,
            word.last_id,
        )
        .await?;
        for part in touched.chunks(CHUNK) {
            judge(engine, account, part).await?;
        }
        let struck = in_tx!(engine.store, |tx| rematch::done(tx, word.id)
            .await
            .map_err(Error::from));
        struck.or_else(|e| match e {
            // Somebody else drained it at the same time.
            Error::Storage(crate::storage::StorageError::RowCount { .. }) => Ok(()),
            e => Err(e),
        })?;
    }
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
