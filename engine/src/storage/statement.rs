//! How a statement is declared, so that call sites, tests and files agree.

use super::store::Backend;
use std::fmt::Write;

/// A statement with single values as parameters, `$1` and up.
#[derive(Debug, Clone, Copy)]
pub struct Sql {
    /// Its name in errors and tests: its file below `sql/`.
    pub name: &'static str,
    /// The text for SQLite.
    pub sqlite: &'static str,
    /// The text for PostgreSQL, the same one unless an override pays.
    pub postgres: &'static str,
    /// How many parameters it takes.
    pub params: usize,
    /// Why a full scan is right here: a small table, a listing in index order; empty if it is not.
    pub may_scan: &'static str,
}

/// A statement over many rows at once, which its text calls `rows`: a bulk insert or update, or a
/// lookup by many keys. It takes no other parameters: a constant is one more column.
#[derive(Debug, Clone, Copy)]
pub struct RowsSql {
    /// Its name in errors and tests: its file below `sql/`.
    pub name: &'static str,
    /// The text for SQLite, without the `WITH rows …`.
    pub sqlite: &'static str,
    /// The text for PostgreSQL, without the `WITH rows …`.
    pub postgres: &'static str,
    /// Names and types of the columns of `rows`.
    pub columns: &'static [(&'static str, ColumnType)],
    /// As in [`Sql::may_scan`].
    pub may_scan: &'static str,
}

/// What a column of `rows` holds. Every one may be NULL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// 64-bit integer.
    Int,
    /// Text.
    Text,
    /// Bytes.
    Blob,
}

/// The statements of one aggregate.
#[derive(Debug, Clone, Copy)]
pub struct Statements {
    /// Those with single values.
    pub single: &'static [Sql],
    /// Those over rows.
    pub rows: &'static [RowsSql],
    /// Files of what several of them say alike.
    pub parts: &'static [&'static str],
}

impl Sql {
    /// The text for a backend.
    pub const fn text(&self, backend: Backend) -> &'static str {
        match backend {
            Backend::Sqlite => self.sqlite,
            Backend::Postgres => self.postgres,
        }
    }
}

impl RowsSql {
    /// The whole text for a backend: SQLite reads one JSONB parameter, PostgreSQL one array a column.
    pub fn text(&self, backend: Backend) -> String {
        let mut text = self.rows_text(backend);
        text.push_str(match backend {
            Backend::Sqlite => self.sqlite,
            Backend::Postgres => self.postgres,
        });
        text
    }

    /// A query for SQLite that gives what it finds as one JSON array of arrays of these columns.
    pub fn packed_text(&self, columns: &str) -> String {
        format!(
            "{}SELECT json_group_array(json_array({columns})) FROM ({})",
            self.rows_text(Backend::Sqlite),
            self.sqlite
        )
    }

    fn rows_text(&self, backend: Backend) -> String {
        let names = self
            .columns
            .iter()
            .map(|c| c.0)
            .collect::<Vec<_>>()
            .join(", ");
        let mut text = format!("WITH rows ({names}) AS (SELECT ");
        for (i, (_, kind)) in self.columns.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let number = i + 1;
            // Writing to a String cannot fail.
            let _ = match (backend, kind) {
                (Backend::Sqlite, ColumnType::Blob) => write!(text, "{comma}unhex(value ->> {i})"),
                (Backend::Sqlite, _) => write!(text, "{comma}value ->> {i}"),
                (Backend::Postgres, _) => write!(text, "{comma}c{number}"),
            };
        }
        match backend {
            Backend::Sqlite => text.push_str(" FROM jsonb_each($1)) "),
            Backend::Postgres => {
                text.push_str(" FROM UNNEST(");
                for (i, (_, kind)) in self.columns.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    let _ = write!(text, "{comma}${}::{}[]", i + 1, kind.postgres());
                }
                text.push_str(") AS u (");
                for i in 0..self.columns.len() {
                    let comma = if i == 0 { "" } else { ", " };
                    let _ = write!(text, "{comma}c{}", i + 1);
                }
                text.push_str(")) ");
            }
        }
        text
    }
}

impl ColumnType {
    pub(crate) const fn postgres(self) -> &'static str {
        match self {
            Self::Int => "BIGINT",
            Self::Text => "TEXT",
            Self::Blob => "BYTEA",
        }
    }
}

/// The text of a statement file, by its path below `storage/sql/`.
#[macro_export]
macro_rules! sql_file {
    ($file:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/src/storage/sql/",
            $file
        ))
    };
}

/// Declares the statements of an aggregate as constants, and `STATEMENTS` that lists them.
///
/// ```text
/// statements! {
///     USER_BY_EMAIL(1) = "user/by_email.sql";
///     USER_LIST(0) = "user/list.sql", may_scan "a few users";
///     CLAIM_JOB(2) = "job/claim.sql", postgres "job/claim.postgres.sql";
///     QUEUE(9) = "queue/open.sql" after ["queue/part/row.sql", "queue/part/wanted.sql"];
///     @rows
///     LINE_BY_IDS(id: Int) = "line/by_ids.sql";
/// }
/// ```
///
/// What several statements say alike stands once, in a part: `after` names those that come before the
/// statement's own text.
#[macro_export]
macro_rules! statements {
    (
        $($(#[$meta:meta])* $name:ident ( $params:literal ) = $file:literal
            $(after [$($part:literal),+ $(,)?])? $(, postgres $pg:literal)? $(, may_scan $why:literal)? ;)*
        $(@rows
        $($(#[$rmeta:meta])* $rname:ident ( $($col:ident : $kind:ident),+ $(,)? ) = $rfile:literal
            $(, postgres $rpg:literal)? $(, may_scan $rwhy:literal)? ;)*)?
    ) => {
        $($(#[$meta])* pub(crate) const $name: $crate::storage::Sql = $crate::storage::Sql {
            name: $file,
            sqlite: concat!($($($crate::sql_file!($part),)+)? $crate::sql_file!($file)),
            postgres: concat!(
                $($($crate::sql_file!($part),)+)? $crate::statements!(@postgres $file $($pg)?)
            ),
            params: $params,
            may_scan: concat!("" $(, $why)?),
        };)*
        $($($(#[$rmeta])* pub(crate) const $rname: $crate::storage::RowsSql = $crate::storage::RowsSql {
            name: $rfile,
            sqlite: $crate::sql_file!($rfile),
            postgres: $crate::statements!(@postgres $rfile $($rpg)?),
            columns: &[$((stringify!($col), $crate::storage::ColumnType::$kind)),+],
            may_scan: concat!("" $(, $rwhy)?),
        };)*)?
        /// What this aggregate asks of the database.
        pub const STATEMENTS: $crate::storage::Statements = $crate::storage::Statements {
            single: &[$($name),*],
            rows: &[$($($rname),*)?],
            parts: &[$($($($part,)+)?)*],
        };
    };
    (@postgres $file:literal) => { $crate::sql_file!($file) };
    (@postgres $file:literal $pg:literal) => { $crate::sql_file!($pg) };
}
