//! How the bytes of a settlement file become settlement lines.
//!
//! A column-mapped file is described by a [`Profile`]: data, not code. [`recognise`] finds the
//! profile from the first bytes, [`RowReader`] streams the rows in flat memory, and [`FileFacts`]
//! adds up what pass one must know before anything is posted.

mod facts;
mod problem;
mod profile;
mod reader;

pub use facts::{BatchTotal, FileFacts};
pub use problem::{FileProblem, RejectedRow, RowReason};
pub use profile::{Profile, ProfileError, TotalRule, TotalScope};
pub use reader::{ReadContext, Recognition, Row, RowReader, recognise};
