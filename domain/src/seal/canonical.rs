//! How a record becomes bytes, and the bytes a leaf.
//!
//! A leaf is `SHA-256(0x00 ‖ canonical bytes)`, as RFC 6962 section 2.1 has it. Canonical bytes are
//! a version byte, the record kind and the record's fields in order. Of personal or free text they
//! hold only a salted hash, so that the text can be erased and the seal still verifies.

use super::{
    Hash,
    record::{Posting, Record, Visitor},
};
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

/// The version of the canonical form: the first byte of every record.
pub const VERSION: u8 = 1;
/// What a leaf's hash starts with, so that no leaf can pass for an inner node (RFC 6962).
const LEAF: u8 = 0;
/// Bytes of a salt.
pub const SALT_LEN: usize = 16;

/// Bytes that are hashed together with a text.
pub type Salt = [u8; SALT_LEN];

/// A text of which only the salted hash is sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text<'a> {
    /// The text; its salt follows from the instance secret.
    Plain(&'a str),
    /// The text with a salt that is already known, as in an audit bundle.
    Salted(&'a str, Salt),
    /// The text is erased; its salted hash remains.
    Erased(Hash),
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self::Plain(text)
    }
}

impl<'a> From<&'a String> for Text<'a> {
    fn from(text: &'a String) -> Self {
        Self::Plain(text)
    }
}

/// The salted hash of a text: `SHA-256(salt ‖ text)`.
pub fn salted_hash(salt: &Salt, text: &str) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update(salt);
    hasher.update(text.as_bytes());
    hasher.finalize().into()
}

/// The secret of an instance, from which salts follow, so that they need not be stored and two
/// runs with the same secret seal the same leaves.
#[derive(Clone)]
pub struct Secret {
    keyed: Hmac<Sha256>,
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// From 32 random bytes.
    pub fn new(bytes: &[u8; 32]) -> Self {
        // A key of the block's length or less is used as it is, padded with zeros (RFC 2104).
        let mut block = [0_u8; 64];
        for (to, from) in block.iter_mut().zip(bytes) {
            *to = *from;
        }
        Self {
            keyed: <Hmac<Sha256> as hmac::digest::KeyInit>::new(&block.into()),
        }
    }

    /// What tells this instance from others without giving the secret away.
    pub fn fingerprint(&self) -> Salt {
        let [first, _] = self.salts(b"tieout instance", 0);
        first
    }

    /// Marks bytes that leave the instance, so that it knows them again as its own. What they are for
    /// is part of the mark.
    pub fn mark(&self, purpose: &str, bytes: &[u8]) -> Hash {
        let mut mac = self.keyed.clone();
        mac.update(b"tieout mark\x1f");
        mac.update(purpose.as_bytes());
        mac.update(b"\x1f");
        mac.update(bytes);
        mac.finalize().into_bytes().into()
    }

    /// Two salts out of one HMAC: those of the texts `2 * pair` and `2 * pair + 1` of a record.
    fn salts(&self, name: &[u8], pair: u8) -> [Salt; 2] {
        let mut mac = self.keyed.clone();
        mac.update(name);
        mac.update(&[pair]);
        let bytes: [u8; 32] = mac.finalize().into_bytes().into();
        let (mut first, mut second) = ([0; SALT_LEN], [0; SALT_LEN]);
        for (to, from) in first.iter_mut().chain(second.iter_mut()).zip(bytes) {
            *to = from;
        }
        [first, second]
    }
}

/// Encodes records, one after another, into the same buffer.
#[derive(Debug)]
pub struct Encoder {
    secret: Secret,
    bytes: Vec<u8>,
    name: Vec<u8>,
}

impl Encoder {
    /// An encoder that takes salts from this secret.
    pub fn new(secret: Secret) -> Self {
        Self {
            secret,
            bytes: Vec::with_capacity(1024),
            name: Vec::with_capacity(256),
        }
    }

    /// The leaf hash of a record.
    pub fn leaf<R: Record>(&mut self, record: &R) -> Hash {
        self.encode(record);
        Sha256::digest(&self.bytes).into()
    }

    /// The canonical bytes of a record, without the prefix of the leaf.
    pub fn canonical<R: Record>(&mut self, record: &R) -> &[u8] {
        self.encode(record);
        self.bytes.get(1..).unwrap_or_default()
    }

    /// The salt of each text field of a record, in order of the fields.
    pub fn salts<R: Record>(&mut self, record: &R) -> Vec<Salt> {
        self.take_name(record);
        let texts = R::FIELDS
            .iter()
            .filter(|f| f.kind == super::record::FieldType::Text)
            .count();
        (0..=u8::MAX)
            .flat_map(|pair| self.secret.salts(&self.name, pair))
            .take(texts)
            .collect()
    }

    fn take_name<R: Record>(&mut self, record: &R) {
        self.name.clear();
        let mut key = Bytes(&mut self.name);
        key.put_text(R::KIND.code());
        record.visit_key(&mut Fields::plain(key.0));
    }

    fn encode<R: Record>(&mut self, record: &R) {
        self.take_name(record);
        self.bytes.clear();
        self.bytes.extend_from_slice(&[LEAF, VERSION]);
        Bytes(&mut self.bytes).put_text(R::KIND.code());
        record.visit(&mut Fields {
            bytes: &mut self.bytes,
            salting: Some((&self.secret, &self.name)),
            texts: 0,
            pair: None,
        });
    }
}

/// Appends typed values to bytes.
pub(super) struct Bytes<'b>(pub(super) &'b mut Vec<u8>);

impl Bytes<'_> {
    pub(super) fn put_int(&mut self, value: i64) {
        self.0.extend_from_slice(&value.to_be_bytes());
    }

    /// Length in four bytes, then UTF-8. No text of a record reaches four gigabytes; a longer one
    /// would be told apart by its content, its length being taken modulo 2^32.
    #[allow(clippy::cast_possible_truncation)]
    pub(super) fn put_text(&mut self, value: &str) {
        self.0
            .extend_from_slice(&(value.len() as u32).to_be_bytes());
        self.0.extend_from_slice(value.as_bytes());
    }

    pub(super) fn put_presence(&mut self, present: bool) {
        self.0.push(u8::from(present));
    }
}

/// Writes the fields of one record.
struct Fields<'b> {
    bytes: &'b mut Vec<u8>,
    salting: Option<(&'b Secret, &'b [u8])>,
    texts: u8,
    pair: Option<(u8, [Salt; 2])>,
}

impl<'b> Fields<'b> {
    fn plain(bytes: &'b mut Vec<u8>) -> Self {
        Self {
            bytes,
            salting: None,
            texts: 0,
            pair: None,
        }
    }

    fn salt(&mut self, index: u8) -> Salt {
        let Some((secret, name)) = self.salting else {
            return [0; SALT_LEN];
        };
        let pair = index / 2;
        let [even, odd] = match self.pair {
            Some((known, salts)) if known == pair => salts,
            _ => secret.salts(name, pair),
        };
        self.pair = Some((pair, [even, odd]));
        if index.is_multiple_of(2) { even } else { odd }
    }
}

impl Visitor for Fields<'_> {
    #[inline]
    fn int(&mut self, _: &'static str, value: i64) {
        Bytes(self.bytes).put_int(value);
    }

    #[inline]
    fn opt_int(&mut self, _: &'static str, value: Option<i64>) {
        Bytes(self.bytes).put_presence(value.is_some());
        if let Some(value) = value {
            Bytes(self.bytes).put_int(value);
        }
    }

    #[inline]
    fn id(&mut self, _: &'static str, value: &str) {
        Bytes(self.bytes).put_text(value);
    }

    #[inline]
    fn opt_id(&mut self, _: &'static str, value: Option<&str>) {
        Bytes(self.bytes).put_presence(value.is_some());
        if let Some(value) = value {
            Bytes(self.bytes).put_text(value);
        }
    }

    #[inline]
    fn hash(&mut self, _: &'static str, value: &[u8]) {
        self.bytes.extend_from_slice(value);
    }

    fn text(&mut self, _: &'static str, value: Text<'_>) {
        let index = self.texts;
        self.texts = index.wrapping_add(1);
        let hash = match value {
            Text::Plain("") | Text::Salted("", _) => {
                Bytes(self.bytes).put_presence(false);
                return;
            }
            Text::Plain(text) => salted_hash(&self.salt(index), text),
            Text::Salted(text, salt) => salted_hash(&salt, text),
            Text::Erased(hash) => hash,
        };
        Bytes(self.bytes).put_presence(true);
        self.bytes.extend_from_slice(&hash);
    }

    fn postings(&mut self, _: &'static str, value: &[Posting<'_>]) {
        put_postings(self.bytes, value);
    }
}

/// Number of postings, then account, currency and amount of each.
#[allow(clippy::cast_possible_truncation)] // an entry has a handful
pub(super) fn put_postings(bytes: &mut Vec<u8>, postings: &[Posting<'_>]) {
    bytes.extend_from_slice(&(postings.len() as u32).to_be_bytes());
    let mut bytes = Bytes(bytes);
    for posting in postings {
        bytes.put_text(posting.account);
        bytes.put_text(posting.currency);
        bytes.put_int(posting.amount);
    }
}

/// The leaf over canonical bytes that were built elsewhere.
pub(super) fn leaf_of(canonical: &[u8]) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update([LEAF]);
    hasher.update(canonical);
    hasher.finalize().into()
}
