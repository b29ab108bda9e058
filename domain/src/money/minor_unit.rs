//! Minor units as providers count them, where that is not ISO 4217.

use super::Currency;
use crate::account::ProviderKind;

/// Decimals of the minor unit in which a provider's API and integer columns count a currency.
///
/// Adyen: docs.adyen.com/development-resources/currency-codes. Stripe: docs.stripe.com/currencies
/// (Icelandic króna as two decimals, Malagasy ariary as none). All others follow ISO 4217. Files
/// that write major units are not concerned.
pub fn provider_exponent(kind: ProviderKind, currency: Currency) -> u32 {
    match (kind, currency.as_str()) {
        (ProviderKind::Adyen, "CLP" | "ISK") | (ProviderKind::Stripe, "ISK") => 2,
        (ProviderKind::Adyen, "CVE" | "IDR") | (ProviderKind::Stripe, "MGA") => 0,
        _ => currency.exponent(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_s_own_minor_units_are_known() {
        for (kind, code, exponent) in [
            (ProviderKind::Adyen, "CLP", 2),
            (ProviderKind::Adyen, "IDR", 0),
            (ProviderKind::Adyen, "EUR", 2),
            (ProviderKind::Adyen, "KWD", 3),
            (ProviderKind::Stripe, "CLP", 0),
            (ProviderKind::Stripe, "MGA", 0),
            (ProviderKind::Stripe, "ISK", 2),
            (ProviderKind::Generic, "ISK", 0),
        ] {
            assert_eq!(
                provider_exponent(kind, code.parse().unwrap()),
                exponent,
                "{code}"
            );
        }
    }
}
