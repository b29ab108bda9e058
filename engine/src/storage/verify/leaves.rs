//! Leaves of the histories, and the rows that they are of.

use crate::{
    all, opt, statements,
    storage::{
        StorageError,
        seal::{BatchRow, LeafBatch},
        stored,
        tx::Connected,
    },
};
use domain::seal::RecordKind;

statements! {
    COUNTS(0) = "verify/counts.sql", may_scan "counts every history";
    KEYS(4) = "verify/keys.sql";
    BATCHES_AFTER(2) = "verify/batches_after.sql";
    LEAF_COUNTS(0) = "verify/leaf_counts.sql", may_scan "looks at every batch of leaves";
    ADRIFT(0) = "verify/adrift.sql", may_scan "looks at every batch of leaves";
}

/// Keys that are read at once.
pub const KEYS_AT_ONCE: i64 = 10_000;

/// Batches of leaves that are read at once.
const BATCHES_AT_ONCE: i64 = 20;

/// How many rows each history has.
pub async fn counts(mut tx: impl Connected) -> Result<Vec<(RecordKind, i64)>, StorageError> {
    counted(all!(&mut tx, (String, i64), COUNTS)?)
}

/// Keys of a history after a key, in order.
pub async fn keys_after(
    mut tx: impl Connected,
    kind: RecordKind,
    after: (i64, i64),
) -> Result<Vec<(i64, i64)>, StorageError> {
    all!(
        &mut tx,
        (i64, i64),
        KEYS,
        kind.code(),
        after.0,
        after.1,
        KEYS_AT_ONCE
    )
}

/// Batches of leaves after a number, in order.
pub async fn batches_after(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<LeafBatch>, StorageError> {
    all!(&mut tx, BatchRow, BATCHES_AFTER, after, BATCHES_AT_ONCE)?
        .into_iter()
        .map(BatchRow::read)
        .collect()
}

/// How many leaves each kind of record has.
pub async fn leaf_counts(mut tx: impl Connected) -> Result<Vec<(RecordKind, i64)>, StorageError> {
    counted(all!(&mut tx, (String, i64), LEAF_COUNTS)?)
}

fn counted(rows: Vec<(String, i64)>) -> Result<Vec<(RecordKind, i64)>, StorageError> {
    rows.into_iter()
        .map(|(record, count)| {
            Ok((
                stored::parse("leaf_batch", "record", &record, &record)?,
                count,
            ))
        })
        .collect()
}

/// The first batch of leaves that lies in no block and waits for none, and its kind of record.
pub async fn adrift(mut tx: impl Connected) -> Result<Option<(i64, String)>, StorageError> {
    opt!(&mut tx, (i64, String), ADRIFT)
}
