//! The amounts of a row: what moved at the provider, and what the payer saw.

use super::super::{
    RowReason,
    layout::AmountColumns,
    number::{AmountProblem, example, parse_amount},
    profile::PresentedSign,
};
use super::{Fault, LineMaker, Record};
use crate::money::{Currency, Money, is_plausible, provider_exponent, too_precise};

#[derive(Debug, Clone, Copy)]
pub(super) struct KnownCurrency {
    pub(super) currency: Currency,
    exponent: u32,
    provider_exponent: u32,
}

/// Gross, fee and net of a row.
pub(super) struct Amounts {
    pub(super) gross: i64,
    pub(super) fee: i64,
    pub(super) net: i64,
}

impl LineMaker {
    pub(super) fn currency(&mut self, record: Record) -> Result<KnownCurrency, Fault> {
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
    pub(super) fn amounts(&self, record: Record, known: KnownCurrency) -> Result<Amounts, Fault> {
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
    pub(super) fn amount(
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
    pub(super) fn presented(
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
}

impl AmountColumns {
    /// The column that an error is told of.
    pub(super) fn first_index(&self) -> usize {
        match self {
            Self::Signed(index) | Self::Marked { amount: index, .. } => *index,
            Self::Pair { credit, .. } => *credit,
            Self::Sum { columns, .. } => columns.first().copied().unwrap_or_default(),
        }
    }
}
