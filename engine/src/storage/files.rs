//! Settlement files, their batches and the identities of their rows.

use super::{
    Rows, StorageError,
    statement::ColumnType::{self, Int, Text},
    tx::{Connected, Tx},
};
use crate::{all, exec, exec_one, one, opt, scalar, scalar_opt, statements};
use std::collections::{BTreeSet, HashMap};

statements! {
    KNOWN(2) = "file/known.sql";
    BY_ID(1) = "file/by_id.sql";
    ID_BY_PUBLIC_ID(1) = "file/id_by_public_id.sql";
    INSERT(8) = "file/insert.sql";
    INSERT_NOW(5) = "file/insert_now.sql";
    INSERT_EVENT(6) = "file/insert_event.sql";
    PUT_NOW(15) = "file/put_now.sql";
    PROGRESS(3) = "file/progress.sql";
    FORGIVE_FAILURES(1) = "file/forgive_failures.sql";
    UNFINISHED(0) = "file/unfinished.sql";
    BUSY(1) = "file/busy.sql";
    IS_TAKING_BACK(1) = "file/is_taking_back.sql", may_scan "one constant row, first rows only";
    UNFINISHED_OF_ACCOUNT(1) = "file/unfinished_of_account.sql";
    ROWS_OF_OTHERS(2) = "file/rows_of_others.sql";
    HELD_OF_ACCOUNT(1) = "file/held_of_account.sql";
    PENDING_LINES(3) = "file/pending_lines.sql";
    LINE_IDS(3) = "file/line_ids.sql";
    LINES_IN_BOOKS(3) = "file/lines_in_books.sql";
    FREED_REPEATS(3) = "file/freed_repeats.sql";
    ADJUSTED_BATCHES_OF(2) = "file/adjusted_batches_of.sql";
    HAS_IDENTITIES(1) = "file/has_identities.sql", may_scan "one constant row";
    NEEDS_CARE(1) = "file/needs_care.sql", may_scan "one constant row, first rows only";
    NEEDS_CARE_OF_OTHERS(1) = "file/needs_care_of_others.sql", may_scan "one constant row, first rows only";
    VERDICTS(1) = "file/verdicts.sql";
    UNPLACED(2) = "file/unplaced.sql";
    UNKNOWN_ROWS(2) = "file/unknown_rows.sql";
    BATCHES_TO_JUDGE(1) = "file/batches_to_judge.sql";
    ODD_LINES_OF_BATCH(4) = "file/odd_lines_of_batch.sql";
    ODD_LINES_OF_FILE(2) = "file/odd_lines_of_file.sql";
    ADD_ODD_ROWS(3) = "file/add_odd_rows.sql";
    RESTATED_LINES(3) = "file/restated_lines.sql";
    LINES_AT_VERDICT(3) = "file/lines_at_verdict.sql";
    REJECTED_EXAMPLES(2) = "file/rejected_examples.sql";
    REJECTED_RANGES(2) = "file/rejected_ranges.sql";
    @rows
    BATCHES_BY_NAME(account_id: Int, provider_batch_id: Text) = "file/batches_by_name.sql";
    BATCH_NAMES(batch_id: Int) = "file/batch_names.sql";
    NAMES_BY_PUBLIC_ID(public_id: Text) = "file/names_by_public_id.sql";
    BATCHES_OF_FILE(batch_id: Int) = "file/batches_of_file.sql";
    ADD_BATCH_SUMS(batch_id: Int, currency: Text, lines: Int, gross: Int, fee: Int, net: Int, payouts: Int,
        payout_net: Int, odd_rows: Int, last_day: Int, first_line: Int, last_line: Int) = "file/add_batch_sums.sql";
    ADD_VERDICTS(file_id: Int, verdict: Text, line_count: Int) = "file/add_verdicts.sql";
    IDENTITIES(account_id: Int, identity: Blob) = "file/identities.sql";
    LINES_AS_SAID(line_id: Int) = "file/lines_as_said.sql";
    DROP_IDENTITIES(line_id: Int) = "file/drop_identities.sql";
    DROP_EMPTY_BATCHES(batch_id: Int, currency: Text, odd_rows: Int) = "file/drop_empty_batches.sql",
        may_scan "the rows themselves";
    RECOUNT_BATCHES(batch_id: Int, currency: Text, odd_rows: Int) = "file/recount_batches.sql",
        may_scan "the rows themselves";
    SIMPLE_CANDIDATES(account_id: Int, key: Text) = "file/simple_candidates.sql";
    CAREFUL_CANDIDATES(account_id: Int, key: Text) = "file/careful_candidates.sql";
}

const BATCH: &[(&str, ColumnType)] = &[
    ("id", Int),
    ("account_id", Int),
    ("provider_batch_id", Text),
];

/// A file and how it stands.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct StoredFile {
    pub id: i64,
    pub public_id: String,
    pub account_id: i64,
    pub sha256: Vec<u8>,
    pub bytes: i64,
    pub name: String,
    pub received_at: i64,
    pub received_by: String,
    pub state: String,
    pub seq: i64,
    pub profile: String,
    pub encoding: String,
    pub rows_total: i64,
    pub rows_done: i64,
    pub lines_done: i64,
    pub accepted: i64,
    pub report: String,
    pub failures: i64,
    pub error: String,
    pub first_day: Option<i64>,
    pub last_day: Option<i64>,
    /// The days it covers, as JSON, where they are not all from the first to the last; else empty.
    pub covered_spans: String,
}

const CANDIDATE_COLUMNS: &str = "key, attempt_id, attempt, intent_id, intent, merchant_reference, \
    idempotency_key, amount, currency, direction, operation, outcome";

/// The one attempt that holds a provider id, where nothing else touches its intent.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow, serde::Deserialize)]
pub struct SimpleCandidate {
    pub key: String,
    pub attempt_id: i64,
    pub attempt: String,
    pub intent_id: i64,
    pub intent: String,
    pub merchant_reference: String,
    pub idempotency_key: String,
    pub amount: i64,
    pub currency: String,
    pub direction: String,
    pub operation: String,
    pub outcome: String,
}

/// Sums of a batch in one currency.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct StoredBatch {
    pub id: i64,
    pub provider_batch_id: String,
    pub currency: String,
    pub lines: i64,
    pub gross: i64,
    pub fee: i64,
    pub net: i64,
    pub payouts: i64,
    pub payout_net: i64,
    pub adjusted: Option<i64>,
    /// Rows whose net is not gross less fee and that no decision has accepted.
    pub odd_rows: i64,
    pub last_day: i64,
    pub first_line: i64,
    pub last_line: i64,
}

/// A posted line whose net is not gross less fee.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct OddLine {
    pub id: i64,
    pub sha256: Vec<u8>,
    pub line_no: i64,
    /// 0 for none.
    pub batch_id: i64,
    pub currency: String,
    /// Net and fee less gross.
    pub difference: i64,
}

/// What lines of a chunk add to a batch in one currency.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BatchSums {
    pub lines: i64,
    pub gross: i64,
    pub fee: i64,
    pub net: i64,
    pub payouts: i64,
    pub payout_net: i64,
    pub odd_rows: i64,
    pub last_day: i64,
    pub first_line: i64,
    pub last_line: i64,
}

/// Rows of one unknown kind in one currency that nothing has placed yet.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct UnknownRowsRow {
    pub source_kind: String,
    pub currency: String,
    pub line_count: i64,
    pub net: i64,
    pub first_line: i64,
}

/// A row that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct RejectedExample {
    pub line_no: i64,
    pub column_name: String,
    pub value: String,
    pub reason: String,
    pub message: String,
}

/// The file of an account with these bytes: key, public id, state.
pub async fn known(
    mut tx: impl Connected,
    account: i64,
    sha256: &[u8],
) -> Result<Option<(i64, String, String)>, StorageError> {
    opt!(&mut tx, (i64, String, String), KNOWN, account, sha256)
}

/// A file by its key.
pub async fn by_id(mut tx: impl Connected, id: i64) -> Result<StoredFile, StorageError> {
    one!(&mut tx, StoredFile, BY_ID, id)
}

/// The key of a file.
pub async fn id_by_public_id(
    mut tx: impl Connected,
    public_id: &str,
) -> Result<Option<i64>, StorageError> {
    scalar_opt!(&mut tx, i64, ID_BY_PUBLIC_ID, public_id)
}

/// Adds a file as received.
pub async fn insert(tx: &mut Tx, f: &StoredFile) -> Result<(), StorageError> {
    exec_one!(
        tx,
        INSERT,
        f.id,
        &f.public_id,
        f.account_id,
        &f.sha256,
        f.bytes,
        &f.name,
        f.received_at,
        &f.received_by
    )?;
    exec_one!(
        tx,
        INSERT_NOW,
        f.id,
        f.account_id,
        &f.state,
        f.seq,
        &f.profile
    )
}

/// Appends a step of a file.
pub async fn insert_event(
    tx: &mut Tx,
    file: i64,
    seq: i64,
    state: &str,
    detail: &str,
    actor: &str,
    at: i64,
) -> Result<(), StorageError> {
    exec_one!(tx, INSERT_EVENT, file, seq, state, detail, actor, at)
}

/// Writes how a file stands.
pub async fn put(tx: &mut Tx, f: &StoredFile) -> Result<(), StorageError> {
    exec_one!(
        tx,
        PUT_NOW,
        f.id,
        &f.state,
        f.seq,
        &f.profile,
        &f.encoding,
        f.rows_total,
        f.rows_done,
        f.lines_done,
        f.accepted,
        &f.report,
        f.failures,
        &f.error,
        f.first_day,
        f.last_day,
        &f.covered_spans
    )
}

/// Notes how far a file was read; where that is further than before, failures are forgotten.
pub async fn progress(
    tx: &mut Tx,
    file: i64,
    rows_done: i64,
    lines_done: i64,
) -> Result<(), StorageError> {
    exec_one!(tx, PROGRESS, file, rows_done, lines_done)
}

/// Lets work begin again on files that failed too often.
pub async fn forgive_failures(tx: &mut Tx, account: i64) -> Result<u64, StorageError> {
    exec!(tx, FORGIVE_FAILURES, account)
}

/// Files on which work is not done and goes on, oldest first: those that failed three times wait for
/// a person.
pub async fn unfinished(mut tx: impl Connected) -> Result<Vec<i64>, StorageError> {
    Ok(ids(all!(&mut tx, (i64,), UNFINISHED)?))
}

/// The same of one account.
pub async fn unfinished_of_account(
    mut tx: impl Connected,
    account: i64,
) -> Result<Vec<i64>, StorageError> {
    Ok(ids(all!(&mut tx, (i64,), UNFINISHED_OF_ACCOUNT, account)?))
}

/// A file of an account on which work goes on, or of which work stopped after its rows began to count:
/// name and state.
pub async fn busy(
    mut tx: impl Connected,
    account: i64,
) -> Result<Option<(String, String)>, StorageError> {
    opt!(&mut tx, (String, String), BUSY, account)
}

/// Whether a file of an account is being taken back.
pub async fn is_taking_back(mut tx: impl Connected, account: i64) -> Result<bool, StorageError> {
    Ok(scalar!(&mut tx, i64, IS_TAKING_BACK, account)? == 1)
}

/// How many rows of an account's files but this one were used so far, those of files that were taken back
/// among them. The number is the same only where none of these files came into the books or left them.
pub async fn rows_of_others(
    mut tx: impl Connected,
    account: i64,
    file: i64,
) -> Result<i64, StorageError> {
    scalar!(&mut tx, i64, ROWS_OF_OTHERS, account, file)
}

/// Lines of an account without a verdict, after one, by key.
pub async fn pending_lines(
    mut tx: impl Connected,
    account: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<i64>, StorageError> {
    Ok(ids(all!(
        &mut tx,
        (i64,),
        PENDING_LINES,
        account,
        after,
        limit
    )?))
}

/// Keys of a file's lines and the numbers of their last verdicts, by line number, within a range.
pub async fn line_ids(
    mut tx: impl Connected,
    file: i64,
    first: i64,
    last: i64,
) -> Result<HashMap<i64, (i64, i64)>, StorageError> {
    let found = all!(&mut tx, (i64, i64, i64), LINE_IDS, file, first, last)?;
    Ok(found
        .into_iter()
        .map(|(line_no, id, seq)| (line_no, (id, seq)))
        .collect())
}

/// Lines of a file that are not held, after a line number: key and line number.
pub async fn lines_in_books(
    mut tx: impl Connected,
    file: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<(i64, i64)>, StorageError> {
    all!(&mut tx, (i64, i64), LINES_IN_BOOKS, file, after, limit)
}

/// Lines of an account's used files that did not count since another row did, which no longer does;
/// after a line, by key.
pub async fn freed_repeats(
    mut tx: impl Connected,
    account: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<i64>, StorageError> {
    Ok(ids(all!(
        &mut tx,
        (i64,),
        FREED_REPEATS,
        account,
        after,
        limit
    )?))
}

/// Of lines: key, identity, and the provider's id of the batch.
pub async fn as_said(
    tx: impl Connected,
    lines: impl Iterator<Item = i64>,
) -> Result<Vec<(i64, Vec<u8>, String)>, StorageError> {
    let mut rows = Rows::of(&LINES_AS_SAID);
    for line in lines {
        rows.add().int(line);
    }
    rows.all(tx, &LINES_AS_SAID).await
}

/// Forgets that lines count: their rows may come again.
pub async fn drop_identities(
    tx: &mut Tx,
    lines: impl Iterator<Item = i64>,
) -> Result<(), StorageError> {
    let mut rows = Rows::of(&DROP_IDENTITIES);
    for line in lines {
        rows.add().int(line);
    }
    rows.exec(tx, &DROP_IDENTITIES).await.map(|_| ())
}

/// Adds up batches anew of which lines no longer count: batch, currency, and how many of these lines had
/// a net that is off. Gives those of which nothing is left.
pub async fn recount_batches(
    tx: &mut Tx,
    batches: &[(i64, String, i64)],
) -> Result<Vec<(i64, String)>, StorageError> {
    let of = |statement| {
        let mut rows = Rows::of(statement);
        for (batch, currency, odd_rows) in batches {
            rows.add().int(*batch).text(currency).int(*odd_rows);
        }
        rows
    };
    let empty = of(&DROP_EMPTY_BATCHES)
        .all(&mut *tx, &DROP_EMPTY_BATCHES)
        .await?;
    of(&RECOUNT_BATCHES).exec(tx, &RECOUNT_BATCHES).await?;
    Ok(empty)
}

/// Batches with lines of a file whose residual a decision accepted, a few: the provider's ids.
pub async fn adjusted_batches_of(
    mut tx: impl Connected,
    account: i64,
    file: i64,
) -> Result<Vec<String>, StorageError> {
    let found = all!(&mut tx, (String,), ADJUSTED_BATCHES_OF, account, file)?;
    Ok(found.into_iter().map(|(name,)| name).collect())
}

/// Whether any row of the account was ever counted.
pub async fn has_identities(mut tx: impl Connected, account: i64) -> Result<bool, StorageError> {
    Ok(scalar!(&mut tx, i64, HAS_IDENTITIES, account)? == 1)
}

/// Whether candidates must be checked against keys, rulings and evidence as well.
pub async fn needs_care(mut tx: impl Connected, account: i64) -> Result<bool, StorageError> {
    Ok(scalar!(&mut tx, i64, NEEDS_CARE, account)? == 1)
}

/// The same, but for what posting a file of the account brings itself: whether others brought any of it.
pub async fn needs_care_of_others(
    mut tx: impl Connected,
    account: i64,
) -> Result<bool, StorageError> {
    Ok(scalar!(&mut tx, i64, NEEDS_CARE_OF_OTHERS, account)? == 1)
}

/// How many lines of a file stand at each verdict.
pub async fn verdicts(
    mut tx: impl Connected,
    file: i64,
) -> Result<Vec<(String, i64)>, StorageError> {
    all!(&mut tx, (String, i64), VERDICTS, file)
}

/// Rows of unknown kind that nothing has placed.
pub async fn unknown_rows(
    mut tx: impl Connected,
    account: i64,
    file: i64,
) -> Result<Vec<UnknownRowsRow>, StorageError> {
    all!(&mut tx, UnknownRowsRow, UNKNOWN_ROWS, account, file)
}

/// Rows of unknown kind of a file that nothing has placed: hash of the file and line number.
pub async fn unplaced(
    mut tx: impl Connected,
    account: i64,
    file: i64,
) -> Result<Vec<(Vec<u8>, i64)>, StorageError> {
    all!(&mut tx, (Vec<u8>, i64), UNPLACED, account, file)
}

/// The first rows that could not be read.
pub async fn rejected_examples(
    mut tx: impl Connected,
    file: i64,
    limit: i64,
) -> Result<Vec<RejectedExample>, StorageError> {
    all!(&mut tx, RejectedExample, REJECTED_EXAMPLES, file, limit)
}

/// Where a row that could not be read stands, and why it could not.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct RejectedRange {
    /// Physical line.
    pub line_no: i64,
    /// Its first byte.
    pub byte_offset: i64,
    /// Its bytes.
    pub byte_len: i64,
    /// The column, or empty.
    pub column_name: String,
    /// What is wrong and what would do.
    pub message: String,
}

/// Rows after a line that could not be read, at most 1,000.
pub async fn rejected_ranges(
    mut tx: impl Connected,
    file: i64,
    after: i64,
) -> Result<Vec<RejectedRange>, StorageError> {
    all!(&mut tx, RejectedRange, REJECTED_RANGES, file, after)
}

/// Keys of batches by the provider's id; those that are new are added.
pub async fn batch_ids<'a>(
    tx: &mut Tx,
    account: i64,
    names: impl Iterator<Item = &'a str>,
) -> Result<HashMap<String, i64>, StorageError> {
    let mut wanted: Vec<&str> = names.filter(|n| !n.is_empty()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut rows = Rows::of(&BATCHES_BY_NAME);
    for name in &wanted {
        rows.add().int(account).text(name);
    }
    let found: Vec<(String, i64)> = rows.all(&mut *tx, &BATCHES_BY_NAME).await?;
    let mut ids: HashMap<String, i64> = found.into_iter().collect();
    wanted.retain(|name| !ids.contains_key(*name));
    let first = super::counter::allocate(&mut *tx, "settlement_batch", wanted.len() as u64).await?;
    let mut new = Rows::new("settlement_batch", BATCH);
    for (id, name) in (first..).zip(&wanted) {
        new.add().int(id).int(account).text(name);
        ids.insert((*name).to_owned(), id);
    }
    new.insert_into(tx, "settlement_batch").await?;
    Ok(ids)
}

/// Keys of an account's batches by the provider's ids; those that are unknown are left out.
pub async fn batches_named(
    tx: impl Connected,
    account: i64,
    names: &[&str],
) -> Result<Vec<i64>, StorageError> {
    let mut rows = Rows::of(&BATCHES_BY_NAME);
    for name in names {
        rows.add().int(account).text(name);
    }
    let found: Vec<(String, i64)> = rows.all(tx, &BATCHES_BY_NAME).await?;
    Ok(found.into_iter().map(|(_, id)| id).collect())
}

/// The provider's ids of batches.
pub async fn batch_names(
    tx: impl Connected,
    ids: impl Iterator<Item = i64>,
) -> Result<HashMap<i64, String>, StorageError> {
    let mut wanted: Vec<i64> = ids.filter(|id| *id != 0).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut rows = Rows::of(&BATCH_NAMES);
    for id in wanted {
        rows.add().int(id);
    }
    let found: Vec<(i64, String)> = rows.all(tx, &BATCH_NAMES).await?;
    Ok(found.into_iter().collect())
}

/// Names of files by their public ids.
pub async fn names_by_public_id<'a>(
    tx: impl Connected,
    ids: impl Iterator<Item = &'a str>,
) -> Result<HashMap<String, String>, StorageError> {
    let mut rows = Rows::of(&NAMES_BY_PUBLIC_ID);
    for id in ids.collect::<BTreeSet<_>>() {
        rows.add().text(id);
    }
    let found: Vec<(String, String)> = rows.all(tx, &NAMES_BY_PUBLIC_ID).await?;
    Ok(found.into_iter().collect())
}

/// Files of an account that wait for a person.
pub async fn held_of_account(
    mut tx: impl Connected,
    account: i64,
) -> Result<Vec<i64>, StorageError> {
    Ok(ids(all!(&mut tx, (i64,), HELD_OF_ACCOUNT, account)?))
}

/// Sums of batches, one a currency.
pub async fn batches(
    tx: impl Connected,
    ids: impl Iterator<Item = i64>,
) -> Result<Vec<StoredBatch>, StorageError> {
    let mut rows = Rows::of(&BATCHES_OF_FILE);
    for id in ids {
        rows.add().int(id);
    }
    rows.all(tx, &BATCHES_OF_FILE).await
}

/// Batches of an account that do not tie, or have an open case.
pub async fn batches_to_judge(
    mut tx: impl Connected,
    account: i64,
) -> Result<Vec<StoredBatch>, StorageError> {
    all!(&mut tx, StoredBatch, BATCHES_TO_JUDGE, account)
}

/// Lines of a batch whose net is not gross less fee, from a key on, at most 10,000.
pub async fn odd_lines_of_batch(
    mut tx: impl Connected,
    batch: &StoredBatch,
    from: i64,
) -> Result<Vec<OddLine>, StorageError> {
    all!(
        &mut tx,
        OddLine,
        ODD_LINES_OF_BATCH,
        from,
        batch.last_line,
        batch.id,
        &batch.currency
    )
}

/// Lines of a file that belong to no batch and whose net is not gross less fee, after a line number, at
/// most 10,000.
pub async fn odd_lines_of_file(
    mut tx: impl Connected,
    file: i64,
    after: i64,
) -> Result<Vec<OddLine>, StorageError> {
    all!(&mut tx, OddLine, ODD_LINES_OF_FILE, file, after)
}

/// Adds to the number of a batch's rows whose net is off and that no decision has accepted; taking away
/// is adding below zero.
pub async fn add_odd_rows(
    tx: &mut Tx,
    batch: i64,
    currency: &str,
    rows: i64,
) -> Result<(), StorageError> {
    exec_one!(tx, ADD_ODD_ROWS, batch, currency, rows)
}

/// Rows of a file that was held which say something else than the rows of other files that are counted
/// under their ids: their line numbers, a few.
pub async fn restated_lines(
    mut tx: impl Connected,
    account: i64,
    file: i64,
    limit: i64,
) -> Result<Vec<i64>, StorageError> {
    let found = all!(&mut tx, (i64,), RESTATED_LINES, account, file, limit)?;
    Ok(ids(found))
}

/// Lines of a file that stand at a verdict: their line numbers, the first of them.
pub async fn lines_at_verdict(
    mut tx: impl Connected,
    file: i64,
    verdict: &str,
    limit: i64,
) -> Result<Vec<i64>, StorageError> {
    let found = all!(&mut tx, (i64,), LINES_AT_VERDICT, file, verdict, limit)?;
    Ok(ids(found))
}

/// Adds lines to the sums of batches.
pub async fn add_batch_sums<'a>(
    tx: &mut Tx,
    sums: impl Iterator<Item = (i64, &'a str, BatchSums)>,
) -> Result<(), StorageError> {
    let mut rows = Rows::of(&ADD_BATCH_SUMS);
    for (batch, currency, s) in sums {
        rows.add()
            .int(batch)
            .text(currency)
            .int(s.lines)
            .int(s.gross)
            .int(s.fee)
            .int(s.net)
            .int(s.payouts)
            .int(s.payout_net)
            .int(s.odd_rows)
            .int(s.last_day)
            .int(s.first_line)
            .int(s.last_line);
    }
    rows.exec_each(tx, &ADD_BATCH_SUMS).await
}

/// Adds to the counts of lines by verdict; taking away is adding below zero.
pub async fn add_verdicts<'a>(
    tx: &mut Tx,
    counts: impl Iterator<Item = (i64, &'a str, i64)>,
) -> Result<(), StorageError> {
    let mut rows = Rows::of(&ADD_VERDICTS);
    for (file, verdict, count) in counts.filter(|(_, _, count)| *count != 0) {
        rows.add().int(file).text(verdict).int(count);
    }
    rows.exec_each(tx, &ADD_VERDICTS).await
}

/// Which identities are counted already: identity, line, content.
pub async fn identities<'a>(
    tx: impl Connected,
    account: i64,
    identities: impl Iterator<Item = &'a [u8]>,
) -> Result<Vec<(Vec<u8>, i64, Vec<u8>)>, StorageError> {
    let mut rows = Rows::of(&IDENTITIES);
    for identity in identities {
        rows.add().int(account).blob(identity);
    }
    rows.all(tx, &IDENTITIES).await
}

/// For provider ids, the one attempt of the account that holds each, where nothing else touches its
/// intent. Two answers for a key mean that several hold it.
pub async fn candidates<'a>(
    tx: impl Connected,
    account: i64,
    keys: impl Iterator<Item = &'a str>,
    careful: bool,
) -> Result<Vec<SimpleCandidate>, StorageError> {
    let statement = if careful {
        &CAREFUL_CANDIDATES
    } else {
        &SIMPLE_CANDIDATES
    };
    let mut rows = Rows::of(statement);
    for key in keys {
        rows.add().int(account).text(key);
    }
    rows.all_packed(tx, statement, CANDIDATE_COLUMNS).await
}

fn ids(found: Vec<(i64,)>) -> Vec<i64> {
    found.into_iter().map(|(id,)| id).collect()
}
