//! What reports say of attempts that are known: events, what stands now, evidence.

use super::{Origin, Writing};
use crate::{
    Error,
    import_payments::plan::{AttemptRef, Effect, Update},
    seal::Leaves,
    storage::{StorageError, Tx, counter::allocate, payments, stored},
};
use domain::{
    payment::Outcome,
    seal::{
        Text,
        records::{AttemptEventRecord, EvidenceRecord, acted_at_of_cause},
    },
    time::Instant,
};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};

/// Writes the updates of a plan.
pub(super) async fn write(
    tx: &mut Tx,
    writing: &Writing<'_>,
    leaves: &mut Leaves,
) -> Result<(), Error> {
    let Writing {
        plan,
        ids,
        now,
        origin,
        ..
    } = *writing;
    let fresh = fresh_evidence(tx, writing).await?;
    let mut events = Vec::new();
    let mut standing = BTreeMap::new();
    let mut learned = payments::attempt_id_rows();
    for (n, update) in plan.updates.iter().enumerate() {
        let attempt_id = ids.attempt(update.known.at);
        let changes = update.effect == Effect::Changes;
        let said = changes.then(|| event(update, attempt_id, now, origin));
        // What only testifies does so once.
        let stands = update
            .stands_on
            .filter(|_| changes || fresh.contains_key(&n));
        let after = stands.map(|outcome| stands_on(update, attempt_id, outcome, now));
        for event in [said, after].into_iter().flatten() {
            leaves.push_part(event.attempt_id, event.seq, &event_record(update, &event));
            standing.insert(attempt_id, (update, event.seq, event.outcome));
            events.push(event);
        }
        if !update.filled_id.is_empty() {
            learned
                .add()
                .int(update.known.account)
                .text(&update.filled_id)
                .int(attempt_id)
                .text("company")
                .opt_int(None);
        }
    }
    payments::insert_attempt_events(tx, &events).await?;
    let mut current = payments::attempt_now_rows();
    for (id, (update, seq, outcome)) in standing {
        let known = &update.known;
        current
            .add()
            .int(id)
            .int(known.account)
            .text(known.reported.code())
            // As the last event says. Where judging comes to something else, it records that after it.
            .text(outcome)
            .int(seq)
            .int(now.micros())
            .int(known.written_off);
    }
    payments::put_attempt_now(tx, &current).await?;
    payments::put_attempt_ids(tx, &learned).await?;
    write_evidence(tx, writing, fresh, leaves).await
}

fn event<'a>(
    update: &'a Update,
    attempt_id: i64,
    now: Instant,
    origin: &Origin<'a>,
) -> payments::NewAttemptEvent<'a> {
    let known = &update.known;
    payments::NewAttemptEvent {
        attempt_id,
        seq: known.seq,
        outcome: known.reported.code(),
        provider_payment_id: &known.provider_payment_id,
        finished_at: known.finished_at.map(Instant::micros),
        error_code: &known.error_code,
        cause_kind: "report",
        cause: origin.cause,
        at: now.micros(),
    }
}

/// What stands after the report of a file is recorded as what comes of judging, which it foresees.
const fn stands_on(
    update: &Update,
    attempt_id: i64,
    outcome: Outcome,
    now: Instant,
) -> payments::NewAttemptEvent<'static> {
    payments::NewAttemptEvent {
        attempt_id,
        seq: update.known.seq + 1,
        outcome: outcome.code(),
        provider_payment_id: "",
        finished_at: None,
        error_code: "",
        cause_kind: "rematch",
        cause: "payments",
        at: now.micros(),
    }
}

fn event_record<'a>(
    update: &'a Update,
    event: &payments::NewAttemptEvent<'a>,
) -> AttemptEventRecord<'a> {
    AttemptEventRecord {
        attempt: &update.row.attempt_id,
        seq: event.seq,
        outcome: event.outcome,
        provider_payment_id: event.provider_payment_id,
        finished_at: event.finished_at,
        error_code: event.error_code,
        cause_kind: event.cause_kind,
        cause: event.cause,
        acted_at: acted_at_of_cause(event.cause_kind, event.at),
    }
}

/// What a report says, and its hash.
struct Said {
    claim: String,
    hash: [u8; 32],
}

/// What those updates of a plan say that say it for the first time, by their place in the plan.
async fn fresh_evidence(
    tx: &mut Tx,
    writing: &Writing<'_>,
) -> Result<BTreeMap<usize, Said>, Error> {
    let Writing {
        plan, ids, origin, ..
    } = *writing;
    let known = plan.updates.iter().filter_map(|u| match u.known.at {
        AttemptRef::Stored(id) => Some(id),
        AttemptRef::New(_) => None,
    });
    let mut seen: HashSet<(i64, Vec<u8>)> = payments::evidence_hashes(&mut *tx, known)
        .await?
        .into_iter()
        .collect();
    let mut fresh = BTreeMap::new();
    for (n, update) in plan.updates.iter().enumerate() {
        let claim = claim(update, origin)?;
        let hash: [u8; 32] = Sha256::digest(claim.as_bytes()).into();
        if seen.insert((ids.attempt(update.known.at), hash.to_vec())) {
            fresh.insert(n, Said { claim, hash });
        }
    }
    Ok(fresh)
}

/// A report after registration is evidence of its own, once.
async fn write_evidence(
    tx: &mut Tx,
    writing: &Writing<'_>,
    fresh: BTreeMap<usize, Said>,
    leaves: &mut Leaves,
) -> Result<(), Error> {
    let Writing {
        plan,
        ids,
        names,
        now,
        origin,
    } = *writing;
    let first = allocate(&mut *tx, "evidence", fresh.len() as u64).await?;
    let fresh = fresh.into_iter();
    let fresh = fresh.filter_map(|(n, said)| Some((plan.updates.get(n)?, said)));
    let mut rows = payments::evidence_rows();
    for (id, (update, Said { claim, hash })) in (first..).zip(fresh) {
        let attempt_id = ids.attempt(update.known.at);
        let occurred = update.row.finished_at.map(Instant::micros);
        rows.add()
            .int(id)
            .text("api_response")
            .opt_int(Some(update.known.account))
            .opt_int(Some(ids.intent(update.known.intent)))
            .opt_int(Some(attempt_id))
            .text(origin.evidence)
            .blob(&hash)
            .text(&claim)
            .opt_int(occurred)
            .int(now.micros());
        leaves.push(
            id,
            &EvidenceRecord {
                kind: "api_response",
                provider: names.get(&update.known.account).map(String::as_str),
                intent: Some(&update.intent_id),
                attempt: Some(&update.row.attempt_id),
                source: Text::Plain(origin.evidence),
                content_hash: &hash,
                claim: Text::Plain(&claim),
                occurred_at: occurred,
                received_at: now.micros(),
            },
        );
    }
    rows.insert_into(tx, "evidence").await?;
    Ok(())
}

/// What the report says, as stored and hashed.
fn claim(update: &Update, origin: &Origin<'_>) -> Result<String, StorageError> {
    let row = &update.row;
    let mut claim = serde_json::json!({
        "attempt": row.attempt_id,
        "outcome": row.outcome,
        "provider_payment_id": row.provider_payment_id,
        "finished_at": row.finished_at,
        "error_code": row.error_code,
    });
    if let Some(fields) = claim.as_object_mut().filter(|_| !origin.detail.is_empty()) {
        fields.insert("detail".to_owned(), origin.detail.into());
    }
    stored::to_json(&claim)
}
