//! Work on a file that fails, waits or dies, on both databases.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "support/shop.rs"]
mod shop;

use domain::{
    actor::Actor,
    cases::{Action, DecisionParams},
};
use engine::{
    Error,
    evidence_store::Stored,
    ingest::{
        Ingest, Progress, Received, STOPPED, WAITING, accept_file, receive_file, summary,
        work_account, work_again,
    },
    storage::{cases, leases},
    testing::both,
    views,
};
use shop::Shop;
use std::sync::{Arc, Mutex};

const SETTLEMENT: &str = "\
row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description
r1,payment,pi_1,order-1,100.00,0.00,100.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,
r2,payment,pi_2,order-2,50.00,0.00,50.00,EUR,2026-11-02T09:05:02Z,2026-11-03T00:00:00Z,,,
";

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i1,order-1,charge,120.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,shop,i1,pi_1,2026-11-02T09:00:01Z,,succeeded,
";

async fn receive(shop: &Shop) -> (Stored, Received) {
    let stored = shop
        .ingest
        .evidence
        .store(SETTLEMENT.as_bytes())
        .await
        .unwrap();
    let received = receive_file(
        &shop.engine,
        &Actor::Operator,
        "shop",
        "day.csv",
        None,
        stored,
    )
    .await
    .unwrap();
    (stored, received)
}

/// An ingest that keeps what it is told.
fn watched(shop: &Shop) -> (Ingest, Arc<Mutex<Vec<String>>>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let (keep, clock) = (told.clone(), shop.clock.clone());
    let ingest = Ingest {
        tell: Arc::new(move |step: Progress| {
            if step.state == WAITING {
                // The lease of one that died runs out.
                clock.advance_seconds(21);
            }
            keep.lock().unwrap().push(step.state);
        }),
        ..shop.ingest.clone()
    };
    (ingest, told)
}

async fn state(shop: &Shop, received: &Received) -> String {
    summary(&shop.engine, received.id, false)
        .await
        .unwrap()
        .state
}

/// Takes the file's bytes away, so that work on it fails; gives where they were.
async fn failed_thrice(shop: &Shop) -> (std::path::PathBuf, Received) {
    let (stored, received) = receive(shop).await;
    let path = shop.ingest.evidence.path(&stored.sha256);
    std::fs::remove_file(&path).unwrap();
    let (ingest, told) = watched(shop);
    work_account(&ingest, received.account_id).await.unwrap();
    assert_eq!(*told.lock().unwrap(), [STOPPED]);
    (path, received)
}

#[test]
fn a_file_that_failed_three_times_stays_where_it_is_with_its_error_as_a_case() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, _) = shop.people().await;
        let (path, received) = failed_thrice(&shop).await;
        shop.expect_open_cases(&["missing_file"]).await;
        assert_eq!(state(&shop, &received).await, "RECEIVED");
        let shown = views::file(&shop.engine, &Actor::Operator, &received.public_id)
            .await
            .unwrap()
            .unwrap();
        assert!(shown.file.stopped.contains("cannot be read"), "{shown:?}");
        assert_eq!(shown.file.open_cases, 1);
        let progress = views::file_progress(
            &shop.engine,
            &Actor::Operator,
            std::slice::from_ref(&received.public_id),
        )
        .await
        .unwrap();
        assert!(progress[0].done && progress[0].summary.starts_with("stopped: "));
        // Time does not close it, and does not open another.
        engine::sweep::sweep(&shop.engine, shop.engine.now())
            .await
            .unwrap();
        shop.expect_open_cases(&["missing_file"]).await;

        // Tried again too early, it fails again, and the case is back.
        let case = shop.only_case().await;
        let nothing = DecisionParams::default();
        let decided = shop
            .decide(
                &analyst,
                &case,
                "d-retry-001",
                Action::Retry,
                nothing.clone(),
            )
            .await
            .unwrap();
        assert_eq!(
            (decided.case_state.as_str(), decided.work_account),
            ("RESOLVED", Some(received.account_id))
        );
        work_account(&shop.ingest, received.account_id)
            .await
            .unwrap();
        shop.expect_open_cases(&["missing_file"]).await;

        std::fs::write(&path, SETTLEMENT).unwrap();
        shop.decide(&analyst, &case, "d-retry-002", Action::Retry, nothing)
            .await
            .unwrap();
        work_account(&shop.ingest, received.account_id)
            .await
            .unwrap();
        assert_eq!(state(&shop, &received).await, "USED");
        shop.expect_open_cases(&["unexpected_settlement", "unexpected_settlement"])
            .await;
        shop.expect_verified().await;
    });
}

#[test]
fn the_operator_lets_it_go_on_and_its_case_closes_by_itself() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (path, received) = failed_thrice(&shop).await;
        std::fs::write(&path, SETTLEMENT).unwrap();
        work_account(&shop.ingest, received.account_id)
            .await
            .unwrap();
        assert_eq!(state(&shop, &received).await, "RECEIVED");
        work_again(&shop.ingest).await.unwrap();
        assert_eq!(state(&shop, &received).await, "USED");
        shop.expect_open_cases(&["unexpected_settlement", "unexpected_settlement"])
            .await;
        shop.expect_verified().await;
    });
}

#[test]
fn set_aside_it_stays_aside_and_a_period_without_a_file_cannot_be_tried_again() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, _) = shop.people().await;
        failed_thrice(&shop).await;
        let case = shop.only_case().await;
        let nothing = DecisionParams::default();
        let decided = shop
            .decide(
                &analyst,
                &case,
                "d-dismiss-1",
                Action::Dismiss,
                nothing.clone(),
            )
            .await
            .unwrap();
        assert_eq!(decided.case_state, "RESOLVED");
        shop.expect_open_cases(&[]).await;

        // One file in November, and none for a long time: that is about days, not about a file.
        shop.import_settlement("other.csv", &SETTLEMENT.replace("r1,", "q1,"))
            .await;
        let later = domain::time::Instant::parse_rfc3339("2026-11-20T00:00:00Z").unwrap();
        shop.clock.set(later);
        engine::sweep::sweep(&shop.engine, later).await.unwrap();
        let mut period = String::new();
        let open = engine::testing::queries::open_case_ids(shop.engine.store.read().await.unwrap());
        for case in open.await.unwrap() {
            if shop.kind(&case).await == "missing_file" {
                period = case;
            }
        }
        let refused = shop
            .decide(&analyst, &period, "d-retry-003", Action::Retry, nothing)
            .await;
        assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
    });
}

#[test]
fn whoever_waits_for_the_lease_of_a_dead_process_is_told_once() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (_, received) = receive(&shop).await;
        let mut tx = shop.engine.store.begin().await.unwrap();
        let (now, key) = (shop.engine.now(), received.account_id.to_string());
        let until = now.plus_seconds(20);
        assert!(
            leases::take(&mut tx, "account", &key, "died", now, until)
                .await
                .unwrap()
        );
        tx.commit().await.unwrap();
        let (ingest, told) = watched(&shop);
        work_account(&ingest, received.account_id).await.unwrap();
        let told = told.lock().unwrap().clone();
        assert_eq!(told.iter().filter(|s| *s == WAITING).count(), 1, "{told:?}");
        assert_eq!(told.first().map(String::as_str), Some(WAITING));
        assert_eq!(told.last().map(String::as_str), Some("USED"));
        assert_eq!(state(&shop, &received).await, "USED");
    });
}

// Of 120 came 100: that case opens first. Nobody knows the other payment: that one opens last.
#[test]
fn a_run_that_dies_while_it_closes_a_file_still_tells_all_the_cases_it_opened() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(PAYMENTS).await;
        let (_, received) = receive(&shop).await;
        // The word that closing begins, then the one behind its first transaction.
        let words = std::sync::atomic::AtomicU32::new(0);
        let dies = Ingest {
            tell: Arc::new(move |step: Progress| {
                let closing = step.state == "CLOSING";
                let before =
                    words.fetch_add(u32::from(closing), std::sync::atomic::Ordering::SeqCst);
                assert!(!closing || before == 0, "killed here");
            }),
            ..shop.ingest.clone()
        };
        let account = received.account_id;
        let ended = tokio::spawn(async move { work_account(&dies, account).await }).await;
        assert!(ended.unwrap_err().is_panic());
        shop.expect_open_cases(&["amount_mismatch"]).await;
        shop.clock.advance_seconds(21);
        work_account(&shop.ingest, account).await.unwrap();
        let summary = summary(&shop.engine, received.id, false).await.unwrap();
        assert_eq!((summary.state.as_str(), summary.cases_opened), ("USED", 2));
        shop.expect_open_cases(&["amount_mismatch", "unexpected_settlement"])
            .await;
        shop.expect_verified().await;
    });
}

/// Work on the file dies before its first row is written, and goes on to fail until it stops.
async fn stopped_before_its_rows(shop: &Shop) -> (std::path::PathBuf, Received) {
    let (stored, received) = receive(shop).await;
    let path = shop.ingest.evidence.path(&stored.sha256);
    let (kept, account) = (path.clone(), received.account_id);
    let dies = Ingest {
        tell: Arc::new(move |step: Progress| {
            if step.state == "POSTING" {
                std::fs::remove_file(&kept).unwrap();
                panic!("killed here");
            }
        }),
        ..shop.ingest.clone()
    };
    let ended = tokio::spawn(async move { work_account(&dies, account).await }).await;
    assert!(ended.unwrap_err().is_panic());
    shop.clock.advance_seconds(21);
    work_account(&shop.ingest, account).await.unwrap();
    assert_eq!(state(shop, &received).await, "POSTING");
    (path, received)
}

// While work on r1 and r2 had stopped, another file brought r1: it counts once.
#[test]
fn rows_that_came_with_another_file_while_work_had_stopped_count_once() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (path, received) = stopped_before_its_rows(&shop).await;
        let other = SETTLEMENT.lines().take(2).collect::<Vec<_>>().join("\n");
        shop.import_settlement("other.csv", &other).await;
        shop.expect_balances(&[("provider_clearing", 10_000), ("suspense", -10_000)])
            .await;
        std::fs::write(&path, SETTLEMENT).unwrap();
        work_again(&shop.ingest).await.unwrap();
        let summary = summary(&shop.engine, received.id, false).await.unwrap();
        assert_eq!(
            (
                summary.state.as_str(),
                summary.rows.used,
                summary.rows.repeated
            ),
            ("USED", 1, 1)
        );
        shop.expect_balances(&[("provider_clearing", 15_000), ("suspense", -15_000)])
            .await;
        shop.expect_verified().await;
    });
}

#[test]
fn rows_that_came_with_other_figures_while_work_had_stopped_hold_the_file() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (path, received) = stopped_before_its_rows(&shop).await;
        let other = SETTLEMENT.replace("order-2,50.00,0.00,50.00", "order-2,51.00,0.00,51.00");
        shop.import_settlement("other.csv", &other).await;
        std::fs::write(&path, SETTLEMENT).unwrap();
        work_again(&shop.ingest).await.unwrap();
        let summary = summary(&shop.engine, received.id, false).await.unwrap();
        assert_eq!(summary.state, "HELD");
        assert_eq!(summary.held_because, ["restates_used_rows"]);
        shop.expect_balances(&[("provider_clearing", 15_100), ("suspense", -15_100)])
            .await;
        shop.expect_verified().await;
    });
}

const FEES: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n";

/// A fee row of that many cents.
fn fee(row: &str, cents: u32) -> String {
    format!(
        "{row},fee,,,0.00,0.{cents},-0.{cents},EUR,2026-11-02T00:00:00Z,2026-11-02T00:00:00Z,,,\n"
    )
}

// Twelve fees of 0.50; work dies behind the tenth and fails from there on. Meanwhile another file says that
// the twelfth is of 0.60. By hand: eleven of 0.50 and that one are 6.10.
#[test]
fn a_file_half_of_which_is_posted_goes_on_past_rows_that_others_brought_with_other_figures() {
    for accepted in [false, true] {
        both(async |store| {
            let shop = Shop::open(store).await;
            let (analyst, _, _) = shop.people().await;
            let mut text = FEES.to_owned();
            text.extend((1..=12).map(|n| fee(&format!("f{n}"), 50)));
            if accepted {
                text += &fee("f13", 50).replace("0.50", "x");
            }
            let stored = shop.ingest.evidence.store(text.as_bytes()).await.unwrap();
            let path = shop.ingest.evidence.path(&stored.sha256);
            let received = receive_file(
                &shop.engine,
                &Actor::Operator,
                "shop",
                "half.csv",
                None,
                stored,
            )
            .await
            .unwrap();
            let account = received.account_id;
            if accepted {
                work_account(&shop.ingest, account).await.unwrap();
                accept_file(
                    &shop.engine,
                    &Actor::Operator,
                    &received.public_id,
                    "the last row is none",
                )
                .await
                .unwrap();
            }
            let gone = path.clone();
            let dies = Ingest {
                rows_at_once: 1,
                tell: Arc::new(move |step: Progress| {
                    if step.state == "POSTING" && step.rows_done == 10 {
                        std::fs::remove_file(&gone).unwrap();
                        panic!("killed here");
                    }
                }),
                ..shop.ingest.clone()
            };
            let ended = tokio::spawn(async move { work_account(&dies, account).await }).await;
            assert!(ended.unwrap_err().is_panic());
            shop.clock.advance_seconds(21);
            work_account(&shop.ingest, account).await.unwrap();
            assert_eq!(state(&shop, &received).await, "POSTING");
            shop.import_settlement("other.csv", &(FEES.to_owned() + &fee("f12", 60)))
                .await;
            std::fs::write(&path, &text).unwrap();
            work_again(&shop.ingest).await.unwrap();

            let told = summary(&shop.engine, received.id, false).await.unwrap();
            assert_eq!(told.state, "USED");
            let rows = &told.rows;
            assert_eq!(
                (rows.total, rows.accounted, rows.held, rows.rejected),
                (12 + u64::from(accepted), 11, 1, u64::from(accepted))
            );
            shop.expect_balances(&[("provider_clearing", -610), ("provider_fees", 610)])
                .await;
            shop.expect_open_cases(&["restated_line"]).await;
            let case = shop.only_case().await;
            let reading = shop.engine.store.read().await.unwrap();
            let facts = cases::by_public_id(reading, &case).await.unwrap();
            let facts = facts.unwrap().facts;
            let says = "1 row of half.csv gives other figures than another file that was used while \
                        work on this one had stopped (line 13). The figures in use stand: it does not count.";
            assert!(facts.contains(says), "{facts}");
            shop.expect_verified().await;

            let nothing = DecisionParams::default();
            shop.decide(&analyst, &case, "d-leave-01", Action::Dismiss, nothing)
                .await
                .unwrap();
            engine::sweep::sweep(&shop.engine, shop.engine.now())
                .await
                .unwrap();
            shop.expect_open_cases(&[]).await;
            shop.expect_verified().await;
        });
    }
}

#[test]
fn a_file_that_could_not_be_read_is_read_again_when_it_is_sent_with_another_profile() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let send = async |profile: Option<&str>| {
            let bytes = SETTLEMENT.as_bytes();
            let stored = shop.ingest.evidence.store(bytes).await.unwrap();
            let (engine, actor) = (&shop.engine, Actor::Operator);
            let received = receive_file(engine, &actor, "shop", "day.csv", profile, stored)
                .await
                .unwrap();
            work_account(&shop.ingest, received.account_id)
                .await
                .unwrap();
            let state = state(&shop, &received).await;
            (state, received.known, received.read_again)
        };
        let held = |known, again| ("HELD".to_owned(), known, again);
        let used = |known, again| ("USED".to_owned(), known, again);
        assert_eq!(send(Some("stripe")).await, held(false, false));
        assert_eq!(send(Some("stripe")).await, held(true, false));
        assert_eq!(send(Some("tieout")).await, used(false, true));
        assert_eq!(send(Some("stripe")).await, used(true, false));
        shop.expect_balances(&[("provider_clearing", 15_000), ("suspense", -15_000)])
            .await;
        shop.expect_verified().await;
    });
}

const READ_BY: engine::storage::Sql = engine::storage::Sql {
    name: "testing/read_by",
    sqlite: "UPDATE file_now SET report = replace(report, $1, $2)",
    postgres: "UPDATE file_now SET report = replace(report, $1, $2)",
    params: 2,
    may_scan: "a test",
};

// What no reader could read is read again, once, when it comes again after the reader has learned something;
// what was read is not.
#[test]
fn a_file_that_an_older_reader_could_not_read_is_read_again_when_it_is_sent_again() {
    for (profile, expected) in [("stripe", "HELD"), ("tieout", "USED")] {
        both(async |store| {
            let shop = Shop::open(store).await;
            let send = async || {
                let bytes = SETTLEMENT.as_bytes();
                let stored = shop.ingest.evidence.store(bytes).await.unwrap();
                let (engine, actor) = (&shop.engine, Actor::Operator);
                let received =
                    receive_file(engine, &actor, "shop", "day.csv", Some(profile), stored)
                        .await
                        .unwrap();
                work_account(&shop.ingest, received.account_id)
                    .await
                    .unwrap();
                (state(&shop, &received).await, received.read_again)
            };
            let expected = |again| (expected.to_owned(), again);
            assert_eq!(send().await, expected(false));
            let version = domain::formats::READER_VERSION;
            let (new, old) = (format!("\"reader\":{version}"), "\"reader\":1".to_owned());
            let mut tx = shop.engine.store.begin().await.unwrap();
            assert_eq!(engine::exec!(&mut tx, READ_BY, &new, &old).unwrap(), 1);
            tx.commit().await.unwrap();
            assert_eq!(send().await, expected(profile == "stripe"));
            assert_eq!(send().await, expected(false));
        });
    }
}

const CONTRA: engine::storage::Sql = engine::storage::Sql {
    name: "testing/contra",
    sqlite: "UPDATE line_now SET contra = $1 WHERE line_id = (SELECT id FROM line WHERE row_id = 'r1')",
    postgres: "UPDATE line_now SET contra = $1 WHERE line_id = (SELECT id FROM line WHERE row_id = 'r1')",
    params: 1,
    may_scan: "a test",
};

async fn set_contra(shop: &Shop, to: &str) {
    let mut tx = shop.engine.store.begin().await.unwrap();
    assert_eq!(engine::exec!(&mut tx, CONTRA, to).unwrap(), 1);
    tx.commit().await.unwrap();
}

// Payments come for three lines. What is stored of the first line is impossible, so that its payment
// cannot be judged: those behind it and those of other accounts are, and somebody is told.
#[test]
fn a_payment_that_cannot_be_judged_keeps_no_other_waiting_and_somebody_is_told() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let kind = domain::account::ProviderKind::Generic;
        shop.add_account("zoo", kind, &[]).await;
        shop.import_settlement("day.csv", SETTLEMENT).await;
        let (header, row) = SETTLEMENT.split_once('\n').unwrap();
        let row = row.lines().next().unwrap();
        let of_zoo = format!(
            "{header}\n{}\n",
            row.replace("r1", "z1").replace("order-1", "order-9")
        );
        shop.import_for("zoo", "day.csv", of_zoo.as_bytes()).await;
        shop.expect_open_cases(&["unexpected_settlement"; 3]).await;

        set_contra(&shop, "nonsense").await;
        let (head, payment) = PAYMENTS.split_once('\n').unwrap();
        let payment = payment.replace("120.00", "100.00");
        let second = payment
            .replace("order-1", "order-2")
            .replace("i1", "i2")
            .replace("a1", "a2")
            .replace("pi_1", "pi_2")
            .replace("100.00", "50.00");
        let of_zoo = payment
            .replace("i1", "i3")
            .replace("a1", "a3")
            .replace("order-1", "order-9")
            .replace("shop", "zoo");
        shop.import_payments(&format!("{head}\n{payment}{second}{of_zoo}"))
            .await;
        shop.expect_verdicts(&[
            ("r1", "UNMATCHED", "none"),
            ("r2", "MATCHED", "R1"),
            ("z1", "MATCHED", "R1"),
        ])
        .await;
        shop.expect_open_cases(&["event_failed", "unexpected_settlement"])
            .await;

        // Mended, it is judged with the next try, and the case closes by itself.
        set_contra(&shop, "suspense").await;
        shop.clock.advance_seconds(10 * 60);
        engine::rematch::drain(&shop.engine).await.unwrap();
        shop.expect_verdicts(&[
            ("r1", "MATCHED", "R1"),
            ("r2", "MATCHED", "R1"),
            ("z1", "MATCHED", "R1"),
        ])
        .await;
        shop.expect_open_cases(&[]).await;
        shop.expect_verified().await;
    });
}

const CASE_STATE: engine::storage::Sql = engine::storage::Sql {
    name: "testing/case_state",
    sqlite: "UPDATE case_now SET state = $1 WHERE kind = 'event_failed'",
    postgres: "UPDATE case_now SET state = $1 WHERE kind = 'event_failed'",
    params: 1,
    may_scan: "a test",
};

async fn set_case_state(shop: &Shop, to: &str) {
    let mut tx = shop.engine.store.begin().await.unwrap();
    assert_eq!(engine::exec!(&mut tx, CASE_STATE, to).unwrap(), 1);
    tx.commit().await.unwrap();
}

// What follows from the rows cannot be written, but the rows are in: whoever sent them is told so.
#[test]
fn payments_are_told_as_imported_though_what_follows_from_them_must_wait() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_settlement("day.csv", SETTLEMENT).await;
        set_contra(&shop, "nonsense").await;
        let first = shop.import_payments(PAYMENTS).await;
        assert_eq!((first.intents_new, first.attempts_new), (1, 1));
        // Even the case that says so cannot be written any more.
        set_case_state(&shop, "NONSENSE").await;
        shop.clock.advance_seconds(10 * 60);
        assert!(engine::rematch::drain(&shop.engine).await.is_err());
        // What failed rests for a while; then it is tried with whatever comes.
        shop.clock.advance_seconds(10 * 60);
        let second = PAYMENTS.replace("i1", "i2").replace("a1", "a2");
        let second = second.replace("pi_1", "pi_2").replace("order-1", "order-2");
        let done = shop.import_payments(&second).await;
        assert_eq!((done.intents_new, done.attempts_new), (1, 1));
        set_case_state(&shop, "OPEN").await;
        set_contra(&shop, "suspense").await;
        shop.clock.advance_seconds(10 * 60);
        engine::rematch::drain(&shop.engine).await.unwrap();
        shop.expect_open_cases(&["amount_mismatch", "amount_mismatch"])
            .await;
        shop.expect_verified().await;
    });
}
