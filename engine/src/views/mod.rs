//! What pages, the API and exports show: queries that fill `domain::view`. They decide nothing.
//!
//! Each reads one consistent state, by indexes, a page at a time from a place in an order.
//!
//! | File | Fills |
//! |---|---|
//! | [`mod@nav`] | the numbers and the head around every page |
//! | [`mod@overview`] | how things stand, at a glance |
//! | [`mod@queue`] | the review queue |
//! | [`mod@case`] | one case: what it is about, both sides, candidates, evidence, history |
//! | [`mod@find_payments`] | payments that a person looks for on it |
//! | `case_about`, `case_words` | figures of a file, a batch, a period; steps of a case in words |
//! | [`mod@sent`], `case_heads` | what a person sent for approval; what such lists say of cases |
//! | [`line_names`] | lines by the name of their file |
//! | [`changes`] | what changed of a case since somebody looked |
//! | [`mod@files`], [`mod@file`] | settlement files, and one of them |
//! | `file_batches` | what becomes of a batch that does not tie within one file |
//! | [`mod@lines`], [`raw_line`] | settlement lines of a file, and one down to its bytes |
//! | [`mod@ledger`], [`mod@entry`] | trial balance, accounts, entries, and one with its proof |
//! | `second_acceptance` | held files that wait for a second person |
//! | `never_settled` | payments older than the files of their account that nothing settled |
//! | `reversals` | which entry takes another back |
//! | [`mod@payments`], [`mod@intent`], `position` | payment intents, one of them, and where its money stands |

mod case;
mod case_about;
mod case_heads;
mod case_words;
mod changes;
mod entry;
mod entry_decision;
mod file;
mod file_batches;
mod files;
mod find_payments;
mod intent;
mod ledger;
pub(crate) mod line_names;
mod line_row;
mod lines;
mod nav;
mod never_settled;
mod overview;
mod payments;
mod place;
mod position;
pub(crate) mod queue;
mod raw_line;
mod reversals;
mod second_acceptance;
mod sent;

pub use case::case;
pub(crate) use case::{hashes as evidence_hashes, shown_hashes};
pub use changes::changes_between;
pub use entry::entry;
pub use file::file;
pub use files::{file_progress, files};
pub use find_payments::find_payments;
pub use intent::intent;
pub use ledger::{entries, ledger_account, trial_balance};
pub use line_names::in_words;
pub use lines::lines;
pub use nav::{ledger_head, nav_counts};
pub use overview::overview;
pub use payments::payments;
pub(crate) use position::Moved;
pub use queue::queue;
pub use raw_line::line;
pub use sent::sent;
