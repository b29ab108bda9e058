//! One choice for several cases.
//!
//! Each case is decided on its own, in a transaction of its own, under the version that the person
//! saw and an id made of theirs and the case's: one that is refused stops none of the others, and
//! the same request again decides nothing twice.

use super::{
    context,
    decide_case::{DecisionRequest, check_id, check_state, decide_case},
    effects::Foresight,
    options::{Looker, asks_of_any, example, foresee, reason_choice},
};
use crate::{
    Engine, Error,
    derive::foresee::Way,
    storage::{
        accounts,
        cases::{self, StoredCase},
        queue::{self, CaseRow},
        stored,
        tx::Connected,
    },
    users::independence::People,
    views::{line_names::LineNames, queue::shown},
};
use domain::{
    actor::{Actor, Permission},
    cases::{Action, CaseKind, CaseState, DecisionParams, ReasonCode, Refusal},
    matching::Accounts,
    time::{Instant, Zone},
    view::{
        Amount,
        bulk::{Bulk, BulkItem, BulkResult},
        case::{EffectPosting, ReasonChoice, TypedDecision},
        queue::QueueFilter,
    },
};
use std::collections::{BTreeMap, BTreeSet};

/// The most cases of one choice.
pub const MOST_AT_ONCE: usize = 200;

/// A case of a selection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picked {
    /// Its public id.
    pub case: String,
    /// The version that the person saw.
    pub version: i64,
    /// Hash of the evidence that the person saw, in hex, or empty.
    pub evidence: String,
}

/// What is decided about each of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Made by the client: the same id again is the same decisions.
    pub bulk_id: String,
    /// What is decided.
    pub action: Action,
    /// Why, as a code.
    pub reason_code: ReasonCode,
    /// Why, in words.
    pub comment: String,
    /// What else was chosen.
    pub params: DecisionParams,
}

/// What a choice would do to each case as it stands. Nothing happens yet.
pub async fn foresee_several(
    engine: &Engine,
    actor: &Actor,
    action: Action,
    params: &DecisionParams,
    picked: &[Picked],
) -> Result<Bulk, Error> {
    actor.require(Permission::Decide)?;
    let picked = selection(action, picked)?;
    let now = engine.now();
    let who = actor.person().map(|(id, _)| id);
    let mut reader = engine.store.read().await?;
    let accounts = accounts::all(&mut reader).await?;
    let mut results = Vec::with_capacity(picked.len());
    for pick in picked {
        let foreseen = one(&mut reader, &accounts, action, params, pick, who, now).await?;
        results.push((pick.case.clone(), foreseen));
    }
    let mut bulk = shown_as(&mut reader, actor, action, results, now).await?;
    bulk.bulk_id = engine.sources.ids.public_id();
    Ok(bulk)
}

/// Decides each case. Returns what became of each, and whether a worker must go on with a file.
pub async fn decide_several(
    engine: &Engine,
    actor: &Actor,
    choice: &Choice,
    picked: &[Picked],
) -> Result<(Bulk, bool), Error> {
    actor.require(Permission::Decide)?;
    let picked = selection(choice.action, picked)?;
    check_id("bulk_id", &choice.bulk_id)?;
    if choice.reason_code.demands_comment() && choice.comment.trim().is_empty() {
        return Err(Refusal::CommentMissing {
            reason: choice.reason_code,
        }
        .into());
    }
    let mut results = Vec::with_capacity(picked.len());
    let mut work = false;
    for pick in picked {
        let request = DecisionRequest {
            decision_id: format!("{}:{}", choice.bulk_id, pick.case),
            expected_version: pick.version,
            action: choice.action,
            reason_code: choice.reason_code,
            comment: choice.comment.clone(),
            params: choice.params.clone(),
            evidence_hashes: Some(pick.evidence.clone())
                .filter(|hash| !hash.is_empty())
                .into_iter()
                .collect(),
        };
        let decided = decide_case(engine, actor, &pick.case, &request).await;
        let became = match decided {
            Ok(decided) => {
                work |= decided.work_account.is_some();
                let result = if decided.state == "AWAITING" {
                    BulkResult::Awaiting
                } else {
                    BulkResult::Applied
                };
                Became::new(result, decided.effects.join(" "))
            }
            Err(error) => Became::refused(&error, &pick.case),
        };
        results.push((pick.case.clone(), became));
    }
    let mut reader = engine.store.read().await?;
    let mut bulk = shown_as(&mut reader, actor, choice.action, results, engine.now()).await?;
    bulk.applied = true;
    bulk.bulk_id.clone_from(&choice.bulk_id);
    bulk.typed = TypedDecision {
        action: choice.action.code().to_owned(),
        reason: choice.reason_code.code().to_owned(),
        comment: choice.comment.clone(),
        fields: Vec::new(),
    };
    Ok((bulk, work))
}

/// The cases picked, each once, if the action can serve several at all.
fn selection(action: Action, picked: &[Picked]) -> Result<Vec<&Picked>, Error> {
    if !action.serves_several() {
        return Err(Error::invalid(
            "action",
            format!(
                "{} needs a choice for each case: decide them one by one",
                action.title()
            ),
        ));
    }
    each_once(picked)
}

/// The cases picked, each once, at most [`MOST_AT_ONCE`].
pub(super) fn each_once(picked: &[Picked]) -> Result<Vec<&Picked>, Error> {
    let mut seen = BTreeSet::new();
    let once: Vec<&Picked> = picked
        .iter()
        .filter(|pick| seen.insert(pick.case.as_str()))
        .collect();
    if once.is_empty() {
        return Err(Error::invalid("case", "tick at least one case"));
    }
    if once.len() > MOST_AT_ONCE {
        return Err(Error::invalid(
            "case",
            format!("at most {MOST_AT_ONCE} cases are decided at once; tick fewer"),
        ));
    }
    Ok(once)
}

/// What would become, or became, of one case.
pub(super) struct Became {
    pub result: BulkResult,
    pub says: String,
    pub evidence: String,
    pub postings: Vec<EffectPosting>,
}

impl Became {
    pub(super) const fn new(result: BulkResult, says: String) -> Self {
        Self {
            result,
            says,
            evidence: String::new(),
            postings: Vec::new(),
        }
    }

    /// A refusal in the words of one decision. What only the operator can mend goes to the log.
    pub(super) fn refused(error: &Error, case: &str) -> Self {
        let says = match error {
            Error::Storage(_) | Error::Randomness(_) | Error::Internal(_) => {
                tracing::error!(case, %error, "a decision of several could not be saved");
                "it could not be saved; nothing of it happened, so try it again".to_owned()
            }
            error => error.to_string(),
        };
        Self::new(BulkResult::Refused, says)
    }
}

async fn one(
    mut tx: impl Connected,
    accounts: &Accounts,
    action: Action,
    params: &DecisionParams,
    pick: &Picked,
    who: Option<i64>,
    now: Instant,
) -> Result<Became, Error> {
    let Some(case) = cases::by_public_id(&mut tx, &pick.case).await? else {
        return Err(Error::not_found("case", &pick.case));
    };
    let account = accounts
        .get(&case.account_id)
        .ok_or_else(|| Error::not_found("provider account", case.account_id))?;
    let context = context::read_on(&mut tx, &case, &DecisionParams::default(), who).await?;
    let state: CaseState = stored::parse("case_now", "state", &case.public_id, &case.state)?;
    let still_to_choose = still_to_choose(action, params);
    let params = if still_to_choose {
        &example(action, now)
    } else {
        params
    };
    let tried = check_state(state, action)
        .and_then(|()| Ok(foresee(&context, &case, account, action, params, now)?));
    let mut became = match tried {
        Ok(effect) => {
            let result = if effect.two_people {
                BulkResult::Awaiting
            } else {
                BulkResult::Applied
            };
            let told = effect.before_it_is_decided();
            if still_to_choose && !action.is_handling() {
                Became::new(result, "As you choose below.".to_owned())
            } else {
                let named = std::iter::once(effect.rulings.as_slice());
                let foresight = Foresight::read(&mut tx, accounts, &case, named).await?;
                let shown = foresight.effect(&told, &effect.rulings, Way::Into)?;
                Became {
                    postings: shown.postings,
                    ..Became::new(result, shown.text)
                }
            }
        }
        Err(error) => Became::refused(&error, &pick.case),
    };
    if case.version != pick.version {
        became.says = format!("{} {}", changed(&mut tx, &case).await?, became.says);
    }
    became.evidence = context.evidence;
    Ok(became)
}

/// Whether what is asked once for all cases has not been chosen yet.
fn still_to_choose(action: Action, params: &DecisionParams) -> bool {
    match action {
        Action::CorrectPosting => params.to.is_none(),
        Action::ConfirmOutcome => params.outcome.is_none(),
        Action::Snooze | Action::WaitForProvider => {
            params.until.is_none() && params.wake_on.is_none()
        }
        _ => false,
    }
}

pub(super) async fn changed(tx: impl Connected, case: &StoredCase) -> Result<String, Error> {
    let (what, by, _) = cases::last_event(tx, case.case_id).await?;
    Ok(format!(
        "Changed since you ticked it ({what} by {by}); this is how it stands now."
    ))
}

/// The page of results: rows as they stand, sums, what is asked for.
async fn shown_as(
    tx: impl Connected,
    actor: &Actor,
    action: Action,
    results: Vec<(String, Became)>,
    now: Instant,
) -> Result<Bulk, Error> {
    let mut bulk = gathered(tx, actor, action.code(), results).await?;
    bulk.reasons = reasons_of_all(&bulk.items, action);
    // The page's dates begin tomorrow; each account's own zone cuts the day that is chosen.
    bulk.asks = asks_of_any(action, Zone::UTC, now);
    Ok(bulk)
}

/// The results with their rows as they stand, sums and who could approve.
pub(super) async fn gathered(
    mut tx: impl Connected,
    actor: &Actor,
    action: &str,
    results: Vec<(String, Became)>,
) -> Result<Bulk, Error> {
    let me = actor.person().map(|(id, _)| id);
    let mut keys = Vec::with_capacity(results.len());
    for (case, _) in &results {
        keys.extend(queue::case_by_public_id(&mut tx, case).await?);
    }
    let rows = queue::by_ids(&mut tx, keys).await?;
    let rows: BTreeMap<&str, &CaseRow> = rows.iter().map(|r| (r.public_id.as_str(), r)).collect();
    let mut items = Vec::with_capacity(results.len());
    for (case, became) in results {
        let Some(row) = rows.get(case.as_str()) else {
            return Err(Error::not_found("case", case));
        };
        items.push(BulkItem {
            row: shown(row, me.unwrap_or(0))?,
            evidence: became.evidence,
            postings: became.postings,
            result: became.result,
            says: became.says,
        });
    }
    let people = People::read(&mut tx).await?;
    let looker = Looker {
        me,
        decides: true,
        people: &people,
    };
    let waits = items.iter().any(|i| i.result == BulkResult::Awaiting);
    let mut bulk = Bulk {
        action: action.to_owned(),
        bulk_id: String::new(),
        applied: false,
        totals: Vec::new(),
        postings: Vec::new(),
        postings_waiting: Vec::new(),
        reasons: Vec::new(),
        asks: Vec::new(),
        approvers: if waits {
            looker.approvers(me)
        } else {
            Vec::new()
        },
        typed: TypedDecision::default(),
        problems: Vec::new(),
        filter: QueueFilter::default(),
        items,
    };
    bulk.totals = totals(&bulk);
    bulk.add_up();
    let said = bulk.items.iter();
    let said = said.flat_map(|i| [i.says.as_str(), i.row.summary.as_str()]);
    let names = LineNames::read(&mut tx, said.collect()).await?;
    for item in &mut bulk.items {
        names.put(&mut item.says);
        names.put(&mut item.row.summary);
    }
    Ok(bulk)
}

/// The reasons that fit every case of the choice.
fn reasons_of_all(items: &[BulkItem], action: Action) -> Vec<ReasonChoice> {
    let kinds: BTreeSet<CaseKind> = items
        .iter()
        .filter(|i| i.result != BulkResult::Refused)
        .filter_map(|i| i.row.kind.parse().ok())
        .collect();
    let fits_all = |reason: &ReasonCode| {
        kinds
            .iter()
            .all(|kind| ReasonCode::offered(*kind, action).contains(reason))
    };
    ReasonCode::for_action(action)
        .iter()
        .copied()
        .filter(fits_all)
        .map(reason_choice)
        .collect()
}

/// Money at risk over what is, or would be, done, by currency.
fn totals(bulk: &Bulk) -> Vec<Amount> {
    let mut sums: BTreeMap<String, Amount> = BTreeMap::new();
    for amount in bulk.done().filter_map(|item| item.row.at_risk) {
        sums.entry(amount.currency.to_string())
            .and_modify(|sum| sum.minor += amount.minor)
            .or_insert(amount);
    }
    sums.into_values().collect()
}
