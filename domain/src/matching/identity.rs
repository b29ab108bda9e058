//! R1 and R2: whose line this is, or why that cannot be said. Amounts are not looked at, save where
//! a refund's reference is shared with its payment.

use super::{
    facts::{LineFacts, LineName},
    index::{At, Index, Party, SentAs},
    judgement::{LearnedId, Movement},
    rulings::Ruling,
};
use crate::line::{RowKind, Rule};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A line that certainly belongs to an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Certain {
    /// Which attempt.
    pub at: At,
    /// In which movement it counts.
    pub movement: Movement,
    /// By which rule.
    pub rule: Rule,
}

/// Why identity cannot be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// The id is one attempt's, the reference was sent for other intents.
    IdAgainstReference { by_id: At, by_reference: Vec<usize> },
    /// The intent of the reference holds another provider id.
    ReferenceAgainstId { attempts: Vec<At> },
    /// Several intents carry the key.
    SeveralIntents(Vec<usize>),
    /// More intents than anybody could choose from carry the reference.
    SharedByTooMany,
    /// Several attempts of one intent could be it.
    SeveralAttempts(Vec<At>),
    /// The intent of the reference was never tried.
    NeverTried(usize),
}

/// Whose a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identity {
    /// One attempt's.
    Certain(Certain),
    /// Nobody can say.
    Doubtful(Doubt),
    /// It names nobody.
    Nobody,
    /// Its kind settles it.
    ByKind,
}

/// Identities of all lines of an index, by place, with what lines taught.
pub struct Identities {
    /// By place of the line.
    pub of: Vec<Identity>,
    /// Provider ids that lines teach.
    pub learned: Vec<LearnedId>,
    taught: HashMap<(i64, String), BTreeSet<At>>,
}

const PAYERS: &[Party] = &[Party::Charge];
const REFUNDS: &[Party] = &[Party::Refund];

/// Settles the identity of every line: payments first, since they teach ids by which refunds and
/// disputes find their payment.
pub fn identify(index: &Index<'_>) -> Identities {
    let mut known = Identities {
        of: vec![Identity::Nobody; index.lines.len()],
        learned: Vec::new(),
        taught: HashMap::new(),
    };
    known.run(index, |line, _| match line.kind {
        RowKind::Payment => Some(of_payment(index, line, PAYERS)),
        RowKind::Disbursement => Some(of_payment(index, line, &[Party::Payout])),
        kind if !kind.concerns_payment() => Some(Identity::ByKind),
        _ => None,
    });
    known.learn_payments(index);
    known.run(index, |line, known| match line.kind {
        RowKind::Payment | RowKind::Disbursement => known.by_taught_id(index, line),
        RowKind::PaymentReversal => Some(known.of_payment_taken_back(index, line)),
        RowKind::Refund => Some(known.of_refund(index, line)),
        RowKind::Chargeback | RowKind::ChargebackReversal => Some(known.of_dispute(index, line)),
        _ => None,
    });
    known.learn_refunds(index);
    let disputes =
        known.by_modification(index, &[RowKind::Chargeback, RowKind::ChargebackReversal]);
    let refunds = known.by_modification(index, &[RowKind::Refund]);
    let refunds_by_payment = known.refunds_by_payment(index);
    known.run(index, |line, known| match line.kind {
        RowKind::Chargeback | RowKind::ChargebackReversal => {
            let key = (line.account, line.modification_id.as_str());
            only(disputes.get(&key)).map(Identity::Certain)
        }
        RowKind::RefundReversal => {
            Some(known.of_refund_reversal(index, line, &refunds, &refunds_by_payment))
        }
        _ => None,
    });
    known
}

type Shared<'w> = HashMap<(i64, &'w str), Vec<Certain>>;

impl Identities {
    /// Fills in what is not known yet.
    fn run(&mut self, index: &Index<'_>, rule: impl Fn(&LineFacts, &Self) -> Option<Identity>) {
        for (place, line) in index.lines.iter().enumerate() {
            if self.of.get(place) != Some(&Identity::Nobody) {
                continue;
            }
            if let (Some(found), true) = (rule(line, self), place < self.of.len())
                && let Some(slot) = self.of.get_mut(place)
            {
                *slot = found;
            }
        }
    }

    /// The certain identity of a line, by place.
    pub fn certain(&self, place: usize) -> Option<Certain> {
        match self.of.get(place) {
            Some(Identity::Certain(certain)) => Some(*certain),
            _ => None,
        }
    }

    /// The attempt that lines taught an id for, where they agree.
    pub fn taught(
        &self,
        index: &Index<'_>,
        account: i64,
        id: &str,
        parties: &[Party],
    ) -> Option<At> {
        let owners = self.taught.get(&(account, id.to_owned()))?;
        let mut fitting = owners.iter().copied().filter(|at| {
            index
                .intent(at.intent)
                .is_some_and(|i| parties.contains(&Party::of(i)))
        });
        let first = fitting.next()?;
        fitting.next().is_none().then_some(first)
    }

    fn teach(&mut self, index: &Index<'_>, at: At, line: &LineFacts, id: &str) {
        let Some(attempt) = index.attempt(at) else {
            return;
        };
        if id.is_empty() || attempt.firm_ids().any(|own| own == id) {
            return;
        }
        let owners = self
            .taught
            .entry((line.account, id.to_owned()))
            .or_default();
        if owners.insert(at) {
            self.learned.push(LearnedId {
                attempt: attempt.key,
                account: line.account,
                id: id.to_owned(),
                line: line.key,
            });
        }
    }

    fn learn_payments(&mut self, index: &Index<'_>) {
        for (place, line) in index.lines.iter().enumerate() {
            if !matches!(line.kind, RowKind::Payment | RowKind::Disbursement) {
                continue;
            }
            let at = match (person_s_only_choice(index, line), self.certain(place)) {
                (Some(chosen), _) => Some(chosen),
                (None, Some(certain)) if !line.rulings.is_outside() => Some(certain.at),
                _ => None,
            };
            if let Some(at) = at {
                self.teach(index, at, line, &line.provider_payment_id);
            }
        }
    }

    fn learn_refunds(&mut self, index: &Index<'_>) {
        for (place, line) in index.lines.iter().enumerate() {
            let Some(certain) = self.certain(place) else {
                continue;
            };
            let of_refund_intent = index
                .intent(certain.at.intent)
                .is_some_and(super::facts::IntentFacts::is_refund);
            if line.kind == RowKind::Refund && of_refund_intent {
                self.teach(index, certain.at, line, &line.modification_id);
            }
        }
    }

    fn by_taught_id(&self, index: &Index<'_>, line: &LineFacts) -> Option<Identity> {
        let parties: &[Party] = if line.kind == RowKind::Payment {
            PAYERS
        } else {
            &[Party::Payout]
        };
        let at = self.taught(index, line.account, &line.provider_payment_id, parties)?;
        Some(certain(at, Movement::Capture, Rule::ProviderId))
    }

    /// The attempt whose payment a line's provider id names, firm or taught.
    pub fn payment_by_id(
        &self,
        index: &Index<'_>,
        line: &LineFacts,
        parties: &[Party],
    ) -> Option<At> {
        if line.provider_payment_id.is_empty() {
            return None;
        }
        let firm = index.holders(line.account, &line.provider_payment_id, parties);
        match distinct_intents(&firm).as_slice() {
            [] => self.taught(index, line.account, &line.provider_payment_id, parties),
            [_] => index.likeliest(&firm),
            _ => {
                let sent = index.sent_for(line, parties);
                let named: Vec<At> = firm
                    .into_iter()
                    .filter(|at| sent.contains_key(&at.intent))
                    .collect();
                match distinct_intents(&named).as_slice() {
                    [_] => index.likeliest(&named),
                    _ => None,
                }
            }
        }
    }

    /// The payment that a row takes back or follows: by id, else by reference, which is a hint here
    /// and contradicts nothing.
    fn followed(
        &self,
        index: &Index<'_>,
        line: &LineFacts,
        parties: &[Party],
        movement: Movement,
    ) -> Identity {
        if let Some(at) = self.payment_by_id(index, line, parties) {
            return certain(at, movement, Rule::ProviderId);
        }
        let sent: Vec<usize> = index.sent_for(line, parties).into_keys().collect();
        match sent.as_slice() {
            [] if index.is_shared_by_too_many(line) => Identity::Doubtful(Doubt::SharedByTooMany),
            [] => Identity::Nobody,
            [intent] => {
                let live = index.live_attempts(*intent, line.account);
                match live.as_slice() {
                    [] => Identity::Doubtful(Doubt::NeverTried(*intent)),
                    [at] => certain(*at, movement, Rule::Reference),
                    _ => Identity::Doubtful(Doubt::SeveralAttempts(live)),
                }
            }
            _ => Identity::Doubtful(Doubt::SeveralIntents(sent)),
        }
    }

    /// Money that goes back out was a charge's, money that comes back in a payout's.
    fn of_payment_taken_back(&self, index: &Index<'_>, line: &LineFacts) -> Identity {
        let parties: &[Party] = if line.presented.minor > 0 {
            &[Party::Payout]
        } else {
            PAYERS
        };
        self.followed(index, line, parties, Movement::Capture)
    }

    fn of_dispute(&self, index: &Index<'_>, line: &LineFacts) -> Identity {
        self.followed(index, line, PAYERS, Movement::Chargeback)
    }

    /// A refund that the company asked for, by its own id, by what was sent for it alone, or by
    /// reference and amount; else the payment's.
    fn of_refund(&self, index: &Index<'_>, line: &LineFacts) -> Identity {
        for id in [&line.modification_id, &line.provider_payment_id] {
            if id.is_empty() {
                continue;
            }
            let holders = index.holders(line.account, id, REFUNDS);
            match distinct_intents(&holders).as_slice() {
                [] => {}
                [_] => {
                    if let Some(at) = index.likeliest(&holders) {
                        return certain(at, Movement::Refund, Rule::ProviderId);
                    }
                }
                several => return Identity::Doubtful(Doubt::SeveralIntents(several.to_vec())),
            }
        }
        match refunds_by_reference(index, line).as_slice() {
            [] => self.followed(index, line, PAYERS, Movement::Refund),
            [at] => certain(*at, Movement::Refund, Rule::Reference),
            several => {
                let intents = distinct_intents(several);
                Identity::Doubtful(if intents.len() == 1 {
                    Doubt::SeveralAttempts(several.to_vec())
                } else {
                    Doubt::SeveralIntents(intents)
                })
            }
        }
    }

    fn of_refund_reversal(
        &self,
        index: &Index<'_>,
        line: &LineFacts,
        by_modification: &Shared<'_>,
        by_payment: &HashMap<(i64, &str, i64), Vec<Certain>>,
    ) -> Identity {
        let same_refund = by_modification.get(&(line.account, line.modification_id.as_str()));
        if let Some(found) = only(same_refund) {
            return Identity::Certain(found);
        }
        if !line.modification_id.is_empty() {
            let holders = index.holders(line.account, &line.modification_id, REFUNDS);
            if distinct_intents(&holders).len() == 1
                && let Some(at) = index.likeliest(&holders)
            {
                return certain(at, Movement::Refund, Rule::ProviderId);
            }
        }
        let taken_back = line.presented.minor.checked_neg().unwrap_or(i64::MIN);
        let key = (line.account, line.provider_payment_id.as_str(), taken_back);
        match only(by_payment.get(&key)) {
            Some(found) => Identity::Certain(found),
            None => self.followed(index, line, PAYERS, Movement::Refund),
        }
    }

    fn by_modification<'w>(&self, index: &Index<'w>, kinds: &[RowKind]) -> Shared<'w> {
        let mut found: Shared<'w> = HashMap::new();
        for (place, line) in index.lines.iter().enumerate() {
            if kinds.contains(&line.kind) && !line.modification_id.is_empty() {
                let key = (line.account, line.modification_id.as_str());
                found.entry(key).or_default().extend(self.certain(place));
            }
        }
        found
    }

    fn refunds_by_payment<'w>(
        &self,
        index: &Index<'w>,
    ) -> HashMap<(i64, &'w str, i64), Vec<Certain>> {
        let mut found: HashMap<_, Vec<Certain>> = HashMap::new();
        for (place, line) in index.lines.iter().enumerate() {
            if line.kind == RowKind::Refund && !line.provider_payment_id.is_empty() {
                let key = (
                    line.account,
                    line.provider_payment_id.as_str(),
                    line.presented.minor,
                );
                found.entry(key).or_default().extend(self.certain(place));
            }
        }
        found
    }
}

/// A payment or disbursement row, by what the company, events and queries gave.
fn of_payment(index: &Index<'_>, line: &LineFacts, parties: &[Party]) -> Identity {
    let sent = index.sent_for(line, parties);
    let holders = if line.provider_payment_id.is_empty() {
        Vec::new()
    } else {
        index.holders(line.account, &line.provider_payment_id, parties)
    };
    let by_id = distinct_intents(&holders);
    match by_id.as_slice() {
        [] => by_reference(index, line, &sent),
        [intent] => {
            let Some(at) = index.likeliest(&holders) else {
                return Identity::Nobody;
            };
            if sent.is_empty() || sent.contains_key(intent) {
                certain(at, Movement::Capture, Rule::ProviderId)
            } else {
                Identity::Doubtful(Doubt::IdAgainstReference {
                    by_id: at,
                    by_reference: sent.into_keys().collect(),
                })
            }
        }
        several => {
            // The id alone is not one payment's; the reference may say whose of them it is.
            let named: Vec<At> = holders
                .iter()
                .copied()
                .filter(|at| sent.contains_key(&at.intent))
                .collect();
            match (sent.len(), index.likeliest(&named)) {
                (1, Some(at)) => certain(at, Movement::Capture, Rule::Reference),
                _ => Identity::Doubtful(Doubt::SeveralIntents(several.to_vec())),
            }
        }
    }
}

fn by_reference(index: &Index<'_>, line: &LineFacts, sent: &BTreeMap<usize, SentAs>) -> Identity {
    let intents: Vec<usize> = sent.keys().copied().collect();
    let [intent] = intents.as_slice() else {
        return if index.is_shared_by_too_many(line) {
            Identity::Doubtful(Doubt::SharedByTooMany)
        } else if intents.is_empty() {
            Identity::Nobody
        } else {
            Identity::Doubtful(Doubt::SeveralIntents(intents))
        };
    };
    let live = index.live_attempts(*intent, line.account);
    let others = |at: &At| index.holds_another(*at, &line.provider_payment_id);
    match live.as_slice() {
        [] => Identity::Doubtful(Doubt::NeverTried(*intent)),
        all if all.iter().all(others) => Identity::Doubtful(Doubt::ReferenceAgainstId {
            attempts: all.to_vec(),
        }),
        [at] => certain(*at, Movement::Capture, Rule::Reference),
        all => Identity::Doubtful(Doubt::SeveralAttempts(all.to_vec())),
    }
}

/// Refunds that the company asked for under a line's reference: those for which it was sent alone, else
/// those of its amount.
fn refunds_by_reference(index: &Index<'_>, line: &LineFacts) -> Vec<At> {
    let sent = index.sent_for(line, REFUNDS);
    let own: Vec<usize> = of_strength(&sent, SentAs::OwnId);
    let intents = if own.is_empty() {
        let mut by_reference = of_strength(&sent, SentAs::Reference);
        by_reference.retain(|place| {
            index.intent(*place).is_some_and(|intent| {
                intent.amount.currency == line.presented.currency
                    && Some(intent.amount.minor) == line.presented.minor.checked_neg()
            })
        });
        by_reference
    } else {
        own
    };
    intents
        .into_iter()
        .flat_map(|place| index.live_attempts(place, line.account))
        .filter(|at| !index.holds_another(*at, &line.modification_id))
        .collect()
}

/// The one attempt that a person gave a line to.
fn person_s_only_choice(index: &Index<'_>, line: &LineFacts) -> Option<At> {
    match line.rulings.shares()? {
        [share] => index.by_public_ids(&share.intent, &share.attempt),
        _ => None,
    }
}

/// Public ids of intents that a person saw and decided against.
pub fn decided_against<'w>(line: &'w LineFacts) -> impl Iterator<Item = &'w str> {
    let set: Option<&'w BTreeSet<String>> = match &line.rulings.identity {
        Some(Ruling::MatchTo { against, .. }) => Some(against),
        _ => None,
    };
    set.into_iter().flatten().map(String::as_str)
}

/// Order of lines that does not depend on arrival: by own time, then by name.
pub fn canonical(line: &LineFacts) -> (Option<i64>, &LineName) {
    (
        line.own_time().map(crate::time::Instant::micros),
        &line.name,
    )
}

const fn certain(at: At, movement: Movement, rule: Rule) -> Identity {
    Identity::Certain(Certain { at, movement, rule })
}

fn distinct_intents(attempts: &[At]) -> Vec<usize> {
    let set: BTreeSet<usize> = attempts.iter().map(|at| at.intent).collect();
    set.into_iter().collect()
}

fn of_strength(sent: &BTreeMap<usize, SentAs>, strength: SentAs) -> Vec<usize> {
    sent.iter()
        .filter(|(_, how)| **how == strength)
        .map(|(place, _)| *place)
        .collect()
}

/// The one attempt and movement that all of several identities agree on.
fn only(found: Option<&Vec<Certain>>) -> Option<Certain> {
    let (first, rest) = found?.split_first()?;
    rest.iter()
        .all(|c| c.at == first.at && c.movement == first.movement)
        .then_some(*first)
}
