//! Lines and files as people name them. Records name them by the file's hash, which says nothing to a
//! reader: on pages the hash gives way to the name that the file came under.

use crate::{
    Engine, Error,
    storage::{
        StorageError,
        books::{self, FileByHash},
        providers,
        tx::Connected,
    },
};
use domain::view::readable::readable;
use std::ops::Range;

/// Hex digits by which a line's natural name names its file.
const START: usize = 16;
/// Hex digits of a whole hash.
const WHOLE: usize = 64;

/// The files that some texts name.
pub struct LineNames {
    files: Vec<FileByHash>,
}

impl LineNames {
    /// Looks up the files that texts name, in any account.
    pub async fn read(mut tx: impl Connected, texts: Vec<&str>) -> Result<Self, StorageError> {
        let mut starts: Vec<[u8; 8]> = texts
            .into_iter()
            .flat_map(|text| hashes(text).into_iter().map(move |at| (text, at)))
            .filter_map(|(text, at)| start_of(text.get(at)?))
            .collect();
        starts.sort_unstable();
        starts.dedup();
        if starts.is_empty() {
            return Ok(Self { files: Vec::new() });
        }
        let accounts = providers::list(&mut tx).await?;
        let mut wanted = Vec::with_capacity(accounts.len() * starts.len());
        for account in &accounts {
            for start in &starts {
                wanted.push((account.id, *start));
            }
        }
        Ok(Self {
            files: books::files_by_hash(tx, wanted.into_iter()).await?,
        })
    }

    /// A text as pages show it: file names in place of hashes, amounts and instants in their form. A
    /// hash that is no file's stays.
    pub fn say(&self, text: &str) -> String {
        readable(&self.named(text))
    }

    fn named(&self, text: &str) -> String {
        let mut said = String::with_capacity(text.len());
        let mut rest = 0;
        for at in hashes(text) {
            let name = text.get(at.clone()).and_then(|hash| self.name(hash));
            if let (Some(name), Some(before)) = (name, text.get(rest..at.start)) {
                said.push_str(before);
                said.push_str(name);
                rest = at.end;
            }
        }
        said.push_str(text.get(rest..).unwrap_or_default());
        said
    }

    /// The same in place.
    pub fn put(&self, text: &mut String) {
        *text = self.say(text);
    }

    fn name(&self, hash: &str) -> Option<&str> {
        let start = start_of(hash)?;
        self.files
            .iter()
            .find(|file| file.sha256.starts_with(&start))
            .map(|file| file.name.as_str())
    }
}

/// Texts as pages show them.
pub async fn in_words(engine: &Engine, texts: &[String]) -> Result<Vec<String>, Error> {
    let mut reader = engine.store.read().await?;
    let names = LineNames::read(&mut reader, texts.iter().map(String::as_str).collect()).await?;
    Ok(texts.iter().map(|text| names.say(text)).collect())
}

fn start_of(hash: &str) -> Option<[u8; 8]> {
    let mut start = [0; 8];
    hex::decode_to_slice(hash.get(..START)?, &mut start).ok()?;
    Some(start)
}

/// Where a text holds the start of a file's hash before a line number or after `file`, or a whole hash.
fn hashes(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let run = bytes
            .get(at..)
            .unwrap_or_default()
            .iter()
            .take_while(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(b))
            .count();
        let begins = at
            .checked_sub(1)
            .and_then(|before| bytes.get(before))
            .is_none_or(|b| !b.is_ascii_alphanumeric());
        let names_a_line = run == START
            && bytes.get(at + run) == Some(&b':')
            && bytes.get(at + run + 1).is_some_and(u8::is_ascii_digit);
        let names_a_file = run == START && text.get(..at).is_some_and(|t| t.ends_with("file "));
        if begins && (names_a_line || names_a_file || run == WHOLE) {
            found.push(at..at + run);
        }
        at += run.max(1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_called_by_the_name_of_its_file_and_nothing_else_is_touched() {
        let names = LineNames {
            files: vec![FileByHash {
                id: 1,
                account_id: 1,
                public_id: "f".to_owned(),
                name: "day.csv".to_owned(),
                sha256: vec![0xab; 32],
            }],
        };
        let (start, whole) = ("ab".repeat(8), "ab".repeat(32));
        for (text, said) in [
            (
                format!("Line {start}:12 of 72.00 EUR"),
                "Line day.csv:12 of 72.00 EUR",
            ),
            (format!("{start}:1, {start}:2"), "day.csv:1, day.csv:2"),
            (format!("file {whole}"), "file day.csv"),
            (format!("key {start}"), ""),
            (format!("x{start}:3"), ""),
            (format!("order {}:4", "cd".repeat(8)), ""),
            (
                "ümlaut 2026-11-02T09:00:00Z".to_owned(),
                "ümlaut 2026-11-02 09:00:00 UTC",
            ),
        ] {
            let expected = if said.is_empty() { &text } else { said };
            assert_eq!(names.say(&text), expected);
        }
    }
}
