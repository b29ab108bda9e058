//! A case that a person opens again stays open, however it was resolved, until it is decided again or
//! evidence about it comes.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/shop.rs"]
mod shop;

use domain::{
    cases::{Action, DecisionParams},
    payment::Outcome,
    time::Instant,
};
use engine::{sweep::sweep, testing::both};
use shop::Shop;

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,shop,i1,pi_1,2026-11-02T09:00:01Z,,succeeded,
i2,order-2,charge,50.00,EUR,in,c2,2026-11-02T09:00:00Z,,a2,1,shop,i2,pi_2,2026-11-02T09:00:01Z,,succeeded,
i3,order-3,charge,30.00,EUR,in,c3,2026-11-02T09:00:00Z,,a3,1,shop,i3,pi_3,2026-11-02T09:00:01Z,,succeeded,
i4,order-4,charge,40.00,EUR,in,c4,2026-11-02T09:00:00Z,,a4,1,shop,i4,pi_4,2026-11-02T09:00:01Z,,unknown,
i5,order-5,charge,20.00,EUR,in,c5,2026-11-02T09:00:00Z,,a5,1,shop,i5,pi_5,2026-11-02T09:00:01Z,,rejected,
i6,order-6,charge,10.00,EUR,in,c6,2026-11-02T09:00:00Z,,a6,1,shop,i6,pi_6,2026-11-02T09:00:01Z,,succeeded,
";

const HEADER: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n";

// A dispute, too little, nobody's, money after a rejection, a refund that nobody asked for, another
// currency, an unknown attempt, and a batch whose payout is 5 short.
const ROWS: &str = "\
r1,payment,pi_1,order-1,100.00,0.00,100.00,EUR,2026-11-02T09:00:02Z,2026-11-02T10:00:00Z,b1,,
r2,chargeback,pi_1,order-1,-100.00,0.00,-100.00,EUR,2026-11-02T10:00:02Z,2026-11-02T11:00:00Z,b1,,
r3,payment,pi_2,order-2,45.00,0.00,45.00,EUR,2026-11-02T09:00:02Z,2026-11-02T10:00:00Z,b1,,
r4,payment,pi_9,order-9,7.00,0.00,7.00,EUR,2026-11-02T09:00:02Z,2026-11-02T10:00:00Z,b1,,
r5,payment,pi_5,order-5,20.00,0.00,20.00,EUR,2026-11-02T09:00:02Z,2026-11-02T10:00:00Z,b1,,
r6,payment,pi_3,order-3,30.00,0.00,30.00,USD,2026-11-02T09:00:02Z,2026-11-02T10:00:00Z,b1,,
r0,payment,pi_6,order-6,10.00,0.00,10.00,EUR,2026-11-02T09:00:02Z,2026-11-02T10:00:00Z,b1,,
r7,refund,pi_6,order-6,-3.00,0.00,-3.00,EUR,2026-11-02T10:00:02Z,2026-11-02T11:00:00Z,b1,,
r8,payout,,,-74.00,0.00,-74.00,EUR,2026-11-02T12:00:00Z,2026-11-02T12:00:00Z,b1,,
";

/// What resolves each kind, in the order of the guide.
fn decision(kind: &str) -> (Action, DecisionParams) {
    let nothing = DecisionParams::default();
    match kind {
        "chargeback" | "currency_mismatch" | "unrequested_refund" | "batch_out_of_balance" => {
            (Action::AcceptVariance, nothing)
        }
        "amount_mismatch" => (Action::WriteOff, nothing),
        "unexpected_settlement" => (Action::RecordExternal, nothing),
        "settled_after_failure" | "unknown_outcome" => (
            Action::ConfirmOutcome,
            DecisionParams {
                outcome: Some(Outcome::Succeeded),
                ..nothing
            },
        ),
        other => panic!("no decision for {other}"),
    }
}

#[test]
fn whatever_resolved_it_a_case_that_is_opened_again_is_open() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, approver) = shop.people().await;
        shop.import_payments(PAYMENTS).await;
        shop.import_settlement("day.csv", &format!("{HEADER}{ROWS}"))
            .await;
        let now = Instant::parse_rfc3339("2026-11-06T00:00:00Z").unwrap();
        shop.clock.set(now);
        sweep(&shop.engine, now).await.unwrap();
        let cases = shop.open_cases_by_id().await;
        let mut kinds: Vec<&str> = cases.values().map(String::as_str).collect();
        kinds.sort_unstable();
        assert_eq!(
            kinds,
            [
                "amount_mismatch",
                "batch_out_of_balance",
                "chargeback",
                "currency_mismatch",
                "settled_after_failure",
                "unexpected_settlement",
                "unknown_outcome",
                "unrequested_refund",
            ]
        );
        for (case, kind) in &cases {
            let (action, params) = decision(kind);
            let id = format!("d-{case}-first");
            let decided = shop
                .decide(&analyst, case, &id, action, params.clone())
                .await
                .unwrap();
            if decided.state == "AWAITING" {
                shop.approve(&approver, &id).await.unwrap();
            }
            assert_eq!(shop.state(case).await, "RESOLVED", "{kind}");
            let again = format!("d-{case}-again");
            let nothing = DecisionParams::default();
            let reopened = shop
                .decide(&analyst, case, &again, Action::Reopen, nothing)
                .await
                .unwrap();
            assert_eq!(reopened.case_state, "OPEN", "{kind}");
            assert_eq!(shop.state(case).await, "OPEN", "{kind}");
            shop.expect_verified().await;
        }
        // All of them are open, each about a payment of its own; what was decided stands beneath them
        // and can be undone.
        assert_eq!(shop.open_cases_by_id().await, cases);
        for (case, kind) in &cases {
            let undo = DecisionParams {
                decision: Some(format!("d-{case}-first")),
                ..DecisionParams::default()
            };
            let id = format!("d-{case}-undo");
            let undone = shop
                .decide(&analyst, case, &id, Action::ReverseDecision, undo)
                .await
                .unwrap();
            if undone.state == "AWAITING" {
                shop.approve(&approver, &id).await.unwrap();
            }
            assert_ne!(shop.state(case).await, "RESOLVED", "{kind}");
        }
        shop.expect_verified().await;
    });
}

// The dispute is accepted, opened again, and then won: the 100 come back, and evidence closes the case.
#[test]
fn evidence_closes_what_was_opened_again_and_says_which_file_it_was() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, ..) = shop.people().await;
        shop.import_payments(PAYMENTS).await;
        let rows: String = ROWS.split_inclusive('\n').take(2).collect();
        shop.import_settlement("day.csv", &format!("{HEADER}{rows}"))
            .await;
        let case = shop.only_case().await;
        for (id, action) in [
            ("d-accept-it", Action::AcceptVariance),
            ("d-open-again", Action::Reopen),
        ] {
            let nothing = DecisionParams::default();
            shop.decide(&analyst, &case, id, action, nothing)
                .await
                .unwrap();
        }
        assert_eq!(shop.state(&case).await, "OPEN");
        shop.import_settlement(
            "won.csv",
            &format!("{HEADER}w1,chargeback_reversal,pi_1,order-1,100.00,0.00,100.00,EUR,2026-11-03T10:00:02Z,2026-11-03T11:00:00Z,b2,,\n"),
        )
        .await;
        assert_eq!(shop.state(&case).await, "RESOLVED");
        let filter = domain::view::queue::QueueFilter::default();
        let page = engine::views::case(&shop.engine, &analyst, &case, &filter)
            .await
            .unwrap()
            .unwrap();
        let last = page
            .history
            .iter()
            .find(|e| e.text.contains("Resolved by evidence"))
            .unwrap();
        assert_eq!(last.text, "Resolved by evidence: file won.csv.");
        assert_eq!(last.actor, "tieout");
        shop.expect_verified().await;
    });
}
