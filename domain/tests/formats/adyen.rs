//! Adyen's settlement detail report.

use crate::support::{Reading, read_as};
use domain::{account::ProviderKind, line::RowKind, money::Money};

const BATCH_41: &str = include_str!("../fixtures/adyen/settlement_detail_batch_41.csv");

fn read(text: &str) -> Reading {
    read_as(ProviderKind::Adyen, text)
}

#[test]
fn every_type_becomes_its_row_kind_with_net_as_credit_less_debit() {
    let reading = read(BATCH_41);
    let seen: Vec<_> = reading
        .lines()
        .iter()
        .map(|l| (l.source_kind.clone(), l.kind, l.gross, l.fee, l.net))
        .collect();
    let expected = [
        ("Settled", RowKind::Payment, 10000, 110, 9890),
        ("Settled", RowKind::Payment, 5750, 115, 5635),
        ("Refunded", RowKind::Refund, -2500, 10, -2510),
        ("RefundedReversed", RowKind::RefundReversal, 2500, 0, 2500),
        ("Chargeback", RowKind::Chargeback, -3000, 750, -3750),
        (
            "ChargebackReversed",
            RowKind::ChargebackReversal,
            3000,
            0,
            3000,
        ),
        ("SecondChargeback", RowKind::Chargeback, -3000, 0, -3000),
        ("Fee", RowKind::Fee, -320, 0, -320),
        ("MiscCosts", RowKind::Fee, -900, 0, -900),
        ("InvoiceDeduction", RowKind::Fee, -500, 0, -500),
        ("PaymentCost", RowKind::Fee, -100, 0, -100),
        ("DepositCorrection", RowKind::Adjustment, -2000, 0, -2000),
        ("DepositCorrection", RowKind::Adjustment, 1200, 0, 1200),
        ("ManualCorrected", RowKind::Adjustment, 200, 0, 200),
        ("MatchedStatement", RowKind::Adjustment, 100, 0, 100),
        ("Balancetransfer", RowKind::CarryOver, -400, 0, -400),
        ("PaidOut", RowKind::Disbursement, -600, 0, -600),
        (
            "BankInstructionReturned",
            RowKind::PayoutReversal,
            700,
            0,
            700,
        ),
        ("MerchantPayout", RowKind::Payout, -9145, 0, -9145),
    ]
    .map(|(word, kind, gross, fee, net)| (word.to_owned(), kind, gross, fee, net));
    assert_eq!(seen, expected);
    assert!(reading.rejected().is_empty());
}

#[test]
fn a_batch_sums_to_zero_with_its_payout_and_that_is_the_file_s_own_total() {
    let reading = read(BATCH_41);
    // Paid out 91.45 of which 7.00 came back from an earlier batch.
    let (_, fee, net, declared, ties) = reading.batch("41", "EUR");
    assert_eq!(
        (fee, net, declared, ties),
        (985, 8445, Some(8445), Some(true))
    );
    assert_eq!(reading.facts.file_ties(), Some(true));
    let short = read(&BATCH_41.replace("91.45", "91.44"));
    assert_eq!(short.facts.file_ties(), Some(false));
    assert_eq!(
        short.facts.totals.values().next().unwrap().residual(),
        Some(-1)
    );
}

#[test]
fn a_batch_that_pays_nothing_out_must_be_carried_over_in_full() {
    let header = BATCH_41.lines().next().unwrap();
    let fee = "HillCo,HillShop,,,,2026-01-06 20:00:00,CET,Fee,Fees,,,,,EUR,3.2,,,,,,,,41,,";
    let carried = "HillCo,HillShop,,,,2026-01-06 20:00:00,CET,Balancetransfer,To batch 42,,,,,EUR,,3.2,,,,,,,41,,";
    let reading = read(&format!("{header}\n{fee}\n{carried}\n"));
    assert_eq!(reading.batch("41", "EUR"), (0, 0, 0, Some(0), Some(true)));
    // Without a payout and a carry-over nothing is declared, which is not the same as tying.
    let reading = read(&format!("{header}\n{fee}\n"));
    assert_eq!(reading.facts.file_ties(), None);
}

#[test]
fn payments_refunds_and_disputes_carry_the_ids_that_matching_needs() {
    let reading = read(BATCH_41);
    let lines = reading.lines();
    let ids: Vec<_> = lines
        .iter()
        .take(5)
        .map(|l| {
            (
                l.provider_payment_id.as_str(),
                l.modification_id.as_str(),
                l.merchant_reference.as_str(),
            )
        })
        .collect();
    assert_eq!(
        ids,
        [
            ("8816000000000011", "", "HS-1"),
            ("8816000000000021", "", "HS-2"),
            ("8816000000000011", "8816000000000013", "HS-1"),
            ("8816000000000011", "8816000000000013", "HS-1"),
            ("8816000000000031", "8816000000000032", "HS-3"),
        ]
    );
    assert_eq!(lines[1].presented, Money::new(5000, "GBP".parse().unwrap()));
    assert_eq!(lines[7].description, "Transaction Fees January 05 2026");
    assert_eq!(lines[18].description, "TX100000002XT batch 41, HillShop");
}

#[test]
fn times_are_in_the_zone_that_the_row_names() {
    let reading = read(BATCH_41);
    let line = reading.lines()[0];
    assert_eq!(
        line.occurred_at.unwrap().to_string(),
        "2026-01-05T22:30:00Z"
    );
    let pacific = read(&BATCH_41.replacen("23:30:00,CET", "23:30:00,PST", 1));
    assert_eq!(
        pacific.lines()[0].occurred_at.unwrap().to_string(),
        "2026-01-06T07:30:00Z"
    );
    let nowhere = read(&BATCH_41.replacen("23:30:00,CET", "23:30:00,IST", 1));
    assert_eq!(nowhere.rejected()[0].column, "TimeZone");
}

/// IDM7
#[test]
fn a_fee_row_is_no_order_whatever_its_reference_column_holds() {
    let reading = read(BATCH_41);
    let fee = reading
        .lines()
        .into_iter()
        .find(|l| l.source_kind == "Fee")
        .unwrap();
    assert_eq!(fee.modification_id, "");
    assert_eq!(fee.provider_payment_id, "");
    assert_eq!(fee.merchant_reference, "");
    assert!(!fee.kind.concerns_payment());
}

#[test]
fn rows_are_told_apart_by_batch_type_and_modification_and_else_by_amount() {
    let reading = read(BATCH_41);
    let lines = reading.lines();
    assert_eq!(lines[0].identity, "41\u{1f}Settled\u{1f}8816000000000012");
    assert_eq!(
        lines[11].identity,
        "41\u{1f}DepositCorrection\u{1f}DepositCorrection\u{1f}EUR\u{1f}-2000\u{1f}0\u{1f}-2000"
    );
    assert_ne!(lines[11].identity, lines[12].identity);
    assert!(
        lines
            .iter()
            .all(|l| l.occurrence == 0 && l.row_id.is_empty())
    );
}

/// FIL5, FIL7
#[test]
fn columns_are_found_by_name_in_whatever_order_and_number_they_come() {
    let moved = move_column(BATCH_41, "Modification Merchant Reference", usize::MAX);
    let moved = move_column(&moved, "Batch Number", 0);
    let spaced = moved.replacen("Psp Reference", "  PSP   Reference ", 1);
    let without_lines = |reading: Reading| -> Vec<_> {
        reading
            .lines()
            .into_iter()
            .map(|l| {
                let mut line = l.clone();
                line.byte_offset = 0;
                line.byte_len = 0;
                line
            })
            .collect()
    };
    assert_eq!(without_lines(read(&spaced)), without_lines(read(BATCH_41)));
    // Batch names are text, not numbers.
    let reading = read(&BATCH_41.replace(",41,,", ",A-7,,"));
    assert_eq!(reading.lines()[0].batch_id, "A-7");
}

/// FIL8
#[test]
fn a_row_type_that_nobody_knows_is_kept_with_its_amount_and_the_total_still_ties() {
    let reading = read(&BATCH_41.replace("PaymentCost", "NEW_FEE"));
    let line = reading
        .lines()
        .into_iter()
        .find(|l| l.source_kind == "NEW_FEE")
        .unwrap();
    assert_eq!((line.kind, line.net), (RowKind::Unrecognised, -100));
    assert_eq!(reading.facts.file_ties(), Some(true));
    assert_eq!(reading.facts.kinds[&RowKind::Unrecognised], 1);
}

/// FIL9
#[test]
fn chargebacks_are_kept_beside_sales() {
    let reading = read(BATCH_41);
    assert_eq!(reading.facts.kinds[&RowKind::Payment], 2);
    assert_eq!(reading.facts.kinds[&RowKind::Chargeback], 2);
    assert_eq!(reading.facts.rows, 19);
}

#[test]
fn a_row_without_any_net_is_refused() {
    let reading = read(&BATCH_41.replace("EUR,,98.9,", "EUR,,,"));
    assert_eq!(reading.rejected()[0].reason.code(), "missing_value");
}

fn move_column(text: &str, name: &str, to: usize) -> String {
    let rows: Vec<Vec<&str>> = text.lines().map(split_quoted).collect();
    let from = rows[0].iter().position(|n| *n == name).unwrap();
    rows.into_iter()
        .map(|mut row| {
            let value = row.remove(from);
            row.insert(to.min(row.len()), value);
            row.join(",") + "\n"
        })
        .collect()
}

/// Splits at commas outside quotes and keeps the quotes.
fn split_quoted(line: &str) -> Vec<&str> {
    let mut quoted = false;
    line.split(|c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    })
    .collect()
}
