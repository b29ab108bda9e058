//! Tells how an intent stands.

use crate::{
    Engine, Error,
    storage::{intents, registry, stored},
    views,
};
use domain::{
    actor::{Actor, Permission},
    view::registry::IntentAnswer,
};
use std::collections::BTreeMap;

/// Most intents that one reference lists.
pub const MOST: usize = 100;

/// An intent by the company's id, if there is one.
pub async fn show_intent(
    engine: &Engine,
    actor: &Actor,
    id: &str,
) -> Result<Option<IntentAnswer>, Error> {
    let Some(page) = views::intent(engine, actor, id).await? else {
        return Ok(None);
    };
    let metadata = metadata(engine, id).await?;
    Ok(Some(IntentAnswer::of_page(page, metadata)))
}

/// Intents with a merchant reference, newest first, a hundred at most.
pub async fn intents_by_reference(
    engine: &Engine,
    actor: &Actor,
    reference: &str,
) -> Result<Vec<IntentAnswer>, Error> {
    actor.require(Permission::Read)?;
    let most = i64::try_from(MOST).unwrap_or(i64::MAX);
    let ids = registry::by_reference(engine.store.read().await?, reference, most).await?;
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        found.extend(show_intent(engine, actor, &id).await?);
    }
    Ok(found)
}

async fn metadata(engine: &Engine, id: &str) -> Result<BTreeMap<String, String>, Error> {
    let mut reader = engine.store.read().await?;
    let Some(intent) = intents::by_public_id(&mut reader, id).await? else {
        return Ok(BTreeMap::new());
    };
    match registry::metadata(&mut reader, intent.id).await? {
        Some(text) => Ok(stored::json("intent_metadata", "metadata", id, &text)?),
        None => Ok(BTreeMap::new()),
    }
}
