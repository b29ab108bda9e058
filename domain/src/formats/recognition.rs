//! Recognising a file from its first bytes: encoding, delimiter, header and profile.
//!
//! A header is found by what it holds, not by where it stands: providers and banks write account
//! lines above it.

use super::{
    Earlier, Encoding, FileProblem, Profile, ReadError,
    header::find_header,
    layout::Layout,
    number::{Mark, NumberFormat},
    profile::{DecimalRule, Unit},
    repair::is_of_repaired_rows,
    settle::Utf8Check,
};
use crate::{
    account::ProviderKind,
    time::{Instant, Zone},
};
use std::sync::Arc;

/// What reading depends on besides the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadContext {
    /// The account's kind.
    pub kind: ProviderKind,
    /// The zone in which the account's days are cut.
    pub zone: Zone,
    /// Policy `reference_column`: empty for the profile's own; a column's name, or for Stripe a
    /// metadata key.
    pub reference_column: String,
    /// The latest time that a row may bear: see [`Instant::latest_plausible`].
    pub latest: Instant,
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
    /// Columns of the file that carry our reference; empty if the file has none of them.
    pub reference_columns: Vec<String>,
    /// The zone in which the account's days are cut.
    pub zone: Zone,
    /// The latest time that a row may bear.
    pub latest: Instant,
    /// Whether its rows went out to be repaired: cells may bear the guard that they went out with.
    pub(super) guarded: bool,
    /// Of repaired rows: the file behind whose rows they stand, if that is known.
    pub(super) earlier: Option<Arc<Earlier>>,
    pub(super) kind: ProviderKind,
    pub(super) mark_len: usize,
    pub(super) numbers: NumberFormat,
    pub(super) layout: Arc<Layout>,
}

/// Finds profile, encoding, delimiter and header from the first bytes of a file, up to 64 KiB.
/// `whole`: whether `head` is all of it. `profile`: the name that was asked for, if any.
///
/// For a file longer than `head`, [`Recognition::settle`] must follow before rows are read.
pub fn recognise(
    head: &[u8],
    whole: bool,
    context: &ReadContext,
    profile: Option<&str>,
) -> Result<Recognition, FileProblem> {
    recognise_among(head, whole, context, profile, Profile::built_in())
}

/// As [`recognise`], with the profiles to choose from.
pub fn recognise_among(
    head: &[u8],
    whole: bool,
    context: &ReadContext,
    profile: Option<&str>,
    profiles: &[Arc<Profile>],
) -> Result<Recognition, FileProblem> {
    if let Some(what) = other_kind_of_file(head) {
        return Err(FileProblem::NotText {
            what: what.to_owned(),
        });
    }
    let (encoding, mark_len, encoding_assumed) = settle_encoding(head, whole)?;
    let text = encoding.decode_lossy(head.get(mark_len..).unwrap_or_default());
    if whole && text.trim_matches(['\u{1a}', '\u{feff}']).trim().is_empty() {
        return Err(FileProblem::Empty);
    }
    let requested = match profile.filter(|name| !name.is_empty()) {
        None => None,
        Some(name) => Some(profiles.iter().find(|p| p.name == name).ok_or_else(|| {
            FileProblem::NoSuchProfile {
                name: name.chars().take(60).collect(),
                known: profiles
                    .iter()
                    .map(|p| p.name.as_str())
                    .collect::<Vec<_>>()
                    .join(", "),
            }
        })?),
    };
    let found = find_header(&text, whole, context.kind, requested, profiles)?;
    let layout = Layout::new(
        &found.profile,
        &found.names,
        &context.reference_column,
        context.zone,
    );
    let mut recognition = Recognition {
        encoding,
        encoding_assumed,
        delimiter: found.delimiter,
        header_line: found.line_no,
        reference_columns: layout
            .reference
            .iter()
            .filter_map(|column| found.header.get(column.index).cloned())
            .collect(),
        guarded: is_of_repaired_rows(&found.header),
        earlier: None,
        header: found.header,
        zone: context.zone,
        latest: context.latest,
        kind: context.kind,
        mark_len,
        numbers: NumberFormat {
            mark: match found.profile.number.decimal {
                DecimalRule::Point => Mark::Point,
                DecimalRule::Comma => Mark::Comma,
                DecimalRule::Settle => Mark::Open,
            },
            shown: false,
            minor_unit: found.profile.number.unit == Unit::Minor,
            currency_signs: found.profile.number.currency_signs,
        },
        layout: Arc::new(layout),
        profile: found.profile,
    };
    if whole {
        match recognition.settle(head) {
            Ok(()) => {}
            Err(ReadError::File(problem)) => return Err(problem),
            // A slice does not fail.
            Err(ReadError::Io(_)) => return Err(FileProblem::Empty),
        }
    }
    Ok(recognition)
}

/// A delimiter as a byte; profiles allow ASCII only.
pub(super) fn delimiter_byte(delimiter: char) -> u8 {
    u8::try_from(delimiter).unwrap_or(b',')
}

/// What the bytes are, if they are no text of separated values.
fn other_kind_of_file(head: &[u8]) -> Option<&'static str> {
    let starts = |magic: &[u8]| head.starts_with(magic);
    if starts(b"PK\x03\x04") || starts(b"PK\x05\x06") {
        return Some("a zip archive or an XLSX workbook");
    }
    if starts(b"%PDF") {
        return Some("a PDF document");
    }
    if starts(&[0x1F, 0x8B]) {
        return Some("a gzip archive");
    }
    if starts(&[0xD0, 0xCF, 0x11, 0xE0]) {
        return Some("an old Excel workbook (XLS)");
    }
    if starts(b"Rar!") || starts(b"7z\xBC\xAF") || starts(b"BZh") || starts(b"\xFD7zXZ") {
        return Some("an archive");
    }
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let first = text.trim_ascii_start();
    if first.starts_with(b"<?xml") || first.starts_with(b"<!") || first.starts_with(b"<html") {
        return Some("an XML or HTML document");
    }
    if first.starts_with(b"{") || first.starts_with(b"[{") {
        return Some("a JSON document");
    }
    None
}

/// Why a file that must be UTF-8 text of separated values cannot be, from how it begins, and what to do.
pub fn unfit_as_utf8(head: &[u8]) -> Option<String> {
    if let Some(what) = other_kind_of_file(head) {
        let what = what.to_owned();
        return Some(FileProblem::NotText { what }.to_string());
    }
    match settle_encoding(head, false) {
        Ok((Encoding::Utf16Le | Encoding::Utf16Be, ..)) => Some(
            "this is text in UTF-16: save it as UTF-8 (in a spreadsheet: “CSV UTF-8, comma delimited”)"
                .to_owned(),
        ),
        Err(problem @ FileProblem::NotText { .. }) => Some(problem.to_string()),
        _ => None,
    }
}

/// The encoding, the length of its mark, and whether it is an assumption.
fn settle_encoding(head: &[u8], whole: bool) -> Result<(Encoding, usize, bool), FileProblem> {
    if head.is_empty() {
        return Err(FileProblem::Empty);
    }
    if let Some((encoding, mark_len)) = Encoding::by_mark(head) {
        return Ok((encoding, mark_len, false));
    }
    let sample = head.get(..4096).unwrap_or(head);
    if sample.contains(&0) {
        // A header in UTF-16 is mostly Latin letters: every second byte is zero, on one side.
        let start = head.get(..512).unwrap_or(head);
        let zeros_at = |parity: usize| {
            start
                .iter()
                .enumerate()
                .filter(|(index, byte)| index % 2 == parity && **byte == 0)
                .count()
        };
        let (even, odd) = (zeros_at(0), zeros_at(1));
        let enough = start.len() / 3;
        return if odd >= enough && even * 8 < odd {
            Ok((Encoding::Utf16Le, 0, false))
        } else if even >= enough && odd * 8 < even {
            Ok((Encoding::Utf16Be, 0, false))
        } else {
            Err(FileProblem::NotText {
                what: "binary data".to_owned(),
            })
        };
    }
    let mut check = Utf8Check::default();
    check.pass(head, whole);
    // Of a head that is not the whole file, the whole file decides: see `settle`.
    let assumed = (check.invalid.is_some() || check.cut) && !check.multi_byte;
    Ok(if assumed {
        (Encoding::Windows1252, 0, true)
    } else {
        (Encoding::Utf8, 0, false)
    })
}
