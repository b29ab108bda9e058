//! Whatever is changed past the guards of the database is found and named.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod sealed_world;

use domain::seal::Head;
use engine::{Engine, storage::Backend, testing::both, verify::verify_database};
use sealed_world::{auditor, build, bytes, engine, run, tamper};

/// What is wrong, in the order of the checks.
async fn wrong(engine: &Engine) -> Vec<String> {
    let found = verify_database(engine, &auditor(), None).await.unwrap();
    let wrong = found.checks.into_iter().filter(|c| !c.holds);
    wrong.map(|c| c.detail).collect()
}

#[test]
fn an_untouched_database_verifies_and_so_does_an_empty_one() {
    both(async |store| {
        let engine = engine(store);
        assert_eq!(wrong(&engine).await, Vec::<String>::new());
        build(&engine).await;
        assert_eq!(wrong(&engine).await, Vec::<String>::new());
        let found = verify_database(&engine, &auditor(), None).await.unwrap();
        assert_eq!((found.blocks, found.leaves), (1, 25));
    });
}

#[test]
fn a_change_to_any_history_names_the_record() {
    // From the last record that was sealed to the first, so that each change is the first to be found.
    const CHANGES: &[(&str, &str, &str)] = &[
        (
            "posting",
            "currency = 'USD'",
            "ledger entry stripe-eu:20416:po_1:lines:",
        ),
        (
            "ledger_entry",
            "accounting_day = 20417",
            "ledger entry stripe-eu:20417:po_1:lines:",
        ),
        ("approval", "approved = 0", "approval d-1"),
        ("decision", "comment = 'nothing'", "decision d-1"),
        (
            "case_event",
            "actor = 'bob@example.com'",
            "case event unexpected_settlement:line:0101010101010101:3:1:",
        ),
        (
            "review_case",
            "kind = 'chargeback'",
            "review case chargeback:line:0101010101010101:3:1",
        ),
        (
            "rejected_row",
            "reason = 'x'",
            "rejected row 010101010101:5",
        ),
        (
            "verdict",
            "rule = 'R2' WHERE line_id = 2",
            "verdict 010101010101:3:1",
        ),
        (
            "verdict",
            "verdict = 'UNMATCHED' WHERE line_id = 1",
            "verdict 010101010101:2:1",
        ),
        (
            "line",
            "description = '' WHERE id = 3",
            "settlement line 010101010101:4 ",
        ),
        (
            "line",
            "gross = 10001 WHERE id = 1",
            "settlement line 010101010101:2 ",
        ),
        (
            "file_event",
            "detail = '{\"rows\":5}'",
            "file event stripe-eu:010101010101:",
        ),
        (
            "settlement_file",
            "name = 'other.csv'",
            "settlement file stripe-eu:010101010101",
        ),
        (
            "evidence",
            "claim = '{}'",
            "evidence api_response:070707070707:",
        ),
        ("intent_event", "state = 'FAILED'", "intent event pay-1:2"),
        (
            "attempt_event",
            "outcome = 'rejected'",
            "attempt event try-1:1",
        ),
        ("attempt", "idempotency_key = 'x'", "attempt try-1"),
        ("intent", "counterparty = 'Zoe'", "intent pay-1"),
        (
            "provider_policy",
            "fields = '{}'",
            "provider policy stripe-eu:1",
        ),
        (
            "audit_record",
            "detail = '{}'",
            "audit record 1764000000000000:add_user",
        ),
        (
            "user_event",
            "roles = 'admin'",
            "user event added:1764000000000000",
        ),
    ];
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        for (table, change, name) in CHANGES {
            tamper(&engine, table, &[&format!("UPDATE {table} SET {change}")]).await;
            let wrong = wrong(&engine).await;
            let first = wrong.first().map_or("", String::as_str);
            assert!(first.starts_with(name), "{table}: {first:?}");
            assert!(first.contains("was changed after it was sealed"), "{first}");
        }
    });
}

#[test]
fn a_row_that_is_removed_or_slipped_in_is_found() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        tamper(&engine, "approval", &["DELETE FROM approval"]).await;
        assert!(wrong(&engine).await[0].contains("is gone"));
    });
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        let mut tx = engine.store.begin().await.unwrap();
        run(
            &mut tx,
            "INSERT INTO intent_event VALUES (1, 3, 'FAILED', 'report', 'x', 5)",
        )
        .await;
        tx.commit().await.unwrap();
        assert_eq!(
            wrong(&engine).await[0],
            "intent event pay-1:3 has no leaf: it was written past the seal"
        );
    });
}

#[test]
fn a_leaf_a_block_or_the_chain_that_is_changed_is_found() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        let zeros = bytes(engine.store.backend(), 0, 32);
        tamper(
            &engine,
            "leaf_batch",
            &[&format!(
                "UPDATE leaf_batch SET leaves = {zeros} WHERE record = 'approval'"
            )],
        )
        .await;
        let wrong = wrong(&engine).await;
        assert!(
            wrong[0].starts_with("approval d-1 was changed"),
            "{wrong:?}"
        );
        assert!(wrong[1].starts_with("block 1 has the root"), "{wrong:?}");
    });
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        tamper(
            &engine,
            "block",
            &["UPDATE block SET sealed_at = sealed_at + 1"],
        )
        .await;
        let wrong = wrong(&engine).await;
        assert!(
            wrong[0].starts_with("block 1 is stored with the hash"),
            "{wrong:?}"
        );
    });
}

#[test]
fn a_block_that_is_taken_away_is_missed() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        assert_eq!(wrong(&engine).await, Vec::<String>::new());
        tamper(&engine, "block_batch", &["DELETE FROM block_batch"]).await;
        tamper(&engine, "block", &["DELETE FROM block"]).await;
        let wrong = wrong(&engine).await;
        assert!(
            wrong.iter().any(|w| w.contains("lie in no block")),
            "{wrong:?}"
        );
    });
}

/// A bundle from a chain that is not whole would pass for one that is.
#[test]
fn nothing_is_exported_from_a_chain_that_is_not_whole() {
    for (table, changes, says) in [
        (
            "block",
            // What was to be exported is itself recorded, and sealed in the next block.
            &["DELETE FROM block_batch", "DELETE FROM block"][..],
            "block 2 stands where block 1 should",
        ),
        (
            "block",
            &["UPDATE block SET sealed_at = sealed_at + 1"],
            "block 1 is stored with the hash",
        ),
        (
            "approval",
            &["DELETE FROM approval"],
            "there are 0 records of the kind approval, but 1 were sealed",
        ),
    ] {
        both(async |store| {
            let engine = engine(store);
            build(&engine).await;
            tamper(
                &engine,
                "block_batch",
                &["UPDATE block_batch SET position = position"],
            )
            .await;
            tamper(&engine, table, changes).await;
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("audit.zip");
            let day = domain::time::Day::parse("2025-11-24").unwrap();
            let refused =
                engine::audit_bundle::export_audit(&engine, &auditor(), day, day, &file).await;
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains("nothing was exported"), "{refused}");
            assert!(refused.contains(says), "{refused}");
            assert!(!file.exists());
        });
    }
}

#[test]
fn figures_that_no_longer_agree_are_found() {
    for (table, change, says) in [
        (
            "balance_now",
            "UPDATE balance_now SET debit = debit + 1 WHERE ledger_account = 'provider_fees'",
            "provider_fees of stripe-eu in EUR on 2025-11-24: stored debit 5.81",
        ),
        (
            "line_now",
            "UPDATE line_now SET verdict = 'MATCHED', contra = 'receipts' WHERE line_id = 2",
            "stands as MATCHED, its history says UNMATCHED",
        ),
        (
            "batch_now",
            "UPDATE batch_now SET net = net - 1",
            "batch po_1 of stripe-eu in EUR",
        ),
        (
            "intent_now",
            "UPDATE intent_now SET state = 'FAILED'",
            "intent pay-1 stands as FAILED, version 2, its history says SUCCEEDED, version 2",
        ),
        (
            "case_now",
            "DELETE FROM case_now",
            "case c-1 about line:0101010101010101:3: stands as nothing",
        ),
        (
            "attempt_now",
            "UPDATE attempt_now SET seq = 0, outcome = 'unknown'",
            "attempt try-1 stands as unknown",
        ),
        (
            "file_now",
            "UPDATE file_now SET state = 'HELD'",
            "settlement file f-1 stands as HELD after step 2, its history says USED after step 2",
        ),
        (
            "intent_open",
            "UPDATE intent_open SET matched = 9999",
            "intent pay-1: 99.99 EUR stands as matched capture, its lines come to 100.00",
        ),
        (
            "user_account",
            "UPDATE user_account SET roles = 'admin,analyst,approver' WHERE id = 1",
            "account ann@example.com stands as admin,analyst,approver, disabled 0",
        ),
        (
            "user_account",
            "UPDATE user_account SET disabled = 1 WHERE id = 2",
            "account bob@example.com stands as approver, disabled 1",
        ),
        (
            "user_account",
            "UPDATE user_account SET created_by = 1 WHERE id = 2",
            "account bob@example.com stands as approver, disabled 0, made by 1",
        ),
        (
            "user_account",
            "UPDATE user_account SET changed_by = 1 WHERE id = 2",
            "account bob@example.com stands as approver, disabled 0, made by 0, last changed by 1",
        ),
        (
            "row_identity_now",
            "UPDATE row_identity_now SET line_id = 2 WHERE line_id = 1",
            "counts although another line has its identity",
        ),
        (
            "row_identity_now",
            "DELETE FROM row_identity_now WHERE line_id = 3",
            "has no identity on record",
        ),
    ] {
        both(async |store| {
            let engine = engine(store);
            build(&engine).await;
            tamper(&engine, table, &[change]).await;
            let wrong = wrong(&engine).await;
            assert!(
                wrong.iter().any(|w| w.contains(says)),
                "{change}: {wrong:?}"
            );
        });
    }
}

#[test]
fn an_entry_that_was_unbalanced_past_the_guards_is_found_in_every_book() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        tamper(
            &engine,
            "posting",
            &["UPDATE posting SET amount = -5001 WHERE ledger_account = 'suspense'"],
        )
        .await;
        let wrong = wrong(&engine).await.join("\n");
        assert!(
            wrong.contains("ledger entry 1 leaves -0.01 in EUR"),
            "{wrong}"
        );
        assert!(
            wrong.contains(
                "suspense of stripe-eu in EUR: -50.01 is posted, its lines come to -50.00"
            ),
            "{wrong}"
        );
    });
}

#[test]
fn a_noted_head_lies_on_the_chain_or_it_is_said() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        let found = verify_database(&engine, &auditor(), None).await.unwrap();
        let head: Head = format!("{}:{}", found.head_block, found.head_hash)
            .parse()
            .unwrap();
        let with = async |noted| {
            let found = verify_database(&engine, &auditor(), Some(noted))
                .await
                .unwrap();
            found.holds()
        };
        assert!(with(head).await);
        assert!(
            !with(Head {
                hash: [1; 32],
                ..head
            })
            .await
        );
        assert!(!with(Head { number: 2, ..head }).await);
        assert!(!with(Head { number: 0, ..head }).await);
    });
}

#[test]
fn only_who_may_audit_verifies() {
    both(async |store| {
        let engine = engine(store);
        let refused = verify_database(&engine, &domain::actor::Actor::System, None).await;
        assert!(matches!(refused, Err(engine::Error::Forbidden(_))));
    });
}

/// Takes rows away past every guard, with what refers to them left as it is.
async fn take_away(engine: &Engine, table: &str, sql: &str) {
    if engine.store.backend() == Backend::Sqlite {
        let mut tx = engine.store.begin().await.unwrap();
        // SQLite lets go of references between transactions only.
        for sql in ["COMMIT", "PRAGMA foreign_keys = OFF", "BEGIN IMMEDIATE"] {
            run(&mut tx, sql).await;
        }
        tx.commit().await.unwrap();
    }
    tamper(engine, table, &[sql]).await;
}

#[test]
fn a_parent_that_was_taken_away_is_named() {
    for (parent, sql, named) in [
        (
            "intent",
            "DELETE FROM intent WHERE id = 1",
            "a row of attempt names intent 1, which is not there",
        ),
        (
            "provider_account",
            "DELETE FROM provider_account WHERE id = 1",
            "a row of attempt names provider_account 1, which is not there",
        ),
        (
            "settlement_file",
            "DELETE FROM settlement_file WHERE id = 1",
            "a row of file_now names settlement_file 1, which is not there",
        ),
        (
            "line",
            "DELETE FROM line WHERE id = 2",
            "a row of line_bucket_now names line 2, which is not there",
        ),
    ] {
        both(async |store| {
            let engine = engine(store);
            build(&engine).await;
            take_away(&engine, parent, sql).await;
            let wrong = wrong(&engine).await;
            assert!(wrong.iter().any(|w| w == named), "{sql}: {wrong:?}");
        });
    }
}
