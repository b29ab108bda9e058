//! Which case a record of a file is asked about in: one answer for exports and pages.

use super::{Rows, StorageError, tx::Connected};
use crate::statements;
use domain::{cases::CaseKind, line::RowKind, matching::LineName};
use std::collections::BTreeMap;

statements! {
    @rows
    OF_RECORDS(place: Int, line_id: Int, name: Text, file_id: Int, file_case: Text) = "case/of_records.sql";
}

/// A record of a file.
#[derive(Debug, Clone, Copy)]
pub enum FileRecord<'a> {
    /// A line, by key, row kind and what names it.
    Line {
        /// Its key.
        id: i64,
        /// The row kind's code.
        kind: &'a str,
        /// SHA-256 of its file, or how it begins.
        sha256: &'a [u8],
        /// Physical line.
        line_no: i64,
        /// Its file's key.
        file: i64,
    },
    /// A row that could not be read, of the file with this key.
    Rejected(i64),
}

/// The case about a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordCase {
    /// Its public id.
    pub id: String,
    /// Whether it is still open.
    pub open: bool,
}

#[derive(Debug, sqlx::FromRow)]
struct Found {
    place: i64,
    public_id: String,
    case_id: i64,
    is_open: i64,
    is_own: i64,
}

/// The case of each record that has one, by its place among those asked for. An open case stands before
/// one that is resolved, the record's own before one that names it among others, the latest first.
pub async fn of_records(
    tx: impl Connected,
    records: impl Iterator<Item = FileRecord<'_>>,
) -> Result<BTreeMap<usize, RecordCase>, StorageError> {
    let mut rows = Rows::of(&OF_RECORDS);
    for (place, record) in (0..).zip(records) {
        let (line, name, file, file_case) = match record {
            FileRecord::Line {
                id,
                kind,
                sha256,
                line_no,
                file,
            } => {
                let file_case = if kind == RowKind::Unrecognised.code() {
                    CaseKind::UnrecognisedRows.code()
                } else {
                    ""
                };
                let name = LineName::of(sha256, line_no).to_string();
                (id, name, file, file_case)
            }
            FileRecord::Rejected(file) => (0, String::new(), file, CaseKind::RejectedRows.code()),
        };
        rows.add()
            .int(place)
            .int(line)
            .text(&name)
            .int(file)
            .text(file_case);
    }
    let mut found: Vec<Found> = rows.all(tx, &OF_RECORDS).await?;
    found.sort_by_key(|f| (f.is_open, f.is_own, f.case_id));
    Ok(found
        .into_iter()
        .filter_map(|f| {
            let case = RecordCase {
                id: f.public_id,
                open: f.is_open == 1,
            };
            Some((usize::try_from(f.place).ok()?, case))
        })
        .collect())
}
