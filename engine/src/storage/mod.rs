//! The database: the only place that knows SQL.
//!
//! Two concrete backends behind one [`Store`]. SQLite has one writer connection and several
//! readers; PostgreSQL one pool. Statements are text files under `sql/`, one folder an aggregate,
//! one text for both backends unless an override pays.
//!
//! | Module | Answers |
//! |---|---|
//! | [`error`] | what went wrong, in our words |
//! | [`bundle`] | which blocks an audit bundle covers |
//! | [`export`] | what exports read |
//! | [`ledger`] | balances, entries and postings, as read |
//! | [`verify`] | what verifying counts, sums and compares |
//! | [`sealed`] | the records of the histories, as their leaves hold them |
//! | [`seal`] | leaves, blocks and the instance secret |
//! | [`store`] | how a database is opened, migrated, read and written |
//! | [`tx`] | a unit of work and a consistent read |
//! | [`statement`] | how a statement is declared and found by the tests |
//! | [`run`] | macros by result: `one!`, `opt!`, `all!`, `scalar!`, `exec!`, `exec_one!` |
//! | [`rows`] | many rows at once: bulk insert, bulk update, lookup by many keys |
//! | [`stored`] | enumerations and JSON as stored, with their place when they are corrupt |
//! | [`demo`] | whether a database is empty enough for demo data |
//! | [`counter`] | where row ids come from |
//! | [`settings`] | single values by name |
//! | [`queue`], [`search`] | cases as listed and counted; what a typed reference could mean |
//! | [`record_cases`] | which case is about a line or a rejected row |
//! | [`registry`] | what the registry answered before |
//! | [`imports`] | which payments file, and which line of it, an attempt came from |
//! | [`saved_views`] | filters of the queue that people keep |
//! | [`intents`], [`filelist`], [`lines`], [`books`] | payments, files, lines and the ledger as pages show them |
//! | [`users`], [`sessions`], [`tokens`], [`providers`], [`audit`] | people, programs, provider accounts, the audit log |

pub mod accounts;
pub mod audit;
pub mod books;
pub mod bundle;
pub mod cases;
pub mod counter;
pub mod decisions;
pub mod demo;
pub mod entries;
pub mod error;
pub mod export;
pub mod filelist;
pub mod files;
mod foreign;
pub mod imports;
pub mod intents;
pub mod leases;
pub mod ledger;
pub mod lines;
pub mod matching;
pub mod overview;
pub mod payments;
pub mod providers;
pub mod queue;
pub mod record_cases;
pub mod registry;
pub mod rematch;
pub mod rows;
pub mod run;
pub mod saved_views;
pub mod seal;
pub mod sealed;
pub mod search;
pub mod sessions;
pub mod settings;
pub mod statement;
pub mod statistics;
pub mod store;
pub mod stored;
pub mod sweep;
pub mod tokens;
pub mod tx;
pub mod users;
pub mod verify;
mod wide;

pub use error::StorageError;
pub use rows::Rows;
pub use statement::{ColumnType, RowsSql, Sql, Statements};
pub use store::{Backend, Store};
pub use tx::{Reader, Tx};

/// Every statement of every aggregate: what the prepare-all and plan tests read. An aggregate that
/// is not listed here fails the test that looks for unregistered files.
pub const ALL: &[Statements] = &[
    counter::STATEMENTS,
    record_cases::STATEMENTS,
    rematch::STATEMENTS,
    payments::STATEMENTS,
    registry::STATEMENTS,
    matching::STATEMENTS,
    leases::STATEMENTS,
    files::STATEMENTS,
    entries::STATEMENTS,
    decisions::STATEMENTS,
    demo::STATEMENTS,
    cases::STATEMENTS,
    accounts::STATEMENTS,
    seal::STATEMENTS,
    sealed::STATEMENTS,
    export::STATEMENTS,
    bundle::STATEMENTS,
    verify::batches::STATEMENTS,
    verify::books::STATEMENTS,
    verify::cases::STATEMENTS,
    verify::decisions::STATEMENTS,
    verify::files::STATEMENTS,
    verify::identities::STATEMENTS,
    verify::keys::STATEMENTS,
    verify::leaves::STATEMENTS,
    verify::lines::STATEMENTS,
    verify::standings::STATEMENTS,
    ledger::STATEMENTS,
    settings::STATEMENTS,
    users::STATEMENTS,
    sessions::STATEMENTS,
    sweep::STATEMENTS,
    tokens::STATEMENTS,
    providers::STATEMENTS,
    audit::STATEMENTS,
    queue::STATEMENTS,
    overview::STATEMENTS,
    filelist::STATEMENTS,
    books::STATEMENTS,
    imports::STATEMENTS,
    intents::STATEMENTS,
    lines::STATEMENTS,
    saved_views::STATEMENTS,
    search::STATEMENTS,
];
