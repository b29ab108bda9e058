//! Line.

use crate::document::document;
use domain::view::{line::RawLinePage, shell::Shell};
use leptos::prelude::*;

/// Line.
pub fn line(assets: &str, shell: &Shell, _page: &RawLinePage) -> AnyView {
    document(assets, shell, "Line", view! { <h1>"Line"</h1> }.into_any())
}
