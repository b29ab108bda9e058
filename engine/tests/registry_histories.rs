//! Random histories of claims, reports, payments files, leases that run out and settlement lines, on both
//! databases: whatever happens in whatever order, nothing is tried twice by our permission, nothing that
//! anybody said to have succeeded is tried again, no version goes down, time alone decides nothing, and no
//! report is lost. `TIEOUT_HISTORIES` sets how many.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // as in any test

#[path = "support/shop.rs"]
mod shop;

use domain::{
    actor::{Actor, Scope},
    payment::{IntentState, LossPolicy},
    registry::{NewIntent, ReportText},
    view::registry::{AttemptAnswer, IntentAnswer, ReportAnswer},
};
use engine::{
    Error,
    ingest::{receive_file, work_account},
    registry::{Answered, ClaimRequest, claim_attempt, create_intent, report_outcome, show_intent},
    rematch::drain,
    sweep::sweep,
    testing::both,
};
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRunner},
};
use shop::Shop;
use std::collections::BTreeMap;

const PAYMENTS: &str = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code\n";
const HEADER: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n";

/// One thing that happens.
#[derive(Debug, Clone)]
enum Happens {
    /// A worker claims, at the version that stands or at one before it.
    Claim { late: bool },
    /// A worker reports of the n-th attempt, if there is one.
    Report {
        attempt: usize,
        outcome: &'static str,
        id: Option<u8>,
        late: bool,
    },
    /// The lease runs out.
    LeaseEnds,
    /// A settlement line names the payment.
    Line { id: Option<u8> },
    /// The company's payments file says how the n-th attempt ended, if there is one. A settlement file is
    /// under way, so that nothing is judged again before somebody claims.
    File {
        attempt: usize,
        outcome: &'static str,
    },
}

fn happens() -> impl Strategy<Value = Happens> {
    let outcome = || prop::sample::select(vec!["succeeded", "rejected", "unknown"]);
    prop_oneof![
        3 => any::<bool>().prop_map(|late| Happens::Claim { late }),
        4 => (0..3_usize, outcome(), prop::option::of(0..2_u8), any::<bool>()).prop_map(
            |(attempt, outcome, id, late)| Happens::Report { attempt, outcome, id, late }
        ),
        2 => Just(Happens::LeaseEnds),
        1 => prop::option::of(0..2_u8).prop_map(|id| Happens::Line { id }),
        3 => (0..3_usize, outcome()).prop_map(|(attempt, outcome)| Happens::File { attempt, outcome }),
    ]
}

/// Stories that chance takes long to find, each of a payment of which a repeat is cheap: what a file
/// says stands between an outcome that nobody knows and the next try.
fn known() -> Vec<Vec<Happens>> {
    let claim = || Happens::Claim { late: false };
    let report = |attempt, outcome| Happens::Report {
        attempt,
        outcome,
        id: None,
        late: false,
    };
    let file = |attempt, outcome| Happens::File { attempt, outcome };
    vec![
        vec![claim(), report(0, "unknown"), file(0, "succeeded"), claim()],
        vec![
            claim(),
            Happens::Line { id: None },
            file(0, "unknown"),
            claim(),
        ],
        vec![
            claim(),
            Happens::LeaseEnds,
            claim(),
            report(1, "unknown"),
            report(0, "rejected"),
            file(0, "succeeded"),
            claim(),
        ],
        // A row that brings nothing but its outcome, and a report against it.
        vec![claim(), file(0, "rejected"), report(0, "succeeded")],
    ]
}

fn histories() -> usize {
    std::env::var("TIEOUT_HISTORIES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(12)
}

fn worker() -> Actor {
    Actor::Token {
        token_id: 1,
        name: "worker-1".to_owned(),
        scopes: [Scope::Payments].into(),
        person: None,
    }
}

/// One intent and everything that was reported of it.
struct History<'a> {
    shop: &'a Shop,
    number: usize,
    intent: String,
    policy: LossPolicy,
    told: Vec<(String, ReportText, ReportAnswer)>,
    lines: usize,
    /// Whether a report or a file said of any attempt that it succeeded.
    succeeded: bool,
}

impl History<'_> {
    async fn stands(&self) -> (IntentState, i64, Vec<String>) {
        let shown = show_intent(&self.shop.engine, &worker(), &self.intent).await;
        let shown = shown.unwrap().unwrap();
        let attempts = shown.attempts.into_iter().map(|a| a.attempt_id).collect();
        (shown.state, shown.version, attempts)
    }

    fn id(&self, id: Option<u8>) -> String {
        id.map_or_else(String::new, |id| format!("pi_{}_{id}", self.number))
    }

    async fn play(&mut self, event: &Happens) {
        let (before, version, attempts) = self.stands().await;
        match event {
            Happens::Claim { late } => {
                self.claim(before, version - i64::from(*late), *late, attempts.len())
                    .await;
            }
            Happens::Report {
                attempt,
                outcome,
                id,
                late,
            } => {
                if let Some(attempt) = attempts.get(*attempt) {
                    let text = ReportText {
                        expected_version: version - i64::from(*late),
                        outcome: (*outcome).to_owned(),
                        provider_payment_id: self.id(*id),
                        error_code: String::new(),
                        detail: String::new(),
                    };
                    self.report(attempt, text).await;
                }
            }
            Happens::LeaseEnds => {
                self.shop.clock.advance_seconds(601);
                sweep(&self.shop.engine, self.shop.engine.now())
                    .await
                    .unwrap();
                let (after, ..) = self.stands().await;
                assert!(
                    after == before
                        || (before, after) == (IntentState::Submitting, IntentState::Unknown),
                    "time alone turned {before} into {after}"
                );
            }
            Happens::Line { id } => self.line(*id).await,
            Happens::File { attempt, outcome } => self.file(*attempt, outcome).await,
        }
        if !matches!(event, Happens::File { .. }) {
            // As the server's jobs do: files are posted, and a line that came before its attempt is judged
            // again.
            let account = self.shop.account("shop").await;
            work_account(&self.shop.ingest, account).await.unwrap();
            drain(&self.shop.engine).await.unwrap();
        }
        let (_, now, attempts) = self.stands().await;
        assert!(now >= version, "version {version} became {now}");
        if self.policy == LossPolicy::AtMostOnce {
            assert!(attempts.len() <= 1, "tried twice without a permit");
        }
    }

    async fn claim(&self, before: IntentState, expected: i64, late: bool, attempts: usize) {
        let request = ClaimRequest {
            expected_version: expected,
            provider: "shop".to_owned(),
            claim_id: None,
            request_digest: None,
        };
        let may = match self.policy {
            LossPolicy::AtMostOnce => before == IntentState::Pending,
            LossPolicy::AtLeastOnce => {
                matches!(before, IntentState::Pending | IntentState::Unknown)
            }
        };
        match claim_attempt(&self.shop.engine, &worker(), &self.intent, &request).await {
            Ok(answered) => {
                assert!(may && !late, "a claim won in {before} (late: {late})");
                assert!(!self.succeeded, "tried again after a success");
                let claim = answered.into_inner();
                assert_eq!(
                    (claim.attempt_no, claim.version),
                    (i64::try_from(attempts).unwrap() + 1, expected + 1)
                );
            }
            Err(Error::Registry(_)) => assert!(late || !may, "a claim was refused in {before}"),
            Err(other) => panic!("{other}"),
        }
    }

    /// A settlement file about something else is received, and nobody has read it yet.
    async fn under_way(&mut self) {
        self.lines += 1;
        let (number, line, at) = (self.number, self.lines, self.shop.engine.now());
        let row = format!("r{number}-{line},fee,,,0.00,1.00,-1.00,EUR,{at},{at},,,\n");
        let csv = format!("{HEADER}{row}");
        let stored = self.shop.ingest.evidence.store(csv.as_bytes()).await;
        let (engine, name) = (&self.shop.engine, format!("{number}-{line}.csv"));
        let operator = Actor::Operator;
        receive_file(engine, &operator, "shop", &name, None, stored.unwrap())
            .await
            .unwrap();
    }

    async fn file(&mut self, attempt: usize, outcome: &'static str) {
        let shown = show_intent(&self.shop.engine, &worker(), &self.intent).await;
        let shown = shown.unwrap().unwrap();
        if let Some(attempt) = shown.attempts.get(attempt) {
            self.succeeded |= outcome == "succeeded";
            self.under_way().await;
            let csv = payments_file(&shown, attempt, outcome);
            let imported = self.shop.import_payments(&csv).await;
            assert_eq!(imported.refused, []);
        }
    }

    async fn report(&mut self, attempt: &str, text: ReportText) {
        self.succeeded |= text.outcome == "succeeded";
        let answered = report_outcome(&self.shop.engine, &worker(), attempt, &text).await;
        match answered.unwrap() {
            Answered::Done(answer) => self.told.push((attempt.to_owned(), text, answer)),
            Answered::Again(answer) => {
                assert!(self.told.iter().any(|t| t.2 == answer), "{answer:?}");
            }
        }
    }

    async fn line(&mut self, id: Option<u8>) {
        self.lines += 1;
        let (number, line) = (self.number, self.lines);
        let (id, at) = (self.id(id), self.shop.engine.now());
        let row = format!(
            "r{number}-{line},payment,{id},order-{number},25.00,0.00,25.00,EUR,{at},{at},,,\n"
        );
        let name = format!("{number}-{line}.csv");
        let file = self
            .shop
            .import_settlement(&name, &format!("{HEADER}{row}"))
            .await;
        assert_eq!(file.state, "USED");
    }
}

async fn open(shop: &Shop, number: usize, policy: LossPolicy) -> History<'_> {
    let new = NewIntent {
        merchant_reference: format!("order-{number}"),
        operation: "charge".to_owned(),
        amount: "25.00".to_owned(),
        currency: "EUR".to_owned(),
        direction: "in".to_owned(),
        counterparty: String::new(),
        loss_policy: policy.to_string(),
        metadata: BTreeMap::new(),
    };
    let key = format!("k-{number}");
    let created = create_intent(&shop.engine, &worker(), &key, &new).await;
    History {
        shop,
        number,
        intent: created.unwrap().into_inner().id,
        policy,
        told: Vec::new(),
        lines: 0,
        succeeded: false,
    }
}

/// The company's payments file with one attempt of an intent and how it ended.
fn payments_file(intent: &IntentAnswer, attempt: &AttemptAnswer, outcome: &str) -> String {
    let (id, reference, at) = (&intent.id, &intent.merchant_reference, intent.created_at);
    let (policy, name, number) = (intent.loss_policy, &attempt.attempt_id, attempt.attempt_no);
    let (key, begun) = (&attempt.idempotency_key, attempt.started_at);
    format!(
        "{PAYMENTS}{id},{reference},charge,25.00,EUR,in,,{at},{policy},{name},{number},shop,{key},,{begun},,{outcome},\n"
    )
}

#[test]
fn nothing_is_tried_twice_no_version_goes_down_and_no_report_is_lost_whatever_happens() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let mut runner = TestRunner::new_with_rng(
            Config::default(),
            prop::test_runner::TestRng::deterministic_rng(prop::test_runner::RngAlgorithm::ChaCha),
        );
        let events = prop::collection::vec(happens(), 1..12);
        let known = known();
        for number in 0..known.len() + histories() {
            let policy = if number < known.len() || number % 3 == 2 {
                LossPolicy::AtLeastOnce
            } else {
                LossPolicy::AtMostOnce
            };
            let told = known.get(number).cloned();
            let story = told.unwrap_or_else(|| events.new_tree(&mut runner).unwrap().current());
            let mut history = open(&shop, number, policy).await;
            for event in &story {
                history.play(event).await;
            }
            // Whatever was said is still heard, and nothing more comes of it.
            let end = history.stands().await;
            for (attempt, text, answer) in &history.told {
                let again = report_outcome(&shop.engine, &worker(), attempt, text).await;
                assert_eq!(
                    again.unwrap(),
                    Answered::Again(answer.clone()),
                    "history {number}: {story:?}"
                );
            }
            assert_eq!(history.stands().await, end, "history {number}: {story:?}");
        }
        shop.expect_verified().await;
    });
}
