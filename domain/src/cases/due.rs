//! Cases that only time makes: pure functions of facts and now.

use super::wanted::WantedCase;
use crate::{
    account::{Policy, ProviderAccount},
    matching::{AttemptFacts, IntentFacts},
    payment::Outcome,
    time::{Day, Instant, Zone},
};

/// When a settlement that began at an instant is due: the settlement delay in business days, to the
/// end of that day in the account's zone, and the grace.
pub fn settlement_due(began: Instant, zone: Zone, policy: &Policy) -> Instant {
    let day = began
        .day_in(zone)
        .plus_business_days(policy.settlement_delay_days);
    day.next()
        .start_in(zone)
        .plus_seconds(i64::from(policy.grace_hours) * 3600)
}

/// When the file of a day is missing: the day's settlement due, and the late arrival days.
pub fn file_due(day: Day, zone: Zone, policy: &Policy) -> Instant {
    settlement_due(day.start_in(zone), zone, policy)
        .plus_seconds(i64::from(policy.late_arrival_days) * 86_400)
}

/// An attempt with how it stands, for the sweep.
#[derive(Debug, Clone, Copy)]
pub struct AttemptStanding<'a> {
    /// The intent.
    pub intent: &'a IntentFacts,
    /// The attempt.
    pub attempt: &'a AttemptFacts,
    /// Its outcome with all evidence.
    pub outcome: Outcome,
    /// Since when.
    pub since: Instant,
    /// Whether any line is tied to it.
    pub has_lines: bool,
    /// Whether it is a candidate in another open case, which then speaks for it.
    pub candidate_elsewhere: bool,
    /// Whether every period in which its settlement could have come is complete.
    pub covered: bool,
}

/// The case that an attempt's age makes, if any: unknown past grace, or succeeded, due and covered
/// with no line.
pub fn attempt_due(
    _account: &ProviderAccount,
    _standing: &AttemptStanding<'_>,
    _now: Instant,
) -> Option<WantedCase> {
    None
}

/// An expected period, for the sweep.
#[derive(Debug, Clone, Copy)]
pub struct PeriodStanding {
    /// The day, in the account's zone.
    pub day: Day,
    /// Whether a used file covers it.
    pub covered: bool,
    /// How many attempts without a line are due in it.
    pub attempts_due: u64,
    /// What is due in it, where it is of one currency.
    pub due_in_it: Option<crate::money::Money>,
    /// Whether a person set it aside.
    pub dismissed: bool,
}

/// The case of a missing file, if it is one by now.
pub fn period_due(
    _account: &ProviderAccount,
    _period: &PeriodStanding,
    _now: Instant,
) -> Option<WantedCase> {
    None
}
