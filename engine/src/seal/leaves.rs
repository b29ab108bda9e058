//! The leaves of one transaction: every record that is written to a history is pushed here, and the
//! leaves are written with it, so that no record stands without its leaf.

use super::secret::instance_secret;
use crate::{
    Error, Sources,
    storage::{
        Tx,
        counter::allocate,
        seal::{self, LEAF_LEN, Refs},
    },
};
use domain::seal::{Encoder, Hash, Record, RecordKind, Secret};

/// Leaves a batch: what verifying holds in memory at once.
const LARGEST_BATCH: usize = 10_000;
/// A run shorter than this is not worth a batch of its own.
const SHORTEST_RUN: usize = 200;

/// Collects leaves. Begin one per transaction, push every sealed record, write before the commit.
#[derive(Debug)]
pub struct Leaves {
    secret: Secret,
    encoder: Encoder,
    kinds: Vec<OfKind>,
}

#[derive(Debug)]
struct OfKind {
    kind: RecordKind,
    refs: Vec<(i64, i64)>,
    leaves: Vec<u8>,
}

impl Leaves {
    /// No leaves yet. Makes the instance secret where there is none.
    pub async fn begin(tx: &mut Tx, sources: &Sources) -> Result<Self, Error> {
        let secret = instance_secret(tx, sources).await?;
        Ok(Self {
            encoder: Encoder::new(secret.clone()),
            secret,
            kinds: Vec::new(),
        })
    }

    /// A record whose row is known by its id alone (for approvals, the decision's).
    pub fn push<R: Record>(&mut self, id: i64, record: &R) {
        self.push_part(id, 0, record);
    }

    /// A record whose row is known by an id and a second key: events by their number or version,
    /// verdicts by line and number, rejected rows by file and line, policies by account and version.
    pub fn push_part<R: Record>(&mut self, id: i64, part: i64, record: &R) {
        let leaf = self.encoder.leaf(record);
        self.push_leaf(R::KIND, id, part, leaf);
    }

    /// A record whose leaf was made elsewhere, with the secret of this instance.
    pub fn push_leaf(&mut self, kind: RecordKind, id: i64, part: i64, leaf: Hash) {
        let of_kind = self.of_kind(kind);
        of_kind.refs.push((id, part));
        of_kind.leaves.extend_from_slice(&leaf);
    }

    /// An empty collection for records that are hashed apart, on another thread.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self {
            encoder: Encoder::new(self.secret.clone()),
            secret: self.secret.clone(),
            kinds: Vec::new(),
        }
    }

    /// Takes over what was collected apart.
    pub fn append(&mut self, apart: Self) {
        for mut more in apart.kinds {
            let of_kind = self.of_kind(more.kind);
            of_kind.refs.append(&mut more.refs);
            of_kind.leaves.append(&mut more.leaves);
        }
    }

    /// How many leaves wait to be written.
    pub fn len(&self) -> usize {
        self.kinds.iter().map(|k| k.refs.len()).sum()
    }

    /// Whether none do.
    pub fn is_empty(&self) -> bool {
        self.kinds.iter().all(|k| k.refs.is_empty())
    }

    /// Writes what was pushed and empties the collection, which may then be filled again. Takes
    /// ids of `leaf_batch`: call it last in the transaction, so that on PostgreSQL others wait
    /// briefly.
    pub async fn write(&mut self, tx: &mut Tx) -> Result<(), Error> {
        let mut batches: Vec<(RecordKind, Refs, &[u8])> = Vec::new();
        for of_kind in &self.kinds {
            let mut leaves = of_kind.leaves.as_slice();
            for refs in batches_of(&of_kind.refs) {
                let bytes = usize::try_from(refs.len()).unwrap_or(0) * LEAF_LEN;
                let (now, later) = leaves.split_at_checked(bytes).unwrap_or((leaves, &[]));
                batches.push((of_kind.kind, refs, now));
                leaves = later;
            }
        }
        if batches.is_empty() {
            return Ok(());
        }
        let first = allocate(&mut *tx, "leaf_batch", batches.len() as u64).await?;
        for ((kind, refs, leaves), id) in batches.iter().zip(first..) {
            seal::add_batch(&mut *tx, id, *kind, refs, leaves).await?;
        }
        for of_kind in &mut self.kinds {
            of_kind.refs.clear();
            of_kind.leaves.clear();
        }
        Ok(())
    }

    fn of_kind(&mut self, kind: RecordKind) -> &mut OfKind {
        let known = self.kinds.iter().position(|k| k.kind == kind);
        let at = known.unwrap_or(self.kinds.len());
        if known.is_none() {
            self.kinds.push(OfKind {
                kind,
                refs: Vec::new(),
                leaves: Vec::new(),
            });
        }
        // Just found or just pushed.
        #[allow(clippy::indexing_slicing)]
        &mut self.kinds[at]
    }
}

/// Cuts records into batches: long runs of consecutive ids by their ends, the rest by name.
fn batches_of(refs: &[(i64, i64)]) -> Vec<Refs> {
    let mut batches = Vec::new();
    let mut list: Vec<(i64, i64)> = Vec::new();
    for run in refs.chunk_by(|a, b| a.0.checked_add(1) == Some(b.0) && a.1 == b.1) {
        let whole = run.len() == refs.len();
        if whole || run.len() >= SHORTEST_RUN {
            push_list(&mut batches, &mut list);
            for part in run.chunks(LARGEST_BATCH) {
                if let (Some(first), Some(last)) = (part.first(), part.last()) {
                    batches.push(Refs::Run {
                        first: first.0,
                        last: last.0,
                        part: first.1,
                    });
                }
            }
        } else {
            list.extend_from_slice(run);
        }
    }
    push_list(&mut batches, &mut list);
    batches
}

fn push_list(batches: &mut Vec<Refs>, list: &mut Vec<(i64, i64)>) {
    for part in list.chunks(LARGEST_BATCH) {
        batches.push(Refs::List(part.to_vec()));
    }
    list.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(refs: &[(i64, i64)]) -> Vec<(i64, i64)> {
        let batches = batches_of(refs);
        batches
            .iter()
            .flat_map(|b| b.keys().collect::<Vec<_>>())
            .collect()
    }

    #[test]
    fn a_bulk_load_is_named_by_its_ends_and_scattered_rows_by_name() {
        let run: Vec<_> = (5..25_005).map(|id| (id, 1)).collect();
        assert_eq!(batches_of(&run).len(), 3);
        assert_eq!(named(&run), run);

        let scattered: Vec<_> = (0..50).map(|n| (n * 7, n % 3)).collect();
        assert_eq!(batches_of(&scattered), [Refs::List(scattered.clone())]);

        let mut mixed = scattered;
        mixed.extend((1000..1300).map(|id| (id, 0)));
        mixed.push((9, 9));
        assert_eq!(batches_of(&mixed).len(), 3);
        assert_eq!(named(&mixed), mixed);
    }
}
