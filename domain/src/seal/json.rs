//! A record as one line of JSON in an audit bundle, and back to its leaf.
//!
//! Integers are numbers, codes and ids strings, hashes hexadecimal, what is missing `null`. A text
//! is `""` when empty, else an object of its salt and itself, or, once erased, of its hash alone.
//! The line is written without blanks and its fields stand in the record's order, so that there is
//! one spelling of each record and any changed byte is a changed record.

use super::{
    Hash,
    canonical::{Bytes, Salt, Text, VERSION, leaf_of, put_postings, salted_hash},
    record::{Field, FieldType, Posting, Record, RecordKind, Visitor},
    records::fields_of,
};
use serde_json::Value;

/// A record read from a bundle.
#[derive(Debug, Clone)]
pub struct ReadRecord {
    /// Its canonical bytes.
    pub canonical: Vec<u8>,
    /// The leaf that its fields give.
    pub leaf: Hash,
    /// What to call it: kind and natural id.
    pub name: String,
    /// Its fields.
    pub fields: Value,
}

/// Why a line of a bundle is no record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotARecord {
    /// Not JSON at all.
    #[error("it is not a JSON object")]
    NotJson,
    /// A field is missing, out of place, or of the wrong type.
    #[error("its field {field} is missing, misplaced or not readable")]
    Field {
        /// Which.
        field: &'static str,
    },
    /// Something stands there that no field of this kind explains.
    #[error("it holds something beside its fields")]
    Surplus,
    /// The same content written differently than Tieout writes it.
    #[error("it is spelled otherwise than it was exported")]
    Spelling,
}

/// Appends a record to `out` as one line of JSON, with its line end. `salts` are those of its text
/// fields, in order.
pub fn write<R: Record>(record: &R, salts: &[Salt], out: &mut Vec<u8>) {
    let mut writer = Writer {
        out,
        salts: salts.iter(),
        separator: b'{',
    };
    record.visit(&mut writer);
    out.extend_from_slice(b"}\n");
}

/// What to call a record: its kind and natural id, such as `line 9f3c01ab52de:17`.
pub fn name_of<R: Record>(record: &R) -> String {
    let mut name = Name::new(R::KIND);
    record.visit_key(&mut name);
    name.text
}

/// Reads a line of a bundle as a record of this kind.
pub fn read(kind: RecordKind, line: &str) -> Result<ReadRecord, NotARecord> {
    let fields: Value = serde_json::from_str(line).map_err(|_| NotARecord::NotJson)?;
    let object = fields.as_object().ok_or(NotARecord::NotJson)?;
    let mut bytes = vec![VERSION];
    Bytes(&mut bytes).put_text(kind.code());
    let mut name = Name::new(kind);
    let mut given = object.iter();
    for field in fields_of(kind) {
        let problem = NotARecord::Field { field: field.name };
        let value = match given.next() {
            Some((key, value)) if key == field.name => value,
            _ => return Err(problem),
        };
        put(field, value, &mut bytes).ok_or(problem)?;
        if field.key {
            name.value(field, value);
        }
    }
    if given.next().is_some() {
        return Err(NotARecord::Surplus);
    }
    if serde_json::to_string(&fields).ok().as_deref() != Some(line) {
        return Err(NotARecord::Spelling);
    }
    Ok(ReadRecord {
        leaf: leaf_of(&bytes),
        canonical: bytes,
        name: name.text,
        fields,
    })
}

/// Appends the canonical form of one field; `None` if the value is not of its type.
fn put(field: &Field, value: &Value, bytes: &mut Vec<u8>) -> Option<()> {
    match field.kind {
        FieldType::Int => Bytes(bytes).put_int(value.as_i64()?),
        FieldType::Id => Bytes(bytes).put_text(value.as_str()?),
        FieldType::OptInt => {
            Bytes(bytes).put_presence(!value.is_null());
            if !value.is_null() {
                Bytes(bytes).put_int(value.as_i64()?);
            }
        }
        FieldType::OptId => {
            Bytes(bytes).put_presence(!value.is_null());
            if !value.is_null() {
                Bytes(bytes).put_text(value.as_str()?);
            }
        }
        FieldType::Hash => {
            let start = bytes.len();
            bytes.resize(start + field.length, 0);
            digits(value, bytes.get_mut(start..)?)?;
        }
        FieldType::Text => put_text(value, bytes)?,
        FieldType::Postings => {
            let postings: Option<Vec<Posting<'_>>> =
                value.as_array()?.iter().map(posting).collect();
            put_postings(bytes, &postings?);
        }
    }
    Some(())
}

fn put_text(value: &Value, bytes: &mut Vec<u8>) -> Option<()> {
    if value.as_str() == Some("") {
        Bytes(bytes).put_presence(false);
        return Some(());
    }
    let object = value.as_object()?;
    let hash = match (object.len(), object.get("salt"), object.get("text")) {
        (2, Some(salt), Some(text)) => {
            let mut bytes = Salt::default();
            digits(salt, &mut bytes)?;
            salted_hash(&bytes, text.as_str()?)
        }
        (1, None, None) => {
            let mut hash = Hash::default();
            digits(object.get("hash")?, &mut hash)?;
            hash
        }
        _ => return None,
    };
    Bytes(bytes).put_presence(true);
    bytes.extend_from_slice(&hash);
    Some(())
}

/// Reads hexadecimal digits of exactly the length of `into`. Small letters only: another spelling
/// of the same bytes would be a change that no leaf notices.
fn digits(value: &Value, into: &mut [u8]) -> Option<()> {
    let text = value.as_str()?;
    if text.bytes().any(|b| b.is_ascii_uppercase()) {
        return None;
    }
    hex::decode_to_slice(text, into).ok()
}

/// A posting as it stands in a bundle: `["receipts","EUR",-100]`.
pub fn posting(value: &Value) -> Option<Posting<'_>> {
    match value.as_array()?.as_slice() {
        [account, currency, amount] => Some(Posting {
            account: account.as_str()?,
            currency: currency.as_str()?,
            amount: amount.as_i64()?,
        }),
        _ => None,
    }
}

struct Writer<'o, 's> {
    out: &'o mut Vec<u8>,
    salts: std::slice::Iter<'s, Salt>,
    separator: u8,
}

impl Writer<'_, '_> {
    fn field(&mut self, name: &str, value: &impl serde::Serialize) {
        self.out.push(self.separator);
        self.separator = b',';
        self.json(&name);
        self.out.push(b':');
        self.json(value);
    }

    /// Writing plain values into memory does not fail.
    fn json(&mut self, value: &impl serde::Serialize) {
        let written = serde_json::to_writer(&mut *self.out, value);
        debug_assert!(written.is_ok());
    }
}

impl Visitor for Writer<'_, '_> {
    fn int(&mut self, name: &'static str, value: i64) {
        self.field(name, &value);
    }

    fn opt_int(&mut self, name: &'static str, value: Option<i64>) {
        self.field(name, &value);
    }

    fn id(&mut self, name: &'static str, value: &str) {
        self.field(name, &value);
    }

    fn opt_id(&mut self, name: &'static str, value: Option<&str>) {
        self.field(name, &value);
    }

    fn hash(&mut self, name: &'static str, value: &[u8]) {
        self.field(name, &hex::encode(value));
    }

    fn text(&mut self, name: &'static str, value: Text<'_>) {
        #[derive(serde::Serialize)]
        struct Salted<'a> {
            salt: String,
            text: &'a str,
        }
        #[derive(serde::Serialize)]
        struct Erased {
            hash: String,
        }
        let known = self.salts.next().copied().unwrap_or_default();
        match value {
            Text::Plain("") | Text::Salted("", _) => self.field(name, &""),
            Text::Plain(text) => self.field(
                name,
                &Salted {
                    salt: hex::encode(known),
                    text,
                },
            ),
            Text::Salted(text, salt) => self.field(
                name,
                &Salted {
                    salt: hex::encode(salt),
                    text,
                },
            ),
            Text::Erased(hash) => self.field(
                name,
                &Erased {
                    hash: hex::encode(hash),
                },
            ),
        }
    }

    fn postings(&mut self, name: &'static str, value: &[Posting<'_>]) {
        let rows: Vec<_> = value
            .iter()
            .map(|p| (p.account, p.currency, p.amount))
            .collect();
        self.field(name, &rows);
    }
}

/// Collects the fields that name a record.
struct Name {
    text: String,
    separator: char,
}

impl Name {
    fn new(kind: RecordKind) -> Self {
        Self {
            text: match kind {
                RecordKind::Line => "settlement line".to_owned(),
                other => other.code().replace('_', " "),
            },
            separator: ' ',
        }
    }

    fn part(&mut self, part: &str) {
        self.text.push(self.separator);
        self.text.push_str(part);
        self.separator = ':';
    }

    fn value(&mut self, field: &Field, value: &Value) {
        match (field.kind, value) {
            (FieldType::Hash, Value::String(text)) => self.part(shortened(text)),
            (_, Value::String(text)) => self.part(text),
            (_, other) => self.part(&other.to_string()),
        }
    }
}

/// Enough of a hash to find it, few enough digits to read.
fn shortened(hex: &str) -> &str {
    hex.get(..12).unwrap_or(hex)
}

impl Visitor for Name {
    fn int(&mut self, _: &'static str, value: i64) {
        self.part(&value.to_string());
    }

    fn opt_int(&mut self, _: &'static str, value: Option<i64>) {
        self.part(&value.map(|v| v.to_string()).unwrap_or_default());
    }

    fn id(&mut self, _: &'static str, value: &str) {
        self.part(value);
    }

    fn opt_id(&mut self, _: &'static str, value: Option<&str>) {
        self.part(value.unwrap_or_default());
    }

    fn hash(&mut self, _: &'static str, value: &[u8]) {
        self.part(shortened(&hex::encode(value)));
    }

    fn text(&mut self, _: &'static str, _: Text<'_>) {}

    fn postings(&mut self, _: &'static str, _: &[Posting<'_>]) {}
}

#[cfg(test)]
mod tests {
    use super::super::{
        Encoder, Secret,
        records::{AttemptRecord, LedgerEntryRecord, LineRecord},
    };
    use super::*;
    use proptest::prelude::*;

    fn encoder() -> Encoder {
        Encoder::new(Secret::new(&[5; 32]))
    }

    fn line<'a>(file: &'a Hash, counterparty: &'a str, description: &'a str) -> LineRecord<'a> {
        LineRecord {
            provider: "stripe-eu",
            file,
            line_no: 17,
            byte_offset: 1200,
            byte_len: 140,
            row_id: "txn_1",
            identity: &[9; 16],
            kind: "payment",
            source_kind: "charge",
            provider_payment_id: "pi_1",
            modification_id: "",
            merchant_reference: "ORDER \"1\"",
            gross: 10_000,
            fee: 320,
            net: 9_680,
            currency: "EUR",
            presented_amount: 10_000,
            presented_currency: "EUR",
            occurred_at: Some(1_764_000_000_000_000),
            settled_at: None,
            accounting_day: 20_400,
            batch: "po_1",
            counterparty: Text::Plain(counterparty),
            description: Text::Plain(description),
            lossy_text: 0,
        }
    }

    fn written<R: Record>(record: &R) -> String {
        let mut encoder = encoder();
        let salts = encoder.salts(record);
        let mut out = Vec::new();
        write(record, &salts, &mut out);
        String::from_utf8(out).unwrap().trim_end().to_owned()
    }

    #[test]
    fn a_record_read_back_gives_the_leaf_that_was_sealed() {
        let file = [1; 32];
        for (counterparty, description) in [("Ann", "a café, twice"), ("", "x"), ("", "")] {
            let record = line(&file, counterparty, description);
            let read = read(RecordKind::Line, &written(&record)).unwrap();
            assert_eq!(read.leaf, encoder().leaf(&record));
            assert_eq!(read.name, "settlement line 010101010101:17");
            assert_eq!(read.name, name_of(&record));
        }
        let postings = [
            Posting {
                account: "provider_clearing",
                currency: "EUR",
                amount: 5,
            },
            Posting {
                account: "receipts",
                currency: "EUR",
                amount: -5,
            },
        ];
        let entry = LedgerEntryRecord {
            provider: "stripe-eu",
            accounting_day: 20_400,
            batch: "po_1",
            cause_kind: "lines",
            cause: "01:1-17",
            detail: Text::Plain("{}"),
            postings: &postings,
        };
        let read = read(RecordKind::LedgerEntry, &written(&entry)).unwrap();
        assert_eq!(read.leaf, encoder().leaf(&entry));
        assert_eq!(posting(&read.fields["postings"][1]).unwrap(), postings[1]);
    }

    #[test]
    fn an_erased_text_leaves_the_leaf_as_it_was() {
        let file = [1; 32];
        let record = line(&file, "Ann", "note");
        let salts = encoder().salts(&record);
        let erased = LineRecord {
            counterparty: Text::Erased(salted_hash(&salts[0], "Ann")),
            ..record.clone()
        };
        assert_eq!(encoder().leaf(&erased), encoder().leaf(&record));
        assert!(!written(&erased).contains("Ann"));
        assert_eq!(
            read(RecordKind::Line, &written(&erased)).unwrap().leaf,
            encoder().leaf(&record)
        );
    }

    #[test]
    fn two_texts_of_a_record_have_different_salts() {
        let file = [1; 32];
        let salts = encoder().salts(&line(&file, "same", "same"));
        assert_eq!(salts.len(), 2);
        assert_ne!(salts[0], salts[1]);
    }

    proptest! {
        #[test]
        fn any_changed_byte_of_a_line_is_noticed(at in 0_usize..900, with in 1_u8..=255) {
            let file = [1; 32];
            let record = line(&file, "Ann", "a café");
            let text = written(&record);
            let mut bytes = text.clone().into_bytes();
            let at = at % bytes.len();
            bytes[at] ^= with;
            let noticed = match std::str::from_utf8(&bytes) {
                Err(_) => true,
                Ok(text) => read(RecordKind::Line, text)
                    .map_or(true, |read| read.leaf != encoder().leaf(&record)),
            };
            prop_assert!(noticed);
        }

        #[test]
        fn neighbouring_fields_never_run_into_each_other(a in ".{0,6}", b in ".{0,6}", c in ".{0,6}", d in ".{0,6}") {
            let attempt = |key: &str, id: &str| {
                encoder().leaf(&AttemptRecord {
                    intent: "i", provider: "p", attempt: "a", number: 1,
                    idempotency_key: key, provider_payment_id: id,
                    started_at: 1, finished_at: None, outcome: "unknown", error_code: "",
                })
            };
            prop_assert_eq!(attempt(&a, &b) == attempt(&c, &d), a == c && b == d);
        }
    }
}
