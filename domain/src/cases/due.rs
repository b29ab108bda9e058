//! Cases that only time makes: pure functions of facts and now.

use super::{
    kinds::CaseKind,
    wanted::{CaseAttempt, CaseFacts, Subject, WantedCase},
};
use crate::{
    account::{CoverageRule, Policy, ProviderAccount},
    matching::{AttemptFacts, IntentFacts, sentences},
    money::Money,
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

/// When an attempt that is unknown since an instant becomes a case.
pub const fn unknown_due(since: Instant, policy: &Policy) -> Instant {
    since.plus_seconds(policy.unknown_grace_minutes as i64 * 60)
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
    /// Whether every period in which its settlement could have come is complete. Not asked where
    /// the policy expects no periods.
    pub covered: bool,
}

/// The case that an attempt's age makes, if any: unknown past grace, or succeeded, due and covered
/// with no line.
pub fn attempt_due(
    account: &ProviderAccount,
    standing: &AttemptStanding<'_>,
    now: Instant,
) -> Option<WantedCase> {
    if standing.candidate_elsewhere {
        return None;
    }
    match standing.outcome {
        Outcome::Unknown => unknown(account, standing, now),
        Outcome::Succeeded => missing(account, standing, now),
        _ => None,
    }
}

fn unknown(
    account: &ProviderAccount,
    standing: &AttemptStanding<'_>,
    now: Instant,
) -> Option<WantedCase> {
    if now < unknown_due(standing.since, &account.policy) {
        return None;
    }
    let mut case = of_attempt(account, standing, CaseKind::UnknownOutcome);
    case.facts.sentence = format!(
        "Nobody knows whether attempt {} of payment {} took {}: no answer, event or settlement line \
         has said so since {}.",
        standing.attempt.public_id,
        standing.intent.public_id,
        standing.intent.amount,
        standing.since
    );
    Some(case)
}

fn missing(
    account: &ProviderAccount,
    standing: &AttemptStanding<'_>,
    now: Instant,
) -> Option<WantedCase> {
    let rulings = &standing.attempt.rulings;
    let expected = !standing.has_lines && !rulings.written_off && !rulings.external;
    let covered = standing.covered || account.policy.coverage == CoverageRule::None;
    let due = settlement_due(standing.attempt.started_at, account.zone, &account.policy);
    if !expected || !covered || now < due {
        return None;
    }
    let mut case = of_attempt(account, standing, CaseKind::MissingSettlement);
    case.facts.figures.push(("due".to_owned(), due.to_string()));
    case.facts.sentence = format!(
        "Attempt {} of payment {} succeeded, its settlement of {} was due by {due}, all files in \
         which it could be have come, and none holds it.",
        standing.attempt.public_id, standing.intent.public_id, standing.intent.amount,
    );
    Some(case)
}

fn of_attempt(
    account: &ProviderAccount,
    standing: &AttemptStanding<'_>,
    kind: CaseKind,
) -> WantedCase {
    let AttemptStanding {
        intent, attempt, ..
    } = standing;
    let mut provider_ids: Vec<String> = attempt.firm_ids().map(ToOwned::to_owned).collect();
    provider_ids.sort();
    WantedCase {
        kind,
        subject: Subject::Attempt(attempt.public_id.clone()).to_string(),
        account: account.id,
        at_risk: Some(intent.amount),
        intent: Some(intent.key),
        attempt: Some(attempt.key),
        line: None,
        not_before: None,
        facts: CaseFacts {
            settled_by: sentences::settled_by(kind),
            intent: intent.public_id.clone(),
            attempt: attempt.public_id.clone(),
            expected: Some(intent.amount),
            attempts: vec![CaseAttempt {
                intent: intent.public_id.clone(),
                attempt: attempt.public_id.clone(),
                number: attempt.number,
                reported: attempt.reported,
                outcome: standing.outcome,
                provider_ids,
            }],
            figures: vec![
                ("began".to_owned(), attempt.started_at.to_string()),
                ("since".to_owned(), standing.since.to_string()),
            ],
            ..CaseFacts::default()
        },
    }
}

/// An expected period, for the sweep.
#[derive(Debug, Clone, Copy)]
pub struct PeriodStanding {
    /// The first day, in the account's zone.
    pub day: Day,
    /// The last day: consecutive days without a file are one case.
    pub last: Day,
    /// Whether a used file covers it.
    pub covered: bool,
    /// How many attempts without a line are due in it.
    pub attempts_due: u64,
    /// What is due in it, where it is of one currency.
    pub due_in_it: Option<Money>,
    /// Whether a person set it aside.
    pub dismissed: bool,
}

/// The figure that tells the days.
const DAYS: &str = "days";

/// The last of the days without a file that a case shows; none where it is about something else.
pub fn last_day_shown(facts: &CaseFacts) -> Option<Day> {
    let (_, days) = facts.figures.iter().find(|(what, _)| what == DAYS)?;
    let last = days.rsplit_once(TO).map_or(days.as_str(), |(_, last)| last);
    Day::parse(last).ok()
}

const TO: &str = " to ";

fn span(period: &PeriodStanding) -> String {
    if period.day == period.last {
        period.day.to_string()
    } else {
        format!("{}{TO}{}", period.day, period.last)
    }
}

/// The case of a missing file, if it is one by now.
pub fn period_due(
    account: &ProviderAccount,
    period: &PeriodStanding,
    now: Instant,
) -> Option<WantedCase> {
    let expected = account.policy.coverage == CoverageRule::Daily;
    let due = file_due(period.day, account.zone, &account.policy);
    if !expected || period.covered || period.dismissed || now < due {
        return None;
    }
    let due_in_it = match period.attempts_due {
        0 => "no payment of ours is due in it".to_owned(),
        1 => "1 payment of ours is due in it".to_owned(),
        n => format!("{n} payments of ours are due in it"),
    };
    Some(WantedCase {
        kind: CaseKind::MissingFile,
        subject: Subject::Period(format!("{}:{}", account.name, period.day)).to_string(),
        account: account.id,
        at_risk: period.due_in_it,
        intent: None,
        attempt: None,
        line: None,
        not_before: None,
        facts: CaseFacts {
            sentence: format!(
                "No settlement file of {} covers {}; it was to be here by {due}, and {due_in_it}.",
                account.name,
                span(period)
            ),
            settled_by: sentences::settled_by(CaseKind::MissingFile),
            figures: vec![
                (DAYS.to_owned(), span(period)),
                ("due".to_owned(), due.to_string()),
                ("payments due".to_owned(), period.attempts_due.to_string()),
            ],
            ..CaseFacts::default()
        },
    })
}
