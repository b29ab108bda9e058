//! What moves a case and says nothing about its money.

use super::{
    effect::{Effect, moves, rulings},
    input::DecisionInput,
    refusal::Refusal,
};
use crate::{
    cases::{due::last_day_shown, files::HELD_SINCE, states::CaseMove},
    matching::{Ruling, RulingSubject},
};

const LONGEST_WAIT_DAYS: i64 = 90;

const SECONDS_PER_DAY: i64 = 86_400;

/// Opens the case again, also where it was set aside: no evidence is set aside from here on.
pub(super) fn reopen(input: &DecisionInput<'_>) -> Effect {
    let subject = RulingSubject::Case(input.kind, input.subject.to_owned());
    let nothing = Ruling::Dismissed {
        evidence: String::new(),
        until: None,
    };
    Effect {
        rulings: vec![(subject, nothing)],
        ..moves(
            Some(CaseMove::Reopen),
            "The case is open again. What was decided about it stands until it is undone or decided \
             otherwise.",
        )
    }
}

/// Sets aside what is known: the evidence as it is, or the days without a file that are shown. The day
/// behind them is another one.
pub(super) fn dismiss(input: &DecisionInput<'_>) -> Effect {
    let until = last_day_shown(input.facts);
    let told = if until.is_some() {
        "The case is closed, and these days are not asked about again; should later ones stay without a \
         file, they are a case of their own."
    } else {
        "The case is closed and opens again when its evidence changes."
    };
    let dismissed = Ruling::Dismissed {
        evidence: input.evidence.to_owned(),
        until,
    };
    let subject = RulingSubject::Case(input.kind, input.subject.to_owned());
    rulings(vec![(subject, dismissed)], told.to_owned())
}

pub(super) fn retry(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    if !input.subject.starts_with("file:") {
        return Err(Refusal::NotNow(
            "no file is here that could be tried again: upload it once the provider has sent it"
                .to_owned(),
        ));
    }
    if input
        .facts
        .figures
        .iter()
        .any(|(what, _)| what == HELD_SINCE)
    {
        return Err(Refusal::NotNow(
            "the file waits for a person: accept it as it is on its page, or put it away there"
                .to_owned(),
        ));
    }
    Ok(moves(
        Some(CaseMove::Resolve),
        "Work on the file goes on where it stopped; should it fail again, the case opens again.",
    ))
}

pub(super) fn wait(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let params = input.params;
    let day = params.wake_on.map(|day| day.start_in(input.zone));
    let until = params.until.or(day).ok_or(Refusal::Missing("a date"))?;
    let days = LONGEST_WAIT_DAYS * SECONDS_PER_DAY;
    if until <= input.now || until > input.now.plus_seconds(days) {
        return Err(Refusal::NotNow(format!(
            "choose a time from now to {LONGEST_WAIT_DAYS} days ahead"
        )));
    }
    let mut effect = moves(
        Some(CaseMove::Snooze),
        "The case is out of the way until then, or until new evidence comes.",
    );
    effect.wake_at = Some(until);
    Ok(effect)
}

pub(super) fn reverse(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    if input
        .params
        .decision
        .as_deref()
        .unwrap_or_default()
        .is_empty()
    {
        return Err(Refusal::Missing("the decision to undo"));
    }
    Ok(moves(
        None,
        "What the decision set is taken away: matches are unlinked, postings are reversed by new \
         entries, and the case opens again if the evidence still calls for it.",
    ))
}
