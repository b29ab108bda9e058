//! What a look-up ahead of the writing cannot have seen: the intents that lines took since.

use std::collections::{HashSet, VecDeque};

/// Intents taken in our last units of work, by their passes of the account's gate.
#[derive(Default)]
pub struct Taken {
    passes: VecDeque<(i64, HashSet<i64>)>,
}

impl Taken {
    /// Begins a unit of work with its pass of the gate.
    pub fn begin(&mut self, pass: i64) {
        self.passes.push_back((pass, HashSet::new()));
    }

    /// Whether nobody but us passed the gate since it stood at `seen`. Later questions must not be
    /// about earlier times: what was taken up to then is forgotten.
    pub fn alone_since(&mut self, seen: i64) -> bool {
        while self.passes.front().is_some_and(|(pass, _)| *pass <= seen) {
            self.passes.pop_front();
        }
        let ours = i64::try_from(self.passes.len()).unwrap_or(i64::MAX);
        self.passes
            .back()
            .is_none_or(|(pass, _)| pass.checked_sub(seen) == Some(ours))
    }

    /// Takes an intent; false if a line took it that a look-up since then may not have seen.
    pub fn take(&mut self, intent: i64) -> bool {
        if self.passes.iter().any(|(_, taken)| taken.contains(&intent)) {
            return false;
        }
        self.passes
            .back_mut()
            .is_some_and(|(_, taken)| taken.insert(intent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_intent_is_taken_once_until_look_ups_see_it() {
        let mut taken = Taken::default();
        taken.begin(5);
        assert!(taken.alone_since(4));
        assert!(taken.take(1));
        assert!(!taken.take(1));
        taken.begin(6);
        // Looked up before the first unit of work was committed.
        assert!(taken.alone_since(4));
        assert!(!taken.take(1));
        assert!(taken.take(2));
        // Looked up after it: the database itself tells that 1 is taken.
        assert!(taken.alone_since(5));
        assert!(taken.take(1));
        assert!(!taken.take(2));
    }

    #[test]
    fn a_pass_of_somebody_else_shows() {
        let mut taken = Taken::default();
        taken.begin(5);
        assert!(taken.alone_since(4));
        taken.begin(7);
        assert!(!taken.alone_since(4));
        assert!(!taken.alone_since(5));
        assert!(taken.alone_since(6));
    }
}
