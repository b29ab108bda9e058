//! Imports of the real binary that are killed, again and again, and begun again: what they leave in
//! the end is what an undisturbed run leaves.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

use engine::{
    Store,
    ingest::account::{LEASE, LEASE_SECONDS},
    storage::leases,
    testing::queries,
};
use std::{
    collections::HashSet,
    ffi::OsStr,
    fmt::{Debug, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// Two chunks of lines and a part, and thousands of lines for the closing pass.
const ROWS: u32 = 24_000;

/// More payments than one unit of work writes.
const PAYMENTS: u32 = 104_000;

/// How long anything may take before the test says that it hangs.
const BOUND: Duration = Duration::from_mins(2);

/// Into the transaction that posts the rows, on a machine that is not very quick.
const INTO_POSTING: Duration = Duration::from_millis(400);

/// A database, its data folder, and the files to import.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn url(&self) -> String {
        format!("sqlite://{}", self.path("tieout.db").display())
    }

    fn tieout(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tieout"));
        command
            .args(arguments)
            .args(["--database", &self.url(), "--data-dir"])
            .arg(self.path("files"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[impl AsRef<OsStr> + Debug]) {
        let done = self.tieout(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "tieout {arguments:?}: {said}");
    }

    fn import_payments(&self) -> Vec<String> {
        [
            "import",
            "payments",
            self.path("payments.csv").to_str().unwrap(),
        ]
        .map(String::from)
        .to_vec()
    }

    fn import_settlement(&self) -> Vec<String> {
        let file = self.path("settlement.csv");
        [
            "import",
            "settlement",
            file.to_str().unwrap(),
            "--provider",
            "shop",
        ]
        .map(String::from)
        .to_vec()
    }

    /// Starts a command and kills it as soon as the database is as wanted.
    async fn kill_when(
        &self,
        arguments: &[String],
        wanted: impl Fn(i64, &str, i64) -> bool,
    ) -> (i64, String, i64) {
        let store = Store::open(&self.url()).await.unwrap();
        let mut child = self.tieout(arguments).spawn().unwrap();
        let begun = Instant::now();
        loop {
            let far = queries::how_far(store.read().await.unwrap()).await.unwrap();
            if wanted(far.0, &far.1, far.2) {
                break;
            }
            assert!(begun.elapsed() < BOUND, "{arguments:?} is at {far:?}");
            let ended = child.try_wait().unwrap();
            assert!(ended.is_none(), "{arguments:?} ended at {far:?}");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        kill(&mut child);
        let left = queries::how_far(store.read().await.unwrap()).await.unwrap();
        let_time_pass(&store).await;
        store.close().await;
        left
    }

    async fn everything(&self) -> Vec<String> {
        let store = Store::open(&self.url()).await.unwrap();
        let all = queries::everything(store.read().await.unwrap())
            .await
            .unwrap();
        store.close().await;
        all
    }
}

/// SIGKILL: the process does nothing more.
fn kill(child: &mut Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The dead process holds its lease until it runs out; nobody waits for that here.
async fn let_time_pass(store: &Store) {
    let later = engine::Engine::new(store.clone())
        .now()
        .plus_seconds(2 * LEASE_SECONDS);
    let mut tx = store.begin().await.unwrap();
    assert!(
        leases::take(&mut tx, LEASE, "1", "nobody", later, later)
            .await
            .unwrap()
    );
    leases::release(&mut tx, LEASE, "1", "nobody")
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

fn payments() -> String {
    let mut text = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code\n".to_owned();
    for n in 0..PAYMENTS {
        let outcome = if n % 40 == 3 && n < ROWS {
            "unknown"
        } else {
            "succeeded"
        };
        let id = if n % 10 == 0 {
            String::new()
        } else {
            format!("pi_{n}")
        };
        writeln!(
            text,
            "i{n},order-{n},charge,{}.50,EUR,in,,2026-11-02T09:00:00Z,,a{n},1,shop,i{n},{id},2026-11-02T09:00:01Z,,{outcome},",
            10 + n % 90,
        )
        .unwrap();
    }
    text
}

/// Every tenth line is known by its reference only, every fiftieth has another amount, every
/// hundredth is nobody's, and a few come twice.
fn settlement() -> String {
    let mut text = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n".to_owned();
    let mut row = |row: &str, n: u32| {
        let (id, reference) = match n {
            n if n % 100 == 7 => (format!("px_{n}"), String::new()),
            n => (format!("pi_{n}"), format!("order-{n}")),
        };
        let cents = if n % 50 == 9 { 49 } else { 50 };
        let major = 10 + n % 90;
        writeln!(
            text,
            "{row}{n},payment,{id},{reference},{major}.{cents},0.00,{major}.{cents},EUR,2026-11-02T09:00:02Z,2026-11-0{}T00:00:00Z,,,",
            3 + n % 3,
        )
        .unwrap();
    };
    for n in 0..ROWS {
        row("r", n);
        if n % 500 == 11 {
            row("again", n);
        }
    }
    text
}

/// Both databases begin with the same instance secret, so that their leaves can be compared.
fn two_places() -> (Place, Place) {
    let place = || Place {
        folder: tempfile::tempdir().unwrap(),
    };
    let (calm, rough) = (place(), place());
    calm.run(&["migrate"]);
    calm.run(&[
        "provider",
        "add",
        "shop",
        "--kind",
        "generic",
        "--set",
        "coverage=none",
    ]);
    std::fs::write(calm.path("payments.csv"), payments()).unwrap();
    std::fs::write(calm.path("settlement.csv"), settlement()).unwrap();
    for file in std::fs::read_dir(calm.folder.path()).unwrap() {
        let file = file.unwrap();
        if file.file_type().unwrap().is_file() {
            std::fs::copy(file.path(), rough.path(name_of(&file.path()))).unwrap();
        }
    }
    (calm, rough)
}

fn name_of(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

#[tokio::test]
async fn an_import_that_is_killed_and_begun_again_ends_as_one_that_was_left_alone() {
    let (calm, rough) = two_places();
    calm.run(&calm.import_payments());
    calm.run(&calm.import_settlement());

    let (payments, settlement) = (rough.import_payments(), rough.import_settlement());
    let left = rough
        .kill_when(&payments, |intents, _, _| intents > 0)
        .await;
    assert!(left.0 < i64::from(PAYMENTS), "killed too late: {left:?}");
    rough.run(&payments);

    let mut states = Vec::new();
    let (_, state, _) = rough
        .kill_when(&settlement, |_, state, _| {
            matches!(state, "READING" | "POSTING")
        })
        .await;
    states.push(state);
    let begun = Instant::now();
    let (_, state, _) = rough
        .kill_when(&settlement, |_, state, _| {
            state == "CLOSING" || begun.elapsed() > INTO_POSTING
        })
        .await;
    states.push(state);
    let (_, state, pending) = rough
        .kill_when(&settlement, |_, state, _| state == "CLOSING")
        .await;
    states.push(state);
    let (_, state, fewer) = rough
        .kill_when(&settlement, |_, _, left| left < pending)
        .await;
    states.push(state);
    assert_eq!(states[2..], ["CLOSING", "CLOSING"], "{states:?}");
    assert!(0 < fewer && fewer < pending, "{pending} then {fewer}");
    rough.run(&settlement);

    let (alone, killed) = (calm.everything().await, rough.everything().await);
    for (these, those, whose) in [
        (&alone, &killed, "undisturbed"),
        (&killed, &alone, "killed"),
    ] {
        let known: HashSet<&String> = those.iter().collect();
        let only: Vec<_> = these
            .iter()
            .filter(|r| !known.contains(r))
            .take(5)
            .collect();
        assert!(only.is_empty(), "only in the {whose} run: {only:#?}");
    }
    assert_eq!(alone.len(), killed.len());
    assert!(alone.len() > 2 * ROWS as usize, "{}", alone.len());
    rough.run(&["verify"]);
}
