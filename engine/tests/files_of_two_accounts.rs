//! The same bytes for a second provider account, on both databases: they count once, and only a person can
//! say for which.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/shop.rs"]
mod shop;

use domain::{account::ProviderKind, actor::Actor};
use engine::{
    ingest::{hold_again, put_away, work_account},
    testing::both,
};
use shop::Shop;

const FILE: &str = "\
row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description
r1,fee,,,0.00,1.50,-1.50,EUR,2026-11-02T09:00:00Z,2026-11-03T00:00:00Z,,,
";

// By hand: one fee of 1.50, whatever is tried.
#[test]
fn a_file_that_another_account_has_counts_once() {
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

        let refused = shop.try_accept(&held.file_id, "one file serves both").await;
        assert!(
            refused.contains("was used for account shop, as day.csv, and counts once"),
            "{refused}"
        );
        shop.expect_balances(&once).await;
        shop.expect_verified().await;
    });
}

// Held in both, since a row of it cannot be read. By hand: one fee of 1.50 in the account that was right;
// the other's cannot be used behind it.
#[test]
fn of_two_that_are_held_one_is_put_away_before_the_other_counts() {
    let file = format!("{FILE}r2,fee,,,x,,,EUR,2026-11-02T09:00:00Z,,,,\n");
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.add_account("second", ProviderKind::Generic, &[]).await;
        let wrong = shop.import_settlement("day.csv", &file).await;
        let right = shop.import_for("second", "day.csv", file.as_bytes()).await;
        assert_eq!(
            (wrong.state.as_str(), right.state.as_str()),
            ("HELD", "HELD")
        );
        for held in [&wrong, &right] {
            let refused = shop.try_accept(&held.file_id, "used without r2").await;
            assert!(refused.contains("put one of the two away"), "{refused}");
        }
        let operator = Actor::Operator;
        put_away(&shop.engine, &operator, &wrong.file_id, "other account")
            .await
            .unwrap();
        let used = shop.accept(&right.file_id, "used without r2").await;
        assert_eq!((used.state.as_str(), used.rows.accounted), ("USED", 1));
        hold_again(&shop.engine, &operator, &wrong.file_id, "looked at again")
            .await
            .unwrap();
        let refused = shop.try_accept(&wrong.file_id, "both").await;
        assert!(refused.contains("was used for account second"), "{refused}");
        shop.expect_balances(&[("provider_clearing", -150), ("provider_fees", 150)])
            .await;
        shop.expect_verified().await;
    });
}

// Nothing of it could be read where it came first, so nothing stands in its way where it belongs.
#[test]
fn a_file_of_which_the_wrong_account_could_read_nothing_is_used_by_the_right_one() {
    const STRIPE: &[u8] = include_bytes!("../../domain/tests/fixtures/stripe/payouts.csv");
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.add_account("stripe", ProviderKind::Stripe, &[]).await;
        shop.add_account("adyen", ProviderKind::Adyen, &[]).await;
        let wrong = shop.import_for("adyen", "payouts.csv", STRIPE).await;
        assert_eq!(wrong.held_because, ["wrong_provider"]);
        let right = shop.import_for("stripe", "payouts.csv", STRIPE).await;
        assert_eq!(right.held_because, Vec::<String>::new());
        assert_eq!(right.state, "USED");
        shop.expect_verified().await;
    });
}

// Held where it restates a row, and in the other account only because it is here. By hand: 1.50 of the
// first file, and 2.00 in the other account once this one is put away.
#[test]
fn what_waited_only_for_its_twin_is_used_when_that_one_is_put_away() {
    let other_figures = FILE.replace("1.50", "2.00");
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.add_account("second", ProviderKind::Generic, &[]).await;
        shop.import_settlement("first.csv", FILE).await;
        let wrong = shop.import_settlement("day.csv", &other_figures).await;
        assert_eq!(wrong.held_because, ["restates_used_rows"]);
        let bytes = other_figures.as_bytes();
        let right = shop.import_for("second", "day.csv", bytes).await;
        assert_eq!(right.held_because, ["same_file_in_other_account"]);
        put_away(
            &shop.engine,
            &Actor::Operator,
            &wrong.file_id,
            "other account",
        )
        .await
        .unwrap();
        let account = shop.account("second").await;
        work_account(&shop.ingest, account).await.unwrap();
        let again = shop.import_for("second", "day.csv", bytes).await;
        assert_eq!((again.known, again.state.as_str()), (true, "USED"));
        shop.expect_balances(&[("provider_clearing", -350), ("provider_fees", 350)])
            .await;
        shop.expect_verified().await;
    });
}

// As above, but the other account's row came with 3.00 meanwhile: those figures stand, and a person is
// asked. By hand: 1.50 and 3.00.
#[test]
fn a_twin_whose_rows_came_with_other_figures_meanwhile_is_asked_about() {
    let other_figures = FILE.replace("1.50", "2.00");
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.add_account("second", ProviderKind::Generic, &[]).await;
        shop.import_settlement("first.csv", FILE).await;
        let wrong = shop.import_settlement("day.csv", &other_figures).await;
        let bytes = other_figures.as_bytes();
        let twin = shop.import_for("second", "day.csv", bytes).await;
        assert_eq!(twin.held_because, ["same_file_in_other_account"]);
        let meanwhile = FILE.replace("1.50", "3.00");
        let used = shop.import_for("second", "new.csv", meanwhile.as_bytes());
        assert_eq!(used.await.state, "USED");
        let operator = Actor::Operator;
        put_away(&shop.engine, &operator, &wrong.file_id, "other account")
            .await
            .unwrap();
        let account = shop.account("second").await;
        work_account(&shop.ingest, account).await.unwrap();
        let again = shop.import_for("second", "day.csv", bytes).await;
        assert_eq!(again.state, "HELD");
        assert!(again.held_because.iter().any(|h| h == "restates_used_rows"));
        shop.expect_balances(&[("provider_clearing", -450), ("provider_fees", 450)])
            .await;
        shop.expect_verified().await;
    });
}

// A row cannot be read, in either account. While both wait, one case asks about it; with the wrong one put
// away it is the right account's, and closes when the file is used there.
#[test]
fn once_the_wrong_one_is_put_away_the_case_of_its_rows_is_the_right_account_s() {
    let file = format!("{FILE}r2,fee,,,x,,,EUR,2026-11-02T09:00:00Z,,,,\n");
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.add_account("second", ProviderKind::Generic, &[]).await;
        let wrong = shop.import_settlement("day.csv", &file).await;
        let right = shop.import_for("second", "day.csv", file.as_bytes()).await;
        shop.expect_open_cases(&["rejected_rows"]).await;
        let operator = Actor::Operator;
        put_away(&shop.engine, &operator, &wrong.file_id, "other account")
            .await
            .unwrap();
        let case = shop.only_case().await;
        assert_eq!(shop.kind(&case).await, "rejected_rows");
        assert_eq!(shop.account_of(&case).await, shop.account("second").await);
        let used = shop.accept(&right.file_id, "used without r2").await;
        assert_eq!(used.state, "USED");
        shop.expect_open_cases(&[]).await;
        shop.expect_verified().await;
    });
}
