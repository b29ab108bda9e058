//! Ids are text and stay as written; rows are counted, never collapsed.

use crate::support::{read_as, read_tieout, tieout};
use domain::account::ProviderKind;

/// IDM2
#[test]
fn ids_that_a_spreadsheet_rounded_are_counted() {
    let row = |id: &str| format!("{id},payment,{id},o,1.00,0,1.00,EUR,2026-03-01,,,,");
    let reading = read_tieout(&[
        &row("9876543210987000"),
        &row("9.87654E+15"),
        &row("9876543210987654"),
        &row("pay_000"),
    ]);
    assert_eq!(reading.facts.rounded_ids, 2);
    assert_eq!(reading.lines()[0].provider_payment_id, "9876543210987000");
}

/// IDM4
#[test]
fn ids_that_differ_in_case_are_two_payments() {
    let reading = read_tieout(&[
        "tx_aB1,payment,tx_aB1,o,1.00,0,1.00,EUR,2026-03-01,,,,",
        "tx_Ab1,payment,tx_Ab1,o,1.00,0,1.00,EUR,2026-03-01,,,,",
    ]);
    assert_ne!(reading.lines()[0].identity, reading.lines()[1].identity);
}

/// IDM6
#[test]
fn a_long_id_is_kept_whole_or_refused_and_never_cut() {
    let fits = "x".repeat(1000);
    let too_long = "x".repeat(1001);
    let row = |id: &str| format!("{id},payment,p,o,1.00,0,1.00,EUR,2026-03-01,,,,");
    let reading = read_tieout(&[&row(&fits), &row(&too_long)]);
    assert_eq!(reading.lines()[0].row_id, fits);
    assert_eq!(reading.rejected()[0].reason.code(), "field_too_long");
}

#[test]
fn an_id_with_a_control_character_is_refused() {
    let reading = read_tieout(&["\"a\nb\",payment,p,o,1.00,0,1.00,EUR,2026-03-01,,,,"]);
    let row = reading.rejected()[0];
    assert_eq!(
        (row.reason.code(), row.row_id.as_str()),
        ("unreadable_text", "ab")
    );
}

/// DUP2, DUP3
#[test]
fn equal_rows_without_an_id_are_as_many_payments() {
    let club = ",payment,,,9.99,0,9.99,EUR,2026-03-01,,,Member 7,CLUB";
    let reading = read_tieout(&[club, club, club]);
    let lines = reading.lines();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|l| l.identity == lines[0].identity));
    let occurrences: Vec<_> = lines.iter().map(|l| l.occurrence).collect();
    assert_eq!(occurrences, [0, 1, 2]);
    assert_eq!(reading.facts.repeated_identities.first_lines, [3, 4]);
}

/// DUP4
#[test]
fn next_month_s_equal_payment_is_another_payment() {
    let reading = read_tieout(&[
        ",payment,,,-3.20,0,-3.20,EUR,2026-02-27,,,Kiosk,",
        ",payment,,,-3.20,0,-3.20,EUR,2026-03-02,,,Kiosk,",
    ]);
    assert_ne!(reading.lines()[0].identity, reading.lines()[1].identity);
}

/// DUP5, DUP8, DUP11, DUP12
#[test]
fn a_row_keeps_its_identity_wherever_it_stands_in_whichever_file() {
    let rows = [
        "a,payment,p1,o1,1.00,0,1.00,EUR,2026-03-01,,,,",
        ",fee,,,-6.00,0,-6.00,EUR,2026-03-02,,,,Rent",
        ",fee,,,-6.00,0,-6.00,EUR,2026-03-03,,,,Rent",
    ];
    let late = ",fee,,,-1.00,0,-1.00,EUR,2026-02-28,,,,Late";
    let first = read_tieout(&rows);
    let mut shifted = vec![late];
    shifted.extend(rows);
    let again = read_as(
        ProviderKind::Generic,
        tieout(&shifted)
            .replace('\n', "\r\n")
            .replace("1.00", "1.0"),
    );
    let identities = |reading: &crate::support::Reading| -> Vec<_> {
        reading
            .lines()
            .iter()
            .map(|l| (l.identity.clone(), l.occurrence))
            .collect()
    };
    assert_eq!(identities(&first), identities(&again)[1..]);
}

#[test]
fn a_row_id_alone_is_the_identity_however_often_it_comes() {
    let row = "a,payment,p1,o1,1.00,0,1.00,EUR,2026-03-01,,,,";
    let reading = read_tieout(&[row, row]);
    let seen: Vec<_> = reading
        .lines()
        .iter()
        .map(|l| (l.identity.as_str(), l.occurrence))
        .collect();
    assert_eq!(seen, [("a", 0), ("a", 0)]);
}

#[test]
fn a_long_text_in_an_identity_is_hashed_and_still_tells_rows_apart() {
    let row = |last: char| {
        format!(
            ",fee,,,-1.00,0,-1.00,EUR,2026-03-01,,,,{}{last}",
            "long ".repeat(300)
        )
    };
    let reading = read_tieout(&[&row('a'), &row('b')]);
    let lines = reading.lines();
    assert!(lines[0].identity.starts_with("sha256:"));
    assert_ne!(lines[0].identity, lines[1].identity);
}
