//! Uploading several files at once.

use leptos::prelude::*;

/// Wraps the form that works without scripts.
#[island]
pub fn Upload(children: Children) -> impl IntoView {
    view! { <div class="uploader">{children()}</div> }
}
