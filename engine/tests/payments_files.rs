//! Payments files on both databases: what two payments cannot share, ids that look like formulas, and
//! times that are slips.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/shop.rs"]
mod shop;

use domain::{
    account::ProviderKind,
    actor::{Actor, Role},
};
use engine::{
    export::{Filter, Format, export_payments},
    testing::both,
};
use shop::Shop;
use std::fmt::Write as _;

const HEADER: &str = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code\n";

/// A succeeded attempt of 2 November.
fn row(
    intent: &str,
    operation: &str,
    attempt: &str,
    provider: &str,
    key: &str,
    id: &str,
) -> String {
    let (number, direction) = (
        attempt.rsplit('-').next().unwrap(),
        if operation == "charge" { "in" } else { "out" },
    );
    format!(
        "{intent},order-{intent},{operation},10.00,EUR,{direction},,2026-11-02T09:00:00Z,,{attempt},{number},{provider},{key},{id},2026-11-02T09:00:01Z,,succeeded,\n"
    )
}

async fn refused(shop: &Shop, rows: &[String]) -> Vec<(u64, String)> {
    let done = shop
        .import_payments(&format!("{HEADER}{}", rows.concat()))
        .await;
    done.refused
        .into_iter()
        .map(|r| (r.line, r.reason))
        .collect()
}

/// The payments as an auditor exports them.
async fn exported(shop: &Shop) -> String {
    let auditor = Actor::Person {
        user_id: 1,
        email: "auditor@example.com".to_owned(),
        roles: [Role::Auditor].into(),
    };
    let everything = Filter::default();
    let (out, _) = export_payments(&shop.engine, &auditor, &everything, Format::Csv, Vec::new())
        .await
        .unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn what_one_payment_holds_at_a_provider_no_other_payment_may_claim() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.add_account("second", ProviderKind::Generic, &[]).await;
        let first = row("i1", "charge", "a1-1", "shop", "k1", "pi_1");
        // Beside it in the same file, and in a later one.
        let with_id = |attempt: &str| row("i2", "charge", attempt, "shop", "k2", "pi_1");
        let with_key = |attempt: &str| row("i3", "charge", attempt, "shop", "k1", "pi_3");
        let told = refused(&shop, &[first.clone(), with_id("a2-1"), with_key("a3-1")]).await;
        assert_eq!(told.iter().map(|r| r.0).collect::<Vec<_>>(), [3, 4]);
        for (_, reason) in &told {
            for name in ["a1-1", "i1"] {
                assert!(reason.contains(name), "{reason}");
            }
        }
        assert!(told[0].1.contains("provider_payment_id: pi_1") && told[0].1.contains("i2"));
        assert!(told[1].1.contains("idempotency_key: k1") && told[1].1.contains("i3"));
        let later = refused(&shop, &[with_id("a2-1"), with_key("a3-1")]).await;
        assert_eq!(later.iter().map(|r| r.0).collect::<Vec<_>>(), [2, 3]);

        let fine = [
            // The same again, and a repeat of the same payment under the same key.
            first,
            row("i1", "charge", "a1-2", "shop", "k1", "pi_1"),
            // Another account's ids and keys are its own.
            row("i4", "charge", "a4-1", "second", "k1", "pi_1"),
            // A refund may be known by the id of the payment that it gives back; its key is its own.
            row("r1", "refund", "b1-1", "shop", "kr1", "pi_1"),
            // Nothing named, nothing shared.
            row("i5", "charge", "a5-1", "shop", "", ""),
            row("i6", "charge", "a6-1", "shop", "", ""),
        ];
        assert_eq!(refused(&shop, &fine).await, []);
        // Two refunds are two.
        let twice = refused(&shop, &[row("r2", "refund", "b2-1", "shop", "kr2", "pi_1")]).await;
        assert!(
            twice[0].1.contains("b1-1") && twice[0].1.contains("r1"),
            "{twice:?}"
        );
        shop.expect_verified().await;
    });
}

#[test]
fn a_report_does_not_fill_in_another_payment_s_id() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let open = row("i2", "charge", "a2-1", "shop", "k2", "");
        let first = row("i1", "charge", "a1-1", "shop", "k1", "pi_1");
        assert_eq!(refused(&shop, &[first, open]).await, []);
        let filled = row("i2", "charge", "a2-1", "shop", "k2", "pi_1");
        let told = refused(&shop, &[filled]).await;
        assert!(
            told[0].1.contains("a1-1") && told[0].1.contains("i2"),
            "{told:?}"
        );
        // An id that a report filled in is held like any other.
        let own = row("i2", "charge", "a2-1", "shop", "k2", "pi_2");
        assert_eq!(refused(&shop, &[own]).await, []);
        let third = row("i3", "charge", "a3-1", "shop", "k3", "pi_2");
        let told = refused(&shop, &[third]).await;
        assert!(
            told[0].1.contains("a2-1") && told[0].1.contains("i3"),
            "{told:?}"
        );
    });
}

#[test]
fn an_export_of_payments_imports_again_as_what_it_was() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let mut rows = HEADER.to_owned();
        let odd = ["=1+1", "+49", "-x", "@home", "'=x", "''-", "'tis", "plain"];
        for (n, id) in (1..).zip(odd) {
            writeln!(rows,
                "i{id},r{id},charge,10.00,EUR,in,{id},2026-11-02T09:00:00Z,,{id},1,shop,k{n},{id}p,2026-11-02T09:00:01Z,2026-11-02T09:00:02Z,rejected,{id}").unwrap();
            writeln!(
                rows,
                "{id},{id},charge,10.00,EUR,in,,2026-11-02T09:00:00Z,,,,,,,,,,"
            )
            .unwrap();
        }
        let taken = shop.import_payments(&rows).await;
        assert_eq!(taken.refused, []);
        assert_eq!((taken.intents_new, taken.attempts_new), (16, 8));
        let first = exported(&shop).await;
        let again = shop.import_payments(&first).await;
        assert_eq!(again.refused, []);
        assert_eq!(
            (
                again.rows,
                again.unchanged,
                again.intents_new,
                again.attempts_new
            ),
            (16, 16, 0, 0)
        );
        assert_eq!(exported(&shop).await, first);
    });
}

#[test]
fn a_row_whose_ids_hold_control_characters_is_refused_and_the_others_are_taken() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let rows = [
            row("i1", "charge", "a1-1", "shop", "k1", "pi_1"),
            row("i2", "charge", "a2-1", "shop", "k2", "pi_2").replacen("i2,", "\"i\n2\",", 1),
            row("i\u{1b}[2J3", "charge", "a3-1", "shop", "k3", "pi_3"),
            row("i4", "charge", "a4-1", "shop", "k4", "pi\u{7f}_4"),
        ];
        let done = shop
            .import_payments(&format!("{HEADER}{}", rows.concat()))
            .await;
        assert_eq!((done.rows, done.intents_new), (4, 1));
        // The record of the second stands on two lines.
        let lines: Vec<u64> = done.refused.iter().map(|r| r.line).collect();
        assert_eq!(lines, [3, 5, 6], "{:?}", done.refused);
        let columns = ["intent_id", "intent_id", "provider_payment_id"];
        for (refused, column) in done.refused.iter().zip(columns) {
            assert!(
                refused.reason.starts_with(&format!("column {column}: ")),
                "{}",
                refused.reason
            );
        }
    });
}

/// An attempt of 2 November that the company reported so.
fn reported(n: u32, id: &str, outcome: &str) -> String {
    format!(
        "i{n},order-{n},charge,10.00,EUR,in,,2026-11-02T09:00:00Z,,a{n},1,shop,i{n},{id},2026-11-02T09:00:01Z,,{outcome},\n"
    )
}

// By hand: a line pays the unknown a1 under an id that the company does not know, and the rejected a2;
// people confirm a3, say that a4 was not executed, and that of a5, which comes with the wrong amount,
// 9.00 is all; the lease of a6 runs out; a7 succeeded and then is reported as rejected; a8 is a
// worker's; of a9 nothing is known.
#[test]
fn what_tieout_concluded_does_not_come_back_as_the_company_s_report() {
    use domain::{
        cases::{Action, DecisionParams},
        payment::Outcome,
    };
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, approver) = shop.people().await;
        let mut rows = HEADER.to_owned();
        for (n, id, outcome) in [
            (1, "", "unknown"),
            (2, "pi_2", "rejected"),
            (3, "pi_3", "unknown"),
            (4, "pi_4", "unknown"),
            (5, "pi_5", "succeeded"),
            (6, "", "in_flight"),
            (7, "pi_7", "succeeded"),
            (9, "pi_9", "unknown"),
        ] {
            rows += &reported(n, id, outcome);
        }
        rows += "i8,order-8,charge,10.00,EUR,in,,2026-11-02T09:00:00Z,,,,,,,,,,\n";
        shop.import_payments(&rows).await;
        let worker = Actor::Token {
            token_id: 1,
            name: "worker".to_owned(),
            scopes: [domain::actor::Scope::Payments].into(),
            person: None,
        };
        let claim = engine::registry::ClaimRequest {
            expected_version: 1,
            provider: "shop".to_owned(),
            claim_id: None,
            request_digest: None,
        };
        engine::registry::claim_attempt(&shop.engine, &worker, "i8", &claim)
            .await
            .unwrap();
        shop.import_settlement(
            "day.csv",
            "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n\
             r1,payment,pi_1,order-1,10.00,0.00,10.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n\
             r2,payment,pi_2,order-2,10.00,0.00,10.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n\
             r5,payment,pi_5,order-5,9.00,0.00,9.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n",
        )
        .await;
        shop.clock.advance_seconds(3_600);
        engine::sweep::sweep(&shop.engine, shop.engine.now())
            .await
            .unwrap();
        shop.import_payments(&format!("{HEADER}{}", reported(7, "pi_7", "rejected")))
            .await;
        let confirmed = DecisionParams {
            outcome: Some(Outcome::Succeeded),
            ..DecisionParams::default()
        };
        for (subject, action, params) in [
            ("attempt:a3", Action::ConfirmOutcome, confirmed),
            ("attempt:a4", Action::NotExecuted, DecisionParams::default()),
            ("a5", Action::AcceptVariance, DecisionParams::default()),
        ] {
            let case = shop.open_case_about(subject).await;
            let decision = format!("d-{action}-{subject}").replace(':', "-");
            let decided = shop
                .decide(&analyst, &case, &decision, action, params)
                .await
                .unwrap();
            if decided.state == "AWAITING" {
                shop.approve(&approver, &decision).await.unwrap();
            }
        }
        let stands = shop.outcomes().await;
        for (attempt, outcome) in [
            ("a1", "succeeded"),
            ("a3", "succeeded"),
            ("a4", "absent"),
            ("a6", "unknown"),
            ("a2", "contested"),
        ] {
            assert!(
                stands.contains(&(attempt.to_owned(), outcome.to_owned())),
                "{attempt}: {stands:?}"
            );
        }

        let exported = exported(&shop).await;
        let before = shop.everything().await;
        let again = shop.import_payments(&exported).await;
        assert_eq!(again.refused, [], "{exported}");
        assert_eq!((again.rows, again.unchanged), (9, 9), "{exported}");
        assert_eq!(shop.everything().await, before);
        assert_eq!(shop.outcomes().await, stands);
        // What was concluded stands in the columns at the end.
        let of = |attempt: &str| -> Vec<&str> {
            let line = exported
                .lines()
                .find(|l| l.contains(&format!(",{attempt},1,")))
                .unwrap();
            line.split(',').collect()
        };
        assert_eq!((of("a4")[16], of("a4")[23]), ("unknown", "absent"));
        assert_eq!((of("a2")[16], of("a2")[23]), ("rejected", "contested"));
        assert_eq!((of("a1")[13], of("a1")[24]), ("", "pi_1"));
        shop.expect_verified().await;
    });
}

// The twelve columns of a settlement row are good but for one time.
#[test]
fn a_time_that_is_a_slip_is_refused_by_row_in_payments_and_in_settlement_files() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let slips = [
            "0001-01-01",
            "1969-12-31",
            "2037-01-01",
            "9999-12-31",
            "99999-01-01",
        ];
        let mut payments = HEADER.to_owned();
        let mut settlement = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n".to_owned();
        for (n, day) in (1..).zip(slips) {
            writeln!(
                payments,
                "i{n},o{n},charge,10.00,EUR,in,,{day}T00:00:00Z,,,,,,,,,,"
            )
            .unwrap();
            writeln!(
                settlement,
                "r{n},fee,,,0.00,1.00,-1.00,EUR,2026-11-02T09:00:00Z,{day}T00:00:00Z,,,"
            )
            .unwrap();
        }
        let taken = shop.import_payments(&payments).await;
        assert_eq!(taken.intents_new, 0);
        for (refused, (line, day)) in taken.refused.iter().zip((2..).zip(slips)) {
            assert_eq!(refused.line, line);
            assert!(
                refused.reason.contains("column created_at") && refused.reason.contains(day),
                "{refused:?}"
            );
        }
        let held = shop.import_settlement("slips.csv", &settlement).await;
        assert_eq!(held.state, "HELD");
        assert_eq!(held.rows.rejected, 5);
        for (row, (line, day)) in held.rejected_rows.iter().zip((2..).zip(slips)) {
            assert_eq!(row.line_no, line);
            assert_eq!(row.column_name, "settled_at");
            assert_eq!(row.value, format!("{day}T00:00:00Z"));
            assert!(
                row.message.contains("time") || row.message.contains("1970"),
                "{}",
                row.message
            );
        }
        shop.expect_balances(&[]).await;
    });
}
