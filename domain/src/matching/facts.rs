//! What the rules are given. Plain data that storage can fill in bulk.

use super::rulings::{AttemptRulings, LineRulings};
use crate::{
    account::ProviderAccount,
    line::RowKind,
    money::{Currency, Money},
    payment::{Direction, LossPolicy, Outcome, REFUND},
    time::Instant,
};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// The provider accounts that a world speaks of, by key.
pub type Accounts = BTreeMap<i64, ProviderAccount>;

/// Where a provider id of an attempt comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LearnedFrom {
    /// The company registered it or its worker reported it.
    Company,
    /// A verified webhook message.
    Event,
    /// A status query.
    Query,
    /// A settlement line, by its key. Judging derives these again from the lines and contradicts
    /// nothing by them.
    Line(i64),
}

/// A provider's id for an attempt's payment or refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderId {
    /// The id as given.
    pub id: String,
    /// Who says so.
    pub learned_from: LearnedFrom,
}

/// One attempt, as the rules need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptFacts {
    /// Key in storage.
    pub key: i64,
    /// The provider account that was called.
    pub account: i64,
    /// The company's id.
    pub public_id: String,
    /// From 1 within the intent.
    pub number: i64,
    /// The outcome by reports, events, queries and lease alone: no lines, no decisions.
    pub reported: Outcome,
    /// Final reports that disagree with `reported`, each once; empty as a rule.
    pub contradicting_reports: Vec<Outcome>,
    /// Provider ids that reports gave besides the one that was known first; empty as a rule.
    pub contradicting_ids: Vec<String>,
    /// The key that was sent.
    pub idempotency_key: String,
    /// All provider ids known for it.
    pub ids: Vec<ProviderId>,
    /// When the call began.
    pub started_at: Instant,
    /// What decisions in force say of it.
    pub rulings: AttemptRulings,
}

/// One intent with all its attempts, at whatever provider account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntentFacts {
    /// Key in storage.
    pub key: i64,
    /// The company's id; also the operation id.
    pub public_id: String,
    /// What the company calls it towards others.
    pub merchant_reference: String,
    /// The company's word; `refund` is told apart.
    pub operation: String,
    /// How much, positive.
    pub amount: Money,
    /// Which way.
    pub direction: Direction,
    /// Who pays or is paid, or empty.
    pub counterparty: String,
    /// When the business meant it.
    pub created_at: Instant,
    /// What unknown does.
    pub loss_policy: LossPolicy,
    /// Every attempt.
    pub attempts: Vec<AttemptFacts>,
}

/// A line's natural name: `<first 16 hex digits of the file's SHA-256>:<line number>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineName {
    /// First 16 hex digits of the file's SHA-256.
    pub file: String,
    /// Physical line at which the record starts, from 1.
    pub line_no: u64,
}

impl LineName {
    /// The name of a line by its file's SHA-256, or how that begins, and the physical line.
    pub fn of(sha256: &[u8], line_no: i64) -> Self {
        Self {
            file: hex::encode(sha256.get(..8).unwrap_or_default()),
            line_no: line_no.unsigned_abs(),
        }
    }
}

/// One settlement line, as the rules need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFacts {
    /// Key in storage; lines that arrived earlier have smaller keys.
    pub key: i64,
    /// The provider account whose file it is from.
    pub account: i64,
    /// Its natural name.
    pub name: LineName,
    /// What the row is about.
    pub kind: RowKind,
    /// The payment's id at the provider, or empty.
    pub provider_payment_id: String,
    /// The refund's or dispute's id at the provider, or empty.
    pub modification_id: String,
    /// The reference that we may have sent, or empty.
    pub merchant_reference: String,
    /// Minor units of `currency` that moved, signed as our balance.
    pub gross: i64,
    /// Fee, positive when charged.
    pub fee: i64,
    /// What our balance moved by.
    pub net: i64,
    /// Currency of gross, fee and net.
    pub currency: Currency,
    /// What the payer saw, signed like gross.
    pub presented: Money,
    /// When it happened, if the file says so.
    pub occurred_at: Option<Instant>,
    /// When it settled, if the file says so.
    pub settled_at: Option<Instant>,
    /// Who paid or was paid, or empty.
    pub counterparty: String,
    /// What decisions in force say of it.
    pub rulings: LineRulings,
}

/// What is judged together.
///
/// It must be closed, whichever fact it was begun with:
///
/// - every intent of an account that carries a key (provider id, reference, own id, idempotency key)
///   of a line in it, or to which a person gave a line in it, is in it;
/// - every line that carries a key of an intent in it, or stands matched to one, or shares a provider
///   or modification id with a line in it, is in it;
/// - every intent that shares a provider id with an intent in it is in it: its lines, matched long
///   ago, may be in doubt now.
///
/// Intents without attempts stand in no account and count for every one.
///
/// A reference that more than [`MOST_SHARING`] intents carry names none of them: of those only what else
/// leads to is in it, and the lines that follow from none of them may be left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct World {
    /// The intents, each with all attempts.
    pub intents: Vec<IntentFacts>,
    /// The lines, in any order.
    pub lines: Vec<LineFacts>,
    /// References, in normal form, that more than [`MOST_SHARING`] intents carry: when the first intent
    /// beyond that many was created.
    pub shared: BTreeMap<String, Instant>,
}

/// So many intents may carry a reference for it to name one of them: more are a word of the shop's, a
/// constant in the reference column, say, and nobody could choose among them.
pub const MOST_SHARING: usize = 200;

impl AttemptFacts {
    /// The outcome that reports and decisions give, before any line is looked at.
    pub fn stated_outcome(&self) -> Outcome {
        self.rulings
            .outcome
            .as_ref()
            .map_or(self.reported, |ruling| ruling.outcome)
    }

    /// The provider ids that can contradict: all but those learned from lines.
    pub fn firm_ids(&self) -> impl Iterator<Item = &str> {
        self.ids
            .iter()
            .filter(|id| !matches!(id.learned_from, LearnedFrom::Line(_)) && !id.id.is_empty())
            .map(|id| id.id.as_str())
    }
}

impl IntentFacts {
    /// Whether this is a refund that the company asked for.
    pub fn is_refund(&self) -> bool {
        self.operation == REFUND
    }
}

impl LineFacts {
    /// The line's own time: when it happened, else when it settled.
    pub fn own_time(&self) -> Option<Instant> {
        self.occurred_at.or(self.settled_at)
    }
}

impl fmt::Display for LineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line_no)
    }
}

/// A text that is no line's natural name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} names no line: expected 16 hex digits of the file's hash, a colon and a line number"
)]
pub struct NotALineName(pub String);

impl FromStr for LineName {
    type Err = NotALineName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = text.split_once(':').and_then(|(file, number)| {
            let hex = file.len() == 16 && file.bytes().all(|b| b.is_ascii_hexdigit());
            Some(Self {
                file: hex.then(|| file.to_owned())?,
                line_no: number.parse().ok()?,
            })
        });
        parsed.ok_or_else(|| NotALineName(text.chars().take(60).collect()))
    }
}

impl serde::Serialize for LineName {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for LineName {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
