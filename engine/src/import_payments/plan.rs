//! What a chunk of payments rows means against what is stored: decided without writing.

use super::held::Held;
use crate::storage::payments::{LastReport, StoredAttempt, StoredIntent};
use domain::{
    payment::Outcome,
    payments_file::{AttemptRow, PaymentRow},
    time::Instant,
};
use std::collections::HashMap;

/// A row and the physical line at which it stands.
#[derive(Debug, Clone)]
pub struct NumberedRow {
    pub line: u64,
    pub row: PaymentRow,
}

/// A row that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RefusedRow {
    /// The file's name, where it has one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// Physical line, the header being 1.
    pub line: u64,
    /// What is wrong and what would do.
    pub reason: String,
}

impl RefusedRow {
    /// A row that was not taken, of a file that is named later.
    pub const fn at(line: u64, reason: String) -> Self {
        Self {
            file: String::new(),
            line,
            reason,
        }
    }
}

/// An intent that is stored, or the n-th new one of the chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IntentRef {
    Stored(i64),
    New(usize),
}

/// An attempt that is stored, or the n-th new one of the chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptRef {
    Stored(i64),
    New(usize),
}

/// An attempt as reports describe it so far.
#[derive(Debug, Clone)]
pub struct Known {
    pub at: AttemptRef,
    pub intent: IntentRef,
    pub account: i64,
    pub number: i64,
    pub idempotency_key: String,
    pub started_at: Instant,
    pub reported: Outcome,
    pub outcome_now: Outcome,
    pub provider_payment_id: String,
    pub finished_at: Option<Instant>,
    pub error_code: String,
    pub seq: i64,
    pub written_off: i64,
}

/// A report that changes or contradicts what is known of an attempt.
#[derive(Debug)]
pub struct Update {
    /// The company's id of the intent.
    pub intent_id: String,
    pub known: Known,
    /// The provider id that the report filled in, or empty.
    pub filled_id: String,
    pub effect: Effect,
    /// What stands of the attempt after the report until everything is judged together, where that is
    /// not what the report says: see [`until_judged`].
    pub stands_on: Option<Outcome>,
    pub row: AttemptRow,
}

/// What a report does to its attempt. Whichever it is, the report is kept as evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It brings a newer outcome, or fills what was empty.
    Changes,
    /// It contradicts what is known, or says nothing new: nothing of the attempt changes.
    Testifies,
}

/// A new attempt of the chunk.
#[derive(Debug)]
pub struct NewAttempt {
    /// Physical line of its row.
    pub line: u64,
    pub intent: IntentRef,
    pub account: i64,
    pub row: AttemptRow,
}

/// What is stored of the things that a chunk names.
#[derive(Debug, Default)]
pub struct StoredRows {
    pub accounts: HashMap<String, i64>,
    pub intents: HashMap<String, StoredIntent>,
    pub attempts: HashMap<String, Known>,
    /// Who holds the provider ids and idempotency keys.
    pub held: Held,
    /// Attempt's id by intent and number.
    pub numbers: HashMap<(IntentRef, i64), String>,
}

/// What to write.
#[derive(Debug, Default)]
pub struct Plan {
    pub intents: Vec<PaymentRow>,
    pub attempts: Vec<NewAttempt>,
    pub updates: Vec<Update>,
    pub unchanged: u64,
    pub refused: Vec<RefusedRow>,
}

impl Known {
    /// From storage: as registered, and with what later reports filled in.
    pub fn of(
        attempt: &StoredAttempt,
        last: Option<&LastReport>,
    ) -> Result<Self, crate::storage::StorageError> {
        let outcome = |column, text: &str| {
            crate::storage::stored::parse("attempt_now", column, &attempt.public_id, text)
        };
        let filled = |now: Option<&String>, then: &str| {
            now.filter(|t| !t.is_empty())
                .map_or_else(|| then.to_owned(), Clone::clone)
        };
        Ok(Self {
            at: AttemptRef::Stored(attempt.id),
            intent: IntentRef::Stored(attempt.intent_id),
            account: attempt.account_id,
            number: attempt.number,
            idempotency_key: attempt.idempotency_key.clone(),
            started_at: Instant::from_micros(attempt.started_at),
            reported: outcome("reported", &attempt.reported)?,
            outcome_now: outcome("outcome", &attempt.outcome_now)?,
            provider_payment_id: filled(
                last.map(|l| &l.provider_payment_id),
                &attempt.provider_payment_id,
            ),
            finished_at: last
                .and_then(|l| l.finished_at)
                .or(attempt.finished_at)
                .map(Instant::from_micros),
            error_code: filled(last.map(|l| &l.error_code), &attempt.error_code),
            seq: attempt.seq,
            written_off: attempt.written_off,
        })
    }
}

impl Plan {
    /// Decides for each row, in file order.
    pub fn make(rows: Vec<NumberedRow>, mut stored: StoredRows) -> Self {
        let mut plan = Self::default();
        let mut new_intents = HashMap::new();
        for NumberedRow { line, row } in rows {
            if let Err(reason) = plan.take(line, row, &mut stored, &mut new_intents) {
                plan.refused.push(RefusedRow::at(line, reason));
            }
        }
        plan
    }

    /// Whether nothing is to be written.
    pub fn is_empty(&self) -> bool {
        self.intents.is_empty() && self.attempts.is_empty() && self.updates.is_empty()
    }

    fn take(
        &mut self,
        line: u64,
        mut row: PaymentRow,
        stored: &mut StoredRows,
        new_intents: &mut HashMap<String, usize>,
    ) -> Result<(), String> {
        let attempt = row.attempt.take();
        let account = attempt
            .as_ref()
            .map(|a| account_of(a, &stored.accounts))
            .transpose()?;
        let (intent, is_new) = match (
            stored.intents.get(&row.intent_id),
            new_intents.get(&row.intent_id),
        ) {
            (Some(known), _) => {
                same_intent(&row, known)?;
                (IntentRef::Stored(known.id), false)
            }
            (None, Some(&at)) => {
                let first = self
                    .intents
                    .get(at)
                    .ok_or("the row's intent was lost on the way")?;
                same_new_intent(&row, first)?;
                (IntentRef::New(at), false)
            }
            (None, None) => (IntentRef::New(self.intents.len()), true),
        };
        let Some((attempt, account)) = attempt.zip(account) else {
            if is_new {
                self.add_intent(row, new_intents);
            } else {
                self.unchanged += 1;
            }
            return Ok(());
        };
        if let Some(known) = stored.attempts.get_mut(&attempt.attempt_id) {
            if known.intent != intent {
                return Err(format!(
                    "attempt {} belongs to another intent",
                    attempt.attempt_id
                ));
            }
            same_attempt(&attempt, account, known)?;
            if known.provider_payment_id.is_empty() {
                stored.held.check(&row, &attempt, account)?;
            }
            let before = known.reported;
            let update = report(&row.intent_id, &attempt, known)?;
            stored.held.take(&row, &attempt, account);
            match update {
                Some(update) => self.updates.push(until_judged(update, before, known)),
                None => self.unchanged += 1,
            }
        } else {
            let slot = (intent, attempt.number);
            if let Some(other) = stored.numbers.get(&slot) {
                return Err(format!(
                    "intent {} already has attempt {} as number {}",
                    row.intent_id, other, attempt.number
                ));
            }
            stored.held.check(&row, &attempt, account)?;
            stored.held.take(&row, &attempt, account);
            stored.numbers.insert(slot, attempt.attempt_id.clone());
            if is_new {
                self.add_intent(row, new_intents);
            }
            stored.attempts.insert(
                attempt.attempt_id.clone(),
                self.first_report(&attempt, account, intent),
            );
            self.attempts.push(NewAttempt {
                line,
                intent,
                account,
                row: attempt,
            });
        }
        Ok(())
    }

    fn add_intent(&mut self, row: PaymentRow, new_intents: &mut HashMap<String, usize>) {
        new_intents.insert(row.intent_id.clone(), self.intents.len());
        self.intents.push(row);
    }

    fn first_report(&self, row: &AttemptRow, account: i64, intent: IntentRef) -> Known {
        Known {
            at: AttemptRef::New(self.attempts.len()),
            intent,
            account,
            number: row.number,
            idempotency_key: row.idempotency_key.clone(),
            started_at: row.started_at,
            reported: row.outcome,
            outcome_now: row.outcome,
            provider_payment_id: row.provider_payment_id.clone(),
            finished_at: row.finished_at,
            error_code: row.error_code.clone(),
            seq: 0,
            written_off: 0,
        }
    }
}

fn account_of(attempt: &AttemptRow, accounts: &HashMap<String, i64>) -> Result<i64, String> {
    accounts.get(&attempt.provider).copied().ok_or_else(|| {
        format!(
            "column provider: there is no provider account {:?}; add it first",
            attempt.provider
        )
    })
}

fn differs(column: &str, ours: &dyn std::fmt::Display, theirs: &dyn std::fmt::Display) -> String {
    format!("column {column}: {theirs} here, but {ours} is stored and never changes")
}

fn same_intent(row: &PaymentRow, known: &StoredIntent) -> Result<(), String> {
    let fields: [(&str, &str, String); 8] = [
        (
            "amount",
            &known.amount.to_string(),
            row.amount.minor.to_string(),
        ),
        ("currency", &known.currency, row.amount.currency.to_string()),
        ("direction", &known.direction, row.direction.to_string()),
        (
            "merchant_reference",
            &known.merchant_reference,
            row.merchant_reference.clone(),
        ),
        ("operation", &known.operation, row.operation.clone()),
        (
            "counterparty",
            &known.counterparty,
            row.counterparty.clone(),
        ),
        (
            "created_at",
            &known.created_at.to_string(),
            row.created_at.micros().to_string(),
        ),
        (
            "loss_policy",
            &known.loss_policy,
            row.loss_policy.to_string(),
        ),
    ];
    match fields.iter().find(|(_, ours, theirs)| *ours != theirs) {
        Some(("amount", ..)) => {
            let ours = domain::money::Money::new(known.amount, row.amount.currency);
            Err(differs("amount", &ours.major(), &row.amount.major()))
        }
        Some(("created_at", ..)) => Err(differs(
            "created_at",
            &Instant::from_micros(known.created_at),
            &row.created_at,
        )),
        Some((column, ours, theirs)) => Err(differs(column, ours, theirs)),
        None => Ok(()),
    }
}

fn same_new_intent(row: &PaymentRow, first: &PaymentRow) -> Result<(), String> {
    let same = PaymentRow {
        attempt: None,
        ..first.clone()
    } == *row;
    if same {
        Ok(())
    } else {
        Err(format!(
            "intent {} stands in this file with other values above",
            row.intent_id
        ))
    }
}

fn same_attempt(row: &AttemptRow, account: i64, known: &Known) -> Result<(), String> {
    if account != known.account {
        return Err("column provider: the attempt is stored with another provider account, which never changes".to_owned());
    }
    if row.number != known.number {
        return Err(differs("attempt_no", &known.number, &row.number));
    }
    if row.idempotency_key != known.idempotency_key {
        return Err(differs(
            "idempotency_key",
            &known.idempotency_key,
            &row.idempotency_key,
        ));
    }
    if row.started_at != known.started_at {
        return Err(differs("started_at", &known.started_at, &row.started_at));
    }
    let id_differs = !row.provider_payment_id.is_empty()
        && !known.provider_payment_id.is_empty()
        && row.provider_payment_id != known.provider_payment_id;
    if id_differs {
        return Err(differs(
            "provider_payment_id",
            &known.provider_payment_id,
            &row.provider_payment_id,
        ));
    }
    Ok(())
}

/// What a further row says of a known attempt: fills what was empty, brings a newer outcome, or
/// contradicts a final one. An older outcome than the known one says nothing new.
pub fn report(
    intent_id: &str,
    row: &AttemptRow,
    known: &mut Known,
) -> Result<Option<Update>, String> {
    let is_final = |o: Outcome| matches!(o, Outcome::Succeeded | Outcome::Rejected);
    let newer = row.outcome != known.reported
        && match known.reported {
            Outcome::InFlight => true,
            Outcome::Unknown => is_final(row.outcome),
            _ => false,
        };
    let contradicts =
        is_final(known.reported) && is_final(row.outcome) && row.outcome != known.reported;
    if contradicts {
        let known = known.clone();
        return Ok(Some(Update {
            intent_id: intent_id.to_owned(),
            known,
            filled_id: String::new(),
            effect: Effect::Testifies,
            stands_on: None,
            row: row.clone(),
        }));
    }
    let outdated = row.outcome != known.reported && !newer;
    let filled_id = if known.provider_payment_id.is_empty() {
        row.provider_payment_id.clone()
    } else {
        String::new()
    };
    let finished = fill(
        "finished_at",
        known.finished_at,
        row.finished_at,
        newer,
        outdated,
    )?;
    let error = fill(
        "error_code",
        Some(&known.error_code).filter(|t| !t.is_empty()).cloned(),
        Some(&row.error_code).filter(|t| !t.is_empty()).cloned(),
        newer,
        outdated,
    )?;
    if !newer && filled_id.is_empty() && finished.is_none() && error.is_none() {
        return Ok(None);
    }
    if newer {
        known.reported = row.outcome;
    }
    if !filled_id.is_empty() {
        known.provider_payment_id.clone_from(&filled_id);
    }
    known.finished_at = finished.or(known.finished_at);
    if let Some(code) = error {
        known.error_code = code;
    }
    known.seq += 1;
    Ok(Some(Update {
        intent_id: intent_id.to_owned(),
        known: known.clone(),
        filled_id,
        effect: Effect::Changes,
        stands_on: None,
        row: row.clone(),
    }))
}

/// What stands of an attempt between a report of the company's file and its judgement. What lines and
/// people said besides the report before stands on: a line shows what a report cannot take back, and a
/// payment must not be free to be tried again for as long as nobody has judged. A success counts at once
/// against those who said that there was none.
fn until_judged(update: Update, before: Outcome, known: &mut Known) -> Update {
    let stood = known.outcome_now;
    let denied = matches!(stood, Outcome::Rejected | Outcome::Absent);
    let succeeds = denied && update.row.outcome == Outcome::Succeeded;
    let stands_on = match update.effect {
        Effect::Testifies => succeeds.then_some(Outcome::Contested),
        Effect::Changes => (stood != before && !succeeds).then_some(stood),
    };
    known.outcome_now = stands_on.unwrap_or(match update.effect {
        Effect::Testifies => stood,
        Effect::Changes => known.reported,
    });
    known.seq += i64::from(stands_on.is_some());
    Update {
        stands_on,
        ..update
    }
}

/// The value to take over, if any: what was empty may be filled, and a newer outcome brings its own.
fn fill<T: PartialEq + std::fmt::Debug>(
    column: &str,
    known: Option<T>,
    given: Option<T>,
    newer: bool,
    outdated: bool,
) -> Result<Option<T>, String> {
    match (known, given) {
        (_, None) => Ok(None),
        (None, given) => Ok(given),
        (Some(known), Some(given)) if known == given || outdated => Ok(None),
        (Some(_), given) if newer => Ok(given),
        (Some(known), Some(given)) => Err(format!(
            "column {column}: {given:?} here, but {known:?} is stored and the outcome is the same"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        money::Money,
        payment::{Direction, LossPolicy},
    };

    fn time(second: i64) -> Instant {
        Instant::from_micros(second * 1_000_000)
    }

    fn attempt(outcome: Outcome) -> AttemptRow {
        AttemptRow {
            attempt_id: "a1".into(),
            number: 1,
            provider: "stripe-eu".into(),
            idempotency_key: "i1".into(),
            provider_payment_id: String::new(),
            started_at: time(1),
            finished_at: None,
            outcome,
            error_code: String::new(),
        }
    }

    fn row(attempt: Option<AttemptRow>) -> PaymentRow {
        PaymentRow {
            intent_id: "i1".into(),
            merchant_reference: "order-1".into(),
            operation: "charge".into(),
            amount: Money::new(1000, "EUR".parse().unwrap()),
            direction: Direction::In,
            counterparty: String::new(),
            created_at: time(0),
            loss_policy: LossPolicy::AtMostOnce,
            attempt,
        }
    }

    fn plan(rows: Vec<PaymentRow>) -> Plan {
        let rows = (2..)
            .zip(rows)
            .map(|(line, row)| NumberedRow { line, row })
            .collect();
        let stored = StoredRows {
            accounts: HashMap::from([("stripe-eu".into(), 7)]),
            ..StoredRows::default()
        };
        Plan::make(rows, stored)
    }

    #[test]
    fn the_same_row_twice_is_one_attempt() {
        let same = || row(Some(attempt(Outcome::Succeeded)));
        let plan = plan(vec![same(), same()]);
        assert_eq!(
            (
                plan.intents.len(),
                plan.attempts.len(),
                plan.updates.len(),
                plan.unchanged
            ),
            (1, 1, 0, 1)
        );
    }

    #[test]
    fn a_newer_outcome_and_an_id_that_was_missing_are_taken_over() {
        let later = AttemptRow {
            provider_payment_id: "pi_1".into(),
            finished_at: Some(time(9)),
            ..attempt(Outcome::Succeeded)
        };
        let plan = plan(vec![row(Some(attempt(Outcome::Unknown))), row(Some(later))]);
        let update = &plan.updates[0];
        assert_eq!(
            (
                update.known.reported,
                update.known.seq,
                update.filled_id.as_str()
            ),
            (Outcome::Succeeded, 1, "pi_1")
        );
        assert_eq!(update.effect, Effect::Changes);
    }

    #[test]
    fn an_older_export_changes_nothing() {
        let plan = plan(vec![
            row(Some(attempt(Outcome::Succeeded))),
            row(Some(attempt(Outcome::Unknown))),
        ]);
        assert_eq!((plan.updates.len(), plan.unchanged), (0, 1));
    }

    #[test]
    fn the_opposite_final_outcome_is_kept_as_a_contradiction() {
        let plan = plan(vec![
            row(Some(attempt(Outcome::Rejected))),
            row(Some(attempt(Outcome::Succeeded))),
        ]);
        assert_eq!(plan.updates[0].effect, Effect::Testifies);
        assert_eq!(plan.updates[0].known.reported, Outcome::Rejected);
    }

    #[test]
    fn a_row_that_contradicts_what_never_changes_is_refused_by_line() {
        let other = PaymentRow {
            amount: Money::new(999, "EUR".parse().unwrap()),
            ..row(None)
        };
        let second_id = AttemptRow {
            attempt_id: "a2".into(),
            ..attempt(Outcome::Unknown)
        };
        let stranger = AttemptRow {
            provider: "adyen".into(),
            attempt_id: "a3".into(),
            ..attempt(Outcome::Unknown)
        };
        let plan = plan(vec![
            row(Some(attempt(Outcome::Unknown))),
            other,
            row(Some(second_id)),
            row(Some(stranger)),
        ]);
        assert_eq!(
            plan.refused.iter().map(|r| r.line).collect::<Vec<_>>(),
            [3, 4, 5]
        );
        assert!(
            plan.refused[2].reason.contains("adyen"),
            "{}",
            plan.refused[2].reason
        );
    }
}
