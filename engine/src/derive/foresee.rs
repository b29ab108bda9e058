//! What would be posted if other rulings stood: judged and turned into postings by the code that
//! writes them, and not written.

use super::{Loaded, attempts::write_off_postings, lines, overflow};
use crate::Error;
use domain::{
    line::Verdict,
    matching::{Accounts, AttemptRulings, LineRulings, Ruling, RulingSubject, World, judge},
    money::Currency,
    posting::{Disposition, LedgerAccount, Posting},
};
use std::collections::{BTreeMap, BTreeSet};

/// Whether rulings come into force or leave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// They stand from now on.
    Into,
    /// They stand no longer.
    OutOf,
}

/// Postings by account and currency.
pub(crate) type Sums = BTreeMap<(LedgerAccount, Currency), i128>;

/// The postings of lines and attempts that follow when rulings come or go. `loaded` must hold all
/// that hangs together with what they name.
pub(crate) fn postings(
    accounts: &Accounts,
    loaded: &Loaded,
    changes: &[(RulingSubject, Ruling, Way)],
) -> Result<Sums, Error> {
    let mut world = loaded.world.clone();
    let touched = lay_over(&mut world, changes);
    let judgement = judge(accounts, &world).map_err(overflow)?;
    let mut sums = Sums::new();
    for judged in &judgement.lines {
        if let Some(line) = loaded.lines.get(&judged.line) {
            add(&mut sums, &lines::postings(line, &judged.disposition)?);
        }
    }
    // A line that no longer names anybody waits in suspense, whatever is proposed for it.
    for key in judgement
        .nameless
        .iter()
        .filter(|key| touched.contains(key))
    {
        if let Some(line) = loaded.lines.get(key) {
            let facts = world.lines.iter().find(|l| l.key == *key);
            let unmatched = Disposition::by_verdict(&lines::figures(line)?, Verdict::Unmatched)
                .and_then(|contra| facts.map_or(Ok(contra.clone()), |f| f.standing_on(contra)))
                .map_err(overflow)?;
            add(&mut sums, &lines::postings(line, &unmatched)?);
        }
    }
    for judged in &judgement.attempts {
        let attempt = loaded.attempts.get(&judged.attempt);
        let intent = attempt.and_then(|a| loaded.intents.get(&a.intent_id));
        if let (Some(attempt), Some(intent)) = (attempt, intent) {
            let is = judged.written_off.map_or(0, |money| money.minor);
            add(
                &mut sums,
                &write_off_postings(intent, attempt.written_off, is)?,
            );
        }
    }
    Ok(sums)
}

/// Adds postings to sums.
pub(crate) fn add(sums: &mut Sums, postings: &[Posting]) {
    for posting in postings {
        *sums.entry((posting.account, posting.currency)).or_default() += i128::from(posting.amount);
    }
}

/// Lays rulings over a world, or takes them out of it; returns the keys of the lines concerned.
fn lay_over(world: &mut World, changes: &[(RulingSubject, Ruling, Way)]) -> BTreeSet<i64> {
    let mut touched = BTreeSet::new();
    for (subject, ruling, way) in changes {
        for line in &mut world.lines {
            let concerned = matches!(
                subject,
                RulingSubject::Line(name)
                    | RulingSubject::Figures(name)
                    | RulingSubject::Difference(name)
                    if *name == line.name
            );
            if concerned {
                touched.insert(line.key);
                rule_line(&mut line.rulings, subject, ruling, *way);
            }
        }
        for attempt in world.intents.iter_mut().flat_map(|i| &mut i.attempts) {
            let concerned = matches!(
                subject,
                RulingSubject::Attempt(id) | RulingSubject::Missing(id) | RulingSubject::External(id)
                    if *id == attempt.public_id
            );
            if concerned {
                rule_attempt(&mut attempt.rulings, subject, ruling, *way);
            }
        }
    }
    touched
}

fn rule_line(rulings: &mut LineRulings, subject: &RulingSubject, ruling: &Ruling, way: Way) {
    match (way, subject) {
        (Way::Into, _) => rulings.set(ruling.clone()),
        (Way::OutOf, RulingSubject::Figures(_)) => rulings.figures = None,
        (Way::OutOf, RulingSubject::Difference(_)) => rulings.difference_accepted = false,
        (Way::OutOf, _) => rulings.identity = None,
    }
}

fn rule_attempt(rulings: &mut AttemptRulings, subject: &RulingSubject, ruling: &Ruling, way: Way) {
    match (way, subject) {
        (Way::Into, _) => rulings.set(ruling.clone()),
        (Way::OutOf, RulingSubject::Missing(_)) => rulings.written_off = false,
        (Way::OutOf, RulingSubject::External(_)) => rulings.external = false,
        (Way::OutOf, _) => rulings.outcome = None,
    }
}
