//! Ends an API token, at once.

use crate::{Engine, Error, audit, in_tx, seal::Leaves, storage::tokens};
use domain::actor::{Actor, Permission};
use serde_json::json;

/// Revokes a token by name. One that is revoked already stays so.
pub async fn revoke_token(engine: &Engine, actor: &Actor, name: &str) -> Result<(), Error> {
    actor.require(Permission::Administer)?;
    let at = engine.now();
    in_tx!(engine.store, |tx| {
        let found = tokens::by_name(&mut *tx, name).await?;
        let (id, revoked) = found.ok_or_else(|| Error::not_found("token", name))?;
        if revoked {
            return Ok(());
        }
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        tokens::revoke(&mut *tx, id, at).await?;
        audit::record(tx, &mut leaves, actor, at, "revoke_token", name, &json!({})).await?;
        leaves.write(tx).await
    })
}
