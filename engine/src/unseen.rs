//! What a look-up that runs ahead of the writing cannot have seen: what our last units of work wrote.

use std::{
    collections::{HashSet, VecDeque},
    hash::Hash,
};

/// Keys that our last units of work wrote, by the numbers of those units, which only grow.
#[derive(Debug)]
pub struct Unseen<K> {
    units: VecDeque<(i64, HashSet<K>)>,
}

impl<K> Default for Unseen<K> {
    fn default() -> Self {
        Self {
            units: VecDeque::new(),
        }
    }
}

impl<K: Eq + Hash> Unseen<K> {
    /// Begins a unit of work.
    pub fn begin(&mut self, number: i64) {
        self.units.push_back((number, HashSet::new()));
    }

    /// Forgets the units up to this one: look-ups from here on saw them.
    pub fn forget(&mut self, seen: i64) {
        while self.units.front().is_some_and(|(unit, _)| *unit <= seen) {
            self.units.pop_front();
        }
    }

    /// Whether the units after `seen` up to the present one are all ours. Forgets the others.
    pub fn alone_since(&mut self, seen: i64) -> bool {
        self.forget(seen);
        let ours = i64::try_from(self.units.len()).unwrap_or(i64::MAX);
        self.units
            .back()
            .is_none_or(|(unit, _)| unit.checked_sub(seen) == Some(ours))
    }

    /// Whether one of our units wrote a key that look-ups may not have seen.
    pub fn contains(&self, key: &K) -> bool {
        self.units.iter().any(|(_, keys)| keys.contains(key))
    }

    /// Notes a key of the present unit; false if it was written already.
    pub fn take(&mut self, key: K) -> bool {
        !self.contains(&key)
            && self
                .units
                .back_mut()
                .is_some_and(|(_, keys)| keys.insert(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_taken_once_until_look_ups_see_it() {
        let mut unseen = Unseen::default();
        unseen.begin(5);
        assert!(unseen.alone_since(4));
        assert!(unseen.take(1));
        assert!(!unseen.take(1));
        unseen.begin(6);
        // Looked up before the first unit of work was committed.
        assert!(unseen.alone_since(4));
        assert!(!unseen.take(1));
        assert!(unseen.take(2));
        // Looked up after it: the database itself tells that 1 is taken.
        assert!(unseen.alone_since(5));
        assert!(unseen.take(1));
        assert!(!unseen.take(2));
    }

    #[test]
    fn a_unit_of_somebody_else_shows() {
        let mut unseen = Unseen::<i64>::default();
        unseen.begin(5);
        assert!(unseen.alone_since(4));
        unseen.begin(7);
        assert!(!unseen.alone_since(4));
        assert!(!unseen.alone_since(5));
        assert!(unseen.alone_since(6));
    }
}
