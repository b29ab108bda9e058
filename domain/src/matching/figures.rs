//! R3 and sums: whether the lines of an intent make its amount.
//!
//! An intent's own money (captures, disbursements, a refund intent's refunds) must come exactly. What
//! follows a payment (its refunds, its disputes) may be any part of it, never more than the whole.

use super::{
    facts::{IntentFacts, LineFacts},
    identity::{Identities, canonical},
    index::{At, Index, Party},
    judgement::Movement,
    rulings::Ruling,
    subset,
};
use crate::{
    cases::CaseKind,
    line::{RowKind, Rule, Verdict},
    matching::explanation::Finding,
    money::AmountOverflow,
};
use std::collections::{BTreeMap, BTreeSet};

/// What counting gave for one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// MATCHED or CONFLICT.
    pub verdict: Verdict,
    /// By which rule.
    pub rule: Rule,
    /// What decided.
    pub finding: Finding,
    /// The movement.
    pub movement: Movement,
    /// What is matched to whom, in minor units of the intent's currency.
    pub shares: Vec<(At, i64)>,
    /// Whom it is counted with, matched or not: the attempts.
    pub with: Vec<At>,
    /// What a decision writes off beside it: intent's amount minus what came.
    pub written_off: i64,
    /// Other lines that make the sum with it.
    pub together: Together,
}

/// Lines that make a sum with another. Each names a few: were each to name all, their names would grow
/// with the square of the lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Together {
    /// The first of them by name, by place.
    pub named: Vec<usize>,
    /// How many there are.
    pub all: usize,
}

/// Lines that another names.
const MOST_NAMED: usize = 20;

/// A movement's sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sum {
    /// What the intent allows.
    pub allowed: i64,
    /// What is matched.
    pub matched: i64,
}

/// Figures that a person must look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// amount_mismatch, currency_mismatch or duplicate_settlement.
    pub kind: CaseKind,
    /// Place of the intent.
    pub intent: usize,
    /// Which movement.
    pub movement: Movement,
    /// All lines of the movement, by place; for a currency the one line.
    pub lines: Vec<usize>,
    /// Intent's amount minus what came; negative for too much.
    pub difference: i64,
    /// Whether more may rightly come.
    pub part: bool,
}

/// What counting gives.
#[derive(Debug, Default)]
pub struct Figures {
    /// By place of the line.
    pub of: BTreeMap<usize, Count>,
    /// By place of the intent.
    pub sums: BTreeMap<(usize, Movement), Sum>,
    /// What does not tie.
    pub troubles: Vec<Trouble>,
}

/// One line, or a person's share of one, in a movement of an intent.
#[derive(Debug, Clone, Copy)]
struct Entry<'w> {
    place: usize,
    line: &'w LineFacts,
    at: At,
    rule: Rule,
    /// Minor units in the movement's direction; negative takes back.
    amount: i64,
    /// Whether its currency is not the intent's.
    foreign: bool,
    standing: Standing,
}

/// How an entry takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// A person said whose it is.
    Given,
    /// A person said that its amount stands.
    Accepted,
    /// Takes an earlier movement back.
    Back,
    /// To be counted.
    Free,
    /// To be counted last: a person has recorded it as external already.
    External,
    /// Another currency than the intent's.
    Foreign,
}

/// Counts every line whose identity is certain or given.
///
/// Of lines that are equally good, those whose attempt was followed by a refund or dispute yield.
pub fn count(
    index: &Index<'_>,
    identities: &Identities,
    followed: &BTreeSet<At>,
) -> Result<Figures, AmountOverflow> {
    let mut groups: BTreeMap<(usize, Movement), Vec<Entry<'_>>> = BTreeMap::new();
    for (place, line) in index.lines.iter().enumerate() {
        for entry in entries_of(index, identities, place, line)? {
            groups
                .entry((entry.at.intent, movement_of(line.kind)))
                .or_default()
                .push(entry);
        }
    }
    let mut figures = Figures::default();
    for ((place, movement), entries) in groups {
        let Some(intent) = index.intent(place) else {
            continue;
        };
        let mut group = Group {
            place,
            movement,
            allowed: i128::from(intent.amount.minor),
            back: 0,
            matched: 0,
            figures: &mut figures,
        };
        if movement == main_movement(intent) {
            group.exactly(&entries, |e| followed.contains(&e.at))?;
        } else {
            group.at_most(&entries)?;
        }
    }
    Ok(figures)
}

/// The movement that is an intent's own money.
pub fn main_movement(intent: &IntentFacts) -> Movement {
    if intent.is_refund() {
        Movement::Refund
    } else {
        Movement::Capture
    }
}

/// The movement that rows of a kind are counted in.
pub const fn movement_of(kind: RowKind) -> Movement {
    match kind {
        RowKind::Refund | RowKind::RefundReversal => Movement::Refund,
        RowKind::Chargeback | RowKind::ChargebackReversal => Movement::Chargeback,
        _ => Movement::Capture,
    }
}

/// 1 where the movement's direction is that of our balance, as for money in; else -1.
pub fn sign_of(party: Party, kind: RowKind) -> i64 {
    let captures = matches!(kind, RowKind::Payment | RowKind::PaymentReversal);
    if party == Party::Charge && captures {
        1
    } else {
        -1
    }
}

/// What a line comes to in the direction of an intent's movement.
pub fn signed(line: &LineFacts, intent: &IntentFacts) -> Result<i64, AmountOverflow> {
    line.presented
        .minor
        .checked_mul(sign_of(Party::of(intent), line.kind))
        .ok_or(AmountOverflow)
}

fn entries_of<'w>(
    index: &Index<'w>,
    identities: &Identities,
    place: usize,
    line: &'w LineFacts,
) -> Result<Vec<Entry<'w>>, AmountOverflow> {
    if let Some(given) = given_to(index, line) {
        let entry = |(at, amount)| Entry {
            place,
            line,
            at,
            rule: Rule::Person,
            amount,
            foreign: false,
            standing: Standing::Given,
        };
        return Ok(given.into_iter().map(entry).collect());
    }
    let Some(certain) = identities.certain(place) else {
        return Ok(Vec::new());
    };
    let Some(intent) = index.intent(certain.at.intent) else {
        return Ok(Vec::new());
    };
    let amount = signed(line, intent)?;
    let Some(standing) = standing_of(line, intent, amount) else {
        return Ok(Vec::new());
    };
    Ok(vec![Entry {
        place,
        line,
        at: certain.at,
        rule: certain.rule,
        amount,
        foreign: line.presented.currency != intent.amount.currency,
        standing,
    }])
}

/// To whom a person gave a line, where all of them are known.
pub fn given_to(index: &Index<'_>, line: &LineFacts) -> Option<Vec<(At, i64)>> {
    let shares = line.rulings.shares()?;
    shares
        .iter()
        .map(|s| Some((index.by_public_ids(&s.intent, &s.attempt)?, s.amount)))
        .collect()
}

/// None for a line that a person put outside.
fn standing_of(line: &LineFacts, intent: &IntentFacts, amount: i64) -> Option<Standing> {
    let follows = movement_of(line.kind) != main_movement(intent);
    let takes_back = amount <= 0
        && matches!(
            line.kind,
            RowKind::PaymentReversal | RowKind::RefundReversal | RowKind::ChargebackReversal
        );
    match &line.rulings.identity {
        Some(Ruling::External) if follows => return Some(Standing::External),
        Some(Ruling::External | Ruling::Correct { .. }) => return None,
        _ => {}
    }
    Some(if line.rulings.figures.is_some() {
        Standing::Accepted
    } else if line.presented.currency != intent.amount.currency {
        Standing::Foreign
    } else if takes_back {
        Standing::Back
    } else {
        Standing::Free
    })
}

/// One movement of one intent, being counted.
struct Group<'f> {
    place: usize,
    movement: Movement,
    allowed: i128,
    /// What is taken back: zero or less.
    back: i128,
    /// What is matched so far, without what is taken back.
    matched: i128,
    figures: &'f mut Figures,
}

impl Group<'_> {
    /// The intent's own money.
    fn exactly(
        &mut self,
        entries: &[Entry<'_>],
        followed: impl Fn(&Entry<'_>) -> bool,
    ) -> Result<(), AmountOverflow> {
        self.take_back(entries);
        let fixed = with_standing(entries, &[Standing::Given, Standing::Accepted]);
        let fixed_came = self.fix(&fixed)?;
        self.refuse_foreign(entries);
        let free = with_standing(entries, &[Standing::Free]);
        let came = fixed_came + total(&free);
        let several = fixed.len() + free.len() > 1;
        let over = came + self.back > self.allowed;
        let before = self.matched;
        if self.ties(before + total(&free)) {
            self.match_all(&free, several);
        } else if over && several {
            self.keep_what_ties(&free, followed);
        } else {
            let finding = if over {
                Finding::TooMuch
            } else {
                Finding::AmountDiffers
            };
            self.conflict_all(&free, finding);
        }
        let counted = fixed_came + self.matched - before;
        self.write_off(&fixed, self.allowed - counted)?;
        let in_conflict = free.iter().any(|e| self.stands_in_conflict(e));
        let given = fixed.iter().any(|e| e.line.rulings.figures.is_none());
        if in_conflict || (given && !self.ties(came)) {
            let kind = if over && several {
                CaseKind::DuplicateSettlement
            } else {
                CaseKind::AmountMismatch
            };
            self.trouble(kind, entries, self.allowed - came - self.back, !over)?;
        }
        self.close()
    }

    /// What follows a payment.
    fn at_most(&mut self, entries: &[Entry<'_>]) -> Result<(), AmountOverflow> {
        self.take_back(entries);
        self.fix(&with_standing(
            entries,
            &[Standing::Given, Standing::Accepted],
        ))?;
        self.refuse_foreign(entries);
        let mut free = with_standing(entries, &[Standing::Free, Standing::External]);
        free.sort_by_key(|e| (e.standing == Standing::External, canonical(e.line)));
        let mut over = false;
        for entry in &free {
            if i128::from(entry.amount) <= self.room() {
                self.match_one(entry, entry.rule, Finding::Agrees, Together::default());
            } else if entry.standing == Standing::Free {
                over = true;
                self.conflict_all(&[*entry], Finding::TooMuch);
            }
        }
        if over {
            let kind = if free.len() > 1 {
                CaseKind::DuplicateSettlement
            } else {
                CaseKind::AmountMismatch
            };
            let difference = self.allowed - total(&free) - self.back;
            self.trouble(kind, entries, difference, false)?;
        }
        self.close()
    }

    /// Whether an amount is the intent's, before or after what was taken back.
    fn ties(&self, came: i128) -> bool {
        came == self.allowed || came + self.back == self.allowed
    }

    /// What may still be matched.
    fn room(&self) -> i128 {
        self.allowed - self.back - self.matched
    }

    /// Rows that take back are matched as they are: what they took is in no doubt.
    fn take_back(&mut self, entries: &[Entry<'_>]) {
        for entry in with_standing(entries, &[Standing::Back]) {
            self.back += i128::from(entry.amount);
            let shares = vec![(entry.at, entry.amount)];
            self.put(
                &entry,
                Verdict::Matched,
                entry.rule,
                Finding::Agrees,
                shares,
            );
        }
    }

    /// What people said stands, as far as the intent allows. Gives what came by it.
    fn fix(&mut self, fixed: &[Entry<'_>]) -> Result<i128, AmountOverflow> {
        let mut came = 0;
        for entry in fixed {
            let room = self.room().max(0);
            // An accepted amount of another currency settles what is open, whatever it is worth; one
            // that is written off, at most what was approved.
            let amount = match (entry.foreign, &entry.line.rulings.figures) {
                (true, Some(Ruling::WriteOff { difference })) => {
                    i128::from(*difference).clamp(0, room)
                }
                (true, _) => room,
                (false, _) => i128::from(entry.amount),
            };
            came += amount;
            let share = amount.min(room);
            self.matched += share;
            let shares = vec![(entry.at, i64::try_from(share).map_err(|_| AmountOverflow)?)];
            self.put(
                entry,
                Verdict::Matched,
                Rule::Person,
                Finding::ByPerson,
                shares,
            );
        }
        Ok(came)
    }

    fn refuse_foreign(&mut self, entries: &[Entry<'_>]) {
        for entry in with_standing(entries, &[Standing::Foreign]) {
            self.conflict_all(&[entry], Finding::CurrencyDiffers);
            self.figures.troubles.push(Trouble {
                kind: CaseKind::CurrencyMismatch,
                intent: self.place,
                movement: self.movement,
                lines: vec![entry.place],
                difference: 0,
                part: false,
            });
        }
    }

    fn match_all(&mut self, free: &[Entry<'_>], several: bool) {
        // By name, so that whom a line names does not depend on the order of arrival.
        let mut named: Vec<&Entry<'_>> = free.iter().collect();
        named.sort_by_key(|e| &e.line.name);
        let named: Vec<usize> = named.iter().map(|e| e.place).take(MOST_NAMED + 1).collect();
        for entry in free {
            if several && free.len() > 1 {
                let others = named.iter().copied().filter(|p| *p != entry.place);
                let together = Together {
                    named: others.take(MOST_NAMED).collect(),
                    all: free.len() - 1,
                };
                self.match_one(entry, Rule::Group, Finding::SumsExactly, together);
            } else {
                self.match_one(entry, entry.rule, Finding::Agrees, Together::default());
            }
        }
    }

    /// More came than the intent allows: of the lines that make it exactly with the fewest, the
    /// first to arrive keep the match, those whose money was given back last.
    fn keep_what_ties(&mut self, free: &[Entry<'_>], followed: impl Fn(&Entry<'_>) -> bool) {
        let mut preferred = free.to_vec();
        preferred.sort_by_key(|e| (followed(e), e.line.key));
        let amounts: Vec<i64> = preferred.iter().map(|e| e.amount).collect();
        let kept = [self.room(), self.room() + self.back]
            .into_iter()
            .filter(|room| *room > 0)
            .find_map(|room| subset::fewest(&amounts, room))
            .unwrap_or_default();
        let kept: Vec<Entry<'_>> = kept
            .iter()
            .filter_map(|i| preferred.get(*i).copied())
            .collect();
        self.match_all(&kept, true);
        let kept: BTreeSet<usize> = kept.iter().map(|k| k.place).collect();
        let rest: Vec<Entry<'_>> = free
            .iter()
            .copied()
            .filter(|e| !kept.contains(&e.place))
            .collect();
        self.conflict_all(&rest, Finding::TooMuch);
    }

    fn match_one(&mut self, entry: &Entry<'_>, rule: Rule, finding: Finding, with: Together) {
        self.matched += i128::from(entry.amount);
        let shares = vec![(entry.at, entry.amount)];
        self.put(entry, Verdict::Matched, rule, finding, shares);
        if let Some(count) = self.figures.of.get_mut(&entry.place) {
            count.together = with;
        }
    }

    fn conflict_all(&mut self, entries: &[Entry<'_>], finding: Finding) {
        for entry in entries {
            self.put(entry, Verdict::Conflict, entry.rule, finding, Vec::new());
        }
    }

    fn stands_in_conflict(&self, entry: &Entry<'_>) -> bool {
        let count = self.figures.of.get(&entry.place);
        count.is_some_and(|c| c.verdict == Verdict::Conflict)
    }

    /// Enters a line's count; a line that a person shared out is counted in several groups.
    fn put(
        &mut self,
        entry: &Entry<'_>,
        verdict: Verdict,
        rule: Rule,
        finding: Finding,
        mut shares: Vec<(At, i64)>,
    ) {
        // What a person matched where nothing was open is matched with nothing, and says so.
        shares.retain(|(_, amount)| *amount != 0 || rule == Rule::Person);
        let count = self.figures.of.entry(entry.place).or_insert_with(|| Count {
            verdict,
            rule,
            finding,
            movement: self.movement,
            shares: Vec::new(),
            with: Vec::new(),
            written_off: 0,
            together: Together::default(),
        });
        count.shares.extend(shares);
        count.with.push(entry.at);
    }

    /// What a decision writes off is what is still amiss, at most what was approved. It stands on
    /// the last line that the decision concerns.
    fn write_off(&mut self, fixed: &[Entry<'_>], amiss: i128) -> Result<(), AmountOverflow> {
        let last =
            fixed
                .iter()
                .rev()
                .filter(|e| !e.foreign)
                .find_map(|e| match e.line.rulings.figures {
                    Some(Ruling::WriteOff { difference }) => {
                        Some((e.place, i128::from(difference)))
                    }
                    _ => None,
                });
        let Some((place, approved)) = last else {
            return Ok(());
        };
        let amount = if approved > 0 {
            amiss.clamp(0, approved)
        } else {
            amiss.clamp(approved, 0)
        };
        if let Some(count) = self.figures.of.get_mut(&place) {
            count.written_off = i64::try_from(amount).map_err(|_| AmountOverflow)?;
        }
        Ok(())
    }

    fn trouble(
        &mut self,
        kind: CaseKind,
        entries: &[Entry<'_>],
        difference: i128,
        part: bool,
    ) -> Result<(), AmountOverflow> {
        let same_currency = entries.iter().filter(|e| e.standing != Standing::Foreign);
        self.figures.troubles.push(Trouble {
            kind,
            intent: self.place,
            movement: self.movement,
            lines: same_currency.map(|e| e.place).collect(),
            difference: i64::try_from(difference).map_err(|_| AmountOverflow)?,
            part,
        });
        Ok(())
    }

    fn close(&mut self) -> Result<(), AmountOverflow> {
        let sum = Sum {
            allowed: i64::try_from(self.allowed).map_err(|_| AmountOverflow)?,
            matched: i64::try_from(self.matched + self.back).map_err(|_| AmountOverflow)?,
        };
        self.figures.sums.insert((self.place, self.movement), sum);
        Ok(())
    }
}

fn with_standing<'w>(entries: &[Entry<'w>], standings: &[Standing]) -> Vec<Entry<'w>> {
    entries
        .iter()
        .copied()
        .filter(|e| standings.contains(&e.standing))
        .collect()
}

fn total(entries: &[Entry<'_>]) -> i128 {
    entries.iter().map(|e| i128::from(e.amount)).sum()
}
