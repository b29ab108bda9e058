//! Which file is this?

use crate::support::{context, tieout, try_read};
use domain::{
    account::ProviderKind,
    formats::{FileProblem, recognise},
    time::Instant,
};

fn problem(bytes: &[u8], kind: ProviderKind) -> FileProblem {
    try_read(bytes, &context(kind)).err().unwrap()
}

#[test]
fn other_kinds_of_file_are_named() {
    for (bytes, what) in [
        (&b"PK\x03\x04\x14\x00\x06\x00"[..], "XLSX"),
        (b"%PDF-1.7\n", "PDF"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "Excel"),
        (
            b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><Document/>",
            "XML",
        ),
        (b"{\"data\": []}", "JSON"),
        (b"\x00\x01\x02\x03binary", "binary"),
    ] {
        let problem = problem(bytes, ProviderKind::Generic);
        assert_eq!(problem.code(), "not_text", "{what}");
        assert!(problem.to_string().contains(what), "{problem}");
    }
}

#[test]
fn nothing_and_nothing_but_white_space_are_empty() {
    for bytes in [&b""[..], b"\n\r\n  \n", b"\xEF\xBB\xBF", b"\xFF\xFE"] {
        assert_eq!(
            problem(bytes, ProviderKind::Generic),
            FileProblem::Empty,
            "{bytes:?}"
        );
    }
}

#[test]
fn a_missing_column_is_named_with_profile_and_line() {
    let file = tieout(&[]).replace("merchant_reference", "ref");
    let problem = problem(file.as_bytes(), ProviderKind::Generic);
    assert_eq!(
        problem.to_string(),
        "line 1: column \"merchant_reference\" is missing, which profile tieout needs"
    );
}

#[test]
fn an_unknown_header_names_the_closest_profile_and_what_it_lacks() {
    let problem = problem(b"Date,Net,currency,gross\n1,2,3,4\n", ProviderKind::Stripe);
    assert_eq!(problem.code(), "unknown_header");
    let text = problem.to_string();
    assert!(text.contains("Closest is stripe"), "{text}");
    assert!(text.contains("balance_transaction_id"), "{text}");
}

#[test]
fn a_file_without_a_header_does_not_repeat_its_card_numbers() {
    let problem = problem(b"4111111111111111,5.00\n", ProviderKind::Generic);
    assert!(
        problem.to_string().contains("411111******1111"),
        "{problem}"
    );
}

#[test]
fn a_column_that_is_read_and_stands_twice_is_refused() {
    let file = tieout(&[]);
    let header = file.lines().next().unwrap();
    let twice = format!("{header},GROSS\n");
    let problem = problem(twice.as_bytes(), ProviderKind::Generic);
    assert_eq!(problem.code(), "repeated_column");
    assert!(
        problem.to_string().contains("\"gross\" stands twice"),
        "{problem}"
    );
    // One that nobody reads may.
    let unread = format!("{header},note,note\n");
    let context = context(ProviderKind::Generic);
    assert!(recognise(unread.as_bytes(), true, &context, None).is_ok());
}

#[test]
fn another_provider_s_file_is_refused_by_name() {
    let stripe = include_bytes!("../fixtures/stripe/payouts.csv");
    let problem = problem(stripe, ProviderKind::Adyen);
    assert_eq!(problem.code(), "wrong_provider");
    // Unless the profile is asked for.
    let context = context(ProviderKind::Adyen);
    assert!(recognise(stripe, true, &context, Some("stripe")).is_ok());
}

#[test]
fn a_profile_that_does_not_exist_names_those_that_do() {
    let context = context(ProviderKind::Generic);
    let problem = recognise(tieout(&[]).as_bytes(), true, &context, Some("tyout"))
        .err()
        .unwrap();
    assert_eq!(problem.code(), "no_such_profile");
    assert!(problem.to_string().contains("tieout, stripe"), "{problem}");
}

#[test]
fn a_profile_that_does_not_fit_names_what_is_missing() {
    let context = context(ProviderKind::Generic);
    let problem = recognise(tieout(&[]).as_bytes(), true, &context, Some("stripe"))
        .err()
        .unwrap();
    assert_eq!(problem.code(), "missing_column");
}

#[test]
fn a_header_beyond_the_twentieth_line_is_not_looked_for() {
    let above = |lines: usize| format!("{}{}", "note\n".repeat(lines), tieout(&[]));
    let context = context(ProviderKind::Generic);
    assert!(recognise(above(19).as_bytes(), true, &context, None).is_ok());
    assert!(recognise(above(20).as_bytes(), true, &context, None).is_err());
}

#[test]
fn a_header_alone_is_a_file_without_rows() {
    let reading = try_read(
        tieout(&[]).trim_end().as_bytes(),
        &context(ProviderKind::Generic),
    )
    .unwrap();
    assert_eq!(reading.facts.rows, 0);
}

#[test]
fn every_kind_of_account_may_send_the_tieout_csv() {
    for kind in ProviderKind::ALL {
        assert!(
            try_read(tieout(&[]).as_bytes(), &context(*kind)).is_ok(),
            "{kind}"
        );
    }
}

#[test]
fn a_file_in_the_wrong_place_is_told_where_it_belongs() {
    let payments = format!(
        "{},error_code\ni1\n",
        domain::payments_file::COLUMNS.join(",")
    );
    for text in [
        payments.clone(),
        payments.replace(',', ";"),
        format!("export of today\n{payments}"),
    ] {
        let problem = problem(text.as_bytes(), ProviderKind::Stripe);
        assert_eq!(problem.code(), "payments_file", "{problem}");
        assert!(problem.to_string().contains("under Payments"), "{problem}");
    }
    let barred = tieout(&[]).replace(',', "|");
    let problem_of_bars = problem(barred.as_bytes(), ProviderKind::Generic);
    assert_eq!(problem_of_bars.code(), "wrong_separator");
    assert!(
        problem_of_bars.to_string().contains("vertical bars"),
        "{problem_of_bars}"
    );
    let stripe = include_bytes!("../fixtures/stripe/payouts.csv");
    let text = problem(stripe, ProviderKind::Adyen).to_string();
    assert!(
        text.contains("accounts of Stripe") && text.contains("this account is of Adyen"),
        "{text}"
    );
}

#[test]
fn a_settlement_file_or_other_separators_among_payments_are_told_apart() {
    use domain::payments_file::{COLUMNS, HeaderError, PaymentsHeader};
    let now = Instant::parse_rfc3339("2026-11-04T00:00:00Z").unwrap();
    let read = |line: &str| PaymentsHeader::read(line.split(','), now);
    assert!(read(&COLUMNS.join(",")).is_ok());
    let semicolons = read(&COLUMNS.join(";")).unwrap_err();
    assert_eq!(semicolons, HeaderError::Separator("semicolons"));
    let header = tieout(&[]);
    let settlement = read(header.lines().next().unwrap_or_default()).unwrap_err();
    assert!(
        settlement.to_string().contains("upload it under Files"),
        "{settlement}"
    );
    // A column short is still a payments file, and the column is named.
    let short = COLUMNS.join(",").replace("operation,", "");
    assert_eq!(read(&short).unwrap_err(), HeaderError::Missing("operation"));
}
