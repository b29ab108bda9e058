//! Filters of the review queue that people keep by name.

use super::{
    StorageError,
    counter::allocate,
    tx::{Connected, Tx},
};
use crate::{all, exec, exec_one, statements};
use domain::time::Instant;

statements! {
    OF_PERSON(1) = "saved_view/of_person.sql";
    PUT(5) = "saved_view/put.sql";
    REMOVE(2) = "saved_view/remove.sql";
}

/// A filter with its name.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct StoredView {
    /// Key.
    pub id: i64,
    /// What the person calls it.
    pub name: String,
    /// JSON.
    pub filter: String,
}

/// What a person has kept, by name; at most twenty.
pub async fn of_person(
    mut tx: impl Connected,
    person: i64,
) -> Result<Vec<StoredView>, StorageError> {
    all!(&mut tx, StoredView, OF_PERSON, person)
}

/// Keeps a filter; one of the same name gives way.
pub async fn put(
    tx: &mut Tx,
    person: i64,
    name: &str,
    filter: &str,
    now: Instant,
) -> Result<(), StorageError> {
    let id = allocate(&mut *tx, "saved_view", 1).await?;
    exec_one!(tx, PUT, id, person, name, filter, now.micros())
}

/// Forgets a person's filter; returns how many there were.
pub async fn remove(tx: &mut Tx, person: i64, id: i64) -> Result<u64, StorageError> {
    exec!(tx, REMOVE, person, id)
}
