//! The same bytes for a second provider account, on both databases: one of the two accounts is the wrong
//! one, as a rule, and only a person can say which.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/shop.rs"]
mod shop;

use domain::account::ProviderKind;
use engine::testing::both;
use shop::Shop;

const FILE: &str = "\
row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description
r1,fee,,,0.00,1.50,-1.50,EUR,2026-11-02T09:00:00Z,2026-11-03T00:00:00Z,,,
";

// By hand: one fee of 1.50 a time that the file counts.
#[test]
fn a_file_that_another_account_has_counts_only_once_somebody_says_so() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.add_account("second", ProviderKind::Generic, &[]).await;
        let first = shop.import_settlement("day.csv", FILE).await;
        assert_eq!(first.state, "USED");
        let held = shop.import_for("second", "copy.csv", FILE.as_bytes()).await;
        assert_eq!(held.state, "HELD");
        assert_eq!(held.held_because, ["same_file_in_other_account"]);
        let why = &held.held_messages[0];
        assert!(
            why.contains("used for account shop already, as day.csv"),
            "{why}"
        );
        let once = [("provider_clearing", -150), ("provider_fees", 150)];
        shop.expect_balances(&once).await;

        // The first account's own bytes again are nothing new.
        let again = shop.import_settlement("again.csv", FILE).await;
        assert!(again.known);
        shop.expect_balances(&once).await;

        let used = shop.accept(&held.file_id, "one file serves both").await;
        assert_eq!((used.state.as_str(), used.rows.accounted), ("USED", 1));
        shop.expect_balances(&[("provider_clearing", -300), ("provider_fees", 300)])
            .await;
        // Its days count as complete: nothing is missing in it.
        let covered = engine::sweep::covered_days(shop.engine.store.read().await.unwrap(), 2)
            .await
            .unwrap();
        assert_eq!(covered.len(), 1);
        shop.expect_verified().await;
    });
}
