//! Outcomes of attempts and states of intents, as the money says them.

use super::{Loaded, Work, load::line_name, overflow};
use crate::{
    Error,
    post_entries::post_entries,
    storage::{
        StorageError, decisions,
        entries::NewEntry,
        matching,
        payments::{self, IntentVersion, NewAttemptEvent, Permit, StoredAttempt, StoredIntent},
        store::Backend,
        stored,
        tx::Connected,
    },
};
use domain::{
    matching::{AttemptJudgement, Judgement},
    money::{Currency, Money},
    payment::{Direction, IntentState, Outcome, REFUND, intent_state},
    posting::{LedgerAccount, Posting, entries::reversed, missing_write_off},
    seal::records::{AttemptEventRecord, IntentEventRecord, acted_at_of_cause},
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Writes what differs.
pub(crate) async fn write(
    work: &mut Work<'_>,
    loaded: &Loaded,
    judgement: &Judgement,
) -> Result<(), Error> {
    write_learned(work, loaded, judgement).await?;
    write_outcomes(work, loaded, judgement).await?;
    write_states(work, loaded, judgement).await
}

async fn write_learned(
    work: &mut Work<'_>,
    loaded: &Loaded,
    judgement: &Judgement,
) -> Result<(), Error> {
    let wanted: BTreeSet<(i64, i64, String, i64)> = judgement
        .learned
        .iter()
        .map(|l| (l.attempt, l.account, l.id.clone(), l.line))
        .collect();
    if wanted == loaded.learned {
        return Ok(());
    }
    let attempts: BTreeSet<i64> = wanted
        .symmetric_difference(&loaded.learned)
        .map(|l| l.0)
        .collect();
    matching::drop_learned_ids(work.tx, attempts.iter().copied()).await?;
    let mut rows = payments::attempt_id_rows();
    for (attempt, account, id, line) in wanted.iter().filter(|l| attempts.contains(&l.0)) {
        rows.add()
            .int(*account)
            .text(id)
            .int(*attempt)
            .text("line")
            .opt_int(Some(*line));
    }
    payments::put_attempt_ids(work.tx, &rows).await?;
    Ok(())
}

async fn write_outcomes(
    work: &mut Work<'_>,
    loaded: &Loaded,
    judgement: &Judgement,
) -> Result<(), Error> {
    let mut changes = Vec::new();
    let mut entries = Vec::new();
    for judged in &judgement.attempts {
        let Some(attempt) = loaded.attempts.get(&judged.attempt) else {
            continue;
        };
        let was = attempt.written_off;
        let is = judged.written_off.map_or(0, |m| m.minor);
        if was != is {
            entries.extend(write_off_entry(work, loaded, attempt, was, is).await?);
        }
        if attempt.outcome_now != judged.outcome.code() || was != is {
            changes.push((attempt, judged, is));
        }
    }
    if changes.is_empty() {
        return Ok(());
    }
    post_entries(work.tx, work.leaves, work.cause.now, &entries).await?;
    let causes: Vec<(&'static str, String)> = changes
        .iter()
        .map(|(_, judged, _)| cause_of(work, loaded, judged))
        .collect();
    let mut events = Vec::new();
    let mut now = payments::attempt_now_rows();
    for ((attempt, judged, written_off), (cause_kind, cause)) in changes.iter().zip(&causes) {
        let mut seq = attempt.seq;
        if attempt.outcome_now != judged.outcome.code() {
            seq += 1;
            events.push(NewAttemptEvent {
                attempt_id: attempt.id,
                seq,
                outcome: judged.outcome.code(),
                provider_payment_id: "",
                finished_at: None,
                error_code: "",
                cause_kind,
                cause,
                at: work.cause.now.micros(),
            });
        }
        now.add()
            .int(attempt.id)
            .int(attempt.account_id)
            .text(&attempt.reported)
            .text(judged.outcome.code())
            .int(seq)
            .int(work.cause.now.micros())
            .int(*written_off);
    }
    payments::insert_attempt_events(work.tx, &events).await?;
    payments::put_attempt_now(work.tx, &now).await?;
    for event in &events {
        let Some(attempt) = loaded.attempts.get(&event.attempt_id) else {
            continue;
        };
        work.leaves.push_part(
            event.attempt_id,
            event.seq,
            &AttemptEventRecord {
                attempt: &attempt.public_id,
                seq: event.seq,
                outcome: event.outcome,
                provider_payment_id: event.provider_payment_id,
                finished_at: event.finished_at,
                error_code: event.error_code,
                cause_kind: event.cause_kind,
                cause: event.cause,
                acted_at: acted_at_of_cause(event.cause_kind, work.cause.now.micros()),
            },
        );
    }
    Ok(())
}

fn cause_of(work: &Work<'_>, loaded: &Loaded, judged: &AttemptJudgement) -> (&'static str, String) {
    if work.cause.decided.is_some() {
        return (work.cause.kind, work.cause.name.to_owned());
    }
    match judged.cause_line.and_then(|id| loaded.lines.get(&id)) {
        Some(line) => ("line", line_name(&line.sha256, line.line_no).to_string()),
        None => (work.cause.kind, work.cause.name.to_owned()),
    }
}

/// What turns the amount written off for an attempt from one into the other. Both bear the cause of
/// the decision that wrote off, so that the one that takes back names the one it takes back.
async fn write_off_entry(
    work: &mut Work<'_>,
    loaded: &Loaded,
    attempt: &StoredAttempt,
    was: i64,
    is: i64,
) -> Result<Option<NewEntry>, Error> {
    let Some(intent) = loaded.intents.get(&attempt.intent_id) else {
        return Ok(None);
    };
    let Some(account) = work.accounts.get(&attempt.account_id) else {
        return Ok(None);
    };
    let decision = decisions::write_off_of_attempt(&mut *work.tx, &attempt.public_id)
        .await?
        .unwrap_or_else(|| work.cause.name.to_owned());
    Ok(Some(NewEntry {
        account_id: attempt.account_id,
        accounting_day: (work.cause.decided)
            .unwrap_or(work.cause.now)
            .day_in(account.zone)
            .number(),
        batch_id: 0,
        batch: String::new(),
        cause_kind: if is > was { "decision" } else { "reversal" },
        cause: format!("{decision}:missing:{}", attempt.public_id),
        detail: stored::to_json(&serde_json::json!({
            "attempt": attempt.public_id,
            "written_off": is,
            "because": work.cause.name,
        }))?,
        postings: write_off_postings(intent, was, is)?,
    }))
}

/// The postings that turn the amount written off for an attempt of an intent from one into the other.
pub(crate) fn write_off_postings(
    intent: &StoredIntent,
    was: i64,
    is: i64,
) -> Result<Vec<Posting>, Error> {
    let currency: Currency =
        stored::parse("intent", "currency", &intent.public_id, &intent.currency)?;
    let expected = if intent.operation == REFUND {
        LedgerAccount::Refunds
    } else if intent.direction == Direction::In.code() {
        LedgerAccount::Receipts
    } else {
        LedgerAccount::Disbursements
    };
    let change = is
        .checked_sub(was)
        .ok_or_else(|| overflow(domain::money::AmountOverflow))?;
    let amount = Money::new(change.saturating_abs(), currency);
    let postings = missing_write_off(amount, expected).map_err(overflow)?;
    if change < 0 {
        return reversed(&postings).map_err(overflow);
    }
    Ok(postings)
}

/// The state of an intent is a function of its attempts; where it changed, one version more. A claim
/// passes no gate: where it added an attempt since the attempts were loaded, all of it begins again.
async fn write_states(
    work: &mut Work<'_>,
    loaded: &Loaded,
    judgement: &Judgement,
) -> Result<(), Error> {
    let outcome_of: HashMap<i64, Outcome> = judgement
        .attempts
        .iter()
        .map(|a| (a.attempt, a.outcome))
        .collect();
    let mut registered: BTreeMap<i64, (Vec<Outcome>, Vec<Outcome>)> = BTreeMap::new();
    for attempt in loaded.attempts.values() {
        let parse = |column, text: &str| stored::parse("attempt", column, &attempt.public_id, text);
        let now = match outcome_of.get(&attempt.id) {
            Some(outcome) => *outcome,
            None => parse("outcome", &attempt.outcome_now)?,
        };
        let pair = registered.entry(attempt.intent_id).or_default();
        pair.0.push(parse("outcome", &attempt.outcome)?);
        pair.1.push(now);
    }
    let standing = payments::intent_versions(&mut *work.tx, registered.keys().copied()).await?;
    let mut changed = Vec::new();
    for version in standing {
        let Some((first, now)) = registered.get(&version.id) else {
            continue;
        };
        let permitted = version.resend_permitted == 1;
        let policy = stored::parse(
            "intent",
            "loss_policy",
            &version.public_id,
            &version.loss_policy,
        )?;
        let state = intent_state(now, permitted, policy);
        let was = if version.state.is_empty() {
            intent_state(first, permitted, policy).code()
        } else {
            version.state.as_str()
        };
        if was != state.code() {
            changed.push((version, state));
        }
    }
    changed.sort_unstable_by_key(|(version, _)| version.id);
    none_came(work, loaded, &changed).await?;
    let (kind, name) = (work.cause.kind, work.cause.name);
    for change in
        payments::advance_intents(work.tx, &changed, Permit::Kept, kind, name, work.cause.now)
            .await?
    {
        work.leaves.push_part(
            change.intent_id,
            change.version,
            &IntentEventRecord {
                intent: &change.public_id,
                version: change.version,
                state: change.state.code(),
                cause_kind: kind,
                cause: name,
                acted_at: acted_at_of_cause(kind, work.cause.now.micros()),
            },
        );
    }
    Ok(())
}

/// Refuses where an intent that is about to change has an attempt that was not there when its attempts
/// were loaded. Those that come after this look move the version that is written here.
async fn none_came(
    work: &mut Work<'_>,
    loaded: &Loaded,
    changed: &[(IntentVersion, IntentState)],
) -> Result<(), Error> {
    if changed.is_empty() || work.tx.backend() == Backend::Sqlite {
        return Ok(());
    }
    let intents = changed.iter().map(|(version, _)| version.id);
    let there = payments::attempt_numbers(&mut *work.tx, intents).await?;
    match there.iter().find(|a| !loaded.attempts.contains_key(&a.id)) {
        Some(new) => Err(Error::Storage(StorageError::Busy {
            detail: format!(
                "attempt {} came while its payment was judged",
                new.public_id
            ),
        })),
        None => Ok(()),
    }
}
