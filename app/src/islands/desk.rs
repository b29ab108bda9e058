//! The keyboard of every page, and what a page remembers.

use leptos::prelude::*;

/// Wakes keys, palette and help, whose markup the page already holds.
#[island]
pub fn Desk() -> impl IntoView {
    #[cfg(feature = "hydrate")]
    Effect::new(|_| {
        super::keeping::wire();
        super::keys::wire();
        super::palette::wire();
    });
}
