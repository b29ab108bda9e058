//! Where row ids come from: one counter a table.
//!
//! On SQLite counters move inside the unit of work, which is the only one: a roll-back gives ids back.
//!
//! On PostgreSQL a counter that moves inside a unit of work is a lock on everybody else who needs it,
//! until that unit ends. Ids that only tell rows apart ([`APART`]) are therefore drawn on a connection of
//! their own, in a transaction of one statement: nobody waits, no order of tables has to be kept, and work
//! that is given up leaves a gap. The others are taken in turn, in the unit of work, since something rests
//! on their having no gaps or on their being committed in order: totals that pages show (intents, cases,
//! entries), the number of the next block, the newest file that a sweep has seen, the lock on people.
//! Two of those meet in one unit of work, entries and cases: whoever takes a case's number has the turn
//! of the entries first ([`BEFORE`]).

use super::{
    StorageError,
    store::Backend,
    tx::{Conn, Connected},
};
use crate::{scalar, statements};

statements! {
    ALLOCATE(2) = "counter/allocate.sql";
    NEXT(1) = "counter/next.sql";
}

/// Tables whose ids tell rows apart and nothing else.
const APART: &[&str] = &[
    "attempt",
    "audit_record",
    "decision",
    "evidence",
    "job",
    "leaf_batch",
    "line",
    "rematch",
    "settlement_batch",
];

/// Tables taken in turn, each with the one whose turn comes first in every unit of work.
const BEFORE: &[(&str, &str)] = &[("review_case", "ledger_entry")];

/// Takes `count` consecutive ids for a table and returns the first.
pub async fn allocate(
    mut tx: impl Connected,
    table: &'static str,
    count: u64,
) -> Result<i64, StorageError> {
    if count == 0 {
        // Nobody is to wait, or to be waited for, for nothing.
        return Ok(0);
    }
    let count = i64::try_from(count).map_err(|_| StorageError::Misuse {
        statement: table,
        problem: "more ids were asked for than exist".to_owned(),
    })?;
    let apart = tx.apart().filter(|_| APART.contains(&table)).cloned();
    let next = match apart {
        Some(pool) => {
            let mut own = pool.acquire().await?;
            scalar!(Conn::Postgres(&mut own), i64, ALLOCATE, table, count)?
        }
        None => {
            if let Some((_, first)) = BEFORE.iter().find(|(of, _)| *of == table)
                && tx.backend() == Backend::Postgres
            {
                take_turn(&mut tx, first).await?;
            }
            scalar!(&mut tx, i64, ALLOCATE, table, count)?
        }
    };
    Ok(next - count)
}

/// Waits until nobody else has the turn of a table's ids, and keeps others out until the unit of work
/// ends.
pub async fn take_turn(mut tx: impl Connected, table: &'static str) -> Result<(), StorageError> {
    // Taking none moves nothing, but locks the counter.
    scalar!(&mut tx, i64, ALLOCATE, table, 0_i64).map(|_| ())
}

/// The id that the next row of a table will have.
pub async fn next(mut tx: impl Connected, table: &'static str) -> Result<i64, StorageError> {
    scalar!(&mut tx, i64, NEXT, table)
}
