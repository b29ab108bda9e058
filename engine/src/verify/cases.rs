//! Every case stands as the last step of its history says.
//!
//! A step holds what the facts gave: evidence version, money at risk, severity, resolution, and the
//! facts, which name the payment and the lines. Who holds the case, until when, and when it wakes,
//! follows from its steps, one after another.

use crate::{
    Error,
    decide::{CLAIM_SECONDS, wake_of},
    derive::cases::severity_by_age,
    storage::{
        Reader, accounts,
        cases::AgedCase,
        providers::read_policy,
        stored,
        verify::{self, CaseRow, CaseStep},
    },
};
use domain::{
    account::Policy,
    cases::{CaseFacts, Subject, due::settlement_due},
    matching::LineName,
    seal::hex_of,
    time::{Instant, Zone},
};
use std::collections::{BTreeSet, HashMap};

/// What a step says of how the case stands after it.
#[derive(serde::Deserialize)]
struct Detail {
    evidence_version: i64,
    at_risk: i64,
    currency: String,
    severity: i64,
    resolution: String,
    facts: serde_json::Value,
}

/// What follows from the steps of a case, one after another.
#[derive(Debug, Default, PartialEq, Eq)]
struct Hands {
    owner: Option<String>,
    lease_until: Option<i64>,
    wake_at: Option<i64>,
    resolved_at: Option<i64>,
    state: String,
}

impl Hands {
    fn step(&mut self, step: &CaseStep, waits: &[(i64, Option<i64>)]) {
        match step.what.as_str() {
            "claimed" => {
                self.owner = Some(step.actor.clone());
                let until = Instant::from_micros(step.at).plus_seconds(CLAIM_SECONDS);
                self.lease_until = Some(until.micros());
                self.wake_at = None;
            }
            "released" | "woke" => {
                self.let_go();
                self.wake_at = None;
            }
            "escalated" => self.let_go(),
            "snoozed" => {
                let before = waits.iter().rfind(|(version, _)| *version < step.version);
                self.wake_at = before.and_then(|(_, wake)| *wake);
            }
            _ => {}
        }
        match step.state.as_str() {
            "RESOLVED" => {
                self.resolved_at = Some(step.at);
                self.let_go();
                self.wake_at = None;
            }
            "OPEN" => {
                if self.state == "RESOLVED" {
                    self.let_go();
                }
                self.resolved_at = None;
                self.wake_at = None;
            }
            _ => {}
        }
        self.state.clone_from(&step.state);
    }

    fn let_go(&mut self) {
        self.owner = None;
        self.lease_until = None;
    }
}

/// What cases are compared with beside their own histories.
#[derive(Default)]
struct Around {
    /// Zone and every policy that an account ever had.
    policies: HashMap<i64, (Zone, Vec<Policy>)>,
    /// Keys of files and their accounts by the start of their hash, as lines are named.
    files: HashMap<String, Vec<(i64, i64)>>,
}

/// The first case that stands otherwise than its history says.
pub async fn cases(reader: &mut Reader, now: Instant) -> Result<Option<String>, Error> {
    let mut around = Around::default();
    let mut after = i64::MIN;
    loop {
        let cases = verify::cases_after(&mut *reader, after).await?;
        let Some(last) = cases.last().map(|c| c.id) else {
            return Ok(None);
        };
        if after == i64::MIN {
            around = Around::read(reader).await?;
        }
        let mut steps: HashMap<i64, Vec<CaseStep>> = HashMap::new();
        for step in verify::case_steps(&mut *reader, after, last).await? {
            steps.entry(step.case_id).or_default().push(step);
        }
        let mut waits: HashMap<i64, Vec<(i64, Option<i64>)>> = HashMap::new();
        for (case, version, params) in verify::case_waits(&mut *reader, after, last).await? {
            let wake = wake_of(case, &params)?;
            waits.entry(case).or_default().push((version, wake));
        }
        let lines = lines_shown(reader, &cases, &around).await?;
        for case in &cases {
            let steps = steps.remove(&case.id).unwrap_or_default();
            let waits = waits.remove(&case.id).unwrap_or_default();
            if let Some(wrong) = wrong(case, &steps, &waits, &lines, &around, now)? {
                return Ok(Some(format!(
                    "case {} about {}: {wrong}",
                    case.public_id, case.subject_then
                )));
            }
        }
        after = last;
    }
}

impl Around {
    async fn read(reader: &mut Reader) -> Result<Self, Error> {
        let mut around = Self::default();
        for account in accounts::all(&mut *reader).await?.into_values() {
            around
                .policies
                .insert(account.id, (account.zone, vec![account.policy]));
        }
        for (account, _, fields) in verify::policies(&mut *reader).await? {
            if let Some((_, policies)) = around.policies.get_mut(&account) {
                policies.push(read_policy(&account.to_string(), &fields)?);
            }
        }
        let mut after = i64::MIN;
        loop {
            let files = verify::received_files(&mut *reader, after).await?;
            let Some(last) = files.last() else {
                return Ok(around);
            };
            after = last.id;
            for file in &files {
                let start = hex_of(file.sha256.get(..8).unwrap_or_default());
                let files = around.files.entry(start).or_default();
                files.push((file.id, file.account_id));
            }
        }
    }
}

/// Keys of the lines that the cases' facts name, by file and number.
async fn lines_shown(
    reader: &mut Reader,
    cases: &[CaseRow],
    around: &Around,
) -> Result<HashMap<(i64, i64), i64>, Error> {
    let mut wanted = Vec::new();
    for case in cases {
        for name in shown(case)? {
            wanted.extend(places(around, &name, case.account_then));
        }
    }
    let found = verify::lines_by_name(&mut *reader, wanted).await?;
    Ok(found
        .into_iter()
        .map(|(file, line_no, id)| ((file, line_no), id))
        .collect())
}

fn shown(case: &CaseRow) -> Result<Vec<LineName>, Error> {
    let Some(facts) = &case.facts else {
        return Ok(Vec::new());
    };
    let facts: CaseFacts = stored::json("case_now", "facts", &case.public_id, facts)?;
    Ok(facts.lines.into_iter().map(|l| l.name).collect())
}

/// Where a line of this name may stand for a case of an account: the start of a hash can be that of the
/// same file for several accounts, of which the case is about its own.
fn places(around: &Around, name: &LineName, account: i64) -> Vec<(i64, i64)> {
    let line_no = i64::try_from(name.line_no).unwrap_or(i64::MAX);
    let files = around.files.get(&name.file).map_or(&[][..], Vec::as_slice);
    let own = files.iter().any(|(_, of)| *of == account);
    files
        .iter()
        .filter(|(_, of)| !own || *of == account)
        .map(|(file, _)| (*file, line_no))
        .collect()
}

/// Collects what stands otherwise, column by column.
struct Differences(Vec<String>);

impl Differences {
    fn compare<T: PartialEq + std::fmt::Debug>(
        &mut self,
        what: &str,
        stands: Option<&T>,
        history: Option<&T>,
    ) {
        if stands != history {
            let shown = |value: Option<&T>| {
                let text = value.map_or_else(|| "nothing".to_owned(), |v| format!("{v:?}"));
                text.chars().take(80).collect::<String>()
            };
            self.0.push(format!(
                "{what} stands as {}, its history says {}",
                shown(stands),
                shown(history)
            ));
        }
    }
}

fn wrong(
    case: &CaseRow,
    steps: &[CaseStep],
    waits: &[(i64, Option<i64>)],
    lines: &HashMap<(i64, i64), i64>,
    around: &Around,
    now: Instant,
) -> Result<Option<String>, Error> {
    let Some(last) = steps.last() else {
        return Ok(Some("has no history".to_owned()));
    };
    if case.state.is_none() {
        return Ok(Some(format!(
            "stands as nothing, its history says {}",
            last.state
        )));
    }
    let mut differ = Differences(Vec::new());
    differ.compare("state", case.state.as_ref(), Some(&last.state));
    differ.compare("version", case.version.as_ref(), Some(&last.version));
    differ.compare("kind", case.kind.as_ref(), Some(&case.kind_then));
    differ.compare("subject", case.subject.as_ref(), Some(&case.subject_then));
    differ.compare(
        "provider account",
        case.account_id.as_ref(),
        Some(&case.account_then),
    );
    differ.compare("opening", case.opened_at.as_ref(), Some(&case.opened_then));
    let detail: Detail = stored::json("case_event", "detail", &case.public_id, &last.detail)?;
    differ.compare(
        "evidence version",
        case.evidence_version.as_ref(),
        Some(&detail.evidence_version),
    );
    differ.compare("at_risk", case.at_risk.as_ref(), Some(&detail.at_risk));
    differ.compare("currency", case.currency.as_ref(), Some(&detail.currency));
    let escalated = steps.iter().filter(|s| s.what == "escalated").count();
    let escalated = i64::try_from(escalated).unwrap_or(i64::MAX);
    differ.compare("escalated", case.escalated.as_ref(), Some(&escalated));
    // It also rises with age alone, which is no step.
    if case.severity != Some(aged(case, &detail, escalated, now)?) {
        differ.compare("severity", case.severity.as_ref(), Some(&detail.severity));
    }
    differ.compare(
        "resolution",
        case.resolution.as_ref(),
        Some(&detail.resolution),
    );
    let facts: serde_json::Value = stored::json(
        "case_now",
        "facts",
        &case.public_id,
        case.facts.as_deref().unwrap_or_default(),
    )?;
    differ.compare("facts", Some(&facts), Some(&detail.facts));
    compare_hands(&mut differ, case, steps, waits);
    compare_subject(&mut differ, case, lines, around)?;
    compare_due(&mut differ, case, around);
    Ok(differ.0.into_iter().next())
}

/// How severe the case may be by its age now.
fn aged(case: &CaseRow, detail: &Detail, escalated: i64, now: Instant) -> Result<i64, Error> {
    let aged = AgedCase {
        case_id: case.id,
        currency: detail.currency.clone(),
        at_risk: detail.at_risk,
        severity: detail.severity,
        escalated,
        opened_at: case.opened_then,
    };
    Ok(severity_by_age(&aged, now)?)
}

fn compare_hands(
    differ: &mut Differences,
    case: &CaseRow,
    steps: &[CaseStep],
    waits: &[(i64, Option<i64>)],
) {
    let mut hands = Hands::default();
    for step in steps {
        hands.step(step, waits);
    }
    // An owner that is nobody's key has no address.
    let owner = case
        .owner_id
        .map(|id| case.owner.clone().unwrap_or_else(|| format!("user {id}")));
    differ.compare("owner", owner.as_ref(), hands.owner.as_ref());
    differ.compare(
        "lease",
        case.lease_until.as_ref(),
        hands.lease_until.as_ref(),
    );
    differ.compare("waking", case.wake_at.as_ref(), hands.wake_at.as_ref());
    differ.compare(
        "resolved at",
        case.resolved_at.as_ref(),
        hands.resolved_at.as_ref(),
    );
}

/// The rows that the case names are those that its facts and its subject name.
fn compare_subject(
    differ: &mut Differences,
    case: &CaseRow,
    lines: &HashMap<(i64, i64), i64>,
    around: &Around,
) -> Result<(), Error> {
    let facts: CaseFacts = stored::json(
        "case_now",
        "facts",
        &case.public_id,
        case.facts.as_deref().unwrap_or_default(),
    )?;
    let named = |text: &String| Some(text.clone()).filter(|t| !t.is_empty());
    let keyed = |id: Option<i64>, name: Option<&String>| {
        id.map(|id| name.cloned().unwrap_or_else(|| format!("row {id}")))
    };
    differ.compare(
        "intent",
        keyed(case.intent_id, case.intent.as_ref()).as_ref(),
        named(&facts.intent).as_ref(),
    );
    differ.compare(
        "attempt",
        keyed(case.attempt_id, case.attempt.as_ref()).as_ref(),
        named(&facts.attempt).as_ref(),
    );
    let first = facts
        .lines
        .iter()
        .flat_map(|l| places(around, &l.name, case.account_then))
        .filter_map(|place| lines.get(&place))
        .min();
    differ.compare("line", case.line_id.as_ref(), first);
    let provider = case.provider.as_deref().unwrap_or_default();
    let of_rows = case.subject_then.starts_with("rows:");
    let about_file = case.file_id.map(|id| {
        let hash = case
            .file
            .as_deref()
            .map_or_else(|| format!("row {id}"), hex_of);
        match case.subject_then.rsplit(':').next().filter(|_| of_rows) {
            Some(currency) => format!("rows:{hash}:{currency}"),
            None => Subject::File(hash).to_string(),
        }
    });
    let about_batch = case.batch_id.map(|id| {
        let batch = case.batch.clone().unwrap_or_else(|| format!("row {id}"));
        let currency = case.subject_then.rsplit(':').next().unwrap_or_default();
        Subject::Batch(format!("{provider}:{batch}:{currency}")).to_string()
    });
    let subject = |start: &str| Some(&case.subject_then).filter(|s| s.starts_with(start));
    let file = subject("file:").or_else(|| subject("rows:"));
    differ.compare("file", about_file.as_ref(), file);
    differ.compare("batch", about_batch.as_ref(), subject("batch:"));
    Ok(())
}

/// Due by a policy that the account had: which one was in force when the case opened is not sealed.
fn compare_due(differ: &mut Differences, case: &CaseRow, around: &Around) {
    let Some((zone, policies)) = around.policies.get(&case.account_then) else {
        return;
    };
    let opened = Instant::from_micros(case.opened_then);
    let due: BTreeSet<i64> = policies
        .iter()
        .map(|policy| settlement_due(opened, *zone, policy).micros())
        .collect();
    let fits = case.due_at.is_some_and(|at| due.contains(&at));
    if !fits {
        differ.compare("due", case.due_at.as_ref(), due.first());
    }
}
