//! The simple case in bulk: one look-up a chunk, then the domain's shortcut line by line.

use super::{
    Posting,
    read::{ReadLine, ReadRows},
};
use crate::{
    Engine, Error,
    storage::{
        accounts,
        files::{self, SimpleCandidate},
        stored,
        tx::Connected,
    },
};
use domain::{
    line::{RowKind, SettlementLine},
    matching::{ShortcutCandidate, shortcut, shortcut::ShortcutLine},
    money::Money,
    payment::Outcome,
};
use std::{collections::HashMap, sync::Arc};
use tokio::sync::mpsc;

/// Rows on their way, with what was looked up about them.
pub struct Chunk {
    pub rows: ReadRows,
    /// For each line the attempt that it would match in the simple case.
    pub simple: Vec<Option<Simple>>,
    /// How often the account's gate was passed when the candidates were looked up.
    pub gate: i64,
}

/// A line's one attempt, where the simple case holds.
#[derive(Debug, Clone)]
pub struct Simple {
    pub candidate: Arc<SimpleCandidate>,
    pub matched: i64,
}

/// Looks up candidates on another connection while earlier chunks are written.
pub fn look_up_ahead(
    engine: &Engine,
    posting: &Arc<Posting>,
    mut rows: mpsc::Receiver<Result<ReadRows, Error>>,
) -> mpsc::Receiver<Result<Chunk, Error>> {
    let (send, receive) = mpsc::channel(1);
    let (engine, posting) = (engine.clone(), posting.clone());
    tokio::spawn(async move {
        while let Some(read) = rows.recv().await {
            let chunk = match read {
                Ok(rows) => look_up_apart(&engine, &posting, rows).await,
                Err(error) => Err(error),
            };
            let failed = chunk.is_err();
            // Nobody listens where the work was given up.
            if send.send(chunk).await.is_err() || failed {
                break;
            }
        }
    });
    receive
}

async fn look_up_apart(engine: &Engine, posting: &Posting, rows: ReadRows) -> Result<Chunk, Error> {
    let mut reading = engine.store.read().await?;
    let gate = accounts::gate(&mut reading, posting.account.id).await?;
    let simple = look_up(&mut reading, posting, &rows).await?;
    Ok(Chunk { rows, simple, gate })
}

/// For each line of a chunk the attempt that it would match in the simple case. Several lines may be
/// given the same one: it is the first that gets it.
pub async fn look_up(
    tx: impl Connected,
    posting: &Posting,
    rows: &ReadRows,
) -> Result<Vec<Option<Simple>>, Error> {
    let candidates = by_key(candidates(tx, posting, rows).await?);
    let of_line = |read: &ReadLine| {
        let Some(Some(candidate)) = candidates.get(&read.line.provider_payment_id) else {
            return Ok(None);
        };
        let candidate = candidate.clone();
        let matched = decide(&read.line, &candidate)?;
        Ok(matched.map(|matched| Simple { candidate, matched }))
    };
    rows.lines.iter().map(of_line).collect()
}

/// Candidates for the payment-like lines of a chunk.
async fn candidates(
    tx: impl Connected,
    posting: &Posting,
    rows: &ReadRows,
) -> Result<Vec<SimpleCandidate>, Error> {
    if posting.hold {
        return Ok(Vec::new());
    }
    let mut keys: Vec<&str> = rows.lines.iter().filter_map(key_of).collect();
    // Neighbours in the index are looked up one after another.
    keys.sort_unstable();
    keys.dedup();
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    candidates_of(tx, posting.account.id, &keys, posting.careful).await
}

/// What others brought since the work on the file began counts as well: the first ruling or the first
/// contradicting report may come at any time.
async fn candidates_of(
    mut tx: impl Connected,
    account: i64,
    keys: &[&str],
    careful: bool,
) -> Result<Vec<SimpleCandidate>, Error> {
    let careful = careful || files::needs_care_of_others(&mut tx, account).await?;
    Ok(files::candidates(tx, account, keys.iter().copied(), careful).await?)
}

fn key_of(read: &ReadLine) -> Option<&str> {
    let line = &read.line;
    let concerned = matches!(line.kind, RowKind::Payment | RowKind::Disbursement)
        && !line.provider_payment_id.is_empty();
    concerned.then_some(&line.provider_payment_id)
}

/// Candidates by key; a key that several attempts hold has none.
fn by_key(candidates: Vec<SimpleCandidate>) -> HashMap<String, Option<Arc<SimpleCandidate>>> {
    let mut map: HashMap<String, Option<Arc<SimpleCandidate>>> =
        HashMap::with_capacity(candidates.len());
    for mut candidate in candidates {
        let key = std::mem::take(&mut candidate.key);
        map.entry(key)
            .and_modify(|c| *c = None)
            .or_insert_with(|| Some(Arc::new(candidate)));
    }
    map
}

/// The amount matched, if the simple case holds and settles nothing but the match itself.
fn decide(line: &SettlementLine, candidate: &SimpleCandidate) -> Result<Option<i64>, Error> {
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
        .map(|s| s.matched))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        import_payments::import_payments,
        providers::{NewProvider, add_provider},
        testing::both,
    };
    use domain::{account::ProviderKind, actor::Actor, time::Zone};

    #[test]
    fn a_report_that_contradicts_while_a_file_is_posted_takes_the_short_way_from_its_payment() {
        both(async |store| {
            let engine = Engine::new(store);
            let new = NewProvider {
                name: "shop".to_owned(),
                kind: ProviderKind::Generic,
                zone: Zone::UTC,
                fields: Vec::new(),
            };
            let operator = Actor::Operator;
            add_provider(&engine, &operator, new).await.unwrap();
            let known = accounts::all(engine.store.read().await.unwrap());
            let account = known.await.unwrap().into_keys().next().unwrap();
            let says = async |outcome: &str| {
                let csv = format!(
                    "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code\n\
                     i1,order-1,charge,10.00,EUR,in,,2025-11-02T09:00:00Z,,a1,1,shop,i1,pi_1,2025-11-02T09:00:01Z,,{outcome},\n"
                );
                let input = std::io::Cursor::new(csv.into_bytes());
                let done = import_payments(&engine, &operator, input).await.unwrap();
                assert_eq!(done.refused, []);
            };
            let candidates = async || {
                let reading = engine.store.read().await.unwrap();
                let found = candidates_of(reading, account, &["pi_1"], false).await;
                found.unwrap().len()
            };
            says("succeeded").await;
            assert_eq!(candidates().await, 1);
            says("rejected").await;
            assert_eq!(candidates().await, 0);
        });
    }
}
