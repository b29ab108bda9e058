//! A settlement line as lists show it.

use crate::storage::{
    StorageError,
    lines::LineShown,
    stored::{self, corrupt},
};
use domain::{
    line::Verdict,
    money::Currency,
    time::{Day, Instant},
    view::{Amount, line::LineRow},
};

/// A line as lists show it.
pub(super) fn shown(line: LineShown) -> Result<LineRow, StorageError> {
    let id = line.id;
    let currency: Currency = stored::parse("line", "currency", id, &line.currency)?;
    let presented_currency: Currency =
        stored::parse("line", "presented_currency", id, &line.presented_currency)?;
    let presented = Amount::new(line.presented_amount, presented_currency);
    let gross = Amount::new(line.gross, currency);
    Ok(LineRow {
        line_no: u64::try_from(line.line_no).map_err(|e| corrupt("line", "line_no", id, &e))?,
        kind: stored::parse("line", "kind", id, &line.kind)?,
        gross,
        fee: Amount::new(line.fee, currency),
        net: Amount::new(line.net, currency),
        presented: (presented != gross).then_some(presented),
        received_at: Instant::from_micros(line.received_at),
        occurred_at: line.occurred_at.map(Instant::from_micros),
        settled_at: line.settled_at.map(Instant::from_micros),
        accounting_day: day("line", "accounting_day", id, line.accounting_day)?,
        verdict: verdict("line_now", id, &line.verdict)?,
        rule: stored::parse("line_now", "rule", id, &line.rule)?,
        file_id: line.file_id,
        row_id: line.row_id,
        provider_payment_id: line.provider_payment_id,
        merchant_reference: line.merchant_reference,
        batch_id: line.batch_id,
        intent_id: line.intent,
        attempt_id: line.attempt,
        case_id: line.open_case,
    })
}

/// A verdict; none while the line is being judged.
pub(super) fn verdict(
    table: &'static str,
    row: i64,
    text: &str,
) -> Result<Option<Verdict>, StorageError> {
    if text == "PENDING" {
        return Ok(None);
    }
    stored::parse(table, "verdict", row, text).map(Some)
}

/// A day as stored.
pub(super) fn day(
    table: &'static str,
    column: &'static str,
    row: i64,
    number: i64,
) -> Result<Day, StorageError> {
    Day::from_number(number).ok_or_else(|| corrupt(table, column, row, &"beyond the calendar"))
}
