//! Where the money of an intent stands: sums of its matched lines, each in the currency that it came in.

use crate::storage::{
    StorageError, intents::IntentShown, lines::LineShown, matching::ShareRow, stored,
};
use domain::{
    line::RowKind,
    money::{Currency, apportion},
    view::{Amount, intent::Position},
};
use std::collections::BTreeMap;

/// Positions of an intent.
pub(super) struct Positions {
    /// In its own currency.
    pub own: Position,
    /// In others, in order of their codes.
    pub others: Vec<Position>,
}

/// Sums by movement; money out counts as captured where it was sent on our order. Of a line that serves
/// several intents this one has its share, and of the fee the part that goes with it.
pub(super) fn positions(
    intent: &IntentShown,
    lines: &[LineShown],
    shares: &[ShareRow],
) -> Result<Positions, StorageError> {
    let own: Currency = stored::parse("intent", "currency", intent.id, &intent.currency)?;
    let mut sums: BTreeMap<Currency, Sums> = BTreeMap::new();
    for line in lines.iter().filter(|l| l.verdict == "MATCHED") {
        let kind: RowKind = stored::parse("line", "kind", line.id, &line.kind)?;
        let presented: Currency = stored::parse(
            "line",
            "presented_currency",
            line.id,
            &line.presented_currency,
        )?;
        let part = Part::of(intent.id, line, shares);
        let sums = sums.entry(presented).or_default();
        // Shares of another currency say what of the intent is settled, not what came.
        sums.add(
            kind,
            if presented == own {
                part.amount
            } else {
                line.presented_amount
            },
        );
        if line.currency == line.presented_currency {
            sums.fees += i128::from(part.fee);
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

/// What of a line belongs to an intent.
struct Part {
    amount: i64,
    fee: i64,
}

impl Part {
    fn of(intent: i64, line: &LineShown, shares: &[ShareRow]) -> Self {
        let mut of_line: Vec<&ShareRow> = shares.iter().filter(|s| s.line_id == line.id).collect();
        if of_line.is_empty() {
            return Self {
                amount: line.presented_amount,
                fee: line.fee,
            };
        }
        // The same order on each page, so that the parts of all pages add up.
        of_line.sort_by_key(|s| s.attempt_id);
        let weights: Vec<u64> = of_line.iter().map(|s| s.amount.unsigned_abs()).collect();
        let mut part = Self { amount: 0, fee: 0 };
        for (share, fee) in of_line.iter().zip(apportion(line.fee, &weights)) {
            if share.intent_id == intent {
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
