//! Settlement files as a list, and how far each has come.

use super::FieldProblem;
use crate::{
    account::ProviderKind,
    coded_enum,
    time::{Day, Instant},
};
use serde::{Deserialize, Serialize};

coded_enum! {
    /// How a settlement file stands.
    pub enum FileState as "file state" {
        Received = "RECEIVED",
        /// Pass one.
        Reading = "READING",
        /// Waits for a person; nothing posted.
        Held = "HELD",
        /// Pass two: lines are judged and posted.
        Posting = "POSTING",
        /// Groups, cases and batch totals.
        Closing = "CLOSING",
        Used = "USED",
        /// Its lines leave the books again.
        TakingBack = "TAKING_BACK",
        /// Cannot be used at all.
        Refused = "REFUSED",
        /// A person put it away, or took it back: nothing of it counts.
        Withdrawn = "WITHDRAWN",
    }
}

impl FileState {
    /// Whether work is going on, so that figures are not final.
    pub const fn is_loading(self) -> bool {
        matches!(
            self,
            Self::Received | Self::Reading | Self::Posting | Self::Closing | Self::TakingBack
        )
    }

    /// Whether the work that goes on looks at every row once, so that what is left of them is known.
    pub const fn looks_at_every_row(self) -> bool {
        matches!(self, Self::Reading | Self::Posting)
    }
}

/// What the URL asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileFilter {
    /// Provider account by name.
    pub provider: String,
    /// State, in capitals, or empty.
    pub state: String,
    /// Opaque cursor.
    pub after: String,
}

/// The files page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilesPage {
    /// The filter as understood.
    pub filter: FileFilter,
    /// Provider accounts that files can be uploaded for.
    pub providers: Vec<ProviderOption>,
    /// Largest upload in bytes.
    pub max_bytes: u64,
    /// This page of files, newest first.
    pub rows: Vec<FileRow>,
    /// Files under the whole filter.
    pub total: u64,
    /// Cursor of the next page.
    pub next: Option<String>,
    /// What was wrong with the last upload.
    pub problems: Vec<FieldProblem>,
}

/// A provider account to choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderOption {
    /// Its name.
    pub name: String,
    /// Whose formats it speaks.
    pub kind: ProviderKind,
}

/// One file in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRow {
    /// Public id.
    pub id: String,
    /// The name it was uploaded under.
    pub name: String,
    /// Provider account by name.
    pub account: String,
    /// How it stands.
    pub state: FileState,
    /// Why work on it stopped until a person lets it go on, or empty.
    pub stopped: String,
    /// Whether it waits for another process, or for one that died, to let go of its account.
    pub waits: bool,
    /// When it arrived.
    pub received_at: Instant,
    /// Who brought it.
    pub received_by: String,
    /// Its size.
    pub bytes: u64,
    /// The profile that reads it, or empty.
    pub profile: String,
    /// The days that it spans, in the account's zone.
    pub first_day: Option<Day>,
    /// See `first_day`.
    pub last_day: Option<Day>,
    /// Its rows by what became of them.
    pub rows: RowCounts,
    /// Rows that are done in the pass under way.
    pub rows_done: u64,
    /// Why it is held or refused, each a sentence.
    pub held_because: Vec<String>,
    /// Cases about it or about a row of it that wait for a person.
    pub open_cases: u64,
    /// Such cases that are set aside until a date.
    pub set_aside: u64,
}

impl FileRow {
    /// Whether work on it goes on by itself.
    pub const fn is_under_way(&self) -> bool {
        self.state.is_loading() && self.stopped.is_empty()
    }
}

/// The rows of a file by state; they add up to `total`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowCounts {
    /// All data rows.
    pub total: u64,
    /// With a verdict that concerns a payment.
    pub used: u64,
    /// Fees, payouts and the like.
    pub accounted: u64,
    /// Kept, of a kind that no profile names.
    pub unrecognised: u64,
    /// Unreadable.
    pub rejected: u64,
    /// Waiting with their file.
    pub held: u64,
    /// Put away with their file.
    #[serde(default)]
    pub withdrawn: u64,
    /// Already counted from another file.
    pub repeated: u64,
    /// A later version stands instead.
    pub superseded: u64,
    /// Blank lines and trailers.
    pub blank: u64,
}

/// What a file is told to do while another process, or for some seconds one that died, holds its account.
pub const WAITS: &str = "waiting for another process to let go of this account";

/// How far a file has come: one event of the progress stream, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileProgress {
    /// Public id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How it stands.
    pub state: FileState,
    /// Rows done in the pass under way.
    pub rows_done: u64,
    /// Rows that the pass looks at; 0 while not known.
    pub rows_total: u64,
    /// Whether nothing more will come.
    pub done: bool,
    /// Whether it waits for another process, or for one that died, to let go of its account.
    pub waits: bool,
    /// A sentence for when it is done: `4,180 rows, 4,112 matched, 3 open cases`.
    pub summary: String,
}

/// What the raw upload answers, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadAnswer {
    /// Public id.
    pub id: String,
    /// Whether the same bytes were there before.
    pub known: bool,
    /// How the file stands.
    pub state: FileState,
    /// A sentence.
    pub message: String,
}
