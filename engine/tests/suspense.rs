//! What waits in suspense on both databases: refunds of payments that are settled in part, rows whose net
//! is not gross less fee, and batches that are accepted more than once.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/shop.rs"]
mod shop;

use domain::{
    actor::{Actor, Role},
    cases::{Action, DecisionParams},
    time::Instant,
    view::ledger::{AccountFilter, BalanceFilter},
};
use engine::{sweep::sweep, testing::both, views};
use shop::Shop;

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,shop,i1,pi_1,2026-11-02T09:00:01Z,,succeeded,
i2,order-2,charge,50.00,EUR,in,c2,2026-11-02T09:00:00Z,,a2,1,shop,i2,pi_2,2026-11-02T09:00:01Z,,succeeded,
i3,order-3,charge,25.00,EUR,in,c3,2026-11-02T09:00:00Z,,a3,1,shop,i3,pi_3,2026-11-02T09:00:01Z,,succeeded,
";

const HEADER: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n";

/// A row of 2 November, settled on the 3rd.
fn row(id: &str, kind: &str, payment: &str, amounts: &str, batch: &str) -> String {
    format!(
        "{id},{kind},{payment},,{amounts},EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,{batch},,\n"
    )
}

fn viewer() -> Actor {
    Actor::Person {
        user_id: 1,
        email: "viewer@example.com".to_owned(),
        roles: [Role::Viewer].into(),
    }
}

/// The id of the one open case of a kind and subject that begins so.
async fn case_of(shop: &Shop, kind: &str, subject: &str) -> String {
    let mut found = Vec::new();
    let reader = || async { shop.engine.store.read().await.unwrap() };
    for id in engine::testing::queries::open_case_ids(reader().await)
        .await
        .unwrap()
    {
        let case = engine::storage::cases::by_public_id(reader().await, &id)
            .await
            .unwrap()
            .unwrap();
        if case.kind == kind && case.subject.starts_with(subject) {
            found.push(id);
        }
    }
    assert_eq!(found.len(), 1, "{kind} {subject}: {found:?}");
    found.remove(0)
}

// By hand: 25.00 was meant and came; 10.00 more came under its id; 10.00 went back. Nobody knows which.
// Clearing +25 -10 +10 = 25.00; receipts -25.00 (the match); suspense -10.00; refunds +10.00.
#[test]
fn a_refund_of_a_payment_that_is_matched_in_part_is_a_case_and_leaves_suspense_alone() {
    let rows = [
        row("r1", "payment", "pi_3", "25.00,0.00,25.00", ""),
        row("r2", "refund", "pi_3", "-10.00,0.00,-10.00", ""),
        row("r3", "payment", "pi_3", "10.00,0.00,10.00", ""),
    ];
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(PAYMENTS).await;
        // One file a row, the refund first: the order of arrival changes nothing.
        for (name, at) in [("first.csv", 1), ("second.csv", 2), ("third.csv", 0)] {
            let file = format!("{HEADER}{}", rows[at]);
            shop.import_settlement(name, &file).await;
        }
        shop.expect_open_cases(&["duplicate_settlement", "unrequested_refund"])
            .await;
        shop.expect_balances(&[
            ("provider_clearing", 2_500),
            ("receipts", -2_500),
            ("refunds", 1_000),
            ("suspense", -1_000),
        ])
        .await;
        shop.expect_verified().await;
    });
}

// 100.00, 40.00 and a refund of 40.00 came under an id that nobody knows. As long as all of it waits in
// suspense, the refund belongs to the payments' cases. Once a person records the 100.00 as external
// (receipts), the 40.00 left and the refund would come to nothing together, and which payment the refund
// gave back nobody knows: each has its case. Clearing 100.00, receipts -100.00, suspense -40 + 40 = 0.
#[test]
fn a_refund_of_a_payment_that_a_person_settled_in_part_is_a_case() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, _) = shop.people().await;
        let file = [
            HEADER.to_owned(),
            row("r1", "payment", "pi_9", "100.00,0.00,100.00", ""),
            row("r2", "payment", "pi_9", "40.00,0.00,40.00", ""),
            row("r3", "refund", "pi_9", "-40.00,0.00,-40.00", ""),
        ];
        shop.import_settlement("unknown.csv", &file.concat()).await;
        shop.expect_open_cases(&["unexpected_settlement", "unexpected_settlement"])
            .await;
        let first = {
            let file =
                engine::testing::queries::open_case_ids(shop.engine.store.read().await.unwrap())
                    .await
                    .unwrap();
            file[0].clone()
        };
        shop.decide(
            &analyst,
            &first,
            "d-external-1",
            Action::RecordExternal,
            DecisionParams::default(),
        )
        .await
        .unwrap();
        shop.expect_open_cases(&["unexpected_settlement", "unexpected_settlement"])
            .await;
        shop.expect_balances(&[("provider_clearing", 10_000), ("receipts", -10_000)])
            .await;
        let undo = DecisionParams {
            decision: Some("d-external-1".to_owned()),
            ..DecisionParams::default()
        };
        shop.decide(
            &analyst,
            &first,
            "d-undo-external-1",
            Action::ReverseDecision,
            undo,
        )
        .await
        .unwrap();
        shop.expect_open_cases(&["unexpected_settlement", "unexpected_settlement"])
            .await;
        shop.expect_balances(&[("provider_clearing", 10_000), ("suspense", -10_000)])
            .await;
        shop.expect_verified().await;
    });
}

/// What the trial balance and the account's page say of suspense: number and sum of open items, and the
/// items.
async fn suspense(shop: &Shop) -> (u64, i128, Vec<(String, i128)>) {
    let page = views::trial_balance(&shop.engine, &viewer(), &BalanceFilter::default())
        .await
        .unwrap();
    let row = page.blocks[0]
        .rows
        .iter()
        .find(|r| r.ledger_account == "suspense")
        .unwrap();
    let items = row.open_items.unwrap();
    assert!(items.ties, "{row:?}");
    let filter = AccountFilter {
        provider: "shop".into(),
        currency: "EUR".into(),
        ..AccountFilter::default()
    };
    let account = views::ledger_account(&shop.engine, &viewer(), "suspense", &filter)
        .await
        .unwrap();
    let listed: Vec<(String, i128)> = account
        .open_items
        .into_iter()
        .map(|i| (i.label, i.amount.minor))
        .collect();
    assert_eq!(listed.len() as u64, items.count);
    assert_eq!(listed.iter().map(|i| i.1).sum::<i128>(), items.sum.minor);
    (items.count, items.sum.minor, listed)
}

// | Row | clearing | fees | receipts | suspense |
// |---|---|---|---|---|
// | r1 sale 100, fee 3.20, net 96.00 (not 96.80), batch b1 | +96.00 | +3.20 | -100.00 | +0.80 |
// | r2 sale 50, fee 1, net 49, batch b1 | +49.00 | +1.00 | -50.00 | |
// | r3 unknown 20, fee 0.50, net 19.55 (not 19.50), no batch | +19.55 | +0.50 | | -20.00 - 0.05 |
// | in all | 164.55 | 4.70 | -150.00 | -19.25 |
//
// Accepting b1's moves 0.80 from suspense to adjustments; accepting r3's moves -0.05.
#[test]
fn a_row_whose_net_is_off_is_an_open_item_and_a_case_until_somebody_accepts_it() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, _) = shop.people().await;
        shop.import_payments(PAYMENTS).await;
        let file = [
            HEADER.to_owned(),
            row("r1", "payment", "pi_1", "100.00,3.20,96.00", "b1"),
            row("r2", "payment", "pi_2", "50.00,1.00,49.00", "b1"),
            row("r3", "payment", "pi_9", "20.00,0.50,19.55", ""),
        ]
        .concat();
        shop.import_settlement("odd.csv", &file).await;
        let posted = [
            ("provider_clearing", 16_455),
            ("provider_fees", 470),
            ("receipts", -15_000),
        ];
        let with = |more: &[(&'static str, i64)]| {
            let mut all = [posted.as_slice(), more].concat();
            all.sort_unstable();
            all
        };
        // No payout of b1 is known, nothing is due, and both rows are shown already.
        let waiting = [
            "batch_out_of_balance",
            "batch_out_of_balance",
            "unexpected_settlement",
        ];
        shop.expect_open_cases(&waiting).await;
        shop.expect_balances(&with(&[("suspense", -1_925)])).await;
        let off = ("what the net is off by on line 2 of odd.csv".to_owned(), 80);
        let unknown = |minor| ("payment on line 4 of odd.csv".to_owned(), minor);
        assert_eq!(
            suspense(&shop).await,
            (2, -1_925, vec![off.clone(), unknown(-2_005)])
        );
        shop.expect_verified().await;

        let batch = case_of(&shop, "batch_out_of_balance", "batch:shop:b1:EUR").await;
        let accept = |case: String, id: &'static str| {
            let (shop, analyst) = (&shop, &analyst);
            async move {
                let params = DecisionParams::default();
                shop.decide(analyst, &case, id, Action::AcceptVariance, params)
                    .await
                    .unwrap()
            }
        };
        accept(batch.clone(), "d-accept-b1").await;
        shop.expect_open_cases(&waiting[1..]).await;
        shop.expect_balances(&with(&[("adjustments", 80), ("suspense", -2_005)]))
            .await;
        assert_eq!(suspense(&shop).await, (1, -2_005, vec![unknown(-2_005)]));
        shop.expect_verified().await;

        let undo = DecisionParams {
            decision: Some("d-accept-b1".to_owned()),
            ..DecisionParams::default()
        };
        shop.decide(&analyst, &batch, "d-undo-b1", Action::ReverseDecision, undo)
            .await
            .unwrap();
        shop.expect_open_cases(&waiting).await;
        shop.expect_balances(&with(&[("suspense", -1_925)])).await;
        shop.expect_verified().await;

        accept(batch, "d-accept-b1-again").await;
        let rows = case_of(&shop, "batch_out_of_balance", "rows:").await;
        accept(rows, "d-accept-r3").await;
        shop.expect_open_cases(&["unexpected_settlement"]).await;
        shop.expect_balances(&with(&[("adjustments", 75), ("suspense", -2_000)]))
            .await;
        assert_eq!(suspense(&shop).await, (1, -2_000, vec![unknown(-2_000)]));

        // The payout ties: nothing more is asked, however late it is.
        let payout = format!(
            "{HEADER}{}",
            row("p1", "payout", "", "-145.00,0.00,-145.00", "b1")
        );
        shop.import_settlement("payout.csv", &payout).await;
        sweep(
            &shop.engine,
            Instant::parse_rfc3339("2026-11-10T00:00:00Z").unwrap(),
        )
        .await
        .unwrap();
        let left = engine::testing::queries::open_cases(shop.engine.store.read().await.unwrap())
            .await
            .unwrap();
        assert!(
            !left.iter().any(|k| k == "batch_out_of_balance"),
            "{left:?}"
        );
        shop.expect_verified().await;
    });
}

// A second odd row of the batch comes in another file after the first was accepted: only it is asked
// about. r4: sale 50, fee 1, net 49.10 (not 49.00), off by +0.10: suspense -0.10.
#[test]
fn an_acceptance_covers_the_rows_that_were_shown_and_no_later_one() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, _) = shop.people().await;
        shop.import_payments(PAYMENTS).await;
        let first = row("r1", "payment", "pi_1", "100.00,3.20,96.00", "b1");
        shop.import_settlement("first.csv", &format!("{HEADER}{first}"))
            .await;
        let case = shop.only_case().await;
        let params = DecisionParams::default;
        shop.decide(
            &analyst,
            &case,
            "d-first-row",
            Action::AcceptVariance,
            params(),
        )
        .await
        .unwrap();
        shop.expect_open_cases(&[]).await;
        let second = row("r4", "payment", "pi_2", "50.00,1.00,49.10", "b1");
        shop.import_settlement("second.csv", &format!("{HEADER}{second}"))
            .await;
        shop.expect_open_cases(&["batch_out_of_balance"]).await;
        let off = (
            "what the net is off by on line 2 of second.csv".to_owned(),
            -10,
        );
        assert_eq!(suspense(&shop).await, (1, -10, vec![off]));
        assert_eq!(shop.only_case().await, case);
        shop.decide(
            &analyst,
            &case,
            "d-second-row",
            Action::AcceptVariance,
            params(),
        )
        .await
        .unwrap();
        shop.expect_open_cases(&[]).await;
        // 0.80 and -0.10.
        shop.expect_balances(&[
            ("adjustments", 70),
            ("provider_clearing", 14_510),
            ("provider_fees", 420),
            ("receipts", -15_000),
        ])
        .await;
        shop.expect_verified().await;
    });
}

// Batch b1: 100.00 came, 75.00 was paid out; 25.00 stays in clearing and is accepted. Then a fee of 5.00
// for the batch comes late: clearing -5.00, of which nobody has said anything yet. Accepted, too:
// adjustments 25 - 5 = 20.00, clearing 0.
#[test]
fn a_batch_whose_residual_was_accepted_asks_again_only_for_what_came_since() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, _) = shop.people().await;
        shop.import_payments(PAYMENTS).await;
        let file = [
            HEADER.to_owned(),
            row("r1", "payment", "pi_1", "100.00,0.00,100.00", "b1"),
            row("p1", "payout", "", "-75.00,0.00,-75.00", "b1"),
        ]
        .concat();
        shop.import_settlement("short.csv", &file).await;
        let late = Instant::parse_rfc3339("2026-11-10T00:00:00Z").unwrap();
        let batch_cases = async || {
            sweep(&shop.engine, late).await.unwrap();
            let open =
                engine::testing::queries::open_cases(shop.engine.store.read().await.unwrap())
                    .await
                    .unwrap();
            open.iter().filter(|k| *k == "batch_out_of_balance").count()
        };
        let decide = async |id: &str, action: Action, params: DecisionParams| {
            let case = case_of(&shop, "batch_out_of_balance", "batch:").await;
            shop.decide(&analyst, &case, id, action, params)
                .await
                .unwrap();
            case
        };
        let accept =
            async |id: &str| decide(id, Action::AcceptVariance, DecisionParams::default()).await;
        let balances = async |clearing: i64, adjustments: i64, fees: i64| {
            shop.expect_balances(&[
                ("adjustments", adjustments),
                ("payouts_in_transit", 7_500),
                ("provider_clearing", clearing),
                ("provider_fees", fees),
                ("receipts", -10_000),
            ])
            .await;
        };
        assert_eq!(batch_cases().await, 1);
        balances(2_500, 0, 0).await;
        accept("d-residual-1").await;
        balances(0, 2_500, 0).await;
        assert_eq!(batch_cases().await, 0);

        let fee = row("f1", "fee", "", "0.00,5.00,-5.00", "b1");
        shop.import_settlement("fee.csv", &format!("{HEADER}{fee}"))
            .await;
        assert_eq!(batch_cases().await, 1);
        balances(-500, 2_500, 500).await;
        let case = accept("d-residual-2").await;
        balances(0, 2_000, 500).await;
        assert_eq!(batch_cases().await, 0);

        let undo = DecisionParams {
            decision: Some("d-residual-2".to_owned()),
            ..DecisionParams::default()
        };
        let undone = shop
            .decide(
                &analyst,
                &case,
                "d-undo-residual-2",
                Action::ReverseDecision,
                undo,
            )
            .await
            .unwrap();
        assert_eq!(undone.state, "APPLIED");
        balances(-500, 2_500, 500).await;
        assert_eq!(batch_cases().await, 1);
        assert_eq!(shop.state(&case).await, "OPEN");
        shop.expect_verified().await;
    });
}
