//! What only a whole file can settle: that all of it is in one encoding, and which decimal mark
//! its amounts use.

use super::{
    Encoding, FileProblem, ReadError, Recognition,
    encoding::TextInput,
    number::Evidence,
    profile::DecimalRule,
    recognition::delimiter_byte,
    record::{Field, LONGEST_RECORD, Scan, Skipper, scan},
    row::plain_value,
};
use std::io::Read;

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
        if passes_as_is {
            self.settle_utf8(&check)?;
        }
        if weighs_numbers {
            let (mark, shown) = numbers.evidence.settle();
            self.numbers.mark = mark;
            self.numbers.shown = shown;
        }
        Ok(())
    }

    /// Whether the file is the UTF-8 that its first bytes looked like.
    fn settle_utf8(&mut self, check: &Utf8Check) -> Result<(), FileProblem> {
        let is_utf8 = self.mark_len > 0 || check.multi_byte;
        match check.invalid {
            Some(offset) if is_utf8 => {
                return Err(FileProblem::Undecodable {
                    encoding: Encoding::Utf8.code().to_owned(),
                    offset: offset + self.mark_len as u64,
                });
            }
            None if is_utf8 || !check.cut => {}
            _ => {
                self.encoding = Encoding::Windows1252;
                self.encoding_assumed = true;
            }
        }
        Ok(())
    }
}

/// Whether bytes are UTF-8, over the pieces in which they come.
#[derive(Default)]
pub(super) struct Utf8Check {
    /// The start of a character whose rest comes with the next piece.
    begun: Vec<u8>,
    offset: u64,
    /// Where the first byte stands that cannot be.
    pub invalid: Option<u64>,
    /// Whether the bytes end in the middle of a character, as those of a file that was cut off may.
    pub cut: bool,
    /// Whether a character beyond ASCII was read as it should be.
    pub multi_byte: bool,
}

impl Utf8Check {
    pub(super) fn pass(&mut self, piece: &[u8], last: bool) {
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
                        None => {
                            self.cut = last;
                            self.begun = bad.to_vec();
                            return;
                        }
                        Some(length) => {
                            self.invalid.get_or_insert(self.offset);
                            self.offset += length as u64;
                            rest = bad.get(length..).unwrap_or_default();
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
    guarded: bool,
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
            guarded: recognition.guarded,
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
                let text = field.text(record);
                self.evidence.weigh(plain_value(&text, self.guarded));
            }
        }
    }
}
