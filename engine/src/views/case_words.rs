//! Steps in the life of a case in words. Records keep them as codes: `write_off: small_difference`.

use crate::storage::queue::CaseStep;
use domain::{
    cases::{Action, ReasonCode},
    view::amount::capital,
};

/// What happened. `before`: the state that the case was in until then.
pub(super) fn happened(step: &CaseStep, before: &str) -> String {
    let detail: serde_json::Value = serde_json::from_str(&step.detail).unwrap_or_default();
    let because = detail
        .get("because")
        .and_then(|b| b.as_str())
        .unwrap_or_default();
    let approved = before == "AWAITING_APPROVAL";
    match step.what.as_str() {
        "opened" => "Opened.".to_owned(),
        "evidence" => "New evidence came.".to_owned(),
        "claimed" => "Taken in hand.".to_owned(),
        "released" => "Let go.".to_owned(),
        "decided" if step.state == "AWAITING_APPROVAL" => {
            let action = because
                .split_once(" by ")
                .map_or(because, |(action, _)| action);
            format!("Decided: {}. A second person must agree.", title(action))
        }
        "decided" if approved => format!("Approved: {}.", decision(because)),
        "decided" => format!("Decided: {}.", decision(because)),
        "approved" => format!("Approved: {}.", decision(because)),
        "refused" => match because.split_once(" refused: ") {
            Some((action, comment)) => format!("Not approved: {}. “{comment}”", title(action)),
            None => format!("Not approved: {}.", decision(because)),
        },
        "withdrawn" => {
            let action = because.strip_suffix(" taken back").unwrap_or(because);
            format!("Taken back before anybody agreed: {}.", title(action))
        }
        "snoozed" => format!("Set aside{}.", why(because)),
        "escalated" => format!("Escalated{}.", why(because)),
        "woken" => "Its time came.".to_owned(),
        "reopened" => match because.strip_prefix("reverse_decision: ") {
            Some(action) if approved => format!("Undoing approved: {}.", title(action)),
            Some(action) => format!("Undone: {}.", title(action)),
            None => format!("Reopened{}.", why(because)),
        },
        "resolved" if because.is_empty() => "Resolved.".to_owned(),
        "resolved" if because == "resolved by evidence" => "Resolved by evidence.".to_owned(),
        "resolved" => match because.strip_prefix("resolved by evidence: ") {
            Some(evidence) => by_evidence(evidence),
            None => format!("Resolved: {}.", decision(because)),
        },
        other => format!("{}.", capital(&other.replace('_', " "))),
    }
}

/// What closed a case that nobody decided, from `file 01ab…`, `decision d-1`, `rematch …`.
fn by_evidence(cause: &str) -> String {
    let (kind, name) = cause.split_once(' ').unwrap_or((cause, ""));
    match kind {
        "decision" | "reversal" => {
            "Resolved by what was decided: nothing of it is open.".to_owned()
        }
        "batch" => format!("Resolved by evidence: batch {name} ties."),
        _ => format!(
            "Resolved by evidence: {}.",
            super::intent::cause(kind, name)
        ),
    }
}

/// `write_off: small_difference` as `Write off (small difference)`.
fn decision(because: &str) -> String {
    match because.split_once(": ") {
        Some((action, reason)) if action.parse::<Action>().is_ok() => {
            format!("{} ({})", title(action), reason_words(reason))
        }
        _ => title(because),
    }
}

/// The reason alone, in brackets, where there is one.
fn why(because: &str) -> String {
    match because.split_once(": ") {
        Some((action, reason)) if action.parse::<Action>().is_ok() => {
            format!(" ({})", reason_words(reason))
        }
        _ => String::new(),
    }
}

fn title(action: &str) -> String {
    action
        .parse::<Action>()
        .map_or_else(|_| action.to_owned(), |action| action.title().to_owned())
}

fn reason_words(reason: &str) -> String {
    let Ok(reason) = reason.parse::<ReasonCode>() else {
        return title(reason);
    };
    let words = reason.title();
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().collect::<String>() + letters.as_str()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(what: &str, state: &str, because: &str) -> CaseStep {
        CaseStep {
            version: 2,
            what: what.to_owned(),
            state: state.to_owned(),
            detail: serde_json::json!({ "because": because }).to_string(),
            actor: "cleo".to_owned(),
            at: 0,
        }
    }

    #[test]
    fn what_people_did_is_told_in_their_words_and_an_approval_is_no_second_decision() {
        for (what, state, before, because, says) in [
            (
                "decided",
                "AWAITING_APPROVAL",
                "OPEN",
                "write_off by ben",
                "Decided: Write off. A second person must agree.",
            ),
            (
                "decided",
                "RESOLVED",
                "AWAITING_APPROVAL",
                "write_off: small_difference",
                "Approved: Write off (small difference).",
            ),
            (
                "decided",
                "RESOLVED",
                "OPEN",
                "accept_variance: other",
                "Decided: Accept as it is (other (say what)).",
            ),
            (
                "refused",
                "OPEN",
                "AWAITING_APPROVAL",
                "write_off refused: too much",
                "Not approved: Write off. “too much”",
            ),
            (
                "withdrawn",
                "OPEN",
                "AWAITING_APPROVAL",
                "write_off taken back",
                "Taken back before anybody agreed: Write off.",
            ),
            (
                "reopened",
                "OPEN",
                "RESOLVED",
                "reverse_decision: write_off",
                "Undone: Write off.",
            ),
            (
                "reopened",
                "OPEN",
                "RESOLVED",
                "reopen: mistake",
                "Reopened (decided by mistake).",
            ),
            (
                "snoozed",
                "WAITING",
                "OPEN",
                "snooze: awaiting_payer",
                "Set aside (waiting for the payer or payee).",
            ),
            (
                "resolved",
                "RESOLVED",
                "OPEN",
                "file day.csv",
                "Resolved: file day.csv.",
            ),
        ] {
            assert_eq!(happened(&step(what, state, because), before), says);
        }
    }
}
