//! Postings: of a line, of a change of its disposition, of decisions that concern no line.

pub use super::disposition::Figures;
use super::{accounts::LedgerAccount, disposition::Disposition};
use crate::money::{AmountOverflow, Currency, Money};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One debit (positive) or credit (negative).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Posting {
    /// The account.
    pub account: LedgerAccount,
    /// The currency.
    pub currency: Currency,
    /// Minor units, never zero in an entry.
    pub amount: i64,
}

impl Posting {
    /// A posting of an amount.
    pub const fn new(account: LedgerAccount, amount: Money) -> Self {
        Self {
            account,
            currency: amount.currency,
            amount: amount.minor,
        }
    }
}

/// The postings of a line: clearing moves by exactly its net.
///
/// Where gross minus fee is not net, net counts; the difference is part of the disposition
/// ([`Disposition::with_difference`]), and without it these do not balance.
pub fn line_postings(
    figures: &Figures,
    disposition: &Disposition,
) -> Result<Vec<Posting>, AmountOverflow> {
    let own = |account, minor: i128| -> Result<(LedgerAccount, Currency, i128), AmountOverflow> {
        Ok((account, figures.currency, minor))
    };
    let mut parts = vec![own(
        LedgerAccount::ProviderClearing,
        i128::from(figures.net),
    )?];
    if figures.kind.is_fee() {
        parts.push(own(LedgerAccount::ProviderFees, -i128::from(figures.net))?);
    } else {
        parts.push(own(LedgerAccount::ProviderFees, i128::from(figures.fee))?);
        if figures.converts() {
            parts.push(own(
                LedgerAccount::FxDifference,
                -i128::from(figures.gross),
            )?);
            parts.push((
                LedgerAccount::FxDifference,
                figures.presented.currency,
                i128::from(figures.presented.minor),
            ));
        }
    }
    parts.extend(
        disposition
            .parts
            .iter()
            .map(|p| (p.account, p.currency, i128::from(p.amount))),
    );
    collect(parts)
}

/// By how much net differs from gross minus fee; zero on every sound row and on fee rows.
pub fn arithmetic_difference(figures: &Figures) -> i128 {
    if figures.kind.is_fee() {
        return 0;
    }
    i128::from(figures.net) + i128::from(figures.fee) - i128::from(figures.gross)
}

/// The postings that turn one disposition into another; empty where they are equal.
pub fn move_postings(from: &Disposition, to: &Disposition) -> Result<Vec<Posting>, AmountOverflow> {
    let signed = |d: &Disposition, sign: i128| {
        d.parts
            .iter()
            .map(|p| (p.account, p.currency, sign * i128::from(p.amount)))
            .collect::<Vec<_>>()
    };
    collect([signed(from, -1), signed(to, 1)].concat())
}

/// The write-off of a settlement that never came, against the account that its line would have
/// moved: write_offs to receipts for money in, disbursements or refunds to write_offs for money out.
/// Its reversal is the same with the signs turned.
pub fn missing_write_off(
    amount: Money,
    expected: LedgerAccount,
) -> Result<Vec<Posting>, AmountOverflow> {
    if expected == LedgerAccount::Receipts {
        pair(LedgerAccount::WriteOffs, expected, amount)
    } else {
        pair(expected, LedgerAccount::WriteOffs, amount)
    }
}

/// An accepted batch residual: what is left in clearing goes to adjustments.
pub fn accepted_residual(left_in_clearing: Money) -> Result<Vec<Posting>, AmountOverflow> {
    pair(
        LedgerAccount::Adjustments,
        LedgerAccount::ProviderClearing,
        left_in_clearing,
    )
}

/// The same postings with their signs turned: what reverses an entry.
pub fn reversed(postings: &[Posting]) -> Result<Vec<Posting>, AmountOverflow> {
    collect(
        postings
            .iter()
            .map(|p| (p.account, p.currency, -i128::from(p.amount))),
    )
}

fn pair(
    debit: LedgerAccount,
    credit: LedgerAccount,
    amount: Money,
) -> Result<Vec<Posting>, AmountOverflow> {
    let minor = i128::from(amount.minor);
    collect([
        (debit, amount.currency, minor),
        (credit, amount.currency, -minor),
    ])
}

/// Sums by account and currency, in a stable order, without zeros.
pub(super) fn collect(
    parts: impl IntoIterator<Item = (LedgerAccount, Currency, i128)>,
) -> Result<Vec<Posting>, AmountOverflow> {
    let mut sums: BTreeMap<(LedgerAccount, Currency), i128> = BTreeMap::new();
    for (account, currency, amount) in parts {
        *sums.entry((account, currency)).or_default() += amount;
    }
    sums.into_iter()
        .filter(|(_, amount)| *amount != 0)
        .map(|((account, currency), amount)| {
            Ok(Posting {
                account,
                currency,
                amount: i64::try_from(amount).map_err(|_| AmountOverflow)?,
            })
        })
        .collect()
}
