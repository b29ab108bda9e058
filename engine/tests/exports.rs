//! Exports hold every row once, in the columns that others build on.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod sealed_world;

use domain::{actor::Actor, time::Day, view::audit::AuditFilter};
use engine::{
    Engine,
    export::{Filter, Format, export_cases, export_ledger, export_matches, export_payments},
    testing::both,
};
use sealed_world::{auditor, build, engine};

fn text((out, rows): (Vec<u8>, u64)) -> String {
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.lines().count() as u64, rows + 1);
    text
}

async fn matches(engine: &Engine, filter: &Filter) -> String {
    text(
        export_matches(engine, &auditor(), filter, Format::Csv, Vec::new())
            .await
            .unwrap(),
    )
}

const FILE: &str = "0101010101010101010101010101010101010101010101010101010101010101";

#[test]
fn every_data_row_is_in_the_matches_once_rejected_ones_in_their_place() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        assert_eq!(
            matches(&engine, &Filter::default()).await,
            format!(
                "file_sha256,line_no,row_id,provider,kind,gross,fee,net,currency,verdict,rule,intent_id,attempt_id,case_id,batch_id,share,presented_amount,presented_currency\n\
                 {FILE},2,txn_1,stripe-eu,payment,100.00,3.20,96.80,EUR,MATCHED,R1,pay-1,try-1,,po_1,100.00,100.00,EUR\n\
                 {FILE},3,txn_2,stripe-eu,payment,50.00,2.10,47.90,EUR,UNMATCHED,none,,,c-1,po_1,,50.00,EUR\n\
                 {FILE},4,txn_3,stripe-eu,fee,0.00,0.00,-0.50,EUR,ACCOUNTED,kind,,,,po_1,,0.00,EUR\n\
                 {FILE},5,,stripe-eu,,,,,,REJECTED,none,,,,,,,\n"
            )
        );
        let other = Filter {
            provider: "adyen".to_owned(),
            ..Filter::default()
        };
        assert_eq!(matches(&engine, &other).await.lines().count(), 1);
        let later = Filter {
            from: Day::parse("2025-11-25").ok(),
            ..Filter::default()
        };
        let lines = matches(&engine, &later).await;
        assert!(!lines.contains("txn_"), "{lines}");
    });
}

#[test]
fn a_line_that_serves_two_attempts_has_a_row_for_each_share() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        let mut tx = engine.store.begin().await.unwrap();
        for sql in [
            "INSERT INTO attempt (id, intent_id, account_id, public_id, number, idempotency_key, provider_payment_id, started_at, outcome, error_code) VALUES (2, 1, 1, 'try-2', 2, 'pay-1:2', '', 0, 'succeeded', '')",
            "INSERT INTO line_share_now VALUES (1, 2, 1, 4000)",
            "INSERT INTO line_share_now VALUES (1, 1, 1, 6000)",
        ] {
            sealed_world::run(&mut tx, sql).await;
        }
        tx.commit().await.unwrap();
        let lines = matches(&engine, &Filter::default()).await;
        let shares: Vec<&str> = lines.lines().filter(|l| l.contains("txn_1")).collect();
        assert_eq!(shares.len(), 2);
        assert!(shares[0].contains(",try-1,") && shares[0].contains(",60.00,100.00,EUR"));
        assert!(shares[1].contains(",try-2,") && shares[1].contains(",40.00,100.00,EUR"));
    });
}

#[test]
fn the_ledger_names_block_and_hash_of_every_posting() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        let ledger = text(
            export_ledger(
                &engine,
                &auditor(),
                &Filter::default(),
                Format::Csv,
                Vec::new(),
            )
            .await
            .unwrap(),
        );
        let mut lines = ledger.lines();
        assert_eq!(
            lines.next().unwrap(),
            "entry_no,posted_at,period,account,provider,currency,debit,credit,cause_kind,cause_id,block_no,entry_hash,batch_id,accounting_date"
        );
        let first: Vec<&str> = lines.next().unwrap().split(',').collect();
        assert_eq!(
            first[..11],
            [
                "1",
                "2025-11-24T16:00:00Z",
                "2025-11",
                "provider_clearing",
                "stripe-eu",
                "EUR",
                "144.20",
                "0.00",
                "lines",
                "line:0101010101010101:2-4",
                "1"
            ]
        );
        assert_eq!(first[11].len(), 64);
        assert_eq!(first[12..], ["po_1", "2025-11-24"]);
        let second: Vec<&str> = ledger.lines().nth(3).unwrap().split(',').collect();
        assert_eq!(second[3], "receipts");
        assert_eq!(second[6..8], ["0.00", "100.00"]);
        assert_eq!(ledger.lines().count(), 5);
    });
}

#[test]
fn cases_and_payments_are_exported_as_they_stand() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        let everything = Filter::default();
        let cases = text(
            export_cases(&engine, &auditor(), &everything, Format::Csv, Vec::new())
                .await
                .unwrap(),
        );
        assert_eq!(
            cases,
            "case_id,kind,state,severity,provider,currency,amount_at_risk,intent_id,attempt_id,opened_at,due_at,owner,resolution,resolved_at\n\
             c-1,unexpected_settlement,AWAITING_APPROVAL,low,stripe-eu,EUR,50.00,,,2025-11-24T16:00:00Z,2025-11-24T16:00:00Z,ann@example.com,,\n"
        );
        let payments = text(
            export_payments(&engine, &auditor(), &everything, Format::Csv, Vec::new())
                .await
                .unwrap(),
        );
        let row = payments.lines().nth(1).unwrap();
        assert!(
            row.starts_with("pay-1,order-1,charge,100.00,EUR,in,\"Zo\u{eb} \"\"Z\"\" M\u{fc}ller\",2025-11-24T16:00:00Z,at_most_once,try-1,1,stripe-eu,pay-1,pi_1,2025-11-24T16:00:00Z,,unknown,,UNKNOWN,1,"),
            "{row}"
        );
        assert_eq!(payments.lines().count(), 2);
    });
}

#[test]
fn every_export_is_audited_and_needs_the_right_to_read() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        let nobody = Actor::Token {
            token_id: 1,
            name: "w".to_owned(),
            scopes: [].into(),
            person: None,
        };
        let refused = export_cases(
            &engine,
            &nobody,
            &Filter::default(),
            Format::Json,
            Vec::new(),
        )
        .await;
        assert!(matches!(refused, Err(engine::Error::Forbidden(_))));
        matches(&engine, &Filter::default()).await;
        let page = engine::audit::list(&engine, &auditor(), &AuditFilter::default())
            .await
            .unwrap();
        assert_eq!(page.rows[0].action, "export_matches");
        assert_eq!(page.rows[0].actor, "ann@example.com");
        assert_eq!(page.rows.len(), 2);
    });
}
