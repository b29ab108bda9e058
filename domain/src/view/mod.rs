//! What a page shows, an API call answers and an export holds: one shape for all three.
//!
//! Plain values, filled by the engine's queries, rendered by `app`. One file per screen.
//!
//! | Module | Shows |
//! |---|---|
//! | [`amount`] | an amount as people and programs read it |
//! | [`routes`] | where everything is: paths and form field names |
//! | [`shell`] | who is signed in, what waits, the ledger head, what just happened |
//! | [`form`] | what was wrong with an input, and links |
//! | [`setup`], [`sign_in`] | the way in |
//! | [`overview`] | money at risk, age, match rate, coverage, approvals |
//! | [`queue`] | the review queue with its filter and totals |
//! | [`bulk`] | one choice for several of its cases |
//! | [`case`] | one case: sides, candidates, evidence, decisions, history |
//! | [`files`], [`file`] | settlement files, and one of them |
//! | [`line`] | settlement lines, and one down to its bytes |
//! | [`payments`], [`intent`] | payment intents, and one of them |
//! | [`registry`] | what payment workers are answered |
//! | [`ledger`], [`entry`] | trial balance, accounts, entries, and one with its proof |
//! | [`audit`] | who did and saw what, and whether the seal holds |
//! | [`settings`] | provider accounts, users, tokens |
//! | [`visible`] | characters that cannot be seen, shown |
//! | [`refusal`] | why a request was not done, and what to do next |

pub mod amount;
pub mod audit;
pub mod bulk;
pub mod case;
pub mod entry;
pub mod file;
pub mod files;
pub mod form;
pub mod intent;
pub mod ledger;
pub mod line;
pub mod overview;
pub mod payments;
pub mod queue;
pub mod readable;
pub mod refusal;
pub mod registry;
pub mod routes;
pub mod sent;
pub mod settings;
pub mod setup;
pub mod shell;
pub mod sign_in;
pub mod visible;

pub use amount::Amount;
pub use form::{FieldProblem, Link};
