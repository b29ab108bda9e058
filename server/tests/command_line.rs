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

#[test]
fn a_command_that_only_reads_makes_no_database() {
    let folder = tempfile::tempdir().unwrap();
    for command in [
        &["verify"][..],
        &["sweep"],
        &["match"],
        &["export", "matches"],
        &["export", "payments", "--json"],
        &["user", "list"],
        &["provider", "list"],
    ] {
        let said = tieout(folder.path(), command);
        assert_eq!((said.code, said.out.as_str()), (1, ""), "{command:?}");
        assert!(
            said.err.contains("tieout.db") && said.err.contains("tieout migrate"),
            "{}",
            said.err
        );
        let made = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(made, 0, "{command:?}");
    }
}

#[test]
fn an_account_that_does_not_exist_is_refused_and_one_account_is_matched_alone() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| tieout(folder.path(), arguments);
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
    run(&["provider", "add", "shop", "--kind", "generic"]);
    let file = folder.path().join("payments.csv");
    let bad = ROW.replace("10.00", "1x");
    for (rows, code) in [(bad.clone(), 1), (format!("{bad}\n{ROW}"), 0)] {
        std::fs::write(&file, format!("{HEADER}\n{rows}\n")).unwrap();
        let said = run(&["import", "payments", file.to_str().unwrap(), "--json"]);
        assert_eq!(said.code, code, "{}", said.err);
        let answer: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(answer["refused"][0]["line"], 2);
    }
}

const HEADER: &str = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code";
const ROW: &str = "i1,order-1,charge,10.00,EUR,in,,2026-11-02T09:00:00Z,,a1,1,shop,k1,pi_1,2026-11-02T09:00:01Z,,succeeded,";
