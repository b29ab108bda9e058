//! Which encoding the bytes of a file are in, and how they become UTF-8 as they stream.
//!
//! Everything behind this file works on UTF-8. Where a record stands in the stored bytes follows
//! from its text, since each encoding here maps characters to a known number of bytes.

use super::{FileProblem, ReadError};
use crate::coded_enum;
use std::io::{ErrorKind, Read};

coded_enum! {
    /// How the bytes of a file become text.
    pub enum Encoding as "encoding" {
        /// The rule.
        Utf8 = "utf-8",
        /// What spreadsheets on Windows write; assumed where the bytes are no UTF-8, and said so.
        Windows1252 = "windows-1252",
        /// What some exports write, low byte first.
        Utf16Le = "utf-16le",
        /// The same, high byte first.
        Utf16Be = "utf-16be",
    }
}

/// A character of UTF-8 that lacks its end, with which the text of a file ends that was cut off in the
/// middle of one.
const CUT: u8 = 0xC2;

/// Bytes read from the source at a time.
const CHUNK: usize = 128 * 1024;

impl Encoding {
    /// The encoding that a byte order mark declares, and the mark's length.
    pub(super) fn by_mark(head: &[u8]) -> Option<(Self, usize)> {
        match head {
            [0xEF, 0xBB, 0xBF, ..] => Some((Self::Utf8, 3)),
            [0xFF, 0xFE, ..] => Some((Self::Utf16Le, 2)),
            [0xFE, 0xFF, ..] => Some((Self::Utf16Be, 2)),
            _ => None,
        }
    }

    /// How many stored bytes a piece of decoded text came from.
    pub(super) fn stored_len(self, text: &[u8]) -> u64 {
        // Counted as (text byte count) so that the loops stay branch free.
        let leads = || text.iter().filter(|b| (**b & 0xC0) != 0x80).count() as u64;
        match self {
            Self::Utf8 => text.len() as u64,
            Self::Windows1252 => leads(),
            Self::Utf16Le | Self::Utf16Be => {
                let surrogates = text.iter().filter(|b| **b >= 0xF0).count() as u64;
                2 * (leads() + surrogates)
            }
        }
    }

    /// Decodes a whole piece; what cannot be decoded becomes U+FFFD.
    pub fn decode_lossy(self, bytes: &[u8]) -> String {
        let encoding = match self {
            Self::Utf8 => encoding_rs::UTF_8,
            Self::Windows1252 => encoding_rs::WINDOWS_1252,
            Self::Utf16Le => encoding_rs::UTF_16LE,
            Self::Utf16Be => encoding_rs::UTF_16BE,
        };
        encoding.decode_without_bom_handling(bytes).0.into_owned()
    }
}

/// A source of bytes as UTF-8. For [`Encoding::Utf8`] the bytes pass as they are; whoever takes
/// them checks them record by record.
pub(super) struct TextInput<R> {
    input: R,
    encoding: Encoding,
    /// Bytes of the byte order mark still to be skipped.
    mark_left: usize,
    raw: Vec<u8>,
    /// Where `raw` starts in the stored bytes.
    raw_offset: u64,
    /// Stored bytes read so far.
    read: u64,
    ended: bool,
}

impl<R: Read> TextInput<R> {
    pub(super) fn new(input: R, encoding: Encoding, mark: usize) -> Self {
        Self {
            input,
            encoding,
            mark_left: mark,
            raw: Vec::new(),
            raw_offset: 0,
            read: 0,
            ended: false,
        }
    }

    /// How many stored bytes were read so far; at the end of the source, how many there are.
    pub(super) const fn read(&self) -> u64 {
        self.read
    }

    /// Appends more text; false at the end of the source.
    pub(super) fn fill(&mut self, text: &mut Vec<u8>) -> Result<bool, ReadError> {
        if self.ended {
            return Ok(false);
        }
        if self.encoding == Encoding::Utf8 && self.mark_left == 0 {
            let got = read_chunk(&mut self.input, text)?;
            self.read += got as u64;
            self.ended = got == 0;
            return Ok(got > 0);
        }
        let got = read_chunk(&mut self.input, &mut self.raw)?;
        self.read += got as u64;
        self.ended = got == 0;
        if self.mark_left > 0 {
            let skipped = self.mark_left.min(self.raw.len());
            self.raw.drain(..skipped);
            self.mark_left -= skipped;
            self.raw_offset += skipped as u64;
        }
        match self.encoding {
            Encoding::Utf8 => text.append(&mut self.raw),
            Encoding::Windows1252 => {
                let (decoded, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&self.raw);
                text.extend_from_slice(decoded.as_bytes());
                self.raw.clear();
            }
            Encoding::Utf16Le | Encoding::Utf16Be => self.take_utf16(text)?,
        }
        Ok(got > 0)
    }

    /// Decodes the whole code units of `raw` and keeps half ones for the next time.
    fn take_utf16(&mut self, text: &mut Vec<u8>) -> Result<(), FileProblem> {
        let little = self.encoding == Encoding::Utf16Le;
        let mut used = 0_usize;
        let mut high: Option<u16> = None;
        let mut utf8 = [0_u8; 4];
        for pair in self.raw.chunks_exact(2) {
            let [first, second] = *pair else { break };
            let unit = if little {
                u16::from_le_bytes([first, second])
            } else {
                u16::from_be_bytes([first, second])
            };
            let decoded = match (high.take(), unit) {
                (None, 0xD800..=0xDBFF) => {
                    high = Some(unit);
                    continue;
                }
                (None, _) => char::from_u32(u32::from(unit)),
                (Some(high), 0xDC00..=0xDFFF) => char::from_u32(
                    0x10000 + ((u32::from(high) - 0xD800) << 10) + (u32::from(unit) - 0xDC00),
                ),
                (Some(_), _) => None,
            };
            let Some(decoded) = decoded else {
                return Err(self.undecodable(used));
            };
            text.extend_from_slice(decoded.encode_utf8(&mut utf8).as_bytes());
            used += 2 * decoded.len_utf16();
        }
        if self.ended && used < self.raw.len() {
            text.push(CUT);
        }
        self.raw.drain(..used);
        self.raw_offset += used as u64;
        Ok(())
    }

    fn undecodable(&self, at: usize) -> FileProblem {
        FileProblem::Undecodable {
            encoding: self.encoding.code().to_owned(),
            offset: self.raw_offset + at as u64,
        }
    }
}

/// Appends up to [`CHUNK`] bytes; 0 at the end.
fn read_chunk<R: Read>(input: &mut R, into: &mut Vec<u8>) -> Result<usize, std::io::Error> {
    let before = into.len();
    into.resize(before + CHUNK, 0);
    let mut got = 0;
    // A short read is no end: filling the chunk keeps rescans of split records rare.
    while got < CHUNK {
        let Some(room) = into.get_mut(before + got..) else {
            break;
        };
        match input.read(room) {
            Ok(0) => break,
            Ok(n) => got += n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                into.truncate(before);
                return Err(error);
            }
        }
    }
    into.truncate(before + got);
    Ok(got)
}
