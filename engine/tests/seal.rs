//! What is recorded is sealed, on both databases.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use domain::{
    seal::{
        Text,
        block::Block,
        records::{AuditEntryRecord, IntentEventRecord},
    },
    time::Instant,
};
use engine::{
    Engine, Sources, Store,
    clock::FixedClock,
    ids::FixedIds,
    seal::{Leaves, append_blocks},
    storage::seal,
    testing::both,
};
use std::sync::Arc;

fn engine(store: Store) -> Engine {
    Engine {
        store,
        sources: Sources {
            clock: Arc::new(FixedClock::at(Instant::from_micros(1_764_000_000_000_000))),
            ids: Arc::new(FixedIds::default()),
        },
    }
}

fn audited(subject: &str) -> AuditEntryRecord<'_> {
    AuditEntryRecord {
        at: 1_764_000_000_000_000,
        actor: Text::Plain("operator"),
        action: "test",
        subject: Text::Plain(subject),
        detail: Text::Plain("{}"),
    }
}

/// Pushes audit records of these ids and a state change of an intent for each.
async fn record(engine: &Engine, ids: std::ops::Range<i64>) {
    let mut tx = engine.store.begin().await.unwrap();
    let mut leaves = Leaves::begin(&mut tx, &engine.sources).await.unwrap();
    for id in ids {
        leaves.push(id, &audited(&id.to_string()));
        leaves.push_part(
            id * 3,
            2,
            &IntentEventRecord {
                intent: "i",
                version: 2,
                state: "SUCCEEDED",
                cause_kind: "import",
                cause: "x",
                acted_at: None,
            },
        );
    }
    leaves.write(&mut tx).await.unwrap();
    assert!(leaves.is_empty());
    tx.commit().await.unwrap();
}

async fn chain(engine: &Engine) -> Vec<Block> {
    let mut reader = engine.store.read().await.unwrap();
    seal::blocks_after(&mut reader, 0, 1_000).await.unwrap()
}

#[test]
fn what_waits_goes_into_blocks_that_name_each_other() {
    both(async |store| {
        let engine = engine(store);
        assert_eq!(append_blocks(&engine).await.unwrap(), None);
        record(&engine, 1..400).await;
        record(&engine, 400..410).await;
        let first = append_blocks(&engine).await.unwrap().unwrap();
        assert_eq!(append_blocks(&engine).await.unwrap(), Some(first));
        record(&engine, 410..411).await;
        let second = append_blocks(&engine).await.unwrap().unwrap();

        let blocks = chain(&engine).await;
        assert_eq!(blocks.len(), 2);
        blocks[0].check_after(None).unwrap();
        blocks[1].check_after(Some(first)).unwrap();
        assert_eq!(blocks[1].head(), second);
        assert_eq!(blocks[0].header.leaf_count, 2 * 409);

        let mut reader = engine.store.read().await.unwrap();
        let batches = seal::batches_of_block(&mut reader, 1, 0, 100)
            .await
            .unwrap();
        let leaves: Vec<_> = batches.iter().flat_map(|b| b.leaves.clone()).collect();
        assert_eq!(domain::seal::merkle::root(&leaves), blocks[0].header.root);
        let named: i64 = batches.iter().map(|b| b.refs.len()).sum();
        assert_eq!(named, 2 * 409);
    });
}

#[test]
fn a_transaction_that_is_rolled_back_leaves_no_leaf() {
    both(async |store| {
        let engine = engine(store);
        let mut tx = engine.store.begin().await.unwrap();
        let mut leaves = Leaves::begin(&mut tx, &engine.sources).await.unwrap();
        leaves.push(1, &audited("lost"));
        leaves.write(&mut tx).await.unwrap();
        tx.rollback().await.unwrap();
        assert_eq!(append_blocks(&engine).await.unwrap(), None);
    });
}

#[test]
fn several_servers_seal_at_the_same_time_and_the_chain_has_no_gap() {
    both(async |store| {
        let engine = engine(store);
        for round in 0..5 {
            record(&engine, round * 10 + 1..round * 10 + 11).await;
            let (a, b, c) = tokio::join!(
                append_blocks(&engine),
                append_blocks(&engine),
                append_blocks(&engine)
            );
            for outcome in [a, b, c] {
                outcome.unwrap();
            }
        }
        let mut before = None;
        let mut leaves = 0;
        for block in chain(&engine).await {
            block.check_after(before).unwrap();
            before = Some(block.head());
            leaves += block.header.leaf_count;
        }
        assert_eq!(leaves, 100);
    });
}
