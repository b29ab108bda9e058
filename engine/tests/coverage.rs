//! Which files count their days as complete, on both databases.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "support/shop.rs"]
mod shop;

use domain::{
    account::ProviderKind,
    cases::{Action, DecisionParams},
    time::Instant,
};
use engine::{sweep::sweep, testing::both};
use shop::Shop;

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,easy,i1,pi_1,2026-11-02T09:00:01Z,,succeeded,
i2,order-2,charge,50.00,EUR,in,c2,2026-11-02T09:05:00Z,,a2,1,easy,i2,pi_2,2026-11-02T09:05:01Z,,succeeded,
";

// The payment of 2 November is due with the file of Wednesday the 4th; 24 hours of grace end with the
// 5th. The file spans the 2nd to the 6th; its third row cannot be read, and may be what is missing.
const DAMAGED: &str = "\
row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description
r1,payment,pi_1,order-1,100.00,0.00,100.00,EUR,2026-11-02T09:00:02Z,2026-11-02T12:00:00Z,,,
r2,fee,,,0.00,0.50,-0.50,EUR,2026-11-06T00:00:00Z,2026-11-06T00:00:00Z,,,
r3,payment,pi_7,order-7,12.3.4,0.00,12.00,EUR,2026-11-03T09:30:02Z,2026-11-03T12:00:00Z,,,
";

async fn open(shop: &Shop, on_rejected: &str) {
    let set = [("on_rejected", on_rejected)];
    shop.add_account("easy", ProviderKind::Generic, &set).await;
    shop.import_payments(PAYMENTS).await;
}

async fn sweep_at(shop: &Shop, time: &str) {
    shop.clock.set(Instant::parse_rfc3339(time).unwrap());
    sweep(&shop.engine, shop.engine.now()).await.unwrap();
}

const NOT_YET: &str = "2026-11-05T23:59:59Z";
const DUE: &str = "2026-11-06T00:00:00Z";

#[test]
fn a_file_used_without_its_unreadable_rows_covers_no_day_whoever_accepted_that() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, _) = shop.people().await;
        open(&shop, "use_good").await;
        let used = shop
            .import_for("easy", "damaged.csv", DAMAGED.as_bytes())
            .await;
        assert_eq!((used.state.as_str(), used.rows.rejected), ("USED", 1));
        shop.expect_open_cases(&["rejected_rows"]).await;
        sweep_at(&shop, DUE).await;
        shop.expect_open_cases(&["rejected_rows"]).await;

        let case = shop.only_case().await;
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
        assert_eq!(
            (decided.case_state.as_str(), decided.work_account),
            ("RESOLVED", None)
        );
        sweep_at(&shop, DUE).await;
        shop.expect_open_cases(&[]).await;
        shop.expect_verified().await;
    });
}

#[test]
fn the_same_file_repaired_covers_its_days_and_only_then_is_a_settlement_missing() {
    both(async |store| {
        let shop = Shop::open(store).await;
        open(&shop, "use_good").await;
        shop.import_for("easy", "damaged.csv", DAMAGED.as_bytes())
            .await;
        let repaired = DAMAGED.replace("12.3.4", "12.00");
        let used = shop
            .import_for("easy", "repaired.csv", repaired.as_bytes())
            .await;
        assert_eq!((used.rows.repeated, used.rows.rejected), (2, 0));
        sweep_at(&shop, NOT_YET).await;
        // The damaged file's own case stays: it is not the repaired one's to close.
        shop.expect_open_cases(&["rejected_rows", "unexpected_settlement"])
            .await;
        sweep_at(&shop, DUE).await;
        shop.expect_open_cases(&[
            "missing_settlement",
            "rejected_rows",
            "unexpected_settlement",
        ])
        .await;
        shop.expect_verified().await;
    });
}

#[test]
fn a_held_file_that_a_person_accepted_without_its_rows_covers_no_day_either() {
    both(async |store| {
        let shop = Shop::open(store).await;
        open(&shop, "hold").await;
        let held = shop
            .import_for("easy", "damaged.csv", DAMAGED.as_bytes())
            .await;
        assert_eq!(held.state, "HELD");
        let used = shop.accept(&held.file_id, "row 3 is a test").await;
        assert_eq!(used.state, "USED");
        sweep_at(&shop, DUE).await;
        shop.expect_open_cases(&[]).await;
        shop.expect_verified().await;
    });
}

/// A fee row is a file of one day.
fn file_of(day: &str) -> String {
    let header = DAMAGED.lines().next().unwrap();
    format!("{header}\nr{day},fee,,,0.00,0.50,-0.50,EUR,{day}T00:00:00Z,{day}T00:00:00Z,,,\n")
}

/// The open cases: what each is about, and the days that it shows.
async fn gaps(shop: &Shop) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for id in shop.open_cases_by_id().await.into_keys() {
        let facts = shop.facts(&id).await;
        let days = facts.figures.iter().find(|(what, _)| what == "days");
        found.push((shop.subject(&id).await, days.unwrap().1.clone()));
    }
    found
}

// A file a day, to be here at its end. By hand, day after day:
//
// | On | Known | Asked |
// |---|---|---|
// | 4 | the 2nd is here | the 3rd |
// | 5 | | the same case: the 3rd to the 4th; dismissed |
// | 6 | | a new one: the 5th |
// | 7 | | the same: the 5th to the 6th |
// | 7 | the file of the 5th | the 6th: the 3rd and 4th stay dismissed |
// | 7 | the dismissal is taken back | the 3rd to the 4th, and the 6th |
// | 7 | the file of the 4th | the 3rd, and the 6th |
#[test]
fn a_gap_that_grows_is_one_case_and_the_days_that_a_person_dismissed_are_not_asked_about_again() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let at_once = [
            ("settlement_delay_days", "0"),
            ("grace_hours", "0"),
            ("late_arrival_days", "0"),
        ];
        shop.add_account("easy", ProviderKind::Generic, &at_once)
            .await;
        let (ana, ..) = shop.people().await;
        let gap = |first: &str, days: &str| {
            let day = |d: &str| format!("2026-11-0{d}");
            let days: Vec<String> = days.split(' ').map(day).collect();
            (format!("period:easy:{}", day(first)), days.join(" to "))
        };
        let bring = async |day: &str| {
            let (name, csv) = (format!("{day}.csv"), file_of(day));
            let file = shop.import_for("easy", &name, csv.as_bytes()).await;
            assert_eq!(file.state, "USED");
        };
        bring("2026-11-02").await;
        assert_eq!(gaps(&shop).await, [gap("3", "3")]);
        let case = shop.only_case().await;
        sweep_at(&shop, "2026-11-05T00:00:00Z").await;
        assert_eq!(gaps(&shop).await, [gap("3", "3 4")]);
        assert_eq!(shop.only_case().await, case);

        let nothing = DecisionParams::default;
        let dismissal = "dismissal-1";
        shop.decide(&ana, &case, dismissal, Action::Dismiss, nothing())
            .await
            .unwrap();
        for time in ["2026-11-05T00:00:00Z", "2026-11-05T23:59:59Z"] {
            sweep_at(&shop, time).await;
            assert_eq!(gaps(&shop).await, []);
        }
        // More becomes known of a day that was dismissed.
        shop.import_payments(&PAYMENTS.replace("11-02", "11-04"))
            .await;
        sweep_at(&shop, "2026-11-06T00:00:00Z").await;
        assert_eq!(gaps(&shop).await, [gap("5", "5")]);
        let second = shop.only_case().await;
        sweep_at(&shop, "2026-11-07T00:00:00Z").await;
        assert_eq!(gaps(&shop).await, [gap("5", "5 6")]);
        assert_eq!(shop.only_case().await, second);

        bring("2026-11-05").await;
        assert_eq!(gaps(&shop).await, [gap("6", "6")]);
        let undo = DecisionParams {
            decision: Some(dismissal.to_owned()),
            ..nothing()
        };
        shop.decide(&ana, &case, "undo-it-1", Action::ReverseDecision, undo)
            .await
            .unwrap();
        sweep_at(&shop, "2026-11-07T01:00:00Z").await;
        assert_eq!(gaps(&shop).await, [gap("3", "3 4"), gap("6", "6")]);
        bring("2026-11-04").await;
        assert_eq!(gaps(&shop).await, [gap("3", "3"), gap("6", "6")]);
        shop.expect_verified().await;
    });
}
