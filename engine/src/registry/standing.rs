//! An intent with its attempts as one worker sees it, while no other can move it.

use crate::{
    Error,
    storage::{
        Tx,
        intents::{self, AttemptShown, IntentShown},
        registry, stored,
    },
};
use domain::{
    payment::{IntentState, Outcome, intent_state},
    registry::{EarlierAttempt, IntentStanding},
    view::registry::Current,
};

/// An intent and its attempts, first first.
#[derive(Debug)]
pub struct Standing {
    pub intent: IntentShown,
    pub attempts: Vec<AttemptShown>,
    /// What the attempts amount to, as read here: whether another may be made is never told from a
    /// state that somebody stored before.
    pub state: IntentState,
}

impl Standing {
    /// Locks an intent until the unit of work ends, and reads how it stands. None where there is no
    /// such intent.
    pub async fn lock(tx: &mut Tx, id: &str) -> Result<Option<Self>, Error> {
        let Some(found) = intents::by_public_id(&mut *tx, id).await? else {
            return Ok(None);
        };
        registry::lock_intent(tx, found.id).await?;
        // Another worker may have moved it before the lock was ours.
        Self::read(tx, id).await
    }

    /// Reads how an intent stands.
    pub async fn read(tx: &mut Tx, id: &str) -> Result<Option<Self>, Error> {
        let Some(intent) = intents::by_public_id(&mut *tx, id).await? else {
            return Ok(None);
        };
        let mut attempts = intents::attempts(&mut *tx, [intent.id].into_iter()).await?;
        attempts.sort_by_key(|a| a.number);
        let outcomes = attempts.iter().map(Self::outcome);
        let outcomes: Vec<Outcome> = outcomes.collect::<Result<_, _>>()?;
        let policy = stored::parse("intent", "loss_policy", intent.id, &intent.loss_policy)?;
        let state = intent_state(&outcomes, intent.resend_permitted != 0, policy);
        Ok(Some(Self {
            intent,
            attempts,
            state,
        }))
    }

    /// What the rules of claiming look at.
    pub fn facts(&self) -> Result<IntentStanding, Error> {
        Ok(IntentStanding {
            state: self.state,
            version: self.intent.version,
            loss_policy: stored::parse(
                "intent",
                "loss_policy",
                self.intent.id,
                &self.intent.loss_policy,
            )?,
        })
    }

    /// What a refused caller is told.
    pub const fn current(&self) -> Current {
        Current {
            state: self.state,
            version: self.intent.version,
        }
    }

    /// How an attempt stands.
    pub fn outcome(attempt: &AttemptShown) -> Result<Outcome, Error> {
        let outcome = stored::parse("attempt_now", "outcome", attempt.id, &attempt.outcome)?;
        Ok(outcome)
    }

    /// The attempts so far, as the rules of keys see them.
    pub fn earlier(&self) -> Result<Vec<EarlierAttempt<'_>>, Error> {
        self.attempts
            .iter()
            .map(|a| {
                Ok(EarlierAttempt {
                    outcome: Self::outcome(a)?,
                    key: &a.idempotency_key,
                })
            })
            .collect()
    }
}
