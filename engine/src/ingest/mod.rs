//! Ingest a settlement file: from received bytes to lines, verdicts, entries and cases.
//!
//! | Step | File | Leaves the file |
//! |---|---|---|
//! | take the bytes' name in | [`receive`] | RECEIVED |
//! | read it whole, write nothing | [`pass_one`] | POSTING, or HOLDING |
//! | write its rows without using them | [`post`] | HELD |
//! | write rows, verdicts, entries | [`post`] | CLOSING |
//! | judge the rest, open cases | [`close`] | USED |
//! | use a held file after all | [`accept`] | POSTING |
//! | or not at all | [`put_away`] | WITHDRAWN |
//! | take a used file back | [`mod@take_back`] | TAKING_BACK, then WITHDRAWN |
//!
//! Each transaction notes how far it came, so that a run that dies is taken up at the last one.
//! Files of an account are worked on one after another, under a lease ([`account`]).

pub mod accept;
pub mod account;
pub mod close;
mod file;
pub mod pass_one;
pub mod post;
pub mod put_away;
pub mod receive;
mod recognise;
mod report;
mod rows;
pub(crate) mod same_file;
mod standing;
pub mod take_back;
mod twice;

pub use accept::{Accepted, accept_file};
pub(crate) use accept::{accept_rows, is_final};
pub use account::{
    LEASE_SECONDS, MOST_FAILURES, work_account, work_again, work_again_for, work_all,
};
pub use put_away::{WITHDRAWN, hold_again, put_away};
pub use receive::{Received, receive_file};
pub(crate) use recognise::recognise_head;
pub(crate) use report::has_ended;
pub use report::{
    BatchReport, CUT_OFF, FileReport, HeldBecause, SAME_FILE_ELSEWHERE, Summary, TAKEN_BACK,
    TWO_PEOPLE, row_counts, summary,
};
pub(crate) use rows::{Content, Saying};
pub(crate) use standing::standing;
pub use take_back::{TAKING_BACK, TakenBack, keep, take_back};

use crate::{Engine, evidence_store::EvidenceStore};
use std::sync::Arc;

/// Told while another process holds the file's account, or one that died does for some seconds more.
pub const WAITING: &str = "WAITING";

/// Told when work on a file failed so often that a person must let it go on.
pub const STOPPED: &str = "STOPPED";

/// How far a file is, for whoever watches.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Progress {
    /// The file's public id.
    pub file: String,
    /// READING, HOLDING, POSTING, CLOSING, USED, HELD, RECEIVED, TAKING_BACK, WITHDRAWN; [`WAITING`] and [`STOPPED`], which
    /// are no states of a file but say why nothing moves.
    pub state: String,
    /// Rows done in this state.
    pub rows_done: u64,
    /// Rows there are, 0 while not known.
    pub rows_total: u64,
}

/// What ingesting needs: the engine, the stored bytes, and somebody to tell.
#[derive(Clone)]
pub struct Ingest {
    /// The database.
    pub engine: Engine,
    /// The bytes.
    pub evidence: EvidenceStore,
    /// Told after each step.
    pub tell: Arc<dyn Fn(Progress) + Send + Sync>,
    /// Rows of a file that one statement a table writes: [`ROWS_AT_ONCE`], fewer in a test.
    pub rows_at_once: usize,
}

impl std::fmt::Debug for Ingest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ingest")
            .field("evidence", &self.evidence)
            .finish_non_exhaustive()
    }
}

/// Rows of a file that one statement a table writes.
pub const ROWS_AT_ONCE: usize = 10_000;

impl Ingest {
    /// Without anybody to tell.
    pub fn silent(engine: Engine, evidence: EvidenceStore) -> Self {
        Self {
            engine,
            evidence,
            tell: Arc::new(|_| {}),
            rows_at_once: ROWS_AT_ONCE,
        }
    }
}
