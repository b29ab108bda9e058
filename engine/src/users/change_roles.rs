//! Gives and takes roles. Whoever does it counts as having changed the account last. The last
//! administrator keeps the role: nobody could give it back.

use super::{add_user::check_roles, history};
use crate::{
    Engine, Error, audit, in_tx,
    seal::Leaves,
    storage::{Tx, users},
};
use domain::actor::{Actor, Permission, Role};
use serde_json::json;
use std::collections::BTreeSet;

/// Sets the roles of a user. The same roles again change nothing.
pub async fn change_roles(
    engine: &Engine,
    actor: &Actor,
    user_id: i64,
    roles: &BTreeSet<Role>,
) -> Result<(), Error> {
    actor.require(Permission::Administer)?;
    check_roles(roles)?;
    let at = engine.now();
    in_tx!(engine.store, |tx| {
        users::alone(&mut *tx).await?;
        let found = users::by_id(&mut *tx, user_id).await?;
        let user = found.ok_or_else(|| Error::not_found("user", user_id))?;
        if user.roles == *roles {
            return Ok(());
        }
        if !roles.contains(&Role::Admin) {
            keep_an_administrator(tx, user_id).await?;
        }
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let stored = history::roles_text(roles);
        users::change(
            &mut *tx,
            user_id,
            &stored,
            user.disabled,
            history::who(actor),
        )
        .await?;
        history::add(
            tx,
            &mut leaves,
            actor,
            at,
            (user_id, &user.email),
            "roles",
            roles,
        )
        .await?;
        let detail = json!({ "old": user.roles, "new": roles });
        audit::record(
            tx,
            &mut leaves,
            actor,
            at,
            "change_roles",
            &user.email,
            &detail,
        )
        .await?;
        leaves.write(tx).await
    })
}

/// Refuses where this user is the only administrator who is let in.
pub(super) async fn keep_an_administrator(tx: &mut Tx, leaving: i64) -> Result<(), Error> {
    let administers = |u: &users::UserAccount| u.roles.contains(&Role::Admin) && !u.disabled;
    let all = users::list(&mut *tx).await?;
    let leaves_one = all.iter().any(|u| u.id == leaving && administers(u));
    if leaves_one && !all.iter().any(|u| u.id != leaving && administers(u)) {
        return Err(Error::Conflict(
            "this is the only administrator: make another one first".to_owned(),
        ));
    }
    Ok(())
}
