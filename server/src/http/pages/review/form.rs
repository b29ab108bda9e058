//! A decision as its form sends it.

use domain::{
    cases::{DecisionParams, ReasonCode, Refusal},
    matching::Share,
    money::Money,
    time::Day,
    view::{
        FieldProblem,
        case::{CasePage, TypedDecision},
        routes::field,
    },
};
use engine::decide::DecisionRequest;
use std::{fmt::Display, str::FromStr};

use crate::http::{failure::sentence, fields::Fields};

/// Fields that are shown in places of their own when a form comes back.
const NAMED: [&str; 7] = [
    field::ACTION,
    field::REASON,
    field::COMMENT,
    field::DECISION_ID,
    field::EXPECTED_VERSION,
    field::EVIDENCE,
    field::BACK,
];

/// Reads it. `case` is the case as it stands: amounts of shares are in the currency of what they
/// are shares of.
pub fn read(posted: &Fields, case: &CasePage) -> Result<DecisionRequest, FieldProblem> {
    let action = parsed(posted, field::ACTION)?;
    Ok(DecisionRequest {
        decision_id: posted.text(field::DECISION_ID).to_owned(),
        expected_version: parsed(posted, field::EXPECTED_VERSION)?,
        action,
        reason_code: match ReasonCode::for_action(action) {
            // What a decision would post does not depend on why: that can be asked before.
            [any, ..] if posted.text(field::PREVIEW) == "1" => reason(posted).unwrap_or(*any),
            _ => reason(posted)?,
        },
        comment: posted.text(field::COMMENT).to_owned(),
        params: params(posted, case)?,
        evidence_hashes: posted
            .text(field::EVIDENCE)
            .split(',')
            .filter(|hash| !hash.is_empty())
            .map(str::to_owned)
            .collect(),
    })
}

/// What was typed, to be shown again.
pub fn typed(posted: &Fields) -> TypedDecision {
    TypedDecision {
        action: posted.text(field::ACTION).to_owned(),
        reason: posted.text(field::REASON).to_owned(),
        comment: posted.text(field::COMMENT).to_owned(),
        fields: posted
            .pairs()
            .iter()
            .filter(|(name, _)| !NAMED.contains(&name.as_str()))
            .cloned()
            .collect(),
    }
}

/// What was chosen that does not depend on the case.
pub(super) fn params_of_any(posted: &Fields) -> Result<DecisionParams, FieldProblem> {
    Ok(DecisionParams {
        outcome: optional(posted, field::OUTCOME)?,
        to: optional(posted, field::LEDGER_ACCOUNT)?,
        wake_on: optional::<Day>(posted, field::WAKE_ON)?,
        ..DecisionParams::default()
    })
}

fn params(posted: &Fields, case: &CasePage) -> Result<DecisionParams, FieldProblem> {
    let mut params = DecisionParams {
        decision: posted.given(field::REVERSES).map(str::to_owned),
        shares: shares(posted, case)?,
        ..params_of_any(posted)?
    };
    if let Some(chosen) = posted.given(field::CANDIDATE) {
        match chosen.split_once(':') {
            Some(("attempt", id)) => params.shares.push(whole(id)),
            Some(("line", name)) => {
                let line = name.parse().map_err(|e| problem(field::CANDIDATE, e))?;
                params.line = Some(line);
            }
            _ => return Err(problem(field::CANDIDATE, "choose one of the candidates")),
        }
    }
    Ok(params)
}

/// All of a line for one attempt.
fn whole(attempt: &str) -> Share {
    Share {
        intent: String::new(),
        attempt: attempt.to_owned(),
        amount: 0,
    }
}

/// The shares that were typed beside candidates; empty ones ask for nothing.
fn shares(posted: &Fields, case: &CasePage) -> Result<Vec<Share>, FieldProblem> {
    let mut shares = Vec::new();
    for (name, text) in posted.pairs() {
        let Some(key) = name.strip_prefix(field::SHARE_PREFIX) else {
            continue;
        };
        if text.trim().is_empty() {
            continue;
        }
        let candidate = case.candidates.iter().find(|c| c.key == key);
        let currency = candidate
            .and_then(|candidate| candidate.amount)
            .or(case.at_risk)
            .map(|amount| amount.currency);
        let (Some(attempt), Some(currency)) = (key.strip_prefix("attempt:"), currency) else {
            return Err(problem(name, "this is not one of the candidates"));
        };
        let amount = Money::parse_major(text.trim(), currency).map_err(|e| problem(name, e))?;
        shares.push(Share {
            amount: amount.minor,
            ..whole(attempt)
        });
    }
    for (name, payment) in posted.pairs() {
        if let Some(number) = name.strip_prefix(field::OTHER_PREFIX) {
            shares.extend(other_share(posted, case, number, payment.trim())?);
        }
    }
    Ok(shares)
}

/// The share of a payment that is no candidate; nothing where neither is given.
fn other_share(
    posted: &Fields,
    case: &CasePage,
    number: &str,
    payment: &str,
) -> Result<Option<Share>, FieldProblem> {
    let name = format!("{}{number}", field::OTHER_SHARE_PREFIX);
    let text = posted.text(&name);
    match (payment, text, case.at_risk) {
        ("", "", _) => Ok(None),
        ("", ..) => Err(problem(&name, "say which payment this is the share of")),
        (_, "", _) => Err(problem(&name, "say how much belongs to this payment")),
        (_, _, None) => Err(problem(&name, "this case is about no amount")),
        (payment, text, Some(at_risk)) => {
            let amount = Money::parse_major(text, at_risk.currency);
            Ok(Some(Share {
                intent: payment.to_owned(),
                attempt: String::new(),
                amount: amount.map_err(|e| problem(&name, e))?.minor,
            }))
        }
    }
}

/// The reason that was chosen.
pub(super) fn reason(posted: &Fields) -> Result<ReasonCode, FieldProblem> {
    optional(posted, field::REASON)?.ok_or_else(|| problem(field::REASON, "Choose a reason."))
}

pub(super) fn parsed<T>(posted: &Fields, name: &str) -> Result<T, FieldProblem>
where
    T: FromStr,
    T::Err: Display,
{
    optional(posted, name)?.ok_or_else(|| problem(name, "choose one"))
}

pub(super) fn optional<T>(posted: &Fields, name: &str) -> Result<Option<T>, FieldProblem>
where
    T: FromStr,
    T::Err: Display,
{
    let given = posted.given(name).map(str::parse).transpose();
    given.map_err(|error| problem(name, error))
}

/// What the rules refuse, beside the field that it is about where there is one.
pub(super) fn problem_of(refusal: &Refusal, posted: &Fields) -> FieldProblem {
    match refusal {
        Refusal::CommentMissing { .. } => problem(field::COMMENT, refusal),
        Refusal::OfShare { payment, why, .. } => {
            let row = posted.pairs().iter().find_map(|(name, value)| {
                let number = name.strip_prefix(field::OTHER_PREFIX)?;
                (value.trim() == payment).then_some((name, number))
            });
            match row {
                Some((name, number)) => problem(name, format!("row {number}: {why}")),
                None => problem("", refusal),
            }
        }
        _ => problem("", refusal),
    }
}

fn problem(name: &str, message: impl Display) -> FieldProblem {
    FieldProblem::new(name, sentence(&message.to_string()))
}
