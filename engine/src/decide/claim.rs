//! Takes a case into one's hands for a while, so that colleagues see who is on it.

use super::{
    Step,
    decide_case::{after, behind_gate, stale},
    step,
};
use crate::{Engine, Error, in_tx, seal::Leaves, storage::accounts};
use domain::{
    actor::{Actor, Permission},
    cases::CaseMove,
};

/// How long a case stays in somebody's hands.
pub(crate) const CLAIM_SECONDS: i64 = 15 * 60;

/// Takes a case, unless a colleague holds it still. Returns the case's version.
pub async fn claim_case(
    engine: &Engine,
    actor: &Actor,
    case_id: &str,
    expected_version: i64,
) -> Result<i64, Error> {
    actor.require(Permission::Decide)?;
    let Some((user, _)) = actor.person() else {
        return Err(Error::Conflict("only a person takes a case".to_owned()));
    };
    let now = engine.now();
    in_tx!(engine.store, |tx| {
        let mut case = behind_gate(tx, case_id).await?;
        if case.version != expected_version {
            return Err(stale(&mut *tx, &case, expected_version).await?);
        }
        let held = case.lease_until.is_some_and(|until| until > now.micros());
        if held && case.owner_id != Some(user) {
            return Err(Error::Conflict(
                "a colleague is on this case; it is free again when their time runs out".to_owned(),
            ));
        }
        let known = accounts::all(&mut *tx).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let state = if case.state == "IN_REVIEW" {
            domain::cases::CaseState::InReview
        } else {
            after(&case.state, CaseMove::Claim, case_id)?
        };
        case.owner_id = Some(user);
        case.lease_until = Some(now.plus_seconds(CLAIM_SECONDS).micros());
        case.wake_at = None;
        let name = actor.name();
        step(
            tx,
            &mut leaves,
            &known,
            &mut case,
            Step {
                actor: &name,
                now,
                what: "claimed",
                state,
                because: "",
            },
        )
        .await?;
        leaves.write(tx).await?;
        Ok(case.version)
    })
}

/// Lets a case go. Returns its version.
pub async fn release_case(engine: &Engine, actor: &Actor, case_id: &str) -> Result<i64, Error> {
    actor.require(Permission::Decide)?;
    let now = engine.now();
    in_tx!(engine.store, |tx| {
        let mut case = behind_gate(tx, case_id).await?;
        if case.owner_id != actor.person().map(|(id, _)| id) {
            return Err(Error::Conflict("you do not hold this case".to_owned()));
        }
        let known = accounts::all(&mut *tx).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let state = after(&case.state, CaseMove::Release, case_id)?;
        case.owner_id = None;
        case.lease_until = None;
        let name = actor.name();
        step(
            tx,
            &mut leaves,
            &known,
            &mut case,
            Step {
                actor: &name,
                now,
                what: "released",
                state,
                because: "",
            },
        )
        .await?;
        leaves.write(tx).await?;
        Ok(case.version)
    })
}
