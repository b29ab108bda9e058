//! Which rows of a history have a leaf: runs of ids, so that a million rows take few bytes.

use std::collections::BTreeMap;

/// Rows of one history by id and second key.
#[derive(Debug, Default)]
pub struct Coverage {
    /// For each second key: first to last id of each run, none touching another.
    runs: BTreeMap<i64, BTreeMap<i64, i64>>,
    count: i64,
}

impl Coverage {
    /// Adds a row; false if it is there already.
    pub fn add(&mut self, (id, part): (i64, i64)) -> bool {
        let runs = self.runs.entry(part).or_default();
        let before = runs.range(..=id).next_back().map(|(f, l)| (*f, *l));
        if before.is_some_and(|(_, last)| last >= id) {
            return false;
        }
        let first = match before {
            Some((first, last)) if last.checked_add(1) == Some(id) => first,
            _ => id,
        };
        let last = id
            .checked_add(1)
            .and_then(|next| runs.remove(&next))
            .unwrap_or(id);
        runs.insert(first, last);
        self.count += 1;
        true
    }

    /// Whether a row is there.
    pub fn has(&self, (id, part): (i64, i64)) -> bool {
        self.runs
            .get(&part)
            .and_then(|runs| runs.range(..=id).next_back())
            .is_some_and(|(_, last)| *last >= id)
    }

    /// How many rows there are.
    pub const fn count(&self) -> i64 {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_in_any_order_are_found_once_each() {
        let mut coverage = Coverage::default();
        for id in [5, 7, 6, 1, 2, 9, 8] {
            assert!(coverage.add((id, 1)));
        }
        assert!(coverage.add((5, 2)));
        for id in [1, 5, 6, 7, 9] {
            assert!(!coverage.add((id, 1)), "{id}");
        }
        assert!(coverage.has((8, 1)) && !coverage.has((3, 1)) && !coverage.has((8, 2)));
        assert_eq!(coverage.count(), 8);
        assert_eq!(coverage.runs[&1].len(), 2);
    }
}
