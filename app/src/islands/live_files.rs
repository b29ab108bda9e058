//! Progress of files under way.

use leptos::prelude::*;

/// Follows the progress stream and updates the rows of this page.
#[island]
pub fn LiveFiles() -> impl IntoView {
    view! { <p class="sr" role="status" data-live=""></p> }
}
