//! The history of user accounts: sealed, with names instead of our keys.

use crate::{
    Error,
    seal::Leaves,
    storage::{
        Tx,
        users::{self, Change},
    },
};
use domain::{
    actor::{Actor, Role},
    seal::records::UserEventRecord,
    time::Instant,
};
use std::collections::BTreeSet;

/// Roles as stored: codes, comma separated, sorted.
pub(crate) fn roles_text(roles: &BTreeSet<Role>) -> String {
    let mut codes: Vec<_> = roles.iter().map(|r| r.code()).collect();
    codes.sort_unstable();
    codes.join(",")
}

/// Who counts as having done it: 0 where no person acted.
pub(crate) fn who(actor: &Actor) -> i64 {
    actor.person().map_or(0, |(id, _)| id)
}

/// Adds to the history of a user account.
pub(crate) async fn add(
    tx: &mut Tx,
    leaves: &mut Leaves,
    actor: &Actor,
    at: Instant,
    user: (i64, &str),
    what: &'static str,
    roles: &BTreeSet<Role>,
) -> Result<(), Error> {
    let (user_id, email) = user;
    let roles = roles_text(roles);
    let by = who(actor);
    let id = users::add_event(
        tx,
        Change {
            user_id,
            what,
            roles: &roles,
            by,
            at,
        },
    )
    .await?;
    let by_name = actor.person().map_or("operator", |(_, email)| email);
    leaves.push(
        id,
        &UserEventRecord {
            user: email.into(),
            what,
            roles: &roles,
            by: by_name.into(),
            at: at.micros(),
        },
    );
    Ok(())
}
