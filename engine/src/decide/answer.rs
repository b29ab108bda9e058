//! A second person's answer to a decision that waits for one.
//!
//! Postings of a decision happen only here, in the transaction of the approval. Nobody approves
//! their own decision, nor one by an account that they made, nor with an account that its decider made. What
//! somebody decided who may no longer decide is refused or waits.

use super::{
    Step, apply,
    decide_case::{Decided, StoredParams, after},
    step,
};
use crate::{
    Engine, Error, audit, in_tx,
    seal::Leaves,
    storage::{
        Tx, accounts,
        cases::{self, StoredCase},
        decisions::{self, StoredDecision},
        stored,
        tx::Connected,
        users,
    },
    users::{may_approve, may_decide},
};
use domain::{
    actor::{Actor, Permission},
    cases::{CaseMove, Refusal},
    seal::{Text, records::ApprovalRecord},
};

/// Says yes or no to a waiting decision.
pub async fn answer_decision(
    engine: &Engine,
    actor: &Actor,
    decision_id: &str,
    approve: bool,
    comment: &str,
) -> Result<Decided, Error> {
    actor.require(Permission::Approve)?;
    let Some((approver, email)) = actor.person() else {
        return Err(Error::Conflict(
            "an approval is a person's: sign in, or use a token that acts as one".to_owned(),
        ));
    };
    let comment: String = comment.trim().chars().take(2_000).collect();
    if !approve && comment.is_empty() {
        return Err(Error::invalid("comment", "say why the decision is refused"));
    }
    let now = engine.now();
    in_tx!(engine.store, |tx| {
        let (mut case, mut decision) = waiting(tx, decision_id).await?;
        check_second(tx, &decision, approver).await?;
        if approve {
            check_decider(&mut *tx, &decision).await?;
        }
        if decision.evidence_version != case.evidence_version {
            return Err(Error::Conflict(
                "the evidence changed since this was decided: it must be decided anew".to_owned(),
            ));
        }
        let accounts = accounts::all(&mut *tx).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        decisions::insert_approval(tx, decision.id, approve, &comment, approver, now.micros())
            .await?;
        leaves.push(
            decision.id,
            &ApprovalRecord {
                decision: &decision.public_id,
                approved: i64::from(approve),
                comment: Text::Plain(&comment),
                approved_by: Text::Plain(email),
                approved_at: now.micros(),
            },
        );
        let name = actor.name();
        let mut work_account = None;
        if approve {
            "APPLIED".clone_into(&mut decision.state);
            decisions::set_state(tx, decision.id, "APPLIED").await?;
            let applied =
                apply::apply(tx, &mut leaves, &accounts, &mut case, &decision, &name, now).await?;
            work_account = applied.work_account;
        } else {
            "REFUSED".clone_into(&mut decision.state);
            decisions::set_state(tx, decision.id, "REFUSED").await?;
            let state = after(&case.state, CaseMove::Unapproved, &case.public_id)?;
            let because = format!("{} refused: {comment}", decision.action);
            let next = Step {
                actor: &name,
                now,
                what: "refused",
                state,
                because: &because,
            };
            step(tx, &mut leaves, &accounts, &mut case, next).await?;
        }
        let detail = serde_json::json!({ "decision": decision.public_id, "approved": approve });
        audit::record(
            tx,
            &mut leaves,
            actor,
            now,
            "decision.answer",
            &case.public_id,
            &detail,
        )
        .await?;
        leaves.write(tx).await?;
        done(tx, &case, &decision, work_account).await
    })
}

/// The decider takes a waiting decision back.
pub async fn withdraw_decision(
    engine: &Engine,
    actor: &Actor,
    decision_id: &str,
) -> Result<Decided, Error> {
    actor.require(Permission::Decide)?;
    let now = engine.now();
    in_tx!(engine.store, |tx| {
        let (mut case, mut decision) = waiting(tx, decision_id).await?;
        if actor.person().map(|(id, _)| id) != Some(decision.decided_by) {
            return Err(Error::Conflict(format!(
                "only {} can take this decision back",
                decision.decider
            )));
        }
        let accounts = accounts::all(&mut *tx).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        "VOID".clone_into(&mut decision.state);
        decisions::set_state(tx, decision.id, "VOID").await?;
        let state = after(&case.state, CaseMove::Unapproved, &case.public_id)?;
        let name = actor.name();
        let because = format!("{} taken back", decision.action);
        let next = Step {
            actor: &name,
            now,
            what: "withdrawn",
            state,
            because: &because,
        };
        step(tx, &mut leaves, &accounts, &mut case, next).await?;
        let detail = serde_json::json!({ "decision": decision.public_id });
        audit::record(
            tx,
            &mut leaves,
            actor,
            now,
            "decision.withdraw",
            &case.public_id,
            &detail,
        )
        .await?;
        leaves.write(tx).await?;
        done(tx, &case, &decision, None).await
    })
}

/// A decision that waits, and its case, behind the account's gate.
async fn waiting(tx: &mut Tx, decision_id: &str) -> Result<(StoredCase, StoredDecision), Error> {
    let missing = || Error::not_found("decision", decision_id);
    let found = decisions::by_public_id(&mut *tx, decision_id)
        .await?
        .ok_or_else(missing)?;
    let case = case_of(tx, &found).await?;
    accounts::pass_gate(tx, case.account_id).await?;
    let found = decisions::by_public_id(&mut *tx, decision_id)
        .await?
        .ok_or_else(missing)?;
    if found.state != "AWAITING" {
        return Err(Error::Conflict(format!(
            "this decision is {} already: nothing waits for an answer",
            found.state.to_lowercase()
        )));
    }
    Ok((case_of(tx, &found).await?, found))
}

async fn case_of(tx: &mut Tx, decision: &StoredDecision) -> Result<StoredCase, Error> {
    cases::by_id(&mut *tx, std::iter::once(decision.case_id))
        .await?
        .into_iter()
        .next()
        .ok_or_else(|| Error::not_found("case", decision.case_id))
}

/// Two people stand behind a decision that takes two: the word of somebody who was shut out, or who no
/// longer decides, is not put in force.
pub(super) async fn check_decider(
    tx: impl Connected,
    decision: &StoredDecision,
) -> Result<(), Error> {
    if users::by_id(tx, decision.decided_by)
        .await?
        .is_some_and(|user| may_decide(&user))
    {
        return Ok(());
    }
    Err(Refusal::DeciderShutOut {
        decider: decision.decider.clone(),
    }
    .into())
}

async fn check_second(tx: &mut Tx, decision: &StoredDecision, approver: i64) -> Result<(), Error> {
    if decision.decided_by == approver {
        return Err(Error::Conflict(
            "you decided this yourself: another person must approve it".to_owned(),
        ));
    }
    if may_approve(&mut *tx, decision.decided_by, approver).await? {
        return Ok(());
    }
    let made = users::by_id(&mut *tx, approver).await?.is_some_and(|u| {
        u.created_by == decision.decided_by || u.changed_by == decision.decided_by
    });
    Err(Error::Conflict(if made {
        format!(
            "{} made or last changed your account: somebody else must approve",
            decision.decider
        )
    } else {
        format!(
            "you made or last changed the account of {}, or may not approve: somebody else must",
            decision.decider
        )
    }))
}

async fn done(
    tx: &mut Tx,
    case: &StoredCase,
    decision: &StoredDecision,
    work_account: Option<i64>,
) -> Result<Decided, Error> {
    let case = cases::by_public_id(&mut *tx, &case.public_id)
        .await?
        .ok_or_else(|| Error::not_found("case", &case.public_id))?;
    let params: StoredParams =
        stored::json("decision", "params", &decision.public_id, &decision.params)?;
    Ok(Decided {
        decision_id: decision.public_id.clone(),
        case_id: case.public_id,
        state: decision.state.clone(),
        case_state: case.state,
        version: case.version,
        repeated: false,
        effects: params.effects,
        work_account,
    })
}
