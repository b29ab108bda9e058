//! Builds explanations: fields side by side, candidates and why each was not taken.

use super::{
    explanation::{Agreement, Candidate, Field, FieldCheck, WhyNot},
    facts::{AttemptFacts, IntentFacts, LineFacts},
    figures::{Figures, main_movement, sign_of},
    index::{At, Index, Party},
    keys::normalise,
};
use crate::money::Money;

/// The most candidates that are listed; the rest are counted.
pub const MOST_CANDIDATES: usize = 20;

/// Both sides of every field that identity and figures look at.
pub fn sides(
    intent: &IntentFacts,
    attempt: Option<&AttemptFacts>,
    line: &LineFacts,
) -> Vec<FieldCheck> {
    vec![
        provider_id(attempt, line),
        reference(intent, attempt, line),
        amount(intent, line),
        currency(intent, line),
    ]
}

fn check(field: Field, ours: String, theirs: String, agreement: Agreement) -> FieldCheck {
    let silent = ours.is_empty() || theirs.is_empty();
    FieldCheck {
        field,
        ours,
        theirs,
        agreement: if silent { Agreement::Silent } else { agreement },
    }
}

fn provider_id(attempt: Option<&AttemptFacts>, line: &LineFacts) -> FieldCheck {
    let theirs = if line.modification_id.is_empty() {
        [&line.provider_payment_id, &line.provider_payment_id]
    } else {
        [&line.provider_payment_id, &line.modification_id]
    };
    let own: Vec<&str> = attempt.map(|a| a.firm_ids().collect()).unwrap_or_default();
    let shared = own.iter().find(|id| theirs.iter().any(|t| t == *id));
    let agreement = if shared.is_some() {
        Agreement::Agrees
    } else {
        Agreement::Differs
    };
    let ours = shared
        .or(own.first())
        .map_or(String::new(), |id| (*id).to_owned());
    let shown = theirs
        .into_iter()
        .find(|t| **t == ours)
        .unwrap_or(&line.provider_payment_id);
    check(Field::ProviderId, ours, shown.clone(), agreement)
}

fn reference(intent: &IntentFacts, attempt: Option<&AttemptFacts>, line: &LineFacts) -> FieldCheck {
    let theirs = normalise(&line.merchant_reference);
    let mut sent = vec![intent.merchant_reference.as_str(), &intent.public_id];
    sent.extend(attempt.map(|a| a.idempotency_key.as_str()));
    sent.extend(intent.attempts.iter().map(|a| a.idempotency_key.as_str()));
    let same = sent.iter().find(|own| normalise(own) == theirs);
    let agreement = if same.is_some() {
        Agreement::Agrees
    } else {
        Agreement::Noted
    };
    let ours = same.map_or(intent.merchant_reference.as_str(), |own| own);
    check(
        Field::Reference,
        ours.to_owned(),
        line.merchant_reference.clone(),
        agreement,
    )
}

fn amount(intent: &IntentFacts, line: &LineFacts) -> FieldCheck {
    let sign = sign_of(Party::of(intent), line.kind);
    let came = line.presented.minor.saturating_mul(sign);
    let agreement = if came == intent.amount.minor {
        Agreement::Agrees
    } else {
        Agreement::Differs
    };
    let theirs = Money::new(came, line.presented.currency);
    check(
        Field::Amount,
        intent.amount.major(),
        theirs.major(),
        agreement,
    )
}

fn currency(intent: &IntentFacts, line: &LineFacts) -> FieldCheck {
    let agreement = if intent.amount.currency == line.presented.currency {
        Agreement::Agrees
    } else {
        Agreement::Differs
    };
    check(
        Field::Currency,
        intent.amount.currency.to_string(),
        line.presented.currency.to_string(),
        agreement,
    )
}

/// A payment that could have been it.
pub fn candidate(
    intent: &IntentFacts,
    attempt: Option<&AttemptFacts>,
    open: i64,
    why: Vec<WhyNot>,
) -> Candidate {
    Candidate {
        intent: intent.public_id.clone(),
        attempt: attempt.map_or(String::new(), |a| a.public_id.clone()),
        reference: intent.merchant_reference.clone(),
        amount: intent.amount.to_string(),
        counterparty: intent.counterparty.clone(),
        at: attempt
            .map_or(intent.created_at, |a| a.started_at)
            .to_string(),
        open,
        why,
    }
}

/// A candidate of a world, with what else speaks against it beside the reason given.
pub fn candidate_at(
    index: &Index<'_>,
    figures: &Figures,
    at: At,
    line: &LineFacts,
    reason: WhyNot,
) -> Option<Candidate> {
    let intent = index.intent(at.intent)?;
    let attempt = index.attempt(at)?;
    let mut why = vec![reason];
    if index.holds_another(at, &line.provider_payment_id) {
        why.push(WhyNot::OtherProviderId);
    }
    why.extend(figures_against(intent, line));
    why.dedup();
    Some(candidate(
        intent,
        Some(attempt),
        open_of(figures, at.intent, intent),
        why,
    ))
}

/// The candidates that an intent gives: its attempts in the line's account, or itself untried.
pub fn candidates_of(
    index: &Index<'_>,
    figures: &Figures,
    place: usize,
    line: &LineFacts,
    reason: WhyNot,
) -> Vec<Candidate> {
    let Some(intent) = index.intent(place) else {
        return Vec::new();
    };
    let live = index.live_attempts(place, line.account);
    if live.is_empty() {
        let open = open_of(figures, place, intent);
        return vec![candidate(intent, None, open, vec![WhyNot::NeverTried])];
    }
    live.into_iter()
        .filter_map(|at| candidate_at(index, figures, at, line, reason))
        .collect()
}

/// What of an intent's own money is not matched.
pub fn open_of(figures: &Figures, place: usize, intent: &IntentFacts) -> i64 {
    let sum = figures.sums.get(&(place, main_movement(intent)));
    sum.map_or(intent.amount.minor, |s| s.allowed.saturating_sub(s.matched))
}

fn figures_against(intent: &IntentFacts, line: &LineFacts) -> Vec<WhyNot> {
    let mut against = Vec::new();
    let sign = sign_of(Party::of(intent), line.kind);
    if intent.amount.currency != line.presented.currency {
        against.push(WhyNot::OtherCurrency);
    } else if line.presented.minor.checked_mul(sign) != Some(intent.amount.minor) {
        against.push(WhyNot::OtherAmount);
    }
    against
}
