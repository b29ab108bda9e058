//! The demo data on both databases.
#![allow(clippy::unwrap_used)] // a test fails where a step does

use domain::actor::{Actor, Role};
use engine::{
    Engine, Error, EvidenceStore, Sources, Store, clock::FixedClock, demo, ids::FixedIds,
};
use std::{collections::BTreeSet, sync::Arc};

/// Every kind of case that this version opens.
const KINDS: [&str; 17] = [
    "ambiguous_match",
    "amount_mismatch",
    "batch_out_of_balance",
    "chargeback",
    "contradiction",
    "currency_mismatch",
    "duplicate_settlement",
    "missing_file",
    "missing_settlement",
    "payment_reversed",
    "proposed_match",
    "rejected_rows",
    "settled_after_failure",
    "unexpected_settlement",
    "unknown_outcome",
    "unrecognised_rows",
    "unrequested_refund",
];

struct Loaded {
    engine: Engine,
    evidence: EvidenceStore,
    demo: demo::Demo,
    _folder: tempfile::TempDir,
}

async fn load(store: Store, now: &str) -> Loaded {
    let now = domain::time::Instant::parse_rfc3339(now).unwrap();
    let engine = Engine {
        store,
        sources: Sources {
            clock: Arc::new(FixedClock::at(now)),
            ids: Arc::new(FixedIds::default()),
        },
    };
    let folder = tempfile::tempdir().unwrap();
    let evidence = EvidenceStore::open(folder.path()).await.unwrap();
    let demo = demo::load(&engine, &evidence).await.unwrap();
    Loaded {
        engine,
        evidence,
        demo,
        _folder: folder,
    }
}

fn auditor() -> Actor {
    Actor::Person {
        user_id: 1,
        email: "auditor@example.com".to_owned(),
        roles: [Role::Auditor].into(),
    }
}

#[test]
fn every_kind_of_case_is_there_all_of_it_verifies_and_a_second_run_is_refused() {
    engine::testing::both(async |store| {
        let loaded = load(store, "2026-11-18T10:20:00Z").await;
        let mut reader = loaded.engine.store.read().await.unwrap();
        let open = engine::testing::queries::open_cases(&mut reader)
            .await
            .unwrap();
        drop(reader);
        let kinds: BTreeSet<&str> = open.iter().map(String::as_str).collect();
        let missing: Vec<_> = KINDS.iter().filter(|k| !kinds.contains(**k)).collect();
        assert!(missing.is_empty(), "{missing:?} of {open:#?}");
        assert!(
            (250..400).contains(&loaded.demo.intents),
            "{:?}",
            loaded.demo
        );
        assert_eq!(loaded.demo.decisions, 7);

        let found = engine::verify::verify_database(&loaded.engine, &auditor(), None)
            .await
            .unwrap();
        let broken: Vec<_> = found.checks.iter().filter(|c| !c.holds).collect();
        assert!(broken.is_empty(), "{broken:#?}");

        let again = demo::load(&loaded.engine, &loaded.evidence).await;
        assert!(
            matches!(&again, Err(Error::Conflict(why)) if why.contains("in use")),
            "{again:?}"
        );
    });
}
