//! What a page says that a decision will post is what it posts, on both databases.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // as in any test

#[path = "support/shop.rs"]
mod shop;

use domain::{
    actor::Actor,
    cases::{Action, DecisionParams, ReasonCode},
    matching::Share,
    posting::LedgerAccount,
    time::Instant,
    view::{
        case::{CasePage, Effect},
        queue::QueueFilter,
    },
};
use engine::{
    Error,
    decide::{DecisionRequest, foresee_case},
    testing::{both, queries},
    views,
};
use shop::Shop;
use std::collections::BTreeMap;

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,shop,i1,pi_1,2026-11-02T09:00:01Z,,succeeded,
";

const HEADER: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n";

fn line(id: &str, payment: &str, amount: &str, batch: &str) -> String {
    format!(
        "{id},payment,{payment},,{amount},0.00,{amount},EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,{batch},,\n"
    )
}

async fn page(shop: &Shop, actor: &Actor, case: &str) -> CasePage {
    views::case(&shop.engine, actor, case, &QueueFilter::default())
        .await
        .unwrap()
        .unwrap()
}

/// Postings as account and amount, by account.
fn posted(effect: &Effect) -> Vec<(&str, i64)> {
    let mut all: Vec<(&str, i64)> = effect
        .postings
        .iter()
        .map(|p| {
            (
                p.ledger_account.as_str(),
                i64::try_from(p.amount.minor).unwrap(),
            )
        })
        .collect();
    all.sort_unstable();
    all
}

fn offered(page: &CasePage, action: Action) -> &Effect {
    let choice = page.actions.iter().find(|a| a.action == action.code());
    &choice.unwrap().effect
}

async fn balances(shop: &Shop) -> BTreeMap<String, i64> {
    queries::balances(shop.engine.store.read().await.unwrap())
        .await
        .unwrap()
        .into_iter()
        .collect()
}

/// What changed between two sets of balances, by account.
fn moved(before: &BTreeMap<String, i64>, after: &BTreeMap<String, i64>) -> Vec<(String, i64)> {
    let names: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    names
        .into_iter()
        .map(|name| {
            let of = |balances: &BTreeMap<String, i64>| balances.get(name).copied().unwrap_or(0);
            (name.clone(), of(after) - of(before))
        })
        .filter(|(_, change)| *change != 0)
        .collect()
}

/// Decides, by two people where it takes two, and compares what moved with what was foreseen.
async fn decide_as_foreseen(
    shop: &Shop,
    people: (&Actor, &Actor),
    case: &str,
    id: &str,
    action: Action,
    params: DecisionParams,
) -> Vec<(String, i64)> {
    let request = DecisionRequest {
        decision_id: id.to_owned(),
        expected_version: shop.version(case).await,
        action,
        reason_code: ReasonCode::for_action(action)[0],
        comment: "looked into it".to_owned(),
        params: params.clone(),
        evidence_hashes: Vec::new(),
    };
    let untouched = shop.everything().await;
    let foreseen = foresee_case(&shop.engine, people.0, case, &request)
        .await
        .unwrap();
    assert_eq!(
        shop.everything().await,
        untouched,
        "a preview wrote something"
    );
    let before = balances(shop).await;
    let decided = shop
        .decide(people.0, case, id, action, params)
        .await
        .unwrap();
    if decided.state == "AWAITING" {
        let waiting = page(shop, people.1, case).await.awaiting.unwrap();
        assert_eq!(waiting.effect.postings, foreseen.postings);
        shop.approve(people.1, id).await.unwrap();
    }
    let moved = moved(&before, &balances(shop).await);
    let told: Vec<(String, i64)> = posted(&foreseen)
        .into_iter()
        .map(|(account, amount)| (account.to_owned(), amount))
        .collect();
    assert_eq!(moved, told, "{action}");
    moved
}

fn expect(moved: &[(String, i64)], expected: &[(&str, i64)]) {
    let found: Vec<(&str, i64)> = moved.iter().map(|(a, m)| (a.as_str(), *m)).collect();
    assert_eq!(found, expected);
}

// 95.00 of 100.00 came and stands in suspense (credit). Accepted: 95.00 from suspense to receipts.
// Written off: 100.00 to receipts, of which 5.00 from write-offs.
#[test]
fn a_case_shows_what_each_decision_posts_and_the_undo_turns_it_round() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, approver) = shop.people().await;
        shop.import_payments(PAYMENTS).await;
        shop.import_settlement(
            "short.csv",
            &format!("{HEADER}{}", line("r1", "pi_1", "95.00", "")),
        )
        .await;
        let case = shop.only_case().await;
        let seen = page(&shop, &analyst, &case).await;
        assert_eq!(
            posted(offered(&seen, Action::AcceptVariance)),
            [("receipts", -9_500), ("suspense", 9_500)]
        );
        assert_eq!(
            posted(offered(&seen, Action::WriteOff)),
            [
                ("receipts", -10_000),
                ("suspense", 9_500),
                ("write_offs", 500)
            ]
        );
        assert!(offered(&seen, Action::Snooze).postings.is_empty());
        assert!(seen.undo.is_none());

        let people = (&analyst, &approver);
        let accept = DecisionParams::default();
        let moved = decide_as_foreseen(
            &shop,
            people,
            &case,
            "d-accept-01",
            Action::AcceptVariance,
            accept.clone(),
        )
        .await;
        expect(&moved, &[("receipts", -9_500), ("suspense", 9_500)]);

        let undo = page(&shop, &analyst, &case).await.undo.unwrap();
        assert_eq!(undo.does, "Reverse with a new entry");
        assert_eq!(
            posted(&undo.effect),
            [("receipts", 9_500), ("suspense", -9_500)]
        );
        let before = balances(&shop).await;
        let params = DecisionParams {
            decision: Some(undo.decision_id),
            ..DecisionParams::default()
        };
        shop.decide(
            &analyst,
            &case,
            "d-undo-001",
            Action::ReverseDecision,
            params,
        )
        .await
        .unwrap();
        expect(
            &self::moved(&before, &balances(&shop).await),
            &[("receipts", 9_500), ("suspense", -9_500)],
        );

        let moved =
            decide_as_foreseen(&shop, people, &case, "d-write-01", Action::WriteOff, accept).await;
        expect(
            &moved,
            &[
                ("receipts", -10_000),
                ("suspense", 9_500),
                ("write_offs", 500),
            ],
        );
        shop.expect_verified().await;
    });
}

// A line of 50.00 that nothing explains stands in suspense (credit 50.00).
#[test]
fn what_is_chosen_in_the_form_decides_what_is_posted() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, approver) = shop.people().await;
        let people = (&analyst, &approver);
        shop.import_settlement(
            "odd.csv",
            &format!("{HEADER}{}", line("r1", "pi_9", "50.00", "")),
        )
        .await;
        let case = shop.only_case().await;
        let seen = page(&shop, &analyst, &case).await;
        assert!(offered(&seen, Action::CorrectPosting).postings.is_empty());
        assert_eq!(
            posted(offered(&seen, Action::RecordExternal)),
            [("receipts", -5_000), ("suspense", 5_000)]
        );
        let to = DecisionParams {
            to: Some(LedgerAccount::Adjustments),
            ..DecisionParams::default()
        };
        let moved = decide_as_foreseen(
            &shop,
            people,
            &case,
            "d-correct-1",
            Action::CorrectPosting,
            to,
        )
        .await;
        expect(&moved, &[("adjustments", -5_000), ("suspense", 5_000)]);
        shop.expect_verified().await;
    });
}

// 50.00 came under an id that nobody knows; the payment of 100.00 takes it by a person's word. What
// is matched in part still leaves suspense: a case asks for the rest.
#[test]
fn a_match_by_hand_and_its_undo_post_as_foreseen() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, approver) = shop.people().await;
        let people = (&analyst, &approver);
        let payments = PAYMENTS.replace("100.00", "50.00").replace(",pi_1,", ",,");
        shop.import_payments(&payments).await;
        shop.import_settlement(
            "odd.csv",
            &format!("{HEADER}{}", line("r1", "pi_9", "50.00", "")),
        )
        .await;
        shop.expect_open_cases(&["proposed_match"]).await;
        let case = shop.only_case().await;
        let chosen = DecisionParams {
            shares: vec![Share {
                intent: String::new(),
                attempt: "a1".to_owned(),
                amount: 0,
            }],
            ..DecisionParams::default()
        };
        let moved = decide_as_foreseen(
            &shop,
            people,
            &case,
            "d-choose-01",
            Action::ChooseCandidate,
            chosen,
        )
        .await;
        expect(&moved, &[("receipts", -5_000), ("suspense", 5_000)]);
        let undo = page(&shop, &analyst, &case).await.undo.unwrap();
        assert_eq!(
            posted(&undo.effect),
            [("receipts", 5_000), ("suspense", -5_000)]
        );
        let before = balances(&shop).await;
        let params = DecisionParams {
            decision: Some(undo.decision_id),
            ..DecisionParams::default()
        };
        shop.decide(
            &analyst,
            &case,
            "d-undo-002",
            Action::ReverseDecision,
            params,
        )
        .await
        .unwrap();
        expect(
            &self::moved(&before, &balances(&shop).await),
            &[("receipts", 5_000), ("suspense", -5_000)],
        );
        shop.expect_verified().await;
    });
}

// Days of the file: 2 to 20 November. The payment of Monday 2 November is due on Friday the 6th and
// the file that covers it holds nothing of it. Nothing came: write_offs to receipts, 100.00.
#[test]
fn the_write_off_of_a_settlement_that_never_came_posts_as_foreseen() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, approver) = shop.people().await;
        shop.import_payments(PAYMENTS).await;
        let fees: Vec<String> = (2..=20)
            .map(|day| {
                format!(
                    "f{day},fee,,,0.00,1.00,-1.00,EUR,2026-11-{day:02}T09:00:00Z,2026-11-{day:02}T10:00:00Z,,,\n"
                )
            })
            .collect();
        let file = format!("{HEADER}{}", fees.concat());
        shop.import_settlement("fees.csv", &file).await;
        shop.clock
            .set(Instant::parse_rfc3339("2026-11-20T12:00:00Z").unwrap());
        engine::sweep::sweep(&shop.engine, shop.engine.now())
            .await
            .unwrap();
        shop.expect_open_cases(&["missing_settlement"]).await;
        let case = shop.only_case().await;
        let moved = decide_as_foreseen(
            &shop,
            (&analyst, &approver),
            &case,
            "d-missing-1",
            Action::WriteOff,
            DecisionParams::default(),
        )
        .await;
        expect(&moved, &[("receipts", -10_000), ("write_offs", 10_000)]);
        shop.expect_verified().await;
    });
}

// First 95.00 came, 5.00 short. Then 3.00 more: 2.00 short.
#[test]
fn who_decides_on_an_older_state_is_told_which_facts_changed() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, _) = shop.people().await;
        shop.import_payments(PAYMENTS).await;
        shop.import_settlement(
            "first.csv",
            &format!("{HEADER}{}", line("r1", "pi_1", "95.00", "")),
        )
        .await;
        let case = shop.only_case().await;
        let seen = shop.version(&case).await;
        shop.import_settlement(
            "second.csv",
            &format!("{HEADER}{}", line("r2", "pi_1", "3.00", "")),
        )
        .await;
        let stale = shop
            .decide_at(
                &analyst,
                &case,
                seen,
                "d-late-0001",
                Action::AcceptVariance,
                DecisionParams::default(),
            )
            .await
            .unwrap_err();
        let Error::Stale(stale) = stale else {
            panic!("{stale}");
        };
        let changes = views::changes_between(&shop.engine, &analyst, &case, stale.seen, stale.now)
            .await
            .unwrap();
        let of = |name: &str| {
            let change = changes.iter().find(|c| c.name == name);
            change.map(|c| (c.then.as_str(), c.now.as_str()))
        };
        assert_eq!(of("At risk"), Some(("5.00 EUR", "2.00 EUR")), "{changes:?}");
        assert_eq!(of("Difference"), Some(("5.00 EUR", "2.00 EUR")));
        assert!(
            of("Lines").is_some_and(|(then, now)| !then.contains("3.00") && now.contains("3.00"))
        );
        assert_eq!(of("Payment"), None);
        assert!(
            views::changes_between(&shop.engine, &analyst, &case, seen, seen)
                .await
                .unwrap()
                .is_empty()
        );
    });
}
