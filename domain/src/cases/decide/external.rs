//! Real money of no payment registered here.

use super::{
    effect::{Effect, rulings},
    input::DecisionInput,
    payments::line,
    refusal::Refusal,
};
use crate::{
    cases::kinds::CaseKind,
    matching::{Ruling, RulingSubject},
    payment::Outcome,
};

pub(super) fn record_external(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    if input.kind == CaseKind::DuplicateSettlement {
        return record_excess(input);
    }
    let line = line(input)?;
    Ok(rulings(
        vec![(RulingSubject::Line(line.name.clone()), Ruling::External)],
        format!(
            "{} of line {} is recorded as real money of no payment registered here.",
            line.presented, line.name
        ),
    ))
}

/// The lines and successes beyond the one that the payment keeps.
fn record_excess(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let facts = input.facts;
    let mut set: Vec<(RulingSubject, Ruling)> = facts
        .lines
        .iter()
        .filter(|l| !l.matched)
        .map(|l| (RulingSubject::Line(l.name.clone()), Ruling::External))
        .collect();
    let own_movement = input.subject.starts_with("intent:");
    let claims = facts
        .attempts
        .iter()
        .filter(|a| matches!(a.outcome, Outcome::Succeeded | Outcome::Contested));
    let kept = facts
        .lines
        .iter()
        .find(|l| l.matched && !l.attempt.is_empty())
        .map(|l| l.attempt.as_str())
        .or(claims.clone().next().map(|a| a.attempt.as_str()));
    if own_movement {
        set.extend(
            claims
                .filter(|a| Some(a.attempt.as_str()) != kept)
                .map(|a| (RulingSubject::External(a.attempt.clone()), Ruling::External)),
        );
    }
    if set.is_empty() {
        return Err(Refusal::Missing("what is too much"));
    }
    Ok(rulings(
        set,
        "What came beyond the payment is recorded as real money of no payment registered here."
            .to_owned(),
    ))
}
