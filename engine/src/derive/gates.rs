//! The gates of all accounts whose lines and attempts are judged together.
//!
//! A payment may have attempts at two accounts, and each account's worker passes only its own gate.
//! Whoever judges such a payment passes the gates of the others as well before anything is written:
//! of two who judge it at once, the later sees what the earlier matched.

use crate::{
    Error,
    storage::{Tx, accounts::pass_gate},
};
use domain::matching::World;
use std::collections::BTreeSet;

/// The accounts whose gates the unit of work passed.
pub(crate) struct Gates {
    passed: BTreeSet<i64>,
}

impl Gates {
    /// The caller passed that of one account.
    pub fn with(account: i64) -> Self {
        Self {
            passed: BTreeSet::from([account]),
        }
    }

    /// Passes those of a world that were not passed yet, from the lowest. Says whether there were any:
    /// then what was read of the world may be outdated and must be read again. Two who pass two gates
    /// in opposite order wait for each other; the database ends one of them, which begins again.
    pub async fn pass(&mut self, tx: &mut Tx, world: &World) -> Result<bool, Error> {
        let attempts = world.intents.iter().flat_map(|i| &i.attempts);
        let accounts: BTreeSet<i64> = attempts
            .map(|a| a.account)
            .chain(world.lines.iter().map(|l| l.account))
            .filter(|account| !self.passed.contains(account))
            .collect();
        for account in &accounts {
            pass_gate(tx, *account).await?;
        }
        let any = !accounts.is_empty();
        self.passed.extend(accounts);
        Ok(any)
    }
}
