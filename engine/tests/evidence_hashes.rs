//! Every piece of evidence that a page shows, and a decision seals, carries the leaf that the chain holds.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // as in any test

#[path = "support/shop.rs"]
mod shop;

use domain::actor::Actor;
use engine::{
    Store,
    seal::append_blocks,
    storage::seal::{batches_of_block, head},
    testing::both,
    views,
};
use shop::Shop;
use std::{collections::HashSet, fmt::Write};

const HEADER: &str = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code\n";
const PAYMENTS: usize = 100;

/// Payments with their one attempt, all of them alike but for their number.
fn csv(numbers: impl Iterator<Item = usize>, outcome: &str) -> String {
    let mut csv = HEADER.to_owned();
    for n in numbers {
        writeln!(csv, "i{n},order-{n},charge,10.00,EUR,in,,2026-11-02T09:00:00Z,,a{n},1,shop,i{n},pi_{n},2026-11-02T09:00:01Z,,{outcome},").unwrap();
    }
    csv
}

/// All leaves of the chain, in hexadecimal digits.
async fn sealed_leaves(store: &Store) -> HashSet<String> {
    let mut reader = store.read().await.unwrap();
    let last = head(&mut reader).await.unwrap().unwrap().header.number;
    let mut leaves = HashSet::new();
    for block in 1..=last {
        let batches = batches_of_block(&mut reader, block, 0, i64::MAX)
            .await
            .unwrap();
        let of_block = batches.into_iter().flat_map(|batch| batch.leaves);
        leaves.extend(of_block.map(hex::encode));
    }
    leaves
}

/// Thirty reports, each of two payments as far apart as may be, so that a record in the middle lies
/// between the ends of all of them, and its own was the first.
#[test]
fn a_record_is_found_among_many_lists_that_reach_across_it() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.import_payments(&csv(1..=PAYMENTS, "unknown")).await;
        let first = [1, 50, PAYMENTS].into_iter();
        shop.import_payments(&csv(first, "succeeded")).await;
        for n in 2..=30 {
            let pair = [n, PAYMENTS + 1 - n].into_iter();
            shop.import_payments(&csv(pair, "succeeded")).await;
        }
        append_blocks(&shop.engine).await.unwrap();

        let leaves = sealed_leaves(&shop.engine.store).await;
        for n in [1, 2, 30, 50, 71, PAYMENTS] {
            let page = views::intent(&shop.engine, &Actor::Operator, &format!("i{n}"))
                .await
                .unwrap()
                .unwrap();
            let told: Vec<_> = page.timeline.iter().map(|t| &t.text).collect();
            assert_eq!(told.len(), 3, "sent, succeeded, and the report: {told:?}");
            for testimony in &page.timeline {
                let leaf = leaves.contains(&testimony.hash);
                let reported = testimony.text.starts_with("A later row");
                assert!(leaf || reported, "payment {n}: {testimony:?}");
                assert_eq!(testimony.hash.len(), 64, "payment {n}: {testimony:?}");
            }
        }
        shop.expect_verified().await;
    });
}
