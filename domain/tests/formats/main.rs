//! Settlement files as people receive them, read as a whole: bytes in, rows and facts out.
//!
//! Faults that happened to others carry their id of the fault catalogue in the doc comment.

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
