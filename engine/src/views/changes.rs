//! What changed of a case since a person looked at it.

use super::queue::at_risk_text;
use crate::{
    Engine, Error,
    storage::{
        queue::{self, CaseStep},
        stored,
        tx::Connected,
    },
};
use domain::{
    actor::{Actor, Permission},
    cases::{CaseFacts, CaseState, changes},
    view::case::Change,
};

/// Values of a case that differ between two of its versions, in the order of its page. Nothing where
/// a version never was.
pub async fn changes_between(
    engine: &Engine,
    actor: &Actor,
    case: &str,
    seen: i64,
    now: i64,
) -> Result<Vec<Change>, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let Some(key) = queue::case_by_public_id(&mut reader, case).await? else {
        return Ok(Vec::new());
    };
    let (then, now) = (
        version(&mut reader, key, seen).await?,
        version(&mut reader, key, now).await?,
    );
    let (Some(then), Some(now)) = (then, now) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for (name, was, is) in [
        ("State", &then.state, &now.state),
        ("At risk", &then.at_risk, &now.at_risk),
    ] {
        if was != is {
            found.push(Change {
                name: name.to_owned(),
                then: was.clone(),
                now: is.clone(),
            });
        }
    }
    found.extend(
        changes(&then.facts, &now.facts)
            .into_iter()
            .map(|c| Change {
                name: c.what,
                then: c.then,
                now: c.now,
            }),
    );
    Ok(found)
}

/// A case as it stood at a version.
struct Stood {
    state: String,
    at_risk: String,
    facts: CaseFacts,
}

#[derive(serde::Deserialize)]
struct Detail {
    at_risk: i64,
    currency: String,
    facts: CaseFacts,
}

async fn version(tx: impl Connected, case: i64, version: i64) -> Result<Option<Stood>, Error> {
    let Some(CaseStep { state, detail, .. }) = queue::step(tx, case, version).await? else {
        return Ok(None);
    };
    let detail: Detail = stored::json("case_event", "detail", case, &detail)?;
    let state: CaseState = stored::parse("case_event", "state", case, &state)?;
    Ok(Some(Stood {
        state: state.title().to_owned(),
        at_risk: at_risk_text(case, &detail.currency, detail.at_risk)?,
        facts: detail.facts,
    }))
}
