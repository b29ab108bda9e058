//! Sums of batches.

use crate::{
    all, opt, statements,
    storage::{StorageError, tx::Connected},
};

statements! {
    WRONG_BATCH(0) = "verify/wrong_batch.sql", may_scan "sums every line";
    ODD_BATCHES(0) = "verify/odd_batches.sql", may_scan "looks at every line";
    ADJUSTED_BATCHES(0) = "verify/adjusted_batches.sql", may_scan "looks at every batch";
}

/// A batch whose sums differ from its lines.
#[derive(Debug, sqlx::FromRow)]
pub struct WrongBatch {
    /// The provider account.
    pub provider: String,
    /// The provider's batch id.
    pub batch: String,
    /// The currency.
    pub currency: String,
    /// Net as it stands.
    pub net_now: i64,
    /// Net of its lines.
    pub net: i64,
}

/// Batches whose residual stands as accepted: provider account, batch, currency, minor units.
pub async fn adjusted_batches(
    mut tx: impl Connected,
) -> Result<Vec<(String, String, String, i64)>, StorageError> {
    all!(&mut tx, (String, String, String, i64), ADJUSTED_BATCHES)
}

/// The first batch whose sums are not those of its lines.
pub async fn wrong_batch(mut tx: impl Connected) -> Result<Option<WrongBatch>, StorageError> {
    opt!(&mut tx, WrongBatch, WRONG_BATCH)
}

/// Batches of which not every row whose net is off waits for a decision: key, currency, how many wait as
/// it stands, and how many lines no rule has looked at yet.
pub async fn odd_batches(
    mut tx: impl Connected,
) -> Result<Vec<(i64, String, i64, i64)>, StorageError> {
    all!(&mut tx, (i64, String, i64, i64), ODD_BATCHES)
}
