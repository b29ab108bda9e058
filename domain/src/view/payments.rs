//! Payment intents: searched by any reference.

use super::{Amount, FieldProblem, overview::NeverSettled};
use crate::{
    payment::{Direction, IntentState},
    time::Instant,
};
use serde::{Deserialize, Serialize};

/// What the URL asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PaymentFilter {
    /// An intent id, reference, attempt id, idempotency key or provider id.
    pub q: String,
    /// State, in capitals, or empty.
    pub state: String,
    /// Provider account by name.
    pub provider: String,
    /// [`NEVER`] for those that succeeded and that nothing settled, older than the files of their
    /// account; else empty.
    pub settled: String,
    /// Opaque cursor.
    pub after: String,
}

/// The value of [`PaymentFilter::settled`] that asks for what nothing settled.
pub const NEVER: &str = "never";

/// The payments page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentsPage {
    /// The filter as understood.
    pub filter: PaymentFilter,
    /// Provider accounts, for the filter.
    pub providers: Vec<String>,
    /// Those that succeeded and that nothing settled, over all accounts.
    pub never_settled: NeverSettled,
    /// This page of intents, newest first.
    pub rows: Vec<IntentRow>,
    /// Intents under the whole filter.
    pub total: u64,
    /// Amounts of those that come in, one sum per currency.
    pub totals: Vec<Amount>,
    /// Amounts of those that go out, one sum per currency.
    pub totals_out: Vec<Amount>,
    /// Cursor of the next page.
    pub next: Option<String>,
    /// What the last import did, if this page answers one.
    pub imported: Option<ImportReport>,
    /// What was wrong with the last input.
    pub problems: Vec<FieldProblem>,
}

impl PaymentsPage {
    /// Adds up the rows of this page, where it holds all that fit: what comes in and what goes out apart,
    /// by currency.
    pub fn add_up(&mut self) {
        let of = |direction: Direction| {
            let mut sums: Vec<Amount> = Vec::new();
            for row in self.rows.iter().filter(|r| r.direction == direction) {
                match sums.iter_mut().find(|s| s.currency == row.amount.currency) {
                    Some(sum) => sum.minor = sum.minor.saturating_add(row.amount.minor),
                    None => sums.push(row.amount),
                }
            }
            sums
        };
        let (incoming, outgoing) = (of(Direction::In), of(Direction::Out));
        self.totals = incoming;
        self.totals_out = outgoing;
    }
}

/// One intent in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntentRow {
    /// The company's id.
    pub id: String,
    /// Merchant reference, or empty.
    pub merchant_reference: String,
    /// The company's word.
    pub operation: String,
    /// How much.
    pub amount: Amount,
    /// Which way.
    pub direction: Direction,
    /// How it stands.
    pub state: IntentState,
    /// When the business meant it.
    pub created_at: Instant,
    /// Provider accounts of its attempts.
    pub accounts: Vec<String>,
    /// How many attempts.
    pub attempts: u64,
    /// Open cases about it.
    pub open_cases: u64,
}

/// What an import of payments did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportReport {
    /// The file's name.
    pub name: String,
    /// Rows in it.
    pub rows: u64,
    /// Intents that were new.
    pub intents_new: u64,
    /// Attempts that were new.
    pub attempts_new: u64,
    /// Attempts that learned something.
    pub attempts_updated: u64,
    /// Rows that said nothing new.
    pub unchanged: u64,
    /// Rows that were refused, at most a hundred.
    pub refused: Vec<RefusedRow>,
    /// How many in all.
    pub refused_total: u64,
}

/// A row of a payments file that was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedRow {
    /// Physical line, the first being 1.
    pub line: u64,
    /// What is wrong and what would do.
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;

    #[test]
    fn what_comes_in_and_what_goes_out_are_never_one_sum() {
        let row = |minor: i64, currency: Currency, direction| IntentRow {
            id: String::new(),
            merchant_reference: String::new(),
            operation: String::new(),
            amount: Amount::new(minor, currency),
            direction,
            state: IntentState::Pending,
            created_at: Instant::from_micros(0),
            accounts: Vec::new(),
            attempts: 0,
            open_cases: 0,
        };
        let (eur, usd) = ("EUR".parse().unwrap(), "USD".parse().unwrap());
        let mut page = PaymentsPage {
            rows: vec![
                row(197_799, eur, Direction::In),
                row(6_000, eur, Direction::Out),
                row(500, usd, Direction::In),
            ],
            ..PaymentsPage::default()
        };
        page.add_up();
        assert_eq!(
            page.totals,
            [Amount::new(197_799_i64, eur), Amount::new(500_i64, usd)]
        );
        assert_eq!(page.totals_out, [Amount::new(6_000_i64, eur)]);
    }
}
