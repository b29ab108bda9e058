//! The numbers beside the navigation and the newest sealed block.

use super::second_acceptance::files_to_accept;
use crate::{
    Engine, Error,
    storage::{queue, seal, tx::Connected},
    users::independence::People,
};
use domain::{
    actor::{Actor, Permission},
    view::shell::{LedgerHead, NavCounts},
};

/// What waits, for this person.
pub async fn nav_counts(engine: &Engine, actor: &Actor) -> Result<NavCounts, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let me = actor.person().map_or(0, |(id, _)| id);
    let counts = queue::counts(&mut reader, me, engine.now()).await?;
    let files = files_to_accept(&mut reader, actor).await?.len();
    let decisions = match approver(&mut reader, actor).await? {
        Some(approver) => queue::to_approve_count(&mut reader, &approver).await?,
        None => 0,
    };
    Ok(NavCounts {
        open_cases: count(counts.unresolved - counts.waiting),
        to_approve: count(decisions) + files as u64,
        held_files: count(queue::held_files(&mut reader).await?),
    })
}

/// The newest sealed block.
pub async fn ledger_head(engine: &Engine) -> Result<Option<LedgerHead>, Error> {
    let block = seal::head(&mut engine.store.read().await?).await?;
    Ok(block.map(|block| LedgerHead {
        block: block.header.number,
        hash: domain::seal::hex_of(&block.hash),
        sealed_at: domain::time::Instant::from_micros(block.header.sealed_at),
    }))
}

/// The person as an approver, if they may approve anything at all.
pub(super) async fn approver(
    mut tx: impl Connected,
    actor: &Actor,
) -> Result<Option<queue::Approver>, Error> {
    let Some((id, _)) = actor.person().filter(|_| actor.may(Permission::Approve)) else {
        return Ok(None);
    };
    let deciders = People::read(&mut tx).await?.deciders(id);
    Ok(Some(queue::Approver { deciders }))
}

/// A count as views hold it.
pub(super) fn count(n: i64) -> u64 {
    u64::try_from(n).unwrap_or(0)
}
