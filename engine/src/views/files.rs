//! Settlement files as a list, and how far each has come.

use super::{line_row::day, nav::count, place};
use crate::{
    Engine, Error,
    ingest::{FileReport, MOST_FAILURES, row_counts},
    storage::{
        StorageError,
        filelist::{self, CasesOfFile, FileShown, PAGE},
        providers, stored,
        tx::Connected,
    },
};
use domain::{
    actor::{Actor, Permission},
    time::Instant,
    view::{
        FieldProblem,
        files::{FileFilter, FileProgress, FileRow, FileState, FilesPage, ProviderOption},
    },
};
use std::collections::BTreeMap;

/// A page of files, newest first. The largest upload is the server's to say.
pub async fn files(
    engine: &Engine,
    actor: &Actor,
    filter: &FileFilter,
) -> Result<FilesPage, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let accounts = providers::list(&mut reader).await?;
    let mut problems = Vec::new();
    let account = match filter.provider.trim() {
        "" => 0,
        name => accounts
            .iter()
            .find(|a| a.name == name)
            .map_or(-1, |a| a.id),
    };
    let state = match filter.state.trim() {
        "" => "",
        text => match text.parse::<FileState>() {
            Ok(state) => state.code(),
            Err(error) => {
                problems.push(FieldProblem::new("state", error.to_string()));
                ""
            }
        },
    };
    let [before] = place::read::<1>(&filter.after)?.unwrap_or([i64::MAX]);
    let mut found = filelist::page(&mut reader, before, account, state).await?;
    let more = found.len() > PAGE;
    found.truncate(PAGE);
    let next = found
        .last()
        .filter(|_| more)
        .map(|file| place::write(&[file.id]));
    let total = count(filelist::count(&mut reader, account, state).await?);
    Ok(FilesPage {
        filter: filter.clone(),
        providers: accounts
            .into_iter()
            .map(|a| ProviderOption {
                name: a.name,
                kind: a.kind,
            })
            .collect(),
        rows: rows(&mut reader, &found).await?,
        total,
        next,
        problems,
        ..FilesPage::default()
    })
}

/// How far files have come, by public id; unknown ones are left out.
pub async fn file_progress(
    engine: &Engine,
    actor: &Actor,
    ids: &[String],
) -> Result<Vec<FileProgress>, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let found = filelist::progress(&mut reader, ids).await?;
    let verdicts = verdicts(&mut reader, found.iter().map(|f| f.id)).await?;
    let cases = filelist::cases(&mut reader, found.iter().map(|f| f.id)).await?;
    let none = BTreeMap::new();
    let shown = found.into_iter().map(|file| {
        let state = state(&file.public_id, &file.state)?;
        let of = verdicts.get(&file.id).unwrap_or(&none);
        let number = |n: i64| domain::view::amount::count(count(n));
        let counted = |n: i64, one, several| domain::view::amount::counted(count(n), one, several);
        let rows = |n: i64| counted(n, "row", "rows");
        let its = cases.iter().find(|of| of.file_id == file.id);
        let open = match its.map_or(0, |of| of.unresolved - of.waiting) {
            0 => String::new(),
            n => format!(", {}", counted(n, "open case", "open cases")),
        };
        let matched = of.get("MATCHED").copied().unwrap_or(0);
        let stopped = has_stopped(state, file.failures);
        let summary = match state {
            _ if stopped => format!("stopped: {}", file.error),
            _ if state.is_loading() => String::new(),
            FileState::Held => format!("{}, held: a person must look at it", rows(file.rows_total)),
            FileState::Refused => "cannot be used".to_owned(),
            FileState::Withdrawn => format!("{}, put away", rows(file.rows_total)),
            _ => format!(
                "{}, {} matched{open}",
                rows(file.rows_total),
                number(matched)
            ),
        };
        Ok(FileProgress {
            id: file.public_id,
            name: file.name,
            state,
            rows_done: count(file.rows_done),
            rows_total: if state.looks_at_every_row() {
                count(file.rows_total)
            } else {
                0
            },
            done: stopped || !state.is_loading(),
            waits: false,
            summary,
        })
    });
    shown.collect::<Result<_, Error>>()
}

/// Files as rows, with their lines by verdict.
pub(super) async fn rows(
    mut tx: impl Connected,
    found: &[FileShown],
) -> Result<Vec<FileRow>, Error> {
    let verdicts = verdicts(&mut tx, found.iter().map(|f| f.id)).await?;
    let unplaced = unplaced(&mut tx, found).await?;
    let cases = filelist::cases(&mut tx, found.iter().map(|f| f.id)).await?;
    let none = BTreeMap::new();
    let rows = found.iter().map(|file| {
        let unplaced = unplaced.get(&file.id).copied().unwrap_or(0);
        let its = cases.iter().find(|of| of.file_id == file.id);
        let its = its.copied().unwrap_or_default();
        Ok(row(
            file,
            verdicts.get(&file.id).unwrap_or(&none),
            unplaced,
            its,
        )?)
    });
    rows.collect()
}

/// Lines of unknown kind that nothing has placed, of each file that had any.
async fn unplaced(
    tx: impl Connected,
    found: &[FileShown],
) -> Result<BTreeMap<i64, i64>, StorageError> {
    let mut files = Vec::new();
    for file in found {
        if report(file)?.unrecognised > 0 {
            files.push(file.id);
        }
    }
    let lines = filelist::unrecognised(tx, files.into_iter()).await?;
    Ok(lines.into_iter().collect())
}

/// Lines by verdict, of each file.
pub(super) async fn verdicts(
    tx: impl Connected,
    files: impl Iterator<Item = i64>,
) -> Result<BTreeMap<i64, BTreeMap<String, i64>>, StorageError> {
    let mut by_file: BTreeMap<i64, BTreeMap<String, i64>> = BTreeMap::new();
    for (file, verdict, lines) in filelist::verdicts(tx, files).await? {
        by_file.entry(file).or_default().insert(verdict, lines);
    }
    Ok(by_file)
}

/// The report of pass one; an empty one while it has not run.
pub(super) fn report(file: &FileShown) -> Result<FileReport, StorageError> {
    if file.report.is_empty() {
        return Ok(FileReport::default());
    }
    stored::json("file_now", "report", &file.public_id, &file.report)
}

fn row(
    file: &FileShown,
    verdicts: &BTreeMap<String, i64>,
    unplaced: i64,
    cases: CasesOfFile,
) -> Result<FileRow, StorageError> {
    let report = report(file)?;
    let as_day = |column, number: Option<i64>| {
        number
            .map(|n| day("file_now", column, file.id, n))
            .transpose()
    };
    let standing = state(&file.public_id, &file.state)?;
    Ok(FileRow {
        id: file.public_id.clone(),
        name: file.name.clone(),
        account: file.account.clone(),
        state: standing,
        stopped: if has_stopped(standing, file.failures) {
            file.error.clone()
        } else {
            String::new()
        },
        waits: false,
        received_at: Instant::from_micros(file.received_at),
        received_by: file.received_by.clone(),
        bytes: count(file.bytes),
        profile: file.profile.clone(),
        first_day: as_day("first_day", file.first_day)?,
        last_day: as_day("last_day", file.last_day)?,
        rows: row_counts(&file.state, &report, verdicts, unplaced),
        rows_done: count(file.rows_done),
        held_because: report.held_because.into_iter().map(|h| h.message).collect(),
        open_cases: count(cases.unresolved - cases.waiting),
        set_aside: count(cases.waiting),
    })
}

/// Whether nothing goes on with a file until a person lets it.
fn has_stopped(state: FileState, failures: i64) -> bool {
    state.is_loading() && failures >= MOST_FAILURES
}

fn state(file: &str, text: &str) -> Result<FileState, StorageError> {
    // Rows of a file that will be held are still being written: for people it is being read.
    if text == "HOLDING" {
        return Ok(FileState::Reading);
    }
    stored::parse("file_now", "state", file, text)
}
