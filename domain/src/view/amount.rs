//! An amount as people and programs read it.

use crate::money::{self, AmountOverflow, Currency, Money};
use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct};

/// An amount to show, or a sum of amounts, which may be beyond 64 bits: minor units of a currency.
///
/// Programs get `{"amount": "1250.00", "currency": "EUR"}`; people get `1,250.00` with the
/// currency beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Amount {
    /// Signed minor units.
    pub minor: i128,
    /// The currency.
    pub currency: Currency,
}

impl Amount {
    /// An amount from minor units.
    pub fn new(minor: impl Into<i128>, currency: Currency) -> Self {
        Self {
            minor: minor.into(),
            currency,
        }
    }

    /// Major units without grouping, as in exports: `-1250.00`.
    pub fn major(self) -> String {
        money::major(self.minor, self.currency.exponent())
    }

    /// Major units with thousands grouped and a true minus sign, as on pages: `−1,250.00`.
    pub fn grouped(self) -> String {
        let plain = money::major(self.minor, self.currency.exponent());
        let unsigned = plain.trim_start_matches('-');
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let mut text = String::with_capacity(plain.len() + 8);
        if self.minor < 0 {
            text.push('\u{2212}');
        }
        text.push_str(&group(whole));
        if !fraction.is_empty() {
            text.push('.');
            text.push_str(fraction);
        }
        text
    }

    /// Without its sign.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self {
            minor: self.minor.saturating_abs(),
            currency: self.currency,
        }
    }

    /// Whether it is nothing.
    pub const fn is_zero(self) -> bool {
        self.minor == 0
    }
}

/// A count with thousands grouped: `4,180`.
pub fn count(n: u64) -> String {
    group(&n.to_string())
}

/// A text with its first letter as a capital.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// A count with its word: `1 row`, `4,180 rows`.
pub fn counted(n: u64, one: &str, many: &str) -> String {
    if n == 1 {
        format!("1 {one}")
    } else {
        format!("{} {many}", count(n))
    }
}

fn group(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl From<Money> for Amount {
    fn from(money: Money) -> Self {
        Self::new(money.minor, money.currency)
    }
}

impl TryFrom<Amount> for Money {
    type Error = AmountOverflow;

    fn try_from(amount: Amount) -> Result<Self, AmountOverflow> {
        let minor = i64::try_from(amount.minor).map_err(|_| AmountOverflow)?;
        Ok(Self::new(minor, amount.currency))
    }
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.grouped(), self.currency)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut fields = s.serialize_struct("Amount", 2)?;
        fields.serialize_field("amount", &self.major())?;
        fields.serialize_field("currency", &self.currency)?;
        fields.end()
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Written {
            amount: String,
            currency: Currency,
        }
        let written = Written::deserialize(d)?;
        money::parse_sum(&written.amount, written.currency)
            .map(|minor| Self::new(minor, written.currency))
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(minor: impl Into<i128>, currency: &str) -> Amount {
        Amount::new(minor, currency.parse().unwrap())
    }

    #[test]
    fn people_read_grouped_thousands_and_the_currency_s_own_decimals() {
        for (minor, currency, text) in [
            (0, "EUR", "0.00"),
            (5, "EUR", "0.05"),
            (125_000, "EUR", "1,250.00"),
            (-99_999, "EUR", "\u{2212}999.99"),
            (12_904, "JPY", "12,904"),
            (1_234_567, "KWD", "1,234.567"),
            (100, "JPY", "100"),
            (i64::MIN, "EUR", "\u{2212}92,233,720,368,547,758.08"),
        ] {
            assert_eq!(amount(minor, currency).grouped(), text);
        }
        assert_eq!(count(1_000_000), "1,000,000");
    }

    #[test]
    fn programs_read_major_units_and_get_the_same_amount_back() {
        let json = serde_json::to_string(&amount(-125_000, "EUR")).unwrap();
        assert_eq!(json, r#"{"amount":"-1250.00","currency":"EUR"}"#);
        assert_eq!(
            serde_json::from_str::<Amount>(&json).unwrap(),
            amount(-125_000, "EUR")
        );
        let sum = amount(930_000_000_000_000_000_000_i128, "EUR");
        assert_eq!(sum.grouped(), "9,300,000,000,000,000,000.00");
        let json = serde_json::to_string(&sum).unwrap();
        assert_eq!(serde_json::from_str::<Amount>(&json).unwrap(), sum);
        assert!(Money::try_from(sum).is_err());
    }
}
