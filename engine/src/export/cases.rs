//! Cases as they stand: those of a period, in the order in which they were first opened, or the queue
//! as a screen lists it.

use super::{
    Cell, Filter, Format, Table,
    matches::{audited, exponent},
};
use crate::{
    Engine, Error,
    storage::export::{self, CaseRow},
    views,
};
use domain::{
    actor::{Actor, Permission},
    cases::Severity,
    time::Instant,
    view::queue::QueueFilter,
};
use std::{collections::HashMap, io::Write};

/// Cases that are read at once.
const AT_ONCE: usize = 5_000;

const COLUMNS: &[&str] = &[
    "case_id",
    "kind",
    "state",
    "severity",
    "provider",
    "currency",
    "amount_at_risk",
    "intent_id",
    "attempt_id",
    "opened_at",
    "due_at",
    "owner",
    "resolution",
    "resolved_at",
];

/// Writes the cases; days are those of their opening, in UTC. Returns what was written to, and how
/// many rows.
pub async fn export_cases<W: Write + Send>(
    engine: &Engine,
    actor: &Actor,
    filter: &Filter,
    format: Format,
    out: W,
) -> Result<(W, u64), Error> {
    actor.require(Permission::Read)?;
    filter.check(engine).await?;
    audited(engine, actor, "export_cases", &filter.detail()).await?;
    let mut table = Table::begin(format, COLUMNS, out)?;
    let mut reader = engine.store.read().await?;
    let mut after = 0;
    loop {
        let cases = export::cases(&mut reader, after, filter.instants(), &filter.provider).await?;
        let Some(last) = cases.last() else { break };
        after = last.id;
        for case in &cases {
            write_case(&mut table, case)?;
        }
    }
    table.finish()
}

/// Writes the review queue as the screen lists it: the same filter, the same order, every page.
/// Returns what was written to, and how many rows.
pub async fn export_queue<W: Write + Send>(
    engine: &Engine,
    actor: &Actor,
    filter: &QueueFilter,
    format: Format,
    out: W,
) -> Result<(W, u64), Error> {
    actor.require(Permission::Read)?;
    let detail: serde_json::Map<String, serde_json::Value> = filter
        .pairs()
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
    audited(engine, actor, "export_cases", &detail.into()).await?;
    let mut table = Table::begin(format, COLUMNS, out)?;
    let mut reader = engine.store.read().await?;
    let keys = views::queue::listed(engine, actor, filter, &mut reader).await?;
    for part in keys.chunks(AT_ONCE) {
        let found = export::cases_by_key(&mut reader, part.iter().copied()).await?;
        let by_key: HashMap<i64, _> = found.iter().map(|case| (case.id, case)).collect();
        for case in part.iter().filter_map(|key| by_key.get(key)) {
            write_case(&mut table, case)?;
        }
    }
    table.finish()
}

fn write_case<W: Write>(table: &mut Table<W>, case: &CaseRow) -> Result<(), Error> {
    let severity =
        Severity::from_number(case.severity).map_or_else(String::new, |s| s.title().to_lowercase());
    let at = |micros| Instant::from_micros(micros).to_string();
    let (opened, due) = (at(case.opened_at), at(case.due_at));
    let resolved = case.resolved_at.map_or_else(String::new, at);
    table.row(&[
        Cell::Text(&case.public_id),
        Cell::Text(&case.kind),
        Cell::Text(&case.state),
        Cell::Text(&severity),
        Cell::Text(&case.provider),
        Cell::Text(&case.currency),
        if case.currency.is_empty() {
            Cell::Empty
        } else {
            Cell::Decimal(case.at_risk, exponent(&case.currency))
        },
        Cell::Text(&case.intent),
        Cell::Text(&case.attempt),
        Cell::Text(&opened),
        Cell::Text(&due),
        Cell::Text(&case.owner),
        Cell::Text(&case.resolution),
        Cell::Text(&resolved),
    ])?;
    Ok(())
}
