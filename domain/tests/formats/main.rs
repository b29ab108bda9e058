//! Settlement files as people receive them, read as a whole: bytes in, rows and facts out.
//!
//! Faults that happened to others carry their id of the fault catalogue in the doc comment.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

mod adyen;
mod damaged;
mod encodings;
mod facts;
mod identity;
mod numbers;
mod profiles;
mod properties;
mod recognition;
mod stripe;
mod structure;
mod support;
mod tieout;
