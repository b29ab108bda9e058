//! What holds for every file.

use crate::support::{TIEOUT_HEADER, context, try_read, utf16};
use domain::{
    account::ProviderKind,
    formats::{Row, RowReader, recognise, repair_header, repairable_record},
    line::RowKind,
    money::major,
};
use proptest::prelude::*;
use std::io::Read;

#[derive(Debug, Clone)]
struct Written {
    row_id: String,
    kind: RowKind,
    payment_id: String,
    reference: String,
    gross: i64,
    fee: i64,
    currency: &'static str,
    batch_id: String,
    description: String,
}

/// Text as it may stand between quotes, with no white space at its ends.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        "[a-zA-Z0-9_.:#/-]{1,12}",
        "[A-Z](?s:[a-z ,;\"\\\\\n\r\t'äöü€日😀]){0,20}[a-z]",
    ]
}

fn written() -> impl Strategy<Value = Written> {
    (
        (
            "[a-z0-9_]{1,8}",
            prop::sample::select(RowKind::ALL),
            "[a-z0-9_]{0,8}",
            "[A-Za-z0-9 \"äß-]{0,8}",
        ),
        (-1_000_000_000_i64..1_000_000_000, -10_000_i64..10_000),
        prop::sample::select(vec!["EUR", "JPY", "KWD", "CLF"]),
        "[a-z0-9_]{0,3}",
        text(),
    )
        .prop_map(
            |(
                (row_id, kind, payment_id, reference),
                (gross, fee),
                currency,
                batch_id,
                description,
            )| Written {
                row_id,
                kind,
                payment_id,
                reference: reference.trim().to_owned(),
                gross,
                fee,
                currency,
                batch_id,
                description,
            },
        )
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn file(rows: &[Written], line_end: &str) -> String {
    let mut file = format!("{TIEOUT_HEADER}{line_end}");
    for row in rows {
        let exponent = row
            .currency
            .parse::<domain::money::Currency>()
            .unwrap()
            .exponent();
        let amount = |minor| major(minor, exponent);
        file.push_str(
            &[
                row.row_id.clone(),
                row.kind.code().to_owned(),
                row.payment_id.clone(),
                quoted(&row.reference),
                amount(row.gross),
                amount(row.fee),
                amount(row.gross - row.fee),
                row.currency.to_owned(),
                "2026-03-01T10:00:00Z".to_owned(),
                String::new(),
                row.batch_id.clone(),
                String::new(),
                quoted(&row.description),
            ]
            .join(","),
        );
        file.push_str(line_end);
    }
    file
}

/// Gives its bytes in pieces of the given sizes, over and over.
struct Pieces<'a> {
    bytes: &'a [u8],
    sizes: std::iter::Cycle<std::vec::IntoIter<usize>>,
}

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let size = self.sizes.next().unwrap_or(1).min(into.len());
        self.bytes.read(&mut into[..size])
    }
}

proptest! {
    #[test]
    fn rows_written_read_back_equal(
        rows in prop::collection::vec(written(), 0..12),
        line_end in prop::sample::select(vec!["\n", "\r\n"]),
        encoding in 0..4,
    ) {
        let text = file(&rows, line_end);
        let bytes = match encoding {
            0 => text.clone().into_bytes(),
            1 => format!("\u{feff}{text}").into_bytes(),
            2 => utf16(&format!("\u{feff}{text}"), true),
            _ => utf16(&format!("\u{feff}{text}"), false),
        };
        let reading = try_read(&bytes, &context(ProviderKind::Generic)).unwrap();
        let lines = reading.lines();
        prop_assert_eq!(lines.len(), rows.len(), "{:?}", reading.rejected());
        for (line, row) in lines.iter().zip(&rows) {
            prop_assert_eq!(&line.row_id, &row.row_id);
            prop_assert_eq!(line.kind, row.kind);
            prop_assert_eq!(&line.provider_payment_id, &row.payment_id);
            prop_assert_eq!(&line.merchant_reference, &row.reference);
            prop_assert_eq!((line.gross, line.fee, line.net), (row.gross, row.fee, row.gross - row.fee));
            prop_assert_eq!(line.currency.as_str(), row.currency);
            prop_assert_eq!(&line.batch_id, &row.batch_id);
            prop_assert_eq!(&line.description, &row.description);
            // The place that a line names holds its record.
            let start = usize::try_from(line.byte_offset).unwrap();
            let record = &bytes[start..start + line.byte_len as usize];
            let shown = domain::formats::read_record_at(record, &reading.recognition);
            prop_assert_eq!(&shown[0].1, &row.row_id);
            prop_assert_eq!(shown.len(), 13);
        }
        let sum: i128 = rows.iter().map(|r| i128::from(r.gross - r.fee)).sum();
        prop_assert_eq!(reading.facts.nets.values().sum::<i128>(), sum);
    }

    #[test]
    fn pieces_of_any_size_give_equal_rows(
        rows in prop::collection::vec(written(), 0..12),
        sizes in prop::collection::vec(1_usize..40, 1..6),
        wide: bool,
    ) {
        let text = file(&rows, "\r\n");
        let bytes = if wide { utf16(&format!("\u{feff}{text}"), true) } else { text.into_bytes() };
        let recognition = recognise(&bytes, true, &context(ProviderKind::Generic), None).unwrap();
        let whole: Vec<Row> = RowReader::new(bytes.as_slice(), &recognition).map(Result::unwrap).collect();
        let pieces = Pieces { bytes: &bytes, sizes: sizes.into_iter().cycle() };
        let split: Vec<Row> = RowReader::new(pieces, &recognition).map(Result::unwrap).collect();
        prop_assert_eq!(whole, split);
    }

    /// FIL2
    #[test]
    fn a_file_that_is_cut_off_anywhere_shows_every_row_before_the_last(
        rows in prop::collection::vec(written(), 1..8),
        place in 0.0..1.0_f64,
        wide in prop::option::of(any::<bool>()),
    ) {
        let stored = |text: String| match wide {
            None => text.into_bytes(),
            Some(little) => utf16(&text, little),
        };
        let header = stored(format!("\u{feff}{TIEOUT_HEADER}\n"));
        let whole = stored(format!("\u{feff}{}", file(&rows, "\n")));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let cut = header.len() + ((whole.len() - header.len()) as f64 * place) as usize;
        let read = |bytes: &[u8]| try_read(bytes, &context(ProviderKind::Generic)).unwrap();
        let (all, part) = (read(&whole).rows, read(&whole[..cut]).rows);
        prop_assert!(part.len() <= all.len());
        let before = part.len().saturating_sub(1);
        prop_assert_eq!(&part[..before], &all[..before]);
    }

    #[test]
    fn rows_that_go_out_to_be_repaired_read_back_as_they_were(
        rows in prop::collection::vec(written(), 1..8),
        cells in prop::collection::vec("[ \t]{0,2}['=+@-]{0,3}[a-z0-9.,]{0,5}", 8),
    ) {
        let rows: Vec<Written> = rows
            .into_iter()
            .zip(&cells)
            .map(|(row, cell)| Written { reference: cell.trim().to_owned(), description: cell.clone(), ..row })
            .collect();
        let first = try_read(file(&rows, "\n").as_bytes(), &context(ProviderKind::Generic)).unwrap();
        let bytes = file(&rows, "\n").into_bytes();
        let mut out = format!("{}\n", repair_header(&first.recognition));
        for line in first.lines() {
            let start = usize::try_from(line.byte_offset).unwrap();
            let record = &bytes[start..start + line.byte_len as usize];
            out.push_str("\"line 2: wrong\",");
            out.push_str(&repairable_record(record, &first.recognition));
            out.push('\n');
        }
        let again = try_read(out.as_bytes(), &context(ProviderKind::Generic)).unwrap();
        prop_assert_eq!(again.lines().len(), first.lines().len());
        for (a, b) in again.lines().iter().zip(first.lines()) {
            prop_assert_eq!(&a.row_id, &b.row_id);
            prop_assert_eq!(&a.provider_payment_id, &b.provider_payment_id);
            prop_assert_eq!(&a.merchant_reference, &b.merchant_reference);
            prop_assert_eq!(&a.description, &b.description);
            prop_assert_eq!((a.gross, a.fee, a.net), (b.gross, b.fee, b.net));
        }
    }
}
