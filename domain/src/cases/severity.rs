//! How urgent a case is: money at risk, raised by age.

use crate::money::Money;
use serde::{Deserialize, Serialize};

/// From low to critical; stored as 1 to 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Below 100 major units.
    Low = 1,
    /// From 100.
    Medium = 2,
    /// From 1,000.
    High = 3,
    /// From 10,000.
    Critical = 4,
}

impl Severity {
    /// As stored.
    pub const fn number(self) -> i64 {
        self as i64
    }

    /// From storage.
    pub const fn from_number(number: i64) -> Option<Self> {
        Some(match number {
            1 => Self::Low,
            2 => Self::Medium,
            3 => Self::High,
            4 => Self::Critical,
            _ => return None,
        })
    }

    /// What people call it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

/// From this age on a case is one step more severe.
pub const AGED_DAYS: i64 = 7;

/// By the major units at risk, one step higher after a week of age and for each time that somebody
/// escalated it. Where no money is known, medium.
pub fn severity(at_risk: Option<Money>, age_days: i64, escalated: i64) -> Severity {
    let by_amount = at_risk.map_or(2, |money| {
        let major = money.minor.unsigned_abs() / money.currency.major_unit().unsigned_abs();
        match major {
            0..100 => 1,
            100..1_000 => 2,
            1_000..10_000 => 3,
            _ => 4,
        }
    });
    let raised = by_amount + i64::from(age_days >= AGED_DAYS);
    Severity::from_number(raised.saturating_add(escalated.max(0)).min(4))
        .unwrap_or(Severity::Critical)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severity_counts_major_units_of_the_currency_and_a_week_raises_it() {
        let money = |minor, code: &str| Some(Money::new(minor, code.parse().unwrap()));
        for (at_risk, age, escalated, expected) in [
            (money(9_999, "EUR"), 0, 0, Severity::Low),
            (money(9_999, "EUR"), 6, 1, Severity::Medium),
            (money(9_999, "EUR"), 7, 1, Severity::High),
            (money(-10_000, "EUR"), 0, 0, Severity::Medium),
            (money(1_000, "JPY"), 0, 0, Severity::High),
            (money(999_999, "KWD"), 7, 0, Severity::High),
            (money(1_000_000, "EUR"), 30, 5, Severity::Critical),
            (None, 0, 0, Severity::Medium),
        ] {
            assert_eq!(
                severity(at_risk, age, escalated),
                expected,
                "{at_risk:?} {age} {escalated}"
            );
        }
    }
}
