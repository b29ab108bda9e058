//! Exports an audit bundle: every record of the blocks that cover a period, their leaves, and the
//! chain from there to its head.
//!
//! A block covers the period if it was sealed in it, or holds an entry that is booked in it. The
//! records of a block are always all there, so that none can be left out unnoticed. The export is
//! itself audited, before it is made. A chain from which something was taken away, or in which
//! something was changed, is not exported at all: no bundle looks whole that is not.

use super::{
    archive::Archive,
    manifest::{BLOCKS, BlockLine, FORMAT, LEAVES, MANIFEST, Manifest, member_of},
    sums::Sums,
};
use crate::{
    Engine, Error, audit, in_tx,
    seal::{Leaves, append_blocks, secret},
    storage::{
        Reader, bundle,
        seal::{self, LeafBatch},
        sealed::{self, RecordSink},
    },
    verify::broken_chain,
};
use domain::{
    actor::{Actor, Permission},
    seal::{Block, Encoder, Head, Record, RecordKind, hex_of, json},
    time::{Day, Zone},
};
use std::{collections::BTreeSet, io, path::Path};

const BLOCKS_AT_ONCE: i64 = 500;
const BATCHES_AT_ONCE: i64 = 20;

/// What was exported.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Exported {
    /// The chain's head at that time, `N:HASH`.
    pub head: String,
    /// Blocks whose records are in the bundle.
    pub blocks: u64,
    /// Records in the bundle.
    pub records: u64,
}

/// Writes a bundle to `path`. Days are cut in UTC.
pub async fn export_audit(
    engine: &Engine,
    actor: &Actor,
    from: Day,
    to: Day,
    path: &Path,
) -> Result<Exported, Error> {
    actor.require(Permission::Audit)?;
    if to < from {
        return Err(Error::invalid("to", "lies before the first day"));
    }
    let now = engine.now();
    in_tx!(engine.store, |tx| {
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let period = format!("{from} to {to}");
        let detail = serde_json::json!({ "from": from, "to": to });
        audit::record(
            tx,
            &mut leaves,
            actor,
            now,
            "export_audit",
            &period,
            &detail,
        )
        .await?;
        leaves.write(tx).await
    })?;
    let head = append_blocks(engine).await?;

    let mut reader = engine.store.read().await?;
    if let Some(broken) = broken_chain(&mut reader).await? {
        return Err(Error::Conflict(format!(
            "nothing was exported: {broken}; run verify to see what else is wrong, and compare with a head that was noted elsewhere"
        )));
    }
    let secret = secret::known(&mut reader)
        .await?
        .ok_or_else(|| Error::Internal("nothing was sealed, not even this export".to_owned()))?;
    let mut manifest = Manifest {
        format: FORMAT.to_owned(),
        instance: hex_of(&secret.fingerprint()),
        from: from.to_string(),
        to: to.to_string(),
        exported_at: now.to_string(),
        exported_by: actor.name(),
        head: head.map_or_else(String::new, |h| h.to_string()),
        blocks: 0,
        covered_blocks: 0,
        leaves: 0,
        balances: Vec::new(),
        members: Vec::new(),
    };
    let mut archive = Archive::create(path).map_err(|e| not_written(path, &e))?;
    let mut export = Export {
        reader: &mut reader,
        archive: &mut archive,
        path,
        covered: BTreeSet::new(),
        first: 1,
    };
    export.find_blocks(from, to, head).await?;
    export.write_blocks(head, &mut manifest).await?;
    export.write_leaves(&mut manifest).await?;
    let mut records = Records {
        encoder: Encoder::new(secret),
        lines: Vec::new(),
        sums: Sums::default(),
        missing: false,
    };
    for kind in RecordKind::ALL {
        export.write_records(*kind, &mut records).await?;
    }
    manifest.balances = records.sums.balances();
    manifest.members = archive.members().to_vec();
    let exported = Exported {
        head: manifest.head.clone(),
        blocks: manifest.covered_blocks,
        records: manifest.leaves,
    };
    let text = serde_json::to_string_pretty(&manifest)
        .map_err(|e| Error::Internal(format!("the manifest cannot be written: {e}")))?;
    archive
        .begin(MANIFEST)
        .and_then(|()| archive.write(text.as_bytes(), 0))
        .and_then(|()| archive.finish(path))
        .map_err(|e| not_written(path, &e))?;
    Ok(exported)
}

fn not_written(path: &Path, error: &io::Error) -> Error {
    Error::Internal(format!("cannot write {}: {error}", path.display()))
}

struct Export<'e> {
    reader: &'e mut Reader,
    archive: &'e mut Archive,
    path: &'e Path,
    /// Numbers of the blocks whose records are exported.
    covered: BTreeSet<i64>,
    /// Number of the first block that is here: one from before the period, which shows that none of the
    /// period was left out, unless the chain begins in it.
    first: i64,
}

impl Export<'_> {
    /// Blocks sealed since the head was taken are no part of this bundle.
    async fn find_blocks(&mut self, from: Day, to: Day, head: Option<Head>) -> Result<(), Error> {
        let start = from.start_in(Zone::UTC).micros();
        let end = to.next().start_in(Zone::UTC).micros();
        let sealed = bundle::blocks_sealed(&mut *self.reader, start, end).await?;
        self.covered.extend(sealed);
        let booked = bundle::blocks_booked(&mut *self.reader, from.number(), to.number()).await?;
        self.covered.extend(booked);
        let last = head.map_or(0, |h| h.number);
        self.covered.retain(|number| *number <= last);
        let before = bundle::block_before(&mut *self.reader, start).await?;
        let before = before.unwrap_or(1).min(last.max(1));
        let covered = self.covered.first().map_or(before, |first| *first);
        self.first = before.min(covered);
        Ok(())
    }

    /// The chain from the last block before the period to the head.
    async fn write_blocks(
        &mut self,
        head: Option<Head>,
        manifest: &mut Manifest,
    ) -> Result<(), Error> {
        self.begin(BLOCKS)?;
        let last = head.map_or(0, |h| h.number);
        let mut after = self.first - 1;
        while after < last {
            let blocks = seal::blocks_after(&mut *self.reader, after, BLOCKS_AT_ONCE).await?;
            if blocks.is_empty() {
                break;
            }
            for block in blocks.iter().filter(|b| b.header.number <= last) {
                let covered = self.covered.contains(&block.header.number);
                manifest.blocks += 1;
                manifest.covered_blocks += u64::from(covered);
                let line = self.block_line(block, covered).await?;
                let mut text = serde_json::to_vec(&line)
                    .map_err(|e| Error::Internal(format!("a block cannot be written: {e}")))?;
                text.push(b'\n');
                self.write(&text, 1)?;
            }
            after = blocks.last().map_or(last, |b| b.header.number);
        }
        Ok(())
    }

    async fn block_line(&mut self, block: &Block, covered: bool) -> Result<BlockLine, Error> {
        let header = &block.header;
        let batches = if covered {
            bundle::batch_sizes(&mut *self.reader, header.number).await?
        } else {
            Vec::new()
        };
        Ok(BlockLine {
            number: header.number,
            previous: hex_of(&header.previous),
            root: hex_of(&header.root),
            leaf_count: header.leaf_count,
            sealed_at: header.sealed_at,
            hash: hex_of(&block.hash),
            covered,
            batches: batches
                .into_iter()
                .map(|(kind, count)| (kind, count.unsigned_abs()))
                .collect(),
        })
    }

    async fn write_leaves(&mut self, manifest: &mut Manifest) -> Result<(), Error> {
        self.begin(LEAVES)?;
        for number in self.covered.clone() {
            let mut position = 0;
            loop {
                let batches =
                    seal::batches_of_block(&mut *self.reader, number, position, BATCHES_AT_ONCE)
                        .await?;
                if batches.is_empty() {
                    break;
                }
                position += i64::try_from(batches.len()).unwrap_or(BATCHES_AT_ONCE);
                for batch in batches {
                    let count = batch.leaves.len() as u64;
                    self.write(batch.leaves.as_flattened(), count)?;
                    manifest.leaves += count;
                }
            }
        }
        Ok(())
    }

    async fn write_records(
        &mut self,
        kind: RecordKind,
        records: &mut Records,
    ) -> Result<(), Error> {
        self.begin(&member_of(kind))?;
        let (Some(first), Some(last)) = (self.covered.first(), self.covered.last()) else {
            return Ok(());
        };
        let (mut after, last) = ((*first, 0), *last);
        loop {
            let batches = seal::batches_of_kind(&mut *self.reader, kind, after, last).await?;
            let Some((block, position, _)) = batches.last() else {
                return Ok(());
            };
            after = (*block, *position);
            for (block, _, LeafBatch { id, refs, .. }) in batches {
                if !self.covered.contains(&block) {
                    continue;
                }
                records.lines.clear();
                sealed::read(self.reader, kind, &refs, records).await?;
                if records.missing {
                    return Err(Error::Conflict(format!(
                        "a {kind} of leaf batch {id} is gone: verify the database"
                    )));
                }
                let lines = std::mem::take(&mut records.lines);
                self.write(&lines, refs.len().unsigned_abs())?;
                records.lines = lines;
            }
        }
    }

    fn begin(&mut self, name: &str) -> Result<(), Error> {
        self.archive
            .begin(name)
            .map_err(|e| not_written(self.path, &e))
    }

    fn write(&mut self, bytes: &[u8], records: u64) -> Result<(), Error> {
        self.archive
            .write(bytes, records)
            .map_err(|e| not_written(self.path, &e))
    }
}

/// Turns records into lines.
struct Records {
    encoder: Encoder,
    lines: Vec<u8>,
    sums: Sums,
    missing: bool,
}

impl RecordSink for Records {
    fn record<R: Record>(&mut self, _: usize, record: &R) {
        let salts = self.encoder.salts(record);
        json::write(record, &salts, &mut self.lines);
        if R::KIND == RecordKind::LedgerEntry {
            self.sums.add_record(record);
        }
    }

    fn missing(&mut self, _: usize) {
        self.missing = true;
    }
}
