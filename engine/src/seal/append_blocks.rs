//! Seals what waits: takes batches of leaves in order and appends blocks over them to the chain.
//!
//! Any number of servers may call this at the same time; they take turns at the number of the next
//! block. On PostgreSQL a batch whose transaction commits late simply lies in a later block.

use crate::{
    Engine, Error, in_tx,
    storage::{Tx, counter::allocate, seal},
};
use domain::seal::{Block, BlockHeader, Head, block::NO_PREVIOUS, merkle::Tree};

/// Batches a block: with ten thousand leaves each at most, a proof stays cheap to compute.
const BATCHES_PER_BLOCK: i64 = 1_000;
/// Leaves a block, unless a single batch has more.
const LEAVES_PER_BLOCK: i64 = 200_000;

/// Seals everything that is committed and returns the head of the chain; none while nothing was
/// ever sealed.
pub async fn append_blocks(engine: &Engine) -> Result<Option<Head>, Error> {
    loop {
        if !seal::waits(&mut engine.store.read().await?).await? {
            let head = seal::head(&mut engine.store.read().await?).await?;
            return Ok(head.map(|b| b.head()));
        }
        let sealed_at = engine.now().micros();
        in_tx!(engine.store, |tx| append_block(tx, sealed_at).await)?;
    }
}

/// Appends one block over the oldest batches that wait; none if another server was first.
async fn append_block(tx: &mut Tx, sealed_at: i64) -> Result<Option<Block>, Error> {
    if !seal::waits(&mut *tx).await? {
        return Ok(None);
    }
    // Taking the number locks out other servers until this block is committed.
    let number = allocate(&mut *tx, "block", 1).await?;
    let mut batches = Vec::new();
    let mut leaf_count = 0_i64;
    for (batch, leaves) in seal::waiting(&mut *tx, BATCHES_PER_BLOCK).await? {
        if !batches.is_empty() && leaf_count + leaves > LEAVES_PER_BLOCK {
            break;
        }
        leaf_count += leaves;
        batches.push(batch);
    }
    if batches.is_empty() {
        // Another server took them while this one waited for its turn; the number goes back.
        return Err(Error::Storage(crate::storage::StorageError::Busy {
            detail: "another server sealed what waited".to_owned(),
        }));
    }
    let mut tree = Tree::default();
    for batch in &batches {
        tree.extend(seal::leaves(&mut *tx, *batch).await?);
    }
    let before = seal::head(&mut *tx).await?;
    let block = BlockHeader {
        number,
        previous: before.map_or(NO_PREVIOUS, |b| b.hash),
        root: tree.root(),
        leaf_count,
        sealed_at,
    }
    .close();
    seal::add_block(tx, &block, &batches).await?;
    Ok(Some(block))
}
