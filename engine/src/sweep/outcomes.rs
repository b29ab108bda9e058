//! Attempts that time brings up. Time turns in flight into unknown and nothing into anything else.

use super::{Reach, coverage::covered_days};
use crate::{
    Error,
    derive::{
        Buckets, Cause, Derived, Seeds, Work,
        cases::{self, About},
        derive,
        load::load_intents,
    },
    seal::Leaves,
    storage::{
        Tx, stored,
        sweep::{self, AgedAttempt, Page},
        tx::Connected,
    },
};
use domain::{
    account::{CoverageRule, ProviderAccount},
    cases::{
        CaseFacts, WantedCase,
        due::{AttemptStanding, attempt_due, settlement_due},
    },
    matching::{Accounts, IntentFacts},
    payment::Outcome,
    time::{Day, Instant},
};
use std::collections::{BTreeSet, HashMap, HashSet};

/// How far back the sweeps between two whole ones look for unsettled attempts.
const RECENT_DAYS: i64 = 45;

/// Sixty working days, weekends between them and sixty days of grace: no policy waits longer.
const MOST_DAYS_TO_SETTLE: i64 = 150;

/// What the records of a sweep name as their cause.
pub(super) const fn cause(now: Instant) -> Cause<'static> {
    Cause {
        kind: "sweep",
        name: "time",
        actor: "tieout",
        decided: None,
        now,
    }
}

/// A page of the attempts whose lease ran out become unknown: how many, what came of it, and where the
/// next page begins.
pub async fn end_leases(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    account: &ProviderAccount,
    now: Instant,
    page: Page,
) -> Result<(u64, Derived, Option<Page>), Error> {
    let before = now
        .plus_seconds(-60 * i64::from(account.policy.lease_minutes))
        .micros();
    let over = sweep::leases_over(&mut *tx, account.id, page, before).await?;
    if over.is_empty() {
        return Ok((0, Derived::default(), None));
    }
    sweep::end_leases(tx, over.iter().map(|a| a.attempt_id)).await?;
    let seeds = Seeds {
        intents: over.iter().map(|a| a.intent_id).collect(),
        ..Seeds::default()
    };
    let given = Buckets::Given(&[]);
    let derived = derive(tx, leaves, known, account.id, &seeds, given, cause(now)).await?;
    Ok((over.len() as u64, derived, page.behind(&over)))
}

/// A page of the attempts unknown past grace become cases; tells where the next page begins.
pub async fn unknown(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    account: &ProviderAccount,
    now: Instant,
    page: Page,
) -> Result<(Derived, Option<Page>), Error> {
    let before = now
        .plus_seconds(-60 * i64::from(account.policy.unknown_grace_minutes))
        .micros();
    let aged = sweep::unknown_since(&mut *tx, account.id, page, before).await?;
    let covered = BTreeSet::new(); // Nobody asks for it here.
    let standing = Aged {
        attempts: &aged,
        outcome: Outcome::Unknown,
        covered: &covered,
    };
    let derived = open(tx, leaves, known, account, &standing, now).await?;
    Ok((derived, page.behind(&aged)))
}

/// A page of the successful attempts that are due and covered, and have no line, become cases; tells
/// where the next page begins. Days whose files have not all come are not looked at: nothing can be
/// said of them yet, and all of a company's past may lie there.
pub async fn unsettled(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    account: &ProviderAccount,
    now: Instant,
    reach: (Reach, Page),
) -> Result<(Derived, Option<Page>), Error> {
    let covered = covered_days(&mut *tx, account.id).await?;
    let aged = find_unsettled(&mut *tx, account, &covered, now, reach).await?;
    let standing = Aged {
        attempts: &aged,
        outcome: Outcome::Succeeded,
        covered: &covered,
    };
    let derived = open(tx, leaves, known, account, &standing, now).await?;
    Ok((derived, reach.1.behind(&aged)))
}

/// A page of the successful attempts that are due and covered, and have no line.
pub async fn find_unsettled(
    mut tx: impl Connected,
    account: &ProviderAccount,
    covered: &BTreeSet<Day>,
    now: Instant,
    (reach, page): (Reach, Page),
) -> Result<Vec<AgedAttempt>, Error> {
    let mut aged = Vec::new();
    let Some(first) = first_day(&mut tx, account, covered, now, reach).await? else {
        return Ok(aged);
    };
    for (from, until) in ripe(account, covered, first, now) {
        let left = page.size - i64::try_from(aged.len()).unwrap_or(page.size);
        if left <= 0 {
            break;
        }
        let rest = Page {
            size: left,
            ..if page.since < from {
                Page {
                    since: from,
                    ..Page::first(left)
                }
            } else {
                page
            }
        };
        aged.extend(sweep::unsettled(&mut tx, account.id, rest, until).await?);
    }
    Ok(aged)
}

/// The number of the day from which on attempts are looked at; none where there is no attempt.
async fn first_day(
    tx: impl Connected,
    account: &ProviderAccount,
    covered: &BTreeSet<Day>,
    now: Instant,
    reach: Reach,
) -> Result<Option<i64>, Error> {
    if reach == Reach::Recent {
        return Ok(Some(now.day_in(account.zone).number() - RECENT_DAYS));
    }
    let oldest = sweep::oldest_attempt(tx, account.id).await?;
    let oldest = oldest.map(|at| Instant::from_micros(at).day_in(account.zone).number());
    if account.policy.coverage == CoverageRule::Daily {
        return Ok(oldest);
    }
    // Where files need not cover each day, what was due before the first of them is nothing missing.
    let begin = covered.first().map_or_else(
        || now.day_in(account.zone).number() - RECENT_DAYS,
        |first| first_that_reaches(account, *first),
    );
    Ok(oldest.map(|oldest| oldest.max(begin)))
}

/// The number of the first day on which an attempt can begin whose settlement is in a day's file.
fn first_that_reaches(account: &ProviderAccount, file: Day) -> i64 {
    (file.number() - MOST_DAYS_TO_SETTLE..file.number())
        .find(|began| {
            Day::from_number(*began)
                .is_some_and(|d| window(account, d.start_in(account.zone)).any(|d| d >= file))
        })
        .unwrap_or(file.number())
}

/// Spans of beginnings from a day on, in microseconds, whose settlement is due and, where files are expected, could
/// only be in files that have come.
fn ripe(
    account: &ProviderAccount,
    covered: &BTreeSet<Day>,
    first: i64,
    now: Instant,
) -> Vec<(i64, i64)> {
    let today = now.day_in(account.zone).number();
    let expects = account.policy.coverage == CoverageRule::Daily;
    let days: Vec<i64> = (first..=today)
        .filter(|number| {
            Day::from_number(*number).is_some_and(|day| {
                let began = day.start_in(account.zone);
                settlement_due(began, account.zone, &account.policy) <= now
                    && (!expects || window(account, began).all(|d| covered.contains(&d)))
            })
        })
        .collect();
    days.chunk_by(|a, b| a + 1 == *b)
        .filter_map(|run| {
            let (first, last) = run.first().zip(run.last())?;
            let (first, last) = Day::from_number(*first).zip(Day::from_number(*last))?;
            let start = first.start_in(account.zone).micros();
            Some((start, last.next().start_in(account.zone).micros()))
        })
        .collect()
}

/// The days whose files can hold the settlement of an attempt that began then.
fn window(account: &ProviderAccount, began: Instant) -> impl Iterator<Item = Day> + use<> {
    let last = settlement_due(began, account.zone, &account.policy)
        .plus_seconds(-1 - 3_600 * i64::from(account.policy.grace_hours))
        .day_in(account.zone);
    let first = began.day_in(account.zone);
    (first.number()..=last.number()).filter_map(Day::from_number)
}

/// Attempts that time brings up, and what is known for all of them.
struct Aged<'a> {
    attempts: &'a [AgedAttempt],
    outcome: Outcome,
    covered: &'a BTreeSet<Day>,
}

async fn open(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    account: &ProviderAccount,
    aged: &Aged<'_>,
    now: Instant,
) -> Result<Derived, Error> {
    if aged.attempts.is_empty() {
        return Ok(Derived::default());
    }
    let intents: BTreeSet<i64> = aged.attempts.iter().map(|a| a.intent_id).collect();
    let loaded = load_intents(&mut *tx, &intents).await?;
    let intents: HashMap<i64, &IntentFacts> =
        loaded.world.intents.iter().map(|i| (i.key, i)).collect();
    let elsewhere = candidates(tx, account.id).await?;
    let wanted: Vec<WantedCase> = aged
        .attempts
        .iter()
        .filter_map(|a| {
            let intent = intents.get(&a.intent_id)?;
            want(account, intent, a, aged, &elsewhere, now)
        })
        .collect();
    let mut work = Work {
        tx,
        leaves,
        accounts: known,
        cause: cause(now),
    };
    cases::write_for(&mut work, Vec::new(), wanted, About::default()).await
}

fn want(
    account: &ProviderAccount,
    intent: &IntentFacts,
    attempt: &AgedAttempt,
    aged: &Aged<'_>,
    elsewhere: &HashSet<String>,
    now: Instant,
) -> Option<WantedCase> {
    let since = Instant::from_micros(attempt.since);
    let attempt = intent
        .attempts
        .iter()
        .find(|a| a.key == attempt.attempt_id)?;
    let standing = AttemptStanding {
        intent,
        attempt,
        outcome: aged.outcome,
        since,
        has_lines: false,
        candidate_elsewhere: elsewhere.contains(&attempt.public_id),
        covered: window(account, attempt.started_at).all(|day| aged.covered.contains(&day)),
    };
    attempt_due(account, &standing, now)
}

/// Attempts that an open case names as candidates: that case speaks for them.
async fn candidates(tx: &mut Tx, account: i64) -> Result<HashSet<String>, Error> {
    let mut found = HashSet::new();
    for facts in sweep::candidate_cases(&mut *tx, account).await? {
        let facts: CaseFacts = stored::json("case_now", "facts", account, &facts)?;
        found.extend(facts.candidates.into_iter().map(|c| c.attempt));
    }
    Ok(found)
}
