//! Rejected rows go out to be repaired and come back, on both databases: no spreadsheet runs a cell of
//! theirs, and every value comes back as the provider wrote it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/shop.rs"]
mod shop;

use domain::actor::Actor;
use engine::{export::export_rejected_rows, ingest::Summary, testing::both};
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

fn rent(net: &str) -> String {
    format!(",adjustment,,,-3.00,0.00,{net},EUR,2026-11-03T00:00:00Z,2026-11-03T00:00:00Z,,,Rent\n")
}

/// Three rents of 3.00 that nothing tells apart; two cannot be read.
async fn three_rents(shop: &Shop) -> Summary {
    let file = [HEADER, "\n", &rent("-3.00"), &rent("-3.0x"), &rent("-3.0y")].concat();
    let held = shop.import_settlement("day.csv", &file).await;
    assert_eq!((held.state.as_str(), held.rows.rejected), ("HELD", 2));
    held
}

async fn expect_rents(shop: &Shop, minor: i64) {
    shop.expect_balances(&[("adjustments", minor), ("provider_clearing", -minor)])
        .await;
}

// By hand: each rent is 3.00 once, in whichever order the held file and its repaired rows are used.
#[test]
fn repaired_rows_without_an_id_are_further_ones_and_not_the_first_again() {
    for held_first in [true, false] {
        both(async |store| {
            let shop = Shop::open(store).await;
            let held = three_rents(&shop).await;
            let repaired = rejected_rows(&shop, &held.file_id)
                .await
                .replace("-3.0x", "-3.00")
                .replace("-3.0y", "-3.00");
            if held_first {
                shop.accept(&held.file_id, "the others come repaired").await;
                expect_rents(&shop, 300).await;
            }
            let used = shop.import_settlement("repaired.csv", &repaired).await;
            assert_eq!((used.state.as_str(), used.rows.accounted), ("USED", 2));
            if !held_first {
                expect_rents(&shop, 600).await;
                shop.accept(&held.file_id, "the others came repaired").await;
            }
            expect_rents(&shop, 900).await;

            // The whole file, repaired, is the same three rows.
            let whole = [HEADER, "\n", &rent("-3.00"), &rent("-3.00"), &rent("-3.00")].concat();
            let again = shop.import_settlement("whole.csv", &whole).await;
            assert_eq!((again.state.as_str(), again.rows.repeated), ("USED", 3));
            expect_rents(&shop, 900).await;
            shop.expect_verified().await;
        });
    }
}

#[test]
fn rows_that_are_repaired_in_two_rounds_keep_their_place() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let held = three_rents(&shop).await;
        let first = rejected_rows(&shop, &held.file_id).await;
        let half = shop
            .import_settlement("half.csv", &first.replace("-3.0x", "-3.00"))
            .await;
        assert_eq!((half.state.as_str(), half.rows.rejected), ("HELD", 1));
        let second = rejected_rows(&shop, &half.file_id).await;
        let rest = shop
            .import_settlement("rest.csv", &second.replace("-3.0y", "-3.00"))
            .await;
        assert_eq!((rest.state.as_str(), rest.rows.accounted), ("USED", 1));
        expect_rents(&shop, 300).await;
        for file in [&half.file_id, &held.file_id] {
            shop.accept(file, "the others came repaired").await;
        }
        expect_rents(&shop, 900).await;
        shop.expect_verified().await;
    });
}

// Alone, the row of line 4 would be the second rent of its file, and after it that of line 3 as well.
#[test]
fn a_repaired_row_whose_place_is_not_known_is_rejected_and_says_what_to_do() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let held = three_rents(&shop).await;
        let all = rejected_rows(&shop, &held.file_id).await;
        let all = all.replace("-3.0x", "-3.00").replace("-3.0y", "-3.00");
        let lines: Vec<&str> = all.lines().collect();
        let place = |line: &str| line.split(" [line").next().unwrap().to_owned();
        let unmarked = format!("{}\",{}", place(lines[1]), rent("-3.00"));
        for (name, rows) in [
            ("alone.csv", vec![lines[2]]),
            ("twice.csv", vec![lines[1], lines[2], lines[2]]),
            ("unmarked.csv", vec![unmarked.trim_end()]),
        ] {
            let file = format!("{}\n{}\n", lines[0], rows.join("\n"));
            let refused = shop.import_settlement(name, &file).await;
            let count = rows.len() as u64;
            assert_eq!(
                (refused.state.as_str(), refused.rows.rejected),
                ("HELD", count)
            );
            let again = rejected_rows(&shop, &refused.file_id).await;
            assert!(again.contains("download the rejected rows"), "{again}");
            // Out once more from here, they know their place no better.
            let again = shop
                .import_settlement(&format!("again-{name}"), &again)
                .await;
            assert_eq!((again.state.as_str(), again.rows.rejected), ("HELD", count));
        }
        shop.expect_balances(&[]).await;
    });
}
