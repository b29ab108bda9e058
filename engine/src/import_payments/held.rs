//! Which payment holds a provider id or an idempotency key in an account. Several attempts of one payment
//! may share them; a second payment that claims one contradicts the first.

use crate::storage::payments::Holder;
use domain::payments_file::{AttemptRow, PaymentRow};
use std::collections::HashMap;

/// An intent and the attempt by which it holds something, by the company's ids.
#[derive(Debug, Clone)]
struct Owner {
    intent: String,
    attempt: String,
}

/// What is held, by whom.
#[derive(Debug, Default)]
pub struct Held {
    /// By account, id and whether the intent is a refund: a refund may be known at the provider by the id
    /// of the payment that it gives back, and rows tell the two apart.
    ids: HashMap<(i64, String, bool), Owner>,
    /// By account and key.
    keys: HashMap<(i64, String), Owner>,
}

impl Held {
    /// From storage. Of several holders that are there already, the first by id stands for all.
    pub fn of(ids: Vec<Holder>, keys: Vec<Holder>) -> Self {
        let mut held = Self::default();
        for h in sorted(ids) {
            let refund = is_refund(&h.operation);
            held.ids
                .entry((h.account_id, h.held, refund))
                .or_insert(Owner {
                    intent: h.intent,
                    attempt: h.attempt,
                });
        }
        for h in sorted(keys) {
            held.keys.entry((h.account_id, h.held)).or_insert(Owner {
                intent: h.intent,
                attempt: h.attempt,
            });
        }
        held
    }

    /// A row's provider id.
    pub fn id_of(row: &AttemptRow) -> &str {
        &row.provider_payment_id
    }

    /// A row's idempotency key.
    pub fn key_of(row: &AttemptRow) -> &str {
        &row.idempotency_key
    }

    /// Says who holds what a row names, where it is another payment.
    pub fn check(
        &self,
        row: &PaymentRow,
        attempt: &AttemptRow,
        account: i64,
    ) -> Result<(), String> {
        let (id, key) = named(row, attempt, account);
        free("provider_payment_id", &id.1, self.ids.get(&id), row)?;
        free("idempotency_key", &key.1, self.keys.get(&key), row)
    }

    /// Takes what a row names for its payment, once the row is taken.
    pub fn take(&mut self, row: &PaymentRow, attempt: &AttemptRow, account: i64) {
        let (id, key) = named(row, attempt, account);
        let owner = || Owner {
            intent: row.intent_id.clone(),
            attempt: attempt.attempt_id.clone(),
        };
        if !id.1.is_empty() {
            self.ids.entry(id).or_insert_with(owner);
        }
        if !key.1.is_empty() {
            self.keys.entry(key).or_insert_with(owner);
        }
    }
}

/// A row's provider id and idempotency key, as they are looked up.
fn named(
    row: &PaymentRow,
    attempt: &AttemptRow,
    account: i64,
) -> ((i64, String, bool), (i64, String)) {
    let refund = is_refund(&row.operation);
    (
        (account, attempt.provider_payment_id.clone(), refund),
        (account, attempt.idempotency_key.clone()),
    )
}

fn is_refund(operation: &str) -> bool {
    operation == "refund"
}

fn sorted(mut holders: Vec<Holder>) -> Vec<Holder> {
    holders.sort_by(|a, b| (&a.intent, &a.attempt).cmp(&(&b.intent, &b.attempt)));
    holders
}

fn free(column: &str, text: &str, owner: Option<&Owner>, row: &PaymentRow) -> Result<(), String> {
    match owner {
        Some(owner) if !text.is_empty() && owner.intent != row.intent_id => Err(format!(
            "column {column}: {text} belongs to attempt {} of intent {} already, and cannot be intent {}'s \
             too",
            owner.attempt, owner.intent, row.intent_id
        )),
        _ => Ok(()),
    }
}
