//! Rows whose net is not gross less fee and that no decision has accepted: what they are off by waits in
//! suspense.

use crate::{
    Error,
    derive::line_name,
    storage::{
        files::{self, OddLine, StoredBatch},
        matching,
        tx::Connected,
    },
};
use domain::matching::RulingSubject;
use std::collections::HashSet;

/// The open ones of a batch in one currency.
pub(crate) async fn of_batch(
    mut tx: impl Connected,
    batch: &StoredBatch,
) -> Result<Vec<OddLine>, Error> {
    let mut open = Vec::new();
    let mut from = batch.first_line;
    loop {
        let found = files::odd_lines_of_batch(&mut tx, batch, from).await?;
        let Some(last) = found.last().map(|l| l.id) else {
            return Ok(open);
        };
        from = last + 1;
        open.extend(not_accepted(&mut tx, found).await?);
    }
}

/// The open ones of a file that belong to no batch, in all currencies.
pub(crate) async fn of_file(mut tx: impl Connected, file: i64) -> Result<Vec<OddLine>, Error> {
    let mut open = Vec::new();
    let mut after = 0;
    loop {
        let found = files::odd_lines_of_file(&mut tx, file, after).await?;
        let Some(last) = found.last().map(|l| l.line_no) else {
            return Ok(open);
        };
        after = last;
        open.extend(not_accepted(&mut tx, found).await?);
    }
}

async fn not_accepted(
    mut tx: impl Connected,
    lines: Vec<OddLine>,
) -> Result<impl Iterator<Item = OddLine>, Error> {
    let subject =
        |l: &OddLine| RulingSubject::Difference(line_name(&l.sha256, l.line_no)).to_string();
    let subjects: Vec<String> = lines.iter().map(subject).collect();
    let ruled = matching::rulings(&mut tx, subjects.iter().map(String::as_str)).await?;
    let ruled: HashSet<String> = ruled.into_iter().map(|(subject, _)| subject).collect();
    Ok(lines
        .into_iter()
        .zip(subjects)
        .filter(move |(_, subject)| !ruled.contains(subject))
        .map(|(line, _)| line))
}
