//! Where the contra side of a line stands. Clearing and fees are fixed by the line itself; only this
//! changes when a verdict or a decision does.

use super::{
    accounts::LedgerAccount,
    entries::{Posting, arithmetic_difference, collect},
};
use crate::{
    line::{RowKind, Verdict},
    money::{AmountOverflow, Currency, Money},
};
use serde::{Deserialize, Serialize};

/// The contra side: amounts per account, debit positive, in a stable order, none of them zero. Of a row
/// whose net is not gross less fee the difference is a part of it, so that it is an open item like any
/// other money in suspense.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disposition {
    /// The parts; one is the rule, none for fee rows and rows of zero.
    pub parts: Vec<Posting>,
}

/// Figures of a line that posting needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// What the row is about.
    pub kind: RowKind,
    /// What moved, before fees.
    pub gross: i64,
    /// Fee, positive when charged.
    pub fee: i64,
    /// What our balance moved by.
    pub net: i64,
    /// Currency of these three.
    pub currency: Currency,
    /// What the payer saw.
    pub presented: Money,
}

/// The contra account of a row kind once its payment is certain; none for fee rows.
pub const fn contra_account(kind: RowKind) -> Option<LedgerAccount> {
    Some(match kind {
        RowKind::Payment | RowKind::PaymentReversal => LedgerAccount::Receipts,
        RowKind::Disbursement => LedgerAccount::Disbursements,
        RowKind::Refund | RowKind::RefundReversal => LedgerAccount::Refunds,
        RowKind::Chargeback | RowKind::ChargebackReversal => LedgerAccount::Chargebacks,
        RowKind::ReserveHold | RowKind::ReserveRelease => LedgerAccount::ProviderReserve,
        RowKind::Payout | RowKind::PayoutReversal => LedgerAccount::PayoutsInTransit,
        RowKind::CarryOver => LedgerAccount::CarriedForward,
        RowKind::Fx => LedgerAccount::FxDifference,
        RowKind::Adjustment => LedgerAccount::Adjustments,
        RowKind::Unrecognised => LedgerAccount::Suspense,
        RowKind::Fee | RowKind::DisputeFee => return None,
    })
}

/// What the whole contra side of a line comes to: minus its gross, in the currency that the payer
/// saw where that is another. None for fee rows.
pub fn contra_total(figures: &Figures) -> Result<Option<Money>, AmountOverflow> {
    if figures.kind.is_fee() {
        return Ok(None);
    }
    let amount = if figures.converts() {
        figures.presented
    } else {
        Money::new(figures.gross, figures.currency)
    };
    let minor = amount.minor.checked_neg().ok_or(AmountOverflow)?;
    Ok(Some(Money::new(minor, amount.currency)))
}

/// A contra total of which a part stands on another account: the rest on its own.
pub fn split(
    own: LedgerAccount,
    total: Money,
    other: LedgerAccount,
    part: i64,
) -> Result<Disposition, AmountOverflow> {
    let rest = total.minor.checked_sub(part).ok_or(AmountOverflow)?;
    let mut parts = vec![
        Posting::new(own, Money::new(rest, total.currency)),
        Posting::new(other, Money::new(part, total.currency)),
    ];
    parts.sort();
    Ok(Disposition::of(parts))
}

/// A contra total in another currency than the payment's, written off against what it settles of the
/// payment: each currency balances by itself.
pub fn written_off_across(
    own: LedgerAccount,
    total: Money,
    settled: Money,
) -> Result<Disposition, AmountOverflow> {
    let back = settled.minor.checked_neg().ok_or(AmountOverflow)?;
    let mut parts = vec![
        Posting::new(own, Money::new(back, settled.currency)),
        Posting::new(LedgerAccount::WriteOffs, settled),
        Posting::new(LedgerAccount::WriteOffs, total),
    ];
    parts.sort();
    Ok(Disposition::of(parts))
}

impl Figures {
    /// Whether the payer saw another currency than moved at the provider.
    pub fn converts(&self) -> bool {
        self.kind.concerns_payment() && self.presented.currency != self.currency
    }
}

impl Disposition {
    /// All of a line's contra on one account.
    pub fn whole(figures: &Figures, account: LedgerAccount) -> Result<Self, AmountOverflow> {
        Ok(Self::of(
            contra_total(figures)?.map(|total| Posting::new(account, total)),
        ))
    }

    /// The disposition that a verdict alone gives: the kind's own account when matched or
    /// accounted, else suspense.
    pub fn by_verdict(figures: &Figures, verdict: Verdict) -> Result<Self, AmountOverflow> {
        let Some(own) = contra_account(figures.kind) else {
            return Ok(Self::default());
        };
        let settled = matches!(verdict, Verdict::Matched | Verdict::Accounted);
        Self::whole(
            figures,
            if settled {
                own
            } else {
                LedgerAccount::Suspense
            },
        )
    }

    /// The same, and on an account what a row's net is off by: nothing for every sound row.
    pub fn with_difference(
        self,
        figures: &Figures,
        account: LedgerAccount,
    ) -> Result<Self, AmountOverflow> {
        let difference = arithmetic_difference(figures);
        if difference == 0 {
            return Ok(self);
        }
        let parts = self
            .parts
            .iter()
            .map(|p| (p.account, p.currency, i128::from(p.amount)))
            .chain([(account, figures.currency, -difference)]);
        Ok(Self {
            parts: collect(parts)?,
        })
    }

    /// From parts, dropping those of zero.
    pub fn of(parts: impl IntoIterator<Item = Posting>) -> Self {
        Self {
            parts: parts.into_iter().filter(|p| p.amount != 0).collect(),
        }
    }

    /// The one part there is, for storage in columns: None where there are several or none.
    pub fn single(&self) -> Option<Posting> {
        match self.parts.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }
}
