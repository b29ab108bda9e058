//! The rules of matching as examples. Each table row was worked out by hand from the rules.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod worlds;

use domain::{
    line::RowKind as K,
    matching::{Ruling, Share, judge, rulings::OutcomeRuling, sentences},
    money::Money,
    payment::Outcome as O,
    posting::LedgerAccount,
};
use worlds::*;

const LINE: &str = "line:00112233445566ff";

#[track_caller]
fn expect(judgement: &domain::matching::Judgement, lines: &[&str], wanted: &[String]) {
    assert_eq!(verdicts(judgement, lines.len()), lines);
    assert_eq!(cases(judgement), wanted, "{:#?}", judgement.cases);
}

fn texts<const N: usize>(items: [&str; N]) -> Vec<String> {
    items.map(str::to_owned).to_vec()
}

#[test]
fn a_provider_id_with_equal_figures_is_a_match_also_with_a_reference_that_we_never_sent() {
    for reference in [
        "order-1",
        "pay-1",
        "key-1-1",
        " order-1 ",
        "",
        "their-own-7",
    ] {
        let j = judged(
            vec![charge(1, 100)],
            vec![payment(1, "pi-1", reference, 100)],
        );
        expect(&j, &["MATCHED R1"], &[]);
        assert_eq!(disposition(&j, 1), "receipts -100");
        assert_eq!(
            line_of(&j, 1).unwrap().explanation.is_compact(),
            reference != "their-own-7"
        );
    }
}

#[test]
fn of_many_lines_that_make_an_amount_together_each_names_twenty_and_says_how_many_there_are() {
    let lines = (1..=25).map(|n| payment(n, "pi-1", "", 4)).collect();
    let j = judged(vec![charge(1, 100)], lines);
    for n in 1..=25 {
        let why = &line_of(&j, n).unwrap().explanation;
        let named: Vec<i64> = why
            .together_with
            .iter()
            .map(|name| i64::try_from(name.line_no).unwrap())
            .collect();
        let first: Vec<i64> = (1..=25).filter(|other| *other != n).take(20).collect();
        assert_eq!((named, why.together_more), (first, 4), "line {n}");
        let told = sentences::explain(why);
        assert!(
            told.starts_with(
                "Matched together with 24 other lines: they make the payment's amount exactly."
            ),
            "{told}"
        );
    }
}

#[test]
fn a_reference_that_too_many_payments_carry_names_and_contradicts_none() {
    let shared = |line| {
        let mut world = world(vec![charge(1, 100)], vec![line]);
        // The 201st payment with it was created at noon.
        world.shared.insert("web".to_owned(), at(NOON));
        judge(&accounts(), &world).unwrap()
    };
    let case = format!("ambiguous_match {LINE}:1");
    for kind in [K::Payment, K::Refund, K::Chargeback] {
        let j = shared(row(1, kind, "", "web", 100));
        expect(&j, &["CONFLICT R2"], std::slice::from_ref(&case));
        assert_eq!(
            j.cases[0].facts.sentence,
            "1.00 EUR came with reference web, and more than 200 payments carry that: it names none of them."
        );
    }
    let j = shared(payment(1, "pi-1", "web", 100));
    expect(&j, &["MATCHED R1"], &[]);
    // More than a day before that noon it was of few.
    let mut early = payment(1, "", "web", 100);
    early.occurred_at = Some(at(NOON).plus_seconds(-86_401));
    assert_eq!(shared(early).nameless, [1]);
}

#[test]
fn a_reference_of_one_payment_is_a_match_and_teaches_the_provider_id() {
    let open = || with_attempts(charge(1, 100), vec![attempt(1, 1, O::Unknown, "")]);
    let j = judged(
        vec![open()],
        vec![
            payment(1, "ch-9", "order-1", 100),
            row(2, K::Chargeback, "ch-9", "", -100),
        ],
    );
    expect(
        &j,
        &["MATCHED R2", "MATCHED R1"],
        &texts(["chargeback attempt:att-1-1"]),
    );
    assert_eq!(outcome(&j, 11), O::Succeeded);
    assert_eq!(j.learned.len(), 1);
    assert_eq!((j.learned[0].id.as_str(), j.learned[0].line), ("ch-9", 1));
}

#[test]
fn a_reference_of_two_payments_is_nobody_s_even_where_one_amount_fits() {
    let mut second = charge(2, 70);
    second.merchant_reference = "order-1".into();
    let j = judged(
        vec![charge(1, 100), second],
        vec![payment(1, "", "order-1", 100)],
    );
    expect(&j, &["CONFLICT R2"], &[format!("ambiguous_match {LINE}:1")]);
    let facts = &j.cases[0].facts;
    assert_eq!(facts.candidates_total, 2);
    assert_eq!(disposition(&j, 1), "suspense -100");
}

#[test]
fn an_intent_created_more_than_a_day_after_the_line_is_not_its_cause() {
    for (created, verdict) in [
        ("2026-11-24T12:00:00Z", "CONFLICT R2"),
        ("2026-11-24T12:00:01Z", "MATCHED R2"),
    ] {
        let mut later = charge(2, 100);
        later.merchant_reference = "order-1".into();
        later.created_at = at(created);
        let j = judged(
            vec![charge(1, 100), later],
            vec![payment(1, "", "order-1", 100)],
        );
        assert_eq!(verdicts(&j, 1), [verdict], "{created}");
    }
}

#[test]
fn an_id_and_a_reference_of_different_payments_contradict() {
    let j = judged(
        vec![charge(1, 100), charge(2, 100)],
        vec![payment(1, "pi-1", "order-2", 100)],
    );
    expect(&j, &["CONFLICT R1"], &[format!("contradiction {LINE}:1")]);
    let sentence = &j.cases[0].facts.sentence;
    assert!(
        sentence.contains("pay-1") && sentence.contains("pay-2"),
        "{sentence}"
    );
}

#[test]
fn a_reference_whose_payment_has_another_id_contradicts() {
    let j = judged(
        vec![charge(1, 100)],
        vec![payment(1, "pi-8", "order-1", 100)],
    );
    expect(&j, &["CONFLICT R2"], &[format!("contradiction {LINE}:1")]);
}

#[test]
fn an_id_learned_from_a_line_contradicts_nothing() {
    let open = with_attempts(charge(1, 100), vec![attempt(1, 1, O::Succeeded, "")]);
    let j = judged(
        vec![open],
        vec![
            payment(1, "cap-1", "order-1", 60),
            payment(2, "cap-2", "order-1", 40),
        ],
    );
    expect(&j, &["MATCHED R3", "MATCHED R3"], &[]);
    assert_eq!(j.learned.len(), 2);
}

#[test]
fn within_a_payment_it_is_the_attempt_with_the_id_else_the_only_one_not_rejected() {
    let attempts = |first, second| {
        with_attempts(
            charge(1, 100),
            vec![attempt(1, 1, first, ""), attempt(1, 2, second, "")],
        )
    };
    let by_reference = || vec![payment(1, "", "order-1", 100)];
    let j = judged(vec![attempts(O::Rejected, O::Unknown)], by_reference());
    assert_eq!(line_of(&j, 1).unwrap().attempt, Some(12));
    let j = judged(vec![attempts(O::Unknown, O::Unknown)], by_reference());
    expect(&j, &["CONFLICT R2"], &[format!("ambiguous_match {LINE}:1")]);
    let with_id = with_attempts(
        charge(1, 100),
        vec![
            attempt(1, 1, O::Unknown, "pi-a"),
            attempt(1, 2, O::Rejected, "pi-b"),
        ],
    );
    let j = judged(vec![with_id], vec![payment(1, "pi-b", "order-1", 100)]);
    assert_eq!(line_of(&j, 1).unwrap().attempt, Some(12));
}

#[test]
fn one_provider_id_on_two_payments_is_the_reference_s_or_nobody_s() {
    let twin = || with_attempts(charge(2, 100), vec![attempt(2, 1, O::Succeeded, "pi-1")]);
    let j = judged(
        vec![charge(1, 100), twin()],
        vec![payment(1, "pi-1", "order-2", 100)],
    );
    assert_eq!(line_of(&j, 1).unwrap().intent, Some(2));
    let j = judged(
        vec![charge(1, 100), twin()],
        vec![payment(1, "pi-1", "", 100)],
    );
    expect(&j, &["CONFLICT R1"], &[format!("ambiguous_match {LINE}:1")]);
}

#[test]
fn other_figures_are_a_mismatch_that_further_lines_can_heal() {
    let partial = || payment(1, "pi-1", "", 60);
    let j = judged(vec![charge(1, 100)], vec![partial()]);
    expect(
        &j,
        &["CONFLICT R1"],
        &texts(["amount_mismatch intent:pay-1"]),
    );
    assert_eq!(j.cases[0].at_risk, Some(Money::new(40, eur())));
    let j = judged(
        vec![charge(1, 100)],
        vec![partial(), payment(2, "pi-1", "", 40)],
    );
    expect(&j, &["MATCHED R3", "MATCHED R3"], &[]);
    // A partial-capture reversal is a payment row of negative gross.
    let j = judged(
        vec![charge(1, 100)],
        vec![payment(1, "pi-1", "", 130), payment(2, "pi-1", "", -30)],
    );
    expect(&j, &["MATCHED R3", "MATCHED R3"], &[]);
}

#[test]
fn expected_parts_wait_until_the_rest_is_due() {
    let mut accounts = accounts();
    let account = accounts.get_mut(&1).unwrap();
    account.policy.set("partial_captures", "expected").unwrap();
    let world = world(vec![charge(1, 100)], vec![payment(1, "pi-1", "", 60)]);
    let j = domain::matching::judge(&accounts, &world).unwrap();
    // Monday, two business days to the end of Wednesday, and 24 hours.
    assert_eq!(j.cases[0].not_before, Some(at("2026-11-27T00:00:00Z")));
}

#[test]
fn one_line_too_high_is_a_mismatch_and_another_currency_is_its_own_case() {
    let j = judged(vec![charge(1, 100)], vec![payment(1, "pi-1", "", 103)]);
    expect(
        &j,
        &["CONFLICT R1"],
        &texts(["amount_mismatch intent:pay-1"]),
    );
    let mut dollars = payment(1, "pi-1", "", 100);
    dollars.presented = Money::new(100, "USD".parse().unwrap());
    let j = judged(vec![charge(1, 100)], vec![dollars]);
    expect(
        &j,
        &["CONFLICT R1"],
        &[format!("currency_mismatch {LINE}:1")],
    );
}

#[test]
fn of_two_equal_lines_the_first_to_arrive_keeps_the_match() {
    let j = judged(
        vec![charge(1, 100)],
        vec![payment(1, "pi-1", "", 100), payment(2, "pi-1", "", 100)],
    );
    expect(
        &j,
        &["MATCHED R1", "CONFLICT R1"],
        &texts(["duplicate_settlement intent:pay-1"]),
    );
    assert_eq!(j.open[0].matched, 100);
    assert_eq!(j.cases[0].at_risk, Some(Money::new(100, eur())));
}

#[test]
fn a_double_charge_over_two_providers_is_one_duplicate() {
    let mut second = attempt(1, 2, O::Succeeded, "psp-1");
    second.account = 2;
    let twice = with_attempts(
        charge(1, 100),
        vec![attempt(1, 1, O::Unknown, "pi-1"), second],
    );
    let mut other = payment(2, "psp-1", "", 100);
    other.account = 2;
    let j = judged(vec![twice], vec![payment(1, "pi-1", "", 100), other]);
    expect(
        &j,
        &["MATCHED R1", "CONFLICT R1"],
        &texts(["duplicate_settlement intent:pay-1"]),
    );
    assert_eq!(
        (outcome(&j, 11), outcome(&j, 12)),
        (O::Succeeded, O::Succeeded)
    );
}

#[test]
fn two_attempts_that_claim_success_are_a_duplicate_before_any_money_unless_they_are_one_payment() {
    let claims = |second: &str| {
        with_attempts(
            charge(1, 100),
            vec![
                attempt(1, 1, O::Succeeded, "pi-1"),
                attempt(1, 2, O::Succeeded, second),
            ],
        )
    };
    let j = judged(vec![claims("pi-2")], vec![]);
    assert_eq!(cases(&j), ["duplicate_settlement intent:pay-1"]);
    let j = judged(vec![claims("pi-1")], vec![payment(1, "pi-1", "", 100)]);
    expect(&j, &["MATCHED R1"], &[]);
}

#[test]
fn a_duplicate_given_back_closes_itself_whichever_arrived_first() {
    for (first, second) in [("pi-1", "pi-2"), ("pi-2", "pi-1")] {
        let twice = with_attempts(
            charge(1, 100),
            vec![
                attempt(1, 1, O::Succeeded, "pi-1"),
                attempt(1, 2, O::Succeeded, "pi-2"),
            ],
        );
        let j = judged(
            vec![twice],
            vec![
                payment(1, first, "", 100),
                payment(2, second, "", 100),
                row(3, K::Refund, "pi-2", "", -100),
            ],
        );
        assert_eq!(cases(&j), Vec::<String>::new(), "{first} first");
        assert_eq!(disposition(&j, 3), "suspense 100");
    }
}

#[test]
fn money_for_a_failed_attempt_is_matched_and_a_case_until_somebody_saw_it() {
    for stated in [O::Rejected, O::Absent] {
        let failed = || with_attempts(charge(1, 100), vec![attempt(1, 1, stated, "pi-1")]);
        let lines = || vec![payment(1, "pi-1", "", 100)];
        let j = judged(vec![failed()], lines());
        expect(
            &j,
            &["MATCHED R1"],
            &texts(["settled_after_failure attempt:att-1-1"]),
        );
        assert_eq!(outcome(&j, 11), O::Contested);
        let mut seen = failed();
        seen.attempts[0].rulings.set(Ruling::Outcome(OutcomeRuling {
            outcome: O::Succeeded,
            seen: ["00112233445566ff:1".to_owned()].into(),
        }));
        let j = judged(vec![seen], lines());
        expect(&j, &["MATCHED R1"], &[]);
        assert_eq!(outcome(&j, 11), O::Succeeded);
    }
}

#[test]
fn a_payment_taken_back_is_contested() {
    let j = judged(
        vec![charge(1, 100)],
        vec![
            payment(1, "pi-1", "", 100),
            row(2, K::PaymentReversal, "pi-1", "", -100),
        ],
    );
    expect(
        &j,
        &["MATCHED R1", "MATCHED R1"],
        &texts(["payment_reversed attempt:att-1-1"]),
    );
    assert_eq!(outcome(&j, 11), O::Contested);
    assert_eq!(j.open[0].matched, 0);
    assert_eq!(disposition(&j, 2), "receipts 100");
}

#[test]
fn a_disbursement_is_a_payout_s_and_a_payment_a_charge_s_also_under_one_reference() {
    let mut payout = intent(2, "payout", 100);
    payout.merchant_reference = "order-1".into();
    payout.attempts = vec![attempt(2, 1, O::Succeeded, "")];
    let charge = with_attempts(charge(1, 100), vec![attempt(1, 1, O::Succeeded, "")]);
    let j = judged(
        vec![charge, payout],
        vec![
            row(1, K::Disbursement, "", "order-1", -100),
            payment(2, "", "order-1", 100),
        ],
    );
    expect(&j, &["MATCHED R2", "MATCHED R2"], &[]);
    assert_eq!(line_of(&j, 1).unwrap().intent, Some(2));
    assert_eq!(disposition(&j, 1), "disbursements 100");
}

#[test]
fn a_refund_is_the_asked_one_s_by_id_by_own_key_or_by_reference_and_amount_else_the_payment_s() {
    let asked = |id: &str| {
        let mut refund = intent(2, "refund", 25);
        refund.merchant_reference = "order-1".into();
        refund.attempts = vec![attempt(2, 1, O::Unknown, id)];
        refund
    };
    let sale = payment(1, "pi-1", "order-1", 100);
    for (refund, line, to, case) in [
        // By the refund's own id at the provider.
        (
            asked("re-1"),
            modified(row(2, K::Refund, "pi-1", "", -25), "re-1"),
            2,
            None,
        ),
        // By reference and amount.
        (
            asked(""),
            row(2, K::Refund, "pi-1", "order-1", -25),
            2,
            None,
        ),
        // Another amount under the shared reference: the payment's.
        (
            asked(""),
            row(2, K::Refund, "pi-1", "order-1", -30),
            1,
            Some("unrequested_refund"),
        ),
        // What was sent for the refund alone names it whatever the amount.
        (
            asked(""),
            row(2, K::Refund, "pi-1", "key-2-1", -30),
            2,
            Some("amount_mismatch"),
        ),
        // A refund under another id.
        (
            asked("re-1"),
            modified(row(2, K::Refund, "pi-1", "order-1", -25), "re-2"),
            1,
            Some("unrequested_refund"),
        ),
    ] {
        let shown = format!("{line:?}");
        let j = judged(vec![charge(1, 100), refund], vec![sale.clone(), line]);
        assert_eq!(line_of(&j, 2).unwrap().intent, Some(to), "{shown}");
        let kinds: Vec<&str> = j.cases.iter().map(|c| c.kind.code()).collect();
        assert_eq!(kinds, case.into_iter().collect::<Vec<_>>(), "{shown}");
    }
}

#[test]
fn a_refund_taken_back_follows_its_refund_and_settles_the_case() {
    let j = judged(
        vec![charge(1, 100)],
        vec![
            payment(1, "pi-1", "", 100),
            modified(row(2, K::Refund, "pi-1", "", -25), "re-1"),
            modified(row(3, K::RefundReversal, "", "", 25), "re-1"),
        ],
    );
    expect(&j, &["MATCHED R1", "MATCHED R1", "MATCHED R1"], &[]);
    assert_eq!(disposition(&j, 3), "refunds -25");
}

#[test]
fn more_refunded_than_paid_is_a_conflict() {
    let j = judged(
        vec![charge(1, 20)],
        vec![
            payment(1, "pi-1", "", 20),
            modified(row(2, K::Refund, "pi-1", "", -18), "re-1"),
            modified(row(3, K::Refund, "pi-1", "", -18), "re-2"),
        ],
    );
    assert_eq!(
        cases(&j),
        [
            "duplicate_settlement refunds:pay-1".to_owned(),
            format!("unrequested_refund {LINE}:2")
        ]
    );
    assert_eq!(j.cases[0].at_risk, Some(Money::new(16, eur())));
}

#[test]
fn a_dispute_is_one_case_that_its_reversal_settles_and_that_may_come_again() {
    let dispute = |key, kind, amount| modified(row(key, kind, "pi-1", "", amount), "dp-1");
    let moves = [
        payment(1, "pi-1", "", 40),
        dispute(2, K::Chargeback, -40),
        dispute(3, K::ChargebackReversal, 40),
        dispute(4, K::Chargeback, -40),
    ];
    for (so_far, wanted) in [
        (2, vec!["chargeback dispute:stripe-eu:dp-1"]),
        (3, vec![]),
        (4, vec!["chargeback dispute:stripe-eu:dp-1"]),
    ] {
        let j = judged(vec![charge(1, 40)], moves[..so_far].to_vec());
        assert_eq!(cases(&j), wanted, "{so_far}");
    }
}

#[test]
fn rows_that_are_no_payments_are_accounted_and_unknown_kinds_stay_unmatched() {
    for kind in K::ALL.iter().filter(|k| !k.concerns_payment()) {
        let j = judged(
            vec![charge(1, 100)],
            vec![row(1, *kind, "pi-1", "order-1", 100)],
        );
        let expected = if *kind == K::Unrecognised {
            "UNMATCHED kind"
        } else {
            "ACCOUNTED kind"
        };
        assert_eq!(verdicts(&j, 1), [expected], "{kind}");
    }
}

#[test]
fn a_refund_of_a_payment_that_nobody_knows_names_nobody() {
    let j = judged(
        vec![],
        vec![
            payment(1, "pi-9", "", 100),
            row(2, K::Refund, "pi-9", "", -100),
        ],
    );
    assert_eq!(j.nameless, [1, 2]);
}

#[test]
fn a_person_s_match_stands_and_new_facts_against_it_open_a_case() {
    let to_first = |against: &[&str]| Ruling::MatchTo {
        shares: vec![Share {
            intent: "pay-1".into(),
            attempt: "att-1-1".into(),
            amount: 100,
        }],
        against: against.iter().map(|s| (*s).to_owned()).collect(),
    };
    let intents = || vec![charge(1, 100), charge(2, 100)];
    let line = |ruling| ruled(payment(1, "pi-2", "", 100), ruling);
    let j = judged(intents(), vec![line(to_first(&[]))]);
    expect(
        &j,
        &["MATCHED person"],
        &[format!("contradiction {LINE}:1")],
    );
    let j = judged(intents(), vec![line(to_first(&["pay-2"]))]);
    expect(&j, &["MATCHED person"], &[]);
}

#[test]
fn what_a_person_records_as_external_or_posts_elsewhere_counts_for_no_payment() {
    let twice = |ruling| {
        judged(
            vec![charge(1, 100)],
            vec![
                payment(1, "pi-1", "", 100),
                ruled(payment(2, "pi-1", "", 100), ruling),
            ],
        )
    };
    let j = twice(Ruling::External);
    expect(&j, &["MATCHED R1", "ACCOUNTED person"], &[]);
    assert_eq!(disposition(&j, 2), "receipts -100");
    let j = twice(Ruling::Correct {
        to: LedgerAccount::Adjustments,
    });
    assert_eq!(disposition(&j, 2), "adjustments -100");
}

#[test]
fn a_line_shared_out_by_a_person_settles_several_and_leaves_the_rest_in_suspense() {
    let share = |n: i64, amount| Share {
        intent: format!("pay-{n}"),
        attempt: format!("att-{n}-1"),
        amount,
    };
    let lump = ruled(
        payment(1, "", "", 160),
        Ruling::MatchTo {
            shares: vec![share(1, 50), share(2, 40), share(3, 60)],
            against: std::collections::BTreeSet::new(),
        },
    );
    let j = judged(
        vec![charge(1, 50), charge(2, 40), charge(3, 60)],
        vec![lump],
    );
    expect(&j, &["MATCHED person"], &[]);
    assert_eq!(disposition(&j, 1), "receipts -150, suspense -10");
    assert_eq!(
        j.open.iter().map(|o| o.matched).collect::<Vec<_>>(),
        [50, 40, 60]
    );
}

#[test]
fn an_untried_payment_s_reference_is_no_match() {
    let j = judged(
        vec![with_attempts(charge(1, 100), vec![])],
        vec![payment(1, "", "order-1", 100)],
    );
    expect(&j, &["CONFLICT R2"], &[format!("ambiguous_match {LINE}:1")]);
}

#[test]
fn reports_that_disagree_open_a_case_until_a_person_saw_both() {
    let mut both = charge(1, 100);
    both.attempts[0].contradicting_reports = vec![O::Rejected];
    let j = judged(vec![both.clone()], vec![]);
    assert_eq!(cases(&j), ["contradiction attempt:att-1-1"]);
    assert_eq!(outcome(&j, 11), O::Succeeded);
    both.attempts[0].rulings.set(Ruling::Outcome(OutcomeRuling {
        outcome: O::Succeeded,
        seen: ["report:rejected".to_owned()].into(),
    }));
    let j = judged(vec![both], vec![]);
    assert_eq!(cases(&j), Vec::<String>::new());
}
