//! One record of a file as a settlement line, or as a rejected row that says what is wrong.

use super::{
    Recognition, RowReason,
    card::masked,
    clock_text::{Place, TimeProblem, parse_place, parse_time},
    layout::{AmountColumns, TextColumn, TimeColumn},
    number::{AmountProblem, example, parse_amount},
    profile::{IdentityAmounts, KindRule, PresentedSign},
    record::Field,
};
use crate::{
    formula_guard::unguarded,
    line::{RowKind, SettlementLine},
    money::{Currency, Money, is_plausible, provider_exponent, too_precise},
    one_line::is_one_line,
    time::{Instant, Zone},
};
use sha2::{Digest, Sha256};
use std::{
    borrow::Cow,
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

/// The longest id, reference or batch name that is read: databases index them.
const LONGEST_ID: usize = 1000;
/// What joins the parts of an identity; no id holds it, since control characters are refused.
const PART: char = '\u{1f}';

/// The fields of one record.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    pub text: &'a str,
    pub fields: &'a [Field],
    /// Whether it went out to be repaired: see [`super::repair`].
    pub guarded: bool,
}

/// Where a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub line_no: u64,
    pub byte_offset: u64,
    pub byte_len: u32,
}

/// What is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub column: Option<usize>,
    pub value: String,
    pub reason: RowReason,
    /// What is wrong and what would do, to stand behind the column's name.
    pub message: String,
}

/// Makes lines; remembers what recurs from row to row.
pub(super) struct LineMaker {
    recognition: Recognition,
    currency: Option<(String, KnownCurrency)>,
    kind: Option<(String, Option<KindRule>)>,
    place: Option<(String, Place)>,
    /// How often each identity without a row id was met, by its 64-bit hash.
    met: HashMap<u64, u32>,
}

#[derive(Debug, Clone, Copy)]
struct KnownCurrency {
    currency: Currency,
    exponent: u32,
    provider_exponent: u32,
}

/// Gross, fee and net of a row.
struct Amounts {
    gross: i64,
    fee: i64,
    net: i64,
}

impl<'a> Record<'a> {
    /// The value of a column, outer white space off; empty where the record has no such field.
    pub(super) fn value(&self, index: usize) -> Cow<'a, str> {
        let Some(field) = self.fields.get(index) else {
            return Cow::Borrowed("");
        };
        match field.text(self.text) {
            Cow::Borrowed(text) => Cow::Borrowed(plain_value(text, self.guarded)),
            Cow::Owned(text) => Cow::Owned(plain_value(&text, self.guarded).to_owned()),
        }
    }

    /// Its first field that its provider wrote.
    fn first_own(&self) -> usize {
        usize::from(self.guarded)
    }

    /// The first of the columns with a value.
    fn first(
        &self,
        columns: &[TextColumn],
        kind: Option<RowKind>,
    ) -> (Option<usize>, Cow<'a, str>) {
        for column in columns {
            let serves = match (&column.kinds, kind) {
                (None, _) => true,
                (Some(kinds), Some(kind)) => kinds.contains(&kind),
                (Some(_), None) => false,
            };
            if serves {
                let value = self.value(column.index);
                if !value.is_empty() {
                    return (Some(column.index), value);
                }
            }
        }
        (columns.first().map(|c| c.index), Cow::Borrowed(""))
    }
}

/// The value in the text of a field: outer white space off, and its guard where it may bear one.
pub(super) fn plain_value(text: &str, guarded: bool) -> &str {
    let text = text.trim();
    if guarded {
        unguarded(text).trim()
    } else {
        text
    }
}

impl Fault {
    fn new(column: usize, value: &str, reason: RowReason, message: String) -> Self {
        Self {
            column: Some(column),
            value: value.to_owned(),
            reason,
            message,
        }
    }

    pub(super) const fn of_shape(reason: RowReason, message: String) -> Self {
        Self {
            column: None,
            value: String::new(),
            reason,
            message,
        }
    }
}

impl LineMaker {
    pub(super) fn new(recognition: &Recognition) -> Self {
        Self {
            recognition: recognition.clone(),
            currency: None,
            kind: None,
            place: None,
            met: HashMap::new(),
        }
    }

    pub(super) const fn recognition(&self) -> &Recognition {
        &self.recognition
    }

    /// The row id as far as it can be read, for a row that is rejected.
    pub(super) fn row_id(&self, record: Record) -> String {
        let (_, id) = record.first(&self.recognition.layout.row_id, None);
        id.chars().filter(|c| !c.is_control()).take(200).collect()
    }

    /// Whether a record is a footer: its first value is one of the profile's words, and its kind is
    /// none that the profile knows.
    pub(super) fn is_trailer(&self, record: Record) -> bool {
        let profile = &self.recognition.profile;
        if profile.trailer_words.is_empty() {
            return false;
        }
        let first = record.value(0);
        let first = if first.is_empty() {
            (1..record.fields.len())
                .map(|index| record.value(index))
                .find(|value| !value.is_empty())
                .unwrap_or_default()
        } else {
            first
        };
        let word = first.trim_end_matches([':', ' ']);
        profile
            .trailer_words
            .iter()
            .any(|known| known.to_lowercase() == word.to_lowercase())
            && {
                let (_, kind) = record.first(&self.recognition.layout.kind, None);
                !profile.kinds.contains_key(kind.as_ref())
            }
    }

    /// Currency and net that a footer declares.
    pub(super) fn trailer_total(&mut self, record: Record) -> (Option<Currency>, Option<i64>) {
        let Ok(known) = self.currency(record) else {
            return (None, None);
        };
        let layout = std::sync::Arc::clone(&self.recognition.layout);
        let net = layout
            .net
            .as_ref()
            .and_then(|columns| self.amount(record, columns, known).ok().flatten());
        (Some(known.currency), net)
    }

    /// Reads a record of the right shape.
    pub(super) fn line(&mut self, record: Record, at: Position) -> Result<SettlementLine, Fault> {
        let layout = std::sync::Arc::clone(&self.recognition.layout);
        let known = self.currency(record)?;
        let amounts = self.amounts(record, known)?;
        let (_, word) = record.first(&layout.kind, None);
        let (payment_column, payment_id) = record.first(&layout.payment_id, None);
        let provider_payment_id = id(payment_column, &payment_id)?;
        let kind = self.row_kind(&word, amounts.gross, !provider_payment_id.is_empty());
        let source_kind = id(layout.kind.first().map(|c| c.index), &word)?;
        let id_of = |columns: &[TextColumn]| {
            let (column, value) = record.first(columns, Some(kind));
            id(column, &value)
        };
        let free_text = |columns: &[TextColumn]| {
            let (_, value) = record.first(columns, Some(kind));
            printable(&masked(&value))
        };
        let row_id = id_of(&layout.row_id)?;
        let presented = self.presented(record, &amounts, known)?;
        let occurred_at = self.time(record, &layout.occurred_at)?;
        let settled_at = self.time(record, &layout.settled_at)?;
        let (identity, occurrence) = if row_id.is_empty() {
            let identity = self.identity(record, &amounts, known.currency);
            let occurrence = self.count(&identity);
            (identity, occurrence)
        } else {
            (row_id.clone(), 0)
        };
        Ok(SettlementLine {
            line_no: at.line_no,
            byte_offset: at.byte_offset,
            byte_len: at.byte_len,
            row_id,
            identity,
            occurrence,
            kind,
            source_kind,
            provider_payment_id,
            modification_id: id_of(&layout.modification_id)?,
            merchant_reference: id_of(&layout.reference)?,
            gross: amounts.gross,
            fee: amounts.fee,
            net: amounts.net,
            currency: known.currency,
            presented,
            occurred_at,
            settled_at,
            batch_id: id_of(&layout.batch_id)?,
            counterparty: free_text(&layout.counterparty),
            description: free_text(&layout.description),
            lossy_text: !record.text.is_ascii() && record.text.contains('\u{fffd}'),
        })
    }

    fn currency(&mut self, record: Record) -> Result<KnownCurrency, Fault> {
        let index = self.recognition.layout.currency.unwrap_or(usize::MAX);
        let code = record.value(index);
        if let Some((last, known)) = &self.currency
            && *last == code
        {
            return Ok(*known);
        }
        let known = self.known_currency(index, &code)?;
        self.currency = Some((code.into_owned(), known));
        Ok(known)
    }

    fn known_currency(&self, index: usize, code: &str) -> Result<KnownCurrency, Fault> {
        if code.is_empty() {
            return Err(Fault::new(
                index,
                "",
                RowReason::MissingValue,
                "is empty: without a currency the amounts mean nothing".to_owned(),
            ));
        }
        let currency: Currency = code.parse().map_err(|_| {
            Fault::new(
                index,
                code,
                RowReason::UnknownCurrency,
                "is no currency code of ISO 4217, such as EUR".to_owned(),
            )
        })?;
        Ok(KnownCurrency {
            currency,
            exponent: currency.exponent(),
            provider_exponent: provider_exponent(self.recognition.kind, currency),
        })
    }

    /// Gross, fee and net. The one without a column follows from the others; a column that is
    /// there and empty is an error, never zero.
    fn amounts(&self, record: Record, known: KnownCurrency) -> Result<Amounts, Fault> {
        let layout = &self.recognition.layout;
        let read = |columns: &Option<AmountColumns>| -> Result<Option<i64>, Fault> {
            let Some(columns) = columns else {
                return Ok(None);
            };
            match self.amount(record, columns, known)? {
                Some(minor) => Ok(Some(minor)),
                None => Err(Fault::new(
                    columns.first_index(),
                    "",
                    RowReason::MissingValue,
                    "is empty: write 0 if nothing moved".to_owned(),
                )),
            }
        };
        let (gross, fee, net) = (read(&layout.gross)?, read(&layout.fee)?, read(&layout.net)?);
        let too_large = || {
            Fault::of_shape(
                RowReason::AmountTooLarge,
                "gross, fee and net together are too large to be kept".to_owned(),
            )
        };
        let (gross, fee, net) = match (gross, fee, net) {
            (Some(gross), Some(fee), Some(net)) => (Some(gross), Some(fee), Some(net)),
            (Some(gross), Some(fee), None) => (Some(gross), Some(fee), gross.checked_sub(fee)),
            (Some(gross), None, Some(net)) => (Some(gross), gross.checked_sub(net), Some(net)),
            (Some(gross), None, None) => (Some(gross), Some(0), Some(gross)),
            (None, fee, Some(net)) => {
                let fee = fee.unwrap_or(0);
                (net.checked_add(fee), Some(fee), Some(net))
            }
            // A profile names gross or net.
            (None, _, None) => (None, None, None),
        };
        match (gross, fee, net) {
            (Some(gross), Some(fee), Some(net)) => Ok(Amounts { gross, fee, net }),
            _ => Err(too_large()),
        }
    }

    /// One amount; nothing where all its columns are empty.
    fn amount(
        &self,
        record: Record,
        columns: &AmountColumns,
        known: KnownCurrency,
    ) -> Result<Option<i64>, Fault> {
        let one = |index: usize| self.number(record, index, known);
        let overflow = |index: usize| {
            Fault::new(
                index,
                &record.value(index),
                RowReason::AmountTooLarge,
                "is too large an amount: check its decimal point and its unit".to_owned(),
            )
        };
        match columns {
            AmountColumns::Signed(index) => one(*index),
            AmountColumns::Pair { debit, credit } => match (one(*debit)?, one(*credit)?) {
                (None, None) => Ok(None),
                (debited, credited) => credited
                    .unwrap_or(0)
                    .checked_sub(debited.unwrap_or(0))
                    .map(Some)
                    .ok_or_else(|| overflow(*credit)),
            },
            AmountColumns::Marked {
                amount,
                mark,
                credit_words,
                debit_words,
            } => {
                let Some(minor) = one(*amount)? else {
                    return Ok(None);
                };
                let word = record.value(*mark);
                let among = |words: &[String]| words.iter().any(|w| w.eq_ignore_ascii_case(&word));
                if among(credit_words) {
                    Ok(Some(minor))
                } else if among(debit_words) {
                    minor
                        .checked_neg()
                        .map(Some)
                        .ok_or_else(|| overflow(*amount))
                } else {
                    Err(Fault::new(
                        *mark,
                        &word,
                        RowReason::UnreadableAmount,
                        format!(
                            "says neither credit ({}) nor debit ({})",
                            credit_words.join(", "),
                            debit_words.join(", ")
                        ),
                    ))
                }
            }
            AmountColumns::Sum { columns, otherwise } => {
                let mut sum: Option<i64> = None;
                for index in columns {
                    if let Some(minor) = one(*index)? {
                        sum = Some(
                            sum.unwrap_or(0)
                                .checked_add(minor)
                                .ok_or_else(|| overflow(*index))?,
                        );
                    }
                }
                if sum.is_none()
                    && let Some(index) = otherwise
                {
                    sum = one(*index)?;
                }
                // A sum of nothing is nothing: summands are optional by their nature.
                Ok(Some(sum.unwrap_or(0)))
            }
        }
    }

    fn number(
        &self,
        record: Record,
        index: usize,
        known: KnownCurrency,
    ) -> Result<Option<i64>, Fault> {
        let text = record.value(index);
        parse_amount(
            &text,
            self.recognition.numbers,
            known.exponent,
            known.provider_exponent,
        )
        .and_then(|amount| match amount {
            Some(minor) if !is_plausible(minor) => Err(AmountProblem::TooLarge),
            amount => Ok(amount),
        })
        .map_err(|problem| {
            let currency = known.currency;
            let (reason, message) = match problem {
                AmountProblem::Unreadable => (
                    RowReason::UnreadableAmount,
                    format!("cannot be read as an amount: write it like {}", example(currency)),
                ),
                AmountProblem::Ambiguous => (
                    RowReason::UnreadableAmount,
                    format!(
                        "could mean two amounts, and the file does not settle which: write it like {}",
                        example(currency)
                    ),
                ),
                AmountProblem::TooPrecise => (
                    RowReason::TooPrecise,
                    format!(
                        "has digits beyond the {} decimals of {currency}: {}",
                        known.exponent,
                        too_precise(known.exponent)
                    ),
                ),
                AmountProblem::TooLarge => {
                    (RowReason::AmountTooLarge, "is too large an amount".to_owned())
                }
            };
            Fault::new(index, &text, reason, message)
        })
    }

    /// What the payer saw: gross, where the file says nothing else.
    fn presented(
        &self,
        record: Record,
        amounts: &Amounts,
        settled: KnownCurrency,
    ) -> Result<Money, Fault> {
        let layout = &self.recognition.layout;
        let as_settled = Money::new(amounts.gross, settled.currency);
        let (Some(columns), Some(currency_index)) = (&layout.presented, layout.presented_currency)
        else {
            return Ok(as_settled);
        };
        let code = record.value(currency_index);
        let known = if code.is_empty() {
            None
        } else if code.eq_ignore_ascii_case(settled.currency.as_str()) {
            Some(settled)
        } else {
            Some(self.known_currency(currency_index, &code)?)
        };
        let minor = self.amount(record, columns, known.unwrap_or(settled))?;
        match (minor, known) {
            // A currency alone says nothing of what was seen.
            (None, _) => Ok(as_settled),
            (Some(_), None) => Err(Fault::new(
                currency_index,
                "",
                RowReason::MissingValue,
                "is empty, while the amount beside it is not".to_owned(),
            )),
            (Some(minor), Some(known)) => {
                let by_gross = self.recognition.profile.amounts.presented_sign
                    == PresentedSign::Gross
                    && amounts.gross != 0
                    && minor.signum() == -amounts.gross.signum();
                let minor = if by_gross {
                    minor.saturating_neg()
                } else {
                    minor
                };
                Ok(Money::new(minor, known.currency))
            }
        }
    }

    fn row_kind(&mut self, word: &str, gross: i64, has_payment_id: bool) -> RowKind {
        let profile = &self.recognition.profile;
        let rule = match &self.kind {
            Some((last, rule)) if last == word => *rule,
            _ => {
                let rule = profile.kind_rule(word);
                self.kind = Some((word.to_owned(), rule));
                rule
            }
        };
        rule.map_or(RowKind::Unrecognised, |rule| {
            rule.kind(gross, has_payment_id)
        })
    }

    fn time(&mut self, record: Record, columns: &[TimeColumn]) -> Result<Option<Instant>, Fault> {
        for column in columns {
            let text = record.value(column.index);
            if text.is_empty() {
                continue;
            }
            let place = match column.place_column {
                None => column.place,
                Some(index) => self.place(index, &record.value(index), column.place)?,
            };
            let latest = self.recognition.latest;
            return parse_time(&text, &self.recognition.profile.time.formats, place, latest)
                .map(Some)
                .map_err(|problem| {
                    let (reason, message) = match problem {
                        TimeProblem::Unreadable => (
                            RowReason::UnreadableTime,
                            "cannot be read as a time: write it like 2026-03-01 14:05:00"
                                .to_owned(),
                        ),
                        TimeProblem::Skipped => (
                            RowReason::UnreadableTime,
                            "never was in its zone: clocks were put forward over it".to_owned(),
                        ),
                        TimeProblem::OutOfRange => (
                            RowReason::TimeOutOfRange,
                            format!(
                                "lies outside of 1970 to {}: check the year",
                                latest.day_in(Zone::UTC)
                            ),
                        ),
                    };
                    Fault::new(column.index, &text, reason, message)
                });
        }
        Ok(None)
    }

    fn place(&mut self, index: usize, text: &str, fallback: Place) -> Result<Place, Fault> {
        if text.is_empty() {
            return Ok(fallback);
        }
        if let Some((last, place)) = &self.place
            && last == text
        {
            return Ok(*place);
        }
        let place = parse_place(text).ok_or_else(|| {
            Fault::new(
                index,
                text,
                RowReason::UnreadableTime,
                "is no time zone that is known and means one offset, such as CET or PST".to_owned(),
            )
        })?;
        self.place = Some((text.to_owned(), place));
        Ok(place)
    }

    /// What identifies a row without a row id, beyond this file.
    fn identity(&self, record: Record, amounts: &Amounts, currency: Currency) -> String {
        let layout = &self.recognition.layout;
        let rule = &self.recognition.profile.identity;
        let joined = |columns: &mut dyn Iterator<Item = usize>| {
            let mut joined = String::with_capacity(64);
            for (number, index) in columns.enumerate() {
                if number > 0 {
                    joined.push(PART);
                }
                joined.push_str(&record.value(index));
            }
            joined
        };
        let mut identity = joined(&mut layout.identity.iter().copied());
        if identity.chars().all(|c| c == PART) {
            // Nothing that the profile names has a value: the whole row has to serve.
            identity = joined(&mut (record.first_own()..record.fields.len()));
        }
        let with_amounts = match rule.amounts {
            IdentityAmounts::Never => false,
            IdentityAmounts::Always => true,
            IdentityAmounts::WhenEmpty => layout
                .identity_when_empty
                .iter()
                .any(|index| record.value(*index).is_empty()),
        };
        if with_amounts {
            use std::fmt::Write;
            let Amounts { gross, fee, net } = amounts;
            // Writing to a String does not fail.
            let _ = write!(
                identity,
                "{PART}{currency}{PART}{gross}{PART}{fee}{PART}{net}"
            );
        }
        if identity.len() > LONGEST_ID || identity.contains(|c: char| c.is_control() && c != PART) {
            return format!(
                "sha256:{}",
                hex::encode(Sha256::digest(identity.as_bytes()))
            );
        }
        identity
    }

    /// How many rows with this identity came before.
    fn count(&mut self, identity: &str) -> u32 {
        let mut hasher = DefaultHasher::new();
        identity.hash(&mut hasher);
        let met = self.met.entry(hasher.finish()).or_insert(0);
        let before = *met;
        *met = met.saturating_add(1);
        before
    }
}

impl AmountColumns {
    /// The column that an error is told of.
    fn first_index(&self) -> usize {
        match self {
            Self::Signed(index) | Self::Marked { amount: index, .. } => *index,
            Self::Pair { credit, .. } => *credit,
            Self::Sum { columns, .. } => columns.first().copied().unwrap_or_default(),
        }
    }
}

/// An id as it is kept: as written, or refused.
fn id(column: Option<usize>, value: &str) -> Result<String, Fault> {
    let refused = |reason, message: &str| {
        Err(Fault {
            column,
            value: value.to_owned(),
            reason,
            message: message.to_owned(),
        })
    };
    if value.len() > LONGEST_ID {
        return refused(
            RowReason::FieldTooLong,
            "is longer than the 1,000 bytes that an id may have",
        );
    }
    if !is_one_line(value) {
        return refused(
            RowReason::UnreadableText,
            "holds a line end or another control character, which no id does",
        );
    }
    Ok(value.to_owned())
}

/// Free text without the zero byte, which databases refuse.
fn printable(text: &str) -> String {
    if text.contains('\0') {
        text.replace('\0', "\u{fffd}")
    } else {
        text.to_owned()
    }
}
