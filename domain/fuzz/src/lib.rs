//! What every fuzz target asserts of the bytes that it makes up.

use domain::{
    account::ProviderKind,
    formats::{
        Earlier, FileFacts, Origins, ReadContext, Recognition, Row, RowReader, read_record_at,
        recognise,
    },
    time::{Instant, Zone},
};

/// Reads bytes as a whole file, and again in pieces: equal rows, every record inside the file and
/// behind the one before it, and no row uncounted.
pub fn read(bytes: &[u8], kind: ProviderKind) -> Vec<Row> {
    let context = ReadContext {
        kind,
        zone: Zone::UTC,
        reference_column: String::new(),
        latest: Instant::from_micros(2_100_000_000_000_000),
    };
    let Ok(recognition) = recognise(bytes, true, &context, None) else {
        return Vec::new();
    };
    let mut facts = FileFacts::new(&recognition);
    let mut rows = Vec::new();
    let mut end = 0;
    for row in RowReader::new(bytes, &recognition) {
        let Ok(row) = row else { break };
        facts.add(&row);
        let place = match &row {
            Row::Line(line) => Some((line.byte_offset, line.byte_len)),
            Row::Rejected(row) => Some((row.byte_offset, row.byte_len)),
            Row::Blank { .. } | Row::Trailer { .. } => None,
        };
        if let Some((offset, length)) = place {
            assert!(offset >= end, "records overlap");
            end = offset + u64::from(length);
            let from = usize::try_from(offset).expect("fits");
            let to = usize::try_from(end).expect("fits");
            let record = bytes.get(from..to).expect("a record inside the file");
            let shown = read_record_at(record, &recognition);
            if let Row::Line(_) = row {
                assert!(shown.len() >= recognition.header.len());
            }
        }
        rows.push(row);
    }
    assert_eq!(facts.lines + facts.rejected, facts.rows);
    assert_eq!(facts.rows + facts.blank, rows.len() as u64);
    let again: Vec<Row> = RowReader::new(Halting { bytes, next: 1 }, &recognition)
        .map_while(Result::ok)
        .collect();
    assert_eq!(rows, again);
    read_as_repaired(bytes, &recognition);
    rows
}

/// Reads the bytes as rows that were repaired, behind themselves: each row is there again.
fn read_as_repaired(bytes: &[u8], recognition: &Recognition) {
    let Ok(origins) = Origins::read(bytes, recognition) else {
        return;
    };
    let file = origins.file().unwrap_or_default();
    let Ok(Some(earlier)) = Earlier::read(bytes, recognition, file) else {
        return;
    };
    let count = |of: &Recognition| RowReader::new(bytes, of).count();
    let before = count(recognition);
    assert_eq!(
        before,
        count(&recognition.clone().behind(earlier, &origins))
    );
}

/// Gives one byte, then two, up to seven, and over again.
struct Halting<'a> {
    bytes: &'a [u8],
    next: usize,
}

impl std::io::Read for Halting<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let size = self.next.min(into.len()).min(self.bytes.len());
        self.next = self.next % 7 + 1;
        let (now, later) = self.bytes.split_at(size);
        into[..size].copy_from_slice(now);
        self.bytes = later;
        Ok(size)
    }
}
