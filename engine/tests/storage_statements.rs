//! Every statement prepares on both databases, takes the parameters it says, and finds its rows
//! by an index.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // as in any test

use engine::{
    storage::{
        ALL, Backend, ColumnType,
        tx::{Conn, Connected},
    },
    testing::both,
};
use sqlx::{AssertSqlSafe, Column, Either, Executor, Row, SqlSafeStr, Statement};
use std::{collections::BTreeSet, path::Path};

struct Registered {
    name: &'static str,
    text: String,
    params: usize,
    may_scan: &'static str,
}

fn registered(backend: Backend) -> Vec<Registered> {
    let single = ALL.iter().flat_map(|s| s.single).map(|s| Registered {
        name: s.name,
        text: s.text(backend).to_owned(),
        params: s.params,
        may_scan: s.may_scan,
    });
    let rows = ALL.iter().flat_map(|s| s.rows).map(|s| Registered {
        name: s.name,
        text: s.text(backend),
        params: match backend {
            Backend::Sqlite => 1,
            Backend::Postgres => s.columns.len(),
        },
        may_scan: s.may_scan,
    });
    single.chain(rows).collect()
}

#[test]
fn every_statement_prepares_and_takes_the_parameters_it_says() {
    both(async |store| {
        let mut tx = store.begin().await.unwrap();
        for statement in registered(store.backend()) {
            let sql = AssertSqlSafe(statement.text.clone()).into_sql_str();
            let name = statement.name;
            let found = match tx.conn() {
                Conn::Sqlite(c) => {
                    let prepared = c
                        .prepare(sql)
                        .await
                        .unwrap_or_else(|e| panic!("{name}: {e}"));
                    parameters(prepared.parameters())
                }
                Conn::Postgres(c) => {
                    let prepared = c
                        .prepare(sql)
                        .await
                        .unwrap_or_else(|e| panic!("{name}: {e}"));
                    parameters(prepared.parameters())
                }
            };
            assert_eq!(found, statement.params, "parameters of {name}");
        }
    });
}

fn parameters<T>(found: Option<Either<&[T], usize>>) -> usize {
    match found {
        Some(Either::Left(types)) => types.len(),
        Some(Either::Right(count)) => count,
        None => 0,
    }
}

/// Both databases must give the same columns in the same order.
#[test]
fn an_overridden_statement_gives_the_same_columns() {
    let seen = std::sync::Mutex::new(Vec::new());
    both(async |store| {
        let mut tx = store.begin().await.unwrap();
        let mut columns = Vec::new();
        for statement in registered(store.backend()) {
            let sql = AssertSqlSafe(statement.text.clone()).into_sql_str();
            let names: Vec<String> = match tx.conn() {
                Conn::Sqlite(c) => {
                    let prepared = c.prepare(sql).await.unwrap();
                    prepared
                        .columns()
                        .iter()
                        .map(|c| c.name().to_owned())
                        .collect()
                }
                Conn::Postgres(c) => {
                    let prepared = c.prepare(sql).await.unwrap();
                    prepared
                        .columns()
                        .iter()
                        .map(|c| c.name().to_owned())
                        .collect()
                }
            };
            columns.push((statement.name, names.len()));
        }
        let mut seen = seen.lock().unwrap();
        if seen.is_empty() {
            *seen = columns;
        } else {
            assert_eq!(*seen, columns);
        }
    });
}

/// A full scan of a table that grows is how a page becomes slow in its second year.
#[test]
fn no_statement_reads_a_whole_table_unless_it_says_why() {
    both(async |store| {
        if store.backend() != Backend::Sqlite {
            return;
        }
        let mut tx = store.begin().await.unwrap();
        let mut wrong = Vec::new();
        for statement in registered(Backend::Sqlite) {
            let sql = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {}", statement.text));
            let Conn::Sqlite(c) = tx.conn() else { return };
            let plan = c.fetch_all(sql).await.unwrap();
            let scans: Vec<String> = plan
                .iter()
                .map(|row| row.get::<String, _>(3))
                .filter(|step| step.starts_with("SCAN") && !is_harmless(step))
                .collect();
            if !scans.is_empty() && statement.may_scan.is_empty() {
                wrong.push(format!("{}: {scans:?}", statement.name));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

/// The rows that the caller passed, a constant row, or what a step before has already cut down.
fn is_harmless(step: &str) -> bool {
    [
        "SCAN jsonb_each",
        "SCAN json_each",
        "SCAN CONSTANT ROW",
        "SCAN rows",
        "SCAN page",
        "SCAN found",
        "SCAN (",
    ]
    .iter()
    .any(|start| step.starts_with(start))
}

#[test]
fn every_statement_file_belongs_to_a_declared_statement() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/storage/sql");
    let mut files = BTreeSet::new();
    let mut folders = vec![folder.clone()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&folder).unwrap().display().to_string();
            // An override belongs to the statement whose name it extends.
            files.insert(name.replace(".postgres.sql", ".sql"));
        }
    }
    let parts = ALL
        .iter()
        .flat_map(|s| s.parts)
        .map(|part| (*part).to_owned());
    let declared: BTreeSet<String> = registered(Backend::Sqlite)
        .iter()
        .map(|s| s.name.to_owned())
        .chain(parts)
        .collect();
    let differ: Vec<_> = files.symmetric_difference(&declared).collect();
    assert!(
        differ.is_empty(),
        "declared without a file, or a file without a declaration: {differ:?}"
    );
}

#[test]
fn columns_of_rows_have_a_type_on_both_databases() {
    for statement in ALL.iter().flat_map(|s| s.rows) {
        assert!(!statement.columns.is_empty(), "{}", statement.name);
        let blobs = statement
            .columns
            .iter()
            .filter(|c| c.1 == ColumnType::Blob)
            .count();
        let text = statement.text(Backend::Sqlite);
        assert_eq!(
            text.matches("unhex(value ->> ").count(),
            blobs,
            "{}",
            statement.name
        );
    }
}
