//! One step of a file: its state, its record, its leaf.

use super::standing::standing;
use crate::{
    Error,
    seal::Leaves,
    storage::{
        Tx,
        files::{self, StoredFile},
        stored,
    },
};
use domain::{
    seal::{
        Text,
        records::{FileEventRecord, acted_at},
    },
    time::Instant,
};

/// Who moves a file, and when.
#[derive(Debug, Clone, Copy)]
pub struct Mover<'a> {
    /// As shown in history.
    pub actor: &'a str,
    /// Now.
    pub now: Instant,
    /// The provider account's name.
    pub provider: &'a str,
}

/// Moves a file on: the row is brought up to date and the step recorded, with a hash of how the file
/// stands after it. What failed before it is behind the file.
pub async fn step(
    tx: &mut Tx,
    leaves: &mut Leaves,
    file: &mut StoredFile,
    state: &str,
    detail: &serde_json::Value,
    mover: Mover<'_>,
) -> Result<(), Error> {
    state.clone_into(&mut file.state);
    file.seq += 1;
    file.failures = 0;
    file.error.clear();
    let mut detail = detail.clone();
    if let Some(detail) = detail.as_object_mut() {
        detail.insert("standing".to_owned(), standing(file)?.into());
    }
    let detail = stored::to_json(&detail)?;
    files::put(tx, file).await?;
    files::insert_event(
        tx,
        file.id,
        file.seq,
        state,
        &detail,
        mover.actor,
        mover.now.micros(),
    )
    .await?;
    let sha256 = hash(file);
    leaves.push_part(
        file.id,
        file.seq,
        &FileEventRecord {
            provider: mover.provider,
            file: &sha256,
            seq: file.seq,
            state,
            detail: Text::Plain(&detail),
            actor: Text::Plain(mover.actor),
            acted_at: acted_at(mover.actor, mover.now.micros()),
        },
    );
    Ok(())
}

/// The hash that names a file's bytes.
pub fn hash(file: &StoredFile) -> [u8; 32] {
    file.sha256.as_slice().try_into().unwrap_or([0; 32])
}
