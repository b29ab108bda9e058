//! The main job at size: payments in, a settlement file in, every verdict, entry, leaf and case
//! written, beside a plain bulk insert of the same lines and verdicts into the same tables.
//!
//! `cargo run --release -p engine --example main_job -- URL ROWS tieout|stripe`, on an empty
//! database. One row in five hundred does not tie: its money is unexpected, a little short, or comes
//! twice. Prints seconds, lines a second, the ratio and the peak of memory.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_precision_loss
)] // a measurement ends where it fails

use domain::{
    account::ProviderKind,
    actor::Actor,
    time::Zone,
    view::queue::{QueueFilter, QueueView},
};
use engine::{
    Engine, Store,
    evidence_store::EvidenceStore,
    import_payments::import_payments,
    ingest::{Ingest, Summary, receive_file, summary, work_account},
    providers::{NewProvider, add_provider},
    storage::{
        Rows,
        matching::{LINE, LINE_NOW, VERDICT},
        payments,
    },
    views,
};
use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
    time::Instant,
};

/// As in the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// One row in this many does not tie.
const ODD: u64 = 500;

/// Cases that a second file opens before the queue page is measured.
const MORE_CASES: u64 = 20_000;

#[tokio::main]
async fn main() {
    // As the server does.
    #[cfg(target_os = "linux")]
    rustix::thread::disable_transparent_huge_pages(true).unwrap();
    let mut args = std::env::args().skip(1);
    let (url, rows, shape) = (
        args.next().unwrap(),
        args.next().unwrap(),
        args.next().unwrap(),
    );
    let rows: u64 = rows.parse().unwrap();
    let folder = std::env::temp_dir().join(format!("tieout-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (payments, settlement) = (folder.join("payments.csv"), folder.join("settlement.csv"));
    write_payments(&payments, rows);
    write_settlement(&settlement, 0..rows, false, &shape);

    let store = Store::open(&url).await.unwrap();
    store.migrate().await.unwrap();
    let engine = Engine::new(store);
    let kind = if shape == "stripe" {
        ProviderKind::Stripe
    } else {
        ProviderKind::Generic
    };
    let account = NewProvider {
        name: "shop".to_owned(),
        kind,
        zone: Zone::UTC,
        fields: Vec::new(),
    };
    add_provider(&engine, &Actor::Operator, account)
        .await
        .unwrap();

    let stretch = Stretch::begin();
    let done = import_payments(&engine, &Actor::Operator, File::open(&payments).unwrap())
        .await
        .unwrap();
    assert_eq!(done.attempts_new, rows);
    let imported = stretch.report("payments import", rows);
    println!("  peak memory {} MB", peak_memory());

    let evidence = EvidenceStore::open(&folder).await.unwrap();
    let stretch = Stretch::begin();
    let start = stretch.start;
    let ingest = Ingest::silent(engine.clone(), evidence);
    let states = std::sync::Arc::new(std::sync::Mutex::new(Vec::<(String, f64)>::new()));
    let told = states.clone();
    let watching = Ingest {
        tell: std::sync::Arc::new(move |p| {
            let at = start.elapsed().as_secs_f64();
            let mut states = told.lock().unwrap();
            match states.last_mut() {
                Some(last) if last.0 == p.state => last.1 = at,
                _ => states.push((p.state, at)),
            }
        }),
        ..ingest
    };
    let id = take_in(&watching, "bench.csv", &settlement).await;
    let taken = stretch.report(&format!("{shape} file, first byte to queue ready"), rows);
    for (state, at) in states.lock().unwrap().iter() {
        println!("  {state:<9} until {at:.2} s");
    }
    let summary = summary_of(&engine, id).await;
    println!(
        "  {} {:?}, {} cases",
        summary.state, summary.verdicts, summary.cases_opened
    );
    println!("  peak memory {} MB", peak_memory());
    let plain = plain_insert(&engine, &url, rows).await;
    println!("ratio {:.2}", taken / plain);
    let plain = plain_payments(&url, rows).await;
    println!("ratio of the payments {:.2}", imported / plain);
    let unexpected = folder.join("unexpected.csv");
    let first = 2 * rows;
    write_settlement(&unexpected, first..first + MORE_CASES, true, &shape);
    let stretch = Stretch::begin();
    let id = take_in(&watching, "unexpected.csv", &unexpected).await;
    stretch.report("rows that name nobody, a case each", MORE_CASES);
    let summary = summary_of(&engine, id).await;
    println!(
        "  {} {:?}, {} cases",
        summary.state, summary.verdicts, summary.cases_opened
    );
    queue_page(&engine).await;
    std::fs::remove_dir_all(&folder).unwrap();
}

/// From the first byte until the queue is ready.
async fn take_in(ingest: &Ingest, name: &str, path: &Path) -> i64 {
    let file = tokio::fs::File::open(path).await.unwrap();
    let stored = ingest.evidence.store(file).await.unwrap();
    let received = receive_file(&ingest.engine, &Actor::Operator, "shop", name, None, stored)
        .await
        .unwrap();
    work_account(ingest, received.account_id).await.unwrap();
    received.id
}

async fn summary_of(engine: &Engine, file: i64) -> Summary {
    summary(engine, file, false).await.unwrap()
}

/// A stretch of work: how long it took, by the clock and on the processors.
struct Stretch {
    start: Instant,
    processor: f64,
}

impl Stretch {
    fn begin() -> Self {
        Self {
            start: Instant::now(),
            processor: processor_seconds(),
        }
    }

    fn report(&self, what: &str, rows: u64) -> f64 {
        let seconds = self.start.elapsed().as_secs_f64();
        println!(
            "{what}: {rows} rows in {seconds:.2} s ({:.2} s of processors), {:.0} rows/s",
            processor_seconds() - self.processor,
            rows as f64 / seconds
        );
        seconds
    }
}

/// Seconds that all threads have run, where the system tells; ticks are hundredths on Linux.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or("").split_whitespace();
    let ticks: u64 = fields
        .skip(11)
        .take(2)
        .filter_map(|t| t.parse::<u64>().ok())
        .sum();
    ticks as f64 / 100.0
}

/// A number that looks random but is the same in every run (splitmix64).
fn scatter(n: u64) -> u64 {
    let mut z = n
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn cents(n: u64) -> u64 {
    500 + n * 7_919 % 20_000
}

fn write_payments(path: &Path, rows: u64) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    writeln!(out, "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code").unwrap();
    for n in 0..rows {
        let (whole, part) = (cents(n) / 100, cents(n) % 100);
        writeln!(
            out,
            "in-{n},order-{n},charge,{whole}.{part:02},EUR,in,,2026-11-02T09:00:00Z,,at-{n},1,shop,in-{n},pi_{:016x},2026-11-02T09:00:01Z,2026-11-02T09:00:02Z,succeeded,",
            scatter(n)
        )
        .unwrap();
    }
    out.flush().unwrap();
}

/// Rows of a settlement file; `unexpected` ones name nothing that is known.
fn write_settlement(path: &Path, rows: std::ops::Range<u64>, unexpected: bool, shape: &str) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    let stripe = shape == "stripe";
    let header = if stripe {
        "balance_transaction_id,created_utc,available_on_utc,currency,gross,fee,net,reporting_category,description,payment_intent_id,automatic_payout_id,payment_metadata[order_id]"
    } else {
        "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description"
    };
    writeln!(out, "{header}").unwrap();
    for n in rows {
        let odd = n % ODD == 1;
        let unexpected = unexpected || odd && n % 3 == 1;
        let gross = if odd && n % 3 == 0 {
            cents(n) - 100
        } else {
            cents(n)
        };
        let id = if unexpected {
            scatter(n) ^ 1
        } else {
            scatter(n)
        };
        let reference = if unexpected {
            format!("none-{n}")
        } else {
            format!("order-{n}")
        };
        let (fee, net) = (gross / 50, gross - gross / 50);
        let money = |m: u64| format!("{}.{:02}", m / 100, m % 100);
        let (gross, fee, net) = (money(gross), money(fee), money(net));
        if stripe {
            writeln!(out, "txn_{:016x},2026-11-02 09:00:02,2026-11-04 00:00:00,eur,{gross},{fee},{net},charge,,pi_{id:016x},po_1,{reference}", scatter(n + (1 << 40))).unwrap();
        } else {
            writeln!(out, "row-{n},payment,pi_{id:016x},{reference},{gross},{fee},{net},EUR,2026-11-02T09:00:02Z,2026-11-04T00:00:00Z,b1,,").unwrap();
        }
    }
    out.flush().unwrap();
}

/// Peak of resident memory in megabytes, where the system tells.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find(|l| l.starts_with("VmHWM:"))
        .unwrap_or("");
    line.split_whitespace()
        .nth(1)
        .and_then(|kb| kb.parse::<u64>().ok())
        .unwrap_or(0)
        / 1024
}

async fn queue_page(engine: &Engine) {
    let filter = QueueFilter {
        view: QueueView::All,
        ..QueueFilter::default()
    };
    let mut times: Vec<f64> = Vec::new();
    for _ in 0..300 {
        let start = Instant::now();
        views::queue(engine, &Actor::Operator, &filter)
            .await
            .unwrap();
        times.push(start.elapsed().as_secs_f64() * 1_000.0);
    }
    times.sort_by(f64::total_cmp);
    println!(
        "queue page, 300 times: median {:.1} ms, p99 {:.1} ms",
        times[150], times[297]
    );
}

/// A database of its own for plain inserts.
async fn fresh(url: &str, name: &str) -> Store {
    let url = if url.starts_with("sqlite") {
        format!("{url}.{name}.db")
    } else {
        url.replace("/bench?", &format!("/bench_{name}?"))
    };
    let fresh = Store::open(&url).await.unwrap();
    fresh.migrate().await.unwrap();
    fresh
}

/// Seconds that the intents and attempts take into the same tables of a fresh database, by plain bulk
/// inserts: nothing looked up, no leaves.
async fn plain_payments(url: &str, rows: u64) -> f64 {
    const UNIT: usize = 100_000;
    const CHUNK: usize = 5_000;
    let fresh = fresh(url, "plain_payments").await;
    engine::testing::plain::prepare(&fresh).await.unwrap();
    let all: Vec<u64> = (0..rows).collect();
    let stretch = Stretch::begin();
    for unit in all.chunks(UNIT) {
        let mut tx = fresh.begin().await.unwrap();
        for chunk in unit.chunks(CHUNK) {
            let (mut intents, mut attempts) = (payments::intent_rows(), payments::attempt_rows());
            for n in chunk {
                plain_payment(*n, &mut intents, &mut attempts);
            }
            intents.insert_into(&mut tx, "intent").await.unwrap();
            attempts.insert_into(&mut tx, "attempt").await.unwrap();
        }
        tx.commit().await.unwrap();
    }
    stretch.report("plain bulk insert of the same intents and attempts", rows)
}

/// What [`write_payments`] says of a payment, as rows.
fn plain_payment(n: u64, intents: &mut Rows, attempts: &mut Rows) {
    const CREATED: i64 = 1_793_610_000_000_000;
    let id = i64::try_from(n + 1).unwrap();
    let intent = format!("in-{n}");
    intents
        .add()
        .int(id)
        .text(&intent)
        .text(&format!("order-{n}"))
        .text("charge")
        .int(i64::try_from(cents(n)).unwrap())
        .text("EUR")
        .text("in")
        .text("")
        .int(CREATED)
        .text("at_most_once")
        .text("import");
    attempts
        .add()
        .int(id)
        .int(id)
        .int(1)
        .text(&format!("at-{n}"))
        .int(1)
        .text(&intent)
        .text(&format!("pi_{:016x}", scatter(n)))
        .int(CREATED + 1_000_000)
        .opt_int(Some(CREATED + 2_000_000))
        .text("succeeded")
        .text("");
}

/// Seconds that the same rows take into the same tables of a fresh database, by plain bulk inserts.
async fn plain_insert(engine: &Engine, url: &str, rows: u64) -> f64 {
    let fresh = fresh(url, "plain").await;
    let tables = engine::testing::plain::tables(engine.store.read().await.unwrap(), rows)
        .await
        .unwrap();
    engine::testing::plain::prepare(&fresh).await.unwrap();
    let stretch = Stretch::begin();
    for part in tables.chunks(100_000) {
        let mut tx = fresh.begin().await.unwrap();
        for chunk in part.chunks(10_000) {
            let (mut lines, mut verdicts, mut now) = (
                Rows::new("line", LINE),
                Rows::new("verdict", VERDICT),
                Rows::new("line_now", LINE_NOW),
            );
            for row in chunk {
                row.add_to(&mut lines, &mut verdicts, &mut now);
            }
            lines.insert_into(&mut tx, "line").await.unwrap();
            verdicts.insert_into(&mut tx, "verdict").await.unwrap();
            now.insert_into(&mut tx, "line_now").await.unwrap();
        }
        tx.commit().await.unwrap();
    }
    stretch.report("plain bulk insert of the same lines and verdicts", rows)
}
