//! What a worker reports of an attempt.

use crate::{
    formats::masked,
    payment::Outcome,
    payments_file::{RowError, checked_id},
};
use serde::{Deserialize, Serialize};

/// The longest free text that a report carries, in characters.
const LONGEST_DETAIL: usize = 2_000;

/// A report as sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportText {
    /// The version of the intent that the worker believes to stand.
    pub expected_version: i64,
    /// succeeded, rejected, unknown.
    pub outcome: String,
    /// The provider's id, where it gave one.
    #[serde(default)]
    pub provider_payment_id: String,
    /// The provider's error code, where it gave one.
    #[serde(default)]
    pub error_code: String,
    /// Anything else worth keeping; card numbers in it are masked.
    #[serde(default)]
    pub detail: String,
}

/// A report as understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Succeeded, rejected or unknown.
    pub outcome: Outcome,
    /// The provider's id, or empty.
    pub provider_payment_id: String,
    /// The provider's error code, or empty.
    pub error_code: String,
    /// Free text without card numbers.
    pub detail: String,
}

/// How a report is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taking {
    /// The answer that the attempt was waiting for.
    Answer,
    /// It came too late or names another version: kept, and judged with all other evidence.
    Evidence,
}

/// Reads a report, or names the field that will not do.
pub fn read_report(text: &ReportText) -> Result<Report, RowError> {
    let outcome = match text.outcome.as_str() {
        "succeeded" => Outcome::Succeeded,
        "rejected" => Outcome::Rejected,
        "unknown" => Outcome::Unknown,
        other => {
            return Err(RowError::new(
                "outcome",
                format!(
                    "{:?} is none of succeeded, rejected, unknown",
                    other.chars().take(40).collect::<String>()
                ),
            ));
        }
    };
    if text.detail.chars().count() > LONGEST_DETAIL {
        return Err(RowError::new(
            "detail",
            format!("is longer than {LONGEST_DETAIL} characters"),
        ));
    }
    if text.detail.contains('\0') {
        return Err(RowError::new("detail", "holds a zero byte"));
    }
    Ok(Report {
        outcome,
        provider_payment_id: checked_id("provider_payment_id", text.provider_payment_id.trim())?,
        error_code: checked_id("error_code", text.error_code.trim())?,
        detail: masked(&text.detail).into_owned(),
    })
}

/// How a report for an attempt is taken: `outcome` is how the attempt stands, `version` the
/// intent's.
pub fn taking(outcome: Outcome, version: i64, expected: i64) -> Taking {
    if outcome == Outcome::InFlight && version == expected {
        Taking::Answer
    } else {
        Taking::Evidence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_answers_only_an_attempt_under_way_at_the_version_it_names() {
        for outcome in Outcome::ALL {
            assert_eq!(taking(*outcome, 2, 1), Taking::Evidence);
            let expected = if *outcome == Outcome::InFlight {
                Taking::Answer
            } else {
                Taking::Evidence
            };
            assert_eq!(taking(*outcome, 2, 2), expected, "{outcome}");
        }
    }

    #[test]
    fn a_report_says_one_of_three_things_and_keeps_no_card_number() {
        let text = |outcome: &str| ReportText {
            expected_version: 2,
            outcome: outcome.to_owned(),
            provider_payment_id: " pi_1 ".to_owned(),
            error_code: String::new(),
            detail: "card 4242424242424242 declined".to_owned(),
        };
        let report = read_report(&text("succeeded")).unwrap();
        assert_eq!(report.provider_payment_id, "pi_1");
        assert_eq!(report.detail, "card 424242******4242 declined");
        for wrong in ["in_flight", "absent", "contested", "", "SUCCEEDED"] {
            assert_eq!(read_report(&text(wrong)).unwrap_err().column, "outcome");
        }
    }
}
