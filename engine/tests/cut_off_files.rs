//! Settlement files that end in the middle of a row, on both databases: what could be read is shown, and
//! used once somebody accepts that.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/shop.rs"]
mod shop;

use domain::{
    account::ProviderKind,
    actor::Actor,
    cases::{Action, DecisionParams},
};
use engine::{
    export::{Filter, Format, export_matches},
    testing::both,
    views,
};
use shop::Shop;

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,shop,i1,pi_1,2026-11-02T09:00:01Z,,succeeded,
i2,order-2,charge,50.00,EUR,in,c2,2026-11-02T09:05:00Z,,a2,1,shop,i2,pi_2,2026-11-02T09:05:01Z,,succeeded,
";

const HEADER: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n";
const GOOD: &str = "\
r1,payment,pi_1,order-1,100.00,3.20,96.80,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,
r2,fee,,,0.00,0.50,-0.50,EUR,2026-11-03T00:00:00Z,2026-11-03T00:00:00Z,,,
";

/// A quote opens on line 4 and takes in lines 5 and 6.
fn file_with_an_open_quote() -> String {
    format!(
        "{HEADER}{GOOD}\
         r3,payment,pi_2,order-2,50.00,1.50,48.50,EUR,2026-11-02T09:05:02Z,2026-11-03T00:00:00Z,,,\"see note\n\
         r4,fee,,,0.00,0.10,-0.10,EUR,2026-11-03T00:00:00Z,2026-11-03T00:00:00Z,,,\n\
         r5,fee,,,0.00,0.10,-0.10,EUR,2026-11-03T00:00:00Z,2026-11-03T00:00:00Z,,,\n"
    )
}

/// Line, row id and verdict of each row of the export.
async fn exported(shop: &Shop) -> Vec<String> {
    let everything = Filter::default();
    let (csv, _) = export_matches(
        &shop.engine,
        &Actor::Operator,
        &everything,
        Format::Csv,
        Vec::new(),
    )
    .await
    .unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        format!("{} {} {}", cells[1], cells[2], cells[9])
    };
    let csv = String::from_utf8(csv).unwrap();
    csv.lines().skip(1).map(row).collect()
}

/// FIL2: of a file that breaks off, nothing is used before somebody says so, and nothing is lost.
#[test]
fn the_rows_before_an_open_quote_are_shown_and_used_once_the_file_is_accepted() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(PAYMENTS).await;
        let held = shop
            .import_settlement("day.csv", &file_with_an_open_quote())
            .await;
        assert_eq!(held.state, "HELD");
        assert_eq!(held.held_because, ["cut_off"]);
        assert_eq!((held.rows.held, held.rows.rejected), (2, 1));
        assert_eq!(
            exported(&shop).await,
            ["2 r1 HELD", "3 r2 HELD", "4 r3 REJECTED"]
        );
        shop.expect_balances(&[]).await;
        shop.expect_open_cases(&["rejected_rows"]).await;
        shop.expect_verified().await;

        let page = views::file(&shop.engine, &Actor::Operator, &held.file_id)
            .await
            .unwrap()
            .unwrap();
        let why = "line 4: description \"see note\\nr4,fee,,,0.00,0.10,-0.10,EUR,20\" opens a quote on line 4 that is \
                   never closed, so that everything from there to the end of the file on line 6 is in this one row";
        assert!(
            page.held[0].text.starts_with(why),
            "{:?}",
            page.held[0].text
        );
        let row = &page.rejected[0];
        assert_eq!(
            (row.line_no, &*row.row_id, &*row.column),
            (4, "r3", "description")
        );
        assert!(page.accept.is_some());

        let used = shop.accept(&held.file_id, "the rest is on paper").await;
        assert_eq!((used.state.as_str(), used.rows.rejected), ("USED", 1));
        assert_eq!(
            exported(&shop).await,
            ["2 r1 MATCHED", "3 r2 ACCOUNTED", "4 r3 REJECTED"]
        );
        // By hand: 96.80 less 0.50 is 96.30 in clearing, 3.20 and 0.50 are 3.70 of fees.
        shop.expect_balances(&[
            ("provider_clearing", 9_630),
            ("provider_fees", 370),
            ("receipts", -10_000),
        ])
        .await;
        shop.expect_open_cases(&[]).await;
        shop.expect_verified().await;

        // The whole file, repaired: what was used counts once, and the rest comes with it. By hand:
        // 96.30 and 48.30 are 144.60, 3.70 and 1.70 are 5.40.
        let whole = file_with_an_open_quote().replace('"', "");
        let repaired = shop.import_settlement("day-2.csv", &whole).await;
        assert_eq!(
            (repaired.state.as_str(), repaired.rows.repeated),
            ("USED", 2)
        );
        shop.expect_balances(&[
            ("provider_clearing", 14_460),
            ("provider_fees", 540),
            ("receipts", -15_000),
        ])
        .await;
        shop.expect_verified().await;
    });
}

#[test]
fn a_file_that_is_cut_off_waits_for_a_person_where_other_rejected_rows_would_not() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let set = [("on_rejected", "use_good")];
        shop.add_account("easy", ProviderKind::Generic, &set).await;
        let (analyst, _, _) = shop.people().await;
        let bad = "r0,fee,,,0.00,x,-0.50,EUR,2026-11-03T00:00:00Z,,,,\n";
        let file = format!("{HEADER}{bad}{GOOD}r3,payment,pi_2,\"order");
        let held = shop.import_for("easy", "day.csv", file.as_bytes()).await;
        assert_eq!(held.state, "HELD");
        assert_eq!(held.held_because, ["cut_off"]);
        assert_eq!((held.rows.held, held.rows.rejected), (2, 2));

        // The case of its rejected rows is one way to accept it.
        let case = shop.only_case().await;
        assert_eq!(shop.kind(&case).await, "rejected_rows");
        let decided = shop
            .decide(
                &analyst,
                &case,
                "d-accept-rows",
                Action::AcceptRows,
                DecisionParams::default(),
            )
            .await
            .unwrap();
        assert_eq!(decided.case_state, "RESOLVED");
        let account = decided.work_account.unwrap();
        engine::ingest::work_account(&shop.ingest, account)
            .await
            .unwrap();
        assert_eq!(
            exported(&shop).await,
            [
                "2 r0 REJECTED",
                "3 r1 UNMATCHED",
                "4 r2 ACCOUNTED",
                "5 r3 REJECTED"
            ]
        );
        shop.expect_verified().await;
    });
}

#[test]
fn a_file_that_is_cut_off_in_a_longer_rest_than_is_ever_held_in_memory_reads_the_same_twice() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let rest = "x,payment,\n".repeat(200_000);
        let file = format!("{HEADER}{GOOD}r3,payment,\"{rest}");
        let held = shop.import_settlement("long.csv", &file).await;
        assert_eq!(held.held_because, ["cut_off"]);
        assert_eq!((held.rows.held, held.rows.rejected), (2, 1));
        let used = shop.accept(&held.file_id, "the rest is on paper").await;
        assert_eq!(used.state, "USED");
        assert_eq!(exported(&shop).await.len(), 3);
        shop.expect_verified().await;
    });
}
