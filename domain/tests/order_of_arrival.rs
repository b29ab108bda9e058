//! The same facts in any order and in any portions give the same end state.
//!
//! A small engine stands in for the real one: it keeps everything that arrived, and at each step
//! judges again only what the step touches, as far as keys reach, then replaces what stood.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod worlds;

use domain::{
    cases::CaseKind,
    line::{RowKind, Verdict},
    matching::{
        IntentFacts, Judgement, LearnedFrom, LineFacts, LineJudgement, ProviderId, ResidualWorld,
        Ruling, Share, ShortcutCandidate, World, judge, judge_residual, keys::normalise, shortcut,
        shortcut::ShortcutLine,
    },
    money::Money,
    payment::{Direction, Outcome},
    posting::{Disposition, LedgerAccount, Posting, line_postings, move_postings},
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use worlds::*;

#[derive(Debug, Clone)]
enum Arrival {
    Intent(IntentFacts),
    Line(LineFacts),
}

#[derive(Default)]
struct MiniEngine {
    intents: BTreeMap<i64, IntentFacts>,
    lines: BTreeMap<i64, LineFacts>,
    stands: BTreeMap<i64, LineJudgement>,
    outcomes: BTreeMap<i64, Outcome>,
    matched: BTreeMap<(i64, &'static str), (i64, i64)>,
    cases: BTreeMap<(String, String), (Option<i64>, Option<i64>)>,
    shown: BTreeMap<(String, String), String>,
    balances: BTreeMap<(&'static str, String), i128>,
}

fn keys_of_intent(intent: &IntentFacts) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    let mut sent = vec![&intent.merchant_reference, &intent.public_id];
    for attempt in &intent.attempts {
        sent.push(&attempt.idempotency_key);
        for id in &attempt.ids {
            keys.insert(format!("{}:i:{}", attempt.account, id.id));
        }
    }
    keys.extend(sent.iter().map(|s| format!("r:{}", normalise(s))));
    keys
}

fn keys_of_line(line: &LineFacts) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for share in line.rulings.shares().unwrap_or_default() {
        keys.insert(format!("r:{}", share.intent));
    }
    for id in [&line.provider_payment_id, &line.modification_id] {
        if !id.is_empty() {
            keys.insert(format!("{}:i:{id}", line.account));
        }
    }
    let reference = normalise(&line.merchant_reference);
    if !reference.is_empty() {
        keys.insert(format!("r:{reference}"));
    }
    keys
}

impl MiniEngine {
    fn take(&mut self, arrivals: &[Arrival]) {
        let mut keys = BTreeSet::new();
        let mut touched_lines = BTreeSet::new();
        let mut touched_intents = BTreeSet::new();
        for arrival in arrivals {
            match arrival {
                Arrival::Intent(intent) => {
                    keys.extend(keys_of_intent(intent));
                    touched_intents.insert(intent.key);
                    self.intents.insert(intent.key, intent.clone());
                }
                Arrival::Line(line) => {
                    keys.extend(keys_of_line(line));
                    touched_lines.insert(line.key);
                    self.lines.insert(line.key, line.clone());
                }
            }
        }
        self.close(&mut keys, &mut touched_lines, &mut touched_intents);
        let world = World {
            intents: self.pick_intents(&touched_intents),
            lines: self.pick_lines(&touched_lines),
            ..World::default()
        };
        let judgement = judge(&accounts(), &world).unwrap();
        for key in &judgement.nameless {
            self.forget(*key);
        }
        let nameless: BTreeSet<i64> = judgement.nameless.iter().copied().collect();
        self.close_cases(&touched_lines, &touched_intents);
        self.matched
            .retain(|(intent, _), _| !touched_intents.contains(intent));
        self.apply(judgement);
        self.residual(&nameless);
    }

    /// Everything that keys reach from what arrived.
    fn close(
        &self,
        keys: &mut BTreeSet<String>,
        lines: &mut BTreeSet<i64>,
        intents: &mut BTreeSet<i64>,
    ) {
        loop {
            let before = (keys.len(), lines.len(), intents.len());
            for (key, line) in &self.lines {
                if !keys_of_line(line).is_disjoint(keys) {
                    lines.insert(*key);
                    keys.extend(keys_of_line(line));
                }
            }
            for (key, intent) in &self.intents {
                if !keys_of_intent(intent).is_disjoint(keys) {
                    intents.insert(*key);
                    keys.extend(keys_of_intent(intent));
                }
            }
            if before == (keys.len(), lines.len(), intents.len()) {
                return;
            }
        }
    }

    fn pick_intents(&self, keys: &BTreeSet<i64>) -> Vec<IntentFacts> {
        keys.iter().map(|k| self.intents[k].clone()).collect()
    }

    fn pick_lines(&self, keys: &BTreeSet<i64>) -> Vec<LineFacts> {
        keys.iter().map(|k| self.lines[k].clone()).collect()
    }

    /// The residual stage over all buckets: small worlds have few lines, so all of it each time.
    fn residual(&mut self, _new: &BTreeSet<i64>) {
        let tied: BTreeSet<i64> = self
            .stands
            .values()
            .filter(|l| l.rule != domain::line::Rule::Composite)
            .filter_map(|l| l.intent)
            .collect();
        let nameless: BTreeSet<i64> = self
            .lines
            .keys()
            .copied()
            .filter(|key| {
                self.stands.get(key).is_none_or(|l| {
                    matches!(
                        l.rule,
                        domain::line::Rule::Composite | domain::line::Rule::None
                    )
                })
            })
            .collect();
        let beside: BTreeSet<i64> = self
            .stands
            .values()
            .filter(|l| l.verdict == Verdict::Conflict && !nameless.contains(&l.line))
            .map(|l| l.line)
            .collect();
        let settled = self
            .stands
            .values()
            .filter(|l| matches!(l.verdict, Verdict::Matched | Verdict::Accounted))
            .map(|l| &self.lines[&l.line])
            .filter(|l| matches!(l.kind, RowKind::Payment | RowKind::Disbursement))
            .map(|l| (l.account, l.provider_payment_id.clone()))
            .collect();
        let world = ResidualWorld {
            lines: self.pick_lines(&nameless),
            beside: self.pick_lines(&beside),
            settled,
            intents: self
                .intents
                .values()
                .filter(|i| !tied.contains(&i.key))
                .cloned()
                .collect(),
        };
        self.close_cases(&nameless, &BTreeSet::new());
        self.apply(judge_residual(&accounts(), &world).unwrap());
    }

    fn forget(&mut self, key: i64) {
        if let Some(stood) = self.stands.remove(&key) {
            let line = &self.lines[&key];
            let first = line_postings(&line.figures(), &stood.disposition).unwrap();
            self.post(&first, -1);
        }
    }

    fn apply(&mut self, judgement: Judgement) {
        for judged in judgement.lines {
            let line = self.lines[&judged.line].clone();
            let postings = match self.stands.get(&judged.line) {
                Some(stood) => move_postings(&stood.disposition, &judged.disposition).unwrap(),
                None => line_postings(&line.figures(), &judged.disposition).unwrap(),
            };
            balanced(&postings);
            self.post(&postings, 1);
            self.stands.insert(judged.line, judged);
        }
        for attempt in judgement.attempts {
            self.outcomes.insert(attempt.attempt, attempt.outcome);
        }
        for open in judgement.open {
            assert!(open.matched <= open.allowed, "{open:?}");
            self.matched.insert(
                (open.intent, open.movement.code()),
                (open.allowed, open.matched),
            );
        }
        for case in judgement.cases {
            let mut facts = case.facts.clone();
            for line in &mut facts.lines {
                // Of equal duplicates the first to arrive holds the match.
                line.matched = false;
            }
            if case.kind == CaseKind::DuplicateSettlement {
                facts.attempt.clear();
            }
            self.shown.insert(
                (case.kind.to_string(), case.subject.clone()),
                serde_json::to_string(&facts).unwrap(),
            );
            let old = self.cases.insert(
                (case.kind.to_string(), case.subject.clone()),
                (case.line, case.intent),
            );
            assert_eq!(old, None, "{} {} wanted twice", case.kind, case.subject);
        }
    }

    fn close_cases(&mut self, lines: &BTreeSet<i64>, intents: &BTreeSet<i64>) {
        self.cases.retain(|_, (line, intent)| match line {
            Some(line) => !lines.contains(line),
            None => intent.is_none_or(|i| !intents.contains(&i)),
        });
    }

    fn post(&mut self, postings: &[Posting], sign: i128) {
        for posting in postings {
            *self
                .balances
                .entry((posting.account.code(), posting.currency.to_string()))
                .or_default() += sign * i128::from(posting.amount);
        }
        self.balances.retain(|_, amount| *amount != 0);
    }

    /// The end state without names of lines, so that of equal duplicates either may hold a match.
    fn end(&self) -> impl PartialEq + std::fmt::Debug + use<> {
        let mut lines: Vec<_> = self
            .stands
            .values()
            .map(|l| {
                let line = &self.lines[&l.line];
                let group = l.rule == domain::line::Rule::Group;
                (
                    line.kind.code(),
                    line.presented.minor,
                    l.verdict.code(),
                    if group { "group" } else { "one" },
                    l.intent,
                    contra_alone(line, &l.disposition),
                )
            })
            .collect();
        lines.sort();
        (
            lines,
            self.outcomes.clone(),
            self.matched.clone(),
            self.cases
                .keys()
                .map(|key| (key.clone(), self.shown[key].clone()))
                .collect::<Vec<_>>(),
            self.balances.clone(),
        )
    }
}

/// The contra side without what the net is off by: of two duplicates either may hold the match, and each
/// keeps its own difference.
fn contra_alone(line: &LineFacts, disposition: &Disposition) -> Vec<Posting> {
    let mut opposite = line.clone();
    let off_by = line.net + line.fee - line.gross;
    opposite.net -= 2 * off_by;
    opposite.standing_on(disposition.clone()).unwrap().parts
}

#[track_caller]
fn balanced(postings: &[Posting]) {
    let mut sums: BTreeMap<String, i128> = BTreeMap::new();
    for posting in postings {
        assert_ne!(posting.amount, 0);
        *sums.entry(posting.currency.to_string()).or_default() += i128::from(posting.amount);
    }
    assert!(sums.values().all(|s| *s == 0), "{postings:?}");
}

fn run(arrivals: &[Arrival], portions: &[usize]) -> MiniEngine {
    let mut engine = MiniEngine::default();
    let mut rest = arrivals;
    for portion in portions {
        let (now, later) = rest.split_at((*portion).min(rest.len()));
        engine.take(now);
        rest = later;
    }
    engine.take(rest);
    engine
}

/// Lines get their keys as they arrive.
fn numbered(arrivals: &[Arrival]) -> Vec<Arrival> {
    let mut next = 0;
    arrivals
        .iter()
        .cloned()
        .map(|arrival| match arrival {
            Arrival::Line(mut line) => {
                next += 1;
                line.key = next;
                Arrival::Line(line)
            }
            intent @ Arrival::Intent(_) => intent,
        })
        .collect()
}

fn an_intent(key: i64) -> impl Strategy<Value = IntentFacts> {
    let outcome = prop_oneof![
        Just(Outcome::Succeeded),
        Just(Outcome::Unknown),
        Just(Outcome::Rejected)
    ];
    let attempt_of = (outcome, 0..6_usize, 1..3_i64);
    (
        prop_oneof![4 => Just("charge"), 1 => Just("refund"), 1 => Just("payout")],
        prop_oneof![Just(100_i64), Just(60), Just(40)],
        0..4_i64,
        prop::collection::vec(attempt_of, 0..3),
        0..3_i64,
    )
        .prop_map(move |(operation, amount, reference, attempts, day)| {
            let mut intent = intent(key, operation, amount);
            intent.merchant_reference = format!("order-{reference}");
            intent.created_at = at(NOON).plus_seconds(day * 86_400 - 86_400);
            intent.attempts = (1..)
                .zip(attempts)
                .map(|(number, (outcome, id, account))| {
                    let id = if id < 4 {
                        format!("pi-{id}")
                    } else {
                        String::new()
                    };
                    let mut attempt = attempt(key, number, outcome, &id);
                    attempt.account = account;
                    attempt
                })
                .collect();
            intent
        })
}

fn a_line(name: i64) -> impl Strategy<Value = LineFacts> {
    let kind = prop_oneof![
        8 => Just(RowKind::Payment),
        3 => Just(RowKind::Refund),
        2 => Just(RowKind::Chargeback),
        1 => Just(RowKind::ChargebackReversal),
        1 => Just(RowKind::RefundReversal),
        1 => Just(RowKind::PaymentReversal),
        1 => Just(RowKind::Disbursement),
        1 => Just(RowKind::Fee),
        1 => Just(RowKind::Unrecognised),
    ];
    (
        kind,
        prop_oneof![6 => Just(100_i64), 3 => Just(60), 3 => Just(40), 1 => Just(-40)],
        0..6_usize,
        0..6_i64,
        0..3_usize,
        prop_oneof![4 => Just(1_i64), 1 => Just(2)],
        prop::bool::weighted(0.1),
        prop_oneof![9 => Just(0_i64), 1 => Just(1), 1 => Just(-2)],
    )
        .prop_map(
            move |(kind, amount, id, reference, modification, account, dollars, off_by)| {
                let outward = matches!(
                    kind,
                    RowKind::Refund
                        | RowKind::Chargeback
                        | RowKind::PaymentReversal
                        | RowKind::Disbursement
                );
                let mut line = line(name, kind, if outward { -amount } else { amount });
                line.account = account;
                line.net += off_by;
                if id < 4 {
                    line.provider_payment_id = format!("pi-{id}");
                }
                if reference < 4 {
                    line.merchant_reference = format!("order-{reference}");
                }
                if modification > 0 {
                    line.modification_id = format!("mod-{modification}");
                }
                if dollars {
                    line.presented = Money::new(line.gross, "USD".parse().unwrap());
                }
                line
            },
        )
}

/// What people may have decided about a line, sensible or not.
fn a_ruling() -> impl Strategy<Value = Option<Ruling>> {
    let share = (
        1..5_i64,
        1..3_i64,
        prop_oneof![Just(100_i64), Just(60), Just(150), Just(-40)],
    )
        .prop_map(|(intent, attempt, amount)| Share {
            intent: format!("pay-{intent}"),
            attempt: format!("att-{intent}-{attempt}"),
            amount,
        });
    let shares = prop::collection::vec(share, 1..3).prop_map(|mut shares| {
        shares.dedup_by(|a, b| a.attempt == b.attempt);
        Ruling::MatchTo {
            shares,
            against: BTreeSet::new(),
        }
    });
    prop_oneof![
        4 => Just(None),
        3 => shares.prop_map(Some),
        1 => Just(Some(Ruling::External)),
        1 => Just(Some(Ruling::Correct { to: LedgerAccount::Adjustments })),
        1 => Just(Some(Ruling::AcceptVariance)),
        1 => Just(Some(Ruling::AcceptDifference)),
        1 => (-50..50_i64).prop_map(|difference| Some(Ruling::WriteOff { difference })),
    ]
}

fn ruled_facts() -> impl Strategy<Value = Vec<Arrival>> {
    let rulings = prop::collection::vec((a_ruling(), a_ruling()), 7);
    (facts(), rulings).prop_map(|(mut arrivals, rulings)| {
        let lines = arrivals.iter_mut().filter_map(|a| match a {
            Arrival::Line(line) => Some(line),
            Arrival::Intent(_) => None,
        });
        for (line, (one, other)) in lines.zip(rulings) {
            for ruling in [one, other].into_iter().flatten() {
                line.rulings.set(ruling);
            }
        }
        arrivals
    })
}

fn facts() -> impl Strategy<Value = Vec<Arrival>> {
    let intents: Vec<_> = (1..=4).map(an_intent).collect();
    let lines: Vec<_> = (1..=7).map(a_line).collect();
    (intents, lines, 1..=4_usize, 1..=7_usize).prop_map(|(intents, lines, some, most)| {
        let intents = intents.into_iter().take(some).map(Arrival::Intent);
        intents
            .chain(lines.into_iter().take(most).map(Arrival::Line))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_portions_give_what_everything_at_once_gives(
        arrivals in facts().prop_shuffle(),
        portions in prop::collection::vec(0..4_usize, 0..6),
    ) {
        let arrivals = numbered(&arrivals);
        let at_once = run(&arrivals, &[]);
        let in_portions = run(&arrivals, &portions);
        prop_assert_eq!(&at_once.stands, &in_portions.stands);
        prop_assert_eq!(&at_once.outcomes, &in_portions.outcomes);
        prop_assert_eq!(&at_once.matched, &in_portions.matched);
        prop_assert_eq!(at_once.cases.keys().collect::<Vec<_>>(), in_portions.cases.keys().collect::<Vec<_>>());
        prop_assert_eq!(&at_once.balances, &in_portions.balances);
    }

    #[test]
    fn any_order_gives_the_same_end(
        (one, other) in facts().prop_flat_map(|f| (Just(f.clone()), Just(f).prop_shuffle())),
    ) {
        let one = run(&numbered(&one), &[]);
        let other = run(&numbered(&other), &[]);
        prop_assert_eq!(one.end(), other.end());
    }

    #[test]
    fn every_line_gets_exactly_one_verdict(arrivals in facts()) {
        let engine = run(&numbered(&arrivals), &[]);
        prop_assert_eq!(engine.stands.len(), engine.lines.len());
        for judged in engine.stands.values() {
            let line = &engine.lines[&judged.line];
            let matched = judged.verdict == Verdict::Matched;
            prop_assert_eq!(matched, !judged.shares.is_empty());
            balanced(&line_postings(&line.figures(), &judged.disposition).unwrap());
        }
    }

    #[test]
    fn whatever_people_decided_nothing_is_matched_twice_and_everything_balances(
        arrivals in ruled_facts().prop_shuffle(),
        portions in prop::collection::vec(0..4_usize, 0..6),
    ) {
        let arrivals = numbered(&arrivals);
        let at_once = run(&arrivals, &[]);
        let in_portions = run(&arrivals, &portions);
        prop_assert_eq!(at_once.stands.len(), at_once.lines.len());
        prop_assert_eq!(&at_once.stands, &in_portions.stands);
        prop_assert_eq!(&at_once.balances, &in_portions.balances);
        for judged in at_once.stands.values() {
            let line = &at_once.lines[&judged.line];
            balanced(&line_postings(&line.figures(), &judged.disposition).unwrap());
        }
    }

    #[test]
    fn the_shortcut_says_what_judging_says(
        intent in an_intent(1),
        mut line in a_line(1),
        id in 0..2_usize,
        sent in prop_oneof![Just("order-1"), Just("pay-1"), Just(""), Just("never-sent")],
    ) {
        let mut intent = intent;
        intent.attempts = vec![attempt(1, 1, intent.attempts.first().map_or(Outcome::Unknown, |a| a.reported), "pi-0")];
        intent.attempts[0].ids = vec![ProviderId { id: "pi-0".into(), learned_from: LearnedFrom::Company }];
        line.account = 1;
        // A row whose net is off is never the simple case.
        line.net = line.gross - line.fee;
        line.provider_payment_id = format!("pi-{id}");
        sent.clone_into(&mut line.merchant_reference);
        let held = id == 0;
        let reference = normalise(sent);
        let quick = held.then(|| shortcut(
            &ShortcutLine {
                kind: line.kind,
                merchant_reference: sent,
                presented: line.presented,
            },
            &ShortcutCandidate {
                intent_public_id: &intent.public_id,
                merchant_reference: &intent.merchant_reference,
                idempotency_key: &intent.attempts[0].idempotency_key,
                amount: intent.amount,
                direction: intent.direction,
                is_refund: intent.is_refund(),
                outcome: intent.attempts[0].reported,
                reference_never_sent: !keys_of_intent(&intent).contains(&format!("r:{reference}")),
            },
        )).flatten();
        let full = judged(vec![intent.clone()], vec![line.clone()]);
        if let Some(quick) = quick {
            let judged = line_of(&full, 1).unwrap();
            prop_assert_eq!((judged.verdict.code(), judged.rule.code()), ("MATCHED", "R1"));
            prop_assert_eq!(judged.shares[0].amount, quick.matched);
            prop_assert_eq!(judged.explanation.is_compact(), !quick.note_reference);
            prop_assert_eq!(full.attempts[0].cause_line.is_some(), quick.settles_outcome);
            prop_assert_eq!(full.attempts[0].outcome, Outcome::Succeeded);
            prop_assert!(full.cases.is_empty());
            prop_assert_eq!(
                &judged.disposition,
                &Disposition::by_verdict(&line.figures(), Verdict::Matched).unwrap()
            );
        } else if held && matches!(line.kind, RowKind::Payment) && intent.direction == Direction::In && !intent.is_refund() {
            // What the shortcut leaves is never a plain R1 match without consequences.
            let plain = line_of(&full, 1).is_some_and(|l| l.verdict == Verdict::Matched);
            prop_assert!(!plain || !full.cases.is_empty());
        }
    }
}
