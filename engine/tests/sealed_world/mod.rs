//! A small world with a row or more in every history, made by hand, sealed as it stands.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing
)] // a test, and each uses its part

use domain::{
    actor::Actor,
    seal::{Record, RecordKind},
    time::Instant,
};
use engine::{
    Engine, Sources, Store,
    clock::FixedClock,
    ids::FixedIds,
    seal::{Leaves, append_blocks},
    storage::{
        Backend, Tx,
        seal::Refs,
        sealed::{self, RecordSink},
        tx::{Conn, Connected},
        verify,
    },
};
use sqlx::AssertSqlSafe;
use std::sync::Arc;

/// 2025-11-24T16:00:00Z
pub const NOW: i64 = 1_764_000_000_000_000;

/// Two business days after Monday 24 November in Berlin, their end, and a day of grace:
/// 2025-11-27T23:00:00Z
const DUE: i64 = 1_764_284_400_000_000;

/// What the case shows: the line that nobody explains.
const FACTS: &str = r#"{"lines":[{"name":"0101010101010101:3","kind":"payment","presented":{"minor":5000,"currency":"EUR"},"gross":{"minor":5000,"currency":"EUR"},"at":"","provider_payment_id":"pi_2","modification_id":"","reference":"order-2","counterparty":"","attempt":"","matched":false}]}"#;

pub fn engine(store: Store) -> Engine {
    Engine {
        store,
        sources: Sources {
            clock: Arc::new(FixedClock::at(Instant::from_micros(NOW))),
            ids: Arc::new(FixedIds::default()),
        },
    }
}

pub fn auditor() -> Actor {
    Actor::Person {
        user_id: 1,
        email: "ann@example.com".to_owned(),
        roles: [domain::actor::Role::Auditor].into(),
    }
}

pub async fn run(tx: &mut Tx, sql: &str) -> u64 {
    let done = match tx.conn() {
        Conn::Sqlite(c) => sqlx::query(AssertSqlSafe(sql.to_owned()))
            .execute(c)
            .await
            .map(|d| d.rows_affected()),
        Conn::Postgres(c) => sqlx::query(AssertSqlSafe(sql.to_owned()))
            .execute(c)
            .await
            .map(|d| d.rows_affected()),
    };
    done.unwrap_or_else(|e| panic!("{sql}: {e}"))
}

/// Runs statements past every guard: what the owner of the database could do.
pub async fn tamper(engine: &Engine, table: &str, statements: &[&str]) {
    let mut tx = engine.store.begin().await.unwrap();
    match engine.store.backend() {
        Backend::Sqlite => {
            for what in ["update", "delete", "replace"] {
                run(
                    &mut tx,
                    &format!("DROP TRIGGER IF EXISTS {table}_no_{what}"),
                )
                .await;
            }
        }
        Backend::Postgres => {
            run(&mut tx, &format!("ALTER TABLE {table} DISABLE TRIGGER ALL")).await;
        }
    }
    for sql in statements {
        assert!(run(&mut tx, sql).await > 0, "{sql} changed nothing");
    }
    tx.commit().await.unwrap();
}

pub fn bytes(backend: Backend, byte: u8, length: usize) -> String {
    let hex = format!("{byte:02x}").repeat(length);
    match backend {
        Backend::Sqlite => format!("x'{hex}'"),
        Backend::Postgres => format!("'\\x{hex}'::BYTEA"),
    }
}

/// What each line's row said when its identity was noted.
fn says(backend: Backend, line: i64) -> String {
    let reference = format!("order-{line}");
    let (kind, payment, gross, fee, net) = match line {
        1 => ("payment", "pi_1", 10_000, 320, 9_680),
        2 => ("payment", "pi_2", 5_000, 210, 4_790),
        _ => ("fee", "", 0, 0, -50),
    };
    let texts = [kind, payment, "", &reference, "EUR", "EUR", "po_1"];
    let content = engine::testing::content(texts, [gross, fee, net, gross]);
    let hex = hex::encode(content);
    match backend {
        Backend::Sqlite => format!("x'{hex}'"),
        Backend::Postgres => format!("'\\x{hex}'::BYTEA"),
    }
}

/// How the file stands when it is used.
fn standing() -> String {
    engine::testing::standing(&engine::storage::files::StoredFile {
        id: 1,
        public_id: "f-1".to_owned(),
        account_id: 1,
        sha256: vec![1; 32],
        bytes: 400,
        name: "payout.csv".to_owned(),
        received_at: NOW,
        received_by: "ann@example.com".to_owned(),
        state: "USED".to_owned(),
        seq: 2,
        profile: "tieout".to_owned(),
        encoding: "utf-8".to_owned(),
        rows_total: 4,
        rows_done: 4,
        lines_done: 0,
        accepted: 0,
        report: "{}".to_owned(),
        failures: 0,
        error: String::new(),
        first_day: None,
        last_day: None,
        covered_spans: String::new(),
    })
}

/// Fills every history and seals it: a file of two payments, a fee and a rejected row, one payment
/// matched and one not, with the case and the decision about it.
pub async fn build(engine: &Engine) {
    let backend = engine.store.backend();
    let hash = |byte| bytes(backend, byte, 32);
    let identity = |byte| bytes(backend, byte, 16);
    let line = |id: i64, kind: &str, payment: &str, gross: i64, fee: i64, net: i64, text: &str| {
        format!(
            "INSERT INTO line (id, file_id, line_no, byte_offset, byte_len, row_id, identity, kind, source_kind, provider_payment_id, modification_id, merchant_reference, gross, fee, net, currency, presented_amount, presented_currency, occurred_at, accounting_day, batch_id, counterparty, description, lossy_text) VALUES ({id}, 1, {}, {}, 99, 'txn_{id}', {}, '{kind}', 'charge', '{payment}', '', 'order-{id}', {gross}, {fee}, {net}, 'EUR', {gross}, 'EUR', {NOW}, 20416, 1, '{text}', 'caf\u{e9} {id}', 0)",
            id + 1,
            id * 100,
            identity(u8::try_from(id).unwrap()),
        )
    };
    let verdict = |id: i64, verdict: &str, rule: &str, intent: &str, contra: &str, amount: i64| {
        let currency = if contra.is_empty() { "" } else { "EUR" };
        [
            format!(
                "INSERT INTO verdict (line_id, seq, verdict, rule, policy_version, intent_id, attempt_id, contra, contra_amount, contra_currency, entry_id, detail, cause_kind, cause, at) VALUES ({id}, 1, '{verdict}', '{rule}', 1, {intent}, {intent}, '{contra}', {amount}, '{currency}', 1, '', 'file', 'f', {NOW})"
            ),
            format!(
                "INSERT INTO line_now (line_id, account_id, seq, verdict, rule, intent_id, attempt_id, contra, contra_amount, contra_currency) VALUES ({id}, 1, 1, '{verdict}', '{rule}', {intent}, {intent}, '{contra}', {amount}, '{currency}')"
            ),
            format!(
                "INSERT INTO row_identity_now (account_id, identity, line_id, content) VALUES (1, {}, {id}, {})",
                identity(u8::try_from(id).unwrap()),
                says(backend, id)
            ),
        ]
    };
    let mut tx = engine.store.begin().await.unwrap();
    let mut statements = vec![
        format!("INSERT INTO user_account VALUES (1, 'ann@example.com', 'x', 'analyst', 0, {NOW}, 0, 0)"),
        format!("INSERT INTO user_account VALUES (2, 'bob@example.com', 'x', 'approver', 0, {NOW}, 0, 0)"),
        "INSERT INTO provider_account VALUES (1, 'stripe-eu', 'stripe', 'Europe/Berlin', 0)".to_owned(),
        format!("INSERT INTO user_event VALUES (1, 1, 'added', 'analyst', 0, {NOW})"),
        format!("INSERT INTO user_event VALUES (2, 2, 'added', 'approver', 0, {NOW})"),
        format!("INSERT INTO audit_record VALUES (1, {NOW}, 'operator', 0, 'add_user', 'ann@example.com', '{{\"roles\":\"analyst\"}}')"),
        format!("INSERT INTO provider_policy VALUES (1, 1, '{{\"grace_hours\":\"24\"}}', 'operator', {NOW})"),
        format!("INSERT INTO intent VALUES (1, 'pay-1', 'order-1', 'charge', 10000, 'EUR', 'in', 'Zo\u{eb} \"Z\" M\u{fc}ller', {NOW}, 'at_most_once', 'import')"),
        format!("INSERT INTO attempt (id, intent_id, account_id, public_id, number, idempotency_key, provider_payment_id, started_at, outcome, error_code) VALUES (1, 1, 1, 'try-1', 1, 'pay-1', 'pi_1', {NOW}, 'unknown', '')"),
        format!("INSERT INTO attempt_event (attempt_id, seq, outcome, provider_payment_id, error_code, cause_kind, cause, at) VALUES (1, 1, 'succeeded', '', '', 'line', 'line:0101010101010101:2', {NOW})"),
        format!("INSERT INTO intent_event VALUES (1, 2, 'SUCCEEDED', 'line', 'line:0101010101010101:2', {NOW})"),
        format!("INSERT INTO evidence (id, kind, intent_id, attempt_id, source, content_hash, claim, received_at) VALUES (1, 'api_response', 1, 1, 'worker', {}, '{{\"outcome\":\"unknown\"}}', {NOW})", hash(7)),
        format!("INSERT INTO settlement_file VALUES (1, 'f-1', 1, {}, 400, 'payout.csv', {NOW}, 'ann@example.com')", hash(1)),
        format!("INSERT INTO file_event VALUES (1, 1, 'RECEIVED', '{{}}', 'ann@example.com', {NOW})"),
        format!("INSERT INTO file_event VALUES (1, 2, 'USED', '{{\"rows\":4,\"standing\":\"{}\"}}', 'tieout', {NOW})", standing()),
        "INSERT INTO file_verdict_now VALUES (1, 'MATCHED', 1), (1, 'UNMATCHED', 1), (1, 'ACCOUNTED', 1)".to_owned(),
        "INSERT INTO settlement_batch VALUES (1, 1, 'po_1')".to_owned(),
        "INSERT INTO batch_now (batch_id, currency, lines, gross, fee, net, payouts, payout_net, odd_rows, last_day, first_line, last_line) VALUES (1, 'EUR', 3, 15000, 530, 14420, 0, 0, 0, 20416, 1, 3)".to_owned(),
        line(1, "payment", "pi_1", 10_000, 320, 9_680, "Zo\u{eb}"),
        line(2, "payment", "pi_2", 5_000, 210, 4_790, ""),
        line(3, "fee", "", 0, 0, -50, ""),
        "INSERT INTO line_key_now VALUES (1, 'p:pi_2', 2), (1, 'r:order-2', 2)".to_owned(),
        "INSERT INTO line_bucket_now VALUES (1, 'EUR', 5000, 'in', 2)".to_owned(),
        "INSERT INTO intent_now (intent_id, state, version, resend_permitted) VALUES (1, 'SUCCEEDED', 2, 0)".to_owned(),
        format!("INSERT INTO attempt_now (attempt_id, account_id, reported, outcome, seq, since, written_off) VALUES (1, 1, 'unknown', 'succeeded', 1, {NOW}, 0)"),
        "INSERT INTO file_now (file_id, account_id, state, seq, profile, encoding, rows_total, rows_done, lines_done, accepted, report, failures, error) VALUES (1, 1, 'USED', 2, 'tieout', 'utf-8', 4, 4, 0, 0, '{}', 0, '')".to_owned(),
        "INSERT INTO intent_open VALUES (1, 'capture', 10000, 10000)".to_owned(),
        format!("INSERT INTO rejected_row VALUES (1, 5, 400, 20, '', 'gross', '1,2,3', 'amount', '\"1,2,3\" is not a decimal number')"),
        format!("INSERT INTO review_case VALUES (1, 'c-1', 'unexpected_settlement', 'line:0101010101010101:3', 1, 1, {NOW})"),
        format!("INSERT INTO case_event VALUES (1, 1, 'opened', 'OPEN', '{{\"evidence_version\":1,\"at_risk\":5000,\"currency\":\"EUR\",\"severity\":1,\"resolution\":\"\",\"facts\":{FACTS}}}', 'tieout', {NOW})"),
        format!("INSERT INTO case_event VALUES (1, 2, 'claimed', 'AWAITING_APPROVAL', '{{\"evidence_version\":1,\"at_risk\":5000,\"currency\":\"EUR\",\"severity\":1,\"resolution\":\"\",\"facts\":{FACTS}}}', 'ann@example.com', {NOW})"),
        format!("INSERT INTO case_now (case_id, kind, subject, state, version, evidence_version, account_id, currency, at_risk, severity, line_id, facts, opened_at, due_at, owner_id, lease_until, resolution) VALUES (1, 'unexpected_settlement', 'line:0101010101010101:3', 'AWAITING_APPROVAL', 2, 1, 1, 'EUR', 5000, 1, 2, '{FACTS}', {NOW}, {DUE}, 1, {NOW} + 900000000, '')"),
        format!("INSERT INTO decision (id, public_id, case_id, case_version, evidence_version, action, reason_code, comment, params, input_hash, evidence_hashes, needs_approval, decided_by, decided_at) VALUES (1, 'd-1', 1, 1, 1, 'record_external', 'known', 'seen on the phone', '{{\"params\":{{}},\"rulings\":[],\"effects\":[]}}', {}, '[]', 1, 1, {NOW})", hash(8)),
        "INSERT INTO decision_now VALUES (1, 1, 'APPLIED', 1)".to_owned(),
        format!("INSERT INTO approval VALUES (1, 1, 'agreed', 2, {NOW})"),
        "INSERT INTO posting VALUES (1, 1, 'provider_clearing', 'EUR', 14420)".to_owned(),
        "INSERT INTO posting VALUES (1, 2, 'provider_fees', 'EUR', 580)".to_owned(),
        "INSERT INTO posting VALUES (1, 3, 'receipts', 'EUR', -10000)".to_owned(),
        "INSERT INTO posting VALUES (1, 4, 'suspense', 'EUR', -5000)".to_owned(),
        format!("INSERT INTO ledger_entry VALUES (1, 1, 20416, {NOW}, 1, 'lines', 'line:0101010101010101:2-4', '{{\"lines\":3}}')"),
        "INSERT INTO balance_now VALUES (1, 'provider_clearing', 'EUR', 20416, 14420, 0)".to_owned(),
        "INSERT INTO balance_now VALUES (1, 'provider_fees', 'EUR', 20416, 580, 0)".to_owned(),
        "INSERT INTO balance_now VALUES (1, 'receipts', 'EUR', 20416, 0, 10000)".to_owned(),
        "INSERT INTO balance_now VALUES (1, 'suspense', 'EUR', 20416, 0, 5000)".to_owned(),
    ];
    statements.extend(verdict(1, "MATCHED", "R1", "1", "receipts", -10_000));
    statements.extend(verdict(2, "UNMATCHED", "none", "NULL", "suspense", -5_000));
    statements.extend(verdict(3, "ACCOUNTED", "kind", "NULL", "", 0));
    for table in ["audit_record", "ledger_entry", "line", "intent", "attempt"] {
        statements.push(format!("INSERT INTO counter VALUES ('{table}', 100)"));
    }
    for sql in statements {
        run(&mut tx, &sql).await;
    }
    tx.commit().await.unwrap();
    seal_all(engine).await;
    append_blocks(engine).await.unwrap();
}

/// Gives every row that there is its leaf.
pub async fn seal_all(engine: &Engine) {
    struct Push<'a> {
        leaves: &'a mut Leaves,
        keys: Vec<(i64, i64)>,
    }
    impl RecordSink for Push<'_> {
        fn record<R: Record>(&mut self, place: usize, record: &R) {
            let (id, part) = self.keys[place];
            self.leaves.push_part(id, part, record);
        }

        fn missing(&mut self, place: usize) {
            panic!("no row {:?}", self.keys[place]);
        }
    }
    let mut tx = engine.store.begin().await.unwrap();
    let mut leaves = Leaves::begin(&mut tx, &engine.sources).await.unwrap();
    let mut reader = engine.store.read().await.unwrap();
    for kind in RecordKind::ALL {
        let keys = verify::keys_after(&mut reader, *kind, (i64::MIN, i64::MIN))
            .await
            .unwrap();
        assert!(!keys.is_empty(), "no {kind}");
        let refs = Refs::List(keys.clone());
        let mut push = Push {
            leaves: &mut leaves,
            keys,
        };
        sealed::read(&mut reader, *kind, &refs, &mut push)
            .await
            .unwrap();
    }
    leaves.write(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
}
