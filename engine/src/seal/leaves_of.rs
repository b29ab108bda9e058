//! Leaves of records that stand already, made of what is stored: what a page or a decision names as
//! the hash of a piece of evidence. That each is the one in the chain is for `verify` to say.

use super::secret;
use crate::{
    Error,
    storage::{
        seal::Refs,
        sealed::{self, RecordSink},
        stored,
        tx::Connected,
    },
};
use domain::seal::{Encoder, Hash, Record, RecordKind};

/// The leaves of records by their rows' ids and second keys, 0 where a table has none; in that order. A
/// record that is not there is an error: whoever asks has read its row.
pub async fn leaves_of(
    mut tx: impl Connected,
    kind: RecordKind,
    keys: impl Iterator<Item = (i64, i64)>,
) -> Result<Vec<Hash>, Error> {
    let keys: Vec<(i64, i64)> = keys.collect();
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let secret = secret::known(&mut tx)
        .await?
        .ok_or_else(|| Error::Internal("records are stored, but no instance secret".to_owned()))?;
    let mut found = Found {
        encoder: Encoder::new(secret),
        leaves: Vec::with_capacity(keys.len()),
        missing: None,
    };
    let refs = Refs::List(keys.clone());
    sealed::read(&mut tx, kind, &refs, &mut found).await?;
    match found.missing.and_then(|place| keys.get(place)) {
        Some((id, part)) => {
            Err(stored::corrupt(kind.code(), "id", id, &format!("no record {part} of it")).into())
        }
        None => Ok(found.leaves),
    }
}

struct Found {
    encoder: Encoder,
    leaves: Vec<Hash>,
    missing: Option<usize>,
}

impl RecordSink for Found {
    fn record<R: Record>(&mut self, _: usize, record: &R) {
        self.leaves.push(self.encoder.leaf(record));
    }

    fn missing(&mut self, place: usize) {
        self.missing.get_or_insert(place);
    }
}
