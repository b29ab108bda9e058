//! The review queue and, beside it, one case.

use crate::document::document;
use domain::view::{case::CasePage, queue::Queue, shell::Shell};
use leptos::prelude::*;

/// The review queue and, beside it, one case.
pub fn review(assets: &str, shell: &Shell, _queue: &Queue, _case: Option<&CasePage>) -> AnyView {
    document(
        assets,
        shell,
        "Review",
        view! { <h1>"Review"</h1> }.into_any(),
    )
}
