//! One ledger entry: its postings, what they rest on, and the proof that it is sealed.

use super::{
    Link,
    ledger::{EntryRow, PostingView},
    line::LineRow,
};
use crate::time::{Day, Instant};
use serde::{Deserialize, Serialize};

/// The page of one entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryPage {
    /// The entry.
    pub entry: EntryRow,
    /// Its postings: debits first.
    pub postings: Vec<PostingView>,
    /// The provider's batch id, or empty.
    pub batch_id: String,
    /// Where its cause leads: file, line, case, decision.
    pub links: Vec<Link>,
    /// The lines that it posted, in the file's order, at most a hundred.
    pub lines: Vec<LineRow>,
    /// How many in all.
    pub lines_total: u64,
    /// Where all of them are, or empty.
    pub lines_href: String,
    /// The closed day that it belongs to, where it is booked under the first open one.
    pub closed_day: Option<Day>,
    /// The decision that caused it, where one did.
    pub decision: Option<EntryDecision>,
    /// The entry that it reverses.
    pub reverses: Option<i64>,
    /// The entry that reverses it.
    pub reversed_by: Option<i64>,
    /// Its proof; nothing while it waits for its block.
    pub proof: Option<Proof>,
}

/// The decision that caused an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryDecision {
    /// What was decided.
    pub action: String,
    /// Why, as a code's words.
    pub reason: String,
    /// Why, in the words of the person.
    pub comment: String,
    /// Who decided.
    pub decided_by: String,
    /// When.
    pub decided_at: Instant,
    /// The second person, where one agreed.
    pub approved_by: String,
    /// The case that it is about, by its public id.
    pub case_id: String,
}

/// The proof that a record lies in a block of the seal. Hashes in hex.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// The leaf's hash.
    pub leaf: String,
    /// Which leaf of its block, from 0.
    pub index: u64,
    /// Leaves in the block.
    pub leaf_count: u64,
    /// Hashes beside the way from leaf to root, nearest the leaf first.
    pub path: Vec<String>,
    /// The block's root.
    pub root: String,
    /// The block's number.
    pub block: i64,
    /// The block's hash.
    pub block_hash: String,
    /// The hash of the block before.
    pub previous: String,
    /// When it was sealed.
    pub sealed_at: Instant,
}
