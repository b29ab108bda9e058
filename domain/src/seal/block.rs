//! The chain: each block holds the Merkle root over its leaves and the hash of the block before.

use super::{Hash, hash_from_hex, hex_of};
use sha2::{Digest, Sha256};
use std::{fmt, str::FromStr};

/// What a block's hash starts with: neither a leaf (0) nor an inner node (1).
const BLOCK: u8 = 2;
/// The version of the header's form.
const VERSION: u8 = 1;
/// What stands for the hash of the block before the first.
pub const NO_PREVIOUS: Hash = [0; 32];

/// What a block's hash covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockHeader {
    /// From 1, without gaps.
    pub number: i64,
    /// The hash of the block before, zeros before the first.
    pub previous: Hash,
    /// The Merkle root over its leaves.
    pub root: Hash,
    /// How many leaves it holds.
    pub leaf_count: i64,
    /// Microseconds since 1970.
    pub sealed_at: i64,
}

/// A block: its header and the hash over it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What the hash covers.
    pub header: BlockHeader,
    /// The hash.
    pub hash: Hash,
}

/// The last block of a chain as it is noted elsewhere, written `N:HASH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Its number.
    pub number: i64,
    /// Its hash.
    pub hash: Hash,
}

/// A text that is no head.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a head: write the block's number, a colon and 64 hexadecimal digits")]
pub struct NotAHead(String);

/// How a block breaks the chain.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BrokenChain {
    /// A number is missing or repeated.
    #[error("block {found} stands where block {expected} should")]
    Number {
        /// Which should come.
        expected: i64,
        /// Which came.
        found: i64,
    },
    /// It does not name the hash of the block before.
    #[error("block {number} names {named} as the block before, which has the hash {before}")]
    Previous {
        /// The block.
        number: i64,
        /// What it names.
        named: String,
        /// What the block before has.
        before: String,
    },
    /// Its hash is not that of its header.
    #[error("block {number} is stored with the hash {stored}; its contents give {computed}")]
    Hash {
        /// The block.
        number: i64,
        /// The stored hash.
        stored: String,
        /// The hash of its header.
        computed: String,
    },
}

impl BlockHeader {
    /// The bytes that are hashed.
    pub fn canonical(&self) -> [u8; 90] {
        let mut bytes = [0; 90];
        let parts = [BLOCK, VERSION]
            .into_iter()
            .chain(self.number.to_be_bytes())
            .chain(self.previous)
            .chain(self.root)
            .chain(self.leaf_count.to_be_bytes())
            .chain(self.sealed_at.to_be_bytes());
        for (to, from) in bytes.iter_mut().zip(parts) {
            *to = from;
        }
        bytes
    }

    /// The block with this header.
    pub fn close(self) -> Block {
        let hash = Sha256::digest(self.canonical()).into();
        Block { header: self, hash }
    }
}

impl Block {
    /// The block's place in the chain, to be noted elsewhere.
    pub const fn head(&self) -> Head {
        Head {
            number: self.header.number,
            hash: self.hash,
        }
    }

    /// Checks that this block follows `before` (nothing before the first) and that its hash is
    /// its own.
    pub fn check_after(&self, before: Option<Head>) -> Result<(), BrokenChain> {
        let (number, previous) = before.map_or((1, NO_PREVIOUS), |b| (b.number + 1, b.hash));
        if self.header.number != number {
            return Err(BrokenChain::Number {
                expected: number,
                found: self.header.number,
            });
        }
        if self.header.previous != previous {
            return Err(BrokenChain::Previous {
                number,
                named: hex_of(&self.header.previous),
                before: hex_of(&previous),
            });
        }
        self.check_hash()
    }

    /// Checks that the hash is that of the header.
    pub fn check_hash(&self) -> Result<(), BrokenChain> {
        let computed = self.header.clone().close().hash;
        if computed == self.hash {
            return Ok(());
        }
        Err(BrokenChain::Hash {
            number: self.header.number,
            stored: hex_of(&self.hash),
            computed: hex_of(&computed),
        })
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.number, hex_of(&self.hash))
    }
}

impl FromStr for Head {
    type Err = NotAHead;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split_once(':')
            .and_then(|(number, hash)| {
                Some(Self {
                    number: number.parse().ok()?,
                    hash: hash_from_hex(hash)?,
                })
            })
            .ok_or_else(|| NotAHead(text.chars().take(80).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(length: i64) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        for number in 1..=length {
            let header = BlockHeader {
                number,
                previous: blocks.last().map_or(NO_PREVIOUS, |b| b.hash),
                root: [7; 32],
                leaf_count: 3,
                sealed_at: 1_000_000 * number,
            };
            blocks.push(header.close());
        }
        blocks
    }

    fn check(blocks: &[Block]) -> Result<(), BrokenChain> {
        let mut before = None;
        for block in blocks {
            block.check_after(before)?;
            before = Some(block.head());
        }
        Ok(())
    }

    #[test]
    fn a_chain_holds_until_a_block_is_changed_swapped_or_dropped() {
        let good = chain(4);
        assert_eq!(check(&good), Ok(()));

        let mut changed = good.clone();
        changed[1].header.leaf_count = 4;
        assert!(matches!(
            check(&changed),
            Err(BrokenChain::Hash { number: 2, .. })
        ));

        let mut resealed = good.clone();
        resealed[1].header.leaf_count = 4;
        resealed[1] = resealed[1].header.clone().close();
        assert!(matches!(
            check(&resealed),
            Err(BrokenChain::Previous { number: 3, .. })
        ));

        let mut dropped = good.clone();
        dropped.remove(2);
        assert_eq!(
            check(&dropped),
            Err(BrokenChain::Number {
                expected: 3,
                found: 4
            })
        );
    }

    #[test]
    fn a_head_reads_back_as_it_is_written() {
        let head = chain(2)[1].head();
        assert_eq!(head.to_string().parse(), Ok(head));
        assert!("2:abc".parse::<Head>().is_err());
        assert!("x".parse::<Head>().is_err());
    }
}
