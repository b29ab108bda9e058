//! Merkle trees as RFC 6962 section 2.1 defines them: the root over any number of leaves, the path
//! from a leaf to it, and the check of a path.

use super::Hash;
use sha2::{Digest, Sha256};

/// What an inner node's hash starts with.
const NODE: u8 = 1;

/// The node above two others.
pub fn node(left: &Hash, right: &Hash) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update([NODE]);
    hasher.update(left);
    hasher.update(right);
    hasher.finalize().into()
}

/// The root over leaves that come one after another; memory grows with the logarithm of their number.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// Roots of complete subtrees, largest first; their sizes are the set bits of `count`.
    roots: Vec<Hash>,
    count: u64,
}

impl Tree {
    /// Adds the next leaf.
    pub fn push(&mut self, leaf: Hash) {
        let mut root = leaf;
        let mut size = self.count;
        while size & 1 == 1 {
            if let Some(left) = self.roots.pop() {
                root = node(&left, &root);
            }
            size >>= 1;
        }
        self.roots.push(root);
        self.count += 1;
    }

    /// How many leaves there are.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The root. Over no leaves it is the hash of nothing.
    pub fn root(&self) -> Hash {
        let mut from_the_right = self.roots.iter().rev();
        let Some(last) = from_the_right.next() else {
            return Sha256::digest([]).into();
        };
        from_the_right.fold(*last, |right, left| node(left, &right))
    }
}

impl Extend<Hash> for Tree {
    fn extend<I: IntoIterator<Item = Hash>>(&mut self, leaves: I) {
        for leaf in leaves {
            self.push(leaf);
        }
    }
}

/// The root over leaves.
pub fn root(leaves: &[Hash]) -> Hash {
    let mut tree = Tree::default();
    tree.extend(leaves.iter().copied());
    tree.root()
}

/// The hashes that lead from the leaf at `index` to the root, from the bottom up (RFC 6962 section
/// 2.1.1). `None` if there is no such leaf.
pub fn path(leaves: &[Hash], index: usize) -> Option<Vec<Hash>> {
    leaves.get(index)?;
    let mut path = Vec::new();
    let (mut leaves, mut index) = (leaves, index);
    while leaves.len() > 1 {
        let (left, right) = leaves.split_at_checked(split(leaves.len()))?;
        if index < left.len() {
            path.push(root(right));
            leaves = left;
        } else {
            path.push(root(left));
            index -= left.len();
            leaves = right;
        }
    }
    path.reverse();
    Some(path)
}

/// Whether `path` leads from `leaf`, at `index` of `count` leaves, to `root` (RFC 9162 section
/// 2.1.3.2).
pub fn verify_path(leaf: &Hash, index: u64, count: u64, path: &[Hash], root: &Hash) -> bool {
    if index >= count {
        return false;
    }
    let (mut at, mut last) = (index, count - 1);
    let mut hash = *leaf;
    for sibling in path {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            hash = node(sibling, &hash);
            while at & 1 == 0 && at != 0 {
                at >>= 1;
                last >>= 1;
            }
        } else {
            hash = node(&hash, sibling);
        }
        at >>= 1;
        last >>= 1;
    }
    last == 0 && hash == *root
}

/// The largest power of two below `count`, which is at least 2.
const fn split(count: usize) -> usize {
    1 << (usize::BITS - 1 - (count - 1).leading_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn leaf(byte: u8) -> Hash {
        Sha256::digest([0, byte]).into()
    }

    /// RFC 6962 section 2.1, word for word.
    fn by_the_book(leaves: &[Hash]) -> Hash {
        match leaves {
            [] => Sha256::digest([]).into(),
            [one] => *one,
            many => {
                let mut k = 1;
                while k * 2 < many.len() {
                    k *= 2;
                }
                node(&by_the_book(&many[..k]), &by_the_book(&many[k..]))
            }
        }
    }

    #[test]
    fn roots_of_the_certificate_transparency_test_vectors() {
        // Inputs and roots of the reference implementation of RFC 6962 (certificate-transparency,
        // merkletree tests).
        let inputs: [&[u8]; 8] = [
            b"",
            b"\x00",
            b"\x10",
            b"\x20\x21",
            b"\x30\x31",
            b"\x40\x41\x42\x43",
            b"\x50\x51\x52\x53\x54\x55\x56\x57",
            b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
        ];
        let roots = [
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
        ];
        let mut tree = Tree::default();
        for (input, root) in inputs.iter().zip(roots) {
            tree.push(super::super::canonical::leaf_of(input));
            assert_eq!(hex::encode(tree.root()), root);
        }
    }

    proptest! {
        #[test]
        fn every_leaf_has_a_path_and_no_other_leaf_fits_it(count in 1_u8..70, pick: u8, other: u8) {
            let leaves: Vec<Hash> = (0..count).map(leaf).collect();
            let root = root(&leaves);
            prop_assert_eq!(root, by_the_book(&leaves));
            let index = usize::from(pick % count);
            let path = path(&leaves, index).unwrap();
            let check = |leaf: &Hash, index: usize| {
                verify_path(leaf, index as u64, u64::from(count), &path, &root)
            };
            prop_assert!(check(&leaves[index], index));
            let other = usize::from(other % count);
            if other != index {
                prop_assert!(!check(&leaves[other], index));
                prop_assert!(!check(&leaves[index], other));
            }
        }
    }
}
