//! Sums beyond 64 bits. Databases add in 64 bits, or give back what does not fit them; so statements sum
//! thousand millions and the rest apart, and the two are put together here in 128 bits.

/// What a statement divides by before it sums: `SUM(x / 1000000000)` and `SUM(x % 1000000000)`.
const PART: i128 = 1_000_000_000;

/// The sum whose parts these are.
pub fn wide(high: i64, low: i64) -> i128 {
    i128::from(high) * PART + i128::from(low)
}

/// The parts of one amount.
pub const fn parts(minor: i64) -> (i64, i64) {
    (minor / 1_000_000_000, minor % 1_000_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_amounts_of_either_sign_make_their_sum() {
        let amounts = [i64::MAX, i64::MAX, -1, -2_500_000_000, 999_999_999];
        let high = amounts.iter().map(|a| parts(*a).0).sum();
        let low = amounts.iter().map(|a| parts(*a).1).sum();
        // By hand: twice 9,223,372,036,854,775,807 less 2,500,000,001 and 999,999,999 more.
        assert_eq!(wide(high, low), 18_446_744_072_209_551_612);
    }
}
