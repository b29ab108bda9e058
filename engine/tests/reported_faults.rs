//! Faults that others met and reported, each under its row of the fault catalogue, on both databases.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "support/shop.rs"]
mod shop;

use domain::{account::ProviderKind, actor::Actor, time::Instant};
use engine::{
    export::{Filter, Format, export_cases},
    ingest::{Accepted, accept_file, summary, work_account},
    sweep::sweep,
    testing::both,
    views,
};
use shop::Shop;
use std::fmt::Write as _;

const PAYMENTS: &str = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code\n";

const SETTLEMENT: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n";

/// CUR2: one path of a shop divided yen by a hundred, a hundredth was captured, and the booking showed as
/// paid. Here the amounts are compared: it goes to a person.
#[test]
fn a_hundredth_of_the_yen_that_were_due_is_a_conflict_and_not_paid() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.add_account("stripe", ProviderKind::Stripe, &[]).await;
        let row = |n: u32, account: &str| {
            format!(
                "i{n},order-{n},charge,9000,JPY,in,,2026-11-02T09:00:00Z,,a{n},1,{account},k{n},pi_{n},2026-11-02T09:00:01Z,,succeeded,\n"
            )
        };
        shop.import_payments(&format!("{PAYMENTS}{}{}", row(1, "shop"), row(2, "stripe")))
            .await;
        let ours = format!(
            "{SETTLEMENT}r1,payment,pi_1,order-1,90,0,90,JPY,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n"
        );
        shop.import_settlement("day.csv", &ours).await;
        let stripe = "balance_transaction_id,created_utc,available_on_utc,currency,gross,fee,net,reporting_category,payment_intent_id,description\n\
                      txn_2,2026-11-02 09:00:02,2026-11-03 00:00:00,jpy,90,0,90,charge,pi_2,\n";
        shop.import_for("stripe", "stripe.csv", stripe.as_bytes())
            .await;
        shop.expect_verdicts(&[("r1", "CONFLICT", "R1"), ("txn_2", "CONFLICT", "R1")])
            .await;
        shop.expect_open_cases(&["amount_mismatch", "amount_mismatch"])
            .await;
        // By hand: 90 yen came twice, and nobody knows yet what they pay.
        shop.expect_balances(&[("provider_clearing", 180), ("suspense", -180)])
            .await;
        let intent = views::intent(&shop.engine, &Actor::Operator, "i1")
            .await
            .unwrap()
            .unwrap();
        assert_eq!(intent.position.captured.minor, 0);
        shop.expect_verified().await;
    });
}

async fn sweep_at(shop: &Shop, time: &str) {
    shop.clock.set(Instant::parse_rfc3339(time).unwrap());
    sweep(&shop.engine, shop.engine.now()).await.unwrap();
}

/// A payment of Monday 2 November that the provider says succeeded, at an account of its own.
async fn open_with_t9(store: engine::Store) -> Shop {
    let shop = Shop::open(store).await;
    shop.add_account("easy", ProviderKind::Generic, &[]).await;
    let row = "i9,order-9,charge,50.00,EUR,in,,2026-11-02T09:00:00Z,,T9,1,easy,k9,pi_9,2026-11-02T09:00:01Z,,succeeded,\n";
    shop.import_payments(&format!("{PAYMENTS}{row}")).await;
    shop
}

/// FIL15: a provider says settled, and the table that it feeds lacks the row. It is due with the file of
/// Wednesday the 4th; 24 hours of grace end with the 5th.
#[test]
fn a_payment_whose_row_is_lacking_from_a_complete_file_is_listed_with_its_age() {
    both(async |store| {
        let shop = open_with_t9(store).await;
        let mut file = SETTLEMENT.to_owned();
        for day in ["02", "03", "04", "05", "06"] {
            let at = format!("2026-11-{day}T00:00:00Z");
            let _ = writeln!(file, "f{day},fee,,,0.00,0.50,-0.50,EUR,{at},{at},,,");
        }
        let used = shop.import_for("easy", "week.csv", file.as_bytes()).await;
        assert_eq!(used.state, "USED");
        sweep_at(&shop, "2026-11-05T23:59:59Z").await;
        shop.expect_open_cases(&[]).await;
        sweep_at(&shop, "2026-11-06T00:00:00Z").await;
        shop.expect_open_cases(&["missing_settlement"]).await;
        let (csv, rows) = export_cases(
            &shop.engine,
            &Actor::Operator,
            &Filter::default(),
            Format::Csv,
            Vec::new(),
        )
        .await
        .unwrap();
        assert_eq!(rows, 1);
        let csv = String::from_utf8(csv).unwrap();
        assert!(
            csv.contains("easy,EUR,50.00,i9,T9,2026-11-06T00:00:00Z,"),
            "{csv}"
        );
    });
}

/// FIL15: where whole days of the feed are lacking, the gap is told, and nothing is said of the payment.
#[test]
fn a_payment_whose_days_no_file_covers_is_a_gap_in_the_files_and_not_missing() {
    both(async |store| {
        let shop = open_with_t9(store).await;
        // The last file that came is that of Friday 30 October.
        let file = format!(
            "{SETTLEMENT}f30,fee,,,0.00,0.50,-0.50,EUR,2026-10-30T00:00:00Z,2026-10-30T00:00:00Z,,,\n"
        );
        shop.import_for("easy", "friday.csv", file.as_bytes()).await;
        sweep_at(&shop, "2026-11-20T00:00:00Z").await;
        shop.expect_open_cases(&["missing_file"]).await;
        let case = shop.only_case().await;
        let case =
            engine::storage::cases::by_public_id(shop.engine.store.read().await.unwrap(), &case)
                .await
                .unwrap()
                .unwrap();
        assert_eq!((case.at_risk, case.currency.as_str()), (5_000, "EUR"));
    });
}

/// FIL20: somebody asked for a switch that turns the check of a file's own total off. There is none: two
/// people say with a reason that the file is used all the same, and that stays to be seen.
#[test]
fn a_total_that_does_not_tie_is_overridden_by_two_people_with_reasons_that_stay_visible() {
    both(async |store| {
        let shop = Shop::open(store).await;
        // Not even the policy that uses files with rejected rows.
        let set = [("on_rejected", "use_good")];
        shop.add_account("easy", ProviderKind::Generic, &set).await;
        let (ana, ben, cleo) = shop.people().await;
        let mut file = SETTLEMENT.to_owned();
        for n in 1..=4 {
            let _ = writeln!(
                file,
                "r{n},payment,pi_{n},order-{n},10.00,0.00,10.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,"
            );
        }
        file += "TOTAL,,,,50.00,0.00,50.00,EUR,,,,,\n";
        let held = shop.import_for("easy", "four.csv", file.as_bytes()).await;
        assert_eq!(held.state, "HELD");
        assert_eq!(held.held_because, ["total_does_not_tie"]);

        let accept = async |who: &Actor, reason: &str| {
            accept_file(&shop.engine, who, &held.file_id, reason).await
        };
        assert!(accept(&ana, " ").await.is_err());
        let first = accept(&ana, "the bank miscounts").await.unwrap();
        assert_eq!(first, Accepted::NeedsSecond);
        for (who, why) in [(&ana, "again"), (&ben, "no approver")] {
            assert!(accept(who, why).await.is_err(), "{why}");
        }
        assert_eq!(summary(&shop.engine, 1, true).await.unwrap().state, "HELD");
        shop.expect_balances(&[]).await;
        let second = accept(&cleo, "the bank confirms it").await.unwrap();
        assert_eq!(second, Accepted::Posting);
        let account = shop.account("easy").await;
        work_account(&shop.ingest, account).await.unwrap();
        shop.expect_balances(&[("provider_clearing", 4_000), ("suspense", -4_000)])
            .await;

        let page = views::file(&shop.engine, &Actor::Operator, &held.file_id)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(page.file.state, domain::view::files::FileState::Used);
        assert_eq!(page.held[0].code, "total_does_not_tie");
        let told: Vec<(&str, &str)> = page
            .events
            .iter()
            .map(|e| (e.actor.as_str(), e.text.as_str()))
            .collect();
        for said in [
            ("ana@example.com", "Accepted as it is: the bank miscounts"),
            (
                "cleo@example.com",
                "Accepted as it is: the bank confirms it",
            ),
        ] {
            assert!(told.contains(&said), "{told:?}");
        }
        shop.expect_open_cases(&["unexpected_settlement"; 4]).await;
        shop.expect_verified().await;
    });
}
