//! Two at once: the same thing sent twice, two servers at the same work, two accounts of one payment.
//! On PostgreSQL they meet in the middle; on SQLite one waits for the other.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // as in any test

#[path = "support/shop.rs"]
mod shop;

use domain::{
    account::ProviderKind,
    actor::Actor,
    cases::{Action, DecisionParams},
};
use engine::{
    Error,
    decide::{claim_case, release_case},
    import_payments::import_payments,
    ingest::{Ingest, Progress, receive_file, work_account, work_all},
    storage::leases,
    sweep::sweep,
    testing::{both, queries},
};
use shop::Shop;
use std::sync::{Arc, Mutex};

const PAYMENTS: &str = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code\n";
const LINES: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n";

fn attempt(intent: &str, attempt: &str, no: u8, provider: &str, id: &str, outcome: &str) -> String {
    format!(
        "{intent},order-{intent},charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,{attempt},{no},{provider},{attempt},{id},2026-11-02T09:00:0{no}Z,,{outcome},\n"
    )
}

fn line(row: &str, id: &str, amount: &str) -> String {
    format!(
        "{row},payment,{id},,{amount},0.00,{amount},EUR,2026-11-02T09:00:05Z,2026-11-03T00:00:00Z,,,\n"
    )
}

/// A shop with one case: 95.00 came of 100.00.
async fn five_short(shop: &Shop) -> String {
    let payments = format!(
        "{PAYMENTS}{}",
        attempt("i1", "a1", 1, "shop", "pi_1", "succeeded")
    );
    shop.import_payments(&payments).await;
    let file = format!("{LINES}{}", line("r1", "pi_1", "95.00"));
    shop.import_settlement("short.csv", &file).await;
    shop.only_case().await
}

async fn received(shop: &Shop, provider: &str, name: &str, csv: &str) -> (i64, i64, bool) {
    let stored = shop.ingest.evidence.store(csv.as_bytes()).await.unwrap();
    let actor = Actor::Operator;
    let received = receive_file(&shop.engine, &actor, provider, name, None, stored)
        .await
        .unwrap();
    (received.account_id, received.id, received.known)
}

async fn state(shop: &Shop, file: i64) -> (String, i64) {
    let reader = shop.engine.store.read().await.unwrap();
    let file = engine::storage::files::by_id(reader, file).await.unwrap();
    (file.state, file.failures)
}

#[test]
fn a_double_click_on_a_decision_is_one_decision_and_told_twice() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, _) = shop.people().await;
        let case = five_short(&shop).await;
        let version = shop.version(&case).await;
        let click = async || {
            let (id, nothing) = ("d-double-01", DecisionParams::default());
            shop.decide_at(
                &analyst,
                &case,
                version,
                id,
                Action::AcceptVariance,
                nothing,
            )
            .await
        };
        let (first, second) = tokio::join!(click(), click());
        let (first, second) = (first.unwrap(), second.unwrap());
        assert!(first.repeated != second.repeated, "{first:?} {second:?}");
        assert_eq!(
            (first.state, first.case_state, first.version),
            (second.state, second.case_state, second.version)
        );
        shop.expect_balances(&[("provider_clearing", 9_500), ("receipts", -9_500)])
            .await;
        shop.expect_verified().await;
    });
}

#[test]
fn of_two_who_take_a_case_at_once_one_has_it_and_the_other_is_told() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, other, _) = shop.people().await;
        let case = five_short(&shop).await;
        let version = shop.version(&case).await;
        let (first, second) = tokio::join!(
            claim_case(&shop.engine, &analyst, &case, version),
            claim_case(&shop.engine, &other, &case, version),
        );
        let (holder, lost) = match (first, second) {
            (Ok(_), Err(lost)) => (&analyst, lost),
            (Err(lost), Ok(_)) => (&other, lost),
            both => panic!("{both:?}"),
        };
        assert!(matches!(lost, Error::Stale(_)), "{lost}");
        // Two servers look after cases at the end of the holder's time, who lets go at that moment.
        shop.clock.advance_seconds(15 * 60);
        let now = shop.engine.now();
        let (one, two, released) = tokio::join!(
            sweep(&shop.engine, now),
            sweep(&shop.engine, now),
            release_case(&shop.engine, holder, &case),
        );
        let moved = one.unwrap().cases_moved + two.unwrap().cases_moved;
        match released {
            Ok(_) => assert_eq!(moved, 0),
            Err(Error::Conflict(_)) => assert_eq!(moved, 1),
            Err(other) => panic!("{other}"),
        }
        assert_eq!(shop.state(&case).await, "OPEN");
        shop.expect_verified().await;
    });
}

#[test]
fn the_same_bytes_sent_twice_at_once_are_one_file() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let csv = format!("{LINES}{}", line("r1", "pi_1", "100.00"));
        let (first, second) = tokio::join!(
            received(&shop, "shop", "day.csv", &csv),
            received(&shop, "shop", "day.csv", &csv),
        );
        assert_eq!((first.0, first.1), (second.0, second.1));
        assert!(first.2 != second.2, "{first:?} {second:?}");
    });
}

#[test]
fn payments_imported_twice_at_once_are_there_once() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let mut csv = PAYMENTS.to_owned();
        for n in 0..30 {
            let (intent, id) = (format!("i{n}"), format!("pi_{n}"));
            let name = format!("a{n}");
            csv.push_str(&attempt(&intent, &name, 1, "shop", &id, "succeeded"));
        }
        let import = async || {
            let input = std::io::Cursor::new(csv.clone().into_bytes());
            import_payments(&shop.engine, &Actor::Operator, input).await
        };
        let (first, second) = tokio::join!(import(), import());
        let (first, second) = (first.unwrap(), second.unwrap());
        assert_eq!(first.intents_new + second.intents_new, 30);
        assert_eq!(first.attempts_new + second.attempts_new, 30);
        assert_eq!(first.unchanged + second.unchanged, 30);
        assert_eq!(first.refused_rows + second.refused_rows, 0);
        shop.expect_verified().await;
    });
}

/// One that pauses at a step until another has done the whole work.
fn paused_at(shop: &Shop, step: &'static str, account: i64) -> Ingest {
    let (work, clock) = (shop.ingest.clone(), shop.clock.clone());
    let paused = Arc::new(Mutex::new(false));
    Ingest {
        tell: Arc::new(move |told: Progress| {
            let ours = told.state == step;
            if !ours || std::mem::replace(&mut *paused.lock().unwrap(), true) {
                return;
            }
            clock.advance_seconds(21);
            let work = work.clone();
            tokio::task::block_in_place(|| {
                tokio::runtime::Handle::current().block_on(work_account(&work, account))
            })
            .unwrap();
        }),
        ..shop.ingest.clone()
    }
}

#[test]
fn one_that_paused_too_long_leaves_the_file_to_the_other_and_nothing_failed() {
    for step in ["READING", "POSTING", "CLOSING"] {
        both(async |store| {
            let shop = Shop::open(store).await;
            let csv = format!(
                "{LINES}{}{}",
                line("r1", "pi_1", "100.00"),
                line("r2", "pi_2", "50.00")
            );
            let (account, file, _) = received(&shop, "shop", "day.csv", &csv).await;
            work_account(&paused_at(&shop, step, account), account)
                .await
                .unwrap();
            assert_eq!(state(&shop, file).await, ("USED".to_owned(), 0), "{step}");
            shop.expect_open_cases(&["unexpected_settlement", "unexpected_settlement"])
                .await;
            shop.expect_verified().await;
        });
    }
}

#[test]
fn an_account_that_another_process_works_on_keeps_no_other_account_waiting() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.add_account("other", ProviderKind::Generic, &[]).await;
        let csv = format!("{LINES}{}", line("r1", "pi_1", "100.00"));
        let (account, held, _) = received(&shop, "shop", "day.csv", &csv).await;
        let csv = format!("{LINES}{}", line("q1", "qi_1", "100.00"));
        let (_, free, _) = received(&shop, "other", "day.csv", &csv).await;
        let mut tx = shop.engine.store.begin().await.unwrap();
        let (now, until) = (shop.engine.now(), shop.engine.now().plus_seconds(20));
        leases::take(
            &mut tx,
            "account",
            &account.to_string(),
            "another",
            now,
            until,
        )
        .await
        .unwrap();
        tx.commit().await.unwrap();
        work_all(&shop.ingest).await.unwrap();
        assert_eq!(state(&shop, held).await.0, "RECEIVED");
        assert_eq!(state(&shop, free).await.0, "USED");
    });
}

// One payment of 100.00 was tried at two accounts, and both settle it: one line holds the match, of
// the other a person must decide. Neither account's worker knows of the other's line at first.
#[test]
fn a_payment_that_two_accounts_settle_at_once_is_captured_once_and_a_case_says_so() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.add_account("second", ProviderKind::Generic, &[]).await;
        let mut payments = PAYMENTS.to_owned();
        let mut one = LINES.to_owned();
        let mut two = LINES.to_owned();
        for n in 0..8 {
            let intent = format!("i{n}");
            for (no, provider, file) in [(1, "shop", &mut one), (2, "second", &mut two)] {
                let id = format!("{provider}_{n}");
                let name = format!("{intent}-{no}");
                payments.push_str(&attempt(&intent, &name, no, provider, &id, "unknown"));
                file.push_str(&line(&format!("{provider}-{n}"), &id, "100.00"));
            }
        }
        shop.import_payments(&payments).await;
        let (first, _, _) = received(&shop, "shop", "one.csv", &one).await;
        let (second, _, _) = received(&shop, "second", "two.csv", &two).await;
        let (ended, also) = tokio::join!(
            work_account(&shop.ingest, first),
            work_account(&shop.ingest, second)
        );
        ended.unwrap();
        also.unwrap();
        shop.expect_open_cases(&["duplicate_settlement"; 8]).await;
        let verdicts = queries::verdicts(shop.engine.store.read().await.unwrap())
            .await
            .unwrap();
        let matched = verdicts
            .iter()
            .filter(|(_, verdict, _)| verdict == "MATCHED");
        assert_eq!(matched.count(), 8, "{verdicts:?}");
        // Sixteen lines of 100.00: half of them cleared, half in suspense.
        shop.expect_balances(&[
            ("provider_clearing", 160_000),
            ("receipts", -80_000),
            ("suspense", -80_000),
        ])
        .await;
        shop.expect_verified().await;
    });
}
