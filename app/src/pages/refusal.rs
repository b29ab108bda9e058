//! Refused.

use crate::document::document;
use domain::view::{refusal::Refusal, shell::Shell};
use leptos::prelude::*;

/// Refused.
pub fn refusal(assets: &str, shell: &Shell, _page: &Refusal) -> AnyView {
    document(
        assets,
        shell,
        "Refused",
        view! { <h1>"Refused"</h1> }.into_any(),
    )
}
