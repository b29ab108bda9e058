//! The payments CSV: the company's own intents and attempts, one row per attempt.
//!
//! Header and meaning are fixed by the external contract. Reading is pure: fields in, a row or a
//! refusal that names the column out.

use crate::{
    formats::{Looks, kinds_in_words, looks_like, separator_name},
    formula_guard::unguarded,
    money::{AmountError, Currency, Money, is_plausible},
    one_line::is_one_line,
    payment::{Direction, LossPolicy, Outcome},
    time::{Instant, Zone},
};
use std::collections::HashMap;

/// The columns of the payments CSV, in the order in which we write them ourselves.
pub const COLUMNS: [&str; 17] = [
    "intent_id",
    "merchant_reference",
    "operation",
    "amount",
    "currency",
    "direction",
    "counterparty",
    "created_at",
    "loss_policy",
    "attempt_id",
    "attempt_no",
    "provider",
    "idempotency_key",
    "provider_payment_id",
    "started_at",
    "finished_at",
    "outcome",
];

/// The one column that may be left out of older exports.
const LAST_COLUMN: &str = "error_code";

/// The longest id or reference of the company that is taken.
pub const LONGEST_ID: usize = 200;

/// The highest number of an attempt: further ones can always be counted.
pub const MOST_ATTEMPTS: i64 = 1_000_000;

/// Where each column stands in a given file.
#[derive(Debug, Clone)]
pub struct PaymentsHeader {
    at: [usize; 17],
    error_code: Option<usize>,
    width: usize,
    latest: Instant,
}

/// An attempt's part of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRow {
    /// The company's id.
    pub attempt_id: String,
    /// From 1, within the intent.
    pub number: i64,
    /// The provider account's name.
    pub provider: String,
    /// The key that was sent, or empty.
    pub idempotency_key: String,
    /// The provider's id, or empty.
    pub provider_payment_id: String,
    /// When the call began.
    pub started_at: Instant,
    /// When it ended.
    pub finished_at: Option<Instant>,
    /// How it ended.
    pub outcome: Outcome,
    /// The provider's error code, or empty.
    pub error_code: String,
}

/// One row of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentRow {
    /// The company's id of the intent.
    pub intent_id: String,
    /// The reference that it sends out.
    pub merchant_reference: String,
    /// The company's word for what it does.
    pub operation: String,
    /// How much.
    pub amount: Money,
    /// Which way.
    pub direction: Direction,
    /// Who pays or is paid, or empty.
    pub counterparty: String,
    /// When the business meant it.
    pub created_at: Instant,
    /// What unknown does.
    pub loss_policy: LossPolicy,
    /// The attempt, or nothing for an intent that was not tried.
    pub attempt: Option<AttemptRow>,
}

/// Why the file as a whole is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// The columns are separated by another character.
    #[error(
        "this looks like a payments CSV whose columns are separated by {0}: save it with commas between them (in a spreadsheet: “CSV UTF-8, comma delimited”)"
    )]
    Separator(&'static str),
    /// A provider's file instead of the company's payments.
    #[error(
        "this looks like the settlement file “{title}”, the provider's side: upload it under Files, for an account of {providers}, not as payments"
    )]
    SettlementFile {
        /// The profile's title.
        title: String,
        /// Kinds of account that receive such files.
        providers: String,
    },
    /// A required column is not there.
    #[error("line 1: column {0:?} is missing; a payments file has {columns}", columns = COLUMNS.join(", "))]
    Missing(&'static str),
    /// A column stands twice.
    #[error("line 1: column {0:?} stands twice")]
    Twice(String),
}

/// Why a header is none of a payments file, where it is that of something else that we know.
fn misplaced(names: &[&str]) -> Option<HeaderError> {
    if is_header(
        names
            .iter()
            .map(|n| n.trim_start_matches('\u{feff}').trim()),
    ) {
        return None;
    }
    match looks_like(&names.join(","))? {
        Looks::Payments { separator } => Some(HeaderError::Separator(separator_name(separator))),
        Looks::Settlement {
            title, providers, ..
        } => Some(HeaderError::SettlementFile {
            title,
            providers: kinds_in_words(&providers),
        }),
    }
}

/// Why one row is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{problem}", place(column))]
pub struct RowError {
    /// Which column.
    pub column: &'static str,
    /// What is wrong and what would do.
    pub problem: String,
}

/// The column in words; none where the row as a whole is wrong.
fn place(column: &str) -> String {
    if column.starts_with('(') {
        String::new()
    } else {
        format!("column {column}: ")
    }
}

impl RowError {
    /// What is wrong with a column.
    pub(crate) fn new(column: &'static str, problem: impl Into<String>) -> Self {
        Self {
            column,
            problem: problem.into(),
        }
    }
}

/// Whether a header is that of a payments file, or nearly: most of its columns are there, whatever
/// their order.
pub fn is_header<'a>(names: impl Iterator<Item = &'a str>) -> bool {
    let names: Vec<&str> = names.collect();
    let known = COLUMNS.iter().filter(|c| names.contains(c)).count();
    names.contains(&"intent_id") && known * 2 > COLUMNS.len()
}

impl PaymentsHeader {
    /// Finds the columns by name; a BOM before the first is ignored, unknown columns are passed over.
    /// `now`: when the file is read; times far ahead of it are refused.
    pub fn read<'a>(
        fields: impl Iterator<Item = &'a str>,
        now: Instant,
    ) -> Result<Self, HeaderError> {
        let mut places = HashMap::new();
        let mut width = 0;
        let names: Vec<&str> = fields.collect();
        for (index, name) in names.iter().enumerate() {
            let name = name.trim_start_matches('\u{feff}').trim();
            if !name.is_empty() && places.insert(name.to_owned(), index).is_some() {
                return Err(HeaderError::Twice(name.to_owned()));
            }
            width = index + 1;
        }
        if let Some(error) = misplaced(&names) {
            return Err(error);
        }
        let mut at = [0; 17];
        for (slot, column) in at.iter_mut().zip(COLUMNS) {
            *slot = *places.get(column).ok_or(HeaderError::Missing(column))?;
        }
        Ok(Self {
            at,
            error_code: places.get(LAST_COLUMN).copied(),
            width,
            latest: now.latest_plausible(),
        })
    }

    /// Reads one row; `field` gives the text at an index.
    pub fn row<'a>(
        &self,
        count: usize,
        field: impl Fn(usize) -> Option<&'a str>,
    ) -> Result<PaymentRow, RowError> {
        if count != self.width {
            return Err(RowError {
                column: if count < self.width {
                    "(too few fields)"
                } else {
                    "(too many fields)"
                },
                problem: format!(
                    "the row has {count} of the {} fields that the header names: check its commas, and put quotes around a text that holds one",
                    self.width
                ),
            });
        }
        let text = |column: usize| {
            self.at
                .get(column)
                .and_then(|i| field(*i))
                .unwrap_or("")
                .trim()
        };
        // Our own export writes what looks like a formula with an apostrophe before it.
        let id = |column: usize| {
            let name = COLUMNS.get(column).copied().unwrap_or("");
            checked_id(name, unguarded(text(column)))
        };
        let currency: Currency = parse("currency", text(4))?;
        let amount = intent_amount(text(3), currency)?;
        let intent_id = required("intent_id", id(0)?)?;
        let row = PaymentRow {
            merchant_reference: id(1)?,
            operation: required("operation", id(2)?)?,
            amount,
            direction: parse("direction", text(5))?,
            counterparty: id(6)?,
            created_at: self.time("created_at", text(7))?,
            loss_policy: if text(8).is_empty() {
                LossPolicy::AtMostOnce
            } else {
                parse("loss_policy", text(8))?
            },
            attempt: None,
            intent_id,
        };
        let attempt_columns = 9..17;
        if attempt_columns.into_iter().all(|c| text(c).is_empty()) {
            return Ok(row);
        }
        let number = text(10)
            .parse::<i64>()
            .ok()
            .filter(|n| (1..=MOST_ATTEMPTS).contains(n))
            .ok_or_else(|| {
                let given = shortened(text(10));
                let problem = format!("{given:?} is no whole number from 1 to {MOST_ATTEMPTS}");
                bad("attempt_no", &problem)
            })?;
        let finished_at = if text(15).is_empty() {
            None
        } else {
            Some(self.time("finished_at", text(15))?)
        };
        let error_code = self.error_code.and_then(&field).unwrap_or("").trim();
        let attempt = AttemptRow {
            attempt_id: required("attempt_id", id(9)?)?,
            number,
            provider: required("provider", id(11)?)?,
            idempotency_key: id(12)?,
            provider_payment_id: id(13)?,
            started_at: self.time("started_at", text(14))?,
            finished_at,
            outcome: reported_outcome(text(16))?,
            error_code: checked_id("error_code", unguarded(error_code))?,
        };
        Ok(PaymentRow {
            attempt: Some(attempt),
            ..row
        })
    }

    /// A time that a payment can have: anything else is a slip, such as `0206` or `99999`.
    fn time(&self, column: &'static str, text: &str) -> Result<Instant, RowError> {
        let time = Instant::parse_rfc3339(text).map_err(|e| bad(column, &e))?;
        if Instant::EARLIEST_PLAUSIBLE <= time && time <= self.latest {
            return Ok(time);
        }
        Err(bad(
            column,
            &format!(
                "{:?} lies outside of 1970 to {}: check the year",
                shortened(text),
                self.latest.day_in(Zone::UTC)
            ),
        ))
    }
}

/// An intent's amount from major units.
pub(crate) fn intent_amount(text: &str, currency: Currency) -> Result<Money, RowError> {
    let amount = Money::parse_major(text, currency).map_err(|e| bad("amount", &e))?;
    if !is_plausible(amount.minor) {
        return Err(bad("amount", &AmountError::TooLarge(shortened(text))));
    }
    if amount.minor <= 0 {
        return Err(bad(
            "amount",
            &format!(
                "{:?} is not above zero: an intent's direction says which way, not its amount",
                shortened(text)
            ),
        ));
    }
    Ok(amount)
}

/// A report says one of four things; absence and contest are ours to find.
fn reported_outcome(text: &str) -> Result<Outcome, RowError> {
    match text {
        "in_flight" => Ok(Outcome::InFlight),
        "succeeded" => Ok(Outcome::Succeeded),
        "rejected" => Ok(Outcome::Rejected),
        "unknown" => Ok(Outcome::Unknown),
        other => Err(bad(
            "outcome",
            &format!(
                "{:?} is none of in_flight, succeeded, rejected, unknown: write one of them",
                shortened(other)
            ),
        )),
    }
}

pub(crate) fn parse<T: std::str::FromStr>(column: &'static str, text: &str) -> Result<T, RowError>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|e: T::Err| bad(column, &e))
}

pub(crate) fn required(column: &'static str, text: String) -> Result<String, RowError> {
    if text.is_empty() {
        Err(bad(column, &"it is empty, and a value is needed"))
    } else {
        Ok(text)
    }
}

/// A text that names something of the company's, in a file and over the API: one line, of bounded length.
pub(crate) fn checked_id(column: &'static str, text: &str) -> Result<String, RowError> {
    if text.len() > LONGEST_ID && text.chars().count() > LONGEST_ID {
        return Err(bad(
            column,
            &format!(
                "{:?}… is longer than {LONGEST_ID} characters",
                shortened(text)
            ),
        ));
    }
    if !is_one_line(text) {
        return Err(bad(
            column,
            &format!(
                "{:?} holds a line end or another control character, which no id and no reference does: take it out",
                shortened(text)
            ),
        ));
    }
    Ok(text.to_owned())
}

fn bad(column: &'static str, problem: &dyn std::fmt::Display) -> RowError {
    RowError {
        column,
        problem: problem.to_string(),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code";

    fn read(line: &str) -> Result<PaymentRow, RowError> {
        let now = Instant::parse_rfc3339("2026-11-04T00:00:00Z").unwrap();
        let header = PaymentsHeader::read(HEADER.split(','), now).unwrap();
        let fields: Vec<&str> = line.split(',').collect();
        header.row(fields.len(), |i| fields.get(i).copied())
    }

    #[test]
    fn a_row_with_an_attempt_is_read_whole() {
        let row = read("i1,order-1,charge,12.50,EUR,in,c-7,2026-11-01T10:00:00Z,,a1,1,stripe-eu,i1,pi_1,2026-11-01T10:00:01Z,,unknown,").unwrap();
        assert_eq!(row.amount.minor, 1250);
        let attempt = row.attempt.unwrap();
        assert_eq!(
            (attempt.outcome, attempt.finished_at),
            (Outcome::Unknown, None)
        );
    }

    #[test]
    fn an_intent_without_attempt_leaves_its_columns_empty() {
        let row = read("i1,order-1,charge,350,JPY,in,,2026-11-01T10:00:00Z,at_least_once,,,,,,,,,")
            .unwrap();
        assert_eq!((row.amount.minor, row.attempt), (350, None));
    }

    #[test]
    fn what_cannot_be_read_names_its_column() {
        for (line, column) in [
            (
                "i1,o,charge,12.505,EUR,in,,2026-11-01T10:00:00Z,,,,,,,,,,",
                "amount",
            ),
            (
                "i1,o,charge,-1,EUR,in,,2026-11-01T10:00:00Z,,,,,,,,,,",
                "amount",
            ),
            (
                "i1,o,charge,1,EURO,in,,2026-11-01T10:00:00Z,,,,,,,,,,",
                "currency",
            ),
            (
                "i1,o,charge,1,EUR,sideways,,2026-11-01T10:00:00Z,,,,,,,,,,",
                "direction",
            ),
            ("i1,o,charge,1,EUR,in,,yesterday,,,,,,,,,,", "created_at"),
            (
                ",o,charge,1,EUR,in,,2026-11-01T10:00:00Z,,,,,,,,,,",
                "intent_id",
            ),
            (
                "i1,o,charge,1,EUR,in,,2026-11-01T10:00:00Z,,a1,1,s,k,p,2026-11-01T10:00:00Z,,absent,",
                "outcome",
            ),
            (
                "i1,o,charge,1,EUR,in,,2026-11-01T10:00:00Z,,a1,0,s,k,p,2026-11-01T10:00:00Z,,unknown,",
                "attempt_no",
            ),
            (
                "i1,o,charge,1,EUR,in,,2026-11-01T10:00:00Z,,a1,9223372036854775807,s,k,p,2026-11-01T10:00:00Z,,unknown,",
                "attempt_no",
            ),
            ("i1,o,charge", "(too few fields)"),
        ] {
            assert_eq!(read(line).unwrap_err().column, column, "{line}");
        }
    }

    #[test]
    fn what_cannot_be_read_says_the_value_and_what_to_do() {
        let with = |amount: &str, number: &str| {
            read(&format!(
                "i1,o,charge,{amount},EUR,in,,2026-11-01T10:00:00Z,,a1,{number},s,k,p,2026-11-01T10:00:00Z,,unknown,"
            ))
        };
        for (row, says) in [
            (
                with("1x", "1"),
                "column amount: \"1x\" is not a decimal number: write it like 1250.50",
            ),
            (
                with("1.005", "1"),
                "column amount: \"1.005\" has digits beyond the 2 decimals of EUR: give at most 2 decimals",
            ),
            (with("-1", "1"), "column amount: \"-1\" is not above zero"),
            (
                with("1", "0"),
                "column attempt_no: \"0\" is no whole number from 1",
            ),
            (
                read("i1,o,charge"),
                "the row has 3 of the 18 fields that the header names: check its commas",
            ),
        ] {
            let said = row.unwrap_err().to_string();
            assert!(said.starts_with(says), "{said}");
        }
    }

    #[test]
    fn a_spreadsheet_s_bom_does_not_hide_the_first_column() {
        let header = format!("\u{feff}{HEADER}");
        let now = Instant::from_micros(0);
        assert!(PaymentsHeader::read(header.split(','), now).is_ok());
    }

    #[test]
    fn a_time_before_1970_or_more_than_ten_years_ahead_is_a_slip() {
        let at = |created: &str, started: &str, finished: &str| {
            read(&format!(
                "i1,o,charge,1,EUR,in,,{created},,a1,1,s,k,p,{started},{finished},succeeded,"
            ))
        };
        let good = "2026-11-01T10:00:00Z";
        for bad in [
            "0001-01-01T00:00:00Z",
            "0206-11-01T10:00:00Z",
            "1969-12-31T23:59:59Z",
            "2036-11-05T00:00:00Z",
            "9999-12-31T23:59:59Z",
            "99999-01-01T00:00:00Z",
        ] {
            for (row, column) in [
                (at(bad, good, good), "created_at"),
                (at(good, bad, good), "started_at"),
                (at(good, good, bad), "finished_at"),
            ] {
                let error = row.unwrap_err();
                assert_eq!(error.column, column, "{bad}");
                assert!(error.problem.contains(bad), "{error}");
            }
        }
        for fine in ["1970-01-01T00:00:00Z", "2036-11-03T23:59:59Z"] {
            assert!(at(fine, fine, fine).is_ok(), "{fine}");
        }
    }

    #[test]
    fn a_control_character_in_what_names_something_is_refused_with_its_column() {
        let good = [
            "i1",
            "order-1",
            "charge",
            "12.50",
            "EUR",
            "in",
            "c-7",
            "2026-11-01T10:00:00Z",
            "",
            "a1",
            "1",
            "shop",
            "k1",
            "pi_1",
            "2026-11-01T10:00:01Z",
            "",
            "unknown",
            "declined",
        ];
        let now = Instant::parse_rfc3339("2026-11-04T00:00:00Z").unwrap();
        let header = PaymentsHeader::read(HEADER.split(','), now).unwrap();
        for column in [0, 1, 2, 6, 9, 11, 12, 13, 17] {
            for control in ["\0", "\n", "\r\n", "\t", "\u{1b}", "\u{7f}", "\u{9b}"] {
                let bad = format!("x{control}y");
                let read = header.row(good.len(), |i| {
                    Some(if i == column { bad.as_str() } else { good[i] })
                });
                let error = read.unwrap_err();
                assert_eq!(error.column, HEADER.split(',').nth(column).unwrap());
                let said = error.to_string();
                assert!(said.contains(&format!("{bad:?}")), "{said}");
                assert!(said.contains("take it out"), "{said}");
            }
        }
    }

    #[test]
    fn an_id_that_our_export_guards_against_spreadsheets_reads_as_it_was() {
        for (cell, id) in [
            ("'=i1", "=i1"),
            ("''=i1", "'=i1"),
            ("=i1", "=i1"),
            ("'i1", "'i1"),
        ] {
            let row = read(&format!(
                "{cell},{cell},charge,1,EUR,in,{cell},2026-11-01T10:00:00Z,,{cell},1,s,{cell},{cell},2026-11-01T10:00:00Z,,unknown,{cell}"
            ))
            .unwrap();
            let attempt = row.attempt.unwrap();
            for read in [
                row.intent_id,
                row.merchant_reference,
                row.counterparty,
                attempt.attempt_id,
                attempt.idempotency_key,
                attempt.provider_payment_id,
                attempt.error_code,
            ] {
                assert_eq!(read, id);
            }
        }
    }
}
