//! Intents and attempts: the columns of the payments import as the company last said them, so that an
//! export imports again as what it is; then state, version and money position, and how the attempt
//! stands. One row per attempt; an intent without attempt has one row.

use super::{
    Cell, Filter, Format, Table,
    matches::{audited, exponent},
};
use crate::{
    Engine, Error,
    derive::overflow,
    storage::{
        Reader,
        export::{self, PaymentRow},
        search, stored,
    },
    views::Moved,
};
use domain::{
    actor::{Actor, Permission},
    money::AmountOverflow,
    payment::{IntentState, Outcome, intent_state},
    time::Instant,
    view::{Amount, payments::PaymentFilter},
};
use std::io::Write;

const COLUMNS: &[&str] = &[
    "intent_id",
    "merchant_reference",
    "operation",
    "amount",
    "currency",
    "direction",
    "counterparty",
    "created_at",
    "loss_policy",
    "attempt_id",
    "attempt_no",
    "provider",
    "idempotency_key",
    "provider_payment_id",
    "started_at",
    "finished_at",
    "outcome",
    "error_code",
    "state",
    "version",
    "captured",
    "refunded",
    "charged_back",
    "outcome_now",
    "provider_payment_id_now",
];

/// Writes the payments; days are those of the intent, in UTC. Returns what was written to, and how
/// many rows.
pub async fn export_payments<W: Write + Send>(
    engine: &Engine,
    actor: &Actor,
    filter: &Filter,
    format: Format,
    out: W,
) -> Result<(W, u64), Error> {
    actor.require(Permission::Read)?;
    filter.check(engine).await?;
    audited(engine, actor, "export_payments", &filter.detail()).await?;
    let mut table = Table::begin(format, COLUMNS, out)?;
    let mut reader = engine.store.read().await?;
    let mut after = (0, i64::MAX);
    loop {
        let page =
            export::payments(&mut reader, after, filter.instants(), &filter.provider).await?;
        let Some(last) = page.last() else { break };
        after = (last.intent_key, last.number);
        let moved = moved(&mut reader, &page).await?;
        for row in &page {
            let state = state(row)?;
            write_payment(&mut table, row, state, &moved)?;
        }
    }
    table.finish()
}

/// Writes the payments as the screen lists them: the same filter, newest first, every page; of each
/// payment all of its attempts. Returns what was written to, and how many rows.
pub async fn export_listed_payments<W: Write + Send>(
    engine: &Engine,
    actor: &Actor,
    filter: &PaymentFilter,
    format: Format,
    out: W,
) -> Result<(W, u64), Error> {
    actor.require(Permission::Read)?;
    let wanted = match filter.state.trim() {
        "" => None,
        text => Some(
            text.parse::<IntentState>()
                .map_err(|e| Error::invalid("state", e.to_string()))?,
        ),
    };
    let q = filter.q.trim();
    let detail = serde_json::json!({
        "q": q, "state": filter.state, "provider": filter.provider,
    });
    audited(engine, actor, "export_payments", &detail).await?;
    let mut table = Table::begin(format, COLUMNS, out)?;
    let mut reader = engine.store.read().await?;
    // Where something is looked for, the few that carry it; else all.
    let spans: Vec<(i64, i64)> = if q.is_empty() {
        vec![(i64::MAX, i64::MIN)]
    } else {
        let mut found = search::intents(&mut reader, q).await?;
        found.truncate(search::MOST);
        found.into_iter().map(|id| (id, id)).collect()
    };
    for (first, last) in spans {
        let mut after = (first, -1);
        loop {
            let page = export::listed_payments(&mut reader, after, last, &filter.provider).await?;
            let Some(end) = page.last() else { break };
            after = (end.intent_key, end.number);
            let moved = moved(&mut reader, &page).await?;
            for row in &page {
                let state = state(row)?;
                if wanted.is_none_or(|wanted| wanted == state) {
                    write_payment(&mut table, row, state, &moved)?;
                }
            }
        }
    }
    table.finish()
}

/// What moved the money of a page's intents, as their own pages count it.
async fn moved(reader: &mut Reader, page: &[PaymentRow]) -> Result<Moved, Error> {
    let intents = page.iter().map(|row| row.intent_key).collect();
    Ok(Moved::read(reader, &intents).await?)
}

/// The state that stands, or the one that the attempts gave from the start.
fn state(row: &PaymentRow) -> Result<IntentState, Error> {
    if !row.state.is_empty() {
        return Ok(stored::parse(
            "intent_now",
            "state",
            &row.intent,
            &row.state,
        )?);
    }
    let outcomes: Vec<Outcome> =
        stored::parse_list("attempt", "outcome", &row.intent, &row.outcomes)?;
    let loss_policy = stored::parse("intent", "loss_policy", &row.intent, &row.loss_policy)?;
    Ok(intent_state(&outcomes, false, loss_policy))
}

/// A sum of an intent, which amounts of one payment do not leave.
fn minor(amount: Amount) -> Result<i64, Error> {
    i64::try_from(amount.minor).map_err(|_| overflow(AmountOverflow))
}

fn write_payment<W: Write>(
    table: &mut Table<W>,
    row: &PaymentRow,
    state: IntentState,
    moved: &Moved,
) -> Result<(), Error> {
    let position = moved.positions(row.intent_key, &row.currency)?.own;
    let at = |micros: Option<i64>| {
        micros.map_or_else(String::new, |m| Instant::from_micros(m).to_string())
    };
    let (created, started) = (at(Some(row.created_at)), at(row.started_at));
    let finished = at(row.finished_at);
    let money = |minor| Cell::Decimal(minor, exponent(&row.currency));
    let [captured, refunded, charged_back] =
        [position.captured, position.refunded, position.charged_back].map(minor);
    table.row(&[
        Cell::Text(&row.intent),
        Cell::Text(&row.merchant_reference),
        Cell::Text(&row.operation),
        money(row.amount),
        Cell::Text(&row.currency),
        Cell::Text(&row.direction),
        Cell::Text(&row.counterparty),
        Cell::Text(&created),
        Cell::Text(&row.loss_policy),
        row.attempt.as_deref().map_or(Cell::Empty, Cell::Text),
        if row.number == 0 {
            Cell::Empty
        } else {
            Cell::Int(row.number)
        },
        Cell::Text(&row.provider),
        Cell::Text(&row.idempotency_key),
        Cell::Text(&row.provider_payment_id),
        Cell::Text(&started),
        Cell::Text(&finished),
        Cell::Text(&row.outcome),
        Cell::Text(&row.error_code),
        Cell::Text(state.code()),
        Cell::Int(row.version),
        money(captured?),
        money(refunded?),
        money(charged_back?),
        Cell::Text(&row.outcome_now),
        Cell::Text(&row.provider_payment_id_now),
    ])?;
    Ok(())
}
