//! Attempts that time brings up. Time turns in flight into unknown and nothing into anything else.

use super::coverage::covered_days;
use crate::{
    Error,
    derive::{
        Buckets, Cause, Derived, Seeds, Work,
        cases::{self, About},
        derive,
        load::{Loaded, load_intents},
    },
    seal::Leaves,
    storage::{
        Tx, stored,
        sweep::{self, AgedAttempt},
    },
};
use domain::{
    account::ProviderAccount,
    cases::{
        CaseFacts, WantedCase,
        due::{AttemptStanding, attempt_due, settlement_due},
    },
    matching::Accounts,
    payment::Outcome,
    time::{Day, Instant},
};
use std::collections::{BTreeSet, HashSet};

/// How far back an unsettled attempt is looked for.
const LOOK_BACK_DAYS: i64 = 120;
const SECONDS_PER_DAY: i64 = 86_400;

/// What the records of a sweep name as their cause.
pub(super) const fn cause(now: Instant) -> Cause<'static> {
    Cause {
        kind: "sweep",
        name: "time",
        actor: "tieout",
        person: false,
        now,
    }
}

/// Attempts whose lease ran out become unknown.
pub async fn end_leases(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    account: &ProviderAccount,
    now: Instant,
) -> Result<(u64, Derived), Error> {
    let before = now
        .plus_seconds(-60 * i64::from(account.policy.lease_minutes))
        .micros();
    let over = sweep::leases_over(&mut *tx, account.id, before).await?;
    if over.is_empty() {
        return Ok((0, Derived::default()));
    }
    sweep::end_leases(tx, over.iter().map(|(attempt, _)| *attempt)).await?;
    let seeds = Seeds {
        intents: over.iter().map(|(_, intent)| *intent).collect(),
        ..Seeds::default()
    };
    let derived = derive(tx, leaves, known, &seeds, Buckets::Given(&[]), cause(now)).await?;
    Ok((over.len() as u64, derived))
}

/// Attempts unknown past grace become cases.
pub async fn unknown(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    account: &ProviderAccount,
    now: Instant,
) -> Result<Derived, Error> {
    let before = now
        .plus_seconds(-60 * i64::from(account.policy.unknown_grace_minutes))
        .micros();
    let aged = sweep::unknown_since(&mut *tx, account.id, before).await?;
    open(tx, leaves, known, account, &aged, Outcome::Unknown, now).await
}

/// Successful attempts that are due and covered, and have no line, become cases.
pub async fn unsettled(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    account: &ProviderAccount,
    now: Instant,
) -> Result<Derived, Error> {
    let from = now.plus_seconds(-LOOK_BACK_DAYS * SECONDS_PER_DAY).micros();
    let days = i64::from(account.policy.settlement_delay_days);
    let until = now.plus_seconds(-days * SECONDS_PER_DAY).micros();
    let aged = sweep::unsettled(&mut *tx, account.id, from, until).await?;
    open(tx, leaves, known, account, &aged, Outcome::Succeeded, now).await
}

async fn open(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    account: &ProviderAccount,
    aged: &[AgedAttempt],
    outcome: Outcome,
    now: Instant,
) -> Result<Derived, Error> {
    if aged.is_empty() {
        return Ok(Derived::default());
    }
    let intents: BTreeSet<i64> = aged.iter().map(|a| a.intent_id).collect();
    let loaded = load_intents(&mut *tx, &intents).await?;
    let covered = covered_days(&mut *tx, account.id).await?;
    let elsewhere = candidates(tx, account.id).await?;
    let wanted: Vec<WantedCase> = aged
        .iter()
        .filter_map(|a| want(account, &loaded, a, outcome, &covered, &elsewhere, now))
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
    loaded: &Loaded,
    aged: &AgedAttempt,
    outcome: Outcome,
    covered: &BTreeSet<Day>,
    elsewhere: &HashSet<String>,
    now: Instant,
) -> Option<WantedCase> {
    let intent = loaded
        .world
        .intents
        .iter()
        .find(|i| i.key == aged.intent_id)?;
    let attempt = intent.attempts.iter().find(|a| a.key == aged.attempt_id)?;
    let due = settlement_due(attempt.started_at, account.zone, &account.policy);
    let first = attempt.started_at.day_in(account.zone);
    let last = due
        .plus_seconds(-1 - 3_600 * i64::from(account.policy.grace_hours))
        .day_in(account.zone);
    let standing = AttemptStanding {
        intent,
        attempt,
        outcome,
        since: Instant::from_micros(aged.since),
        has_lines: false,
        candidate_elsewhere: elsewhere.contains(&attempt.public_id),
        covered: days(first, last).all(|day| covered.contains(&day)),
    };
    attempt_due(account, &standing, now)
}

fn days(first: Day, last: Day) -> impl Iterator<Item = Day> {
    (first.number()..=last.number()).filter_map(Day::from_number)
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
