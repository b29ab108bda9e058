//! Finds a provider account by its name.

use crate::{Engine, Error, storage::accounts};

/// The key of a provider account.
pub(crate) async fn key_of(engine: &Engine, name: &str) -> Result<i64, Error> {
    let all = accounts::all(engine.store.read().await?).await?;
    all.values()
        .find(|account| account.name == name)
        .map(|account| account.id)
        .ok_or_else(|| Error::not_found("provider account", name))
}
