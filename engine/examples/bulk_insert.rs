//! How long a million settlement lines take to write, their two indexes included and synced:
//! `cargo run --release -p engine --example bulk_insert -- URL`, an empty database.

use engine::{
    Store,
    storage::{ColumnType, Rows, StorageError},
};
use std::time::Instant;

const LINES: i64 = 1_000_000;
const LINES_A_COMMIT: i64 = 100_000;
const COLUMNS: &[(&str, ColumnType)] = &[
    ("id", ColumnType::Int),
    ("file_id", ColumnType::Int),
    ("line_no", ColumnType::Int),
    ("byte_offset", ColumnType::Int),
    ("byte_len", ColumnType::Int),
    ("row_id", ColumnType::Text),
    ("identity", ColumnType::Blob),
    ("kind", ColumnType::Text),
    ("source_kind", ColumnType::Text),
    ("provider_payment_id", ColumnType::Text),
    ("modification_id", ColumnType::Text),
    ("merchant_reference", ColumnType::Text),
    ("gross", ColumnType::Int),
    ("fee", ColumnType::Int),
    ("net", ColumnType::Int),
    ("currency", ColumnType::Text),
    ("presented_amount", ColumnType::Int),
    ("presented_currency", ColumnType::Text),
    ("occurred_at", ColumnType::Int),
    ("settled_at", ColumnType::Int),
    ("accounting_day", ColumnType::Int),
    ("batch_id", ColumnType::Int),
    ("counterparty", ColumnType::Text),
    ("description", ColumnType::Text),
    ("lossy_text", ColumnType::Int),
];

#[tokio::main]
async fn main() -> Result<(), StorageError> {
    let url = std::env::args().nth(1).unwrap_or_default();
    let store = Store::open(&url).await?;
    store.migrate().await?;
    let mut tx = store.begin().await?;
    prepare(&mut tx).await?;
    tx.commit().await?;
    let start = Instant::now();
    let mut rows = Rows::new("line", COLUMNS);
    for first in (0..LINES).step_by(usize::try_from(LINES_A_COMMIT).unwrap_or(1)) {
        let mut tx = store.begin().await?;
        for n in first..first + LINES_A_COMMIT {
            add(&mut rows, n);
            if rows.len() == 10_000 {
                rows.insert_into(&mut tx, "line").await?;
                rows.clear();
            }
        }
        tx.commit().await?;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{LINES} lines into {:?} in {seconds:.2} s", store.backend());
    Ok(())
}

async fn prepare(tx: &mut engine::storage::Tx) -> Result<(), StorageError> {
    let mut account = Rows::new(
        "provider_account",
        &[
            ("id", ColumnType::Int),
            ("name", ColumnType::Text),
            ("kind", ColumnType::Text),
            ("zone", ColumnType::Text),
            ("created_at", ColumnType::Int),
        ],
    );
    account
        .add()
        .int(1)
        .text("stripe-eu")
        .text("stripe")
        .text("UTC")
        .int(0);
    account.insert_into(tx, "provider_account").await?;
    let mut file = Rows::new(
        "settlement_file",
        &[
            ("id", ColumnType::Int),
            ("public_id", ColumnType::Text),
            ("account_id", ColumnType::Int),
            ("sha256", ColumnType::Blob),
            ("bytes", ColumnType::Int),
            ("name", ColumnType::Text),
            ("received_at", ColumnType::Int),
            ("received_by", ColumnType::Text),
        ],
    );
    file.add()
        .int(1)
        .text("f")
        .int(1)
        .blob(&[0; 32])
        .int(1)
        .text("po.csv")
        .int(0)
        .text("operator");
    file.insert_into(tx, "settlement_file").await
}

fn add(rows: &mut Rows, n: i64) {
    // Spread like a hash, as identities are.
    let spread =
        u128::from(n.unsigned_abs()).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
    let amount = 1_000 + n % 9_999;
    rows.add()
        .int(n + 1)
        .int(1)
        .int(n + 2)
        .int(n * 150)
        .int(149)
        .text(&format!("txn_{n:012}"))
        .blob(&spread.to_be_bytes())
        .text("payment")
        .text("charge")
        .text(&format!("pi_{:024x}", spread >> 40))
        .text("")
        .text(&format!("ORD-2026-{n:09}"))
        .int(amount)
        .int(30)
        .int(amount - 30)
        .text("EUR")
        .int(amount)
        .text("EUR")
        .int(1_780_000_000_000_000 + n)
        .opt_int(Some(1_780_086_400_000_000))
        .int(20_500)
        .int(1)
        .text("")
        .text("Payment for order")
        .int(0);
}
