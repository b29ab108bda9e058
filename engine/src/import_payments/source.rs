//! The rows of a payments file, read to its real end. Behind a quote that nobody closes the rest of a
//! file would be one value, however many payments stand there: such a file is refused, and no more of
//! it is held than the longest row may have.

use crate::Error;
use domain::formats::unfit_as_utf8;
use std::io::{Chain, Cursor, Read};

/// Read behind the end of a file: a record by itself, unless a quote is still open there.
const BEHIND: &[u8] = b"\n\0end of the payments file\n";

/// That record.
const END: &[u8] = b"\0end of the payments file";

/// How much of a file tells what kind it is.
const HEAD: u64 = 4096;

/// The longest row that is read, in bytes, as in settlement files.
const LONGEST_RECORD: usize = 1024 * 1024;

/// A file from its head to its end, and what is read behind it.
type Whole<R> = Bounded<Chain<Chain<Cursor<Vec<u8>>, R>, &'static [u8]>>;

/// Gives so many bytes and fails then, so that a row that never ends does not fill the memory.
struct Bounded<R> {
    input: R,
    left: usize,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 {
            return Err(std::io::Error::other("the row is too long"));
        }
        let most = into.len().min(self.left);
        let read = self.input.read(into.get_mut(..most).unwrap_or_default())?;
        self.left -= read;
        Ok(read)
    }
}

/// Records, one after another.
pub struct Records<R: Read> {
    reader: csv::Reader<Whole<R>>,
    /// The record that is given next: it is whole only once what follows it was read.
    ahead: csv::ByteRecord,
    ended: bool,
}

impl<R: Read> Records<R> {
    /// The records of a file, the header first.
    pub fn of(mut input: R) -> Result<Self, String> {
        let mut head = Vec::new();
        let read = (&mut input).take(HEAD).read_to_end(&mut head);
        read.map_err(|e| e.to_string())?;
        if let Some(problem) = unfit_as_utf8(&head) {
            return Err(problem);
        }
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .buffer_capacity(1 << 17)
            .from_reader(Bounded {
                input: Cursor::new(head).chain(input).chain(BEHIND),
                left: LONGEST_RECORD,
            });
        let mut records = Self {
            reader,
            ahead: csv::ByteRecord::new(),
            ended: false,
        };
        let mut none = csv::ByteRecord::new();
        records.advance(&mut none)?;
        Ok(records)
    }

    /// The next record; false at the end.
    pub fn read(&mut self, record: &mut csv::ByteRecord) -> Result<bool, String> {
        if self.ended {
            return Ok(false);
        }
        self.advance(record)?;
        Ok(true)
    }

    /// Gives the record ahead and reads the one behind it.
    fn advance(&mut self, record: &mut csv::ByteRecord) -> Result<(), String> {
        std::mem::swap(record, &mut self.ahead);
        if !read_one(&mut self.reader, &mut self.ahead)? {
            return Err(format!(
                "line {}: a quote is opened here and never closed, so that everything behind it is one value: close it, and import the file again",
                line_of(record)
            ));
        }
        if self.ahead.as_slice() == END {
            let mut behind = csv::ByteRecord::new();
            if read_one(&mut self.reader, &mut behind)? {
                return Err(format!(
                    "line {}: the file holds bytes that are no text: export it again",
                    line_of(&self.ahead)
                ));
            }
            self.ended = true;
        }
        Ok(())
    }
}

fn read_one<R: Read>(
    reader: &mut csv::Reader<Whole<R>>,
    into: &mut csv::ByteRecord,
) -> Result<bool, String> {
    reader.get_mut().left = LONGEST_RECORD;
    let read = reader.read_byte_record(into);
    let stopped = read.is_err() && reader.get_ref().left == 0;
    if stopped || into.as_slice().len() > LONGEST_RECORD {
        return Err(format!(
            "line {}: from here on more than 1 MiB make a single row: close the quote that is open there, or save the file with line ends, and import it again",
            line_of(into)
        ));
    }
    read.map_err(|e| e.to_string())
}

fn line_of(record: &csv::ByteRecord) -> u64 {
    record.position().map_or(1, csv::Position::line)
}

/// Reads a file to its end and takes nothing of it: an error is why it is refused as a whole.
pub fn check(input: impl Read) -> Result<(), Error> {
    let look = || -> Result<(), String> {
        let mut records = Records::of(input)?;
        let mut record = csv::ByteRecord::new();
        while records.read(&mut record)? {}
        Ok(())
    };
    look().map_err(|problem| Error::invalid(super::PAYMENTS_FILE, problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Vec<String>>, String> {
        let mut records = Records::of(text.as_bytes())?;
        let mut record = csv::ByteRecord::new();
        let mut found = Vec::new();
        while records.read(&mut record)? {
            let fields = record
                .iter()
                .map(|f| String::from_utf8_lossy(f).into_owned());
            found.push(fields.collect());
        }
        Ok(found)
    }

    #[test]
    fn every_record_comes_once_whether_or_not_the_last_line_ends() {
        for text in [
            "a,b\n1,2\n3,4",
            "a,b\n1,2\n3,4\n",
            "a,b\r\n1,2\r\n\r\n3,4\r",
        ] {
            assert_eq!(
                read(text).unwrap(),
                [["a", "b"], ["1", "2"], ["3", "4"]],
                "{text:?}"
            );
        }
        assert_eq!(
            read("a,b\n1,\"x\ny\"").unwrap(),
            [["a", "b"], ["1", "x\ny"]]
        );
        assert_eq!(read("").unwrap(), Vec::<Vec<String>>::new());
    }

    #[test]
    fn another_kind_of_file_is_told_from_text_in_another_encoding() {
        let utf16: Vec<u8> = "intent_id,amount\n1,2\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let marked = [&[0xFF, 0xFE], utf16.as_slice()].concat();
        for (bytes, says) in [
            (
                &b"PK\x03\x04\x14\0\x06\0"[..],
                "XLSX workbook, not a CSV file",
            ),
            (b"%PDF-1.7\n", "PDF document"),
            (&utf16, "UTF-16: save it as UTF-8"),
            (&marked, "UTF-16: save it as UTF-8"),
        ] {
            let Err(problem) = Records::of(bytes) else {
                panic!("{says}");
            };
            assert!(problem.contains(says), "{problem}");
        }
    }

    #[test]
    fn rows_behind_an_open_quote_are_no_value_of_the_row_before_them() {
        for text in [
            "a,b\n1,2\n3,\"4\n5,6\n7,8\n",
            "a,b\n1,2\n3,\"4",
            "a,b\n1,2\n3,\"4\"\"\n5,6\n",
        ] {
            let problem = read(text).unwrap_err();
            assert!(
                problem.starts_with("line 3: a quote is opened here"),
                "{problem}"
            );
            assert!(check(text.as_bytes()).is_err());
        }
        assert!(check(&b"a,b\n1,\"2\"\n"[..]).is_ok());
        assert!(read("a,\"b\n1,2\n").unwrap_err().starts_with("line 1: "));
        assert!(read("a\n\0end of the payments file\nb\n").is_err());
    }

    /// Text that goes on and on, and how much of it was read.
    struct Endless<'a> {
        begin: Cursor<&'a [u8]>,
        goes_on: u8,
        read: &'a std::cell::Cell<usize>,
    }

    impl Read for Endless<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let mut read = self.begin.read(into)?;
            if read == 0 {
                into.fill(self.goes_on);
                read = into.len();
            }
            self.read.set(self.read.get() + read);
            assert!(self.read.get() < 4 << 20, "more than 4 MiB were read");
            Ok(read)
        }
    }

    #[test]
    fn a_row_that_never_ends_is_told_before_it_fills_the_memory() {
        for (begin, goes_on, line) in [
            ("a,b\n1,2\n3,\"4\n", b'5', 3),
            ("a,b\n1,2\n3,\"4\n", b'\n', 3),
            ("a,b\n1,2\n", b',', 3),
            ("a,\"b\n1,2\n", b'3', 1),
            ("", b'a', 1),
        ] {
            let read = std::cell::Cell::new(0);
            let mut input = Endless {
                begin: Cursor::new(begin.as_bytes()),
                goes_on,
                read: &read,
            };
            let problem = match Records::of(&mut input) {
                Err(problem) => problem,
                Ok(mut records) => {
                    let mut record = csv::ByteRecord::new();
                    loop {
                        match records.read(&mut record) {
                            Ok(more) => assert!(more, "{begin:?}"),
                            Err(problem) => break problem,
                        }
                    }
                }
            };
            let says =
                format!("line {line}: from here on more than 1 MiB make a single row: close");
            assert!(problem.starts_with(&says), "{begin:?}: {problem}");
        }
    }

    #[test]
    fn rows_up_to_a_mebibyte_are_read_wherever_they_stand() {
        let long = "x".repeat(LONGEST_RECORD - 2);
        let short = "1,2\n".repeat(50_000);
        let text = format!("a,b\n{short}{long},y\n\"{long}\",z");
        let rows = read(&text).unwrap();
        assert_eq!(rows.len(), 50_003);
        let ends: Vec<_> = rows
            .iter()
            .rev()
            .take(2)
            .map(|r| (r[0].len(), r[1].as_str()))
            .collect();
        assert_eq!(ends, [(long.len(), "z"), (long.len(), "y")]);
        let over = format!("a,b\n1,{long}xx\n");
        assert!(read(&over).unwrap_err().starts_with("line 2: from here on"));
    }
}
