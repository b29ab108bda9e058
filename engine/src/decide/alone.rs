//! What a person decided alone about a payment, a line or a batch before: the limit of one person is for what
//! it comes to together.

use crate::{
    Error,
    storage::{cases, cases::StoredCase, decisions, matching, stored, tx::Connected},
};
use domain::{
    cases::{Action, CaseFacts, Moved},
    money::Money,
};
use std::collections::BTreeSet;

/// What a case showed when somebody decided about it.
#[derive(serde::Deserialize)]
struct Shown {
    at_risk: i64,
    currency: String,
    facts: CaseFacts,
}

/// What stands of a person's decisions without a second one about a case, its line, or these payments and
/// their lines. The case of a batch or a file is one and the same however often it opens.
pub(super) async fn alone_before(
    mut tx: impl Connected,
    case: &StoredCase,
    intents: &BTreeSet<i64>,
    person: i64,
) -> Result<Moved, Error> {
    let mut lines = matching::lines_of_intents(&mut tx, intents.iter().copied()).await?;
    lines.extend(case.line_id);
    let about = cases::about(&mut tx, intents.iter().copied(), lines.into_iter()).await?;
    let cases: BTreeSet<i64> = about.into_iter().chain([case.case_id]).collect();
    let mut moved = Moved::default();
    for taken in decisions::taken_alone(&mut tx, cases.into_iter(), person).await? {
        let action: Action = stored::parse("decision", "action", &taken.public_id, &taken.action)?;
        if action.is_handling() || action == Action::ReverseDecision {
            continue;
        }
        let shown: Shown = stored::json("case_event", "detail", &taken.public_id, &taken.detail)?;
        let at_risk = if shown.currency.is_empty() {
            None
        } else {
            let currency = &shown.currency;
            let currency = stored::parse("case_event", "detail", &taken.public_id, currency)?;
            Some(Money::new(shown.at_risk, currency))
        };
        moved.add(&Moved::by(&shown.facts, at_risk));
    }
    Ok(moved)
}
