//! Lines.

use crate::document::document;
use domain::view::{line::LinesPage, shell::Shell};
use leptos::prelude::*;

/// Lines.
pub fn lines(assets: &str, shell: &Shell, _page: &LinesPage) -> AnyView {
    document(
        assets,
        shell,
        "Lines",
        view! { <h1>"Lines"</h1> }.into_any(),
    )
}
