//! Entries.

use crate::document::document;
use domain::view::{ledger::EntriesPage, shell::Shell};
use leptos::prelude::*;

/// Entries.
pub fn entries(assets: &str, shell: &Shell, _page: &EntriesPage) -> AnyView {
    document(
        assets,
        shell,
        "Entries",
        view! { <h1>"Entries"</h1> }.into_any(),
    )
}
