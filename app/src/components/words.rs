//! What people call a code. A code that this version does not know is shown as it is.

use domain::{
    account::{ProviderKind, policy_title},
    actor::{Role, Scope},
    cases::{Action, CaseKind, CaseState},
    line::{RowKind, Rule, Verdict},
    payment::{Direction, Outcome},
    posting::LedgerAccount,
    view::{bulk::APPROVE, files::FileState, overview::CoverageState, queue::QueueView},
};

pub use domain::view::amount::counted;

/// A code as words: underscores are spaces.
pub fn plain(code: &str) -> String {
    code.replace('_', " ")
}

/// A kind of case.
pub fn case_kind(code: &str) -> String {
    code.parse::<CaseKind>()
        .map_or_else(|_| plain(code), |kind| kind.title().to_owned())
}

/// A state of a case.
pub fn case_state(code: &str) -> String {
    code.parse::<CaseState>()
        .map_or_else(|_| plain(code), |state| state.title().to_owned())
}

/// What a decision does.
pub fn action(code: &str) -> String {
    if code == APPROVE {
        return "Approve".to_owned();
    }
    code.parse::<Action>()
        .map_or_else(|_| plain(code), |action| action.title().to_owned())
}

/// How a case ended: by a decision, or by evidence.
pub fn resolution(code: &str) -> String {
    let words = code
        .parse::<Action>()
        .map_or_else(|_| plain(code), |action| action.title().to_lowercase());
    // Where it is shown, "resolved" stands before it already.
    words
        .strip_prefix("resolved ")
        .map_or(words.clone(), str::to_owned)
}

/// The key that opens an action, as the help shows it.
pub const fn action_key(action: Action) -> &'static str {
    match action {
        Action::ConfirmMatch | Action::ConfirmOutcome | Action::AcceptVariance => "c",
        Action::ChooseCandidate => "x",
        Action::NotExecuted => "n",
        Action::RequestRefund => "r",
        Action::WriteOff => "w",
        Action::Snooze => "s",
        Action::Escalate => "e",
        Action::ReverseDecision => "u",
        _ => "",
    }
}

/// A ledger account.
pub fn ledger_account(code: &str) -> String {
    code.parse::<LedgerAccount>()
        .map_or_else(|_| plain(code), |account| account.title().to_owned())
}

/// What a ledger account holds, where its name does not say it.
pub fn ledger_account_holds(code: &str) -> &'static str {
    match code.parse::<LedgerAccount>() {
        Ok(LedgerAccount::ProviderClearing) => "owed by the provider until its payout",
        Ok(LedgerAccount::ProviderReserve) => "held back by the provider",
        Ok(LedgerAccount::PayoutsInTransit) => "paid out, not yet seen at the bank",
        Ok(LedgerAccount::Receipts) => "cleared against our receivables",
        Ok(LedgerAccount::Disbursements) => "paid to payees on our order",
        Ok(LedgerAccount::Suspense) => "money that nothing explains yet",
        Ok(LedgerAccount::CarriedForward) => "carried to another batch",
        Ok(LedgerAccount::FxDifference) => "conversion position, no gain",
        _ => "",
    }
}

/// A row kind.
pub fn row_kind(kind: RowKind) -> String {
    plain(kind.code())
}

/// A verdict.
pub const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Matched => "matched",
        Verdict::Proposed => "proposed",
        Verdict::Conflict => "conflict",
        Verdict::Unmatched => "unmatched",
        Verdict::Accounted => "accounted for",
        Verdict::Held => "held",
        Verdict::Rejected => "rejected",
        Verdict::Repeated => "repeated",
        Verdict::Superseded => "superseded",
    }
}

/// A matching rule.
pub const fn rule(rule: Rule) -> &'static str {
    match rule {
        Rule::ProviderId => "by provider id",
        Rule::Reference => "by reference",
        Rule::Group => "as a group",
        Rule::Composite => "by amount and window",
        Rule::NearReference => "by near reference",
        Rule::Subset => "as a subset",
        Rule::Kind => "by kind",
        Rule::Person => "by a person",
        Rule::None => "",
    }
}

/// An attempt's outcome.
pub const fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::InFlight => "in flight",
        Outcome::Unknown => "unknown",
        Outcome::Succeeded => "succeeded",
        Outcome::Rejected => "rejected",
        Outcome::Absent => "not executed",
        Outcome::Contested => "contested",
    }
}

/// Which way money flows.
pub const fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::In => "in",
        Direction::Out => "out",
    }
}

/// A state of a file.
pub const fn file_state(state: FileState) -> &'static str {
    match state {
        FileState::Received => "waiting to be read",
        FileState::Reading => "reading",
        FileState::Held => "held",
        FileState::Posting => "matching",
        FileState::Closing => "closing",
        FileState::Used => "used",
        FileState::TakingBack => "being taken back",
        FileState::Refused => "refused",
        FileState::Withdrawn => "put away",
    }
}

/// How a period is covered.
pub const fn coverage(state: CoverageState) -> &'static str {
    match state {
        CoverageState::Complete => "complete",
        CoverageState::Loading => "loading",
        CoverageState::Held => "held",
        CoverageState::Late => "late",
        CoverageState::Missing => "missing",
        CoverageState::None => "nothing due",
    }
}

/// A standing selection of the queue.
pub const fn queue_view(view: QueueView) -> &'static str {
    match view {
        QueueView::All => "All open",
        QueueView::Mine => "Mine",
        QueueView::ToApprove => "To approve",
        QueueView::Over48h => "Over 48 h",
        QueueView::Waiting => "Waiting",
        QueueView::Resolved => "Resolved",
    }
}

/// A role with what it may do.
pub const fn role_may(role: Role) -> &'static str {
    match role {
        Role::Viewer => "reads",
        Role::Analyst => {
            "uploads and decides; what is above the threshold a second person agrees to"
        }
        Role::Approver => "analyst, and approves others' decisions",
        Role::Auditor => "reads everything, exports, verifies",
        Role::Admin => "users, providers, policy; decides nothing",
    }
}

/// A scope with what it may do.
pub const fn scope_may(scope: Scope) -> &'static str {
    match scope {
        Scope::Payments => "registers intents and attempts",
        Scope::Ingest => "uploads settlement files",
        Scope::Read => "reads",
        Scope::Compensations => "reports results of compensations",
        Scope::Decide => "decides as a person, with their roles",
    }
}

/// A provider kind by its own name.
pub const fn provider_kind(kind: ProviderKind) -> &'static str {
    kind.title()
}

/// A policy field, in words.
pub fn policy_field(field: &str) -> &'static str {
    policy_title(field)
}

/// A text that ends as a sentence does, so that another may follow it.
pub fn sentence(text: &str) -> String {
    if text.is_empty() || text.ends_with(['.', '?', '!', ':']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// A number that may be more, as it is where not everything was looked at.
pub fn or_more(number: u64, more: bool) -> String {
    let number = domain::view::amount::count(number);
    if more {
        format!("{number} or more")
    } else {
        number
    }
}

/// A size in bytes for people.
pub fn size(bytes: u64) -> String {
    const KB: u64 = 1024;
    const MB: u64 = KB * KB;
    const GB: u64 = KB * MB;
    match bytes {
        b if b < KB => format!("{b} bytes"),
        b if b < MB => format!("{} KB", b.div_ceil(KB)),
        b if b < GB => format!("{}.{} MB", b / MB, b % MB * 10 / MB),
        b => format!("{}.{} GB", b / GB, b % GB * 10 / GB),
    }
}

/// A long hash by its ends.
pub fn short_hash(hash: &str) -> String {
    match (hash.get(..8), hash.get(hash.len().saturating_sub(4)..)) {
        (Some(head), Some(tail)) if hash.len() > 16 => format!("{head}…{tail}"),
        _ => hash.to_owned(),
    }
}
