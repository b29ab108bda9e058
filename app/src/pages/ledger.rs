//! Ledger.

use crate::document::document;
use domain::view::{ledger::LedgerPage, shell::Shell};
use leptos::prelude::*;

/// Ledger.
pub fn ledger(assets: &str, shell: &Shell, _page: &LedgerPage) -> AnyView {
    document(
        assets,
        shell,
        "Ledger",
        view! { <h1>"Ledger"</h1> }.into_any(),
    )
}
