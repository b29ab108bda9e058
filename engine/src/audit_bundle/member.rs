//! A member of a bundle as read: line by line, hashed on the way.

use domain::seal::hex_of;
use sha2::{Digest, Sha256};
use std::io::{self, BufRead, BufReader, Read};

/// The longest line that is read: far longer than any record.
const LONGEST_LINE: u64 = 64 << 20;

/// A member that is being read.
pub struct MemberReader<R> {
    input: BufReader<R>,
    hasher: Sha256,
    bytes: u64,
    lines: u64,
    line: Vec<u8>,
}

impl<R: Read> MemberReader<R> {
    /// Begins to read.
    pub fn new(input: R) -> Self {
        Self {
            input: BufReader::with_capacity(1 << 16, input),
            hasher: Sha256::new(),
            bytes: 0,
            lines: 0,
            line: Vec::new(),
        }
    }

    /// The next line without its line end, or none after the last.
    pub fn line(&mut self) -> io::Result<Option<&[u8]>> {
        self.line.clear();
        (&mut self.input)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut self.line)?;
        if self.line.is_empty() {
            return Ok(None);
        }
        self.hasher.update(&self.line);
        self.bytes += self.line.len() as u64;
        self.lines += 1;
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        }
        Ok(Some(&self.line))
    }

    /// The number of the line that was read last, from 1.
    pub const fn line_no(&self) -> u64 {
        self.lines
    }

    /// The next 32 bytes, or none at the end.
    pub fn hash(&mut self) -> io::Result<Option<[u8; 32]>> {
        let mut hash = [0; 32];
        if self.input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        self.input.read_exact(&mut hash)?;
        self.hasher.update(hash);
        self.bytes += 32;
        Ok(Some(hash))
    }

    /// Reads to the end and gives length and SHA-256 of the whole member, and whether anything was
    /// left.
    pub fn finish(mut self) -> io::Result<(u64, String, bool)> {
        let mut left = false;
        loop {
            let part = self.input.fill_buf()?;
            let length = part.len();
            if length == 0 {
                break;
            }
            left = true;
            self.hasher.update(part);
            self.bytes += length as u64;
            self.input.consume(length);
        }
        Ok((self.bytes, hex_of(&self.hasher.finalize()), left))
    }
}
