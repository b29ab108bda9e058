//! Profiles of users: read as data, refused with a reason, and used like the built-in ones.

use crate::support::context;
use domain::{
    account::ProviderKind,
    formats::{FileFacts, Profile, ProfileError, Row, RowReader, recognise_among},
    line::RowKind,
};
use std::sync::Arc;

/// A shop's till: an unsigned amount with CR or DR, cents, British dates, dollar signs.
const TILL: &str = r#"
name = "till"
title = "Till export"
delimiters = ["|"]
period = "occurred"

[header]
required = ["When", "What", "No", "Amount", "Dir", "Ccy"]

[number]
decimal = "point"
unit = "minor"

[time]
formats = ["%d/%m/%Y %H:%M"]

[columns]
kind = ["What"]
payment_id = ["No"]
occurred_at = [{ column = "When", zone = "Europe/London" }]

[amounts]
currency = "Ccy"
gross = { amount = "Amount", mark = "Dir", credit_words = ["CR"], debit_words = ["DR"] }

[identity]
amounts = "never"

[report]
whole = false

[total]
rule = "none"
scope = "batch"

[kinds]
Sale = "payment"
"#;

fn read(kind: ProviderKind, text: &str) -> (Vec<Row>, FileFacts) {
    let profiles = [Arc::new(Profile::from_toml(TILL).unwrap())];
    let recognition =
        recognise_among(text.as_bytes(), true, &context(kind), None, &profiles).unwrap();
    let mut facts = FileFacts::new(&recognition);
    let rows: Vec<Row> = RowReader::new(text.as_bytes(), &recognition)
        .map(Result::unwrap)
        .collect();
    for row in &rows {
        facts.add(row);
    }
    (rows, facts)
}

#[test]
fn a_user_s_profile_reads_marks_cents_and_local_dates() {
    let (rows, facts) = read(
        ProviderKind::Adyen,
        "When|What|No|Amount|Dir|Ccy\n\
         14/07/2026 00:20|Sale|n1|1250|CR|GBP\n\
         14/07/2026 00:21|SALE|n1|250|dr|GBP\n\
         14/07/2026 00:22|Sale|n2|150000|CR|CLP\n\
         14/07/2026 00:23|Sale|n3|100|XX|GBP\n",
    );
    let [
        Row::Line(sale),
        Row::Line(back),
        Row::Line(pesos),
        Row::Rejected(bad),
    ] = &rows[..]
    else {
        panic!("{rows:?}");
    };
    assert_eq!((sale.gross, sale.fee, sale.net), (1250, 0, 1250));
    assert_eq!(
        sale.occurred_at.unwrap().to_string(),
        "2026-07-13T23:20:00Z"
    );
    assert_eq!((back.gross, back.kind), (-250, RowKind::Payment));
    // Adyen counts pesos in hundredths.
    assert_eq!(pesos.gross, 1500);
    assert_eq!(
        (bad.column.as_str(), bad.reason.code()),
        ("Dir", "unreadable_amount")
    );
    // Without columns for it, a row is identified by all it says.
    assert_eq!(
        sale.identity,
        "14/07/2026 00:20\u{1f}Sale\u{1f}n1\u{1f}1250\u{1f}CR\u{1f}GBP"
    );
    assert!(facts.totals.values().all(|total| total.ties().is_none()));
}

#[test]
fn a_profile_that_cannot_work_is_refused_with_the_reason() {
    let refused = |from: &str, to: &str| Profile::from_toml(&TILL.replace(from, to)).unwrap_err();
    assert!(matches!(
        refused("name = \"till\"", "name = \"My till\""),
        ProfileError::BadName(_)
    ));
    assert!(matches!(
        refused("payment_id = [\"No\"]", "payment_id = [\"Nr\"]"),
        ProfileError::UnlistedColumn {
            field: "payment_id",
            ..
        }
    ));
    assert!(matches!(
        refused("[\"|\"]", "[\"x\"]"),
        ProfileError::BadDelimiter { .. }
    ));
    assert!(matches!(
        refused("%d/%m", "%Q/%m"),
        ProfileError::BadTimePattern { .. }
    ));
    assert!(matches!(
        refused("Sale = \"payment\"", "Sale = \"sale\""),
        ProfileError::Unreadable(_)
    ));
    assert!(matches!(
        refused("period =", "perriod ="),
        ProfileError::Unreadable(_)
    ));
    assert!(matches!(
        refused("gross = {", "unused = {"),
        ProfileError::Unreadable(_)
    ));
    assert!(matches!(
        refused("kind = [\"What\"]", "kind = []"),
        ProfileError::Incomplete { .. }
    ));
}

#[test]
fn a_row_in_which_every_identifying_column_is_empty_is_identified_by_all_it_says() {
    let text = TILL.replace("[identity]", "[identity]\ncolumns = [\"No\"]");
    let profiles = [Arc::new(Profile::from_toml(&text).unwrap())];
    let file = "When|What|No|Amount|Dir|Ccy\n14/07/2026 00:20|Sale||1250|CR|GBP\n";
    let context = context(ProviderKind::Generic);
    let recognition = recognise_among(file.as_bytes(), true, &context, None, &profiles).unwrap();
    let Some(Ok(Row::Line(line))) = RowReader::new(file.as_bytes(), &recognition).next() else {
        panic!("one line");
    };
    assert!(line.identity.starts_with("14/07/2026 00:20"));
}
