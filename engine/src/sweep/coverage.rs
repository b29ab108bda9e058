//! Which days an account's files cover, and the cases of those that none covers.

use crate::{
    Error,
    derive::{
        Cause, Derived, Work,
        cases::{self, About},
    },
    seal::Leaves,
    storage::{Tx, cases as stored_cases, matching, stored, sweep, tx::Connected},
};
use domain::{
    account::{CoverageRule, ProviderAccount},
    cases::{
        WantedCase,
        due::{PeriodStanding, file_due, period_due},
    },
    matching::{Accounts, Ruling, RulingSubject},
    money::Money,
    time::{Day, Instant},
};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// How far back a missing file is a case.
const LOOK_BACK_DAYS: i64 = 60;

/// Days that files used whole state or span. A file of which a row could not be read covers none,
/// whether a person accepted that or the account's policy uses the rest: what is missing may be there.
pub async fn covered_days(tx: impl Connected, account: i64) -> Result<BTreeSet<Day>, Error> {
    let spans = sweep::covered_spans(tx, account).await?;
    Ok(spans
        .into_iter()
        .flat_map(|(first, last)| first..=last)
        .filter_map(Day::from_number)
        .collect())
}

/// Brings the cases of missing files of an account up to date. Days before the first file are not
/// expected.
pub async fn coverage(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    account: &ProviderAccount,
    now: Instant,
) -> Result<Derived, Error> {
    let covered = covered_days(&mut *tx, account.id).await?;
    let open = sweep::missing_file_cases(&mut *tx, account.id).await?;
    let open = stored_cases::by_id(&mut *tx, open.into_iter()).await?;
    let mut wanted = Vec::new();
    let expects = account.policy.coverage == CoverageRule::Daily;
    if let (Some(start), true) = (covered.first().copied(), expects) {
        let today = now.day_in(account.zone).number();
        let first = start.number().max(today - LOOK_BACK_DAYS);
        let missing: Vec<i64> = (first..today)
            .filter(|n| {
                Day::from_number(*n)
                    .is_some_and(|day| !covered.contains(&day) && is_due(account, day, now))
            })
            .collect();
        for run in missing.chunk_by(|a, b| a + 1 == *b) {
            let ends = run.first().zip(run.last());
            let Some((day, last)) =
                ends.and_then(|(a, b)| Day::from_number(*a).zip(Day::from_number(*b)))
            else {
                continue;
            };
            let period = standing(tx, account, day, last).await?;
            if let Some(want) = period_due(account, &period, now)
                && !is_dismissed(tx, &want).await?
            {
                wanted.push(want);
            }
        }
    }
    if wanted.is_empty() && open.is_empty() {
        return Ok(Derived::default());
    }
    let cause = Cause {
        kind: "sweep",
        name: "coverage",
        actor: "tieout",
        person: false,
        now,
    };
    let mut work = Work {
        tx,
        leaves,
        accounts: known,
        cause,
    };
    cases::write_for(&mut work, open, wanted, About::default()).await
}

fn is_due(account: &ProviderAccount, day: Day, now: Instant) -> bool {
    file_due(day, account.zone, &account.policy) <= now
}

/// Whether a person set the case aside while its evidence was this.
pub async fn is_dismissed(tx: &mut Tx, want: &WantedCase) -> Result<bool, Error> {
    let subject = RulingSubject::Case(want.kind, want.subject.clone()).to_string();
    let evidence = hex::encode(Sha256::digest(stored::to_json(&want.facts)?.as_bytes()));
    let found = matching::rulings(&mut *tx, std::iter::once(subject.as_str())).await?;
    let Some((_, ruling)) = found.into_iter().next() else {
        return Ok(false);
    };
    let ruling: Ruling = stored::json("ruling_now", "ruling", &subject, &ruling)?;
    Ok(ruling == Ruling::Dismissed { evidence })
}

async fn standing(
    tx: &mut Tx,
    account: &ProviderAccount,
    day: Day,
    last: Day,
) -> Result<PeriodStanding, Error> {
    let (attempts_due, due_in_it) = due_in(tx, account, day, last).await?;
    Ok(PeriodStanding {
        day,
        last,
        covered: false,
        attempts_due,
        due_in_it,
        dismissed: false,
    })
}

/// How many attempts without a line are due in days, and what they come to where that is of one
/// currency.
pub async fn due_in(
    tx: &mut Tx,
    account: &ProviderAccount,
    first: Day,
    last: Day,
) -> Result<(u64, Option<Money>), Error> {
    let (from, until) = (
        first.start_in(account.zone).micros(),
        last.next().start_in(account.zone).micros(),
    );
    let due = sweep::due_by_currency(&mut *tx, account.id, from, until).await?;
    let of_one = match due.as_slice() {
        [(currency, _, amount)] => Some(Money::new(
            *amount,
            stored::parse("intent", "currency", &account.name, currency)?,
        )),
        _ => None,
    };
    Ok((due.iter().map(|d| d.1.unsigned_abs()).sum(), of_one))
}
