//! Registers what the business means to happen.
//!
//! The caller's key makes a repeat harmless: the same key with the same content gives the stored
//! answer, with other content it is refused. The answer is kept in the transaction that registers
//! the intent, so that neither stands without the other.

use super::{Answered, Refusal, checked_key, given, hash_of, invalid, read};
use crate::{
    Engine, Error,
    import_payments::{
        plan::Plan,
        write::{Origin, write},
    },
    in_tx,
    storage::{
        intents,
        registry::{self, Question},
        stored,
    },
};
use domain::{
    actor::{Actor, Permission},
    registry::{NewIntent, read_new_intent},
    view::registry::IntentAnswer,
};

/// Registers an intent under the caller's key.
pub async fn create_intent(
    engine: &Engine,
    actor: &Actor,
    key: &str,
    new: &NewIntent,
) -> Result<Answered<IntentAnswer>, Error> {
    actor.require(Permission::RegisterPayments)?;
    checked_key("Idempotency-Key", key)?;
    let now = engine.now();
    let (row, metadata) =
        read_new_intent(new, engine.sources.ids.public_id(), now).map_err(invalid)?;
    let answer = IntentAnswer::of_new(&row, metadata);
    let kept = given(hash_of(new)?, &answer)?;
    let name = actor.name();
    in_tx!(engine.store, |tx| {
        if !registry::add_answer(tx, Question::Intent, key, &kept, now).await? {
            let before = registry::answer(&mut *tx, Question::Intent, key)
                .await?
                .ok_or_else(|| Error::Internal("a kept answer is gone".to_owned()))?;
            return if before.input_hash == kept.input_hash {
                Ok(Answered::Again(read(key, &before)?))
            } else {
                Err(Refusal::reused("Idempotency-Key", key))
            };
        }
        let plan = Plan {
            intents: vec![row.clone()],
            ..Plan::default()
        };
        write(engine, tx, &plan, &Origin::api(&name)).await?;
        if !answer.metadata.is_empty() {
            let id = intents::by_public_id(&mut *tx, &row.intent_id)
                .await?
                .map(|i| i.id)
                .ok_or_else(|| Error::Internal("a new intent is gone".to_owned()))?;
            registry::add_metadata(tx, id, &stored::to_json(&answer.metadata)?).await?;
        }
        Ok(Answered::Done(answer.clone()))
    })
}
