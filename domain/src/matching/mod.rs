//! Which attempt a settlement line belongs to, and why.
//!
//! Everything here is a function of facts: the same facts give the same verdicts in whatever order
//! they arrived. Three stages, each of its own file:
//!
//! | Module | Answers |
//! |---|---|
//! | [`facts`] | what the rules are given: intents, attempts, lines |
//! | [`rulings`] | what decisions in force say, and about what |
//! | [`keys`] | by which texts lines and intents can meet, normalised |
//! | [`index`] | which attempts and intents a key leads to |
//! | [`identity`] | R1 and R2: whose line this is, or why that cannot be said |
//! | [`subset`] | which of several amounts make a sum |
//! | [`figures`] | R3 and sums: whether the amounts agree |
//! | [`outcomes`] | what the money says about each attempt |
//! | [`suspense`] | which refunds follow a payment that stands in suspense |
//! | [`residual`] | R4: lines that name nobody |
//! | [`shortcut`] | the simple case in bulk |
//! | [`judge`] | the stages in order |
//! | [`judgement`] | what comes out |
//! | [`wants`] | which cases follow |
//! | [`explain`] | builds explanations |
//! | [`explanation`] | why, as data |
//! | [`sentences`] | why, in words |

mod explain;
pub mod explanation;
pub mod facts;
mod figures;
mod identity;
mod index;
pub mod judge;
pub mod judgement;
pub mod keys;
mod outcomes;
pub mod residual;
pub mod rulings;
pub mod sentences;
pub mod shortcut;
mod subset;
mod suspense;
mod wants;

pub use explanation::{Agreement, Candidate, Explanation, FieldCheck, Finding, WhyNot};
pub use facts::{
    Accounts, AttemptFacts, IntentFacts, LearnedFrom, LineFacts, LineName, MOST_SHARING,
    ProviderId, World,
};
pub use judge::judge;
pub use judgement::{
    AttemptJudgement, Judgement, LearnedId, LineJudgement, Movement, OpenFigures, ShareOf,
};
pub use residual::{ResidualWorld, judge_residual};
pub use rulings::{AttemptRulings, LineRulings, Ruling, RulingSubject, Share};
pub use shortcut::{Shortcut, ShortcutCandidate, shortcut};
pub use wants::{REPORTED_ALSO, REPORTED_UNDER};
