//! Decisions from the case that a person sees to what judging makes of them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod worlds;

use domain::{
    account::Policy,
    cases::{
        Action as A, CaseKind as K, CaseMove, DecisionInput, DecisionParams, Effect, Moved,
        ReasonCode, Refusal, Target, WantedCase, allowed, available_today, validate_decision,
    },
    line::RowKind,
    matching::{
        IntentFacts, LineFacts, OpenFigures, ResidualWorld, Ruling, RulingSubject, Share, World,
        judge_residual,
    },
    money::Money,
    payment::Outcome as O,
    posting::LedgerAccount,
    time::{Instant, Zone},
};
use std::collections::BTreeSet;
use worlds::*;

fn now() -> Instant {
    at("2026-12-01T09:00:00Z")
}

/// A case, and a decision about it, with everything else as harmless as can be.
struct Desk<'a> {
    world: &'a World,
    case: &'a WantedCase,
    open: &'a [OpenFigures],
}

impl Desk<'_> {
    fn try_to(
        &self,
        action: A,
        reason: ReasonCode,
        params: &DecisionParams,
    ) -> Result<Effect, Refusal> {
        let targets: Vec<Target<'_>> = self
            .world
            .intents
            .iter()
            .flat_map(|intent| {
                let open = self.open.iter().find(|o| o.intent == intent.key);
                intent.attempts.iter().map(move |attempt| Target {
                    intent,
                    attempt,
                    open: open.map_or(intent.amount.minor, |o| o.allowed - o.matched),
                })
            })
            .collect();
        validate_decision(&DecisionInput {
            kind: self.case.kind,
            subject: &self.case.subject,
            facts: &self.case.facts,
            evidence: "e1",
            at_risk: self.case.at_risk,
            policy: &Policy::default(),
            zone: Zone::UTC,
            action,
            reason,
            comment: "as agreed",
            params,
            targets: &targets,
            waiting_rows: &[],
            alone_before: &Moved::default(),
            reverses_approved: false,
            now: now(),
        })
    }
}

fn apply(world: &mut World, effect: &Effect) {
    for (subject, ruling) in &effect.rulings {
        let subject: RulingSubject = subject.to_string().parse().unwrap();
        let stored = serde_json::to_string(ruling).unwrap();
        let ruling: Ruling = serde_json::from_str(&stored).unwrap();
        match &subject {
            RulingSubject::Line(name)
            | RulingSubject::Figures(name)
            | RulingSubject::Difference(name) => {
                let line = world.lines.iter_mut().find(|l| l.name == *name).unwrap();
                line.rulings.set(ruling);
            }
            RulingSubject::Attempt(id)
            | RulingSubject::Missing(id)
            | RulingSubject::External(id) => {
                let attempts = world.intents.iter_mut().flat_map(|i| &mut i.attempts);
                let attempt = attempts.into_iter().find(|a| a.public_id == *id).unwrap();
                attempt.rulings.set(ruling);
            }
            other => panic!("{other}"),
        }
    }
}

fn all_cases(world: &World) -> (Vec<WantedCase>, Vec<OpenFigures>) {
    let judgement = judged(world.intents.clone(), world.lines.clone());
    let nameless = world
        .lines
        .iter()
        .filter(|l| judgement.nameless.contains(&l.key));
    let tied: Vec<i64> = judgement.lines.iter().filter_map(|l| l.intent).collect();
    let residual = ResidualWorld {
        beside: vec![],
        settled: BTreeSet::new(),
        lines: nameless.cloned().collect(),
        intents: world
            .intents
            .iter()
            .filter(|i| !tied.contains(&i.key))
            .cloned()
            .collect(),
    };
    let mut wanted = judgement.cases;
    wanted.extend(judge_residual(&accounts(), &residual).unwrap().cases);
    (wanted, judgement.open)
}

/// Judges, finds the one case, decides, and judges again: gives the effect and what is left.
#[track_caller]
fn decide(
    intents: Vec<IntentFacts>,
    lines: Vec<LineFacts>,
    kind: K,
    (action, reason): (A, ReasonCode),
    params: DecisionParams,
) -> (Effect, World, Vec<String>) {
    let mut world = world(intents, lines);
    let (wanted, open) = all_cases(&world);
    let case = wanted.iter().find(|c| c.kind == kind).unwrap_or_else(|| {
        panic!("{:?}", wanted.iter().map(|c| c.kind).collect::<Vec<_>>());
    });
    let desk = Desk {
        world: &world,
        case,
        open: &open,
    };
    let effect = desk.try_to(action, reason, &params).unwrap();
    assert!(!effect.preview.is_empty());
    apply(&mut world, &effect);
    let (left, _) = all_cases(&world);
    let left = left
        .iter()
        .map(|c| format!("{} {}", c.kind, c.subject))
        .collect();
    (effect, world, left)
}

fn to(intent: i64, amount: i64) -> Share {
    Share {
        intent: format!("pay-{intent}"),
        attempt: format!("att-{intent}-1"),
        amount,
    }
}

fn shares(shares: Vec<Share>) -> DecisionParams {
    DecisionParams {
        shares,
        ..DecisionParams::default()
    }
}

fn nothing() -> DecisionParams {
    DecisionParams::default()
}

const AGREES: ReasonCode = ReasonCode::EvidenceAgrees;

#[test]
fn a_proposed_match_is_confirmed_with_one_key() {
    let (effect, world, left) = decide(
        vec![charge(1, 100)],
        vec![payment(1, "", "", 100)],
        K::ProposedMatch,
        (A::ConfirmMatch, AGREES),
        nothing(),
    );
    assert_eq!((left.len(), effect.two_people), (0, false));
    let j = judged(world.intents, world.lines);
    assert_eq!(verdicts(&j, 1), ["MATCHED person"]);
}

#[test]
fn of_several_the_chosen_one_is_matched_and_the_rest_stay_open() {
    let (_, world, left) = decide(
        vec![charge(1, 100), charge(2, 100)],
        vec![payment(1, "", "", 100)],
        K::AmbiguousMatch,
        (A::ChooseCandidate, AGREES),
        shares(vec![to(2, 0)]),
    );
    assert_eq!(left, Vec::<String>::new());
    let j = judged(world.intents, world.lines);
    assert_eq!(line_of(&j, 1).unwrap().intent, Some(2));
}

#[test]
fn a_contradiction_decided_for_one_side_is_not_raised_again() {
    let (_, _, left) = decide(
        vec![charge(1, 100), charge(2, 100)],
        vec![payment(1, "pi-1", "order-2", 100)],
        K::Contradiction,
        (A::ChooseCandidate, AGREES),
        shares(vec![to(2, 0)]),
    );
    assert_eq!(left, Vec::<String>::new());
}

#[test]
fn a_match_to_another_amount_leaves_the_difference_as_a_case_that_can_be_written_off() {
    let (effect, world, left) = decide(
        vec![charge(1, 100)],
        vec![payment(1, "", "typo-1", 97)],
        K::UnexpectedSettlement,
        (A::ConfirmMatch, ReasonCode::WrongReference),
        shares(vec![to(1, 0)]),
    );
    assert!(
        effect.preview.iter().any(|p| p.contains("0.03 EUR")),
        "{:?}",
        effect.preview
    );
    assert_eq!(left, ["amount_mismatch intent:pay-1"]);
    let (effect, world, left) = decide(
        world.intents,
        world.lines,
        K::AmountMismatch,
        (A::WriteOff, ReasonCode::SmallDifference),
        nothing(),
    );
    assert!(effect.two_people);
    assert_eq!(left, Vec::<String>::new());
    let j = judged(world.intents, world.lines);
    assert_eq!(disposition(&j, 1), "receipts -100, write_offs 3");
}

#[test]
fn a_lump_is_allocated_and_must_be_allocated_whole() {
    let intents = || vec![charge(1, 50), charge(2, 40)];
    let ambiguous = || {
        let mut line = payment(1, "", "order-1", 90);
        line.merchant_reference = "shared".into();
        let mut intents = intents();
        for intent in &mut intents {
            intent.merchant_reference = "shared".into();
        }
        (intents, vec![line])
    };
    let (intents, lines) = ambiguous();
    let (_, world, left) = decide(
        intents,
        lines,
        K::AmbiguousMatch,
        (A::Allocate, ReasonCode::CollectivePayment),
        shares(vec![to(1, 50), to(2, 40)]),
    );
    assert_eq!(left, Vec::<String>::new());
    let j = judged(world.intents, world.lines);
    assert_eq!(disposition(&j, 1), "receipts -90");
    let (intents, lines) = ambiguous();
    let world = world_of(intents, lines);
    let (wanted, open) = all_cases(&world);
    let desk = Desk {
        world: &world,
        case: &wanted[0],
        open: &open,
    };
    let short = desk.try_to(
        A::Allocate,
        ReasonCode::CollectivePayment,
        &shares(vec![to(1, 50)]),
    );
    assert!(matches!(short, Err(Refusal::NotNow(_))), "{short:?}");
}

#[test]
fn a_line_that_goes_to_one_payment_goes_to_it_whole_or_not_at_all() {
    let line = || payment(1, "", "order-7", 90);
    for (amount, taken) in [(0, true), (90, true), (5, false), (-5, false), (91, false)] {
        let world = world_of(vec![charge(1, 90)], vec![line()]);
        let (wanted, open) = all_cases(&world);
        let desk = Desk {
            world: &world,
            case: &wanted[0],
            open: &open,
        };
        let tried = desk.try_to(
            A::ConfirmMatch,
            ReasonCode::WrongReference,
            &shares(vec![to(1, amount)]),
        );
        assert_eq!(tried.is_ok(), taken, "{amount}: {tried:?}");
    }
}

// An intent that is named alone means the attempt that can have moved the money: the only one that was
// neither rejected nor absent. Which of several it was is not guessed.
#[test]
fn an_intent_named_alone_means_the_one_attempt_that_can_have_moved_the_money() {
    for (outcomes, meant) in [
        (vec![O::Rejected, O::Succeeded], Ok("att-1-2")),
        (vec![O::Absent, O::Unknown, O::Rejected], Ok("att-1-2")),
        (vec![O::Rejected], Ok("att-1-1")),
        (vec![O::Succeeded, O::Unknown], Err("att-1-1 or att-1-2")),
        (vec![O::Rejected, O::Absent], Err("att-1-1 or att-1-2")),
    ] {
        let mut intent = charge(1, 90);
        let attempts = (1..).zip(&outcomes);
        intent.attempts = attempts.map(|(n, o)| attempt(1, n, *o, "")).collect();
        let mut line = payment(1, "", "order-9", 90);
        line.merchant_reference = "order-9".into();
        let world = world_of(vec![intent], vec![line]);
        let (wanted, open) = all_cases(&world);
        let case = wanted.iter().find(|c| c.kind == K::UnexpectedSettlement);
        let desk = Desk {
            world: &world,
            case: case.unwrap_or(&wanted[0]),
            open: &open,
        };
        let named = Share {
            intent: "pay-1".into(),
            attempt: String::new(),
            amount: 90,
        };
        let params = shares(vec![named]);
        let tried = desk.try_to(A::ConfirmMatch, ReasonCode::WrongReference, &params);
        match (tried, meant) {
            (Ok(effect), Ok(meant)) => {
                let Ruling::MatchTo { shares, .. } = &effect.rulings[0].1 else {
                    panic!("{effect:?}")
                };
                assert_eq!(shares[0].attempt, meant, "{outcomes:?}");
            }
            (Err(refusal), Err(which)) => {
                assert!(refusal.to_string().contains(which), "{refusal}");
            }
            (tried, meant) => panic!("{outcomes:?}: {tried:?}, {meant:?}"),
        }
    }
}

#[test]
fn a_share_that_will_not_do_is_named_by_its_place_its_amount_and_its_payment() {
    let mut line = payment(1, "", "order-1", 90);
    line.merchant_reference = "shared".into();
    let mut intents = vec![charge(1, 50), charge(2, 40)];
    for intent in &mut intents {
        intent.merchant_reference = "shared".into();
    }
    let world = world_of(intents, vec![line]);
    let (wanted, open) = all_cases(&world);
    let desk = Desk {
        world: &world,
        case: &wanted[0],
        open: &open,
    };
    let named = |intent: &str, attempt: &str, amount: i64| Share {
        intent: intent.to_owned(),
        attempt: attempt.to_owned(),
        amount,
    };
    for (second, says) in [
        (
            named("", "nonsense", 40),
            "share 2 (0.40 EUR for payment “nonsense”): there is no payment with an attempt whose id is “nonsense”",
        ),
        (
            named("", "", 40),
            "share 2 (0.40 EUR): it names no payment: give its intent or its attempt",
        ),
        (
            to(2, -40),
            "share 2 (-0.40 EUR for payment “pay-2”): pay-2 cannot take this: its share must be an amount above zero",
        ),
        (
            to(1, 40),
            "share 2 (0.40 EUR for payment “pay-1”): pay-1 cannot take this: it is named twice",
        ),
        (
            named("pay-1", "", 40),
            "share 2 (0.40 EUR for payment “pay-1”): pay-1 cannot take this: it is named twice",
        ),
    ] {
        let refused = desk.try_to(
            A::Allocate,
            ReasonCode::CollectivePayment,
            &shares(vec![to(1, 50), second]),
        );
        assert_eq!(refused.unwrap_err().to_string(), says);
    }
}

fn world_of(intents: Vec<IntentFacts>, lines: Vec<LineFacts>) -> World {
    world(intents, lines)
}

#[test]
fn an_unexpected_settlement_is_external_or_belongs_on_another_account() {
    let line = || vec![payment(1, "x", "", 100)];
    let (_, world, left) = decide(
        vec![],
        line(),
        K::UnexpectedSettlement,
        (A::RecordExternal, ReasonCode::NotRegistered),
        nothing(),
    );
    assert_eq!(left, Vec::<String>::new());
    assert_eq!(
        disposition(&judged(vec![], world.lines), 1),
        "receipts -100"
    );
    let params = DecisionParams {
        to: Some(LedgerAccount::Adjustments),
        ..nothing()
    };
    let (effect, world, left) = decide(
        vec![],
        line(),
        K::UnexpectedSettlement,
        (A::CorrectPosting, ReasonCode::WrongAccount),
        params,
    );
    assert!(effect.two_people);
    assert_eq!(left, Vec::<String>::new());
    assert_eq!(
        disposition(&judged(vec![], world.lines), 1),
        "adjustments -100"
    );
}

#[test]
fn an_outcome_confirmed_with_the_evidence_in_view_closes_the_case_and_new_evidence_reopens_it() {
    let failed = with_attempts(charge(1, 100), vec![attempt(1, 1, O::Rejected, "pi-1")]);
    let params = DecisionParams {
        outcome: Some(O::Succeeded),
        ..nothing()
    };
    let (effect, mut world, left) = decide(
        vec![failed],
        vec![payment(1, "pi-1", "", 100)],
        K::SettledAfterFailure,
        (A::ConfirmOutcome, ReasonCode::ProviderConfirmed),
        params,
    );
    assert!(effect.two_people);
    assert_eq!(left, Vec::<String>::new());
    world
        .lines
        .push(row(2, RowKind::PaymentReversal, "pi-1", "", -100));
    let (left, _) = all_cases(&world);
    assert_eq!(left[0].kind, K::PaymentReversed);
}

#[test]
fn a_duplicate_recorded_elsewhere_closes_also_where_only_reports_claim_it() {
    let twice = || {
        with_attempts(
            charge(1, 100),
            vec![
                attempt(1, 1, O::Succeeded, "pi-1"),
                attempt(1, 2, O::Succeeded, "pi-2"),
            ],
        )
    };
    for lines in [
        vec![],
        vec![payment(1, "pi-2", "", 100)],
        vec![payment(1, "pi-1", "", 100), payment(2, "pi-2", "", 100)],
    ] {
        let (_, _, left) = decide(
            vec![twice()],
            lines,
            K::DuplicateSettlement,
            (A::RecordExternal, ReasonCode::DuplicateCharge),
            nothing(),
        );
        assert_eq!(left, Vec::<String>::new());
    }
}

#[test]
fn a_variance_accepted_settles_mismatch_dispute_and_refund() {
    let mut dollars = payment(1, "pi-1", "", 100);
    dollars.presented = Money::new(120, "USD".parse().unwrap());
    let sale = payment(1, "pi-1", "", 100);
    for (lines, kind, reason) in [
        (
            vec![payment(1, "pi-1", "", 97)],
            K::AmountMismatch,
            ReasonCode::SmallDifference,
        ),
        (
            vec![payment(1, "pi-1", "", 103)],
            K::AmountMismatch,
            ReasonCode::SmallDifference,
        ),
        (
            vec![dollars],
            K::CurrencyMismatch,
            ReasonCode::CurrencyConversion,
        ),
        (
            vec![sale.clone(), row(2, RowKind::Chargeback, "pi-1", "", -100)],
            K::Chargeback,
            ReasonCode::DisputeLost,
        ),
        (
            vec![sale, row(2, RowKind::Refund, "pi-1", "", -100)],
            K::UnrequestedRefund,
            ReasonCode::Goodwill,
        ),
    ] {
        let (_, _, left) = decide(
            vec![charge(1, 100)],
            lines,
            kind,
            (A::AcceptVariance, reason),
            nothing(),
        );
        assert_eq!(left, Vec::<String>::new(), "{kind}");
    }
}

/// 120 dollars for a payment of 1 euro: each currency is written off whole. Dollars: suspense was
/// credited 120, which now stands on write-offs. Euros: receipts 1 credit against write-offs.
#[test]
fn another_currency_is_written_off_currency_by_currency_and_never_compared() {
    let usd: domain::money::Currency = "USD".parse().unwrap();
    let mut dollars = payment(1, "pi-1", "", 100);
    dollars.presented = Money::new(12_000, usd);
    let (effect, world, left) = decide(
        vec![charge(1, 100)],
        vec![dollars],
        K::CurrencyMismatch,
        (A::WriteOff, ReasonCode::SmallDifference),
        nothing(),
    );
    assert!(effect.two_people);
    assert_eq!(left, Vec::<String>::new());
    let judgement = judged(world.intents, world.lines);
    let parts: Vec<String> = judgement.lines[0]
        .disposition
        .parts
        .iter()
        .map(|p| format!("{} {} {}", p.account, p.currency, p.amount))
        .collect();
    assert_eq!(
        parts,
        [
            "receipts EUR -100",
            "write_offs EUR 100",
            "write_offs USD -12000"
        ]
    );
    assert_eq!(judgement.open[0].matched, 100);
}

#[test]
fn nothing_outside_the_table_is_ever_allowed() {
    let world = world(vec![charge(1, 100)], vec![payment(1, "pi-1", "", 97)]);
    let (wanted, open) = all_cases(&world);
    for kind in K::ALL {
        let mut case = wanted[0].clone();
        case.kind = *kind;
        let desk = Desk {
            world: &world,
            case: &case,
            open: &open,
        };
        for action in A::ALL {
            let always = domain::cases::always_allowed().contains(action);
            let listed = allowed(*kind).contains(action) || always;
            let reason = ReasonCode::for_action(*action)[0];
            let answer = desk.try_to(*action, reason, &nothing());
            let refused = matches!(answer, Err(Refusal::NotAllowed { .. }));
            let today = available_today(*kind).contains(action) || always;
            assert_eq!(refused, !today, "{kind} {action}");
            assert!(listed || refused, "{kind} {action}");
        }
    }
}

#[test]
fn a_reason_must_fit_and_some_need_a_comment() {
    let world = world(vec![charge(1, 100)], vec![payment(1, "pi-1", "", 97)]);
    let (wanted, open) = all_cases(&world);
    let desk = Desk {
        world: &world,
        case: &wanted[0],
        open: &open,
    };
    let wrong = desk.try_to(A::AcceptVariance, ReasonCode::NoActivity, &nothing());
    assert!(matches!(wrong, Err(Refusal::WrongReason { .. })));
    for action in A::ALL {
        let reasons = ReasonCode::for_action(*action);
        assert_eq!(reasons.last(), Some(&ReasonCode::Other), "{action}");
    }
    let mut input = DecisionInput {
        kind: K::AmountMismatch,
        subject: &wanted[0].subject,
        facts: &wanted[0].facts,
        evidence: "e1",
        at_risk: wanted[0].at_risk,
        policy: &Policy::default(),
        zone: Zone::UTC,
        action: A::AcceptVariance,
        reason: ReasonCode::Other,
        comment: "  ",
        params: &nothing(),
        targets: &[],
        waiting_rows: &[],
        alone_before: &Moved::default(),
        reverses_approved: false,
        now: now(),
    };
    assert!(matches!(
        validate_decision(&input),
        Err(Refusal::CommentMissing { .. })
    ));
    input.comment = "as agreed on the phone";
    assert!(validate_decision(&input).is_ok());
}

#[test]
fn above_the_threshold_every_decision_takes_two_and_below_it_only_some() {
    for (amount, line, two) in [(100_000, 100_000, false), (100_001, 100_001, true)] {
        let (effect, _, _) = decide(
            vec![charge(1, amount)],
            vec![payment(1, "", "", line)],
            K::ProposedMatch,
            (A::ConfirmMatch, AGREES),
            nothing(),
        );
        assert_eq!(effect.two_people, two, "{amount}");
    }
    // Two cents are amiss, but 1,500.00 move.
    let (effect, _, _) = decide(
        vec![charge(1, 150_000)],
        vec![payment(1, "pi-1", "", 149_998)],
        K::AmountMismatch,
        (A::AcceptVariance, ReasonCode::SmallDifference),
        nothing(),
    );
    assert!(effect.two_people);
    // Two lines of 600.00 for a payment of 1,300.00: 100.00 are missing, and 1,200.00 move together.
    let (effect, _, _) = decide(
        vec![charge(1, 130_000)],
        vec![
            payment(1, "pi-1", "", 60_000),
            payment(2, "pi-1", "", 60_000),
        ],
        K::AmountMismatch,
        (A::AcceptVariance, ReasonCode::SmallDifference),
        nothing(),
    );
    assert!(effect.two_people);
}

#[test]
fn a_payment_that_cannot_take_the_line_is_refused_with_the_reason() {
    let mut pounds = charge(2, 100);
    pounds.amount = Money::new(100, "GBP".parse().unwrap());
    let world = world(
        vec![
            charge(1, 100),
            pounds,
            intent(3, "payout", 100),
            charge(4, 100),
        ],
        vec![payment(1, "", "", 55), payment(2, "pi-4", "", 100)],
    );
    let (wanted, open) = all_cases(&world);
    let case = wanted
        .iter()
        .find(|c| c.kind == K::UnexpectedSettlement)
        .unwrap();
    let desk = Desk {
        world: &world,
        case,
        open: &open,
    };
    for (intent, why) in [
        (2, "GBP"),
        (3, "not what it waits for"),
        (4, "nothing of it is open"),
    ] {
        let refused = desk
            .try_to(A::ConfirmMatch, AGREES, &shares(vec![to(intent, 0)]))
            .unwrap_err()
            .to_string();
        assert!(refused.contains(why), "{refused}");
    }
}

#[test]
fn a_case_is_snoozed_into_the_future_and_not_for_ever() {
    let world = world(vec![charge(1, 100)], vec![payment(1, "pi-1", "", 97)]);
    let (wanted, open) = all_cases(&world);
    let desk = Desk {
        world: &world,
        case: &wanted[0],
        open: &open,
    };
    for (until, fine) in [
        ("2026-12-02T09:00:00Z", true),
        ("2026-12-01T09:00:00Z", false),
        ("2027-03-02T09:00:00Z", false),
    ] {
        let params = DecisionParams {
            until: Some(at(until)),
            ..nothing()
        };
        let answer = desk.try_to(A::Snooze, ReasonCode::AwaitingProvider, &params);
        assert_eq!(answer.is_ok(), fine, "{until}");
        if let Ok(effect) = answer {
            assert_eq!(effect.movement, Some(CaseMove::Snooze));
            assert!(effect.rulings.is_empty() && !effect.two_people);
        }
    }
}

#[test]
fn a_day_to_wake_on_begins_in_the_account_s_zone() {
    let world = world(vec![charge(1, 100)], vec![payment(1, "pi-1", "", 97)]);
    let (wanted, _) = all_cases(&world);
    let params = DecisionParams {
        wake_on: Some(domain::time::Day::parse("2026-12-03").unwrap()),
        ..nothing()
    };
    // Winter: Berlin is an hour ahead of UTC, New York five behind.
    for (zone, wakes) in [
        ("UTC", "2026-12-03T00:00:00Z"),
        ("Europe/Berlin", "2026-12-02T23:00:00Z"),
        ("America/New_York", "2026-12-03T05:00:00Z"),
    ] {
        let effect = validate_decision(&DecisionInput {
            kind: K::AmountMismatch,
            subject: &wanted[0].subject,
            facts: &wanted[0].facts,
            evidence: "e1",
            at_risk: wanted[0].at_risk,
            policy: &Policy::default(),
            zone: zone.parse().unwrap(),
            action: A::Snooze,
            reason: ReasonCode::AwaitingProvider,
            comment: "",
            params: &params,
            targets: &[],
            waiting_rows: &[],
            alone_before: &Moved::default(),
            reverses_approved: false,
            now: now(),
        })
        .unwrap();
        assert_eq!(effect.wake_at, Some(at(wakes)), "{zone}");
    }
}

#[test]
fn undoing_a_decision_brings_back_what_stood_before() {
    let before = world(vec![charge(1, 100)], vec![payment(1, "pi-1", "", 97)]);
    let (_, mut after, _) = decide(
        before.intents.clone(),
        before.lines.clone(),
        K::AmountMismatch,
        (A::AcceptVariance, ReasonCode::SmallDifference),
        nothing(),
    );
    after.lines[0].rulings = domain::matching::LineRulings::default();
    assert_eq!(all_cases(&after).0, all_cases(&before).0);
}
