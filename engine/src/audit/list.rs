//! Shows the audit log, newest first, a page at a time.

use crate::{
    Engine, Error,
    storage::{
        audit::{self, PAGE, Wanted},
        files,
    },
};
use domain::{
    actor::{Actor, Permission},
    time::{Day, Instant, Zone},
    view::{
        audit::{AuditFilter, AuditPage, AuditRow},
        routes,
    },
};

/// The page that a filter asks for. Days are cut in UTC.
pub async fn list(
    engine: &Engine,
    actor: &Actor,
    filter: &AuditFilter,
) -> Result<AuditPage, Error> {
    actor.require(Permission::Audit)?;
    let from = day("from", &filter.from)?.map(|d| d.start_in(Zone::UTC));
    let until = day("to", &filter.to)?.map(|d| (d.next().start_in(Zone::UTC), i64::MIN));
    let wanted = Wanted {
        actor: filter.actor.trim(),
        action: filter.action.trim(),
        subject: filter.subject.trim(),
        from,
        before: cursor(&filter.after)?.or(until),
    };
    let mut reader = engine.store.read().await?;
    let mut rows = audit::page(&mut reader, &wanted).await?;
    let actions = audit::actions(&mut reader).await?;
    let more = rows.len() > PAGE;
    rows.truncate(PAGE);
    let next = rows
        .last()
        .filter(|_| more)
        .map(|(id, row)| format!("{}-{id}", row.at.micros()));
    let mut rows: Vec<AuditRow> = rows.into_iter().map(|(_, row)| linked(row)).collect();
    let of_files = rows.iter().filter(|r| r.action.starts_with("file."));
    let names =
        files::names_by_public_id(&mut reader, of_files.map(|r| r.subject.as_str())).await?;
    for row in &mut rows {
        row.about = names.get(&row.subject).cloned().unwrap_or_default();
    }
    Ok(AuditPage {
        filter: filter.clone(),
        actions,
        rows,
        next,
        ..AuditPage::default()
    })
}

/// A record with the way to what it is about, where that has a page.
fn linked(mut row: AuditRow) -> AuditRow {
    row.href = match row.action.split_once('.').map(|(thing, _)| thing) {
        Some("file") => routes::file(&row.subject),
        Some("case" | "decision") => routes::case_only(&row.subject),
        _ => String::new(),
    };
    row
}

fn day(field: &'static str, text: &str) -> Result<Option<Day>, Error> {
    if text.is_empty() {
        return Ok(None);
    }
    Day::parse(text)
        .map(Some)
        .map_err(|e| Error::invalid(field, e.to_string()))
}

/// A place in the order: instant and key of the last row shown.
fn cursor(text: &str) -> Result<Option<(Instant, i64)>, Error> {
    if text.is_empty() {
        return Ok(None);
    }
    let parts = text
        .rsplit_once('-')
        .and_then(|(at, id)| Some((at.parse().ok()?, id.parse().ok()?)));
    parts
        .map(|(at, id)| Some((Instant::from_micros(at), id)))
        .ok_or_else(|| Error::invalid("after", "is not a place in this list"))
}
