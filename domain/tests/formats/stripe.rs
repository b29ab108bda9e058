//! Stripe's itemized reports.

use crate::support::{Reading, context, read_as, try_read};
use domain::{account::ProviderKind, line::RowKind, money::Money};

const RECONCILIATION: &[u8] = include_bytes!("../fixtures/stripe/payout_reconciliation.csv");

fn read(bytes: &[u8]) -> Reading {
    read_as(ProviderKind::Stripe, bytes)
}

#[test]
fn every_reporting_category_becomes_its_row_kind() {
    let reading = read(RECONCILIATION);
    let kinds: Vec<_> = reading
        .lines()
        .iter()
        .map(|l| (l.source_kind.clone(), l.kind))
        .collect();
    let expected = [
        ("charge", RowKind::Payment),
        ("charge", RowKind::Payment),
        ("partial_capture_reversal", RowKind::Payment),
        ("refund", RowKind::Refund),
        ("refund_failure", RowKind::RefundReversal),
        ("dispute", RowKind::Chargeback),
        ("dispute_reversal", RowKind::ChargebackReversal),
        ("charge_failure", RowKind::PaymentReversal),
        ("fee", RowKind::Fee),
        ("network_cost", RowKind::Fee),
        ("other_adjustment", RowKind::Adjustment),
        ("risk_reserved_funds", RowKind::ReserveHold),
        ("risk_reserved_funds", RowKind::ReserveRelease),
        ("transfer", RowKind::Disbursement),
        ("payout", RowKind::Payout),
    ]
    .map(|(word, kind)| (word.to_owned(), kind));
    assert_eq!(kinds, expected);
}

#[test]
fn the_payment_is_its_intent_and_else_its_charge() {
    let reading = read(RECONCILIATION);
    assert_eq!(reading.line("txn_01").provider_payment_id, "pi_01");
    assert_eq!(reading.line("txn_02").provider_payment_id, "ch_02");
    // The capture taken back in part belongs to the same payment and lowers it.
    let reversal = reading.line("txn_03");
    assert_eq!(reversal.provider_payment_id, "ch_02");
    assert_eq!((reversal.gross, reversal.presented.minor), (-2000, -2000));
}

#[test]
fn refunds_and_disputes_carry_their_own_id() {
    let reading = read(RECONCILIATION);
    for (row_id, modification) in [
        ("txn_01", ""),
        ("txn_04", "re_04"),
        ("txn_05", "re_04"),
        ("txn_06", "du_06"),
        ("txn_07", "du_06"),
    ] {
        assert_eq!(
            reading.line(row_id).modification_id,
            modification,
            "{row_id}"
        );
    }
}

#[test]
fn what_the_customer_saw_is_kept_beside_what_settled() {
    let reading = read(RECONCILIATION);
    let line = reading.line("txn_01");
    assert_eq!(
        (line.gross, line.fee, line.net, line.currency.as_str()),
        (9200, 300, 8900, "EUR")
    );
    assert_eq!(line.presented, Money::new(10000, "USD".parse().unwrap()));
    // A fee has no customer.
    assert_eq!(
        reading.line("txn_09").presented,
        Money::new(-50, "EUR".parse().unwrap())
    );
}

#[test]
fn times_in_utc_columns_are_utc_whatever_the_account_s_zone() {
    let line = read(RECONCILIATION).line("txn_01").clone();
    assert_eq!(
        line.occurred_at.unwrap().to_string(),
        "2026-02-01T09:10:11Z"
    );
    assert_eq!(line.settled_at.unwrap().to_string(), "2026-02-05T00:00:00Z");
}

#[test]
fn times_in_plain_columns_are_in_the_account_s_zone() {
    let reading = read(include_bytes!(
        "../fixtures/stripe/balance_change_decimal_commas.csv"
    ));
    // 00:20 in Berlin's summer is 22:20 the day before in UTC.
    let line = reading.line("txn_a");
    assert_eq!(
        line.occurred_at.unwrap().to_string(),
        "2026-07-13T22:20:00Z"
    );
    assert_eq!(reading.facts.first_day.unwrap().to_string(), "2026-07-14");
    assert_eq!(reading.facts.last_day.unwrap().to_string(), "2026-07-15");
}

#[test]
fn the_payout_ties_to_its_members() {
    let reading = read(RECONCILIATION);
    // 92 + 50 - 20 - 9.20 + 9.20 - 30 + 30 - 12 - 0.50 - 0.70 + 1.20 - 8 + 3 - 5 = 100.00,
    // fees 3 + 1.50 + 15 - 15 = 4.50.
    assert_eq!(
        reading.batch("po_lark", "EUR"),
        (10000, 450, 9550, Some(9550), Some(true))
    );
}

#[test]
fn the_reference_is_the_first_metadata_with_a_value() {
    let reading = read(RECONCILIATION);
    assert_eq!(reading.line("txn_01").merchant_reference, "ORD-1");
    assert_eq!(reading.line("txn_02").merchant_reference, "shop");
    assert_eq!(
        reading.recognition.reference_columns,
        ["payment_metadata[order_id]", "payment_metadata[channel]"]
    );
}

#[test]
fn the_account_chooses_which_column_is_the_reference() {
    for (column, first, second) in [
        ("payment_metadata[order_id]", "ORD-1", ""),
        ("order_id", "ORD-1", ""),
        ("description", "Order for Wren", ""),
        ("invoice_id", "", ""),
    ] {
        let mut context = context(ProviderKind::Stripe);
        context.reference_column = column.to_owned();
        let reading = try_read(RECONCILIATION, &context).unwrap();
        assert_eq!(reading.line("txn_01").merchant_reference, first, "{column}");
        assert_eq!(
            reading.line("txn_02").merchant_reference,
            second,
            "{column}"
        );
    }
}

#[test]
fn a_description_is_no_reference_unless_the_account_says_so() {
    let reading = read(include_bytes!(
        "../fixtures/stripe/balance_change_decimal_commas.csv"
    ));
    let line = reading.line("txn_a");
    assert_eq!(line.description, "Harbour seats");
    assert_eq!(line.merchant_reference, "");
    assert!(reading.recognition.reference_columns.is_empty());
}

/// NUM3
#[test]
fn decimal_commas_are_settled_from_the_whole_file() {
    let reading = read(include_bytes!(
        "../fixtures/stripe/balance_change_decimal_commas.csv"
    ));
    let line = reading.line("txn_a");
    assert_eq!((line.gross, line.fee, line.net), (123_450, 1235, 122_215));
    // Alone, -1.200 could be anything; in this file the point groups.
    assert_eq!(reading.line("txn_c").gross, -120_000);
}

#[test]
fn a_file_with_both_decimal_marks_is_refused_row_by_row() {
    let file = "balance_transaction_id,created,currency,gross,fee,net,reporting_category\n\
        txn_a,2026-07-14 00:20:00,eur,\"1,50\",0,\"1,50\",charge\n\
        txn_b,2026-07-14 00:20:00,eur,1.50,0,1.50,charge\n\
        txn_c,2026-07-14 00:20:00,eur,3,0,3,charge\n";
    let reading = read(file.as_bytes());
    assert_eq!(reading.line("txn_c").gross, 300);
    let reasons: Vec<_> = reading
        .rejected()
        .iter()
        .map(|r| (r.row_id.as_str(), r.reason.code()))
        .collect();
    assert_eq!(
        reasons,
        [
            ("txn_a", "unreadable_amount"),
            ("txn_b", "unreadable_amount")
        ]
    );
}

/// FEE10
#[test]
fn a_payout_whose_members_are_in_no_file_is_a_lump_that_neither_ties_nor_fails() {
    let reading = read(include_bytes!("../fixtures/stripe/payouts.csv"));
    let kinds: Vec<_> = reading
        .lines()
        .iter()
        .map(|l| (l.kind, l.batch_id.as_str()))
        .collect();
    assert_eq!(
        kinds,
        [
            (RowKind::Payout, "po_m1"),
            (RowKind::PayoutReversal, "po_m2")
        ]
    );
    assert_eq!(reading.batch("po_m1", "EUR"), (0, 0, 0, Some(9550), None));
    // In a balance report the payout's own row names it as its source.
    let reading = read(include_bytes!(
        "../fixtures/stripe/balance_change_decimal_commas.csv"
    ));
    assert_eq!(reading.line("txn_c").batch_id, "po_c");
    // Rows of no batch have nothing that could be declared for them.
    assert_eq!(
        reading.batch("", "EUR"),
        (123_000, 1235, 121_765, None, None)
    );
}

/// CUR1, CUR3
#[test]
fn yen_and_dinar_keep_their_own_decimals() {
    let file = "balance_transaction_id,created,currency,gross,fee,net,reporting_category\n\
        txn_y,2026-07-14 00:20:00,jpy,350,13,337,charge\n\
        txn_k,2026-07-14 00:20:00,kwd,12.500,0.250,12.250,charge\n";
    let reading = read(file.as_bytes());
    assert_eq!(reading.line("txn_y").gross, 350);
    assert_eq!(reading.line("txn_k").gross, 12_500);
}

/// FEE5
#[test]
fn each_amount_of_a_row_has_its_own_currency() {
    let reading = read(RECONCILIATION);
    let refund = reading.line("txn_04");
    assert_eq!((refund.gross, refund.currency.as_str()), (-920, "EUR"));
    assert_eq!(refund.presented, Money::new(-1000, "USD".parse().unwrap()));
}
