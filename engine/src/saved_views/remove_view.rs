//! Forgets a filter of the queue.

use super::person;
use crate::{Engine, Error, in_tx, storage::saved_views};
use domain::actor::Actor;

/// Forgets one of the person's own views.
pub async fn remove_view(engine: &Engine, actor: &Actor, view: i64) -> Result<(), Error> {
    let person = person(actor)?;
    in_tx!(engine.store, |tx| {
        match saved_views::remove(tx, person, view).await? {
            0 => Err(Error::not_found("saved view", view)),
            _ => Ok(()),
        }
    })
}
