//! Settlement lines as a list, and one of them down to its bytes.

use super::{Amount, files::FileRow};
use crate::{
    line::{RowKind, Rule, Verdict},
    time::{Day, Instant},
};
use serde::{Deserialize, Serialize};

/// One settlement line in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRow {
    /// Its file, by public id.
    pub file_id: String,
    /// Physical line, the first being 1.
    pub line_no: u64,
    /// The provider's row id, or empty.
    pub row_id: String,
    /// What it is about.
    pub kind: RowKind,
    /// The payment's id at the provider, or empty.
    pub provider_payment_id: String,
    /// The reference on it, or empty.
    pub merchant_reference: String,
    /// The provider's batch id, or empty.
    pub batch_id: String,
    /// Gross that moved at the provider.
    pub gross: Amount,
    /// Fee, positive when charged.
    pub fee: Amount,
    /// Net that moved at the provider.
    pub net: Amount,
    /// What the payer saw, where it differs from gross.
    pub presented: Option<Amount>,
    /// When its file came.
    pub received_at: Instant,
    /// When it happened, by the provider.
    pub occurred_at: Option<Instant>,
    /// When it settled, by the provider.
    pub settled_at: Option<Instant>,
    /// The day it is booked under.
    pub accounting_day: Day,
    /// What became of it; nothing while it is being judged.
    pub verdict: Option<Verdict>,
    /// Which rule said so.
    pub rule: Rule,
    /// The intent it belongs to, or empty.
    pub intent_id: String,
    /// The attempt it belongs to, or empty.
    pub attempt_id: String,
    /// The open case about it, by public id, or empty.
    pub case_id: String,
}

/// What the URL asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LineFilter {
    /// Verdict, in capitals, or empty.
    pub verdict: String,
    /// Row kind, or empty.
    pub kind: String,
    /// A row id, provider id or reference.
    pub q: String,
    /// Opaque cursor.
    pub after: String,
}

/// The lines of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinesPage {
    /// The file.
    pub file: FileRow,
    /// The filter as understood.
    pub filter: LineFilter,
    /// This page of lines, in the file's order.
    pub rows: Vec<LineRow>,
    /// Lines under the whole filter.
    pub total: u64,
    /// Sums over the whole filter, one per currency.
    pub totals: Vec<LineTotal>,
    /// Cursor of the next page.
    pub next: Option<String>,
}

/// Sums of lines in one currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineTotal {
    /// Sum of gross.
    pub gross: Amount,
    /// Sum of fees.
    pub fee: Amount,
    /// Sum of net.
    pub net: Amount,
}

/// One line down to its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawLinePage {
    /// Its file.
    pub file: FileRow,
    /// SHA-256 of the file's bytes in hex.
    pub sha256: String,
    /// Physical line, the first being 1.
    pub line_no: u64,
    /// Where it starts in the stored bytes.
    pub byte_offset: u64,
    /// How many bytes it has.
    pub byte_len: u64,
    /// The bytes as text, card numbers masked.
    pub text: String,
    /// Whether something in it was masked.
    pub masked: bool,
    /// Its columns with the file's own names, in the file's order.
    pub fields: Vec<RawField>,
    /// What was read from it; nothing for a rejected row.
    pub line: Option<LineRow>,
    /// Why it was rejected, or empty.
    pub rejected: String,
    /// The open case about its rejection, or empty.
    pub case_id: String,
    /// Every verdict it had, newest first.
    pub verdicts: Vec<VerdictRecord>,
    /// The records before and after, by physical line.
    pub previous: Option<u64>,
    /// See `previous`.
    pub next: Option<u64>,
}

/// One column of a raw line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawField {
    /// The file's name of the column.
    pub column: String,
    /// The text as it stands, masked.
    pub value: String,
    /// What it was taken as: `gross`, `merchant reference`; or empty where it is not read.
    pub read_as: String,
    /// The value after reading: `1,250.00 EUR`; or empty.
    pub read_value: String,
}

/// One verdict of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictRecord {
    /// From 1.
    pub seq: i64,
    /// When.
    pub at: Instant,
    /// What.
    pub verdict: Verdict,
    /// By which rule.
    pub rule: Rule,
    /// Under which version of the account's policy.
    pub policy_version: i64,
    /// Why: a sentence.
    pub explanation: String,
    /// The ledger account where the line's contra amount stands, or empty.
    pub contra: String,
    /// The entry that posted it, if any.
    pub entry: Option<i64>,
    /// Who or what caused it: a file, new facts, a decision.
    pub cause: String,
}
