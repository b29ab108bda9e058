//! The structure of files: where rows start and end, what is no row, what is cut off.

use crate::support::{TIEOUT_HEADER, read_as, read_tieout, tieout, utf16};
use domain::{
    account::ProviderKind,
    formats::{Row, read_record_at, repairable_record},
    line::RowKind,
};

const GOOD: &str = "a,payment,p1,o1,1.00,0,1.00,EUR,2026-03-01,,,,";

/// FIL2
#[test]
fn a_file_that_ends_inside_a_quoted_text_shows_its_rows_and_refuses_the_last() {
    let file = tieout(&[
        GOOD,
        "b,payment,p2,o2,1.00,0,1.00,EUR,2026-03-01,,,,\"half a te",
    ]);
    let file = file.trim_end();
    let reading = read_as(ProviderKind::Generic, file);
    assert_eq!(reading.lines().len(), 1);
    assert_eq!((reading.facts.rows, reading.facts.rejected), (2, 1));
    let row = reading.rejected()[0];
    assert_eq!((row.line_no, row.reason.code()), (3, "cut_off"));
    assert_eq!(
        (&*row.row_id, &*row.column, &*row.value),
        ("b", "description", "half a te")
    );
    assert_eq!(
        row.message,
        "description \"half a te\" opens a quote on line 3 that is never closed, so that everything from \
         there to the end of the file is in this one row. If the file was cut off, get the whole of it; \
         if the quote is a slip, take it out; then upload the file again"
    );
    let (from, to) = (TIEOUT_HEADER.len() + GOOD.len() + 2, file.len());
    assert_eq!(row.byte_offset, from as u64);
    assert_eq!(row.byte_len as usize, to - from);
    assert_eq!(reading.facts.cut_off.as_ref(), Some(row));
}

/// FIL2
#[test]
fn a_quote_that_nothing_closes_takes_in_the_rest_of_the_file_and_says_from_where_to_where() {
    // The row starts on line 3, its quote opens on line 4, and lines 5 to 7 are lost to it.
    let file = tieout(&[
        GOOD,
        "b,payment,\"p\n2\",\"o2,1.00,0,1.00,EUR,2026-03-01,,,,",
        &GOOD.replace("a,", "c,"),
        &GOOD.replace("a,", "d,"),
        "TOTAL,,,,3.00,0,3.00,EUR,,,,,",
    ]);
    let reading = read_as(ProviderKind::Generic, &file);
    assert_eq!((reading.lines().len(), reading.facts.rows), (1, 2));
    let row = reading.rejected()[0];
    assert_eq!((row.line_no, row.reason.code()), (3, "cut_off"));
    assert_eq!(row.column, "merchant_reference");
    assert_eq!(row.value, "o2,1.00,0,1.00,EUR,2026-03-01,,,,\nc,paym");
    assert!(
        row.message
            .contains("opens a quote on line 4 that is never closed, so that everything from there to the end of the file on line 7 is in this one row"),
        "{}",
        row.message
    );
    // All of it stands in the row's bytes: nothing is lost.
    let from = usize::try_from(row.byte_offset).unwrap();
    assert_eq!(from + row.byte_len as usize, file.len());
    assert_eq!(reading.facts.file_ties(), None);
    // A quote beyond the header has no column.
    let reading = read_tieout(&[GOOD, &format!("{GOOD},\"x")]);
    let row = reading.rejected()[0];
    assert_eq!(row.column, "");
    assert!(row.message.starts_with("a field beyond the header opens"));
}

/// FIL2
#[test]
fn a_file_that_ends_in_the_middle_of_a_character_shows_its_rows_and_refuses_the_last() {
    let rows = [
        "a,payment,p1,o1,1.00,0,1.00,EUR,2026-03-01,,,,Café",
        "b,payment,p2,o2,1.00,0,1.00,EUR,2026-03-01,,,,Café",
    ];
    let file = tieout(&rows);
    let cut = &file.trim_end().as_bytes()[..file.len() - 2];
    let reading = read_as(ProviderKind::Generic, cut);
    assert_eq!(reading.line("a").description, "Café");
    let row = reading.rejected()[0];
    assert_eq!((row.line_no, row.reason.code()), (3, "cut_off"));
    assert_eq!(row.row_id, "b");
    assert!(!reading.recognition.encoding_assumed);
}

/// FIL2. In half a code unit, and between the two of a character beyond the basic plane.
#[test]
fn so_does_a_file_in_utf_16() {
    let rows = [
        "a,payment,p1,o1,1.00,0,1.00,EUR,2026-03-01,,,,Café",
        "b,payment,p2,o2,1.00,0,1.00,EUR,2026-03-01,,,,🏦",
    ];
    let whole = format!("\u{feff}{}", tieout(&rows).trim_end());
    for little in [true, false] {
        let bytes = utf16(&whole, little);
        for missing in [1, 2, 3] {
            let cut = &bytes[..bytes.len() - missing];
            let reading = read_as(ProviderKind::Generic, cut);
            assert_eq!(reading.line("a").description, "Café");
            let row = reading.rejected()[0];
            assert_eq!((row.line_no, row.reason.code()), (3, "cut_off"));
            assert_eq!(row.row_id, "b");
            // All of it stands in the row's bytes: nothing is lost, and nothing is beyond the file.
            let from = usize::try_from(row.byte_offset).unwrap();
            assert_eq!(from + row.byte_len as usize, cut.len());
        }
    }
}

/// FIL2
#[test]
fn a_last_row_that_breaks_off_is_refused_and_counted() {
    let file = tieout(&[GOOD, "b,payment,p2,o2,1.0"]);
    let reading = read_as(ProviderKind::Generic, file.trim_end());
    assert_eq!(reading.facts.rows, 2);
    let row = reading.rejected()[0];
    assert_eq!((row.line_no, row.reason.code()), (3, "too_few_fields"));
    assert_eq!(row.row_id, "b");
}

/// FIL3
#[test]
fn a_footer_is_a_check_and_no_transaction() {
    let rows = [
        "a,payment,p1,o1,100.00,0,100.00,EUR,2026-03-01,,,,",
        "b,payment,p2,o2,200.00,0,200.00,EUR,2026-03-01,,,,",
    ];
    let with = |footer: &str| read_tieout(&[rows[0], rows[1], footer]);
    let reading = with("TOTAL,,,,300.00,0,300.00,EUR,,,,,");
    assert_eq!(reading.lines().len(), 2);
    assert_eq!(reading.facts.file_ties(), Some(true));
    let reading = with("Total:,,,,310.00,0,310.00,EUR,,,,,");
    assert_eq!(reading.facts.file_ties(), Some(false));
    // One that does not say what it counts is no row either, and declares nothing.
    let reading = with("TOTAL,,300.00");
    assert_eq!(reading.lines().len(), 2);
    assert_eq!((reading.facts.file_ties(), reading.facts.blank), (None, 1));
    // A payment may be called so.
    let reading = with("total,payment,p3,o3,5.00,0,5.00,EUR,2026-03-01,,,,");
    assert_eq!(reading.lines().len(), 3);
}

// Rows of 300.00 EUR, and once 5.00 USD with them.
#[test]
fn a_footer_that_declares_what_cannot_be_read_does_not_tie() {
    let euros = [
        "a,payment,p1,o1,100.00,0,100.00,EUR,2026-03-01,,,,",
        "b,payment,p2,o2,200.00,0,200.00,EUR,2026-03-01,,,,",
    ];
    let dollars = "c,payment,p3,o3,5.00,0,5.00,USD,2026-03-01,,,,";
    for (rows, footer, ties) in [
        (
            vec![euros[0], euros[1]],
            "TOTAL,,,,300.00,0,300.00,,,,,,",
            Some(true),
        ),
        (
            vec![euros[0], euros[1]],
            "TOTAL,,,,310.00,0,310.00,,,,,,",
            Some(false),
        ),
        (vec![euros[0], euros[1]], "TOTAL,,,,,,,EUR,,,,,", None),
        (
            vec![euros[0], euros[1]],
            "TOTAL,,,,300.00,0,300.00,EURO,,,,,",
            Some(false),
        ),
        (
            vec![euros[0], euros[1]],
            "TOTAL,,,,300.00,0,3oo.00,EUR,,,,,",
            Some(false),
        ),
        (
            vec![dollars, euros[0], euros[1]],
            "TOTAL,,,,300.00,0,300.00,,,,,,",
            Some(false),
        ),
    ] {
        let mut rows = rows;
        rows.push(footer);
        let reading = read_tieout(&rows);
        assert_eq!(reading.facts.file_ties(), ties, "{footer}");
    }
    // Above the rows nobody knows in which currency it is.
    let above = read_tieout(&["TOTAL,,,,300.00,0,300.00,,,,,,", euros[0], euros[1]]);
    assert_eq!(above.facts.file_ties(), Some(false));
    let second = read_tieout(&[euros[0], euros[1], "TOTAL,,,,300.00,0,3oo.00,EUR,,,,,"]);
    let wrong = second.facts.unread_footer().unwrap();
    assert_eq!((wrong.line_no, wrong.column.as_str()), (4, "net"));
    assert!(
        wrong.message.starts_with("net \"3oo.00\" "),
        "{}",
        wrong.message
    );
    let wrong = above.facts.unread_footer().unwrap();
    assert_eq!((wrong.line_no, wrong.column.as_str()), (2, "currency"));
}

/// FIL11
#[test]
fn a_batch_that_does_not_sum_shows_what_was_declared_summed_and_left() {
    let reading = read_tieout(&[
        "a,payment,p1,o1,97.00,0,97.00,EUR,2026-03-01,,B,,",
        "b,payout,,,-100.00,0,-100.00,EUR,2026-03-02,,B,,",
    ]);
    let total = reading.facts.totals.values().next().unwrap();
    assert_eq!(
        (total.declared, total.net, total.residual(), total.ties()),
        (Some(10000), 9700, Some(300), Some(false))
    );
    // The batch may go on in another file: it does not hold this one.
    assert_eq!(reading.facts.file_ties(), None);
}

/// FIL17
#[test]
fn account_lines_above_the_header_are_passed_over_and_counted() {
    let file = format!("Account: 4711\nPeriod;2026-03-01;2026-03-31\n\n{TIEOUT_HEADER}\n{GOOD}\n");
    let reading = read_as(ProviderKind::Generic, file);
    assert_eq!(reading.recognition.header_line, 4);
    assert_eq!(reading.lines().len(), 1);
    assert_eq!(reading.line("a").line_no, 5);
    assert_eq!(reading.facts.blank, 3);
}

/// FIL5
#[test]
fn optional_columns_are_read_where_they_are() {
    let plain = read_tieout(&[GOOD]);
    let file = format!("{TIEOUT_HEADER},modification_id,shoe_size\n{GOOD},rf_1,43\n");
    let reading = read_as(ProviderKind::Generic, file);
    assert_eq!(plain.line("a").modification_id, "");
    assert_eq!(reading.line("a").modification_id, "rf_1");
}

#[test]
fn blank_lines_and_rows_of_nothing_are_blank() {
    let reading = read_tieout(&["", GOOD, "  ", ",,,,,,,,,,,,", "\u{1a}"]);
    assert_eq!((reading.facts.lines, reading.facts.rows), (1, 1));
    assert_eq!(reading.facts.blank, 4);
}

#[test]
fn the_header_again_is_no_row() {
    let reading = read_tieout(&[GOOD, TIEOUT_HEADER, &GOOD.replace("a,", "b,")]);
    assert_eq!(
        (
            reading.facts.lines,
            reading.facts.rejected,
            reading.facts.blank
        ),
        (2, 0, 1)
    );
}

#[test]
fn too_many_fields_are_refused_unless_the_rest_is_empty() {
    let reading = read_tieout(&[&format!("{GOOD},,"), &format!("{GOOD}Smith, John")]);
    assert_eq!(reading.lines().len(), 1);
    assert_eq!(reading.rejected()[0].reason.code(), "too_many_fields");
}

#[test]
fn text_behind_a_closing_quote_is_refused() {
    let reading = read_tieout(&["a,payment,p1,\"o\"1,1.00,0,1.00,EUR,2026-03-01,,,,", GOOD]);
    assert_eq!(reading.rejected()[0].reason.code(), "unreadable_text");
    assert_eq!(reading.lines().len(), 1);
}

#[test]
fn semicolons_and_tabs_are_found_by_the_header() {
    for delimiter in [";", "\t"] {
        let reading = read_as(
            ProviderKind::Generic,
            tieout(&[GOOD]).replace(',', delimiter),
        );
        assert_eq!(reading.line("a").provider_payment_id, "p1", "{delimiter:?}");
    }
}

#[test]
fn line_ends_of_any_system_are_line_ends() {
    for line_end in ["\n", "\r\n", "\r"] {
        let file = tieout(&[GOOD, &GOOD.replace("a,", "b,")]).replace('\n', line_end);
        let reading = read_as(ProviderKind::Generic, file);
        assert_eq!(reading.line("b").line_no, 3, "{line_end:?}");
    }
}

#[test]
fn a_field_or_a_row_beyond_all_measure_is_refused_and_reading_goes_on() {
    let long_field = format!("{GOOD}{}", "x".repeat(64 * 1024 + 1));
    let long_row = format!(
        "b,payment,{}\"a,\n{}\",1",
        "\"p\",".repeat(3),
        "y".repeat(1024 * 1024)
    );
    let last = GOOD.replace("a,", "z,");
    let reading = read_tieout(&[&long_field, &long_row, &last]);
    let reasons: Vec<_> = reading
        .rejected()
        .iter()
        .map(|r| (r.line_no, r.reason.code(), r.byte_len as usize))
        .collect();
    assert_eq!(
        reasons,
        [
            (2, "field_too_long", long_field.len()),
            (3, "field_too_long", long_row.len())
        ]
    );
    // The long row has a line end inside its quotes.
    let line = reading.line("z");
    assert_eq!(line.line_no, 5);
    assert_eq!(
        usize::try_from(line.byte_offset).unwrap(),
        TIEOUT_HEADER.len() + long_field.len() + long_row.len() + 3
    );
}

/// FIL2
#[test]
fn a_quote_that_never_closes_is_cut_off_however_long_the_rest() {
    let open = format!(
        "{}\"{}",
        GOOD.replace("a,", "b,"),
        "text, and \"\"more\"\"\n".repeat(100_000)
    );
    let file = tieout(&[GOOD, &open]);
    let reading = read_as(ProviderKind::Generic, &file);
    assert_eq!((reading.lines().len(), reading.facts.rows), (1, 2));
    let row = reading.rejected()[0];
    assert_eq!((row.line_no, row.reason.code()), (3, "cut_off"));
    assert_eq!((&*row.row_id, &*row.column), ("b", "description"));
    assert_eq!(row.value, "text, and \"more\"\ntext, and \"more\"\ntext, ");
    // 100,000 lines from line 3 on, and the line end that the last of them still has.
    assert!(
        row.message.contains("the end of the file on line 100003"),
        "{}",
        row.message
    );
    assert_eq!(row.byte_len as usize, open.len() + 1);
}

#[test]
fn an_unknown_kind_is_kept_as_unrecognised() {
    let reading = read_tieout(&["a,tip_jar,p1,o1,-1.35,0,-1.35,EUR,2026-03-01,,,,"]);
    let line = reading.line("a");
    assert_eq!((line.kind, line.net), (RowKind::Unrecognised, -135));
    assert_eq!(line.source_kind, "tip_jar");
}

/// FEE4
#[test]
fn a_fee_without_a_payment_is_a_row_like_any_other() {
    let reading = read_tieout(&[
        "a,payment,p1,o1,50.00,0,50.00,EUR,2026-03-01,,B,,",
        "b,fee,,,0,3.00,-3.00,EUR,2026-03-01,,B,,Monthly device",
        "c,payout,,,-47.00,0,-47.00,EUR,2026-03-02,,B,,",
    ]);
    assert_eq!(
        reading.batch("B", "EUR"),
        (5000, 300, 4700, Some(4700), Some(true))
    );
}

/// SEC9
#[test]
fn a_card_number_in_free_text_is_masked_and_one_in_an_id_is_left() {
    let row = "a,payment,4111111111111111,o1,1.00,0,1.00,EUR,2026-03-01,,,Card 4111111111111111,paid with 4111 1111 1111 1111";
    let reading = read_tieout(&[row]);
    let line = reading.line("a");
    assert_eq!(line.provider_payment_id, "4111111111111111");
    assert_eq!(line.counterparty, "Card 411111******1111");
    assert_eq!(line.description, "paid with 4111 11** **** 1111");
    let shown = read_record_at(row.as_bytes(), &reading.recognition);
    assert_eq!(shown.len(), 13);
    assert_eq!(
        shown[2],
        (
            "provider_payment_id".to_owned(),
            "4111111111111111".to_owned()
        )
    );
    assert_eq!(
        shown[12],
        ("description".to_owned(), line.description.clone())
    );
    // Nor does a refused row repeat one.
    let reading = read_tieout(&["a,payment,p,o1,4111 1111 1111 1111!,0,1.00,EUR,2026-03-01,,,,"]);
    let rejected = reading.rejected()[0];
    assert_eq!(rejected.value, "4111 11** **** 1111!");
    assert!(!rejected.message.contains("4111 1111"));
}

/// SEC9
#[test]
fn a_row_to_be_repaired_stands_as_it_came_but_for_card_numbers_outside_its_ids() {
    let reading = read_tieout(&[GOOD]);
    for (row, shown) in [
        // Too few fields, an open quote's neighbour, doubled quotes, empty fields at the end.
        (
            "a,payment,4111111111111111,o1",
            "a,payment,4111111111111111,o1",
        ),
        (
            "a,payment,\"4111111111111111\",o1,x,0,1.00,EUR,,,,\"Card \"\"4111111111111111\"\"\",\r\n",
            "a,payment,\"4111111111111111\",o1,x,0,1.00,EUR,,,,\"Card \"\"411111******1111\"\"\",",
        ),
        (
            "a,payment,4111111111111111,o1,x,0,1.00,EUR,,,,\"Card\" 4111111111111111,z\n",
            "a,payment,4111111111111111,o1,x,0,1.00,EUR,,,,\"Card\" 411111******1111,z",
        ),
        (
            "a,payment,p,o1,1,0,1,EUR,,,,,\"broken 4111111111111111",
            "a,payment,p,o1,1,0,1,EUR,,,,,\"broken 411111******1111",
        ),
    ] {
        assert_eq!(
            repairable_record(row.as_bytes(), &reading.recognition),
            shown
        );
    }
}

#[test]
fn a_zero_byte_in_an_id_refuses_the_row_and_in_text_is_replaced() {
    let filler = format!("{GOOD}{}", "w".repeat(5000));
    let reading = read_tieout(&[
        &filler,
        "b\0,payment,p,o,1.00,0,1.00,EUR,2026-03-01,,,,",
        "c,payment,p,o,1.00,0,1.00,EUR,2026-03-01,,,,x\0y",
    ]);
    assert_eq!(reading.rejected()[0].reason.code(), "unreadable_text");
    assert_eq!(reading.line("c").description, "x\u{fffd}y");
}

#[test]
fn rows_and_blanks_account_for_every_record() {
    let reading = read_tieout(&[GOOD, "", "bad", "TOTAL"]);
    let facts = &reading.facts;
    assert_eq!(
        (facts.lines, facts.rejected, facts.blank, facts.rows),
        (1, 1, 2, 2)
    );
    assert!(matches!(reading.rows[3], Row::Trailer { line_no: 5, .. }));
}
