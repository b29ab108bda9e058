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
    /// The source ends inside a quoted field.
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
fn field_end(text: &[u8], at: usize, delimiter: u8) -> usize {
    text.get(at..)
        .and_then(|rest| {
            rest.iter()
                .position(|&b| b == delimiter || b == b'\n' || b == b'\r')
        })
        .map_or(text.len(), |length| at + length)
}

/// Finds the end of a record too long to be held, byte by byte and without keeping any of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Skipper {
    place: Place,
    /// Physical line ends passed so far.
    pub line_ends: u64,
    after_cr: bool,
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
        }
    }

    /// Whether the source may end here without being cut off.
    pub(super) const fn in_quotes(&self) -> bool {
        matches!(self.place, Place::Quoted)
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
}
