//! What a person sent for approval, and what became of it.

use super::case_heads::case_heads;
use crate::{
    Engine, Error,
    storage::decisions::{self, SENT_PAGE},
};
use domain::{
    actor::{Actor, Permission},
    time::Instant,
    view::sent::{Answer, SentFilter, SentPage, SentRow},
};
use std::collections::BTreeSet;

/// A person's own decisions that need a second person, newest first.
pub async fn sent(engine: &Engine, actor: &Actor, filter: &SentFilter) -> Result<SentPage, Error> {
    actor.require(Permission::Decide)?;
    let Some((person, _)) = actor.person() else {
        return Ok(SentPage::default());
    };
    let before = if filter.after.is_empty() {
        i64::MAX
    } else {
        let place = filter.after.parse();
        place.map_err(|_| Error::invalid("after", "is not a place in this list"))?
    };
    let mut reader = engine.store.read().await?;
    let mut found = decisions::sent(&mut reader, person, before).await?;
    let more = found.len() > SENT_PAGE;
    found.truncate(SENT_PAGE);
    let cases: BTreeSet<i64> = found.iter().map(|d| d.case_id).collect();
    let heads = case_heads(&mut reader, cases.into_iter()).await?;
    let next = found.last().filter(|_| more).map(|d| d.id.to_string());
    let rows = found.into_iter().filter_map(|decision| {
        let head = heads.get(&decision.case_id)?;
        Some(SentRow {
            case_id: head.public_id.clone(),
            kind: head.kind.clone(),
            title: head.title.clone(),
            amount: head.amount,
            action: decision.action,
            reason: decision.reason_code,
            decided_at: Instant::from_micros(decision.decided_at),
            state: decision.state,
            answer: (!decision.answered_by.is_empty()).then(|| Answer {
                by: decision.answered_by,
                at: Instant::from_micros(decision.answered_at),
                words: decision.answer,
            }),
        })
    });
    Ok(SentPage {
        rows: rows.collect(),
        next,
    })
}
