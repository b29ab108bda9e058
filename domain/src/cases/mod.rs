//! What needs a person, and what they may decide about it.
//!
//! | Module | Answers |
//! |---|---|
//! | [`kinds`] | which kinds of case there are and how people call them |
//! | [`states`] | how a case moves |
//! | [`severity`] | how urgent it is |
//! | [`actions`] | what a person may do, and what takes two |
//! | [`reasons`] | why, from a list |
//! | [`wanted`] | what a case is about and shows |
//! | [`due`] | cases that only time makes |
//! | [`files`] | cases of a whole file |
//! | [`batches`] | whether a batch ties |
//! | [`odd_rows`] | rows whose net is not gross less fee |
//! | [`mod@unjudged`] | payments that cannot be judged |
//! | [`changes`] | what of a case is no longer as somebody saw it |
//! | [`decide`] | what a decision would do, or why it is refused |

pub mod actions;
pub mod batches;
pub mod changes;
pub mod decide;
pub mod due;
pub mod files;
pub mod kinds;
pub mod odd_rows;
pub mod reasons;
pub mod severity;
pub mod states;
pub mod unjudged;
pub mod wanted;

pub use actions::{Action, allowed, always_allowed, available_today, in_bulk, two_people_always};
pub use changes::{FactChange, changes};
pub use decide::{
    DecisionInput, DecisionParams, Effect, Moved, Refusal, Target, validate_decision,
};
pub use kinds::CaseKind;
pub use odd_rows::OddRows;
pub use reasons::ReasonCode;
pub use severity::{AGED_DAYS, Severity, severity};
pub use states::{CaseMove, CaseState};
pub use unjudged::unjudged;
pub use wanted::{CaseFacts, CaseLine, RunningStep, Subject, WantedCase};
