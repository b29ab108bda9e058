//! The audit bundle: a zip of sealed records, their leaves and the chain, that verifies without a
//! database. `docs/verifier` specifies it for outsiders.
//!
//! | File | Does |
//! |---|---|
//! | [`manifest`] | what the bundle says about itself |
//! | [`export`] | writes a bundle from a database |
//! | `archive` | the zip as written: members, their hashes, the digest over all of it |
//! | `layout` | whether the zip says the same to everybody who reads it |
//! | [`verify`] | verifies a bundle, naming the first record that was changed |
//! | `member` | a member as read: line by line, hashed on the way |
//! | `sums` | what ledger entries come to |

mod archive;
pub mod export;
mod layout;
pub mod manifest;
mod member;
mod sums;
pub mod verify;

pub use export::{Exported, export_audit};
pub use verify::verify_bundle;
