//! Use cases of Tieout and the storage beneath them.
//!
//! A use case is one file, named by its verb. It takes an [`Actor`](domain::actor::Actor) and asks
//! it first; then it reads, lets `domain` decide, and writes in one transaction.
//!
//! | Module | Answers |
//! |---|---|
//! | [`clock`] | what time it is |
//! | [`ids`] | where ids and secrets come from |
//! | [`error`] | what a use case answers when it refuses |
//! | [`seal`] | how everything recorded is sealed |
//! | [`users`], [`sessions`], [`tokens`] | who may come in, and as whom |
//! | [`providers`] | where settlement files come from, and under which policy they are read |
//! | [`audit`] | who did what |
//! | [`import_payments`] | what the business meant to happen |
//! | [`registry`] | what payment workers register, claim and report |
//! | [`evidence_store`] | where received bytes are kept |
//! | [`audit_bundle`] | a zip that an auditor verifies without us |
//! | [`export`] | tables for spreadsheets and programs |
//! | [`verify`] | whether all that is sealed and summed still holds |
//! | [`views`] | what pages, the API and exports show |
//! | [`ingest`] | how a settlement file becomes lines, verdicts and entries |
//! | [`decide`] | what people decide about cases |
//! | [`saved_views`] | which filters of the queue a person keeps by name |
//! | [`demo`] | a small lively data set to look at |
//! | [`derive`] | what follows from the facts, and what of it is new |
//! | [`rematch`] | what must be judged again because others came |
//! | [`post_entries`] | how entries get into the ledger |
//! | [`storage`] | how facts are kept, on SQLite and on PostgreSQL |

pub mod audit;
pub mod audit_bundle;
pub mod clock;
pub mod decide;
pub mod demo;
pub mod derive;
pub mod error;
pub mod evidence_store;
pub mod export;
pub mod ids;
pub mod import_payments;
pub mod ingest;
mod odd_rows;
mod open_items;
pub mod post_entries;
pub mod providers;
pub mod registry;
pub mod rematch;
pub mod saved_views;
pub mod seal;
pub mod sessions;
pub mod storage;
pub mod sweep;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod tokens;
mod unseen;
pub mod users;
pub mod verify;
pub mod views;

pub use clock::Clock;
pub use error::Error;
pub use evidence_store::EvidenceStore;
pub use ids::{IdSource, Sources};
pub use storage::Store;

/// A database, a clock and a source of ids: what every use case works with.
#[derive(Debug, Clone)]
pub struct Engine {
    /// The database.
    pub store: Store,
    /// Time and ids.
    pub sources: Sources,
}

impl Engine {
    /// An engine on the machine's own clock and randomness.
    pub fn new(store: Store) -> Self {
        Self {
            store,
            sources: Sources::system(),
        }
    }

    /// The present instant.
    pub fn now(&self) -> domain::time::Instant {
        self.sources.clock.now()
    }
}
