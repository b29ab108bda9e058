//! The two schemas are one, and guard the histories alike.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // as in any test

// Clippy knows test functions, not what they share.

use engine::{
    Store,
    storage::{
        Backend, StorageError, Tx,
        tx::{Conn, Connected},
    },
    testing::both,
};
use sqlx::{AssertSqlSafe, Executor, Row};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
};

/// Histories: everything else may change.
const SEALED: &[&str] = &[
    "user_event",
    "audit_record",
    "provider_policy",
    "intent",
    "attempt",
    "attempt_event",
    "intent_event",
    "evidence",
    "settlement_file",
    "file_event",
    "line",
    "verdict",
    "rejected_row",
    "review_case",
    "case_event",
    "decision",
    "approval",
    "ledger_entry",
    "posting",
    "leaf_batch",
    "block",
    "block_batch",
];

async fn run(tx: &mut Tx, sql: &str) -> Result<u64, StorageError> {
    let sql = AssertSqlSafe(sql.to_owned());
    Ok(match tx.conn() {
        Conn::Sqlite(c) => c.execute(sql).await?.rows_affected(),
        Conn::Postgres(c) => c.execute(sql).await?.rows_affected(),
    })
}

async fn texts(tx: &mut Tx, sql: &str) -> Vec<Vec<String>> {
    let sql = AssertSqlSafe(sql.to_owned());
    match tx.conn() {
        Conn::Sqlite(c) => {
            let rows = c.fetch_all(sql).await.unwrap();
            rows.iter()
                .map(|r| (0..r.len()).map(|i| r.get(i)).collect())
                .collect()
        }
        Conn::Postgres(c) => {
            let rows = c.fetch_all(sql).await.unwrap();
            rows.iter()
                .map(|r| (0..r.len()).map(|i| r.get(i)).collect())
                .collect()
        }
    }
}

/// What a catalogue says, in words that both databases share.
#[derive(Debug, PartialEq, Eq)]
struct Catalogue {
    /// Table to its columns: name, type, nullability.
    columns: BTreeMap<String, Vec<String>>,
    /// Table to its indexes and keys: uniqueness, columns, condition or not.
    indexes: BTreeMap<String, BTreeSet<String>>,
    /// Table to the tables that it refers to, by column.
    references: BTreeMap<String, BTreeSet<String>>,
}

async fn catalogue(store: &Store) -> Catalogue {
    let mut tx = store.begin().await.unwrap();
    let (columns, indexes, references) = match store.backend() {
        Backend::Sqlite => (SQLITE_COLUMNS, SQLITE_INDEXES, SQLITE_REFERENCES),
        Backend::Postgres => (POSTGRES_COLUMNS, POSTGRES_INDEXES, POSTGRES_REFERENCES),
    };
    let mut found = Catalogue {
        columns: BTreeMap::new(),
        indexes: BTreeMap::new(),
        references: BTreeMap::new(),
    };
    for row in texts(&mut tx, columns).await {
        let column = format!("{} {} {}", row[1], row[2], row[3]);
        found
            .columns
            .entry(row[0].clone())
            .or_default()
            .push(column);
    }
    for row in texts(&mut tx, indexes).await {
        let index = format!("{} ({}) {}", row[1], row[2], row[3]);
        found
            .indexes
            .entry(row[0].clone())
            .or_default()
            .insert(index);
    }
    for row in texts(&mut tx, references).await {
        let reference = format!("{} -> {}", row[1], row[2]);
        found
            .references
            .entry(row[0].clone())
            .or_default()
            .insert(reference);
    }
    found
}

const SQLITE_COLUMNS: &str = "
    SELECT t.name, c.name, lower(c.type), CASE WHEN c.\"notnull\" = 1 THEN 'required' ELSE 'optional' END
    FROM pragma_table_list t CROSS JOIN pragma_table_info(t.name) c
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE '_sqlx%'
    ORDER BY t.name, c.cid";

const POSTGRES_COLUMNS: &str = "
    SELECT c.table_name::TEXT, c.column_name::TEXT,
        CASE c.data_type WHEN 'bigint' THEN 'integer' WHEN 'bytea' THEN 'blob' ELSE c.data_type END::TEXT,
        CASE c.is_nullable WHEN 'NO' THEN 'required' ELSE 'optional' END
    FROM information_schema.columns c
    WHERE c.table_schema = 'public' AND c.table_name NOT LIKE '\\_sqlx%'
    ORDER BY c.table_name, c.ordinal_position";

const SQLITE_INDEXES: &str = "
    SELECT t.name, CASE WHEN i.\"unique\" = 1 THEN 'unique' ELSE 'index' END,
        (SELECT group_concat(x.name, ', ' ORDER BY x.seqno) FROM pragma_index_info(i.name) x),
        CASE WHEN i.partial = 1 THEN 'partial' ELSE 'whole' END
    FROM pragma_table_list t CROSS JOIN pragma_index_list(t.name) i
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE '_sqlx%'
    UNION
    SELECT t.name, 'unique', c.name, 'whole'
    FROM pragma_table_list t CROSS JOIN pragma_table_info(t.name) c
    WHERE t.schema = 'main' AND t.type = 'table' AND t.wr = 0 AND c.pk = 1 AND lower(c.type) = 'integer'
        AND NOT EXISTS (SELECT 1 FROM pragma_table_info(t.name) o WHERE o.pk = 2)
        AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE '_sqlx%'";

const POSTGRES_INDEXES: &str = "
    SELECT t.relname::TEXT, CASE WHEN i.indisunique THEN 'unique' ELSE 'index' END,
        (SELECT string_agg(a.attname, ', ' ORDER BY k.n)
            FROM UNNEST(i.indkey::INT[]) WITH ORDINALITY k (attnum, n)
            JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum),
        CASE WHEN i.indpred IS NULL THEN 'whole' ELSE 'partial' END
    FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace s ON s.oid = t.relnamespace
    WHERE s.nspname = 'public' AND t.relname NOT LIKE '\\_sqlx%'";

const SQLITE_REFERENCES: &str = "
    SELECT t.name, f.\"from\", f.\"table\"
    FROM pragma_table_list t CROSS JOIN pragma_foreign_key_list(t.name) f
    WHERE t.schema = 'main' AND t.type = 'table'";

const POSTGRES_REFERENCES: &str = "
    SELECT c.conrelid::REGCLASS::TEXT, a.attname::TEXT, c.confrelid::REGCLASS::TEXT
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype = 'f' AND c.connamespace = 'public'::REGNAMESPACE
    UNION ALL
    SELECT t.tgrelid::REGCLASS::TEXT, split_part(encode(t.tgargs, 'escape'), '\\000', 1),
        split_part(encode(t.tgargs, 'escape'), '\\000', 2)
    FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE p.proname = 'check_reference' AND t.tgenabled = 'O'";

#[test]
fn both_schemas_have_the_same_tables_columns_keys_and_references() {
    let first = Mutex::new(None::<Catalogue>);
    both(async |store| {
        let found = catalogue(&store).await;
        assert!(found.columns.len() > 30, "{:?}", found.columns.keys());
        let expected = first.lock().unwrap().take();
        match expected {
            None => *first.lock().unwrap() = Some(found),
            Some(expected) => {
                for (table, columns) in &expected.columns {
                    assert_eq!(
                        Some(columns),
                        found.columns.get(table),
                        "columns of {table}"
                    );
                }
                for (table, indexes) in &expected.indexes {
                    assert_eq!(Some(indexes), found.indexes.get(table), "keys of {table}");
                }
                for (table, references) in &expected.references {
                    assert_eq!(
                        Some(references),
                        found.references.get(table),
                        "references of {table}"
                    );
                }
                assert_eq!(expected, found);
            }
        }
    });
}

/// One row in every history, made by hand so that this test owes nothing to the code it guards.
async fn fill(tx: &mut Tx, backend: Backend) {
    let bytes = |hex: &str| match backend {
        Backend::Sqlite => format!("x'{hex}'"),
        Backend::Postgres => format!("'\\x{hex}'::BYTEA"),
    };
    let (h, g) = (bytes("00"), bytes("01"));
    for sql in [
        "INSERT INTO user_account VALUES (1, 'a@example.com', 'x', 'admin', 0, 0, 0, 0)".to_owned(),
        "INSERT INTO provider_account VALUES (1, 'stripe-eu', 'stripe', 'UTC', 0)".to_owned(),
        "INSERT INTO user_event VALUES (1, 1, 'added', 'admin', 0, 0)".to_owned(),
        "INSERT INTO audit_record VALUES (1, 0, 'operator', 0, 'add_user', 'a@example.com', '{}')".to_owned(),
        "INSERT INTO provider_policy VALUES (1, 1, '{}', 'operator', 0)".to_owned(),
        "INSERT INTO intent VALUES (1, 'i', 'r', 'charge', 1, 'EUR', 'in', '', 0, 'at_most_once', 'api')".to_owned(),
        "INSERT INTO attempt (id, intent_id, account_id, public_id, number, idempotency_key, provider_payment_id, started_at, outcome, error_code) VALUES (1, 1, 1, 'a', 1, 'i', '', 0, 'unknown', '')".to_owned(),
        "INSERT INTO attempt_event (attempt_id, seq, outcome, provider_payment_id, error_code, cause_kind, cause, at) VALUES (1, 1, 'succeeded', '', '', 'report', '', 0)".to_owned(),
        "INSERT INTO intent_event VALUES (1, 2, 'SUCCEEDED', 'report', '', 0)".to_owned(),
        format!("INSERT INTO evidence (id, kind, source, content_hash, claim, received_at) VALUES (1, 'attestation', '', {h}, '{{}}', 0)"),
        format!("INSERT INTO settlement_file VALUES (1, 'f', 1, {h}, 1, 'n.csv', 0, 'operator')"),
        "INSERT INTO file_event VALUES (1, 1, 'RECEIVED', '{}', 'operator', 0)".to_owned(),
        format!("INSERT INTO line (id, file_id, line_no, byte_offset, byte_len, row_id, identity, kind, source_kind, provider_payment_id, modification_id, merchant_reference, gross, fee, net, currency, presented_amount, presented_currency, accounting_day, batch_id, counterparty, description, lossy_text) VALUES (1, 1, 2, 0, 1, '', {h}, 'payment', '', '', '', '', 1, 0, 1, 'EUR', 1, 'EUR', 0, 0, '', '', 0)"),
        "INSERT INTO verdict (line_id, seq, verdict, rule, policy_version, contra, contra_amount, contra_currency, entry_id, detail, cause_kind, cause, at) VALUES (1, 1, 'UNMATCHED', 'none', 1, 'suspense', -1, 'EUR', 1, '', 'file', '', 0)".to_owned(),
        "INSERT INTO rejected_row VALUES (1, 3, 0, 1, '', 'gross', 'x', 'amount', 'not an amount')".to_owned(),
        "INSERT INTO review_case VALUES (1, 'c', 'unexpected_settlement', 'line:00:2', 1, 1, 0)".to_owned(),
        "INSERT INTO case_event VALUES (1, 1, 'opened', 'OPEN', '{}', 'tieout', 0)".to_owned(),
        format!("INSERT INTO decision (id, public_id, case_id, case_version, evidence_version, action, reason_code, comment, params, input_hash, evidence_hashes, needs_approval, decided_by, decided_at) VALUES (1, 'd', 1, 1, 1, 'snooze', 'x', '', '{{}}', {h}, '[]', 1, 1, 0)"),
        "INSERT INTO approval VALUES (1, 1, '', 1, 0)".to_owned(),
        "INSERT INTO posting VALUES (1, 1, 'provider_clearing', 'EUR', 1)".to_owned(),
        "INSERT INTO posting VALUES (1, 2, 'suspense', 'EUR', -1)".to_owned(),
        "INSERT INTO ledger_entry VALUES (1, 1, 0, 0, 0, 'lines', '', '{}')".to_owned(),
        format!("INSERT INTO leaf_batch VALUES (1, 'line', 1, 1, 0, '', 1, {h})"),
        format!("INSERT INTO block VALUES (1, {h}, {h}, 1, 0, {g})"),
        "INSERT INTO block_batch VALUES (1, 1, 1)".to_owned(),
    ] {
        run(tx, &sql).await.unwrap_or_else(|e| panic!("{sql}: {e}"));
    }
}

#[test]
fn a_history_refuses_to_be_changed_or_shortened() {
    both(async |store| {
        let columns = catalogue(&store).await.columns;
        let mut tx = store.begin().await.unwrap();
        fill(&mut tx, store.backend()).await;
        tx.commit().await.unwrap();
        for table in SEALED {
            let column = columns[*table][0].split(' ').next().unwrap().to_owned();
            let mut attempts = vec![
                format!("UPDATE {table} SET {column} = {column}"),
                format!("DELETE FROM {table}"),
            ];
            if store.backend() == Backend::Postgres {
                attempts.push(format!("TRUNCATE {table} CASCADE"));
            }
            for sql in attempts {
                let mut tx = store.begin().await.unwrap();
                let refused = run(&mut tx, &sql).await;
                assert!(
                    matches!(&refused, Err(StorageError::AppendOnly { table: t }) if sql.starts_with("TRUNCATE") || t == table),
                    "{sql}: {refused:?}"
                );
            }
        }
    });
}

/// `INSERT OR REPLACE` would delete without a trigger; recursive triggers make it fire.
#[test]
fn a_history_refuses_to_be_replaced_on_sqlite() {
    both(async |store| {
        if store.backend() != Backend::Sqlite {
            return;
        }
        let mut tx = store.begin().await.unwrap();
        fill(&mut tx, store.backend()).await;
        let refused = run(
            &mut tx,
            "INSERT OR REPLACE INTO intent SELECT * FROM intent",
        )
        .await;
        assert!(
            matches!(refused, Err(StorageError::AppendOnly { .. })),
            "{refused:?}"
        );
    });
}

#[test]
fn an_entry_that_does_not_sum_to_zero_in_each_currency_is_refused() {
    both(async |store| {
        let postings = |amounts: &[(&str, i64)]| {
            let rows: Vec<_> = amounts
                .iter()
                .enumerate()
                .map(|(i, (currency, amount))| {
                    format!("(7, {}, 'suspense', '{currency}', {amount})", i + 1)
                })
                .collect();
            format!("INSERT INTO posting VALUES {}", rows.join(", "))
        };
        let entry = "INSERT INTO ledger_entry VALUES (7, 1, 0, 0, 0, 'lines', '', '{}')";
        for (amounts, balanced) in [
            (vec![("EUR", 5), ("EUR", -5)], true),
            (vec![("EUR", 5), ("USD", 5), ("EUR", -5), ("USD", -5)], true),
            (vec![("EUR", 5), ("EUR", -4)], false),
            (vec![("EUR", 5), ("USD", -5)], false),
        ] {
            let mut tx = store.begin().await.unwrap();
            run(
                &mut tx,
                "INSERT INTO provider_account VALUES (1, 'a', 'stripe', 'UTC', 0)",
            )
            .await
            .unwrap();
            run(&mut tx, &postings(&amounts)).await.unwrap();
            let done = run(&mut tx, entry).await;
            if balanced {
                done.unwrap();
                let late = run(
                    &mut tx,
                    "INSERT INTO posting VALUES (7, 9, 'suspense', 'EUR', 1)",
                )
                .await;
                assert!(matches!(late, Err(StorageError::EntryClosed)), "{late:?}");
            } else {
                assert!(
                    matches!(done, Err(StorageError::Unbalanced)),
                    "{amounts:?}: {done:?}"
                );
            }
        }
        let mut tx = store.begin().await.unwrap();
        run(
            &mut tx,
            "INSERT INTO provider_account VALUES (1, 'a', 'stripe', 'UTC', 0)",
        )
        .await
        .unwrap();
        let empty = run(&mut tx, entry).await;
        assert!(matches!(empty, Err(StorageError::Unbalanced)), "{empty:?}");
    });
}

#[test]
fn postings_whose_entry_never_comes_are_refused_at_commit() {
    both(async |store| {
        let mut tx = store.begin().await.unwrap();
        run(
            &mut tx,
            "INSERT INTO posting VALUES (7, 1, 'suspense', 'EUR', 1)",
        )
        .await
        .unwrap();
        let refused = tx.commit().await;
        assert!(
            matches!(refused, Err(StorageError::Constraint { .. })),
            "{refused:?}"
        );
    });
}

/// What PostgreSQL checks by statement refuses as a reference of SQLite does: one row, a row among many
/// neighbours, and a row far from the others.
#[test]
fn a_row_whose_parent_is_not_there_is_refused() {
    let attempt = |id: i64, intent: i64, account: i64| {
        format!("({id}, {intent}, {account}, 'a{id}', {id}, '', '', 0, 'unknown', '')")
    };
    let attempts = |rows: &[String]| {
        format!(
            "INSERT INTO attempt (id, intent_id, account_id, public_id, number, idempotency_key, \
             provider_payment_id, started_at, outcome, error_code) VALUES {}",
            rows.join(", ")
        )
    };
    let now = |line: i64| {
        format!(
            "INSERT INTO line_now (line_id, account_id, seq, verdict, rule, contra, contra_amount, \
             contra_currency) VALUES ({line}, 1, 0, 'PENDING', 'none', '', 0, '')"
        )
    };
    let line = |file: i64| {
        format!(
            "INSERT INTO line SELECT 9, {file}, line_no + 1, byte_offset, byte_len, row_id, identity, kind, \
             source_kind, provider_payment_id, modification_id, merchant_reference, gross, fee, net, \
             currency, presented_amount, presented_currency, occurred_at, settled_at, accounting_day, \
             batch_id, counterparty, description, lossy_text FROM line WHERE id = 1"
        )
    };
    let verdict = |line: i64| {
        format!(
            "INSERT INTO verdict SELECT {line}, 9, verdict, rule, policy_version, intent_id, attempt_id, \
             contra, contra_amount, contra_currency, entry_id, detail, cause_kind, cause, at \
             FROM verdict WHERE line_id = 1"
        )
    };
    let refused = [
        attempts(&[attempt(2, 2, 1)]),
        attempts(&[attempt(2, 1, 2)]),
        attempts(&[attempt(2, 1, 1), attempt(3, 2, 1), attempt(4, 1, 1)]),
        attempts(&[attempt(2, 1, 1), attempt(3, 900_000, 1)]),
        line(2),
        verdict(2),
        now(2),
        "INSERT INTO intent_open VALUES (2, 'capture', 1, 1)".to_owned(),
        "INSERT INTO intent_key_now VALUES ('k', 2)".to_owned(),
        "INSERT INTO line_key_now VALUES (1, 'k', 2)".to_owned(),
        "INSERT INTO line_bucket_now VALUES (1, 'EUR', 1, 'in', 2)".to_owned(),
    ];
    let taken = [
        attempts(&[attempt(2, 1, 1), attempt(3, 1, 1)]),
        line(1),
        verdict(1),
        now(1),
        "INSERT INTO intent_open VALUES (1, 'capture', 1, 1)".to_owned(),
        "INSERT INTO intent_key_now VALUES ('k', 1)".to_owned(),
        "INSERT INTO line_key_now VALUES (1, 'k', 1)".to_owned(),
        "INSERT INTO line_bucket_now VALUES (1, 'EUR', 1, 'in', 1)".to_owned(),
    ];
    both(async |store| {
        let mut tx = store.begin().await.unwrap();
        fill(&mut tx, store.backend()).await;
        tx.commit().await.unwrap();
        for sql in &refused {
            let mut tx = store.begin().await.unwrap();
            // A reference of SQLite may be looked at as late as the commit.
            let done = match run(&mut tx, sql).await {
                Ok(_) => tx.commit().await,
                Err(refused) => Err(refused),
            };
            assert!(
                matches!(done, Err(StorageError::Constraint { .. })),
                "{sql}: {done:?}"
            );
        }
        for sql in &taken {
            let mut tx = store.begin().await.unwrap();
            run(&mut tx, sql)
                .await
                .unwrap_or_else(|e| panic!("{sql}: {e}"));
        }
    });
}

/// What a row is about does not change under it, and a parent does not go away.
#[test]
fn what_others_name_stays() {
    both(async |store| {
        let mut tx = store.begin().await.unwrap();
        fill(&mut tx, store.backend()).await;
        run(
            &mut tx,
            "INSERT INTO intent_open VALUES (1, 'capture', 1, 1)",
        )
        .await
        .unwrap();
        tx.commit().await.unwrap();
        for sql in [
            "DELETE FROM provider_account",
            "UPDATE provider_account SET id = 2",
            "UPDATE intent_open SET intent_id = 2",
        ] {
            let mut tx = store.begin().await.unwrap();
            let done = match run(&mut tx, sql).await {
                Ok(_) => tx.commit().await,
                Err(refused) => Err(refused),
            };
            assert!(
                matches!(
                    done,
                    Err(StorageError::AppendOnly { .. } | StorageError::Constraint { .. })
                ),
                "{sql}: {done:?}"
            );
        }
    });
}
