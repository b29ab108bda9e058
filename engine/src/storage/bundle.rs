//! Which blocks an audit bundle covers.

use super::{StorageError, tx::Connected};
use crate::{all, statements};

statements! {
    BLOCKS_SEALED(2) = "bundle/blocks_sealed.sql", may_scan "every block, once an export";
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
