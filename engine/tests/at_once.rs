//! Two at once: the same thing sent twice, two servers at the same work, two accounts of one payment.
//! On PostgreSQL they meet in the middle; on SQLite one waits for the other.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // as in any test

#[path = "support/shop.rs"]
mod shop;

use domain::{
    account::ProviderKind,
    actor::Actor,
    cases::{Action, DecisionParams},
    payment::IntentState,
    registry::{NewIntent, ReportText},
    view::registry::{ClaimAnswer, ReportAnswer, ReportResult},
};
use engine::{
    Error,
    decide::{claim_case, release_case},
    ids::allocate,
    import_payments::import_payments,
    ingest::{Ingest, Progress, receive_file, work_account, work_all},
    registry::{ClaimRequest, claim_attempt, create_intent, report_outcome, show_intent},
    storage::{Backend, Sql, Tx, accounts, leases},
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

const WAITING: Sql = Sql {
    name: "testing/waiting",
    sqlite: "SELECT 0",
    postgres: "SELECT COUNT(*) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
        WHERE NOT l.granted AND a.datname = current_database()",
    params: 0,
    may_scan: "a test",
};

const HOLD: Sql = Sql {
    name: "testing/hold",
    sqlite: "UPDATE counter SET next = next WHERE name = $1",
    postgres: "UPDATE counter SET next = next WHERE name = $1",
    params: 1,
    may_scan: "a test",
};

/// Less than the second after which the database looks for those who wait for each other.
const WAITS_BRIEFLY: Sql = Sql {
    name: "testing/waits_briefly",
    sqlite: "SELECT 0",
    postgres: "SET LOCAL lock_timeout = '200ms'",
    params: 0,
    may_scan: "a test",
};

/// Waits until so many units of work wait for others.
async fn until_waiting(shop: &Shop, many: i64) {
    loop {
        let mut reader = shop.engine.store.read().await.unwrap();
        if engine::scalar!(&mut reader, i64, WAITING).unwrap() >= many {
            return;
        }
        tokio::task::yield_now().await;
    }
}

/// A unit of work that lets nobody have numbers of a table until it is rolled back.
async fn held(shop: &Shop, table: &'static str) -> Tx {
    let mut tx = shop.engine.store.begin().await.unwrap();
    assert_eq!(engine::exec!(&mut tx, HOLD, table).unwrap(), 1);
    tx
}

async fn intent(shop: &Shop, key: &str, policy: &str) -> String {
    let new = NewIntent {
        merchant_reference: "order-1".to_owned(),
        operation: "charge".to_owned(),
        amount: "25.00".to_owned(),
        currency: "EUR".to_owned(),
        direction: "in".to_owned(),
        counterparty: String::new(),
        loss_policy: policy.to_owned(),
        metadata: std::collections::BTreeMap::new(),
    };
    let created = create_intent(&shop.engine, &Actor::Operator, key, &new).await;
    created.unwrap().into_inner().id
}

async fn claim(shop: &Shop, intent: &str, version: i64) -> Result<ClaimAnswer, Error> {
    let request = ClaimRequest {
        expected_version: version,
        provider: "second".to_owned(),
        claim_id: None,
        request_digest: None,
    };
    let claimed = claim_attempt(&shop.engine, &Actor::Operator, intent, &request).await;
    Ok(claimed?.into_inner())
}

async fn report(shop: &Shop, claimed: &ClaimAnswer, outcome: &str, id: &str) -> ReportAnswer {
    let said = ReportText {
        expected_version: claimed.version,
        outcome: outcome.to_owned(),
        provider_payment_id: id.to_owned(),
        error_code: String::new(),
        detail: String::new(),
    };
    let (engine, attempt) = (&shop.engine, &claimed.attempt_id);
    let reported = report_outcome(engine, &Actor::Operator, attempt, &said).await;
    reported.unwrap().into_inner()
}

async fn standing(shop: &Shop, intent: &str) -> (IntentState, i64, usize) {
    let shown = show_intent(&shop.engine, &Actor::Operator, intent).await;
    let shown = shown.unwrap().unwrap();
    (shown.state, shown.version, shown.attempts.len())
}

// One unit of work posts a file of an account. Meanwhile a worker reports of a payment at another
// account, and a line of that becomes matched: both post. The one that posts a file needs more numbers
// at its end, and nobody waits for it there.
#[test]
fn a_report_that_posts_waits_for_a_file_of_another_account_and_the_file_never_for_the_report() {
    both(async |store| {
        if store.backend() == Backend::Sqlite {
            // Its one writer has no others to wait for.
            return;
        }
        let shop = Shop::open(store).await;
        shop.add_account("second", ProviderKind::Generic, &[]).await;
        let payment = intent(&shop, "k1", "").await;
        let claimed = claim(&shop, &payment, 1).await.unwrap();
        let csv = format!("{LINES}{}", line("r1", "pi_1", "25.00"));
        shop.import_for("second", "day.csv", csv.as_bytes()).await;
        shop.expect_balances(&[("provider_clearing", 2_500), ("suspense", -2_500)])
            .await;

        let mut file = shop.engine.store.begin().await.unwrap();
        let shop_account = shop.account("shop").await;
        accounts::pass_gate(&mut file, shop_account).await.unwrap();
        allocate(&mut file, "line", 10).await.unwrap();
        allocate(&mut file, "ledger_entry", 10).await.unwrap();
        let posts_on = async {
            until_waiting(&shop, 1).await;
            engine::exec!(&mut file, WAITS_BRIEFLY).unwrap();
            for table in ["line", "settlement_batch", "ledger_entry", "leaf_batch"] {
                allocate(&mut file, table, 10).await.unwrap();
            }
            file.rollback().await.unwrap();
        };
        let (reported, ()) = tokio::join!(report(&shop, &claimed, "succeeded", "pi_1"), posts_on);
        assert_eq!(reported.result, ReportResult::Recorded);
        shop.expect_balances(&[("provider_clearing", 2_500), ("receipts", -2_500)])
            .await;
        shop.expect_verified().await;
    });
}

// Two payments bear one reference. While a report of one is judged, and with it the other, whose
// outcome nobody knows, a worker claims the other.
#[test]
fn a_claim_that_comes_while_its_payment_is_judged_is_not_judged_away() {
    both(async |store| {
        if store.backend() == Backend::Sqlite {
            // Nobody claims while its one writer judges.
            return;
        }
        let shop = Shop::open(store).await;
        shop.add_account("second", ProviderKind::Generic, &[]).await;
        let known = intent(&shop, "k1", "").await;
        let unknown = intent(&shop, "k2", "at_least_once").await;
        let of_known = claim(&shop, &known, 1).await.unwrap();
        let of_unknown = claim(&shop, &unknown, 1).await.unwrap();
        report(&shop, &of_unknown, "unknown", "").await;
        let csv = format!(
            "{LINES}r1,payment,pi_1,order-1,25.00,0.00,25.00,EUR,2026-11-04T09:00:00Z,2026-11-04T09:00:00Z,,,\n"
        );
        shop.import_for("second", "day.csv", csv.as_bytes()).await;
        assert_eq!(
            standing(&shop, &unknown).await,
            (IntentState::Unknown, 3, 1)
        );

        // Judging the line posts, and waits there.
        let posting = held(&shop, "ledger_entry").await;
        let claims = async {
            until_waiting(&shop, 1).await;
            let second = claim(&shop, &unknown, 3).await.unwrap();
            posting.rollback().await.unwrap();
            second
        };
        let (reported, second) =
            tokio::join!(report(&shop, &of_known, "succeeded", "pi_1"), claims);
        assert_eq!(reported.state, IntentState::Succeeded);
        assert_eq!((second.attempt_no, second.version), (2, 4));
        assert_eq!(
            standing(&shop, &unknown).await,
            (IntentState::Submitting, 4, 2)
        );
        shop.expect_verified().await;
    });
}

// The company's history of a payment is being imported when a worker claims it: it succeeded long ago.
#[test]
fn a_claim_that_meets_an_import_of_the_same_payment_is_judged_by_what_the_import_says() {
    both(async |store| {
        if store.backend() == Backend::Sqlite {
            // Its one writer imports, or claims.
            return;
        }
        let shop = Shop::open(store).await;
        shop.add_account("second", ProviderKind::Generic, &[]).await;
        let other = intent(&shop, "k0", "").await;
        claim(&shop, &other, 1).await.unwrap();
        let payment = intent(&shop, "k1", "").await;
        let at = shop.engine.now();
        let csv = format!(
            "{PAYMENTS}{payment},order-1,charge,25.00,EUR,in,,{at},,old-2,2,second,old-2,pi_2,{at},,succeeded,\n"
        );

        // The import has written all but its seal. The claim gets as far as it can until then.
        let sealing = held(&shop, "leaf_batch").await;
        let (begin, begun) = tokio::sync::oneshot::channel();
        let (end, ended) = tokio::sync::oneshot::channel();
        let imports = async {
            let done = shop.import_payments(&csv).await;
            end.send(()).unwrap();
            done
        };
        let claims = async {
            begun.await.unwrap();
            claim(&shop, &payment, 1).await
        };
        let script = async {
            until_waiting(&shop, 1).await;
            let attempts = held(&shop, "attempt").await;
            begin.send(()).unwrap();
            until_waiting(&shop, 2).await;
            sealing.rollback().await.unwrap();
            ended.await.unwrap();
            attempts.rollback().await.unwrap();
        };
        let (done, claimed, ()) = tokio::join!(imports, claims, script);
        assert_eq!((done.attempts_new, done.refused), (1, Vec::new()));
        assert!(matches!(claimed, Err(Error::Registry(_))), "{claimed:?}");
        assert_eq!(
            standing(&shop, &payment).await,
            (IntentState::Succeeded, 2, 1)
        );
        shop.expect_verified().await;
    });
}
