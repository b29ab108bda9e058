//! Recomputes everything that is sealed or summed, and names the first record that differs.
//!
//! | File | Checks |
//! |---|---|
//! | [`database`] | a database: the order of the checks, and what they found |
//! | `leaves` | every record gives the leaf that is stored, and has exactly one |
//! | `chain` | every block holds the root of its leaves and names the block before |
//! | `books` | entries balance; balances are the sums of postings; lines explain them |
//! | `current` | current tables say what the histories say |
//! | `coverage` | which rows have a leaf |

mod books;
mod chain;
mod coverage;
mod current;
pub mod database;
mod leaves;

pub use database::verify_database;
