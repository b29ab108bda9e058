//! Versions of intents that a plan moves.

use super::Writing;
use crate::{
    Error,
    import_payments::plan::{IntentRef, Plan},
    seal::Leaves,
    storage::{
        StorageError, Tx,
        payments::{self, AttemptNumber, IntentChange, IntentVersion, Permit},
        registry, stored,
    },
};
use domain::{
    payment::{IntentState, Outcome, intent_state},
    seal::records::{IntentEventRecord, acted_at_of_cause},
};
use std::collections::{BTreeMap, BTreeSet};

/// An attempt that joins a stored intent changes it: one version more. So does a report that a file
/// brings of an attempt, where another state follows from it: nobody may claim by a state that stood
/// before the report.
pub(super) async fn write(
    tx: &mut Tx,
    writing: &Writing<'_>,
    leaves: &mut Leaves,
) -> Result<Vec<IntentChange>, Error> {
    let Writing {
        plan, now, origin, ..
    } = *writing;
    let joined = joined(plan);
    let mut touched = joined.clone();
    if !origin.judges {
        touched.extend(
            plan.updates
                .iter()
                .filter_map(|u| stored_id(u.known.intent)),
        );
    }
    if touched.is_empty() {
        return Ok(Vec::new());
    }
    if !origin.judges {
        // A claim that is under way ends first, and its attempt is among those that are read.
        registry::lock_intents(tx, touched.iter().copied()).await?;
    }
    let versions = payments::intent_versions(&mut *tx, touched.iter().copied()).await?;
    let mut attempts: BTreeMap<i64, Vec<AttemptNumber>> = BTreeMap::new();
    for attempt in payments::attempt_numbers(&mut *tx, touched.iter().copied()).await? {
        attempts.entry(attempt.intent_id).or_default().push(attempt);
    }
    let mut states: Vec<(IntentVersion, IntentState)> = Vec::with_capacity(versions.len());
    for version in versions {
        let of_attempts = attempts.get(&version.id).map_or(&[][..], Vec::as_slice);
        let (was, is) = states_of(&version, of_attempts)?;
        if joined.contains(&version.id) || was != is {
            states.push((version, is));
        }
    }
    states.sort_unstable_by_key(|(version, _)| version.id);
    let (permit, kind, cause) = (Permit::Spent, "report", origin.cause);
    let changes = payments::advance_intents(tx, &states, permit, kind, cause, now).await?;
    for change in &changes {
        leaves.push_part(
            change.intent_id,
            change.version,
            &IntentEventRecord {
                intent: &change.public_id,
                version: change.version,
                state: change.state.code(),
                cause_kind: kind,
                cause,
                acted_at: acted_at_of_cause(kind, now.micros()),
            },
        );
    }
    Ok(changes)
}

const fn stored_id(intent: IntentRef) -> Option<i64> {
    match intent {
        IntentRef::Stored(id) => Some(id),
        IntentRef::New(_) => None,
    }
}

/// The stored intents that attempts of a plan join.
pub(super) fn joined(plan: &Plan) -> BTreeSet<i64> {
    let of_attempts = plan.attempts.iter();
    of_attempts.filter_map(|a| stored_id(a.intent)).collect()
}

/// The state in which an intent stands, and the one that follows from its attempts.
fn states_of(
    version: &IntentVersion,
    attempts: &[AttemptNumber],
) -> Result<(IntentState, IntentState), StorageError> {
    let of = |column, of: fn(&AttemptNumber) -> &str| {
        let outcomes = attempts
            .iter()
            .map(|a| stored::parse("attempt_now", column, &a.public_id, of(a)));
        outcomes.collect::<Result<Vec<Outcome>, _>>()
    };
    let (table, name) = ("intent", &version.public_id);
    let policy = stored::parse(table, "loss_policy", name, &version.loss_policy)?;
    let is = intent_state(&of("outcome", |a| &a.outcome_now)?, false, policy);
    let was = if version.state.is_empty() {
        intent_state(&of("outcome", |a| &a.outcome)?, false, policy)
    } else {
        stored::parse("intent_now", "state", name, &version.state)?
    };
    Ok((was, is))
}
