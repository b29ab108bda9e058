//! Puts a decision in force: its rulings stand, the case moves, and what follows is derived.

use super::{
    Step,
    decide_case::{StoredParams, after},
    step,
};
use crate::{
    Error,
    derive::{Buckets, Cause, Seeds, derive, foresee::Way},
    ingest::{TAKING_BACK, close},
    post_entries::post_entries,
    seal::Leaves,
    storage::{
        Tx,
        cases::StoredCase,
        decisions::{self, StoredDecision},
        entries::NewEntry,
        files, matching, stored,
        tx::Connected,
    },
};
use domain::{
    cases::{Action, CaseMove, CaseState},
    matching::{Accounts, LineName, Ruling, RulingSubject},
    money::Money,
    posting::{
        Posting,
        entries::{accepted_residual, reversed},
    },
    time::Instant,
};
use std::collections::BTreeSet;

/// What must go on outside of the transaction.
#[derive(Debug, Default)]
pub struct Applied {
    /// Provider account whose files a worker must go on with.
    pub work_account: Option<i64>,
}

/// Puts a decision in force.
pub async fn apply(
    tx: &mut Tx,
    leaves: &mut Leaves,
    accounts: &Accounts,
    case: &mut StoredCase,
    decision: &StoredDecision,
    actor: &str,
    now: Instant,
) -> Result<Applied, Error> {
    let action: Action =
        stored::parse("decision", "action", &decision.public_id, &decision.action)?;
    let params: StoredParams =
        stored::json("decision", "params", &decision.public_id, &decision.params)?;
    let because = format!("{action}: {}", decision.reason_code);
    match action {
        Action::ReverseDecision => {
            return reverse(tx, leaves, accounts, case, decision, actor, now).await;
        }
        Action::Snooze | Action::WaitForProvider => {
            case.wake_at = params.wake_at.map(Instant::micros);
            let state = after(&case.state, CaseMove::Snooze, &case.public_id)?;
            let next = Step {
                actor,
                now,
                what: "snoozed",
                state,
                because: &because,
            };
            step(tx, leaves, accounts, case, next).await?;
        }
        Action::Escalate => {
            // Kept apart, so that neither age nor evidence takes it back.
            case.escalated += 1;
            case.severity = crate::derive::cases::severity_of(case, now)?;
            case.owner_id = None;
            case.lease_until = None;
            let next = Step {
                actor,
                now,
                what: "escalated",
                state: CaseState::Open,
                because: &because,
            };
            step(tx, leaves, accounts, case, next).await?;
        }
        Action::Reopen => {
            let state = after(&case.state, CaseMove::Reopen, &case.public_id)?;
            let next = Step {
                actor,
                now,
                what: "reopened",
                state,
                because: &because,
            };
            step(tx, leaves, accounts, case, next).await?;
        }
        _ => {
            let state = after(&case.state, CaseMove::Resolve, &case.public_id)?;
            action.code().clone_into(&mut case.resolution);
            let next = Step {
                actor,
                now,
                what: "decided",
                state,
                because: &because,
            };
            step(tx, leaves, accounts, case, next).await?;
        }
    }
    let tried_again = match (action, case.file_id) {
        (Action::Retry, Some(file)) => Some(begin_again(tx, file).await?),
        _ => None,
    };
    let rulings = parsed(&params.rulings, &decision.public_id)?;
    for (subject, ruling) in &rulings {
        decisions::put_ruling(
            tx,
            &subject.to_string(),
            decision.id,
            &stored::to_json(ruling)?,
        )
        .await?;
    }
    if action == Action::Reopen {
        // What was decided still stands: judged anew, the case would close again before anybody could
        // look at it. It stays open until it is decided, or until evidence about it comes.
        let seeds = seeds_of(&mut *tx, case, &rulings).await?;
        check_in_books(tx, &seeds).await?;
        return Ok(Applied::default());
    }
    let applied = follow(
        tx,
        leaves,
        accounts,
        case,
        decision,
        &rulings,
        Way::Into,
        actor,
        now,
    )
    .await?;
    Ok(Applied {
        work_account: applied.work_account.or(tried_again),
    })
}

/// Lets work on a file that stopped go on; gives its provider account.
async fn begin_again(tx: &mut Tx, file: i64) -> Result<i64, Error> {
    let mut file = files::by_id(&mut *tx, file).await?;
    file.failures = 0;
    file.error.clear();
    files::put(tx, &file).await?;
    Ok(file.account_id)
}

/// Takes another decision's rulings out of force again.
async fn reverse(
    tx: &mut Tx,
    leaves: &mut Leaves,
    accounts: &Accounts,
    case: &mut StoredCase,
    decision: &StoredDecision,
    actor: &str,
    now: Instant,
) -> Result<Applied, Error> {
    let id = decision
        .reverses
        .ok_or_else(|| Error::Internal("a reversal names no decision".to_owned()))?;
    let old = decisions::by_id(&mut *tx, id)
        .await?
        .ok_or_else(|| Error::not_found("decision", id))?;
    if old.state != "APPLIED" {
        return Err(Error::Conflict(format!(
            "this decision is {} already",
            old.state.to_lowercase()
        )));
    }
    let params: StoredParams = stored::json("decision", "params", &old.public_id, &old.params)?;
    if params.rulings.is_empty() {
        return Err(Error::Conflict(
            "this decision set nothing that could be taken back".to_owned(),
        ));
    }
    check_nothing_stands_above(tx, &old, &params).await?;
    decisions::take_back_rulings(tx, old.id).await?;
    decisions::set_state(tx, old.id, "REVERSED").await?;
    let because = format!("reverse_decision: {}", old.action);
    let state = if case.state == CaseState::Resolved.code() {
        after(&case.state, CaseMove::Reopen, &case.public_id)?
    } else {
        CaseState::Open
    };
    let next = Step {
        actor,
        now,
        what: "reopened",
        state,
        because: &because,
    };
    step(tx, leaves, accounts, case, next).await?;
    let rulings = parsed(&params.rulings, &old.public_id)?;
    follow(
        tx,
        leaves,
        accounts,
        case,
        decision,
        &rulings,
        Way::OutOf,
        actor,
        now,
    )
    .await
}

/// A later decision about the same thing is taken back first: what it was based on stands beneath it.
async fn check_nothing_stands_above(
    tx: &mut Tx,
    old: &StoredDecision,
    params: &StoredParams,
) -> Result<(), Error> {
    for (subject, _) in &params.rulings {
        let standing = decisions::ruling_about(&mut *tx, subject).await?;
        let Some(above) = standing.filter(|s| s.decision_id != old.id) else {
            continue;
        };
        let later = decisions::by_id(&mut *tx, above.decision_id)
            .await?
            .ok_or_else(|| Error::not_found("decision", above.decision_id))?;
        return Err(Error::Conflict(format!(
            "a later decision stands about the same thing ({} by {}): take that back first",
            later.action.replace('_', " "),
            later.decider
        )));
    }
    Ok(())
}

/// Rulings as a decision stores them, by subject.
pub(super) fn parsed(
    rulings: &[(String, Ruling)],
    decision: &str,
) -> Result<Vec<(RulingSubject, Ruling)>, Error> {
    rulings
        .iter()
        .map(|(subject, ruling)| {
            let subject = subject
                .parse()
                .map_err(|e| stored::corrupt("decision", "params", decision, &e))?;
            Ok((subject, ruling.clone()))
        })
        .collect()
}

/// Everything that follows from rulings that came or went.
#[allow(clippy::too_many_arguments)] // the parts of one transaction
async fn follow(
    tx: &mut Tx,
    leaves: &mut Leaves,
    accounts: &Accounts,
    case: &StoredCase,
    decision: &StoredDecision,
    rulings: &[(RulingSubject, Ruling)],
    way: Way,
    actor: &str,
    now: Instant,
) -> Result<Applied, Error> {
    let mut applied = Applied::default();
    let seeds = seeds_of(&mut *tx, case, rulings).await?;
    check_in_books(tx, &seeds).await?;
    for (subject, ruling) in rulings {
        match subject {
            RulingSubject::Batch(_) => {
                accept_batch(tx, leaves, accounts, case, decision, ruling, way, now).await?;
            }
            RulingSubject::File(_) => {
                applied.work_account =
                    accept_file(tx, leaves, accounts, case, way, actor, now).await?;
            }
            _ => {}
        }
    }
    if !rulings.is_empty() {
        let cause = Cause {
            kind: "decision",
            name: &decision.public_id,
            actor,
            decided: Some(now),
            now,
        };
        let (passed, given) = (case.account_id, Buckets::Given(&[]));
        derive(tx, leaves, accounts, passed, &seeds, given, cause).await?;
    }
    count_odd_rows(tx, case, rulings, way).await?;
    if let (Some(batch), Some(account)) = (case.batch_id, accounts.get(&case.account_id)) {
        for batch in files::batches(&mut *tx, std::iter::once(batch)).await? {
            close::batch_case(tx, leaves, accounts, account, &batch, now).await?;
        }
    }
    if let Some(file) = case.file_id {
        let file = files::by_id(&mut *tx, file).await?;
        close::file_cases(tx, leaves, accounts, &file, now).await?;
    }
    Ok(applied)
}

/// Refuses what would be decided about lines whose file is taken back, or was.
async fn check_in_books(tx: &mut Tx, seeds: &Seeds) -> Result<(), Error> {
    let lines = matching::lines(&mut *tx, seeds.lines.iter().copied()).await?;
    let mut gone = lines.iter().any(|l| l.verdict == "HELD");
    let of_files: BTreeSet<i64> = lines.iter().map(|l| l.file_id).collect();
    for file in of_files {
        gone |= files::by_id(&mut *tx, file).await?.state == TAKING_BACK;
    }
    if gone {
        return Err(Error::Conflict(
            "the file of its line was taken back out of the books: there is nothing to decide"
                .to_owned(),
        ));
    }
    Ok(())
}

/// Keeps the number of a batch's rows whose net is off and that nobody accepted.
async fn count_odd_rows(
    tx: &mut Tx,
    case: &StoredCase,
    rulings: &[(RulingSubject, Ruling)],
    way: Way,
) -> Result<(), Error> {
    let accepted = rulings
        .iter()
        .filter(|(subject, _)| matches!(subject, RulingSubject::Difference(_)))
        .count();
    let (Some(batch), Some(currency), true) =
        (case.batch_id, case.subject.rsplit(':').next(), accepted > 0)
    else {
        return Ok(());
    };
    let accepted = i64::try_from(accepted).unwrap_or(i64::MAX);
    let change = if way == Way::Into {
        -accepted
    } else {
        accepted
    };
    Ok(files::add_odd_rows(tx, batch, currency, change).await?)
}

/// Where judging begins when rulings about a case come or go.
pub(super) async fn seeds_of(
    mut tx: impl Connected,
    case: &StoredCase,
    rulings: &[(RulingSubject, Ruling)],
) -> Result<Seeds, Error> {
    let mut seeds = Seeds::default();
    seeds.intents.extend(case.intent_id);
    seeds.lines.extend(case.line_id);
    let mut attempts: BTreeSet<String> = BTreeSet::new();
    for (subject, ruling) in rulings {
        match subject {
            RulingSubject::Line(name)
            | RulingSubject::Figures(name)
            | RulingSubject::Difference(name) => {
                let found = line(&mut tx, case.account_id, name).await?;
                seeds.lines.extend(found);
            }
            RulingSubject::Attempt(id)
            | RulingSubject::Missing(id)
            | RulingSubject::External(id) => {
                attempts.insert(id.clone());
            }
            RulingSubject::Batch(_) | RulingSubject::File(_) | RulingSubject::Case(..) => {}
        }
        if let Ruling::MatchTo { shares, .. } = ruling {
            attempts.extend(shares.iter().map(|s| s.attempt.clone()));
        }
    }
    let intents = attempts.iter().map(String::as_str);
    seeds
        .intents
        .extend(decisions::intents_of_attempts(&mut tx, intents).await?);
    Ok(seeds)
}

async fn line(tx: impl Connected, account: i64, name: &LineName) -> Result<Vec<i64>, Error> {
    let start = hex::decode(&name.file).map_err(|e| Error::Internal(e.to_string()))?;
    let line_no = i64::try_from(name.line_no).unwrap_or(i64::MAX);
    Ok(decisions::lines_by_name(tx, account, &start, line_no).await?)
}

/// The residual of a batch that a ruling accepts, and the postings of that or of taking it back.
pub(super) fn residual_postings(
    case: &StoredCase,
    ruling: &Ruling,
    way: Way,
) -> Result<(i64, Vec<Posting>), Error> {
    let (Ruling::AcceptResidual { residual }, Some(currency)) =
        (ruling, case.subject.rsplit(':').next())
    else {
        return Ok((0, Vec::new()));
    };
    let currency = stored::parse("case_now", "currency", &case.public_id, currency)?;
    let postings =
        accepted_residual(Money::new(*residual, currency)).map_err(crate::derive::overflow)?;
    Ok((
        *residual,
        match way {
            Way::Into => postings,
            Way::OutOf => reversed(&postings).map_err(crate::derive::overflow)?,
        },
    ))
}

/// Accepts a batch's residual, or takes that back: its own entry, once.
#[allow(clippy::too_many_arguments)] // the parts of one transaction
async fn accept_batch(
    tx: &mut Tx,
    leaves: &mut Leaves,
    accounts: &Accounts,
    case: &StoredCase,
    decision: &StoredDecision,
    ruling: &Ruling,
    way: Way,
    now: Instant,
) -> Result<(), Error> {
    let (Ruling::AcceptResidual { residual }, Some(batch_id)) = (ruling, case.batch_id) else {
        return Ok(());
    };
    let Some(currency) = case.subject.rsplit(':').next() else {
        return Ok(());
    };
    if files::is_taking_back(&mut *tx, case.account_id).await? {
        return Err(Error::Conflict(
            "a file of this account is being taken back, perhaps with rows of this batch: decide when that is done"
                .to_owned(),
        ));
    }
    let left = decisions::adjust(tx, batch_id, currency, *residual, way == Way::Into).await?;
    if !left {
        return Err(Error::Conflict(
            "what is left of the batch is not what this case shows any more: look again".to_owned(),
        ));
    }
    let (_, postings) = residual_postings(case, ruling, way)?;
    if postings.is_empty() {
        return Ok(());
    }
    let zone = accounts
        .get(&case.account_id)
        .map_or(domain::time::Zone::UTC, |a| a.zone);
    let names = files::batch_names(&mut *tx, std::iter::once(batch_id)).await?;
    // What takes an entry back bears its cause, and so names it.
    let cause = match decision.reverses {
        Some(old) if way == Way::OutOf => decisions::by_id(&mut *tx, old)
            .await?
            .map_or_else(|| decision.public_id.clone(), |d| d.public_id),
        _ => decision.public_id.clone(),
    };
    let entry = NewEntry {
        account_id: case.account_id,
        accounting_day: now.day_in(zone).number(),
        batch_id,
        batch: names.get(&batch_id).cloned().unwrap_or_default(),
        cause_kind: if way == Way::Into {
            "decision"
        } else {
            "reversal"
        },
        cause,
        detail: stored::to_json(&serde_json::json!({
            "residual": residual,
            "because": decision.public_id,
        }))?,
        postings,
    };
    post_entries(tx, leaves, now, &[entry]).await?;
    Ok(())
}

/// Accepts a file without the rows that could not be read; a held one is sent on its way.
async fn accept_file(
    tx: &mut Tx,
    leaves: &mut Leaves,
    accounts: &Accounts,
    case: &StoredCase,
    way: Way,
    actor: &str,
    now: Instant,
) -> Result<Option<i64>, Error> {
    let Some(id) = case.file_id else {
        return Ok(None);
    };
    let mut file = files::by_id(&mut *tx, id).await?;
    if way == Way::OutOf {
        return Err(Error::Conflict(
            "the file's rows are in the ledger: take back what was decided about them one by one"
                .to_owned(),
        ));
    }
    let provider = accounts
        .get(&case.account_id)
        .map_or("", |a| a.name.as_str());
    let goes_on = crate::ingest::accept_rows(tx, leaves, &mut file, actor, provider, now).await?;
    Ok(goes_on.then_some(file.account_id))
}
