//! Take a decision about a case.
//!
//! The client makes the decision's id, so that a repeat is the same decision; it names the version
//! of the case that the person saw, so that of two who decide at once one wins and the other is told.
//! A decision that needs a second person sets nothing in force until they agree.

use super::{Step, apply, context, step};
use crate::{
    Engine, Error, audit,
    error::Stale,
    in_tx,
    seal::Leaves,
    storage::{
        Tx, accounts,
        cases::{self, StoredCase},
        counter::allocate,
        decisions::{self, StoredDecision},
        stored,
        tx::Connected,
    },
};
use domain::{
    actor::{Actor, Permission},
    cases::{
        Action, CaseMove, CaseState, DecisionInput, DecisionParams, Effect, ReasonCode,
        validate_decision,
    },
    matching::{Accounts, Ruling},
    seal::{Text, records::DecisionRecord},
    time::Instant,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What a person decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRequest {
    /// Made by the client: the same id again is the same decision.
    pub decision_id: String,
    /// The version of the case that was looked at.
    pub expected_version: i64,
    /// What is decided.
    pub action: Action,
    /// Why, as a code.
    pub reason_code: ReasonCode,
    /// Why, in words.
    #[serde(default)]
    pub comment: String,
    /// What else was chosen.
    #[serde(default)]
    pub params: DecisionParams,
    /// Hashes of the evidence that was shown; where none are named, of what the case shows at the
    /// version that was looked at.
    #[serde(default)]
    pub evidence_hashes: Vec<String>,
}

/// What became of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decided {
    /// Its id.
    pub decision_id: String,
    /// The case.
    pub case_id: String,
    /// AWAITING, APPLIED, REFUSED, VOID, REVERSED.
    pub state: String,
    /// How the case stands.
    pub case_state: String,
    /// The case's version now.
    pub version: i64,
    /// Whether these were stored before.
    pub repeated: bool,
    /// What it does, in sentences.
    pub effects: Vec<String>,
    /// Provider account whose files a worker must go on with, if any.
    #[serde(skip)]
    pub work_account: Option<i64>,
}

/// What is stored of a decision beside its columns.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct StoredParams {
    pub params: DecisionParams,
    pub rulings: Vec<(String, Ruling)>,
    pub effects: Vec<String>,
    #[serde(default)]
    pub wake_at: Option<Instant>,
}

/// The rulings that a stored decision sets: subject and ruling.
pub(crate) fn rulings_of(decision: &str, params: &str) -> Result<Vec<(String, Ruling)>, Error> {
    let params: StoredParams = stored::json("decision", "params", decision, params)?;
    Ok(params.rulings)
}

/// When a case wakes by a stored decision to wait.
pub(crate) fn wake_of(case: i64, params: &str) -> Result<Option<i64>, Error> {
    let params: StoredParams = stored::json("decision", "params", case, params)?;
    Ok(params.wake_at.map(Instant::micros))
}

/// Takes a decision.
pub async fn decide_case(
    engine: &Engine,
    actor: &Actor,
    case_id: &str,
    request: &DecisionRequest,
) -> Result<Decided, Error> {
    actor.require(Permission::Decide)?;
    let Some((user_id, _)) = actor.person() else {
        return Err(Error::Conflict(
            "a decision is a person's: sign in, or use a token that acts as one".to_owned(),
        ));
    };
    check_id("decision_id", &request.decision_id)?;
    let now = engine.now();
    let input = stored::to_json(&(case_id, request))?;
    let input_hash = Sha256::digest(input.as_bytes()).to_vec();
    in_tx!(engine.store, |tx| {
        if let Some(known) = decisions::by_public_id(&mut *tx, &request.decision_id).await? {
            return repeated(tx, &known, user_id, &input_hash).await;
        }
        let accounts = accounts::all(&mut *tx).await?;
        let mut case = behind_gate(tx, case_id).await?;
        // The same request sent twice at once waited at the gate for itself.
        if let Some(known) = decisions::by_public_id(&mut *tx, &request.decision_id).await? {
            return repeated(tx, &known, user_id, &input_hash).await;
        }
        if case.version != request.expected_version {
            return Err(stale(&mut *tx, &case, request.expected_version).await?);
        }
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let taken = take(tx, &accounts, &case, request, user_id, now).await?;
        let decision = record(
            tx,
            &mut leaves,
            &case,
            request,
            actor,
            &taken,
            &input_hash,
            now,
        )
        .await?;
        let mut work_account = None;
        let name = actor.name();
        if taken.effect.two_people {
            let because = format!("{} by {name}", request.action);
            let next = Step {
                actor: &name,
                now,
                what: "decided",
                state: CaseState::AwaitingApproval,
                because: &because,
            };
            step(tx, &mut leaves, &accounts, &mut case, next).await?;
        } else {
            let applied =
                apply::apply(tx, &mut leaves, &accounts, &mut case, &decision, &name, now).await?;
            work_account = applied.work_account;
        }
        let detail = serde_json::json!({
            "decision": request.decision_id,
            "action": request.action,
            "reason": request.reason_code,
            "needs_approval": taken.effect.two_people,
        });
        audit::record(tx, &mut leaves, actor, now, "case.decide", case_id, &detail).await?;
        leaves.write(tx).await?;
        let after = cases::by_public_id(&mut *tx, case_id)
            .await?
            .ok_or_else(|| Error::not_found("case", case_id))?;
        Ok(Decided {
            decision_id: decision.public_id,
            case_id: after.public_id,
            state: decision.state,
            case_state: after.state,
            version: after.version,
            repeated: false,
            effects: taken.effect.preview,
            work_account,
        })
    })
}

/// A case behind its account's gate: whoever was first has been written by now.
pub(super) async fn behind_gate(tx: &mut Tx, case_id: &str) -> Result<StoredCase, Error> {
    let missing = || Error::not_found("case", case_id);
    let found = cases::by_public_id(&mut *tx, case_id).await?;
    let account = found.ok_or_else(missing)?.account_id;
    accounts::pass_gate(tx, account).await?;
    let found = cases::by_public_id(&mut *tx, case_id).await?;
    found.ok_or_else(missing)
}

/// Whether an id that a client made will do.
pub(super) fn check_id(field: &'static str, id: &str) -> Result<(), Error> {
    let fits = (8..=100).contains(&id.len())
        && id
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(&b));
    if fits {
        Ok(())
    } else {
        Err(Error::invalid(
            field,
            "8 to 100 letters, digits, hyphens, dots, colons or underscores are needed",
        ))
    }
}

async fn repeated(
    tx: &mut Tx,
    known: &StoredDecision,
    user_id: i64,
    input_hash: &[u8],
) -> Result<Decided, Error> {
    if known.decided_by != user_id || known.input_hash != input_hash {
        return Err(Error::Conflict(
            "this decision id was used for another decision".to_owned(),
        ));
    }
    let case = cases::by_id(&mut *tx, std::iter::once(known.case_id))
        .await?
        .into_iter()
        .next()
        .ok_or_else(|| Error::not_found("case", known.case_id))?;
    let params: StoredParams = stored::json("decision", "params", &known.public_id, &known.params)?;
    Ok(Decided {
        decision_id: known.public_id.clone(),
        case_id: case.public_id,
        state: known.state.clone(),
        case_state: case.state,
        version: case.version,
        repeated: true,
        effects: params.effects,
        work_account: None,
    })
}

/// Who moved the case since it was looked at.
pub(super) async fn stale(
    mut tx: impl Connected,
    case: &StoredCase,
    seen: i64,
) -> Result<Error, Error> {
    // What somebody decided says more than what followed from it.
    let decided = decisions::of_case(&mut tx, case.case_id).await?;
    let last = decided.into_iter().rfind(|d| d.case_version >= seen);
    let (mut what, mut by, mut at) = cases::last_event(&mut tx, case.case_id).await?;
    if let Some(decision) = last {
        let action: Action = stored::parse("decision", "action", decision.id, &decision.action)?;
        if !action.is_handling() {
            what = format!("decided “{}”", action.title());
            (by, at) = (decision.decider, decision.decided_at);
        }
    }
    Ok(Box::new(Stale {
        case: case.public_id.clone(),
        seen,
        now: case.version,
        state: case.state.clone(),
        by,
        what,
        at: Instant::from_micros(at),
    })
    .into())
}

/// A decision as the rules see it.
struct Taken {
    effect: Effect,
    reverses: Option<StoredDecision>,
    /// Hashes of what it rests on.
    evidence: Vec<String>,
}

async fn take(
    tx: &mut Tx,
    accounts: &Accounts,
    case: &StoredCase,
    request: &DecisionRequest,
    who: i64,
    now: Instant,
) -> Result<Taken, Error> {
    let context = context::read(tx, case, &request.params, Some(who)).await?;
    let state: CaseState = stored::parse("case_now", "state", &case.public_id, &case.state)?;
    let account = accounts
        .get(&case.account_id)
        .ok_or_else(|| Error::not_found("provider account", case.account_id))?;
    let reverses = match (&request.params.decision, request.action) {
        (Some(id), Action::ReverseDecision) => Some(reversible(tx, case, id).await?),
        _ => None,
    };
    check_state(state, request.action)?;
    let targets = context.targets();
    let effect = validate_decision(&DecisionInput {
        kind: context.kind,
        subject: &case.subject,
        facts: &context.facts,
        evidence: &context.evidence,
        at_risk: context.at_risk,
        policy: &account.policy,
        zone: account.zone,
        action: request.action,
        reason: request.reason_code,
        comment: &request.comment,
        params: &request.params,
        targets: &targets,
        waiting_rows: &context.waiting_rows,
        alone_before: &context.alone_before,
        reverses_approved: reverses.as_ref().is_some_and(|d| d.approved == 1),
        now,
    })?;
    let evidence = if request.evidence_hashes.is_empty() {
        crate::views::shown_hashes(&mut *tx, case.case_id, &context.evidence).await?
    } else {
        request.evidence_hashes.clone()
    };
    Ok(Taken {
        effect,
        reverses,
        evidence,
    })
}

/// A resolved case takes only its reopening and the reversal of what was decided; one that awaits
/// approval takes none. One that was set aside can be opened before its time.
pub(super) fn check_state(state: CaseState, action: Action) -> Result<(), Error> {
    let fits = match state {
        CaseState::Resolved => matches!(action, Action::Reopen | Action::ReverseDecision),
        CaseState::AwaitingApproval => false,
        CaseState::Open | CaseState::InReview => action != Action::Reopen,
        CaseState::Waiting => true,
    };
    if fits {
        Ok(())
    } else {
        Err(Error::Conflict(format!(
            "a case that is {} cannot take this: {}",
            state.title().to_lowercase(),
            action.title()
        )))
    }
}

async fn reversible(tx: &mut Tx, case: &StoredCase, id: &str) -> Result<StoredDecision, Error> {
    let known = decisions::by_public_id(&mut *tx, id)
        .await?
        .ok_or_else(|| Error::not_found("decision", id))?;
    if known.case_id != case.case_id {
        return Err(Error::not_found("decision", id));
    }
    if known.state != "APPLIED" {
        return Err(Error::Conflict(format!(
            "this decision is {}, not in force",
            known.state.to_lowercase()
        )));
    }
    Ok(known)
}

#[allow(clippy::too_many_arguments)] // one record takes them all
async fn record(
    tx: &mut Tx,
    leaves: &mut Leaves,
    case: &StoredCase,
    request: &DecisionRequest,
    actor: &Actor,
    taken: &Taken,
    input_hash: &[u8],
    now: Instant,
) -> Result<StoredDecision, Error> {
    let (user_id, email) = actor.person().unwrap_or((0, ""));
    let params = StoredParams {
        params: request.params.clone(),
        rulings: taken
            .effect
            .rulings
            .iter()
            .map(|(s, r)| (s.to_string(), r.clone()))
            .collect(),
        effects: taken.effect.preview.clone(),
        wake_at: taken.effect.wake_at,
    };
    let decision = StoredDecision {
        id: allocate(&mut *tx, "decision", 1).await?,
        public_id: request.decision_id.clone(),
        case_id: case.case_id,
        case_version: case.version,
        evidence_version: case.evidence_version,
        action: request.action.code().to_owned(),
        reason_code: request.reason_code.code().to_owned(),
        comment: request.comment.trim().to_owned(),
        params: stored::to_json(&params)?,
        input_hash: input_hash.to_vec(),
        needs_approval: i64::from(taken.effect.two_people),
        decided_by: user_id,
        decided_at: now.micros(),
        reverses: taken.reverses.as_ref().map(|d| d.id),
        state: if taken.effect.two_people {
            "AWAITING"
        } else {
            "APPLIED"
        }
        .to_owned(),
        decider: email.to_owned(),
        approved: -1,
    };
    let hashes = stored::to_json(&taken.evidence)?;
    decisions::insert(tx, &decision, &hashes).await?;
    let hash: [u8; 32] = input_hash.try_into().unwrap_or([0; 32]);
    leaves.push(
        decision.id,
        &DecisionRecord {
            decision: &decision.public_id,
            case_kind: &case.kind,
            case_subject: &case.subject,
            case_opening: case.opening,
            case_version: decision.case_version,
            evidence_version: decision.evidence_version,
            action: &decision.action,
            reason_code: &decision.reason_code,
            comment: Text::Plain(&decision.comment),
            params: Text::Plain(&decision.params),
            input_hash: &hash,
            evidence_hashes: &hashes,
            needs_approval: decision.needs_approval,
            decided_by: Text::Plain(email),
            decided_at: decision.decided_at,
            reverses: taken.reverses.as_ref().map(|d| d.public_id.as_str()),
        },
    );
    Ok(decision)
}

/// The state that a movement leads to.
pub(super) fn after(state: &str, movement: CaseMove, case: &str) -> Result<CaseState, Error> {
    let state: CaseState = stored::parse("case_now", "state", case, state)?;
    state
        .after(movement)
        .map_err(|e| Error::Conflict(e.to_string()))
}
