//! Rows of new intents and attempts, and their leaves.

use super::{Writing, versions::joined};
use crate::{
    Error,
    import_payments::plan::{IntentRef, Plan, StoredRows},
    seal::Leaves,
    storage::{Rows, StorageError, Tx, payments},
};
use domain::{
    matching::keys::normalise,
    payment::Outcome,
    payments_file::PaymentRow,
    seal::{
        Text,
        records::{AttemptRecord, IntentRecord},
    },
    time::Instant,
};
use std::collections::HashMap;

/// Rows of new intents and attempts.
pub(super) struct NewRows {
    intents: Rows,
    attempts: Rows,
    keys: Rows,
    open: Rows,
}

impl NewRows {
    pub(super) fn make(
        writing: &Writing<'_>,
        intents: &IntentNames,
        leaves: &mut Leaves,
    ) -> Result<Self, Error> {
        let mut keys = payments::intent_key_rows();
        Ok(Self {
            intents: intent_rows(writing, &mut keys, leaves),
            attempts: attempt_rows(writing, intents, &mut keys, leaves)?,
            open: open_rows(writing),
            keys,
        })
    }

    pub(super) async fn write(self, tx: &mut Tx) -> Result<(), StorageError> {
        self.intents.insert_into(tx, "intent").await?;
        self.attempts.insert_into(tx, "attempt").await?;
        payments::put_intent_keys(tx, &self.keys).await?;
        payments::put_attempt_now(tx, &self.open).await
    }
}

fn intent_rows(writing: &Writing<'_>, keys: &mut Rows, leaves: &mut Leaves) -> Rows {
    let source = writing.origin.source;
    let mut rows = payments::intent_rows();
    for (id, row) in (writing.ids.intents..).zip(&writing.plan.intents) {
        rows.add()
            .int(id)
            .text(&row.intent_id)
            .text(&row.merchant_reference)
            .text(&row.operation)
            .int(row.amount.minor)
            .text(row.amount.currency.as_str())
            .text(row.direction.code())
            .text(&row.counterparty)
            .int(row.created_at.micros())
            .text(row.loss_policy.code())
            .text(source);
        for text in [&row.intent_id, &row.merchant_reference] {
            let key = normalise(text);
            if key != *text && !key.is_empty() {
                keys.add().text(&key).int(id);
            }
        }
        leaves.push(id, &intent_record(row, source));
    }
    rows
}

fn intent_record<'a>(row: &'a PaymentRow, source: &'a str) -> IntentRecord<'a> {
    IntentRecord {
        intent: &row.intent_id,
        merchant_reference: &row.merchant_reference,
        operation: &row.operation,
        amount: row.amount.minor,
        currency: row.amount.currency.as_str(),
        direction: row.direction.code(),
        counterparty: Text::Plain(&row.counterparty),
        created_at: row.created_at.micros(),
        loss_policy: row.loss_policy.code(),
        source,
    }
}

fn attempt_rows(
    writing: &Writing<'_>,
    intents: &IntentNames,
    keys: &mut Rows,
    leaves: &mut Leaves,
) -> Result<Rows, Error> {
    let Writing {
        plan, ids, names, ..
    } = writing;
    let mut rows = payments::attempt_rows();
    for (id, attempt) in (ids.attempts..).zip(&plan.attempts) {
        let row = &attempt.row;
        let intent_id = ids.intent(attempt.intent);
        let (intent, reference) = intents.get(plan, attempt.intent)?;
        rows.add()
            .int(id)
            .int(intent_id)
            .int(attempt.account)
            .text(&row.attempt_id)
            .int(row.number)
            .text(&row.idempotency_key)
            .text(&row.provider_payment_id)
            .int(row.started_at.micros())
            .opt_int(row.finished_at.map(Instant::micros))
            .text(row.outcome.code())
            .text(&row.error_code);
        let key = normalise(&row.idempotency_key);
        if !key.is_empty() && key != *intent && key != *reference {
            keys.add().text(&key).int(intent_id);
        }
        leaves.push(
            id,
            &AttemptRecord {
                intent,
                provider: names.get(&attempt.account).map_or("", String::as_str),
                attempt: &row.attempt_id,
                number: row.number,
                idempotency_key: &row.idempotency_key,
                provider_payment_id: &row.provider_payment_id,
                started_at: row.started_at.micros(),
                finished_at: row.finished_at.map(Instant::micros),
                outcome: row.outcome.code(),
                error_code: &row.error_code,
            },
        );
    }
    Ok(rows)
}

/// Attempts whose outcome is not final stand among those that are open.
fn open_rows(writing: &Writing<'_>) -> Rows {
    let (plan, ids) = (writing.plan, writing.ids);
    let mut open = payments::attempt_now_rows();
    for (id, attempt) in (ids.attempts..).zip(&plan.attempts) {
        let row = &attempt.row;
        let since = match row.outcome {
            Outcome::InFlight => row.started_at,
            Outcome::Unknown => row.finished_at.unwrap_or(row.started_at),
            _ => continue,
        };
        open.add()
            .int(id)
            .int(attempt.account)
            .text(row.outcome.code())
            .text(row.outcome.code())
            .int(0)
            .int(since.micros())
            .int(0);
    }
    open
}

/// Ids and references of the stored intents that a plan's attempts belong to.
pub(super) struct IntentNames(HashMap<i64, (String, String)>);

impl IntentNames {
    /// Of everything that a chunk names.
    pub(super) fn stored(stored: &StoredRows) -> Self {
        let intents = stored.intents.values();
        Self(
            intents
                .map(|i| (i.id, (i.public_id.clone(), i.merchant_reference.clone())))
                .collect(),
        )
    }

    pub(super) async fn of(tx: &mut Tx, plan: &Plan) -> Result<Self, StorageError> {
        let stored = joined(plan);
        let names = payments::intent_names(tx, stored.into_iter()).await?;
        Ok(Self(
            names
                .into_iter()
                .map(|(id, public, reference)| (id, (public, reference)))
                .collect(),
        ))
    }

    fn get<'a>(&'a self, plan: &'a Plan, at: IntentRef) -> Result<(&'a String, &'a String), Error> {
        let found = match at {
            IntentRef::Stored(id) => self
                .0
                .get(&id)
                .map(|(public, reference)| (public, reference)),
            IntentRef::New(n) => plan
                .intents
                .get(n)
                .map(|row| (&row.intent_id, &row.merchant_reference)),
        };
        found.ok_or_else(|| Error::Internal("an attempt's intent is missing".to_owned()))
    }
}
