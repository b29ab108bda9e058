//! Rejected rows on their way out to be repaired, and back.
//!
//! A row goes out as it stands in its file, quotes and all, so that only what is wrong with it has to be
//! changed. Two things are not as they came. Card numbers are masked, except in columns of ids. And a cell
//! that a spreadsheet would take for a formula gets the apostrophe of [`formula_guard`](crate::formula_guard),
//! as in every export of ours; a plain number stays one. A file that comes back bears [`REASON_COLUMN`] first:
//! by that it is known, and reading takes off exactly the apostrophes that writing put on. In the files of
//! providers an apostrophe is a part of the text like any other.

use super::{
    Recognition,
    card::masked,
    layout::plain_name,
    recognition::delimiter_byte,
    record::{Scan, field_end, scan},
};
use crate::formula_guard::{guarded, is_formula};
use std::borrow::Cow;

/// The first column of rejected rows that go out: what is wrong with each. No profile reads it.
pub const REASON_COLUMN: &str = "what_is_wrong";

/// Whether a file with this header is one of rejected rows that went out.
pub(super) fn is_of_repaired_rows(header: &[String]) -> bool {
    header
        .first()
        .is_some_and(|name| plain_name(name) == REASON_COLUMN)
}

/// The header under which rejected rows go out.
pub fn repair_header(recognition: &Recognition) -> String {
    let separator = recognition.delimiter;
    let own = recognition
        .header
        .iter()
        .skip(usize::from(recognition.guarded))
        .map(|name| quoted(&guarded(name.trim()), separator));
    std::iter::once(REASON_COLUMN.to_owned())
        .chain(own)
        .collect::<Vec<_>>()
        .join(separator.to_string().as_str())
}

/// A name as a field of a file with this separator.
fn quoted(name: &str, separator: char) -> String {
    if name.contains([separator, '"', '\r', '\n']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

/// A record as it goes out, without its line end and without what was said of it when it went out before.
pub fn repairable_record(record: &[u8], recognition: &Recognition) -> String {
    let text = recognition.encoding.decode_lossy(record);
    let parts = raw_fields(&text, delimiter_byte(recognition.delimiter));
    let said_before = usize::from(recognition.guarded && parts.len() > 1);
    let cells: Vec<_> = parts
        .iter()
        .enumerate()
        .skip(said_before)
        .map(|(index, part)| {
            let part = if recognition.layout.holds_ids(index) {
                Cow::Borrowed(*part)
            } else {
                masked(part)
            };
            guarded_cell(&part, recognition.guarded).unwrap_or_else(|| part.into_owned())
        })
        .collect();
    cells.join(recognition.delimiter.to_string().as_str())
}

/// The fields of a record as they stand, with their quotes; one that is cut off has its last one open.
fn raw_fields(text: &str, delimiter: u8) -> Vec<&str> {
    let mut fields = Vec::new();
    let found = scan(text.as_bytes(), true, delimiter, &mut fields);
    let (record, open_at) = if let Scan::Record(shape) = found {
        (text.get(..shape.len).unwrap_or_default(), None)
    } else {
        let record = text.trim_end_matches(['\r', '\n']);
        let before = fields
            .last()
            .map(|field| field_end(record.as_bytes(), field.end(), delimiter) + 1);
        (record, Some(before.unwrap_or(0)))
    };
    let starts: Vec<usize> = fields
        .iter()
        .map(|field| field.raw_start(record))
        .chain(open_at)
        .collect();
    let ends = starts
        .iter()
        .skip(1)
        .map(|next| next.saturating_sub(1))
        .chain([record.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| record.get(*start..end).unwrap_or_default())
        .collect()
}

/// The raw field with a guard, where it needs one. `before`: it may have one already.
fn guarded_cell(raw: &str, before: bool) -> Option<String> {
    let (text, inner) = match raw.strip_prefix('"') {
        Some(text) => (text, text.strip_suffix('"').unwrap_or(text)),
        None => (raw, raw),
    };
    let inner = inner.trim_end();
    // White space before a formula does not hide it from every spreadsheet, and is no part of a value.
    let (text, inner) = if is_formula(inner) {
        (text, inner)
    } else {
        (text.trim_start(), inner.trim_start())
    };
    let has_guard = before && inner.starts_with('\'');
    if !is_formula(inner) || has_guard || is_number(inner) {
        return None;
    }
    let at = raw.len() - text.len();
    Some(format!("{}'{text}", raw.get(..at).unwrap_or_default()))
}

/// Whether the text of a cell is nothing but a number with its sign.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| {
            c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | ' ' | '\u{a0}' | '\u{202f}')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_that_a_spreadsheet_would_run_gets_a_guard_inside_its_quotes_and_a_number_stays_one() {
        for (raw, cell) in [
            ("=1+1", "'=1+1"),
            ("\"=1+1\"", "\"'=1+1\""),
            ("  =1+1", "  '=1+1"),
            ("\"\t=1\"", "\"'\t=1\""),
            ("\"\rx\"", "\"'\rx\""),
            ("@x", "'@x"),
            ("+49 30 x", "'+49 30 x"),
            ("-1+cmd|'/c calc'!A0", "'-1+cmd|'/c calc'!A0"),
            ("-1.2.x", "'-1.2.x"),
            ("'=1", "''=1"),
            ("'-5.00", "''-5.00"),
        ] {
            assert_eq!(guarded_cell(raw, false).as_deref(), Some(cell), "{raw:?}");
            assert_eq!(guarded_cell(cell, true), None, "{cell:?}");
        }
        for raw in [
            "",
            "x",
            "\"x\"",
            "-5.00",
            "\"-1.234,50\"",
            "+7",
            "-1 234,5",
            "'tis",
            "5-3",
            "\"",
            "\"\t\"",
            "'\t",
        ] {
            assert_eq!(guarded_cell(raw, false), None, "{raw:?}");
        }
    }

    #[test]
    fn the_fields_of_a_record_that_is_cut_off_are_found_too() {
        for (text, fields) in [
            ("a,\"b,c\",d\r\n", vec!["a", "\"b,c\"", "d"]),
            ("a,\"b,c\",\"=d,\ne,f\n", vec!["a", "\"b,c\"", "\"=d,\ne,f"]),
            ("\"=a,b", vec!["\"=a,b"]),
            ("a,\"", vec!["a", "\""]),
        ] {
            assert_eq!(raw_fields(text, b','), fields, "{text:?}");
        }
    }
}
