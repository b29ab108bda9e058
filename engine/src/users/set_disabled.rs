//! Shuts a user out, at once and everywhere, or lets them in again. Users are never deleted: what
//! they did keeps their name.

use super::{change_roles::keep_an_administrator, history};
use crate::{
    Engine, Error, audit, in_tx,
    seal::Leaves,
    storage::{sessions, users},
};
use domain::actor::{Actor, Permission};
use serde_json::json;

/// Shuts a user out or lets them in again. The same state again changes nothing.
pub async fn set_disabled(
    engine: &Engine,
    actor: &Actor,
    user_id: i64,
    disabled: bool,
) -> Result<(), Error> {
    actor.require(Permission::Administer)?;
    let at = engine.now();
    let (what, action) = if disabled {
        ("disabled", "disable_user")
    } else {
        ("enabled", "enable_user")
    };
    in_tx!(engine.store, |tx| {
        users::alone(&mut *tx).await?;
        let found = users::by_id(&mut *tx, user_id).await?;
        let user = found.ok_or_else(|| Error::not_found("user", user_id))?;
        if user.disabled == disabled {
            return Ok(());
        }
        if disabled {
            keep_an_administrator(tx, user_id).await?;
            sessions::delete_of_user(&mut *tx, user_id, &[]).await?;
        }
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let stored = history::roles_text(&user.roles);
        users::change(&mut *tx, user_id, &stored, disabled, history::who(actor)).await?;
        history::add(
            tx,
            &mut leaves,
            actor,
            at,
            (user_id, &user.email),
            what,
            &user.roles,
        )
        .await?;
        audit::record(tx, &mut leaves, actor, at, action, &user.email, &json!({})).await?;
        leaves.write(tx).await
    })
}
