//! The review queue: one page of cases, and figures over the whole filter.
//!
//! | File | Does |
//! |---|---|
//! | [`filter`] | reads what a filter asks for, and tells whether a case fits |
//! | [`lists`] | the lists behind the views: open, done, to approve, searched |
//! | [`held`] | keeps rows that were decided where they stood |
//! | [`neighbours`] | the cases before and after one |
//! | [`counts`] | how many cases are under each view |
//! | [`bulk`] | what can be decided about several at once |
//! | [`row`] | a case as a row, and its words |

mod bulk;
mod counts;
mod filter;
mod held;
mod lists;
mod neighbours;
mod row;

use super::{line_names::LineNames, nav::count, second_acceptance::files_to_accept};
use crate::{
    Engine, Error,
    storage::{
        filelist, intents,
        queue::{self, PAGE},
        tx::Connected,
    },
};
use bulk::bulk_actions;
use counts::{saved, totals, views};
use domain::{
    actor::{Actor, Permission},
    view::{
        files::FileState,
        overview::Loaded,
        queue::{Queue, QueueFilter, QueueRow, QueueView},
    },
};
use filter::{Names, wanted};
use held::hold;
use lists::list;

pub(super) use neighbours::neighbours;
pub(crate) use row::shown;
pub(super) use row::{at_risk, at_risk_text, subject_name, summary, wake_on};

/// The queue under a filter.
pub async fn queue(engine: &Engine, actor: &Actor, filter: &QueueFilter) -> Result<Queue, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let names = Names::read(&mut reader).await?;
    let mut problems = Vec::new();
    let wanted = wanted(engine, actor, &mut reader, filter, &names, &mut problems).await?;
    let me = wanted.person;
    let mut listed = list(&mut reader, actor, filter, &wanted).await?;
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
        let listed = list(&mut reader, actor, &filter, &wanted).await?;
        keys.extend(listed.rows.iter().map(|row| row.case_id));
        match listed.next {
            Some(next) => filter.after = next,
            None => return Ok(keys),
        }
    }
}
