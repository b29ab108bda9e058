//! What the money says about each attempt. Money outranks reports; a person's word stands against
//! the evidence that they saw, and against no other.

use super::{
    facts::{AttemptFacts, IntentFacts, LineFacts},
    figures::{Figures, main_movement, movement_of, signed},
    index::{At, Index},
    judgement::AttemptJudgement,
};
use crate::{line::RowKind, money::Money, payment::Outcome};
use std::collections::BTreeMap;

/// The lines tied to an attempt, matched or not, by place.
#[derive(Debug, Default, Clone)]
pub struct Tied {
    /// Rows of its own money, positive in its direction.
    pub money: Vec<usize>,
    /// Rows that take its own money back.
    pub back: Vec<usize>,
    /// Rows that follow it: refunds and disputes of a payment.
    pub follows: Vec<usize>,
}

/// Why an attempt stands otherwise than reports and decisions say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Nothing changes it.
    None,
    /// Money settles what was open; by place of the line.
    Settled(usize),
    /// Money came for a rejected or absent attempt; by place of the line.
    CameAfterAll(usize),
    /// What had succeeded was taken back; by place of the line.
    TakenBack(usize),
    /// A later report says that a rejected attempt succeeded.
    Reported,
}

/// An attempt's standing.
#[derive(Debug, Clone)]
pub struct Standing {
    /// The outcome with all evidence.
    pub outcome: Outcome,
    /// Why, where it is not what was stated.
    pub change: Change,
    /// Its lines.
    pub tied: Tied,
}

/// The standing of every attempt of an index.
pub fn standings(index: &Index<'_>, figures: &Figures) -> BTreeMap<At, Standing> {
    let mut tied = tie(index, figures);
    let mut found = BTreeMap::new();
    for (place, intent) in index.intents.iter().enumerate() {
        for (number, attempt) in intent.attempts.iter().enumerate() {
            let at = At {
                intent: place,
                attempt: number,
            };
            let tied = tied.remove(&at).unwrap_or_default();
            let (outcome, change) = outcome_of(index, attempt, &tied);
            let standing = Standing {
                outcome,
                change,
                tied,
            };
            found.insert(at, standing);
        }
    }
    found
}

fn tie(index: &Index<'_>, figures: &Figures) -> BTreeMap<At, Tied> {
    let mut tied: BTreeMap<At, Tied> = BTreeMap::new();
    for (place, count) in &figures.of {
        let Some(line) = index.lines.get(*place) else {
            continue;
        };
        for at in &count.with {
            let Some(intent) = index.intent(at.intent) else {
                continue;
            };
            let of_attempt = tied.entry(*at).or_default();
            match part(line, intent) {
                Part::Money => of_attempt.money.push(*place),
                Part::Back => of_attempt.back.push(*place),
                Part::Follows => of_attempt.follows.push(*place),
                Part::Nothing => {}
            }
        }
    }
    tied
}

enum Part {
    Money,
    Back,
    Follows,
    Nothing,
}

fn part(line: &LineFacts, intent: &IntentFacts) -> Part {
    if movement_of(line.kind) != main_movement(intent) {
        return match line.kind {
            RowKind::Refund | RowKind::Chargeback => Part::Follows,
            _ => Part::Nothing,
        };
    }
    let reversal = matches!(
        line.kind,
        RowKind::PaymentReversal | RowKind::RefundReversal
    );
    match signed(line, intent) {
        Ok(amount) if amount > 0 => Part::Money,
        Ok(_) if reversal => Part::Back,
        _ => Part::Nothing,
    }
}

fn outcome_of(index: &Index<'_>, attempt: &AttemptFacts, tied: &Tied) -> (Outcome, Change) {
    let unseen = |place: &&usize| {
        let line = index.lines.get(**place);
        line.is_some_and(|l| !attempt.rulings.has_seen(&l.name.to_string()))
    };
    let stated = attempt.stated_outcome();
    if let Some(place) = tied.back.iter().find(unseen) {
        return (Outcome::Contested, Change::TakenBack(*place));
    }
    let mut evidence: Vec<usize> = [tied.money.as_slice(), tied.follows.as_slice()].concat();
    evidence.sort_unstable();
    match stated {
        Outcome::Rejected | Outcome::Absent => {
            if let Some(place) = evidence.iter().find(unseen) {
                (Outcome::Contested, Change::CameAfterAll(*place))
            } else if unseen_reports(attempt).any(|r| r == Outcome::Succeeded) {
                (Outcome::Contested, Change::Reported)
            } else {
                (stated, Change::None)
            }
        }
        Outcome::Unknown | Outcome::InFlight => {
            evidence.first().map_or((stated, Change::None), |place| {
                (Outcome::Succeeded, Change::Settled(*place))
            })
        }
        Outcome::Succeeded | Outcome::Contested => (stated, Change::None),
    }
}

/// Reports that contradict the outcome and that no person has seen in deciding on it.
pub fn unseen_reports(attempt: &AttemptFacts) -> impl Iterator<Item = Outcome> {
    attempt
        .contradicting_reports
        .iter()
        .copied()
        .filter(|outcome| !attempt.rulings.has_seen(&format!("report:{outcome}")))
}

/// Provider ids that reports gave besides the known one and that no person has seen in deciding.
pub fn unseen_ids(attempt: &AttemptFacts) -> impl Iterator<Item = &String> {
    attempt
        .contradicting_ids
        .iter()
        .filter(|id| !attempt.rulings.has_seen(&format!("report-id:{id}")))
}

/// The judgement of one attempt.
pub fn judgement(
    index: &Index<'_>,
    intent: &IntentFacts,
    attempt: &AttemptFacts,
    standing: &Standing,
) -> AttemptJudgement {
    let cause = match standing.change {
        Change::Settled(place) | Change::CameAfterAll(place) | Change::TakenBack(place) => {
            index.lines.get(place).map(|l| l.key)
        }
        Change::None | Change::Reported => None,
    };
    let has_lines = !standing.tied.money.is_empty() || !standing.tied.back.is_empty();
    let written_off: Option<Money> =
        (attempt.rulings.written_off && !has_lines).then_some(intent.amount);
    AttemptJudgement {
        intent: intent.key,
        attempt: attempt.key,
        outcome: standing.outcome,
        cause_line: cause,
        written_off,
        has_lines,
    }
}
