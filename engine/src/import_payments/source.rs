//! The rows of a payments file, read to its real end. Behind a quote that nobody closes the rest of a
//! file would be one value, however many payments stand there: such a file is refused.

use crate::Error;
use domain::formats::unfit_as_utf8;
use std::io::{Chain, Cursor, Read};

/// Read behind the end of a file: a record by itself, unless a quote is still open there.
const BEHIND: &[u8] = b"\n\0end of the payments file\n";

/// That record.
const END: &[u8] = b"\0end of the payments file";

/// How much of a file tells what kind it is.
const HEAD: u64 = 4096;

/// A file from its head to its end, and what is read behind it.
type Whole<R> = Chain<Chain<Cursor<Vec<u8>>, R>, &'static [u8]>;

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
            .from_reader(Cursor::new(head).chain(input).chain(BEHIND));
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
        let read = |reader: &mut csv::Reader<_>, into: &mut csv::ByteRecord| {
            reader.read_byte_record(into).map_err(|e| e.to_string())
        };
        let line = |record: &csv::ByteRecord| record.position().map_or(1, csv::Position::line);
        if !read(&mut self.reader, &mut self.ahead)? {
            return Err(format!(
                "line {}: a quote is opened here and never closed, so that everything behind it is one value: close it, and import the file again",
                line(record)
            ));
        }
        if self.ahead.as_slice() == END {
            let mut behind = csv::ByteRecord::new();
            if read(&mut self.reader, &mut behind)? {
                return Err(format!(
                    "line {}: the file holds bytes that are no text: export it again",
                    line(&self.ahead)
                ));
            }
            self.ended = true;
        }
        Ok(())
    }
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
}
