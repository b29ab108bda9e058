//! What payment workers register, claim and report, on both databases.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // as in any test

#[path = "support/shop.rs"]
mod shop;

use domain::{
    account::ProviderKind,
    actor::{Actor, Scope},
    payment::{IntentState, Outcome},
    registry::{ClaimRefusal, NewIntent, ReportText},
    view::registry::{ClaimAnswer, IntentAnswer, ReportAnswer, ReportResult},
};
use engine::{
    Error,
    ingest::{receive_file, work_account},
    registry::{
        Answered, ClaimRequest, Refusal, claim_attempt, create_intent, intents_by_reference,
        report_outcome, show_intent,
    },
    rematch::drain,
    sweep::sweep,
    testing::both,
};
use shop::Shop;
use std::collections::BTreeMap;

const PAYMENTS: &str = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code\n";
const HEADER: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n";

fn worker() -> Actor {
    Actor::Token {
        token_id: 1,
        name: "worker-1".to_owned(),
        scopes: [Scope::Payments].into(),
        person: None,
    }
}

fn order(reference: &str) -> NewIntent {
    NewIntent {
        merchant_reference: reference.to_owned(),
        operation: "charge".to_owned(),
        amount: "25.00".to_owned(),
        currency: "EUR".to_owned(),
        direction: "in".to_owned(),
        counterparty: String::new(),
        loss_policy: String::new(),
        metadata: BTreeMap::new(),
    }
}

fn claim(expected_version: i64, claim_id: Option<&str>) -> ClaimRequest {
    ClaimRequest {
        expected_version,
        provider: "shop".to_owned(),
        claim_id: claim_id.map(str::to_owned),
        request_digest: None,
    }
}

fn report(expected_version: i64, outcome: &str, id: &str) -> ReportText {
    ReportText {
        expected_version,
        outcome: outcome.to_owned(),
        provider_payment_id: id.to_owned(),
        error_code: String::new(),
        detail: String::new(),
    }
}

async fn registered(shop: &Shop, new: &NewIntent) -> IntentAnswer {
    let key = format!("key of {}", new.merchant_reference);
    let answered = create_intent(&shop.engine, &worker(), &key, new).await;
    answered.unwrap().into_inner()
}

async fn claimed(shop: &Shop, intent: &str, version: i64) -> ClaimAnswer {
    claim_attempt(&shop.engine, &worker(), intent, &claim(version, None))
        .await
        .unwrap()
        .into_inner()
}

async fn reported(shop: &Shop, attempt: &str, text: &ReportText) -> ReportAnswer {
    report_outcome(&shop.engine, &worker(), attempt, text)
        .await
        .unwrap()
        .into_inner()
}

async fn state(shop: &Shop, intent: &str) -> (IntentState, i64) {
    let found = show_intent(&shop.engine, &worker(), intent).await.unwrap();
    let found = found.unwrap();
    (found.state, found.version)
}

fn refusal(error: Error) -> Refusal {
    match error {
        Error::Registry(refusal) => *refusal,
        other => panic!("{other}"),
    }
}

/// The lease of ten minutes runs out.
async fn lease_ends(shop: &Shop) {
    shop.clock.advance_seconds(601);
    sweep(&shop.engine, shop.engine.now()).await.unwrap();
}

#[test]
fn the_same_key_registers_once_and_never_something_else() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let mut new = order("order-1");
        new.metadata
            .insert("note".to_owned(), "card 4242424242424242".to_owned());
        let first = create_intent(&shop.engine, &worker(), "k1", &new)
            .await
            .unwrap();
        shop.clock.advance_seconds(60);
        let again = create_intent(&shop.engine, &worker(), "k1", &new)
            .await
            .unwrap();
        let Answered::Done(intent) = first else {
            panic!("the first is new")
        };
        assert_eq!(again, Answered::Again(intent.clone()));
        assert_eq!((intent.state, intent.version), (IntentState::Pending, 1));
        assert_eq!(intent.operation_id, intent.id);
        assert_eq!(intent.metadata["note"], "card 424242******4242");

        let other = NewIntent {
            amount: "26.00".to_owned(),
            ..new.clone()
        };
        let refused = create_intent(&shop.engine, &worker(), "k1", &other).await;
        assert!(matches!(
            refusal(refused.unwrap_err()),
            Refusal::KeyReused { .. }
        ));
        let found = intents_by_reference(&shop.engine, &worker(), "order-1").await;
        assert_eq!(found.unwrap(), [intent]);
        shop.expect_verified().await;
    });
}

#[test]
fn of_many_claims_one_wins_and_the_others_hear_how_things_stand() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let intent = registered(&shop, &order("order-1")).await;
        let mut tries = tokio::task::JoinSet::new();
        for n in 0..64 {
            let (engine, id) = (shop.engine.clone(), intent.id.clone());
            let request = claim(1, Some(&format!("worker {n}")));
            tries.spawn(async move { claim_attempt(&engine, &worker(), &id, &request).await });
        }
        let mut won = Vec::new();
        for answer in tries.join_all().await {
            match answer {
                Ok(answered) => won.push(answered),
                Err(error) => {
                    let Refusal::Claim { why, current } = refusal(error) else {
                        panic!("a claim is refused as such")
                    };
                    assert_eq!(
                        why,
                        ClaimRefusal::Version {
                            expected: 1,
                            current: 2
                        }
                    );
                    assert_eq!(
                        (current.state, current.version),
                        (IntentState::Submitting, 2)
                    );
                }
            }
        }
        let [Answered::Done(winner)] = won.as_slice() else {
            panic!("{won:?}")
        };
        assert_eq!((winner.attempt_no, winner.version), (1, 2));
        assert_eq!(winner.idempotency_key, intent.operation_id);
        shop.expect_verified().await;
    });
}

#[test]
fn a_claim_is_heard_again_while_its_lease_lasts_and_never_afterwards() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let intent = registered(&shop, &order("order-1")).await;
        let ask = async |request: ClaimRequest| {
            claim_attempt(&shop.engine, &worker(), &intent.id, &request).await
        };
        let first = ask(claim(1, Some("c1"))).await.unwrap().into_inner();
        shop.clock.advance_seconds(599);
        assert_eq!(
            ask(claim(1, Some("c1"))).await.unwrap(),
            Answered::Again(first)
        );
        // Another worker, a worker without a claim id, and the same id for something else.
        let other = refusal(ask(claim(2, Some("c2"))).await.unwrap_err());
        assert!(matches!(
            other,
            Refusal::Claim {
                why: ClaimRefusal::State(IntentState::Submitting),
                ..
            }
        ));
        assert!(matches!(
            refusal(ask(claim(1, None)).await.unwrap_err()),
            Refusal::Claim {
                why: ClaimRefusal::Version { .. },
                ..
            }
        ));
        assert!(matches!(
            refusal(ask(claim(2, Some("c1"))).await.unwrap_err()),
            Refusal::KeyReused { .. }
        ));
        // The lease is over, whether or not a sweep has seen it.
        shop.clock.advance_seconds(1);
        assert!(matches!(
            refusal(ask(claim(1, Some("c1"))).await.unwrap_err()),
            Refusal::ClaimIsOver { .. }
        ));
        lease_ends(&shop).await;
        assert_eq!(state(&shop, &intent.id).await, (IntentState::Unknown, 3));
        // Nobody knows: nobody tries again, ever, by time.
        shop.clock.advance_seconds(100 * 24 * 3600);
        sweep(&shop.engine, shop.engine.now()).await.unwrap();
        assert!(matches!(
            refusal(ask(claim(3, Some("c9"))).await.unwrap_err()),
            Refusal::Claim {
                why: ClaimRefusal::State(IntentState::Unknown),
                ..
            }
        ));
        shop.expect_verified().await;
    });
}

#[test]
fn a_report_sets_the_outcome_once_and_the_same_again_is_heard_again() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let intent = registered(&shop, &order("order-1")).await;
        let attempt = claimed(&shop, &intent.id, 1).await.attempt_id;
        let first = reported(&shop, &attempt, &report(2, "succeeded", "pi_1")).await;
        assert_eq!(
            (first.result, first.outcome, first.state, first.version),
            (
                ReportResult::Recorded,
                Outcome::Succeeded,
                IntentState::Succeeded,
                3
            )
        );
        for version in [2, 3, 1] {
            let again = report(version, "succeeded", "pi_1");
            assert_eq!(reported(&shop, &attempt, &again).await, first);
        }
        shop.expect_open_cases(&[]).await;

        // The line of the settlement file finds it by the id that was reported.
        let line =
            "r1,payment,pi_1,,25.00,1.00,24.00,EUR,2026-11-04T09:00:00Z,2026-11-04T09:00:00Z,,,\n";
        shop.import_settlement("day.csv", &format!("{HEADER}{line}"))
            .await;
        shop.expect_verdicts(&[("r1", "MATCHED", "R1")]).await;
        assert_eq!(state(&shop, &intent.id).await, (IntentState::Succeeded, 3));
        let shown = show_intent(&shop.engine, &worker(), &intent.id)
            .await
            .unwrap();
        let position = shown.unwrap().position;
        assert_eq!(
            (position.captured.as_str(), position.fees.as_str()),
            ("25.00", "1.00")
        );
        shop.expect_verified().await;
    });
}

#[test]
fn a_report_after_the_lease_is_kept_as_evidence_and_still_resolves_what_nobody_knew() {
    both(async |store| {
        let shop = Shop::open(store).await;
        for (reference, outcome, expected) in [
            ("order-1", "succeeded", IntentState::Succeeded),
            ("order-2", "rejected", IntentState::Failed),
            ("order-3", "unknown", IntentState::Unknown),
        ] {
            let intent = registered(&shop, &order(reference)).await;
            let attempt = claimed(&shop, &intent.id, 1).await.attempt_id;
            lease_ends(&shop).await;
            let late = reported(&shop, &attempt, &report(2, outcome, "")).await;
            assert_eq!(
                (late.result, late.state),
                (ReportResult::RecordedAsEvidence, expected),
                "{outcome}"
            );
            assert_eq!(state(&shop, &intent.id).await.0, expected);
        }
        shop.expect_verified().await;
    });
}

#[test]
fn a_worker_that_does_not_know_changes_nothing_that_a_settlement_line_has_shown() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let intent = registered(&shop, &order("order-1")).await;
        let attempt = claimed(&shop, &intent.id, 1).await.attempt_id;
        let line = "r1,payment,pi_1,order-1,25.00,0.00,25.00,EUR,2026-11-04T09:00:00Z,2026-11-04T09:00:00Z,,,\n";
        shop.import_settlement("day.csv", &format!("{HEADER}{line}"))
            .await;
        shop.expect_verdicts(&[("r1", "MATCHED", "R2")]).await;
        let answer = reported(&shop, &attempt, &report(2, "unknown", "")).await;
        assert_eq!(
            (answer.outcome, answer.state),
            (Outcome::Succeeded, IntentState::Succeeded)
        );
        shop.expect_open_cases(&[]).await;
        shop.expect_verified().await;
    });
}

#[test]
fn reports_that_contradict_each_other_are_both_kept_and_a_person_is_asked() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let failed = registered(&shop, &order("order-1")).await;
        let attempt = claimed(&shop, &failed.id, 1).await.attempt_id;
        reported(&shop, &attempt, &report(2, "rejected", "")).await;
        let second = reported(&shop, &attempt, &report(3, "succeeded", "pi_1")).await;
        assert_eq!(
            (second.result, second.outcome, second.state),
            (
                ReportResult::RecordedAsEvidence,
                Outcome::Contested,
                IntentState::Review
            )
        );

        let twice = registered(&shop, &order("order-2")).await;
        let attempt = claimed(&shop, &twice.id, 1).await.attempt_id;
        reported(&shop, &attempt, &report(2, "succeeded", "pi_2")).await;
        let other = reported(&shop, &attempt, &report(3, "succeeded", "pi_3")).await;
        assert_eq!(
            (other.result, other.outcome),
            (ReportResult::RecordedAsEvidence, Outcome::Succeeded)
        );
        shop.expect_open_cases(&["contradiction", "contradiction"])
            .await;
        shop.expect_verified().await;
    });
}

#[test]
fn a_rejected_payment_is_not_tried_again_without_a_permit_and_unknown_only_where_a_repeat_is_cheap()
{
    both(async |store| {
        let shop = Shop::open(store).await;
        let failed = registered(&shop, &order("order-1")).await;
        let attempt = claimed(&shop, &failed.id, 1).await.attempt_id;
        reported(&shop, &attempt, &report(2, "rejected", "")).await;
        let refused = claim_attempt(&shop.engine, &worker(), &failed.id, &claim(3, None)).await;
        assert!(matches!(
            refusal(refused.unwrap_err()),
            Refusal::Claim {
                why: ClaimRefusal::State(IntentState::Failed),
                ..
            }
        ));

        let cheap = NewIntent {
            loss_policy: "at_least_once".to_owned(),
            ..order("order-2")
        };
        let benefit = registered(&shop, &cheap).await;
        let first = claimed(&shop, &benefit.id, 1).await;
        lease_ends(&shop).await;
        let second = claimed(&shop, &benefit.id, 3).await;
        assert_eq!(second.idempotency_key, first.idempotency_key);
        assert_eq!((second.attempt_no, second.version), (2, 4));
        // One success is enough.
        let answer = reported(&shop, &second.attempt_id, &report(4, "succeeded", "")).await;
        assert_eq!(answer.state, IntentState::Succeeded);
        shop.expect_verified().await;
    });
}

/// The company's payments file: how one attempt of an intent ended.
async fn file_says(shop: &Shop, intent: &str, attempt: &str, outcome: &str) {
    let shown = show_intent(&shop.engine, &worker(), intent).await.unwrap();
    let shown = shown.unwrap();
    let tried = shown.attempts.iter().find(|a| a.attempt_id == attempt);
    let tried = tried.unwrap();
    let (reference, at, policy) = (
        &shown.merchant_reference,
        shown.created_at,
        shown.loss_policy,
    );
    let (number, key, begun) = (tried.attempt_no, &tried.idempotency_key, tried.started_at);
    let done = shop
        .import_payments(&format!(
            "{PAYMENTS}{intent},{reference},charge,25.00,EUR,in,,{at},{policy},{attempt},{number},shop,{key},,{begun},,{outcome},\n"
        ))
        .await;
    assert_eq!(done.refused, []);
}

/// A settlement file is received and nobody has read it: until then nothing is judged again.
async fn file_under_way(shop: &Shop) {
    let row = "q1,fee,,,0.00,1.00,-1.00,EUR,2026-11-04T09:00:00Z,2026-11-04T09:00:00Z,,,\n";
    let csv = format!("{HEADER}{row}");
    let stored = shop.ingest.evidence.store(csv.as_bytes()).await.unwrap();
    let (engine, operator) = (&shop.engine, Actor::Operator);
    receive_file(engine, &operator, "shop", "later.csv", None, stored)
        .await
        .unwrap();
}

async fn file_is_posted(shop: &Shop) {
    let account = shop.account("shop").await;
    work_account(&shop.ingest, account).await.unwrap();
    drain(&shop.engine).await.unwrap();
}

/// An order of which a second try costs less than none.
fn cheap(reference: &str) -> NewIntent {
    NewIntent {
        loss_policy: "at_least_once".to_owned(),
        ..order(reference)
    }
}

/// The state for which a claim at the version that stands is refused.
async fn refused_in(shop: &Shop, intent: &str) -> IntentState {
    let (_, version) = state(shop, intent).await;
    let answer = claim_attempt(&shop.engine, &worker(), intent, &claim(version, None)).await;
    match refusal(answer.unwrap_err()) {
        Refusal::Claim {
            why: ClaimRefusal::State(state),
            ..
        } => state,
        other => panic!("{other}"),
    }
}

#[test]
fn the_digest_of_a_request_is_kept_as_evidence_of_its_attempt_once() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let intent = registered(&shop, &order("order-1")).await;
        let request = ClaimRequest {
            request_digest: Some("sha256:1c8f".to_owned()),
            ..claim(1, Some("c1"))
        };
        for _ in 0..2 {
            let claimed = claim_attempt(&shop.engine, &worker(), &intent.id, &request).await;
            assert_eq!(claimed.unwrap().into_inner().attempt_no, 1);
        }
        let (analyst, ..) = shop.people().await;
        let page = engine::views::intent(&shop.engine, &analyst, &intent.id).await;
        let page = page.unwrap().unwrap();
        let told = page.timeline.iter().map(|t| t.text.as_str());
        let digests = told.filter(|t| t.contains("sha256:1c8f"));
        assert_eq!(
            digests.collect::<Vec<_>>(),
            ["The request that was to be sent for attempt 1 has the digest sha256:1c8f."]
        );
        shop.expect_verified().await;
        // It says nothing of an outcome, and stands in the way of none.
        let attempt = page.attempts[0].id.clone();
        let answer = reported(&shop, &attempt, &report(2, "succeeded", "pi_1")).await;
        assert_eq!(answer.state, IntentState::Succeeded);
        shop.expect_open_cases(&[]).await;
        shop.expect_verified().await;
    });
}

#[test]
fn what_a_payments_file_says_counts_for_the_next_claim_though_a_settlement_file_is_under_way() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let benefit = registered(&shop, &cheap("order-1")).await;
        let attempt = claimed(&shop, &benefit.id, 1).await.attempt_id;
        reported(&shop, &attempt, &report(2, "unknown", "")).await;
        assert_eq!(state(&shop, &benefit.id).await, (IntentState::Unknown, 3));
        file_under_way(&shop).await;
        file_says(&shop, &benefit.id, &attempt, "succeeded").await;
        // A worker that read it before is told, and one that reads it now is, too.
        let late = claim_attempt(&shop.engine, &worker(), &benefit.id, &claim(3, None)).await;
        assert!(matches!(
            refusal(late.unwrap_err()),
            Refusal::Claim {
                why: ClaimRefusal::Version { current: 4, .. },
                ..
            }
        ));
        assert_eq!(state(&shop, &benefit.id).await, (IntentState::Succeeded, 4));
        assert_eq!(refused_in(&shop, &benefit.id).await, IntentState::Succeeded);
        shop.expect_verified().await;
        file_is_posted(&shop).await;
        assert_eq!(state(&shop, &benefit.id).await, (IntentState::Succeeded, 4));
        shop.expect_verified().await;
    });
}

#[test]
fn a_payments_file_that_does_not_know_frees_nothing_that_a_settlement_line_has_shown() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let benefit = registered(&shop, &cheap("order-1")).await;
        let attempt = claimed(&shop, &benefit.id, 1).await.attempt_id;
        let line = "r1,payment,pi_1,order-1,25.00,0.00,25.00,EUR,2026-11-04T09:00:00Z,2026-11-04T09:00:00Z,,,\n";
        shop.import_settlement("day.csv", &format!("{HEADER}{line}"))
            .await;
        assert_eq!(state(&shop, &benefit.id).await, (IntentState::Succeeded, 3));
        file_under_way(&shop).await;
        file_says(&shop, &benefit.id, &attempt, "unknown").await;
        assert_eq!(refused_in(&shop, &benefit.id).await, IntentState::Succeeded);
        shop.expect_outcomes(&[(&attempt, "succeeded")]).await;
        shop.expect_verified().await;
        file_is_posted(&shop).await;
        assert_eq!(state(&shop, &benefit.id).await, (IntentState::Succeeded, 3));
        shop.expect_outcomes(&[(&attempt, "succeeded")]).await;
        shop.expect_verified().await;
    });
}

#[test]
fn a_payments_file_that_contradicts_a_rejection_stops_further_tries_and_says_so_once() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let benefit = registered(&shop, &cheap("order-1")).await;
        let first = claimed(&shop, &benefit.id, 1).await.attempt_id;
        lease_ends(&shop).await;
        let second = claimed(&shop, &benefit.id, 3).await.attempt_id;
        reported(&shop, &second, &report(4, "unknown", "")).await;
        reported(&shop, &first, &report(5, "rejected", "")).await;
        assert_eq!(state(&shop, &benefit.id).await.0, IntentState::Unknown);
        file_under_way(&shop).await;
        file_says(&shop, &benefit.id, &first, "succeeded").await;
        assert_eq!(refused_in(&shop, &benefit.id).await, IntentState::Review);
        shop.expect_verified().await;
        file_is_posted(&shop).await;
        assert_eq!(state(&shop, &benefit.id).await.0, IntentState::Review);
        let before = shop.everything().await;
        file_says(&shop, &benefit.id, &first, "succeeded").await;
        assert_eq!(shop.everything().await, before);
        shop.expect_verified().await;
    });
}

#[test]
fn nobody_registers_claims_or_reports_without_the_right_to() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let intent = registered(&shop, &order("order-1")).await;
        let attempt = claimed(&shop, &intent.id, 1).await.attempt_id;
        let (analyst, approver, _) = shop.people().await;
        let reader = Actor::Token {
            token_id: 2,
            name: "reader".to_owned(),
            scopes: [
                Scope::Read,
                Scope::Decide,
                Scope::Ingest,
                Scope::Compensations,
            ]
            .into(),
            person: None,
        };
        for actor in [analyst, approver, reader, Actor::System] {
            let created = create_intent(&shop.engine, &actor, "k", &order("order-9")).await;
            let claimed = claim_attempt(&shop.engine, &actor, &intent.id, &claim(2, None)).await;
            let said = report(2, "succeeded", "");
            let reported = report_outcome(&shop.engine, &actor, &attempt, &said).await;
            for refused in [created.err(), claimed.err(), reported.err()] {
                assert!(matches!(refused, Some(Error::Forbidden(_))), "{actor:?}");
            }
        }
        assert_eq!(state(&shop, &intent.id).await, (IntentState::Submitting, 2));
    });
}

#[test]
fn a_claim_at_a_provider_that_shortens_keys_and_one_at_a_provider_nobody_knows() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.add_account("adyen-eu", ProviderKind::Adyen, &[]).await;
        let id = "x".repeat(100);
        shop.import_payments(&format!(
            "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code\n{id},order-1,charge,25.00,EUR,in,,2026-11-04T07:00:00Z,,,,,,,,,,\n"
        ))
        .await;
        let mut request = claim(1, None);
        request.provider = "nobody".to_owned();
        let refused = claim_attempt(&shop.engine, &worker(), &id, &request).await;
        assert!(matches!(
            refused,
            Err(Error::Invalid {
                field: "provider",
                ..
            })
        ));
        request.provider = "adyen-eu".to_owned();
        let claimed = claim_attempt(&shop.engine, &worker(), &id, &request).await;
        assert_eq!(claimed.unwrap().into_inner().idempotency_key.len(), 64);
        shop.expect_verified().await;
    });
}
