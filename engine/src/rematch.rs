//! Judge again what others may have missed: payments that came after their lines, and the reverse.

use crate::{
    Engine, Error,
    derive::{
        Buckets, Cause, Seeds, Work,
        cases::{About, write_for},
        derive,
    },
    in_tx,
    seal::Leaves,
    storage::{
        accounts, cases, files, leases, matching, payments,
        rematch::{self, Word},
    },
    sweep,
};
use domain::{
    cases::{CaseKind, Subject, unjudged},
    seal::records::MACHINE,
    time::Instant,
};
use std::collections::BTreeSet;

/// Intents judged in one transaction.
const CHUNK: usize = 1_000;

/// Words taken up together: a payment that is registered alone leaves one about each account.
const WORDS: i64 = 100;

/// Payments that cannot be judged which one pass looks for.
const MOST_FAILED: usize = 20;

/// How long a word about payments that cannot be judged is left.
const REST_SECONDS: i64 = 10 * 60;

/// The kind of lease under which it is left.
const RESTING: &str = "rematch";

/// Drains what waits, account by account, except where a file is being posted: its closing pass
/// drains then. An account that fails stops no other; the first error is the answer once the others
/// are done.
pub async fn drain(engine: &Engine) -> Result<(), Error> {
    let waiting = rematch::accounts(engine.store.read().await?).await?;
    let mut failed = Ok(());
    for account in waiting {
        let drained = drain_if_idle(engine, account).await.inspect_err(|error| {
            tracing::error!(account, %error, "payments of an account could not be judged again; other accounts go on");
        });
        failed = failed.and(drained);
    }
    failed
}

async fn drain_if_idle(engine: &Engine, account: i64) -> Result<(), Error> {
    let unfinished = files::unfinished_of_account(engine.store.read().await?, account).await?;
    if unfinished.is_empty() {
        drain_account(engine, account).await
    } else {
        Ok(())
    }
}

/// Drains what waits about one account. A word about payments that cannot be judged stays and is tried
/// again later; those behind it are drained all the same, and a case says what could not be judged.
pub async fn drain_account(engine: &Engine, account: i64) -> Result<(), Error> {
    let mut drained = Drained::default();
    let resting = leases::running(engine.store.read().await?, RESTING, engine.now()).await?;
    let mut after = 0;
    loop {
        let mut words = rematch::next(engine.store.read().await?, account, after, WORDS).await?;
        let Some(last) = words.last() else { break };
        after = last.id;
        let found = words.len();
        drained.words += found;
        words.retain(|word| !resting.contains(&word.id.to_string()));
        drained.resting |= words.len() < found;
        drained.take_up(engine, account, &words).await?;
    }
    tell(engine, account, &drained).await
}

/// What draining an account came to.
#[derive(Default)]
struct Drained {
    words: usize,
    /// Whether a word was left because it failed a short while ago.
    resting: bool,
    /// Payments that cannot be judged, and why.
    failed: Vec<(i64, Error)>,
}

impl Drained {
    /// Judges what words are about and strikes them out, but for those about payments that cannot be
    /// judged: they are left for a while.
    async fn take_up(
        &mut self,
        engine: &Engine,
        account: i64,
        words: &[Word],
    ) -> Result<(), Error> {
        let mut of_words = Vec::with_capacity(words.len());
        for word in words {
            of_words.push((word.id, touched(engine, word).await?));
        }
        let intents: BTreeSet<i64> = of_words.iter().flat_map(|(_, i)| i).copied().collect();
        let intents: Vec<i64> = intents.into_iter().collect();
        let mut left = BTreeSet::new();
        for part in intents.chunks(CHUNK) {
            left.extend(self.judge_apart(engine, account, part).await?);
        }
        let failed: BTreeSet<i64> = self.failed.iter().map(|(intent, _)| *intent).collect();
        let named = |which: &dyn Fn(&[i64]) -> bool| {
            let found = of_words.iter().filter(|(_, intents)| which(intents));
            found.map(|(word, _)| *word).collect::<Vec<i64>>()
        };
        let any = |of: &[i64], set: &BTreeSet<i64>| of.iter().any(|i| set.contains(i));
        let rest = named(&|intents| any(intents, &failed));
        let done = named(&|intents| !any(intents, &failed) && !any(intents, &left));
        strike(engine, done).await?;
        leave(engine, rest).await
    }

    /// Judges payments together or, where some of them cannot be judged, in halves, so that only those
    /// are left that cannot; gives which. After a few of them parts are not halved any more: the next
    /// pass does, when the words about those few rest.
    async fn judge_apart(
        &mut self,
        engine: &Engine,
        account: i64,
        intents: &[i64],
    ) -> Result<Vec<i64>, Error> {
        let mut left = Vec::new();
        let mut parts = vec![intents];
        while let Some(part) = parts.pop() {
            let Err(error) = judge(engine, account, part).await else {
                continue;
            };
            match part {
                _ if error.is_retryable() => return Err(error),
                part if self.failed.len() >= MOST_FAILED => left.extend(part),
                [one] => {
                    tracing::error!(account, intent = one, %error, "a payment cannot be judged again; others are");
                    self.failed.push((*one, error));
                    left.push(*one);
                }
                several => {
                    let (first, second) = several.split_at(several.len() / 2);
                    parts.extend([second, first]);
                }
            }
        }
        Ok(left)
    }
}

async fn strike(engine: &Engine, words: Vec<i64>) -> Result<(), Error> {
    let struck = in_tx!(engine.store, |tx| {
        for word in &words {
            rematch::done(tx, *word).await?;
        }
        Ok(())
    });
    struck.or_else(|e| match e {
        // Somebody else drained one of them at the same time.
        Error::Storage(crate::storage::StorageError::RowCount { .. }) => Ok(()),
        e => Err(e),
    })
}

/// Leaves words for a while: what fails now fails in a moment, too, and costs as much.
async fn leave(engine: &Engine, words: Vec<i64>) -> Result<(), Error> {
    if words.is_empty() {
        return Ok(());
    }
    let now = engine.now();
    let until = now.plus_seconds(REST_SECONDS);
    in_tx!(engine.store, |tx| {
        for word in &words {
            leases::take(tx, RESTING, &word.to_string(), RESTING, now, until).await?;
        }
        Ok(())
    })
}

/// Opens the case of payments that cannot be judged, or closes it.
async fn tell(engine: &Engine, account: i64, drained: &Drained) -> Result<(), Error> {
    if drained.words == 0 || (drained.resting && drained.failed.is_empty()) {
        return Ok(());
    }
    let now = engine.now();
    in_tx!(engine.store, |tx| {
        accounts::pass_gate(tx, account).await?;
        let known = accounts::all(&mut *tx).await?;
        let Some(of) = known.get(&account) else {
            return Ok(());
        };
        let subject = Subject::Payments(of.name.clone()).to_string();
        let kind = CaseKind::EventFailed.code();
        let open = cases::of_subjects(&mut *tx, std::iter::once((kind, subject.as_str()))).await?;
        let mut wanted = Vec::new();
        if let Some((first, error)) = drained.failed.first() {
            let named = payments::intent_names(&mut *tx, std::iter::once(*first)).await?;
            let first = named
                .into_iter()
                .next()
                .map_or_else(String::new, |(_, name, _)| name);
            let failed = unjudged(of, drained.failed.len(), &first, &error.to_string());
            if !sweep::is_dismissed(tx, &failed).await? {
                wanted.push(failed);
            }
        }
        if open.is_empty() && wanted.is_empty() {
            return Ok(());
        }
        let open = cases::by_id(&mut *tx, open.into_iter()).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let mut work = Work {
            tx: &mut *tx,
            leaves: &mut leaves,
            accounts: &known,
            cause: cause(now),
        };
        write_for(&mut work, open, wanted, About::default()).await?;
        leaves.write(tx).await
    })
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
        let given = Buckets::Given(&[]);
        derive(tx, &mut leaves, &known, account, &seeds, given, cause(now)).await?;
        leaves.write(tx).await
    })
}

/// What the records name as their cause.
const fn cause(now: Instant) -> Cause<'static> {
    Cause {
        kind: "rematch",
        name: "payments",
        actor: MACHINE,
        decided: None,
        now,
    }
}
