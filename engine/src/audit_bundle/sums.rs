//! What ledger entries come to, by provider account, ledger account and currency.

use super::manifest::Balance;
use domain::seal::{Posting, Record, Text, record::Visitor};
use std::collections::BTreeMap;

/// Sums of postings.
#[derive(Debug, Default)]
pub struct Sums(BTreeMap<(String, String, String), (i128, i128)>);

impl Sums {
    /// Adds an entry's postings; says in which currency they do not sum to zero, and by how much.
    pub fn add(&mut self, provider: &str, postings: &[Posting<'_>]) -> Option<(String, i128)> {
        let mut residuals: BTreeMap<&str, i128> = BTreeMap::new();
        for posting in postings {
            let amount = i128::from(posting.amount);
            *residuals.entry(posting.currency).or_default() += amount;
            let key = (
                provider.to_owned(),
                posting.account.to_owned(),
                posting.currency.to_owned(),
            );
            let sums = self.0.entry(key).or_default();
            let side = if amount > 0 { &mut sums.0 } else { &mut sums.1 };
            *side += amount.abs();
        }
        residuals
            .into_iter()
            .find(|(_, residual)| *residual != 0)
            .map(|(currency, residual)| (currency.to_owned(), residual))
    }

    /// Adds a record if it is a ledger entry.
    pub fn add_record<R: Record>(&mut self, record: &R) {
        let mut entry = Entry {
            provider: String::new(),
            sums: self,
        };
        record.visit(&mut entry);
    }

    /// The sums in a stable order. Sums beyond 64 bits are cut to what fits: the database refuses
    /// them long before.
    pub fn balances(&self) -> Vec<Balance> {
        let fit = |sum: i128| i64::try_from(sum).unwrap_or(i64::MAX);
        self.0
            .iter()
            .map(|((provider, account, currency), (debit, credit))| Balance {
                provider: provider.clone(),
                account: account.clone(),
                currency: currency.clone(),
                debit: fit(*debit),
                credit: fit(*credit),
            })
            .collect()
    }
}

struct Entry<'s> {
    provider: String,
    sums: &'s mut Sums,
}

impl Visitor for Entry<'_> {
    fn int(&mut self, _: &'static str, _: i64) {}

    fn opt_int(&mut self, _: &'static str, _: Option<i64>) {}

    fn id(&mut self, name: &'static str, value: &str) {
        if name == "provider" {
            value.clone_into(&mut self.provider);
        }
    }

    fn opt_id(&mut self, _: &'static str, _: Option<&str>) {}

    fn hash(&mut self, _: &'static str, _: &[u8]) {}

    fn text(&mut self, _: &'static str, _: Text<'_>) {}

    fn postings(&mut self, _: &'static str, value: &[Posting<'_>]) {
        self.sums.add(&self.provider, value);
    }
}
