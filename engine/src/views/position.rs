//! Where the money of an intent stands: sums of its matched lines, each in the currency that it came in.

use crate::storage::{
    StorageError,
    lines::{self, MovedLine},
    matching::{self, ShareRow},
    stored,
    tx::Connected,
};
use domain::{
    line::RowKind,
    money::{Currency, apportion},
    view::{Amount, intent::Position},
};
use std::collections::{BTreeMap, BTreeSet};

/// Positions of an intent.
pub(crate) struct Positions {
    /// In its own currency.
    pub own: Position,
    /// In others, in order of their codes.
    pub others: Vec<Position>,
}

/// The lines that moved the money of some intents, and the shares of those that serve several.
pub(crate) struct Moved {
    lines: BTreeMap<i64, Vec<MovedLine>>,
    shares: BTreeMap<i64, Vec<ShareRow>>,
}

impl Moved {
    /// Of intents by key.
    pub(crate) async fn read(
        mut tx: impl Connected,
        intents: &BTreeSet<i64>,
    ) -> Result<Self, StorageError> {
        let found = lines::money_of_intents(&mut tx, intents.iter().copied()).await?;
        let keys: BTreeSet<i64> = found.iter().map(|line| line.id).collect();
        let mut shares: BTreeMap<i64, Vec<ShareRow>> = BTreeMap::new();
        for share in matching::shares(&mut tx, keys.into_iter()).await? {
            shares.entry(share.line_id).or_default().push(share);
        }
        // The same order everywhere, so that the parts of all intents add up.
        for of_line in shares.values_mut() {
            of_line.sort_by_key(|s| s.attempt_id);
        }
        let mut lines: BTreeMap<i64, Vec<MovedLine>> = BTreeMap::new();
        for line in found {
            lines.entry(line.intent_id).or_default().push(line);
        }
        Ok(Self { lines, shares })
    }

    /// Sums by movement; money out counts as captured where it was sent on our order. Of a line that
    /// serves several intents this one has its share, and of the fee the part that goes with it. A fee
    /// counts in the currency that it was taken in, which may be another than the payer's.
    pub(crate) fn positions(&self, intent: i64, own: &str) -> Result<Positions, StorageError> {
        let own: Currency = stored::parse("intent", "currency", intent, own)?;
        let mut sums: BTreeMap<Currency, Sums> = BTreeMap::new();
        for line in self.lines.get(&intent).into_iter().flatten() {
            let kind: RowKind = stored::parse("line", "kind", line.id, &line.kind)?;
            let currency =
                |column, text: &str| stored::parse::<Currency>("line", column, line.id, text);
            let presented = currency("presented_currency", &line.presented_currency)?;
            let settled = currency("currency", &line.currency)?;
            let part = Part::of(line, self.shares.get(&line.id).map_or(&[], Vec::as_slice));
            // Shares of another currency say what of the intent is settled, not what came.
            let amount = if presented == own {
                part.amount
            } else {
                line.presented_amount
            };
            sums.entry(presented).or_default().add(kind, amount);
            if part.fee != 0 {
                sums.entry(settled).or_default().fees += i128::from(part.fee);
            }
        }
        Ok(Positions {
            own: sums.remove(&own).unwrap_or_default().position(own),
            others: sums
                .into_iter()
                .map(|(currency, sums)| sums.position(currency))
                .collect(),
        })
    }
}

/// What of a line belongs to an intent.
struct Part {
    amount: i64,
    fee: i64,
}

impl Part {
    /// Of the line's shares, in the order of their attempts.
    fn of(line: &MovedLine, shares: &[ShareRow]) -> Self {
        if shares.is_empty() {
            return Self {
                amount: line.presented_amount,
                fee: line.fee,
            };
        }
        let weights: Vec<u64> = shares.iter().map(|s| s.amount.unsigned_abs()).collect();
        let mut part = Self { amount: 0, fee: 0 };
        for (share, fee) in shares.iter().zip(apportion(line.fee, &weights)) {
            if share.intent_id == line.intent_id {
                let amount = share.amount.saturating_abs() * line.presented_amount.signum();
                part.amount = part.amount.saturating_add(amount);
                part.fee = part.fee.saturating_add(fee);
            }
        }
        part
    }
}

#[derive(Default)]
struct Sums {
    captured: i128,
    refunded: i128,
    charged_back: i128,
    fees: i128,
}

impl Sums {
    fn add(&mut self, kind: RowKind, amount: i64) {
        let amount = i128::from(amount);
        match kind {
            RowKind::Payment | RowKind::PaymentReversal => self.captured += amount,
            RowKind::Disbursement => self.captured -= amount,
            RowKind::Refund | RowKind::RefundReversal => self.refunded -= amount,
            RowKind::Chargeback | RowKind::ChargebackReversal => self.charged_back -= amount,
            _ => {}
        }
    }

    fn position(&self, currency: Currency) -> Position {
        let amount = |minor: i128| Amount::new(minor, currency);
        let net = self.captured - self.refunded - self.charged_back - self.fees;
        Position {
            captured: amount(self.captured),
            refunded: amount(self.refunded),
            charged_back: amount(self.charged_back),
            fees: amount(self.fees),
            net: amount(net),
        }
    }
}
