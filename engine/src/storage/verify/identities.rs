//! Identities of rows that count.

use crate::{
    all, opt, scalar, statements,
    storage::{StorageError, tx::Connected},
};

statements! {
    IDENTITIES(2) = "verify/identities.sql";
    COUNT_IDENTITIES(0) = "verify/count_identities.sql", may_scan "counts every identity";
    STRAY_IDENTITY(0) = "verify/stray_identity.sql", may_scan "compares every identity, where their number is wrong";
}

/// Lines that count, of a range: key; 0 where their identity leads nowhere, 1 where it leads to
/// them, 2 to another line; what the row said when its identity was noted.
pub async fn identities(
    mut tx: impl Connected,
    first: i64,
    last: i64,
) -> Result<Vec<(i64, i64, Option<Vec<u8>>)>, StorageError> {
    all!(
        &mut tx,
        (i64, i64, Option<Vec<u8>>),
        IDENTITIES,
        first,
        last
    )
}

/// How many identities are noted.
pub async fn count_identities(mut tx: impl Connected) -> Result<i64, StorageError> {
    scalar!(&mut tx, i64, COUNT_IDENTITIES)
}

/// The first identity that is not that of a line that counts: provider account and line key.
pub async fn stray_identity(mut tx: impl Connected) -> Result<Option<(String, i64)>, StorageError> {
    opt!(&mut tx, (String, i64), STRAY_IDENTITY)
}
