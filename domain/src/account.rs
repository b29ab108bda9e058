//! Provider accounts: one account at a payment provider, its kind and its policy.

use crate::{
    coded_enum,
    time::{Day, Zone},
};
use std::collections::BTreeMap;

coded_enum! {
    /// Whose files and messages an account speaks.
    pub enum ProviderKind as "provider kind" {
        Stripe = "stripe", Adyen = "adyen", Paypal = "paypal", Braintree = "braintree",
        Checkout = "checkout", Razorpay = "razorpay", Gocardless = "gocardless", Mollie = "mollie",
        Square = "square", Klarna = "klarna", Shopify = "shopify", Amazon = "amazon",
        Worldpay = "worldpay", Bank = "bank", Generic = "generic",
    }
}

coded_enum! {
    /// What happens to a file in which a row cannot be read.
    pub enum OnRejected as "on_rejected" {
        /// The whole file waits for a person.
        Hold = "hold",
        /// The good rows are used.
        UseGood = "use_good",
    }
}

coded_enum! {
    /// Whether one intent may be captured in parts.
    pub enum PartialCaptures as "partial_captures" {
        /// A part opens a case at once.
        Unexpected = "unexpected",
        /// A part opens a case only when due.
        Expected = "expected",
    }
}

coded_enum! {
    /// Which periods must arrive.
    pub enum CoverageRule as "coverage" {
        /// Every day, in the account's zone.
        Daily = "daily",
        /// No expectation.
        None = "none",
    }
}

/// The policy of a provider account: every number that domain rules take, with its default.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// Business days (Monday to Friday) from a payment to its settlement line.
    pub settlement_delay_days: u32,
    /// Hours after the due day before something is overdue.
    pub grace_hours: u32,
    /// Days during which a line may still arrive for a covered period.
    pub late_arrival_days: u32,
    /// Minutes that an attempt may be unknown before it is a case.
    pub unknown_grace_minutes: u32,
    /// Minutes that a claim holds.
    pub lease_minutes: u32,
    /// Whether a composite match may be automatic.
    pub composite_auto: bool,
    /// Whether partial captures are normal.
    pub partial_captures: PartialCaptures,
    /// What a rejected row does to its file.
    pub on_rejected: OnRejected,
    /// Which periods are expected.
    pub coverage: CoverageRule,
    /// The linked bank account's name, or empty.
    pub bank_account: String,
    /// Who pays out on the bank statement, or empty.
    pub bank_counterparty: String,
    /// The column that carries our reference, or empty for the profile's own.
    pub reference_column: String,
    /// The largest amount, in major units of any currency, that one person may decide alone.
    pub approval_threshold: u32,
    /// The last accounting day that is closed, if any is: nothing is booked under it or before it.
    pub books_closed_to: Option<Day>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            settlement_delay_days: 2,
            grace_hours: 24,
            late_arrival_days: 5,
            unknown_grace_minutes: 15,
            lease_minutes: 10,
            composite_auto: false,
            partial_captures: PartialCaptures::Unexpected,
            on_rejected: OnRejected::Hold,
            coverage: CoverageRule::Daily,
            bank_account: String::new(),
            bank_counterparty: String::new(),
            reference_column: String::new(),
            approval_threshold: 1000,
            books_closed_to: None,
        }
    }
}

impl ProviderKind {
    /// Its own name.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Stripe => "Stripe",
            Self::Adyen => "Adyen",
            Self::Paypal => "PayPal",
            Self::Braintree => "Braintree",
            Self::Checkout => "Checkout.com",
            Self::Razorpay => "Razorpay",
            Self::Gocardless => "GoCardless",
            Self::Mollie => "Mollie",
            Self::Square => "Square",
            Self::Klarna => "Klarna",
            Self::Shopify => "Shopify",
            Self::Amazon => "Amazon",
            Self::Worldpay => "Worldpay",
            Self::Bank => "Bank",
            Self::Generic => "Tieout CSV",
        }
    }
}

/// What people call a policy field; empty for one that does not exist.
pub fn policy_title(field: &str) -> &'static str {
    match field {
        "settlement_delay_days" => "Settlement delay, business days",
        "grace_hours" => "Grace after due, hours",
        "late_arrival_days" => "Late arrivals, days",
        "unknown_grace_minutes" => "Unknown becomes a case after, minutes",
        "lease_minutes" => "A claim holds, minutes",
        "composite_auto" => "Match by amount and window without a person",
        "partial_captures" => "Partial captures",
        "on_rejected" => "A file with unreadable rows",
        "coverage" => "Files expected",
        "bank_account" => "Linked bank account",
        "bank_counterparty" => "Pays out on the bank statement as",
        "reference_column" => "Column with our reference",
        "approval_threshold" => "One person decides up to, major units",
        "books_closed_to" => "Books closed up to and including",
        _ => "",
    }
}

/// A policy field that does not exist or a value that it does not take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// No such field.
    #[error("{field:?} is not a policy field; known: {known}")]
    UnknownField {
        /// The name given.
        field: String,
        /// All names, comma separated.
        known: String,
    },
    /// Not a value of that field.
    #[error("{value:?} is not a value of {field}: {expected}")]
    BadValue {
        /// The field.
        field: String,
        /// The value given.
        value: String,
        /// What would do.
        expected: String,
    },
}

impl Policy {
    /// The policy as text fields, in a stable order: what is stored, shown and sealed.
    pub fn fields(&self) -> BTreeMap<&'static str, String> {
        let on_off = |b: bool| if b { "on" } else { "off" }.to_owned();
        BTreeMap::from([
            (
                "settlement_delay_days",
                self.settlement_delay_days.to_string(),
            ),
            ("grace_hours", self.grace_hours.to_string()),
            ("late_arrival_days", self.late_arrival_days.to_string()),
            (
                "unknown_grace_minutes",
                self.unknown_grace_minutes.to_string(),
            ),
            ("lease_minutes", self.lease_minutes.to_string()),
            ("composite_auto", on_off(self.composite_auto)),
            ("partial_captures", self.partial_captures.code().to_owned()),
            ("on_rejected", self.on_rejected.code().to_owned()),
            ("coverage", self.coverage.code().to_owned()),
            ("bank_account", or_none(&self.bank_account)),
            ("bank_counterparty", or_none(&self.bank_counterparty)),
            ("reference_column", self.reference_column.clone()),
            ("approval_threshold", self.approval_threshold.to_string()),
            (
                "books_closed_to",
                self.books_closed_to
                    .map_or_else(|| "none".to_owned(), |day| day.to_string()),
            ),
        ])
    }

    /// The day under which something of a day is booked: in a closed period the first open day.
    #[must_use]
    pub fn open_day(&self, day: Day) -> Day {
        match self.books_closed_to {
            Some(closed) if day <= closed => closed.next(),
            _ => day,
        }
    }

    /// Sets one field from text, as `provider add --set FIELD=VALUE` does.
    pub fn set(&mut self, field: &str, value: &str) -> Result<(), PolicyError> {
        let bad = |expected: &str| PolicyError::BadValue {
            field: field.to_owned(),
            value: value.chars().take(40).collect(),
            expected: expected.to_owned(),
        };
        let number = |most: u32| {
            value
                .parse::<u32>()
                .ok()
                .filter(|n| *n <= most)
                .ok_or_else(|| bad(&format!("a whole number from 0 to {most}")))
        };
        match field {
            "settlement_delay_days" => self.settlement_delay_days = number(60)?,
            "grace_hours" => self.grace_hours = number(24 * 60)?,
            "late_arrival_days" => self.late_arrival_days = number(365)?,
            "unknown_grace_minutes" => self.unknown_grace_minutes = number(60 * 24 * 30)?,
            "lease_minutes" => self.lease_minutes = number(60 * 24)?,
            "approval_threshold" => self.approval_threshold = number(1_000_000_000)?,
            "composite_auto" => {
                self.composite_auto = match value {
                    "off" => false,
                    // What has no effect is refused rather than kept.
                    _ => {
                        return Err(bad(
                            "off: a line without any id is proposed to a person, never matched by itself",
                        ));
                    }
                }
            }
            "partial_captures" => {
                self.partial_captures = value.parse().map_err(|_| bad("expected or unexpected"))?;
            }
            "on_rejected" => {
                self.on_rejected = value.parse().map_err(|_| bad("hold or use_good"))?;
            }
            "coverage" => self.coverage = value.parse().map_err(|_| bad("daily or none"))?,
            "books_closed_to" => {
                self.books_closed_to = match value {
                    "none" => None,
                    day => Some(Day::parse(day).map_err(|_| bad("a day as 2026-10-31, or none"))?),
                }
            }
            "bank_account" => self.bank_account = none_as_empty(value),
            "bank_counterparty" => self.bank_counterparty = none_as_empty(value),
            "reference_column" => value.trim().clone_into(&mut self.reference_column),
            _ => {
                return Err(PolicyError::UnknownField {
                    field: field.chars().take(40).collect(),
                    known: Self::default()
                        .fields()
                        .into_keys()
                        .collect::<Vec<_>>()
                        .join(", "),
                });
            }
        }
        Ok(())
    }
}

fn or_none(text: &str) -> String {
    if text.is_empty() {
        "none".to_owned()
    } else {
        text.to_owned()
    }
}

fn none_as_empty(text: &str) -> String {
    if text == "none" {
        String::new()
    } else {
        text.trim().to_owned()
    }
}

/// One account at a payment provider, as rules need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderAccount {
    /// Our key in storage.
    pub id: i64,
    /// The name people use, such as `stripe-eu`.
    pub name: String,
    /// Whose formats it speaks.
    pub kind: ProviderKind,
    /// The zone in which its days are cut.
    pub zone: Zone,
    /// Its policy.
    pub policy: Policy,
    /// Which version of the policy this is, from 1.
    pub policy_version: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_can_be_set_from_what_it_shows() {
        let mut policy = Policy::default();
        for (field, value) in Policy::default().fields() {
            policy.set(field, &value).unwrap();
        }
        assert_eq!(policy, Policy::default());
    }

    #[test]
    fn a_day_in_a_closed_period_is_booked_under_the_first_open_one() {
        let day = |text: &str| Day::parse(text).unwrap();
        let mut policy = Policy::default();
        assert_eq!(policy.open_day(day("2026-10-31")), day("2026-10-31"));
        policy.set("books_closed_to", "2026-10-31").unwrap();
        for (of, booked) in [
            ("2026-09-15", "2026-11-01"),
            ("2026-10-31", "2026-11-01"),
            ("2026-11-01", "2026-11-01"),
            ("2026-11-02", "2026-11-02"),
        ] {
            assert_eq!(policy.open_day(day(of)), day(booked), "{of}");
        }
        policy.set("books_closed_to", "none").unwrap();
        assert_eq!(policy, Policy::default());
        assert!(policy.set("books_closed_to", "October").is_err());
    }

    #[test]
    fn an_unknown_field_names_the_known_ones() {
        let error = Policy::default().set("grace", "3").unwrap_err().to_string();
        assert!(error.contains("grace_hours"), "{error}");
    }
}
