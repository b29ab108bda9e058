//! The registry: what payment workers ask before and after they call a provider.
//!
//! A worker registers what the business means ([`new_intent`]), claims the right to try
//! ([`claim`]), sends the key it is given ([`idempotency_key`]), and reports what came of it
//! ([`report`]). Of many who claim at once, one wins; a report is never lost.

mod claim;
mod idempotency_key;
mod new_intent;
mod report;

pub use claim::{ClaimRefusal, IntentStanding, may_claim};
pub use idempotency_key::{EarlierAttempt, longest_key, next_key};
pub use new_intent::{NewIntent, read_new_intent};
pub use report::{Report, ReportText, Taking, read_report, taking};
