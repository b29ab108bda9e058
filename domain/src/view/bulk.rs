//! One choice for several cases: what it would do to each, then what it did.

use super::{
    Amount, FieldProblem,
    case::{Ask, EffectPosting, ReasonChoice, TypedDecision},
    queue::{QueueFilter, QueueRow},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a bulk decision would do, or did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bulk {
    /// The action's code.
    pub action: String,
    /// Client-made id from which each case's decision id is derived.
    pub bulk_id: String,
    /// Whether it has been applied; otherwise this is the preview.
    pub applied: bool,
    /// Every case of the selection, in its order.
    pub items: Vec<BulkItem>,
    /// Money at risk over what would be, or was, done: one sum per currency.
    pub totals: Vec<Amount>,
    /// What would be posted at once over all of them, by account and currency: debit positive, credit
    /// negative.
    pub postings: Vec<EffectPosting>,
    /// What would be posted only once a second person agrees.
    pub postings_waiting: Vec<EffectPosting>,
    /// Its reason codes with words.
    pub reasons: Vec<ReasonChoice>,
    /// What it asks for besides reason and comment.
    pub asks: Vec<Ask>,
    /// Who could approve what needs a second person: addresses, at most five.
    pub approvers: Vec<String>,
    /// What was typed.
    pub typed: TypedDecision,
    /// What was wrong with it.
    pub problems: Vec<FieldProblem>,
    /// Where the list came from, to go back to.
    pub filter: QueueFilter,
}

/// What stands in place of an action where waiting decisions of others are approved.
pub const APPROVE: &str = "approve";

/// One case of a bulk decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BulkItem {
    /// The case as it stands.
    pub row: QueueRow,
    /// Hash of the evidence that the decision rests on, in hex.
    pub evidence: String,
    /// What it would post by itself.
    pub postings: Vec<EffectPosting>,
    /// How it would go, or went.
    pub result: BulkResult,
    /// What it would do or did, or why not: sentences.
    pub says: String,
}

/// How a bulk decision would go, or went, for one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BulkResult {
    /// In force at once.
    Applied,
    /// Waits for a second person.
    Awaiting,
    /// Not done.
    Refused,
}

impl Bulk {
    /// Adds up what is posted at once, and what waits for a second person.
    pub fn add_up(&mut self) {
        self.postings = self.posted(BulkResult::Applied);
        self.postings_waiting = self.posted(BulkResult::Awaiting);
    }

    fn posted(&self, result: BulkResult) -> Vec<EffectPosting> {
        let mut sums: BTreeMap<(String, String), EffectPosting> = BTreeMap::new();
        let items = self.items.iter().filter(|item| item.result == result);
        for posting in items.flat_map(|item| &item.postings) {
            let key = (
                posting.amount.currency.to_string(),
                posting.ledger_account.clone(),
            );
            sums.entry(key)
                .and_modify(|sum| {
                    sum.amount.minor = sum.amount.minor.saturating_add(posting.amount.minor);
                })
                .or_insert_with(|| posting.clone());
        }
        let mut posted: Vec<_> = sums.into_values().filter(|p| p.amount.minor != 0).collect();
        // By currency; debits first, as on paper.
        posted.sort_by_key(|p| (p.amount.currency.to_string(), p.amount.minor < 0));
        posted
    }

    /// How many cases go, or went, a way.
    pub fn count(&self, result: BulkResult) -> u64 {
        self.items.iter().filter(|i| i.result == result).count() as u64
    }

    /// The cases that would be, or were, decided.
    pub fn done(&self) -> impl Iterator<Item = &BulkItem> {
        self.items
            .iter()
            .filter(|i| i.result != BulkResult::Refused)
    }

    /// The cases that would not be, or were not.
    pub fn refused(&self) -> impl Iterator<Item = &BulkItem> {
        self.items
            .iter()
            .filter(|i| i.result == BulkResult::Refused)
    }
}
