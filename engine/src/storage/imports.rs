//! Which payments file, and which line of it, an attempt came from.

use super::{
    Rows, StorageError,
    tx::{Connected, Tx},
};
use crate::{exec, exec_one, statements};
use domain::time::Instant;

statements! {
    PUT(4) = "imports/put.sql";
    PUT_PART(4) = "imports/put_part.sql";
    @rows
    ORIGINS(attempt_id: Int) = "imports/origins.sql";
}

/// Where an attempt came from.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Origin {
    /// Key of the attempt.
    pub attempt_id: i64,
    /// Key of the first attempt that was written with it.
    pub first_attempt: i64,
    /// Lines of those attempts, as runs.
    pub lines: String,
    /// The file's name, or empty.
    pub name: String,
    /// When the file came.
    pub received_at: i64,
}

impl Origin {
    /// The physical line at which the attempt stands in its file.
    pub fn line(&self) -> Option<u64> {
        let place = u64::try_from(self.attempt_id.checked_sub(self.first_attempt)?).ok()?;
        line_at(&self.lines, place)
    }
}

/// Notes an import, once however often it is told.
pub async fn put(
    tx: &mut Tx,
    id: i64,
    name: &str,
    at: Instant,
    by: &str,
) -> Result<(), StorageError> {
    exec!(tx, PUT, id, name, at.micros(), by).map(|_| ())
}

/// Notes attempts of it that are written together, by their first key and their lines in order.
pub async fn put_part(
    tx: &mut Tx,
    import: i64,
    first_attempt: i64,
    lines: &[u64],
) -> Result<(), StorageError> {
    let more = i64::try_from(lines.len().saturating_sub(1)).unwrap_or(i64::MAX);
    let last = first_attempt.saturating_add(more);
    exec_one!(tx, PUT_PART, first_attempt, last, import, runs(lines))
}

/// Where attempts came from; those of no payments file are left out.
pub async fn origins(
    tx: impl Connected,
    attempts: impl Iterator<Item = i64>,
) -> Result<Vec<Origin>, StorageError> {
    let mut rows = Rows::of(&ORIGINS);
    for attempt in attempts {
        rows.add().int(attempt);
    }
    rows.all(tx, &ORIGINS).await
}

/// Line numbers as runs: `2+3,9+1` is 2, 3, 4 and 9.
fn runs(lines: &[u64]) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for line in lines {
        match runs.last_mut() {
            Some((first, length)) if *first + *length == *line => *length += 1,
            _ => runs.push((*line, 1)),
        }
    }
    let texts: Vec<String> = runs
        .iter()
        .map(|(first, n)| format!("{first}+{n}"))
        .collect();
    texts.join(",")
}

/// The line at a place, from 0.
fn line_at(runs: &str, place: u64) -> Option<u64> {
    let mut before = 0;
    for run in runs.split(',') {
        let (first, length) = run.split_once('+')?;
        let (first, length): (u64, u64) = (first.parse().ok()?, length.parse().ok()?);
        if place < before + length {
            return Some(first + place - before);
        }
        before += length;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_every_attempt_is_found_again() {
        let lines = [2, 3, 4, 9, 11, 12, 700];
        let text = runs(&lines);
        assert_eq!(text, "2+3,9+1,11+2,700+1");
        let found: Vec<u64> = (0..7).filter_map(|place| line_at(&text, place)).collect();
        assert_eq!(found, lines);
        assert_eq!(line_at(&text, 7), None);
        assert_eq!(line_at("", 0), None);
    }
}
