//! Plays the days: each morning the company's payments and the providers' files of the day before
//! come in, what is due is looked at, and people decide.

use super::{
    Demo, files,
    story::{LAST_DAY, Turn},
    trade::FIRST_DAY,
    world::World,
};
use crate::{
    Engine, Error, EvidenceStore, Sources,
    clock::FixedClock,
    decide::{DecisionRequest, answer_decision, decide_case},
    import_payments::import_stored_payments,
    ingest::{Ingest, receive_file, work_account},
    seal::append_blocks,
    storage::{demo, stored},
    sweep::sweep,
};
use domain::{
    actor::Actor,
    cases::{Action, CaseFacts, DecisionParams},
    payment::Outcome,
    time::Instant,
};
use std::sync::Arc;

/// When files are there in the morning, in seconds after midnight UTC.
const MORNING: i64 = 6 * 3600 + 1800;
const SECONDS_PER_DAY: i64 = 86_400;

/// The last days of Adyen's batches; that of the middle one never comes.
const ADYEN_BATCHES: [i64; 5] = [-18, -15, -9, -6, -3];

/// The engine with a clock that is moved from day to day.
pub(super) struct Stage {
    pub(super) engine: Engine,
    clock: Arc<FixedClock>,
    ingest: Ingest,
}

impl Stage {
    /// On the morning of the first day.
    pub(super) fn open(engine: &Engine, evidence: &EvidenceStore, world: &World) -> Self {
        let clock = Arc::new(FixedClock::at(world.time(FIRST_DAY, MORNING)));
        let engine = Engine {
            store: engine.store.clone(),
            sources: Sources {
                clock: clock.clone(),
                ids: engine.sources.ids.clone(),
            },
        };
        let ingest = Ingest::silent(engine.clone(), evidence.clone());
        Self {
            engine,
            clock,
            ingest,
        }
    }

    /// All days up to now.
    pub(super) async fn play(
        &self,
        world: &World,
        turns: &[Turn],
        people: &[Actor],
    ) -> Result<Demo, Error> {
        let [ana, ben, ..] = people else {
            return Err(Error::Internal("the demo lacks its people".to_owned()));
        };
        let mut done = Demo {
            people: Vec::new(),
            password: String::new(),
            intents: 0,
            files: 0,
            decisions: 0,
        };
        for day in FIRST_DAY..=LAST_DAY {
            let morning = world.time(day + 1, MORNING);
            self.clock.set(morning.min(world.now.plus_seconds(-300)));
            self.import(world, day, &mut done).await?;
            let mut arrived = vec![files::stripe(world, day)];
            if ADYEN_BATCHES.contains(&day) {
                arrived.push(files::adyen(world, day));
            }
            if day % 2 != 0 {
                arrived.push(files::shop(world, day));
            }
            for file in arrived {
                self.receive(file, &mut done).await?;
            }
            sweep(&self.engine, self.engine.now()).await?;
            for turn in turns.iter().filter(|t| t.day == day) {
                self.decide(world.now, turn, ana, ben, &mut done).await?;
            }
            append_blocks(&self.engine).await?;
        }
        self.clock.set(world.now);
        self.import(world, 0, &mut done).await?;
        sweep(&self.engine, world.now).await?;
        append_blocks(&self.engine).await?;
        Ok(done)
    }

    async fn import(&self, world: &World, day: i64, done: &mut Demo) -> Result<(), Error> {
        let evidence = &self.ingest.evidence;
        let bytes = evidence.store(world.payments_csv(day).as_bytes()).await;
        let stored =
            bytes.map_err(|e| Error::Internal(format!("the demo's payments of day {day}: {e}")))?;
        let name = format!("payments-{}.csv", world.date(day));
        let imported =
            import_stored_payments(&self.engine, &Actor::Operator, evidence, stored, &name).await?;
        if let Some(refused) = imported.refused.first() {
            return Err(Error::Internal(format!(
                "the demo's payments of day {day}, line {}: {}",
                refused.line, refused.reason
            )));
        }
        done.intents += imported.intents_new;
        Ok(())
    }

    async fn receive(&self, file: files::Written, done: &mut Demo) -> Result<(), Error> {
        let bytes = self.ingest.evidence.store(file.text.as_bytes()).await;
        let stored = bytes.map_err(|e| Error::Internal(format!("{}: {e}", file.name)))?;
        let (engine, account) = (&self.engine, file.account.name());
        let received =
            receive_file(engine, &Actor::Operator, account, &file.name, None, stored).await?;
        work_account(&self.ingest, received.account_id).await?;
        done.files += 1;
        Ok(())
    }

    async fn decide(
        &self,
        now: Instant,
        turn: &Turn,
        ana: &Actor,
        ben: &Actor,
        done: &mut Demo,
    ) -> Result<(), Error> {
        let Some((case, version)) = self.find(turn).await? else {
            return Err(Error::Internal(format!(
                "the demo has no open case {} about {}",
                turn.kind, turn.about
            )));
        };
        let params = DecisionParams {
            outcome: (turn.action == Action::ConfirmOutcome).then_some(Outcome::Rejected),
            until: (turn.action == Action::WaitForProvider)
                .then(|| now.plus_seconds(3 * SECONDS_PER_DAY)),
            ..DecisionParams::default()
        };
        let request = DecisionRequest {
            decision_id: format!("demo-{:02}-{}", done.decisions + 1, turn.about),
            expected_version: version,
            action: turn.action,
            reason_code: turn.reason,
            comment: turn.comment.to_owned(),
            params,
            evidence_hashes: Vec::new(),
        };
        let decided = decide_case(&self.engine, ana, &case, &request).await?;
        if decided.state == "AWAITING" && turn.approved {
            let agreed = "Agreed, the till's list says the same.";
            answer_decision(&self.engine, ben, &request.decision_id, true, agreed).await?;
        }
        done.decisions += 1;
        Ok(())
    }

    /// The open case that a turn is about: its public id and version.
    async fn find(&self, turn: &Turn) -> Result<Option<(String, i64)>, Error> {
        for case in demo::open_cases(self.engine.store.read().await?).await? {
            let facts: CaseFacts = stored::json("case_now", "facts", &case.public_id, &case.facts)?;
            let mut names = facts.lines.iter().map(|l| l.provider_payment_id.as_str());
            let about = facts.intent == turn.about || names.any(|id| id == turn.about);
            if about && case.kind == turn.kind.code() {
                return Ok(Some((case.public_id, case.version)));
            }
        }
        Ok(None)
    }
}
