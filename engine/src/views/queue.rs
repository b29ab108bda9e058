//! The review queue: one page of cases, and figures over the whole filter.

use super::{
    line_names::LineNames,
    nav::{approver, count},
    place,
    second_acceptance::files_to_accept,
};
use crate::{
    Engine, Error,
    storage::{
        StorageError, filelist, files, intents,
        providers::{self, Provider},
        queue::{self, CaseRow, Counts, Figures, PAGE, Wanted},
        saved_views, search, stored,
        tx::Connected,
        users::{self, UserAccount},
    },
};
use domain::{
    actor::{Actor, Permission},
    cases::{Action, CaseFacts, CaseKind, in_bulk},
    money::{Currency, Money},
    time::{Day, Instant, Zone},
    view::{
        Amount, FieldProblem,
        bulk::APPROVE,
        files::FileState,
        overview::Loaded,
        queue::{NOBODY, Queue, QueueFilter, QueueRow, QueueView, SavedView, ViewCount},
    },
};
use std::collections::BTreeSet;

const TWO_DAYS_SECONDS: i64 = 48 * 60 * 60;

/// The queue under a filter.
pub async fn queue(engine: &Engine, actor: &Actor, filter: &QueueFilter) -> Result<Queue, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let names = Names::read(&mut reader).await?;
    let mut problems = Vec::new();
    let wanted = wanted(engine, actor, &mut reader, filter, &names, &mut problems).await?;
    let me = wanted.person;
    let mut listed = match (filter.view, filter.q.trim()) {
        (_, q) if !q.is_empty() => searched(&mut reader, filter.view, q, &wanted).await?,
        (QueueView::ToApprove, _) => to_approve(&mut reader, actor, &wanted).await?,
        (QueueView::Resolved, _) => done(&mut reader, filter, &wanted).await?,
        _ => open(&mut reader, filter, &wanted).await?,
    };
    let file_name = match wanted.file {
        0 => String::new(),
        _ => filelist::by_public_id(&mut reader, filter.file.trim())
            .await?
            .map_or_else(|| "no such file".to_owned(), |file| file.name),
    };
    listed.rows.truncate(PAGE * 4);
    let saved = saved(engine, actor, &mut reader, &names).await?;
    let listed = hold(&mut reader, filter, listed).await?;
    let views = views(&mut reader, actor, &wanted).await?;
    let loaded = Loaded {
        provider_accounts: names.accounts.len() as u64,
        intents: count(intents::last(&mut reader).await?),
        files: count(filelist::count(&mut reader, 0, "").await?),
        used_files: count(filelist::count(&mut reader, 0, FileState::Used.code()).await?),
    };
    let files_to_accept = match filter.view {
        QueueView::ToApprove if filter.narrows_to_cases() => Vec::new(),
        QueueView::ToApprove => {
            let mut files = files_to_accept(&mut reader, actor).await?;
            files.retain(|f| filter.provider.is_empty() || f.account == filter.provider);
            files.retain(|f| filter.file.is_empty() || f.file_id == filter.file);
            files
        }
        _ => Vec::new(),
    };
    let mut kinds = queue::kinds(&mut reader).await?;
    if !filter.kind.is_empty() && !kinds.contains(&filter.kind) {
        kinds.push(filter.kind.clone());
    }
    let mut rows = Vec::with_capacity(listed.rows.len());
    for row in &listed.rows {
        rows.push(QueueRow {
            held: listed.held.contains(&row.case_id),
            ..shown(row, me)?
        });
    }
    let said = rows.iter().map(|row| row.summary.as_str()).collect();
    let lines = LineNames::read(&mut reader, said).await?;
    for row in &mut rows {
        lines.put(&mut row.summary);
    }
    Ok(Queue {
        filter: filter.clone(),
        problems,
        file_name,
        views,
        kinds,
        owners: names.deciders(&filter.owner),
        providers: names.accounts.into_iter().map(|a| a.name).collect(),
        saved,
        loaded,
        files_to_accept,
        rows,
        total: listed.figures.iter().map(|f| count(f.cases)).sum(),
        totals: totals(&listed.figures)?,
        oldest: listed.oldest,
        next: listed.next,
        bulk_actions: bulk_actions(actor, filter.view, &listed.rows),
    })
}

/// Keys of all cases of the queue under a filter, page after page, in its order: what an export of
/// the list holds.
pub(crate) async fn listed(
    engine: &Engine,
    actor: &Actor,
    filter: &QueueFilter,
    mut reader: impl Connected,
) -> Result<Vec<i64>, Error> {
    let names = Names::read(&mut reader).await?;
    let mut problems = Vec::new();
    let mut filter = filter.afresh();
    let asked = filter.clone();
    let wanted = wanted(engine, actor, &mut reader, &asked, &names, &mut problems).await?;
    // The screen says what is wrong and shows the list without it; a file could not say so.
    if let Some(problem) = problems.into_iter().next() {
        return Err(Error::invalid("filter", problem.message));
    }
    let mut keys = Vec::new();
    loop {
        let listed = match (filter.view, filter.q.trim()) {
            (_, q) if !q.is_empty() => searched(&mut reader, filter.view, q, &wanted).await?,
            (QueueView::ToApprove, _) => to_approve(&mut reader, actor, &wanted).await?,
            (QueueView::Resolved, _) => done(&mut reader, &filter, &wanted).await?,
            _ => open(&mut reader, &filter, &wanted).await?,
        };
        keys.extend(listed.rows.iter().map(|row| row.case_id));
        match listed.next {
            Some(next) => filter.after = next,
            None => return Ok(keys),
        }
    }
}

/// What this person can decide about several of the rows at once, in the order of their kinds' own
/// lists; for a row of another kind the decision is refused when it is tried.
fn bulk_actions(actor: &Actor, view: QueueView, rows: &[CaseRow]) -> Vec<String> {
    if rows.is_empty() || actor.person().is_none() {
        return Vec::new();
    }
    let one = |may, code: &str| {
        if may {
            vec![code.to_owned()]
        } else {
            Vec::new()
        }
    };
    match view {
        QueueView::ToApprove => return one(actor.may(Permission::Approve), APPROVE),
        QueueView::Resolved => {
            return one(actor.may(Permission::Decide), Action::Reopen.code());
        }
        _ if !actor.may(Permission::Decide) => return Vec::new(),
        _ => {}
    }
    let kinds: BTreeSet<CaseKind> = rows.iter().filter_map(|r| r.kind.parse().ok()).collect();
    let (mut settling, mut handling) = (Vec::new(), Vec::new());
    if view == QueueView::Waiting {
        handling.push(Action::Reopen);
    }
    for action in kinds.into_iter().flat_map(in_bulk) {
        let list = if action.is_handling() {
            &mut handling
        } else {
            &mut settling
        };
        if !list.contains(&action) {
            list.push(action);
        }
    }
    settling
        .into_iter()
        .chain(handling)
        .map(|action| action.code().to_owned())
        .collect()
}

/// Public ids of the cases just before and after one in the queue under a filter.
pub(super) async fn neighbours(
    engine: &Engine,
    actor: &Actor,
    filter: &QueueFilter,
    case: &CaseRow,
) -> Result<(Option<String>, Option<String>), Error> {
    let by_place = filter.q.trim().is_empty()
        && matches!(
            filter.view,
            QueueView::All | QueueView::Mine | QueueView::Over48h | QueueView::Waiting
        );
    if !by_place {
        let listed = queue(engine, actor, &filter.afresh()).await?;
        let ids: Vec<String> = listed.rows.into_iter().map(|row| row.id).collect();
        let at = ids.iter().position(|id| *id == case.public_id);
        let before = at
            .and_then(|at| at.checked_sub(1))
            .and_then(|at| ids.get(at).cloned());
        let after = at.and_then(|at| ids.get(at + 1).cloned());
        return Ok((before, after));
    }
    let mut reader = engine.store.read().await?;
    let names = Names::read(&mut reader).await?;
    let wanted = wanted(engine, actor, &mut reader, filter, &names, &mut Vec::new()).await?;
    let place = (case.severity, case.opened_at, case.case_id);
    let before = queue::open_before(&mut reader, &wanted, place).await?;
    let after = queue::open(&mut reader, &wanted, place).await?;
    Ok((before, after.into_iter().next().map(|row| row.public_id)))
}

async fn wanted<'a>(
    engine: &Engine,
    actor: &Actor,
    tx: impl Connected,
    filter: &'a QueueFilter,
    names: &Names,
    problems: &mut Vec<FieldProblem>,
) -> Result<Wanted<'a>, StorageError> {
    let file = match filter.file.trim() {
        "" => 0,
        id => files::id_by_public_id(tx, id).await?.unwrap_or(-1),
    };
    Ok(Wanted {
        view: filter.view.code(),
        person: actor.person().map_or(0, |(id, _)| id),
        opened_before: engine.now().plus_seconds(-TWO_DAYS_SECONDS),
        kind: filter.kind.trim(),
        account: match filter.provider.trim() {
            "" => 0,
            name => names
                .accounts
                .iter()
                .find(|a| a.name == name)
                .map_or(-1, |a| a.id),
        },
        currency: filter.currency.trim(),
        least: least(filter, problems),
        owner: match filter.owner.trim() {
            "" => 0,
            NOBODY => -1,
            email => names
                .people
                .iter()
                .find(|p| p.email == email)
                .map_or(-2, |p| p.id),
        },
        file,
    })
}

/// What a filter may name.
struct Names {
    accounts: Vec<Provider>,
    people: Vec<UserAccount>,
}

impl Names {
    async fn read(mut tx: impl Connected) -> Result<Self, StorageError> {
        Ok(Self {
            accounts: providers::list(&mut tx).await?,
            people: users::list(&mut tx).await?,
        })
    }

    /// Addresses of people who may hold a case, and of whom the filter names.
    fn deciders(&self, named: &str) -> Vec<String> {
        self.people
            .iter()
            .filter(|p| {
                let decides = p.roles.iter().any(|r| r.grants(Permission::Decide));
                p.email == named || (decides && !p.disabled)
            })
            .map(|p| p.email.clone())
            .collect()
    }
}

/// What the person keeps by name, each with how many cases are under it now.
async fn saved(
    engine: &Engine,
    actor: &Actor,
    mut tx: impl Connected,
    names: &Names,
) -> Result<Vec<SavedView>, Error> {
    let Some((person, _)) = actor.person() else {
        return Ok(Vec::new());
    };
    let mut saved = Vec::new();
    for view in saved_views::of_person(&mut tx, person).await? {
        let filter: QueueFilter = stored::json("saved_view", "filter", view.id, &view.filter)?;
        let wanted = wanted(engine, actor, &mut tx, &filter, names, &mut Vec::new()).await?;
        let figures = figures(&mut tx, actor, &filter, &wanted).await?;
        saved.push(SavedView {
            view_id: view.id,
            name: view.name,
            count: figures.iter().map(|f| count(f.cases)).sum(),
            filter,
        });
    }
    Ok(saved)
}

/// Figures over a whole filter.
async fn figures(
    mut tx: impl Connected,
    actor: &Actor,
    filter: &QueueFilter,
    wanted: &Wanted<'_>,
) -> Result<Vec<Figures>, Error> {
    Ok(match (filter.view, filter.q.trim()) {
        (_, q) if !q.is_empty() => searched(&mut tx, filter.view, q, wanted).await?.figures,
        (QueueView::ToApprove, _) => to_approve(&mut tx, actor, wanted).await?.figures,
        (QueueView::Resolved, _) => done_figures(&mut tx, wanted).await?,
        _ => queue::open_figures(&mut tx, wanted).await?,
    })
}

/// Nobody holds what is done: a filter by owner leaves nothing of it.
async fn done_figures(
    tx: impl Connected,
    wanted: &Wanted<'_>,
) -> Result<Vec<Figures>, StorageError> {
    if held_by_somebody(wanted) {
        return Ok(Vec::new());
    }
    queue::done_figures(tx, wanted).await
}

const fn held_by_somebody(wanted: &Wanted<'_>) -> bool {
    wanted.owner > 0 || wanted.owner == -2
}

struct Listed {
    rows: Vec<CaseRow>,
    /// Keys of those that only keep their place.
    held: BTreeSet<i64>,
    figures: Vec<Figures>,
    oldest: Option<Instant>,
    next: Option<String>,
}

/// The least amount in minor units. Without a currency it has no meaning: said, and not applied.
fn least(filter: &QueueFilter, problems: &mut Vec<FieldProblem>) -> i64 {
    let text = filter.min.trim();
    if text.is_empty() {
        return i64::MIN;
    }
    let Ok(currency) = filter.currency.trim().parse::<Currency>() else {
        problems.push(FieldProblem::new(
            "min",
            "Choose a currency as well: amounts of several cannot be compared.",
        ));
        return i64::MIN;
    };
    match Money::parse_major(text, currency) {
        Ok(money) => money.minor,
        Err(error) => {
            problems.push(FieldProblem::new("min", error.to_string()));
            i64::MIN
        }
    }
}

async fn open(
    mut tx: impl Connected,
    filter: &QueueFilter,
    wanted: &Wanted<'_>,
) -> Result<Listed, Error> {
    let after = place::read::<3>(&filter.after)?.unwrap_or([i64::MAX, i64::MIN, i64::MIN]);
    let mut rows = queue::open(&mut tx, wanted, after.into()).await?;
    let next = cut(&mut rows, |r| {
        place::write(&[r.severity, r.opened_at, r.case_id])
    });
    let figures = queue::open_figures(&mut tx, wanted).await?;
    let oldest = figures
        .iter()
        .map(|f| f.oldest)
        .min()
        .map(Instant::from_micros);
    Ok(Listed {
        rows,
        held: BTreeSet::new(),
        figures,
        oldest,
        next,
    })
}

async fn done(
    mut tx: impl Connected,
    filter: &QueueFilter,
    wanted: &Wanted<'_>,
) -> Result<Listed, Error> {
    let before = place::read::<2>(&filter.after)?.unwrap_or([i64::MAX, i64::MAX]);
    let mut rows = queue::done(&mut tx, wanted, before.into()).await?;
    let next = cut(&mut rows, |r| {
        place::write(&[r.resolved_at.unwrap_or(0), r.case_id])
    });
    if held_by_somebody(wanted) {
        rows.clear();
    }
    let next = next.filter(|_| !rows.is_empty());
    let figures = done_figures(&mut tx, wanted).await?;
    Ok(Listed {
        rows,
        held: BTreeSet::new(),
        figures,
        oldest: None,
        next,
    })
}

async fn to_approve(
    mut tx: impl Connected,
    actor: &Actor,
    wanted: &Wanted<'_>,
) -> Result<Listed, Error> {
    let rows = match approver(&mut tx, actor).await? {
        Some(approver) => queue::to_approve(&mut tx, &approver).await?,
        None => Vec::new(),
    };
    let rows = rows.into_iter().filter(|row| fits(row, wanted)).collect();
    Ok(whole(of_file(&mut tx, rows, wanted).await?))
}

/// Of some cases, those that the file which the filter asks for is about.
async fn of_file(
    tx: impl Connected,
    mut rows: Vec<CaseRow>,
    wanted: &Wanted<'_>,
) -> Result<Vec<CaseRow>, StorageError> {
    if wanted.file != 0 {
        let keys = rows.iter().map(|row| row.case_id);
        let its: BTreeSet<i64> = queue::of_file(tx, keys, wanted.file)
            .await?
            .into_iter()
            .collect();
        rows.retain(|row| its.contains(&row.case_id));
    }
    Ok(rows)
}

/// Cases that a text names: by their own id, by their intent, by what their line carries.
async fn searched(
    mut tx: impl Connected,
    view: QueueView,
    q: &str,
    wanted: &Wanted<'_>,
) -> Result<Listed, Error> {
    let intents = search::intents(&mut tx, q).await?;
    let mut ids = queue::of_intents(&mut tx, &intents).await?;
    ids.extend(search::cases_of_lines(&mut tx, q).await?);
    ids.extend(queue::case_by_public_id(&mut tx, q).await?);
    ids.sort_unstable();
    ids.dedup();
    let mut rows = queue::by_ids(&mut tx, ids).await?;
    rows.retain(|row| fits(row, wanted) && in_view(row, view, wanted));
    rows.sort_by_key(|row| (std::cmp::Reverse(row.severity), row.opened_at, row.case_id));
    Ok(whole(of_file(&mut tx, rows, wanted).await?))
}

/// Puts rows that were decided back where they stood, so that nothing moves under the person's hands.
/// Lists of what is done have another order: there rows go as they go.
async fn hold(
    mut tx: impl Connected,
    filter: &QueueFilter,
    mut listed: Listed,
) -> Result<Listed, Error> {
    let held = filter.held_rows();
    if held.is_empty() || filter.view == QueueView::Resolved {
        return Ok(listed);
    }
    let mut keys = Vec::with_capacity(held.len());
    for (id, _) in &held {
        keys.extend(queue::case_by_public_id(&mut tx, id).await?);
    }
    let found = queue::by_ids(&mut tx, keys).await?;
    for row in found {
        let Some((_, severity)) = held.iter().find(|(id, _)| *id == row.public_id) else {
            continue;
        };
        let listed_still = listed.rows.iter().any(|r| r.case_id == row.case_id);
        listed.rows.retain(|r| r.case_id != row.case_id);
        if !listed_still {
            listed.held.insert(row.case_id);
        }
        let severity = i64::from(*severity);
        let place = (std::cmp::Reverse(severity), row.opened_at, row.case_id);
        let at = listed
            .rows
            .iter()
            .position(|r| place_of(r, &held) > place)
            .unwrap_or(listed.rows.len());
        listed.rows.insert(at, row);
    }
    Ok(listed)
}

/// Where a row stands: in the order of the queue, by the severity that it had when it was decided.
fn place_of(row: &CaseRow, held: &[(String, u8)]) -> (std::cmp::Reverse<i64>, i64, i64) {
    let severity = held
        .iter()
        .find(|(id, _)| *id == row.public_id)
        .map_or(row.severity, |(_, severity)| i64::from(*severity));
    (std::cmp::Reverse(severity), row.opened_at, row.case_id)
}

fn fits(row: &CaseRow, wanted: &Wanted<'_>) -> bool {
    (wanted.kind.is_empty() || row.kind == wanted.kind)
        && (wanted.account == 0 || row.account_id == wanted.account)
        && (wanted.currency.is_empty() || row.currency == wanted.currency)
        && row.at_risk >= wanted.least
        && match wanted.owner {
            0 => true,
            -1 => row.owner_id.is_none(),
            owner => row.owner_id == Some(owner),
        }
}

fn in_view(row: &CaseRow, view: QueueView, wanted: &Wanted<'_>) -> bool {
    let (resolved, waiting) = (row.state == "RESOLVED", row.state == "WAITING");
    match view {
        // A search over all finds what is done as well: people look for what they remember.
        QueueView::All => true,
        QueueView::Mine => !resolved && row.owner_id == Some(wanted.person),
        QueueView::ToApprove => row.state == "AWAITING_APPROVAL",
        QueueView::Over48h => {
            !resolved && !waiting && row.opened_at < wanted.opened_before.micros()
        }
        QueueView::Waiting => waiting,
        QueueView::Resolved => resolved,
    }
}

/// A list that is read whole, with its figures.
fn whole(rows: Vec<CaseRow>) -> Listed {
    let mut figures: Vec<Figures> = Vec::new();
    for row in &rows {
        match figures.iter_mut().find(|f| f.currency == row.currency) {
            Some(f) => {
                f.add(row.at_risk);
                f.cases += 1;
                f.oldest = f.oldest.min(row.opened_at);
            }
            None => figures.push(Figures {
                currency: row.currency.clone(),
                at_risk_high: 0,
                at_risk_low: row.at_risk,
                cases: 1,
                oldest: row.opened_at,
            }),
        }
    }
    let oldest = figures
        .iter()
        .map(|f| f.oldest)
        .min()
        .map(Instant::from_micros);
    Listed {
        rows,
        held: BTreeSet::new(),
        figures,
        oldest,
        next: None,
    }
}

fn cut(rows: &mut Vec<CaseRow>, key: impl Fn(&CaseRow) -> String) -> Option<String> {
    let more = rows.len() > PAGE;
    rows.truncate(PAGE);
    rows.last().filter(|_| more).map(key)
}

async fn views(
    mut tx: impl Connected,
    actor: &Actor,
    wanted: &Wanted<'_>,
) -> Result<Vec<ViewCount>, Error> {
    let Counts {
        unresolved,
        waiting,
        mine,
        over_48h,
    } = queue::counts(&mut tx, wanted.person, wanted.opened_before).await?;
    let to_approve = match approver(&mut tx, actor).await? {
        Some(approver) => queue::to_approve_count(&mut tx, &approver).await?,
        None => 0,
    };
    let resolved = queue::last_case(&mut tx).await? - unresolved;
    let of = |view: QueueView| match view {
        QueueView::All => unresolved - waiting,
        QueueView::Mine => mine,
        QueueView::ToApprove => to_approve,
        QueueView::Over48h => over_48h,
        QueueView::Waiting => waiting,
        QueueView::Resolved => resolved,
    };
    let files = files_to_accept(&mut tx, actor).await?.len();
    let counts = QueueView::ALL.iter().map(|view| ViewCount {
        view: *view,
        count: count(of(*view))
            + if *view == QueueView::ToApprove {
                files as u64
            } else {
                0
            },
    });
    Ok(counts.collect())
}

fn totals(figures: &[Figures]) -> Result<Vec<Amount>, StorageError> {
    figures
        .iter()
        .filter(|f| !f.currency.is_empty())
        .map(|f| {
            let currency = stored::parse("case_now", "currency", "sum", &f.currency)?;
            Ok(Amount::new(f.at_risk(), currency))
        })
        .collect()
}

/// A case as a row of the queue.
pub(crate) fn shown(row: &CaseRow, me: i64) -> Result<QueueRow, StorageError> {
    let facts: CaseFacts = stored::json("case_now", "facts", row.case_id, &row.facts)?;
    let wake_at = row.wake_at.map(Instant::from_micros);
    Ok(QueueRow {
        id: row.public_id.clone(),
        label: row.public_id.clone(),
        kind: row.kind.clone(),
        state: row.state.clone(),
        version: row.version,
        summary: summary(&row.subject, &facts),
        account: row.account.clone(),
        at_risk: at_risk(row)?,
        severity: u8::try_from(row.severity).unwrap_or(1),
        opened_at: Instant::from_micros(row.opened_at),
        due_at: Instant::from_micros(row.due_at),
        owner: row.owner.clone(),
        mine: me != 0 && row.owner_id == Some(me),
        wake_at,
        wake_on: wake_on(row)?,
        resolution: row.resolution.clone(),
        held: false,
    })
}

/// The day on which a case wakes, in its account's zone.
pub(super) fn wake_on(row: &CaseRow) -> Result<Option<Day>, StorageError> {
    let Some(at) = row.wake_at else {
        return Ok(None);
    };
    let zone: Zone = stored::parse("provider_account", "zone", row.account_id, &row.zone)?;
    Ok(Some(Instant::from_micros(at).day_in(zone)))
}

/// Money at risk, where any is known.
pub(super) fn at_risk(row: &CaseRow) -> Result<Option<Amount>, StorageError> {
    if row.currency.is_empty() {
        return Ok(None);
    }
    let currency = stored::parse("case_now", "currency", row.case_id, &row.currency)?;
    Ok(Some(Amount::new(row.at_risk, currency)))
}

/// Money at risk in words, or empty where none is known.
pub(super) fn at_risk_text(case: i64, currency: &str, minor: i64) -> Result<String, StorageError> {
    if currency.is_empty() {
        return Ok(String::new());
    }
    let currency = stored::parse("case_event", "detail", case, currency)?;
    Ok(Money::new(minor, currency).to_string())
}

/// What people call a case's subject: a file by its name, not by its hash.
pub(super) fn subject_name<'a>(subject: &'a str, facts: &'a CaseFacts) -> &'a str {
    let (what, id) = subject.split_once(':').unwrap_or(("", subject));
    let file = facts.figures.iter().find(|(name, _)| name == "file");
    match (what, file) {
        ("file", Some((_, name))) => name,
        // Account and currency stand beside it.
        ("batch", _) => id
            .split_once(':')
            .and_then(|(_, rest)| rest.rsplit_once(':'))
            .map_or(id, |(batch, _)| batch),
        ("period", _) => id.rsplit_once(':').map_or(id, |(_, day)| day),
        _ => id,
    }
}

/// What it is about, and the first sentence of why: `order-88121 · timeout after sending`.
pub(super) fn summary(subject: &str, facts: &CaseFacts) -> String {
    let named = if facts.intent.is_empty() {
        subject_name(subject, facts)
    } else {
        &facts.intent
    };
    let sentence = facts
        .sentence
        .split(". ")
        .next()
        .unwrap_or_default()
        .trim_end_matches('.');
    if sentence.is_empty() {
        named.to_owned()
    } else {
        format!("{named} · {sentence}")
    }
}
