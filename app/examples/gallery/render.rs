//! A view as HTML, as the server would send it.

use hydration_context::SsrSharedContext;
use leptos::{prelude::*, reactive::owner::Owner};
use std::sync::Arc;

/// Renders what `page` makes, inside a scope of its own.
pub fn to_html(page: impl FnOnce() -> AnyView) -> String {
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new_islands())));
    owner.with(|| page().to_html())
}
