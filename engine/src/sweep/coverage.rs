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

/// Days that files used whole cover by their rows (`domain::formats::covered`). A file of which a row
/// could not be read covers none, whether a person accepted that or the account's policy uses the rest:
/// what is missing may be there.
pub async fn covered_days(tx: impl Connected, account: i64) -> Result<BTreeSet<Day>, Error> {
    let mut days = BTreeSet::new();
    for file in sweep::covering_files(tx, account).await? {
        let spans: Vec<(i64, i64)> = if file.covered_spans.is_empty() {
            vec![(file.first_day, file.last_day)]
        } else {
            let row = file.file_id;
            stored::json("file_now", "covered_spans", row, &file.covered_spans)?
        };
        for (first, last) in spans {
            days.extend((first..=last).filter_map(Day::from_number));
        }
    }
    Ok(days)
}

/// Brings the cases of missing files of an account up to date. Days before the first file are not
/// expected. A gap is known by its first day, however long ago that was: it stays the same case until a
/// file covers that day. A person who dismissed it is not asked about its days again; those behind them
/// are a gap of their own.
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
    if account.policy.coverage == CoverageRule::Daily {
        let dismissed = dismissed_days(&mut *tx, account).await?;
        let gaps = gaps(&covered, last_due(account, now));
        for (day, last) in gaps.into_iter().flat_map(|gap| without(gap, &dismissed)) {
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
        decided: None,
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

/// The last day before today whose file is due.
fn last_due(account: &ProviderAccount, now: Instant) -> Day {
    let mut day = now.day_in(account.zone).previous();
    while day > day.previous() && file_due(day, account.zone, &account.policy) > now {
        day = day.previous();
    }
    day
}

/// Runs of days that no file covers, from the first that one does to the last that is due.
fn gaps(covered: &BTreeSet<Day>, until: Day) -> Vec<(Day, Day)> {
    let next = covered.iter().skip(1).copied();
    covered
        .iter()
        .zip(next.chain([until.next()]))
        .map(|(day, next)| (day.next(), next.previous().min(until)))
        .filter(|(first, last)| first <= last)
        .collect()
}

/// The days of a gap that nobody dismissed, in runs.
fn without((first, last): (Day, Day), dismissed: &BTreeSet<Day>) -> Vec<(Day, Day)> {
    let left: Vec<Day> = (first.number()..=last.number())
        .filter_map(Day::from_number)
        .filter(|day| !dismissed.contains(day))
        .collect();
    left.chunk_by(|day, next| day.next() == *next)
        .filter_map(|run| run.first().copied().zip(run.last().copied()))
        .collect()
}

/// Days without a file that a person dismissed, each from the first to the last that they were shown.
async fn dismissed_days(
    tx: impl Connected,
    account: &ProviderAccount,
) -> Result<BTreeSet<Day>, Error> {
    let mut days = BTreeSet::new();
    for (first, ruling) in sweep::period_rulings(tx, &account.name).await? {
        let ruling: Ruling = stored::json("ruling_now", "ruling", &first, &ruling)?;
        // Of an account whose name begins with this one's, what follows is no day.
        if let (
            Ok(first),
            Ruling::Dismissed {
                until: Some(last), ..
            },
        ) = (Day::parse(&first), ruling)
        {
            days.extend((first.number()..=last.number()).filter_map(Day::from_number));
        }
    }
    Ok(days)
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
    Ok(matches!(ruling, Ruling::Dismissed { evidence: seen, .. } if seen == evidence))
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
        // A sum that cannot be an amount is shown as the most there is.
        [(currency, _, amount)] => Some(Money::new(
            i64::try_from(*amount).unwrap_or(i64::MAX),
            stored::parse("intent", "currency", &account.name, currency)?,
        )),
        _ => None,
    };
    Ok((due.iter().map(|d| d.1.unsigned_abs()).sum(), of_one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        Day::parse(text).unwrap()
    }

    #[test]
    fn gaps_lie_between_covered_days_and_behind_the_last_of_them_until_what_is_due() {
        let covered = ["2026-11-02", "2026-11-03", "2026-11-06", "2026-11-12"];
        let covered: BTreeSet<Day> = covered.into_iter().map(day).collect();
        let found = |until: &str| {
            let gaps = gaps(&covered, day(until));
            let texts = gaps.iter().map(|(a, b)| format!("{a} {b}"));
            texts.collect::<Vec<_>>()
        };
        let first = "2026-11-04 2026-11-05";
        assert_eq!(found("2026-11-03"), Vec::<String>::new());
        assert_eq!(found("2026-11-04"), ["2026-11-04 2026-11-04"]);
        assert_eq!(found("2026-11-06"), [first]);
        assert_eq!(found("2026-11-08"), [first, "2026-11-07 2026-11-08"]);
        assert_eq!(
            found("2026-11-13"),
            [first, "2026-11-07 2026-11-11", "2026-11-13 2026-11-13"]
        );
        assert_eq!(gaps(&BTreeSet::new(), day("2026-11-13")), []);
    }

    #[test]
    fn what_is_left_of_a_gap_are_the_days_that_nobody_dismissed() {
        let dismissed = ["2026-11-03", "2026-11-04", "2026-11-07"];
        let dismissed: BTreeSet<Day> = dismissed.into_iter().map(day).collect();
        let left = |first, last| without((day(first), day(last)), &dismissed);
        assert_eq!(left("2026-11-03", "2026-11-04"), []);
        let behind = [(day("2026-11-05"), day("2026-11-06"))];
        assert_eq!(left("2026-11-03", "2026-11-06"), behind);
        let around = [behind[0], (day("2026-11-08"), day("2026-11-08"))];
        assert_eq!(left("2026-11-04", "2026-11-08"), around);
    }
}
