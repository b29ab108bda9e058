//! Sentences as pages show them. What is stored names amounts and instants as programs write them;
//! beside formatted figures they are read in the same form.

use super::Amount;
use crate::{
    money::{Currency, parse_sum},
    time::Instant,
};

/// Marks that may stand around a word.
const AROUND: &[char] = &['.', ',', ';', ':', '(', ')', '“', '”', '"'];

/// A text with its amounts grouped and its instants as `2026-11-28 14:02:11 UTC`.
pub fn readable(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let said = words.iter().enumerate().map(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let core = word.trim_matches(AROUND);
        match instant(core).or_else(|| amount(word, next)) {
            Some(read) => word.replacen(core, &read, 1),
            None => (*word).to_owned(),
        }
    });
    said.collect::<Vec<_>>().join(" ")
}

fn instant(word: &str) -> Option<String> {
    if !word.ends_with('Z') || word.len() < 20 {
        return None;
    }
    let at = Instant::parse_rfc3339(word).ok()?;
    Some(at.to_utc().format("%Y-%m-%d %H:%M:%S UTC").to_string())
}

/// A number before a currency; what stands around the number says that it is none.
fn amount(word: &str, next: &str) -> Option<String> {
    let number = word.trim_start_matches('(');
    let digits = number.strip_prefix('-').unwrap_or(number);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let currency: Currency = next.trim_matches(AROUND).parse().ok()?;
    let minor = parse_sum(number, currency).ok()?;
    Some(Amount::new(minor, currency).grouped())
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn amounts_and_instants_are_read_as_pages_write_them_and_nothing_else_is_touched() {
        for (text, said) in [
            (
                "Payment i1 is of 12500.00 EUR, but 1250.00 USD came for it.",
                "Payment i1 is of 12,500.00 EUR, but 1,250.00 USD came for it.",
            ),
            (
                "Sent at 2026-11-02T09:00:02.000001Z.",
                "Sent at 2026-11-02 09:00:02 UTC.",
            ),
            (
                "-4000.00 EUR (9999 JPY)",
                "\u{2212}4,000.00 EUR (9,999 JPY)",
            ),
            (
                "order 12345 of 2026-11-02: 1000 rows",
                "order 12345 of 2026-11-02: 1000 rows",
            ),
            (
                "12345.00 is no amount, 10.123 EUR neither",
                "12345.00 is no amount, 10.123 EUR neither",
            ),
            ("  two  spaces ", "  two  spaces "),
            ("", ""),
        ] {
            assert_eq!(readable(text), said);
        }
    }
}
