//! Figures of the overview.

use super::{Rows, StorageError, queue::Approver, tx::Connected, wide::wide};
use crate::{all, scalar, scalar_opt, statements};
use domain::time::Instant;

statements! {
    CASES(4) = "overview/cases.sql", may_scan "an index of what is unresolved, which alone holds all columns";
    UNKNOWN(0) = "overview/unknown.sql";
    UNKNOWN_BY_ACCOUNT(0) = "overview/unknown_by_account.sql";
    FILES_OF_DAYS(3) = "overview/files_of_days.sql";
    NEWEST_FILE(1) = "overview/newest_file.sql";
    HELD_BY_ACCOUNT(0) = "overview/held_by_account.sql";
    OPEN_LINES(1) = "overview/open_lines.sql";
    IN_TRANSIT(3) = "overview/in_transit.sql";
    NEVER_SETTLED(3) = "overview/never_settled.sql";
    ATTEMPTS_BEYOND(4) = "overview/attempts_beyond.sql";
    OVERDUE(0) = "overview/overdue.sql", may_scan "an index of what is unresolved, which alone holds all columns";
    LINE_RULINGS(2) = "overview/line_rulings.sql";
    @rows
    MATCHED_BY_PERSON(file_id: Int, line_no: Int) = "overview/matched_by_person.sql";
    TO_APPROVE(decider: Int) = "overview/to_approve.sql";
}

/// Attempts that [`in_transit`] and [`never_settled`] look at, so that the overview stays quick.
pub const LOOKED_AT: i64 = 20_000;

/// Unresolved cases of one kind in one currency.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct CasesOfKind {
    /// Kind.
    pub kind: String,
    /// Empty where no money is known.
    pub currency: String,
    /// Opened less than a day ago.
    pub under_one_day: i64,
    /// One to two days ago.
    pub one_to_two_days: i64,
    /// Two to seven days ago.
    pub two_to_seven_days: i64,
    /// Seven days ago or longer.
    pub over_seven_days: i64,
    /// Past their due time.
    pub overdue: i64,
    /// Their sum, in parts: see [`CasesOfKind::at_risk`].
    pub at_risk_high: i64,
    /// Their sum, in parts.
    pub at_risk_low: i64,
    /// Opening of the oldest.
    pub oldest: i64,
}

impl CasesOfKind {
    /// The sum in minor units.
    pub fn at_risk(&self) -> i128 {
        wide(self.at_risk_high, self.at_risk_low)
    }
}

/// Unknown attempts in one currency.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Unknown {
    /// The currency.
    pub currency: String,
    /// How many.
    pub attempts: i64,
    /// Since when the oldest is unknown.
    pub oldest: i64,
    /// Their sum, in parts: see [`Unknown::amount`].
    pub amount_high: i64,
    /// Their sum, in parts.
    pub amount_low: i64,
}

impl Unknown {
    /// The sum in minor units.
    pub fn amount(&self) -> i128 {
        wide(self.amount_high, self.amount_low)
    }
}

/// A file with the days that it spans.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct FileOfDays {
    /// Key of its provider account.
    pub account_id: i64,
    /// Key.
    pub file_id: i64,
    /// State.
    pub state: String,
    /// First day.
    pub first_day: Option<i64>,
    /// Last day.
    pub last_day: Option<i64>,
    /// Public id.
    pub public_id: String,
    /// SHA-256.
    pub sha256: Vec<u8>,
}

/// A decision that waits for a second person.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Awaiting {
    /// Key of its case.
    pub case_id: i64,
    /// Action.
    pub action: String,
    /// Who decided.
    pub decided_by: String,
    /// When.
    pub decided_at: i64,
}

/// Unresolved cases by kind and currency, and by age at an instant.
pub async fn cases(mut tx: impl Connected, now: Instant) -> Result<Vec<CasesOfKind>, StorageError> {
    let ago = |days: i64| now.plus_seconds(-days * 86_400).micros();
    all!(tx, CasesOfKind, CASES, ago(1), ago(2), ago(7), now.micros())
}

/// Unknown attempts, by currency.
pub async fn unknown(mut tx: impl Connected) -> Result<Vec<Unknown>, StorageError> {
    all!(tx, Unknown, UNKNOWN)
}

/// Unknown attempts, by provider account.
pub async fn unknown_by_account(mut tx: impl Connected) -> Result<Vec<(i64, i64)>, StorageError> {
    all!(tx, (i64, i64), UNKNOWN_BY_ACCOUNT)
}

/// Files of an account that span a day between two, newest first, at most 500.
pub async fn files_of_days(
    mut tx: impl Connected,
    account: i64,
    from: i64,
    to: i64,
) -> Result<Vec<FileOfDays>, StorageError> {
    all!(tx, FileOfDays, FILES_OF_DAYS, account, from, to)
}

/// When the newest file of an account came.
pub async fn newest_file(
    mut tx: impl Connected,
    account: i64,
) -> Result<Option<Instant>, StorageError> {
    Ok(scalar_opt!(tx, i64, NEWEST_FILE, account)?.map(Instant::from_micros))
}

/// Held files, by provider account.
pub async fn held_by_account(mut tx: impl Connected) -> Result<Vec<(i64, i64)>, StorageError> {
    all!(tx, (i64, i64), HELD_BY_ACCOUNT)
}

/// Lines of an account that are neither matched nor accounted for.
pub async fn open_lines(mut tx: impl Connected, account: i64) -> Result<i64, StorageError> {
    scalar!(tx, i64, OPEN_LINES, account)
}

/// Successful attempts since an instant without a line, out of the first attempts since then.
pub async fn in_transit(
    mut tx: impl Connected,
    account: i64,
    since: Instant,
    looked_at: i64,
) -> Result<i64, StorageError> {
    scalar!(tx, i64, IN_TRANSIT, account, since.micros(), looked_at)
}

/// Whether an account has more attempts that began in a time than are looked at.
pub async fn has_more_attempts(
    mut tx: impl Connected,
    account: i64,
    began: std::ops::Range<i64>,
    looked_at: i64,
) -> Result<bool, StorageError> {
    let beyond = scalar_opt!(
        tx,
        i64,
        ATTEMPTS_BEYOND,
        account,
        began.start,
        began.end,
        looked_at
    )?;
    Ok(beyond.is_some())
}

/// A successful attempt that no line and no case is about.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct NeverSettled {
    /// Key of its intent.
    pub intent_id: i64,
    /// When it began.
    pub started_at: i64,
    /// Its intent's currency.
    pub currency: String,
    /// Its intent's amount in minor units.
    pub amount: i64,
}

/// Successful attempts of an account that began before an instant and that no line and no open case of
/// a missing settlement is about, out of the last attempts before it.
pub async fn never_settled(
    mut tx: impl Connected,
    account: i64,
    before: Instant,
    looked_at: i64,
) -> Result<Vec<NeverSettled>, StorageError> {
    all!(
        tx,
        NeverSettled,
        NEVER_SETTLED,
        account,
        before.micros(),
        looked_at
    )
}

/// Open cases of settlements that are due and missing, by provider account.
pub async fn overdue(mut tx: impl Connected) -> Result<Vec<(i64, i64)>, StorageError> {
    all!(tx, (i64, i64), OVERDUE)
}

/// What rulings are about between two subjects, without these, at most a thousand in order.
pub async fn ruled_between(
    mut tx: impl Connected,
    after: &str,
    before: &str,
) -> Result<Vec<String>, StorageError> {
    let found = all!(tx, (String,), LINE_RULINGS, after, before)?;
    Ok(found.into_iter().map(|(subject,)| subject).collect())
}

/// How many of these lines, by file and line number, are matched by a person's ruling, by file.
pub async fn matched_by_person(
    tx: impl Connected,
    lines: impl Iterator<Item = (i64, i64)>,
) -> Result<Vec<(i64, i64)>, StorageError> {
    let mut rows = Rows::of(&MATCHED_BY_PERSON);
    for (file, line_no) in lines {
        rows.add().int(file).int(line_no);
    }
    rows.all(tx, &MATCHED_BY_PERSON).await
}

/// Decisions that this person may approve, oldest first, at most twenty.
pub async fn to_approve(tx: impl Connected, by: &Approver) -> Result<Vec<Awaiting>, StorageError> {
    by.rows(&TO_APPROVE).all(tx, &TO_APPROVE).await
}
