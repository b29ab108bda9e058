//! Word that rows are to be judged again because others may have missed them.

use super::{
    StorageError,
    tx::{Connected, Tx},
};
use crate::{all, exec_one, statements};

statements! {
    NEXT(3) = "rematch/next.sql", may_scan "oldest first, a few";
    DONE(1) = "rematch/done.sql";
    ACCOUNTS(0) = "rematch/accounts.sql", may_scan "what waits";
}

/// A range of rows to be judged again.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Word {
    pub id: i64,
    pub account_id: i64,
    /// attempts, or intents.
    pub what: String,
    pub first_id: i64,
    pub last_id: i64,
}

/// The oldest words about an account behind one of them.
pub async fn next(
    mut tx: impl Connected,
    account: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<Word>, StorageError> {
    all!(&mut tx, Word, NEXT, account, after, limit)
}

/// Strikes a word out.
pub async fn done(tx: &mut Tx, id: i64) -> Result<(), StorageError> {
    exec_one!(tx, DONE, id)
}

/// Accounts about which words wait.
pub async fn accounts(mut tx: impl Connected) -> Result<Vec<i64>, StorageError> {
    let found = all!(&mut tx, (i64,), ACCOUNTS)?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}
