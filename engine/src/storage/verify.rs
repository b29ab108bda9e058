//! What verifying asks of the database: counts, keys, and sums that must agree.

use super::{
    Rows, RowsSql, StorageError,
    decisions::StandingRuling,
    files::StoredFile,
    seal::{BatchRow, LeafBatch},
    stored,
    tx::Connected,
};
use crate::{all, opt, scalar, scalar_opt, statements};
use domain::seal::RecordKind;

statements! {
    COUNTS(0) = "verify/counts.sql", may_scan "counts every history";
    KEYS(4) = "verify/keys.sql";
    BATCHES_AFTER(2) = "verify/batches_after.sql";
    UNBALANCED_ENTRY(0) = "verify/unbalanced_entry.sql", may_scan "sums every posting";
    WRONG_BALANCE(0) = "verify/wrong_balance.sql", may_scan "sums every posting";
    WRONG_TRIAL_BALANCE(0) = "verify/wrong_trial_balance.sql", may_scan "sums every balance";
    LEDGER_SUMS(0) = "verify/ledger_sums.sql", may_scan "sums every posting";
    LINE_SUMS(0) = "verify/line_sums.sql", may_scan "sums every line";
    SPLIT_LINES(2) = "verify/split_lines.sql";
    WRONG_LINE_NOW(0) = "verify/wrong_line_now.sql", may_scan "compares every line";
    WRONG_OPEN(0) = "verify/wrong_open.sql", may_scan "sums every matched line";
    WRONG_INTENT_NOW(0) = "verify/wrong_intent_now.sql", may_scan "compares every intent that changed";
    WRONG_ATTEMPT_NOW(0) = "verify/wrong_attempt_now.sql", may_scan "compares every attempt that changed";
    WRONG_ATTEMPT_ID(0) = "verify/wrong_attempt_id.sql", may_scan "compares every learned id";
    WRONG_USER(0) = "verify/wrong_user.sql", may_scan "compares every account of a person";
    WRONG_FILE_VERDICT(0) = "verify/wrong_file_verdict.sql", may_scan "counts every line";
    WRONG_BATCH(0) = "verify/wrong_batch.sql", may_scan "sums every line";
    ODD_BATCHES(0) = "verify/odd_batches.sql", may_scan "looks at every line";
    WRONG_LINE_BUCKET(0) = "verify/wrong_line_bucket.sql", may_scan "compares every waiting line";
    IDENTITIES(2) = "verify/identities.sql";
    COUNT_IDENTITIES(0) = "verify/count_identities.sql", may_scan "counts every identity";
    STRAY_IDENTITY(0) = "verify/stray_identity.sql", may_scan "compares every identity, where their number is wrong";
    ODD_LINE_KEYS(3) = "verify/odd_line_keys.sql", may_scan "compares every key";
    KEYLESS_LINES(2) = "verify/keyless_lines.sql", may_scan "compares every open line";
    ODD_INTENT_KEYS(3) = "verify/odd_intent_keys.sql", may_scan "compares every key";
    KEYLESS_ATTEMPTS(2) = "verify/keyless_attempts.sql", may_scan "compares every attempt";
    FILES(2) = "verify/files.sql", may_scan "compares every file";
    FILE_WITHOUT_STANDING(0) = "verify/file_without_standing.sql", may_scan "looks at every file";
    STORED_FILES(2) = "verify/stored_files.sql", may_scan "reads every file";
    CASES(2) = "verify/cases.sql", may_scan "compares every case";
    CASE_STEPS(2) = "verify/case_steps.sql";
    CASE_WAITS(2) = "verify/case_waits.sql";
    DECISIONS(2) = "verify/decisions.sql", may_scan "compares every decision";
    RULINGS(2) = "verify/rulings.sql", may_scan "compares every ruling";
    RULING_OF(1) = "verify/ruling_of.sql";
    POLICIES(0) = "verify/policies.sql", may_scan "reads every policy";
    ADJUSTED_BATCHES(0) = "verify/adjusted_batches.sql", may_scan "looks at every batch";
    UNPOSTED_LINE(0) = "verify/unposted_line.sql", may_scan "compares every verdict";
    MISCOUNTED_ENTRY(0) = "verify/miscounted_entry.sql", may_scan "counts every verdict";
    LEAF_COUNTS(0) = "verify/leaf_counts.sql", may_scan "looks at every batch of leaves";
    SHARED_LINES(2) = "verify/shared_lines.sql";
    ADRIFT(0) = "verify/adrift.sql", may_scan "looks at every batch of leaves";
    ORPHAN(0) = "verify/orphan.sql", may_scan "compares every reference of bulk tables";
    STRAY_SHARE(0) = "verify/stray_share.sql", may_scan "compares every share";
    @rows
    SHARES_OF_LINES(id: Int) = "verify/shares_of_lines.sql";
    KEYS_OF_LINES(line_id: Int) = "verify/keys_of_lines.sql";
    KEYS_OF_INTENTS(intent_id: Int) = "verify/keys_of_intents.sql";
    IDEMPOTENCY_KEYS(intent_id: Int) = "verify/idempotency_keys.sql";
    STEPS_OF_FILES(id: Int) = "verify/steps_of_files.sql";
    LINES_BY_NAME(file_id: Int, line_no: Int) = "verify/lines_by_name.sql";
}

/// Keys that are read at once.
pub const KEYS_AT_ONCE: i64 = 10_000;
/// Files that are read at once, with their reports.
const FILES_AT_ONCE: i64 = 200;
/// Cases that are read at once, with their histories.
const CASES_AT_ONCE: i64 = 500;
/// Batches of leaves that are read at once.
const BATCHES_AT_ONCE: i64 = 20;

/// A day's sums of an account as they stand and as its postings give them.
#[derive(Debug, sqlx::FromRow)]
pub struct WrongBalance {
    /// The provider account.
    pub provider: String,
    /// The ledger account.
    pub ledger_account: String,
    /// The currency.
    pub currency: String,
    /// Days since 1970.
    pub accounting_day: i64,
    /// As it stands.
    pub debit_now: i64,
    /// As it stands.
    pub credit_now: i64,
    /// By the postings.
    pub debit: i64,
    /// By the postings.
    pub credit: i64,
}

/// Sums of the postings of an account.
#[derive(Debug, sqlx::FromRow)]
pub struct LedgerSum {
    /// The provider account's key.
    pub account_id: i64,
    /// The ledger account.
    pub ledger_account: String,
    /// The currency.
    pub currency: String,
    /// Of entries that lines caused.
    pub from_lines: i64,
    /// Of all entries.
    pub balance: i64,
}

/// Sums of the posted lines that agree in everything else.
#[derive(Debug, sqlx::FromRow)]
pub struct LineSum {
    /// The provider account's key.
    pub account_id: i64,
    /// Row kind.
    pub kind: String,
    /// Currency of gross, fee and net.
    pub currency: String,
    /// Currency that the payer saw.
    pub presented_currency: String,
    /// Where their contra side stands.
    pub contra: String,
    /// Its currency.
    pub contra_currency: String,
    /// Sum of gross.
    pub gross: i64,
    /// Sum of fees.
    pub fee: i64,
    /// Sum of net.
    pub net: i64,
    /// Sum of what payers saw.
    pub presented_amount: i64,
    /// Sum of the contra side.
    pub contra_amount: i64,
}

/// A line whose current row and history differ.
#[derive(Debug, sqlx::FromRow)]
pub struct WrongLineNow {
    /// SHA-256 of its file.
    pub file: Vec<u8>,
    /// The line.
    pub line_no: i64,
    /// The verdict that stands, empty for none.
    pub verdict_now: String,
    /// The last verdict of its history, empty for none.
    pub verdict: String,
}

/// A batch whose sums differ from its lines.
#[derive(Debug, sqlx::FromRow)]
pub struct WrongBatch {
    /// The provider account.
    pub provider: String,
    /// The provider's batch id.
    pub batch: String,
    /// The currency.
    pub currency: String,
    /// Net as it stands.
    pub net_now: i64,
    /// Net of its lines.
    pub net: i64,
}

/// How many rows each history has.
pub async fn counts(mut tx: impl Connected) -> Result<Vec<(RecordKind, i64)>, StorageError> {
    counted(all!(&mut tx, (String, i64), COUNTS)?)
}

/// Keys of a history after a key, in order.
pub async fn keys_after(
    mut tx: impl Connected,
    kind: RecordKind,
    after: (i64, i64),
) -> Result<Vec<(i64, i64)>, StorageError> {
    all!(
        &mut tx,
        (i64, i64),
        KEYS,
        kind.code(),
        after.0,
        after.1,
        KEYS_AT_ONCE
    )
}

/// Batches of leaves after a number, in order.
pub async fn batches_after(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<LeafBatch>, StorageError> {
    all!(&mut tx, BatchRow, BATCHES_AFTER, after, BATCHES_AT_ONCE)?
        .into_iter()
        .map(BatchRow::read)
        .collect()
}

/// The first entry whose postings do not sum to zero: its number, currency and residual.
pub async fn unbalanced_entry(
    mut tx: impl Connected,
) -> Result<Option<(i64, String, i64)>, StorageError> {
    opt!(&mut tx, (i64, String, i64), UNBALANCED_ENTRY)
}

/// The first balance that is not what its postings give.
pub async fn wrong_balance(mut tx: impl Connected) -> Result<Option<WrongBalance>, StorageError> {
    opt!(&mut tx, WrongBalance, WRONG_BALANCE)
}

/// The first provider account and currency whose accounts do not sum to zero, with the residual.
pub async fn wrong_trial_balance(
    mut tx: impl Connected,
) -> Result<Option<(String, String, i64)>, StorageError> {
    opt!(&mut tx, (String, String, i64), WRONG_TRIAL_BALANCE)
}

/// Sums of all postings by account.
pub async fn ledger_sums(mut tx: impl Connected) -> Result<Vec<LedgerSum>, StorageError> {
    all!(&mut tx, LedgerSum, LEDGER_SUMS)
}

/// Sums of all posted lines.
pub async fn line_sums(mut tx: impl Connected) -> Result<Vec<LineSum>, StorageError> {
    all!(&mut tx, LineSum, LINE_SUMS)
}

/// Posted lines whose contra side has several parts, after a line: key, provider account and the
/// verdict's detail.
pub async fn split_lines(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<(i64, i64, String)>, StorageError> {
    all!(
        &mut tx,
        (i64, i64, String),
        SPLIT_LINES,
        after,
        KEYS_AT_ONCE
    )
}

/// The first line whose current row is not its last verdict.
pub async fn wrong_line_now(mut tx: impl Connected) -> Result<Option<WrongLineNow>, StorageError> {
    opt!(&mut tx, WrongLineNow, WRONG_LINE_NOW)
}

/// How much of an intent's movement is matched, as it stands and by its lines.
#[derive(Debug, sqlx::FromRow)]
pub struct WrongOpen {
    /// The intent's id.
    pub intent: String,
    /// capture, refund or chargeback.
    pub kind: String,
    /// Its currency.
    pub currency: String,
    /// Its amount.
    pub amount: i64,
    /// What may be matched, as it stands; nothing where no sum is kept.
    pub allowed: Option<i64>,
    /// As it stands.
    pub matched_now: i64,
    /// By its lines.
    pub matched: i64,
}

/// A matched line whose last verdict says more than its columns.
#[derive(Debug, sqlx::FromRow)]
pub struct SharedLine {
    /// Its key.
    pub line_id: i64,
    /// SHA-256 of its file.
    pub file: Vec<u8>,
    /// The line.
    pub line_no: i64,
    /// The verdict's detail.
    pub detail: String,
}

/// Matched lines whose last verdict says more than its columns, after a line.
pub async fn shared_lines(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<SharedLine>, StorageError> {
    all!(&mut tx, SharedLine, SHARED_LINES, after, KEYS_AT_ONCE)
}

/// Shares of lines as they stand: line, the attempt's public id, minor units.
pub async fn shares_of_lines(
    tx: impl Connected,
    lines: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String, i64)>, StorageError> {
    let mut rows = Rows::of(&SHARES_OF_LINES);
    for line in lines {
        rows.add().int(line);
    }
    rows.all(tx, &SHARES_OF_LINES).await
}

/// The first share that no verdict of a match can have given: file and line.
pub async fn stray_share(mut tx: impl Connected) -> Result<Option<(Vec<u8>, i64)>, StorageError> {
    opt!(&mut tx, (Vec<u8>, i64), STRAY_SHARE)
}

/// The first intent whose matched money is not the sum of its lines, or is kept against another
/// amount than its own.
pub async fn wrong_open(mut tx: impl Connected) -> Result<Option<WrongOpen>, StorageError> {
    opt!(&mut tx, WrongOpen, WRONG_OPEN)
}

/// Something whose current state is not the last of its history.
#[derive(Debug, sqlx::FromRow)]
pub struct WrongStanding {
    /// intent, attempt, case, settlement file.
    pub what: String,
    /// Its public id.
    pub name: String,
    /// As it stands, empty for nothing.
    pub stands: String,
    /// By its history, empty for nothing.
    pub history: String,
}

/// The first intent whose current state is not the last of its history.
pub async fn wrong_intent_now(
    mut tx: impl Connected,
) -> Result<Option<WrongStanding>, StorageError> {
    opt!(&mut tx, WrongStanding, WRONG_INTENT_NOW)
}

/// The first attempt whose current row is not what its history gives.
pub async fn wrong_attempt_now(
    mut tx: impl Connected,
) -> Result<Option<WrongStanding>, StorageError> {
    opt!(&mut tx, WrongStanding, WRONG_ATTEMPT_NOW)
}

/// The first provider id of an attempt that nobody taught, or that was taught and is not there.
pub async fn wrong_attempt_id(
    mut tx: impl Connected,
) -> Result<Option<WrongStanding>, StorageError> {
    opt!(&mut tx, WrongStanding, WRONG_ATTEMPT_ID)
}

/// The first account of a person that is not what its history gives.
pub async fn wrong_user(mut tx: impl Connected) -> Result<Option<WrongStanding>, StorageError> {
    opt!(&mut tx, WrongStanding, WRONG_USER)
}

/// The first file and verdict whose number of lines is not that of its lines: public id, verdict,
/// the number as it stands and by the lines.
pub async fn wrong_file_verdict(
    mut tx: impl Connected,
) -> Result<Option<(String, String, i64, i64)>, StorageError> {
    opt!(&mut tx, (String, String, i64, i64), WRONG_FILE_VERDICT)
}

/// The first line that waits in a bucket that is not its own, or in none: file, line, and 1 where
/// it waits.
pub async fn wrong_line_bucket(
    mut tx: impl Connected,
) -> Result<Option<(Vec<u8>, i64, i64)>, StorageError> {
    opt!(&mut tx, (Vec<u8>, i64, i64), WRONG_LINE_BUCKET)
}

/// Lines that count, of a range: key; 0 where their identity leads nowhere, 1 where it leads to
/// them, 2 to another line; what the row said when its identity was noted.
pub async fn identities(
    mut tx: impl Connected,
    first: i64,
    last: i64,
) -> Result<Vec<(i64, i64, Option<Vec<u8>>)>, StorageError> {
    all!(
        &mut tx,
        (i64, i64, Option<Vec<u8>>),
        IDENTITIES,
        first,
        last
    )
}

/// How many identities are noted.
pub async fn count_identities(mut tx: impl Connected) -> Result<i64, StorageError> {
    scalar!(&mut tx, i64, COUNT_IDENTITIES)
}

/// The first identity that is not that of a line that counts: provider account and line key.
pub async fn stray_identity(mut tx: impl Connected) -> Result<Option<(String, i64)>, StorageError> {
    opt!(&mut tx, (String, i64), STRAY_IDENTITY)
}

/// A key of a line that its texts do not give as they stand.
#[derive(Debug, sqlx::FromRow)]
pub struct OddLineKey {
    /// The line's key in storage.
    pub line_id: i64,
    /// The text by which it is found.
    pub key: String,
    /// SHA-256 of its file.
    pub file: Vec<u8>,
    /// The line.
    pub line_no: i64,
    /// Its reference, empty where the key is of another account.
    pub reference: String,
}

/// Keys of lines that their texts do not give as they stand, after a key.
pub async fn odd_line_keys(
    mut tx: impl Connected,
    after: (i64, &str),
) -> Result<Vec<OddLineKey>, StorageError> {
    all!(
        &mut tx,
        OddLineKey,
        ODD_LINE_KEYS,
        after.0,
        after.1,
        KEYS_AT_ONCE
    )
}

/// An open line that lacks a key that is one of its texts as it stands.
#[derive(Debug, sqlx::FromRow)]
pub struct KeylessLine {
    /// The line's key in storage.
    pub line_id: i64,
    /// SHA-256 of its file.
    pub file: Vec<u8>,
    /// The line.
    pub line_no: i64,
    /// Its reference.
    pub reference: String,
    /// 1 where what it lacks is the key of a provider id.
    pub lacks_id: i64,
}

/// Open lines that lack a key, after a line.
pub async fn keyless_lines(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<KeylessLine>, StorageError> {
    all!(&mut tx, KeylessLine, KEYLESS_LINES, after, KEYS_AT_ONCE)
}

/// The keys of lines: line and key.
pub async fn keys_of_lines(
    tx: impl Connected,
    lines: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String)>, StorageError> {
    let mut rows = Rows::of(&KEYS_OF_LINES);
    for line in lines {
        rows.add().int(line);
    }
    rows.all(tx, &KEYS_OF_LINES).await
}

/// A key of an intent that is no idempotency key of its attempts as it stands.
#[derive(Debug, sqlx::FromRow)]
pub struct OddIntentKey {
    /// The intent's key in storage.
    pub intent_id: i64,
    /// The text by which it is found.
    pub key: String,
    /// Its public id.
    pub intent: String,
    /// Its reference.
    pub reference: String,
}

/// Keys of intents that no attempt gives as they stand, after a key.
pub async fn odd_intent_keys(
    mut tx: impl Connected,
    after: (i64, &str),
) -> Result<Vec<OddIntentKey>, StorageError> {
    all!(
        &mut tx,
        OddIntentKey,
        ODD_INTENT_KEYS,
        after.0,
        after.1,
        KEYS_AT_ONCE
    )
}

/// An attempt whose idempotency key as it stands does not lead to its intent.
#[derive(Debug, sqlx::FromRow)]
pub struct KeylessAttempt {
    /// The attempt's key in storage.
    pub id: i64,
    /// Its intent's.
    pub intent_id: i64,
    /// The intent's public id.
    pub intent: String,
    /// Its reference.
    pub reference: String,
    /// What the attempt was sent with.
    pub idempotency_key: String,
}

/// Attempts whose idempotency key does not lead to their intent, after an attempt.
pub async fn keyless_attempts(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<KeylessAttempt>, StorageError> {
    all!(
        &mut tx,
        KeylessAttempt,
        KEYLESS_ATTEMPTS,
        after,
        KEYS_AT_ONCE
    )
}

/// The keys of intents: intent and key.
pub async fn keys_of_intents(
    tx: impl Connected,
    intents: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String)>, StorageError> {
    of_intents(tx, &KEYS_OF_INTENTS, intents).await
}

/// The idempotency keys of intents' attempts: intent and key.
pub async fn idempotency_keys(
    tx: impl Connected,
    intents: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String)>, StorageError> {
    of_intents(tx, &IDEMPOTENCY_KEYS, intents).await
}

async fn of_intents(
    tx: impl Connected,
    statement: &RowsSql,
    intents: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String)>, StorageError> {
    let mut rows = Rows::of(statement);
    for intent in intents {
        rows.add().int(intent);
    }
    rows.all(tx, statement).await
}

/// The last step in the history of a file.
#[derive(Debug, sqlx::FromRow)]
pub struct LastStep {
    /// The file's key in storage.
    pub id: i64,
    /// The provider account of its current row.
    pub account_now: i64,
    /// The step's number.
    pub seq: i64,
    /// Where it led.
    pub state: String,
    /// What it says.
    pub detail: String,
}

/// Files as they stand, after a file.
pub async fn files_after(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<StoredFile>, StorageError> {
    all!(&mut tx, StoredFile, FILES, after, FILES_AT_ONCE)
}

/// The last steps of files.
pub async fn steps_of_files(
    tx: impl Connected,
    files: impl IntoIterator<Item = i64>,
) -> Result<Vec<LastStep>, StorageError> {
    let mut rows = Rows::of(&STEPS_OF_FILES);
    for file in files {
        rows.add().int(file);
    }
    rows.all(tx, &STEPS_OF_FILES).await
}

/// The first file that has no current row or no history: its public id.
pub async fn file_without_standing(mut tx: impl Connected) -> Result<Option<String>, StorageError> {
    scalar_opt!(&mut tx, String, FILE_WITHOUT_STANDING)
}

/// A file as received.
#[derive(Debug, sqlx::FromRow)]
pub struct ReceivedFile {
    /// Its key in storage.
    pub id: i64,
    /// Its provider account.
    pub account_id: i64,
    /// Its public id.
    pub public_id: String,
    /// Its name.
    pub name: String,
    /// SHA-256 of its bytes.
    pub sha256: Vec<u8>,
    /// How many bytes.
    pub bytes: i64,
}

/// Files as received, after a file.
pub async fn received_files(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<ReceivedFile>, StorageError> {
    all!(&mut tx, ReceivedFile, STORED_FILES, after, FILES_AT_ONCE)
}

/// A case as it opened and as it stands; nothing of the latter where its current row is gone.
#[derive(Debug, sqlx::FromRow)]
pub struct CaseRow {
    /// Key in storage.
    pub id: i64,
    /// Public id.
    pub public_id: String,
    /// As it opened.
    pub kind_then: String,
    /// As it opened.
    pub subject_then: String,
    /// As it opened.
    pub account_then: i64,
    /// As it opened.
    pub opened_then: i64,
    /// As it stands, as are all that follow.
    pub kind: Option<String>,
    pub subject: Option<String>,
    pub state: Option<String>,
    pub version: Option<i64>,
    pub evidence_version: Option<i64>,
    pub account_id: Option<i64>,
    pub currency: Option<String>,
    pub at_risk: Option<i64>,
    pub severity: Option<i64>,
    pub escalated: Option<i64>,
    pub facts: Option<String>,
    pub opened_at: Option<i64>,
    pub due_at: Option<i64>,
    pub lease_until: Option<i64>,
    pub wake_at: Option<i64>,
    pub resolution: Option<String>,
    pub resolved_at: Option<i64>,
    pub intent_id: Option<i64>,
    pub attempt_id: Option<i64>,
    pub line_id: Option<i64>,
    pub file_id: Option<i64>,
    pub batch_id: Option<i64>,
    pub owner_id: Option<i64>,
    /// Name of the provider account.
    pub provider: Option<String>,
    /// Public id of the intent that the row names.
    pub intent: Option<String>,
    /// Public id of the attempt that the row names.
    pub attempt: Option<String>,
    /// SHA-256 of the file of the line that the row names.
    pub line_file: Option<Vec<u8>>,
    /// Number of that line.
    pub line_no: Option<i64>,
    /// SHA-256 of the file that the row names.
    pub file: Option<Vec<u8>>,
    /// The provider's id of the batch that the row names.
    pub batch: Option<String>,
    /// Address of the owner that the row names.
    pub owner: Option<String>,
}

/// Cases after a case.
pub async fn cases_after(mut tx: impl Connected, after: i64) -> Result<Vec<CaseRow>, StorageError> {
    all!(&mut tx, CaseRow, CASES, after, CASES_AT_ONCE)
}

/// A step of a case.
#[derive(Debug, sqlx::FromRow)]
pub struct CaseStep {
    /// Whose.
    pub case_id: i64,
    /// The version that it made.
    pub version: i64,
    /// What happened.
    pub what: String,
    /// Where it led.
    pub state: String,
    /// How the case stood after it, as JSON.
    pub detail: String,
    /// Who did it.
    pub actor: String,
    /// When.
    pub at: i64,
}

/// The steps of cases after one, up to another.
pub async fn case_steps(
    mut tx: impl Connected,
    after: i64,
    last: i64,
) -> Result<Vec<CaseStep>, StorageError> {
    all!(&mut tx, CaseStep, CASE_STEPS, after, last)
}

/// Decisions to wait about cases after one, up to another: case, its version then, params.
pub async fn case_waits(
    mut tx: impl Connected,
    after: i64,
    last: i64,
) -> Result<Vec<(i64, i64, String)>, StorageError> {
    all!(&mut tx, (i64, i64, String), CASE_WAITS, after, last)
}

/// Lines by file and number: file, number, key.
pub async fn lines_by_name(
    tx: impl Connected,
    names: impl IntoIterator<Item = (i64, i64)>,
) -> Result<Vec<(i64, i64, i64)>, StorageError> {
    let mut rows = Rows::of(&LINES_BY_NAME);
    for (file, line_no) in names {
        rows.add().int(file).int(line_no);
    }
    rows.all(tx, &LINES_BY_NAME).await
}

/// A decision, its answer, and how it stands.
#[derive(Debug, sqlx::FromRow)]
pub struct DecisionRow {
    /// Key in storage.
    pub id: i64,
    /// Public id.
    pub public_id: String,
    /// Of which case.
    pub case_id: i64,
    /// The case's version that was decided about.
    pub case_version: i64,
    /// JSON, with the rulings that it sets.
    pub params: String,
    /// Whether a second person is needed.
    pub needs_approval: i64,
    /// Who decided.
    pub decided_by: i64,
    /// The decision that it takes back.
    pub reverses: Option<i64>,
    /// A second person's answer.
    pub approved: Option<i64>,
    /// As it stands, as are all that follow.
    pub case_now: Option<i64>,
    pub state_now: Option<String>,
    pub decided_by_now: Option<i64>,
    /// The last version in its case's history.
    pub last_version: i64,
}

/// Decisions after a decision.
pub async fn decisions_after(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<DecisionRow>, StorageError> {
    all!(&mut tx, DecisionRow, DECISIONS, after, KEYS_AT_ONCE)
}

/// Rulings as they stand, after a subject.
pub async fn rulings_after(
    mut tx: impl Connected,
    after: &str,
) -> Result<Vec<StandingRuling>, StorageError> {
    all!(&mut tx, StandingRuling, RULINGS, after, KEYS_AT_ONCE)
}

/// Whether any ruling about a subject stands.
pub async fn ruling_of(mut tx: impl Connected, subject: &str) -> Result<bool, StorageError> {
    Ok(scalar!(&mut tx, i64, RULING_OF, subject)? > 0)
}

/// Every policy that accounts ever had: account, version, fields as JSON.
pub async fn policies(mut tx: impl Connected) -> Result<Vec<(i64, i64, String)>, StorageError> {
    all!(&mut tx, (i64, i64, String), POLICIES)
}

/// Batches whose residual stands as accepted: provider account, batch, currency, minor units.
pub async fn adjusted_batches(
    mut tx: impl Connected,
) -> Result<Vec<(String, String, String, i64)>, StorageError> {
    all!(&mut tx, (String, String, String, i64), ADJUSTED_BATCHES)
}

/// The first entry of lines that is not over as many lines as it says.
pub async fn miscounted_entry(mut tx: impl Connected) -> Result<Option<i64>, StorageError> {
    scalar_opt!(&mut tx, i64, MISCOUNTED_ENTRY)
}

/// How many leaves each kind of record has.
pub async fn leaf_counts(mut tx: impl Connected) -> Result<Vec<(RecordKind, i64)>, StorageError> {
    counted(all!(&mut tx, (String, i64), LEAF_COUNTS)?)
}

fn counted(rows: Vec<(String, i64)>) -> Result<Vec<(RecordKind, i64)>, StorageError> {
    rows.into_iter()
        .map(|(record, count)| {
            Ok((
                stored::parse("leaf_batch", "record", &record, &record)?,
                count,
            ))
        })
        .collect()
}

/// The first batch of leaves that lies in no block and waits for none, and its kind of record.
pub async fn adrift(mut tx: impl Connected) -> Result<Option<(i64, String)>, StorageError> {
    opt!(&mut tx, (i64, String), ADRIFT)
}

/// The first batch whose sums are not those of its lines.
pub async fn wrong_batch(mut tx: impl Connected) -> Result<Option<WrongBatch>, StorageError> {
    opt!(&mut tx, WrongBatch, WRONG_BATCH)
}

/// Batches of which not every row whose net is off waits for a decision: key, currency, how many wait as
/// it stands, and how many lines no rule has looked at yet.
pub async fn odd_batches(
    mut tx: impl Connected,
) -> Result<Vec<(i64, String, i64, i64)>, StorageError> {
    all!(&mut tx, (i64, String, i64, i64), ODD_BATCHES)
}

/// The first verdict that names an entry which does not exist: file, line and number.
pub async fn unposted_line(
    mut tx: impl Connected,
) -> Result<Option<(Vec<u8>, i64, i64)>, StorageError> {
    opt!(&mut tx, (Vec<u8>, i64, i64), UNPOSTED_LINE)
}

/// The first row of a bulk table whose parent is not there: its table, the parent's table and key.
pub async fn orphan(mut tx: impl Connected) -> Result<Option<(String, String, i64)>, StorageError> {
    opt!(&mut tx, (String, String, i64), ORPHAN)
}
