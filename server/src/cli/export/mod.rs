//! `tieout export`: what leaves the house, one file per kind.

mod audit;
mod table;
mod whole_file;

use clap::Subcommand;
use table::What;

use super::{Refused, place::Global};

/// Its subcommands.
#[derive(Debug, Subcommand)]
pub enum Export {
    /// Every data row of every file, and what became of it
    Matches(table::Table),
    /// The review queue and its history
    Cases(table::Table),
    /// Postings with block and hash
    Ledger(table::Table),
    /// Intents and attempts as they stand
    Payments(table::Table),
    /// Records, blocks, proofs and manifest of a period, to be verified without this database
    Audit(audit::Audit),
}

impl Export {
    /// Runs it.
    pub async fn run(self, global: &Global) -> Result<(), Refused> {
        if let Self::Matches(t) | Self::Cases(t) | Self::Ledger(t) | Self::Payments(t) = &self {
            t.check_usage(global);
        }
        let place = global.open_existing().await?;
        match self {
            Self::Matches(table) => table.run(What::Matches, &place).await,
            Self::Cases(table) => table.run(What::Cases, &place).await,
            Self::Ledger(table) => table.run(What::Ledger, &place).await,
            Self::Payments(table) => table.run(What::Payments, &place).await,
            Self::Audit(audit) => audit.run(&place).await,
        }
    }
}
