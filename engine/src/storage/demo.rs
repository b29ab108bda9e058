//! What loading the demo data asks the database.

use super::{StorageError, tx::Connected};
use crate::{all, scalar, statements};

statements! {
    IN_USE(0) = "demo/in_use.sql", may_scan "one row of each table";
    OPEN_CASES(0) = "demo/open_cases.sql", may_scan "the demo's few cases";
}

/// An open case.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct OpenCase {
    pub public_id: String,
    pub kind: String,
    pub version: i64,
    pub facts: String,
}

/// Whether somebody works with this database already.
pub async fn in_use(mut tx: impl Connected) -> Result<bool, StorageError> {
    Ok(scalar!(&mut tx, i64, IN_USE)? == 1)
}

/// The cases that are open, the oldest first.
pub async fn open_cases(mut tx: impl Connected) -> Result<Vec<OpenCase>, StorageError> {
    all!(&mut tx, OpenCase, OPEN_CASES)
}
