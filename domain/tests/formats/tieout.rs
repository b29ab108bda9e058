//! The Tieout settlement CSV.

use crate::support::{Reading, read_as, read_tieout};
use domain::{account::ProviderKind, line::RowKind, money::Money};

fn every_kind() -> Reading {
    read_as(
        ProviderKind::Stripe,
        include_bytes!("../fixtures/tieout/every_kind.csv"),
    )
}

#[test]
fn every_row_kind_is_read_with_its_amounts_as_written() {
    let reading = every_kind();
    let seen: Vec<_> = reading
        .lines()
        .iter()
        .map(|l| (l.row_id.clone(), l.kind, l.gross, l.fee, l.net))
        .collect();
    let expected = [
        ("t-01", RowKind::Payment, 10000, 320, 9680),
        ("t-02", RowKind::PaymentReversal, -1800, 0, -1800),
        ("t-03", RowKind::Disbursement, -4000, 25, -4025),
        ("t-04", RowKind::Refund, -2500, 0, -2500),
        ("t-05", RowKind::RefundReversal, 2500, 0, 2500),
        ("t-06", RowKind::Chargeback, -3000, 0, -3000),
        ("t-07", RowKind::ChargebackReversal, 3000, 0, 3000),
        ("t-08", RowKind::DisputeFee, 0, 1500, -1500),
        ("t-09", RowKind::Fee, -50, 0, -50),
        ("t-10", RowKind::Adjustment, 110, 0, 110),
        ("t-11", RowKind::ReserveHold, -1000, 0, -1000),
        ("t-12", RowKind::ReserveRelease, 500, 0, 500),
        ("t-13", RowKind::Fx, -5, 0, -5),
        ("t-14", RowKind::CarryOver, 200, 0, 200),
        ("t-15", RowKind::Payout, -2310, 0, -2310),
        ("t-16", RowKind::PayoutReversal, 200, 0, 200),
    ]
    .map(|(id, kind, gross, fee, net)| (id.to_owned(), kind, gross, fee, net));
    assert_eq!(seen, expected);
}

#[test]
fn a_line_carries_all_that_its_row_says_and_where_it_stands() {
    let reading = every_kind();
    let line = reading.line("t-01");
    assert_eq!(line.source_kind, "payment");
    assert_eq!(line.provider_payment_id, "pay_ash");
    assert_eq!(line.merchant_reference, "ORD-7001");
    assert_eq!(line.batch_id, "B-77");
    assert_eq!(line.counterparty, "Ada Ash");
    assert_eq!(line.description, "Two chairs");
    assert_eq!((line.identity.as_str(), line.occurrence), ("t-01", 0));
    assert_eq!(
        line.occurred_at.unwrap().to_string(),
        "2026-04-01T08:15:00Z"
    );
    assert_eq!(line.settled_at.unwrap().to_string(), "2026-04-03T02:00:00Z");
    assert_eq!(line.presented, Money::new(10000, "EUR".parse().unwrap()));
    let bytes = include_bytes!("../fixtures/tieout/every_kind.csv");
    let start = usize::try_from(line.byte_offset).unwrap();
    let record = &bytes[start..start + line.byte_len as usize];
    assert!(record.starts_with(b"t-01,") && record.ends_with(b",Two chairs"));
    assert_eq!(line.line_no, 2);
}

#[test]
fn the_batch_ties_when_its_members_make_up_what_was_paid_out() {
    let reading = every_kind();
    // 100 - 18 - 40 - 25 + 25 - 30 + 30 - 0.50 + 1.10 - 10 + 5 - 0.05 + 2 = 39.55; fees 18.45;
    // paid out 23.10 less 2.00 that came back.
    assert_eq!(
        reading.batch("B-77", "EUR"),
        (3955, 1845, 2110, Some(2110), Some(true))
    );
}

#[test]
fn presented_amounts_have_their_own_currency_and_its_decimals() {
    let reading = read_as(
        ProviderKind::Generic,
        include_bytes!("../fixtures/tieout/presented.csv"),
    );
    for (row_id, minor, currency) in [
        ("p-1", 10000, "USD"),
        ("p-2", -1000, "USD"),
        ("p-3", 500, "JPY"),
        ("p-4", 700, "EUR"),
    ] {
        let expected = Money::new(minor, currency.parse().unwrap());
        assert_eq!(reading.line(row_id).presented, expected, "{row_id}");
    }
    assert_eq!(reading.line("p-2").modification_id, "rf_elm_1");
}

#[test]
fn a_presented_amount_without_its_currency_is_refused() {
    let file = include_str!("../fixtures/tieout/presented.csv").replace("100.00,USD", "100.00,");
    let reading = read_as(ProviderKind::Generic, file);
    let row = reading.rejected()[0];
    assert_eq!(
        (row.column.as_str(), row.reason.code()),
        ("presented_currency", "missing_value")
    );
}

#[test]
fn a_currency_is_known_in_either_case_and_an_unknown_one_refuses_its_row() {
    let reading = read_tieout(&[
        "a,payment,p1,o1,1.00,0,1.00,eur,2026-03-01,,,,",
        "b,payment,p2,o2,1.00,0,1.00,EURO,2026-03-01,,,,",
        "c,payment,p3,o3,1.00,0,1.00,,2026-03-01,,,,",
    ]);
    assert_eq!(reading.line("a").currency.as_str(), "EUR");
    let reasons: Vec<_> = reading
        .rejected()
        .iter()
        .map(|r| (r.row_id.as_str(), r.reason.code(), r.value.as_str()))
        .collect();
    assert_eq!(
        reasons,
        [
            ("b", "unknown_currency", "EURO"),
            ("c", "missing_value", "")
        ]
    );
}

#[test]
fn an_empty_amount_is_refused_and_never_taken_as_zero() {
    for (row, column) in [
        ("a,payment,p1,o1,,0,1.00,EUR,2026-03-01,,,,", "gross"),
        ("a,payment,p1,o1,1.00,,1.00,EUR,2026-03-01,,,,", "fee"),
        ("a,payment,p1,o1,1.00,0,,EUR,2026-03-01,,,,", "net"),
    ] {
        let reading = read_tieout(&[row]);
        let rejected = reading.rejected();
        assert_eq!(rejected.len(), 1, "{row}");
        assert_eq!(rejected[0].column, column);
        assert_eq!(rejected[0].reason.code(), "missing_value");
    }
}
