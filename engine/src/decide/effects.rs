//! What decisions would post, told before anybody decides.

use super::apply::{residual_postings, seeds_of};
use crate::{
    Error,
    derive::{
        Loaded, Seeds,
        foresee::{Sums, Way, add, postings},
        load::load,
    },
    storage::{cases::StoredCase, tx::Connected},
};
use domain::{
    matching::{Accounts, Ruling, RulingSubject},
    view::{
        Amount,
        case::{Effect, EffectPosting},
    },
};

/// Rulings of one decision, by subject.
pub(super) type Rulings = [(RulingSubject, Ruling)];

/// Everything that decisions about one case could move, read once.
pub(super) struct Foresight<'a> {
    accounts: &'a Accounts,
    case: &'a StoredCase,
    loaded: Loaded,
}

impl<'a> Foresight<'a> {
    /// Reads what hangs together with a case and with the rulings of several decisions about it.
    pub(super) async fn read<'r>(
        mut tx: impl Connected,
        accounts: &'a Accounts,
        case: &'a StoredCase,
        decisions: impl Iterator<Item = &'r Rulings>,
    ) -> Result<Self, Error> {
        let mut seeds = Seeds::default();
        for rulings in decisions {
            let more = seeds_of(&mut tx, case, rulings).await?;
            seeds.lines.extend(more.lines);
            seeds.intents.extend(more.intents);
        }
        Ok(Self {
            accounts,
            case,
            loaded: load(&mut tx, &seeds).await?,
        })
    }

    /// What a decision posts: what it says in words, and the postings by account and currency.
    pub(super) fn effect(&self, text: &str, rulings: &Rulings, way: Way) -> Result<Effect, Error> {
        let mut sums = if rulings.is_empty() {
            Sums::new()
        } else {
            postings(self.accounts, &self.loaded, rulings, way)?
        };
        let mut opens_a_file = false;
        for (subject, ruling) in rulings {
            match subject {
                RulingSubject::Batch(_) => {
                    let (_, residual) = residual_postings(self.case, ruling, way)?;
                    add(&mut sums, &residual);
                }
                RulingSubject::File(_) => opens_a_file = true,
                _ => {}
            }
        }
        let mut shown = Vec::new();
        for ((account, currency), minor) in sums.into_iter().filter(|(_, minor)| *minor != 0) {
            let minor = i64::try_from(minor)
                .map_err(|_| crate::derive::overflow(domain::money::AmountOverflow))?;
            shown.push(EffectPosting {
                ledger_account: account.code().to_owned(),
                amount: Amount::new(minor, currency),
            });
        }
        // Debits first, as on paper.
        shown.sort_by_key(|p| p.amount.minor < 0);
        let nothing = shown.is_empty() && !rulings.is_empty() && !opens_a_file;
        let text = if nothing {
            format!("{text} Nothing is posted.").trim_start().to_owned()
        } else {
            text.to_owned()
        };
        Ok(Effect {
            text,
            postings: shown,
        })
    }
}
