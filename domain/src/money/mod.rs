//! Amounts in minor units and the currencies they are in. Never floating point.

mod currency;
mod minor_unit;

pub use currency::{Currency, UnknownCurrency};
pub use minor_unit::provider_exponent;

use std::fmt;

/// An amount of one currency in its minor units (cents, yen, fils).
///
/// The unit is the ISO 4217 exponent of the currency: 12.50 EUR is 1250, 350 JPY is 350,
/// 12.500 KWD is 12500. Providers that count otherwise are converted where their format is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Money {
    /// Signed minor units.
    pub minor: i64,
    /// The currency of the amount.
    pub currency: Currency,
}

/// A sum that does not fit 64 bits of minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the sum of amounts does not fit into 64 bits of minor units")]
pub struct AmountOverflow;

/// Why a text is no amount.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    /// Nothing there.
    #[error("the amount is empty")]
    Empty,
    /// Not a decimal number in the plain form `-123.45`.
    #[error(
        "{0:?} is not a decimal number: write it like 1250.50, with a point before the decimals and nothing but digits"
    )]
    NotANumber(String),
    /// More decimals than the currency has, and not all of them zero.
    #[error("{text:?} has digits beyond the {exponent} decimals of {currency}: {}", too_precise(*exponent))]
    TooPrecise {
        /// The text as given.
        text: String,
        /// Decimals that the currency has.
        exponent: u32,
        /// The currency.
        currency: Currency,
    },
    /// More than 64 bits of minor units.
    #[error("{0:?} is too large an amount: check its decimal point and its unit")]
    TooLarge(String),
}

/// What to do about digits that a currency does not have.
pub fn too_precise(exponent: u32) -> String {
    if exponent == 0 {
        "give a whole number, or correct the currency".to_owned()
    } else {
        format!("give at most {exponent} decimals, or correct the currency")
    }
}

impl Money {
    /// An amount from minor units.
    pub const fn new(minor: i64, currency: Currency) -> Self {
        Self { minor, currency }
    }

    /// Reads the plain major form used by our own files and API: optional `-`, digits, optional
    /// point and digits; no grouping, no exponent, no plus.
    pub fn parse_major(text: &str, currency: Currency) -> Result<Self, AmountError> {
        parse_decimal(text, currency.exponent(), currency).map(|minor| Self { minor, currency })
    }

    /// The amount in major units with the currency's own number of decimals: `-12.50`, `350`.
    pub fn major(self) -> String {
        major(self.minor, self.currency.exponent())
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.major(), self.currency)
    }
}

/// Writes minor units, of an amount or of a sum, as a decimal with `exponent` decimals.
pub fn major(minor: impl Into<i128>, exponent: u32) -> String {
    let minor: i128 = minor.into();
    let sign = if minor < 0 { "-" } else { "" };
    let digits = minor.unsigned_abs();
    if exponent == 0 {
        return format!("{sign}{digits}");
    }
    let scale = 10_u128.pow(exponent);
    format!(
        "{sign}{}.{:0width$}",
        digits / scale,
        digits % scale,
        width = exponent as usize
    )
}

/// The largest amount that a file may name, in minor units: ten million million euros. More than nine
/// thousand of them sum to less than 64 bits hold, so that no single row can spoil a balance.
pub const LARGEST_AMOUNT: i64 = 1_000_000_000_000_000;

/// The most that may be booked in a currency in all, in minor units: less than half of what 64 bits hold,
/// so that no balance, batch or day comes near their end. A file that would go beyond is held.
pub const LARGEST_SUM: i128 = 4_000_000_000_000_000_000;

/// Whether a file may name an amount.
pub const fn is_plausible(minor: i64) -> bool {
    minor >= -LARGEST_AMOUNT && minor <= LARGEST_AMOUNT
}

/// Reads a plain decimal into minor units of `exponent` decimals.
pub fn parse_decimal(text: &str, exponent: u32, currency: Currency) -> Result<i64, AmountError> {
    let minor = parse_wide(text, exponent, currency)?;
    i64::try_from(minor).map_err(|_| AmountError::TooLarge(text.chars().take(40).collect()))
}

/// Reads a sum in major units, which may be beyond 64 bits.
pub fn parse_sum(text: &str, currency: Currency) -> Result<i128, AmountError> {
    parse_wide(text, currency.exponent(), currency)
}

fn parse_wide(text: &str, exponent: u32, currency: Currency) -> Result<i128, AmountError> {
    let shortened = || text.chars().take(40).collect::<String>();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    if text.is_empty() {
        return Err(AmountError::Empty);
    }
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !all_digits(whole) || !all_digits(fraction) {
        return Err(AmountError::NotANumber(shortened()));
    }
    let mut minor: i128 = 0;
    let mut push = |digit: u8| -> Result<(), AmountError> {
        minor = minor
            .checked_mul(10)
            .and_then(|m| m.checked_sub(i128::from(digit)))
            .ok_or_else(|| AmountError::TooLarge(text.chars().take(40).collect()))?;
        Ok(())
    };
    for byte in whole.bytes() {
        push(byte - b'0')?;
    }
    let mut taken = 0;
    for byte in fraction.bytes() {
        if taken < exponent {
            push(byte - b'0')?;
            taken += 1;
        } else if byte != b'0' {
            return Err(AmountError::TooPrecise {
                text: shortened(),
                exponent,
                currency,
            });
        }
    }
    for _ in taken..exponent {
        push(0)?;
    }
    // Built downwards, since integers reach one further below zero than above.
    if negative {
        Ok(minor)
    } else {
        minor
            .checked_neg()
            .ok_or_else(|| AmountError::TooLarge(shortened()))
    }
}

/// Sums minor units in 128 bits and checks the way back.
pub fn sum(amounts: impl IntoIterator<Item = i64>) -> Result<i64, AmountOverflow> {
    let total: i128 = amounts.into_iter().map(i128::from).sum();
    i64::try_from(total).map_err(|_| AmountOverflow)
}

/// Parts of an amount by weight that add up to it: what rounding down leaves goes to the largest
/// remainders, of equal ones to the first. Without any weight the first part takes all.
pub fn apportion(amount: i64, weights: &[u64]) -> Vec<i64> {
    let whole: u128 = weights.iter().copied().map(u128::from).sum();
    if whole == 0 {
        let rest = weights.iter().skip(1).map(|_| 0);
        let first = weights.first().map(|_| amount);
        return first.into_iter().chain(rest).collect();
    }
    let size = u128::from(amount.unsigned_abs());
    let mut parts: Vec<(usize, u128, u128)> = weights
        .iter()
        .enumerate()
        .map(|(place, weight)| {
            let product = size * u128::from(*weight);
            (place, product / whole, product % whole)
        })
        .collect();
    let given: u128 = parts.iter().map(|(_, part, _)| part).sum();
    let left = usize::try_from(size - given).unwrap_or(parts.len());
    parts.sort_by_key(|(place, _, remainder)| (std::cmp::Reverse(*remainder), *place));
    for (_, part, _) in parts.iter_mut().take(left) {
        *part += 1;
    }
    parts.sort_by_key(|(place, ..)| *place);
    let signed = |part: u128| {
        let part = i128::try_from(part).unwrap_or(i128::MAX);
        let part = if amount < 0 { -part } else { part };
        i64::try_from(part).unwrap_or(amount)
    };
    parts.into_iter().map(|(_, part, _)| signed(part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cur(code: &str) -> Currency {
        code.parse().unwrap()
    }

    #[test]
    fn amounts_read_with_the_currency_s_own_decimals() {
        for (text, currency, minor) in [
            ("12.50", "EUR", 1250),
            ("350", "JPY", 350),
            ("12.500", "KWD", 12500),
            ("-6.40000", "EUR", -640),
            (".11", "USD", 11),
            ("96.9", "USD", 9690),
            ("-0.5", "USD", -50),
            ("92233720368547758.07", "EUR", i64::MAX),
            ("-92233720368547758.08", "EUR", i64::MIN),
        ] {
            assert_eq!(
                Money::parse_major(text, cur(currency)).unwrap().minor,
                minor,
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_amount_is_an_error_and_never_a_guess() {
        for text in [
            "",
            "-",
            ".",
            "1,5",
            "1.234",
            "1e3",
            "+1",
            "--1",
            "1.2.3",
            " 1",
            "(1)",
            "92233720368547758.08",
        ] {
            assert!(Money::parse_major(text, cur("EUR")).is_err(), "{text:?}");
        }
    }

    // 527 over 58000 and 975 of 58975: 518.28… and 8.71…, so that the cent left goes to the second.
    // 100 over three equal ones: 34, 33, 33.
    #[test]
    fn parts_by_weight_add_up_and_the_largest_remainder_takes_what_is_left() {
        for (amount, weights, parts) in [
            (527, &[58_000, 975][..], &[518, 9][..]),
            (-527, &[58_000, 975], &[-518, -9]),
            (100, &[1, 1, 1], &[34, 33, 33]),
            (7, &[0, 0], &[7, 0]),
            (5, &[0, 3], &[0, 5]),
            (5, &[], &[]),
            (i64::MIN, &[u64::MAX], &[i64::MIN]),
        ] {
            assert_eq!(apportion(amount, weights), parts);
        }
    }

    proptest! {
        #[test]
        fn parts_of_any_amount_add_up_to_it(amount: i64, weights in proptest::collection::vec(0_u64..=i64::MAX as u64, 1..9)) {
            let parts = apportion(amount, &weights);
            prop_assert_eq!(parts.iter().map(|p| i128::from(*p)).sum::<i128>(), i128::from(amount));
        }

        #[test]
        fn major_and_back_gives_the_same_amount(minor: i64, index in 0_usize..5) {
            let currency = cur(["EUR", "JPY", "KWD", "CLF", "USD"][index]);
            let money = Money::new(minor, currency);
            prop_assert_eq!(Money::parse_major(&money.major(), currency).unwrap(), money);
        }
    }
}
