//! The review queue: what needs a person, in the order in which it matters.

use super::{
    Amount, FieldProblem,
    overview::{FileToAccept, Loaded},
};
use crate::{
    coded_enum,
    time::{Day, Instant},
};
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
    /// Who holds it, by address, or [`NOBODY`].
    pub owner: String,
    /// At least this much at risk, in major units.
    pub min: String,
    /// A settlement file by its public id: cases about it or about a row of it.
    pub file: String,
    /// A reference, provider id, case id or line to look for.
    pub q: String,
    /// Continue after this row: an opaque cursor.
    pub after: String,
    /// Cases that are ticked, each as `<id>@<version>`, joined by dots: they stay so from page to page.
    pub ticked: String,
    /// Rows that keep their place although they were decided: see [`QueueFilter::hold`].
    pub held: String,
}

/// The owner of what nobody holds, in a filter.
pub const NOBODY: &str = "nobody";

/// The most rows that keep their place; the first ones give way.
const MOST_HELD: usize = 60;

impl QueueFilter {
    /// Keeps a case in its place in the list, whatever becomes of it: its id and the severity that
    /// it had there.
    pub fn hold(&mut self, case: &str, severity: u8) {
        let mut held: Vec<(String, u8)> = self.held_rows();
        held.retain(|(id, _)| id != case);
        held.push((case.to_owned(), severity));
        let surplus = held.len().saturating_sub(MOST_HELD);
        self.held = held
            .iter()
            .skip(surplus)
            .map(|(id, severity)| format!("{id}~{severity}"))
            .collect::<Vec<_>>()
            .join(".");
    }

    /// The cases that keep their place. What cannot be read is left out.
    pub fn held_rows(&self) -> Vec<(String, u8)> {
        self.held
            .split('.')
            .filter_map(|part| {
                let (id, severity) = part.split_once('~')?;
                Some((id.to_owned(), severity.parse().ok()?))
            })
            .take(MOST_HELD)
            .collect()
    }

    /// The cases that are ticked. What cannot be read is left out.
    pub fn ticked_cases(&self) -> impl Iterator<Item = (&str, i64)> {
        self.ticked.split('.').filter_map(|part| {
            let (id, version) = part.split_once('@')?;
            Some((id, version.parse().ok()?))
        })
    }

    /// The same filter from its first page on, with nothing held in place or ticked.
    #[must_use]
    pub fn afresh(&self) -> Self {
        Self {
            after: String::new(),
            held: String::new(),
            ticked: String::new(),
            ..self.clone()
        }
    }

    /// Whether it asks for something that only a case has: a kind, an owner, an amount, a text.
    pub fn narrows_to_cases(&self) -> bool {
        [&self.kind, &self.owner, &self.currency, &self.min, &self.q]
            .iter()
            .any(|field| !field.is_empty())
    }

    /// Every field that an address of this list carries: the filter, the page, the rows held.
    pub fn address(&self) -> Vec<(&'static str, &str)> {
        let mut pairs = self.pairs();
        let place = [
            ("after", self.after.as_str()),
            ("held", self.held.as_str()),
            ("ticked", self.ticked.as_str()),
        ];
        pairs.extend(place.into_iter().filter(|(_, value)| !value.is_empty()));
        pairs
    }

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
            ("owner", &self.owner),
            ("file", &self.file),
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
    /// Name of the file that the filter asks for, or empty.
    pub file_name: String,
    /// People who decide, for the filter: addresses.
    pub owners: Vec<String>,
    /// What this person keeps by name.
    pub saved: Vec<SavedView>,
    /// What has been loaded at all: without both sides nothing open does not mean that all ties.
    pub loaded: Loaded,
    /// Held files that wait for this person as the second, in the view of what waits for approval.
    pub files_to_accept: Vec<FileToAccept>,
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
    /// Codes of what this person can decide about several of these rows at once.
    pub bulk_actions: Vec<String>,
}

/// A standing selection and how many cases are in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewCount {
    /// Which.
    pub view: QueueView,
    /// How many.
    pub count: u64,
}

/// A filter that a person keeps by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedView {
    /// Key in storage.
    pub view_id: i64,
    /// What the person calls it.
    pub name: String,
    /// The filter.
    pub filter: QueueFilter,
    /// How many cases are under it.
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
    /// The day on which it wakes, in the account's zone.
    pub wake_on: Option<Day>,
    /// How it ended, or empty.
    pub resolution: String,
    /// Whether it only keeps its place here after a decision.
    pub held: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_row_is_named_once_with_its_place_and_the_oldest_give_way() {
        let mut filter = QueueFilter::default();
        filter.hold("C-00001", 3);
        filter.hold("C-00002", 1);
        filter.hold("C-00001", 4);
        assert_eq!(filter.held, "C-00002~1.C-00001~4");
        assert_eq!(
            filter.held_rows(),
            [("C-00002".to_owned(), 1), ("C-00001".to_owned(), 4)]
        );
        for n in 0..100 {
            filter.hold(&format!("C-1{n:04}"), 1);
        }
        assert_eq!(filter.held_rows().len(), MOST_HELD);
        assert_eq!(filter.held_rows().last(), Some(&("C-10099".to_owned(), 1)));
        assert!(filter.afresh().held.is_empty());
        assert!(filter.pairs().is_empty());
        filter.held = "nonsense.~.C-1~x".to_owned();
        assert!(filter.held_rows().is_empty());
    }
}
