//! What people matched is exported and verified to the cent, on both databases.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod sealed_world;
#[path = "support/shop.rs"]
mod shop;

use domain::{
    cases::{Action, DecisionParams},
    matching::Share,
    view::Amount,
};
use engine::{
    export::{Filter, Format, export_matches, export_payments},
    testing::{both, queries},
    verify::verify_database,
};
use sealed_world::{auditor, run};
use shop::Shop;
use std::collections::BTreeMap;

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,shop,i1,pi_1,2026-11-02T09:00:01Z,,succeeded,
p1,out-1,payout,60.00,EUR,out,s1,2026-11-02T09:00:00Z,,b1,1,shop,p1,po_1,2026-11-02T09:00:01Z,,succeeded,
p2,out-2,payout,40.00,EUR,out,s2,2026-11-02T09:00:00Z,,b2,1,shop,p2,po_2,2026-11-02T09:00:01Z,,succeeded,
";

// i1 is of 100 euros, but 110 and then 20 dollars came for it; one transfer of 100 serves p1 and p2.
const SETTLEMENT: &str = "\
row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description
r1,payment,pi_1,order-1,110.00,0.00,110.00,USD,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,
r2,payment,pi_1,order-1,20.00,0.00,20.00,USD,2026-11-02T09:00:03Z,2026-11-03T00:00:00Z,,,
r3,disbursement,po_1,out-1,-100.00,0.00,-100.00,EUR,2026-11-02T09:00:04Z,2026-11-03T00:00:00Z,,,
";

/// Accepts the dollars line by line and shares the transfer out.
async fn decided(shop: &Shop) {
    shop.import_payments(PAYMENTS).await;
    shop.import_settlement("day.csv", SETTLEMENT).await;
    shop.expect_open_cases(&["amount_mismatch", "currency_mismatch", "currency_mismatch"])
        .await;
    let (analyst, _, _) = shop.people().await;
    let share = |attempt: &str, amount| Share {
        intent: String::new(),
        attempt: attempt.to_owned(),
        amount,
    };
    let open = queries::open_case_ids(shop.engine.store.read().await.unwrap())
        .await
        .unwrap();
    for case in open {
        let (action, params) = match shop.kind(&case).await.as_str() {
            "currency_mismatch" => (Action::AcceptVariance, DecisionParams::default()),
            _ => (
                Action::Allocate,
                DecisionParams {
                    shares: vec![share("b1", 6_000), share("b2", 4_000)],
                    ..DecisionParams::default()
                },
            ),
        };
        shop.decide(&analyst, &case, &format!("d-{case}"), action, params)
            .await
            .unwrap();
    }
    shop.expect_open_cases(&[]).await;
}

async fn matches(shop: &Shop) -> Vec<String> {
    let (out, _) = export_matches(
        &shop.engine,
        &auditor(),
        &Filter::default(),
        Format::Csv,
        Vec::new(),
    )
    .await
    .unwrap();
    let text = String::from_utf8(out).unwrap();
    text.lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            [2, 9, 10, 11, 12, 15, 16, 17].map(|i| cells[i]).join(",")
        })
        .collect()
}

#[test]
fn what_nothing_was_open_for_has_a_share_of_zero_and_shares_bear_the_sign_of_their_line() {
    both(async |store| {
        let shop = Shop::open(store).await;
        decided(&shop).await;
        assert_eq!(
            matches(&shop).await,
            [
                "r1,MATCHED,person,i1,a1,110.00,110.00,USD",
                "r2,MATCHED,person,i1,a1,0.00,20.00,USD",
                "r3,MATCHED,person,p1,b1,-60.00,-100.00,EUR",
                "r3,MATCHED,person,p2,b2,-40.00,-100.00,EUR",
            ]
        );
    });
}

/// What the export says of each payment: captured, refunded, charged back.
async fn exported(shop: &Shop) -> BTreeMap<String, [String; 3]> {
    let (out, _) = export_payments(
        &shop.engine,
        &auditor(),
        &Filter::default(),
        Format::Csv,
        Vec::new(),
    )
    .await
    .unwrap();
    let text = String::from_utf8(out).unwrap();
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let at = |name: &str| header.iter().position(|c| *c == name).unwrap();
    let columns = ["captured", "refunded", "charged_back"].map(at);
    text.lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            (cells[0].to_owned(), columns.map(|i| cells[i].to_owned()))
        })
        .collect()
}

/// Every payment's page says what the export says of it.
async fn expect_pages_and_export_agree(shop: &Shop) -> BTreeMap<String, [String; 3]> {
    let found = exported(shop).await;
    for (id, sums) in &found {
        let page = engine::views::intent(&shop.engine, &auditor(), id)
            .await
            .unwrap()
            .unwrap();
        let p = page.position;
        let shown = [p.captured, p.refunded, p.charged_back].map(Amount::major);
        assert_eq!(sums, &shown, "{id}");
    }
    found
}

#[test]
fn page_and_export_count_what_came_in_its_own_currency() {
    both(async |store| {
        let shop = Shop::open(store).await;
        decided(&shop).await;
        let page = engine::views::intent(&shop.engine, &auditor(), "i1")
            .await
            .unwrap()
            .unwrap();
        // 110 and 20 dollars came, and no euros.
        assert_eq!(page.position.captured.to_string(), "0.00 EUR");
        let others = page.other_currencies.iter();
        let others: Vec<String> = others
            .map(|p| format!("{} {}", p.captured, p.net))
            .collect();
        assert_eq!(others, ["130.00 USD 130.00 USD"]);
        let captured: Vec<(String, String)> = expect_pages_and_export_agree(&shop)
            .await
            .into_iter()
            .map(|(id, [captured, ..])| (id, captured))
            .collect();
        let expected = [("i1", "0.00"), ("p1", "60.00"), ("p2", "40.00")];
        assert_eq!(
            captured,
            expected.map(|(id, sum)| (id.to_owned(), sum.to_owned()))
        );
    });
}

const VARIED: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
v1,v-1,charge,50.00,USD,in,c1,2026-11-02T09:00:00Z,,v1a,1,shop,v1,pi_v1,2026-11-02T09:00:01Z,,succeeded,
v2,v-2,charge,80.00,EUR,in,c2,2026-11-02T09:00:00Z,,v2a,1,shop,v2,pi_v2,2026-11-02T09:00:01Z,,rejected,
v2,v-2,charge,80.00,EUR,in,c2,2026-11-02T09:00:00Z,,v2b,2,shop,v2:2,pi_v2b,2026-11-02T09:00:03Z,,succeeded,
v3,v-3,payout,30.00,EUR,out,s3,2026-11-02T09:00:00Z,,v3a,1,shop,v3,po_v3,2026-11-02T09:00:01Z,,succeeded,
v4,v-4,refund,12.00,EUR,out,c2,2026-11-02T09:00:00Z,,v4a,1,shop,v4,re_v4,2026-11-02T09:00:01Z,,succeeded,
v5,v-5,charge,20.00,EUR,in,c5,2026-11-02T09:00:00Z,,v5a,1,shop,v5,pi_v5,2026-11-02T09:00:01Z,,succeeded,
v6,v-6,charge,15.00,EUR,in,c6,2026-11-02T09:00:00Z,,,,,,,,,,
v7,v-7,charge,40.00,EUR,in,c7,2026-11-02T09:00:00Z,,v7a,1,shop,v7,pi_v7,2026-11-02T09:00:01Z,,succeeded,
";

// v1's 50 dollars came as 45 euros of which 0.93 were kept; v2 was refunded in part and disputed, and
// the dispute was won back in part; v5 was paid and taken back; v7 came in dollars and awaits a person.
const VARIED_SETTLEMENT: &str = "\
row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description,presented_amount,presented_currency
x1,payment,pi_v1,v-1,45.00,0.93,44.07,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,,50.00,USD
x2,payment,pi_v2b,v-2,80.00,1.10,78.90,EUR,2026-11-02T09:00:04Z,2026-11-03T00:00:00Z,,,,,
x3,refund,pi_v2b,v-2,-25.00,0.00,-25.00,EUR,2026-11-02T10:00:04Z,2026-11-03T00:00:00Z,,,,,
x4,chargeback,pi_v2b,v-2,-30.00,0.00,-30.00,EUR,2026-11-02T11:00:04Z,2026-11-03T00:00:00Z,,,,,
x5,chargeback_reversal,pi_v2b,v-2,10.00,0.00,10.00,EUR,2026-11-02T12:00:04Z,2026-11-03T00:00:00Z,,,,,
x6,disbursement,po_v3,v-3,-30.00,0.20,-30.20,EUR,2026-11-02T09:00:04Z,2026-11-03T00:00:00Z,,,,,
x7,refund,re_v4,v-4,-12.00,0.00,-12.00,EUR,2026-11-02T09:00:04Z,2026-11-03T00:00:00Z,,,,,
x8,payment,pi_v5,v-5,20.00,0.40,19.60,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,,,
x9,payment_reversal,pi_v5,v-5,-20.00,0.00,-20.00,EUR,2026-11-02T13:00:02Z,2026-11-03T00:00:00Z,,,,,
x10,payment,pi_v7,v-7,40.00,0.50,39.50,USD,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,,,
";

#[test]
fn page_and_export_agree_of_every_payment_at_every_step() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(VARIED).await;
        expect_pages_and_export_agree(&shop).await;
        shop.import_settlement("varied.csv", VARIED_SETTLEMENT)
            .await;
        let found = expect_pages_and_export_agree(&shop).await;
        assert_eq!(found["v1"], ["50.00", "0.00", "0.00"]);
        assert_eq!(found["v7"], ["0.00", "0.00", "0.00"]);
        let (analyst, _, _) = shop.people().await;
        for (case, kind) in shop.open_cases_by_id().await {
            if ["currency_mismatch", "unrequested_refund", "chargeback"].contains(&kind.as_str()) {
                let nothing = DecisionParams::default();
                let id = format!("d-{case}-accepted");
                shop.decide(&analyst, &case, &id, Action::AcceptVariance, nothing)
                    .await
                    .unwrap();
                expect_pages_and_export_agree(&shop).await;
            }
        }
    });
}

#[test]
fn a_fee_counts_in_the_currency_that_it_was_taken_in() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(VARIED).await;
        shop.import_settlement("varied.csv", VARIED_SETTLEMENT)
            .await;
        let page = engine::views::intent(&shop.engine, &auditor(), "v1")
            .await
            .unwrap()
            .unwrap();
        assert_eq!(page.position.captured.to_string(), "50.00 USD");
        assert_eq!(page.position.fees.to_string(), "0.00 USD");
        let others = page.other_currencies.iter();
        let others: Vec<String> = others
            .map(|p| format!("{} {} {}", p.captured, p.fees, p.net))
            .collect();
        assert_eq!(others, ["0.00 EUR 0.93 EUR \u{2212}0.93 EUR"]);
    });
}

// 589.75 with a fee of 5.27, of which 580.00 are i4's and 9.75 are i5's: 5.27 * 58000 / 58975 is 5.1828…,
// 5.27 * 975 / 58975 is 0.0871…, so that the cent left goes to the second: 5.18 and 0.09.
#[test]
fn the_fee_of_a_line_that_serves_two_payments_counts_once() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (header, _) = PAYMENTS.split_once('\n').unwrap();
        let payment = |n: u32, amount: &str| {
            format!(
                "i{n},order-{n},charge,{amount},EUR,in,,2026-11-02T09:00:00Z,,a{n},1,shop,k{n},pi_{n},2026-11-02T09:00:01Z,,succeeded,\n"
            )
        };
        let (large, small) = (payment(4, "580.00"), payment(5, "9.75"));
        shop.import_payments(&format!("{header}\n{large}{small}"))
            .await;
        let (header, _) = SETTLEMENT.split_once('\n').unwrap();
        shop.import_settlement("day.csv", &format!("{header}\nr1,payment,pi_4,order-4,589.75,5.27,584.48,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n")).await;
        let (analyst, _, _) = shop.people().await;
        let share = |attempt: &str, amount| Share {
            intent: String::new(),
            attempt: attempt.to_owned(),
            amount,
        };
        let params = DecisionParams {
            shares: vec![share("a4", 58_000), share("a5", 975)],
            ..DecisionParams::default()
        };
        let case = shop.only_case().await;
        shop.decide(&analyst, &case, "d-shares-1", Action::Allocate, params)
            .await
            .unwrap();
        for (intent, expected) in [
            ("i4", "580.00 EUR 5.18 EUR 574.82 EUR"),
            ("i5", "9.75 EUR 0.09 EUR 9.66 EUR"),
        ] {
            let page = engine::views::intent(&shop.engine, &auditor(), intent)
                .await
                .unwrap()
                .unwrap();
            let p = page.position;
            assert_eq!(format!("{} {} {}", p.captured, p.fees, p.net), expected);
        }
    });
}

#[test]
fn matched_money_of_people_is_verified_from_the_histories() {
    for (change, says) in [
        (
            "UPDATE intent_open SET matched = 9999 WHERE intent_id = (SELECT id FROM intent WHERE public_id = 'i1')",
            "intent i1: 99.99 EUR stands as matched capture, its lines come to 100.00",
        ),
        (
            "UPDATE intent_open SET allowed = 6001 WHERE intent_id = (SELECT id FROM intent WHERE public_id = 'p1')",
            "intent p1: 60.01 EUR may be matched as capture, its amount is 60.00",
        ),
        (
            "UPDATE line_share_now SET amount = 5999 WHERE amount = 6000",
            "stands as shared out 5999 minor units to attempt b1, 4000 minor units to attempt b2, \
             its history says 6000 minor units to attempt b1, 4000 minor units to attempt b2",
        ),
        (
            "DELETE FROM line_share_now WHERE amount = 0",
            "stands as shared out nothing, its history says 0 minor units to attempt a1",
        ),
    ] {
        both(async |store| {
            let shop = Shop::open(store).await;
            decided(&shop).await;
            shop.expect_verified().await;
            let mut tx = shop.engine.store.begin().await.unwrap();
            assert_eq!(run(&mut tx, change).await, 1);
            tx.commit().await.unwrap();
            let found = verify_database(&shop.engine, &auditor(), None)
                .await
                .unwrap();
            let wrong: Vec<&str> = found
                .checks
                .iter()
                .filter(|c| !c.holds)
                .map(|c| c.detail.as_str())
                .collect();
            assert!(
                wrong.iter().any(|w| w.contains(says)),
                "{change}: {wrong:?}"
            );
        });
    }
}

#[test]
fn a_share_without_a_verdict_that_gave_it_is_found() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(PAYMENTS).await;
        shop.import_settlement("day.csv", SETTLEMENT).await;
        let mut tx = shop.engine.store.begin().await.unwrap();
        let added = run(
            &mut tx,
            "INSERT INTO line_share_now (line_id, attempt_id, intent_id, amount)
             SELECT l.id, a.id, a.intent_id, 1 FROM line AS l, attempt AS a
             WHERE l.row_id = 'r1' AND a.public_id = 'a1'",
        )
        .await;
        assert_eq!(added, 1);
        tx.commit().await.unwrap();
        let found = verify_database(&shop.engine, &auditor(), None)
            .await
            .unwrap();
        let wrong = found.checks.iter().find(|c| !c.holds).unwrap();
        assert!(
            wrong
                .detail
                .ends_with(":2 is shared out, its history knows of no share"),
            "{wrong:?}"
        );
    });
}
