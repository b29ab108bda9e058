//! Held files that nobody decides about, on both databases: they are a case beyond the account's grace, and
//! a person puts them away.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/shop.rs"]
mod shop;

use domain::{
    actor::{Actor, Role},
    cases::{Action, DecisionParams},
    time::Instant,
};
use engine::{
    Error,
    export::{Filter, Format, export_matches},
    ingest::{accept_file, hold_again, put_away, summary},
    sweep::sweep,
    testing::{both, queries},
    views,
};
use shop::Shop;

const HEADER: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n";

/// A payment and a fee that can be read, and a row whose gross cannot.
fn bad_file() -> String {
    format!(
        "{HEADER}\
         r1,payment,pi_1,,100.00,0.00,100.00,EUR,2026-11-02T09:00:00Z,2026-11-02T21:00:00Z,,,\n\
         r2,fee,,,0.00,1.00,-1.00,EUR,2026-11-02T09:00:00Z,2026-11-02T21:00:00Z,,,\n\
         r3,payment,pi_3,,seventy,0.00,70.00,EUR,2026-11-02T09:00:00Z,2026-11-02T21:00:00Z,,,\n"
    )
}

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,shop,i1,pi_1,2026-11-02T09:00:01Z,,succeeded,
";

async fn sweep_at(shop: &Shop, time: &str) {
    let now = Instant::parse_rfc3339(time).unwrap();
    sweep(&shop.engine, now).await.unwrap();
}

async fn id_of(shop: &Shop, kind: &str) -> Option<String> {
    let reader = || async { shop.engine.store.read().await.unwrap() };
    for id in queries::open_case_ids(reader().await).await.unwrap() {
        if shop.kind(&id).await == kind {
            return Some(id);
        }
    }
    None
}

// The shop's clock stands at 8 o'clock on 4 November; its grace is a day.
#[test]
fn a_file_that_is_held_beyond_the_grace_is_a_case_until_it_is_used() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(PAYMENTS).await;
        let held = shop.import_settlement("bad.csv", &bad_file()).await;
        assert_eq!(held.state, "HELD");
        sweep_at(&shop, "2026-11-05T07:59:59Z").await;
        assert_eq!(id_of(&shop, "missing_file").await, None);
        sweep_at(&shop, "2026-11-05T08:00:00Z").await;
        let case = id_of(&shop, "missing_file").await.unwrap();
        let facts =
            engine::storage::cases::by_public_id(shop.engine.store.read().await.unwrap(), &case)
                .await
                .unwrap()
                .unwrap();
        // The one payment of its days is due in it.
        assert_eq!((facts.at_risk, facts.currency.as_str()), (10_000, "EUR"));
        assert!(
            facts
                .facts
                .contains("bad.csv is held since 2026-11-04T08:00:00Z")
        );
        // Nothing new happens while nothing changes.
        sweep_at(&shop, "2026-11-05T09:00:00Z").await;
        assert_eq!(shop.version(&case).await, 1);
        // To try again is no answer to a file that waits for a person.
        let (analyst, _, _) = shop.people().await;
        let tried = shop
            .decide(
                &analyst,
                &case,
                "d-retry-held",
                Action::Retry,
                DecisionParams::default(),
            )
            .await;
        assert!(tried.unwrap_err().to_string().contains("put it away"));

        let used = shop.accept(&held.file_id, "r3 was booked by hand").await;
        assert_eq!(used.state, "USED");
        assert_eq!(id_of(&shop, "missing_file").await, None);
        shop.expect_verified().await;
    });
}

#[test]
fn a_held_file_that_is_put_away_asks_nobody_and_is_counted_as_put_away() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let held = shop.import_settlement("bad.csv", &bad_file()).await;
        sweep_at(&shop, "2026-11-05T08:00:00Z").await;
        shop.expect_open_cases(&["missing_file", "rejected_rows"])
            .await;

        for (who, refused) in [
            (Role::Viewer, true),
            (Role::Auditor, true),
            (Role::Analyst, false),
        ] {
            let person = Actor::Person {
                user_id: 1,
                email: "somebody@example.com".to_owned(),
                roles: [who].into(),
            };
            let done = put_away(&shop.engine, &person, &held.file_id, " ").await;
            let error = done.unwrap_err();
            assert_eq!(!matches!(error, Error::Invalid { .. }), refused, "{error}");
        }
        put_away(
            &shop.engine,
            &Actor::Operator,
            &held.file_id,
            "the provider sent another",
        )
        .await
        .unwrap();
        shop.expect_open_cases(&[]).await;
        shop.expect_balances(&[]).await;
        let again = shop.import_settlement("bad.csv", &bad_file()).await;
        assert!(again.known);
        assert_eq!(again.state, "WITHDRAWN");
        let rows = &again.rows;
        assert_eq!(
            (
                rows.total,
                rows.withdrawn,
                rows.rejected,
                rows.held,
                rows.used
            ),
            (3, 2, 1, 0, 0)
        );
        let page = views::file(&shop.engine, &Actor::Operator, &held.file_id)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(
            (
                page.file.rows.total,
                page.file.rows.withdrawn,
                page.file.rows.rejected
            ),
            (3, 2, 1)
        );
        assert!(page.accept.is_none());
        assert!(
            page.events[0].text.contains("the provider sent another"),
            "{:?}",
            page.events
        );
        let auditor = Actor::Person {
            user_id: 1,
            email: "auditor@example.com".to_owned(),
            roles: [Role::Auditor].into(),
        };
        let (out, _) = export_matches(
            &shop.engine,
            &auditor,
            &Filter::default(),
            Format::Csv,
            Vec::new(),
        )
        .await
        .unwrap();
        let out = String::from_utf8(out).unwrap();
        let verdicts: Vec<&str> = out
            .lines()
            .skip(1)
            .map(|l| l.split(',').nth(9).unwrap())
            .collect();
        assert_eq!(verdicts, ["WITHDRAWN", "WITHDRAWN", "REJECTED"]);
        // Neither accepted nor put away once more, and time asks nobody.
        for error in [
            accept_file(&shop.engine, &Actor::Operator, &held.file_id, "yes")
                .await
                .unwrap_err(),
            put_away(&shop.engine, &Actor::Operator, &held.file_id, "again")
                .await
                .unwrap_err(),
        ] {
            assert!(matches!(error, Error::Conflict(_)), "{error}");
        }
        sweep_at(&shop, "2026-11-20T08:00:00Z").await;
        assert_eq!(id_of(&shop, "rejected_rows").await, None);
        shop.expect_verified().await;

        // A mistake: it waits again, and is used after all. By hand: 100.00 less the fee of 1.00 is 99.00.
        hold_again(&shop.engine, &Actor::Operator, &held.file_id, "by mistake")
            .await
            .unwrap();
        assert!(id_of(&shop, "rejected_rows").await.is_some());
        shop.accept(&held.file_id, "r3 does not matter").await;
        shop.expect_balances(&[
            ("provider_clearing", 9_900),
            ("provider_fees", 100),
            ("suspense", -10_000),
        ])
        .await;
        shop.expect_verified().await;
    });
}

#[test]
fn a_file_that_posted_anything_is_never_put_away() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let file = format!(
            "{HEADER}r2,fee,,,0.00,1.00,-1.00,EUR,2026-11-02T09:00:00Z,2026-11-02T21:00:00Z,,,\n"
        );
        let used = shop.import_settlement("good.csv", &file).await;
        let error = put_away(&shop.engine, &Actor::Operator, &used.file_id, "never mind")
            .await
            .unwrap_err();
        assert!(error.to_string().contains("USED"), "{error}");
        let now = summary(&shop.engine, 1, true).await.unwrap();
        assert_eq!(now.state, "USED");
        shop.expect_balances(&[("provider_clearing", -100), ("provider_fees", 100)])
            .await;
    });
}

#[test]
fn bytes_that_were_put_away_in_the_wrong_account_are_used_in_the_right_one() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.add_account("right", domain::account::ProviderKind::Generic, &[])
            .await;
        let wrong = shop.import_settlement("bad.csv", &bad_file()).await;
        put_away(
            &shop.engine,
            &Actor::Operator,
            &wrong.file_id,
            "wrong account",
        )
        .await
        .unwrap();
        let right = shop
            .import_for("right", "bad.csv", bad_file().as_bytes())
            .await;
        assert_eq!(right.held_because, ["rejected_rows"]);
    });
}

// The same row twice: 1.00 is posted, and the totals of the file, 2.00, say why.
#[test]
fn totals_of_a_file_with_a_row_twice_say_that_it_counts_once() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let row = "r1,payment,pi_1,order-1,1.00,0.00,1.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n";
        let file = shop
            .import_settlement("twice.csv", &format!("{HEADER}{row}{row}"))
            .await;
        assert_eq!((file.state.as_str(), file.same_rows), ("USED", 1));
        shop.expect_balances(&[("provider_clearing", 100), ("suspense", -100)])
            .await;
        let page = engine::views::file(&shop.engine, &Actor::Operator, &file.file_id)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(page.totals[0].net.to_string(), "2.00 EUR");
        assert_eq!(
            domain::view::file::counted_once(page.same_rows),
            "1 row repeats a row above, with the same id and content, and counts once; these totals add up every row as it stands."
        );
    });
}
