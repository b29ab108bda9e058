//! Changes single values past every guard, as the owner of the database could, and puts them back.

use crate::kept::Table;
use engine::{
    Store,
    storage::{
        Backend,
        tx::{Conn, Connected},
    },
};
use sqlx::{
    AssertSqlSafe, Connection, Executor, Row, SqliteConnection, sqlite::SqliteConnectOptions,
};
use std::collections::BTreeMap;

/// A column of a table.
#[derive(Debug, Clone)]
pub struct Column {
    pub name: String,
    /// integer, text or blob.
    pub kind: String,
    /// Whether it is part of the primary key.
    pub key: bool,
}

/// A value that was changed.
#[derive(Debug)]
pub struct Change {
    table: &'static str,
    column: String,
    /// The row, now.
    row: String,
    /// What stood there, as SQL.
    old: String,
    /// What stands there, as SQL.
    new: String,
    /// How messages name the row.
    pub name: String,
}

/// Whoever may do anything with the database.
pub struct Owner {
    store: Store,
    /// On SQLite a connection without foreign keys.
    sqlite: Option<SqliteConnection>,
}

impl Owner {
    pub async fn of(store: &Store) -> Self {
        let mut owner = Self {
            store: store.clone(),
            sqlite: None,
        };
        if store.backend() == Backend::Sqlite {
            let file = owner
                .texts("SELECT file FROM pragma_database_list WHERE name = 'main'")
                .await
                .unwrap()
                .remove(0)
                .remove(0);
            let options = SqliteConnectOptions::new()
                .filename(file)
                .foreign_keys(false);
            owner.sqlite = Some(SqliteConnection::connect_with(&options).await.unwrap());
        }
        owner
    }

    /// The tables with their columns.
    pub async fn columns(&mut self) -> BTreeMap<String, Vec<Column>> {
        let sql = match self.store.backend() {
            Backend::Sqlite => {
                "SELECT t.name, c.name, lower(c.type), CASE WHEN c.pk > 0 THEN 'key' ELSE '' END
                 FROM pragma_table_list t CROSS JOIN pragma_table_info(t.name) c
                 WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%'
                     AND t.name NOT LIKE '_sqlx%'
                 ORDER BY t.name, c.cid"
            }
            Backend::Postgres => {
                "SELECT c.table_name::TEXT, c.column_name::TEXT,
                     CASE c.data_type WHEN 'bigint' THEN 'integer' WHEN 'bytea' THEN 'blob' ELSE c.data_type END::TEXT,
                     CASE WHEN EXISTS (
                         SELECT 1 FROM information_schema.table_constraints k
                         JOIN information_schema.key_column_usage u ON u.constraint_name = k.constraint_name
                             AND u.table_name = k.table_name
                         WHERE k.constraint_type = 'PRIMARY KEY' AND k.table_name = c.table_name
                             AND u.column_name = c.column_name
                     ) THEN 'key' ELSE '' END
                 FROM information_schema.columns c
                 WHERE c.table_schema = 'public' AND c.table_name NOT LIKE '\\_sqlx%'
                 ORDER BY c.table_name, c.ordinal_position"
            }
        };
        let mut tables: BTreeMap<String, Vec<Column>> = BTreeMap::new();
        for row in self.texts(sql).await.unwrap() {
            tables.entry(row[0].clone()).or_default().push(Column {
                name: row[1].clone(),
                kind: row[2].clone(),
                key: row[3] == "key",
            });
        }
        tables
    }

    /// Takes the triggers of a table away.
    pub async fn unguard(&mut self, table: &str) {
        let statements = match self.store.backend() {
            Backend::Sqlite => self
                .texts(&format!(
                    "SELECT 'DROP TRIGGER ' || name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '{table}'"
                ))
                .await
                .unwrap()
                .into_iter()
                .flatten()
                .collect(),
            Backend::Postgres => vec![format!("ALTER TABLE {table} DISABLE TRIGGER ALL")],
        };
        for sql in statements {
            self.run(&sql).await.unwrap();
        }
    }

    /// Changes one value of a column to one that the database takes; none where there is no row.
    pub async fn change(&mut self, table: &'static Table, column: &Column) -> Option<Change> {
        let all = self.columns().await.remove(table.name).unwrap();
        let quoted = match self.store.backend() {
            Backend::Sqlite => "quote",
            Backend::Postgres => "quote_nullable",
        };
        let keys: Vec<&Column> = all.iter().filter(|c| c.key).collect();
        let row_of = keys
            .iter()
            .map(|k| format!("'{} = ' || {quoted}(t.{})", k.name, k.name))
            .collect::<Vec<_>>()
            .join(" || ' AND ' || ");
        let order = keys
            .iter()
            .map(|k| format!("t.{} DESC", k.name))
            .collect::<Vec<_>>()
            .join(", ");
        let c = &column.name;
        let named = self.named(table.named);
        // A value that is there is better to change than one that is not.
        let found = self
            .texts(&format!(
                "SELECT {row_of}, {quoted}(t.{c}), COALESCE(CAST({named} AS TEXT), ''),
                     COALESCE((SELECT {quoted}(o.{c}) FROM {} AS o WHERE o.{c} IS DISTINCT FROM t.{c}
                         AND o.{c} IS NOT NULL ORDER BY o.{c} LIMIT 1), '')
                 FROM {} AS t
                 ORDER BY CASE WHEN t.{c} IS NULL THEN 1 ELSE 0 END, {order}
                 LIMIT 1",
                table.name, table.name
            ))
            .await
            .unwrap()
            .into_iter()
            .next()?;
        let (row, old, name, other) = (&found[0], &found[1], &found[2], &found[3]);
        let mut values = vec![other.clone()];
        values.extend(match (column.kind.as_str(), old.as_str()) {
            ("integer", "NULL") => vec!["1".to_owned()],
            (_, "NULL") => vec!["'x'".to_owned()],
            ("integer", _) => vec![
                format!("{c} + 1"),
                format!("{c} - 1"),
                format!("{c} + 1000003"),
            ],
            ("text", _) => vec![format!("{c} || 'x'")],
            _ => vec![flipped(old)],
        });
        for new in values.into_iter().filter(|v| !v.is_empty()) {
            let sql = format!("UPDATE {} SET {c} = {new} WHERE {row}", table.name);
            match self.run(&sql).await {
                Ok(1) => {
                    let moved = format!("{c} = {old}");
                    // A part of the key that changed no longer finds the row.
                    let now = if column.key {
                        let new = match new.strip_prefix(c.as_str()) {
                            Some(rest) => format!("{}{rest}", bare(old)),
                            None => new.clone(),
                        };
                        row.replace(&moved, &format!("{c} = {new}"))
                    } else {
                        row.clone()
                    };
                    return Some(Change {
                        table: table.name,
                        column: c.clone(),
                        row: now,
                        old: old.clone(),
                        new,
                        name: name.clone(),
                    });
                }
                Ok(n) => panic!("{sql} changed {n} rows"),
                Err(_) => {}
            }
        }
        panic!("{}.{c}: the database takes no other value", table.name)
    }

    /// Puts a value back.
    pub async fn restore(&mut self, change: &Change) {
        let sql = format!(
            "UPDATE {} SET {} = {} WHERE {}",
            change.table, change.column, change.old, change.row
        );
        assert_eq!(
            self.run(&sql).await.unwrap(),
            1,
            "{sql} (after {})",
            change.new
        );
    }

    /// Takes the last row of a table away, and keeps it aside; none where there is no row.
    pub async fn remove(&mut self, table: &'static Table) -> bool {
        let row = self.last_row(table).await;
        let Some(row) = row else { return false };
        let name = table.name;
        let keep = format!("CREATE TABLE kept_aside AS SELECT * FROM {name} WHERE {row}");
        self.run(&keep).await.unwrap();
        let remove = format!("DELETE FROM {name} WHERE {row}");
        assert_eq!(self.run(&remove).await.unwrap(), 1, "{remove}");
        true
    }

    /// Puts back what was taken away.
    pub async fn put_back(&mut self, table: &'static Table) {
        let name = table.name;
        let back = format!("INSERT INTO {name} SELECT * FROM kept_aside");
        assert_eq!(self.run(&back).await.unwrap(), 1, "{back}");
        self.run("DROP TABLE kept_aside").await.unwrap();
    }

    /// Adds a copy of the last row under a key of nobody; gives what takes it away again, or none where
    /// there is no row or the database refuses the copy.
    pub async fn add(&mut self, table: &'static Table) -> Option<String> {
        let all = self.columns().await.remove(table.name).unwrap();
        let row = self.last_row(table).await?;
        let key = all.iter().find(|c| c.key && c.kind == "integer")?;
        let columns = all
            .iter()
            .map(|c| {
                if c.name == key.name {
                    format!("{} + 1000003", c.name)
                } else {
                    c.name.clone()
                }
            })
            .collect::<Vec<_>>()
            .join(", ");
        let name = table.name;
        let add = format!("INSERT INTO {name} SELECT {columns} FROM {name} WHERE {row}");
        self.run(&add).await.ok()?;
        Some(format!("DELETE FROM {name} WHERE {} > 1000000", key.name))
    }

    /// Runs what takes away an added row.
    pub async fn take_back(&mut self, sql: &str) {
        assert_eq!(self.run(sql).await.unwrap(), 1, "{sql}");
    }

    async fn last_row(&mut self, table: &'static Table) -> Option<String> {
        let quoted = match self.store.backend() {
            Backend::Sqlite => "quote",
            Backend::Postgres => "quote_nullable",
        };
        let all = self.columns().await.remove(table.name).unwrap();
        let keys: Vec<&Column> = all.iter().filter(|c| c.key).collect();
        let row = keys
            .iter()
            .map(|k| format!("'{} = ' || {quoted}(t.{})", k.name, k.name))
            .collect::<Vec<_>>()
            .join(" || ' AND ' || ");
        let order = keys
            .iter()
            .map(|k| format!("t.{} DESC", k.name))
            .collect::<Vec<_>>()
            .join(", ");
        let sql = format!(
            "SELECT {row} FROM {} AS t ORDER BY {order} LIMIT 1",
            table.name
        );
        let found = self.texts(&sql).await.unwrap();
        found.into_iter().next().map(|mut row| row.remove(0))
    }

    /// The name's SQL on this database.
    fn named(&self, sql: &str) -> String {
        let mut text = sql.to_owned();
        while let Some(at) = text.find("{hex:") {
            let end = text[at..].find('}').unwrap() + at;
            let inner = text[at + 5..end].to_owned();
            let hex = match self.store.backend() {
                Backend::Sqlite => format!("lower(hex(substr({inner}, 1, 6)))"),
                Backend::Postgres => format!("encode(substring({inner} from 1 for 6), 'hex')"),
            };
            text.replace_range(at..=end, &hex);
        }
        text
    }

    async fn run(&mut self, sql: &str) -> Result<u64, sqlx::Error> {
        let sql = AssertSqlSafe(sql.to_owned());
        if let Some(owner) = &mut self.sqlite {
            return Ok(owner.execute(sql).await?.rows_affected());
        }
        let mut tx = self.store.begin().await.unwrap();
        let done = match tx.conn() {
            Conn::Sqlite(c) => c.execute(sql).await?.rows_affected(),
            Conn::Postgres(c) => c.execute(sql).await?.rows_affected(),
        };
        tx.commit().await.unwrap();
        Ok(done)
    }

    async fn texts(&mut self, sql: &str) -> Result<Vec<Vec<String>>, sqlx::Error> {
        let sql = AssertSqlSafe(sql.to_owned());
        if let Some(owner) = &mut self.sqlite {
            let rows = owner.fetch_all(sql).await?;
            return Ok(rows
                .iter()
                .map(|r| (0..r.len()).map(|i| r.get(i)).collect())
                .collect());
        }
        let mut tx = self.store.begin().await.unwrap();
        Ok(match tx.conn() {
            Conn::Sqlite(c) => {
                let rows = c.fetch_all(sql).await?;
                rows.iter()
                    .map(|r| (0..r.len()).map(|i| r.get(i)).collect())
                    .collect()
            }
            Conn::Postgres(c) => {
                let rows = c.fetch_all(sql).await?;
                rows.iter()
                    .map(|r| (0..r.len()).map(|i| r.get(i)).collect())
                    .collect()
            }
        })
    }
}

/// A number or a quoted text without what its database puts around it.
fn bare(old: &str) -> String {
    old.trim_matches('\'')
        .parse::<i64>()
        .map_or_else(|_| old.to_owned(), |n| n.to_string())
}

/// Bytes of the same length whose last differs: as SQLite or as PostgreSQL quotes them.
fn flipped(old: &str) -> String {
    let mut text = old.to_owned();
    let at = text.rfind('\'').unwrap() - 1;
    let digit = if text.as_bytes()[at] == b'0' {
        "1"
    } else {
        "0"
    };
    text.replace_range(at..=at, digit);
    text
}
