//! What decisions would post, told before anybody decides.

use super::apply::{residual_postings, seeds_of};
use crate::{
    Error,
    derive::{
        Loaded, Seeds,
        foresee::{Sums, Way, add, postings},
        load::load,
    },
    storage::{cases::StoredCase, decisions, stored, tx::Connected},
};
use domain::{
    matching::{Accounts, Ruling, RulingSubject},
    view::{
        Amount,
        case::{Effect, EffectPosting},
    },
};
use std::collections::BTreeMap;

/// The ruling that the one in force about a subject stands upon, if there is one.
async fn beneath_of(tx: impl Connected, subject: &RulingSubject) -> Result<Option<Ruling>, Error> {
    let name = subject.to_string();
    let Some(standing) = decisions::ruling_about(tx, &name).await? else {
        return Ok(None);
    };
    let Some(before) = standing.beneath()?.into_iter().next() else {
        return Ok(None);
    };
    let ruling = stored::json("ruling_now", "beneath", &name, &before.ruling)?;
    Ok(Some(ruling))
}

/// Rulings of one decision, by subject.
pub(super) type Rulings = [(RulingSubject, Ruling)];

/// Everything that decisions about one case could move, read once.
pub(super) struct Foresight<'a> {
    accounts: &'a Accounts,
    case: &'a StoredCase,
    loaded: Loaded,
    /// What would stand again where a ruling is taken back, by subject.
    beneath: BTreeMap<RulingSubject, Ruling>,
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
        let mut beneath = BTreeMap::new();
        for rulings in decisions {
            let more = seeds_of(&mut tx, case, rulings).await?;
            seeds.lines.extend(more.lines);
            seeds.intents.extend(more.intents);
            for (subject, _) in rulings {
                if let Some(ruling) = beneath_of(&mut tx, subject).await? {
                    beneath.insert(subject.clone(), ruling);
                }
            }
        }
        Ok(Self {
            accounts,
            case,
            loaded: load(&mut tx, &seeds).await?,
            beneath,
        })
    }

    /// What comes into force and what leaves it: a ruling that is taken back gives way to the one that
    /// it stood upon.
    fn changes(&self, rulings: &Rulings, way: Way) -> Vec<(RulingSubject, Ruling, Way)> {
        rulings
            .iter()
            .map(|(subject, ruling)| match (way, self.beneath.get(subject)) {
                (Way::OutOf, Some(before)) => (subject.clone(), before.clone(), Way::Into),
                _ => (subject.clone(), ruling.clone(), way),
            })
            .collect()
    }

    /// What a decision posts: what it says in words, and the postings by account and currency.
    pub(super) fn effect(&self, text: &str, rulings: &Rulings, way: Way) -> Result<Effect, Error> {
        let mut sums = if rulings.is_empty() {
            Sums::new()
        } else {
            postings(self.accounts, &self.loaded, &self.changes(rulings, way))?
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
