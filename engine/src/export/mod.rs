//! Exports: tables for spreadsheets and programs, written as they are read, any size.
//!
//! Each list is exported by period and provider account, for the command line, and as a screen lists
//! it: the same filter, the same order, the same totals.
//!
//! Columns and their order are fixed (the external contract). Amounts are major decimals, times
//! RFC 3339 in UTC, days ISO dates.
//!
//! | File | Writes |
//! |---|---|
//! | [`table`] | a table row by row as CSV, JSON or XLSX, text made safe for spreadsheets |
//! | [`filter`] | which period and provider account |
//! | [`matches`] | every data row of every file with what became of it |
//! | [`cases`] | the review queue and its history |
//! | [`ledger`] | postings with block and hash |
//! | [`rejected_rows`] | rows of a file that could not be read, to be repaired |
//! | [`payments`] | intents and attempts as they stand |

pub mod cases;
pub mod filter;
pub mod ledger;
pub mod matches;
pub mod payments;
pub mod rejected_rows;
pub mod table;

pub use cases::{export_cases, export_queue};
pub use filter::Filter;
pub use ledger::{export_ledger, export_listed_entries};
pub use matches::export_matches;
pub use payments::{export_listed_payments, export_payments};
pub use rejected_rows::export_rejected_rows;
pub use table::{Cell, Format, Table};
