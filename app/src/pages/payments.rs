//! Payments.

use crate::document::document;
use domain::view::{payments::PaymentsPage, shell::Shell};
use leptos::prelude::*;

/// Payments.
pub fn payments(assets: &str, shell: &Shell, _page: &PaymentsPage) -> AnyView {
    document(
        assets,
        shell,
        "Payments",
        view! { <h1>"Payments"</h1> }.into_any(),
    )
}
