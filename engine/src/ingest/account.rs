//! Works on the files of an account, one after another, under a lease: whoever dies loses it by time.

use super::{Ingest, Progress, STOPPED, WAITING, close, pass_one, post};
use crate::{
    Error, in_tx, rematch,
    seal::Leaves,
    storage::{accounts, files, leases},
};
use domain::account::ProviderAccount;
use std::time::Duration;

/// Seconds that a lease holds unless it is renewed; every transaction of the work renews it.
pub const LEASE_SECONDS: i64 = 20;

/// The lease's kind.
pub const LEASE: &str = "account";

/// Failures after which work on a file stops until a person lets it go on.
pub const MOST_FAILURES: i64 = 3;

/// Works on every account that has something to do.
pub async fn work_all(ingest: &Ingest) -> Result<(), Error> {
    let mut busy = Vec::new();
    {
        let mut tx = ingest.engine.store.read().await?;
        for id in files::unfinished(&mut tx).await? {
            let account = files::by_id(&mut tx, id).await?.account_id;
            if !busy.contains(&account) {
                busy.push(account);
            }
        }
    }
    for account in busy {
        work_account(ingest, account).await?;
    }
    rematch::drain(&ingest.engine).await
}

/// Lets work on files go on that failed too often, and works on everything that is left.
pub async fn work_again(ingest: &Ingest) -> Result<(), Error> {
    in_tx!(ingest.engine.store, |tx| files::forgive_failures(tx)
        .await
        .map_err(Error::from))?;
    work_all(ingest).await
}

/// Works on an account's files until none is unfinished. Waits while somebody else does.
pub async fn work_account(ingest: &Ingest, account_id: i64) -> Result<(), Error> {
    let owner = ingest.engine.sources.ids.public_id();
    let key = account_id.to_string();
    let mut told = false;
    while !take(ingest, &key, &owner).await? {
        let left =
            files::unfinished_of_account(ingest.engine.store.read().await?, account_id).await?;
        let Some(next) = left.first() else {
            return Ok(());
        };
        if !told {
            told = true;
            tell_waiting(ingest, *next).await?;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let result = work(ingest, account_id, &owner).await;
    in_tx!(ingest.engine.store, |tx| leases::release(
        tx, LEASE, &key, &owner
    )
    .await
    .map_err(Error::from))?;
    result
}

/// Says that somebody else holds the account: another process at work, or one that died.
async fn tell_waiting(ingest: &Ingest, file: i64) -> Result<(), Error> {
    let file = files::by_id(ingest.engine.store.read().await?, file).await?;
    tracing::info!(
        file = %file.public_id,
        most_seconds = LEASE_SECONDS,
        "a settlement file waits: another process works on its account, or one that died holds it still"
    );
    (ingest.tell)(Progress {
        file: file.public_id,
        state: WAITING.to_owned(),
        rows_done: 0,
        rows_total: 0,
    });
    Ok(())
}

async fn take(ingest: &Ingest, key: &str, owner: &str) -> Result<bool, Error> {
    let now = ingest.engine.now();
    let until = now.plus_seconds(LEASE_SECONDS);
    in_tx!(ingest.engine.store, |tx| leases::take(
        tx, LEASE, key, owner, now, until
    )
    .await
    .map_err(Error::from))
}

async fn work(ingest: &Ingest, account_id: i64, owner: &str) -> Result<(), Error> {
    loop {
        let mut tx = ingest.engine.store.read().await?;
        let known = accounts::all(&mut tx).await?;
        let account = known
            .get(&account_id)
            .ok_or_else(|| Error::not_found("provider account", account_id))?;
        let next = match files::unfinished_of_account(&mut tx, account_id)
            .await?
            .first()
        {
            Some(id) => Some(files::by_id(&mut tx, *id).await?),
            None => None,
        };
        drop(tx);
        let Some(file) = next else { break };
        let id = file.id;
        if let Err(error) = work_file(ingest, account, id, owner).await {
            tracing::error!(file = %file.public_id, error = %error, "work on a settlement file failed");
            note_failure(ingest, account_id, id, &error).await?;
        }
    }
    rematch::drain_account(&ingest.engine, account_id).await
}

/// Takes a file through all of its steps, from wherever it stands.
async fn work_file(
    ingest: &Ingest,
    account: &ProviderAccount,
    id: i64,
    owner: &str,
) -> Result<(), Error> {
    loop {
        let file = files::by_id(ingest.engine.store.read().await?, id).await?;
        match file.state.as_str() {
            "RECEIVED" | "READING" => pass_one::read(ingest, account, file, owner).await?,
            "HOLDING" | "POSTING" => post::write(ingest, account, file, owner).await?,
            "CLOSING" => close::close(ingest, account, file, owner).await?,
            _ => return Ok(()),
        }
    }
}

async fn note_failure(
    ingest: &Ingest,
    account_id: i64,
    id: i64,
    error: &Error,
) -> Result<(), Error> {
    let engine = &ingest.engine;
    let now = engine.now();
    let stopped = in_tx!(engine.store, |tx| {
        accounts::pass_gate(tx, account_id).await?;
        let mut file = files::by_id(&mut *tx, id).await?;
        file.failures += 1;
        file.error = error.to_string().chars().take(500).collect();
        files::put(tx, &file).await?;
        if file.failures < MOST_FAILURES {
            return Ok(None);
        }
        let known = accounts::all(&mut *tx).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        close::file_cases(tx, &mut leaves, &known, &file, now).await?;
        leaves.write(tx).await?;
        Ok(Some(file.public_id))
    })?;
    if let Some(file) = stopped {
        tracing::error!(file = %file, failures = MOST_FAILURES, "work on a settlement file stopped: its case says why");
        (ingest.tell)(Progress {
            file,
            state: STOPPED.to_owned(),
            rows_done: 0,
            rows_total: 0,
        });
    }
    Ok(())
}
