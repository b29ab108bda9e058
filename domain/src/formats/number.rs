//! Amounts as files write them, read without guessing.
//!
//! The decimal mark belongs to the file, not to the value: `1.234` is a thousand in one file and
//! a bit more than one in another. Where neither the profile nor the file's values settle it, the
//! value is an error.

use crate::money::Currency;

/// Which mark separates the decimals of a file's amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Point,
    Comma,
    /// Nothing has settled it.
    Open,
    /// The file uses both.
    Mixed,
}

/// How the amounts of a file are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NumberFormat {
    pub mark: Mark,
    /// Whether the file's own values show the mark, so that the other one can only group.
    pub shown: bool,
    /// Decimals of the provider's minor unit where whole numbers count it.
    pub minor_unit: bool,
    /// Whether a currency sign may stand beside the digits.
    pub currency_signs: bool,
}

/// Why a text is no amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AmountProblem {
    /// Not a number in the file's format.
    Unreadable,
    /// It could mean two amounts.
    Ambiguous,
    /// Digits beyond the currency's minor unit that are not zero.
    TooPrecise,
    /// More than 64 bits of minor units.
    TooLarge,
}

/// What the values of a file have shown of its decimal mark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    point: Seen,
    comma: Seen,
}

/// How a mark was seen between whole digits and decimals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Seen {
    /// Where it can be nothing else.
    certainly: bool,
    /// In values such as `1.234`, where it may also group.
    perhaps: bool,
}

impl Evidence {
    /// Takes one value into account.
    pub(super) fn weigh(&mut self, text: &str) {
        let body = text.trim_matches(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
        let (Some(last), marks) = (
            body.rfind(['.', ',']),
            body.bytes().filter(|b| matches!(b, b'.' | b',')).count(),
        ) else {
            return;
        };
        let is_point = body.get(last..).is_some_and(|rest| rest.starts_with('.'));
        let same = body
            .bytes()
            .filter(|b| *b == if is_point { b'.' } else { b',' })
            .count();
        if marks > 1 && same == marks {
            // `1.234.567`: the mark groups, so the other one is the decimal mark.
            let other = if is_point {
                &mut self.comma
            } else {
                &mut self.point
            };
            other.certainly = true;
            return;
        }
        let before = body.get(..last).unwrap_or_default();
        let after = body.get(last + 1..).unwrap_or_default();
        // Behind another kind of mark, or where no group of three can stand, it separates decimals.
        let certain = marks > 1
            || after.len() != 3
            || before.is_empty()
            || before.starts_with('0')
            || before.bytes().filter(u8::is_ascii_digit).count() > 3;
        let seen = if is_point {
            &mut self.point
        } else {
            &mut self.comma
        };
        if certain {
            seen.certainly = true;
        } else {
            seen.perhaps = true;
        }
    }

    /// What follows. A lone `1.234` counts as decimals, since providers that leave the mark open
    /// never group and point is their default; a lone `1,234` may come from a spreadsheet.
    pub(super) const fn settle(self) -> (Mark, bool) {
        match (self.point.certainly, self.comma.certainly) {
            (true, true) => (Mark::Mixed, true),
            (true, false) => (Mark::Point, true),
            (false, true) => (Mark::Comma, true),
            (false, false) => match (self.point.perhaps, self.comma.perhaps) {
                (true, true) => (Mark::Mixed, false),
                (true, false) => (Mark::Point, false),
                _ => (Mark::Open, false),
            },
        }
    }
}

/// Reads an amount into minor units of `exponent` decimals; nothing if the text is blank.
///
/// `provider_exponent` counts where whole numbers are the provider's minor units.
pub(super) fn parse_amount(
    text: &str,
    format: NumberFormat,
    exponent: u32,
    provider_exponent: u32,
) -> Result<Option<i64>, AmountProblem> {
    if format.mark == Mark::Point
        && !format.minor_unit
        && let Some(minor) = parse_plain(text.as_bytes(), exponent)
    {
        return Ok(Some(minor));
    }
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let (negative, body) = split_sign(text, format.currency_signs)?;
    let (whole, decimals) = split_decimals(body, format)?;
    let shift = if format.minor_unit {
        provider_exponent
    } else {
        0
    };
    assemble(&whole, decimals, negative, exponent, shift).map(Some)
}

/// The usual form, `-123.45`, with no more decimals than the currency has and no risk of overflow.
fn parse_plain(text: &[u8], exponent: u32) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    if digits.is_empty() || digits.len() > 15 {
        return None;
    }
    let mut minor = 0_i64;
    let mut decimals: Option<u32> = None;
    let mut any = false;
    for &byte in digits {
        match byte {
            b'0'..=b'9' => {
                if let Some(count) = &mut decimals {
                    *count += 1;
                }
                any = true;
                minor = minor * 10 + i64::from(byte - b'0');
            }
            b'.' if decimals.is_none() => decimals = Some(0),
            _ => return None,
        }
    }
    let missing = exponent.checked_sub(decimals.unwrap_or(0))?;
    if !any || missing > 4 {
        return None;
    }
    for _ in 0..missing {
        minor = minor.checked_mul(10)?;
    }
    Some(if negative { -minor } else { minor })
}

/// Takes the sign off: `-5`, `5-`, `(5)`, U+2212, `+5`, and a currency sign where allowed.
fn split_sign(text: &str, currency_signs: bool) -> Result<(bool, &str), AmountProblem> {
    const MINUS: [char; 2] = ['-', '\u{2212}'];
    let unsigned = |text: &str| !text.contains(['-', '\u{2212}', '+', '(', ')']);
    let strip_currency = |text| {
        if currency_signs {
            strip_currency_sign(text)
        } else {
            text
        }
    };
    let text = strip_currency(text);
    let (negative, body) = if let Some(inner) = text.strip_prefix('(') {
        let inner = inner.strip_suffix(')').ok_or(AmountProblem::Unreadable)?;
        (true, inner)
    } else if let Some(rest) = text.strip_prefix(MINUS) {
        (true, rest)
    } else if let Some(rest) = text.strip_suffix(MINUS) {
        (true, rest)
    } else {
        (false, text.strip_prefix('+').unwrap_or(text))
    };
    let body = strip_currency(body.trim()).trim();
    if unsigned(body) {
        Ok((negative, body))
    } else {
        Err(AmountProblem::Unreadable)
    }
}

fn strip_currency_sign(text: &str) -> &str {
    const SIGNS: [char; 4] = ['$', '€', '£', '¥'];
    text.strip_prefix(SIGNS)
        .or_else(|| text.strip_suffix(SIGNS))
        .unwrap_or(text)
        .trim()
}

/// Splits into whole digits, freed of grouping, and decimals.
fn split_decimals(body: &str, format: NumberFormat) -> Result<(String, &str), AmountProblem> {
    let has_mark = body.contains(['.', ',']);
    let (decimal, grouping) = match format.mark {
        Mark::Open | Mark::Mixed if has_mark => return Err(AmountProblem::Ambiguous),
        Mark::Comma => (',', '.'),
        Mark::Point | Mark::Open | Mark::Mixed => ('.', ','),
    };
    let (whole, decimals) = match body.split_once(decimal) {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (body, None),
    };
    let digits_only = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let tail = decimals.unwrap_or_default();
    if !digits_only(tail) || (whole.is_empty() && tail.is_empty()) {
        return Err(AmountProblem::Unreadable);
    }
    if digits_only(whole) {
        return Ok((whole.to_owned(), tail));
    }
    let separator = whole
        .chars()
        .find(|c| !c.is_ascii_digit())
        .ok_or(AmountProblem::Unreadable)?;
    let groups_usually = matches!(
        separator,
        '\'' | '\u{2019}' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}'
    );
    if separator != grouping && !groups_usually {
        return Err(AmountProblem::Unreadable);
    }
    let groups: Vec<&str> = whole.split(separator).collect();
    let well_formed = groups.iter().enumerate().all(|(index, group)| {
        digits_only(group)
            && if index == 0 {
                (1..=3).contains(&group.len()) && !group.starts_with('0')
            } else {
                group.len() == 3
            }
    });
    if !well_formed {
        return Err(AmountProblem::Unreadable);
    }
    let lone_mark = separator == grouping && groups.len() == 2 && decimals.is_none();
    if lone_mark && !format.shown {
        return Err(AmountProblem::Ambiguous);
    }
    Ok((groups.concat(), tail))
}

/// Puts the digits together as minor units, dividing by ten `shift` times on the way.
fn assemble(
    whole: &str,
    decimals: &str,
    negative: bool,
    exponent: u32,
    shift: u32,
) -> Result<i64, AmountProblem> {
    // The point's place counted from the first digit, and how many digits are kept behind it.
    let point = i64::try_from(whole.len()).map_err(|_| AmountProblem::TooLarge)? - i64::from(shift);
    let kept = point + i64::from(exponent);
    let mut minor = 0_i64;
    let mut place = 0_i64;
    for byte in whole.bytes().chain(decimals.bytes()) {
        let digit = i64::from(byte - b'0');
        if place < kept {
            minor = minor
                .checked_mul(10)
                .and_then(|m| m.checked_sub(digit))
                .ok_or(AmountProblem::TooLarge)?;
        } else if digit != 0 {
            return Err(AmountProblem::TooPrecise);
        }
        place += 1;
    }
    while place < kept {
        minor = minor.checked_mul(10).ok_or(AmountProblem::TooLarge)?;
        place += 1;
    }
    // Built downwards, since i64 reaches one further below zero than above.
    if negative {
        Ok(minor)
    } else {
        minor.checked_neg().ok_or(AmountProblem::TooLarge)
    }
}

/// A way to write the value that would have been read, for the message.
pub(super) fn example(currency: Currency) -> &'static str {
    match currency.exponent() {
        0 => "1234",
        3 => "1234.500",
        4 => "1234.5000",
        _ => "1234.50",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const POINT: NumberFormat = NumberFormat {
        mark: Mark::Point,
        shown: false,
        minor_unit: false,
        currency_signs: false,
    };

    fn read(text: &str, format: NumberFormat, exponent: u32) -> Result<Option<i64>, AmountProblem> {
        parse_amount(text, format, exponent, exponent)
    }

    fn marked(mark: Mark) -> NumberFormat {
        NumberFormat {
            mark,
            shown: true,
            ..POINT
        }
    }

    #[test]
    fn amounts_read_in_the_form_of_their_file() {
        for (text, format, exponent, minor) in [
            ("12.50", POINT, 2, 1250),
            ("350", POINT, 0, 350),
            ("12.500", POINT, 3, 12500),
            (".11", POINT, 2, 11),
            ("5.", POINT, 2, 500),
            ("-0.5", POINT, 2, -50),
            ("+7", POINT, 2, 700),
            (" 7.10 ", POINT, 2, 710),
            ("1,234.50", POINT, 2, 123_450),
            ("1,234,567", POINT, 2, 123_456_700),
            ("1'234.50", POINT, 2, 123_450),
            ("1 234.50", POINT, 2, 123_450),
            ("1,234", marked(Mark::Point), 2, 123_400),
            ("3.210,45", marked(Mark::Comma), 2, 321_045),
            ("12,5", marked(Mark::Comma), 2, 1250),
            ("5,", marked(Mark::Comma), 2, 500),
            ("9.99-", POINT, 2, -999),
            ("92233720368547758.07", POINT, 2, i64::MAX),
            ("-92233720368547758.08", POINT, 2, i64::MIN),
            (
                "1234",
                NumberFormat {
                    mark: Mark::Open,
                    ..POINT
                },
                2,
                123_400,
            ),
        ] {
            assert_eq!(read(text, format, exponent), Ok(Some(minor)), "{text:?}");
        }
    }

    /// NUM3
    #[test]
    fn grouping_and_a_decimal_comma_never_cut_an_amount_short() {
        assert_eq!(read("3.210,45", marked(Mark::Comma), 2), Ok(Some(321_045)));
        assert_eq!(read("3.210,45", POINT, 2), Err(AmountProblem::Unreadable));
    }

    /// NUM4
    #[test]
    fn a_narrow_no_break_space_groups_and_never_blanks_an_amount() {
        let comma = marked(Mark::Comma);
        for text in ["4\u{202f}120,00", "4\u{a0}120,00", "4 120,00"] {
            assert_eq!(read(text, comma, 2), Ok(Some(412_000)), "{text:?}");
        }
        assert!(read("4\u{200b}120,00", comma, 2).is_err());
    }

    /// NUM5
    #[test]
    fn accounting_parentheses_are_negative() {
        assert_eq!(read("(18.40)", POINT, 2), Ok(Some(-1840)));
        assert_eq!(read("18.40", POINT, 2), Ok(Some(1840)));
    }

    /// NUM7
    #[test]
    fn a_unicode_minus_is_a_minus() {
        assert_eq!(read("\u{2212}33.10", POINT, 2), Ok(Some(-3310)));
    }

    /// NUM9
    #[test]
    fn zeros_beyond_the_cent_are_no_cents_and_other_digits_are_refused() {
        assert_eq!(read("-6.40000", POINT, 2), Ok(Some(-640)));
        assert_eq!(read("0.4567", POINT, 2), Err(AmountProblem::TooPrecise));
        assert_eq!(read("350.5", POINT, 0), Err(AmountProblem::TooPrecise));
    }

    #[test]
    fn a_sign_that_cannot_be_read_is_refused() {
        for text in [
            "(-5)",
            "--5",
            "-5-",
            "(5",
            "5)",
            "\u{2013}5",
            "-",
            "5 CR",
            "5+",
        ] {
            assert_eq!(
                read(text, POINT, 2),
                Err(AmountProblem::Unreadable),
                "{text:?}"
            );
        }
    }

    #[test]
    fn what_could_be_two_amounts_is_refused() {
        assert_eq!(read("1,234", POINT, 2), Err(AmountProblem::Ambiguous));
        for mark in [Mark::Open, Mark::Mixed] {
            assert_eq!(read("1.50", marked(mark), 2), Err(AmountProblem::Ambiguous));
        }
    }

    #[test]
    fn what_is_no_number_is_refused_and_only_blank_is_nothing() {
        for text in [
            "abc",
            "1e3",
            "1.2.3",
            "12,34",
            "1,23,456.00",
            "0,123.00",
            "$5",
            "5 %",
            "1..2",
            ".",
            "NaN",
            "１２",
            "99999999999999999999",
        ] {
            assert!(read(text, POINT, 2).is_err(), "{text:?}");
        }
        assert_eq!(read("  ", POINT, 2), Ok(None));
    }

    #[test]
    fn a_currency_sign_is_read_only_where_the_profile_says_so() {
        let signs = NumberFormat {
            currency_signs: true,
            ..POINT
        };
        for (text, minor) in [
            ("$1,085.00", 108_500),
            ("-$0.93", -93),
            ("€ 5.00", 500),
            ("($2)", -200),
        ] {
            assert_eq!(read(text, signs, 2), Ok(Some(minor)), "{text:?}");
        }
    }

    #[test]
    fn minor_units_of_a_provider_are_brought_to_those_of_iso_4217() {
        let minor = NumberFormat {
            minor_unit: true,
            ..POINT
        };
        // Adyen counts Chilean pesos in hundredths, ISO 4217 does not.
        assert_eq!(parse_amount("150000", minor, 0, 2), Ok(Some(1500)));
        assert_eq!(
            parse_amount("150050", minor, 0, 2),
            Err(AmountProblem::TooPrecise)
        );
        // And rupiah without, where ISO 4217 has hundredths.
        assert_eq!(parse_amount("1500", minor, 2, 0), Ok(Some(150_000)));
        assert_eq!(parse_amount("1250", minor, 2, 2), Ok(Some(1250)));
        assert_eq!(
            parse_amount("5", minor, 0, 2),
            Err(AmountProblem::TooPrecise)
        );
        assert_eq!(parse_amount("-5", minor, 2, 2), Ok(Some(-5)));
    }

    #[test]
    fn the_values_of_a_file_show_its_decimal_mark() {
        for (values, expected) in [
            (vec!["25.00", "-0.5"], (Mark::Point, true)),
            (vec!["25,00", "1.234"], (Mark::Comma, true)),
            (vec!["1.234.567"], (Mark::Comma, true)),
            (vec!["1,234.50"], (Mark::Point, true)),
            (vec!["12.500", "7.250"], (Mark::Point, false)),
            (vec!["1,234"], (Mark::Open, false)),
            (vec!["12", "-7", ""], (Mark::Open, false)),
            (vec!["1.50", "1,50"], (Mark::Mixed, true)),
            (vec!["0.500"], (Mark::Point, true)),
        ] {
            let mut evidence = Evidence::default();
            for value in &values {
                evidence.weigh(value);
            }
            assert_eq!(evidence.settle(), expected, "{values:?}");
        }
    }

    proptest! {
        #[test]
        fn an_amount_written_in_any_form_reads_back(
            minor in -1_000_000_000_000_i64..1_000_000_000_000,
            comma: bool,
            group in prop::sample::select(vec!["", "'", " ", "\u{a0}", "\u{202f}", "mark"]),
            sign in 0..4,
        ) {
            let (mark, decimal, other) = if comma { (Mark::Comma, ",", ".") } else { (Mark::Point, ".", ",") };
            let group = if group == "mark" { other } else { group };
            let whole = (minor.unsigned_abs() / 100).to_string();
            let mut grouped = String::new();
            for (index, digit) in whole.chars().enumerate() {
                if index > 0 && (whole.len() - index).is_multiple_of(3) {
                    grouped.push_str(group);
                }
                grouped.push(digit);
            }
            let digits = format!("{grouped}{decimal}{:02}", minor.unsigned_abs() % 100);
            let text = match (minor < 0, sign) {
                (false, _) => digits,
                (true, 0) => format!("-{digits}"),
                (true, 1) => format!("\u{2212}{digits}"),
                (true, 2) => format!("({digits})"),
                (true, _) => format!("{digits}-"),
            };
            prop_assert_eq!(read(&text, marked(mark), 2), Ok(Some(minor)), "{}", text);
        }

        #[test]
        fn the_short_way_agrees_with_the_long_one(text in "[-]?[0-9]{0,6}[.]?[0-9]{0,6}", exponent in 0_u32..5) {
            if let Some(minor) = parse_plain(text.as_bytes(), exponent) {
                let (negative, body) = split_sign(&text, false).unwrap();
                let (whole, decimals) = split_decimals(body, POINT).unwrap();
                prop_assert_eq!(assemble(&whole, decimals, negative, exponent, 0), Ok(minor));
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,40}", comma: bool) {
            let _ = read(&text, marked(if comma { Mark::Comma } else { Mark::Point }), 2);
            Evidence::default().weigh(&text);
        }
    }
}
