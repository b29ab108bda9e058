//! Which of several amounts make a sum exactly, with the fewest of them.

use std::collections::BTreeMap;

/// How many combinations are looked at before giving up: then nothing is chosen.
const MOST_STEPS: u32 = 20_000;

/// How many different amounts are looked at: also how deep the search goes.
const MOST_AMOUNTS: usize = 64;

/// Places of the amounts that make the sum with the fewest members; of equal amounts the earlier
/// ones. None where nothing makes it, where two different choices do equally well, or where there
/// are too many to look at.
pub fn fewest(amounts: &[i64], sum: i128) -> Option<Vec<usize>> {
    let mut places: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (place, amount) in amounts.iter().enumerate() {
        places.entry(*amount).or_default().push(place);
    }
    if places.len() > MOST_AMOUNTS {
        return None;
    }
    let counts: Vec<(i64, usize)> = places.iter().rev().map(|(a, p)| (*a, p.len())).collect();
    let mut search = Search {
        counts: &counts,
        steps: 0,
        best: Vec::new(),
        best_members: usize::MAX,
        tied: false,
    };
    search.from(0, sum, &mut Vec::new());
    if search.tied || search.best_members == usize::MAX || search.steps > MOST_STEPS {
        return None;
    }
    let mut chosen = Vec::new();
    for ((amount, _), taken) in counts.iter().zip(&search.best) {
        chosen.extend(places.get(amount)?.iter().take(*taken));
    }
    chosen.sort_unstable();
    Some(chosen)
}

struct Search<'a> {
    counts: &'a [(i64, usize)],
    steps: u32,
    best: Vec<usize>,
    best_members: usize,
    tied: bool,
}

impl Search<'_> {
    fn from(&mut self, next: usize, left: i128, taken: &mut Vec<usize>) {
        self.steps += 1;
        let members: usize = taken.iter().sum();
        if self.steps > MOST_STEPS || members > self.best_members {
            return;
        }
        let Some((amount, most)) = self.counts.get(next).copied() else {
            if left == 0 && members > 0 {
                self.found(members, taken);
            }
            return;
        };
        for count in 0..=most {
            taken.push(count);
            let used = i128::from(amount) * i128::try_from(count).unwrap_or(i128::MAX);
            self.from(next + 1, left - used, taken);
            taken.pop();
        }
    }

    fn found(&mut self, members: usize, taken: &[usize]) {
        self.tied = members == self.best_members;
        self.best_members = members;
        self.best = taken.to_vec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_win_equals_go_to_the_earlier_and_two_ways_are_none() {
        for (amounts, sum, chosen) in [
            (vec![100, 100], 100, Some(vec![0])),
            (vec![60, 40, 60], 100, Some(vec![0, 1])),
            (vec![60, 40, 100], 100, Some(vec![2])),
            (vec![70, 30, 60, 40], 100, None),
            (vec![60, 60], 100, None),
            (vec![130, -30, 130], 100, Some(vec![0, 1])),
            (vec![], 100, None),
        ] {
            assert_eq!(fewest(&amounts, sum), chosen, "{amounts:?}");
        }
    }

    #[test]
    fn too_many_ways_to_look_at_choose_nothing() {
        let amounts: Vec<i64> = (1..40).map(|n| n * n * n).collect();
        assert_eq!(fewest(&amounts, 1_234_567), None);
        let amounts: Vec<i64> = (1..100_000).collect();
        assert_eq!(fewest(&amounts, 7), None);
    }
}
