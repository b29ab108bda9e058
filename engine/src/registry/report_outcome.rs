//! Takes what came of an attempt.
//!
//! The report that an attempt waits for sets its outcome. One that comes after the lease, after
//! another report or with an old version is kept as evidence and judged with everything else that is
//! known: it may still resolve an outcome that nobody knew, and it opens a case where it contradicts
//! a final one. The same report again gives the stored answer, whatever the version.

use super::{Answered, given, hash_of, invalid, read, standing::Standing};
use crate::{
    Engine, Error,
    derive::{Buckets, Cause, Seeds, derive},
    import_payments::{
        plan::{Effect, Known, Plan, Update, report},
        write::{Origin, write},
    },
    in_tx,
    seal::Leaves,
    storage::{
        StorageError, Tx, accounts, payments,
        registry::{self, Question},
    },
};
use domain::{
    actor::{Actor, Permission},
    payment::Outcome,
    payments_file::AttemptRow,
    registry::{Report, ReportText, Taking, read_report, taking},
    time::Instant,
    view::registry::{ReportAnswer, ReportResult},
};

/// Takes a report about an attempt.
pub async fn report_outcome(
    engine: &Engine,
    actor: &Actor,
    attempt: &str,
    text: &ReportText,
) -> Result<Answered<ReportAnswer>, Error> {
    actor.require(Permission::RegisterPayments)?;
    let said = read_report(text).map_err(invalid)?;
    let (now, name) = (engine.now(), actor.name());
    // The version is where the worker stood, not what it says.
    let hash = hash_of(&(
        said.outcome,
        &said.provider_payment_id,
        &said.error_code,
        &said.detail,
    ))?;
    let key = format!("{attempt}:{}", hex::encode(&hash));
    in_tx!(engine.store, |tx| {
        let Some((known, intent)) = find(tx, attempt).await? else {
            return Err(Error::not_found("attempt", attempt));
        };
        // The account's gate first, as everybody who judges does: no two wait for each other.
        let account = known.account;
        accounts::pass_gate(tx, account).await?;
        let before = Standing::lock(tx, &intent)
            .await?
            .ok_or_else(|| Error::not_found("intent", &intent))?;
        if let Some(given) = registry::answer(&mut *tx, Question::Report, &key).await? {
            return Ok(Answered::Again(read(&key, &given)?));
        }
        // Another report may have come before the lock was ours.
        let (known, _) = find(tx, attempt)
            .await?
            .ok_or_else(|| Error::not_found("attempt", attempt))?;
        let taken = taking(
            known.outcome_now,
            before.intent.version,
            text.expected_version,
        );
        let plan = Plan {
            updates: vec![update(&intent, attempt, known, &said, now)?],
            ..Plan::default()
        };
        let origin = Origin {
            detail: &said.detail,
            ..Origin::api(&name)
        };
        write(engine, tx, &plan, &origin).await?;
        judge(engine, tx, account, before.intent.id, &name, now).await?;
        let answer = answer(tx, &intent, attempt, taken).await?;
        registry::add_answer(
            tx,
            Question::Report,
            &key,
            &given(hash.clone(), &answer)?,
            now,
        )
        .await?;
        Ok(Answered::Done(answer))
    })
}

/// What is known of an attempt, and the company's id of its intent.
async fn find(tx: &mut Tx, attempt: &str) -> Result<Option<(Known, String)>, Error> {
    let found = payments::attempts_by_public_id(&mut *tx, std::iter::once(attempt)).await?;
    let Some(stored) = found.into_iter().next() else {
        return Ok(None);
    };
    let reports = payments::last_reports(&mut *tx, std::iter::once(stored.id)).await?;
    let known = Known::of(&stored, reports.last())?;
    let names = payments::intent_names(&mut *tx, std::iter::once(stored.intent_id)).await?;
    let intent = names
        .into_iter()
        .next()
        .map(|(_, public_id, _)| public_id)
        .ok_or_else(|| corrupt(attempt))?;
    Ok(Some((known, intent)))
}

fn corrupt(attempt: &str) -> Error {
    Error::from(StorageError::Corrupt {
        table: "attempt",
        column: "intent_id",
        row: attempt.to_owned(),
        problem: "its intent is missing".to_owned(),
    })
}

/// What the report does to its attempt. Whatever it does, it is kept as evidence.
fn update(
    intent: &str,
    attempt: &str,
    mut known: Known,
    said: &Report,
    now: Instant,
) -> Result<Update, Error> {
    let row = AttemptRow {
        attempt_id: attempt.to_owned(),
        number: known.number,
        provider: String::new(),
        idempotency_key: known.idempotency_key.clone(),
        provider_payment_id: said.provider_payment_id.clone(),
        started_at: known.started_at,
        finished_at: Some(now),
        outcome: said.outcome,
        error_code: said.error_code.clone(),
    };
    let is_newer = match known.reported {
        Outcome::InFlight => true,
        Outcome::Unknown => said.outcome != Outcome::Unknown,
        _ => false,
    };
    // What stands stays: a report that brings no newer outcome only fills what was empty.
    let fills = AttemptRow {
        provider_payment_id: keep_unless_empty(
            &known.provider_payment_id,
            &said.provider_payment_id,
        ),
        finished_at: (is_newer || known.finished_at.is_none()).then_some(now),
        error_code: if is_newer || known.error_code.is_empty() {
            said.error_code.clone()
        } else {
            String::new()
        },
        ..row.clone()
    };
    let stood = known.clone();
    let changed = report(intent, &fills, &mut known).map_err(Error::Internal)?;
    Ok(match changed {
        Some(update) => Update { row, ..update },
        None => Update {
            intent_id: intent.to_owned(),
            known: stood,
            filled_id: String::new(),
            effect: Effect::Testifies,
            stands_on: None,
            row,
        },
    })
}

/// Nothing where an id stands already: it is never replaced.
fn keep_unless_empty(stands: &str, said: &str) -> String {
    if stands.is_empty() {
        said.to_owned()
    } else {
        String::new()
    }
}

/// Judges everything that hangs together with the intent, now that more is known of it.
async fn judge(
    engine: &Engine,
    tx: &mut Tx,
    account: i64,
    intent: i64,
    name: &str,
    now: Instant,
) -> Result<(), Error> {
    let known = accounts::all(&mut *tx).await?;
    let mut leaves = Leaves::begin(tx, &engine.sources).await?;
    let seeds = Seeds {
        intents: [intent].into(),
        ..Seeds::default()
    };
    let cause = Cause {
        kind: "report",
        name,
        actor: domain::seal::records::MACHINE,
        decided: None,
        now,
    };
    let given = Buckets::Given(&[]);
    derive(tx, &mut leaves, &known, account, &seeds, given, cause).await?;
    leaves.write(tx).await
}

/// How attempt and intent stand after the report.
async fn answer(
    tx: &mut Tx,
    intent: &str,
    attempt: &str,
    taken: Taking,
) -> Result<ReportAnswer, Error> {
    let after = Standing::read(tx, intent)
        .await?
        .ok_or_else(|| Error::not_found("intent", intent))?;
    let shown = after
        .attempts
        .iter()
        .find(|a| a.public_id == attempt)
        .ok_or_else(|| corrupt(attempt))?;
    let current = after.current();
    Ok(ReportAnswer {
        result: match taken {
            Taking::Answer => ReportResult::Recorded,
            Taking::Evidence => ReportResult::RecordedAsEvidence,
        },
        attempt_id: attempt.to_owned(),
        outcome: Standing::outcome(shown)?,
        state: current.state,
        version: current.version,
        current,
    })
}
