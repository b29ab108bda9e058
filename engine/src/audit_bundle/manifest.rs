//! What a bundle says about itself.

use serde::{Deserialize, Serialize};

/// The form of bundle that this program writes.
pub const FORMAT: &str = "tieout-audit-1";
/// The member that holds the manifest.
pub const MANIFEST: &str = "manifest.json";
/// The member that holds the blocks.
pub const BLOCKS: &str = "blocks.jsonl";
/// The member that holds the leaves of all covered blocks, 32 bytes each, in the chain's order.
pub const LEAVES: &str = "leaves.bin";

/// The manifest, in `manifest.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: String,
    /// Tells this instance from others.
    pub instance: String,
    /// First day asked for, `YYYY-MM-DD`.
    pub from: String,
    /// Last day asked for.
    pub to: String,
    /// When it was made, RFC 3339.
    pub exported_at: String,
    /// Who made it.
    pub exported_by: String,
    /// The chain's last block as `N:HASH`; empty if nothing was ever sealed.
    pub head: String,
    /// Blocks in `blocks.jsonl`.
    pub blocks: u64,
    /// Blocks whose records are all here.
    pub covered_blocks: u64,
    /// Their leaves, and as many records.
    pub leaves: u64,
    /// Sums of the ledger entries that are here.
    pub balances: Vec<Balance>,
    /// Every other member.
    pub members: Vec<Member>,
}

/// What the entries of a bundle come to on one account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Balance {
    /// The provider account.
    pub provider: String,
    /// The ledger account.
    pub account: String,
    /// The currency.
    pub currency: String,
    /// Sum of debits in minor units.
    pub debit: i64,
    /// Sum of credits in minor units, not negative.
    pub credit: i64,
}

/// A member of the bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Records in it.
    pub records: u64,
}

/// A block, one line of `blocks.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockLine {
    /// Its number.
    pub number: i64,
    /// The hash of the block before.
    pub previous: String,
    /// The Merkle root.
    pub root: String,
    /// How many leaves it holds.
    pub leaf_count: i64,
    /// Microseconds since 1970.
    pub sealed_at: i64,
    /// Its hash.
    pub hash: String,
    /// Whether its records are here. Blocks between and after are here for the chain alone.
    pub covered: bool,
    /// Of a covered block: kinds and numbers of records, in the order of its leaves.
    pub batches: Vec<(String, u64)>,
}

/// The member that holds the records of a kind.
pub fn member_of(kind: domain::seal::RecordKind) -> String {
    format!("{kind}.jsonl")
}
