//! Audit.

use crate::document::document;
use domain::view::{audit::AuditPage, shell::Shell};
use leptos::prelude::*;

/// Audit.
pub fn audit(assets: &str, shell: &Shell, _page: &AuditPage) -> AnyView {
    document(
        assets,
        shell,
        "Audit",
        view! { <h1>"Audit"</h1> }.into_any(),
    )
}
