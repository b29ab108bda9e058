//! What a person sees: pages, the components they are made of, and the few islands that wake up in
//! the browser.
//!
//! | Module | Holds |
//! |---|---|
//! | [`pages`] | one file per screen: data in, a whole HTML document out (server only) |
//! | [`components`] | what several pages show: amounts, times, tables, fields (server only) |
//! | [`document`] | the HTML around a page: head, navigation, flash, foot (server only) |
//! | [`islands`] | what scripts add: keys and palette, upload, live progress |
//!
//! Every page reads and every form posts without scripts. No business rule lives here.

#[cfg(feature = "ssr")]
pub mod components;
#[cfg(feature = "ssr")]
pub mod document;
pub mod islands;
#[cfg(feature = "ssr")]
pub mod pages;

/// Makes the page's islands ready to be woken, one by one, by `boot.js`.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
}
