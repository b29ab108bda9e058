//! The simple case in bulk: one look-up a chunk, then the domain's shortcut line by line.

use super::{Item, Posting};
use crate::{
    Engine, Error,
    storage::{
        files::{self, SimpleCandidate},
        stored,
    },
};
use domain::{
    formats::Row,
    line::{RowKind, SettlementLine},
    matching::{ShortcutCandidate, shortcut, shortcut::ShortcutLine},
    money::Money,
    payment::Outcome,
};
use std::collections::{HashMap, HashSet};

/// A line's one attempt, where the simple case holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simple {
    pub candidate: SimpleCandidate,
    pub matched: i64,
}

/// Candidates for the payment-like lines of a chunk.
pub async fn look_up(
    engine: &Engine,
    posting: &Posting<'_>,
    items: &[Item],
) -> Result<Vec<SimpleCandidate>, Error> {
    let keys: HashSet<&str> = items.iter().filter_map(|(row, _)| key_of(row)).collect();
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let tx = engine.store.read().await?;
    Ok(files::candidates(tx, posting.account.id, keys.into_iter(), posting.careful).await?)
}

fn key_of(row: &Row) -> Option<&str> {
    match row {
        Row::Line(line)
            if matches!(line.kind, RowKind::Payment | RowKind::Disbursement)
                && !line.provider_payment_id.is_empty() =>
        {
            Some(&line.provider_payment_id)
        }
        _ => None,
    }
}

/// Candidates by key; a key that several attempts hold has none.
pub fn by_key(candidates: Vec<SimpleCandidate>) -> HashMap<String, Option<SimpleCandidate>> {
    let mut map: HashMap<String, Option<SimpleCandidate>> =
        HashMap::with_capacity(candidates.len());
    for candidate in candidates {
        map.entry(candidate.key.clone())
            .and_modify(|c| *c = None)
            .or_insert(Some(candidate));
    }
    map
}

/// The line's attempt, if the simple case holds and settles nothing but the match itself.
pub fn decide(line: &SettlementLine, candidate: &SimpleCandidate) -> Result<Option<Simple>, Error> {
    let row = candidate.attempt_id;
    let outcome: Outcome = stored::parse("attempt", "outcome", row, &candidate.outcome)?;
    let held = ShortcutCandidate {
        intent_public_id: &candidate.intent,
        merchant_reference: &candidate.merchant_reference,
        idempotency_key: &candidate.idempotency_key,
        amount: Money::new(
            candidate.amount,
            stored::parse("intent", "currency", row, &candidate.currency)?,
        ),
        direction: stored::parse("intent", "direction", row, &candidate.direction)?,
        is_refund: candidate.operation == "refund",
        outcome,
        reference_never_sent: false,
    };
    let line = ShortcutLine {
        kind: line.kind,
        merchant_reference: &line.merchant_reference,
        presented: line.presented,
    };
    Ok(shortcut(&line, &held)
        .filter(|s| !s.settles_outcome && !s.note_reference)
        .map(|s| Simple {
            candidate: candidate.clone(),
            matched: s.matched,
        }))
}
