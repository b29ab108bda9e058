//! Settings.

use crate::document::document;
use domain::view::{settings::SettingsPage, shell::Shell};
use leptos::prelude::*;

/// Settings.
pub fn settings(assets: &str, shell: &Shell, _page: &SettingsPage) -> AnyView {
    document(
        assets,
        shell,
        "Settings",
        view! { <h1>"Settings"</h1> }.into_any(),
    )
}
