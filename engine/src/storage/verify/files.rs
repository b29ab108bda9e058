//! Settlement files.

use crate::{
    all, scalar_opt, statements,
    storage::{Rows, StorageError, files::StoredFile, tx::Connected},
};

statements! {
    FILES(2) = "verify/files.sql", may_scan "compares every file";
    FILE_WITHOUT_STANDING(0) = "verify/file_without_standing.sql", may_scan "looks at every file";
    STORED_FILES(2) = "verify/stored_files.sql", may_scan "reads every file";
    @rows
    STEPS_OF_FILES(id: Int) = "verify/steps_of_files.sql";
}

/// Files that are read at once, with their reports.
const FILES_AT_ONCE: i64 = 200;

/// The last step in the history of a file.
#[derive(Debug, sqlx::FromRow)]
pub struct LastStep {
    /// The file's key in storage.
    pub id: i64,
    /// The provider account of its current row.
    pub account_now: i64,
    /// The step's number.
    pub seq: i64,
    /// Where it led.
    pub state: String,
    /// What it says.
    pub detail: String,
}

/// Files as they stand, after a file.
pub async fn files_after(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<StoredFile>, StorageError> {
    all!(&mut tx, StoredFile, FILES, after, FILES_AT_ONCE)
}

/// The last steps of files.
pub async fn steps_of_files(
    tx: impl Connected,
    files: impl IntoIterator<Item = i64>,
) -> Result<Vec<LastStep>, StorageError> {
    let mut rows = Rows::of(&STEPS_OF_FILES);
    for file in files {
        rows.add().int(file);
    }
    rows.all(tx, &STEPS_OF_FILES).await
}

/// The first file that has no current row or no history: its public id.
pub async fn file_without_standing(mut tx: impl Connected) -> Result<Option<String>, StorageError> {
    scalar_opt!(&mut tx, String, FILE_WITHOUT_STANDING)
}

/// A file as received.
#[derive(Debug, sqlx::FromRow)]
pub struct ReceivedFile {
    /// Its key in storage.
    pub id: i64,
    /// Its provider account.
    pub account_id: i64,
    /// Its public id.
    pub public_id: String,
    /// Its name.
    pub name: String,
    /// SHA-256 of its bytes.
    pub sha256: Vec<u8>,
    /// How many bytes.
    pub bytes: i64,
}

/// Files as received, after a file.
pub async fn received_files(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<ReceivedFile>, StorageError> {
    all!(&mut tx, ReceivedFile, STORED_FILES, after, FILES_AT_ONCE)
}
