//! What people decide about cases.
//!
//! A decision only sets rulings; what follows for verdicts, postings and other cases is derived.
//!
//! | File | Does |
//! |---|---|
//! | [`mod@decide_case`] | takes a decision; one that needs a second person waits |
//! | [`mod@decide_several`] | one choice for several cases, each decided on its own |
//! | [`mod@answer`] | a second person's yes or no, or the decider taking it back |
//! | [`mod@answer_several`] | one yes for several waiting decisions, each answered on its own |
//! | [`mod@claim`] | takes a case into one's hands, or lets it go |
//! | [`mod@options`] | what may be decided, and what it would do |
//! | [`mod@share_currency`] | in which currency the shares of a case's line are |
//! | [`alone`] | what a person decided alone before, which the limit of one person counts |
//! | [`effects`] | what decisions would post, told beforehand |
//! | [`context`] | what a decision is judged by |
//! | [`apply`] | puts a decision in force |

mod alone;
mod answer;
mod answer_several;
mod apply;
mod claim;
mod context;
mod decide_case;
mod decide_several;
mod effects;
mod options;
mod share_currency;

pub use answer::{answer_decision, withdraw_decision};
pub use answer_several::{approve_several, foresee_approvals};
pub(crate) use claim::CLAIM_SECONDS;
pub use claim::{claim_case, release_case};
pub use decide_case::{Decided, DecisionRequest, decide_case};
pub(crate) use decide_case::{rulings_of, wake_of};
pub use decide_several::{Choice, MOST_AT_ONCE, Picked, decide_several, foresee_several};
pub use options::{fill_case_page, foresee_case, reason_choice};
pub use share_currency::share_currency;

use crate::{
    Error,
    derive::{Cause, Work, cases::Steps},
    seal::Leaves,
    storage::{Tx, cases::StoredCase},
};
use domain::{cases::CaseState, matching::Accounts, time::Instant};

/// One step of a case by a person.
struct Step<'a> {
    actor: &'a str,
    now: Instant,
    what: &'static str,
    state: CaseState,
    because: &'a str,
}

async fn step(
    tx: &mut Tx,
    leaves: &mut Leaves,
    accounts: &Accounts,
    case: &mut StoredCase,
    step: Step<'_>,
) -> Result<(), Error> {
    let cause = Cause {
        kind: "decision",
        name: step.because,
        actor: step.actor,
        decided: Some(step.now),
        now: step.now,
    };
    let mut work = Work {
        tx,
        leaves,
        accounts,
        cause,
    };
    let mut steps = Steps::default();
    steps.step(&work, case, step.what, step.state, step.because)?;
    steps.write(&mut work).await
}
