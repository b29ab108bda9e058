//! Set up.

use crate::document::document;
use domain::view::{setup::SetUp, shell::Shell};
use leptos::prelude::*;

/// Set up.
pub fn set_up(assets: &str, shell: &Shell, _page: &SetUp) -> AnyView {
    document(
        assets,
        shell,
        "Set up",
        view! { <h1>"Set up"</h1> }.into_any(),
    )
}
