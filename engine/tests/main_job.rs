//! The main job on both databases: payments and settlement files in, verdicts, entries and cases out.

#[path = "support/shop.rs"]
mod shop;

use domain::actor::Actor;
use engine::{
    ingest::{Accepted, accept_file, work_all},
    testing::both,
    views,
};
use shop::Shop;
use std::fmt::Write;

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,shop,i1,pi_1,2026-11-02T09:00:01Z,2026-11-02T09:00:02Z,succeeded,
i2,order-2,charge,50.00,EUR,in,c2,2026-11-02T09:05:00Z,,a2,1,shop,i2,,2026-11-02T09:05:01Z,,unknown,
i3,order-3,charge,80.00,EUR,in,c3,2026-11-02T09:10:00Z,,a3,1,shop,i3,pi_3,2026-11-02T09:10:01Z,,succeeded,
i4,order-4,charge,30.00,EUR,in,c4,2026-11-02T09:20:00Z,,a4,1,shop,i4,pi_4,2026-11-02T09:20:01Z,,rejected,card_declined
";

// Sale 100 fee 3.20; order 2 named by reference alone; order 3 eight short; order 4 failed, yet
// money came; 25.00 that nobody expected; a monthly fee; the payout of what is left:
// 96.80 + 48.50 + 70.00 + 29.00 + 24.00 - 0.50 = 267.80.
const SETTLEMENT: &str = "\
row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description
r1,payment,pi_1,order-1,100.00,3.20,96.80,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,
r2,payment,pi_2,order-2,50.00,1.50,48.50,EUR,2026-11-02T09:05:02Z,2026-11-03T00:00:00Z,b1,,
r3,payment,pi_3,order-3,72.00,2.00,70.00,EUR,2026-11-02T09:10:02Z,2026-11-03T00:00:00Z,b1,,
r4,payment,pi_4,order-4,30.00,1.00,29.00,EUR,2026-11-02T09:20:02Z,2026-11-03T00:00:00Z,b1,,
r5,payment,pi_9,order-9,25.00,1.00,24.00,EUR,2026-11-02T09:30:02Z,2026-11-03T00:00:00Z,b1,,
r6,fee,,,0.00,0.50,-0.50,EUR,2026-11-03T00:00:00Z,2026-11-03T00:00:00Z,b1,,monthly
r7,payout,,,-267.80,0.00,-267.80,EUR,2026-11-03T00:00:00Z,2026-11-03T00:00:00Z,b1,,
";

const VERDICTS: [(&str, &str, &str); 7] = [
    ("r1", "MATCHED", "R1"),
    ("r2", "MATCHED", "R2"),
    ("r3", "CONFLICT", "R1"),
    ("r4", "MATCHED", "R1"),
    ("r5", "UNMATCHED", "none"),
    ("r6", "ACCOUNTED", "kind"),
    ("r7", "ACCOUNTED", "kind"),
];

// By hand: receipts 100 + 50 + 30; suspense 72 + 25; fees 3.20 + 1.50 + 2 + 1 + 1 + 0.50.
const BALANCES: [(&str, i64); 5] = [
    ("payouts_in_transit", 26_780),
    ("provider_clearing", 0),
    ("provider_fees", 920),
    ("receipts", -18_000),
    ("suspense", -9_700),
];

const CASES: [&str; 3] = [
    "amount_mismatch",
    "settled_after_failure",
    "unexpected_settlement",
];

#[test]
fn a_file_is_matched_posted_and_its_rest_put_before_a_person() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let import = shop.import_payments(PAYMENTS).await;
        assert_eq!(
            (import.rows, import.intents_new, import.attempts_new),
            (4, 4, 4)
        );
        let summary = shop.import_settlement("day.csv", SETTLEMENT).await;
        assert_eq!(summary.state, "USED", "{summary:?}");
        assert_eq!(
            (
                summary.rows.total,
                summary.rows.used,
                summary.rows.accounted
            ),
            (7, 5, 2)
        );
        shop.expect_verdicts(&VERDICTS).await;
        shop.expect_balances(&BALANCES).await;
        shop.expect_open_cases(&CASES).await;
        shop.expect_verified().await;
    });
}

#[test]
fn the_order_in_which_payments_and_files_come_does_not_matter() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let summary = shop.import_settlement("day.csv", SETTLEMENT).await;
        assert_eq!(summary.verdicts["UNMATCHED"], 5);
        shop.import_payments(PAYMENTS).await;
        shop.expect_verdicts(&VERDICTS).await;
        shop.expect_balances(&BALANCES).await;
        shop.expect_open_cases(&CASES).await;
        shop.expect_verified().await;
    });
}

#[test]
fn the_same_file_and_the_same_payments_again_change_nothing() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(PAYMENTS).await;
        shop.import_settlement("day.csv", SETTLEMENT).await;
        let before = shop.everything().await;
        let again = shop.import_settlement("renamed.csv", SETTLEMENT).await;
        assert!(again.known);
        let import = shop.import_payments(PAYMENTS).await;
        assert_eq!(
            (
                import.unchanged,
                import.intents_new,
                import.attempts_updated
            ),
            (4, 0, 0)
        );
        assert_eq!(shop.everything().await, before);
        shop.expect_verified().await;
    });
}

#[test]
fn two_rows_equal_in_all_but_their_row_id_both_count() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let file = "\
row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description
r1,fee,,,0.00,5.00,-5.00,EUR,2026-11-03T00:00:00Z,2026-11-03T00:00:00Z,b1,,terminal
r2,fee,,,0.00,5.00,-5.00,EUR,2026-11-03T00:00:00Z,2026-11-03T00:00:00Z,b1,,terminal
";
        shop.import_settlement("fees.csv", file).await;
        shop.expect_balances(&[("provider_clearing", -1_000), ("provider_fees", 1_000)])
            .await;
        shop.expect_verified().await;
    });
}

#[test]
fn a_file_with_an_unreadable_last_row_posts_nothing_until_it_is_accepted() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(PAYMENTS).await;
        let file = format!(
            "{SETTLEMENT}r8,payment,pi_8,order-8,12.3.4,0.00,12.00,EUR,2026-11-02T09:30:02Z,,b1,,\n"
        );
        let summary = shop.import_settlement("day.csv", &file).await;
        assert_eq!(
            (
                summary.state.as_str(),
                summary.rows.held,
                summary.rows.rejected
            ),
            ("HELD", 7, 1)
        );
        assert_eq!(summary.held_because, ["rejected_rows"]);
        shop.expect_balances(&[]).await;
        shop.expect_open_cases(&["rejected_rows"]).await;
        let summary = shop
            .accept(&summary.file_id, "the provider says that row 8 is a test")
            .await;
        assert_eq!(
            (
                summary.state.as_str(),
                summary.rows.held,
                summary.rows.rejected
            ),
            ("USED", 0, 1)
        );
        shop.expect_balances(&BALANCES).await;
        shop.expect_open_cases(&CASES).await;
        shop.expect_verified().await;
    });
}

// The settled row brings 9.70; the payout row takes 9.00: the batch is 0.70 apart from zero.
const UNTIED: &str = "\
Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Batch Number
Shop,ShopNL,PSP1,order-1,visa,2026-11-02 09:00:02,UTC,Settled,MOD1,EUR,,10.00,1,EUR,,9.70,0.30,,,,7
Shop,ShopNL,,,,2026-11-03 00:00:00,UTC,MerchantPayout,TX1 batch 7,EUR,,,,EUR,9.00,,,,,,7
";

#[test]
fn a_total_that_does_not_tie_is_accepted_by_two_of_whom_the_second_may_approve() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.add_account("adyen", domain::account::ProviderKind::Adyen, &[])
            .await;
        let (analyst, other, approver) = shop.people().await;
        let summary = shop
            .import_for("adyen", "batch-7.csv", UNTIED.as_bytes())
            .await;
        assert_eq!(summary.held_because, ["total_does_not_tie"]);
        let accept = async |actor: &domain::actor::Actor| {
            engine::ingest::accept_file(&shop.engine, actor, &summary.file_id, "the rest follows")
                .await
        };
        assert_eq!(accept(&analyst).await.unwrap(), Accepted::NeedsSecond);
        for nobody in [&analyst, &other, &domain::actor::Actor::Operator] {
            assert!(accept(nobody).await.is_err(), "{nobody:?}");
        }
        shop.expect_balances(&[]).await;
        assert_eq!(accept(&approver).await.unwrap(), Accepted::Posting);
    });
}

/// Two rows that pay the same attempt, with `fees` rows between them.
#[allow(clippy::unwrap_used)] // a test ends where it fails
fn paid_twice(fees: u32) -> String {
    let header = SETTLEMENT.lines().next().unwrap();
    let day = "EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,";
    let mut csv = format!("{header}\np1,payment,pi_1,order-1,100.00,0.00,100.00,{day}\n");
    for n in 0..fees {
        writeln!(csv, "f{n},fee,,,0.00,0.01,-0.01,{day}").unwrap();
    }
    writeln!(csv, "p2,payment,pi_1,order-1,100.00,0.00,100.00,{day}").unwrap();
    csv
}

#[test]
fn a_second_row_for_a_payment_is_found_however_far_it_stands_from_the_first() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(PAYMENTS).await;
        let summary = shop
            .import_settlement("twice.csv", &paid_twice(10_010))
            .await;
        assert_eq!(summary.state, "USED", "{summary:?}");
        assert_eq!(summary.verdicts["MATCHED"], 1);
        assert_eq!(summary.verdicts["CONFLICT"], 1);
        assert_eq!(summary.verdicts["ACCOUNTED"], 10_010);
        shop.expect_open_cases(&["duplicate_settlement"]).await;
        // Both came in; 100.10 of fees went out; what came twice waits in suspense.
        shop.expect_balances(&[
            ("provider_clearing", 20_000 - 10_010),
            ("provider_fees", 10_010),
            ("receipts", -10_000),
            ("suspense", -10_000),
        ])
        .await;
        shop.expect_verified().await;
    });
}

#[test]
fn payments_that_are_partly_known_are_taken_over_once() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(PAYMENTS).await;
        let newer = PAYMENTS.replace(
            ",i2,,2026-11-02T09:05:01Z,,unknown,",
            ",i2,pi_2,2026-11-02T09:05:01Z,2026-11-02T09:06:00Z,succeeded,",
        );
        let more = format!(
            "{newer}i5,order-5,charge,5.00,EUR,in,c5,2026-11-02T09:30:00Z,,a5,1,shop,i5,pi_5,2026-11-02T09:30:01Z,,succeeded,\n"
        );
        let import = shop.import_payments(&more).await;
        assert_eq!(
            (
                import.rows,
                import.intents_new,
                import.attempts_new,
                import.attempts_updated,
                import.unchanged
            ),
            (5, 1, 1, 1, 3)
        );
        let again = shop.import_payments(&more).await;
        assert_eq!(
            (
                again.rows,
                again.intents_new,
                again.attempts_new,
                again.attempts_updated,
                again.unchanged
            ),
            (5, 0, 0, 0, 5)
        );
        shop.expect_verified().await;
    });
}

/// The first file's second row cannot be read; the repaired one brings both rows.
#[test]
fn a_held_file_that_is_accepted_after_its_repair_was_used_counts_nothing_twice() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(PAYMENTS).await;
        let header = SETTLEMENT.lines().next().unwrap_or_default();
        let day = "EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,";
        let first = format!("{header}\nr1,payment,pi_1,order-1,100.00,3.20,96.80,{day}\n");
        let broken = format!("{first}r5,payment,pi_9,order-9,25.O0,1.00,24.00,{day}\n");
        let repaired = format!("{first}r5,payment,pi_9,order-9,25.00,1.00,24.00,{day}\n");

        let held = shop.import_settlement("broken.csv", &broken).await;
        assert_eq!(held.state, "HELD");
        let used = shop.import_settlement("repaired.csv", &repaired).await;
        assert_eq!(used.state, "USED");
        // By hand: 100.00 received, 25.00 that nobody expected, 4.20 of fees.
        let balances = [
            ("provider_clearing", 12_080),
            ("provider_fees", 420),
            ("receipts", -10_000),
            ("suspense", -2_500),
        ];
        shop.expect_balances(&balances).await;

        let accepted = shop.accept(&held.file_id, "the rest came repaired").await;
        assert_eq!(accepted.state, "USED", "{accepted:?}");
        assert_eq!(
            (
                accepted.rows.used,
                accepted.rows.repeated,
                accepted.rows.rejected
            ),
            (0, 1, 1)
        );
        shop.expect_balances(&balances).await;
        shop.expect_verified().await;
    });
}

// Two held files give row r1 other figures, 100.00 and 90.00. Both are accepted before either is
// posted: the first counts, the second is held again.
#[test]
fn of_two_held_files_accepted_together_the_second_is_held_again_where_it_says_otherwise() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(PAYMENTS).await;
        let header = SETTLEMENT.lines().next().unwrap_or_default();
        let day = "EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,";
        let bad = format!("r5,payment,pi_9,order-9,25.O0,1.00,24.00,{day}\n");
        let first = format!("{header}\nr1,payment,pi_1,order-1,100.00,3.20,96.80,{day}\n{bad}");
        let second = format!("{header}\nr1,payment,pi_1,order-1,90.00,3.20,86.80,{day}\n{bad}");
        let first = shop.import_settlement("first.csv", &first).await.file_id;
        let second = shop.import_settlement("second.csv", &second).await.file_id;
        for file in [&first, &second] {
            accept_file(&shop.engine, &Actor::Operator, file, "both at once")
                .await
                .unwrap();
        }
        work_all(&shop.ingest).await.unwrap();
        let state = async |file: &str| {
            let auditor = Actor::Operator;
            let page = views::file(&shop.engine, &auditor, file).await.unwrap();
            page.unwrap().file.state.to_string()
        };
        assert_eq!(state(&first).await, "USED");
        assert_eq!(state(&second).await, "HELD");
        let refused = shop.try_accept(&second, "again").await;
        assert!(refused.contains("other figures"), "{refused}");
        shop.expect_balances(&[
            ("provider_clearing", 9_680),
            ("provider_fees", 320),
            ("receipts", -10_000),
        ])
        .await;
        shop.expect_verified().await;
    });
}

#[test]
fn a_held_file_is_not_accepted_once_its_rows_came_with_other_figures() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(PAYMENTS).await;
        let header = SETTLEMENT.lines().next().unwrap_or_default();
        let day = "EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,";
        let broken = format!(
            "{header}\nr1,payment,pi_1,order-1,90.00,3.20,86.80,{day}\nr5,payment,pi_9,order-9,25.O0,1.00,24.00,{day}\n"
        );
        let other = format!("{header}\nr1,payment,pi_1,order-1,100.00,3.20,96.80,{day}\n");
        let held = shop.import_settlement("broken.csv", &broken).await;
        shop.import_settlement("other.csv", &other).await;
        let refused = shop.try_accept(&held.file_id, "in a hurry").await;
        assert!(
            refused.contains("rows of it with other figures (lines 2)"),
            "{refused}"
        );
        shop.expect_balances(&[
            ("provider_clearing", 9_680),
            ("provider_fees", 320),
            ("receipts", -10_000),
        ])
        .await;
    });
}
