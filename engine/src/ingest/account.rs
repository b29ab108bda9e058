//! Works on the files of an account, one after another, under a lease: whoever dies loses it by time.

use super::{
    Ingest, Progress, STOPPED, WAITING, close, pass_one, post,
    take_back::{self, TAKING_BACK},
};
use crate::{
    Engine, Error, in_tx, rematch,
    seal::Leaves,
    storage::{
        Tx, accounts,
        files::{self, StoredFile},
        leases,
    },
};
use domain::account::ProviderAccount;
use std::time::Duration;

/// Seconds that a lease holds unless it is renewed; every transaction of the work renews it.
pub const LEASE_SECONDS: i64 = 20;

/// How long work goes on without renewing it.
const RENEW_EVERY: Duration = Duration::from_secs(5);

/// The lease's kind.
pub const LEASE: &str = "account";

/// Failures after which work on a file stops until a person lets it go on.
pub const MOST_FAILURES: i64 = 3;

/// Failures in a row by what was in the database's way after which work is left for later.
const MOST_WAITS: u32 = 6;

/// Works on every account that has something to do and on which nobody else works. What fails in one
/// account stops no other; the first error is the answer once the others are done.
pub async fn work_all(ingest: &Ingest) -> Result<(), Error> {
    let mut failed = Ok(());
    for account in busy(ingest).await? {
        let worked = work_if_free(ingest, account).await;
        failed = failed.and(told(account, worked));
    }
    failed.and(rematch::drain(&ingest.engine).await)
}

/// Lets work on files go on that failed too often, and works on everything that is left, also on what
/// another process holds: one that died lets go of it by time.
pub async fn work_again(ingest: &Ingest) -> Result<(), Error> {
    in_tx!(ingest.engine.store, |tx| files::forgive_failures(tx, 0)
        .await
        .map_err(Error::from))?;
    let mut failed = Ok(());
    for account in busy(ingest).await? {
        let worked = work_account(ingest, account).await;
        failed = failed.and(told(account, worked));
    }
    failed.and(rematch::drain(&ingest.engine).await)
}

/// As [`work_again`], of one provider account.
pub async fn work_again_for(ingest: &Ingest, provider: &str) -> Result<(), Error> {
    let account = crate::providers::key_of(&ingest.engine, provider).await?;
    in_tx!(ingest.engine.store, |tx| {
        files::forgive_failures(tx, account)
            .await
            .map_err(Error::from)
    })?;
    work_account(ingest, account).await?;
    rematch::drain_account(&ingest.engine, account).await
}

/// Accounts with a file on which work is not done.
async fn busy(ingest: &Ingest) -> Result<Vec<i64>, Error> {
    let mut busy = Vec::new();
    let mut tx = ingest.engine.store.read().await?;
    for id in files::unfinished(&mut tx).await? {
        let account = files::by_id(&mut tx, id).await?.account_id;
        if !busy.contains(&account) {
            busy.push(account);
        }
    }
    Ok(busy)
}

/// Logs what went wrong in an account, for the next accounts' work does not wait for anybody to ask.
fn told(account: i64, worked: Result<(), Error>) -> Result<(), Error> {
    worked.inspect_err(|error| {
        tracing::error!(account, %error, "work on an account's files failed; other accounts go on");
    })
}

/// Works on an account's files unless somebody else does: then it only says that they wait.
async fn work_if_free(ingest: &Ingest, account_id: i64) -> Result<(), Error> {
    let owner = ingest.engine.sources.ids.public_id();
    if take(ingest, &account_id.to_string(), &owner).await? {
        return match work_holding(ingest, account_id, &owner).await {
            Err(Error::LeaseLost) => Ok(()),
            ended => ended,
        };
    }
    let left = files::unfinished_of_account(ingest.engine.store.read().await?, account_id).await?;
    if let Some(next) = left.first() {
        tell_waiting(ingest, *next).await?;
    }
    Ok(())
}

/// Works on an account's files until none is unfinished. Waits while somebody else does.
pub async fn work_account(ingest: &Ingest, account_id: i64) -> Result<(), Error> {
    let owner = ingest.engine.sources.ids.public_id();
    let key = account_id.to_string();
    let mut told = false;
    loop {
        if take(ingest, &key, &owner).await? {
            match work_holding(ingest, account_id, &owner).await {
                // Whoever took it works on the same files: it is waited for, as if it had been first.
                Err(Error::LeaseLost) => continue,
                ended => return ended,
            }
        }
        let left =
            files::unfinished_of_account(ingest.engine.store.read().await?, account_id).await?;
        let Some(next) = left.first() else {
            return Ok(());
        };
        if !told {
            told = true;
            tracing::info!(
                account = account_id,
                most_seconds = LEASE_SECONDS,
                "settlement files wait: another process works on their account, or one that died holds it still"
            );
            tell_waiting(ingest, *next).await?;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Works under the lease and gives it back.
async fn work_holding(ingest: &Ingest, account_id: i64, owner: &str) -> Result<(), Error> {
    let result = work(ingest, account_id, owner).await;
    let key = account_id.to_string();
    in_tx!(ingest.engine.store, |tx| leases::release(
        tx, LEASE, &key, owner
    )
    .await
    .map_err(Error::from))?;
    result
}

/// Refuses where the lease was lost. Ask it behind the account's gate before the first write: nobody
/// else is writing then, and whoever took the account over meanwhile is seen.
pub(super) async fn still_held(tx: &mut Tx, account: i64, owner: &str) -> Result<(), Error> {
    if leases::is_held(tx, LEASE, &account.to_string(), owner).await? {
        Ok(())
    } else {
        Err(Error::LeaseLost)
    }
}

/// Renews the lease, or refuses where it was lost.
pub(super) async fn keep(
    engine: &Engine,
    tx: &mut Tx,
    account: i64,
    owner: &str,
) -> Result<(), Error> {
    let until = engine.now().plus_seconds(LEASE_SECONDS);
    if leases::renew(tx, LEASE, &account.to_string(), owner, until).await? {
        Ok(())
    } else {
        Err(Error::LeaseLost)
    }
}

/// The same between two units of work.
pub(super) async fn renew(engine: &Engine, account: i64, owner: &str) -> Result<(), Error> {
    in_tx!(engine.store, |tx| keep(engine, tx, account, owner).await)
}

/// Does what is long and writes nothing, and renews the lease meanwhile.
pub(super) async fn while_held<T>(
    engine: &Engine,
    account: i64,
    owner: &str,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let mut work = std::pin::pin!(work);
    loop {
        match tokio::time::timeout(RENEW_EVERY, &mut work).await {
            Ok(done) => return done,
            Err(_) => renew(engine, account, owner).await?,
        }
    }
}

/// Says that somebody else holds the account: another process at work, or one that died.
async fn tell_waiting(ingest: &Ingest, file: i64) -> Result<(), Error> {
    let file = files::by_id(ingest.engine.store.read().await?, file).await?;
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
    let mut waits = Waits::default();
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
        let Err(error) = work_file(ingest, account, file.id, owner).await else {
            continue;
        };
        match Failure::of(&error) {
            Failure::NotOurs => return Err(error),
            Failure::InTheWay => {
                let Some(pause) = waits.pause(&file) else {
                    return Err(error);
                };
                tracing::warn!(file = %file.public_id, %error, "others were in the way of a settlement file; it goes on where it stands");
                tokio::time::sleep(pause).await;
            }
            Failure::OfTheFile => {
                tracing::error!(file = %file.public_id, error = %error, "work on a settlement file failed");
                note_failure(ingest, account_id, file.id, &error).await?;
            }
        }
    }
    rematch::drain_account(&ingest.engine, account_id).await
}

/// Whose failure it is that work on a file did not come to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failure {
    /// Nobody's: another process does the work.
    NotOurs,
    /// Nobody's: the same work may succeed when begun again.
    InTheWay,
    /// The file's, or what it needs is broken: counted, and after a few a person must look.
    OfTheFile,
}

impl Failure {
    const fn of(error: &Error) -> Self {
        match error {
            Error::LeaseLost => Self::NotOurs,
            error if error.is_retryable() => Self::InTheWay,
            _ => Self::OfTheFile,
        }
    }
}

/// Counts how often in a row others were in the way at the same place of a file.
#[derive(Debug, Default)]
struct Waits {
    times: u32,
    place: Option<(i64, i64, i64, i64)>,
}

impl Waits {
    /// How long to wait for them; none where it is enough for now.
    fn pause(&mut self, file: &StoredFile) -> Option<Duration> {
        let place = Some((file.id, file.seq, file.rows_done, file.lines_done));
        if self.place != place {
            *self = Self { times: 0, place };
        }
        self.times += 1;
        (self.times <= MOST_WAITS).then(|| Duration::from_millis(50_u64 << self.times))
    }
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
            TAKING_BACK => take_back::work::work(ingest, account, file, owner).await?,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::StorageError;

    #[test]
    fn what_is_nobodys_fault_is_not_counted_against_the_file() {
        let busy = || {
            Error::from(StorageError::Busy {
                detail: "40P01 deadlock detected".to_owned(),
            })
        };
        assert_eq!(Failure::of(&busy()), Failure::InTheWay);
        assert_eq!(Failure::of(&Error::LeaseLost), Failure::NotOurs);
        let broken = Error::Internal("the stored file cannot be read".to_owned());
        assert_eq!(Failure::of(&broken), Failure::OfTheFile);
        let duplicate = Error::from(StorageError::Duplicate {
            constraint: "row_identity_now_pkey".to_owned(),
        });
        assert_eq!(Failure::of(&duplicate), Failure::OfTheFile);
    }
}
