//! Every record gives the leaf that is stored, and every row of a history has exactly one leaf.

use super::coverage::Coverage;
use crate::{
    Error,
    storage::{
        Reader,
        seal::{LeafBatch, Refs},
        sealed::{self, RecordSink},
        verify,
    },
};
use domain::seal::{Encoder, Hash, Record, RecordKind, Secret, hex_of, json::name_of};
use std::collections::HashMap;

/// What the leaves came to.
#[derive(Debug, Default)]
pub struct Found {
    /// Leaves that were recomputed.
    pub leaves: u64,
    /// The first record that differs from its leaf.
    pub broken: Option<String>,
    /// The first row that has no leaf, or two.
    pub uncovered: Option<String>,
}

/// Recomputes every leaf from the rows of the histories, in the order in which they were written.
pub async fn check(reader: &mut Reader, secret: Secret) -> Result<Found, Error> {
    let mut check = Check {
        encoder: Encoder::new(secret),
        stored: Vec::new(),
        batch: 0,
        found: Found::default(),
    };
    let mut covered: HashMap<RecordKind, Coverage> = HashMap::new();
    let mut after = i64::MIN;
    loop {
        let batches = verify::batches_after(&mut *reader, after).await?;
        let Some(last) = batches.last() else { break };
        after = last.id;
        for batch in batches {
            cover(&mut covered, &batch, &mut check.found);
            let LeafBatch {
                id,
                kind,
                refs,
                leaves,
            } = batch;
            check.batch = id;
            check.stored = leaves;
            sealed::read(reader, kind, &refs, &mut check).await?;
        }
    }
    let mut found = check.found;
    if found.uncovered.is_none() {
        found.uncovered = first_uncovered(reader, &covered).await?;
    }
    Ok(found)
}

fn cover(covered: &mut HashMap<RecordKind, Coverage>, batch: &LeafBatch, found: &mut Found) {
    let coverage = covered.entry(batch.kind).or_default();
    for key in batch.refs.keys() {
        if !coverage.add(key) && found.uncovered.is_none() {
            found.uncovered = Some(format!(
                "{} {} has more than one leaf (again in leaf batch {})",
                batch.kind,
                shown(key),
                batch.id
            ));
        }
    }
}

/// The first row that no leaf covers. Counts come first: they settle the good case at once.
async fn first_uncovered(
    reader: &mut Reader,
    covered: &HashMap<RecordKind, Coverage>,
) -> Result<Option<String>, Error> {
    let mut names = Naming::default();
    for (kind, rows) in verify::counts(&mut *reader).await? {
        let coverage = covered.get(&kind);
        if coverage.map_or(0, Coverage::count) == rows {
            continue;
        }
        let mut after = (i64::MIN, i64::MIN);
        loop {
            let keys = verify::keys_after(&mut *reader, kind, after).await?;
            let Some(last) = keys.last() else { break };
            after = *last;
            for key in keys {
                if !coverage.is_some_and(|c| c.has(key)) {
                    sealed::read(reader, kind, &Refs::List(vec![key]), &mut names).await?;
                    let name = names
                        .name
                        .take()
                        .unwrap_or_else(|| format!("{kind} {}", shown(key)));
                    return Ok(Some(format!(
                        "{name} has no leaf: it was written past the seal"
                    )));
                }
            }
        }
    }
    Ok(None)
}

fn shown((id, part): (i64, i64)) -> String {
    if part == 0 {
        format!("row {id}")
    } else {
        format!("row {id}/{part}")
    }
}

struct Check {
    encoder: Encoder,
    stored: Vec<Hash>,
    batch: i64,
    found: Found,
}

impl RecordSink for Check {
    fn record<R: Record>(&mut self, place: usize, record: &R) {
        self.found.leaves += 1;
        let computed = self.encoder.leaf(record);
        let stored = self.stored.get(place);
        if stored == Some(&computed) || self.found.broken.is_some() {
            return;
        }
        self.found.broken = Some(format!(
            "{} was changed after it was sealed: its leaf is {}, its contents give {}",
            name_of(record),
            stored.map_or_else(|| "missing".to_owned(), |h| hex_of(h)),
            hex_of(&computed)
        ));
    }

    fn missing(&mut self, place: usize) {
        if self.found.broken.is_none() {
            self.found.broken = Some(format!(
                "the record of leaf {place} in leaf batch {} is gone",
                self.batch
            ));
        }
    }
}

#[derive(Default)]
struct Naming {
    name: Option<String>,
}

impl RecordSink for Naming {
    fn record<R: Record>(&mut self, _: usize, record: &R) {
        self.name = Some(name_of(record));
    }

    fn missing(&mut self, _: usize) {}
}
