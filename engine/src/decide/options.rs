//! What may be decided about a case, and what each decision would do.

use super::{
    apply,
    context::{self, Context},
    decide_case::{DecisionRequest, StoredParams, check_state},
    effects::Foresight,
};
use crate::{
    Engine, Error,
    derive::foresee::Way,
    storage::{
        cases::{self, StoredCase},
        decisions::{self, StoredDecision},
        stored,
    },
    users::independence::People,
};
use domain::{
    account::ProviderAccount,
    actor::{Actor, Permission},
    cases::{
        Action, CaseKind, CaseState, DecisionInput, DecisionParams, ReasonCode, Refusal,
        available_today, two_people_always, validate_decision,
    },
    matching::{Ruling, RulingSubject},
    payment::Outcome,
    posting::LedgerAccount,
    time::{Instant, Zone},
    view::{
        case::{ActionChoice, Ask, AwaitingDecision, CasePage, Effect, ReasonChoice, Undo},
        form::Choice,
    },
};

/// People who could approve that a page names.
const MOST_NAMES: usize = 5;

/// Fills in what the person who looks may decide, what waits for a second person, what can be taken
/// back, and a fresh id for the next decision.
pub async fn fill_case_page(
    engine: &Engine,
    actor: &Actor,
    page: &mut CasePage,
) -> Result<(), Error> {
    let mut tx = engine.store.read().await?;
    let case = cases::by_public_id(&mut tx, &page.id)
        .await?
        .ok_or_else(|| Error::not_found("case", &page.id))?;
    let accounts = crate::storage::accounts::all(&mut tx).await?;
    let account = accounts
        .get(&case.account_id)
        .ok_or_else(|| Error::not_found("provider account", case.account_id))?;
    let people = People::read(&mut tx).await?;
    let known = decisions::of_case(&mut tx, case.case_id).await?;
    let me = actor.person().map(|(id, _)| id);
    let context = context::read_on(&mut tx, &case, &DecisionParams::default(), me).await?;
    let state: CaseState = stored::parse("case_now", "state", &case.public_id, &case.state)?;
    let looker = Looker {
        me,
        decides: actor.may(Permission::Decide),
        people: &people,
    };
    let now = engine.now();
    let offered = actions(&context, &case, account, state, &looker, now);
    let waiting = known.iter().rev().find(|d| d.state == "AWAITING");
    let waiting = waiting.map(Stored::read).transpose()?;
    let undoable = undoable(&known, state)?;
    let named = offered
        .iter()
        .filter_map(|o| o.effect.as_ref())
        .map(|e| e.rulings.as_slice())
        .chain(
            waiting
                .iter()
                .chain(&undoable)
                .map(|d| d.rulings.as_slice()),
        );
    let foresight = Foresight::read(&mut tx, &accounts, &case, named).await?;
    page.actions = offered
        .into_iter()
        .map(|offer| offer.shown(&foresight))
        .collect::<Result<_, _>>()?;
    page.awaiting = match &waiting {
        Some(decision) => Some(awaiting(decision, &foresight, &looker, actor)?),
        None => None,
    };
    page.undo = match &undoable {
        Some(decision) => Some(undo(decision, &foresight, context.kind)?),
        None => None,
    };
    page.decision_id = engine.sources.ids.public_id();
    page.evidence_hashes = crate::views::evidence_hashes(&context.evidence, &page.evidence);
    Ok(())
}

/// What a decision would do and post as it was chosen, or why it is refused. Nothing happens.
pub async fn foresee_case(
    engine: &Engine,
    actor: &Actor,
    case_id: &str,
    request: &DecisionRequest,
) -> Result<Effect, Error> {
    actor.require(Permission::Decide)?;
    let mut tx = engine.store.read().await?;
    let case = cases::by_public_id(&mut tx, case_id)
        .await?
        .ok_or_else(|| Error::not_found("case", case_id))?;
    let accounts = crate::storage::accounts::all(&mut tx).await?;
    let account = accounts
        .get(&case.account_id)
        .ok_or_else(|| Error::not_found("provider account", case.account_id))?;
    let state: CaseState = stored::parse("case_now", "state", &case.public_id, &case.state)?;
    check_state(state, request.action)?;
    let me = actor.person().map(|(id, _)| id);
    let context = context::read_on(&mut tx, &case, &request.params, me).await?;
    let (action, params) = (request.action, &request.params);
    let effect = foresee(&context, &case, account, action, params, engine.now())?;
    let named = std::iter::once(effect.rulings.as_slice());
    let foresight = Foresight::read(&mut tx, &accounts, &case, named).await?;
    foresight.effect(&effect.before_it_is_decided(), &effect.rulings, Way::Into)
}

pub(super) struct Looker<'a> {
    pub me: Option<i64>,
    pub decides: bool,
    pub people: &'a People,
}

impl Looker<'_> {
    /// Who could approve what a person decided: the first few, to be named.
    pub(super) fn approvers(&self, decider: Option<i64>) -> Vec<String> {
        let found = self.people.approvers(decider).into_iter();
        found.take(MOST_NAMES).map(|p| p.email.clone()).collect()
    }

    /// Whether the one who looks may approve what somebody decided.
    fn may_approve(&self, decider: i64) -> bool {
        self.me
            .is_some_and(|me| self.people.may_approve(decider, me))
    }
}

fn actions(
    context: &Context,
    case: &StoredCase,
    account: &ProviderAccount,
    state: CaseState,
    looker: &Looker<'_>,
    now: Instant,
) -> Vec<Offer> {
    let offered: Vec<Action> = match state {
        CaseState::AwaitingApproval => Vec::new(),
        CaseState::Resolved => vec![Action::Reopen],
        _ => available_today(context.kind)
            .into_iter()
            // Only of a file that is here.
            .filter(|action| *action != Action::Retry || case.file_id.is_some())
            .chain((state == CaseState::Waiting).then_some(Action::Reopen))
            .chain([Action::Snooze, Action::WaitForProvider, Action::Escalate])
            .collect(),
    };
    offered
        .into_iter()
        .map(|action| choice(context, case, account, action, looker, now))
        .collect()
}

/// An action on offer, and what it would do as far as that can be told before anything is chosen.
struct Offer {
    choice: ActionChoice,
    effect: Option<domain::cases::Effect>,
}

impl Offer {
    /// With its postings.
    fn shown(mut self, foresight: &Foresight<'_>) -> Result<ActionChoice, Error> {
        if let Some(effect) = &self.effect {
            let text = effect.before_it_is_decided();
            self.choice.effect = foresight.effect(&text, &effect.rulings, Way::Into)?;
        } else if self.choice.refused.is_empty() {
            "What it posts follows from what you choose.".clone_into(&mut self.choice.effect.text);
        }
        Ok(self.choice)
    }
}

fn choice(
    context: &Context,
    case: &StoredCase,
    account: &ProviderAccount,
    action: Action,
    looker: &Looker<'_>,
    now: Instant,
) -> Offer {
    let reasons = reasons(context.kind, action);
    let asked = DecisionParams {
        until: example(action, now).until,
        ..DecisionParams::default()
    };
    let tried = foresee(context, case, account, action, &asked, now);
    let (effect, needs_approval, refused) = match tried {
        Ok(effect) => {
            let two = effect.two_people;
            (Some(effect), two, String::new())
        }
        // What is still to be chosen is asked for beside; anything else stands in the way.
        Err(Refusal::Missing(_)) => (None, two_people_always(action), String::new()),
        Err(e) => (None, two_people_always(action), e.to_string()),
    };
    let refused = if looker.decides {
        refused
    } else {
        "your roles do not include deciding".to_owned()
    };
    let choice = ActionChoice {
        action: action.code().to_owned(),
        explains: effect
            .as_ref()
            .map_or_else(String::new, domain::cases::Effect::before_it_is_decided),
        reasons,
        asks: asks(context, action, account.zone, now),
        effect: Effect::default(),
        needs_approval,
        approvers: if needs_approval {
            looker.approvers(looker.me)
        } else {
            Vec::new()
        },
        refused,
    };
    Offer { choice, effect }
}

/// What an action would do, whatever the reason turns out to be.
pub(super) fn foresee(
    context: &Context,
    case: &StoredCase,
    account: &ProviderAccount,
    action: Action,
    params: &DecisionParams,
    now: Instant,
) -> Result<domain::cases::Effect, Refusal> {
    validate_decision(&DecisionInput {
        kind: context.kind,
        subject: &case.subject,
        facts: &context.facts,
        evidence: &context.evidence,
        at_risk: context.at_risk,
        policy: &account.policy,
        zone: account.zone,
        action,
        reason: ReasonCode::for_action(action)
            .first()
            .copied()
            .unwrap_or(ReasonCode::Other),
        comment: "looked at",
        params,
        targets: &context.targets(),
        waiting_rows: &context.waiting_rows,
        alone_before: &context.alone_before,
        reverses_approved: false,
        now,
    })
}

/// Params with which it can be told whether an action is possible before a person chose any.
pub(super) fn example(action: Action, now: Instant) -> DecisionParams {
    let waits = matches!(action, Action::Snooze | Action::WaitForProvider);
    DecisionParams {
        until: waits.then(|| now.plus_seconds(86_400)),
        outcome: (action == Action::ConfirmOutcome).then_some(Outcome::Rejected),
        to: (action == Action::CorrectPosting).then_some(LedgerAccount::Adjustments),
        ..DecisionParams::default()
    }
}

pub(super) fn reasons(kind: CaseKind, action: Action) -> Vec<ReasonChoice> {
    ReasonCode::offered(kind, action)
        .into_iter()
        .map(reason_choice)
        .collect()
}

/// A reason as a form offers it.
pub fn reason_choice(reason: ReasonCode) -> ReasonChoice {
    ReasonChoice {
        code: reason.code().to_owned(),
        label: reason.title().to_owned(),
        comment_required: reason.demands_comment(),
    }
}

fn asks(context: &Context, action: Action, zone: Zone, now: Instant) -> Vec<Ask> {
    match action {
        Action::ConfirmMatch if !context.facts.attempt.is_empty() => Vec::new(),
        Action::ConfirmMatch | Action::ChooseCandidate => vec![Ask::Candidate],
        Action::Allocate => vec![Ask::Shares],
        _ => asks_of_any(action, zone, now),
    }
}

/// What an action asks for that does not depend on the case.
pub(super) fn asks_of_any(action: Action, zone: Zone, now: Instant) -> Vec<Ask> {
    let choices =
        |pairs: Vec<(&str, &str)>| pairs.into_iter().map(|(v, l)| Choice::new(v, l)).collect();
    match action {
        Action::ConfirmOutcome => vec![Ask::Outcome {
            choices: choices(vec![
                (Outcome::Succeeded.code(), "The provider did it"),
                (Outcome::Rejected.code(), "The provider refused it for good"),
            ]),
        }],
        Action::Snooze | Action::WaitForProvider => vec![Ask::WakeOn {
            earliest: now.day_in(zone).next(),
        }],
        Action::CorrectPosting => vec![Ask::LedgerAccount {
            choices: LedgerAccount::ALL
                .iter()
                .filter(|a| {
                    !matches!(
                        a,
                        LedgerAccount::ProviderClearing
                            | LedgerAccount::Suspense
                            | LedgerAccount::Bank
                    )
                })
                .map(|a| Choice::new(a.code(), a.title()))
                .collect(),
        }],
        _ => Vec::new(),
    }
}

/// A decision that was taken, with what it sets.
struct Stored<'a> {
    decision: &'a StoredDecision,
    effects: Vec<String>,
    rulings: Vec<(RulingSubject, Ruling)>,
}

impl<'a> Stored<'a> {
    fn read(decision: &'a StoredDecision) -> Result<Self, Error> {
        let params: StoredParams =
            stored::json("decision", "params", &decision.public_id, &decision.params)?;
        Ok(Self {
            decision,
            rulings: apply::parsed(&params.rulings, &decision.public_id)?,
            effects: params.effects,
        })
    }
}

fn awaiting(
    stored: &Stored<'_>,
    foresight: &Foresight<'_>,
    looker: &Looker<'_>,
    actor: &Actor,
) -> Result<AwaitingDecision, Error> {
    let decision = stored.decision;
    let reason: ReasonCode = crate::storage::stored::parse(
        "decision",
        "reason_code",
        &decision.public_id,
        &decision.reason_code,
    )?;
    let approvers = looker.approvers(Some(decision.decided_by));
    let mine = looker.me == Some(decision.decided_by);
    let may_approve = looker.may_approve(decision.decided_by) && actor.may(Permission::Approve);
    let why_not = if may_approve {
        String::new()
    } else if mine {
        "you decided it yourself".to_owned()
    } else if actor.may(Permission::Approve) {
        format!(
            "your account and that of {} are not independent of each other",
            decision.decider
        )
    } else {
        "your roles do not include approving".to_owned()
    };
    Ok(AwaitingDecision {
        id: decision.public_id.clone(),
        action: decision.action.clone(),
        reason: reason.title().to_owned(),
        comment: decision.comment.clone(),
        decided_by: decision.decider.clone(),
        decided_at: Instant::from_micros(decision.decided_at),
        effect: foresight.effect(&stored.effects.join(" "), &stored.rulings, Way::Into)?,
        may_approve,
        why_not,
        approvers,
        may_withdraw: mine,
    })
}

/// The last decision in force, if it set something that can be taken back.
fn undoable(known: &[StoredDecision], state: CaseState) -> Result<Option<Stored<'_>>, Error> {
    if state == CaseState::AwaitingApproval {
        return Ok(None);
    }
    let last = known
        .iter()
        .rev()
        .find(|d| d.state == "APPLIED" && d.action != Action::ReverseDecision.code());
    let last = last.map(Stored::read).transpose()?;
    Ok(last.filter(|d| !d.rulings.is_empty() && d.decision.action != Action::AcceptRows.code()))
}

/// How a decision is taken back, and what that posts.
fn undo(stored: &Stored<'_>, foresight: &Foresight<'_>, kind: CaseKind) -> Result<Undo, Error> {
    let last = stored.decision;
    let effect = foresight.effect("", &stored.rulings, Way::OutOf)?;
    let does = if effect.postings.is_empty() {
        "Unlink"
    } else {
        "Reverse with a new entry"
    };
    Ok(Undo {
        decision_id: last.public_id.clone(),
        does: does.to_owned(),
        decision: format!("{} by {}", last.action.replace('_', " "), last.decider),
        needs_approval: last.approved == 1,
        reasons: reasons(kind, Action::ReverseDecision),
        effect,
    })
}
