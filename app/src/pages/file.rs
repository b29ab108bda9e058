//! File.

use crate::document::document;
use domain::view::{file::FilePage, shell::Shell};
use leptos::prelude::*;

/// File.
pub fn file(assets: &str, shell: &Shell, _page: &FilePage) -> AnyView {
    document(assets, shell, "File", view! { <h1>"File"</h1> }.into_any())
}
