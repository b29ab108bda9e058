//! How the bytes of a settlement file become settlement lines.
//!
//! A column-mapped file is described by a [`Profile`]: data, not code. [`recognise`] finds the
//! profile from the first bytes, [`RowReader`] streams the rows in flat memory, and [`FileFacts`]
//! adds up what pass one must know before anything is posted.

mod card;
mod clock_text;
mod encoding;
mod facts;
mod header;
mod layout;
mod looks;
mod number;
mod origin;
mod problem;
mod profile;
mod reader;
mod recognition;
mod record;
mod repair;
mod row;
mod settle;
mod stretches;

/// The version of all that reads files. Raise it whenever files can be read that could not be before:
/// those that are held unread are then read again when they are sent again.
pub const READER_VERSION: u32 = 3;

pub use card::masked;
pub use encoding::Encoding;
pub use facts::{BatchTotal, FileFacts, MOST_BATCHES, MOST_DAYS, NamedRows};
pub use looks::{Looks, kinds_in_words, looks_like, separator_name};
pub use origin::{Earlier, Origin, Origins};
pub use problem::{FileProblem, RejectedRow, RowReason};
pub use profile::{
    AmountRule, AmountSource, ColumnRule, DecimalRule, HeaderRule, IdentityAmounts, IdentityRule,
    KindRule, NumberRule, Period, PresentedSign, Profile, ProfileError, ReportRule, Source,
    TimeRule, TimeSource, TotalRule, TotalScope, TotalSpec, Unit,
};
pub use reader::{FooterTotal, ReadError, Row, RowReader, read_record_at};
pub use recognition::{ReadContext, Recognition, recognise, recognise_among, unfit_as_utf8};
pub use repair::{REASON_COLUMN, repair_header, repairable_record};
pub use stretches::{BusyDay, Stretch, covered, far_apart};
