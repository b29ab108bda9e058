//! Rejected rows go out to be repaired and come back, on both databases: no spreadsheet runs a cell of
//! theirs, and every value comes back as the provider wrote it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/shop.rs"]
mod shop;

use domain::actor::Actor;
use engine::{export::export_rejected_rows, testing::both};
use shop::Shop;

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i2,+49-order,charge,50.00,EUR,in,c2,2026-11-02T09:05:00Z,,a2,1,shop,i2,=pi_2,2026-11-02T09:05:01Z,,succeeded,
";

const HEADER: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description";

async fn rejected_rows(shop: &Shop, file: &str) -> String {
    let mut out = Vec::new();
    let evidence = &shop.ingest.evidence;
    let found = export_rejected_rows(&shop.engine, &Actor::Operator, evidence, file, &mut out)
        .await
        .unwrap();
    assert!(found);
    String::from_utf8(out).unwrap()
}

/// EXP1, EXP2
#[test]
fn a_rejected_row_runs_nothing_in_a_spreadsheet_and_comes_back_as_it_was() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(PAYMENTS).await;
        let file = format!(
            "{HEADER}\n\
             r2,payment,=pi_2,+49-order,50.00,1.50x,48.50,EUR,2026-11-02T09:05:02Z,2026-11-03T00:00:00Z,,@home,\"=cmd|'/c calc'!A0, \"\"x\"\"\"\n\
             r3,adjustment,,,-3.00,0.00,-3.0x,EUR,2026-11-03T00:00:00Z,2026-11-03T00:00:00Z,,,-\n"
        );
        let held = shop.import_settlement("day.csv", &file).await;
        assert_eq!((held.state.as_str(), held.rows.rejected), ("HELD", 2));
        let out = rejected_rows(&shop, &held.file_id).await;
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[0], format!("what_is_wrong,{HEADER}"));
        // Texts are guarded, numbers stay numbers, and the quotes stay where they were.
        assert!(lines[1].starts_with("\"line 2, fee: "), "{}", lines[1]);
        assert!(
            lines[1].ends_with(
                ",r2,payment,'=pi_2,'+49-order,50.00,1.50x,48.50,EUR,2026-11-02T09:05:02Z,2026-11-03T00:00:00Z,,'@home,\"'=cmd|'/c calc'!A0, \"\"x\"\"\""
            ),
            "{}",
            lines[1]
        );
        assert!(
            lines[2].ends_with(",r3,adjustment,,,-3.00,0.00,'-3.0x,EUR,2026-11-03T00:00:00Z,2026-11-03T00:00:00Z,,,'-"),
            "{}",
            lines[2]
        );

        // Repaired in part: what goes out again is guarded once, and says once what is wrong.
        let half = out.replace("1.50x", "1.50y");
        let half = shop.import_settlement("half.csv", &half).await;
        assert_eq!(half.rows.rejected, 2);
        let again = rejected_rows(&shop, &half.file_id).await;
        assert_eq!(again.lines().next(), Some(lines[0]));
        assert!(
            again.contains(",r2,payment,'=pi_2,'+49-order,50.00,1.50y,"),
            "{again}"
        );

        // By hand: 48.50 less 3.00 is 45.50 in clearing; 1.50 of fees; 50.00 received; 3.00 of adjustment
        // is left.
        let repaired = again.replace("1.50y", "1.50").replace("-3.0x", "-3.00");
        let used = shop.import_settlement("repaired.csv", &repaired).await;
        assert_eq!((used.state.as_str(), used.rows.rejected), ("USED", 0));
        // The id and the reference are those of the payment: both came back as they were.
        shop.expect_verdicts(&[("r2", "MATCHED", "R1"), ("r3", "ACCOUNTED", "kind")])
            .await;
        shop.expect_verified().await;
    });
}
