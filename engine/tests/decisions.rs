//! Decisions on both databases: what they move, who may take them, and what undoes them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/shop.rs"]
mod shop;

use domain::cases::{Action, DecisionParams};
use engine::{Error, testing::both};
use shop::Shop;

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,shop,i1,pi_1,2026-11-02T09:00:01Z,,succeeded,
";

const HEADER: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n";

async fn five_short(shop: &Shop) {
    shop.import_payments(PAYMENTS).await;
    let file = format!(
        "{HEADER}r1,payment,pi_1,order-1,95.00,0.00,95.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n"
    );
    shop.import_settlement("short.csv", &file).await;
    shop.expect_open_cases(&["amount_mismatch"]).await;
}

// A row of 100.00 names nobody and fits the one open payment of 100.00. Confirmed, it is matched; undone, it
// fits that payment as before.
#[test]
fn a_proposal_that_was_confirmed_is_one_again_when_that_is_undone() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (ana, ..) = shop.people().await;
        shop.import_payments(PAYMENTS).await;
        let file = format!(
            "{HEADER}r1,payment,,,100.00,0.00,100.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n"
        );
        shop.import_settlement("day.csv", &file).await;
        shop.expect_verdicts(&[("r1", "PROPOSED", "R4")]).await;
        let case = shop.only_case().await;
        let nothing = DecisionParams::default;
        shop.decide(&ana, &case, "confirm-1", Action::ConfirmMatch, nothing())
            .await
            .unwrap();
        shop.expect_verdicts(&[("r1", "MATCHED", "person")]).await;
        shop.expect_open_cases(&[]).await;
        let undo = DecisionParams {
            decision: Some("confirm-1".to_owned()),
            ..nothing()
        };
        shop.decide(&ana, &case, "undo-it-1", Action::ReverseDecision, undo)
            .await
            .unwrap();
        shop.expect_verdicts(&[("r1", "PROPOSED", "R4")]).await;
        shop.expect_open_cases(&["proposed_match"]).await;
        shop.expect_verified().await;
    });
}

// Too little came: 95.00 of 100.00. Before: clearing 95 debit, suspense 95 credit. Approved write-off:
// suspense 95 debit, write_offs 5 debit, receipts 100 credit.
#[test]
fn a_write_off_of_too_little_needs_a_second_person_and_posts_only_then() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, other, approver) = shop.people().await;
        five_short(&shop).await;
        let case = shop.only_case().await;
        let decided = shop
            .decide(
                &analyst,
                &case,
                "d-write-off-1",
                Action::WriteOff,
                DecisionParams::default(),
            )
            .await
            .unwrap();
        assert_eq!(
            (decided.state.as_str(), decided.case_state.as_str()),
            ("AWAITING", "AWAITING_APPROVAL")
        );
        shop.expect_balances(&[("provider_clearing", 9_500), ("suspense", -9_500)])
            .await;

        for nobody in [&analyst, &other] {
            let refused = shop.approve(nobody, "d-write-off-1").await;
            assert!(refused.is_err(), "{refused:?}");
        }
        let done = shop.approve(&approver, "d-write-off-1").await.unwrap();
        assert_eq!(
            (done.state.as_str(), done.case_state.as_str()),
            ("APPLIED", "RESOLVED")
        );
        shop.expect_balances(&[
            ("provider_clearing", 9_500),
            ("receipts", -10_000),
            ("write_offs", 500),
        ])
        .await;
        shop.expect_verdicts(&[("r1", "MATCHED", "person")]).await;
        assert!(shop.approve(&approver, "d-write-off-1").await.is_err());
        shop.expect_verified().await;
    });
}

#[test]
fn accepting_a_variance_moves_the_line_to_receipts_and_undoing_it_brings_the_case_back() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, _) = shop.people().await;
        five_short(&shop).await;
        let case = shop.only_case().await;
        shop.decide(
            &analyst,
            &case,
            "d-accept-001",
            Action::AcceptVariance,
            DecisionParams::default(),
        )
        .await
        .unwrap();
        shop.expect_balances(&[("provider_clearing", 9_500), ("receipts", -9_500)])
            .await;
        shop.expect_open_cases(&[]).await;
        let undo = DecisionParams {
            decision: Some("d-accept-001".to_owned()),
            ..DecisionParams::default()
        };
        shop.decide(
            &analyst,
            &case,
            "d-undo-0001",
            Action::ReverseDecision,
            undo,
        )
        .await
        .unwrap();
        shop.expect_balances(&[("provider_clearing", 9_500), ("suspense", -9_500)])
            .await;
        shop.expect_open_cases(&["amount_mismatch"]).await;
        shop.expect_verified().await;
    });
}

#[test]
fn of_two_who_decide_at_once_one_wins_and_the_other_is_told_who() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, other, _) = shop.people().await;
        five_short(&shop).await;
        let case = shop.only_case().await;
        let version = shop.version(&case).await;
        let (first, second) = tokio::join!(
            shop.decide_at(
                &analyst,
                &case,
                version,
                "d-race-0001",
                Action::AcceptVariance,
                DecisionParams::default()
            ),
            shop.decide_at(
                &other,
                &case,
                version,
                "d-race-0002",
                Action::AcceptVariance,
                DecisionParams::default()
            ),
        );
        let (won, lost) = if first.is_ok() {
            (first, second)
        } else {
            (second, first)
        };
        assert!(won.is_ok(), "{won:?}");
        match lost.unwrap_err() {
            Error::Stale(stale) => {
                assert_eq!(stale.seen, version);
                assert!(
                    stale.now > version
                        && stale.by.ends_with("@example.com")
                        && stale.what.starts_with("decided “"),
                    "{stale:?}"
                );
            }
            other => panic!("{other}"),
        }
        shop.expect_balances(&[("provider_clearing", 9_500), ("receipts", -9_500)])
            .await;
        shop.expect_verified().await;
    });
}

#[test]
fn the_same_decision_sent_twice_is_one_and_its_id_serves_no_other() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, _) = shop.people().await;
        five_short(&shop).await;
        let case = shop.only_case().await;
        let version = shop.version(&case).await;
        let again = async || {
            shop.decide_at(
                &analyst,
                &case,
                version,
                "d-twice-0001",
                Action::AcceptVariance,
                DecisionParams::default(),
            )
            .await
        };
        assert!(!again().await.unwrap().repeated);
        assert!(again().await.unwrap().repeated);
        let other = shop
            .decide_at(
                &analyst,
                &case,
                version,
                "d-twice-0001",
                Action::WriteOff,
                DecisionParams::default(),
            )
            .await;
        assert!(matches!(other, Err(Error::Conflict(_))), "{other:?}");
        shop.expect_verified().await;
    });
}

#[test]
fn money_nobody_expected_is_explained_when_its_payment_comes() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let file = format!(
            "{HEADER}r1,payment,pi_1,order-1,100.00,0.00,100.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n"
        );
        shop.import_settlement("early.csv", &file).await;
        shop.expect_open_cases(&["unexpected_settlement"]).await;
        shop.import_payments(PAYMENTS).await;
        shop.expect_open_cases(&[]).await;
        shop.expect_verdicts(&[("r1", "MATCHED", "R1")]).await;
        shop.expect_balances(&[("provider_clearing", 10_000), ("receipts", -10_000)])
            .await;
        shop.expect_verified().await;
    });
}

#[test]
fn snoozed_until_tomorrow_a_case_wakes_by_itself() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, _) = shop.people().await;
        five_short(&shop).await;
        let case = shop.only_case().await;
        let until = shop.engine.now().plus_seconds(86_400);
        let params = DecisionParams {
            until: Some(until),
            ..DecisionParams::default()
        };
        let decided = shop
            .decide(&analyst, &case, "d-snooze-001", Action::Snooze, params)
            .await
            .unwrap();
        assert_eq!(decided.case_state, "WAITING");
        engine::sweep::sweep(&shop.engine, until.plus_seconds(-1))
            .await
            .unwrap();
        assert_eq!(shop.state(&case).await, "WAITING");
        engine::sweep::sweep(&shop.engine, until).await.unwrap();
        assert_eq!(shop.state(&case).await, "OPEN");
        shop.expect_verified().await;
    });
}

#[test]
fn unknown_past_grace_is_a_case_and_a_lease_that_ran_out_is_unknown_but_nothing_else_comes_of_time()
{
    both(async |store| {
        let shop = Shop::open(store).await;
        let payments = PAYMENTS.replace(",succeeded,", ",in_flight,");
        shop.import_payments(&payments).await;
        let began = domain::time::Instant::parse_rfc3339("2026-11-02T09:00:01Z").unwrap();
        shop.clock.set(began.plus_seconds(9 * 60));
        engine::sweep::sweep(&shop.engine, shop.engine.now())
            .await
            .unwrap();
        shop.expect_outcomes(&[("a1", "in_flight")]).await;
        shop.clock.set(began.plus_seconds(10 * 60));
        engine::sweep::sweep(&shop.engine, shop.engine.now())
            .await
            .unwrap();
        shop.expect_outcomes(&[("a1", "unknown")]).await;
        shop.expect_open_cases(&[]).await;
        shop.clock.advance_seconds(15 * 60);
        engine::sweep::sweep(&shop.engine, shop.engine.now())
            .await
            .unwrap();
        shop.expect_open_cases(&["unknown_outcome"]).await;
        shop.clock.advance_seconds(365 * 86_400);
        engine::sweep::sweep(&shop.engine, shop.engine.now())
            .await
            .unwrap();
        shop.expect_outcomes(&[("a1", "unknown")]).await;
        let file = format!(
            "{HEADER}r1,payment,pi_1,order-1,100.00,0.00,100.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n"
        );
        shop.import_settlement("late.csv", &file).await;
        shop.expect_outcomes(&[("a1", "succeeded")]).await;
        // The year in which no file came is one case.
        shop.expect_open_cases(&["missing_file"]).await;
        shop.expect_verified().await;
    });
}

// Monday 2026-11-02, two business days to the end of Wednesday, 24 hours of grace: due on Friday.
#[test]
fn where_parts_are_expected_a_part_is_a_case_only_once_the_rest_is_due() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let set = [("partial_captures", "expected"), ("coverage", "none")];
        shop.add_account("parts", domain::account::ProviderKind::Generic, &set)
            .await;
        shop.import_payments(&PAYMENTS.replace(",shop,", ",parts,"))
            .await;
        let part = format!(
            "{HEADER}r1,payment,pi_1,order-1,60.00,0.00,60.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n"
        );
        shop.import_for("parts", "part.csv", part.as_bytes()).await;
        shop.expect_open_cases(&[]).await;
        for (time, cases) in [
            ("2026-11-05T23:59:59Z", &[][..]),
            ("2026-11-06T00:00:00Z", &["amount_mismatch"][..]),
        ] {
            shop.clock
                .set(domain::time::Instant::parse_rfc3339(time).unwrap());
            engine::sweep::sweep(&shop.engine, shop.engine.now())
                .await
                .unwrap();
            shop.expect_open_cases(cases).await;
        }
        let rest = format!(
            "{HEADER}r2,payment,pi_1,order-1,40.00,0.00,40.00,EUR,2026-11-05T09:00:02Z,2026-11-06T00:00:00Z,,,\n"
        );
        shop.import_for("parts", "rest.csv", rest.as_bytes()).await;
        shop.expect_open_cases(&[]).await;
    });
}

async fn dollars_for_euros(shop: &Shop) {
    shop.import_payments(PAYMENTS).await;
    let file = format!(
        "{HEADER}r1,payment,pi_1,order-1,110.00,0.00,110.00,USD,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n"
    );
    shop.import_settlement("dollars.csv", &file).await;
    shop.expect_open_cases(&["currency_mismatch"]).await;
}

/// Balances by ledger account and currency that are not zero, in minor units.
async fn by_currency(shop: &Shop) -> Vec<String> {
    let filter = domain::view::ledger::BalanceFilter::default();
    let page = engine::views::trial_balance(&shop.engine, &domain::actor::Actor::Operator, &filter)
        .await
        .unwrap();
    let mut found: Vec<String> = page
        .blocks
        .iter()
        .flat_map(|block| &block.rows)
        .filter(|row| row.balance.minor != 0)
        .map(|row| {
            format!(
                "{} {} {}",
                row.ledger_account, row.balance.currency, row.balance.minor
            )
        })
        .collect();
    found.sort();
    found
}

// 110 dollars came for a payment of 100 euros. In dollars too much came, and all of it is written
// off: suspense 110 debit, write_offs 110 credit. In euros nothing came: write_offs 100 debit,
// receipts 100 credit.
#[test]
fn a_currency_mismatch_is_written_off_by_two_people_each_currency_for_itself() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, approver) = shop.people().await;
        dollars_for_euros(&shop).await;
        let case = shop.only_case().await;
        let nothing = DecisionParams::default();
        let before = ["provider_clearing USD 11000", "suspense USD -11000"];
        shop.decide(&analyst, &case, "d-write-off-1", Action::WriteOff, nothing)
            .await
            .unwrap();
        assert_eq!(by_currency(&shop).await, before);
        shop.approve(&approver, "d-write-off-1").await.unwrap();
        assert_eq!(
            by_currency(&shop).await,
            [
                "provider_clearing USD 11000",
                "receipts EUR -10000",
                "write_offs EUR 10000",
                "write_offs USD -11000",
            ]
        );
        shop.expect_verdicts(&[("r1", "MATCHED", "person")]).await;
        shop.expect_open_cases(&[]).await;
        shop.expect_verified().await;

        let undo = DecisionParams {
            decision: Some("d-write-off-1".to_owned()),
            ..DecisionParams::default()
        };
        shop.decide(&analyst, &case, "d-undo-1", Action::ReverseDecision, undo)
            .await
            .unwrap();
        shop.approve(&approver, "d-undo-1").await.unwrap();
        assert_eq!(by_currency(&shop).await, before);
        shop.expect_open_cases(&["currency_mismatch"]).await;
        shop.expect_verified().await;
    });
}

// The dollars named the wrong payment: they are those of two payments of 80 and 30 dollars.
#[test]
fn a_currency_mismatch_is_allocated_to_payments_of_its_own_currency_and_to_no_other() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, _) = shop.people().await;
        dollars_for_euros(&shop).await;
        let others = PAYMENTS.replace(
            "i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,shop,i1,pi_1",
            "i2,order-2,charge,80.00,USD,in,c2,2026-11-02T09:00:00Z,,a2,1,shop,i2,pi_2",
        ) + "i3,order-3,charge,30.00,USD,in,c3,2026-11-02T09:00:00Z,,a3,1,shop,i3,pi_3,2026-11-02T09:00:01Z,,succeeded,\n";
        shop.import_payments(&others).await;
        let case = shop.only_case().await;
        let to = |shares: &[(&str, i64)]| DecisionParams {
            shares: shares
                .iter()
                .map(|(attempt, amount)| domain::matching::Share {
                    intent: String::new(),
                    attempt: (*attempt).to_owned(),
                    amount: *amount,
                })
                .collect(),
            ..DecisionParams::default()
        };
        let euros = to(&[("a1", 8_000), ("a3", 3_000)]);
        let refused = shop
            .decide(&analyst, &case, "d-allocate-1", Action::Allocate, euros)
            .await;
        assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
        let dollars = to(&[("a2", 8_000), ("a3", 3_000)]);
        shop.decide(&analyst, &case, "d-allocate-2", Action::Allocate, dollars)
            .await
            .unwrap();
        shop.expect_open_cases(&[]).await;
        shop.expect_verdicts(&[("r1", "MATCHED", "person")]).await;
        assert_eq!(
            by_currency(&shop).await,
            ["provider_clearing USD 11000", "receipts USD -11000"]
        );
        shop.expect_verified().await;
    });
}

// Seven approvers, of whom the page names five. The sixth may approve as well as the first; one who was
// made by somebody whom the decider made may not, and is offered nothing that would be refused.
#[test]
fn whoever_may_approve_is_offered_it_and_nobody_else() {
    both(async |store| {
        use domain::actor::{Actor, Role};
        let shop = Shop::open(store).await;
        let add = async |by: &Actor, email: &str, roles: &[Role]| {
            let roles: std::collections::BTreeSet<Role> = roles.iter().copied().collect();
            let new = engine::users::NewUser {
                email: email.to_owned(),
                password: "correct horse battery staple".to_owned(),
                roles: roles.clone(),
            };
            let made = engine::users::add_user(&shop.engine, by, new)
                .await
                .unwrap();
            Actor::Person {
                user_id: made.id,
                email: made.email,
                roles,
            }
        };
        let operator = Actor::Operator;
        let chief = add(
            &operator,
            "chief@example.com",
            &[Role::Analyst, Role::Admin],
        )
        .await;
        let mut approvers = Vec::new();
        for n in 0..6 {
            let email = format!("approver{n}@example.com");
            approvers.push(add(&operator, &email, &[Role::Approver]).await);
        }
        let deputy = add(&chief, "deputy@example.com", &[Role::Admin]).await;
        let puppet = add(&deputy, "a-puppet@example.com", &[Role::Approver]).await;
        five_short(&shop).await;
        let case = shop.only_case().await;
        let nothing = DecisionParams::default();
        shop.decide(&chief, &case, "d-offered-1", Action::WriteOff, nothing)
            .await
            .unwrap();

        let offered = async |actor: &Actor| {
            let filter = domain::view::queue::QueueFilter {
                view: domain::view::queue::QueueView::ToApprove,
                ..Default::default()
            };
            let page = engine::views::case(&shop.engine, actor, &case, &filter)
                .await
                .unwrap()
                .unwrap();
            let awaiting = page.awaiting.unwrap();
            let queue = engine::views::queue(&shop.engine, actor, &filter)
                .await
                .unwrap();
            let overview = engine::views::overview(&shop.engine, actor).await.unwrap();
            let counts = engine::views::nav_counts(&shop.engine, actor)
                .await
                .unwrap();
            assert_eq!(awaiting.approvers.len(), 5, "{:?}", awaiting.approvers);
            assert!(
                !awaiting
                    .approvers
                    .contains(&"a-puppet@example.com".to_owned())
            );
            (
                awaiting.may_approve,
                queue.rows.len(),
                overview.to_approve.len(),
                overview.to_approve_total,
                counts.to_approve,
            )
        };
        for approver in &approvers {
            assert_eq!(offered(approver).await, (true, 1, 1, 1, 1), "{approver:?}");
        }
        assert_eq!(offered(&puppet).await, (false, 0, 0, 0, 0));
        let refused = shop.approve(&puppet, "d-offered-1").await;
        assert!(matches!(refused, Err(Error::Conflict(_))), "{refused:?}");
        shop.approve(&approvers[5], "d-offered-1").await.unwrap();
    });
}

// 104.00 of 100.00: four too much. What waits says nothing that is no longer true once it is approved.
#[test]
fn a_write_off_of_too_much_is_told_in_words_before_and_after_its_approval() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, approver) = shop.people().await;
        shop.import_payments(PAYMENTS).await;
        let file = format!(
            "{HEADER}r1,payment,pi_1,order-1,104.00,0.00,104.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n"
        );
        shop.import_settlement("much.csv", &file).await;
        let case = shop.only_case().await;
        let request = engine::decide::DecisionRequest {
            decision_id: "d-too-much".to_owned(),
            expected_version: shop.version(&case).await,
            action: Action::WriteOff,
            reason_code: domain::cases::ReasonCode::for_action(Action::WriteOff)[0],
            comment: String::new(),
            params: DecisionParams::default(),
            evidence_hashes: Vec::new(),
        };
        let foreseen = engine::decide::foresee_case(&shop.engine, &analyst, &case, &request)
            .await
            .unwrap();
        let what = "4.00 EUR too much came for payment i1 and is written off.";
        assert_eq!(
            foreseen.text,
            format!("{what} A second person must agree before this takes effect.")
        );
        let decided = shop
            .decide(
                &analyst,
                &case,
                "d-too-much",
                Action::WriteOff,
                DecisionParams::default(),
            )
            .await
            .unwrap();
        assert_eq!(
            (decided.state.as_str(), decided.effects),
            ("AWAITING", vec![what.to_owned()])
        );
        let done = shop.approve(&approver, "d-too-much").await.unwrap();
        assert_eq!(
            (done.state.as_str(), done.effects),
            ("APPLIED", vec![what.to_owned()])
        );
        shop.expect_balances(&[
            ("provider_clearing", 10_400),
            ("receipts", -10_000),
            ("write_offs", -400),
        ])
        .await;
        // From the figure to who decided it: file 1 is entry 1, the write-off moved its line.
        let entry = async |number| {
            let found = engine::views::entry(&shop.engine, &analyst, number).await;
            found.unwrap().unwrap()
        };
        assert_eq!(entry(1).await.decision, None);
        let page = entry(2).await;
        assert_eq!(page.entry.cause_kind, "move");
        let decision = page.decision.unwrap();
        assert_eq!(
            (
                decision.action.as_str(),
                decision.case_id,
                decision.comment.as_str()
            ),
            ("write_off", case, "looked into it")
        );
        let people = [&analyst, &approver].map(|p| p.person().unwrap().1.to_owned());
        assert_eq!([decision.decided_by, decision.approved_by], people);
        shop.expect_verified().await;
    });
}

#[test]
fn a_case_that_was_set_aside_is_opened_again_before_its_time() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, _) = shop.people().await;
        five_short(&shop).await;
        let case = shop.only_case().await;
        let none = DecisionParams::default;
        let early = shop
            .decide(&analyst, &case, "d-reopen-0", Action::Reopen, none())
            .await;
        assert!(matches!(early, Err(Error::Conflict(_))), "{early:?}");
        let until = DecisionParams {
            until: Some(shop.engine.now().plus_seconds(3 * 86_400)),
            ..none()
        };
        shop.decide(&analyst, &case, "d-snooze-1", Action::Snooze, until)
            .await
            .unwrap();
        assert_eq!(shop.state(&case).await, "WAITING");
        let filter = domain::view::queue::QueueFilter::default();
        let page = engine::views::case(&shop.engine, &analyst, &case, &filter)
            .await
            .unwrap()
            .unwrap();
        let offered = page.actions.iter().find(|a| a.action == "reopen").unwrap();
        assert_eq!(offered.refused, "");

        let woken = shop
            .decide(&analyst, &case, "d-reopen-1", Action::Reopen, none())
            .await
            .unwrap();
        assert_eq!(woken.case_state, "OPEN");
        let page = engine::views::case(&shop.engine, &analyst, &case, &filter)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(page.wake_on, None);
        assert!(page.actions.iter().all(|a| a.action != "reopen"));
        shop.expect_verified().await;
    });
}

/// Two rows of 600.00 that name nobody, and a payment of 1,200.00.
async fn two_halves(shop: &Shop) -> (String, String) {
    let payment = PAYMENTS.replace("i1,order-1,charge,100.00", "i1,order-1,charge,1200.00");
    shop.import_payments(&payment).await;
    let half = |row: &str| {
        format!(
            "{row},payment,,,600.00,0.00,600.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n"
        )
    };
    let file = format!("{HEADER}{}{}", half("r1"), half("r2"));
    shop.import_settlement("halves.csv", &file).await;
    shop.expect_open_cases(&["unexpected_settlement"; 2]).await;
    let mut cases = shop.open_cases_by_id().await.into_keys();
    (cases.next().unwrap(), cases.next().unwrap())
}

/// 600.00 of a line are of the payment.
fn half_of_it() -> DecisionParams {
    DecisionParams {
        shares: vec![domain::matching::Share {
            intent: String::new(),
            attempt: "a1".to_owned(),
            amount: 60_000,
        }],
        ..DecisionParams::default()
    }
}

// One person decides up to 1,000.00: 600.00 and 600.00 of the same payment are 1,200.00.
#[test]
fn what_one_person_decides_alone_about_a_payment_is_added_up_and_another_persons_is_not() {
    for (other_person, expected) in [(false, "AWAITING"), (true, "APPLIED")] {
        both(async |store| {
            let shop = Shop::open(store).await;
            let (ana, ben, _) = shop.people().await;
            let (first, second) = two_halves(&shop).await;
            let halves = half_of_it;
            let one = shop
                .decide(&ana, &first, "d-half-001", Action::ConfirmMatch, halves())
                .await
                .unwrap();
            assert_eq!(one.state, "APPLIED");
            let who = if other_person { &ben } else { &ana };
            let two = shop
                .decide(who, &second, "d-half-002", Action::ConfirmMatch, halves())
                .await
                .unwrap();
            assert_eq!(two.state, expected);
            shop.expect_verified().await;
        });
    }
}

// The first half was taken back: what stands of one person's word are the other 600.00.
#[test]
fn what_was_reversed_is_not_added_up() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (ana, ..) = shop.people().await;
        let (first, second) = two_halves(&shop).await;
        shop.decide(
            &ana,
            &first,
            "d-half-001",
            Action::ConfirmMatch,
            half_of_it(),
        )
        .await
        .unwrap();
        let undo = DecisionParams {
            decision: Some("d-half-001".to_owned()),
            ..DecisionParams::default()
        };
        shop.decide(&ana, &first, "d-undo-0001", Action::ReverseDecision, undo)
            .await
            .unwrap();
        let two = shop
            .decide(
                &ana,
                &second,
                "d-half-002",
                Action::ConfirmMatch,
                half_of_it(),
            )
            .await
            .unwrap();
        assert_eq!(two.state, "APPLIED");
        shop.expect_verified().await;
    });
}

// Two lines of 700.00 of a payment of 1,500.00: 100.00 are at risk, and 1,400.00 leave suspense.
#[test]
fn all_lines_that_a_decision_moves_are_added_up() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (ana, ..) = shop.people().await;
        let payment = PAYMENTS.replace("i1,order-1,charge,100.00", "i1,order-1,charge,1500.00");
        shop.import_payments(&payment).await;
        let line = |row: &str| {
            format!(
                "{row},payment,pi_1,order-1,700.00,0.00,700.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n"
            )
        };
        let file = format!("{HEADER}{}{}", line("r1"), line("r2"));
        shop.import_settlement("parts.csv", &file).await;
        shop.expect_open_cases(&["amount_mismatch"]).await;
        let case = shop.only_case().await;
        let nothing = DecisionParams::default();
        let decided = shop
            .decide(&ana, &case, "d-parts-001", Action::AcceptVariance, nothing)
            .await
            .unwrap();
        assert_eq!(decided.state, "AWAITING");
        shop.expect_verified().await;
    });
}

/// Ends what a person may do.
async fn shut_out(shop: &Shop, actor: &domain::actor::Actor, out: bool, whole: bool) {
    use domain::actor::{Actor, Role};
    let (user, _) = actor.person().unwrap();
    let (engine, operator) = (&shop.engine, Actor::Operator);
    if whole {
        engine::users::set_disabled(engine, &operator, user, out)
            .await
            .unwrap();
    } else {
        let role = if out { Role::Auditor } else { Role::Analyst };
        engine::users::change_roles(engine, &operator, user, &[role].into())
            .await
            .unwrap();
    }
}

// Ana's write-off waits; then she is shut out, or no longer decides. Her word is not put in force on the
// quiet: it waits until she may decide again, or it is refused.
#[test]
fn the_word_of_somebody_who_may_no_longer_decide_is_not_put_in_force() {
    for whole in [true, false] {
        both(async |store| {
            let shop = Shop::open(store).await;
            let (ana, _, cleo) = shop.people().await;
            five_short(&shop).await;
            let case = shop.only_case().await;
            let nothing = DecisionParams::default;
            shop.decide(&ana, &case, "d-write-off-1", Action::WriteOff, nothing())
                .await
                .unwrap();
            shut_out(&shop, &ana, true, whole).await;
            let refused = shop.approve(&cleo, "d-write-off-1").await.unwrap_err();
            assert!(matches!(refused, Error::Refused(_)), "{refused}");
            assert!(
                refused
                    .to_string()
                    .starts_with("ana@example.com may no longer decide"),
                "{refused}"
            );
            let suspense = [("provider_clearing", 9_500), ("suspense", -9_500)];
            shop.expect_balances(&suspense).await;
            assert_eq!(shop.state(&case).await, "AWAITING_APPROVAL");

            let engine = &shop.engine;
            let no = engine::decide::answer_decision(
                engine,
                &cleo,
                "d-write-off-1",
                false,
                "she is no longer with us",
            )
            .await
            .unwrap();
            assert_eq!(
                (no.state.as_str(), no.case_state.as_str()),
                ("REFUSED", "OPEN")
            );
            shop.expect_balances(&suspense).await;

            shut_out(&shop, &ana, false, whole).await;
            shop.decide(&ana, &case, "d-write-off-2", Action::WriteOff, nothing())
                .await
                .unwrap();
            shut_out(&shop, &ana, true, whole).await;
            assert!(shop.approve(&cleo, "d-write-off-2").await.is_err());
            shut_out(&shop, &ana, false, whole).await;
            let done = shop.approve(&cleo, "d-write-off-2").await.unwrap();
            assert_eq!(done.state, "APPLIED");
            shop.expect_verified().await;
        });
    }
}
