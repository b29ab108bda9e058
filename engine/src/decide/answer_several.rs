//! Approvals of several waiting decisions with one word. Each is answered on its own, as if it were
//! alone: one that cannot be approved stops none of the others.

use super::{
    answer::{answer_decision, check_decider},
    apply,
    decide_case::StoredParams,
    decide_several::{Became, Picked, changed, each_once, gathered},
    effects::Foresight,
};
use crate::{
    Engine, Error,
    derive::foresee::Way,
    storage::{
        accounts,
        cases::{self, StoredCase},
        decisions::{self, StoredDecision},
        stored,
        tx::Connected,
    },
    users::may_approve,
};
use domain::{
    actor::{Actor, Permission},
    matching::Accounts,
    view::{
        bulk::{APPROVE, Bulk, BulkResult},
        case::TypedDecision,
    },
};

/// What approving would do to each case as it stands. Nothing happens yet.
pub async fn foresee_approvals(
    engine: &Engine,
    actor: &Actor,
    picked: &[Picked],
) -> Result<Bulk, Error> {
    actor.require(Permission::Approve)?;
    let picked = each_once(picked)?;
    let mut reader = engine.store.read().await?;
    let accounts = accounts::all(&mut reader).await?;
    let mut results = Vec::with_capacity(picked.len());
    for pick in picked {
        let foreseen = foreseen(&mut reader, &accounts, actor, pick).await?;
        results.push((pick.case.clone(), foreseen));
    }
    let mut bulk = gathered(&mut reader, actor, APPROVE, results).await?;
    bulk.bulk_id = engine.sources.ids.public_id();
    Ok(bulk)
}

/// Approves each. Returns what became of each, and whether a worker must go on with a file.
pub async fn approve_several(
    engine: &Engine,
    actor: &Actor,
    comment: &str,
    picked: &[Picked],
) -> Result<(Bulk, bool), Error> {
    actor.require(Permission::Approve)?;
    let picked = each_once(picked)?;
    let mut results = Vec::with_capacity(picked.len());
    let mut work = false;
    for pick in picked {
        let became = match approve(engine, actor, comment, pick).await {
            Ok((says, more)) => {
                work |= more;
                Became::new(BulkResult::Applied, says)
            }
            Err(error) => Became::refused(&error, &pick.case),
        };
        results.push((pick.case.clone(), became));
    }
    let mut reader = engine.store.read().await?;
    let mut bulk = gathered(&mut reader, actor, APPROVE, results).await?;
    bulk.applied = true;
    bulk.typed = TypedDecision {
        action: APPROVE.to_owned(),
        comment: comment.to_owned(),
        ..TypedDecision::default()
    };
    Ok((bulk, work))
}

async fn approve(
    engine: &Engine,
    actor: &Actor,
    comment: &str,
    pick: &Picked,
) -> Result<(String, bool), Error> {
    let mut reader = engine.store.read().await?;
    let case = read_case(&mut reader, pick).await?;
    if case.version != pick.version {
        return Err(Error::Conflict(changed(&mut reader, &case).await?));
    }
    let decision = waiting(&mut reader, &case).await?;
    drop(reader);
    // The same decision that was seen: another one would have made another version.
    let decided = answer_decision(engine, actor, &decision.public_id, true, comment).await?;
    Ok((decided.effects.join(" "), decided.work_account.is_some()))
}

async fn foreseen(
    mut tx: impl Connected,
    accounts: &Accounts,
    actor: &Actor,
    pick: &Picked,
) -> Result<Became, Error> {
    let case = read_case(&mut tx, pick).await?;
    let mut became = match told(&mut tx, accounts, actor, &case).await {
        Ok(became) => became,
        Err(error) => Became::refused(&error, &pick.case),
    };
    if case.version != pick.version {
        became.says = format!("{} {}", changed(&mut tx, &case).await?, became.says);
    }
    Ok(became)
}

async fn told(
    mut tx: impl Connected,
    accounts: &Accounts,
    actor: &Actor,
    case: &StoredCase,
) -> Result<Became, Error> {
    let decision = waiting(&mut tx, case).await?;
    let me = actor.person().map_or(0, |(id, _)| id);
    if !may_approve(&mut tx, decision.decided_by, me).await? {
        return Err(Error::Conflict(format!(
            "your account and that of {} are not independent of each other",
            decision.decider
        )));
    }
    check_decider(&mut tx, &decision).await?;
    let id = &decision.public_id;
    let params: StoredParams = stored::json("decision", "params", id, &decision.params)?;
    let rulings = apply::parsed(&params.rulings, id)?;
    let named = std::iter::once(rulings.as_slice());
    let foresight = Foresight::read(&mut tx, accounts, case, named).await?;
    let effect = foresight.effect(&params.effects.join(" "), &rulings, Way::Into)?;
    let action: domain::cases::Action = stored::parse("decision", "action", id, &decision.action)?;
    Ok(Became {
        postings: effect.postings,
        ..Became::new(
            BulkResult::Applied,
            format!(
                "{} by {}: {}",
                action.title(),
                decision.decider,
                effect.text
            ),
        )
    })
}

async fn read_case(tx: impl Connected, pick: &Picked) -> Result<StoredCase, Error> {
    cases::by_public_id(tx, &pick.case)
        .await?
        .ok_or_else(|| Error::not_found("case", &pick.case))
}

/// The decision about a case that waits for a second person.
async fn waiting(tx: impl Connected, case: &StoredCase) -> Result<StoredDecision, Error> {
    decisions::of_case(tx, case.case_id)
        .await?
        .into_iter()
        .rev()
        .find(|d| d.state == "AWAITING")
        .ok_or_else(|| Error::Conflict("no decision about it waits for approval".to_owned()))
}
