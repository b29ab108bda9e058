//! Word of what is to be judged again, for those who judge.

use super::{Ids, Writing};
use crate::{
    import_payments::plan::{IntentRef, Plan},
    storage::{StorageError, Tx, payments},
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Ids that lie this close together are one range, whatever lies between them.
const CLOSE: i64 = 1_000;

/// Leaves word which attempts are to be judged against the lines that are there, and which intents:
/// one that was never tried counts in every account, and one that is tried now no longer does.
pub(super) async fn leave(tx: &mut Tx, writing: &Writing<'_>) -> Result<(), StorageError> {
    let Writing {
        plan, ids, names, ..
    } = *writing;
    let mut attempts: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    let touched = (ids.attempts..)
        .zip(plan.attempts.iter().map(|a| a.account))
        .chain(
            plan.updates
                .iter()
                .map(|u| (ids.attempt(u.known.at), u.known.account)),
        );
    for (id, account) in touched {
        attempts.entry(account).or_default().push(id);
    }
    for (account, list) in attempts {
        for (first, last) in ranges(list) {
            payments::insert_rematch(tx, account, "attempts", first, last).await?;
        }
    }
    let accounts: BTreeSet<i64> = names.keys().copied().collect();
    for (first, last) in ranges(untried_or_no_longer(plan, ids)) {
        for account in &accounts {
            payments::insert_rematch(tx, *account, "intents", first, last).await?;
        }
    }
    Ok(())
}

/// New intents without an attempt, and stored ones that got one: perhaps their first.
fn untried_or_no_longer(plan: &Plan, ids: &Ids) -> Vec<i64> {
    let tried: HashSet<IntentRef> = plan.attempts.iter().map(|a| a.intent).collect();
    let untried = (0..plan.intents.len())
        .map(IntentRef::New)
        .filter(|intent| !tried.contains(intent));
    let stored = tried
        .iter()
        .copied()
        .filter(|intent| matches!(intent, IntentRef::Stored(_)));
    untried
        .chain(stored)
        .map(|intent| ids.intent(intent))
        .collect()
}

/// Ranges that hold these ids, in order. Ids of one import lie close together however its rows are
/// sorted: a range covers some others too, and each is a word and units of work less.
fn ranges(mut ids: Vec<i64>) -> Vec<(i64, i64)> {
    ids.sort_unstable();
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for id in ids {
        match ranges.last_mut() {
            Some((_, last)) if id - *last < CLOSE => *last = id,
            _ => ranges.push((id, id)),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_sorted_otherwise_than_the_payments_were_stored_leaves_as_few_words() {
        let sorted = (1..=3_000).collect::<Vec<_>>();
        let shuffled: Vec<i64> = (0..3_000).map(|n| 1 + n * 1_207 % 3_000).collect();
        assert_eq!(ranges(sorted), [(1, 3_000)]);
        assert_eq!(ranges(shuffled), [(1, 3_000)]);
        assert_eq!(
            ranges(vec![5_000, 1, 1_000, 5_000]),
            [(1, 1_000), (5_000, 5_000)]
        );
    }
}
