//! Which entry takes another back. An undone decision leaves its entry alone: a new entry of the same
//! cause, or of the same line, brings every account back to where it stood.

use crate::{
    Error,
    storage::{
        books::{self, Entry, PostingOfEntry},
        lines,
        tx::Connected,
    },
};
use std::collections::BTreeMap;

/// An entry's counterparts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counterparts {
    /// The entry that it reverses.
    pub reverses: Option<i64>,
    /// The entry that reverses it.
    pub reversed_by: Option<i64>,
}

/// What an entry moved, by ledger account and currency.
type Moved = BTreeMap<(String, String), i64>;

/// The counterparts of an entry; `line` is the one whose amount it moved, where it did.
pub(super) async fn counterparts(
    mut tx: impl Connected,
    entry: &Entry,
    line: Option<i64>,
) -> Result<Counterparts, Error> {
    let related = match (entry.cause_kind.as_str(), line) {
        ("decision" | "reversal", _) => {
            books::entries_of_cause(&mut tx, &entry.cause, entry.account_id).await?
        }
        ("move", Some(line)) => moves_of_line(&mut tx, line).await?,
        _ => return Ok(Counterparts::default()),
    };
    let mut moved: BTreeMap<i64, Moved> = BTreeMap::new();
    for posting in books::postings(&mut tx, related.iter().copied()).await? {
        let PostingOfEntry {
            entry_id,
            ledger_account,
            currency,
            amount,
        } = posting;
        *moved
            .entry(entry_id)
            .or_default()
            .entry((ledger_account, currency))
            .or_default() += amount;
    }
    Ok(pair(&moved)
        .into_iter()
        .fold(Counterparts::default(), |mut found, (earlier, later)| {
            if later == entry.id {
                found.reverses = Some(earlier);
            }
            if earlier == entry.id {
                found.reversed_by = Some(later);
            }
            found
        }))
}

/// The entries that moved a line's amount after it was posted, in their order.
async fn moves_of_line(mut tx: impl Connected, line: i64) -> Result<Vec<i64>, Error> {
    let mut moves = Vec::new();
    for verdict in lines::verdicts(&mut tx, line).await? {
        let Some(entry) = books::entry(&mut tx, verdict.entry_id).await? else {
            continue;
        };
        if entry.cause_kind == "move" {
            moves.push(entry.id);
        }
    }
    moves.sort_unstable();
    Ok(moves)
}

/// Each entry that undoes exactly what an earlier one did, with the nearest such that nothing undid
/// before: earlier, later.
fn pair(moved: &BTreeMap<i64, Moved>) -> Vec<(i64, i64)> {
    let mut standing: Vec<(i64, &Moved)> = Vec::new();
    let mut pairs = Vec::new();
    for (entry, what) in moved {
        match standing
            .iter()
            .rposition(|(_, earlier)| undoes(what, earlier))
        {
            Some(place) => pairs.push((standing.remove(place).0, *entry)),
            None => standing.push((*entry, what)),
        }
    }
    pairs
}

fn undoes(later: &Moved, earlier: &Moved) -> bool {
    later.len() == earlier.len()
        && later
            .iter()
            .all(|(account, amount)| earlier.get(account) == amount.checked_neg().as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: i64, receipts: i64) -> (i64, Moved) {
        let of = |account: &str| (account.to_owned(), "EUR".to_owned());
        let moved = [(of("receipts"), receipts), (of("suspense"), -receipts)];
        (number, moved.into())
    }

    #[test]
    fn what_is_undone_and_done_again_is_not_taken_for_an_undoing() {
        let moved: BTreeMap<i64, Moved> = [
            entry(3, -100),
            entry(5, 100),
            entry(8, -100),
            entry(9, -95),
            entry(12, 100),
        ]
        .into();
        assert_eq!(pair(&moved), [(3, 5), (8, 12)]);
    }
}
