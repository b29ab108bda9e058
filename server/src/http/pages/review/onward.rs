//! Where a decision leads: its row keeps its place with the result, and the next case opens by itself.

use axum::response::Response;
use domain::{
    cases::Action,
    view::{
        Link,
        case::CasePage,
        queue::QueueFilter,
        routes,
        shell::{Flash, Tone},
    },
};
use engine::{decide::Decided, views};

use super::case;
use crate::http::{failure::Failure, session::flash, visit::Visit};

/// The next page after a decision or an answer to one.
pub struct Way {
    to: String,
    filter: QueueFilter,
}

impl Way {
    /// After a decision about a case that was shown so: on to the next one, unless the case still
    /// wants something of the person who decided.
    pub fn onward(decided: &Decided, action: Action, was: CasePage, filter: QueueFilter) -> Self {
        let handed_on = matches!(
            decided.case_state.as_str(),
            "RESOLVED" | "AWAITING_APPROVAL" | "WAITING"
        );
        if handed_on || action == Action::Escalate {
            Self::past(was, filter)
        } else {
            Self::stay(&decided.case_id, filter)
        }
    }

    /// On to the next case, the row of this one held in its place.
    pub fn past(was: CasePage, mut filter: QueueFilter) -> Self {
        filter.hold(&was.id, was.severity);
        let to = was.next.map_or_else(
            || routes::review(&filter),
            |next| routes::case(&next, &filter),
        );
        Self { to, filter }
    }

    /// The case again.
    pub fn stay(case: &str, filter: QueueFilter) -> Self {
        Self {
            to: routes::case(case, &filter),
            filter,
        }
    }

    /// Goes there and says what was done.
    pub async fn go(self, visit: Visit, decided: &Decided) -> Result<Response, Failure> {
        let now = case::load(&visit, &decided.case_id, &self.filter).await?;
        let effects = views::in_words(&visit.web.engine, &decided.effects).await?;
        let told = told(decided, &effects.join(" "), &now, &self.filter);
        visit.go_to(&self.to, told).await
    }
}

/// What a decision did, with the way to take it back where there is one.
fn told(decided: &Decided, effects: &str, now: &CasePage, filter: &QueueFilter) -> Flash {
    let (tone, what) = match decided.state.as_str() {
        "AWAITING" => (
            Tone::Note,
            format!("sent for approval. Once approved: {effects}"),
        ),
        "APPLIED" => (Tone::Done, format!("decided. {effects}")),
        "REFUSED" => (Tone::Done, "refused; the case is open again.".to_owned()),
        "VOID" => (Tone::Done, "taken back; the case is open again.".to_owned()),
        _ => (Tone::Done, "done.".to_owned()),
    };
    let undone = now
        .undo
        .as_ref()
        .is_some_and(|undo| undo.decision_id == decided.decision_id);
    let withdrawn = now
        .awaiting
        .as_ref()
        .is_some_and(|waiting| waiting.id == decided.decision_id && waiting.may_withdraw);
    let (link, key) = if undone || withdrawn {
        (Link::new("Undo", routes::undo(&now.id, filter)), "u")
    } else {
        (Link::new("Look at it", routes::case(&now.id, filter)), "")
    };
    Flash {
        tone,
        key: key.to_owned(),
        ..flash::done_with(format!("{}: {}", now.label, what.trim_end()), link)
    }
}
