//! Numbers that look drawn and are the same on every run.

/// splitmix64, as Steele, Lea and Flood describe it in "Fast splittable pseudorandom number
/// generators" (2014): small, and good enough to make a shop look busy.
#[derive(Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to one less than `sides`.
    pub(super) fn roll(&mut self, sides: u32) -> u32 {
        let sides = u64::from(sides.max(1));
        u32::try_from(self.next() % sides).unwrap_or(0)
    }

    /// One of a list; the default of the type where the list is empty.
    pub(super) fn one_of<T: Copy + Default>(&mut self, list: &[T]) -> T {
        let sides = u32::try_from(list.len()).unwrap_or(u32::MAX);
        let place = self.roll(sides);
        list.get(place as usize).copied().unwrap_or_default()
    }

    /// An id as providers draw them, after a prefix.
    pub(super) fn id(&mut self, prefix: &str, alphabet: &[char], length: usize) -> String {
        let drawn = (0..length).map(|_| self.one_of(alphabet));
        prefix.chars().chain(drawn).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_and_none_beyond_the_sides() {
        let rolls = |seed| {
            let mut dice = Dice::new(seed);
            (0..100).map(|_| dice.roll(6)).collect::<Vec<_>>()
        };
        assert_eq!(rolls(7), rolls(7));
        assert_ne!(rolls(7), rolls(8));
        assert!(rolls(7).iter().all(|n| *n < 6));
    }
}
