//! Recomputes everything that is sealed or summed, and names the first record that differs.
//!
//! | File | Checks |
//! |---|---|
//! | [`database`] | a database: the order of the checks, and what they found |
//! | `leaves` | every record gives the leaf that is stored, and has exactly one |
//! | `chain` | every block holds the root of its leaves and names the block before |
//! | `coverage` | which rows have a leaf |
//! | `books` | entries balance; balances are the sums of postings; lines explain them |
//! | `current` | lines, payments and people stand as their histories say |
//! | `cases` | cases do |
//! | `decisions` | decisions do, and the rulings in force |
//! | `files` | files do |
//! | `identities` | every row counts once |
//! | `keys` | lines and payments are found by the texts that they bear |
//! | `bytes` | received files are kept as they came |
//! | `unbroken` | whether an export can be trusted: the chain, and a leaf for every record |
//!
//! Which table is sealed, which is compared with what is sealed, and which is not covered, is a list
//! that a test reads against the schema (`tests/verify_every_column.rs`).

mod books;
mod bytes;
mod cases;
mod chain;
mod coverage;
mod current;
pub mod database;
mod decisions;
mod files;
mod identities;
mod keys;
mod leaves;
mod unbroken;

pub use database::{verify_database, verify_with_files};
pub(crate) use unbroken::broken_chain;
