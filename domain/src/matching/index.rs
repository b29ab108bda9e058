//! Which attempts and intents a key leads to, within a world.

use super::{
    facts::{AttemptFacts, IntentFacts, LineFacts, World},
    keys::normalise,
};
use crate::{
    payment::{Direction, Outcome},
    time::Instant,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// An attempt's place in an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// Place of the intent.
    pub intent: usize,
    /// Place of the attempt within it.
    pub attempt: usize,
}

/// Which side of business an intent is, by what rows can be its.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Party {
    /// Money in: payment rows.
    Charge,
    /// Money out to a payee: disbursement rows.
    Payout,
    /// Money back to a payer: refund rows.
    Refund,
}

/// In which way a text was sent for an intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SentAs {
    /// The operation id or an idempotency key: of one intent by construction.
    OwnId,
    /// The merchant reference: others may carry it too.
    Reference,
}

const SECONDS_PER_DAY: i64 = 86_400;

/// Intents by key with look-ups by provider id and by what was sent.
pub struct Index<'w> {
    /// Intents, by key.
    pub intents: Vec<&'w IntentFacts>,
    /// Lines, by key: in order of arrival.
    pub lines: Vec<&'w LineFacts>,
    firm_ids: HashMap<(i64, &'w str), Vec<At>>,
    sent: HashMap<String, BTreeSet<(usize, SentAs)>>,
    public: HashMap<(&'w str, &'w str), At>,
    shared: &'w BTreeMap<String, Instant>,
}

impl Party {
    /// The side an intent is on.
    pub fn of(intent: &IntentFacts) -> Self {
        if intent.is_refund() {
            Self::Refund
        } else if intent.direction == Direction::In {
            Self::Charge
        } else {
            Self::Payout
        }
    }
}

impl<'w> Index<'w> {
    /// Reads a world.
    pub fn new(world: &'w World) -> Self {
        let by_key: BTreeMap<i64, &IntentFacts> =
            world.intents.iter().map(|i| (i.key, i)).collect();
        let lines: BTreeMap<i64, &LineFacts> = world.lines.iter().map(|l| (l.key, l)).collect();
        let mut index = Self {
            intents: by_key.into_values().collect(),
            lines: lines.into_values().collect(),
            firm_ids: HashMap::new(),
            sent: HashMap::new(),
            public: HashMap::new(),
            shared: &world.shared,
        };
        for place in 0..index.intents.len() {
            index.enter(place);
        }
        index
    }

    fn enter(&mut self, place: usize) {
        let Some(intent) = self.intents.get(place).copied() else {
            return;
        };
        let mut sent = |text: &str, how| {
            let key = normalise(text);
            if !key.is_empty() {
                self.sent.entry(key).or_default().insert((place, how));
            }
        };
        sent(&intent.merchant_reference, SentAs::Reference);
        sent(&intent.public_id, SentAs::OwnId);
        for attempt in &intent.attempts {
            sent(&attempt.idempotency_key, SentAs::OwnId);
        }
        for (number, attempt) in intent.attempts.iter().enumerate() {
            let at = At {
                intent: place,
                attempt: number,
            };
            self.public
                .insert((&intent.public_id, &attempt.public_id), at);
            for id in attempt.firm_ids() {
                let holders = self.firm_ids.entry((attempt.account, id)).or_default();
                if !holders.contains(&at) {
                    holders.push(at);
                }
            }
        }
    }

    /// The intent at a place.
    pub fn intent(&self, place: usize) -> Option<&'w IntentFacts> {
        self.intents.get(place).copied()
    }

    /// The attempt at a place.
    pub fn attempt(&self, at: At) -> Option<&'w AttemptFacts> {
        self.intent(at.intent)?.attempts.get(at.attempt)
    }

    /// The attempt that two public ids name.
    pub fn by_public_ids(&self, intent: &str, attempt: &str) -> Option<At> {
        self.public.get(&(intent, attempt)).copied()
    }

    /// The attempts of these sides that hold a provider id firmly in an account.
    pub fn holders(&self, account: i64, id: &str, parties: &[Party]) -> Vec<At> {
        let all = self.firm_ids.get(&(account, id));
        all.into_iter()
            .flatten()
            .copied()
            .filter(|at| self.is_of(at.intent, parties))
            .collect()
    }

    /// Whether more intents than anybody could choose from carry a line's reference and could be its
    /// cause: then it names none of them, and contradicts none.
    pub fn is_shared_by_too_many(&self, line: &LineFacts) -> bool {
        let since = self.shared.get(&normalise(&line.merchant_reference));
        since.is_some_and(|since| was_there(*since, line.own_time()))
    }

    /// The intents of these sides for which a text was sent, in an account or never tried, and which
    /// were not created more than a day after the line's own time; none where too many are.
    pub fn sent_for(&self, line: &LineFacts, parties: &[Party]) -> BTreeMap<usize, SentAs> {
        let key = normalise(&line.merchant_reference);
        let mut found = BTreeMap::new();
        if key.is_empty() || self.is_shared_by_too_many(line) {
            return found;
        }
        for (place, how) in self.sent.get(&key).into_iter().flatten() {
            let Some(intent) = self.intent(*place) else {
                continue;
            };
            let here = intent.attempts.is_empty()
                || intent.attempts.iter().any(|a| a.account == line.account);
            if here && self.is_of(*place, parties) && could_be_cause(intent, line.own_time()) {
                // Own ids sort before references: the stronger one stands.
                found.entry(*place).or_insert(*how);
            }
        }
        found
    }

    fn is_of(&self, place: usize, parties: &[Party]) -> bool {
        self.intent(place)
            .is_some_and(|intent| parties.contains(&Party::of(intent)))
    }

    /// Of several attempts of one intent that hold the same id (a provider that replays a key), the
    /// one to name: a success first, then what is open, then the earliest.
    pub fn likeliest(&self, attempts: &[At]) -> Option<At> {
        attempts.iter().copied().min_by_key(|at| {
            let attempt = self.attempt(*at);
            let rank = match attempt.map(AttemptFacts::stated_outcome) {
                Some(Outcome::Succeeded) => 0,
                Some(Outcome::InFlight | Outcome::Unknown) => 1,
                _ => 2,
            };
            (rank, attempt.map_or(i64::MAX, |a| a.number))
        })
    }

    /// The attempts of an intent in an account that a line with its reference could be: those not
    /// rejected or absent; all, where that leaves none.
    pub fn live_attempts(&self, intent: usize, account: i64) -> Vec<At> {
        let here = |live: bool| {
            let attempts = self.intent(intent).map_or(&[][..], |i| &i.attempts);
            attempts
                .iter()
                .enumerate()
                .filter(|(_, a)| a.account == account)
                .filter(|(_, a)| {
                    !live || !matches!(a.stated_outcome(), Outcome::Rejected | Outcome::Absent)
                })
                .map(|(attempt, _)| At { intent, attempt })
                .collect::<Vec<_>>()
        };
        let live = here(true);
        if live.is_empty() { here(false) } else { live }
    }

    /// Whether an attempt holds provider ids and this is none of them.
    pub fn holds_another(&self, at: At, id: &str) -> bool {
        !id.is_empty()
            && self.attempt(at).is_some_and(|attempt| {
                let mut ids = attempt.firm_ids().peekable();
                ids.peek().is_some() && !ids.any(|own| own == id)
            })
    }
}

/// Whether an intent can be the cause of something that happened then: one created more than a day
/// afterwards cannot.
pub fn could_be_cause(intent: &IntentFacts, happened: Option<Instant>) -> bool {
    was_there(intent.created_at, happened)
}

fn was_there(created: Instant, happened: Option<Instant>) -> bool {
    happened.is_none_or(|then| created <= then.plus_seconds(SECONDS_PER_DAY))
}
