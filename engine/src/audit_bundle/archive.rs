//! The zip as written. Members are stored, not compressed, so that a byte that changes changes one
//! record and nothing after it. The archive's comment ends with a digest over all bytes before it.

use super::manifest::Member;
use domain::seal::hex_of;
use sha2::{Digest, Sha256};
use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::Path,
};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// What the comment of the archive begins with; the digest follows in hexadecimal.
pub const COMMENT: &str = "tieout-sha256:";
/// Digits of the digest.
pub const DIGITS: u16 = 64;

/// An archive that is being written.
pub struct Archive {
    zip: ZipWriter<BufWriter<File>>,
    open: Option<(Member, Sha256)>,
    members: Vec<Member>,
}

impl Archive {
    /// Begins an archive in a new file, or over an old one.
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut zip = ZipWriter::new(BufWriter::with_capacity(1 << 20, File::create(path)?));
        zip.set_comment(format!("{COMMENT}{}", "0".repeat(DIGITS.into())));
        Ok(Self {
            zip,
            open: None,
            members: Vec::new(),
        })
    }

    /// Begins a member.
    pub fn begin(&mut self, name: &str) -> io::Result<()> {
        self.end();
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file(true);
        self.zip.start_file(name, options)?;
        let member = Member {
            name: name.to_owned(),
            bytes: 0,
            sha256: String::new(),
            records: 0,
        };
        self.open = Some((member, Sha256::new()));
        Ok(())
    }

    /// Appends to the member, counting records.
    pub fn write(&mut self, bytes: &[u8], records: u64) -> io::Result<()> {
        self.zip.write_all(bytes)?;
        if let Some((member, hasher)) = &mut self.open {
            hasher.update(bytes);
            member.bytes += bytes.len() as u64;
            member.records += records;
        }
        Ok(())
    }

    /// The members so far.
    pub fn members(&mut self) -> &[Member] {
        self.end();
        &self.members
    }

    /// Ends the archive: on disk when this returns.
    pub fn finish(mut self, path: &Path) -> io::Result<()> {
        self.end();
        let file = self
            .zip
            .finish()?
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        drop(file);
        let mut file = File::options().read(true).write(true).open(path)?;
        let digest = digest(&mut file)?;
        file.seek(SeekFrom::End(-i64::from(DIGITS)))?;
        file.write_all(digest.as_bytes())?;
        file.sync_all()
    }

    fn end(&mut self) {
        if let Some((mut member, hasher)) = self.open.take() {
            member.sha256 = hex_of(&hasher.finalize());
            self.members.push(member);
        }
    }
}

/// The digest over all bytes of an archive before its last digits.
pub fn digest(file: &mut File) -> io::Result<String> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(0))?;
    let mut hasher = Sha256::new();
    let covered = length.saturating_sub(DIGITS.into());
    io::copy(
        &mut BufReader::with_capacity(1 << 20, file.take(covered)),
        &mut hasher,
    )?;
    Ok(hex_of(&hasher.finalize()))
}
