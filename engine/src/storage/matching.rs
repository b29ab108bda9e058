//! What judging reads and writes: lines, the keys by which they meet intents, and how they stand.

use super::{
    Rows, RowsSql, StorageError,
    payments::{StoredAttempt, StoredIntent},
    statement::ColumnType::{self, Int, Text},
    tx::{Connected, Tx},
};
use crate::{all, scalar, statements};

statements! {
    ACCOUNT_HAS_LINES(1) = "matching/account_has_lines.sql", may_scan "one constant row";
    TOUCHED_INTENTS(3) = "matching/touched_intents.sql";
    REPEATED_INTENTS(3) = "matching/repeated_intents.sql";
    NAMED_INTENTS(3) = "matching/named_intents.sql";
    BUCKETS_OF_ACCOUNT(1) = "matching/buckets_of_account.sql";
    @rows
    LINES_BY_ID(line_id: Int) = "matching/lines_by_id.sql";
    INTENTS_BY_ID(intent_id: Int) = "matching/intents_by_id.sql";
    ATTEMPTS_BY_INTENT(intent_id: Int) = "matching/attempts_by_intent.sql";
    IDS_BY_ATTEMPT(attempt_id: Int) = "matching/ids_by_attempt.sql";
    CLAIMS_BY_ATTEMPT(attempt_id: Int) = "matching/claims_by_attempt.sql";
    INTENTS_BY_PROVIDER_ID(account_id: Int, key: Text) = "matching/intents_by_provider_id.sql";
    SHARED_REFERENCES(key: Text) = "matching/shared_references.sql";
    INTENTS_BY_REFERENCE(key: Text, until: Int) = "matching/intents_by_reference.sql";
    LINES_BY_INTENT(intent_id: Int) = "matching/lines_by_intent.sql";
    LINES_BY_KEY(account_id: Int, key: Text) = "matching/lines_by_key.sql";
    LINES_BY_SHARED_KEY(account_id: Int, key: Text) = "matching/lines_by_shared_key.sql";
    MOST_SHARED_KEY(account_id: Int, key: Text) = "matching/most_shared_key.sql";
    RULINGS_BY_SUBJECT(subject: Text) = "matching/rulings_by_subject.sql";
    SHARES_BY_LINE(line_id: Int) = "matching/shares_by_line.sql";
    BUCKET_LINES(account_id: Int, currency: Text, amount: Int, direction: Text) = "matching/bucket_lines.sql";
    BUCKET_INTENTS(account_id: Int, currency: Text, amount: Int, direction: Text, since: Int, until: Int)
        = "matching/bucket_intents.sql";
    BUCKETS_OF_INTENTS(intent_id: Int) = "matching/buckets_of_intents.sql";
    PUT_LINE_KEYS(account_id: Int, key: Text, line_id: Int) = "matching/put_line_keys.sql";
    PUT_LINE_BUCKETS(account_id: Int, currency: Text, amount: Int, direction: Text, line_id: Int)
        = "matching/put_line_buckets.sql";
    DROP_LINE_KEYS(line_id: Int) = "matching/drop_line_keys.sql", may_scan "the rows themselves";
    DROP_LINE_BUCKETS(line_id: Int) = "matching/drop_line_buckets.sql", may_scan "the rows themselves";
    PUT_LINE_NOW(line_id: Int, account_id: Int, seq: Int, verdict: Text, rule: Text, intent_id: Int,
        attempt_id: Int, contra: Text, contra_amount: Int, contra_currency: Text) = "matching/put_line_now.sql";
    DROP_SHARES(line_id: Int) = "matching/drop_shares.sql", may_scan "the rows themselves";
    OPEN_FIGURES(intent_id: Int) = "matching/open_figures.sql";
    PUT_INTENT_OPEN(intent_id: Int, kind: Text, allowed: Int, matched: Int) = "matching/put_intent_open.sql";
    DROP_LEARNED_IDS(attempt_id: Int) = "matching/drop_learned_ids.sql", may_scan "the rows themselves";
}

/// Columns of `line`.
pub const LINE: &[(&str, ColumnType)] = &[
    ("id", Int),
    ("file_id", Int),
    ("line_no", Int),
    ("byte_offset", Int),
    ("byte_len", Int),
    ("row_id", Text),
    ("identity", ColumnType::Blob),
    ("kind", Text),
    ("source_kind", Text),
    ("provider_payment_id", Text),
    ("modification_id", Text),
    ("merchant_reference", Text),
    ("gross", Int),
    ("fee", Int),
    ("net", Int),
    ("currency", Text),
    ("presented_amount", Int),
    ("presented_currency", Text),
    ("occurred_at", Int),
    ("settled_at", Int),
    ("accounting_day", Int),
    ("batch_id", Int),
    ("counterparty", Text),
    ("description", Text),
    ("lossy_text", Int),
];

/// Columns of `verdict`.
pub const VERDICT: &[(&str, ColumnType)] = &[
    ("line_id", Int),
    ("seq", Int),
    ("verdict", Text),
    ("rule", Text),
    ("policy_version", Int),
    ("intent_id", Int),
    ("attempt_id", Int),
    ("contra", Text),
    ("contra_amount", Int),
    ("contra_currency", Text),
    ("entry_id", Int),
    ("detail", Text),
    ("cause_kind", Text),
    ("cause", Text),
    ("at", Int),
];

/// Columns of `line_now`.
pub const LINE_NOW: &[(&str, ColumnType)] = &[
    ("line_id", Int),
    ("account_id", Int),
    ("seq", Int),
    ("verdict", Text),
    ("rule", Text),
    ("intent_id", Int),
    ("attempt_id", Int),
    ("contra", Text),
    ("contra_amount", Int),
    ("contra_currency", Text),
];

const SHARE: &[(&str, ColumnType)] = &[
    ("line_id", Int),
    ("attempt_id", Int),
    ("intent_id", Int),
    ("amount", Int),
];

/// A line and how it stands.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct StoredLine {
    pub id: i64,
    pub account_id: i64,
    pub file_id: i64,
    pub sha256: Vec<u8>,
    pub line_no: i64,
    pub kind: String,
    pub provider_payment_id: String,
    pub modification_id: String,
    pub merchant_reference: String,
    pub gross: i64,
    pub fee: i64,
    pub net: i64,
    pub currency: String,
    pub presented_amount: i64,
    pub presented_currency: String,
    pub occurred_at: Option<i64>,
    pub settled_at: Option<i64>,
    pub accounting_day: i64,
    pub batch_id: i64,
    pub counterparty: String,
    pub seq: i64,
    pub verdict: String,
    pub rule: String,
    pub intent_id: Option<i64>,
    pub attempt_id: Option<i64>,
    pub contra: String,
    pub contra_amount: i64,
    pub contra_currency: String,
    pub detail: String,
}

/// A provider id that an attempt was not registered with.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct LearnedIdRow {
    pub attempt_id: i64,
    pub account_id: i64,
    pub provider_payment_id: String,
    pub learned_from: String,
    pub line_id: Option<i64>,
}

/// A part of a line that belongs to an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct ShareRow {
    pub line_id: i64,
    pub attempt_id: i64,
    pub intent_id: i64,
    pub amount: i64,
}

/// What an open attempt would have to be like to explain a line that names nobody.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, sqlx::FromRow)]
pub struct Bucket {
    pub account_id: i64,
    pub currency: String,
    /// Presented minor units without sign.
    pub amount: i64,
    pub direction: String,
}

/// Lines by key in storage.
pub async fn lines(
    tx: impl Connected,
    ids: impl Iterator<Item = i64>,
) -> Result<Vec<StoredLine>, StorageError> {
    by_int(&LINES_BY_ID, ids).all(tx, &LINES_BY_ID).await
}

/// Intents by key in storage.
pub async fn intents(
    tx: impl Connected,
    ids: impl Iterator<Item = i64>,
) -> Result<Vec<StoredIntent>, StorageError> {
    by_int(&INTENTS_BY_ID, ids).all(tx, &INTENTS_BY_ID).await
}

/// All attempts of intents.
pub async fn attempts(
    tx: impl Connected,
    intents: impl Iterator<Item = i64>,
) -> Result<Vec<StoredAttempt>, StorageError> {
    by_int(&ATTEMPTS_BY_INTENT, intents)
        .all(tx, &ATTEMPTS_BY_INTENT)
        .await
}

/// Provider ids that attempts were not registered with.
pub async fn learned_ids(
    tx: impl Connected,
    attempts: impl Iterator<Item = i64>,
) -> Result<Vec<LearnedIdRow>, StorageError> {
    by_int(&IDS_BY_ATTEMPT, attempts)
        .all(tx, &IDS_BY_ATTEMPT)
        .await
}

/// What evidence besides lines claims of attempts: attempt, kind of evidence, claim as JSON.
pub async fn claims(
    tx: impl Connected,
    attempts: impl Iterator<Item = i64>,
) -> Result<Vec<(i64, String, String)>, StorageError> {
    by_int(&CLAIMS_BY_ATTEMPT, attempts)
        .all(tx, &CLAIMS_BY_ATTEMPT)
        .await
}

/// Intents of which an attempt holds one of these provider ids in its account.
pub async fn intents_by_provider_id<'a>(
    tx: impl Connected,
    keys: impl Iterator<Item = (i64, &'a str)>,
) -> Result<Vec<i64>, StorageError> {
    Ok(ids(by_account_key(&INTENTS_BY_PROVIDER_ID, keys)
        .all(tx, &INTENTS_BY_PROVIDER_ID)
        .await?))
}

/// For each of these references, in normal form, when the first intent was created beyond those of which
/// it may name one, in microseconds; none where it has no more.
pub async fn shared_references<'a>(
    tx: impl Connected,
    keys: impl Iterator<Item = &'a str>,
) -> Result<Vec<(String, Option<i64>)>, StorageError> {
    let mut rows = Rows::of(&SHARED_REFERENCES);
    for key in keys {
        rows.add().text(key);
    }
    rows.all(tx, &SHARED_REFERENCES).await
}

/// Intents that carry one of these references, in normal form, as their own id or key, or as their
/// reference where they were created before an instant.
pub async fn intents_by_reference<'a>(
    tx: impl Connected,
    keys: impl Iterator<Item = (&'a str, i64)>,
) -> Result<Vec<i64>, StorageError> {
    let mut rows = Rows::of(&INTENTS_BY_REFERENCE);
    for (key, until) in keys {
        rows.add().text(key).int(until);
    }
    Ok(ids(rows.all(tx, &INTENTS_BY_REFERENCE).await?))
}

/// Lines that stand tied to intents.
pub async fn lines_of_intents(
    tx: impl Connected,
    intents: impl Iterator<Item = i64>,
) -> Result<Vec<i64>, StorageError> {
    Ok(ids(by_int(&LINES_BY_INTENT, intents)
        .all(tx, &LINES_BY_INTENT)
        .await?))
}

/// Lines that carry one of these keys in its account.
pub async fn lines_by_key<'a>(
    tx: impl Connected,
    keys: impl Iterator<Item = (i64, &'a str)>,
) -> Result<Vec<i64>, StorageError> {
    Ok(ids(by_account_key(&LINES_BY_KEY, keys)
        .all(tx, &LINES_BY_KEY)
        .await?))
}

/// Lines that carry one of these keys in its account and that no provider id matched.
pub async fn lines_by_shared_key<'a>(
    tx: impl Connected,
    keys: impl Iterator<Item = (i64, &'a str)>,
) -> Result<Vec<i64>, StorageError> {
    Ok(ids(by_account_key(&LINES_BY_SHARED_KEY, keys)
        .all(tx, &LINES_BY_SHARED_KEY)
        .await?))
}

/// Of these keys the one that most lines carry, and how many do.
pub async fn most_shared_key<'a>(
    tx: impl Connected,
    keys: impl Iterator<Item = (i64, &'a str)>,
) -> Result<Option<(String, i64)>, StorageError> {
    let found: Vec<(String, i64)> = by_account_key(&MOST_SHARED_KEY, keys)
        .all(tx, &MOST_SHARED_KEY)
        .await?;
    Ok(found.into_iter().next())
}

/// Rulings in force: subject and ruling as JSON.
pub async fn rulings<'a>(
    tx: impl Connected,
    subjects: impl Iterator<Item = &'a str>,
) -> Result<Vec<(String, String)>, StorageError> {
    let mut rows = Rows::of(&RULINGS_BY_SUBJECT);
    for subject in subjects {
        rows.add().text(subject);
    }
    rows.all(tx, &RULINGS_BY_SUBJECT).await
}

/// Shares of lines.
pub async fn shares(
    tx: impl Connected,
    lines: impl Iterator<Item = i64>,
) -> Result<Vec<ShareRow>, StorageError> {
    by_int(&SHARES_BY_LINE, lines)
        .all(tx, &SHARES_BY_LINE)
        .await
}

/// Whether an account ever received a file.
pub async fn account_has_lines(mut tx: impl Connected, account: i64) -> Result<bool, StorageError> {
    Ok(scalar!(&mut tx, i64, ACCOUNT_HAS_LINES, account)? == 1)
}

/// Of the intents whose attempts lie in a range, those that lines or other attempts may concern.
pub async fn touched_intents(
    mut tx: impl Connected,
    account: i64,
    first: i64,
    last: i64,
) -> Result<Vec<i64>, StorageError> {
    let found: Vec<(i64,)> = if account_has_lines(&mut tx, account).await? {
        all!(&mut tx, (i64,), TOUCHED_INTENTS, account, first, last)?
    } else {
        all!(&mut tx, (i64,), REPEATED_INTENTS, account, first, last)?
    };
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Of the intents in a range, those that lines of an account name by reference, whether or not the
/// intents were ever tried there.
pub async fn named_intents(
    mut tx: impl Connected,
    account: i64,
    first: i64,
    last: i64,
) -> Result<Vec<i64>, StorageError> {
    if !account_has_lines(&mut tx, account).await? {
        return Ok(Vec::new());
    }
    let found = all!(&mut tx, (i64,), NAMED_INTENTS, account, first, last)?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Every bucket of an account in which a line waits.
pub async fn buckets_of_account(
    mut tx: impl Connected,
    account: i64,
) -> Result<Vec<Bucket>, StorageError> {
    let found = all!(&mut tx, (String, i64, String), BUCKETS_OF_ACCOUNT, account)?;
    Ok(found
        .into_iter()
        .map(|(currency, amount, direction)| Bucket {
            account_id: account,
            currency,
            amount,
            direction,
        })
        .collect())
}

/// Buckets in which a line waits that attempts of these intents might explain.
pub async fn buckets_of_intents(
    tx: impl Connected,
    intents: impl Iterator<Item = i64>,
) -> Result<Vec<Bucket>, StorageError> {
    by_int(&BUCKETS_OF_INTENTS, intents)
        .all(tx, &BUCKETS_OF_INTENTS)
        .await
}

/// The lines that wait in buckets.
pub async fn bucket_lines<'a>(
    tx: impl Connected,
    buckets: impl Iterator<Item = &'a Bucket>,
) -> Result<Vec<i64>, StorageError> {
    let mut rows = Rows::of(&BUCKET_LINES);
    for b in buckets {
        rows.add()
            .int(b.account_id)
            .text(&b.currency)
            .int(b.amount)
            .text(&b.direction);
    }
    Ok(ids(rows.all(tx, &BUCKET_LINES).await?))
}

/// Intents with an open attempt of a bucket that began within its window, to which no line is tied.
pub async fn bucket_intents<'a>(
    tx: impl Connected,
    buckets: impl Iterator<Item = (&'a Bucket, i64, i64)>,
) -> Result<Vec<i64>, StorageError> {
    let mut rows = Rows::of(&BUCKET_INTENTS);
    for (b, since, until) in buckets {
        rows.add()
            .int(b.account_id)
            .text(&b.currency)
            .int(b.amount)
            .text(&b.direction)
            .int(since)
            .int(until);
    }
    Ok(ids(rows.all(tx, &BUCKET_INTENTS).await?))
}

/// Rows for `line_key_now`; write with [`put_line_keys`].
pub fn line_key_rows() -> Rows {
    Rows::of(&PUT_LINE_KEYS)
}

/// Adds keys; those that stand already are left.
pub async fn put_line_keys(tx: &mut Tx, rows: &Rows) -> Result<(), StorageError> {
    rows.exec(tx, &PUT_LINE_KEYS).await.map(|_| ())
}

/// Takes away all keys of lines: nothing finds them any more.
pub async fn drop_line_keys(
    tx: &mut Tx,
    lines: impl Iterator<Item = i64>,
) -> Result<(), StorageError> {
    by_int(&DROP_LINE_KEYS, lines)
        .exec(tx, &DROP_LINE_KEYS)
        .await
        .map(|_| ())
}

/// Puts lines that name nobody into their buckets.
pub async fn put_line_buckets(tx: &mut Tx, lines: &[(i64, Bucket)]) -> Result<(), StorageError> {
    let mut rows = Rows::of(&PUT_LINE_BUCKETS);
    for (line, b) in lines {
        rows.add()
            .int(b.account_id)
            .text(&b.currency)
            .int(b.amount)
            .text(&b.direction)
            .int(*line);
    }
    rows.exec(tx, &PUT_LINE_BUCKETS).await.map(|_| ())
}

/// Takes lines out of their buckets; returns the buckets that one left.
pub async fn drop_line_buckets(
    tx: &mut Tx,
    lines: impl Iterator<Item = i64>,
) -> Result<Vec<Bucket>, StorageError> {
    by_int(&DROP_LINE_BUCKETS, lines)
        .all(tx, &DROP_LINE_BUCKETS)
        .await
}

/// Rows for `line_now`, replacing what stands; write with [`put_line_now`].
pub fn line_now_rows() -> Rows {
    Rows::of(&PUT_LINE_NOW)
}

/// Writes rows of [`line_now_rows`].
pub async fn put_line_now(tx: &mut Tx, rows: &Rows) -> Result<(), StorageError> {
    rows.exec_each(tx, &PUT_LINE_NOW).await
}

/// Replaces the shares of lines.
pub async fn put_shares(
    tx: &mut Tx,
    lines: impl Iterator<Item = i64>,
    shares: &[ShareRow],
) -> Result<(), StorageError> {
    by_int(&DROP_SHARES, lines)
        .exec(&mut *tx, &DROP_SHARES)
        .await?;
    let mut rows = Rows::new("line_share_now", SHARE);
    for s in shares {
        rows.add()
            .int(s.line_id)
            .int(s.attempt_id)
            .int(s.intent_id)
            .int(s.amount);
    }
    rows.insert_into(tx, "line_share_now").await
}

/// Replaces matched figures: intent, movement, allowed, matched.
pub async fn put_intent_open(
    tx: &mut Tx,
    figures: &[(i64, &'static str, i64, i64)],
) -> Result<(), StorageError> {
    let mut rows = Rows::of(&PUT_INTENT_OPEN);
    for (intent, movement, allowed, matched) in figures {
        rows.add()
            .int(*intent)
            .text(movement)
            .int(*allowed)
            .int(*matched);
    }
    rows.exec_each(tx, &PUT_INTENT_OPEN).await
}

/// What is matched of intents' movements: intent, movement, minor units.
pub async fn open_figures(
    tx: impl Connected,
    intents: impl Iterator<Item = i64>,
) -> Result<Vec<(i64, String, i64)>, StorageError> {
    by_int(&OPEN_FIGURES, intents).all(tx, &OPEN_FIGURES).await
}

/// Forgets the ids that lines taught about attempts.
pub async fn drop_learned_ids(
    tx: &mut Tx,
    attempts: impl Iterator<Item = i64>,
) -> Result<(), StorageError> {
    by_int(&DROP_LEARNED_IDS, attempts)
        .exec(tx, &DROP_LEARNED_IDS)
        .await
        .map(|_| ())
}

fn ids(found: Vec<(i64,)>) -> Vec<i64> {
    found.into_iter().map(|(id,)| id).collect()
}

fn by_int(statement: &RowsSql, values: impl Iterator<Item = i64>) -> Rows {
    let mut rows = Rows::of(statement);
    for value in values {
        rows.add().int(value);
    }
    rows
}

fn by_account_key<'a>(statement: &RowsSql, keys: impl Iterator<Item = (i64, &'a str)>) -> Rows {
    let mut rows = Rows::of(statement);
    for (account, key) in keys {
        rows.add().int(account).text(key);
    }
    rows
}
