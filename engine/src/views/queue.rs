//! The review queue: one page of cases, and figures over the whole filter.

use super::{
    nav::{approver, count},
    place,
};
use crate::{
    Engine, Error,
    storage::{
        StorageError,
        providers::{self, Provider},
        queue::{self, CaseRow, Counts, Figures, PAGE, Wanted},
        search, stored,
        tx::Connected,
    },
};
use domain::{
    actor::{Actor, Permission},
    cases::CaseFacts,
    money::{Currency, Money},
    time::Instant,
    view::{
        Amount, FieldProblem,
        queue::{Queue, QueueFilter, QueueRow, QueueView, ViewCount},
    },
};

const TWO_DAYS_SECONDS: i64 = 48 * 60 * 60;

/// The queue under a filter.
pub async fn queue(engine: &Engine, actor: &Actor, filter: &QueueFilter) -> Result<Queue, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let accounts = providers::list(&mut reader).await?;
    let mut problems = Vec::new();
    let wanted = wanted(engine, actor, filter, &accounts, &mut problems);
    let me = wanted.person;
    let listed = match (filter.view, filter.q.trim()) {
        (_, q) if !q.is_empty() => searched(&mut reader, filter.view, q, &wanted).await?,
        (QueueView::ToApprove, _) => to_approve(&mut reader, actor, &wanted).await?,
        (QueueView::Resolved, _) => done(&mut reader, filter, &wanted).await?,
        _ => open(&mut reader, filter, &wanted).await?,
    };
    let views = views(&mut reader, actor, &wanted).await?;
    let mut kinds = queue::kinds(&mut reader).await?;
    if !filter.kind.is_empty() && !kinds.contains(&filter.kind) {
        kinds.push(filter.kind.clone());
    }
    Ok(Queue {
        filter: filter.clone(),
        problems,
        views,
        kinds,
        providers: accounts.into_iter().map(|a| a.name).collect(),
        rows: listed
            .rows
            .iter()
            .map(|row| shown(row, me))
            .collect::<Result<_, _>>()?,
        total: listed.figures.iter().map(|f| count(f.cases)).sum(),
        totals: totals(&listed.figures)?,
        oldest: listed.oldest,
        next: listed.next,
        bulk_actions: Vec::new(),
    })
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
        let first = QueueFilter {
            after: String::new(),
            ..filter.clone()
        };
        let listed = queue(engine, actor, &first).await?;
        let ids: Vec<String> = listed.rows.into_iter().map(|row| row.id).collect();
        let at = ids.iter().position(|id| *id == case.public_id);
        let before = at
            .and_then(|at| at.checked_sub(1))
            .and_then(|at| ids.get(at).cloned());
        let after = at.and_then(|at| ids.get(at + 1).cloned());
        return Ok((before, after));
    }
    let mut reader = engine.store.read().await?;
    let accounts = providers::list(&mut reader).await?;
    let wanted = wanted(engine, actor, filter, &accounts, &mut Vec::new());
    let place = (case.severity, case.opened_at, case.case_id);
    let before = queue::open_before(&mut reader, &wanted, place).await?;
    let after = queue::open(&mut reader, &wanted, place).await?;
    Ok((before, after.into_iter().next().map(|row| row.public_id)))
}

fn wanted<'a>(
    engine: &Engine,
    actor: &Actor,
    filter: &'a QueueFilter,
    accounts: &[Provider],
    problems: &mut Vec<FieldProblem>,
) -> Wanted<'a> {
    Wanted {
        view: filter.view.code(),
        person: actor.person().map_or(0, |(id, _)| id),
        opened_before: engine.now().plus_seconds(-TWO_DAYS_SECONDS),
        kind: filter.kind.trim(),
        account: match filter.provider.trim() {
            "" => 0,
            name => accounts
                .iter()
                .find(|a| a.name == name)
                .map_or(-1, |a| a.id),
        },
        currency: filter.currency.trim(),
        least: least(filter, problems),
    }
}

struct Listed {
    rows: Vec<CaseRow>,
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
    let figures = queue::done_figures(&mut tx, wanted).await?;
    Ok(Listed {
        rows,
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
        Some(approver) => queue::to_approve(&mut tx, approver).await?,
        None => Vec::new(),
    };
    Ok(whole(
        rows.into_iter().filter(|row| fits(row, wanted)).collect(),
    ))
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
    Ok(whole(rows))
}

fn fits(row: &CaseRow, wanted: &Wanted<'_>) -> bool {
    (wanted.kind.is_empty() || row.kind == wanted.kind)
        && (wanted.account == 0 || row.account_id == wanted.account)
        && (wanted.currency.is_empty() || row.currency == wanted.currency)
        && row.at_risk >= wanted.least
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

/// A list that is shown whole, with its figures.
fn whole(mut rows: Vec<CaseRow>) -> Listed {
    let mut figures: Vec<Figures> = Vec::new();
    for row in &rows {
        match figures.iter_mut().find(|f| f.currency == row.currency) {
            Some(f) => {
                f.at_risk = f.at_risk.saturating_add(row.at_risk);
                f.cases += 1;
                f.oldest = f.oldest.min(row.opened_at);
            }
            None => figures.push(Figures {
                currency: row.currency.clone(),
                at_risk: row.at_risk,
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
    rows.truncate(PAGE * 4);
    Listed {
        rows,
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
        Some(approver) => queue::to_approve_count(&mut tx, approver).await?,
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
    let counts = QueueView::ALL.iter().map(|view| ViewCount {
        view: *view,
        count: count(of(*view)),
    });
    Ok(counts.collect())
}

fn totals(figures: &[Figures]) -> Result<Vec<Amount>, StorageError> {
    figures
        .iter()
        .filter(|f| !f.currency.is_empty())
        .map(|f| {
            let currency = stored::parse("case_now", "currency", "sum", &f.currency)?;
            Ok(Amount::new(f.at_risk, currency))
        })
        .collect()
}

/// A case as a row of the queue.
pub(super) fn shown(row: &CaseRow, me: i64) -> Result<QueueRow, StorageError> {
    let facts: CaseFacts = stored::json("case_now", "facts", row.case_id, &row.facts)?;
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
        wake_at: row.wake_at.map(Instant::from_micros),
    })
}

/// Money at risk, where any is known.
pub(super) fn at_risk(row: &CaseRow) -> Result<Option<Amount>, StorageError> {
    if row.currency.is_empty() {
        return Ok(None);
    }
    let currency = stored::parse("case_now", "currency", row.case_id, &row.currency)?;
    Ok(Some(Amount::new(row.at_risk, currency)))
}

/// What it is about, and the first sentence of why: `order-88121 · timeout after sending`.
pub(super) fn summary(subject: &str, facts: &CaseFacts) -> String {
    let named = if facts.intent.is_empty() {
        subject.split_once(':').map_or(subject, |(_, id)| id)
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
