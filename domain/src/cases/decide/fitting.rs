//! Which payments can take a line.

use super::{
    input::{DecisionInput, Target},
    refusal::Refusal,
};
use crate::{
    cases::wanted::CaseLine,
    line::RowKind,
    matching::{IntentFacts, Share},
    payment::{Direction, Outcome},
};

/// The attempt that is named. Of an intent that is named alone it is the only attempt that was neither
/// rejected nor absent, or the only one at all: which of several moved the money is not guessed.
pub(super) fn target<'a>(
    input: &DecisionInput<'a>,
    intent: &str,
    attempt: &str,
) -> Result<&'a Target<'a>, Refusal> {
    let one_named = !intent.is_empty() || !attempt.is_empty();
    let is_named = |t: &&Target<'_>| {
        one_named
            && (intent.is_empty() || t.intent.public_id == intent)
            && (attempt.is_empty() || t.attempt.public_id == attempt)
    };
    let is_live = |t: &&Target<'_>| {
        let outcome = t.attempt.stated_outcome();
        !matches!(outcome, Outcome::Rejected | Outcome::Absent)
    };
    let named: Vec<&Target<'_>> = input.targets.iter().filter(is_named).collect();
    let live: Vec<&Target<'_>> = named.iter().copied().filter(is_live).collect();
    match (named.as_slice(), live.as_slice()) {
        ([one], _) | (_, [one]) => Ok(one),
        ([], _) => Err(Refusal::Missing("a payment with an attempt")),
        ([first, ..], live) => {
            let possible = if live.is_empty() { &named } else { live };
            let ids: Vec<&str> = possible
                .iter()
                .map(|t| t.attempt.public_id.as_str())
                .collect();
            Err(Refusal::WhichAttempt {
                payment: first.intent.public_id.clone(),
                attempts: ids.join(" or "),
            })
        }
    }
}

/// The payment that takes a share, and what the whole line is in its direction.
pub(super) fn taker<'a>(
    input: &DecisionInput<'a>,
    line: &CaseLine,
    chosen: &Share,
    before: &[Share],
) -> Result<(&'a Target<'a>, i64), Refusal> {
    let target = target(input, &chosen.intent, &chosen.attempt).map_err(|refusal| {
        let payment = named(chosen);
        match refusal {
            Refusal::Missing(_) if payment.is_empty() => Refusal::NoPaymentNamed,
            Refusal::Missing(_) => Refusal::NoSuchPayment { payment },
            other => other,
        }
    })?;
    fits(line, target)?;
    let whole = in_direction(line, target.intent)?;
    if chosen.amount == 0 || (chosen.amount > 0) != (whole > 0) {
        return Err(does_not_fit(
            target,
            "its share must be an amount above zero",
        ));
    }
    let taken = share(target, 0);
    if before
        .iter()
        .any(|s| s.attempt == taken.attempt && s.intent == taken.intent)
    {
        return Err(does_not_fit(target, "it is named twice"));
    }
    Ok((target, whole))
}

/// Whom a share names, as it was given, shortened.
pub(super) fn named(share: &Share) -> String {
    let id = if share.intent.is_empty() {
        &share.attempt
    } else {
        &share.intent
    };
    id.chars().take(80).collect()
}

pub(super) fn share(target: &Target<'_>, amount: i64) -> Share {
    Share {
        intent: target.intent.public_id.clone(),
        attempt: target.attempt.public_id.clone(),
        amount,
    }
}

pub(super) fn does_not_fit(target: &Target<'_>, why: &str) -> Refusal {
    Refusal::DoesNotFit {
        payment: target.intent.public_id.clone(),
        why: why.to_owned(),
    }
}

/// Whether a payment can take a line at all.
pub(super) fn fits(line: &CaseLine, target: &Target<'_>) -> Result<(), Refusal> {
    let intent = target.intent;
    let right_kind = match line.kind {
        RowKind::Payment | RowKind::Chargeback | RowKind::ChargebackReversal => {
            intent.direction == Direction::In
        }
        RowKind::Disbursement => intent.direction == Direction::Out && !intent.is_refund(),
        RowKind::PaymentReversal => !intent.is_refund(),
        RowKind::Refund | RowKind::RefundReversal => {
            intent.is_refund() || intent.direction == Direction::In
        }
        _ => false,
    };
    if !right_kind {
        return Err(does_not_fit(
            target,
            &format!("a {} is not what it waits for", kind_in_words(line.kind)),
        ));
    }
    if intent.amount.currency != line.presented.currency {
        return Err(does_not_fit(
            target,
            &format!("it is in {}", intent.amount.currency),
        ));
    }
    let takes_back = matches!(
        line.kind,
        RowKind::PaymentReversal | RowKind::RefundReversal | RowKind::ChargebackReversal
    );
    if takes_back && target.open >= intent.amount.minor {
        return Err(does_not_fit(
            target,
            "nothing of it was taken that could come back",
        ));
    }
    if !takes_back && target.open <= 0 {
        return Err(does_not_fit(target, "nothing of it is open any more"));
    }
    Ok(())
}

fn kind_in_words(kind: RowKind) -> String {
    kind.code().replace('_', " ")
}

pub(super) fn in_direction(line: &CaseLine, intent: &IntentFacts) -> Result<i64, Refusal> {
    let captures = matches!(line.kind, RowKind::Payment | RowKind::PaymentReversal);
    let sign = if captures && intent.direction == Direction::In {
        1
    } else {
        -1
    };
    line.presented
        .minor
        .checked_mul(sign)
        .ok_or_else(|| Refusal::NotNow("the line's amount is out of range".to_owned()))
}
