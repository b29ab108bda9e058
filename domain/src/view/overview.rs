//! How things stand, at a glance.

use super::Amount;
use crate::{
    account::ProviderKind,
    coded_enum,
    time::{Day, Instant, Zone},
};
use serde::{Deserialize, Serialize};

/// The overview page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overview {
    /// What has been loaded at all: decides between the page and its first steps.
    pub loaded: Loaded,
    /// Money in open cases, one row per currency, largest first.
    pub at_risk: Vec<RiskTotal>,
    /// Open cases by kind and age, most first; what is set aside is not among them.
    pub by_kind: Vec<KindAge>,
    /// How many cases are set aside until a date.
    pub set_aside: u64,
    /// The last days, oldest first, one row per accounting day; days without lines included.
    pub match_rate: Vec<MatchDay>,
    /// Attempts of which nobody knows whether money moved.
    pub unknown: UnknownAttempts,
    /// Payments that succeeded before the files of their account begin and that none holds.
    pub never_settled: NeverSettled,
    /// One calendar per provider account that expects periods.
    pub coverage: Vec<AccountCoverage>,
    /// Decisions that this person could approve, oldest first, at most twenty.
    pub to_approve: Vec<ToApprove>,
    /// Held files that this person could accept as the second, oldest first.
    pub files_to_accept: Vec<FileToAccept>,
    /// How many decisions and files wait for this person in all.
    pub to_approve_total: u64,
    /// Money that settled and that the bank has not shown yet, one row per provider account and currency.
    pub on_its_way: Vec<OnItsWay>,
    /// One row per provider account.
    pub providers: Vec<ProviderHealth>,
}

/// How many of each there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loaded {
    /// Provider accounts.
    pub provider_accounts: u64,
    /// Payment intents.
    pub intents: u64,
    /// Settlement files.
    pub files: u64,
    /// Those of them that are used: what is held explains nothing yet.
    pub used_files: u64,
}

impl Loaded {
    /// Whether there is anything to show beside the first steps.
    pub const fn anything(self) -> bool {
        self.files > 0 || self.intents > 0
    }

    /// Whether both sides are there, so that nothing open means that they agree.
    pub const fn everything(self) -> bool {
        self.provider_accounts > 0 && self.files > 0 && self.intents > 0
    }
}

/// Money in open cases of one currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RiskTotal {
    /// The sum.
    pub amount: Amount,
    /// Over how many cases.
    pub cases: u64,
    /// Opening of the oldest.
    pub oldest: Option<Instant>,
}

/// Open cases of one kind, by age.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindAge {
    /// The kind's code.
    pub kind: String,
    /// Opened less than a day ago.
    pub under_one_day: u64,
    /// One to two days ago.
    pub one_to_two_days: u64,
    /// Two to seven days ago.
    pub two_to_seven_days: u64,
    /// Seven days ago or longer.
    pub over_seven_days: u64,
    /// Past their due time.
    pub overdue: u64,
    /// Money at risk, one per currency.
    pub at_risk: Vec<Amount>,
    /// Opening of the oldest.
    pub oldest: Option<Instant>,
}

impl KindAge {
    /// All of them.
    pub const fn total(&self) -> u64 {
        self.under_one_day + self.one_to_two_days + self.two_to_seven_days + self.over_seven_days
    }
}

/// How one day's lines that concern payments were judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchDay {
    /// The accounting day.
    pub day: Day,
    /// Lines of that day that need a match.
    pub lines: u64,
    /// Matched without a person.
    pub automatic: u64,
    /// Matched by a person.
    pub by_person: u64,
}

/// Attempts of which nobody knows whether money moved.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownAttempts {
    /// How many.
    pub count: u64,
    /// Since when the oldest is unknown.
    pub oldest: Option<Instant>,
    /// Their amounts, one sum per currency.
    pub amounts: Vec<Amount>,
}

/// Payments that succeeded and that nothing settled, older than the files of their account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeverSettled {
    /// How many.
    pub count: u64,
    /// When the oldest began.
    pub oldest: Option<Instant>,
    /// Their amounts, one sum per currency.
    pub amounts: Vec<Amount>,
    /// Whether there may be more: an account has more attempts than were looked at.
    pub more: bool,
}

impl NeverSettled {
    /// One more.
    pub fn add(&mut self, amount: Amount, began: Instant) {
        self.count += 1;
        self.oldest = Some(self.oldest.map_or(began, |oldest| oldest.min(began)));
        match self
            .amounts
            .iter_mut()
            .find(|a| a.currency == amount.currency)
        {
            Some(sum) => sum.minor = sum.minor.saturating_add(amount.minor),
            None => self.amounts.push(amount),
        }
    }
}

coded_enum! {
    /// How one expected period stands.
    pub enum CoverageState as "coverage state" {
        /// A used file states or spans it.
        Complete = "complete",
        /// A file for it is being read or waits for a person.
        Loading = "loading",
        /// Its file is held.
        Held = "held",
        /// Due and not there, but still within the late-arrival window.
        Late = "late",
        /// Due, and the late-arrival window has passed.
        Missing = "missing",
        /// Nothing is expected yet or at all.
        None = "none",
    }
}

/// The calendar of one provider account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountCoverage {
    /// The account's name.
    pub account: String,
    /// In which its days are cut.
    pub zone: Zone,
    /// Consecutive days, oldest first.
    pub days: Vec<CoverageDay>,
}

/// One day of a calendar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageDay {
    /// The day.
    pub day: Day,
    /// How it stands.
    pub state: CoverageState,
    /// The file that covers it or is on its way to, by public id, or empty.
    pub file: String,
}

/// A decision that waits for a second person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToApprove {
    /// The case's public id.
    pub case_id: String,
    /// The case's short label, `C-01944`.
    pub label: String,
    /// The case's kind.
    pub kind: String,
    /// The case's headline.
    pub title: String,
    /// What was decided: the action's code.
    pub action: String,
    /// Money concerned.
    pub amount: Option<Amount>,
    /// Who decided.
    pub decided_by: String,
    /// When.
    pub decided_at: Instant,
}

/// A file about which one person said something that waits for a second: a held one that was accepted as it
/// is, or a used one that is to be taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileToAccept {
    /// The file's public id.
    pub file_id: String,
    /// Its name.
    pub name: String,
    /// Its provider account.
    pub account: String,
    /// Why it is held, or what is to become of it: a sentence.
    pub why: String,
    /// What the first person did: one word.
    pub what: String,
    /// Why they did.
    pub reason: String,
    /// Who that was.
    pub by: String,
    /// When.
    pub at: Instant,
}

/// Money of one provider account in one currency that settled and that the bank has not shown yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnItsWay {
    /// The account's name.
    pub account: String,
    /// Settled and not paid out: what the provider owes, or less than zero where we owe it.
    pub at_provider: Amount,
    /// Paid out and not seen at the bank.
    pub in_transit: Amount,
}

/// How one provider account does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderHealth {
    /// Its name.
    pub account: String,
    /// Whose formats it speaks.
    pub kind: ProviderKind,
    /// When its last file arrived.
    pub last_file_at: Option<Instant>,
    /// The last day that its files cover completely.
    pub covered_to: Option<Day>,
    /// Files that wait for a person.
    pub held_files: u64,
    /// Lines that are neither matched nor accounted for.
    pub open_lines: u64,
    /// Attempts unknown.
    pub unknown: u64,
    /// Attempts succeeded and not yet due in a file.
    pub in_transit: u64,
    /// Whether there may be more of them: the account has more attempts than were looked at.
    pub more_in_transit: bool,
    /// Attempts succeeded, due and without a line.
    pub overdue: u64,
}
