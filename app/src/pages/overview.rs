//! Overview.

use crate::document::document;
use domain::view::{overview::Overview, shell::Shell};
use leptos::prelude::*;

/// Overview.
pub fn overview(assets: &str, shell: &Shell, _page: &Overview) -> AnyView {
    document(
        assets,
        shell,
        "Overview",
        view! { <h1>"Overview"</h1> }.into_any(),
    )
}
