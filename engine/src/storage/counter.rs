//! Where row ids come from: one counter a table, moved inside the transaction, so that a run that
//! is repeated gives the same ids and a roll-back gives them back.

use super::{StorageError, tx::Connected};
use crate::{scalar, statements};

statements! {
    ALLOCATE(2) = "counter/allocate.sql";
    NEXT(1) = "counter/next.sql";
}

/// Takes `count` consecutive ids for a table and returns the first.
///
/// On PostgreSQL the counter's row stays locked until the transaction ends: allocate late, and in
/// the same order of tables everywhere.
pub async fn allocate(
    mut tx: impl Connected,
    table: &'static str,
    count: u64,
) -> Result<i64, StorageError> {
    let count = i64::try_from(count).map_err(|_| StorageError::Misuse {
        statement: table,
        problem: "more ids were asked for than exist".to_owned(),
    })?;
    let next = scalar!(&mut tx, i64, ALLOCATE, table, count)?;
    Ok(next - count)
}

/// The id that the next row of a table will have.
pub async fn next(mut tx: impl Connected, table: &'static str) -> Result<i64, StorageError> {
    scalar!(&mut tx, i64, NEXT, table)
}
