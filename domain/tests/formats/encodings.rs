//! Encodings: settled once per file, never patched over.

use crate::support::{TIEOUT_HEADER, context, read_as, tieout, try_read, utf16};
use domain::{
    account::ProviderKind,
    formats::{Encoding, ReadError, RowReader, recognise},
};

const ROW: &str =
    "r1,payment,pay_1,ORD-1,5.00,0.10,4.90,EUR,2026-03-01T10:00:00Z,,B-1,Zoë Çelik,Café 12 €";

/// ENC1, ENC7
#[test]
fn a_byte_order_mark_hides_no_column() {
    let file = tieout(&[ROW]);
    let plain = read_as(ProviderKind::Generic, &file);
    let mut marked = b"\xEF\xBB\xBF".to_vec();
    marked.extend_from_slice(file.as_bytes());
    let reading = read_as(ProviderKind::Generic, &marked);
    let line = reading.line("r1");
    assert_eq!(line.provider_payment_id, "pay_1");
    // Offsets are those of the stored bytes, the mark included.
    assert_eq!(line.byte_offset, plain.line("r1").byte_offset + 3);
    assert_eq!(
        &marked[usize::try_from(line.byte_offset).unwrap()..][..ROW.len()],
        ROW.as_bytes()
    );
}

/// ENC7
#[test]
fn a_mark_that_a_spreadsheet_left_inside_the_first_name_hides_no_column_either() {
    let mut file = b"\xEF\xBB\xBF\xEF\xBB\xBF".to_vec();
    file.extend_from_slice(tieout(&[ROW]).replace(',', ";").as_bytes());
    let reading = read_as(ProviderKind::Generic, &file);
    assert_eq!(reading.line("r1").merchant_reference, "ORD-1");
}

/// ENC2
#[test]
fn utf_16_is_read_in_either_byte_order_with_or_without_its_mark() {
    let file = tieout(&[ROW]).replace('\n', "\r\n");
    for (little, encoding) in [(true, Encoding::Utf16Le), (false, Encoding::Utf16Be)] {
        for marked in [true, false] {
            let text = if marked {
                format!("\u{feff}{file}")
            } else {
                file.clone()
            };
            let bytes = utf16(&text, little);
            let reading = read_as(ProviderKind::Generic, &bytes);
            assert_eq!(reading.recognition.encoding, encoding);
            let line = reading.line("r1");
            assert_eq!(line.counterparty, "Zoë Çelik");
            assert_eq!(line.line_no, 2);
            let start = usize::try_from(line.byte_offset).unwrap();
            let record = &bytes[start..start + line.byte_len as usize];
            assert_eq!(
                record,
                utf16(ROW, little),
                "little {little}, marked {marked}"
            );
        }
    }
}

#[test]
fn characters_beyond_the_basic_plane_do_not_shift_utf_16_offsets() {
    let second = ROW.replace("r1", "r2");
    let file = tieout(&[&ROW.replace("Café", "😀😀"), &second]);
    let bytes = utf16(&format!("\u{feff}{file}"), true);
    let reading = read_as(ProviderKind::Generic, &bytes);
    let line = reading.line("r2");
    let start = usize::try_from(line.byte_offset).unwrap();
    assert_eq!(
        &bytes[start..start + line.byte_len as usize],
        utf16(&second, true)
    );
}

#[test]
fn windows_1252_is_read_and_said_to_be_an_assumption() {
    let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(ROW);
    let mut file = format!("{TIEOUT_HEADER}\r\n").into_bytes();
    file.extend_from_slice(&bytes);
    let reading = read_as(ProviderKind::Generic, &file);
    assert_eq!(reading.recognition.encoding, Encoding::Windows1252);
    assert!(reading.recognition.encoding_assumed);
    let line = reading.line("r1");
    assert_eq!(line.description, "Café 12 €");
    let start = usize::try_from(line.byte_offset).unwrap();
    assert_eq!(&file[start..start + line.byte_len as usize], bytes.as_ref());
}

#[test]
fn a_late_byte_that_is_no_utf_8_changes_the_encoding_of_the_whole_file() {
    let filler: Vec<String> = (0..2000)
        .map(|n| format!("f{n},payment,p{n},o{n},1.00,0,1.00,EUR,2026-03-01,,,,plain words"))
        .collect();
    let filler: Vec<&str> = filler.iter().map(String::as_str).collect();
    let mut file = tieout(&filler).into_bytes();
    file.extend_from_slice(b"r1,payment,p,o,1.00,0,1.00,EUR,2026-03-01,,,,Caf\xE9\n");
    let head = &file[..65536];
    let mut recognition = recognise(head, false, &context(ProviderKind::Generic), None).unwrap();
    assert_eq!(recognition.encoding, Encoding::Utf8);
    recognition.settle(file.as_slice()).unwrap();
    assert_eq!(recognition.encoding, Encoding::Windows1252);
    let last = RowReader::new(file.as_slice(), &recognition)
        .last()
        .unwrap()
        .unwrap();
    assert!(format!("{last:?}").contains("Café"));
}

#[test]
fn a_reader_that_meets_what_it_was_not_told_stops_with_the_place() {
    let mut file = tieout(&[ROW]).into_bytes();
    let recognition = recognise(&file, true, &context(ProviderKind::Generic), None).unwrap();
    let offset = file.len() as u64;
    file.extend_from_slice(b"\xFF,payment,p,o,1.00,0,1.00,EUR,2026-03-01,,,,\n");
    let error = RowReader::new(file.as_slice(), &recognition)
        .find_map(Result::err)
        .unwrap();
    let ReadError::File(problem) = error else {
        panic!("{error}");
    };
    assert_eq!(problem.code(), "undecodable");
    assert!(problem.to_string().contains(&offset.to_string()));
}

#[test]
fn a_file_that_mixes_utf_8_with_other_bytes_is_refused_rather_than_garbled() {
    let mut file = tieout(&[ROW]).into_bytes();
    file.extend_from_slice(b"r2,payment,p,o,1.00,0,1.00,EUR,2026-03-01,,,,Caf\xE9\n");
    let problem = try_read(&file, &context(ProviderKind::Generic))
        .err()
        .unwrap();
    assert_eq!(problem.code(), "undecodable");
}

/// ENC6
#[test]
fn text_that_was_lost_at_its_source_is_kept_and_flagged() {
    let reading = read_as(
        ProviderKind::Generic,
        tieout(&[
            &ROW.replace("Café", "Caf\u{fffd}"),
            &ROW.replace("r1", "r2"),
        ]),
    );
    assert!(reading.line("r1").lossy_text);
    assert_eq!(reading.line("r1").gross, 500);
    assert!(!reading.line("r2").lossy_text);
    assert_eq!(reading.facts.lossy_rows, 1);
}

#[test]
fn characters_that_straddle_the_pieces_of_a_long_file_are_read_whole() {
    let text = "😀é€".repeat(40);
    for shift in 0..5 {
        let rows: Vec<String> = (0..1200)
            .map(|n| {
                format!(
                    "r{n},payment,p,o,1.00,0,1.00,EUR,2026-03-01,,,,{}{text}",
                    "x".repeat(shift)
                )
            })
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let file = tieout(&rows);
        for bytes in [
            file.clone().into_bytes(),
            utf16(&format!("\u{feff}{file}"), true),
            utf16(&file, false),
        ] {
            assert!(bytes.len() > 300_000);
            let mut recognition = recognise(
                &bytes[..65536],
                false,
                &context(ProviderKind::Generic),
                None,
            )
            .unwrap();
            recognition.settle(bytes.as_slice()).unwrap();
            assert!(!recognition.encoding_assumed);
            let mut count = 0;
            for (row, written) in RowReader::new(bytes.as_slice(), &recognition).zip(&rows) {
                let Ok(domain::formats::Row::Line(line)) = row else {
                    panic!("{row:?}");
                };
                assert!(line.description.ends_with(&text));
                let start = usize::try_from(line.byte_offset).unwrap();
                let record = &bytes[start..start + line.byte_len as usize];
                let stored = match recognition.encoding {
                    Encoding::Utf8 => written.as_bytes().to_vec(),
                    encoding => utf16(written, encoding == Encoding::Utf16Le),
                };
                assert_eq!(record, stored);
                count += 1;
            }
            assert_eq!(count, 1200);
        }
    }
}
