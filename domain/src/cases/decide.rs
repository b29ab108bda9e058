//! What a decision would do, or why it is refused.

use super::{
    actions::{Action, always_allowed, available_today, two_people_always},
    due::last_day_shown,
    files::HELD_SINCE,
    kinds::CaseKind,
    reasons::ReasonCode,
    states::CaseMove,
    wanted::{CaseFacts, CaseLine},
};
use crate::{
    account::Policy,
    line::RowKind,
    matching::{
        AttemptFacts, IntentFacts, LineName, REPORTED_ALSO, REPORTED_UNDER, Ruling, RulingSubject,
        Share, rulings::OutcomeRuling, sentences,
    },
    money::{Money, major},
    payment::{Direction, Outcome},
    posting::{LedgerAccount, contra_account},
    time::{Day, Instant, Zone},
    view::amount::counted,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a person chose beside the action, as the form or the API sends it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DecisionParams {
    /// To which attempts, and how much: confirm_match and choose_candidate take one (an amount of
    /// zero means the whole line), allocate several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<Share>,
    /// confirm_outcome: succeeded or rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// allocate: which line, where the case has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<LineName>,
    /// correct_posting: to which account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<LedgerAccount>,
    /// snooze, wait_for_provider: until when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Instant>,
    /// snooze, wait_for_provider: or from the start of which day, in the account's zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wake_on: Option<Day>,
    /// reverse_decision: which, by its public id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
}

/// An attempt that the params name, as it stands now.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The intent.
    pub intent: &'a IntentFacts,
    /// The attempt.
    pub attempt: &'a AttemptFacts,
    /// What is still open of the intent for the line's movement.
    pub open: i64,
}

/// A decision before it is one.
#[derive(Debug, Clone, Copy)]
pub struct DecisionInput<'a> {
    /// The case's kind.
    pub kind: CaseKind,
    /// The case's subject.
    pub subject: &'a str,
    /// The case's facts.
    pub facts: &'a CaseFacts,
    /// Hash of the facts, as hex.
    pub evidence: &'a str,
    /// Money at risk.
    pub at_risk: Option<Money>,
    /// The account's policy.
    pub policy: &'a Policy,
    /// The zone in which the account's days are cut.
    pub zone: Zone,
    /// What is to be done.
    pub action: Action,
    /// Why.
    pub reason: ReasonCode,
    /// In the person's words.
    pub comment: &'a str,
    /// What else was chosen.
    pub params: &'a DecisionParams,
    /// The attempts that the params name.
    pub targets: &'a [Target<'a>],
    /// All rows that wait for the decision, where a case shows only the first of them. correct_posting of
    /// unrecognised_rows: the file's rows of unknown kind that no decision placed; accept_variance of
    /// batch_out_of_balance: the rows whose net is off and that no decision accepted.
    pub waiting_rows: &'a [LineName],
    /// Whether the decision to be reversed had been approved by a second person.
    pub reverses_approved: bool,
    /// Now.
    pub now: Instant,
}

/// What a decision would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// The rulings it sets.
    pub rulings: Vec<(RulingSubject, Ruling)>,
    /// Whether a second person must agree first.
    pub two_people: bool,
    /// How the case moves by the decision itself: snoozed or reopened. Where rulings are set, judging
    /// again closes the case, or keeps it.
    pub movement: Option<CaseMove>,
    /// When the case wakes.
    pub wake_at: Option<Instant>,
    /// What happens when it takes effect, in sentences.
    pub preview: Vec<String>,
}

impl Effect {
    /// The sentences for the person who is about to confirm: they also say whether anything happens
    /// before a second person agreed.
    pub fn before_it_is_decided(&self) -> String {
        let mut told = self.preview.join(" ");
        if self.two_people {
            told.push_str(" A second person must agree before this takes effect.");
        }
        told
    }
}

/// Why a decision is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Not for this kind.
    #[error("“{}” is not a decision for “{}”", action.title(), kind.title())]
    NotAllowed {
        /// The action.
        action: Action,
        /// The kind.
        kind: CaseKind,
    },
    /// Not a reason for this action.
    #[error("the reason “{}” does not go with “{}”", reason.title(), action.title())]
    WrongReason {
        /// The reason.
        reason: ReasonCode,
        /// The action.
        action: Action,
    },
    /// The reason says too little alone.
    #[error("the reason “{}” needs a comment", reason.title())]
    CommentMissing {
        /// The reason.
        reason: ReasonCode,
    },
    /// Something that must be chosen was not.
    #[error("choose {0} first")]
    Missing(&'static str),
    /// A payment of no such id, or one without an attempt.
    #[error("there is no payment with an attempt whose id is “{payment}”")]
    NoSuchPayment {
        /// The id that was given.
        payment: String,
    },
    /// A share that names nobody.
    #[error("it names no payment: give its intent or its attempt")]
    NoPaymentNamed,
    /// One of several shares will not do.
    #[error("share {number} ({amount}{}): {why}", for_payment(payment))]
    OfShare {
        /// Which, from 1, in the order in which they were given.
        number: usize,
        /// How much it gives.
        amount: Money,
        /// Whom it names, as it was given, or empty.
        payment: String,
        /// Why not.
        why: Box<Refusal>,
    },
    /// A payment that cannot take it.
    #[error("{payment} cannot take this: {why}")]
    DoesNotFit {
        /// The intent's public id.
        payment: String,
        /// Why.
        why: String,
    },
    /// Anything else, said whole.
    #[error("{0}")]
    NotNow(String),
}

fn for_payment(payment: &str) -> String {
    if payment.is_empty() {
        String::new()
    } else {
        format!(" for payment “{payment}”")
    }
}

/// The most characters of a comment.
pub const MOST_COMMENT: usize = 2_000;
const LONGEST_WAIT_DAYS: i64 = 90;
const SECONDS_PER_DAY: i64 = 86_400;

/// What the decision would do, or why not. Who may decide is the engine's to ask.
pub fn validate_decision(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let listed = available_today(input.kind).contains(&input.action)
        || always_allowed().contains(&input.action);
    if !listed {
        return Err(Refusal::NotAllowed {
            action: input.action,
            kind: input.kind,
        });
    }
    check_reason(input)?;
    let mut effect = effect(input)?;
    effect.two_people = takes_two(input);
    Ok(effect)
}

fn check_reason(input: &DecisionInput<'_>) -> Result<(), Refusal> {
    if !ReasonCode::for_action(input.action).contains(&input.reason) {
        return Err(Refusal::WrongReason {
            reason: input.reason,
            action: input.action,
        });
    }
    if input.reason.demands_comment() && input.comment.trim().is_empty() {
        return Err(Refusal::CommentMissing {
            reason: input.reason,
        });
    }
    if input.comment.chars().count() > MOST_COMMENT {
        return Err(Refusal::NotNow(format!(
            "the comment is longer than {MOST_COMMENT} characters"
        )));
    }
    Ok(())
}

/// Whether a second person must agree: by the action, or by the money that it moves.
fn takes_two(input: &DecisionInput<'_>) -> bool {
    if input.action.is_handling() {
        return false;
    }
    if input.action == Action::ReverseDecision {
        return input.reverses_approved;
    }
    let moved = input.facts.lines.iter().map(|l| l.presented);
    two_people_always(input.action)
        || input
            .at_risk
            .into_iter()
            .chain(moved)
            .any(|money| above_threshold(money, input.policy))
}

fn above_threshold(money: Money, policy: &Policy) -> bool {
    let limit = i128::from(policy.approval_threshold) * i128::from(money.currency.major_unit());
    i128::from(money.minor).abs() > limit
}

/// Opens the case again, also where it was set aside: no evidence is set aside from here on.
fn reopen(input: &DecisionInput<'_>) -> Effect {
    let subject = RulingSubject::Case(input.kind, input.subject.to_owned());
    let nothing = Ruling::Dismissed {
        evidence: String::new(),
        until: None,
    };
    Effect {
        rulings: vec![(subject, nothing)],
        ..moves(Some(CaseMove::Reopen), "The case is open again.")
    }
}

fn effect(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    match input.action {
        Action::ConfirmMatch | Action::ChooseCandidate => match_to_one(input),
        Action::Allocate => allocate(input),
        Action::RecordExternal => record_external(input),
        Action::ConfirmOutcome => confirm_outcome(input),
        Action::NotExecuted => rule_outcome(input, Outcome::Absent),
        Action::AcceptVariance => accept_variance(input),
        Action::AcceptRows => accept_rows(input),
        Action::WriteOff => write_off(input),
        Action::CorrectPosting => correct_posting(input),
        Action::Dismiss => Ok(dismiss(input)),
        Action::Snooze | Action::WaitForProvider => wait(input),
        Action::Escalate => Ok(moves(
            None,
            "The case is marked for a senior colleague and stays open.",
        )),
        Action::Reopen => Ok(reopen(input)),
        Action::ReverseDecision => reverse(input),
        Action::Retry => retry(input),
        Action::RequestRefund | Action::RequestReversal | Action::PermitResend => {
            Err(Refusal::NotAllowed {
                action: input.action,
                kind: input.kind,
            })
        }
    }
}

/// Sets aside what is known: the evidence as it is, or the days without a file that are shown. The day
/// behind them is another one.
fn dismiss(input: &DecisionInput<'_>) -> Effect {
    let until = last_day_shown(input.facts);
    let told = if until.is_some() {
        "The case is closed, and these days are not asked about again; should later ones stay without a \
         file, they are a case of their own."
    } else {
        "The case is closed and opens again when its evidence changes."
    };
    let dismissed = Ruling::Dismissed {
        evidence: input.evidence.to_owned(),
        until,
    };
    let subject = RulingSubject::Case(input.kind, input.subject.to_owned());
    rulings(vec![(subject, dismissed)], told.to_owned())
}

fn rulings(rulings: Vec<(RulingSubject, Ruling)>, preview: String) -> Effect {
    Effect {
        rulings,
        two_people: false,
        movement: None,
        wake_at: None,
        preview: vec![preview],
    }
}

fn moves(movement: Option<CaseMove>, preview: &str) -> Effect {
    Effect {
        rulings: Vec::new(),
        two_people: false,
        movement,
        wake_at: None,
        preview: vec![preview.to_owned()],
    }
}

/// The line that a decision is about: the one chosen, else the only one without a match.
fn line<'a>(input: &DecisionInput<'a>) -> Result<&'a CaseLine, Refusal> {
    let lines = &input.facts.lines;
    if let Some(name) = &input.params.line {
        return lines
            .iter()
            .find(|l| l.name == *name)
            .ok_or(Refusal::Missing("a line of this case"));
    }
    let mut open = lines.iter().filter(|l| !l.matched);
    match (open.next(), open.next(), lines.as_slice()) {
        (Some(only), None, _) | (None, None, [only]) => Ok(only),
        _ => Err(Refusal::Missing("a line")),
    }
}

fn match_to_one(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let line = line(input)?;
    let (intent, attempt) = match input.params.shares.as_slice() {
        [] if !input.facts.attempt.is_empty() && input.action == Action::ConfirmMatch => {
            (&input.facts.intent, &input.facts.attempt)
        }
        [one] => (&one.intent, &one.attempt),
        [] => return Err(Refusal::Missing("a payment")),
        _ => {
            return Err(Refusal::NotNow(
                "to match one line to several payments, allocate it".to_owned(),
            ));
        }
    };
    let target = target(input, intent, attempt)?;
    fits(line, target)?;
    let amount = in_direction(line, target.intent)?;
    let share = share(target, amount);
    let mut effect = rulings(
        vec![(
            RulingSubject::Line(line.name.clone()),
            match_to(input, vec![share]),
        )],
        format!(
            "{} of line {} is matched to payment {}.",
            line.presented, line.name, target.intent.public_id
        ),
    );
    effect.preview.extend(leaves_open(target, amount));
    effect.preview.extend(other_id(line, target));
    Ok(effect)
}

/// Every intent that the case showed as possible and that was not chosen was decided against.
fn match_to(input: &DecisionInput<'_>, shares: Vec<Share>) -> Ruling {
    let chosen: BTreeSet<&str> = shares.iter().map(|s| s.intent.as_str()).collect();
    let against = input
        .facts
        .candidates
        .iter()
        .map(|c| c.intent.as_str())
        .chain((!input.facts.intent.is_empty()).then_some(input.facts.intent.as_str()))
        .filter(|intent| !chosen.contains(intent))
        .map(ToOwned::to_owned)
        .collect();
    Ruling::MatchTo { shares, against }
}

fn allocate(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let line = line(input)?;
    if input.params.shares.is_empty() {
        return Err(Refusal::Missing("the payments and how much goes to each"));
    }
    let mut shares: Vec<Share> = Vec::new();
    let mut preview = Vec::new();
    let mut whole = 0;
    let mut given: i128 = 0;
    for (number, chosen) in (1..).zip(&input.params.shares) {
        let amount = Money::new(chosen.amount, line.presented.currency);
        let (target, all) =
            taker(input, line, chosen, &shares).map_err(|why| Refusal::OfShare {
                number,
                amount,
                payment: named(chosen),
                why: Box::new(why),
            })?;
        whole = all;
        given += i128::from(chosen.amount);
        preview.push(format!(
            "{amount} goes to payment {}.",
            target.intent.public_id
        ));
        preview.extend(leaves_open(target, chosen.amount));
        shares.push(share(target, chosen.amount));
    }
    if given != i128::from(whole) {
        let currency = line.presented.currency;
        return Err(Refusal::NotNow(format!(
            "the shares come to {} {currency}, and must make {}, the line's whole amount",
            major(given, currency.exponent()),
            Money::new(whole, currency)
        )));
    }
    let mut effect = rulings(
        vec![(
            RulingSubject::Line(line.name.clone()),
            match_to(input, shares),
        )],
        format!("Line {} of {} is shared out.", line.name, line.presented),
    );
    effect.preview.extend(preview);
    Ok(effect)
}

fn target<'a>(
    input: &DecisionInput<'a>,
    intent: &str,
    attempt: &str,
) -> Result<&'a Target<'a>, Refusal> {
    input
        .targets
        .iter()
        .find(|t| {
            let one_named = !intent.is_empty() || !attempt.is_empty();
            one_named
                && (intent.is_empty() || t.intent.public_id == intent)
                && (attempt.is_empty() || t.attempt.public_id == attempt)
        })
        .ok_or(Refusal::Missing("a payment with an attempt"))
}

/// The payment that takes a share, and what the whole line is in its direction.
fn taker<'a>(
    input: &DecisionInput<'a>,
    line: &CaseLine,
    chosen: &Share,
    before: &[Share],
) -> Result<(&'a Target<'a>, i64), Refusal> {
    let target = target(input, &chosen.intent, &chosen.attempt).map_err(|_| {
        let payment = named(chosen);
        if payment.is_empty() {
            Refusal::NoPaymentNamed
        } else {
            Refusal::NoSuchPayment { payment }
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
fn named(share: &Share) -> String {
    let id = if share.intent.is_empty() {
        &share.attempt
    } else {
        &share.intent
    };
    id.chars().take(80).collect()
}

fn share(target: &Target<'_>, amount: i64) -> Share {
    Share {
        intent: target.intent.public_id.clone(),
        attempt: target.attempt.public_id.clone(),
        amount,
    }
}

fn does_not_fit(target: &Target<'_>, why: &str) -> Refusal {
    Refusal::DoesNotFit {
        payment: target.intent.public_id.clone(),
        why: why.to_owned(),
    }
}

/// Whether a payment can take a line at all.
fn fits(line: &CaseLine, target: &Target<'_>) -> Result<(), Refusal> {
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

fn in_direction(line: &CaseLine, intent: &IntentFacts) -> Result<i64, Refusal> {
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

fn leaves_open(target: &Target<'_>, amount: i64) -> Option<String> {
    let rest = i128::from(target.open) - i128::from(amount);
    let minor = i64::try_from(rest.abs()).ok()?;
    let money = Money::new(minor, target.intent.amount.currency);
    match rest.signum() {
        0 => None,
        1 => Some(format!(
            "{money} of payment {} stays open, and a case says so.",
            target.intent.public_id
        )),
        _ => Some(format!(
            "That is {money} more than is open of payment {}, and a case says so.",
            target.intent.public_id
        )),
    }
}

fn other_id(line: &CaseLine, target: &Target<'_>) -> Option<String> {
    let mut ids = target.attempt.firm_ids().peekable();
    let first = *ids.peek()?;
    let known = line.provider_payment_id.is_empty()
        || ids.any(|id| id == line.provider_payment_id || id == line.modification_id);
    (!known).then(|| {
        format!(
            "Mind: the line's provider id is {}, the payment's is {first}.",
            line.provider_payment_id
        )
    })
}

fn record_external(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    if input.kind == CaseKind::DuplicateSettlement {
        return record_excess(input);
    }
    let line = line(input)?;
    Ok(rulings(
        vec![(RulingSubject::Line(line.name.clone()), Ruling::External)],
        format!(
            "{} of line {} is recorded as real money of no payment registered here.",
            line.presented, line.name
        ),
    ))
}

/// The lines and successes beyond the one that the payment keeps.
fn record_excess(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let facts = input.facts;
    let mut set: Vec<(RulingSubject, Ruling)> = facts
        .lines
        .iter()
        .filter(|l| !l.matched)
        .map(|l| (RulingSubject::Line(l.name.clone()), Ruling::External))
        .collect();
    let own_movement = input.subject.starts_with("intent:");
    let claims = facts
        .attempts
        .iter()
        .filter(|a| matches!(a.outcome, Outcome::Succeeded | Outcome::Contested));
    let kept = facts
        .lines
        .iter()
        .find(|l| l.matched && !l.attempt.is_empty())
        .map(|l| l.attempt.as_str())
        .or(claims.clone().next().map(|a| a.attempt.as_str()));
    if own_movement {
        set.extend(
            claims
                .filter(|a| Some(a.attempt.as_str()) != kept)
                .map(|a| (RulingSubject::External(a.attempt.clone()), Ruling::External)),
        );
    }
    if set.is_empty() {
        return Err(Refusal::Missing("what is too much"));
    }
    Ok(rulings(
        set,
        "What came beyond the payment is recorded as real money of no payment registered here."
            .to_owned(),
    ))
}

fn confirm_outcome(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let Some(outcome @ (Outcome::Succeeded | Outcome::Rejected)) = input.params.outcome else {
        return Err(Refusal::Missing("an outcome: succeeded or rejected"));
    };
    if input.kind == CaseKind::MissingSettlement && outcome == Outcome::Succeeded {
        return Err(Refusal::NotNow(
            "it is held to have succeeded already: wait for the provider, write it off, or confirm \
             that it was rejected"
                .to_owned(),
        ));
    }
    rule_outcome(input, outcome)
}

fn rule_outcome(input: &DecisionInput<'_>, outcome: Outcome) -> Result<Effect, Refusal> {
    let facts = input.facts;
    let of_line = input.subject.starts_with("line:");
    if facts.attempt.is_empty() || of_line {
        return Err(Refusal::NotNow(
            "this case is about whose a line is: choose a payment for it".to_owned(),
        ));
    }
    let lines = facts.lines.iter().map(|l| l.name.to_string());
    let reports = facts
        .figures
        .iter()
        .filter_map(|(what, value)| match what.as_str() {
            REPORTED_ALSO => Some(format!("report:{value}")),
            REPORTED_UNDER => Some(format!("report-id:{value}")),
            _ => None,
        });
    let seen = lines.chain(reports).collect();
    Ok(rulings(
        vec![(
            RulingSubject::Attempt(facts.attempt.clone()),
            Ruling::Outcome(OutcomeRuling { outcome, seen }),
        )],
        format!(
            "Attempt {} of payment {} is held to be {} from now on.",
            facts.attempt,
            facts.intent,
            sentences::outcome(outcome)
        ),
    ))
}

fn accept_variance(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    if input.kind == CaseKind::BatchOutOfBalance {
        return accept_residual(input);
    }
    let set = figure_rulings(input, &Ruling::AcceptVariance);
    if set.is_empty() {
        return Err(Refusal::Missing("a line"));
    }
    let preview = match input.kind {
        CaseKind::Chargeback => "The dispute's money is given up; it stays on chargebacks.",
        CaseKind::UnrequestedRefund => "The refund stands; it stays on refunds.",
        _ => "What came is posted to receipts as it is, and settles the payment.",
    };
    Ok(rulings(set, preview.to_owned()))
}

/// The same ruling on the figures of every line that brought money (or took it, as the case is).
fn figure_rulings(input: &DecisionInput<'_>, ruling: &Ruling) -> Vec<(RulingSubject, Ruling)> {
    let concerned = |line: &&CaseLine| {
        !matches!(
            line.kind,
            RowKind::PaymentReversal | RowKind::RefundReversal | RowKind::ChargebackReversal
        )
    };
    input
        .facts
        .lines
        .iter()
        .filter(concerned)
        .map(|l| (RulingSubject::Figures(l.name.clone()), ruling.clone()))
        .collect()
}

/// What is left of a batch in clearing, and what the net of single rows is off by.
fn accept_residual(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let residual = input.facts.difference.filter(|money| money.minor != 0);
    let mut set: Vec<(RulingSubject, Ruling)> = input
        .waiting_rows
        .iter()
        .map(|name| {
            (
                RulingSubject::Difference(name.clone()),
                Ruling::AcceptDifference,
            )
        })
        .collect();
    let mut preview: Vec<String> = Vec::new();
    preview.extend(
        residual.map(|money| format!("{money} moves from provider clearing to adjustments.")),
    );
    if !set.is_empty() {
        preview.push(format!(
            "What the net of {} is off by moves from suspense to adjustments.",
            counted(set.len() as u64, "row", "rows")
        ));
    }
    if preview.is_empty() {
        preview.push("The batch is accepted as it is; nothing is posted.".to_owned());
    }
    if let (Some(batch), true) = (
        input.subject.strip_prefix("batch:"),
        residual.is_some() || set.is_empty(),
    ) {
        set.push((
            RulingSubject::Batch(batch.to_owned()),
            Ruling::AcceptResidual {
                residual: residual.map_or(0, |money| money.minor),
            },
        ));
    }
    if set.is_empty() {
        return Err(Refusal::Missing("a batch"));
    }
    let mut effect = rulings(set, String::new());
    effect.preview = preview;
    Ok(effect)
}

fn accept_rows(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let file = input
        .subject
        .strip_prefix("file:")
        .ok_or(Refusal::Missing("a file"))?;
    Ok(rulings(
        vec![(RulingSubject::File(file.to_owned()), Ruling::AcceptRows)],
        "The file is used without the rows that could not be read; it does not count as complete."
            .to_owned(),
    ))
}

fn write_off(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let facts = input.facts;
    match input.kind {
        CaseKind::MissingSettlement => Ok(rulings(
            vec![(
                RulingSubject::Missing(facts.attempt.clone()),
                Ruling::WriteOffMissing,
            )],
            format!(
                "{} of payment {} is written off; should it come after all, that is taken back.",
                facts.expected.map_or(String::new(), |m| m.to_string()),
                facts.intent
            ),
        )),
        CaseKind::CurrencyMismatch => write_off_across(input),
        _ => {
            let difference = facts
                .difference
                .filter(|money| money.minor != 0)
                .ok_or(Refusal::Missing("a difference to write off"))?;
            let ruling = Ruling::WriteOff {
                difference: difference.minor,
            };
            let set = figure_rulings(input, &ruling);
            Ok(rulings(set, written_off(difference, &facts.intent)))
        }
    }
}

/// What writing a difference off does: below zero, too much came.
fn written_off(difference: Money, payment: &str) -> String {
    let amount = Money::new(difference.minor.saturating_abs(), difference.currency);
    if difference.minor < 0 {
        format!("{amount} too much came for payment {payment} and is written off.")
    } else {
        format!("{amount} of payment {payment} did not come and is written off.")
    }
}

/// Currencies are not compared, so each is written off whole: nothing of the intent's came in its own,
/// and all that came in the other is too much.
fn write_off_across(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let line = line(input)?;
    let target = target(input, &input.facts.intent, &input.facts.attempt)?;
    let open = target.open.max(0);
    let set = figure_rulings(input, &Ruling::WriteOff { difference: open });
    let (Some(own), false) = (contra_account(line.kind), set.is_empty()) else {
        return Err(Refusal::Missing("a line that brought money"));
    };
    let payment = &target.intent.public_id;
    let settled = if open == 0 {
        format!("Nothing of payment {payment} is open any more.")
    } else {
        format!(
            "{} of payment {payment} is posted to {} against write-offs.",
            Money::new(open, target.intent.amount.currency),
            own.title().to_lowercase()
        )
    };
    Ok(rulings(
        set,
        format!(
            "{} of line {} moves from suspense to write-offs. {settled}",
            line.presented, line.name
        ),
    ))
}

fn correct_posting(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let to = input.params.to.ok_or(Refusal::Missing("an account"))?;
    if matches!(
        to,
        LedgerAccount::ProviderClearing | LedgerAccount::Suspense | LedgerAccount::Bank
    ) {
        return Err(Refusal::NotNow(format!(
            "{} cannot be chosen: only files and bank statements move it",
            to.title()
        )));
    }
    let names: Vec<LineName> = if input.kind == CaseKind::UnrecognisedRows {
        input.waiting_rows.to_vec()
    } else {
        vec![line(input)?.name.clone()]
    };
    if names.is_empty() {
        return Err(Refusal::Missing("a row"));
    }
    let what = if let [one] = names.as_slice() {
        format!("Line {one} moves")
    } else {
        format!("{} rows move", names.len())
    };
    let preview = format!("{what} from suspense to {}.", to.title());
    let set = names
        .into_iter()
        .map(|name| (RulingSubject::Line(name), Ruling::Correct { to }))
        .collect();
    Ok(rulings(set, preview))
}

fn retry(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    if !input.subject.starts_with("file:") {
        return Err(Refusal::NotNow(
            "no file is here that could be tried again: upload it once the provider has sent it"
                .to_owned(),
        ));
    }
    if input
        .facts
        .figures
        .iter()
        .any(|(what, _)| what == HELD_SINCE)
    {
        return Err(Refusal::NotNow(
            "the file waits for a person: accept it as it is on its page, or put it away there"
                .to_owned(),
        ));
    }
    Ok(moves(
        Some(CaseMove::Resolve),
        "Work on the file goes on where it stopped; should it fail again, the case opens again.",
    ))
}

fn wait(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let params = input.params;
    let day = params.wake_on.map(|day| day.start_in(input.zone));
    let until = params.until.or(day).ok_or(Refusal::Missing("a date"))?;
    let days = LONGEST_WAIT_DAYS * SECONDS_PER_DAY;
    if until <= input.now || until > input.now.plus_seconds(days) {
        return Err(Refusal::NotNow(format!(
            "choose a time from now to {LONGEST_WAIT_DAYS} days ahead"
        )));
    }
    let mut effect = moves(
        Some(CaseMove::Snooze),
        "The case is out of the way until then, or until new evidence comes.",
    );
    effect.wake_at = Some(until);
    Ok(effect)
}

fn reverse(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    if input
        .params
        .decision
        .as_deref()
        .unwrap_or_default()
        .is_empty()
    {
        return Err(Refusal::Missing("the decision to undo"));
    }
    Ok(moves(
        None,
        "What the decision set is taken away: matches are unlinked, postings are reversed by new \
         entries, and the case opens again if the evidence still calls for it.",
    ))
}
