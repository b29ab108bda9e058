//! Payment.

use crate::document::document;
use domain::view::{intent::IntentPage, shell::Shell};
use leptos::prelude::*;

/// Payment.
pub fn intent(assets: &str, shell: &Shell, _page: &IntentPage) -> AnyView {
    document(
        assets,
        shell,
        "Payment",
        view! { <h1>"Payment"</h1> }.into_any(),
    )
}
