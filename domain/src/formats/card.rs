//! Card numbers in free text are masked before anything else sees them.

use std::borrow::Cow;

/// Shortest and longest card number.
const LENGTHS: std::ops::RangeInclusive<usize> = 13..=19;

/// A run of digits in a text: byte range.
#[derive(Clone, Copy)]
struct Digits {
    start: usize,
    end: usize,
}

/// Masks every card number in a text to its first six and last four digits.
///
/// A card number is 13 to 19 digits, in one piece or in groups joined by a single space or
/// hyphen, not part of a longer word, with a card scheme's prefix and a valid Luhn digit.
pub fn masked(text: &str) -> Cow<'_, str> {
    if text.bytes().filter(u8::is_ascii_digit).count() < *LENGTHS.start() {
        return Cow::Borrowed(text);
    }
    let runs = digit_runs(text);
    let mut bytes: Option<Vec<u8>> = None;
    let mut first = 0;
    while first < runs.len() {
        let Some(count) = card_at(text, &runs, first) else {
            first += 1;
            continue;
        };
        let out = bytes.get_or_insert_with(|| text.as_bytes().to_vec());
        let groups = runs.iter().skip(first).take(count);
        let total: usize = groups.clone().map(|run| run.end - run.start).sum();
        let places = groups.flat_map(|run| run.start..run.end);
        for (number, place) in places.enumerate() {
            if number >= 6
                && number + 4 < total
                && let Some(byte) = out.get_mut(place)
            {
                *byte = b'*';
            }
        }
        first += count;
    }
    // Only ASCII digits were replaced by an ASCII star: the text stays UTF-8.
    match bytes.map(String::from_utf8) {
        Some(Ok(masked)) => Cow::Owned(masked),
        _ => Cow::Borrowed(text),
    }
}

/// How many runs from `first` on make up a card number, the most that do.
fn card_at(text: &str, runs: &[Digits], first: usize) -> Option<usize> {
    let start = runs.get(first)?.start;
    if text
        .get(..start)
        .and_then(|before| before.chars().next_back())
        .is_some_and(char::is_alphanumeric)
    {
        return None;
    }
    let mut digits: Vec<u8> = Vec::new();
    let mut found = None;
    let mut last_end: Option<usize> = None;
    for (index, run) in runs.iter().skip(first).enumerate() {
        if let Some(end) = last_end {
            let joined = matches!(text.get(end..run.start), Some(" " | "-"));
            if !joined {
                break;
            }
        }
        digits.extend(
            text.as_bytes()
                .get(run.start..run.end)
                .unwrap_or_default()
                .iter()
                .map(|b| b - b'0'),
        );
        if digits.len() > *LENGTHS.end() {
            break;
        }
        last_end = Some(run.end);
        let stands_alone = !text
            .get(run.end..)
            .and_then(|after| after.chars().next())
            .is_some_and(char::is_alphanumeric);
        if stands_alone && is_card_number(&digits) {
            found = Some(index + 1);
        }
    }
    found
}

fn digit_runs(text: &str) -> Vec<Digits> {
    let mut runs: Vec<Digits> = Vec::new();
    for (index, byte) in text.bytes().enumerate() {
        if !byte.is_ascii_digit() {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.end == index => run.end += 1,
            _ => runs.push(Digits {
                start: index,
                end: index + 1,
            }),
        }
    }
    runs
}

fn is_card_number(digits: &[u8]) -> bool {
    LENGTHS.contains(&digits.len()) && has_scheme_prefix(digits) && is_luhn_valid(digits)
}

/// Prefixes and lengths of the card schemes, as their numbering lists (ISO/IEC 7812) assign them.
fn has_scheme_prefix(digits: &[u8]) -> bool {
    let lead = |count: usize| {
        digits
            .iter()
            .take(count)
            .fold(0_u32, |number, digit| number * 10 + u32::from(*digit))
    };
    let length = digits.len();
    match lead(4) {
        // Visa.
        4000..=4999 => matches!(length, 13 | 16 | 19),
        // Mastercard.
        5100..=5599 | 2221..=2720 => length == 16,
        // American Express.
        3400..=3499 | 3700..=3799 => length == 15,
        // Diners Club.
        3000..=3059 | 3095 | 3600..=3699 | 3800..=3999 => length >= 14,
        // JCB; Discover, UnionPay and RuPay; Mir.
        3528..=3589 | 6000..=6299 | 6440..=6599 | 8100..=8171 | 2200..=2204 => length >= 16,
        // Maestro.
        5000..=5099 | 5600..=5899 | 6300..=6399 | 6700..=6799 => true,
        _ => false,
    }
}

fn is_luhn_valid(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let digit = u32::from(*digit);
            match (place % 2, digit) {
                (0, _) => digit,
                (_, 5..) => digit * 2 - 9,
                _ => digit * 2,
            }
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_number_in_free_text_keeps_its_first_six_and_last_four() {
        for (text, expected) in [
            ("paid by 4111111111111111", "paid by 411111******1111"),
            (
                "4111 1111 1111 1111 exp 12/27",
                "4111 11** **** 1111 exp 12/27",
            ),
            ("card 5500-0000-0000-0004.", "card 5500-00**-****-0004."),
            ("amex 378282246310005", "amex 378282*****0005"),
            ("4111111111111111 2026", "411111******1111 2026"),
            (
                "4111111111111111 and 4012888888881881",
                "411111******1111 and 401288******1881",
            ),
        ] {
            assert_eq!(masked(text), expected);
        }
    }

    #[test]
    fn what_is_no_card_number_stays() {
        for text in [
            "order 4111111111111112",      // the Luhn digit is wrong
            "IBAN DE89370400440532013000", // part of a word
            "TX4111111111111111XT",
            "tracking 1234567812345670", // no scheme begins so
            "41111111111111111111",      // too long
            "ticket 123456",
        ] {
            assert_eq!(masked(text), text);
        }
    }
}
