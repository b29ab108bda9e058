//! Rows whose net is not gross less fee: net counts, what it is off by waits in suspense, and a person
//! gets to see the row.

use super::{
    kinds::CaseKind,
    wanted::{CaseFacts, Subject, WantedCase},
};
use crate::{
    matching::{LineName, sentences},
    money::{AmountOverflow, Currency, Money},
    view::amount::counted,
};

/// How many rows a case names.
const NAMED: usize = 20;

/// Rows of one currency whose net is off and that no decision has accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OddRows {
    /// How many.
    pub count: u64,
    /// What all of them are off by: net and fee less gross.
    pub difference: i128,
    /// The same without signs: what accepting them moves.
    pub moved: i128,
    /// The first of them, each with what it is off by.
    pub named: Vec<(LineName, i64)>,
}

impl OddRows {
    /// Counts a row.
    pub fn add(&mut self, name: LineName, difference: i64) {
        self.count += 1;
        self.difference += i128::from(difference);
        self.moved += i128::from(difference).abs();
        if self.named.len() < NAMED {
            self.named.push((name, difference));
        }
    }

    /// What accepting them moves, in a currency; what cannot be shown is shown as the most there is.
    pub fn at_risk(&self, currency: Currency) -> Money {
        Money::new(i64::try_from(self.moved).unwrap_or(i64::MAX), currency)
    }

    /// What is amiss, in words.
    pub fn sentence(&self, currency: Currency) -> Result<String, AmountOverflow> {
        let minor = i64::try_from(self.difference).map_err(|_| AmountOverflow)?;
        let (have, what) = if self.count == 1 {
            ("has", "what it is off by")
        } else {
            ("have", "what they are off by")
        };
        Ok(format!(
            "{} {have} a net that is not gross less fee: the net counts, and {what}, {} in all, waits in \
             suspense.",
            counted(self.count, "row", "rows"),
            Money::new(minor, currency)
        ))
    }

    /// The rows by name, as further figures of a case.
    pub fn figures(&self, currency: Currency) -> impl Iterator<Item = (String, String)> {
        let rows = self.named.iter().map(move |(name, minor)| {
            let off = Money::new(*minor, currency);
            (
                "net is not gross less fee".to_owned(),
                format!("line {name}, off by {off}"),
            )
        });
        let more = self.count.saturating_sub(self.named.len() as u64);
        let rest = (more > 0).then(|| {
            (
                "net is not gross less fee".to_owned(),
                format!("{} more", counted(more, "row", "rows")),
            )
        });
        rows.chain(rest)
    }
}

/// The case of a file's odd rows that belong to no batch, in one currency.
pub fn without_batch(
    account: i64,
    sha256: &str,
    file: &str,
    currency: Currency,
    rows: &OddRows,
) -> Result<Option<WantedCase>, AmountOverflow> {
    if rows.count == 0 {
        return Ok(None);
    }
    let kind = CaseKind::BatchOutOfBalance;
    let mut figures = vec![("file".to_owned(), file.to_owned())];
    figures.extend(rows.figures(currency));
    Ok(Some(WantedCase {
        kind,
        subject: Subject::RowsOfFile(sha256.to_owned(), currency).to_string(),
        account,
        at_risk: Some(rows.at_risk(currency)),
        intent: None,
        attempt: None,
        line: None,
        not_before: None,
        facts: CaseFacts {
            sentence: format!(
                "Of {file}, outside of any batch, {}",
                rows.sentence(currency)?
            ),
            settled_by: sentences::settled_by(kind),
            figures,
            ..CaseFacts::default()
        },
    }))
}
