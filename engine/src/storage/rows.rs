//! Many rows at once: bulk insert, bulk update, lookup by many keys.
//!
//! Row-by-row calls cost ten times as much. A million settlement lines (25 columns, two indexes)
//! into SQLite, synced: 3.7 s as multi-row VALUES, 4.4 s from one JSONB parameter, 12.5 s from one
//! JSON text, since `->>` reads the text of a row again for each column. So plain inserts go as
//! VALUES into SQLite and by COPY into PostgreSQL; other statements take one JSONB parameter on
//! SQLite and one array a column on PostgreSQL.

use super::{
    StorageError,
    statement::{ColumnType, RowsSql},
    store::Backend,
    tx::{Conn, Connected, Tx},
};
use futures_util::future::join;
use serde::de::DeserializeOwned;
use sqlx::{AssertSqlSafe, FromRow, postgres::PgRow, sqlite::SqliteRow};

/// Rows per statement: larger ones gain nothing and hold more memory.
const CHUNK: usize = 5_000;

/// Values that one statement binds, about: so many stay in the processor's cache. SQLite's limit is
/// 32,766.
const SQLITE_VALUES: usize = 8_000;

/// Statements over at least so many rows are kept for the next time.
const WORTH_KEEPING: usize = 16;

type SqliteQuery<'q> = sqlx::query::Query<'q, sqlx::Sqlite, sqlx::sqlite::SqliteArguments>;

/// Rows from which on it pays to look for columns that have one value.
const WORTH_COMPARING: usize = 50;

/// Rows on their way into a statement, column by column.
#[derive(Debug)]
pub struct Rows {
    name: &'static str,
    columns: Vec<Column>,
    len: usize,
}

#[derive(Debug)]
struct Column {
    name: &'static str,
    kind: ColumnType,
    /// Values of an integer column.
    ints: Vec<i64>,
    /// Values of a text or blob column, one after another, and where each ends.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// Which values are NULL; shorter than the column where the rest are not.
    nulls: Vec<bool>,
}

/// One row being filled, value by value in the order of the columns.
#[derive(Debug)]
pub struct Row<'a> {
    rows: &'a mut Rows,
    at: usize,
}

impl Rows {
    /// No rows yet, for a statement over rows.
    pub fn of(statement: &RowsSql) -> Self {
        Self::new(statement.name, statement.columns)
    }

    /// No rows yet, for [`insert_into`](Self::insert_into) a table with these columns.
    pub fn new(name: &'static str, columns: &[(&'static str, ColumnType)]) -> Self {
        let columns = columns
            .iter()
            .map(|(name, kind)| Column {
                name,
                kind: *kind,
                ints: Vec::new(),
                bytes: Vec::new(),
                ends: Vec::new(),
                nulls: Vec::new(),
            })
            .collect();
        Self {
            name,
            columns,
            len: 0,
        }
    }

    /// How many rows.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Empties without giving memory back.
    pub fn clear(&mut self) {
        self.len = 0;
        for column in &mut self.columns {
            column.ints.clear();
            column.bytes.clear();
            column.ends.clear();
            column.nulls.clear();
        }
    }

    /// Begins the next row. Give it one value for each column, in their order.
    pub fn add(&mut self) -> Row<'_> {
        self.len += 1;
        Row { rows: self, at: 0 }
    }

    /// Appends the rows to a table, their columns being named as the table's.
    pub async fn insert_into(&self, tx: &mut Tx, table: &'static str) -> Result<(), StorageError> {
        self.check()?;
        if self.is_empty() {
            return Ok(());
        }
        let written = self.append(tx, table).await;
        if written.is_err() {
            tx.spoil();
        }
        super::run::expect_rows(table, self.len as u64, written?)
    }

    async fn append(&self, tx: &mut Tx, table: &'static str) -> Result<u64, StorageError> {
        let written = match tx.conn() {
            Conn::Sqlite(conn) => self.insert_values(conn, table).await?,
            Conn::Postgres(conn) => {
                let names: Vec<&str> = self.columns.iter().map(|c| c.name).collect();
                let names = names.join(", ");
                let sql = format!("COPY {table} ({names}) FROM STDIN (FORMAT binary)");
                let mut copy = conn.copy_in_raw(&sql).await?;
                let mut buffer = Vec::with_capacity(1 << 20);
                buffer.extend_from_slice(b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0");
                for row in 0..self.len {
                    self.copy_row(row, &mut buffer);
                    if buffer.len() > 1 << 20 {
                        copy.send(buffer.as_slice()).await?;
                        buffer.clear();
                    }
                }
                buffer.extend_from_slice(&(-1_i16).to_be_bytes());
                copy.send(buffer.as_slice()).await?;
                copy.finish().await?
            }
        };
        Ok(written)
    }

    /// Appends by multi-row VALUES. Columns whose value is the same in all rows are bound once: each
    /// value bound costs as much as storing it.
    async fn insert_values(
        &self,
        conn: &mut sqlx::SqliteConnection,
        table: &'static str,
    ) -> Result<u64, StorageError> {
        let (mut same, mut varied): (Vec<&Column>, Vec<&Column>) = self
            .columns
            .iter()
            .partition(|c| self.len >= WORTH_COMPARING && c.is_constant());
        if varied.is_empty() {
            std::mem::swap(&mut same, &mut varied);
        }
        let largest = prev_power_of_two(SQLITE_VALUES / varied.len().max(1));
        // Powers of two: every statement has one of a few lengths, and is parsed once.
        let end = |from: usize| from + prev_power_of_two(self.len - from).min(largest);
        let build = |from: usize| {
            let sql = values_text(table, &same, &varied, end(from) - from);
            let mut query =
                sqlx::query(AssertSqlSafe(sql)).persistent(end(from) - from >= WORTH_KEEPING);
            for column in &same {
                query = column.bind(from, query);
            }
            for row in from..end(from) {
                for column in &varied {
                    query = column.bind(row, query);
                }
            }
            query
        };
        let mut written = 0;
        let mut next = (self.len > 0).then(|| (build(0), end(0)));
        while let Some((query, to)) = next {
            // While SQLite's thread works on one statement, ours builds the next.
            let (done, following) = join(query.execute(&mut *conn), async {
                (to < self.len).then(|| (build(to), end(to)))
            })
            .await;
            written += done?.rows_affected();
            next = following;
        }
        Ok(written)
    }

    /// Runs a statement over the rows and returns how many rows of the database changed.
    pub async fn exec(
        &self,
        mut tx: impl Connected,
        statement: &RowsSql,
    ) -> Result<u64, StorageError> {
        self.check_for(statement)?;
        let text = statement.text(tx.backend());
        let mut changed = 0;
        for from in (0..self.len).step_by(CHUNK) {
            let to = (from + CHUNK).min(self.len);
            changed += match tx.conn() {
                Conn::Sqlite(conn) => sqlx::query(AssertSqlSafe(text.clone()))
                    .bind(self.jsonb(from, to))
                    .execute(conn)
                    .await?
                    .rows_affected(),
                Conn::Postgres(conn) => {
                    let mut arguments = sqlx::postgres::PgArguments::default();
                    self.arrays(from, to, &mut arguments)?;
                    sqlx::query_with(AssertSqlSafe(text.clone()), arguments)
                        .execute(conn)
                        .await?
                        .rows_affected()
                }
            };
        }
        Ok(changed)
    }

    /// Runs a statement that must change exactly one row of the database for each of the rows.
    pub async fn exec_each(
        &self,
        tx: impl Connected,
        statement: &RowsSql,
    ) -> Result<(), StorageError> {
        let changed = self.exec(tx, statement).await?;
        super::run::expect_rows(statement.name, self.len as u64, changed)
    }

    /// Runs a query over the rows and returns what it finds. The order is the query's within each
    /// chunk of rows only: sort afterwards where it matters.
    pub async fn all<T>(
        &self,
        mut tx: impl Connected,
        statement: &RowsSql,
    ) -> Result<Vec<T>, StorageError>
    where
        T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        self.check_for(statement)?;
        let text = statement.text(tx.backend());
        let mut found = Vec::new();
        for from in (0..self.len).step_by(CHUNK) {
            let to = (from + CHUNK).min(self.len);
            let part: Vec<T> = match tx.conn() {
                Conn::Sqlite(conn) => {
                    sqlx::query_as(AssertSqlSafe(text.clone()))
                        .bind(self.jsonb(from, to))
                        .fetch_all(conn)
                        .await?
                }
                Conn::Postgres(conn) => {
                    let mut arguments = sqlx::postgres::PgArguments::default();
                    self.arrays(from, to, &mut arguments)?;
                    sqlx::query_as_with(AssertSqlSafe(text.clone()), arguments)
                        .fetch_all(conn)
                        .await?
                }
            };
            found.extend(part);
        }
        Ok(found)
    }

    /// As [`all`](Self::all), for lookups that find many rows: SQLite gives them as one JSON array,
    /// since each row that crosses from its thread to ours costs more than finding it. `columns`
    /// names what the query selects, in the order of `T`'s fields; none may hold bytes.
    pub async fn all_packed<T>(
        &self,
        mut tx: impl Connected,
        statement: &RowsSql,
        columns: &str,
    ) -> Result<Vec<T>, StorageError>
    where
        T: DeserializeOwned + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow>,
        T: Send + Unpin,
    {
        if tx.backend() == Backend::Postgres {
            return self.all(tx, statement).await;
        }
        self.check_for(statement)?;
        let text = statement.packed_text(columns);
        let mut found = Vec::new();
        for from in (0..self.len).step_by(CHUNK) {
            let to = (from + CHUNK).min(self.len);
            if let Conn::Sqlite(conn) = tx.conn() {
                let packed: String = sqlx::query_scalar(AssertSqlSafe(text.clone()))
                    .bind(self.jsonb(from, to))
                    .fetch_one(conn)
                    .await?;
                let part: Vec<T> =
                    serde_json::from_str(&packed).map_err(|e| self.misuse(e.to_string()))?;
                found.extend(part);
            }
        }
        Ok(found)
    }

    fn check_for(&self, statement: &RowsSql) -> Result<(), StorageError> {
        let same = self.columns.len() == statement.columns.len()
            && self
                .columns
                .iter()
                .zip(statement.columns)
                .all(|(have, want)| (have.name, have.kind) == *want);
        if !same {
            return Err(self.misuse(format!(
                "rows were built for other columns than those of {}",
                statement.name
            )));
        }
        self.check()
    }

    fn check(&self) -> Result<(), StorageError> {
        for column in &self.columns {
            if column.len() != self.len {
                return Err(self.misuse(format!(
                    "column {} has {} values in {} rows",
                    column.name,
                    column.len(),
                    self.len
                )));
            }
            if column.kind == ColumnType::Text && column.bytes.contains(&0) {
                return Err(StorageError::ZeroCharacter {
                    place: format!("{}: column {}", self.name, column.name),
                });
            }
        }
        Ok(())
    }

    const fn misuse(&self, problem: String) -> StorageError {
        StorageError::Misuse {
            statement: self.name,
            problem,
        }
    }

    /// The rows as SQLite's JSONB (<https://sqlite.org/jsonb.html>): an array of arrays.
    fn jsonb(&self, from: usize, to: usize) -> Vec<u8> {
        let mut rows = Vec::with_capacity((to - from) * self.columns.len() * 12);
        let mut row_bytes = Vec::new();
        for row in from..to {
            row_bytes.clear();
            for column in &self.columns {
                column.jsonb(row, &mut row_bytes);
            }
            jsonb::element(jsonb::ARRAY, &row_bytes, &mut rows);
        }
        let mut all = Vec::with_capacity(rows.len() + 9);
        jsonb::element(jsonb::ARRAY, &rows, &mut all);
        all
    }

    fn arrays(
        &self,
        from: usize,
        to: usize,
        arguments: &mut sqlx::postgres::PgArguments,
    ) -> Result<(), StorageError> {
        use sqlx::Arguments;
        for column in &self.columns {
            let added = match column.kind {
                ColumnType::Int => {
                    arguments.add((from..to).map(|row| column.int(row)).collect::<Vec<_>>())
                }
                ColumnType::Text => {
                    arguments.add((from..to).map(|row| column.text(row)).collect::<Vec<_>>())
                }
                ColumnType::Blob => {
                    arguments.add((from..to).map(|row| column.blob(row)).collect::<Vec<_>>())
                }
            };
            added.map_err(StorageError::Other)?;
        }
        Ok(())
    }

    fn copy_row(&self, row: usize, buffer: &mut Vec<u8>) {
        // Limits: a table has far fewer than 2^15 columns, a value far fewer than 2^31 bytes.
        let columns = i16::try_from(self.columns.len()).unwrap_or(i16::MAX);
        buffer.extend_from_slice(&columns.to_be_bytes());
        for column in &self.columns {
            let value: Option<&[u8]> = match column.kind {
                ColumnType::Int => {
                    match column.int(row) {
                        Some(int) => {
                            buffer.extend_from_slice(&8_i32.to_be_bytes());
                            buffer.extend_from_slice(&int.to_be_bytes());
                        }
                        None => buffer.extend_from_slice(&(-1_i32).to_be_bytes()),
                    }
                    continue;
                }
                ColumnType::Text | ColumnType::Blob => column.blob(row),
            };
            match value {
                Some(bytes) => {
                    let len = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
                    buffer.extend_from_slice(&len.to_be_bytes());
                    buffer.extend_from_slice(bytes);
                }
                None => buffer.extend_from_slice(&(-1_i32).to_be_bytes()),
            }
        }
    }
}

impl Column {
    fn len(&self) -> usize {
        match self.kind {
            ColumnType::Int => self.ints.len(),
            ColumnType::Text | ColumnType::Blob => self.ends.len(),
        }
    }

    /// Whether all rows have the same value.
    fn is_constant(&self) -> bool {
        if self.nulls.iter().any(|null| *null) {
            return self.nulls.len() == self.len() && self.nulls.iter().all(|null| *null);
        }
        match self.kind {
            ColumnType::Int => self.ints.windows(2).all(|pair| pair.first() == pair.last()),
            ColumnType::Text | ColumnType::Blob => {
                let first = self.blob(0);
                (1..self.len()).all(|row| self.blob(row) == first)
            }
        }
    }

    fn bind<'q>(&self, row: usize, query: SqliteQuery<'q>) -> SqliteQuery<'q> {
        match self.kind {
            ColumnType::Int => query.bind(self.int(row)),
            ColumnType::Text => query.bind(self.text(row).map(str::to_owned)),
            ColumnType::Blob => query.bind(self.blob(row).map(<[u8]>::to_vec)),
        }
    }

    fn is_null(&self, row: usize) -> bool {
        self.nulls.get(row).copied().unwrap_or(false)
    }

    fn mark_null(&mut self) {
        let row = self.len() - 1;
        self.nulls.resize(row, false);
        self.nulls.push(true);
    }

    fn int(&self, row: usize) -> Option<i64> {
        self.ints.get(row).copied().filter(|_| !self.is_null(row))
    }

    fn blob(&self, row: usize) -> Option<&[u8]> {
        let end = *self.ends.get(row)?;
        let start = row
            .checked_sub(1)
            .and_then(|r| self.ends.get(r))
            .copied()
            .unwrap_or(0);
        self.bytes.get(start..end).filter(|_| !self.is_null(row))
    }

    fn text(&self, row: usize) -> Option<&str> {
        // Only whole texts were ever pushed.
        self.blob(row)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    fn jsonb(&self, row: usize, out: &mut Vec<u8>) {
        let value = match self.kind {
            ColumnType::Int => self
                .int(row)
                .map(|int| (jsonb::INT, int.to_string().into_bytes())),
            ColumnType::Text => self.blob(row).map(|text| (jsonb::TEXT, text.to_vec())),
            ColumnType::Blob => self
                .blob(row)
                .map(|bytes| (jsonb::TEXT, hex::encode(bytes).into_bytes())),
        };
        match value {
            Some((kind, bytes)) => jsonb::element(kind, &bytes, out),
            None => jsonb::element(jsonb::NULL, &[], out),
        }
    }
}

impl Row<'_> {
    fn next(&mut self, kind: ColumnType) -> Option<&mut Column> {
        let column = self
            .rows
            .columns
            .get_mut(self.at)
            .filter(|c| c.kind == kind);
        self.at += 1;
        // A value of another type is left out; the count of values then refuses the rows.
        column
    }

    /// The next value, an integer.
    pub fn int(&mut self, value: i64) -> &mut Self {
        if let Some(column) = self.next(ColumnType::Int) {
            column.ints.push(value);
        }
        self
    }

    /// The next value, an integer or NULL.
    pub fn opt_int(&mut self, value: Option<i64>) -> &mut Self {
        if let Some(column) = self.next(ColumnType::Int) {
            column.ints.push(value.unwrap_or(0));
            if value.is_none() {
                column.mark_null();
            }
        }
        self
    }

    /// The next value, a text.
    pub fn text(&mut self, value: &str) -> &mut Self {
        if let Some(column) = self.next(ColumnType::Text) {
            column.bytes.extend_from_slice(value.as_bytes());
            column.ends.push(column.bytes.len());
        }
        self
    }

    /// The next value, a text or NULL.
    pub fn opt_text(&mut self, value: Option<&str>) -> &mut Self {
        self.opt_bytes(ColumnType::Text, value.map(str::as_bytes))
    }

    /// The next value, bytes.
    pub fn blob(&mut self, value: &[u8]) -> &mut Self {
        if let Some(column) = self.next(ColumnType::Blob) {
            column.bytes.extend_from_slice(value);
            column.ends.push(column.bytes.len());
        }
        self
    }

    /// The next value, bytes or NULL.
    pub fn opt_blob(&mut self, value: Option<&[u8]>) -> &mut Self {
        self.opt_bytes(ColumnType::Blob, value)
    }

    fn opt_bytes(&mut self, kind: ColumnType, value: Option<&[u8]>) -> &mut Self {
        if let Some(column) = self.next(kind) {
            column.bytes.extend_from_slice(value.unwrap_or_default());
            column.ends.push(column.bytes.len());
            if value.is_none() {
                column.mark_null();
            }
        }
        self
    }
}

/// The largest power of two that is not above a number; 1 for 0.
const fn prev_power_of_two(n: usize) -> usize {
    match n.checked_ilog2() {
        Some(power) => 1 << power,
        None => 1,
    }
}

/// `VALUES` of the varied columns, each row followed by what is the same in all. `OR FAIL` lets the
/// rows before a refused one stand, for the roll-back to take: without it SQLite keeps a copy of
/// every page that the statement touches, and in random order each row touches another.
fn values_text(table: &str, same: &[&Column], varied: &[&Column], rows: usize) -> String {
    let marks = |n: usize| vec!["?"; n.max(1)].join(", ");
    let names: Vec<&str> = varied.iter().chain(same).map(|c| c.name).collect();
    let row = format!("({})", marks(varied.len()));
    let values = vec![row; rows].join(", ");
    let names = names.join(", ");
    if same.is_empty() {
        return format!("INSERT OR FAIL INTO {table} ({names}) VALUES {values}");
    }
    let columns: Vec<String> = (1..=varied.len()).map(|n| format!("column{n}")).collect();
    format!(
        "INSERT OR FAIL INTO {table} ({names}) SELECT {}, {} FROM (VALUES {values})",
        columns.join(", "),
        marks(same.len())
    )
}

/// Elements of SQLite's JSONB: a header of kind and size, then the payload.
mod jsonb {
    pub(super) const NULL: u8 = 0;
    /// An integer in decimal digits.
    pub(super) const INT: u8 = 3;
    /// A text as it is, without escapes.
    pub(super) const TEXT: u8 = 10;
    pub(super) const ARRAY: u8 = 11;

    pub(super) fn element(kind: u8, payload: &[u8], out: &mut Vec<u8>) {
        let size = payload.len();
        // Sizes up to 11 stand in the header itself; 12 to 15 there say that 1, 2, 4 or 8 bytes follow.
        if let Some(small) = u8::try_from(size).ok().filter(|n| *n <= 11) {
            out.push(small << 4 | kind);
        } else if let Ok(n) = u8::try_from(size) {
            out.extend_from_slice(&[0xc0 | kind, n]);
        } else if let Ok(n) = u16::try_from(size) {
            out.push(0xd0 | kind);
            out.extend_from_slice(&n.to_be_bytes());
        } else if let Ok(n) = u32::try_from(size) {
            out.push(0xe0 | kind);
            out.extend_from_slice(&n.to_be_bytes());
        } else {
            out.push(0xf0 | kind);
            out.extend_from_slice(&(size as u64).to_be_bytes());
        }
        out.extend_from_slice(payload);
    }
}
