//! What a reference that a person typed could mean.

use super::{Rows, StorageError, tx::Connected};
use crate::{all, statements};

statements! {
    ACCOUNT_IDS(0) = "search/account_ids.sql", may_scan "a few accounts";
    BY_AMOUNT(2) = "search/by_amount.sql";
    @rows
    INTENTS(account_id: Int, q: Text) = "search/intents.sql";
    CASES_OF_LINES(account_id: Int, q: Text) = "search/cases_of_lines.sql";
}

/// Most intents that a search gives.
pub const MOST: usize = 200;

/// Keys of intents that a text names, newest first: their id, reference, idempotency key, an
/// attempt's id, a provider's id, or what a line that belongs to them carries. At most [`MOST`] and
/// one more.
pub async fn intents(mut tx: impl Connected, q: &str) -> Result<Vec<i64>, StorageError> {
    let accounts = accounts(&mut tx).await?;
    let mut rows = Rows::of(&INTENTS);
    rows.add().int(0).text(q);
    for account in accounts {
        rows.add().int(account).text(q);
    }
    let found: Vec<(i64,)> = rows.all(tx, &INTENTS).await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Keys of intents of an amount, newest first; at most 21.
pub async fn by_amount(
    mut tx: impl Connected,
    currency: &str,
    amount: i64,
) -> Result<Vec<i64>, StorageError> {
    let found = all!(tx, (i64,), BY_AMOUNT, currency, amount)?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Keys of cases about lines that carry a text as an id or a reference.
pub async fn cases_of_lines(mut tx: impl Connected, q: &str) -> Result<Vec<i64>, StorageError> {
    let accounts = accounts(&mut tx).await?;
    let mut rows = Rows::of(&CASES_OF_LINES);
    for account in accounts {
        rows.add().int(account).text(q);
    }
    let found: Vec<(i64,)> = rows.all(tx, &CASES_OF_LINES).await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

async fn accounts(mut tx: impl Connected) -> Result<Vec<i64>, StorageError> {
    Ok(all!(tx, (i64,), ACCOUNT_IDS)?
        .into_iter()
        .map(|(id,)| id)
        .collect())
}
