//! Every block holds the root of its leaves and names the block before; a noted head lies on it.

use crate::{
    Error,
    storage::{Reader, seal, verify},
};
use domain::seal::{Head, hex_of, merkle::Tree};

/// Blocks that are read at once.
const BLOCKS_AT_ONCE: i64 = 500;
/// Batches that are read at once.
const BATCHES_AT_ONCE: i64 = 20;

/// What the chain came to.
#[derive(Debug, Default)]
pub struct Found {
    /// Blocks that were recomputed.
    pub blocks: u64,
    /// The last block.
    pub head: Option<Head>,
    /// The first block that breaks the chain.
    pub broken: Option<String>,
    /// Why the noted head does not lie on the chain.
    pub off_chain: Option<String>,
}

/// Walks the chain from its first block. `noted` is a head that was written down elsewhere.
pub async fn check(reader: &mut Reader, noted: Option<Head>) -> Result<Found, Error> {
    let mut found = Found::default();
    loop {
        let after = found.head.map_or(0, |h| h.number);
        let blocks = seal::blocks_after(&mut *reader, after, BLOCKS_AT_ONCE).await?;
        if blocks.is_empty() {
            break;
        }
        for block in blocks {
            let number = block.header.number;
            found.blocks += 1;
            if found.broken.is_none() {
                found.broken = match block.check_after(found.head) {
                    Err(broken) => Some(broken.to_string()),
                    Ok(()) => wrong_root(reader, &block).await?,
                };
            }
            if let Some(noted) = noted.filter(|n| n.number == number && n.hash != block.hash) {
                found.off_chain = Some(format!(
                    "block {number} has the hash {}, the noted head says {}",
                    hex_of(&block.hash),
                    hex_of(&noted.hash)
                ));
            }
            found.head = Some(block.head());
        }
    }
    if found.broken.is_none() {
        found.broken = verify::adrift(&mut *reader).await?.map(|(batch, record)| {
            format!("leaves of {record} records (batch {batch}) lie in no block and wait for none: a block was taken away")
        });
    }
    if let Some(noted) = noted {
        let last = found.head.map_or(0, |h| h.number);
        if noted.number < 1 || noted.number > last {
            found.off_chain = Some(format!(
                "there is no block {}; the chain ends with block {last}",
                noted.number
            ));
        }
    }
    Ok(found)
}

async fn wrong_root(
    reader: &mut Reader,
    block: &domain::seal::Block,
) -> Result<Option<String>, Error> {
    let number = block.header.number;
    let mut tree = Tree::default();
    let mut position = 0;
    loop {
        let batches =
            seal::batches_of_block(&mut *reader, number, position, BATCHES_AT_ONCE).await?;
        if batches.is_empty() {
            break;
        }
        position += i64::try_from(batches.len()).unwrap_or(BATCHES_AT_ONCE);
        for batch in batches {
            tree.extend(batch.leaves);
        }
    }
    if i64::try_from(tree.count()) != Ok(block.header.leaf_count) {
        return Ok(Some(format!(
            "block {number} was sealed over {} leaves, but {} are stored",
            block.header.leaf_count,
            tree.count()
        )));
    }
    let root = tree.root();
    Ok((root != block.header.root).then(|| {
        format!(
            "block {number} has the root {}, its stored leaves give {}",
            hex_of(&block.header.root),
            hex_of(&root)
        )
    }))
}
