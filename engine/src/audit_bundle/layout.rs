//! Whether an archive says the same to everybody: who reads its directory and who reads it from its
//! beginning must see the same members. A second member of a name, one that the directory leaves out,
//! or a name that differs between the two would show each of them another bundle.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::Path,
};
use zip::ZipArchive;

/// Bytes of an entry of the directory before its name (APPNOTE.TXT, 4.3.12).
const ENTRY: u64 = 46;
/// Bytes of the head of a member before its name (APPNOTE.TXT, 4.3.7).
const HEAD: u64 = 30;
/// The most that may follow a member's contents: a data descriptor (APPNOTE.TXT, 4.3.9).
const DESCRIPTOR: u64 = 24;

/// What differs, if anything does. An archive that cannot be read at all is told by whoever opens it.
pub(super) fn ambiguous(path: &Path) -> io::Result<Option<String>> {
    let mut archive = ZipArchive::new(BufReader::new(File::open(path)?))?;
    let directory = archive.central_directory_start();
    if let Some(name) = named_twice(path, directory)? {
        return Ok(Some(format!("member {name:?} is in the archive twice")));
    }
    let mut file = BufReader::new(File::open(path)?);
    let mut spans = Vec::with_capacity(archive.len());
    for index in 0..archive.len() {
        let member = archive.by_index_raw(index)?;
        let (start, name) = (member.header_start(), member.name_raw());
        file.seek(SeekFrom::Start(start + HEAD))?;
        let mut local = vec![0; name.len()];
        file.read_exact(&mut local)?;
        if local != name {
            return Ok(Some(format!(
                "member {:?} has another name at its head",
                member.name()
            )));
        }
        spans.push((start, member.data_start() + member.compressed_size()));
    }
    spans.sort_unstable();
    let mut end = 0;
    for (start, until) in spans.into_iter().chain([(directory, directory)]) {
        if start < end || start > end + DESCRIPTOR {
            return Ok(Some(
                "its members do not lie one behind the other: something lies between them"
                    .to_owned(),
            ));
        }
        end = until;
    }
    Ok(None)
}

/// A name that the directory holds twice. The entries are walked here, since a reader of archives keeps
/// the last of a name alone.
fn named_twice(path: &Path, directory: u64) -> io::Result<Option<String>> {
    let mut file = BufReader::new(File::open(path)?);
    file.seek(SeekFrom::Start(directory))?;
    let mut names = BTreeSet::new();
    loop {
        let mut entry = Vec::new();
        file.by_ref().take(ENTRY).read_to_end(&mut entry)?;
        let length = |at: usize| match entry.get(at..at + 2) {
            Some(&[low, high]) => u64::from(u16::from_le_bytes([low, high])),
            _ => 0,
        };
        if !entry.starts_with(b"PK\x01\x02") || entry.len() as u64 != ENTRY {
            return Ok(None);
        }
        let mut name = Vec::new();
        file.by_ref().take(length(28)).read_to_end(&mut name)?;
        let rest = length(30) + length(32);
        io::copy(&mut file.by_ref().take(rest), &mut io::sink())?;
        let shown = String::from_utf8_lossy(&name).into_owned();
        if !names.insert(name) {
            return Ok(Some(shown));
        }
    }
}
