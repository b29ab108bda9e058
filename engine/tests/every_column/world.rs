//! A shop with a row in every table that verifying covers, and something in every column.

use crate::shop::Shop;
use domain::{
    cases::{Action, DecisionParams},
    matching::Share,
    time::Instant,
};
use engine::{Store, decide::claim_case, storage::cases, sweep::sweep, testing::queries};

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,shop,i1,pi_1,2026-11-02T09:00:01Z,,succeeded,
i2,order-2,charge,50.00,EUR,in,c2,2026-11-02T09:00:00Z,,a2,1,shop,i2,,2026-11-02T09:00:01Z,,succeeded,
i3,order-3,charge,30.00,EUR,in,c3,2026-11-02T09:00:00Z,,a3,1,shop,i3,,2026-11-02T09:00:01Z,,unknown,
i4,order  4,charge,20.00,EUR,in,c4,2026-11-04T07:00:00Z,,a4,1,shop,key-4,,2026-11-04T07:50:01Z,,in_flight,
i5,order-5,charge,70.00,EUR,in,c5,2026-11-02T09:00:00Z,,a5,1,shop,i5,pi_5,2026-11-02T09:00:01Z,,succeeded,
i6,order-6,charge,40.00,EUR,in,c6,2026-11-02T09:00:00Z,,a6,1,shop,i6,pi_6,2026-11-02T09:00:01Z,,succeeded,
i7,order-7,charge,60.00,EUR,in,c7,2026-11-02T09:00:00Z,,a7,1,shop,i7,pi_7,2026-11-02T09:00:01Z,,succeeded,
i8,order-8,charge,80.00,EUR,in,c8,2026-11-02T09:00:00Z,,a8,1,shop,i8,pi_8,2026-11-02T09:00:01Z,,succeeded,
";

const LATER: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i3,order-3,charge,30.00,EUR,in,c3,2026-11-02T09:00:00Z,,a3,1,shop,i3,pi_3,2026-11-02T09:00:01Z,2026-11-02T09:05:00Z,succeeded,late
";

const HEADER: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description,modification_id\n";

const FIRST: &str = "\
r1,payment,pi_1,order-1,95.00,1.00,94.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,c1,one,
r2,payment,pi_2,order-2,50.00,0.00,50.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,c2,two,
r3,payment,,,33.33,0.00,33.33,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,three,
r4,payment,pi_99,order-99,10.00,0.00,10.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,c9,four,
r5,fee,,,0.00,0.50,-0.50,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,five,
r6,payment,pi_6,order-6,100.00,0.00,100.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,c6,six,
r7,refund,pi_97,refund  of 7,-12.00,0.00,-12.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,c7,seven,re_7
r8,payment,pi_8,order-8,80.00,2.00,77.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,c8,eight,
r9,payout,,,-300.00,0.00,-300.00,EUR,2026-11-03T09:00:02Z,2026-11-03T00:00:00Z,b1,,nine,
";

/// Held, and used after all without its second row.
const SECOND: &str = "\
s1,payment,pi_96,order-96,11.00,0.00,11.00,EUR,2026-11-03T09:00:02Z,2026-11-03T00:00:00Z,b2,c1,one,
s2,payment,pi_95,order-95,1x.00,0.00,11.00,EUR,2026-11-03T09:00:02Z,2026-11-03T00:00:00Z,b2,c1,two,
";

/// Held for good.
const THIRD: &str = "\
t1,payment,pi_94,order-94,12.00,0.00,12.00,USD,2026-11-03T09:00:02Z,2026-11-03T00:00:00Z,b3,c1,one,
t2,payment,pi_93,order-93,,0.00,11.00,USD,2026-11-03T09:00:02Z,2026-11-03T00:00:00Z,b3,c1,two,
";

pub async fn build(store: Store) -> Shop {
    let shop = Shop::open(store).await;
    let (ana, ben, cleo) = shop.people().await;
    shop.add_account(
        "other",
        domain::account::ProviderKind::Generic,
        &[("coverage", "none")],
    )
    .await;
    shop.import_payments(PAYMENTS).await;
    shop.import_payments(LATER).await;
    for (name, rows) in [
        ("first.csv", FIRST),
        ("second.csv", SECOND),
        ("third.csv", THIRD),
    ] {
        shop.import_settlement(name, &format!("{HEADER}{rows}"))
            .await;
    }
    let nothing = DecisionParams::default;
    let mismatch = case(&shop, "amount_mismatch", ":i1").await;
    shop.decide(
        &ana,
        &mismatch,
        "d-write-off-1",
        Action::WriteOff,
        nothing(),
    )
    .await
    .unwrap();
    shop.approve(&cleo, "d-write-off-1").await.unwrap();

    let lump = case(&shop, "amount_mismatch", ":i6").await;
    let share = |attempt: &str, intent: &str, amount| Share {
        intent: intent.to_owned(),
        attempt: attempt.to_owned(),
        amount,
    };
    let shares = DecisionParams {
        shares: vec![share("a6", "i6", 4_000), share("a7", "i7", 6_000)],
        ..nothing()
    };
    shop.decide(&ana, &lump, "d-allocate-1", Action::Allocate, shares)
        .await
        .unwrap();

    let rejected = cases_of(&shop, "rejected_rows").await;
    shop.decide(
        &ana,
        &rejected[0],
        "d-accept-rows",
        Action::AcceptRows,
        nothing(),
    )
    .await
    .unwrap();
    let account = shop.account("shop").await;
    engine::ingest::work_account(&shop.ingest, account)
        .await
        .unwrap();

    // Snoozed, claimed, recorded and taken back, waiting for a second person, taken back before it
    // was answered.
    let snoozed = case(&shop, "unexpected_settlement", ":5").await;
    let until = DecisionParams {
        until: Some(Instant::parse_rfc3339("2026-11-20T08:00:00Z").unwrap()),
        ..nothing()
    };
    shop.decide(&ben, &snoozed, "d-snooze-1", Action::Snooze, until)
        .await
        .unwrap();
    let external = case(&shop, "unexpected_settlement", ":2").await;
    for (id, action, params) in [
        ("d-external-1", Action::RecordExternal, nothing()),
        (
            "d-undo-1",
            Action::ReverseDecision,
            DecisionParams {
                decision: Some("d-external-1".to_owned()),
                ..nothing()
            },
        ),
        ("d-external-2", Action::RecordExternal, nothing()),
    ] {
        shop.decide(&ana, &external, id, action, params)
            .await
            .unwrap();
    }

    shop.clock
        .set(Instant::parse_rfc3339("2026-11-06T00:00:00Z").unwrap());
    sweep(&shop.engine, shop.engine.now()).await.unwrap();
    let batch = case(&shop, "batch_out_of_balance", "").await;
    shop.decide(
        &ana,
        &batch,
        "d-residual-1",
        Action::AcceptVariance,
        nothing(),
    )
    .await
    .unwrap();
    // Its lease ran out in the first sweep; now it is unknown for longer than the grace.
    shop.clock.advance_seconds(3_600);
    sweep(&shop.engine, shop.engine.now()).await.unwrap();
    let unknown = case(&shop, "unknown_outcome", "").await;
    let outcome = DecisionParams {
        outcome: Some(domain::payment::Outcome::Rejected),
        ..nothing()
    };
    shop.decide(
        &ana,
        &unknown,
        "d-outcome-1",
        Action::ConfirmOutcome,
        outcome,
    )
    .await
    .unwrap();
    let refund = case(&shop, "unexpected_settlement", ":8").await;
    claim_case(&shop.engine, &ben, &refund, shop.version(&refund).await)
        .await
        .unwrap();
    shop
}

/// The open cases of a kind, by public id.
async fn cases_of(shop: &Shop, kind: &str) -> Vec<String> {
    let open = queries::open_case_ids(shop.engine.store.read().await.unwrap())
        .await
        .unwrap();
    let mut found = Vec::new();
    for id in open {
        if shop.kind(&id).await == kind {
            found.push(id);
        }
    }
    found
}

/// The one open case of a kind whose subject ends so.
async fn case(shop: &Shop, kind: &str, end: &str) -> String {
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for id in cases_of(shop, kind).await {
        let case = cases::by_public_id(shop.engine.store.read().await.unwrap(), &id)
            .await
            .unwrap()
            .unwrap();
        if case.subject.ends_with(end) {
            found.push(id);
        } else {
            others.push(case.subject);
        }
    }
    assert_eq!(found.len(), 1, "{kind} {end}: {found:?}, beside {others:?}");
    found.remove(0)
}
