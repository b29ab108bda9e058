//! Amounts and times as they arrive in whole files.

use crate::support::{context, paying, read_as, read_tieout, tieout, try_read};
use domain::{account::ProviderKind, formats::Row};

fn gross(amount: &str, currency: &str) -> Result<i64, &'static str> {
    let reading = read_tieout(&[&paying(amount, currency)]);
    match &reading.rows[..] {
        [Row::Line(line)] => Ok(line.gross),
        [Row::Rejected(row)] => Err(row.reason.code()),
        other => panic!("{other:?}"),
    }
}

/// NUM3, NUM4, NUM5, NUM7, NUM9, CUR1, CUR3, FEE7
#[test]
fn an_amount_is_what_it_says_or_its_row_is_refused() {
    for (amount, currency, expected) in [
        ("3.210,45", "EUR", Err("unreadable_amount")),
        ("4\u{202f}120,00", "EUR", Err("unreadable_amount")),
        ("4\u{202f}120.00", "EUR", Ok(412_000)),
        ("(18.40)", "EUR", Ok(-1840)),
        ("18.40", "EUR", Ok(1840)),
        ("\u{2212}33.10", "EUR", Ok(-3310)),
        ("-6.40000", "EUR", Ok(-640)),
        ("0.4567", "EUR", Err("too_precise")),
        ("350", "JPY", Ok(350)),
        ("350.00", "JPY", Ok(350)),
        ("350.50", "JPY", Err("too_precise")),
        ("12.500", "KWD", Ok(12_500)),
        ("1,234", "EUR", Err("unreadable_amount")),
        ("1,234.50", "EUR", Ok(123_450)),
        ("99999999999999999999", "EUR", Err("amount_too_large")),
        ("n/a", "EUR", Err("unreadable_amount")),
    ] {
        assert_eq!(gross(amount, currency), expected, "{amount:?} {currency}");
    }
}

#[test]
fn a_refused_row_says_column_value_and_what_would_do() {
    let reading = read_tieout(&[&paying("3.210,45", "EUR")]);
    let row = reading.rejected()[0];
    assert_eq!(
        (
            row.line_no,
            row.row_id.as_str(),
            row.column.as_str(),
            row.value.as_str()
        ),
        (2, "r1", "gross", "3.210,45")
    );
    assert_eq!(
        row.message,
        "gross \"3.210,45\" cannot be read as an amount: write it like 1234.50"
    );
}

/// NUM8
#[test]
fn a_payout_in_other_units_than_its_rows_does_not_tie() {
    let reading = read_tieout(&[
        "a,payment,p1,o1,50.25,0,50.25,EUR,2026-03-01,,B-9,,",
        "b,payout,,,-5025,0,-5025,EUR,2026-03-02,,B-9,,",
    ]);
    assert_eq!(
        reading.batch("B-9", "EUR"),
        (5025, 0, 5025, Some(502_500), Some(false))
    );
}

/// NUM13
#[test]
fn a_line_end_inside_a_quoted_text_does_not_split_its_row() {
    let reading = read_tieout(&[
        "a,payment,p1,o1,2.00,0,2.00,EUR,2026-03-01,,,,\"x\ny\"",
        "b,payment,p2,o2,3.00,0,3.00,EUR,2026-03-01,,,,z",
    ]);
    assert_eq!(reading.line("a").description, "x\ny");
    assert_eq!(reading.line("a").line_no, 2);
    assert_eq!(reading.line("b").line_no, 4);
}

/// NUM15
#[test]
fn a_backslash_before_a_quote_swallows_no_field() {
    let reading = read_tieout(&["a,payment,p1,\"ACME\\\",5.00,0,5.00,EUR,2026-03-01,,,,"]);
    let line = reading.line("a");
    assert_eq!(
        (line.merchant_reference.as_str(), line.gross),
        ("ACME\\", 500)
    );
}

/// DAT6, DAT7
#[test]
fn a_time_is_in_the_account_s_zone_unless_it_says_otherwise() {
    let reading = read_tieout(&[
        "summer,payment,p,o,1.00,0,1.00,EUR,2026-07-14 00:20:00,,,,",
        "repeated,payment,p,o,1.00,0,1.00,EUR,2026-10-25 02:30:00,,,,",
        "stated,payment,p,o,1.00,0,1.00,EUR,2026-10-25T02:30:00+01:00,,,,",
        "skipped,payment,p,o,1.00,0,1.00,EUR,2026-03-29 02:30:00,,,,",
        "none,payment,p,o,1.00,0,1.00,EUR,,,,,",
        "slip,payment,p,o,1.00,0,1.00,EUR,14.07.2026,,,,",
    ]);
    for (row_id, expected) in [
        ("summer", "2026-07-13T22:20:00Z"),
        ("repeated", "2026-10-25T00:30:00Z"),
        ("stated", "2026-10-25T01:30:00Z"),
    ] {
        let time = reading.line(row_id).occurred_at.unwrap();
        assert_eq!(time.to_string(), expected, "{row_id}");
    }
    assert_eq!(reading.line("none").occurred_at, None);
    let refused: Vec<_> = reading
        .rejected()
        .iter()
        .map(|r| (r.row_id.as_str(), r.reason.code()))
        .collect();
    assert_eq!(
        refused,
        [("skipped", "unreadable_time"), ("slip", "unreadable_time")]
    );
}

/// DAT10
#[test]
fn instants_seconds_apart_across_a_month_end_are_both_kept() {
    let reading = read_tieout(&[
        "a,refund,p,o,-1.00,0,-1.00,EUR,2026-01-31T22:58:50Z,2026-01-31T23:00:20Z,,,",
    ]);
    let line = reading.line("a");
    assert_eq!(
        line.occurred_at.unwrap().to_string(),
        "2026-01-31T22:58:50Z"
    );
    assert_eq!(line.settled_at.unwrap().to_string(), "2026-01-31T23:00:20Z");
    // The day is that of the settlement, in Berlin.
    assert_eq!(reading.facts.first_day.unwrap().to_string(), "2026-02-01");
}

/// DAT11
#[test]
fn the_last_evening_of_the_year_stays_in_its_year_in_the_account_s_zone() {
    let file = tieout(&["a,payment,p,o,1.00,0,1.00,EUR,2027-01-01T04:00:00Z,,,,"]);
    let mut pacific = context(ProviderKind::Generic);
    pacific.zone = "America/Los_Angeles".parse().unwrap();
    let reading = try_read(file.as_bytes(), &pacific).unwrap();
    assert_eq!(reading.facts.last_day.unwrap().to_string(), "2026-12-31");
    let reading = read_as(ProviderKind::Generic, file);
    assert_eq!(reading.facts.last_day.unwrap().to_string(), "2027-01-01");
}

#[test]
fn an_amount_that_could_spoil_a_balance_is_refused_and_sums_of_the_largest_are_kept() {
    let most = "10000000000000.00";
    let row = |id: &str, gross: &str, fee: &str, net: &str| {
        format!("{id},payment,p,o,{gross},{fee},{net},EUR,2026-03-01,,B,,")
    };
    let reading = read_tieout(&[&row("a", most, "0", most), &row("b", most, "0", most)]);
    assert_eq!(reading.batch("B", "EUR").0, 2_000_000_000_000_000);
    for too_much in [
        "10000000000000.01",
        "-10000000000000.01",
        "92233720368547758.07",
    ] {
        let row = row("a", too_much, "0", too_much);
        let reading = read_tieout(&[&row]);
        assert_eq!(
            reading.rejected()[0].reason.code(),
            "amount_too_large",
            "{row}"
        );
    }
}
