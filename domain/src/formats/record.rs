//! Where a record and its fields stand in decoded text: RFC 4180, read strictly.
//!
//! A quote opens a field only as its first byte; inside, a doubled quote stands for one, a
//! backslash for itself, and line ends belong to the text. LF, CR LF and CR end a record.

use std::borrow::Cow;

/// The longest field that is read, in bytes of UTF-8.
pub(super) const LONGEST_FIELD: usize = 64 * 1024;
/// The longest record that is read, in bytes of UTF-8.
pub(super) const LONGEST_RECORD: usize = 1024 * 1024;

/// Where a field stands, from the record's first byte, without its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    start: usize,
    end: usize,
    doubled_quotes: bool,
}

/// The measures of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    /// Bytes without the line end.
    pub len: usize,
    /// Bytes with the line end.
    pub taken: usize,
    /// Physical line ends within, the closing one included.
    pub line_ends: u64,
    /// Whether text follows a closing quote, so that the fields cannot be told.
    pub stray_quote: bool,
}

/// What a scan found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scan {
    /// A whole record.
    Record(Shape),
    /// The text ends before the record does, and more may come.
    More,
    /// The source ends inside a quoted field. The fields before it were found.
    OpenQuote,
}

impl Field {
    /// The text of the field.
    pub(super) fn text<'a>(&self, record: &'a str) -> Cow<'a, str> {
        let text = record.get(self.start..self.end).unwrap_or_default();
        if self.doubled_quotes {
            Cow::Owned(text.replace("\"\"", "\""))
        } else {
            Cow::Borrowed(text)
        }
    }

    /// Where the field begins in the record, with its quote.
    pub(super) fn raw_start(&self, record: &str) -> usize {
        // Before an unquoted field stands a delimiter, which is no quote.
        let before = self.start.checked_sub(1);
        let quoted = before.filter(|at| record.as_bytes().get(*at) == Some(&b'"'));
        quoted.unwrap_or(self.start)
    }

    /// Where its text ends in the record.
    pub(super) const fn end(&self) -> usize {
        self.end
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.start == self.end
    }

    pub(super) const fn len(&self) -> usize {
        self.end - self.start
    }
}

/// Finds the record at the start of `text`. `ended`: nothing follows `text`.
pub(super) fn scan(text: &[u8], ended: bool, delimiter: u8, fields: &mut Vec<Field>) -> Scan {
    fields.clear();
    let mut at = 0;
    let mut line_ends = 0;
    let mut stray_quote = false;
    loop {
        let mut field = Field {
            start: at,
            end: at,
            doubled_quotes: false,
        };
        if text.get(at) == Some(&b'"') {
            at += 1;
            field.start = at;
            loop {
                match text.get(at) {
                    None if ended => return Scan::OpenQuote,
                    None => return Scan::More,
                    Some(b'"') => match text.get(at + 1) {
                        Some(b'"') => {
                            field.doubled_quotes = true;
                            at += 2;
                        }
                        None if !ended => return Scan::More,
                        _ => {
                            field.end = at;
                            at += 1;
                            break;
                        }
                    },
                    Some(b'\n') => {
                        line_ends += 1;
                        at += 1;
                    }
                    Some(b'\r') => {
                        line_ends += u64::from(text.get(at + 1) != Some(&b'\n'));
                        at += 1;
                    }
                    Some(_) => at += 1,
                }
            }
            let behind_quote = at;
            at = field_end(text, at, delimiter);
            stray_quote |= at > behind_quote;
        } else {
            at = field_end(text, at, delimiter);
            field.end = at;
        }
        fields.push(field);
        let line_end = match (text.get(at), text.get(at + 1)) {
            (Some(b'\r') | None, None) if !ended => return Scan::More,
            (None, _) => 0,
            (Some(b'\r'), Some(b'\n')) => 2,
            (Some(b'\n' | b'\r'), _) => 1,
            (Some(_), _) => {
                at += 1;
                continue;
            }
        };
        return Scan::Record(Shape {
            len: at,
            taken: at + line_end,
            line_ends: line_ends + u64::from(line_end > 0),
            stray_quote,
        });
    }
}

/// Where the unquoted text from `at` ends: at a delimiter, a line end or the end of the text.
pub(super) fn field_end(text: &[u8], at: usize, delimiter: u8) -> usize {
    text.get(at..)
        .and_then(|rest| {
            rest.iter()
                .position(|&b| b == delimiter || b == b'\n' || b == b'\r')
        })
        .map_or(text.len(), |length| at + length)
}

/// The bytes of a field's beginning that are kept: enough for what a person is shown of it.
const BEGINNING: usize = 160;

/// Finds the end of a record too long to be held, byte by byte, keeping of it no more than where its
/// last quote opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Skipper {
    place: Place,
    /// Physical line ends passed so far.
    pub line_ends: u64,
    after_cr: bool,
    field: usize,
    quote: OpenQuote,
}

/// A quote that opened a field, and how the text behind it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenQuote {
    /// Which field of the record, from 0.
    pub field: usize,
    /// Physical line ends before it within the record.
    pub lines_before: u64,
    beginning: [u8; BEGINNING],
    kept: usize,
}

impl OpenQuote {
    const fn at(field: usize, lines_before: u64) -> Self {
        Self {
            field,
            lines_before,
            beginning: [0; BEGINNING],
            kept: 0,
        }
    }

    fn keep(&mut self, byte: u8) {
        if let Some(free) = self.beginning.get_mut(self.kept) {
            *free = byte;
            self.kept += 1;
        }
    }

    /// How the text behind the quote begins.
    pub(super) fn text(&self) -> Cow<'_, str> {
        let kept = self.beginning.get(..self.kept).unwrap_or_default();
        // The last character may be kept in part.
        match std::str::from_utf8(kept) {
            Err(error) if error.error_len().is_none() => {
                String::from_utf8_lossy(kept.get(..error.valid_up_to()).unwrap_or_default())
            }
            _ => String::from_utf8_lossy(kept),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    FieldStart,
    Plain,
    Quoted,
    /// Behind a quote inside a quoted field: it closes the field or is the first of two.
    Quote,
    /// Behind the CR that ended the record: an LF still belongs to it.
    Ended,
}

impl Skipper {
    pub(super) const fn new() -> Self {
        Self {
            place: Place::FieldStart,
            line_ends: 0,
            after_cr: false,
            field: 0,
            quote: OpenQuote::at(0, 0),
        }
    }

    /// The quote that is open here: a source that ends now is cut off inside it.
    pub(super) fn open_quote(&self) -> Option<&OpenQuote> {
        (self.place == Place::Quoted).then_some(&self.quote)
    }

    /// Passes over `text`. Gives how many bytes belong to the record, line end included, once its
    /// end is found.
    pub(super) fn pass(&mut self, text: &[u8], delimiter: u8) -> Option<usize> {
        for (index, &byte) in text.iter().enumerate() {
            if self.place == Place::Ended {
                return Some(index + usize::from(byte == b'\n'));
            }
            if byte == b'\r' || (byte == b'\n' && !self.after_cr) {
                self.line_ends += 1;
            }
            self.after_cr = byte == b'\r';
            match (self.place, byte) {
                (Place::FieldStart, b'"') => {
                    self.quote = OpenQuote::at(self.field, self.line_ends);
                }
                (Place::Quoted, b'"') => {}
                (Place::Quoted, _) | (Place::Quote, b'"') => self.quote.keep(byte),
                _ => self.field += usize::from(byte == delimiter),
            }
            self.place = match (self.place, byte) {
                (Place::Quoted, b'"') => Place::Quote,
                (Place::Quoted, _) | (Place::FieldStart | Place::Quote, b'"') => Place::Quoted,
                (_, b'\n') => return Some(index + 1),
                (_, b'\r') => Place::Ended,
                (_, byte) if byte == delimiter => Place::FieldStart,
                _ => Place::Plain,
            };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Vec<String> {
        let mut fields = Vec::new();
        match scan(text.as_bytes(), true, b',', &mut fields) {
            Scan::Record(shape) => {
                let record = &text[..shape.len];
                fields.iter().map(|f| f.text(record).into_owned()).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn fields_are_read_as_rfc_4180_says() {
        for (text, expected) in [
            ("a,b,c\nd", vec!["a", "b", "c"]),
            ("a,,\r\n", vec!["a", "", ""]),
            ("\"a,b\",c", vec!["a,b", "c"]),
            ("\"say \"\"hi\"\"\",2", vec!["say \"hi\"", "2"]),
            ("5\" pipe,2", vec!["5\" pipe", "2"]),
            ("\"\"", vec![""]),
            ("a\rb", vec!["a"]),
        ] {
            assert_eq!(fields(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_line_end_inside_quotes_belongs_to_the_text_and_is_counted() {
        let mut found = Vec::new();
        let text = b"1,\"x\ny\r\nz\",2.00\r\n9";
        let Scan::Record(shape) = scan(text, false, b',', &mut found) else {
            panic!("a whole record");
        };
        assert_eq!((shape.len, shape.taken, shape.line_ends), (15, 17, 3));
    }

    #[test]
    fn the_skipper_ends_where_the_scan_ends() {
        for text in [
            "a,b\nrest",
            "a,\"x\"\"\n,\"\r\nrest",
            "a\rrest",
            "\"q\r\",z\r\nrest",
            "a,\"b\",\"c\nd\"\nrest",
        ] {
            let mut found = Vec::new();
            let Scan::Record(shape) = scan(text.as_bytes(), true, b',', &mut found) else {
                panic!("{text:?}");
            };
            // One byte at a time, as the worst of chunks.
            let mut skipper = Skipper::new();
            let mut taken = 0;
            for byte in text.as_bytes() {
                if let Some(more) = skipper.pass(&[*byte], b',') {
                    taken += more;
                    break;
                }
                taken += 1;
            }
            assert_eq!(taken, shape.taken, "{text:?}");
            assert_eq!(skipper.line_ends, shape.line_ends, "{text:?}");
        }
    }

    #[test]
    fn the_skipper_tells_where_the_quote_opened_that_nothing_closed() {
        for (text, expected) in [
            ("a,\"b", Some((1, 0, "b"))),
            (
                "\"a\nb\",\"say \"\"hi\"\", c\nd",
                Some((1, 1, "say \"hi\", c\nd")),
            ),
            ("\"a\r\nb\nc", Some((0, 0, "a\r\nb\nc"))),
            ("a,b,\"", Some((2, 0, ""))),
            ("a,\"b\"", None),
            ("a,b\"c", None),
        ] {
            let mut skipper = Skipper::new();
            assert_eq!(skipper.pass(text.as_bytes(), b','), None, "{text:?}");
            let found = skipper.open_quote();
            let found = found.map(|q| (q.field, q.lines_before, q.text().into_owned()));
            let expected = expected.map(|(field, lines, text)| (field, lines, text.to_owned()));
            assert_eq!(found, expected, "{text:?}");
        }
        // What is kept of it has a bound, and ends with a whole character.
        let mut skipper = Skipper::new();
        skipper.pass(format!("\"x{}", "ä".repeat(1000)).as_bytes(), b',');
        let beginning = skipper.open_quote().unwrap().text().into_owned();
        assert_eq!(beginning, format!("x{}", "ä".repeat(79)));
    }
}
