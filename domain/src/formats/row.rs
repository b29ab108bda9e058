//! One record of a file as a settlement line, or as a rejected row that says what is wrong.

mod amounts;
mod fields;
mod identity;
mod times;

use super::{
    Origins, Recognition, RowReason, card::masked, clock_text::Place, layout::TextColumn,
    profile::KindRule,
};
use crate::{
    line::{RowKind, SettlementLine},
    money::Money,
};
use amounts::KnownCurrency;
use fields::{id, printable};
use std::collections::HashMap;

pub(super) use fields::{Fault, Record, plain_value};

/// Where a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub line_no: u64,
    pub byte_offset: u64,
    pub byte_len: u32,
}

/// Makes lines; remembers what recurs from row to row.
pub(super) struct LineMaker {
    recognition: Recognition,
    currency: Option<(String, KnownCurrency)>,
    kind: Option<(String, Option<KindRule>)>,
    place: Option<(String, Place)>,
    /// How often each identity without a row id was met, by its 64-bit hash.
    met: HashMap<u64, u32>,
    /// Where repaired rows come from.
    origins: Origins,
    /// Whether a repaired row was refused because its place is not known.
    unplaced: bool,
}

impl LineMaker {
    pub(super) fn new(recognition: &Recognition) -> Self {
        Self {
            recognition: recognition.clone(),
            currency: None,
            kind: None,
            place: None,
            met: recognition
                .earlier
                .as_ref()
                .map_or_else(HashMap::new, |earlier| earlier.met.clone()),
            origins: Origins::default(),
            unplaced: false,
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

    /// The net that a footer declares, if it declares one. A footer of one currency need not name it: it is
    /// read as in that of the rows above, and comes with what is wrong where that is not the only one.
    pub(super) fn trailer_total(
        &mut self,
        record: Record,
    ) -> Result<Option<(Money, Option<Fault>)>, Fault> {
        let layout = std::sync::Arc::clone(&self.recognition.layout);
        let Some(columns) = &layout.net else {
            return Ok(None);
        };
        let (known, fault) = match (self.currency(record), &self.currency) {
            (Ok(known), _) => (known, None),
            (Err(fault), Some((_, of_rows))) => (*of_rows, Some(fault)),
            (Err(_), None) if record.value(columns.first_index()).is_empty() => return Ok(None),
            (Err(fault), None) => return Err(fault),
        };
        let Some(net) = self.amount(record, columns, known)? else {
            return Ok(None);
        };
        match fault {
            Some(fault) if fault.reason != RowReason::MissingValue => Err(fault),
            fault => Ok(Some((Money::new(net, known.currency), fault))),
        }
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
            self.expect_place(record)?;
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
}
