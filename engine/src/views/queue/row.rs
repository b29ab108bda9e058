//! A case as a row of the queue, and its words.

use crate::storage::{StorageError, queue::CaseRow, stored};
use domain::{
    cases::CaseFacts,
    money::Money,
    time::{Day, Instant, Zone},
    view::{Amount, queue::QueueRow},
};

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
pub(in crate::views) fn wake_on(row: &CaseRow) -> Result<Option<Day>, StorageError> {
    let Some(at) = row.wake_at else {
        return Ok(None);
    };
    let zone: Zone = stored::parse("provider_account", "zone", row.account_id, &row.zone)?;
    Ok(Some(Instant::from_micros(at).day_in(zone)))
}

/// Money at risk, where any is known.
pub(in crate::views) fn at_risk(row: &CaseRow) -> Result<Option<Amount>, StorageError> {
    if row.currency.is_empty() {
        return Ok(None);
    }
    let currency = stored::parse("case_now", "currency", row.case_id, &row.currency)?;
    Ok(Some(Amount::new(row.at_risk, currency)))
}

/// Money at risk in words, or empty where none is known.
pub(in crate::views) fn at_risk_text(
    case: i64,
    currency: &str,
    minor: i64,
) -> Result<String, StorageError> {
    if currency.is_empty() {
        return Ok(String::new());
    }
    let currency = stored::parse("case_event", "detail", case, currency)?;
    Ok(Money::new(minor, currency).to_string())
}

/// What people call a case's subject: a file by its name, not by its hash.
pub(in crate::views) fn subject_name<'a>(subject: &'a str, facts: &'a CaseFacts) -> &'a str {
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
pub(in crate::views) fn summary(subject: &str, facts: &CaseFacts) -> String {
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
