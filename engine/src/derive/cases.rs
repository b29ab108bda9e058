//! Cases as derived: opened, brought up to date and closed by the facts, each step a record.

use super::{Derived, Work};
use crate::{
    Error,
    storage::{
        StorageError,
        cases::{self, AgedCase, NewCaseEvent, StoredCase},
        counter::allocate,
        decisions, stored,
    },
};
use domain::{
    cases::{CaseKind, CaseMove, CaseState, WantedCase, due::settlement_due, severity},
    matching::AttemptJudgement,
    money::Money,
    payment::Outcome,
    seal::{
        Text,
        records::{CaseEventRecord, ReviewCaseRecord, acted_at},
    },
    time::Instant,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What was judged, and so which open cases must be wanted to stay open.
#[derive(Debug, Default)]
pub struct Judged {
    /// Keys of intents.
    pub intents: BTreeSet<i64>,
    /// Keys of lines.
    pub lines: BTreeSet<i64>,
    /// What was judged of attempts.
    pub attempts: HashMap<i64, AttemptJudgement>,
    /// Lines that are judged later.
    pub waiting: BTreeSet<i64>,
}

/// Opens, updates and closes cases so that those about what was judged are the wanted ones.
pub(crate) async fn write(
    work: &mut Work<'_>,
    judged: &Judged,
    wanted: Vec<WantedCase>,
) -> Result<Derived, Error> {
    let now = work.cause.now;
    let wanted: BTreeMap<(CaseKind, String), WantedCase> = wanted
        .into_iter()
        .filter(|w| w.not_before.is_none_or(|t| t <= now))
        .map(|w| ((w.kind, w.subject.clone()), w))
        .collect();
    let mut ids: BTreeSet<i64> = cases::about(
        &mut *work.tx,
        judged.intents.iter().copied(),
        judged.lines.iter().copied(),
    )
    .await?
    .into_iter()
    .collect();
    let subjects = wanted
        .keys()
        .map(|(kind, subject)| (kind.code(), subject.as_str()));
    ids.extend(cases::of_subjects(&mut *work.tx, subjects).await?);
    let standing = cases::by_id(&mut *work.tx, ids.iter().copied()).await?;
    settle(work, judged, wanted, standing, None).await
}

/// What cases are about that no line or intent names.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct About {
    pub file: Option<i64>,
    pub batch: Option<i64>,
}

/// Opens, updates and closes the cases of one subject that is judged as a whole, such as those of a
/// file: every standing case that is not wanted closes.
pub(crate) async fn write_for(
    work: &mut Work<'_>,
    standing: Vec<StoredCase>,
    wanted: Vec<WantedCase>,
    about: About,
) -> Result<Derived, Error> {
    let mut by_id: BTreeMap<i64, StoredCase> =
        standing.into_iter().map(|c| (c.case_id, c)).collect();
    let subjects: Vec<(&str, &str)> = wanted
        .iter()
        .map(|w| (w.kind.code(), w.subject.as_str()))
        .collect();
    let more = cases::of_subjects(&mut *work.tx, subjects.into_iter()).await?;
    for case in cases::by_id(&mut *work.tx, more.into_iter()).await? {
        by_id.insert(case.case_id, case);
    }
    let wanted = wanted
        .into_iter()
        .map(|w| ((w.kind, w.subject.clone()), w))
        .collect();
    let judged = Judged::default();
    settle(
        work,
        &judged,
        wanted,
        by_id.into_values().collect(),
        Some(about),
    )
    .await
}

async fn settle(
    work: &mut Work<'_>,
    judged: &Judged,
    mut wanted: BTreeMap<(CaseKind, String), WantedCase>,
    standing: Vec<StoredCase>,
    whole: Option<About>,
) -> Result<Derived, Error> {
    let mut derived = Derived::default();
    let mut steps = Steps::default();
    let mut openings = Openings::default();
    for mut case in standing {
        let kind: CaseKind = stored::parse("case_now", "kind", &case.public_id, &case.kind)?;
        let state: CaseState = stored::parse("case_now", "state", &case.public_id, &case.state)?;
        let name = (kind, case.subject.clone());
        // Names of files and lines carry no account: what another account had with the same bytes is over.
        let of_another = ["file:", "line:"].iter().any(|of| name.1.starts_with(of))
            && wanted
                .get(&name)
                .is_some_and(|want| want.account != case.account_id);
        openings.note(&name, case.opening);
        if of_another && state == CaseState::Resolved {
            continue;
        }
        match wanted.remove(&name) {
            Some(want) if state == CaseState::Resolved => {
                take_facts(&mut case, &want, work.cause.now)?;
                steps.step(work, &mut case, "reopened", CaseState::Open, "")?;
                derived.cases_opened += 1;
            }
            Some(want) => {
                let before = case.clone();
                take_facts(&mut case, &want, work.cause.now)?;
                if case.facts == before.facts
                    && case.at_risk == before.at_risk
                    && case.currency == before.currency
                {
                    // Age alone is for the sweep to see.
                    continue;
                }
                case.evidence_version += 1;
                let next = match state {
                    CaseState::AwaitingApproval => state.after(CaseMove::Unapproved),
                    CaseState::Waiting => state.after(CaseMove::Wake),
                    other => Ok(other),
                };
                let next = next.map_err(|e| Error::Internal(e.to_string()))?;
                if state == CaseState::AwaitingApproval {
                    decisions::void_awaiting(&mut *work.tx, case.case_id).await?;
                }
                steps.step(work, &mut case, "evidence", next, "")?;
            }
            None if state != CaseState::Resolved
                && (whole.is_some() || closes(kind, &case, judged)) =>
            {
                if state == CaseState::AwaitingApproval {
                    decisions::void_awaiting(&mut *work.tx, case.case_id).await?;
                }
                "resolved by evidence".clone_into(&mut case.resolution);
                let by = format!(
                    "resolved by evidence: {} {}",
                    work.cause.kind, work.cause.name
                );
                steps.step(work, &mut case, "resolved", CaseState::Resolved, &by)?;
                derived.cases_closed += 1;
            }
            None => {}
        }
    }
    derived.cases_opened += wanted.len() as u64;
    open(
        work,
        &mut steps,
        wanted,
        &openings,
        whole.unwrap_or_default(),
    )
    .await?;
    steps.write(work).await?;
    Ok(derived)
}

/// Whether an open case that is not wanted by the lines ends. Cases that only time makes end when
/// what they wait for has come.
fn closes(kind: CaseKind, case: &StoredCase, judged: &Judged) -> bool {
    let attempt = case.attempt_id.and_then(|id| judged.attempts.get(&id));
    match kind {
        CaseKind::UnknownOutcome => attempt.is_some_and(|a| a.outcome != Outcome::Unknown),
        CaseKind::MissingSettlement => attempt.is_some_and(|a| {
            a.has_lines || a.written_off.is_some() || a.outcome != Outcome::Succeeded
        }),
        CaseKind::MissingFile
        | CaseKind::BatchOutOfBalance
        | CaseKind::RejectedRows
        | CaseKind::RestatedLine
        | CaseKind::UnrecognisedRows
        | CaseKind::BankMismatch
        | CaseKind::FeeVariance
        | CaseKind::MissingRefund
        | CaseKind::EventFailed => false,
        // Whether a line that waits is still unexplained is not known yet.
        _ if case.subject.starts_with("line:")
            && case.line_id.is_some_and(|id| judged.waiting.contains(&id)) =>
        {
            false
        }
        _ => {
            case.intent_id
                .is_some_and(|id| judged.intents.contains(&id))
                || case.line_id.is_some_and(|id| judged.lines.contains(&id))
        }
    }
}

/// How often cases of a kind and subject were opened.
#[derive(Default)]
struct Openings(BTreeMap<(CaseKind, String), i64>);

impl Openings {
    fn note(&mut self, name: &(CaseKind, String), opening: i64) {
        let most = self.0.entry(name.clone()).or_default();
        *most = opening.max(*most);
    }

    fn next(&self, name: &(CaseKind, String)) -> i64 {
        self.0.get(name).map_or(1, |most| most + 1)
    }
}

async fn open(
    work: &mut Work<'_>,
    steps: &mut Steps,
    wanted: BTreeMap<(CaseKind, String), WantedCase>,
    openings: &Openings,
    about: About,
) -> Result<(), Error> {
    if wanted.is_empty() {
        return Ok(());
    }
    let first = allocate(&mut *work.tx, "review_case", wanted.len() as u64).await?;
    for (id, (name, want)) in (first..).zip(wanted) {
        let account = work.accounts.get(&want.account);
        let mut case = StoredCase {
            case_id: id,
            public_id: format!("C-{id:05}"),
            opening: openings.next(&name),
            kind: want.kind.code().to_owned(),
            subject: want.subject.clone(),
            state: CaseState::Open.code().to_owned(),
            version: 0,
            evidence_version: 1,
            account_id: want.account,
            currency: String::new(),
            at_risk: 0,
            severity: 1,
            escalated: 0,
            intent_id: None,
            attempt_id: None,
            line_id: None,
            file_id: about.file,
            batch_id: about.batch,
            facts: String::new(),
            opened_at: work.cause.now.micros(),
            due_at: account
                .map_or(work.cause.now, |a| {
                    settlement_due(work.cause.now, a.zone, &a.policy)
                })
                .micros(),
            owner_id: None,
            lease_until: None,
            wake_at: None,
            resolution: String::new(),
            resolved_at: None,
        };
        take_facts(&mut case, &want, work.cause.now)?;
        steps.new.insert(id);
        steps.step(work, &mut case, "opened", CaseState::Open, "")?;
    }
    Ok(())
}

fn take_facts(case: &mut StoredCase, want: &WantedCase, now: Instant) -> Result<(), StorageError> {
    case.facts = stored::to_json(&want.facts)?;
    case.at_risk = want.at_risk.map_or(0, |m| m.minor);
    case.currency = want
        .at_risk
        .map_or_else(String::new, |m| m.currency.to_string());
    case.intent_id = want.intent;
    case.attempt_id = want.attempt;
    case.line_id = want.line;
    case.severity = severity_of(case, now)?;
    Ok(())
}

/// How severe a case is by now.
pub(crate) fn severity_of(case: &StoredCase, now: Instant) -> Result<i64, StorageError> {
    let aged = AgedCase {
        case_id: case.case_id,
        currency: case.currency.clone(),
        at_risk: case.at_risk,
        severity: case.severity,
        escalated: case.escalated,
        opened_at: case.opened_at,
    };
    severity_by_age(&aged, now)
}

/// How severe a case is by its money, its age and what people made of it.
pub(crate) fn severity_by_age(case: &AgedCase, now: Instant) -> Result<i64, StorageError> {
    let at_risk = if case.currency.is_empty() {
        None
    } else {
        let currency = stored::parse("case_now", "currency", case.case_id, &case.currency)?;
        Some(Money::new(case.at_risk, currency))
    };
    let age_days = now.seconds_since(Instant::from_micros(case.opened_at)) / 86_400;
    Ok(severity(at_risk, age_days, case.escalated).number())
}

/// Steps of cases on their way into the tables.
#[derive(Default)]
pub(crate) struct Steps {
    new: std::collections::HashSet<i64>,
    cases: Vec<StoredCase>,
    events: Vec<NewCaseEvent>,
}

impl Steps {
    /// One step: a version more, a state, a record.
    pub(crate) fn step(
        &mut self,
        work: &Work<'_>,
        case: &mut StoredCase,
        what: &'static str,
        state: CaseState,
        because: &str,
    ) -> Result<(), Error> {
        let was_resolved = case.state == CaseState::Resolved.code();
        case.version += 1;
        state.code().clone_into(&mut case.state);
        match state {
            CaseState::Resolved => {
                case.resolved_at = Some(work.cause.now.micros());
                case.owner_id = None;
                case.lease_until = None;
                case.wake_at = None;
            }
            CaseState::Open => {
                case.resolved_at = None;
                case.resolution.clear();
                case.wake_at = None;
                if was_resolved {
                    case.evidence_version += 1;
                    case.owner_id = None;
                    case.lease_until = None;
                }
            }
            _ => {}
        }
        let detail = serde_json::json!({
            "evidence_version": case.evidence_version,
            "at_risk": case.at_risk,
            "currency": case.currency,
            "severity": case.severity,
            "resolution": case.resolution,
            "because": if because.is_empty() { work.cause.name } else { because },
            "facts": serde_json::from_str::<serde_json::Value>(&case.facts).unwrap_or_default(),
        });
        self.events.push(NewCaseEvent {
            case_id: case.case_id,
            version: case.version,
            what,
            state: case.state.clone(),
            detail: stored::to_json(&detail)?,
            actor: work.cause.actor.to_owned(),
            at: work.cause.now.micros(),
        });
        self.cases.push(case.clone());
        Ok(())
    }

    /// Writes all steps.
    pub(crate) async fn write(self, work: &mut Work<'_>) -> Result<(), Error> {
        if self.cases.is_empty() {
            return Ok(());
        }
        let new: Vec<StoredCase> = self
            .cases
            .iter()
            .filter(|c| self.new.contains(&c.case_id))
            .cloned()
            .collect();
        cases::insert(work.tx, &new).await?;
        cases::put(work.tx, &self.cases).await?;
        cases::insert_events(work.tx, &self.events).await?;
        let names: HashMap<i64, &StoredCase> = self.cases.iter().map(|c| (c.case_id, c)).collect();
        for case in &new {
            work.leaves.push(
                case.case_id,
                &ReviewCaseRecord {
                    kind: &case.kind,
                    subject: &case.subject,
                    opening: case.opening,
                    provider: work
                        .accounts
                        .get(&case.account_id)
                        .map_or("", |a| a.name.as_str()),
                },
            );
        }
        for event in &self.events {
            let Some(case) = names.get(&event.case_id) else {
                continue;
            };
            work.leaves.push_part(
                event.case_id,
                event.version,
                &CaseEventRecord {
                    kind: &case.kind,
                    subject: &case.subject,
                    opening: case.opening,
                    version: event.version,
                    what: event.what,
                    state: &event.state,
                    detail: Text::Plain(&event.detail),
                    actor: Text::Plain(&event.actor),
                    acted_at: acted_at(&event.actor, work.cause.now.micros()),
                },
            );
        }
        Ok(())
    }
}
