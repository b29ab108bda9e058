//! Which ledger accounts a line or a decision moves. Entries balance to zero per currency.
//!
//! | Module | Answers |
//! |---|---|
//! | [`accounts`] | which ledger accounts there are |
//! | [`disposition`] | where the contra side of a line stands |
//! | [`entries`] | the postings of a line, of a move, of a decision |

pub mod accounts;
pub mod disposition;
pub mod entries;

pub use accounts::LedgerAccount;
pub use disposition::{Disposition, contra_account, contra_total, split, written_off_across};
pub use entries::{
    Figures, Posting, accepted_residual, arithmetic_difference, line_postings, missing_write_off,
    move_postings,
};
