//! Small worlds for tests: amounts in euro cents unless said, one provider account, key 1.
#![allow(dead_code)] // each test binary uses its part

use domain::{
    account::{Policy, ProviderAccount, ProviderKind},
    line::RowKind,
    matching::{
        Accounts, AttemptFacts, AttemptRulings, IntentFacts, Judgement, LearnedFrom, LineFacts,
        LineJudgement, LineName, LineRulings, ProviderId, Ruling, World, judge,
    },
    money::{Currency, Money},
    payment::{Direction, LossPolicy, Outcome},
    time::{Instant, Zone},
};

pub const NOON: &str = "2026-11-23T12:00:00Z"; // a Monday

pub fn at(text: &str) -> Instant {
    Instant::parse_rfc3339(text).unwrap()
}

pub fn eur() -> Currency {
    "EUR".parse().unwrap()
}

pub fn accounts() -> Accounts {
    let account = |id: i64, name: &str| ProviderAccount {
        id,
        name: name.to_owned(),
        kind: ProviderKind::Stripe,
        zone: Zone::UTC,
        policy: Policy::default(),
        policy_version: 1,
    };
    Accounts::from([(1, account(1, "stripe-eu")), (2, account(2, "adyen-eu"))])
}

pub fn intent(key: i64, operation: &str, amount: i64) -> IntentFacts {
    IntentFacts {
        key,
        public_id: format!("pay-{key}"),
        merchant_reference: format!("order-{key}"),
        operation: operation.to_owned(),
        amount: Money::new(amount, eur()),
        direction: if operation == "charge" {
            Direction::In
        } else {
            Direction::Out
        },
        counterparty: String::new(),
        created_at: at(NOON),
        loss_policy: LossPolicy::AtMostOnce,
        attempts: vec![attempt(key, 1, Outcome::Succeeded, &format!("pi-{key}"))],
    }
}

pub fn charge(key: i64, amount: i64) -> IntentFacts {
    intent(key, "charge", amount)
}

/// An attempt with an id at the provider, or with none where that is empty.
pub fn attempt(intent: i64, number: i64, reported: Outcome, id: &str) -> AttemptFacts {
    let ids = if id.is_empty() {
        Vec::new()
    } else {
        vec![ProviderId {
            id: id.to_owned(),
            learned_from: LearnedFrom::Company,
        }]
    };
    AttemptFacts {
        key: intent * 10 + number,
        account: 1,
        public_id: format!("att-{intent}-{number}"),
        number,
        reported,
        contradicting_reports: Vec::new(),
        contradicting_ids: Vec::new(),
        idempotency_key: format!("key-{intent}-{number}"),
        ids,
        started_at: at(NOON),
        rulings: AttemptRulings::default(),
    }
}

pub fn with_attempts(mut intent: IntentFacts, attempts: Vec<AttemptFacts>) -> IntentFacts {
    intent.attempts = attempts;
    intent
}

pub fn line(key: i64, kind: RowKind, amount: i64) -> LineFacts {
    LineFacts {
        key,
        account: 1,
        name: LineName {
            file: "00112233445566ff".to_owned(),
            line_no: u64::try_from(key).unwrap(),
        },
        kind,
        provider_payment_id: String::new(),
        modification_id: String::new(),
        merchant_reference: String::new(),
        gross: amount,
        fee: 0,
        net: amount,
        currency: eur(),
        presented: Money::new(amount, eur()),
        occurred_at: Some(at(NOON)),
        settled_at: None,
        counterparty: String::new(),
        rulings: LineRulings::default(),
    }
}

pub fn payment(key: i64, id: &str, reference: &str, amount: i64) -> LineFacts {
    row(key, RowKind::Payment, id, reference, amount)
}

pub fn row(key: i64, kind: RowKind, id: &str, reference: &str, amount: i64) -> LineFacts {
    let mut line = line(key, kind, amount);
    id.clone_into(&mut line.provider_payment_id);
    reference.clone_into(&mut line.merchant_reference);
    line
}

pub fn modified(mut line: LineFacts, id: &str) -> LineFacts {
    id.clone_into(&mut line.modification_id);
    line
}

pub fn ruled(mut line: LineFacts, ruling: Ruling) -> LineFacts {
    line.rulings.set(ruling);
    line
}

pub fn world(intents: Vec<IntentFacts>, lines: Vec<LineFacts>) -> World {
    World {
        intents,
        lines,
        ..World::default()
    }
}

pub fn judged(intents: Vec<IntentFacts>, lines: Vec<LineFacts>) -> Judgement {
    judge(&accounts(), &world(intents, lines)).unwrap()
}

/// `VERDICT RULE` of each line by key, `-` for one that names nobody.
pub fn verdicts(judgement: &Judgement, lines: usize) -> Vec<String> {
    (1..=i64::try_from(lines).unwrap())
        .map(|key| {
            line_of(judgement, key).map_or("-".to_owned(), |l| format!("{} {}", l.verdict, l.rule))
        })
        .collect()
}

pub fn line_of(judgement: &Judgement, key: i64) -> Option<&LineJudgement> {
    judgement.lines.iter().find(|l| l.line == key)
}

/// `kind subject` of each wanted case.
pub fn cases(judgement: &Judgement) -> Vec<String> {
    judgement
        .cases
        .iter()
        .map(|c| format!("{} {}", c.kind, c.subject))
        .collect()
}

/// Outcome by attempt key.
pub fn outcome(judgement: &Judgement, attempt: i64) -> Outcome {
    judgement
        .attempts
        .iter()
        .find(|a| a.attempt == attempt)
        .unwrap()
        .outcome
}

/// `account amount` of a line's disposition.
pub fn disposition(judgement: &Judgement, key: i64) -> String {
    let parts = &line_of(judgement, key).unwrap().disposition.parts;
    parts
        .iter()
        .map(|p| format!("{} {}", p.account, p.amount))
        .collect::<Vec<_>>()
        .join(", ")
}
