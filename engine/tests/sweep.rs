//! What time brings up, on both databases: it finds everything, loses nothing, and claims no more than
//! the files say.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "support/shop.rs"]
mod shop;

use domain::{
    account::ProviderKind,
    actor::Actor,
    cases::{Action, DecisionParams},
    time::Instant,
};
use engine::{
    Store,
    ingest::{receive_file, work_account},
    storage::accounts,
    sweep::{LookedBack, Reach, sweep, sweep_again, sweep_back, sweep_in_pages},
    testing::{both, queries},
};
use shop::Shop;
use std::fmt::Write;

const PAYMENTS: &str = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code\n";

const SETTLEMENT: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n";

/// A payment of account `easy`, tried once at that time: `i-NAME` and `a-NAME`.
fn payment(name: &str, amount: &str, at: &str, outcome: &str) -> String {
    format!(
        "i-{name},order-{name},charge,{amount},EUR,in,c-{name},{at},,a-{name},1,easy,i-{name},,{at},,{outcome},\n"
    )
}

/// Fees of 0.50, one on each of these days.
fn fees(days: &[&str]) -> String {
    let mut file = SETTLEMENT.to_owned();
    for (n, day) in days.iter().enumerate() {
        let _ = writeln!(
            file,
            "f-{day}-{n},fee,,,0.00,0.50,-0.50,EUR,{day}T00:00:00Z,{day}T00:00:00Z,,,"
        );
    }
    file
}

async fn open(store: Store, set: &[(&str, &str)]) -> Shop {
    let shop = Shop::open(store).await;
    shop.add_account("easy", ProviderKind::Generic, set).await;
    shop
}

fn now_is(shop: &Shop, time: &str) -> Instant {
    let now = Instant::parse_rfc3339(time).unwrap();
    shop.clock.set(now);
    now
}

// A payment of Monday the 2nd is due with the file of Wednesday the 4th; 24 hours of grace end with the
// 5th.
const DUE: &str = "2026-11-06T00:00:00Z";

#[test]
fn months_of_payments_from_before_the_first_file_hide_no_missing_settlement() {
    both(async |store| {
        let shop = open(store, &[]).await;
        let mut payments = PAYMENTS.to_owned();
        for day in ["03", "04", "05"] {
            payments += &payment(
                day,
                "10.00",
                &format!("2026-08-{day}T09:00:00Z"),
                "succeeded",
            );
        }
        payments += &payment("now", "20.00", "2026-11-02T09:00:00Z", "succeeded");
        shop.import_payments(&payments).await;
        let file = fees(&["2026-11-02", "2026-11-06"]);
        shop.import_for("easy", "november.csv", file.as_bytes())
            .await;
        let now = now_is(&shop, DUE);
        sweep_in_pages(&shop.engine, now, Reach::Whole, 2)
            .await
            .unwrap();
        shop.expect_open_cases(&["missing_settlement"]).await;
        let case = shop.only_case().await;
        assert_eq!(shop.subject(&case).await, "attempt:a-now");
        shop.expect_verified().await;
    });
}

// Half a year and more after they were due: the file that came for their days does not hold them.
#[test]
fn payments_of_long_ago_are_missed_once_the_files_of_their_days_are_there() {
    for coverage in ["daily", "none"] {
        both(async |store| {
            let shop = open(store, &[("coverage", coverage)]).await;
            let payments = PAYMENTS.to_owned()
                + &payment("before", "10.00", "2026-01-02T09:00:00Z", "succeeded")
                + &payment("in", "20.00", "2026-02-03T09:00:00Z", "succeeded");
            shop.import_payments(&payments).await;
            let file = fees(&["2026-02-02", "2026-02-03", "2026-02-04", "2026-02-05"]);
            shop.import_for("easy", "february.csv", file.as_bytes())
                .await;
            let now = now_is(&shop, DUE);
            sweep_back(&shop.engine, now, Reach::Recent).await.unwrap();
            let looked_at = async || {
                let ids = queries::open_case_ids(shop.engine.store.read().await.unwrap());
                let mut subjects = Vec::new();
                for id in ids.await.unwrap() {
                    if shop.kind(&id).await == "missing_settlement" {
                        subjects.push(shop.subject(&id).await);
                    }
                }
                subjects
            };
            assert_eq!(looked_at().await, Vec::<String>::new(), "{coverage}");
            sweep(&shop.engine, now).await.unwrap();
            assert_eq!(looked_at().await, ["attempt:a-in"], "{coverage}");
            shop.expect_verified().await;
        });
    }
}

// A file of February is on its way when the sweep comes by, and used when it comes again, on the same day.
#[test]
fn what_a_file_on_its_way_kept_from_being_looked_at_is_looked_at_by_the_next_sweep() {
    both(async |store| {
        let shop = open(store, &[]).await;
        let payment = payment("in", "20.00", "2026-02-03T09:00:00Z", "succeeded");
        shop.import_payments(&(PAYMENTS.to_owned() + &payment))
            .await;
        let file = fees(&["2026-02-02", "2026-02-03", "2026-02-04", "2026-02-05"]);
        let stored = shop.ingest.evidence.store(file.as_bytes()).await.unwrap();
        let received = receive_file(
            &shop.engine,
            &Actor::Operator,
            "easy",
            "february.csv",
            None,
            stored,
        )
        .await
        .unwrap();
        let now = now_is(&shop, DUE);
        let mut looked = LookedBack::default();
        sweep_again(&shop.engine, now, &mut looked).await.unwrap();
        shop.expect_open_cases(&[]).await;
        work_account(&shop.ingest, received.account_id)
            .await
            .unwrap();
        sweep_again(&shop.engine, now, &mut looked).await.unwrap();
        assert_eq!(
            subjects(&shop, "missing_settlement").await,
            ["attempt:a-in"]
        );
        shop.expect_verified().await;
    });
}

/// What the open cases of a kind are about.
async fn subjects(shop: &Shop, kind: &str) -> Vec<String> {
    let ids = queries::open_case_ids(shop.engine.store.read().await.unwrap());
    let mut subjects = Vec::new();
    for id in ids.await.unwrap() {
        if shop.kind(&id).await == kind {
            subjects.push(shop.subject(&id).await);
        }
    }
    subjects
}

// Five leases ran out. By hand: read one by one they are five units of work and one that finds the end;
// all at once, one. Each unit passes the account's gate once.
#[test]
fn leases_that_ran_out_end_page_by_page() {
    both(async |store| {
        let shop = open(store, &[("coverage", "none")]).await;
        shop.add_account("all", ProviderKind::Generic, &[("coverage", "none")])
            .await;
        let mut payments = PAYMENTS.to_owned();
        for n in 1..=5 {
            let row = payment(&n.to_string(), "1.00", "2026-11-02T09:00:00Z", "in_flight");
            payments += &row;
            payments += &row
                .replace("easy", "all")
                .replace("i-", "j-")
                .replace("a-", "b-");
        }
        assert_eq!(shop.import_payments(&payments).await.attempts_new, 10);
        let now = shop.engine.now();
        let passed = async |account: &str, size: i64| {
            let account = shop.account(account).await;
            let gate = async || {
                let reading = shop.engine.store.read().await.unwrap();
                accounts::gate(reading, account).await.unwrap()
            };
            let before = gate().await;
            let swept = sweep_in_pages(&shop.engine, now, Reach::Recent, size);
            let over = swept.await.unwrap().leases_over;
            (over, gate().await - before)
        };
        let (over, in_pages) = passed("easy", 1).await;
        assert_eq!(over, 10);
        assert!(shop.outcomes().await.iter().all(|(_, o)| o == "unknown"));
        // Nothing is left to end: what remains are the looks at each list.
        let (over, looks) = passed("all", 1).await;
        assert_eq!((over, in_pages - looks), (0, 5));
        shop.expect_verified().await;
    });
}

/// Two attempts, the older of which a proposed match speaks for.
async fn one_is_spoken_for(store: Store, outcome: &str, expected: &[&str]) {
    let shop = open(store, &[("coverage", "none")]).await;
    let payments = PAYMENTS.to_owned()
        + &payment("1", "100.00", "2026-11-02T09:00:00Z", outcome)
        + &payment("2", "50.00", "2026-11-02T09:05:00Z", outcome);
    shop.import_payments(&payments).await;
    let file = SETTLEMENT.to_owned()
        + "r1,payment,,,100.00,0.00,100.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n";
    shop.import_for("easy", "day.csv", file.as_bytes()).await;
    shop.expect_open_cases(&["proposed_match"]).await;
    let now = now_is(&shop, DUE);
    sweep_in_pages(&shop.engine, now, Reach::Whole, 1)
        .await
        .unwrap();
    shop.expect_open_cases(expected).await;
    shop.expect_verified().await;
}

#[test]
fn an_attempt_that_another_case_speaks_for_hides_none_behind_it() {
    both(async |store| {
        one_is_spoken_for(
            store,
            "succeeded",
            &["missing_settlement", "proposed_match"],
        )
        .await;
    });
    both(async |store| {
        one_is_spoken_for(store, "unknown", &["proposed_match", "unknown_outcome"]).await;
    });
}

#[test]
fn a_missing_file_stays_one_case_for_as_long_as_it_is_missing() {
    both(async |store| {
        let shop = open(store, &[]).await;
        let file = fees(&["2026-11-02", "2026-11-03"]);
        shop.import_for("easy", "first.csv", file.as_bytes()).await;
        // The file of Wednesday the 4th is due with Friday the 6th, 24 hours and five days: the 13th.
        for time in [
            "2026-11-13T00:00:00Z",
            "2027-01-20T12:00:00Z",
            "2027-04-01T12:00:00Z",
        ] {
            let now = now_is(&shop, time);
            sweep(&shop.engine, now).await.unwrap();
            let case = shop.only_case().await;
            assert_eq!(
                shop.subject(&case).await,
                "period:easy:2026-11-04",
                "{time}"
            );
            assert_eq!(case, "C-00001", "{time}");
        }
        let file = fees(&["2026-11-04", "2027-03-31"]);
        shop.import_for("easy", "rest.csv", file.as_bytes()).await;
        shop.expect_open_cases(&[]).await;
        assert_eq!(shop.state("C-00001").await, "RESOLVED");
        shop.expect_verified().await;
    });
}

#[test]
fn what_was_set_aside_and_reopened_stays_open() {
    both(async |store| {
        let shop = open(store, &[]).await;
        let (ana, _, _) = shop.people().await;
        let file = fees(&["2026-11-02", "2026-11-03"]);
        shop.import_for("easy", "first.csv", file.as_bytes()).await;
        let now = now_is(&shop, "2026-11-13T00:00:00Z");
        sweep(&shop.engine, now).await.unwrap();
        let case = shop.only_case().await;
        let nothing = DecisionParams::default;
        for (id, action, open) in [
            ("d-set-aside", Action::Dismiss, false),
            ("d-open-again", Action::Reopen, true),
        ] {
            shop.decide(&ana, &case, id, action, nothing())
                .await
                .unwrap();
            sweep(&shop.engine, now).await.unwrap();
            assert_eq!(shop.state(&case).await != "RESOLVED", open, "{id}");
            shop.expect_verified().await;
        }
    });
}

// Five cases of two accounts wait until the same day, and fewer than that are moved at once.
#[test]
fn all_cases_that_wait_wake_however_many_they_are() {
    both(async |store| {
        let shop = open(store, &[("coverage", "none")]).await;
        shop.add_account("other", ProviderKind::Generic, &[("coverage", "none")])
            .await;
        let (ana, _, _) = shop.people().await;
        let stray = |n: usize| {
            format!(
                "s-{n},payment,pi-{n},none-{n},9.00,0.00,9.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n"
            )
        };
        for (account, rows) in [("easy", 0..3), ("other", 3..5)] {
            let file = rows.map(stray).fold(SETTLEMENT.to_owned(), |f, r| f + &r);
            shop.import_for(account, "stray.csv", file.as_bytes()).await;
        }
        let ids = queries::open_case_ids(shop.engine.store.read().await.unwrap());
        let ids = ids.await.unwrap();
        assert_eq!(ids.len(), 5);
        let until = Instant::parse_rfc3339("2026-11-09T00:00:00Z").unwrap();
        for (n, case) in ids.iter().enumerate() {
            let params = DecisionParams {
                until: Some(until),
                ..DecisionParams::default()
            };
            shop.decide(&ana, case, &format!("d-snooze-{n}"), Action::Snooze, params)
                .await
                .unwrap();
        }
        for (time, state, moved) in [
            ("2026-11-08T23:59:59Z", "WAITING", 0),
            ("2026-11-09T00:00:00Z", "OPEN", 5),
            ("2026-11-09T00:00:01Z", "OPEN", 0),
        ] {
            let now = now_is(&shop, time);
            let swept = sweep_in_pages(&shop.engine, now, Reach::Recent, 2).await;
            assert_eq!(swept.unwrap().cases_moved, moved, "{time}");
            for case in &ids {
                assert_eq!(shop.state(case).await, state, "{time}");
            }
        }
        shop.expect_verified().await;
    });
}

#[test]
fn a_row_with_a_wrong_date_is_asked_about_and_makes_no_other_day_complete() {
    both(async |store| {
        let shop = open(store, &[]).await;
        let payments = PAYMENTS.to_owned()
            + &payment("august", "10.00", "2026-08-04T09:00:00Z", "succeeded")
            + &payment("november", "20.00", "2026-11-02T09:00:00Z", "succeeded");
        shop.import_payments(&payments).await;
        // Eleven rows of five days, and one of three months before.
        let mut days = vec!["2026-08-03"];
        days.extend(["2026-11-02"; 6]);
        days.extend(["2026-11-06"; 5]);
        let held = shop
            .import_for("easy", "november.csv", fees(&days).as_bytes())
            .await;
        assert_eq!((held.state.as_str(), held.rows.held), ("HELD", 12));
        assert_eq!(held.held_because, ["days_far_apart"]);
        let question = &held.held_messages[0];
        assert!(
            question.contains("2026-08-03 (line 2) and then on 2026-11-02 (line 3)"),
            "{question}"
        );
        let used = shop.accept(&held.file_id, "a late fee").await;
        assert_eq!((used.state.as_str(), used.rows.accounted), ("USED", 12));
        let now = now_is(&shop, DUE);
        sweep(&shop.engine, now).await.unwrap();
        shop.expect_open_cases(&["missing_settlement"]).await;
        let case = shop.only_case().await;
        assert_eq!(shop.subject(&case).await, "attempt:a-november");
        shop.expect_verified().await;
    });
}

#[test]
fn a_case_that_waits_becomes_more_severe_and_evidence_takes_no_escalation_back() {
    both(async |store| {
        let shop = open(store, &[("coverage", "none")]).await;
        let (analyst, _, _) = shop.people().await;
        let payments =
            PAYMENTS.to_owned() + &payment("1", "80.00", "2026-11-02T09:00:00Z", "succeeded");
        shop.import_payments(&payments).await;
        let line = |row: &str, gross: &str| {
            format!(
                "{SETTLEMENT}{row},payment,,order-1,{gross},0.00,{gross},EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n"
            )
        };
        shop.import_for("easy", "a.csv", line("r1", "72.00").as_bytes())
            .await;
        let case = shop.only_case().await;
        // Less than 100.00 at risk.
        assert_eq!(shop.severity(&case).await, 1);
        let escalate = DecisionParams::default();
        shop.decide(&analyst, &case, "d-escalate", Action::Escalate, escalate)
            .await
            .unwrap();
        assert_eq!(shop.severity(&case).await, 2);
        shop.import_for("easy", "b.csv", line("r2", "3.00").as_bytes())
            .await;
        assert_eq!(shop.only_case().await, case);
        assert_eq!(shop.severity(&case).await, 2);
        // It opened on the 4th at eight.
        for (time, severity) in [
            ("2026-11-11T07:59:59Z", 2),
            ("2026-11-11T08:00:00Z", 3),
            ("2026-11-12T08:00:00Z", 3),
        ] {
            let now = now_is(&shop, time);
            let version = shop.version(&case).await;
            sweep(&shop.engine, now).await.unwrap();
            assert_eq!(shop.severity(&case).await, severity, "{time}");
            assert_eq!(shop.version(&case).await, version, "{time}");
        }
        shop.expect_verified().await;
    });
}

// Opened on the 4th: a week later it is one step more severe, on the 5th it is not.
#[test]
fn what_a_clock_ahead_made_more_severe_is_as_severe_as_today_makes_it_once_the_clock_is_right() {
    both(async |store| {
        let shop = open(store, &[("coverage", "none")]).await;
        let payments =
            PAYMENTS.to_owned() + &payment("1", "1500.00", "2026-11-02T09:00:00Z", "succeeded");
        shop.import_payments(&payments).await;
        let line = format!(
            "{SETTLEMENT}r1,payment,,order-1,1400.00,0.00,1400.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n"
        );
        shop.import_for("easy", "a.csv", line.as_bytes()).await;
        let case = shop.only_case().await;
        // 100.00 at risk.
        assert_eq!(shop.severity(&case).await, 2);
        for (time, severity) in [("2026-11-12T08:00:00Z", 3), ("2026-11-05T08:00:00Z", 2)] {
            let now = now_is(&shop, time);
            sweep(&shop.engine, now).await.unwrap();
            assert_eq!(shop.severity(&case).await, severity, "{time}");
            shop.expect_verified().await;
        }
    });
}

/// The row of `i-late` fits exactly, by the provider's id: nothing about it needs a second look but that
/// it was missed.
#[test]
fn money_that_was_missed_closes_its_case_when_it_comes_however_it_comes() {
    let late = "i-late,order-late,charge,50.00,EUR,in,c1,2026-11-02T09:00:00Z,,a-late,1,easy,i-late,pi_late,2026-11-02T09:00:01Z,,succeeded,\n";
    let row = "r1,payment,pi_late,order-late,50.00,0.00,50.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n";
    let stranger = "s1,payment,pi_none,order-none,7.00,0.00,7.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n";
    let unreadable = "r2,payment,pi_none,order-none,x,0.00,7.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n";
    for (first, rows, left) in [
        ("", row.to_owned(), &[][..]),
        (stranger, row.to_owned(), &["unexpected_settlement"]),
        ("", format!("{row}{unreadable}"), &[]),
    ] {
        both(async |store| {
            let shop = open(store, &[("coverage", "none")]).await;
            shop.import_payments(&(PAYMENTS.to_owned() + late)).await;
            if !first.is_empty() {
                let file = format!("{SETTLEMENT}{first}");
                shop.import_for("easy", "first.csv", file.as_bytes()).await;
            }
            let now = now_is(&shop, "2026-12-01T00:00:00Z");
            sweep(&shop.engine, now).await.unwrap();
            let missed = shop.open_case_about("attempt:a-late").await;
            assert_eq!(shop.kind(&missed).await, "missing_settlement");

            let file = format!("{SETTLEMENT}{rows}");
            let came = shop.import_for("easy", "late.csv", file.as_bytes()).await;
            if came.state == "HELD" {
                shop.accept(&came.file_id, "the rest is good").await;
            }
            assert_eq!(shop.state(&missed).await, "RESOLVED", "{rows}");
            shop.expect_open_cases(left).await;
            shop.expect_verified().await;
        });
    }
}
