//! An audit bundle verifies with no database, and never after any byte of it was changed.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod sealed_world;

use domain::{
    seal::Head,
    time::{Day, Instant},
    view::audit::Verification,
};
use engine::{
    Engine, Store,
    audit_bundle::{export_audit, verify_bundle},
    testing::both,
};
use sealed_world::{NOW, auditor, build, engine};
use std::{
    io::{Read, Write},
    path::{Path, PathBuf},
};

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

async fn exported(engine: &Engine, folder: &Path) -> PathBuf {
    let path = folder.join("audit.zip");
    export_audit(
        engine,
        &auditor(),
        day("2025-11-01"),
        day("2025-11-30"),
        &path,
    )
    .await
    .unwrap();
    path
}

fn verified(path: &Path, noted: Option<Head>) -> Verification {
    verify_bundle(path, noted, Instant::from_micros(NOW), "test").unwrap()
}

fn wrong(path: &Path) -> Vec<String> {
    let found = verified(path, None);
    let wrong = found.checks.into_iter().filter(|c| !c.holds);
    wrong.map(|c| c.detail).collect()
}

/// One bundle on SQLite for the tests that only look at the file.
fn bundle() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let path = runtime.block_on(async {
        let url = format!("sqlite://{}", folder.path().join("t.db").display());
        let store = Store::open(&url).await.unwrap();
        store.migrate().await.unwrap();
        let engine = engine(store);
        build(&engine).await;
        exported(&engine, folder.path()).await
    });
    (folder, path)
}

fn member(path: &Path, name: &str) -> String {
    let mut zip = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    let mut text = String::new();
    zip.by_name(name)
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    text
}

#[test]
fn what_is_sealed_while_a_bundle_is_being_made_does_not_spoil_it() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        let folder = tempfile::tempdir().unwrap();
        // Each export records and seals itself, in the midst of the other.
        let exporter = |name: &'static str| {
            let (engine, folder) = (engine.clone(), folder.path().join(name));
            std::fs::create_dir(&folder).unwrap();
            tokio::spawn(async move {
                for _ in 0..10 {
                    let path = exported(&engine, &folder).await;
                    assert_eq!(wrong(&path), Vec::<String>::new());
                }
            })
        };
        let (one, other) = (exporter("one"), exporter("other"));
        one.await.unwrap();
        other.await.unwrap();
    });
}

#[test]
fn an_export_verifies_and_holds_the_audit_record_of_itself() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        let folder = tempfile::tempdir().unwrap();
        let path = exported(&engine, folder.path()).await;
        assert_eq!(wrong(&path), Vec::<String>::new());
        let found = verified(&path, None);
        assert_eq!((found.blocks, found.leaves), (2, 26));
        let audit = member(&path, "audit_record.jsonl");
        assert!(
            audit.contains("export_audit") && audit.contains("ann@example.com"),
            "{audit}"
        );
        let manifest = member(&path, "manifest.json");
        for balance in ["\"provider_clearing\"", "14420", "10000"] {
            assert!(manifest.contains(balance), "{manifest}");
        }
    });
}

#[test]
fn a_period_without_records_gives_a_bundle_of_the_chain_alone() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.zip");
        let done = export_audit(
            &engine,
            &auditor(),
            day("2024-01-01"),
            day("2024-01-02"),
            &path,
        )
        .await
        .unwrap();
        assert_eq!((done.blocks, done.records), (0, 0));
        assert_eq!(wrong(&path), Vec::<String>::new());
        // Before the chain begins: all of it shows that nothing was sealed in the period.
        let found = verified(&path, None);
        assert_eq!(i64::try_from(found.blocks), Ok(found.head_block));
        // Behind its end the last block does.
        let later = (day("2026-03-01"), day("2026-03-31"));
        export_audit(&engine, &auditor(), later.0, later.1, &path)
            .await
            .unwrap();
        assert_eq!(wrong(&path), Vec::<String>::new());
        assert_eq!(verified(&path, None).blocks, 1);
    });
}

#[test]
fn a_later_period_is_linked_to_the_chain_and_to_a_noted_head() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        let folder = tempfile::tempdir().unwrap();
        let path = exported(&engine, folder.path()).await;
        let found = verified(&path, None);
        let head: Head = format!("{}:{}", found.head_block, found.head_hash)
            .parse()
            .unwrap();
        assert!(verified(&path, Some(head)).holds());
        assert!(
            !verified(
                &path,
                Some(Head {
                    hash: [3; 32],
                    ..head
                })
            )
            .holds()
        );
        assert!(!verified(&path, Some(Head { number: 9, ..head })).holds());
    });
}

#[test]
fn a_changed_amount_names_its_line() {
    let (_folder, path) = bundle();
    let bytes = std::fs::read(&path).unwrap();
    let amount = b"\"gross\":5000,";
    let at = bytes
        .windows(amount.len())
        .position(|w| w == amount)
        .unwrap();
    let mut changed = bytes.clone();
    changed[at + amount.len() - 2] = b'1';
    std::fs::write(&path, &changed).unwrap();
    let wrong = wrong(&path);
    assert!(
        wrong[0]
            .starts_with("settlement line 010101010101:3, member line.jsonl line 2: leaf differs"),
        "{wrong:?}"
    );
}

#[test]
fn a_change_in_a_text_in_a_leaf_in_the_chain_or_around_the_members_is_told_apart() {
    let (_folder, path) = bundle();
    let bytes = std::fs::read(&path).unwrap();
    let find = |what: &[u8]| bytes.windows(what.len()).position(|w| w == what).unwrap();
    let salt = find(b"\"counterparty\":{\"salt\":\"") + b"\"counterparty\":{\"salt\":\"".len();
    for (at, says) in [
        (
            find(b"seen on the phone"),
            "decision d-1, member decision.jsonl line 1: leaf differs",
        ),
        (
            salt,
            "intent pay-1, member intent.jsonl line 1: leaf differs",
        ),
        (
            find(b"\"leaf_count\":25") + 13,
            "block 1 is stored with the hash",
        ),
        (
            find(b"leaves.bin") + 10 + 20 + 40,
            "leaf differs: sealed as",
        ),
        (find(b"\"exported_by\""), "member manifest.json"),
        (bytes.len() - 1, "outside the contents of its members"),
    ] {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        std::fs::write(&path, &changed).unwrap();
        let wrong = wrong(&path);
        assert!(wrong.iter().any(|w| w.contains(says)), "{says}: {wrong:?}");
    }
    std::fs::write(&path, &bytes[..bytes.len() - 3]).unwrap();
    assert!(!wrong(&path).is_empty());
}

#[test]
fn no_bundle_with_a_changed_byte_verifies() {
    let (_folder, path) = bundle();
    let bytes = std::fs::read(&path).unwrap();
    let every: usize = std::env::var("TIEOUT_FLIP_EVERY").map_or(11, |n| n.parse().unwrap());
    // Every byte around the members, some of each member; all kinds of flips take their turn.
    let ends = bytes.len() - 4_000;
    for at in (0..bytes.len()).filter(|at| at % every == 0 || *at > ends && at % 3 == 0) {
        let mut changed = bytes.clone();
        changed[at] ^= [1, 0x20, 0x80, 0xff][at % 4];
        std::fs::write(&path, &changed).unwrap();
        assert!(!wrong(&path).is_empty(), "byte {at} of {}", bytes.len());
    }
}

#[test]
fn a_bundle_that_was_packed_again_is_not_as_it_was_exported() {
    let (folder, path) = bundle();
    let other = folder.path().join("again.zip");
    let mut from = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
    let mut to = zip::ZipWriter::new(std::fs::File::create(&other).unwrap());
    for index in 0..from.len() {
        to.raw_copy_file(from.by_index_raw(index).unwrap()).unwrap();
    }
    to.finish().unwrap();
    assert_eq!(
        wrong(&other),
        ["the digest at its end is missing: the archive was cut off or packed again"]
    );
}

/// The bytes of an archive in which `blocks.jsonl` goes by the name of `from` until it is renamed: so a
/// library that refuses to write a name twice writes it all the same.
fn renamed(path: &Path, in_head: bool, in_directory: bool) -> Vec<u8> {
    let other = path.with_extension("renamed.zip");
    let mut from = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    let mut to = zip::ZipWriter::new(std::fs::File::create(&other).unwrap());
    for index in 0..from.len() {
        to.raw_copy_file(from.by_index_raw(index).unwrap()).unwrap();
    }
    let stored =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    to.start_file("BLOCKS.jsonl", stored).unwrap();
    to.write_all(b"{}\n").unwrap();
    to.finish().unwrap();
    let mut bytes = std::fs::read(&other).unwrap();
    let places: Vec<usize> = (0..bytes.len())
        .filter(|at| bytes[*at..].starts_with(b"BLOCKS.jsonl"))
        .collect();
    for (place, wanted) in places.into_iter().zip([in_head, in_directory]) {
        if wanted {
            bytes[place..place + 6].copy_from_slice(b"blocks");
        }
    }
    bytes
}

#[test]
fn an_archive_that_says_another_thing_to_another_reader_does_not_verify() {
    let (folder, path) = bundle();
    let other = folder.path().join("other.zip");
    for (in_head, in_directory, says) in [
        (true, true, "is in the archive twice"),
        (false, true, "is in the archive twice"),
        (true, false, "is not in the manifest"),
    ] {
        std::fs::write(&other, renamed(&path, in_head, in_directory)).unwrap();
        let wrong = wrong(&other);
        assert!(wrong.iter().any(|w| w.contains(says)), "{wrong:?}");
    }

    // A member that the directory does not name at all: the archive behind some bytes of another.
    let mut hidden = b"PK\x03\x04 and so on".to_vec();
    hidden.extend(std::fs::read(&path).unwrap());
    std::fs::write(&other, hidden).unwrap();
    assert!(!wrong(&other).is_empty());
}

#[test]
fn a_block_of_the_period_cannot_be_left_out() {
    let (folder, path) = bundle();
    let blocks = member(&path, "blocks.jsonl");
    let lines: Vec<&str> = blocks.lines().collect();
    assert!(lines.len() > 1 && lines[1].contains("\"covered\":true"));
    let without_records = blocks.replacen(
        lines[1],
        &lines[1].replace("\"covered\":true", "\"covered\":false"),
        1,
    );
    let without_the_first = lines[1..].join("\n") + "\n";
    for (changed, says) in [
        (without_records, "its records are left out"),
        (without_the_first, "blocks before it are left out"),
    ] {
        let other = folder.path().join("other.zip");
        let mut from = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
        let mut to = zip::ZipWriter::new(std::fs::File::create(&other).unwrap());
        for index in 0..from.len() {
            let name = from.by_index_raw(index).unwrap().name().to_owned();
            if name == "blocks.jsonl" {
                let stored = zip::write::SimpleFileOptions::default()
                    .compression_method(zip::CompressionMethod::Stored);
                to.start_file(name, stored).unwrap();
                to.write_all(changed.as_bytes()).unwrap();
            } else {
                to.raw_copy_file(from.by_index_raw(index).unwrap()).unwrap();
            }
        }
        to.finish().unwrap();
        let wrong = wrong(&other);
        assert!(wrong.iter().any(|w| w.contains(says)), "{wrong:?}");
    }
}

#[test]
fn what_is_no_bundle_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.zip");
    for bytes in [&b""[..], b"PK", &[0; 500]] {
        std::fs::write(&path, bytes).unwrap();
        let wrong = wrong(&path);
        assert!(
            wrong[0].starts_with("the archive cannot be opened"),
            "{wrong:?}"
        );
    }
    assert!(
        verify_bundle(
            &folder.path().join("none"),
            None,
            Instant::from_micros(0),
            ""
        )
        .is_err()
    );
}

#[test]
fn only_who_may_audit_exports_and_a_database_that_was_tampered_with_is_not_passed_off() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.zip");
        let from = day("2025-11-01");
        let system = domain::actor::Actor::System;
        let refused = export_audit(&engine, &system, from, from, &path).await;
        assert!(matches!(refused, Err(engine::Error::Forbidden(_))));
        sealed_world::tamper(
            &engine,
            "line",
            &["UPDATE line SET gross = 9999 WHERE id = 1"],
        )
        .await;
        let path = exported(&engine, folder.path()).await;
        assert!(
            wrong(&path)[0].starts_with("settlement line 010101010101:2, member line.jsonl line 1")
        );
    });
}

/// Runs the verifier that was written from the specification alone; none without Python.
fn by_the_specification(path: &Path, more: &[&str]) -> Option<(bool, String)> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/verifier/verify.py");
    let Ok(done) = std::process::Command::new("python3")
        .arg(script)
        .arg(path)
        .args(more)
        .output()
    else {
        eprintln!("SKIPPED: python3 is not installed; the verifier of docs/verifier does not run");
        return None;
    };
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(
        done.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    Some((done.status.success(), said))
}

#[test]
fn a_verifier_written_from_the_specification_agrees() {
    let (_folder, path) = bundle();
    let Some((verified_there, said)) = by_the_specification(&path, &[]) else {
        return;
    };
    assert!(verified_there, "{said}");
    let found = verified(&path, None);
    let head = format!("{}:{}", found.head_block, found.head_hash);
    assert_eq!(said.trim(), format!("verified: 26 records, head {head}"));
    assert!(by_the_specification(&path, &["--head", &head]).unwrap().0);
    let other = format!("1:{}", "0".repeat(64));
    assert!(!by_the_specification(&path, &["--head", &other]).unwrap().0);

    let bytes = std::fs::read(&path).unwrap();
    let amount = b"\"gross\":5000,";
    let at = bytes
        .windows(amount.len())
        .position(|w| w == amount)
        .unwrap();
    for (at, says) in [
        (
            at + amount.len() - 2,
            "member line.jsonl line 2: leaf differs",
        ),
        (bytes.len() - 1, "outside the contents of the members"),
    ] {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        std::fs::write(&path, &changed).unwrap();
        let (verified_there, said) = by_the_specification(&path, &[]).unwrap();
        assert!(!verified_there && said.contains(says), "{said}");
    }
    for at in (0..bytes.len()).step_by(bytes.len() / 40) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        std::fs::write(&path, &changed).unwrap();
        let (verified_there, said) = by_the_specification(&path, &[]).unwrap();
        assert!(!verified_there, "byte {at}: {said}");
    }
}

#[test]
fn an_archive_that_was_changed_is_never_said_to_be_as_it_was_exported() {
    let (_folder, path) = bundle();
    let whole = std::fs::read(&path).unwrap();
    let mut told = 0;
    for part in 1..8 {
        let mut bytes = whole.clone();
        bytes[whole.len() / 8 * part] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        // What is no archive any more is refused as a whole.
        let Ok(found) = verify_bundle(&path, None, Instant::from_micros(NOW), "test") else {
            continue;
        };
        let archive = found
            .checks
            .iter()
            .find(|c| c.what.contains("as it was exported"));
        assert!(!archive.unwrap().holds, "{part}");
        told += 1;
    }
    assert!(told > 0);
}
