//! A file that was used for the wrong account is taken back, on both databases.
//!
//! The walk, worked out by hand; amounts in EUR, debit positive. `wrong.csv` belongs to the account `right`
//! and came for `shop`; `other.csv` repeats its row r4.
//!
//! | Row | Stands | clearing | receipts | suspense | fees | in transit |
//! |---|---|---|---|---|---|---|
//! | r1 payment 100.00, fee 3.00 | MATCHED to i1 | +97.00 | -100.00 | | +3.00 | |
//! | r2 payment 50.00 | MATCHED to i2, whose outcome nobody knew | +50.00 | -50.00 | | | |
//! | r3 payment 30.00 | UNMATCHED | +30.00 | | -30.00 | | |
//! | r4 fee row 1.50 | ACCOUNTED | -1.50 | | | +1.50 | |
//! | r5 payout | ACCOUNTED | -175.50 | | | | +175.50 |
//! | r6 levy, unknown, -2.00 | UNMATCHED | -2.00 | | +2.00 | | |
//! | r8 fee row 0.20 of `other.csv` | ACCOUNTED | -0.20 | | | +0.20 | |
//! | **before** | | **-2.20** | **-150.00** | **-28.00** | **4.70** | **175.50** |
//! | r1 to r6 taken back | HELD | +2.00 | +150.00 | +28.00 | -4.50 | -175.50 |
//! | r4 of `other.csv` counts now | ACCOUNTED | -1.50 | | | +1.50 | |
//! | **after** | | **-1.70** | **0** | **0** | **1.70** | **0** |
//! | the same bytes for `right`: no payment was tried there | | -2.00 | | -178.00 | +4.50 | +175.50 |
//! | **then** | | **-3.70** | **0** | **-178.00** | **6.20** | **175.50** |
//!
//! What is taken back bears the day on which the second person agreed, 6 November: as of the 5th the books
//! stand as they stood. Taken back for `right` too and used for `shop` after all, everything stands as
//! before; r4 is then the one that repeats `other.csv`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/shop.rs"]
mod shop;

use domain::{
    account::ProviderKind,
    actor::{Actor, Role},
    cases::{Action, DecisionParams},
    time::{Day, Instant},
};
use engine::{
    Error,
    export::{Filter, Format, export_matches},
    ingest::{
        Ingest, Summary, TakenBack, hold_again, keep, receive_file, summary, take_back,
        work_account, work_again,
    },
    storage::{books, files},
    sweep::sweep,
    testing::{both, queries},
    views,
};
use shop::Shop;
use std::{collections::BTreeMap, sync::Arc};

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,shop,i1,pi_1,2026-11-02T09:00:01Z,,succeeded,
i2,order-2,charge,50.00,EUR,in,c2,2026-11-02T09:00:00Z,,a2,1,shop,i2,pi_2,2026-11-02T09:00:01Z,,unknown,
";

const HEADER: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n";

const WRONG: &str = "\
r1,payment,pi_1,order-1,100.00,3.00,97.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,
r2,payment,pi_2,order-2,50.00,0.00,50.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,
r3,payment,pi_9,,30.00,0.00,30.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,
r4,fee,,,0.00,1.50,-1.50,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,
r5,payout,,,-175.50,0.00,-175.50,EUR,2026-11-03T00:00:00Z,2026-11-03T00:00:00Z,b1,,
r6,levy,,,-2.00,0.00,-2.00,EUR,2026-11-03T00:00:00Z,2026-11-03T00:00:00Z,,,
";

const OTHER: &str = "\
r4,fee,,,0.00,1.50,-1.50,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,
r8,fee,,,0.00,0.20,-0.20,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,
";

const BEFORE: [(&str, i64); 5] = [
    ("payouts_in_transit", 17_550),
    ("provider_clearing", -220),
    ("provider_fees", 470),
    ("receipts", -15_000),
    ("suspense", -2_800),
];

fn csv(rows: &str) -> String {
    HEADER.to_owned() + rows
}

/// A shop in which the file was used by mistake, and the file.
async fn mistaken(store: engine::Store) -> (Shop, Summary) {
    let shop = Shop::open(store).await;
    shop.add_account("right", ProviderKind::Generic, &[]).await;
    shop.import_payments(PAYMENTS).await;
    let wrong = shop.import_settlement("wrong.csv", &csv(WRONG)).await;
    assert_eq!(wrong.state, "USED");
    let other = shop.import_settlement("other.csv", &csv(OTHER)).await;
    assert_eq!((other.rows.accounted, other.rows.repeated), (1, 1));
    shop.expect_balances(&BEFORE).await;
    shop.expect_open_cases(&["unexpected_settlement", "unrecognised_rows"])
        .await;
    shop.clock
        .set(Instant::parse_rfc3339("2026-11-06T10:00:00Z").unwrap());
    (shop, wrong)
}

/// One asks, another agrees, and the work is done.
async fn taken_back(shop: &Shop, people: (&Actor, &Actor), file: &str, account: &str) -> Summary {
    let asked = take_back(&shop.engine, people.0, file, "wrong account").await;
    assert_eq!(asked.unwrap(), TakenBack::NeedsSecond);
    let agreed = take_back(&shop.engine, people.1, file, "wrong account").await;
    assert_eq!(agreed.unwrap(), TakenBack::UnderWay);
    work(shop, file, account).await
}

async fn work(shop: &Shop, file: &str, account: &str) -> Summary {
    let account = shop.account(account).await;
    work_account(&shop.ingest, account).await.unwrap();
    let id = files::id_by_public_id(shop.engine.store.read().await.unwrap(), file)
        .await
        .unwrap()
        .unwrap();
    summary(&shop.engine, id, false).await.unwrap()
}

/// Balances up to a day.
async fn balances_as_of(shop: &Shop, day: &str) -> BTreeMap<String, i64> {
    let day = Day::parse(day).unwrap().number();
    let found = books::balances(shop.engine.store.read().await.unwrap(), 0, day)
        .await
        .unwrap();
    let mut sums = BTreeMap::new();
    for balance in found {
        *sums.entry(balance.ledger_account).or_default() += balance.debit - balance.credit;
    }
    sums.retain(|_, amount| *amount != 0);
    sums
}

fn auditor() -> Actor {
    Actor::Person {
        user_id: 99,
        email: "auditor@example.com".to_owned(),
        roles: [Role::Auditor].into(),
    }
}

/// How often each verdict stands in the export of matches, which names each data row of each file once.
async fn exported(shop: &Shop) -> BTreeMap<String, usize> {
    let filter = Filter::default();
    let out = export_matches(&shop.engine, &auditor(), &filter, Format::Csv, Vec::new()).await;
    let out = String::from_utf8(out.unwrap().0).unwrap();
    let mut found = BTreeMap::new();
    for line in out.lines().skip(1) {
        let verdict = line.split(',').nth(9).unwrap();
        *found.entry(verdict.to_owned()).or_default() += 1;
    }
    found
}

#[test]
fn the_walk_comes_out() {
    both(async |store| {
        let (shop, wrong) = mistaken(store).await;
        let (ana, _, cleo) = shop.people().await;
        shop.expect_outcomes(&[("a1", "succeeded"), ("a2", "succeeded")])
            .await;
        let back = taken_back(&shop, (&ana, &cleo), &wrong.file_id, "shop").await;
        assert_eq!((back.state.as_str(), back.rows.withdrawn), ("WITHDRAWN", 6));
        assert_eq!(back.rows.total, 6);
        let after = [("provider_clearing", -170), ("provider_fees", 170)];
        shop.expect_balances(&after).await;
        shop.expect_open_cases(&[]).await;
        // Nothing says any more what became of the second payment.
        shop.expect_outcomes(&[("a1", "succeeded"), ("a2", "unknown")])
            .await;
        let before: BTreeMap<String, i64> =
            BEFORE.iter().map(|(a, n)| ((*a).to_owned(), *n)).collect();
        assert_eq!(balances_as_of(&shop, "2026-11-05").await, before);
        shop.expect_verified().await;
        let verdicts = exported(&shop).await;
        assert_eq!(verdicts["WITHDRAWN"], 6);
        assert_eq!(verdicts.values().sum::<usize>(), 8, "{verdicts:?}");

        // The same bytes, for the right account.
        let bytes = csv(WRONG);
        let right = shop.import_for("right", "right.csv", bytes.as_bytes());
        let right = right.await;
        assert_eq!((right.state.as_str(), right.known), ("USED", false));
        shop.expect_balances(&[
            ("payouts_in_transit", 17_550),
            ("provider_clearing", -370),
            ("provider_fees", 620),
            ("suspense", -17_800),
        ])
        .await;
        for case in shop.open_cases_by_id().await.into_keys() {
            assert_eq!(shop.account_of(&case).await, shop.account("right").await);
        }
        shop.expect_verified().await;

        // It was right for the first one after all.
        let again = shop.import_settlement("again.csv", &bytes).await;
        assert_eq!((again.known, again.state.as_str()), (true, "WITHDRAWN"));
        hold_again(&shop.engine, &ana, &wrong.file_id, "right after all")
            .await
            .unwrap();
        let refused = shop.try_accept(&wrong.file_id, "right after all").await;
        assert!(refused.contains("was used for account right"), "{refused}");
        taken_back(&shop, (&ana, &cleo), &right.file_id, "right").await;
        let used = shop.accept(&wrong.file_id, "right after all").await;
        assert_eq!((used.state.as_str(), used.rows.repeated), ("USED", 1));
        shop.expect_balances(&BEFORE).await;
        shop.expect_open_cases(&["unexpected_settlement", "unrecognised_rows"])
            .await;
        for case in shop.open_cases_by_id().await.into_keys() {
            assert_eq!(shop.account_of(&case).await, shop.account("shop").await);
        }
        shop.expect_outcomes(&[("a1", "succeeded"), ("a2", "succeeded")])
            .await;
        shop.expect_verified().await;
        // And once more.
        taken_back(&shop, (&ana, &cleo), &wrong.file_id, "shop").await;
        shop.expect_balances(&after).await;
        shop.expect_verified().await;
    });
}

// The second person agreed on the 6th; the machine stood still until the 7th. The entries bear the day of the
// word, since the books of a day that somebody looked at stand; what is written bears its own time.
#[test]
fn what_the_work_writes_bears_its_own_time_and_the_books_the_day_of_the_word() {
    both(async |store| {
        let (shop, wrong) = mistaken(store).await;
        let (ana, _, cleo) = shop.people().await;
        let cases = shop.open_cases_by_id().await;
        for person in [&ana, &cleo] {
            take_back(&shop.engine, person, &wrong.file_id, "wrong account")
                .await
                .unwrap();
        }
        let worked = Instant::parse_rfc3339("2026-11-07T09:00:00Z").unwrap();
        shop.clock.set(worked);
        work(&shop, &wrong.file_id, "shop").await;
        assert_eq!(cases.len(), 2);
        for case in cases.into_keys() {
            let reader = shop.engine.store.read().await.unwrap();
            let resolved = engine::storage::cases::by_public_id(reader, &case).await;
            let at = resolved.unwrap().unwrap().resolved_at;
            assert_eq!(at, Some(worked.micros()), "{case}");
        }
        let before: BTreeMap<String, i64> =
            BEFORE.iter().map(|(a, n)| ((*a).to_owned(), *n)).collect();
        assert_eq!(balances_as_of(&shop, "2026-11-05").await, before);
        let after = [("provider_clearing", -170), ("provider_fees", 170)];
        let after: BTreeMap<String, i64> = after.map(|(a, n)| (a.to_owned(), n)).into();
        assert_eq!(balances_as_of(&shop, "2026-11-06").await, after);
        shop.expect_verified().await;
    });
}

// `held.csv` repeats row r4 of `wrong.csv`, has a fee of 0.20 and a row that cannot be read. Accepted after
// `wrong.csv` is taken back, its r4 counts; accepted before, it counts once that is done. By hand, both ways:
// two fees, 1.70.
#[test]
fn rows_of_a_held_file_that_repeated_those_of_a_file_taken_back_count_in_either_order() {
    for (accepted_first, by_case) in [(false, false), (false, true), (true, false), (true, true)] {
        both(async |store| {
            let shop = Shop::open(store).await;
            let (ana, _, cleo) = shop.people().await;
            shop.import_payments(PAYMENTS).await;
            let wrong = shop.import_settlement("wrong.csv", &csv(WRONG)).await;
            let unreadable =
                "r9,fee,,,0.00,oops,-0.10,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,\n";
            let held = csv(OTHER) + unreadable;
            let held = shop.import_settlement("held.csv", &held).await;
            assert_eq!(held.state, "HELD");
            let accept = async || {
                if !by_case {
                    shop.accept(&held.file_id, "one fee is missing").await;
                    return;
                }
                let cases = shop.open_cases_by_id().await;
                let mut cases = cases
                    .into_iter()
                    .filter(|(_, kind)| kind == "rejected_rows");
                let (case, _) = cases.next().unwrap();
                let nothing = DecisionParams::default();
                shop.decide(&ana, &case, "d-accept-01", Action::AcceptRows, nothing)
                    .await
                    .unwrap();
                work(&shop, &held.file_id, "shop").await;
            };
            if accepted_first {
                accept().await;
            }
            taken_back(&shop, (&ana, &cleo), &wrong.file_id, "shop").await;
            shop.expect_verified().await;
            if !accepted_first {
                accept().await;
            }
            let used = work(&shop, &held.file_id, "shop").await;
            assert_eq!((used.state.as_str(), used.rows.accounted), ("USED", 2));
            assert_eq!((used.rows.repeated, used.rows.rejected), (0, 1));
            shop.expect_balances(&[("provider_clearing", -170), ("provider_fees", 170)])
                .await;
            shop.expect_verified().await;
        });
    }
}

// The right account has the file already, and it waits there only for this one. By hand: as `then` above,
// without anybody uploading it again.
#[test]
fn what_waits_for_the_right_account_is_used_once_it_is_taken_back_from_the_wrong_one() {
    both(async |store| {
        let (shop, wrong) = mistaken(store).await;
        let (ana, _, cleo) = shop.people().await;
        let bytes = csv(WRONG);
        let right = shop.import_for("right", "right.csv", bytes.as_bytes());
        let right = right.await;
        assert_eq!(right.held_because, ["same_file_in_other_account"]);
        taken_back(&shop, (&ana, &cleo), &wrong.file_id, "shop").await;
        assert_eq!(work(&shop, &right.file_id, "right").await.state, "USED");
        shop.expect_balances(&[
            ("payouts_in_transit", 17_550),
            ("provider_clearing", -370),
            ("provider_fees", 620),
            ("suspense", -17_800),
        ])
        .await;
        shop.expect_verified().await;
    });
}

#[test]
fn it_takes_two_independent_people_and_either_may_keep_the_file() {
    both(async |store| {
        let (shop, wrong) = mistaken(store).await;
        let (ana, ben, cleo) = shop.people().await;
        let file = wrong.file_id.as_str();
        let forbidden =
            |result: Result<TakenBack, Error>| matches!(result, Err(Error::Forbidden(_)));
        let conflict = |result: Result<TakenBack, Error>| match result {
            Err(Error::Conflict(why)) => why,
            other => panic!("{other:?}"),
        };
        let ask = async |actor: &Actor| take_back(&shop.engine, actor, file, "wrong account").await;
        assert!(forbidden(ask(&Actor::Operator).await));
        assert!(forbidden(ask(&auditor()).await));
        assert!(matches!(
            take_back(&shop.engine, &ana, file, "  ").await,
            Err(Error::Invalid { .. })
        ));
        assert_eq!(ask(&ana).await.unwrap(), TakenBack::NeedsSecond);
        assert!(conflict(ask(&ana).await).contains("another person must agree"));
        assert!(forbidden(ask(&ben).await));

        // It waits for the approver, in the list of all that does, and on its page.
        let waiting = views::overview(&shop.engine, &cleo).await.unwrap();
        assert_eq!(waiting.files_to_accept[0].file_id, file);
        let page = views::file(&shop.engine, &cleo, file)
            .await
            .unwrap()
            .unwrap();
        let form = page.take_back.unwrap();
        assert_eq!(form.asked.unwrap().by, "ana@example.com");
        assert!(form.may_agree);
        let page = views::file(&shop.engine, &ana, file)
            .await
            .unwrap()
            .unwrap();
        assert!(!page.take_back.unwrap().may_agree);

        keep(&shop.engine, &ben, file, "it is ours").await.unwrap();
        let waiting = views::overview(&shop.engine, &cleo).await.unwrap();
        assert!(waiting.files_to_accept.is_empty());
        assert!(keep(&shop.engine, &ben, file, "again").await.is_err());
        shop.expect_balances(&BEFORE).await;
        shop.expect_verified().await;
        // Whoever asks anew is the first again.
        assert_eq!(ask(&cleo).await.unwrap(), TakenBack::NeedsSecond);
        assert!(conflict(ask(&cleo).await).contains("another person must agree"));
        shop.expect_verified().await;
    });
}

// A decision about a row stands: 30.00 of r3 were recorded as external, so that they are on receipts.
#[test]
fn what_was_decided_about_its_rows_is_taken_back_first() {
    both(async |store| {
        let (shop, wrong) = mistaken(store).await;
        let (ana, _, cleo) = shop.people().await;
        let cases = shop.open_cases_by_id().await;
        let case = cases
            .iter()
            .find(|(_, kind)| *kind == "unexpected_settlement");
        let case = case.unwrap().0.clone();
        let nothing = DecisionParams::default;
        shop.decide(&ana, &case, "external-1", Action::RecordExternal, nothing())
            .await
            .unwrap();
        let refused = take_back(&shop.engine, &ana, &wrong.file_id, "wrong account").await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains(&case), "{refused}");
        let undo = DecisionParams {
            decision: Some("external-1".to_owned()),
            ..nothing()
        };
        shop.decide(&ana, &case, "undo-it-1", Action::ReverseDecision, undo)
            .await
            .unwrap();
        taken_back(&shop, (&ana, &cleo), &wrong.file_id, "shop").await;
        shop.expect_balances(&[("provider_clearing", -170), ("provider_fees", 170)])
            .await;
        // Nothing is left to decide about its rows.
        let reopened = shop
            .decide(&ana, &case, "reopen-it-1", Action::Reopen, nothing())
            .await;
        let refused = reopened.unwrap_err().to_string();
        assert!(refused.contains("taken back out of the books"), "{refused}");
        shop.expect_open_cases(&[]).await;
        shop.expect_verified().await;
    });
}

/// Counts a file as one on which work failed so often.
async fn count_failures(shop: &Shop, file: i64, failures: i64) {
    let mut tx = shop.engine.store.begin().await.unwrap();
    let mut stored = files::by_id(&mut tx, file).await.unwrap();
    stored.failures = failures;
    files::put(&mut tx, &stored).await.unwrap();
    tx.commit().await.unwrap();
}

// `other.csv` repeats r4 of `wrong.csv`, and work on it stopped after its rows were counted. Were
// `wrong.csv` taken back now, r4 would count nowhere.
#[test]
fn nothing_is_taken_back_beside_a_file_whose_work_stopped_in_the_middle() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.add_account("right", ProviderKind::Generic, &[]).await;
        shop.import_payments(PAYMENTS).await;
        let wrong = shop.import_settlement("wrong.csv", &csv(WRONG)).await;
        let dying = Ingest {
            tell: Arc::new(|progress| assert!(progress.state != "CLOSING", "killed here")),
            ..shop.ingest.clone()
        };
        let account = shop.account("shop").await;
        let bytes = csv(OTHER).into_bytes();
        let stored = shop.ingest.evidence.store(&bytes[..]).await.unwrap();
        let other = receive_file(
            &shop.engine,
            &Actor::Operator,
            "shop",
            "other.csv",
            None,
            stored,
        )
        .await
        .unwrap();
        let work_on = tokio::spawn(async move { work_account(&dying, account).await });
        assert!(work_on.await.unwrap_err().is_panic());
        let (ana, _, cleo) = shop.people().await;
        for failures in [0, 3] {
            count_failures(&shop, other.id, failures).await;
            let refused = take_back(&shop.engine, &ana, &wrong.file_id, "wrong account").await;
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains("“other.csv”"), "{refused}");
        }
        // `match` lets it go on where it stands.
        shop.clock
            .set(Instant::parse_rfc3339("2026-11-06T10:00:00Z").unwrap());
        work_again(&shop.ingest).await.unwrap();
        shop.expect_balances(&BEFORE).await;
        taken_back(&shop, (&ana, &cleo), &wrong.file_id, "shop").await;
        shop.expect_balances(&[("provider_clearing", -170), ("provider_fees", 170)])
            .await;
        shop.expect_verified().await;
    });
}

/// Works on the account until a step is told, and dies there.
async fn dies_at(shop: &Shop, state: &'static str, rows_done: u64) {
    let dying = Ingest {
        tell: Arc::new(move |progress| {
            let there = (progress.state.as_str(), progress.rows_done) == (state, rows_done);
            assert!(!there, "killed here");
        }),
        ..shop.ingest.clone()
    };
    let account = shop.account("shop").await;
    let work = tokio::spawn(async move { work_account(&dying, account).await });
    assert!(work.await.unwrap_err().is_panic());
    shop.clock.advance_seconds(21);
}

// Work on `wrong.csv` stops when its rows are out and r4 of `other.csv` does not count yet; `late.csv`, which
// has r4 too, is read in between, and work on it stops before its first row. By hand: r4 counts once, for
// `other.csv`: fees of 1.50, 0.20 and 0.30.
#[test]
fn a_file_that_was_read_while_another_was_half_out_of_the_books_is_read_anew() {
    both(async |store| {
        let (shop, wrong) = mistaken(store).await;
        let (ana, _, cleo) = shop.people().await;
        for actor in [&ana, &cleo] {
            take_back(&shop.engine, actor, &wrong.file_id, "wrong account")
                .await
                .unwrap();
        }
        dies_at(&shop, "TAKING_BACK", 6).await;
        let id = files::id_by_public_id(shop.engine.store.read().await.unwrap(), &wrong.file_id);
        count_failures(&shop, id.await.unwrap().unwrap(), 3).await;
        let late = OTHER.replace("r8", "r9").replace("0.20", "0.30");
        let stored = shop.ingest.evidence.store(csv(&late).as_bytes()).await;
        let late = receive_file(
            &shop.engine,
            &Actor::Operator,
            "shop",
            "late.csv",
            None,
            stored.unwrap(),
        )
        .await
        .unwrap();
        dies_at(&shop, "POSTING", 0).await;

        work_again(&shop.ingest).await.unwrap();
        assert_eq!(work(&shop, &wrong.file_id, "shop").await.state, "WITHDRAWN");
        let late = work(&shop, &late.public_id, "shop").await;
        assert_eq!(late.state, "USED");
        assert_eq!((late.rows.accounted, late.rows.repeated), (1, 1));
        shop.expect_balances(&[("provider_clearing", -200), ("provider_fees", 200)])
            .await;
        shop.expect_verified().await;
    });
}

// The same command lets a file go on that stopped while it was taken back.
#[test]
fn work_that_stopped_while_a_file_is_taken_back_is_tried_again() {
    both(async |store| {
        let (shop, wrong) = mistaken(store).await;
        let (ana, _, cleo) = shop.people().await;
        for actor in [&ana, &cleo] {
            take_back(&shop.engine, actor, &wrong.file_id, "wrong account")
                .await
                .unwrap();
        }
        let id = files::id_by_public_id(shop.engine.store.read().await.unwrap(), &wrong.file_id);
        let id = id.await.unwrap().unwrap();
        count_failures(&shop, id, 3).await;
        assert_eq!(
            work(&shop, &wrong.file_id, "shop").await.state,
            "TAKING_BACK"
        );
        work_again(&shop.ingest).await.unwrap();
        assert_eq!(work(&shop, &wrong.file_id, "shop").await.state, "WITHDRAWN");
        shop.expect_balances(&[("provider_clearing", -170), ("provider_fees", 170)])
            .await;
        shop.expect_verified().await;
    });
}

// Batch b1 is off by the 0.20 of r8. Once two people agreed to take `wrong.csv` back, nobody accepts that
// any more: of the batch r4 and r8 are left, and no payout.
#[test]
fn what_is_left_of_a_batch_is_not_accepted_while_its_rows_are_leaving_the_books() {
    both(async |store| {
        let (shop, wrong) = mistaken(store).await;
        let (ana, _, cleo) = shop.people().await;
        let now = Instant::parse_rfc3339("2026-11-20T10:00:00Z").unwrap();
        shop.clock.set(now);
        sweep(&shop.engine, now).await.unwrap();
        let cases = shop.open_cases_by_id().await;
        let case = cases
            .iter()
            .find(|(_, kind)| *kind == "batch_out_of_balance");
        let case = case.unwrap().0.clone();
        for actor in [&ana, &cleo] {
            take_back(&shop.engine, actor, &wrong.file_id, "wrong account")
                .await
                .unwrap();
        }
        let nothing = DecisionParams::default();
        let refused = shop
            .decide(&ana, &case, "d-residual", Action::AcceptVariance, nothing)
            .await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("is being taken back"), "{refused}");
        work(&shop, &wrong.file_id, "shop").await;
        shop.expect_balances(&[("provider_clearing", -170), ("provider_fees", 170)])
            .await;
        shop.expect_verified().await;
    });
}

// 2,500 payments of 1.00, all matched, in two units of work. By hand:
// nothing is left of them, whether or not the work was killed after the first of them.
#[test]
fn who_dies_while_a_file_is_taken_back_goes_on_and_ends_as_one_that_was_left_alone() {
    use std::fmt::Write as _;
    const ROWS: usize = 2_500;
    let (mut payments, mut rows) = (PAYMENTS.lines().next().unwrap().to_owned() + "\n", csv(""));
    for n in 0..ROWS {
        writeln!(payments, "k{n},ref-{n},charge,1.00,EUR,in,c,2026-11-02T09:00:00Z,,b{n},1,shop,k{n},px_{n},2026-11-02T09:00:01Z,,succeeded,").unwrap();
        writeln!(rows, "p{n},payment,px_{n},ref-{n},1.00,0.00,1.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b{},,", n / 1_250).unwrap();
    }
    let (payments, rows) = (&payments, &rows);
    let ends = std::sync::Mutex::new(Vec::new());
    for kill in [false, true] {
        both(async |store| {
            let shop = Shop::open(store).await;
            shop.import_payments(payments).await;
            let file = shop.import_settlement("day.csv", rows).await;
            assert_eq!(
                (file.state.as_str(), file.verdicts["MATCHED"]),
                ("USED", 2_500)
            );
            let (ana, _, cleo) = shop.people().await;
            for actor in [&ana, &cleo] {
                take_back(&shop.engine, actor, &file.file_id, "wrong account")
                    .await
                    .unwrap();
            }
            if kill {
                let dying = Ingest {
                    tell: Arc::new(|progress| {
                        assert!(progress.state != "TAKING_BACK", "killed here");
                    }),
                    ..shop.ingest.clone()
                };
                let account = shop.account("shop").await;
                let work = tokio::spawn(async move { work_account(&dying, account).await });
                assert!(work.await.unwrap_err().is_panic());
                // Most of it is out of the books, and everything adds up.
                shop.expect_balances(&[("provider_clearing", 50_000), ("receipts", -50_000)])
                    .await;
                shop.expect_verified().await;
                shop.clock
                    .set(Instant::parse_rfc3339("2026-11-09T08:00:00Z").unwrap());
            }
            let back = work(&shop, &file.file_id, "shop").await;
            assert_eq!(
                (back.state.as_str(), back.rows.withdrawn),
                ("WITHDRAWN", 2_500)
            );
            shop.expect_balances(&[]).await;
            shop.expect_verified().await;
            let end = queries::everything(shop.engine.store.read().await.unwrap())
                .await
                .unwrap();
            ends.lock().unwrap().push(end);
        });
    }
    let ends = ends.into_inner().unwrap();
    for other in &ends {
        assert!(ends[0] == *other, "the ends differ");
    }
}
