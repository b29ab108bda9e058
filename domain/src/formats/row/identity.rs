//! What identifies a row to which its provider gave no id.

use super::super::{Origin, Origins, RowReason, profile::IdentityAmounts};
use super::{
    LineMaker, Record,
    amounts::Amounts,
    fields::{Fault, LONGEST_ID},
};
use crate::money::Currency;
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

/// What joins the parts of an identity; no id holds it, since control characters are refused.
const PART: char = '\u{1f}';

/// The origin that a repaired row names.
fn origin(record: Record) -> Option<Origin> {
    Origin::at_end_of(&record.value(0))
}

impl LineMaker {
    /// What identifies a row without a row id, beyond this file.
    pub(super) fn identity(&self, record: Record, amounts: &Amounts, currency: Currency) -> String {
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

    /// Takes down where a repaired row comes from.
    pub(in super::super) fn note_origin(&mut self, record: Record) {
        if self.recognition.guarded
            && let Some(origin) = origin(record)
        {
            self.origins.add(origin);
        }
    }

    pub(in super::super) fn into_origins(self) -> Origins {
        self.origins
    }

    /// How often each identity was met, if the place of each row is known.
    pub(in super::super) fn into_met(self) -> Option<HashMap<u64, u32>> {
        (!self.unplaced).then_some(self.met)
    }

    /// Refuses a repaired row of which nobody can say how many of its kind came before it.
    pub(super) fn expect_place(&mut self, record: Record) -> Result<(), Fault> {
        if !self.recognition.guarded {
            return Ok(());
        }
        let earlier = self.recognition.earlier.as_ref().map(|e| e.file);
        if earlier.is_some() && origin(record).map(|o| o.file) == earlier {
            return Ok(());
        }
        self.unplaced = true;
        Err(Fault::new(
            0,
            "",
            RowReason::MissingValue,
            "does not lead to the place of this row, and without a row id it could not be told from an equal row that counts already: download the rejected rows of its file again and upload all of them together, or repair the whole file"
                .to_owned(),
        ))
    }

    /// How many rows with this identity came before.
    pub(super) fn count(&mut self, identity: &str) -> u32 {
        let mut hasher = DefaultHasher::new();
        identity.hash(&mut hasher);
        let met = self.met.entry(hasher.finish()).or_insert(0);
        let before = *met;
        *met = met.saturating_add(1);
        before
    }
}
