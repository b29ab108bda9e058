//! Account.

use crate::document::document;
use domain::view::{ledger::AccountPage, shell::Shell};
use leptos::prelude::*;

/// Account.
pub fn account(assets: &str, shell: &Shell, _page: &AccountPage) -> AnyView {
    document(
        assets,
        shell,
        "Account",
        view! { <h1>"Account"</h1> }.into_any(),
    )
}
