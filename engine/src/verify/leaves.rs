//! Every record gives the leaf that is stored, and every row of a history has exactly one leaf.

use super::{
    coverage::Coverage,
    identities::{Identities, Said},
    keys::{self, NormalTexts},
};
use crate::{
    Error,
    ingest::Content,
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
    /// The first line that its identity does not lead to, or that says something else than is kept.
    pub identity: Option<String>,
    /// The first intent that a text of its own does not lead to.
    pub intent_key: Option<String>,
    /// In which order decisions and answers were written: by key of the decision, the batch of
    /// leaves of its transaction.
    pub decided: HashMap<i64, i64>,
    /// The same for answers.
    pub answered: HashMap<i64, i64>,
}

/// Recomputes every leaf from the rows of the histories, in the order in which they were written.
pub async fn check(reader: &mut Reader, secret: Secret) -> Result<Found, Error> {
    let mut check = Check {
        encoder: Encoder::new(secret),
        stored: Vec::new(),
        batch: 0,
        kind: RecordKind::Line,
        keys: Vec::new(),
        said: HashMap::new(),
        texts: Vec::new(),
        found: Found::default(),
    };
    let mut identities = Identities::default();
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
            check.begin(kind, &refs);
            sealed::read(reader, kind, &refs, &mut check).await?;
            identities
                .compare(reader, &std::mem::take(&mut check.said))
                .await?;
            let texts = std::mem::take(&mut check.texts);
            if check.found.intent_key.is_none() {
                check.found.intent_key = keys::missing_of(reader, texts).await?;
            }
        }
    }
    let mut found = check.found;
    found.identity = match identities.broken {
        Some((line, wrong)) => {
            let name = named(reader, RecordKind::Line, (line, 0)).await?;
            Some(format!("{name} {wrong}"))
        }
        None => identities.first_stray(reader).await?,
    };
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
                    let name = named(reader, kind, key).await?;
                    return Ok(Some(format!(
                        "{name} has no leaf: it was written past the seal"
                    )));
                }
            }
        }
    }
    Ok(None)
}

/// The natural name of a record.
pub async fn named(
    reader: &mut Reader,
    kind: RecordKind,
    key: (i64, i64),
) -> Result<String, Error> {
    let mut names = Naming::default();
    sealed::read(reader, kind, &Refs::List(vec![key]), &mut names).await?;
    Ok(names
        .name
        .unwrap_or_else(|| format!("{kind} {}", shown(key))))
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
    /// What the batch holds.
    kind: RecordKind,
    /// Keys of the rows of the batch, by place.
    keys: Vec<(i64, i64)>,
    /// What the lines of the batch say.
    said: HashMap<i64, Content>,
    /// Texts of intents of the batch that are kept in normal form.
    texts: Vec<(i64, String)>,
    found: Found,
}

impl Check {
    fn begin(&mut self, kind: RecordKind, refs: &Refs) {
        self.kind = kind;
        self.keys.clear();
        self.keys.extend(refs.keys());
        let order = match kind {
            RecordKind::Decision => &mut self.found.decided,
            RecordKind::Approval => &mut self.found.answered,
            _ => return,
        };
        order.extend(self.keys.iter().map(|(id, _)| (*id, self.batch)));
    }
}

impl RecordSink for Check {
    fn record<R: Record>(&mut self, place: usize, record: &R) {
        self.found.leaves += 1;
        if let Some((id, _)) = self.keys.get(place) {
            match R::KIND {
                RecordKind::Line => drop(self.said.insert(*id, Said::by(record))),
                RecordKind::Intent => {
                    let texts = NormalTexts::of(record);
                    self.texts.extend(texts.map(|text| (*id, text)));
                }
                _ => {}
            }
        }
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
            let key = self.keys.get(place).copied().unwrap_or_default();
            self.found.broken = Some(format!(
                "{} {} (leaf {place} of leaf batch {}) is gone, or something that it names is",
                self.kind,
                shown(key),
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
