//! Streaming rows out of a file in flat memory. (being written)
use super::{FileProblem, Profile, RejectedRow};
use crate::{account::ProviderKind, line::SettlementLine, time::Zone};

/// What reading depends on besides the bytes.
#[derive(Debug, Clone)]
pub struct ReadContext {
    pub kind: ProviderKind,
    pub zone: Zone,
    pub reference_column: String,
}

/// What [`recognise`] found.
#[derive(Debug, Clone)]
pub struct Recognition {
    pub profile: Profile,
    pub encoding: &'static str,
    pub delimiter: u8,
}

/// One record of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    Line(SettlementLine),
    Rejected(RejectedRow),
    Blank { line_no: u64 },
    Trailer { line_no: u64 },
}

/// Streams rows.
pub struct RowReader<R> {
    _input: R,
}

/// Finds profile, encoding and delimiter from the first bytes (up to 64 KiB) of a file.
pub fn recognise(
    _head: &[u8],
    _whole: bool,
    _context: &ReadContext,
    _profile: Option<&str>,
) -> Result<Recognition, FileProblem> {
    Err(FileProblem::Empty)
}
