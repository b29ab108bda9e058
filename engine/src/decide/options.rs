//! What may be decided about a case, and what each decision would do.

use super::{
    context::{self, Context},
    decide_case::StoredParams,
};
use crate::{
    Engine, Error,
    storage::{
        cases::{self, StoredCase},
        decisions::{self, StoredDecision},
        stored, users,
        users::UserAccount,
    },
};
use domain::{
    account::ProviderAccount,
    actor::{Actor, Permission},
    cases::{
        Action, CaseState, DecisionInput, DecisionParams, ReasonCode, Refusal, available_today,
        two_people_always, validate_decision,
    },
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
    let people = users::list(&mut tx).await?;
    let known = decisions::of_case(&mut tx, case.case_id).await?;
    let context = context::read_on(&mut tx, &case, &DecisionParams::default()).await?;
    let state: CaseState = stored::parse("case_now", "state", &case.public_id, &case.state)?;
    let me = actor.person().map(|(id, _)| id);
    let looker = Looker {
        me,
        decides: actor.may(Permission::Decide),
        people: &people,
    };
    page.actions = actions(&context, &case, account, state, &looker, engine.now());
    page.awaiting = known
        .iter()
        .rev()
        .find(|d| d.state == "AWAITING")
        .map(|d| awaiting(d, &looker, actor))
        .transpose()?;
    page.undo = undo(&known, state);
    page.decision_id = engine.sources.ids.public_id();
    page.evidence_hashes = vec![context.evidence.clone()];
    page.evidence_hashes.extend(
        page.evidence
            .iter()
            .filter(|t| !t.hash.is_empty())
            .map(|t| t.hash.clone()),
    );
    Ok(())
}

struct Looker<'a> {
    me: Option<i64>,
    decides: bool,
    people: &'a [UserAccount],
}

impl Looker<'_> {
    /// Who could approve what a person decided.
    fn approvers(&self, decider: Option<i64>) -> Vec<String> {
        let made = |account: &UserAccount, maker: Option<i64>| {
            Some(account.created_by) == maker || Some(account.changed_by) == maker
        };
        let by = self.people.iter().find(|p| Some(p.id) == decider);
        self.people
            .iter()
            .filter(|p| Some(p.id) != decider && !p.disabled && !made(p, decider))
            .filter(|p| by.is_none_or(|d| !made(d, Some(p.id))))
            .filter(|p| p.roles.iter().any(|r| r.grants(Permission::Approve)))
            .take(MOST_NAMES)
            .map(|p| p.email.clone())
            .collect()
    }
}

fn actions(
    context: &Context,
    case: &StoredCase,
    account: &ProviderAccount,
    state: CaseState,
    looker: &Looker<'_>,
    now: Instant,
) -> Vec<ActionChoice> {
    let offered: Vec<Action> = match state {
        CaseState::AwaitingApproval => Vec::new(),
        CaseState::Resolved => vec![Action::Reopen],
        _ => available_today(context.kind)
            .into_iter()
            // Only of a file that is here.
            .filter(|action| *action != Action::Retry || case.file_id.is_some())
            .chain([Action::Snooze, Action::WaitForProvider, Action::Escalate])
            .collect(),
    };
    offered
        .into_iter()
        .map(|action| choice(context, case, account, action, looker, now))
        .collect()
}

fn choice(
    context: &Context,
    case: &StoredCase,
    account: &ProviderAccount,
    action: Action,
    looker: &Looker<'_>,
    now: Instant,
) -> ActionChoice {
    let reasons = reasons(action);
    let params = DecisionParams {
        until: matches!(action, Action::Snooze | Action::WaitForProvider)
            .then(|| now.plus_seconds(86_400)),
        ..DecisionParams::default()
    };
    let tried = validate_decision(&DecisionInput {
        kind: context.kind,
        subject: &case.subject,
        facts: &context.facts,
        evidence: &context.evidence,
        at_risk: context.at_risk,
        policy: &account.policy,
        action,
        reason: ReasonCode::for_action(action)
            .first()
            .copied()
            .unwrap_or(ReasonCode::Other),
        comment: "looked at",
        params: &params,
        targets: &context.targets(),
        unplaced: &context.unplaced,
        reverses_approved: false,
        now,
    });
    let (text, needs_approval, refused) = match tried {
        Ok(effect) => (effect.preview.join(" "), effect.two_people, String::new()),
        // What is still to be chosen is asked for beside; anything else stands in the way.
        Err(Refusal::Missing(_)) => (String::new(), two_people_always(action), String::new()),
        Err(e) => (String::new(), two_people_always(action), e.to_string()),
    };
    let refused = if looker.decides {
        refused
    } else {
        "your roles do not include deciding".to_owned()
    };
    ActionChoice {
        action: action.code().to_owned(),
        explains: text.clone(),
        reasons,
        asks: asks(context, action, account.zone, now),
        effect: Effect {
            text,
            postings: Vec::new(),
        },
        needs_approval,
        approvers: if needs_approval {
            looker.approvers(looker.me)
        } else {
            Vec::new()
        },
        refused,
    }
}

fn reasons(action: Action) -> Vec<ReasonChoice> {
    ReasonCode::for_action(action)
        .iter()
        .map(|r| ReasonChoice {
            code: r.code().to_owned(),
            label: r.title().to_owned(),
            comment_required: r.demands_comment(),
        })
        .collect()
}

fn asks(context: &Context, action: Action, zone: Zone, now: Instant) -> Vec<Ask> {
    let choices =
        |pairs: Vec<(&str, &str)>| pairs.into_iter().map(|(v, l)| Choice::new(v, l)).collect();
    match action {
        Action::ConfirmMatch if !context.facts.attempt.is_empty() => Vec::new(),
        Action::ConfirmMatch | Action::ChooseCandidate => vec![Ask::Candidate],
        Action::Allocate => vec![Ask::Shares],
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

fn awaiting(
    decision: &StoredDecision,
    looker: &Looker<'_>,
    actor: &Actor,
) -> Result<AwaitingDecision, Error> {
    let params: StoredParams =
        stored::json("decision", "params", &decision.public_id, &decision.params)?;
    let reason: ReasonCode = stored::parse(
        "decision",
        "reason_code",
        &decision.public_id,
        &decision.reason_code,
    )?;
    let approvers = looker.approvers(Some(decision.decided_by));
    let mine = looker.me == Some(decision.decided_by);
    let may_approve = actor
        .person()
        .is_some_and(|(_, email)| approvers.iter().any(|a| a == email))
        && actor.may(Permission::Approve);
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
        effect: Effect {
            text: params.effects.join(" "),
            postings: Vec::new(),
        },
        may_approve,
        why_not,
        approvers,
        may_withdraw: mine,
    })
}

/// The last decision in force, if it set something.
fn undo(known: &[StoredDecision], state: CaseState) -> Option<Undo> {
    if state == CaseState::AwaitingApproval {
        return None;
    }
    let last = known
        .iter()
        .rev()
        .find(|d| d.state == "APPLIED" && d.action != Action::ReverseDecision.code())?;
    let params: StoredParams = serde_json::from_str(&last.params).ok()?;
    if params.rulings.is_empty() || last.action == Action::AcceptRows.code() {
        return None;
    }
    let moves_money = !matches!(
        last.action.parse::<Action>(),
        Ok(Action::Dismiss | Action::ConfirmOutcome | Action::NotExecuted)
    );
    Some(Undo {
        decision_id: last.public_id.clone(),
        does: if moves_money {
            "Reverse with a new entry"
        } else {
            "Unlink"
        }
        .to_owned(),
        decision: format!("{} by {}", last.action.replace('_', " "), last.decider),
        needs_approval: last.approved == 1,
        reasons: reasons(Action::ReverseDecision),
    })
}
