//! The ledger as pages show it: balances, open items, entries.

use super::{Rows, StorageError, tx::Connected};
use crate::{all, opt, scalar, statements};

statements! {
    BALANCES(1) = "books/balances.sql", may_scan "one row per account, currency and day that moved";
    BALANCES_OF_ACCOUNT(2) = "books/balances_of_account.sql";
    DAYS(4) = "books/days.sql";
    MOVED(5) = "books/moved.sql", may_scan "one row per account, currency and day that moved";
    ITEMS(0) = "books/items.sql", may_scan "an index of open items alone";
    SPLIT_LINES(2) = "books/split_lines.sql";
    SPLIT_ITEMS_OF_ACCOUNT(2) = "books/split_items_of_account.sql";
    ITEMS_OF_ACCOUNT(3) = "books/items_of_account.sql";
    ENTRIES(5) = "books/entries.sql", may_scan "the next ten thousand in key order";
    ENTRIES_OF_ACCOUNT(6) = "books/entries_of_account.sql", may_scan "the next ten thousand in key order";
    LAST_LOOKED_AT(1) = "books/last_looked_at.sql", may_scan "the next ten thousand in key order";
    LAST_LOOKED_AT_OF_ACCOUNT(2) = "books/last_looked_at_of_account.sql", may_scan "the next ten thousand in key order";
    ENTRY(1) = "books/entry.sql";
    ENTRIES_OF_CAUSE(2) = "books/entries_of_cause.sql";
    LAST_ENTRY(0) = "books/last_entry.sql";
    LINES_OF_ENTRY(4) = "books/lines_of_entry.sql";
    COUNT_LINES_OF_ENTRY(4) = "books/count_lines_of_entry.sql";
    LOADING_FILES(0) = "books/loading_files.sql";
    @rows
    POSTINGS(entry_id: Int) = "books/postings.sql";
    FILES_BY_HASH(account_id: Int, low: Blob, high: Blob) = "books/files_by_hash.sql";
}

/// Rows of a page; one more is read, to know whether another page follows.
pub const PAGE: usize = 50;

/// What moved on a ledger account.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Balance {
    /// Key of the provider account.
    pub account_id: i64,
    /// The ledger account.
    pub ledger_account: String,
    /// The currency.
    pub currency: String,
    /// Sum of debits.
    pub debit: i64,
    /// Sum of credits, not negative.
    pub credit: i64,
}

/// What moved on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct DayMoved {
    /// The accounting day.
    pub accounting_day: i64,
    /// Sum of debits.
    pub debit: i64,
    /// Sum of credits, not negative.
    pub credit: i64,
}

/// What moved in one currency.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Moved {
    /// The currency.
    pub currency: String,
    /// Sum of debits.
    pub debit: i64,
    /// Sum of credits, not negative.
    pub credit: i64,
}

/// Open items of a ledger account, as their lines say.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Items {
    /// Key of the provider account.
    pub account_id: i64,
    /// The ledger account.
    pub ledger_account: String,
    /// The currency.
    pub currency: String,
    /// How many.
    pub item_count: i64,
    /// Their sum, debits positive.
    pub amount: i64,
}

/// A line whose contra side has several parts.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct SplitLine {
    /// Key of the provider account.
    pub account_id: i64,
    /// Key.
    pub line_id: i64,
    /// JSON with the parts.
    pub detail: String,
}

/// One open item: a line.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Item {
    /// Key of the line.
    pub id: i64,
    /// Public id of its file.
    pub file_id: String,
    /// Name of its file.
    pub file_name: String,
    /// Physical line.
    pub line_no: i64,
    /// Row kind.
    pub kind: String,
    /// Day under which it is booked.
    pub accounting_day: i64,
    /// Minor units, debits positive.
    pub amount: i64,
}

/// A line whose contra side has several parts, as an open item.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct SplitItem {
    /// Key of the line.
    pub id: i64,
    /// Public id of its file.
    pub file_id: String,
    /// Name of its file.
    pub file_name: String,
    /// Physical line.
    pub line_no: i64,
    /// Row kind.
    pub kind: String,
    /// Day under which it is booked.
    pub accounting_day: i64,
    /// Net and fee less gross.
    pub off_by: i64,
    /// JSON with the parts.
    pub detail: String,
}

impl SplitItem {
    /// The item that a part of this amount is.
    pub fn item(self, amount: i64) -> Item {
        Item {
            id: self.id,
            file_id: self.file_id,
            file_name: self.file_name,
            line_no: self.line_no,
            kind: self.kind,
            accounting_day: self.accounting_day,
            amount,
        }
    }
}

/// A ledger entry without its postings.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Entry {
    /// Its number.
    pub id: i64,
    /// Key of the provider account.
    pub account_id: i64,
    /// Its name.
    pub provider: String,
    /// The accounting day.
    pub accounting_day: i64,
    /// When it was posted.
    pub posted_at: i64,
    /// lines, move, decision, reversal.
    pub cause_kind: String,
    /// Natural id of the cause.
    pub cause: String,
    /// JSON.
    pub detail: String,
    /// The provider's batch id, or empty.
    pub batch_id: String,
}

/// A posting of an entry.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct PostingOfEntry {
    /// The entry.
    pub entry_id: i64,
    /// The ledger account.
    pub ledger_account: String,
    /// The currency.
    pub currency: String,
    /// Minor units, debits positive.
    pub amount: i64,
}

/// A file found by the beginning of its hash.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct FileByHash {
    /// Key.
    pub id: i64,
    /// Key of the provider account.
    pub account_id: i64,
    /// Public id.
    pub public_id: String,
    /// Its name.
    pub name: String,
    /// SHA-256.
    pub sha256: Vec<u8>,
}

/// What is looked for among entries.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Key of the provider account, or 0.
    pub account: i64,
    /// Ledger account, or empty.
    pub ledger_account: &'a str,
    /// Currency, or empty.
    pub currency: &'a str,
    /// First accounting day.
    pub from: i64,
    /// Last accounting day.
    pub to: i64,
}

/// Balances up to the end of a day, of one provider account or (0) of all.
pub async fn balances(
    mut tx: impl Connected,
    account: i64,
    day: i64,
) -> Result<Vec<Balance>, StorageError> {
    match account {
        0 => all!(&mut tx, Balance, BALANCES, day),
        account => all!(&mut tx, Balance, BALANCES_OF_ACCOUNT, account, day),
    }
}

/// What moved on a ledger account day by day up to a day, newest first, at most 366 days.
pub async fn days(
    mut tx: impl Connected,
    account: i64,
    ledger_account: &str,
    currency: &str,
    day: i64,
) -> Result<Vec<DayMoved>, StorageError> {
    all!(
        &mut tx,
        DayMoved,
        DAYS,
        account,
        ledger_account,
        currency,
        day
    )
}

/// Sums over everything that is looked for, by currency.
pub async fn moved(mut tx: impl Connected, w: &Wanted<'_>) -> Result<Vec<Moved>, StorageError> {
    all!(
        &mut tx,
        Moved,
        MOVED,
        w.from,
        w.to,
        w.account,
        w.ledger_account,
        w.currency
    )
}

/// Open items of all ledger accounts that list them, split lines left out.
pub async fn items(mut tx: impl Connected) -> Result<Vec<Items>, StorageError> {
    all!(&mut tx, Items, ITEMS)
}

/// Lines of an account whose contra side has several parts, after a line; at most 10,000.
pub async fn split_lines(
    mut tx: impl Connected,
    account: i64,
    after: i64,
) -> Result<Vec<SplitLine>, StorageError> {
    all!(&mut tx, SplitLine, SPLIT_LINES, account, after)
}

/// The same with what a page shows of them; at most 1,000.
pub async fn split_items_of_account(
    mut tx: impl Connected,
    account: i64,
    after: i64,
) -> Result<Vec<SplitItem>, StorageError> {
    all!(&mut tx, SplitItem, SPLIT_ITEMS_OF_ACCOUNT, account, after)
}

/// Open items of one ledger account, oldest first, at most 100.
pub async fn items_of_account(
    mut tx: impl Connected,
    account: i64,
    ledger_account: &str,
    currency: &str,
) -> Result<Vec<Item>, StorageError> {
    all!(
        &mut tx,
        Item,
        ITEMS_OF_ACCOUNT,
        account,
        ledger_account,
        currency
    )
}

/// A page of entries before a number, newest first: at most [`PAGE`] and one more, out of the next
/// ten thousand.
pub async fn entries(
    mut tx: impl Connected,
    w: &Wanted<'_>,
    before: i64,
) -> Result<Vec<Entry>, StorageError> {
    match w.account {
        0 => all!(
            &mut tx,
            Entry,
            ENTRIES,
            before,
            w.ledger_account,
            w.currency,
            w.from,
            w.to
        ),
        account => all!(
            &mut tx,
            Entry,
            ENTRIES_OF_ACCOUNT,
            before,
            w.ledger_account,
            w.currency,
            w.from,
            w.to,
            account
        ),
    }
}

/// The last entry that [`entries`] looks at, if any.
pub async fn last_looked_at(
    mut tx: impl Connected,
    account: i64,
    before: i64,
) -> Result<Option<i64>, StorageError> {
    match account {
        0 => scalar!(&mut tx, Option<i64>, LAST_LOOKED_AT, before),
        account => scalar!(
            &mut tx,
            Option<i64>,
            LAST_LOOKED_AT_OF_ACCOUNT,
            before,
            account
        ),
    }
}

/// An entry by its number.
pub async fn entry(mut tx: impl Connected, number: i64) -> Result<Option<Entry>, StorageError> {
    opt!(&mut tx, Entry, ENTRY, number)
}

/// Numbers of the entries of an account that a decision caused and that took them back, by the cause
/// that they share.
pub async fn entries_of_cause(
    mut tx: impl Connected,
    cause: &str,
    account: i64,
) -> Result<Vec<i64>, StorageError> {
    let found = all!(&mut tx, (i64,), ENTRIES_OF_CAUSE, cause, account)?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// The number of the newest entry, 0 without one: numbers have no gaps.
pub async fn last_entry(mut tx: impl Connected) -> Result<i64, StorageError> {
    scalar!(&mut tx, i64, LAST_ENTRY)
}

/// Postings of entries, debits first within each.
pub async fn postings(
    tx: impl Connected,
    entries: impl Iterator<Item = i64>,
) -> Result<Vec<PostingOfEntry>, StorageError> {
    let mut rows = Rows::of(&POSTINGS);
    for entry in entries {
        rows.add().int(entry);
    }
    let mut found: Vec<PostingOfEntry> = rows.all(tx, &POSTINGS).await?;
    found.sort_by(|a, b| {
        (a.entry_id, a.amount < 0, &a.ledger_account, &a.currency).cmp(&(
            b.entry_id,
            b.amount < 0,
            &b.ledger_account,
            &b.currency,
        ))
    });
    Ok(found)
}

/// Files by provider account and the first eight bytes of their hash.
pub async fn files_by_hash(
    tx: impl Connected,
    wanted: impl Iterator<Item = (i64, [u8; 8])>,
) -> Result<Vec<FileByHash>, StorageError> {
    let mut rows = Rows::of(&FILES_BY_HASH);
    for (account, start) in wanted {
        let mut high = [0xff; 32];
        for (place, byte) in high.iter_mut().zip(start) {
            *place = byte;
        }
        rows.add().int(account).blob(&start).blob(&high);
    }
    rows.all(tx, &FILES_BY_HASH).await
}

/// Keys of the lines between two physical lines of a file that an entry posted, at most 100.
pub async fn lines_of_entry(
    mut tx: impl Connected,
    file: i64,
    first: i64,
    last: i64,
    entry: i64,
) -> Result<Vec<i64>, StorageError> {
    let found = all!(&mut tx, (i64,), LINES_OF_ENTRY, file, first, last, entry)?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// How many lines between two physical lines of a file an entry posted.
pub async fn count_lines_of_entry(
    mut tx: impl Connected,
    file: i64,
    first: i64,
    last: i64,
    entry: i64,
) -> Result<i64, StorageError> {
    scalar!(&mut tx, i64, COUNT_LINES_OF_ENTRY, file, first, last, entry)
}

/// Files whose posting is under way.
pub async fn loading_files(mut tx: impl Connected) -> Result<i64, StorageError> {
    scalar!(&mut tx, i64, LOADING_FILES)
}
