//! Sign in.

use crate::document::document;
use domain::view::{shell::Shell, sign_in::SignIn};
use leptos::prelude::*;

/// Sign in.
pub fn sign_in(assets: &str, shell: &Shell, _page: &SignIn) -> AnyView {
    document(
        assets,
        shell,
        "Sign in",
        view! { <h1>"Sign in"</h1> }.into_any(),
    )
}
