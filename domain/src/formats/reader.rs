//! Streaming rows out of a file in flat memory.

use super::{Encoding, FileProblem, Profile, RejectedRow};
use crate::{account::ProviderKind, line::SettlementLine, money::Currency, time::Zone};
use std::{io::Read, sync::Arc};

/// What reading depends on besides the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadContext {
    /// The account's kind.
    pub kind: ProviderKind,
    /// The zone in which the account's days are cut.
    pub zone: Zone,
    /// Policy `reference_column`: empty for the profile's own.
    pub reference_column: String,
}

/// What [`recognise`] found, and all that reading needs.
#[derive(Debug, Clone)]
pub struct Recognition {
    /// The profile.
    pub profile: Arc<Profile>,
    /// How the bytes become text.
    pub encoding: Encoding,
    /// Whether the encoding is an assumption (Windows-1252 for want of UTF-8), to be shown.
    pub encoding_assumed: bool,
    /// What separates the fields.
    pub delimiter: char,
    /// Physical line of the header, the file's first line being 1.
    pub header_line: u64,
    /// The header's names as the file writes them.
    pub header: Vec<String>,
    /// The zone in which the account's days are cut.
    pub zone: Zone,
}

/// One record of a file. The header is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// Money.
    Line(SettlementLine),
    /// A data row that cannot be read.
    Rejected(RejectedRow),
    /// An empty line, or a line before the header.
    Blank {
        /// Its physical line.
        line_no: u64,
    },
    /// A footer, with the net that it declares for the whole file, if that can be read.
    Trailer {
        /// Its physical line.
        line_no: u64,
        /// The currency, if the footer names one.
        currency: Option<Currency>,
        /// The net of all rows above.
        net: Option<i64>,
    },
}

/// Why reading stops before the end.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The source fails.
    #[error("the stored file cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// The file is at fault.
    #[error(transparent)]
    File(#[from] FileProblem),
}

/// Finds profile, encoding, delimiter and header from the first bytes of a file, up to 64 KiB.
/// `whole`: whether `head` is all of it. `profile`: the name that was asked for, if any.
///
/// For a file longer than `head`, [`Recognition::settle`] must follow before rows are read.
pub fn recognise(
    _head: &[u8],
    _whole: bool,
    _context: &ReadContext,
    _profile: Option<&str>,
) -> Result<Recognition, FileProblem> {
    Err(FileProblem::Empty)
}

impl Recognition {
    /// Reads a whole file once and settles what its first bytes cannot: that all of it is in the
    /// encoding, and how its amounts are written. Flat memory.
    pub fn settle<R: Read>(&mut self, _input: R) -> Result<(), ReadError> {
        Ok(())
    }
}

/// Streams the rows of a file in flat memory: one buffer, whatever the file's length.
pub struct RowReader<R> {
    _input: R,
}

impl<R: Read> RowReader<R> {
    /// A reader from the file's first byte.
    pub fn new(input: R, _recognition: &Recognition) -> Self {
        Self { _input: input }
    }

    /// The next row, or nothing at the end.
    pub fn next_row(&mut self) -> Result<Option<Row>, ReadError> {
        Ok(None)
    }
}

impl<R: Read> Iterator for RowReader<R> {
    type Item = Result<Row, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_row().transpose()
    }
}

/// The fields of one stored record by the header's names, card numbers masked: what the page of a
/// line shows. Fields beyond the header carry an empty name.
pub fn read_record_at(_record: &[u8], _recognition: &Recognition) -> Vec<(String, String)> {
    Vec::new()
}
