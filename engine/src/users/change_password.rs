//! Sets a password and ends the user's other sessions. A person sets their own with the current
//! one; an administrator sets another's, and then counts as having changed that account last: they
//! could sign in as them.

use super::{
    history, password,
    sign_in::{Counts, address_of},
};
use crate::{
    Engine, Error, audit, in_tx,
    seal::Leaves,
    sessions::hash_of,
    storage::{sessions, users},
};
use domain::actor::{Actor, Permission};
use serde_json::json;

/// What is to change.
#[derive(Debug, Clone)]
pub struct PasswordChange {
    /// Whose password.
    pub user_id: i64,
    /// Their current one: needed for one's own.
    pub current: Option<String>,
    /// The new one.
    pub new: String,
    /// The session that goes on, by its id: the one in which one's own password is changed.
    pub keep_session: Option<String>,
}

/// Sets a password.
pub async fn change_password(
    engine: &Engine,
    actor: &Actor,
    change: PasswordChange,
) -> Result<(), Error> {
    let own = matches!(actor, Actor::Person { user_id, .. } if *user_id == change.user_id);
    if !own {
        actor.require(Permission::Administer)?;
    }
    password::check("new_password", &change.new)?;
    let found = users::by_id(&mut engine.store.read().await?, change.user_id).await?;
    let checked = found.ok_or_else(|| Error::not_found("user", change.user_id))?;
    if own {
        // Guessing here is as slow as at the door: whoever finds a screen open knows no password. It
        // is counted apart, so that guesses at the door keep nobody from changing their password.
        let (counts, now) = (Counts::signed_in(&address_of(&checked.email)), engine.now());
        counts.check(&mut engine.store.read().await?, now).await?;
        counts.count(engine, now).await?;
        let current = change.current.as_deref().unwrap_or_default();
        if !password::verify(current, Some(&checked.password_hash)).await? {
            return Err(Error::invalid(
                "current_password",
                "this is not your current password",
            ));
        }
    }
    let hash = password::hash(&change.new).await?;
    let keep = change.keep_session.as_deref().map(hash_of);
    let at = engine.now();
    in_tx!(engine.store, |tx| {
        users::alone(&mut *tx).await?;
        // Read here, not taken from the look before: roles and who changed the account last may be
        // others by now, and what is written back must not undo that.
        let found = users::by_id(&mut *tx, checked.id).await?;
        let user = found.ok_or_else(|| Error::not_found("user", checked.id))?;
        if own {
            if user.password_hash != checked.password_hash {
                return Err(Error::Conflict(
                    "the password was changed a moment ago: sign in with the new one".to_owned(),
                ));
            }
            Counts::signed_in(&address_of(&user.email))
                .forgive(&mut *tx)
                .await?;
        }
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let changed_by = if own {
            user.changed_by
        } else {
            history::who(actor)
        };
        users::change_password(&mut *tx, user.id, &hash, changed_by).await?;
        let keep = keep
            .as_ref()
            .filter(|_| own)
            .map_or(&[][..], |hash| &hash[..]);
        sessions::delete_of_user(&mut *tx, user.id, keep).await?;
        history::add(
            tx,
            &mut leaves,
            actor,
            at,
            (user.id, &user.email),
            "password",
            &user.roles,
        )
        .await?;
        let detail = json!({ "own": own });
        audit::record(
            tx,
            &mut leaves,
            actor,
            at,
            "change_password",
            &user.email,
            &detail,
        )
        .await?;
        leaves.write(tx).await
    })
}
