//! Files.

use crate::document::document;
use domain::view::{files::FilesPage, shell::Shell};
use leptos::prelude::*;

/// Files.
pub fn files(assets: &str, shell: &Shell, _page: &FilesPage) -> AnyView {
    document(
        assets,
        shell,
        "Files",
        view! { <h1>"Files"</h1> }.into_any(),
    )
}
