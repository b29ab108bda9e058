//! Arbitrary bytes: whatever comes, it is told, and nothing panics.

use crate::support::{TIEOUT_HEADER, context, try_read};
use domain::account::ProviderKind;
use proptest::prelude::*;

const STRIPE: &str =
    "balance_transaction_id,created,currency,gross,fee,net,reporting_category,description\n";

fn adyen_header() -> &'static str {
    include_str!("../fixtures/adyen/settlement_detail_batch_41.csv")
        .split_inclusive('\n')
        .next()
        .unwrap()
}

proptest! {
    #[test]
    fn any_bytes_at_all(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = try_read(&bytes, &context(ProviderKind::Generic));
    }

    #[test]
    fn any_bytes_below_a_header(bytes in prop::collection::vec(any::<u8>(), 0..300), which in 0..3) {
        let header = match which {
            0 => format!("{TIEOUT_HEADER}\n"),
            1 => STRIPE.to_owned(),
            _ => adyen_header().to_owned(),
        };
        let file = [header.as_bytes(), &bytes].concat();
        let _ = try_read(&file, &context(ProviderKind::Generic));
    }

    #[test]
    fn any_text_in_the_shape_of_rows(
        rows in prop::collection::vec(prop::collection::vec("[^\u{0}]{0,6}|-?[0-9.,]{0,9}|EUR|payment|2026-03-01", 13), 0..6),
    ) {
        let mut file = format!("{TIEOUT_HEADER}\n");
        for row in &rows {
            file.push_str(&row.join(","));
            file.push('\n');
        }
        if let Ok(reading) = try_read(file.as_bytes(), &context(ProviderKind::Generic)) {
            let facts = &reading.facts;
            prop_assert_eq!(facts.lines + facts.rejected + facts.blank, reading.rows.len() as u64);
            // No record overlaps the one before it, and none leaves the file.
            let mut end = TIEOUT_HEADER.len() as u64;
            for row in &reading.rows {
                let (offset, length) = match row {
                    domain::formats::Row::Line(l) => (l.byte_offset, l.byte_len),
                    domain::formats::Row::Rejected(r) => (r.byte_offset, r.byte_len),
                    _ => continue,
                };
                prop_assert!(offset >= end);
                end = offset + u64::from(length);
            }
            prop_assert!(end <= file.len() as u64);
        }
    }
}
