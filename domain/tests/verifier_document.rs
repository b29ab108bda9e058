//! `docs/verifier` and the code say the same: outsiders verify by the one what the other seals.

#![allow(clippy::unwrap_used, clippy::panic)]

use domain::seal::{
    BlockHeader, Hash, RecordKind, hash_from_hex, json, merkle, record::FieldType,
    records::fields_of,
};

const DOCUMENT: &str = include_str!("../../docs/verifier/README.md");

/// The fenced blocks of the document: what follows the fence, and the content.
fn blocks() -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in DOCUMENT.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => open = Some((info.to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, content))) => {
                content.push_str(line);
                content.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

fn of(info: &str) -> Vec<String> {
    let found = blocks().into_iter().filter(|(i, _)| i == info);
    found
        .map(|(_, content)| content.replace('\n', ""))
        .collect()
}

#[test]
fn every_record_kind_is_specified_field_by_field() {
    for kind in RecordKind::ALL {
        let row = DOCUMENT
            .lines()
            .find(|line| line.starts_with(&format!("| `{kind}` |")))
            .unwrap_or_else(|| panic!("{kind} is not specified"));
        let stated: Vec<&str> = row.rsplit('|').nth(1).unwrap().split_whitespace().collect();
        let sealed: Vec<String> = fields_of(*kind)
            .iter()
            .map(|field| {
                let kind = match field.kind {
                    FieldType::Int => "int".to_owned(),
                    FieldType::OptInt => "opt_int".to_owned(),
                    FieldType::Id => "id".to_owned(),
                    FieldType::OptId => "opt_id".to_owned(),
                    FieldType::Hash => format!("hash{}", field.length),
                    FieldType::Text => "text".to_owned(),
                    FieldType::Postings => "postings".to_owned(),
                };
                format!("`{}:{kind}`", field.name)
            })
            .collect();
        assert_eq!(stated, sealed, "{kind}");
    }
}

#[test]
fn the_worked_example_is_what_the_code_seals() {
    let records: Vec<(RecordKind, String)> = blocks()
        .into_iter()
        .filter_map(|(info, content)| {
            let kind = info.strip_prefix("json record ")?.parse().unwrap();
            Some((kind, content.trim_end().to_owned()))
        })
        .collect();
    let leaves: Vec<Hash> = of("hex leaf")
        .iter()
        .map(|hex| hash_from_hex(hex).unwrap())
        .collect();
    let canonical = of("hex canonical");
    assert_eq!((records.len(), leaves.len(), canonical.len()), (3, 3, 3));
    for (((kind, line), leaf), hex) in records.iter().zip(&leaves).zip(&canonical) {
        let read = json::read(*kind, line).unwrap();
        assert_eq!(hex::encode(&read.canonical), *hex, "{kind}");
        assert_eq!(read.leaf, *leaf, "{kind}");
    }
    let root = merkle::root(&leaves);
    assert_eq!(of("hex root"), [hex::encode(root)]);
    let header = BlockHeader {
        number: 1,
        previous: [0; 32],
        root,
        leaf_count: 3,
        sealed_at: 1_764_000_001_000_000,
    };
    assert_eq!(of("hex block"), [hex::encode(header.canonical())]);
    let block = header.close();
    assert_eq!(of("hex block hash"), [hex::encode(block.hash)]);
    assert!(DOCUMENT.contains(&format!("`{}`", block.head())));
}
