//! How long the queries of each page take on a database in use:
//! `cargo run --release -p engine --example page_times -- URL`. Prints median and 99th percentile.

#![allow(clippy::unwrap_used)] // a measurement ends where it fails

use domain::{
    actor::{Actor, Role},
    view::{
        files::FileFilter,
        ledger::{BalanceFilter, EntryFilter},
        line::LineFilter,
        payments::PaymentFilter,
        queue::{QueueFilter, QueueView},
    },
};
use engine::{Engine, Error, Store, views};
use std::time::{Duration, Instant};

const ROUNDS: usize = 100;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let engine = Engine::new(Store::open(&std::env::args().nth(1).unwrap_or_default()).await?);
    let me = Actor::Person {
        user_id: 1,
        email: "measure@example.com".to_owned(),
        roles: [Role::Approver, Role::Auditor].into(),
    };
    let (engine, me) = (&engine, &me);
    let queue = views::queue(engine, me, &QueueFilter::default()).await?;
    let files = views::files(engine, me, &FileFilter::default()).await?;
    let payments = views::payments(engine, me, &PaymentFilter::default()).await?;
    let file = files
        .rows
        .first()
        .map_or_else(String::new, |f| f.id.clone());
    let case = queue
        .rows
        .first()
        .map_or_else(String::new, |c| c.id.clone());
    let intent = payments
        .rows
        .last()
        .map(|p| (p.id.clone(), p.merchant_reference.clone()))
        .unwrap_or_default();
    let entry = views::entries(engine, me, &EntryFilter::default())
        .await?
        .rows
        .first()
        .map_or(0, |e| e.no);
    println!(
        "{} cases, {} payments, {} entries",
        queue.total, payments.total, entry
    );

    time("navigation", async || {
        views::nav_counts(engine, me).await.map(|_| ())
    })
    .await?;
    time("overview", async || {
        views::overview(engine, me).await.map(|_| ())
    })
    .await?;
    time("queue", async || {
        views::queue(engine, me, &QueueFilter::default())
            .await
            .map(|_| ())
    })
    .await?;
    let waiting = QueueFilter {
        view: QueueView::Over48h,
        kind: "amount_mismatch".into(),
        ..QueueFilter::default()
    };
    time("queue, filtered", async || {
        views::queue(engine, me, &waiting).await.map(|_| ())
    })
    .await?;
    let searched = QueueFilter {
        q: intent.1.clone(),
        ..QueueFilter::default()
    };
    time("queue, searched", async || {
        views::queue(engine, me, &searched).await.map(|_| ())
    })
    .await?;
    time("case", async || {
        views::case(engine, me, &case, &QueueFilter::default())
            .await
            .map(|_| ())
    })
    .await?;
    time("files", async || {
        views::files(engine, me, &FileFilter::default())
            .await
            .map(|_| ())
    })
    .await?;
    time("file", async || {
        views::file(engine, me, &file).await.map(|_| ())
    })
    .await?;
    time("lines", async || {
        views::lines(engine, me, &file, &LineFilter::default())
            .await
            .map(|_| ())
    })
    .await?;
    let odd = LineFilter {
        verdict: "CONFLICT".into(),
        ..LineFilter::default()
    };
    time("lines, filtered", async || {
        views::lines(engine, me, &file, &odd).await.map(|_| ())
    })
    .await?;
    time("payments", async || {
        views::payments(engine, me, &PaymentFilter::default())
            .await
            .map(|_| ())
    })
    .await?;
    let q = PaymentFilter {
        q: intent.1.clone(),
        ..PaymentFilter::default()
    };
    time("payments, searched", async || {
        views::payments(engine, me, &q).await.map(|_| ())
    })
    .await?;
    let unknown = PaymentFilter {
        state: "UNKNOWN".into(),
        ..PaymentFilter::default()
    };
    time("payments, rare state", async || {
        views::payments(engine, me, &unknown).await.map(|_| ())
    })
    .await?;
    time("payment", async || {
        views::intent(engine, me, &intent.0).await.map(|_| ())
    })
    .await?;
    time("trial balance", async || {
        views::trial_balance(engine, me, &BalanceFilter::default())
            .await
            .map(|_| ())
    })
    .await?;
    time("entries", async || {
        views::entries(engine, me, &EntryFilter::default())
            .await
            .map(|_| ())
    })
    .await?;
    time("entry with proof", async || {
        views::entry(engine, me, entry).await.map(|_| ())
    })
    .await
}

async fn time(page: &str, load: impl AsyncFn() -> Result<(), Error>) -> Result<(), Error> {
    let mut times = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        load().await?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let at = |n: usize| {
        times
            .get(n)
            .copied()
            .unwrap_or(Duration::ZERO)
            .as_secs_f64()
            * 1_000.0
    };
    println!(
        "{page:22} {:8.2} ms {:8.2} ms",
        at(ROUNDS / 2),
        at(ROUNDS - 1)
    );
    Ok(())
}
