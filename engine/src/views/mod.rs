//! What pages, the API and exports show: queries that fill `domain::view`. They decide nothing.
//!
//! Each reads one consistent state, by indexes, a page at a time from a place in an order.
//!
//! | File | Fills |
//! |---|---|
//! | [`mod@nav`] | the numbers and the head around every page |
//! | [`mod@queue`] | the review queue |

mod nav;
mod place;
mod queue;

pub use nav::{ledger_head, nav_counts};
pub use queue::queue;
