//! Exports hold every row once, in the columns that others build on.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod sealed_world;
#[path = "support/shop.rs"]
mod shop;

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
                "file_sha256,line_no,row_id,provider,kind,gross,fee,net,currency,verdict,rule,intent_id,attempt_id,case_id,batch_id,share,presented_amount,presented_currency,share_gross,share_fee,share_net\n\
                 {FILE},2,txn_1,stripe-eu,payment,100.00,3.20,96.80,EUR,MATCHED,R1,pay-1,try-1,,po_1,100.00,100.00,EUR,100.00,3.20,96.80\n\
                 {FILE},3,txn_2,stripe-eu,payment,50.00,2.10,47.90,EUR,UNMATCHED,none,,,c-1,po_1,,50.00,EUR,50.00,2.10,47.90\n\
                 {FILE},4,txn_3,stripe-eu,fee,0.00,0.00,-0.50,EUR,ACCOUNTED,kind,,,,po_1,,0.00,EUR,0.00,0.00,-0.50\n\
                 {FILE},5,,stripe-eu,,,,,,REJECTED,none,,,,,,,,,,\n"
            )
        );
        let other = Filter {
            provider: "adyen".to_owned(),
            ..Filter::default()
        };
        let refused = export_matches(&engine, &auditor(), &other, Format::Csv, Vec::new()).await;
        assert!(matches!(refused, Err(engine::Error::NotFound { .. })));
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
        // 60 and 40 of 100, of a fee of 3.20 and a net of 96.80: 1.92 and 1.28, 58.08 and 38.72. A sum
        // over the last three columns is the line, once.
        assert!(shares[0].contains(",try-1,"));
        assert!(shares[0].ends_with(",60.00,100.00,EUR,60.00,1.92,58.08"));
        assert!(shares[1].contains(",try-2,"));
        assert!(shares[1].ends_with(",40.00,100.00,EUR,40.00,1.28,38.72"));
    });
}

#[test]
fn a_line_that_no_rule_has_looked_at_yet_is_pending_and_not_unmatched() {
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        let mut tx = engine.store.begin().await.unwrap();
        sealed_world::run(
            &mut tx,
            "UPDATE line_now SET seq = 0, verdict = 'PENDING', rule = 'none' WHERE line_id = 2",
        )
        .await;
        tx.commit().await.unwrap();
        let lines = matches(&engine, &Filter::default()).await;
        assert!(
            lines.contains(",txn_2,stripe-eu,payment,50.00,2.10,47.90,EUR,PENDING,none,,,"),
            "{lines}"
        );
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
             c-1,unexpected_settlement,AWAITING_APPROVAL,low,stripe-eu,EUR,50.00,,,2025-11-24T16:00:00Z,2025-11-27T23:00:00Z,ann@example.com,,\n"
        );
        let payments = text(
            export_payments(&engine, &auditor(), &everything, Format::Csv, Vec::new())
                .await
                .unwrap(),
        );
        let row = payments.lines().nth(1).unwrap();
        assert!(
            row.starts_with("pay-1,order-1,charge,100.00,EUR,in,\"Zo\u{eb} \"\"Z\"\" M\u{fc}ller\",2025-11-24T16:00:00Z,at_most_once,try-1,1,stripe-eu,pay-1,pi_1,2025-11-24T16:00:00Z,,unknown,,SUCCEEDED,2,100.00,0.00,0.00,succeeded,pi_1"),
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

#[test]
fn rows_of_a_held_file_are_in_the_matches_as_held_until_it_is_accepted() {
    both(async |store| {
        let shop = shop::Shop::open(store).await;
        let file = "\
row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description
r1,payment,pi_1,order-1,100.00,3.20,96.80,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,
r2,payment,pi_2,order-2,many,1.50,48.50,EUR,2026-11-02T09:05:02Z,2026-11-03T00:00:00Z,b1,,
r3,fee,,,0.00,0.50,-0.50,EUR,2026-11-03T00:00:00Z,2026-11-03T00:00:00Z,b1,,monthly
";
        let summary = shop.import_settlement("day.csv", file).await;
        assert_eq!(summary.state, "HELD");
        let verdicts = async || -> Vec<String> {
            let lines = matches(&shop.engine, &Filter::default()).await;
            lines
                .lines()
                .skip(1)
                .map(|l| {
                    let cells: Vec<&str> = l.split(',').collect();
                    format!("{} {} {}", cells[1], cells[2], cells[9])
                })
                .collect()
        };
        assert_eq!(
            verdicts().await,
            ["2 r1 HELD", "3 r2 REJECTED", "4 r3 HELD"]
        );
        shop.accept(&summary.file_id, "the provider says that row 2 is a test")
            .await;
        assert_eq!(
            verdicts().await,
            ["2 r1 UNMATCHED", "3 r2 REJECTED", "4 r3 ACCOUNTED"]
        );
        let ledger = text(
            export_ledger(
                &shop.engine,
                &auditor(),
                &Filter::default(),
                Format::Csv,
                Vec::new(),
            )
            .await
            .unwrap(),
        );
        // By hand: 96.80 and -0.50 in clearing, 3.20 and 0.50 in fees, 100 in suspense.
        let sum = |column: usize| -> i64 {
            ledger
                .lines()
                .skip(1)
                .map(|l| l.split(',').nth(column).unwrap().replace('.', ""))
                .map(|minor| minor.parse::<i64>().unwrap())
                .sum()
        };
        assert_eq!((sum(6), sum(7)), (10_050, 10_050));
        shop.expect_verified().await;
    });
}

// A second payment for i1, a dispute in two rows, a row of an unknown kind, a payment taken back, a line
// whose id is that of i4 and whose reference that of i5, and a row that cannot be read.
#[test]
fn every_line_that_a_case_is_about_names_it_in_the_export_and_on_its_page() {
    both(async |store| {
        let shop = shop::Shop::open(store).await;
        let mut payments = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code\n".to_owned();
        for n in 1..=5 {
            let payment = format!(
                "i{n},order-{n},charge,10.00,EUR,in,,2026-11-02T09:00:00Z,,a{n},1,shop,k{n},pi_{n},2026-11-02T09:00:01Z,,succeeded,\n"
            );
            payments += &payment;
        }
        shop.import_payments(&payments).await;
        let header = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description,modification_id";
        let row = |id: &str,
                   kind: &str,
                   payment: &str,
                   order: &str,
                   amount: &str,
                   dispute: &str| {
            format!(
                "{id},{kind},{payment},{order},{amount},0.00,{amount},EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,,{dispute}\n"
            )
        };
        let mut day = format!("{header}\n");
        for (id, kind, payment, order, amount, dispute) in [
            ("r1", "payment", "pi_1", "order-1", "10.00", ""),
            ("r2", "payment", "pi_1", "order-1", "10.00", ""),
            ("r3", "payment", "pi_2", "order-2", "10.00", ""),
            ("r4", "chargeback", "pi_2", "order-2", "-6.00", "d_2"),
            ("r5", "chargeback", "pi_2", "order-2", "-4.00", "d_2"),
            ("r6", "levy", "", "", "-1.00", ""),
            ("r7", "payment", "pi_3", "order-3", "10.00", ""),
            ("r8", "payment_reversal", "pi_3", "order-3", "-10.00", ""),
            ("r9", "payment", "pi_4", "order-5", "10.00", ""),
        ] {
            day += &row(id, kind, payment, order, amount, dispute);
        }
        let used = shop.import_settlement("day.csv", &day).await;
        assert_eq!(used.state, "USED");
        let odd = format!("{header}\n{}", row("s1", "fee", "", "", "many", ""));
        let held = shop.import_settlement("odd.csv", &odd).await;
        assert_eq!(held.state, "HELD");
        let cases = shop.open_cases_by_id().await;
        let lines = matches(&shop.engine, &Filter::default()).await;
        let kind_of = |row: &str| -> String {
            let line = lines.lines().find(|l| l.split(',').nth(2) == Some(row));
            let case = line.unwrap().split(',').nth(13).unwrap().to_owned();
            cases.get(&case).cloned().unwrap_or_default()
        };
        for (line_no, row, kind) in [
            (2, "r1", "duplicate_settlement"),
            (3, "r2", "duplicate_settlement"),
            (4, "r3", ""),
            (5, "r4", "chargeback"),
            (6, "r5", "chargeback"),
            (7, "r6", "unrecognised_rows"),
            (8, "r7", "payment_reversed"),
            (9, "r8", "payment_reversed"),
            (10, "r9", "contradiction"),
            (2, "s1", "rejected_rows"),
        ] {
            assert_eq!(kind_of(row), kind, "{row}: {lines}");
            let file = if row == "s1" { &held } else { &used };
            let page = engine::views::line(
                &shop.engine,
                &auditor(),
                &shop.ingest.evidence,
                &file.file_id,
                line_no,
            )
            .await
            .unwrap()
            .unwrap();
            let case = page.line.map_or(page.case_id, |l| l.case_id);
            assert_eq!(cases.get(&case).map_or("", |k| k), kind, "{row}");
        }
        // An attempt stands with its intent.
        for line in lines.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells[11].is_empty(), cells[12].is_empty(), "{line}");
        }
    });
}

#[test]
fn the_guide_describes_every_column_of_every_export() {
    let guide = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../docs/guide/exports.md"
    ))
    .unwrap();
    both(async |store| {
        let engine = engine(store);
        build(&engine).await;
        let (actor, all) = (auditor(), Filter::default());
        let tables = [
            ("## Matches", matches(&engine, &all).await),
            (
                "## Payments",
                text(
                    export_payments(&engine, &actor, &all, Format::Csv, Vec::new())
                        .await
                        .unwrap(),
                ),
            ),
            (
                "## Cases",
                text(
                    export_cases(&engine, &actor, &all, Format::Csv, Vec::new())
                        .await
                        .unwrap(),
                ),
            ),
            (
                "## Ledger",
                text(
                    export_ledger(&engine, &actor, &all, Format::Csv, Vec::new())
                        .await
                        .unwrap(),
                ),
            ),
        ];
        for (title, table) in tables {
            let (_, section) = guide.split_once(title).unwrap();
            let section = section.split("\n## ").next().unwrap();
            for column in table.lines().next().unwrap().split(',') {
                assert!(
                    section.contains(&format!("`{column}`")),
                    "{title}: {column}"
                );
            }
        }
    });
}
