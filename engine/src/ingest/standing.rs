//! How a file stands, as one hash: each step in its history holds it, so that the current row can be
//! compared with what is sealed.

use super::report::{FileReport, has_ended};
use crate::storage::{StorageError, files::StoredFile, stored};
use sha2::{Digest, Sha256};

/// SHA-256 in hex over what of a file's current row follows from its history: neither how far work on
/// it came nor how often it was tried. Natural ids only.
pub(crate) fn standing(file: &StoredFile) -> Result<String, StorageError> {
    let mut report: FileReport = stored::json("file_now", "report", &file.public_id, &file.report)?;
    // Whose word it was is there by name.
    let of_take_back = report.take_back.iter_mut();
    let of_take_back =
        of_take_back.flat_map(|t| std::iter::once(&mut t.asked).chain(&mut t.agreed));
    for acceptance in report.accepted_by.iter_mut().chain(of_take_back) {
        acceptance.user_id = 0;
    }
    // Counted step by step while the file is closed, and settled with its last.
    if !has_ended(&file.state) {
        report.cases_opened = 0;
    }
    let text = stored::to_json(&(
        &file.profile,
        &file.encoding,
        file.rows_total,
        file.accepted,
        &report,
        file.first_day,
        file.last_day,
        &file.covered_spans,
    ))?;
    Ok(hex::encode(Sha256::digest(text.as_bytes())))
}
