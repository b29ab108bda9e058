//! Streaming rows out of a file in flat memory.

use super::{
    FileProblem, Origins, Recognition, RejectedRow, RowReason,
    card::masked,
    encoding::TextInput,
    layout::plain_name,
    recognition::delimiter_byte,
    record::{Field, LONGEST_FIELD, LONGEST_RECORD, OpenQuote, Scan, Shape, Skipper, scan},
    row::{Fault, LineMaker, Position, Record},
};
use crate::{line::SettlementLine, money::Money};
use std::{collections::HashMap, io::Read};

/// One record of a file. The header is none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::large_enum_variant)] // nearly every row is a line: boxing would cost each of them
pub enum Row {
    /// Money.
    Line(SettlementLine),
    /// A data row that cannot be read.
    Rejected(RejectedRow),
    /// An empty line, a line before the header, or the header again.
    Blank {
        /// Its physical line.
        line_no: u64,
    },
    /// A footer, with what it declares for the whole file.
    Trailer {
        /// Its physical line.
        line_no: u64,
        /// The net of all rows.
        total: FooterTotal,
    },
}

/// What a footer declares as the net of the whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FooterTotal {
    /// Nothing.
    None,
    /// A net.
    Net(Money),
    /// A net without a currency, read as in that of the rows above.
    OfOnlyCurrency {
        /// As read.
        net: Money,
        /// What is wrong with it where the file has another currency as well.
        otherwise: RejectedRow,
    },
    /// A net that cannot be read, and why.
    Unreadable(RejectedRow),
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

/// Streams the rows of a file in flat memory: one buffer, whatever the file's length.
pub struct RowReader<R> {
    source: TextInput<R>,
    /// Text read and not yet taken starts at `at`.
    text: Vec<u8>,
    at: usize,
    ended: bool,
    stopped: bool,
    line_no: u64,
    byte_offset: u64,
    delimiter: u8,
    fields: Vec<Field>,
    maker: LineMaker,
}

impl<R: Read> RowReader<R> {
    /// A reader from the file's first byte.
    pub fn new(input: R, recognition: &Recognition) -> Self {
        Self {
            source: TextInput::new(input, recognition.encoding, recognition.mark_len),
            text: Vec::new(),
            at: 0,
            ended: false,
            stopped: false,
            line_no: 1,
            byte_offset: recognition.mark_len as u64,
            delimiter: delimiter_byte(recognition.delimiter),
            fields: Vec::new(),
            maker: LineMaker::new(recognition),
        }
    }

    /// The next row, or nothing at the end. After an error there is nothing more.
    pub fn next_row(&mut self) -> Result<Option<Row>, ReadError> {
        if self.stopped {
            return Ok(None);
        }
        let row = self.read_row();
        self.stopped = !matches!(row, Ok(Some(_)));
        row
    }

    /// What the rows that were read say of where they come from.
    pub(super) fn into_origins(self) -> Origins {
        self.maker.into_origins()
    }

    /// How often each identity without a row id was met, if the place of each row is known.
    pub(super) fn into_met(self) -> Option<HashMap<u64, u32>> {
        self.maker.into_met()
    }

    fn read_row(&mut self) -> Result<Option<Row>, ReadError> {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            if rest.is_empty() {
                if self.ended {
                    return Ok(None);
                }
                self.fill()?;
                continue;
            }
            match scan(rest, self.ended, self.delimiter, &mut self.fields) {
                Scan::More if rest.len() > LONGEST_RECORD + 2 => {
                    return self.skip_record().map(Some);
                }
                Scan::More => self.fill()?,
                Scan::OpenQuote => return self.skip_record().map(Some),
                Scan::Record(shape) => {
                    if let Some(row) = self.take_record(shape)? {
                        return Ok(Some(row));
                    }
                }
            }
        }
    }

    fn fill(&mut self) -> Result<(), ReadError> {
        self.text.drain(..self.at);
        self.at = 0;
        self.ended = !self.source.fill(&mut self.text)?;
        Ok(())
    }

    /// Takes a whole record off the text; nothing for the header.
    fn take_record(&mut self, shape: Shape) -> Result<Option<Row>, ReadError> {
        let recognition = self.maker.recognition();
        let encoding = recognition.encoding;
        let header_line = recognition.header_line;
        let taken = self
            .text
            .get(self.at..self.at + shape.taken)
            .unwrap_or_default();
        let bytes = taken.get(..shape.len).unwrap_or_default();
        let last = self.ended && self.at + shape.taken == self.text.len();
        let (text, in_part) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, false),
            // A character that lacks its end lacks it because the file does.
            Err(error) if last && error.error_len().is_none() => {
                let whole = bytes.get(..error.valid_up_to()).unwrap_or_default();
                (std::str::from_utf8(whole).unwrap_or_default(), true)
            }
            Err(error) => {
                return Err(FileProblem::Undecodable {
                    encoding: encoding.code().to_owned(),
                    offset: self.byte_offset + error.valid_up_to() as u64,
                }
                .into());
            }
        };
        let record = Record {
            text,
            fields: &self.fields,
            guarded: recognition.guarded,
        };
        // A character in part has fewer bytes than it would have.
        let stored_len = if in_part {
            self.source.read() - self.byte_offset
        } else {
            encoding.stored_len(bytes)
        };
        let at = Position {
            line_no: self.line_no,
            byte_offset: self.byte_offset,
            byte_len: u32::try_from(stored_len).unwrap_or(u32::MAX),
        };
        self.byte_offset +=
            stored_len + encoding.stored_len(taken.get(shape.len..).unwrap_or_default());
        self.line_no += shape.line_ends;
        self.at += shape.taken;
        let line_no = at.line_no;
        if line_no == header_line {
            return Ok(None);
        }
        Ok(Some(
            if line_no < header_line || is_blank(bytes, self.delimiter) {
                Row::Blank { line_no }
            } else if in_part {
                let row_id = self.maker.row_id(record);
                Row::Rejected(rejected(&self.maker, row_id, at, cut_in_a_character()))
            } else {
                read_record(&mut self.maker, record, at, shape)
            },
        ))
    }

    /// Passes over a record that is too long to be held, or that the file ends in the middle of.
    fn skip_record(&mut self) -> Result<Row, ReadError> {
        let encoding = self.maker.recognition().encoding;
        let row_id = self.row_id_of_begun();
        let mut skipper = Skipper::new();
        let mut stored_len = 0;
        let mut tail = [0_u8; 2];
        let mut ended = false;
        while !ended {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let end = skipper.pass(rest, self.delimiter);
            let passed = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            for byte in passed.iter().rev().take(2).rev() {
                tail = [tail[1], *byte];
            }
            stored_len += encoding.stored_len(passed);
            self.at += passed.len();
            ended = end.is_some();
            if !ended {
                self.fill()?;
                ended = self.ended && self.text.is_empty();
                if ended {
                    stored_len = self.source.read() - self.byte_offset;
                }
            }
        }
        let line_end: &[u8] = match &tail {
            b"\r\n" => b"\r\n",
            [_, b'\n'] => b"\n",
            [_, b'\r'] => b"\r",
            _ => b"",
        };
        let open = skipper.open_quote();
        let (fault, own_len) = match open {
            // Inside quotes a line end is text.
            Some(quote) => {
                let lines = skipper.line_ends - u64::from(!line_end.is_empty());
                (self.never_closed(quote, lines), stored_len)
            }
            None => (
                record_too_long(),
                stored_len - encoding.stored_len(line_end),
            ),
        };
        let at = Position {
            line_no: self.line_no,
            byte_offset: self.byte_offset,
            byte_len: u32::try_from(own_len).unwrap_or(u32::MAX),
        };
        self.byte_offset += stored_len;
        self.line_no += skipper.line_ends;
        Ok(Row::Rejected(rejected(&self.maker, row_id, at, fault)))
    }

    /// The row id of the record that begins here, if its field was found.
    fn row_id_of_begun(&self) -> String {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let found = self.fields.last().map_or(0, Field::end);
        let text = rest.get(..found).and_then(|b| std::str::from_utf8(b).ok());
        text.map_or_else(String::new, |text| {
            self.maker.row_id(Record {
                text,
                fields: &self.fields,
                guarded: self.maker.recognition().guarded,
            })
        })
    }

    /// What a quote did that nothing closes: it took in all that follows, `lines` physical lines
    /// beyond the one at which its record starts.
    fn never_closed(&self, quote: &OpenQuote, lines: u64) -> Fault {
        let named = quote.field < self.maker.recognition().header.len();
        let opened = self.line_no + quote.lines_before;
        let last = self.line_no + lines;
        let until = if last > opened {
            format!("the end of the file on line {last}")
        } else {
            "the end of the file".to_owned()
        };
        Fault {
            column: named.then_some(quote.field),
            value: quote.text().into_owned(),
            reason: RowReason::CutOff,
            message: format!(
                "{}opens a quote on line {opened} that is never closed, so that everything from there to {until} is in this one row. \
                 If the file was cut off, get the whole of it; if the quote is a slip, take it out; then upload the file again",
                if named {
                    ""
                } else {
                    "a field beyond the header "
                }
            ),
        }
    }
}

impl<R: Read> Iterator for RowReader<R> {
    type Item = Result<Row, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_row().transpose()
    }
}

fn read_record(maker: &mut LineMaker, record: Record, at: Position, shape: Shape) -> Row {
    let columns = maker.recognition().header.len();
    maker.note_origin(record);
    let fault = if shape.len > LONGEST_RECORD {
        Some(record_too_long())
    } else if let Some(index) = record.fields.iter().position(|f| f.len() > LONGEST_FIELD) {
        Some(Fault {
            column: Some(index),
            value: String::new(),
            reason: RowReason::FieldTooLong,
            message: "holds more than 64 KiB".to_owned(),
        })
    } else if shape.stray_quote {
        Some(Fault::of_shape(
            RowReason::UnreadableText,
            "text follows a closing quote: inside a quoted field each quote is written twice"
                .to_owned(),
        ))
    } else if is_header_again(maker, record) {
        return Row::Blank {
            line_no: at.line_no,
        };
    } else if maker.is_trailer(record) {
        let total = maker.trailer_total(record);
        return Row::Trailer {
            line_no: at.line_no,
            total: footer_total(maker, record, at, total),
        };
    } else {
        miscounted(record, columns)
    };
    let result = match fault {
        Some(fault) => Err(fault),
        None => maker.line(record, at),
    };
    match result {
        Ok(line) => Row::Line(line),
        Err(fault) => Row::Rejected(rejected(maker, maker.row_id(record), at, fault)),
    }
}

fn footer_total(
    maker: &LineMaker,
    record: Record,
    at: Position,
    total: Result<Option<(Money, Option<Fault>)>, Fault>,
) -> FooterTotal {
    let wrong = |fault| rejected(maker, maker.row_id(record), at, fault);
    match total {
        Ok(None) => FooterTotal::None,
        Ok(Some((net, None))) => FooterTotal::Net(net),
        Ok(Some((net, Some(fault)))) => FooterTotal::OfOnlyCurrency {
            net,
            otherwise: wrong(fault),
        },
        Err(fault) => FooterTotal::Unreadable(wrong(fault)),
    }
}

/// Whether a record has other fields than the header. Empty ones at its end lose nothing.
fn miscounted(record: Record, columns: usize) -> Option<Fault> {
    let count = record.fields.len();
    if count < columns {
        return Some(Fault::of_shape(
            RowReason::TooFewFields,
            format!("the row has {count} fields, the header {columns}: it may be cut off"),
        ));
    }
    record
        .fields
        .iter()
        .skip(columns)
        .any(|field| !field.is_empty())
        .then(|| {
            Fault::of_shape(
                RowReason::TooManyFields,
                format!(
                    "the row has {count} fields, the header {columns}: a text with the delimiter in it needs quotes"
                ),
            )
        })
}

/// Files put together from several carry their header several times.
fn is_header_again(maker: &LineMaker, record: Record) -> bool {
    let header = &maker.recognition().header;
    let same =
        |(index, name): (usize, &String)| plain_name(&record.value(index)) == plain_name(name);
    // The first name alone rules out nearly every row.
    header
        .first()
        .is_some_and(|name| record.value(0) == name.trim())
        && header.len() == record.fields.len()
        && header.iter().enumerate().all(same)
}

fn is_blank(record: &[u8], delimiter: u8) -> bool {
    record
        .iter()
        .all(|&b| b == delimiter || b.is_ascii_whitespace() || matches!(b, b'"' | 0x1A))
}

fn record_too_long() -> Fault {
    Fault::of_shape(
        RowReason::FieldTooLong,
        "the row is longer than 1 MiB: is a quote missing?".to_owned(),
    )
}

fn cut_in_a_character() -> Fault {
    Fault::of_shape(
        RowReason::CutOff,
        "the file ends in the middle of a character of this row: it was cut off. Get the whole of it and upload that"
            .to_owned(),
    )
}

fn rejected(maker: &LineMaker, row_id: String, at: Position, fault: Fault) -> RejectedRow {
    let recognition = maker.recognition();
    let column = fault
        .column
        .and_then(|index| recognition.header.get(index))
        .map(|name| name.trim().to_owned())
        .unwrap_or_default();
    let is_id = fault
        .column
        .is_some_and(|index| recognition.layout.holds_ids(index));
    let value: String = if is_id {
        fault.value.chars().take(40).collect()
    } else {
        masked(&fault.value).chars().take(40).collect()
    };
    let value = value.replace('\0', "\u{fffd}");
    let message = match (column.is_empty(), value.is_empty()) {
        (true, _) => fault.message,
        (false, true) => format!("{column} {}", fault.message),
        (false, false) => format!("{column} {value:?} {}", fault.message),
    };
    RejectedRow {
        line_no: at.line_no,
        byte_offset: at.byte_offset,
        byte_len: at.byte_len,
        row_id,
        column,
        value,
        reason: fault.reason,
        message,
    }
}

/// The fields of one stored record by the header's names, card numbers masked: what the page of a
/// line shows. Fields beyond the header carry an empty name.
pub fn read_record_at(record: &[u8], recognition: &Recognition) -> Vec<(String, String)> {
    let text = recognition.encoding.decode_lossy(record);
    let mut fields = Vec::new();
    let Scan::Record(shape) = scan(
        text.as_bytes(),
        true,
        delimiter_byte(recognition.delimiter),
        &mut fields,
    ) else {
        // A record cut off inside quotes is shown as it stands.
        return vec![(String::new(), masked(&text).into_owned())];
    };
    let record = text.get(..shape.len).unwrap_or_default();
    let names = recognition.header.iter().map(|name| name.trim().to_owned());
    fields
        .iter()
        .enumerate()
        .zip(names.chain(std::iter::repeat(String::new())))
        .map(|((index, field), name)| {
            let value = field.text(record);
            let shown = if recognition.layout.holds_ids(index) {
                value.into_owned()
            } else {
                masked(&value).into_owned()
            };
            (name, shown)
        })
        .collect()
}
