//! In which currency the shares of a case's line are.

use crate::{
    Engine, Error,
    storage::{cases, stored},
};
use domain::{
    actor::{Actor, Permission},
    cases::CaseFacts,
    matching::LineName,
    money::Currency,
};

/// That of what the payer saw: of the line named, else of the one that has no match, else of the money
/// at risk.
pub async fn share_currency(
    engine: &Engine,
    actor: &Actor,
    case_id: &str,
    line: Option<&LineName>,
) -> Result<Currency, Error> {
    actor.require(Permission::Decide)?;
    let case = cases::by_public_id(engine.store.read().await?, case_id)
        .await?
        .ok_or_else(|| Error::not_found("case", case_id))?;
    let facts: CaseFacts = stored::json("case_now", "facts", &case.public_id, &case.facts)?;
    let meant = match line {
        Some(name) => facts.lines.iter().find(|l| l.name == *name),
        None => facts
            .lines
            .iter()
            .find(|l| !l.matched)
            .or(facts.lines.first()),
    };
    if let Some(line) = meant {
        return Ok(line.presented.currency);
    }
    if case.currency.is_empty() {
        return Err(Error::invalid(
            "params.shares",
            "this case is about no amount that could be shared",
        ));
    }
    Ok(stored::parse(
        "case_now",
        "currency",
        &case.public_id,
        &case.currency,
    )?)
}
