//! Settlement files as pages show them.

use super::{Rows, StorageError, lines::RejectedRow, tx::Connected};
use crate::{all, opt, scalar, statements};

statements! {
    ASKED_BACK(0) = "filelist/asked_back.sql";
    ALL(1) = "filelist/all.sql";
    OF_ACCOUNT(2) = "filelist/of_account.sql";
    IN_STATE(3) = "filelist/in_state.sql";
    BY_PUBLIC_ID(1) = "filelist/by_public_id.sql";
    LAST(0) = "filelist/last.sql";
    COUNT(2) = "filelist/count.sql", may_scan "one row a file; asked only of a filtered list";
    EVENTS(1) = "filelist/events.sql";
    HELD_STEPS(0) = "filelist/held_steps.sql";
    REJECTED(1) = "filelist/rejected.sql";
    OPEN_CASES(1) = "filelist/open_cases.sql";
    @rows
    VERDICTS(file_id: Int) = "filelist/verdicts.sql";
    UNRECOGNISED(file_id: Int) = "filelist/unrecognised.sql";
    PROGRESS(public_id: Text) = "filelist/progress.sql";
    CASES(file_id: Int) = "filelist/cases.sql", may_scan "what is unresolved, once for all files of a page";
}

/// Rows of a page; one more is read, to know whether another page follows.
pub const PAGE: usize = 50;

/// A file and how it stands.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct FileShown {
    /// Key.
    pub id: i64,
    /// Public id.
    pub public_id: String,
    /// Key of its provider account.
    pub account_id: i64,
    /// Its provider account's name.
    pub account: String,
    /// SHA-256.
    pub sha256: Vec<u8>,
    /// Its size.
    pub bytes: i64,
    /// The name it came under.
    pub name: String,
    /// When it came.
    pub received_at: i64,
    /// Who brought it.
    pub received_by: String,
    /// State.
    pub state: String,
    /// Profile, or empty.
    pub profile: String,
    /// Encoding, or empty.
    pub encoding: String,
    /// Data rows.
    pub rows_total: i64,
    /// Rows done in the pass under way.
    pub rows_done: i64,
    /// JSON: what pass one found.
    pub report: String,
    /// Why work on it stopped, or empty.
    pub error: String,
    /// How often work on it failed.
    pub failures: i64,
    /// First day that it spans.
    pub first_day: Option<i64>,
    /// Last day that it spans.
    pub last_day: Option<i64>,
}

/// Cases of a file that are not resolved: about the file itself or about a row of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct CasesOfFile {
    /// Key of the file.
    pub file_id: i64,
    /// All of them.
    pub unresolved: i64,
    /// Those that are set aside until a date.
    pub waiting: i64,
}

/// A step of a file.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct FileStep {
    /// From 1.
    pub seq: i64,
    /// The state it came to.
    pub state: String,
    /// JSON.
    pub detail: String,
    /// Who.
    pub actor: String,
    /// When.
    pub at: i64,
}

/// How far a file is.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct FarShown {
    /// Public id.
    pub public_id: String,
    /// Name.
    pub name: String,
    /// State.
    pub state: String,
    /// Rows done.
    pub rows_done: i64,
    /// Rows in all.
    pub rows_total: i64,
    /// Why work on it failed the last time, or empty.
    pub error: String,
    /// How often it did.
    pub failures: i64,
    /// Key.
    pub id: i64,
}

/// A page of files before a key, newest first, of an account (or 0) and in a state (or empty).
pub async fn page(
    mut tx: impl Connected,
    before: i64,
    account: i64,
    state: &str,
) -> Result<Vec<FileShown>, StorageError> {
    match (account, state) {
        (0, "") => all!(&mut tx, FileShown, ALL, before),
        (account, "") => all!(&mut tx, FileShown, OF_ACCOUNT, before, account),
        (account, state) => all!(&mut tx, FileShown, IN_STATE, before, state, account),
    }
}

/// How many files there are, of an account (or 0) and in a state (or empty).
pub async fn count(mut tx: impl Connected, account: i64, state: &str) -> Result<i64, StorageError> {
    if account == 0 && state.is_empty() {
        return scalar!(&mut tx, i64, LAST);
    }
    scalar!(&mut tx, i64, COUNT, state, account)
}

/// A file by its public id.
pub async fn by_public_id(
    mut tx: impl Connected,
    id: &str,
) -> Result<Option<FileShown>, StorageError> {
    opt!(&mut tx, FileShown, BY_PUBLIC_ID, id)
}

/// Lines of files by verdict: file, verdict, count.
pub async fn verdicts(
    tx: impl Connected,
    files: impl Iterator<Item = i64>,
) -> Result<Vec<(i64, String, i64)>, StorageError> {
    let mut rows = Rows::of(&VERDICTS);
    for file in files {
        rows.add().int(file);
    }
    rows.all(tx, &VERDICTS).await
}

/// Lines of files that are of unknown kind and that nothing has placed: file, count.
pub async fn unrecognised(
    tx: impl Connected,
    files: impl Iterator<Item = i64>,
) -> Result<Vec<(i64, i64)>, StorageError> {
    let mut rows = Rows::of(&UNRECOGNISED);
    for file in files {
        rows.add().int(file);
    }
    rows.all(tx, &UNRECOGNISED).await
}

/// Cases of files that are not resolved; a file without any is left out.
pub async fn cases(
    tx: impl Connected,
    files: impl Iterator<Item = i64>,
) -> Result<Vec<CasesOfFile>, StorageError> {
    let mut rows = Rows::of(&CASES);
    for file in files {
        rows.add().int(file);
    }
    rows.all(tx, &CASES).await
}

/// What happened to a file, newest first, at most 200.
pub async fn events(mut tx: impl Connected, file: i64) -> Result<Vec<FileStep>, StorageError> {
    all!(&mut tx, FileStep, EVENTS, file)
}

/// Files that are held, by public id, each with what the step says that left it held; at most 1,000.
pub async fn held_steps(mut tx: impl Connected) -> Result<Vec<(String, String)>, StorageError> {
    all!(&mut tx, (String, String), HELD_STEPS)
}

/// Files that somebody wanted taken back, the latest hundred times: public ids.
pub async fn asked_back(mut tx: impl Connected) -> Result<Vec<String>, StorageError> {
    let found = all!(&mut tx, (String,), ASKED_BACK)?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// The first rows of a file that could not be read, at most 50.
pub async fn rejected(mut tx: impl Connected, file: i64) -> Result<Vec<RejectedRow>, StorageError> {
    all!(&mut tx, RejectedRow, REJECTED, file)
}

/// Open cases about a file: public id and kind, at most 20.
pub async fn open_cases(
    mut tx: impl Connected,
    file: i64,
) -> Result<Vec<(String, String)>, StorageError> {
    all!(&mut tx, (String, String), OPEN_CASES, file)
}

/// How far files are, by public id.
pub async fn progress(tx: impl Connected, ids: &[String]) -> Result<Vec<FarShown>, StorageError> {
    let mut rows = Rows::of(&PROGRESS);
    for id in ids {
        rows.add().text(id);
    }
    rows.all(tx, &PROGRESS).await
}
