//! How an attempt ended.

use super::{
    effect::{Effect, rulings},
    input::DecisionInput,
    refusal::Refusal,
};
use crate::{
    cases::kinds::CaseKind,
    matching::{
        REPORTED_ALSO, REPORTED_UNDER, Ruling, RulingSubject, rulings::OutcomeRuling, sentences,
    },
    payment::Outcome,
};

pub(super) fn confirm_outcome(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let Some(outcome @ (Outcome::Succeeded | Outcome::Rejected)) = input.params.outcome else {
        return Err(Refusal::Missing("an outcome: succeeded or rejected"));
    };
    if input.kind == CaseKind::MissingSettlement && outcome == Outcome::Succeeded {
        return Err(Refusal::NotNow(
            "it is held to have succeeded already: wait for the provider, write it off, or confirm \
             that it was rejected"
                .to_owned(),
        ));
    }
    rule_outcome(input, outcome)
}

pub(super) fn rule_outcome(input: &DecisionInput<'_>, outcome: Outcome) -> Result<Effect, Refusal> {
    let facts = input.facts;
    let of_line = input.subject.starts_with("line:");
    if facts.attempt.is_empty() || of_line {
        return Err(Refusal::NotNow(
            "this case is about whose a line is: choose a payment for it".to_owned(),
        ));
    }
    let lines = facts.lines.iter().map(|l| l.name.to_string());
    let reports = facts
        .figures
        .iter()
        .filter_map(|(what, value)| match what.as_str() {
            REPORTED_ALSO => Some(format!("report:{value}")),
            REPORTED_UNDER => Some(format!("report-id:{value}")),
            _ => None,
        });
    let seen = lines.chain(reports).collect();
    Ok(rulings(
        vec![(
            RulingSubject::Attempt(facts.attempt.clone()),
            Ruling::Outcome(OutcomeRuling { outcome, seen }),
        )],
        format!(
            "Attempt {} of payment {} is held to be {} from now on.",
            facts.attempt,
            facts.intent,
            sentences::outcome(outcome)
        ),
    ))
}
