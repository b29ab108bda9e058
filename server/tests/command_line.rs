//! The command line as a program meets it: exit codes, what is printed, and what is not made.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // as in any test

use std::{path::Path, process::Command};

struct Said {
    code: i32,
    out: String,
    err: String,
}

/// Runs the command in a folder.
fn tieout(folder: &Path, arguments: &[&str]) -> Said {
    let done = Command::new(env!("CARGO_BIN_EXE_tieout"))
        .args(arguments)
        .arg("--database")
        .arg(format!("sqlite://{}", folder.join("tieout.db").display()))
        .arg("--data-dir")
        .arg(folder.join("files"))
        .output()
        .unwrap();
    Said {
        code: done.status.code().unwrap(),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

/// Every command, each as it would run if there were a database; those that may make one say so. The list
/// is compared with what `--help` names, so that a new one cannot be forgotten.
const COMMANDS: [(&[&str], bool); 21] = [
    (&["serve", "--listen", "no address"], true),
    (&["migrate"], true),
    (&["demo"], true),
    (
        &[
            "user",
            "add",
            "ann@example.com",
            "--role",
            "admin",
            "--password-stdin",
        ],
        false,
    ),
    (&["user", "list"], false),
    (
        &["user", "password", "ann@example.com", "--password-stdin"],
        false,
    ),
    (&["user", "disable", "ann@example.com"], false),
    (&["token", "add", "worker", "--scope", "payments"], false),
    (&["provider", "add", "shop", "--kind", "generic"], false),
    (&["provider", "list"], false),
    (&["import", "payments", "Cargo.toml"], false),
    (&["import", "payments", "-"], false),
    (
        &["import", "settlement", "Cargo.toml", "--provider", "shop"],
        false,
    ),
    (&["match"], false),
    (&["sweep"], false),
    (&["export", "matches"], false),
    (&["export", "cases"], false),
    (&["export", "ledger"], false),
    (&["export", "payments", "--json"], false),
    (
        &[
            "export",
            "audit",
            "--from",
            "2026-11-01",
            "--to",
            "2026-11-02",
            "--out",
            "no.zip",
        ],
        false,
    ),
    (&["verify"], false),
];

#[test]
fn only_serve_migrate_and_demo_make_a_database() {
    let folder = tempfile::tempdir().unwrap();
    for (command, _) in COMMANDS.iter().filter(|(_, makes)| !makes) {
        let said = tieout(folder.path(), command);
        assert_eq!((said.code, said.out.as_str()), (1, ""), "{command:?}");
        assert!(
            said.err.contains("there is no Tieout database at")
                && said.err.contains("tieout.db")
                && said.err.contains("tieout migrate"),
            "{command:?}: {}",
            said.err
        );
        let made = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(made, 0, "{command:?}");
    }
}

#[test]
fn no_command_is_missing_among_those_that_are_tried_without_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let listed = |command: &[&str]| -> Vec<String> {
        let mut all = command.to_vec();
        all.push("--help");
        let help = tieout(folder.path(), &all).out;
        let commands = help.split("Commands:\n").nth(1).unwrap_or_default();
        let names = commands.lines().take_while(|line| !line.is_empty());
        names
            .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
            // A line that goes on begins farther in.
            .filter(|name| !name.is_empty() && *name != "help")
            .map(str::to_owned)
            .collect()
    };
    for name in listed(&[]) {
        let below = listed(&[&name]);
        let below = below.iter().map(|sub| vec![name.clone(), sub.clone()]);
        let mut found: Vec<Vec<String>> = below.collect();
        if found.is_empty() {
            found.push(vec![name]);
        }
        for words in found {
            let tried = COMMANDS
                .iter()
                .any(|(c, _)| c.iter().zip(&words).all(|(a, b)| a == b));
            assert!(tried, "{words:?} is not tried");
        }
    }
}

#[test]
fn an_account_that_does_not_exist_is_refused_and_one_account_is_matched_alone() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| tieout(folder.path(), arguments);
    run(&["migrate"]);
    assert_eq!(
        run(&["provider", "add", "shop", "--kind", "generic"]).code,
        0
    );
    for command in [
        &["export", "matches"][..],
        &["export", "cases"],
        &["export", "ledger"],
        &["export", "payments"],
        &["match"],
    ] {
        let with = |name| {
            let mut all = command.to_vec();
            all.extend(["--provider", name]);
            run(&all)
        };
        let said = with("nope");
        assert_eq!((said.code, said.out.as_str()), (1, ""), "{command:?}");
        assert!(said.err.contains("nope"), "{}", said.err);
        assert_eq!(with("shop").code, 0, "{command:?}");
    }
}

#[test]
fn json_of_an_export_is_one_object_and_goes_with_no_other_format_on_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| tieout(folder.path(), arguments);
    run(&["migrate"]);
    run(&["provider", "add", "shop", "--kind", "generic"]);
    let nothing: serde_json::Value =
        serde_json::from_str(&run(&["export", "payments", "--json"]).out).unwrap();
    assert_eq!(nothing, serde_json::json!({ "data": [], "rows": 0 }));
    let file = folder.path().join("payments.csv");
    std::fs::write(&file, format!("{HEADER}\n{ROW}\n")).unwrap();
    assert_eq!(run(&["import", "payments", file.to_str().unwrap()]).code, 0);
    for command in [
        &["export", "payments", "--json"][..],
        &["export", "payments", "--json", "--format", "json"],
    ] {
        let object: serde_json::Value = serde_json::from_str(&run(command).out).unwrap();
        assert_eq!(object["rows"], 1);
        assert_eq!(object["data"][0]["intent_id"], "i1");
    }
    let both = run(&["export", "payments", "--json", "--format", "csv"]);
    assert_eq!((both.code, both.out.as_str()), (2, ""));
    let out = folder.path().join("out.csv");
    let named = run(&[
        "export",
        "payments",
        "--json",
        "--format",
        "csv",
        "--out",
        out.to_str().unwrap(),
    ]);
    let object: serde_json::Value = serde_json::from_str(&named.out).unwrap();
    assert_eq!(object["rows"], 1);
}

#[test]
fn a_payments_file_of_which_nothing_was_taken_is_a_failure_and_one_of_which_a_part_was_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| tieout(folder.path(), arguments);
    run(&["migrate"]);
    run(&["provider", "add", "shop", "--kind", "generic"]);
    let file = folder.path().join("payments.csv");
    let bad = ROW.replace("10.00", "1x");
    for (rows, code) in [(bad.clone(), 1), (format!("{bad}\n{ROW}"), 0)] {
        std::fs::write(&file, format!("{HEADER}\n{rows}\n")).unwrap();
        let said = run(&["import", "payments", file.to_str().unwrap(), "--json"]);
        assert_eq!(said.code, code, "{}", said.err);
        let answer: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        let refused = &answer["refused"][0];
        assert_eq!(refused["file"], "payments.csv");
        assert_eq!(refused["line"], 2);
        let reason = refused["reason"].as_str().unwrap();
        assert_eq!(
            reason,
            "column amount: \"1x\" is not a decimal number: write it like 1250.50, with a point before the decimals and nothing but digits"
        );
    }
    // What is wrong with a file as a whole names it too, and the line.
    for (text, says) in [
        (
            format!("{HEADER}\n\"i1,order"),
            "“payments.csv”, line 2: a quote",
        ),
        (
            HEADER.replace("amount,", ""),
            "“payments.csv”, line 1: column \"amount\" is missing",
        ),
        (String::new(), "“payments.csv”: the file is empty"),
        (
            "PK\u{3}\u{4}".to_owned(),
            "“payments.csv”: this is a zip archive",
        ),
    ] {
        std::fs::write(&file, text).unwrap();
        let said = run(&["import", "payments", file.to_str().unwrap(), "--json"]);
        assert_eq!((said.code, said.out.as_str()), (1, ""));
        assert!(said.err.contains(says), "{}", said.err);
    }
}

/// A limit on the size of files kills the command in the middle of writing one.
#[cfg(unix)]
#[test]
fn an_export_that_is_killed_half_way_leaves_what_was_under_its_name() {
    use std::os::unix::process::ExitStatusExt as _;
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| tieout(folder.path(), arguments);
    run(&["migrate"]);
    run(&["provider", "add", "shop", "--kind", "generic"]);
    let file = folder.path().join("payments.csv");
    let mut rows = format!("{HEADER}\n");
    for n in 0..12_000 {
        rows += &ROW
            .replace("i1,order-1", &format!("i{n},order-{n}"))
            .replace("a1,1,shop,k1,pi_1", &format!("a{n},1,shop,k{n},pi_{n}"));
        rows.push('\n');
    }
    std::fs::write(&file, rows).unwrap();
    assert_eq!(run(&["import", "payments", file.to_str().unwrap()]).code, 0);
    let out = folder.path().join("out.csv");
    std::fs::write(&out, "the export before\n").unwrap();
    // 800 blocks are 400 KiB or 800, by shell; the export has more than a million bytes.
    let killed = Command::new("sh")
        .args(["-c", "ulimit -c 0; ulimit -f 800; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_tieout"))
        .args(["export", "payments", "--out", out.to_str().unwrap()])
        .arg("--database")
        .arg(format!(
            "sqlite://{}",
            folder.path().join("tieout.db").display()
        ))
        .arg("--data-dir")
        .arg(folder.path().join("files"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&killed.stderr);
    assert_eq!(killed.status.signal(), Some(25), "{said}"); // SIGXFSZ
    assert_eq!(
        std::fs::read_to_string(&out).unwrap(),
        "the export before\n"
    );
    // Undisturbed, it takes the name.
    let said = run(&["export", "payments", "--out", out.to_str().unwrap()]);
    assert_eq!(said.code, 0, "{}", said.err);
    let text = std::fs::read_to_string(&out).unwrap();
    assert_eq!(text.lines().count(), 12_001);
    // Where it cannot be written, the message says where.
    let nowhere = folder.path().join("nowhere/out.csv");
    for what in ["matches", "payments", "cases", "ledger"] {
        let said = run(&["export", what, "--out", nowhere.to_str().unwrap()]);
        assert_eq!(said.code, 1);
        assert!(said.err.contains("nowhere/out.csv"), "{}", said.err);
    }
}

const HEADER: &str = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code";
const ROW: &str = "i1,order-1,charge,10.00,EUR,in,,2026-11-02T09:00:00Z,,a1,1,shop,k1,pi_1,2026-11-02T09:00:01Z,,succeeded,";

// What is written waits in a log beside the database; whoever copies the file alone after a stop is to have
// all of it.
#[cfg(unix)]
#[test]
fn serve_that_is_told_to_stop_closes_its_database() {
    use std::{
        io::{BufRead, BufReader},
        process::Stdio,
    };
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("tieout.db").display());
    let mut serve = Command::new(env!("CARGO_BIN_EXE_tieout"))
        .args(["serve", "--listen", "127.0.0.1:0", "--database", &url])
        .arg("--data-dir")
        .arg(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let said = BufReader::new(serve.stdout.take().unwrap());
    let first = said.lines().next().unwrap().unwrap();
    assert!(first.contains("127.0.0.1:"), "{first}");
    let log = folder.path().join("tieout.db-wal");
    assert!(log.exists(), "the database is in use");
    let told = Command::new("kill").arg(serve.id().to_string()).status();
    assert!(told.unwrap().success());
    assert!(serve.wait().unwrap().success());
    assert!(
        !log.exists(),
        "what waited was not written into the database"
    );
}
