//! The seal: how records become bytes, bytes leaves, leaves a root, roots a chain.
//!
//! The exact bytes are specified for outsiders in `docs/verifier/README.md`; a test there reads its
//! worked example. What is here and what is written there must agree.
//!
//! | Module | Answers |
//! |---|---|
//! | [`canonical`] | how the fields of a record become bytes, and how personal text is kept out of them |
//! | [`record`] | what a sealed record is, and its fields by name |
//! | [`records`] | every kind of sealed record, field by field |
//! | [`json`] | a record as a JSON object of the audit bundle, and back |
//! | [`merkle`] | the root over leaves and the proof that a leaf is under it |
//! | [`block`] | the chain of blocks |

pub mod block;
pub mod canonical;
pub mod json;
pub mod merkle;
pub mod record;
pub mod records;

pub use block::{Block, BlockHeader, Head};
pub use canonical::{Encoder, Secret, Text};
pub use record::{Posting, Record, RecordKind};

/// A SHA-256 value.
pub type Hash = [u8; 32];

/// Writes a hash in hexadecimal, as files, pages and the API show it.
pub fn hex_of(hash: &[u8]) -> String {
    hex::encode(hash)
}

/// Reads a hash of 64 hexadecimal digits.
pub fn hash_from_hex(text: &str) -> Option<Hash> {
    let mut hash = [0; 32];
    hex::decode_to_slice(text, &mut hash).ok()?;
    Some(hash)
}
