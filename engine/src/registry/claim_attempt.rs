//! Gives one of many workers the right to try a payment.
//!
//! The intent is locked, the claim is judged against how it stands then, and the attempt is
//! registered in the same transaction: of any number of claims at once, one wins. A worker that did
//! not hear its answer asks again under its `claim_id` and hears the same while the lease lasts;
//! afterwards nobody may hold that the call was never made.

use super::{
    Answered, Refusal, checked_key, given, hash_of, read,
    request_digest::{self, Claimed},
    standing::Standing,
};
use crate::{
    Engine, Error,
    import_payments::{
        plan::{IntentRef, NewAttempt, Plan},
        write::{Origin, write},
    },
    in_tx,
    storage::{
        StorageError, Tx, accounts,
        registry::{self, Question},
    },
};
use domain::{
    account::ProviderAccount,
    actor::{Actor, Permission},
    payment::Outcome,
    payments_file::AttemptRow,
    registry::{longest_key, may_claim, next_key},
    time::Instant,
    view::registry::ClaimAnswer,
};
use serde::{Deserialize, Serialize};

/// A claim as sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimRequest {
    /// The version of the intent that the worker read.
    pub expected_version: i64,
    /// The provider account to be called, by name.
    pub provider: String,
    /// Made by one worker for one try.
    #[serde(default)]
    pub claim_id: Option<String>,
    /// Hash of the request that will be sent, if the worker wants it kept: as evidence of the attempt.
    #[serde(default)]
    pub request_digest: Option<String>,
}

/// Claims the next attempt of an intent.
pub async fn claim_attempt(
    engine: &Engine,
    actor: &Actor,
    intent: &str,
    request: &ClaimRequest,
) -> Result<Answered<ClaimAnswer>, Error> {
    actor.require(Permission::RegisterPayments)?;
    if let Some(claim_id) = &request.claim_id {
        checked_key("claim_id", claim_id)?;
    }
    if let Some(digest) = &request.request_digest {
        checked_key("request_digest", digest)?;
    }
    let now = engine.now();
    let name = actor.name();
    in_tx!(engine.store, |tx| {
        let standing = Standing::lock(tx, intent)
            .await?
            .ok_or_else(|| Error::not_found("intent", intent))?;
        if let Some(before) = answered(tx, &standing, request, now).await? {
            return Ok(Answered::Again(before));
        }
        let facts = standing.facts()?;
        may_claim(&facts, request.expected_version).map_err(|why| {
            Error::from(Box::new(Refusal::Claim {
                why,
                current: standing.current(),
            }))
        })?;
        let account = account(tx, &request.provider).await?;
        let row = new_attempt(engine, &standing, &account, now)?;
        let answer = ClaimAnswer {
            attempt_id: row.attempt_id.clone(),
            attempt_no: row.number,
            idempotency_key: row.idempotency_key.clone(),
            lease_expires_at: now.plus_seconds(60 * i64::from(account.policy.lease_minutes)),
            version: facts.version + 1,
            state: domain::payment::IntentState::Submitting,
        };
        let plan = Plan {
            attempts: vec![NewAttempt {
                line: 0,
                intent: IntentRef::Stored(standing.intent.id),
                account: account.id,
                row,
            }],
            ..Plan::default()
        };
        let moved = write(engine, tx, &plan, &Origin::api(&name)).await?;
        if !moved.iter().any(|intent| intent.version == answer.version) {
            // Somebody moved the intent since it was read: the claim was judged by what no longer stands.
            return Err(Error::Storage(StorageError::Busy {
                detail: format!("{intent} was moved while it was claimed"),
            }));
        }
        if let Some(digest) = &request.request_digest {
            let claimed = Claimed {
                intent_id: standing.intent.id,
                intent,
                attempt: &answer.attempt_id,
                account: &account,
                worker: &name,
                now,
            };
            request_digest::keep(engine, tx, &claimed, digest).await?;
        }
        keep(tx, &standing, request, &answer, now).await?;
        Ok(Answered::Done(answer))
    })
}

/// The answer that was given under this claim id while its lease lasts. A claim id whose lease is
/// over, or that asks for something else, is refused.
async fn answered(
    tx: &mut Tx,
    standing: &Standing,
    request: &ClaimRequest,
    now: Instant,
) -> Result<Option<ClaimAnswer>, Error> {
    let Some(claim_id) = &request.claim_id else {
        return Ok(None);
    };
    let key = key_of(standing, claim_id);
    let Some(before) = registry::answer(&mut *tx, Question::Claim, &key).await? else {
        return Ok(None);
    };
    if before.input_hash != hash_of(request)? {
        return Err(Refusal::reused("claim_id", claim_id));
    }
    let answer: ClaimAnswer = read(&key, &before)?;
    let attempt = standing
        .attempts
        .iter()
        .find(|a| a.public_id == answer.attempt_id)
        .ok_or_else(|| Error::Internal("a claimed attempt is gone".to_owned()))?;
    let holds = Standing::outcome(attempt)? == Outcome::InFlight && now < answer.lease_expires_at;
    if holds {
        return Ok(Some(answer));
    }
    Err(Error::from(Box::new(Refusal::ClaimIsOver {
        current: standing.current(),
    })))
}

async fn account(tx: &mut Tx, name: &str) -> Result<ProviderAccount, Error> {
    let known = accounts::all(&mut *tx).await?;
    known.into_values().find(|a| a.name == name).ok_or_else(|| {
        let name: String = name.chars().take(80).collect();
        Error::invalid("provider", format!("there is no provider account {name:?}"))
    })
}

fn new_attempt(
    engine: &Engine,
    standing: &Standing,
    account: &ProviderAccount,
    now: Instant,
) -> Result<AttemptRow, Error> {
    let operation = standing.intent.public_id.as_str();
    let key = next_key(operation, &standing.earlier()?, longest_key(account.kind));
    Ok(AttemptRow {
        attempt_id: engine.sources.ids.public_id(),
        number: standing.attempts.last().map_or(0, |a| a.number) + 1,
        provider: account.name.clone(),
        idempotency_key: key,
        provider_payment_id: String::new(),
        started_at: now,
        finished_at: None,
        outcome: Outcome::InFlight,
        error_code: String::new(),
    })
}

/// Keeps the answer under the claim id, or under the attempt where the worker gave none.
async fn keep(
    tx: &mut Tx,
    standing: &Standing,
    request: &ClaimRequest,
    answer: &ClaimAnswer,
    now: Instant,
) -> Result<(), Error> {
    let key = match &request.claim_id {
        Some(claim_id) => key_of(standing, claim_id),
        None => answer.attempt_id.clone(),
    };
    let kept = given(hash_of(request)?, answer)?;
    if registry::add_answer(tx, Question::Claim, &key, &kept, now).await? {
        Ok(())
    } else {
        Err(Error::Internal(format!("claim {key} was kept twice")))
    }
}

/// A claim id is one worker's for one try of one intent.
fn key_of(standing: &Standing, claim_id: &str) -> String {
    format!("{}:{claim_id}", standing.intent.id)
}
