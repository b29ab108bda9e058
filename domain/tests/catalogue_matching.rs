//! What has gone wrong for others in matching, captures, refunds, disputes and duplicates. Ids are
//! those of the fault catalogue; the right outcome is its own.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod worlds;

use domain::{
    cases::CaseKind,
    line::{RowKind as K, Verdict},
    matching::{
        Explanation, ResidualWorld,
        explanation::{Finding, WhyNot},
        judge_residual, sentences,
    },
    money::Money,
    payment::{IntentState, LossPolicy, Outcome as O, intent_state},
};
use std::collections::BTreeSet;
use worlds::*;

fn residual(world: ResidualWorld) -> domain::matching::Judgement {
    judge_residual(&accounts(), &world).unwrap()
}

fn open_charge(key: i64, amount: i64) -> domain::matching::IntentFacts {
    with_attempts(charge(key, amount), vec![attempt(key, 1, O::Unknown, "")])
}

/// MAT1: equal amounts and different references are a suggestion at most.
#[test]
fn an_equal_amount_with_another_reference_is_only_proposed() {
    let j = residual(ResidualWorld {
        lines: vec![payment(1, "", "B", 7_500)],
        beside: vec![],
        settled: BTreeSet::new(),
        intents: vec![open_charge(1, 7_500)],
    });
    assert_eq!(j.lines[0].verdict, Verdict::Proposed);
    assert!(j.lines[0].shares.is_empty());
    assert_eq!(disposition(&j, 1), "suspense -7500");
}

/// MAT5: five equal candidates with nothing to tell them apart are ambiguous, in a stable order.
#[test]
fn five_equal_candidates_are_ambiguous_in_a_stable_order() {
    let mut intents: Vec<_> = (1..=5).map(|k| open_charge(k, 9_900)).collect();
    let mut candidates = Vec::new();
    for _ in 0..2 {
        let j = residual(ResidualWorld {
            lines: vec![payment(1, "", "", 9_900)],
            beside: vec![],
            settled: BTreeSet::new(),
            intents: intents.clone(),
        });
        assert_eq!(j.lines[0].verdict, Verdict::Conflict);
        assert_eq!(j.cases[0].kind, CaseKind::AmbiguousMatch);
        candidates.push(j.cases[0].facts.candidates.clone());
        intents.reverse();
    }
    assert_eq!(candidates[0], candidates[1]);
    let equally = |c: &domain::matching::Candidate| c.why == [WhyNot::EquallyGood];
    assert!(candidates[0].len() == 5 && candidates[0].iter().all(equally));
}

/// PER1, PER3: more than twenty say how many they are, and are not listed.
#[test]
fn more_than_twenty_candidates_are_counted_and_not_listed() {
    for (payments, verdict, listed) in [(20, Verdict::Conflict, 20), (21, Verdict::Unmatched, 0)] {
        let j = residual(ResidualWorld {
            lines: vec![payment(1, "", "", 999)],
            beside: vec![],
            settled: BTreeSet::new(),
            intents: (1..=payments).map(|k| open_charge(k, 999)).collect(),
        });
        assert_eq!(j.lines[0].verdict, verdict);
        let explanation = &j.lines[0].explanation;
        assert_eq!(explanation.candidates.len(), listed);
        assert_eq!(i64::from(explanation.candidates_total), payments);
        assert!(j.cases[0].facts.sentence.contains(&payments.to_string()));
    }
}

/// The payer narrows the choice down where both sides name one, and a payer that differs excludes.
#[test]
fn a_payer_that_agrees_is_taken_before_one_that_is_silent_and_another_never() {
    let payer = |mut intent: domain::matching::IntentFacts, name: &str| {
        name.clone_into(&mut intent.counterparty);
        intent
    };
    let mut line = payment(1, "", "", 100);
    line.counterparty = "Ada  Ltd".into();
    for (payers, verdict) in [
        (["Ada Ltd", ""], Verdict::Proposed),
        (["Ada Ltd", "Ada Ltd"], Verdict::Conflict),
        (["Bob", ""], Verdict::Proposed),
        (["Bob", "Cid"], Verdict::Unmatched),
    ] {
        let intents = (1..)
            .zip(payers)
            .map(|(k, p)| payer(open_charge(k, 100), p));
        let j = residual(ResidualWorld {
            lines: vec![line.clone()],
            beside: vec![],
            settled: BTreeSet::new(),
            intents: intents.collect(),
        });
        assert_eq!(j.lines[0].verdict, verdict, "{payers:?}");
    }
}

/// Window: from settlement delay plus grace before, to one day after. And never an attempt that
/// holds another provider id than the line's.
#[test]
fn a_proposal_keeps_to_the_window_and_to_attempts_without_another_id() {
    for (settled, id, verdict) in [
        ("2026-11-22T12:00:00Z", "", Verdict::Proposed),
        ("2026-11-22T11:59:59Z", "", Verdict::Unmatched),
        // Monday noon, two business days, to the end of Wednesday, a day of grace.
        ("2026-11-27T00:00:00Z", "", Verdict::Proposed),
        ("2026-11-27T00:00:01Z", "", Verdict::Unmatched),
        ("2026-11-23T12:00:00Z", "ch-1", Verdict::Unmatched),
    ] {
        let mut line = payment(1, id, "", 100);
        line.occurred_at = Some(at(settled));
        let holder = with_attempts(charge(1, 100), vec![attempt(1, 1, O::Succeeded, "pi-1")]);
        let j = residual(ResidualWorld {
            lines: vec![line],
            beside: vec![],
            settled: BTreeSet::new(),
            intents: vec![holder],
        });
        assert_eq!(j.lines[0].verdict, verdict, "{settled} {id:?}");
    }
}

/// MAT7, DBL3: one provider payment claimed by two orders is given to neither.
#[test]
fn one_payment_at_the_provider_never_pays_two_orders() {
    let twin = with_attempts(charge(2, 100), vec![attempt(2, 1, O::Succeeded, "pi-1")]);
    let j = judged(
        vec![charge(1, 100), twin],
        vec![payment(1, "pi-1", "", 100)],
    );
    assert_eq!(verdicts(&j, 1), ["CONFLICT R1"]);
    assert!(j.open.iter().all(|o| o.matched == 0));
}

/// MAT10: the tolerance applies to the residual, and within one currency it is zero.
#[test]
fn a_small_shortfall_is_never_taken_for_equal() {
    let j = judged(vec![charge(1, 10_000)], vec![payment(1, "pi-1", "", 9_999)]);
    assert_eq!(verdicts(&j, 1), ["CONFLICT R1"]);
    assert_eq!(j.cases[0].at_risk, Some(Money::new(1, eur())));
    let left: Vec<i64> = j.cases[0].facts.running.iter().map(|s| s.left).collect();
    assert_eq!(left, [10_000, 1]);
}

/// DUP2, DUP3: equal payments of one payer on one day are as many as there are rows.
#[test]
fn equal_payments_of_one_day_are_counted_and_never_collapsed() {
    let j = residual(ResidualWorld {
        lines: (1..=3).map(|k| payment(k, "", "", 500)).collect(),
        beside: vec![],
        settled: BTreeSet::new(),
        intents: vec![],
    });
    assert_eq!((j.lines.len(), j.cases.len()), (3, 3));
}

/// DBL10: a timeout, then the capture row: unknown until the row says succeeded.
#[test]
fn an_unknown_attempt_is_settled_by_the_capture_row() {
    let open = with_attempts(charge(1, 100), vec![attempt(1, 1, O::Unknown, "pi-1")]);
    let before = judged(vec![open.clone()], vec![]);
    assert_eq!(outcome(&before, 11), O::Unknown);
    let after = judged(vec![open], vec![payment(1, "pi-1", "order-1", 100)]);
    assert_eq!(outcome(&after, 11), O::Succeeded);
    assert_eq!(after.attempts[0].cause_line, Some(1));
}

/// DBL11: the payer paid again under a new order: both are real, and a person looks where nothing
/// tells them apart.
#[test]
fn two_orders_of_one_payer_are_both_real() {
    let j = judged(
        vec![charge(1, 630), charge(2, 630)],
        vec![payment(1, "pi-1", "", 630), payment(2, "pi-2", "", 630)],
    );
    assert_eq!(verdicts(&j, 2), ["MATCHED R1", "MATCHED R1"]);
    assert!(j.cases.is_empty());
}

/// CAP8: a refund that failed leaves the payment paid.
#[test]
fn a_failed_refund_leaves_the_payment_succeeded() {
    let mut refund = intent(2, "refund", 30);
    refund.merchant_reference = "order-1".into();
    refund.attempts = vec![attempt(2, 1, O::Rejected, "re-1")];
    let j = judged(
        vec![charge(1, 30), refund],
        vec![payment(1, "pi-1", "", 30)],
    );
    assert_eq!(outcome(&j, 11), O::Succeeded);
    let state = |key| {
        let outcomes: Vec<O> = j
            .attempts
            .iter()
            .filter(|a| a.intent == key)
            .map(|a| a.outcome)
            .collect();
        intent_state(&outcomes, false, LossPolicy::AtMostOnce)
    };
    assert_eq!(
        (state(1), state(2)),
        (IntentState::Succeeded, IntentState::Failed)
    );
}

/// CAP9, CAP11, CAP20: a dispute flips; what is taken is always the net of its moves.
#[test]
fn a_dispute_that_flips_is_counted_net() {
    let moves = [
        (K::Chargeback, -40),
        (K::ChargebackReversal, 40),
        (K::Chargeback, -40),
    ];
    let mut lines = vec![payment(1, "pi-1", "", 40)];
    for (key, ((kind, amount), net)) in (2..).zip(moves.into_iter().zip([40, 0, 40])) {
        lines.push(modified(row(key, kind, "pi-1", "", amount), "dp-1"));
        let j = judged(vec![charge(1, 40)], lines.clone());
        let taken = j.open.iter().find(|o| o.movement.code() == "chargeback");
        assert_eq!(taken.unwrap().matched, net);
        assert!(j.lines.iter().all(|l| l.verdict == Verdict::Matched));
    }
}

/// CAP14, CAP18: more refunded than captured is shown as that.
#[test]
fn a_second_refund_above_the_payment_is_an_over_refund() {
    let j = judged(
        vec![charge(1, 18)],
        vec![
            payment(1, "pi-1", "", 18),
            modified(row(2, K::Refund, "pi-1", "", -18), "re-1"),
            modified(row(3, K::Refund, "pi-1", "", -18), "ret-1"),
        ],
    );
    let over = j
        .cases
        .iter()
        .find(|c| c.kind == CaseKind::DuplicateSettlement)
        .unwrap();
    assert_eq!(over.at_risk, Some(Money::new(18, eur())));
}

/// Explanations survive storage, and every finding has its words.
#[test]
fn every_finding_has_words_and_survives_storage() {
    for finding in Finding::ALL.iter().copied() {
        let mut explanation =
            Explanation::plain(Verdict::Conflict, domain::line::Rule::Reference, 3, finding);
        explanation.candidates_total = 2;
        let text = sentences::explain(&explanation);
        assert!(text.ends_with('.') && text.len() > 20, "{text}");
        let stored = serde_json::to_string(&explanation).unwrap();
        assert_eq!(
            serde_json::from_str::<Explanation>(&stored).unwrap(),
            explanation
        );
    }
}

/// The words of a contradiction name both payments and both keys.
#[test]
fn a_contradiction_is_told_in_words() {
    let j = judged(
        vec![charge(1, 12_850), charge(2, 12_850)],
        vec![payment(1, "pi-1", "order-2", 12_850)],
    );
    assert_eq!(
        j.cases[0].facts.sentence,
        "128.50 EUR came with provider id pi-1, which is that of payment pay-1, and with reference \
         order-2, which we sent for payment pay-2."
    );
}
