//! Received files are kept as they came, and `verify` reads them again.

#![allow(clippy::unwrap_used)]

#[path = "support/shop.rs"]
mod shop;

use domain::actor::{Actor, Role};
use engine::{testing::both, verify::verify_with_files};
use sha2::{Digest, Sha256};
use shop::Shop;
use std::fs;

const FILE: &str = "\
row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description
r1,payment,pi_1,order-1,95.00,0.00,95.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,
";

/// What is wrong with the received files.
async fn wrong(shop: &Shop) -> Option<String> {
    let auditor = Actor::Person {
        user_id: 1,
        email: "auditor@example.com".to_owned(),
        roles: [Role::Auditor].into(),
    };
    let found = verify_with_files(&shop.engine, &auditor, None, &shop.ingest.evidence)
        .await
        .unwrap();
    let mut broken = found.checks.into_iter().filter(|c| !c.holds);
    let first = broken.next();
    assert!(broken.next().is_none());
    first.map(|c| c.detail)
}

#[test]
fn a_name_with_control_characters_is_kept_as_one_line_of_text() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let name = "../nov\0ember\n\u{1b}[2J.csv";
        let file = shop.import_settlement(name, FILE).await;
        assert_eq!(file.state, "USED");
        let auditor = Actor::Operator;
        let page = engine::views::file(&shop.engine, &auditor, &file.file_id)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(page.file.name, "nov\u{fffd}ember\u{fffd}\u{fffd}[2J.csv");
        // So is that of a payments file.
        let csv = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code\n\
            i1,order-1,charge,95.00,EUR,in,,2026-11-02T09:00:00Z,,a1,1,shop,k1,pi_1,2026-11-02T09:00:01Z,,succeeded,\n\
            i2,order-2,charge,95.00,EUR,sideways,,2026-11-02T09:00:00Z,,,,,,,,,,\n";
        let evidence = &shop.ingest.evidence;
        let stored = evidence.store(csv.as_bytes()).await.unwrap();
        let done = engine::import_payments::import_stored_payments(
            &shop.engine,
            &auditor,
            evidence,
            stored,
            "pay\0ments.csv",
        )
        .await
        .unwrap();
        assert_eq!((done.intents_new, done.refused_rows), (1, 1));
        assert_eq!(wrong(&shop).await, None);
        shop.expect_verified().await;
    });
}

#[test]
fn a_received_file_that_was_changed_cut_or_taken_away_is_named() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let file = shop.import_settlement("november.csv", FILE).await;
        assert_eq!(wrong(&shop).await, None);
        let path = shop
            .ingest
            .evidence
            .path(&Sha256::digest(FILE.as_bytes()).into());

        // One digit of one amount.
        fs::write(&path, FILE.replace("95.00,0.00", "96.00,0.00")).unwrap();
        let changed = wrong(&shop).await.unwrap();
        assert!(changed.contains(&file.file_id), "{changed}");
        assert!(changed.contains("november.csv"), "{changed}");
        assert!(changed.contains("is not as it came"), "{changed}");

        fs::write(&path, "").unwrap();
        assert!(wrong(&shop).await.unwrap().contains("is not as it came"));

        fs::remove_file(&path).unwrap();
        let gone = wrong(&shop).await.unwrap();
        assert!(gone.contains(&file.file_id), "{gone}");
        assert!(gone.contains("is not in the data directory"), "{gone}");

        fs::write(&path, FILE).unwrap();
        assert_eq!(wrong(&shop).await, None);
    });
}
