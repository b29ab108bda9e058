//! One case: what it is about, both sides field by field, candidates, what testifies, history.
//! What may be decided is filled in by the use case that decides.

use super::{case_about, case_words, intent, line_names::LineNames, queue as rows};
use crate::{
    Engine, Error,
    decide::fill_case_page,
    storage::{
        StorageError,
        books::{self, FileByHash},
        intents,
        lines::{self, LineShown},
        queue::{self, CaseRow, CaseStep, Standing},
        stored,
        tx::Connected,
    },
};
use domain::{
    actor::{Actor, Permission},
    cases::{CaseFacts, CaseKind},
    matching::{self, LineName, explanation::Field, sentences},
    money::{Currency, Money},
    time::Instant,
    view::{
        Amount, Link,
        amount::capital,
        case::{
            AboutFact, Agreement, Candidate, CaseEvent, CasePage, DifferenceStep, FieldCell,
            FieldRow, Owner, RunningDifference, SideHead, Sides, Testimony,
        },
        queue::QueueFilter,
        routes,
    },
};

/// The page of a case, by its public id, with its neighbours in the queue under a filter.
pub async fn case(
    engine: &Engine,
    actor: &Actor,
    id: &str,
    filter: &QueueFilter,
) -> Result<Option<CasePage>, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let Some(key) = queue::case_by_public_id(&mut reader, id).await? else {
        return Ok(None);
    };
    let Some(row) = queue::by_ids(&mut reader, [key]).await?.pop() else {
        return Ok(None);
    };
    let kind: CaseKind = stored::parse("case_now", "kind", key, &row.kind)?;
    let Read {
        standing,
        facts,
        files,
        about,
        evidence: found,
    } = Read::of(&mut reader, &row).await?;
    let history = queue::history(&mut reader, key).await?;
    drop(reader);
    let me = actor.person().map_or(0, |(id, _)| id);
    let (previous, next) = rows::neighbours(engine, actor, filter, &row).await?;
    let at_risk = rows::at_risk(&row)?;
    let mut page = CasePage {
        id: row.public_id.clone(),
        label: row.public_id.clone(),
        title: title(kind, &row, &facts),
        kind: row.kind.clone(),
        state: row.state.clone(),
        version: row.version,
        evidence_version: standing.evidence_version,
        account: row.account.clone(),
        at_risk,
        severity: u8::try_from(row.severity).unwrap_or(1),
        opened_at: Instant::from_micros(row.opened_at),
        due_at: Instant::from_micros(row.due_at),
        owner: owner(&row, &standing, me),
        wake_at: row.wake_at.map(Instant::from_micros),
        wake_on: rows::wake_on(&row)?,
        resolution: standing.resolution.clone(),
        sides: sides(&row, &facts, &files),
        difference: difference(&row, &facts, &files)?,
        why: facts.sentence.clone(),
        settles: facts.settled_by.clone(),
        candidates: candidates(&row, &facts)?,
        about,
        find: String::new(),
        found: Vec::new(),
        found_note: String::new(),
        evidence: found,
        actions: Vec::new(),
        awaiting: None,
        undo: None,
        history: events(&history),
        links: links(&row, &facts, &files),
        decision_id: String::new(),
        evidence_hashes: Vec::new(),
        typed: None,
        problems: Vec::new(),
        stale: None,
        previous,
        next,
    };
    fill_case_page(engine, actor, &mut page).await?;
    let names = {
        let mut reader = engine.store.read().await?;
        let named = texts(&mut page).map(|text| text.as_str()).collect();
        LineNames::read(&mut reader, named).await?
    };
    for text in texts(&mut page) {
        names.put(text);
    }
    Ok(Some(page))
}

/// What a case shows besides its row.
struct Read {
    standing: Standing,
    facts: CaseFacts,
    files: Vec<FileByHash>,
    about: Vec<AboutFact>,
    evidence: Vec<Testimony>,
}

impl Read {
    async fn of(mut tx: impl Connected, row: &CaseRow) -> Result<Self, Error> {
        let standing = queue::standing(&mut tx, row.case_id).await?;
        let facts: CaseFacts = stored::json("case_now", "facts", row.case_id, &row.facts)?;
        let files = files(&mut tx, row, &facts).await?;
        let mut evidence = evidence(&mut tx, &standing, &facts, row, &files).await?;
        let about = case_about::read(&mut tx, row, &standing, &facts).await?;
        evidence.extend(about.evidence);
        Ok(Self {
            standing,
            facts,
            files,
            about: about.facts,
            evidence,
        })
    }
}

/// Hashes of what a case shows as it stands: of its facts, given, and of each piece of evidence.
pub(crate) async fn shown_hashes(
    mut tx: impl Connected,
    case_id: i64,
    facts: &str,
) -> Result<Vec<String>, Error> {
    let Some(row) = queue::by_ids(&mut tx, [case_id]).await?.pop() else {
        return Err(Error::not_found("case", case_id));
    };
    let read = Read::of(&mut tx, &row).await?;
    Ok(hashes(facts, &read.evidence))
}

/// The hash of a case's facts, and those of its evidence.
pub(crate) fn hashes(facts: &str, evidence: &[Testimony]) -> Vec<String> {
    let pieces = evidence.iter().map(|t| t.hash.clone());
    std::iter::once(facts.to_owned())
        .chain(pieces.filter(|hash| !hash.is_empty()))
        .collect()
}

/// Every text of a page that may name a line by its file's hash.
fn texts(page: &mut CasePage) -> impl Iterator<Item = &mut String> {
    let effects = page
        .actions
        .iter_mut()
        .flat_map(|a| [&mut a.explains, &mut a.effect.text, &mut a.refused]);
    let history = page.history.iter_mut().map(|e| &mut e.text);
    let about = page.about.iter_mut().map(|f| &mut f.value);
    let fields = page.sides.iter_mut().flat_map(|s| &mut s.fields);
    let cells = fields.flat_map(|f| {
        std::iter::once(&mut f.ours).chain(f.theirs.iter_mut().map(|cell| &mut cell.value))
    });
    [&mut page.title, &mut page.why]
        .into_iter()
        .chain(effects)
        .chain(page.awaiting.as_mut().map(|d| &mut d.effect.text))
        .chain(page.undo.as_mut().map(|u| &mut u.effect.text))
        .chain(history)
        .chain(about)
        .chain(cells)
}

/// What a case is about, in words: `Amount differs: order-3`.
fn title(kind: CaseKind, row: &CaseRow, facts: &CaseFacts) -> String {
    let about = if facts.intent.is_empty() {
        match facts.lines.first() {
            Some(line) if !line.reference.is_empty() => line.reference.clone(),
            Some(line) if !line.provider_payment_id.is_empty() => line.provider_payment_id.clone(),
            Some(line) => format!("line {}", line.name.line_no),
            None => rows::subject_name(&row.subject, facts).to_owned(),
        }
    } else {
        facts.intent.clone()
    };
    format!("{}: {about}", kind.title())
}

fn owner(row: &CaseRow, standing: &Standing, me: i64) -> Option<Owner> {
    Some(Owner {
        email: row.owner.clone()?,
        me: me != 0 && row.owner_id == Some(me),
        until: Instant::from_micros(standing.lease_until.unwrap_or(row.opened_at)),
    })
}

/// Files that the lines of a case lie in.
async fn files(
    tx: impl Connected,
    row: &CaseRow,
    facts: &CaseFacts,
) -> Result<Vec<FileByHash>, StorageError> {
    let steps = facts
        .running
        .iter()
        .filter_map(|step| step.what.parse::<LineName>().ok());
    let names = facts
        .lines
        .iter()
        .map(|line| line.name.clone())
        .chain(steps);
    let mut starts: Vec<[u8; 8]> = names.filter_map(|name| start(&name)).collect();
    starts.sort_unstable();
    starts.dedup();
    books::files_by_hash(tx, starts.into_iter().map(|s| (row.account_id, s))).await
}

fn start(name: &LineName) -> Option<[u8; 8]> {
    let mut bytes = [0; 8];
    hex::decode_to_slice(&name.file, &mut bytes).ok()?;
    Some(bytes)
}

fn file_of<'a>(name: &LineName, files: &'a [FileByHash]) -> Option<&'a FileByHash> {
    let start = start(name)?;
    files.iter().find(|f| f.sha256.starts_with(&start))
}

fn href(name: &LineName, files: &[FileByHash]) -> String {
    file_of(name, files).map_or_else(String::new, |f| routes::line(&f.public_id, name.line_no))
}

fn sides(row: &CaseRow, facts: &CaseFacts, files: &[FileByHash]) -> Option<Sides> {
    if facts.sides.is_empty() {
        return None;
    }
    let line = facts.lines.first();
    let number = facts
        .attempts
        .iter()
        .find(|a| a.attempt == facts.attempt)
        .map(|a| a.number);
    let note = match (facts.intent.as_str(), number) {
        ("", _) => String::new(),
        (intent, Some(number)) => format!("{intent}, attempt {number}"),
        (intent, None) => intent.to_owned(),
    };
    let ours = SideHead {
        title: "Ours".to_owned(),
        note,
        href: if facts.intent.is_empty() {
            String::new()
        } else {
            routes::payment(&facts.intent)
        },
    };
    let theirs = SideHead {
        title: line.map_or_else(
            || row.account.clone(),
            |l| format!("Line {}", domain::view::amount::count(l.name.line_no)),
        ),
        note: line
            .and_then(|l| file_of(&l.name, files))
            .map_or_else(String::new, |f| f.name.clone()),
        href: line.map_or_else(String::new, |l| href(&l.name, files)),
    };
    let fields = facts.sides.iter().map(|check| FieldRow {
        name: capital(&check.field.code().replace('_', " ")),
        ours: for_people(check.field, &check.ours),
        theirs: vec![FieldCell {
            value: for_people(check.field, &check.theirs),
            agreement: match check.agreement {
                matching::Agreement::Agrees => Agreement::Same,
                matching::Agreement::Differs => Agreement::Differs,
                // Another reference decides nothing, but it contradicts.
                matching::Agreement::Noted
                    if check.field == Field::Reference
                        && !check.ours.is_empty()
                        && !check.theirs.is_empty() =>
                {
                    Agreement::Differs
                }
                matching::Agreement::Noted | matching::Agreement::Silent => Agreement::NotCompared,
            },
            note: String::new(),
        }],
    });
    Some(Sides {
        ours,
        theirs: vec![theirs],
        fields: fields.collect(),
    })
}

/// A compared value as pages write it. Facts keep amounts as exports do, `1250.00 EUR`.
fn for_people(field: Field, value: &str) -> String {
    let amount = || {
        let (figure, currency) = value.split_once(' ')?;
        let currency = currency.parse().ok()?;
        let minor = domain::money::parse_sum(figure, currency).ok()?;
        Some(Amount::new(minor, currency).to_string())
    };
    match field {
        Field::Amount => amount(),
        _ => None,
    }
    .unwrap_or_else(|| value.to_owned())
}

/// The rows that should come to one figure. The first step is that figure.
fn difference(
    row: &CaseRow,
    facts: &CaseFacts,
    files: &[FileByHash],
) -> Result<Option<RunningDifference>, StorageError> {
    let Some((target, steps)) = facts.running.split_first() else {
        return Ok(None);
    };
    let currency = match facts.expected {
        Some(expected) => expected.currency,
        None if row.currency.is_empty() => return Ok(None),
        None => stored::parse::<Currency>("case_now", "currency", row.case_id, &row.currency)?,
    };
    let amount = |minor| Amount::new(minor, currency);
    let shown = steps.iter().map(|step| {
        let name = step.what.parse::<LineName>().ok();
        DifferenceStep {
            label: name.as_ref().map_or_else(
                || step.what.clone(),
                |n| format!("line {}", domain::view::amount::count(n.line_no)),
            ),
            amount: amount(step.amount),
            left: amount(step.left),
            href: name.map_or_else(String::new, |n| href(&n, files)),
        }
    });
    Ok(Some(RunningDifference {
        against: if target.what == "expected" {
            "Payment".to_owned()
        } else {
            capital(&target.what)
        },
        target: amount(target.amount),
        residual: amount(steps.last().map_or(target.left, |s| s.left)),
        steps: shown.collect(),
    }))
}

fn candidates(row: &CaseRow, facts: &CaseFacts) -> Result<Vec<Candidate>, StorageError> {
    let shown = facts
        .candidates
        .iter()
        .zip(1_u32..)
        .map(|(candidate, rank)| {
            let amount = match candidate.amount.rsplit_once(' ') {
                Some((number, code)) => {
                    let currency: Currency = stored::parse("case_now", "facts", row.case_id, code)?;
                    let money = Money::parse_major(number, currency)
                        .map_err(|e| stored::corrupt("case_now", "facts", row.case_id, &e))?;
                    Some(Amount::from(money))
                }
                None => None,
            };
            let chosen = |why: &matching::WhyNot| *why == matching::WhyNot::Chosen;
            let say = |why: &matching::WhyNot| format!("It {}.", sentences::why_not(*why));
            let (key, label) = if candidate.attempt.is_empty() {
                (
                    format!("intent:{}", candidate.intent),
                    candidate.intent.clone(),
                )
            } else {
                (
                    format!("attempt:{}", candidate.attempt),
                    format!("{}, attempt {}", named(candidate), candidate.attempt),
                )
            };
            Ok(Candidate {
                key,
                rank,
                label,
                about: String::new(),
                amount,
                at: Instant::parse_rfc3339(&candidate.at).ok(),
                why: candidate
                    .why
                    .iter()
                    .filter(|w| chosen(w))
                    .map(say)
                    .collect(),
                why_not: candidate
                    .why
                    .iter()
                    .filter(|w| !chosen(w))
                    .map(say)
                    .collect(),
                href: routes::payment(&candidate.intent),
            })
        });
    shown.collect()
}

fn named(candidate: &matching::Candidate) -> &str {
    if candidate.reference.is_empty() {
        &candidate.intent
    } else {
        &candidate.reference
    }
}

/// What testifies: everything about the intent concerned, and the lines that the case names.
async fn evidence(
    mut tx: impl Connected,
    standing: &Standing,
    facts: &CaseFacts,
    row: &CaseRow,
    files: &[FileByHash],
) -> Result<Vec<Testimony>, Error> {
    let mut ids: Vec<i64> = standing.line_id.into_iter().collect();
    for line in &facts.lines {
        let file = file_of(&line.name, files).filter(|f| f.account_id == row.account_id);
        let number = i64::try_from(line.name.line_no).unwrap_or(0);
        if let Some(file) = file
            && let Some(place) = lines::at(&mut tx, file.id, number).await?
        {
            ids.push(place.id);
        }
    }
    let attempts = match standing.intent_id {
        Some(intent) => {
            ids.extend(lines::of_intent(&mut tx, intent).await?);
            intents::attempts(&mut tx, [intent].into_iter()).await?
        }
        None => Vec::new(),
    };
    ids.sort_unstable();
    ids.dedup();
    let its_lines: Vec<LineShown> = lines::by_ids(&mut tx, &ids).await?;
    let told = intent::Told::read(&mut tx, &attempts).await?;
    told.timeline(&mut tx, &attempts, &its_lines).await
}

/// Steps in words, newest first as they come.
fn events(history: &[CaseStep]) -> Vec<CaseEvent> {
    history
        .iter()
        .enumerate()
        .map(|(index, step)| {
            let before = history.get(index + 1).map_or("", |s| s.state.as_str());
            CaseEvent {
                version: step.version,
                at: Instant::from_micros(step.at),
                actor: step.actor.clone(),
                text: case_words::happened(step, before),
                entry: None,
            }
        })
        .collect()
}

fn links(row: &CaseRow, facts: &CaseFacts, files: &[FileByHash]) -> Vec<Link> {
    let mut links = Vec::new();
    if !facts.intent.is_empty() {
        links.push(Link::new(
            format!("Payment {}", facts.intent),
            routes::payment(&facts.intent),
        ));
    }
    for line in facts.lines.iter().take(10) {
        if let Some(file) = file_of(&line.name, files) {
            let label = format!(
                "Line {} of {}",
                domain::view::amount::count(line.name.line_no),
                file.name
            );
            links.push(Link::new(
                label,
                routes::line(&file.public_id, line.name.line_no),
            ));
        }
    }
    if row.subject.starts_with("file:") {
        links.push(Link::new("All files", routes::pattern::FILES));
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compared_amount_is_written_as_everywhere_on_pages() {
        let shown = |value| for_people(Field::Amount, value);
        assert_eq!(shown("1250.00 EUR"), "1,250.00 EUR");
        assert_eq!(shown("-1234567.5 EUR"), "\u{2212}1,234,567.50 EUR");
        assert_eq!(shown("1250 JPY"), "1,250 JPY");
        assert_eq!(shown(""), "");
        assert_eq!(
            for_people(Field::Reference, "1250.00 EUR"),
            "1250.00 EUR",
            "a reference stays as it is"
        );
    }
}
