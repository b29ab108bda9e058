//! The audit log.

use super::{StorageError, counter::allocate, tx::Connected};
use crate::{all, exec_one, statements};
use domain::{time::Instant, view::audit::AuditRow};

statements! {
    ADD(7) = "audit/add.sql";
    PAGE_BY_AT(6) = "audit/page_by_at.sql";
    PAGE_BY_ACTOR(6) = "audit/page_by_actor.sql";
    PAGE_BY_ACTION(6) = "audit/page_by_action.sql";
    PAGE_BY_SUBJECT(6) = "audit/page_by_subject.sql";
    ACTIONS(0) = "audit/actions.sql", may_scan "hops from action to action by its index";
}

/// Rows of a page; one more is read, to know whether another page follows.
pub const PAGE: usize = 50;

/// What is looked for; an empty text looks for anything.
#[derive(Debug, Clone, Default)]
pub struct Wanted<'a> {
    /// Who.
    pub actor: &'a str,
    /// What.
    pub action: &'a str,
    /// About what.
    pub subject: &'a str,
    /// Not before.
    pub from: Option<Instant>,
    /// Strictly before this place in the order (instant, key), newest first.
    pub before: Option<(Instant, i64)>,
}

/// One record to add.
#[derive(Debug, Clone, Copy)]
pub struct NewRecord<'a> {
    /// When.
    pub at: Instant,
    /// Who, as shown.
    pub actor: &'a str,
    /// The person's key, 0 where none acted.
    pub user_id: i64,
    /// What.
    pub action: &'a str,
    /// About what.
    pub subject: &'a str,
    /// JSON.
    pub detail: &'a str,
}

#[derive(sqlx::FromRow)]
struct RecordRow {
    id: i64,
    at: i64,
    actor: String,
    action: String,
    subject: String,
    detail: String,
}

/// Adds a record and returns its key.
pub async fn add(mut tx: impl Connected, record: NewRecord<'_>) -> Result<i64, StorageError> {
    let id = allocate(&mut tx, "audit_record", 1).await?;
    let NewRecord {
        at,
        actor,
        user_id,
        action,
        subject,
        detail,
    } = record;
    exec_one!(
        &mut tx,
        ADD,
        id,
        at.micros(),
        actor,
        user_id,
        action,
        subject,
        detail
    )?;
    Ok(id)
}

/// A page of records, newest first, each with its key; at most [`PAGE`] and one more.
pub async fn page(
    mut tx: impl Connected,
    wanted: &Wanted<'_>,
) -> Result<Vec<(i64, AuditRow)>, StorageError> {
    let Wanted {
        actor,
        action,
        subject,
        ..
    } = *wanted;
    let from = wanted.from.map_or(i64::MIN, Instant::micros);
    let (at, id) = wanted
        .before
        .map_or((i64::MAX, i64::MAX), |(at, id)| (at.micros(), id));
    // The narrowest filter leads, so that its index finds the page.
    let rows = if !subject.is_empty() {
        all!(
            &mut tx,
            RecordRow,
            PAGE_BY_SUBJECT,
            at,
            id,
            from,
            actor,
            action,
            subject
        )?
    } else if !actor.is_empty() {
        all!(
            &mut tx,
            RecordRow,
            PAGE_BY_ACTOR,
            at,
            id,
            from,
            actor,
            action,
            subject
        )?
    } else if !action.is_empty() {
        all!(
            &mut tx,
            RecordRow,
            PAGE_BY_ACTION,
            at,
            id,
            from,
            actor,
            action,
            subject
        )?
    } else {
        all!(
            &mut tx, RecordRow, PAGE_BY_AT, at, id, from, actor, action, subject
        )?
    };
    let shown = |row: RecordRow| {
        let shown = AuditRow {
            at: Instant::from_micros(row.at),
            actor: row.actor,
            action: row.action,
            subject: row.subject,
            about: String::new(),
            href: String::new(),
            detail: row.detail,
        };
        (row.id, shown)
    };
    Ok(rows.into_iter().map(shown).collect())
}

/// Every action that occurs.
pub async fn actions(mut tx: impl Connected) -> Result<Vec<String>, StorageError> {
    Ok(all!(&mut tx, (String,), ACTIONS)?
        .into_iter()
        .map(|(action,)| action)
        .collect())
}
