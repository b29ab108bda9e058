//! One pass of the checks that only time makes. The time is a parameter.
//!
//! | File | Checks |
//! |---|---|
//! | [`outcomes`] | leases that ran out, attempts unknown past grace, settlements due and not there |
//! | [`coverage`] | days of which no file came |
//! | [`parts`] | payments that came in part and whose rest is due |
//! | [`severity`] | how severe cases are by today: waiting makes them more so |
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
use std::collections::HashMap;

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

/// What must be the same for a look at all attempts not to be needed again: the day, which file and
/// which import of payments are the newest, and how many files are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    day: i64,
    newest: (i64, i64, i64),
}

/// Which accounts were looked at to their first attempt, and how things stood then.
#[derive(Debug, Default)]
pub struct LookedBack(HashMap<i64, Mark>);

/// Checks every account as of an instant. One that cannot be checked stops no other; its error is
/// the answer once the others are done.
pub async fn sweep(engine: &Engine, now: Instant) -> Result<Swept, Error> {
    sweep_in_pages(engine, now, Reach::Whole, PAGE).await
}

/// As [`sweep`], as far back as told.
pub async fn sweep_back(engine: &Engine, now: Instant, reach: Reach) -> Result<Swept, Error> {
    sweep_in_pages(engine, now, reach, PAGE).await
}

/// As [`sweep`], for one of many in a row: all attempts of an account are looked at once a day and
/// whenever a file or an import of payments came or a file was used, which could concern old ones; in
/// between the recent ones are. An account that was busy is looked at anew.
pub async fn sweep_again(
    engine: &Engine,
    now: Instant,
    looked: &mut LookedBack,
) -> Result<Swept, Error> {
    let mark = Mark {
        day: now.day_in(Zone::UTC).number(),
        newest: newest(engine.store.read().await?).await?,
    };
    let since = |account| match looked.0.get(&account) {
        Some(then) if *then == mark => Reach::Recent,
        _ => Reach::Whole,
    };
    let round = Round::of(engine, now, PAGE, since).await?;
    looked
        .0
        .extend(round.looked_at.iter().map(|account| (*account, mark)));
    round.failed.told(round.swept)
}

/// As [`sweep_back`], looking at so many attempts or lines in one unit of work.
pub async fn sweep_in_pages(
    engine: &Engine,
    now: Instant,
    reach: Reach,
    size: i64,
) -> Result<Swept, Error> {
    let round = Round::of(engine, now, size, |_| reach).await?;
    round.failed.told(round.swept)
}

/// A look at every account.
#[derive(Default)]
struct Round {
    swept: Swept,
    /// Those of which nothing was left out.
    looked_at: Vec<i64>,
    failed: Failed,
}

impl Round {
    /// Looks at every account, as far back as is told of it.
    async fn of(
        engine: &Engine,
        now: Instant,
        size: i64,
        reach: impl Fn(i64) -> Reach,
    ) -> Result<Self, Error> {
        let mut round = Self::default();
        round.swept.cases_moved = wake::wake(engine, now, size, &mut round.failed).await?;
        let known = accounts::all(engine.store.read().await?).await?;
        for account in known.values() {
            let sweeper = Sweeper {
                engine,
                known: &known,
                account,
                now,
                reach: reach(account.id),
            };
            match sweeper.check(size).await {
                Ok(checked) => round.add(account.id, &checked),
                Err(error) => round.failed.unless(account.id, Err(error)),
            }
        }
        Ok(round)
    }

    fn add(&mut self, account: i64, checked: &Checked) {
        self.swept.leases_over += checked.leases_over;
        self.swept.cases_opened += checked.derived.cases_opened;
        self.swept.cases_closed += checked.derived.cases_closed;
        if !checked.busy {
            self.looked_at.push(account);
        }
    }
}

/// What a look at one account did.
#[derive(Default)]
struct Checked {
    leases_over: u64,
    derived: Derived,
    /// Whether a file was on its way, so that something was left out.
    busy: bool,
}

/// What is read page by page, each page a unit of work of its own.
#[derive(Debug, Clone, Copy)]
enum List {
    Leases,
    Unknown,
    Unsettled,
    Parts,
    Severity,
}

/// What a page of a list led to.
struct Done {
    leases_over: u64,
    derived: Derived,
    next: Option<Page>,
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
    async fn check(&self, size: i64) -> Result<Checked, Error> {
        let mut checked = Checked::default();
        let lists = [
            List::Leases,
            List::Unknown,
            List::Unsettled,
            List::Parts,
            List::Severity,
        ];
        for list in lists {
            self.read_through(list, size, &mut checked).await?;
            if checked.busy {
                return Ok(checked);
            }
        }
        match self.whole_account().await? {
            Some(derived) => checked.derived += derived,
            None => checked.busy = true,
        }
        Ok(checked)
    }

    async fn read_through(
        &self,
        list: List,
        size: i64,
        checked: &mut Checked,
    ) -> Result<(), Error> {
        let mut next = Some(Page::first(size));
        while let Some(page) = next {
            let Some(done) = self.page(list, page).await? else {
                checked.busy = true;
                return Ok(());
            };
            checked.leases_over += done.leases_over;
            checked.derived += done.derived;
            next = done.next;
        }
        Ok(())
    }

    /// A page of a list; nothing if the account is busy.
    async fn page(&self, list: List, page: Page) -> Result<Option<Done>, Error> {
        if matches!(list, List::Unsettled) && !self.is_any_unsettled(page).await? {
            return Ok(Some(Done {
                leases_over: 0,
                derived: Derived::default(),
                next: None,
            }));
        }
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
            let mut leases_over = 0;
            let (derived, next) = match list {
                List::Leases => {
                    let over =
                        outcomes::end_leases(tx, &mut leaves, known, account, *now, page).await?;
                    leases_over = over.0;
                    (over.1, over.2)
                }
                List::Unknown => {
                    outcomes::unknown(tx, &mut leaves, known, account, *now, page).await?
                }
                List::Unsettled => {
                    let reach = (self.reach, page);
                    outcomes::unsettled(tx, &mut leaves, known, account, *now, reach).await?
                }
                List::Parts => parts::parts(tx, &mut leaves, known, account, *now, page).await?,
                List::Severity => {
                    let behind = severity::derive_severity(tx, account, *now, page).await?;
                    (Derived::default(), behind)
                }
            };
            leaves.write(tx).await?;
            Ok(Some(Done {
                leases_over,
                derived,
                next,
            }))
        })
    }

    /// Whether a page holds a payment that nothing settled. Nearly always none of very many does: that is
    /// found out beside the writing, which nobody shall wait for.
    async fn is_any_unsettled(&self, page: Page) -> Result<bool, Error> {
        let mut reading = self.engine.store.read().await?;
        let covered = covered_days(&mut reading, self.account.id).await?;
        let (account, now, reach) = (self.account, self.now, (self.reach, page));
        let found = outcomes::find_unsettled(&mut reading, account, &covered, now, reach).await?;
        Ok(!found.is_empty())
    }

    /// Days without a file, batches, and files that wait for a person; nothing if the account is busy.
    async fn whole_account(&self) -> Result<Option<Derived>, Error> {
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
            let mut derived = coverage(tx, &mut leaves, known, account, *now).await?;
            derived += close::batch_cases(tx, &mut leaves, known, account, *now).await?;
            derived += close::held_files(tx, &mut leaves, known, account, *now).await?;
            leaves.write(tx).await?;
            Ok(Some(derived))
        })
    }

    async fn is_busy(&self, tx: &mut Tx) -> Result<bool, Error> {
        accounts::pass_gate(tx, self.account.id).await?;
        let unfinished = files::unfinished_of_account(&mut *tx, self.account.id).await?;
        Ok(!unfinished.is_empty())
    }
}
