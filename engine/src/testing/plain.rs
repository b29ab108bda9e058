//! Lines and verdicts as plain rows, for the benchmark that writes them without any rule.

use crate::{
    all, exec,
    storage::{Rows, Sql, StorageError, Store, tx::Connected},
};

const fn sql(name: &'static str, text: &'static str, params: usize) -> Sql {
    Sql {
        name,
        sqlite: text,
        postgres: text,
        params,
        may_scan: "a benchmark",
    }
}

const LINES: Sql = sql(
    "testing/plain_lines",
    "SELECT l.id, l.line_no, l.byte_offset, l.byte_len, l.row_id, l.identity, l.provider_payment_id,
            l.merchant_reference, l.gross, l.fee, l.net, l.accounting_day, n.verdict, n.rule, n.intent_id,
            n.attempt_id
     FROM line l JOIN line_now n ON n.line_id = l.id ORDER BY l.id",
    0,
);
const ACCOUNT: Sql = sql(
    "testing/plain_account",
    "INSERT INTO provider_account (id, name, kind, zone, created_at) VALUES (1, 'shop', 'generic', 'UTC', 0)",
    0,
);
const FILE: Sql = sql(
    "testing/plain_file",
    "INSERT INTO settlement_file (id, public_id, account_id, sha256, bytes, name, received_at, received_by)
     VALUES (1, 'plain', 1, $1, 0, 'plain', 0, '')",
    1,
);

/// A line and its verdict.
#[derive(Debug, sqlx::FromRow)]
pub struct PlainRow {
    id: i64,
    line_no: i64,
    byte_offset: i64,
    byte_len: i64,
    row_id: String,
    identity: Vec<u8>,
    provider_payment_id: String,
    merchant_reference: String,
    gross: i64,
    fee: i64,
    net: i64,
    accounting_day: i64,
    verdict: String,
    rule: String,
    intent_id: Option<i64>,
    attempt_id: Option<i64>,
}

/// All lines with their verdicts.
pub async fn tables(mut tx: impl Connected, _rows: u64) -> Result<Vec<PlainRow>, StorageError> {
    all!(&mut tx, PlainRow, LINES)
}

/// The one account and file that the lines name.
pub async fn prepare(store: &Store) -> Result<(), StorageError> {
    let mut tx = store.begin().await?;
    exec!(&mut tx, ACCOUNT)?;
    exec!(&mut tx, FILE, vec![0_u8; 32])?;
    tx.commit().await
}

impl PlainRow {
    /// Adds the row to the three tables.
    pub fn add_to(&self, lines: &mut Rows, verdicts: &mut Rows, now: &mut Rows) {
        lines
            .add()
            .int(self.id)
            .int(1)
            .int(self.line_no)
            .int(self.byte_offset)
            .int(self.byte_len)
            .text(&self.row_id)
            .blob(&self.identity)
            .text("payment")
            .text("payment")
            .text(&self.provider_payment_id)
            .text("")
            .text(&self.merchant_reference)
            .int(self.gross)
            .int(self.fee)
            .int(self.net)
            .text("EUR")
            .int(self.gross)
            .text("EUR")
            .opt_int(Some(0))
            .opt_int(Some(0))
            .int(self.accounting_day)
            .int(1)
            .text("")
            .text("")
            .int(0);
        verdicts
            .add()
            .int(self.id)
            .int(1)
            .text(&self.verdict)
            .text(&self.rule)
            .int(1)
            .opt_int(self.intent_id)
            .opt_int(self.attempt_id)
            .text("receipts")
            .int(-self.gross)
            .text("EUR")
            .int(1)
            .text("")
            .text("file")
            .text("0000000000000000")
            .int(0);
        now.add()
            .int(self.id)
            .int(1)
            .int(1)
            .text(&self.verdict)
            .text(&self.rule)
            .opt_int(self.intent_id)
            .opt_int(self.attempt_id)
            .text("receipts")
            .int(-self.gross)
            .text("EUR");
    }
}
