//! One pass of the checks that only time makes. The time is a parameter.
//!
//! | File | Checks |
//! |---|---|
//! | [`outcomes`] | leases that ran out, attempts unknown past grace, settlements due and not there |
//! | [`coverage`] | days of which no file came |
//! | [`parts`] | payments that came in part and whose rest is due |
//! | [`severity`] | cases that become more severe by waiting |
//! | [`wake`] | cases that wake, and cases whose holder's time ran out |

mod coverage;
mod outcomes;
mod parts;
mod severity;
mod wake;

pub use coverage::{coverage, covered_days, due_in, is_dismissed};

use crate::{
    Engine, Error,
    derive::Derived,
    in_tx,
    ingest::close,
    seal::Leaves,
    storage::{
        Tx, accounts, files,
        sweep::{Page, newest},
    },
};
use domain::{
    account::ProviderAccount,
    matching::Accounts,
    time::{Instant, Zone},
};

/// What a sweep did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Swept {
    /// Attempts whose lease ran out.
    pub leases_over: u64,
    /// Cases that opened or opened again.
    pub cases_opened: u64,
    /// Cases that closed by themselves.
    pub cases_closed: u64,
    /// Cases that woke, or were let go.
    pub cases_moved: u64,
}

/// Attempts or lines that are looked at in one unit of work.
const PAGE: i64 = 5_000;

/// What went wrong, account by account: the others are checked all the same.
#[derive(Debug, Default)]
pub(crate) struct Failed(Option<Error>);

impl Failed {
    /// The value, or what there is of nothing where an account could not be checked: logged, and told
    /// at the end.
    fn unless<T: Default>(&mut self, account: i64, result: Result<T, Error>) -> T {
        result.unwrap_or_else(|error| {
            tracing::error!(account, %error, "an account could not be checked; the others are");
            self.0.get_or_insert(error);
            T::default()
        })
    }

    /// The first that went wrong, if anything did.
    fn told<T>(self, value: T) -> Result<T, Error> {
        self.0.map_or(Ok(value), Err)
    }
}

/// How far back a sweep looks for attempts that nothing settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// To the first attempt.
    Whole,
    /// Some weeks: enough as long as nothing came that could concern older ones.
    Recent,
}

/// What must be the same for a look at all attempts not to be needed again: the day, and which file
/// and which import of payments are the newest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    day: i64,
    newest: (i64, i64),
}

/// How things stand before a sweep.
pub async fn mark(engine: &Engine, now: Instant) -> Result<Mark, Error> {
    Ok(Mark {
        day: now.day_in(Zone::UTC).number(),
        newest: newest(engine.store.read().await?).await?,
    })
}

/// Checks every account as of an instant. One that cannot be checked stops no other; its error is
/// the answer once the others are done.
pub async fn sweep(engine: &Engine, now: Instant) -> Result<Swept, Error> {
    sweep_in_pages(engine, now, Reach::Whole, PAGE).await
}

/// As [`sweep`], as far back as told.
pub async fn sweep_back(engine: &Engine, now: Instant, reach: Reach) -> Result<Swept, Error> {
    sweep_in_pages(engine, now, reach, PAGE).await
}

/// As [`sweep_back`], looking at so many attempts or lines in one unit of work.
pub async fn sweep_in_pages(
    engine: &Engine,
    now: Instant,
    reach: Reach,
    size: i64,
) -> Result<Swept, Error> {
    let mut failed = Failed::default();
    let mut swept = Swept {
        cases_moved: wake::wake(engine, now, &mut failed).await?,
        ..Swept::default()
    };
    let known = accounts::all(engine.store.read().await?).await?;
    for account in known.values() {
        let sweeper = Sweeper {
            engine,
            known: &known,
            account,
            now,
            reach,
        };
        let checked = sweeper.check(size).await;
        let (leases_over, derived) = failed.unless(account.id, checked);
        swept.leases_over += leases_over;
        swept.cases_opened += derived.cases_opened;
        swept.cases_closed += derived.cases_closed;
    }
    failed.told(swept)
}

/// What is read page by page, each page a unit of work of its own.
#[derive(Debug, Clone, Copy)]
enum List {
    Unknown,
    Unsettled,
    Parts,
    Severity,
}

/// The checks of one account. A file on its way may bring what seems to be missing: while one is,
/// nothing is checked.
struct Sweeper<'a> {
    engine: &'a Engine,
    known: &'a Accounts,
    account: &'a ProviderAccount,
    now: Instant,
    reach: Reach,
}

impl Sweeper<'_> {
    /// Checks the account; how many leases ran out, and what else came of it.
    async fn check(&self, size: i64) -> Result<(u64, Derived), Error> {
        let Some((over, mut derived)) = self.end_leases().await? else {
            return Ok((0, Derived::default()));
        };
        for list in [List::Unknown, List::Unsettled, List::Parts, List::Severity] {
            derived += self.read_through(list, size).await?;
        }
        derived += self.whole_account().await?;
        Ok((over, derived))
    }

    /// Nothing if the account is busy.
    async fn end_leases(&self) -> Result<Option<(u64, Derived)>, Error> {
        let Self {
            engine,
            known,
            account,
            now,
            ..
        } = self;
        in_tx!(engine.store, |tx| {
            if self.is_busy(tx).await? {
                return Ok(None);
            }
            let mut leaves = Leaves::begin(tx, &engine.sources).await?;
            let over = outcomes::end_leases(tx, &mut leaves, known, account, *now).await?;
            leaves.write(tx).await?;
            Ok(Some(over))
        })
    }

    async fn read_through(&self, list: List, size: i64) -> Result<Derived, Error> {
        let mut derived = Derived::default();
        let mut next = Some(Page::first(size));
        while let Some(page) = next {
            let (done, behind) = self.page(list, page).await?;
            derived += done;
            next = behind;
        }
        Ok(derived)
    }

    async fn page(&self, list: List, page: Page) -> Result<(Derived, Option<Page>), Error> {
        let Self {
            engine,
            known,
            account,
            now,
            ..
        } = self;
        in_tx!(engine.store, |tx| {
            if self.is_busy(tx).await? {
                return Ok((Derived::default(), None));
            }
            let mut leaves = Leaves::begin(tx, &engine.sources).await?;
            let done = match list {
                List::Unknown => {
                    outcomes::unknown(tx, &mut leaves, known, account, *now, page).await?
                }
                List::Unsettled => {
                    let reach = (self.reach, page);
                    outcomes::unsettled(tx, &mut leaves, known, account, *now, reach).await?
                }
                List::Parts => parts::parts(tx, &mut leaves, known, account, *now, page).await?,
                List::Severity => {
                    let behind = severity::raise(tx, account, *now, page).await?;
                    (Derived::default(), behind)
                }
            };
            leaves.write(tx).await?;
            Ok(done)
        })
    }

    /// Days without a file, batches, and files that wait for a person.
    async fn whole_account(&self) -> Result<Derived, Error> {
        let Self {
            engine,
            known,
            account,
            now,
            ..
        } = self;
        in_tx!(engine.store, |tx| {
            if self.is_busy(tx).await? {
                return Ok(Derived::default());
            }
            let mut leaves = Leaves::begin(tx, &engine.sources).await?;
            let mut derived = coverage(tx, &mut leaves, known, account, *now).await?;
            derived += close::batch_cases(tx, &mut leaves, known, account, *now).await?;
            derived += close::held_files(tx, &mut leaves, known, account, *now).await?;
            leaves.write(tx).await?;
            Ok(derived)
        })
    }

    async fn is_busy(&self, tx: &mut Tx) -> Result<bool, Error> {
        accounts::pass_gate(tx, self.account.id).await?;
        let unfinished = files::unfinished_of_account(&mut *tx, self.account.id).await?;
        Ok(!unfinished.is_empty())
    }
}
