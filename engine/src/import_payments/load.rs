//! What is stored of the things that a chunk's rows name.

use super::{
    held::Held,
    plan::{IntentRef, Known, NumberedRow, StoredRows},
};
use crate::{
    Error,
    storage::{StorageError, accounts, payments, tx::Connected},
};
use domain::payments_file::AttemptRow;
use std::collections::{HashMap, HashSet};

/// What is stored of the intents and attempts that rows name.
pub async fn load(mut tx: impl Connected, rows: &[NumberedRow]) -> Result<StoredRows, Error> {
    let accounts = accounts::all(&mut tx).await?;
    let intent_ids: HashSet<&str> = rows.iter().map(|r| r.row.intent_id.as_str()).collect();
    let intents = payments::intents_by_public_id(&mut tx, intent_ids.into_iter()).await?;
    let attempt_ids: HashSet<&str> = rows
        .iter()
        .filter_map(|r| r.row.attempt.as_ref())
        .map(|a| a.attempt_id.as_str())
        .collect();
    let attempts = payments::attempts_by_public_id(&mut tx, attempt_ids.into_iter()).await?;
    let changed = attempts.iter().filter(|a| a.seq > 0).map(|a| a.id);
    let last: HashMap<i64, payments::LastReport> = payments::last_reports(&mut tx, changed)
        .await?
        .into_iter()
        .map(|report| (report.attempt_id, report))
        .collect();
    let numbers = payments::attempt_numbers(&mut tx, intents.iter().map(|i| i.id)).await?;
    let accounts: HashMap<String, i64> = accounts.into_values().map(|a| (a.name, a.id)).collect();
    let held = Held::of(
        holders(&mut tx, rows, &accounts, Held::id_of, HeldText::Id).await?,
        holders(&mut tx, rows, &accounts, Held::key_of, HeldText::Key).await?,
    );
    Ok(StoredRows {
        accounts,
        held,
        attempts: attempts
            .iter()
            .map(|a| Ok((a.public_id.clone(), Known::of(a, last.get(&a.id))?)))
            .collect::<Result<_, StorageError>>()?,
        intents: intents
            .into_iter()
            .map(|i| (i.public_id.clone(), i))
            .collect(),
        numbers: numbers
            .into_iter()
            .map(|n| ((IntentRef::Stored(n.intent_id), n.number), n.public_id))
            .collect(),
    })
}

/// Which of two things is looked up.
#[derive(Clone, Copy)]
enum HeldText {
    Id,
    Key,
}

/// Who holds the provider ids, or the idempotency keys, that rows name.
async fn holders(
    tx: impl Connected,
    rows: &[NumberedRow],
    accounts: &HashMap<String, i64>,
    text: impl Fn(&AttemptRow) -> &str,
    what: HeldText,
) -> Result<Vec<payments::Holder>, StorageError> {
    let named: HashSet<(i64, &str)> = rows
        .iter()
        .filter_map(|r| r.row.attempt.as_ref())
        .filter_map(|a| Some((*accounts.get(&a.provider)?, text(a))))
        .filter(|(_, text)| !text.is_empty())
        .collect();
    match what {
        HeldText::Id => payments::holders_of_ids(tx, named.into_iter()).await,
        HeldText::Key => payments::holders_of_keys(tx, named.into_iter()).await,
    }
}
