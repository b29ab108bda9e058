//! Refunds, disputes and reversals of payments that stand in suspense: they post against suspense, and a
//! payment that they bring to zero needs nobody to place it.
//!
//! That holds where all of a payment's money stands in suspense. Where part of it is settled, nobody
//! can say which part a refund gave back: it is then a refund like any other, and posts as one.

use super::{
    facts::LineFacts,
    figures::{Figures, given_to},
    identity::{Identities, canonical},
    index::{At, Index, Party},
};
use crate::{
    line::{RowKind, Verdict},
    money::Currency,
};
use std::collections::{BTreeMap, BTreeSet};

/// What ties a payment row to the rows that follow it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PaymentKey {
    /// An attempt of ours.
    At(At),
    /// A provider id in an account that no attempt of ours holds.
    Id(i64, String),
}

/// What stands in suspense.
#[derive(Debug, Default)]
pub struct Suspense {
    /// Places of matched rows that post against suspense, since their payment stands there.
    pub follow: BTreeSet<usize>,
    /// Places of payment rows in suspense that what follows them brings to zero.
    pub even: BTreeSet<usize>,
}

#[derive(Default)]
struct Pool {
    payments: Vec<usize>,
    left: i128,
    taken: i128,
}

/// What a row is to a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Its money.
    Money,
    /// Gives it back, disputes it, or reverses it.
    Follows,
    /// Takes such a row back.
    TakesBack,
}

const fn part(line: &LineFacts) -> Option<Part> {
    Some(match line.kind {
        RowKind::Payment => Part::Money,
        // A reversal that brings money takes an earlier one back: money like the first.
        RowKind::PaymentReversal if line.gross > 0 => Part::Money,
        RowKind::Refund | RowKind::Chargeback | RowKind::PaymentReversal => Part::Follows,
        RowKind::RefundReversal | RowKind::ChargebackReversal => Part::TakesBack,
        _ => return None,
    })
}

/// Which payment a row is or follows, as far as that is known.
pub fn payment_key(
    index: &Index<'_>,
    identities: &Identities,
    place: usize,
    line: &LineFacts,
) -> Option<PaymentKey> {
    if let Some([(at, _)]) = given_to(index, line).as_deref() {
        return Some(PaymentKey::At(*at));
    }
    if let Some(at) = identities.payment_by_id(index, line, &[Party::Charge]) {
        return Some(PaymentKey::At(at));
    }
    let own = identities.certain(place).filter(|certain| {
        let intent = index.intent(certain.at.intent);
        intent.is_some_and(|i| Party::of(i) == Party::Charge)
    });
    match own {
        Some(certain) => Some(PaymentKey::At(certain.at)),
        None if line.provider_payment_id.is_empty() => None,
        None => Some(PaymentKey::Id(
            line.account,
            line.provider_payment_id.clone(),
        )),
    }
}

/// The attempts whose payments were given back, disputed or reversed, at least in part.
pub fn followed(index: &Index<'_>, identities: &Identities) -> BTreeSet<At> {
    let mut found = BTreeSet::new();
    for (place, line) in index.lines.iter().enumerate() {
        if part(line) == Some(Part::Follows)
            && let Some(PaymentKey::At(at)) = payment_key(index, identities, place, line)
        {
            found.insert(at);
        }
    }
    found
}

/// Lays rows that follow against payments in suspense, in an order that does not depend on arrival:
/// what stands in suspense anyway first, then by time; what is taken back last.
pub fn lay_out(index: &Index<'_>, identities: &Identities, figures: &Figures) -> Suspense {
    let mut pools: BTreeMap<(PaymentKey, Currency), Pool> = BTreeMap::new();
    let mut settled: BTreeSet<PaymentKey> = BTreeSet::new();
    let mut rows = Vec::new();
    for (place, line) in index.lines.iter().enumerate() {
        let Some(key) = payment_key(index, identities, place, line) else {
            continue;
        };
        let in_suspense = stands_in_suspense(figures, place, line);
        let amount = i128::from(line.gross).abs();
        match part(line) {
            Some(Part::Money) if in_suspense => {
                let pool = pools.entry((key, line.currency)).or_default();
                // A partial capture taken back is a payment row of negative gross.
                pool.left += i128::from(line.gross);
                pool.payments.push(place);
            }
            Some(Part::Money) => {
                settled.insert(key);
            }
            Some(Part::Follows) => {
                rows.push(((false, !in_suspense, canonical(line)), place, key, amount));
            }
            Some(Part::TakesBack) => {
                rows.push(((true, !in_suspense, canonical(line)), place, key, amount));
            }
            None => {}
        }
    }
    pools.retain(|(key, _), _| !settled.contains(key));
    rows.sort_by(|a, b| a.0.cmp(&b.0));
    let mut suspense = Suspense::default();
    for ((takes_back, matched, _), place, key, amount) in rows {
        let Some(line) = index.lines.get(place) else {
            continue;
        };
        let Some(pool) = pools.get_mut(&(key, line.currency)) else {
            continue;
        };
        let fits = if takes_back {
            amount <= pool.taken
        } else {
            amount <= pool.left
        };
        if matched && !fits {
            continue;
        }
        let change = if takes_back { -amount } else { amount };
        pool.left -= change;
        pool.taken += change;
        if matched {
            suspense.follow.insert(place);
        }
    }
    for pool in pools.into_values().filter(|pool| pool.left == 0) {
        suspense.even.extend(pool.payments);
    }
    suspense
}

fn stands_in_suspense(figures: &Figures, place: usize, line: &LineFacts) -> bool {
    !line.rulings.is_outside()
        && figures
            .of
            .get(&place)
            .is_none_or(|count| count.verdict != Verdict::Matched)
}
