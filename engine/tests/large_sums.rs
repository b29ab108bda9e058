//! Sums that 64 bits do not hold, on both databases: a file that would bring one is held with a reason,
//! nothing of it is booked, and every page shows what there is.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/shop.rs"]
mod shop;

use domain::{
    actor::{Actor, Role},
    time::Instant,
    view::{
        ledger::BalanceFilter,
        line::LineFilter,
        queue::{QueueFilter, QueueView},
    },
};
use engine::{sweep::sweep, testing::both, views};
use shop::Shop;
use std::fmt::Write as _;

const HEADER: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n";

/// The largest amount that a file may name.
const LARGEST: &str = "10000000000000.00";

/// Adjustments of the largest amount, all of one batch.
fn adjustments(from: usize, rows: usize) -> String {
    let mut file = HEADER.to_owned();
    for n in from..from + rows {
        writeln!(
            file,
            "r{n},adjustment,,,{LARGEST},0.00,{LARGEST},EUR,2026-11-02T09:00:00Z,2026-11-03T00:00:00Z,b1,,"
        )
        .unwrap();
    }
    file
}

fn viewer() -> Actor {
    Actor::Person {
        user_id: 1,
        email: "viewer@example.com".to_owned(),
        roles: [Role::Viewer].into(),
    }
}

// 9,300 times 10,000,000,000,000.00 is 93,000,000,000,000,000.00: in cents 9.3 million million million,
// where 64 bits end at 9.22.
#[test]
fn a_file_whose_batch_cannot_be_added_up_is_held_and_its_pages_show_it() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let held = shop
            .import_settlement("too-much.csv", &adjustments(1, 9_300))
            .await;
        assert_eq!(held.state, "HELD");
        assert_eq!(held.held_because, ["too_much_to_add_up"]);
        assert_eq!((held.rows.total, held.rows.held), (9_300, 9_300));
        assert_eq!(held.totals[0].net, "93000000000000000.00");
        shop.expect_balances(&[]).await;

        let page = views::file(&shop.engine, &viewer(), &held.file_id)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(page.totals[0].net.grouped(), "93,000,000,000,000,000.00");
        let why = &page.held[0].text;
        assert!(why.contains("wrong unit"), "{why}");
        assert!(why.contains("93,000,000,000,000,000.00 EUR"), "{why}");
        // Nothing that a person says makes it fit.
        assert!(page.accept.is_none());
        let refused = shop.try_accept(&held.file_id, "never mind").await;
        assert!(refused.contains("wrong unit"), "{refused}");
        let lines = views::lines(
            &shop.engine,
            &viewer(),
            &held.file_id,
            &LineFilter::default(),
        )
        .await
        .unwrap()
        .unwrap();
        assert_eq!(lines.totals[0].gross.grouped(), "93,000,000,000,000,000.00");
        shop.expect_verified().await;
    });
}

// Two files, each of 1,500 of the largest amount: what either books alone, 15,000,000,000,000,000.00 on
// each side, can be added up; together with the debits of the first, 1.5 million million million cents,
// the second's gross and net (3 million million million) go beyond the 4 that are booked at most.
#[test]
fn what_is_booked_already_counts_towards_what_can_be_added_up() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let used = shop
            .import_settlement("first.csv", &adjustments(1, 1_500))
            .await;
        assert_eq!(used.state, "USED", "{:?}", used.held_messages);
        let held = shop
            .import_settlement("second.csv", &adjustments(5_001, 1_500))
            .await;
        assert_eq!(held.held_because, ["too_much_to_add_up"]);
        shop.expect_balances(&[
            ("adjustments", -1_500_000_000_000_000_000),
            ("provider_clearing", 1_500_000_000_000_000_000),
        ])
        .await;
        let page = views::trial_balance(&shop.engine, &viewer(), &BalanceFilter::default())
            .await
            .unwrap();
        assert_eq!(page.blocks[0].debit.grouped(), "15,000,000,000,000,000.00");
        shop.expect_verified().await;
    });
}

// 9,300 payments of the largest amount of which nobody knows whether they took money.
#[test]
fn money_at_risk_beyond_64_bits_is_shown_as_it_is() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let mut payments = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code\n".to_owned();
        for n in 1..=9_300 {
            writeln!(
                payments,
                "i{n},order-{n},charge,{LARGEST},EUR,in,,2026-11-02T09:00:00Z,,a{n},1,shop,,,2026-11-02T09:00:01Z,,unknown,"
            )
            .unwrap();
        }
        let taken = shop.import_payments(&payments).await;
        assert_eq!(taken.attempts_new, 9_300);
        let now = Instant::parse_rfc3339("2026-11-04T08:00:00Z").unwrap();
        // A pass of the sweep opens five thousand cases at most.
        for _ in 0..2 {
            sweep(&shop.engine, now).await.unwrap();
        }
        let page = views::overview(&shop.engine, &viewer()).await.unwrap();
        let all = "93,000,000,000,000,000.00 EUR";
        assert_eq!(page.unknown.amounts[0].to_string(), all);
        assert_eq!(page.at_risk[0].amount.to_string(), all);
        let filter = QueueFilter {
            view: QueueView::All,
            ..QueueFilter::default()
        };
        let queue = views::queue(&shop.engine, &viewer(), &filter)
            .await
            .unwrap();
        assert_eq!(
            (queue.total, queue.totals[0].to_string()),
            (9_300, all.to_owned())
        );
    });
}
