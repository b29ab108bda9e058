//! How long it takes to seal a million settlement lines with their verdicts, in one thread.

use domain::seal::{
    Encoder, Secret, Text,
    merkle::Tree,
    records::{LineRecord, VerdictRecord},
};
use std::time::Instant;

const LINES: i64 = 1_000_000;

fn main() {
    let mut encoder = Encoder::new(Secret::new(&[3; 32]));
    let file = [1; 32];
    for (name, counterparty, description) in [
        ("with two texts", "A. Buyer", "Order 4711, two items"),
        ("without texts", "", ""),
    ] {
        let start = Instant::now();
        let mut tree = Tree::default();
        for line_no in 1..=LINES {
            tree.push(encoder.leaf(&LineRecord {
                provider: "stripe-eu",
                file: &file,
                line_no,
                byte_offset: line_no * 140,
                byte_len: 140,
                row_id: "txn_1Nkl2mExampleExample",
                identity: &[9; 16],
                kind: "payment",
                source_kind: "charge",
                provider_payment_id: "pi_3NqExampleExampleExample",
                modification_id: "",
                merchant_reference: "ORDER-000471100",
                gross: 10_000,
                fee: 320,
                net: 9_680,
                currency: "EUR",
                presented_amount: 10_000,
                presented_currency: "EUR",
                occurred_at: Some(1_764_000_000_000_000),
                settled_at: Some(1_764_100_000_000_000),
                accounting_day: 20_400,
                batch: "po_1NqExampleExampleExample",
                counterparty: Text::Plain(counterparty),
                description: Text::Plain(description),
                lossy_text: 0,
            }));
            tree.push(encoder.leaf(&VerdictRecord {
                provider: "stripe-eu",
                file: &file,
                line_no,
                seq: 1,
                verdict: "MATCHED",
                rule: "R1",
                policy_version: 1,
                intent: Some("intent-000000471100"),
                attempt: Some("attempt-000000471100"),
                contra: "receipts",
                contra_amount: -10_000,
                contra_currency: "EUR",
                detail: Text::Plain(""),
                cause_kind: "file",
                cause: "0101010101010101",
            }));
        }
        println!(
            "{} leaves {name}: {:.2} s, root {}",
            tree.count(),
            start.elapsed().as_secs_f64(),
            domain::seal::hex_of(&tree.root())
        );
    }
}
