//! Which blocks an audit bundle covers.

use super::{StorageError, tx::Connected};
use crate::{all, scalar_opt, statements};

statements! {
    BLOCKS_SEALED(2) = "bundle/blocks_sealed.sql", may_scan "every block, once an export";
    BLOCK_BEFORE(1) = "bundle/block_before.sql", may_scan "back from the newest block, once an export";
    BLOCKS_BOOKED(2) = "bundle/blocks_booked.sql";
    BATCH_SIZES(1) = "bundle/batch_sizes.sql";
}

/// Numbers of the blocks that were sealed from one instant to before another.
pub async fn blocks_sealed(
    mut tx: impl Connected,
    from: i64,
    until: i64,
) -> Result<Vec<i64>, StorageError> {
    let rows = all!(&mut tx, (i64,), BLOCKS_SEALED, from, until)?;
    Ok(rows.into_iter().map(|(number,)| number).collect())
}

/// The number of the last block that was sealed before an instant.
pub async fn block_before(
    mut tx: impl Connected,
    instant: i64,
) -> Result<Option<i64>, StorageError> {
    scalar_opt!(&mut tx, i64, BLOCK_BEFORE, instant)
}

/// Numbers of the blocks that may hold entries booked on these days.
pub async fn blocks_booked(
    mut tx: impl Connected,
    from_day: i64,
    to_day: i64,
) -> Result<Vec<i64>, StorageError> {
    let rows = all!(&mut tx, (i64,), BLOCKS_BOOKED, from_day, to_day)?;
    Ok(rows.into_iter().map(|(number,)| number).collect())
}

/// Kind and number of records of each batch of a block, in order.
pub async fn batch_sizes(
    mut tx: impl Connected,
    block: i64,
) -> Result<Vec<(String, i64)>, StorageError> {
    all!(&mut tx, (String, i64), BATCH_SIZES, block)
}
