//! What time alone brings up: leases that ran out, attempts past grace or due, days without a file.

use super::{
    Rows, StorageError,
    tx::{Connected, Tx},
    wide::wide,
};
use crate::{all, one, scalar_opt, statements};

statements! {
    LEASES_OVER(5) = "sweep/leases_over.sql";
    UNKNOWN_SINCE(5) = "sweep/unknown_since.sql";
    UNSETTLED(5) = "sweep/unsettled.sql";
    OLDEST_ATTEMPT(1) = "sweep/oldest_attempt.sql";
    NEWEST(0) = "sweep/newest.sql", may_scan "one constant row";
    DUE_BY_CURRENCY(3) = "sweep/due_by_currency.sql";
    CONFLICTING_LINES(3) = "sweep/conflicting_lines.sql";
    COVERED_SPANS(1) = "sweep/covered_spans.sql";
    MISSING_FILE_CASES(1) = "sweep/missing_file_cases.sql";
    RULINGS_BETWEEN(2) = "sweep/rulings_between.sql";
    CANDIDATE_CASES(1) = "sweep/candidate_cases.sql";
    MOVING_CASES(3) = "sweep/moving_cases.sql", may_scan "cases that wait or are held, by their own index";
    ACCOUNTS_OF_MOVING_CASES(1) = "sweep/accounts_of_moving_cases.sql",
        may_scan "cases that wait or are held, by their own index";
    @rows
    END_LEASES(attempt_id: Int) = "sweep/end_leases.sql", may_scan "the rows themselves";
}

/// An attempt that time brings up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct AgedAttempt {
    pub attempt_id: i64,
    pub intent_id: i64,
    pub since: i64,
}

/// How far a sweep came in a list that it reads page by page, and how many it reads at once. What a
/// page holds and does not become a case is there again the next time: only the place leads past it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// The time of the last one read, in microseconds.
    pub since: i64,
    /// Its key.
    pub id: i64,
    /// How many at once.
    pub size: i64,
}

impl Page {
    /// The first page.
    pub const fn first(size: i64) -> Self {
        Self {
            since: i64::MIN,
            id: 0,
            size,
        }
    }

    /// The page behind what was read, if that was a full one.
    pub fn behind(self, read: &[AgedAttempt]) -> Option<Self> {
        let full = i64::try_from(read.len()).is_ok_and(|n| n >= self.size);
        read.last().filter(|_| full).map(|last| Self {
            since: last.since,
            id: last.attempt_id,
            size: self.size,
        })
    }
}

/// Lines of an account that stand in conflict, a page of them.
pub async fn conflicting_lines(
    mut tx: impl Connected,
    account: i64,
    page: Page,
) -> Result<Vec<i64>, StorageError> {
    let rows = all!(
        &mut tx,
        (i64,),
        CONFLICTING_LINES,
        account,
        page.id,
        page.size
    )?;
    Ok(rows.into_iter().map(|(line,)| line).collect())
}

/// Attempts in flight since before an instant: a page of them, longest first.
pub async fn leases_over(
    mut tx: impl Connected,
    account: i64,
    page: Page,
    before: i64,
) -> Result<Vec<AgedAttempt>, StorageError> {
    all!(
        &mut tx,
        AgedAttempt,
        LEASES_OVER,
        account,
        page.since,
        page.id,
        before,
        page.size
    )
}

/// Attempts whose lease ran out are unknown from now on.
pub async fn end_leases(
    tx: &mut Tx,
    attempts: impl Iterator<Item = i64>,
) -> Result<u64, StorageError> {
    let mut rows = Rows::of(&END_LEASES);
    for id in attempts {
        rows.add().int(id);
    }
    rows.exec(tx, &END_LEASES).await
}

/// Attempts unknown since before an instant, without an open case: a page of them, longest first.
pub async fn unknown_since(
    mut tx: impl Connected,
    account: i64,
    page: Page,
    before: i64,
) -> Result<Vec<AgedAttempt>, StorageError> {
    all!(
        &mut tx,
        AgedAttempt,
        UNKNOWN_SINCE,
        account,
        page.since,
        page.id,
        before,
        page.size
    )
}

/// Successful attempts that began before an instant, to which no line is tied, which nobody recorded
/// elsewhere and of which no case is open: a page of them, oldest first.
pub async fn unsettled(
    mut tx: impl Connected,
    account: i64,
    page: Page,
    until: i64,
) -> Result<Vec<AgedAttempt>, StorageError> {
    all!(
        &mut tx,
        AgedAttempt,
        UNSETTLED,
        account,
        page.since,
        page.id,
        until,
        page.size
    )
}

/// When the first attempt of an account began.
pub async fn oldest_attempt(
    mut tx: impl Connected,
    account: i64,
) -> Result<Option<i64>, StorageError> {
    scalar_opt!(&mut tx, i64, OLDEST_ATTEMPT, account)
}

/// Keys of the newest settlement file and of the newest import of payments, 0 where there is none, and
/// how many files are used.
pub async fn newest(mut tx: impl Connected) -> Result<(i64, i64, i64), StorageError> {
    one!(&mut tx, (i64, i64, i64), NEWEST)
}

/// What attempts that began within a span and have no line come to: currency, how many, minor units.
pub async fn due_by_currency(
    mut tx: impl Connected,
    account: i64,
    from: i64,
    until: i64,
) -> Result<Vec<(String, i64, i128)>, StorageError> {
    let found = all!(
        &mut tx,
        (String, i64, i64, i64),
        DUE_BY_CURRENCY,
        account,
        from,
        until
    )?;
    Ok(found
        .into_iter()
        .map(|(currency, attempts, high, low)| (currency, attempts, wide(high, low)))
        .collect())
}

/// A file that was used whole, and the days that it covers.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct CoveringFile {
    pub file_id: i64,
    pub first_day: i64,
    pub last_day: i64,
    /// JSON of first and last days, where it does not cover all of its days; else empty.
    pub covered_spans: String,
}

/// The files of an account that were used whole.
pub async fn covering_files(
    mut tx: impl Connected,
    account: i64,
) -> Result<Vec<CoveringFile>, StorageError> {
    all!(&mut tx, CoveringFile, COVERED_SPANS, account)
}

/// Open cases of missing files.
pub async fn missing_file_cases(
    mut tx: impl Connected,
    account: i64,
) -> Result<Vec<i64>, StorageError> {
    Ok(all!(&mut tx, (i64,), MISSING_FILE_CASES, account)?
        .into_iter()
        .map(|(id,)| id)
        .collect())
}

/// Rulings in force about cases of days without a file of an account: day and ruling as JSON.
pub async fn period_rulings(
    mut tx: impl Connected,
    account: &str,
) -> Result<Vec<(String, String)>, StorageError> {
    let about = format!("case:missing_file:period:{account}");
    // The character behind the colon ends what begins with it.
    let (from, until) = (format!("{about}:"), format!("{about};"));
    let found = all!(&mut tx, (String, String), RULINGS_BETWEEN, &from, &until)?;
    Ok(found
        .into_iter()
        .map(|(subject, ruling)| (subject.split_at(from.len()).1.to_owned(), ruling))
        .collect())
}

/// Facts of the open cases that name candidates.
pub async fn candidate_cases(
    mut tx: impl Connected,
    account: i64,
) -> Result<Vec<String>, StorageError> {
    Ok(all!(&mut tx, (String,), CANDIDATE_CASES, account)?
        .into_iter()
        .map(|(facts,)| facts)
        .collect())
}

/// Cases of an account that wake by now, or whose holder's time ran out: the first few.
pub async fn moving_cases(
    mut tx: impl Connected,
    account: i64,
    now: i64,
    limit: i64,
) -> Result<Vec<i64>, StorageError> {
    Ok(all!(&mut tx, (i64,), MOVING_CASES, account, now, limit)?
        .into_iter()
        .map(|(id,)| id)
        .collect())
}

/// Accounts that have such cases.
pub async fn accounts_of_moving_cases(
    mut tx: impl Connected,
    now: i64,
) -> Result<Vec<i64>, StorageError> {
    Ok(all!(&mut tx, (i64,), ACCOUNTS_OF_MOVING_CASES, now)?
        .into_iter()
        .map(|(id,)| id)
        .collect())
}
