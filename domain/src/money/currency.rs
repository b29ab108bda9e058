//! ISO 4217 currency codes and their minor units.

use std::{fmt, str::FromStr};

/// A currency of ISO 4217, by its three-letter code in capitals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Currency([u8; 3]);

/// A text that names no currency of ISO 4217.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a currency code of ISO 4217, such as EUR")]
pub struct UnknownCurrency(pub String);

/// Codes whose minor unit is the unit itself. ISO 4217 list one, published 2026-01-01.
const NO_DECIMALS: &str = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
/// Codes with a thousandth as minor unit.
const THREE_DECIMALS: &str = "BHD IQD JOD KWD LYD OMR TND";
/// Codes with a ten-thousandth as minor unit.
const FOUR_DECIMALS: &str = "CLF UYW";
/// Codes with a hundredth as minor unit.
const TWO_DECIMALS: &str = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV \
    BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN \
    ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR \
    KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN \
    NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP \
    SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES \
    WST XCD XCG YER ZAR ZMW ZWG";

impl Currency {
    /// Decimals between the major and the minor unit, by ISO 4217.
    pub fn exponent(self) -> u32 {
        let code = self.as_str();
        let listed = |list: &str| list.split_ascii_whitespace().any(|c| c == code);
        if self.is_common_two_decimal() {
            2
        } else if listed(NO_DECIMALS) {
            0
        } else if listed(THREE_DECIMALS) {
            3
        } else if listed(FOUR_DECIMALS) {
            4
        } else {
            2
        }
    }

    /// The code, such as `EUR`.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("???")
    }

    /// One unit of the major currency in minor units: 100 for EUR, 1 for JPY.
    pub fn major_unit(self) -> i64 {
        10_i64.pow(self.exponent())
    }

    /// Spares the busiest currencies the search through the lists.
    const fn is_common_two_decimal(self) -> bool {
        matches!(&self.0, b"EUR" | b"USD" | b"GBP")
    }
}

impl FromStr for Currency {
    type Err = UnknownCurrency;

    /// Reads a code in either case, since one provider file mixes `USD` and `usd`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownCurrency(text.chars().take(12).collect());
        let bytes: [u8; 3] = text.as_bytes().try_into().map_err(|_| unknown())?;
        let code = Self(bytes.map(|b| b.to_ascii_uppercase()));
        let known = code.is_common_two_decimal()
            || [TWO_DECIMALS, NO_DECIMALS, THREE_DECIMALS, FOUR_DECIMALS]
                .iter()
                .any(|list| {
                    list.split_ascii_whitespace()
                        .any(|c| c.as_bytes() == code.0)
                });
        if known { Ok(code) } else { Err(unknown()) }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl serde::Serialize for Currency {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for Currency {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_those_of_iso_4217() {
        for (code, exponent) in [
            ("EUR", 2),
            ("JPY", 0),
            ("KWD", 3),
            ("CLF", 4),
            ("MGA", 2),
            ("ISK", 0),
            ("UGX", 0),
        ] {
            assert_eq!(
                code.parse::<Currency>().unwrap().exponent(),
                exponent,
                "{code}"
            );
        }
    }

    #[test]
    fn a_code_is_known_in_either_case_and_nothing_else_is() {
        assert_eq!("usd".parse::<Currency>().unwrap().as_str(), "USD");
        for text in ["", "EU", "EURO", "XXX", "€", "???"] {
            assert!(text.parse::<Currency>().is_err(), "{text}");
        }
    }
}
