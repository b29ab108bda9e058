//! What pass one learns.

use crate::support::{context, read_tieout, tieout};
use domain::{
    account::ProviderKind,
    formats::{FileFacts, MOST_BATCHES, Row, RowReader, recognise},
};

#[test]
fn a_row_whose_gross_less_fee_is_not_its_net_is_named() {
    let reading = read_tieout(&[
        "a,payment,p1,o1,10.00,1.00,9.00,EUR,2026-03-01,,,,",
        "b,payment,p2,o2,10.00,1.00,9.50,EUR,2026-03-01,,,,",
        // A fee row counts by its net, whichever column the file used.
        "c,fee,,,-0.50,0.50,-0.50,EUR,2026-03-01,,,,",
    ]);
    assert_eq!(reading.facts.uneven.count, 1);
    assert_eq!(reading.facts.uneven.first_lines, [3]);
}

#[test]
fn a_hundred_uneven_rows_are_named_and_the_rest_counted() {
    let rows: Vec<String> = (0..150)
        .map(|n| format!("r{n},payment,p,o,10.00,1.00,9.50,EUR,2026-03-01,,,,"))
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let facts = read_tieout(&rows).facts;
    assert_eq!(
        (facts.uneven.count, facts.uneven.first_lines.len()),
        (150, 100)
    );
}

/// FEE5
#[test]
fn sums_are_kept_by_batch_and_currency() {
    let reading = read_tieout(&[
        "a,payment,p1,o1,10.00,1.00,9.00,EUR,2026-03-01,,B1,,",
        "b,payment,p2,o2,500,10,490,JPY,2026-03-01,,B1,,",
        "c,payment,p3,o3,20.00,2.00,18.00,EUR,2026-03-02,,B2,,",
        "d,payout,,,-9.00,0,-9.00,EUR,2026-03-04,,B1,,",
    ]);
    assert_eq!(
        reading.batch("B1", "EUR"),
        (1000, 100, 900, Some(900), Some(true))
    );
    assert_eq!(reading.batch("B1", "JPY"), (500, 10, 490, None, None));
    assert_eq!(reading.batch("B2", "EUR"), (2000, 200, 1800, None, None));
    assert_eq!(reading.facts.batch_ids().collect::<Vec<_>>(), ["B1", "B2"]);
    assert_eq!(reading.facts.first_day.unwrap().to_string(), "2026-03-01");
    assert_eq!(reading.facts.last_day.unwrap().to_string(), "2026-03-04");
}

/// PER6
#[test]
fn a_file_of_ever_new_batches_is_counted_in_bounded_memory() {
    let header = tieout(&[]);
    let recognition = recognise(
        header.as_bytes(),
        true,
        &context(ProviderKind::Generic),
        None,
    )
    .unwrap();
    let one = tieout(&["a,payment,p1,o1,1.00,0,1.00,EUR,2026-03-01,,B,,"]);
    let Some(Ok(Row::Line(line))) = RowReader::new(one.as_bytes(), &recognition).next() else {
        panic!("one row");
    };
    let mut facts = FileFacts::new(&recognition);
    for batch in 0..MOST_BATCHES + 5 {
        let mut line = line.clone();
        line.batch_id = batch.to_string();
        facts.add(&Row::Line(line));
    }
    assert_eq!(facts.totals.len(), MOST_BATCHES);
    assert!(facts.totals_cut);
    assert_eq!(facts.rows, MOST_BATCHES as u64 + 5);
    assert_eq!(
        facts.nets.values().next(),
        Some(&(100 * (MOST_BATCHES as i128 + 5)))
    );
}
