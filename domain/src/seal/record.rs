//! What a sealed record is: a kind, and fields in a fixed order, each of one of a few types.

use super::canonical::Text;
use crate::coded_enum;

coded_enum! {
    /// The kinds of sealed records: one for each history table, postings being part of their entry.
    pub enum RecordKind as "record kind" {
        UserEvent = "user_event",
        AuditRecord = "audit_record",
        ProviderPolicy = "provider_policy",
        Intent = "intent",
        Attempt = "attempt",
        AttemptEvent = "attempt_event",
        IntentEvent = "intent_event",
        Evidence = "evidence",
        SettlementFile = "settlement_file",
        FileEvent = "file_event",
        Line = "line",
        Verdict = "verdict",
        RejectedRow = "rejected_row",
        ReviewCase = "review_case",
        CaseEvent = "case_event",
        Decision = "decision",
        Approval = "approval",
        LedgerEntry = "ledger_entry",
    }
}

/// The type of a field: it fixes how the field becomes bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    /// A 64-bit integer: amounts in minor units, counts, microseconds or days since 1970, 0 or 1.
    Int,
    /// An integer that may be missing.
    OptInt,
    /// A code or an id: text that names no person.
    Id,
    /// A code or id that may be missing.
    OptId,
    /// A hash of a length that the field fixes.
    Hash,
    /// Personal or free text, of which only a salted hash is sealed.
    Text,
    /// The postings of a ledger entry.
    Postings,
}

/// One field of a record kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its name in the audit bundle.
    pub name: &'static str,
    /// Its type.
    pub kind: FieldType,
    /// For hashes, the length in bytes; otherwise 0.
    pub length: usize,
    /// Whether it is part of the record's natural id.
    pub key: bool,
}

/// One debit or credit of a ledger entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posting<'a> {
    /// The ledger account's code.
    pub account: &'a str,
    /// The currency's code.
    pub currency: &'a str,
    /// Minor units: debit positive, credit negative.
    pub amount: i64,
}

/// Receives the fields of a record in their order.
pub trait Visitor {
    /// A 64-bit integer.
    fn int(&mut self, name: &'static str, value: i64);
    /// An integer that may be missing.
    fn opt_int(&mut self, name: &'static str, value: Option<i64>);
    /// A code or an id.
    fn id(&mut self, name: &'static str, value: &str);
    /// A code or id that may be missing.
    fn opt_id(&mut self, name: &'static str, value: Option<&str>);
    /// A hash of fixed length.
    fn hash(&mut self, name: &'static str, value: &[u8]);
    /// Personal or free text.
    fn text(&mut self, name: &'static str, value: Text<'_>);
    /// The postings of an entry.
    fn postings(&mut self, name: &'static str, value: &[Posting<'_>]);
}

/// A record that is sealed.
pub trait Record {
    /// Which kind it is.
    const KIND: RecordKind;
    /// The names of the fields that together name the record.
    const KEY: &'static [&'static str];
    /// Its fields, in order.
    const FIELDS: &'static [Field];
    /// Shows every field, in order.
    fn visit<V: Visitor>(&self, visitor: &mut V);
    /// Shows the fields that name the record, in order.
    fn visit_key<V: Visitor>(&self, visitor: &mut V);
}

/// Declares a record kind: its struct, its fields in sealed order, and which of them name it.
macro_rules! sealed_record {
    ($(#[$meta:meta])* $name:ident is $kind:ident, named by ($($key:ident),+) {
        $($(#[$fmeta:meta])* $field:ident: $type:ident),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone)]
        pub struct $name<'a> {
            $($(#[$fmeta])* pub $field: sealed_record!(@rust 'a $type)),+
        }

        impl Record for $name<'_> {
            const KIND: RecordKind = RecordKind::$kind;
            const KEY: &'static [&'static str] = &[$(stringify!($key)),+];
            const FIELDS: &'static [Field] = &[$(Field {
                name: stringify!($field),
                kind: sealed_record!(@kind $type),
                length: sealed_record!(@length $type),
                key: is_key(stringify!($field), Self::KEY),
            }),+];

            #[inline]
            fn visit<V: Visitor>(&self, visitor: &mut V) {
                $(sealed_record!(@visit $type visitor, stringify!($field), self.$field);)+
            }

            #[inline]
            fn visit_key<V: Visitor>(&self, visitor: &mut V) {
                $(if const { is_key(stringify!($field), Self::KEY) } {
                    sealed_record!(@visit $type visitor, stringify!($field), self.$field);
                })+
            }
        }
    };
    (@rust $l:lifetime int) => { i64 };
    (@rust $l:lifetime opt_int) => { Option<i64> };
    (@rust $l:lifetime id) => { &$l str };
    (@rust $l:lifetime opt_id) => { Option<&$l str> };
    (@rust $l:lifetime hash32) => { &$l Hash };
    (@rust $l:lifetime hash16) => { &$l [u8; 16] };
    (@rust $l:lifetime text) => { Text<$l> };
    (@rust $l:lifetime postings) => { &$l [Posting<$l>] };
    (@kind int) => { FieldType::Int };
    (@kind opt_int) => { FieldType::OptInt };
    (@kind id) => { FieldType::Id };
    (@kind opt_id) => { FieldType::OptId };
    (@kind hash32) => { FieldType::Hash };
    (@kind hash16) => { FieldType::Hash };
    (@kind text) => { FieldType::Text };
    (@kind postings) => { FieldType::Postings };
    (@length hash32) => { 32 };
    (@length hash16) => { 16 };
    (@length $other:ident) => { 0 };
    (@visit int $v:ident, $n:expr, $f:expr) => { $v.int($n, $f) };
    (@visit opt_int $v:ident, $n:expr, $f:expr) => { $v.opt_int($n, $f) };
    (@visit id $v:ident, $n:expr, $f:expr) => { $v.id($n, $f) };
    (@visit opt_id $v:ident, $n:expr, $f:expr) => { $v.opt_id($n, $f) };
    (@visit hash32 $v:ident, $n:expr, $f:expr) => { $v.hash($n, $f) };
    (@visit hash16 $v:ident, $n:expr, $f:expr) => { $v.hash($n, $f) };
    (@visit text $v:ident, $n:expr, $f:expr) => { $v.text($n, $f) };
    (@visit postings $v:ident, $n:expr, $f:expr) => { $v.postings($n, $f) };
}
pub(super) use sealed_record;

/// Whether a field is among those that name its record; usable in constants.
pub(super) const fn is_key(name: &str, keys: &[&str]) -> bool {
    let mut rest = keys;
    while let [first, tail @ ..] = rest {
        if same(name.as_bytes(), first.as_bytes()) {
            return true;
        }
        rest = tail;
    }
    false
}

const fn same(mut a: &[u8], mut b: &[u8]) -> bool {
    loop {
        match (a, b) {
            ([], []) => return true,
            ([x, xs @ ..], [y, ys @ ..]) if *x == *y => {
                a = xs;
                b = ys;
            }
            _ => return false,
        }
    }
}
