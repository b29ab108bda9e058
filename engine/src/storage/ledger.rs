//! The ledger as read: balances, entries, postings.

use super::{StorageError, tx::Connected};
use crate::{all, statements};
use std::collections::HashMap;

statements! {
    PROVIDER_NAMES(0) = "ledger/provider_names.sql", may_scan "a few provider accounts";
}

/// Names of provider accounts by key.
pub async fn provider_names(mut tx: impl Connected) -> Result<HashMap<i64, String>, StorageError> {
    Ok(all!(&mut tx, (i64, String), PROVIDER_NAMES)?
        .into_iter()
        .collect())
}
