//! The review queue: what needs a person, in the order in which it matters.

use super::{Amount, FieldProblem, form::Choice};
use crate::{coded_enum, time::Instant};
use serde::{Deserialize, Serialize};

coded_enum! {
    /// A standing selection of cases, with its count.
    #[derive(Default)]
    pub enum QueueView as "queue view" {
        /// Not resolved and not waiting.
        #[default]
        All = "all",
        /// Owned by the person who looks.
        Mine = "mine",
        /// Awaiting approval by the person who looks.
        ToApprove = "to_approve",
        /// Opened more than 48 hours ago.
        Over48h = "over_48h",
        /// Snoozed or waiting for the provider.
        Waiting = "waiting",
        /// Done.
        Resolved = "resolved",
    }
}

/// What the URL asks for. Empty fields ask for nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct QueueFilter {
    /// Which standing selection.
    pub view: QueueView,
    /// Case kind.
    pub kind: String,
    /// Provider account by name.
    pub provider: String,
    /// Currency code.
    pub currency: String,
    /// At least this much at risk, in major units.
    pub min: String,
    /// A reference, provider id, case id or line to look for.
    pub q: String,
    /// Continue after this row: an opaque cursor.
    pub after: String,
}

impl QueueFilter {
    /// Name and value of every field that asks for something, the cursor left out.
    pub fn pairs(&self) -> Vec<(&'static str, &str)> {
        let view = if self.view == QueueView::All {
            ""
        } else {
            self.view.code()
        };
        [
            ("view", view),
            ("kind", self.kind.as_str()),
            ("provider", &self.provider),
            ("currency", &self.currency),
            ("min", &self.min),
            ("q", &self.q),
        ]
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .collect()
    }
}

/// The queue under a filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queue {
    /// The filter as understood.
    pub filter: QueueFilter,
    /// What was wrong with the filter.
    pub problems: Vec<FieldProblem>,
    /// The standing selections with their counts, in the order of the tabs.
    pub views: Vec<ViewCount>,
    /// Kinds that occur, for the filter.
    pub kinds: Vec<String>,
    /// Provider accounts, for the filter.
    pub providers: Vec<String>,
    /// This page of cases.
    pub rows: Vec<QueueRow>,
    /// Cases under the whole filter.
    pub total: u64,
    /// Money at risk under the whole filter, one sum per currency.
    pub totals: Vec<Amount>,
    /// Opening of the oldest under the whole filter.
    pub oldest: Option<Instant>,
    /// Cursor of the next page.
    pub next: Option<String>,
    /// What can be done to several at once, for this person: action codes.
    pub bulk_actions: Vec<BulkAction>,
}

/// A standing selection and how many cases are in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewCount {
    /// Which.
    pub view: QueueView,
    /// How many.
    pub count: u64,
}

/// One case in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueRow {
    /// Public id.
    pub id: String,
    /// Short label, `C-01944`.
    pub label: String,
    /// Kind.
    pub kind: String,
    /// State, in capitals.
    pub state: String,
    /// Version, for bulk decisions.
    pub version: i64,
    /// What it is about, short: `order-88121 · timeout after sending`.
    pub summary: String,
    /// Provider account by name.
    pub account: String,
    /// Money at risk, where known.
    pub at_risk: Option<Amount>,
    /// 1 low to 4 critical.
    pub severity: u8,
    /// When it opened.
    pub opened_at: Instant,
    /// When it is due.
    pub due_at: Instant,
    /// Who holds it, by address.
    pub owner: Option<String>,
    /// Whether the person who looks holds it.
    pub mine: bool,
    /// When it wakes, where it waits.
    pub wake_at: Option<Instant>,
}

/// Something that can be done to several cases at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BulkAction {
    /// The action's code.
    pub action: String,
    /// Its reason codes.
    pub reasons: Vec<Choice>,
}

/// What a bulk decision would do, or did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bulk {
    /// The action's code.
    pub action: String,
    /// The reason's code.
    pub reason: String,
    /// The comment.
    pub comment: String,
    /// Client-made id from which each case's decision id is derived.
    pub bulk_id: String,
    /// Whether it has been applied; otherwise this is the preview.
    pub applied: bool,
    /// Every case of the selection.
    pub items: Vec<BulkItem>,
    /// Money at risk over what would be, or was, done: one sum per currency.
    pub totals: Vec<Amount>,
    /// Where the list came from, to go back to.
    pub filter: QueueFilter,
}

/// One case of a bulk decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BulkItem {
    /// The case.
    pub row: QueueRow,
    /// What happened or would: `will be snoozed`, `sent for approval`, …
    pub outcome: String,
    /// Why not, or empty.
    pub refused: String,
}
