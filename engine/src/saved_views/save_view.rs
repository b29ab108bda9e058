//! Keeps a filter of the queue by name.

use super::person;
use crate::{
    Engine, Error, in_tx,
    storage::{saved_views, stored},
};
use domain::{actor::Actor, view::queue::QueueFilter};

/// The most views of a person: each is counted whenever the queue is shown.
pub const MOST_VIEWS: usize = 12;
/// The most characters of a name.
pub const LONGEST_NAME: usize = 40;

/// Keeps a filter, from its first page on. One of the same name gives way.
pub async fn save_view(
    engine: &Engine,
    actor: &Actor,
    name: &str,
    filter: &QueueFilter,
) -> Result<(), Error> {
    let person = person(actor)?;
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() || name.chars().count() > LONGEST_NAME {
        return Err(Error::invalid(
            "name",
            format!("give the view a name of at most {LONGEST_NAME} characters"),
        ));
    }
    let filter = stored::to_json(&filter.afresh())?;
    let now = engine.now();
    in_tx!(engine.store, |tx| {
        let known = saved_views::of_person(&mut *tx, person).await?;
        if known.len() >= MOST_VIEWS && known.iter().all(|view| view.name != name) {
            return Err(Error::invalid(
                "name",
                format!("{MOST_VIEWS} views are the most: remove one first"),
            ));
        }
        saved_views::put(tx, person, &name, &filter, now).await?;
        Ok(())
    })
}
