//! Entry.

use crate::document::document;
use domain::view::{entry::EntryPage, shell::Shell};
use leptos::prelude::*;

/// Entry.
pub fn entry(assets: &str, shell: &Shell, _page: &EntryPage) -> AnyView {
    document(
        assets,
        shell,
        "Entry",
        view! { <h1>"Entry"</h1> }.into_any(),
    )
}
