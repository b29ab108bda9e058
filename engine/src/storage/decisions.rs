//! Decisions as stored.

use super::{StorageError, tx::Tx};
use crate::{exec, statements};

statements! {
    VOID_AWAITING(1) = "decision/void_awaiting.sql";
}

/// Voids the decision of a case that waits for a second person: the evidence changed under it.
pub async fn void_awaiting(tx: &mut Tx, case: i64) -> Result<u64, StorageError> {
    exec!(tx, VOID_AWAITING, case)
}
