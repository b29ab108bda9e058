//! The keyboard of every page.

use leptos::prelude::*;

/// Keys, palette and help.
#[island]
pub fn Desk() -> impl IntoView {
    view! { <div class="desk-tools"></div> }
}
