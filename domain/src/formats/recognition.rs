//! Recognising a file from its first bytes: encoding, delimiter, header and profile.
//!
//! A header is found by what it holds, not by where it stands: providers and banks write account
//! lines above it.

use super::{
    Encoding, FileProblem, Profile, ReadError,
    card::masked,
    encoding::TextInput,
    layout::{Layout, compare, plain_name},
    number::{Evidence, Mark, NumberFormat},
    profile::{DecimalRule, Unit},
    record::{Field, LONGEST_RECORD, Scan, Skipper, scan},
};
use crate::{account::ProviderKind, time::Zone};
use std::{io::Read, sync::Arc};

/// Lines among which the header must stand.
const HEADER_WITHIN_LINES: u64 = 20;

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
    let text = head_text(head, encoding, mark_len, whole)?;
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
        header: found.header,
        zone: context.zone,
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

impl Recognition {
    /// Reads a whole file once and settles what its first bytes cannot: that all of it is in one
    /// encoding, and how its amounts are written. Flat memory.
    pub fn settle<R: Read>(&mut self, input: R) -> Result<(), ReadError> {
        let weighs_numbers = self.profile.number.decimal == DecimalRule::Settle;
        // Bytes that turn out to be Windows-1252 do not matter to digits and delimiters.
        let passes_as_is = matches!(self.encoding, Encoding::Utf8 | Encoding::Windows1252);
        let encoding = if passes_as_is {
            Encoding::Utf8
        } else {
            self.encoding
        };
        let mut source = TextInput::new(input, encoding, self.mark_len);
        let mut check = Utf8Check::default();
        let mut numbers = NumberSurvey::new(self);
        let mut text = Vec::new();
        loop {
            let before = text.len();
            let more = source.fill(&mut text)?;
            if passes_as_is {
                check.pass(text.get(before..).unwrap_or_default(), !more);
            }
            if weighs_numbers {
                numbers.pass(&mut text, !more);
            } else {
                text.clear();
            }
            if !more {
                break;
            }
        }
        if let Some(offset) = check.invalid.filter(|_| passes_as_is) {
            let declared = self.mark_len > 0;
            if declared || check.multi_byte {
                return Err(FileProblem::Undecodable {
                    encoding: Encoding::Utf8.code().to_owned(),
                    offset: offset + self.mark_len as u64,
                }
                .into());
            }
            self.encoding = Encoding::Windows1252;
            self.encoding_assumed = true;
        }
        if weighs_numbers {
            let (mark, shown) = numbers.evidence.settle();
            self.numbers.mark = mark;
            self.numbers.shown = shown;
        }
        Ok(())
    }
}

/// Whether bytes are UTF-8, over the pieces in which they come.
#[derive(Default)]
struct Utf8Check {
    /// The start of a character whose rest comes with the next piece.
    begun: Vec<u8>,
    offset: u64,
    /// Where the first byte stands that cannot be.
    invalid: Option<u64>,
    /// Whether a character beyond ASCII was read as it should be.
    multi_byte: bool,
}

impl Utf8Check {
    fn pass(&mut self, piece: &[u8], last: bool) {
        let joined;
        let mut rest = if self.begun.is_empty() {
            piece
        } else {
            joined = [std::mem::take(&mut self.begun).as_slice(), piece].concat();
            joined.as_slice()
        };
        loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.multi_byte |= !text.is_ascii();
                    self.offset += rest.len() as u64;
                    return;
                }
                Err(error) => {
                    let (valid, bad) = rest.split_at(error.valid_up_to());
                    self.multi_byte |= !valid.is_ascii();
                    self.offset += valid.len() as u64;
                    match error.error_len() {
                        None if !last => {
                            self.begun = bad.to_vec();
                            return;
                        }
                        length => {
                            self.invalid.get_or_insert(self.offset);
                            let skipped = length.unwrap_or(bad.len());
                            self.offset += skipped as u64;
                            rest = bad.get(skipped..).unwrap_or_default();
                        }
                    }
                }
            }
        }
    }
}

/// Weighs every value in an amount column.
struct NumberSurvey {
    evidence: Evidence,
    columns: Vec<usize>,
    delimiter: u8,
    header_line: u64,
    line_no: u64,
    fields: Vec<Field>,
    skipping: Option<Skipper>,
}

impl NumberSurvey {
    fn new(recognition: &Recognition) -> Self {
        Self {
            evidence: Evidence::default(),
            columns: recognition.layout.amount_columns(),
            delimiter: delimiter_byte(recognition.delimiter),
            header_line: recognition.header_line,
            line_no: 1,
            fields: Vec::new(),
            skipping: None,
        }
    }

    /// Takes whole records off the front of `text`.
    fn pass(&mut self, text: &mut Vec<u8>, ended: bool) {
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            if let Some(skipper) = &mut self.skipping {
                let Some(taken) = skipper.pass(rest, self.delimiter) else {
                    at = text.len();
                    break;
                };
                at += taken;
                self.line_no += skipper.line_ends;
                self.skipping = None;
                continue;
            }
            match scan(rest, ended, self.delimiter, &mut self.fields) {
                Scan::Record(shape) => {
                    if self.line_no > self.header_line {
                        let record = rest.get(..shape.len).unwrap_or_default();
                        self.weigh(&String::from_utf8_lossy(record));
                    }
                    self.line_no += shape.line_ends;
                    at += shape.taken;
                }
                Scan::More if rest.len() > LONGEST_RECORD => self.skipping = Some(Skipper::new()),
                Scan::More => break,
                Scan::OpenQuote => {
                    at = text.len();
                    break;
                }
            }
        }
        text.drain(..at);
    }

    fn weigh(&mut self, record: &str) {
        for column in &self.columns {
            if let Some(field) = self.fields.get(*column) {
                self.evidence.weigh(&field.text(record));
            }
        }
    }
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
    let assumed = check.invalid.is_some() && !check.multi_byte;
    Ok(if assumed {
        (Encoding::Windows1252, 0, true)
    } else {
        (Encoding::Utf8, 0, false)
    })
}

fn head_text(
    head: &[u8],
    encoding: Encoding,
    mark_len: usize,
    whole: bool,
) -> Result<String, FileProblem> {
    let body = head.get(mark_len..).unwrap_or_default();
    if whole && matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be) && body.len() % 2 != 0 {
        return Err(FileProblem::Undecodable {
            encoding: encoding.code().to_owned(),
            offset: (head.len() - 1) as u64,
        });
    }
    Ok(encoding.decode_lossy(body))
}

struct FoundHeader {
    profile: Arc<Profile>,
    delimiter: char,
    line_no: u64,
    header: Vec<String>,
    names: Vec<String>,
}

/// How near a line comes to being a profile's header.
struct Near<'a> {
    profile: &'a Arc<Profile>,
    line_no: u64,
    header: String,
    missing: Vec<String>,
    known: usize,
}

fn find_header(
    text: &str,
    whole: bool,
    kind: ProviderKind,
    requested: Option<&Arc<Profile>>,
    profiles: &[Arc<Profile>],
) -> Result<FoundHeader, FileProblem> {
    let mut best: Option<(usize, FoundHeader)> = None;
    let mut stranger: Option<&Arc<Profile>> = None;
    let mut nearest: Option<Near> = None;
    let mut first_line = String::new();
    let mut fields = Vec::new();
    let mut delimiters: Vec<char> = Vec::new();
    for delimiter in profiles.iter().flat_map(|p| p.delimiters.iter()) {
        if !delimiters.contains(delimiter) {
            delimiters.push(*delimiter);
        }
    }
    for delimiter in delimiters {
        let mut rest = text;
        let mut line_no = 1;
        while line_no <= HEADER_WITHIN_LINES && !rest.is_empty() {
            let Scan::Record(shape) = scan(
                rest.as_bytes(),
                whole,
                delimiter_byte(delimiter),
                &mut fields,
            ) else {
                break;
            };
            let record = rest.get(..shape.len).unwrap_or_default();
            let header: Vec<String> = fields
                .iter()
                .map(|field| field.text(record).trim_matches('\u{feff}').to_owned())
                .collect();
            let names: Vec<String> = header.iter().map(|name| plain_name(name)).collect();
            if first_line.is_empty() {
                record.trim().clone_into(&mut first_line);
            }
            let candidates: Vec<&Arc<Profile>> = match requested {
                Some(profile) => vec![profile],
                None => profiles.iter().collect(),
            };
            for profile in candidates {
                // Cut by another delimiter, a header is one long name.
                let uncut = names.len() < 2 && profile.header.required.len() > 1;
                if uncut || !profile.delimiters.contains(&delimiter) {
                    continue;
                }
                let (missing, known) = compare(profile, &names);
                if !missing.is_empty() {
                    let nearer = known > 0
                        && nearest.as_ref().is_none_or(|near| {
                            (known, near.missing.len()) > (near.known, missing.len())
                        });
                    if nearer {
                        nearest = Some(Near {
                            profile,
                            line_no,
                            header: record.to_owned(),
                            missing,
                            known,
                        });
                    }
                } else if requested.is_none() && !profile.serves(kind) {
                    stranger = Some(profile);
                } else if best.as_ref().is_none_or(|(most, _)| known > *most) {
                    best = Some((
                        known,
                        FoundHeader {
                            profile: Arc::clone(profile),
                            delimiter,
                            line_no,
                            header: header.clone(),
                            names: names.clone(),
                        },
                    ));
                }
            }
            line_no += shape.line_ends.max(1);
            rest = rest.get(shape.taken..).unwrap_or_default();
        }
    }
    if let Some((_, found)) = best {
        return Ok(found);
    }
    if let Some(profile) = stranger {
        return Err(FileProblem::WrongProvider {
            profile: profile.name.clone(),
            providers: profile
                .providers
                .iter()
                .map(|kind| kind.code())
                .collect::<Vec<_>>()
                .join(", "),
            account: kind.code().to_owned(),
        });
    }
    Err(not_found(nearest, &first_line, requested, profiles))
}

fn not_found(
    nearest: Option<Near>,
    first_line: &str,
    requested: Option<&Arc<Profile>>,
    profiles: &[Arc<Profile>],
) -> FileProblem {
    let shortened = |line: &str| -> String { masked(line).chars().take(200).collect() };
    match nearest {
        Some(near) if requested.is_some() || near.missing.len() <= near.known => {
            FileProblem::MissingColumn {
                profile: near.profile.name.clone(),
                column: near.missing.join(", "),
                line_no: near.line_no,
            }
        }
        Some(near) => FileProblem::UnknownHeader {
            header: shortened(&near.header),
            closest: near.profile.name.clone(),
            missing: near.missing.join(", "),
        },
        None => {
            let closest = requested.or_else(|| profiles.first());
            FileProblem::UnknownHeader {
                header: shortened(first_line),
                closest: closest.map(|p| p.name.clone()).unwrap_or_default(),
                missing: closest
                    .map(|p| p.header.required.join(", "))
                    .unwrap_or_default(),
            }
        }
    }
}
