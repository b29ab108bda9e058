//! Leaves, blocks and the instance secret, as stored.

use super::{ColumnType, Rows, StorageError, stored, tx::Connected};
use crate::{all, exec, exec_one, opt, scalar, scalar_opt, statements};
use domain::seal::{Block, BlockHeader, Hash, RecordKind};

statements! {
    SECRET(0) = "seal/secret.sql";
    KEEP_SECRET(1) = "seal/keep_secret.sql";
    ADD_BATCH(8) = "seal/add_batch.sql";
    ADD_WAITING(1) = "seal/add_waiting.sql";
    WAITS(0) = "seal/waits.sql", may_scan "stops at the first row";
    WAITING(1) = "seal/waiting.sql", may_scan "in key order, as many as one block takes";
    LEAVES(1) = "seal/leaves.sql";
    ADD_BLOCK(6) = "seal/add_block.sql";
    HEAD(0) = "seal/head.sql", may_scan "backwards in key order, one row";
    BLOCK(1) = "seal/block.sql";
    BLOCKS_AFTER(2) = "seal/blocks_after.sql";
    BATCHES_OF_BLOCK(3) = "seal/batches_of_block.sql";
    BATCHES_OF_KIND(4) = "seal/batches_of_kind.sql";
    NEAR(2) = "seal/near.sql";
    BATCHES_WITH(3) = "seal/batches_with.sql";
    PLACE_OF_BATCH(1) = "seal/place_of_batch.sql";
    @rows
    STOP_WAITING(id: Int) = "seal/stop_waiting.sql";
}

/// Bytes of a leaf.
pub const LEAF_LEN: usize = 32;

/// Which records a batch of leaves belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refs {
    /// Rows of consecutive ids from the first to the last, all with this second key.
    Run {
        /// The first id.
        first: i64,
        /// The last id.
        last: i64,
        /// The second key, 0 where the table has none.
        part: i64,
    },
    /// Rows by id and second key.
    List(Vec<(i64, i64)>),
}

/// Leaves of records of one kind that one transaction wrote.
#[derive(Debug, Clone)]
pub struct LeafBatch {
    /// Its number.
    pub id: i64,
    /// Which kind of record.
    pub kind: RecordKind,
    /// Which records.
    pub refs: Refs,
    /// The leaves, in the same order.
    pub leaves: Vec<Hash>,
}

#[derive(sqlx::FromRow)]
struct BlockRow {
    number: i64,
    previous: Vec<u8>,
    root: Vec<u8>,
    leaf_count: i64,
    sealed_at: i64,
    hash: Vec<u8>,
}

#[derive(sqlx::FromRow)]
pub(super) struct BatchRow {
    id: i64,
    record: String,
    first_id: i64,
    last_id: i64,
    part: i64,
    refs: String,
    leaf_count: i64,
    leaves: Vec<u8>,
}

#[derive(sqlx::FromRow)]
pub(super) struct PlacedBatchRow {
    pub(super) block_number: i64,
    position: i64,
    #[sqlx(flatten)]
    pub(super) batch: BatchRow,
}

/// The instance secret as hexadecimal digits, if it was made.
pub async fn secret(mut tx: impl Connected) -> Result<Option<String>, StorageError> {
    scalar_opt!(&mut tx, String, SECRET)
}

/// Keeps a secret unless there is one.
pub async fn keep_secret(mut tx: impl Connected, hex: &str) -> Result<(), StorageError> {
    exec!(&mut tx, KEEP_SECRET, hex).map(|_| ())
}

/// Writes a batch of leaves and lets it wait for its block.
pub async fn add_batch(
    mut tx: impl Connected,
    id: i64,
    kind: RecordKind,
    refs: &Refs,
    leaves: &[u8],
) -> Result<(), StorageError> {
    let (first, last, part, list) = match refs {
        Refs::Run { first, last, part } => (*first, *last, *part, String::new()),
        Refs::List(list) => {
            let ids = list.iter().map(|(id, _)| *id);
            let (first, last) = (ids.clone().min().unwrap_or(0), ids.max().unwrap_or(0));
            (first, last, 0, stored::to_json(list)?)
        }
    };
    let count = i64::try_from(leaves.len() / LEAF_LEN).unwrap_or(i64::MAX);
    exec_one!(
        &mut tx,
        ADD_BATCH,
        id,
        kind.code(),
        first,
        last,
        part,
        list.as_str(),
        count,
        leaves
    )?;
    exec_one!(&mut tx, ADD_WAITING, id)
}

/// Whether any batch waits for a block.
pub async fn waits(mut tx: impl Connected) -> Result<bool, StorageError> {
    scalar!(&mut tx, bool, WAITS)
}

/// Batches that wait, in order, with their numbers of leaves.
pub async fn waiting(mut tx: impl Connected, most: i64) -> Result<Vec<(i64, i64)>, StorageError> {
    all!(&mut tx, (i64, i64), WAITING, most)
}

/// The leaves of a batch.
pub async fn leaves(mut tx: impl Connected, batch: i64) -> Result<Vec<Hash>, StorageError> {
    let bytes = scalar!(&mut tx, Vec<u8>, LEAVES, batch)?;
    split(batch, &bytes)
}

/// Appends a block that holds these batches, in their order.
pub async fn add_block(
    mut tx: &mut super::Tx,
    block: &Block,
    batches: &[i64],
) -> Result<(), StorageError> {
    let header = &block.header;
    exec_one!(
        &mut tx,
        ADD_BLOCK,
        header.number,
        header.previous.as_slice(),
        header.root.as_slice(),
        header.leaf_count,
        header.sealed_at,
        block.hash.as_slice()
    )?;
    let mut rows = Rows::new(
        "block_batch",
        &[
            ("block_number", ColumnType::Int),
            ("position", ColumnType::Int),
            ("leaf_batch_id", ColumnType::Int),
        ],
    );
    let mut done = Rows::of(&STOP_WAITING);
    for (batch, position) in batches.iter().zip(1..) {
        rows.add().int(header.number).int(position).int(*batch);
        done.add().int(*batch);
    }
    rows.insert_into(tx, "block_batch").await?;
    done.exec_each(tx, &STOP_WAITING).await
}

/// The last block.
pub async fn head(mut tx: impl Connected) -> Result<Option<Block>, StorageError> {
    opt!(&mut tx, BlockRow, HEAD)?
        .map(BlockRow::read)
        .transpose()
}

/// A block by its number.
pub async fn block(mut tx: impl Connected, number: i64) -> Result<Option<Block>, StorageError> {
    opt!(&mut tx, BlockRow, BLOCK, number)?
        .map(BlockRow::read)
        .transpose()
}

/// Blocks after a number, in order.
pub async fn blocks_after(
    mut tx: impl Connected,
    number: i64,
    most: i64,
) -> Result<Vec<Block>, StorageError> {
    all!(&mut tx, BlockRow, BLOCKS_AFTER, number, most)?
        .into_iter()
        .map(BlockRow::read)
        .collect()
}

/// Batches of a block after a position (0 before the first), in order.
pub async fn batches_of_block(
    mut tx: impl Connected,
    block: i64,
    after: i64,
    most: i64,
) -> Result<Vec<LeafBatch>, StorageError> {
    all!(&mut tx, BatchRow, BATCHES_OF_BLOCK, block, after, most)?
        .into_iter()
        .map(BatchRow::read)
        .collect()
}

/// Batches of one kind in the blocks from one number to another, after a place in the chain (block
/// and position), in the chain's order, each with its place.
pub async fn batches_of_kind(
    mut tx: impl Connected,
    kind: RecordKind,
    after: (i64, i64),
    last_block: i64,
) -> Result<Vec<(i64, i64, LeafBatch)>, StorageError> {
    all!(
        &mut tx,
        PlacedBatchRow,
        BATCHES_OF_KIND,
        kind.code(),
        after.0,
        after.1,
        last_block
    )?
    .into_iter()
    .map(|row| Ok((row.block_number, row.position, row.batch.read()?)))
    .collect()
}

/// The smallest first id of the batches nearest below an id: nearly always the batch that holds the
/// record is among them, and those of all earlier records need not be walked.
pub async fn near(mut tx: impl Connected, kind: RecordKind, id: i64) -> Result<i64, StorageError> {
    scalar!(&mut tx, i64, NEAR, kind.code(), id)
}

/// The batch that holds the leaf of a record whose row has this id, and where in it.
pub async fn batch_with(
    mut tx: impl Connected,
    kind: RecordKind,
    id: i64,
) -> Result<Option<(LeafBatch, usize)>, StorageError> {
    for from in [near(&mut tx, kind, id).await?, i64::MIN] {
        for row in all!(&mut tx, BatchRow, BATCHES_WITH, kind.code(), id, from)? {
            let batch = row.read()?;
            let place = batch.refs.keys().position(|(found, _)| found == id);
            if let Some(place) = place {
                return Ok(Some((batch, place)));
            }
        }
    }
    Ok(None)
}

/// The block that holds a batch, if one does yet, and how many leaves of it come before the batch.
pub async fn place_of(
    mut tx: impl Connected,
    batch: i64,
) -> Result<Option<(i64, i64)>, StorageError> {
    opt!(&mut tx, (i64, i64), PLACE_OF_BATCH, batch)
}

impl BlockRow {
    fn read(self) -> Result<Block, StorageError> {
        let number = self.number;
        let hash = |column, bytes: Vec<u8>| {
            Hash::try_from(bytes)
                .map_err(|_| stored::corrupt("block", column, number, &"not 32 bytes"))
        };
        Ok(Block {
            header: BlockHeader {
                number,
                previous: hash("previous", self.previous)?,
                root: hash("root", self.root)?,
                leaf_count: self.leaf_count,
                sealed_at: self.sealed_at,
            },
            hash: hash("hash", self.hash)?,
        })
    }
}

impl BatchRow {
    pub(super) fn read(self) -> Result<LeafBatch, StorageError> {
        let kind = stored::parse("leaf_batch", "record", self.id, &self.record)?;
        let leaves = split(self.id, &self.leaves)?;
        let refs = if self.refs.is_empty() {
            Refs::Run {
                first: self.first_id,
                last: self.last_id,
                part: self.part,
            }
        } else {
            Refs::List(stored::json("leaf_batch", "refs", self.id, &self.refs)?)
        };
        let count = i64::try_from(leaves.len()).unwrap_or(i64::MAX);
        if count != self.leaf_count || refs.len() != count {
            return Err(stored::corrupt(
                "leaf_batch",
                "leaf_count",
                self.id,
                &format!(
                    "it says {} leaves, holds {count}, and names {} records",
                    self.leaf_count,
                    refs.len()
                ),
            ));
        }
        Ok(LeafBatch {
            id: self.id,
            kind,
            refs,
            leaves,
        })
    }
}

impl Refs {
    /// How many records.
    pub fn len(&self) -> i64 {
        match self {
            Self::Run { first, last, .. } => last.saturating_sub(*first).saturating_add(1),
            Self::List(list) => i64::try_from(list.len()).unwrap_or(i64::MAX),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Id and second key of each record, in order.
    pub fn keys(&self) -> Box<dyn Iterator<Item = (i64, i64)> + Send + '_> {
        match self {
            Self::Run { first, last, part } => Box::new((*first..=*last).map(|id| (id, *part))),
            Self::List(list) => Box::new(list.iter().copied()),
        }
    }
}

fn split(batch: i64, bytes: &[u8]) -> Result<Vec<Hash>, StorageError> {
    let (leaves, rest) = bytes.as_chunks::<LEAF_LEN>();
    if !rest.is_empty() {
        return Err(stored::corrupt(
            "leaf_batch",
            "leaves",
            batch,
            &format!("{} bytes are no whole number of leaves", bytes.len()),
        ));
    }
    Ok(leaves.to_vec())
}
