//! One choice for several cases on both databases: a result for each, and none stops another.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // as in any test

#[path = "support/shop.rs"]
mod shop;

use domain::{
    actor::Actor,
    cases::{Action, DecisionParams, ReasonCode},
    view::{
        bulk::{Bulk, BulkResult},
        queue::QueueFilter,
    },
};
use engine::{
    Error,
    decide::{Choice, Picked, decide_several, foresee_several},
    testing::both,
};
use shop::Shop;

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,shop,i1,pi_1,2026-11-02T09:00:01Z,,succeeded,
i2,order-2,charge,100.00,EUR,in,c2,2026-11-02T09:00:00Z,,a2,1,shop,i2,pi_2,2026-11-02T09:00:01Z,,succeeded,
i3,order-3,charge,100.00,EUR,in,c3,2026-11-02T09:00:00Z,,a3,1,shop,i3,pi_3,2026-11-02T09:00:01Z,,succeeded,
";

/// 5.00, 4.00 and 3.00 too little: 288.00 in suspense.
const LINES: &str = "\
row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description
r1,payment,pi_1,order-1,95.00,0.00,95.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,
r2,payment,pi_2,order-2,96.00,0.00,96.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,
r3,payment,pi_3,order-3,97.00,0.00,97.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,
";

/// A shop with three cases of one kind, each picked as its people see it.
async fn three_short(store: engine::Store) -> (Shop, Vec<Picked>) {
    let shop = Shop::open(store).await;
    shop.import_payments(PAYMENTS).await;
    shop.import_settlement("short.csv", LINES).await;
    shop.expect_open_cases(&["amount_mismatch", "amount_mismatch", "amount_mismatch"])
        .await;
    let picked = picked(&shop).await;
    (shop, picked)
}

/// Every open case in the order of the queue.
async fn picked(shop: &Shop) -> Vec<Picked> {
    let queue = engine::views::queue(&shop.engine, &Actor::Operator, &QueueFilter::default())
        .await
        .unwrap();
    let of = |row: domain::view::queue::QueueRow| Picked {
        case: row.id,
        version: row.version,
        evidence: String::new(),
    };
    queue.rows.into_iter().map(of).collect()
}

fn choice(bulk_id: &str, action: Action) -> Choice {
    Choice {
        bulk_id: bulk_id.to_owned(),
        action,
        reason_code: ReasonCode::SmallDifference,
        comment: String::new(),
        params: DecisionParams::default(),
    }
}

fn results(bulk: &Bulk) -> Vec<(&str, BulkResult)> {
    bulk.items
        .iter()
        .map(|item| (item.row.state.as_str(), item.result))
        .collect()
}

use BulkResult::{Applied, Awaiting, Refused};

// Above a threshold of 95, 96.00 and 97.00 need a second person and 95.00 does not: accepted, 95.00 go
// from suspense to receipts at once, 193.00 once somebody agrees.
#[test]
fn the_preview_tells_what_is_posted_at_once_from_what_waits_for_a_second_person() {
    both(async |store| {
        let (shop, picked) = three_short(store).await;
        let (analyst, ..) = shop.people().await;
        let fields = [("approval_threshold".to_owned(), "95".to_owned())];
        engine::providers::change_policy(&shop.engine, &Actor::Operator, "shop", &fields)
            .await
            .unwrap();
        let nothing = DecisionParams::default();
        let action = Action::AcceptVariance;
        let bulk = foresee_several(&shop.engine, &analyst, action, &nothing, &picked)
            .await
            .unwrap();
        assert_eq!((bulk.count(Applied), bulk.count(Awaiting)), (1, 2));
        let told = |sums: &[domain::view::case::EffectPosting]| -> Vec<(String, i128)> {
            sums.iter()
                .map(|p| (p.ledger_account.clone(), p.amount.minor))
                .collect()
        };
        let moved = |minor: i128| {
            vec![
                ("suspense".to_owned(), minor),
                ("receipts".to_owned(), -minor),
            ]
        };
        assert_eq!(told(&bulk.postings), moved(9_500));
        assert_eq!(told(&bulk.postings_waiting), moved(19_300));
    });
}

#[test]
fn a_case_that_moved_meanwhile_is_not_decided_and_stops_none_of_the_others() {
    both(async |store| {
        let (shop, picked) = three_short(store).await;
        let (analyst, other, _) = shop.people().await;
        let second = &picked[1].case;
        shop.decide(
            &other,
            second,
            "d-escalate-1",
            Action::Escalate,
            DecisionParams::default(),
        )
        .await
        .unwrap();
        let choice = choice("bulk-accept", Action::AcceptVariance);
        let (bulk, _) = decide_several(&shop.engine, &analyst, &choice, &picked)
            .await
            .unwrap();
        assert_eq!(
            results(&bulk),
            [
                ("RESOLVED", Applied),
                ("OPEN", Refused),
                ("RESOLVED", Applied)
            ]
        );
        let why = &bulk.items[1].says;
        assert!(why.contains("ben@example.com escalated"), "{why}");
        // 95.00 and 97.00 are receipts now; 96.00 stays in suspense.
        let posted = [
            ("provider_clearing", 28_800),
            ("receipts", -19_200),
            ("suspense", -9_600),
        ];
        shop.expect_balances(&posted).await;
        shop.expect_open_cases(&["amount_mismatch"]).await;

        // Sent twice, as by a double click or a reload: the same decisions.
        let before = shop.everything().await;
        let (again, _) = decide_several(&shop.engine, &analyst, &choice, &picked)
            .await
            .unwrap();
        assert_eq!(results(&again), results(&bulk));
        assert_eq!(shop.everything().await, before);
        shop.expect_balances(&posted).await;
        shop.expect_verified().await;
    });
}

#[test]
fn several_write_offs_wait_for_a_second_person_one_by_one() {
    both(async |store| {
        let (shop, picked) = three_short(store).await;
        let (analyst, _, approver) = shop.people().await;
        let choice = choice("bulk-write-off", Action::WriteOff);
        let (bulk, _) = decide_several(&shop.engine, &analyst, &choice, &picked)
            .await
            .unwrap();
        assert_eq!(results(&bulk), [("AWAITING_APPROVAL", Awaiting); 3]);
        assert_eq!(bulk.approvers, ["cleo@example.com"]);
        shop.expect_balances(&[("provider_clearing", 28_800), ("suspense", -28_800)])
            .await;
        let first = format!("bulk-write-off:{}", picked[0].case);
        assert!(shop.approve(&analyst, &first).await.is_err());
        shop.approve(&approver, &first).await.unwrap();
        // Which of the three stands first follows from their severity and age: all alike, so the
        // first line's. 95.00 of 100.00: 5.00 written off.
        shop.expect_balances(&[
            ("provider_clearing", 28_800),
            ("receipts", -10_000),
            ("suspense", -19_300),
            ("write_offs", 500),
        ])
        .await;
        shop.expect_verified().await;
    });
}

#[test]
fn a_preview_tells_each_case_s_effect_with_sums_and_changes_nothing() {
    both(async |store| {
        let (shop, mut picked) = three_short(store).await;
        let (analyst, other, _) = shop.people().await;
        shop.decide(
            &other,
            &picked[2].case,
            "d-write-off",
            Action::WriteOff,
            DecisionParams::default(),
        )
        .await
        .unwrap();
        picked.push(picked[0].clone());
        let before = shop.everything().await;
        let none = DecisionParams::default();
        let seen = foresee_several(
            &shop.engine,
            &analyst,
            Action::AcceptVariance,
            &none,
            &picked,
        )
        .await
        .unwrap();
        assert_eq!(
            results(&seen),
            [
                ("OPEN", Applied),
                ("OPEN", Applied),
                ("AWAITING_APPROVAL", Refused)
            ]
        );
        // 5.00 and 4.00 differ.
        assert_eq!((seen.totals.len(), seen.totals[0].minor), (1, 900));
        let says: Vec<&str> = seen.items.iter().map(|i| i.says.as_str()).collect();
        assert_eq!(
            says[0],
            "What came is posted to receipts as it is, and settles the payment."
        );
        assert!(
            says[2].starts_with("Changed since you ticked it (decided by ben@example.com)")
                && says[2].contains("awaiting approval cannot take this"),
            "{}",
            says[2]
        );
        assert_eq!(shop.everything().await, before);

        // What was previewed is decided under what the preview showed.
        let shown: Vec<Picked> = seen
            .done()
            .map(|item| Picked {
                case: item.row.id.clone(),
                version: item.row.version,
                evidence: item.evidence.clone(),
            })
            .collect();
        let choice = choice(&seen.bulk_id, Action::AcceptVariance);
        let (bulk, _) = decide_several(&shop.engine, &analyst, &choice, &shown)
            .await
            .unwrap();
        assert_eq!(results(&bulk), [("RESOLVED", Applied); 2]);
        shop.expect_verified().await;
    });
}

#[test]
fn what_needs_a_choice_of_its_own_or_a_comment_is_refused_before_anything_happens() {
    both(async |store| {
        let (shop, picked) = three_short(store).await;
        let (analyst, _, _) = shop.people().await;
        let before = shop.everything().await;
        let tried = async |choice: Choice, picked: &[Picked]| {
            decide_several(&shop.engine, &analyst, &choice, picked)
                .await
                .map(|(bulk, _)| results(&bulk).len())
        };
        let one_by_one = tried(choice("bulk-0001", Action::Allocate), &picked).await;
        assert!(
            matches!(
                one_by_one,
                Err(Error::Invalid {
                    field: "action",
                    ..
                })
            ),
            "{one_by_one:?}"
        );
        let wordless = Choice {
            reason_code: ReasonCode::Goodwill,
            ..choice("bulk-0002", Action::WriteOff)
        };
        assert!(matches!(
            tried(wordless, &picked).await,
            Err(Error::Refused(_))
        ));
        let nothing = tried(choice("bulk-0003", Action::WriteOff), &[]).await;
        assert!(matches!(nothing, Err(Error::Invalid { field: "case", .. })));
        let nameless = tried(choice("", Action::WriteOff), &picked).await;
        assert!(matches!(
            nameless,
            Err(Error::Invalid {
                field: "bulk_id",
                ..
            })
        ));
        assert_eq!(shop.everything().await, before);
        let viewer = Actor::Person {
            user_id: 99,
            email: "vera@example.com".to_owned(),
            roles: [domain::actor::Role::Viewer].into(),
        };
        let choice = choice("bulk-0004", Action::WriteOff);
        let refused = decide_several(&shop.engine, &viewer, &choice, &picked).await;
        assert!(matches!(refused, Err(Error::Forbidden(_))));
    });
}
