//! Bulk decision.

use crate::document::document;
use domain::view::{queue::Bulk, shell::Shell};
use leptos::prelude::*;

/// Bulk decision.
pub fn bulk(assets: &str, shell: &Shell, _page: &Bulk) -> AnyView {
    document(
        assets,
        shell,
        "Bulk decision",
        view! { <h1>"Bulk decision"</h1> }.into_any(),
    )
}
