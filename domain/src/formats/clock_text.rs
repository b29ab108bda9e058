//! Times as files write them.
//!
//! A time with an offset is an instant. One without is local to a zone: the source's, the one
//! that another column names, or the account's.

use crate::time::{Instant, Zone};
use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeDelta, TimeZone};

/// Where a local time is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Seconds east of UTC.
    Offset(i32),
    Zone(Zone),
}

/// Why a text is no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeProblem {
    /// Not in a known form, or no such day or hour.
    Unreadable,
    /// Clocks were put forward over it.
    Skipped,
    /// No payment is that old, or so far ahead.
    OutOfRange,
}

/// A time as it stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stated {
    date: NaiveDate,
    time: Option<NaiveTime>,
    offset: Option<i32>,
}

/// The first year that a payment's time may have; earlier ones are slips such as `0206`.
const FIRST_YEAR: i32 = 1970;

/// Reads a time. `patterns`: chrono patterns to try; none means the ISO family. `latest`: what is later is
/// a slip, such as `2206` or `9999`.
pub(super) fn parse_time(
    text: &str,
    patterns: &[String],
    place: Place,
    latest: Instant,
) -> Result<Instant, TimeProblem> {
    let stated = if patterns.is_empty() {
        parse_iso(text.as_bytes())
    } else {
        patterns
            .iter()
            .find_map(|pattern| parse_pattern(text, pattern))
    }
    .ok_or(TimeProblem::Unreadable)?;
    if stated.date.year() < FIRST_YEAR {
        return Err(TimeProblem::OutOfRange);
    }
    let time = instant(stated, place).ok_or(TimeProblem::Skipped)?;
    if time > latest {
        return Err(TimeProblem::OutOfRange);
    }
    Ok(time)
}

/// What a zone column says: an abbreviation, an offset or a name of the IANA database.
///
/// An abbreviation is an offset and nothing more: a file that writes `PST` in June means eight
/// hours. Abbreviations that stand for several offsets (`IST`, `CST`) are read as the ones that
/// settlement files use, or not at all.
pub(super) fn parse_place(text: &str) -> Option<Place> {
    let quarter_hours = match text {
        "UTC" | "GMT" | "Z" | "WET" => 0,
        "CET" | "BST" | "WEST" => 4,
        "CEST" | "EET" => 8,
        "EEST" | "MSK" => 12,
        "SGT" | "HKT" | "AWST" => 32,
        "JST" | "KST" => 36,
        "ACST" => 38,
        "AEST" => 40,
        "ACDT" => 42,
        "AEDT" => 44,
        "NZST" => 48,
        "NZDT" => 52,
        "BRT" | "ADT" => -12,
        "AST" | "EDT" => -16,
        "EST" | "CDT" => -20,
        "CST" | "MDT" => -24,
        "MST" | "PDT" => -28,
        "PST" | "AKDT" => -32,
        "AKST" => -36,
        "HST" => -40,
        _ => {
            let bare = text
                .strip_prefix("UTC")
                .or_else(|| text.strip_prefix("GMT"))
                .unwrap_or(text);
            return parse_offset(bare.as_bytes())
                .map(Place::Offset)
                .or_else(|| text.parse().ok().map(Place::Zone));
        }
    };
    Some(Place::Offset(quarter_hours * 900))
}

/// `YYYY-MM-DD` or `YYYY/MM/DD`, then perhaps `T` or a space and `HH:MM[:SS[.fraction]]`, then
/// perhaps an offset.
fn parse_iso(text: &[u8]) -> Option<Stated> {
    let [y1, y2, y3, y4, dash, m1, m2, dash2, d1, d2, rest @ ..] = text else {
        return None;
    };
    if !matches!((dash, dash2), (b'-', b'-') | (b'/', b'/')) {
        return None;
    }
    let year = number(&[*y1, *y2, *y3, *y4])?;
    let date = NaiveDate::from_ymd_opt(
        i32::try_from(year).ok()?,
        number(&[*m1, *m2])?,
        number(&[*d1, *d2])?,
    )?;
    let (time, rest) = match rest {
        [] => (None, rest),
        [b'T' | b't' | b' ', h1, h2, b':', n1, n2, rest @ ..] => {
            let (second, micros, rest) = parse_seconds(rest)?;
            let time = NaiveTime::from_hms_micro_opt(
                number(&[*h1, *h2])?,
                number(&[*n1, *n2])?,
                second,
                micros,
            )?;
            (Some(time), rest)
        }
        _ => return None,
    };
    let offset = match rest {
        [] => None,
        [b' ', offset @ ..] | offset => Some(match offset {
            b"UTC" | b"GMT" => 0,
            _ => parse_offset(offset)?,
        }),
    };
    Some(Stated { date, time, offset })
}

/// `[:SS[.fraction]]`: seconds, microseconds, and what follows.
fn parse_seconds(text: &[u8]) -> Option<(u32, u32, &[u8])> {
    let [b':', s1, s2, rest @ ..] = text else {
        return Some((0, 0, text));
    };
    let second = number(&[*s1, *s2])?;
    let [b'.' | b',', fraction @ ..] = rest else {
        return Some((second, 0, rest));
    };
    let count = fraction.iter().take_while(|b| b.is_ascii_digit()).count();
    if count == 0 || count > 9 {
        return None;
    }
    let (digits, rest) = fraction.split_at_checked(count)?;
    let micros = digits
        .iter()
        .chain(std::iter::repeat(&b'0'))
        .take(6)
        .fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
    Some((second, micros, rest))
}

/// `Z`, `+01:00`, `+0100`, `+01` or `+1`, in seconds.
fn parse_offset(text: &[u8]) -> Option<i32> {
    let (sign, digits) = match text {
        b"Z" | b"z" => return Some(0),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = match digits {
        [h] => (number(&[*h])?, 0),
        [h1, h2] => (number(&[*h1, *h2])?, 0),
        [h1, h2, m1, m2] | [h1, h2, b':', m1, m2] => (number(&[*h1, *h2])?, number(&[*m1, *m2])?),
        _ => return None,
    };
    if hours > 14 || minutes > 59 {
        return None;
    }
    i32::try_from(hours * 3600 + minutes * 60)
        .ok()
        .map(|seconds| sign * seconds)
}

fn parse_pattern(text: &str, pattern: &str) -> Option<Stated> {
    Some(
        if let Ok(time) = chrono::DateTime::parse_from_str(text, pattern) {
            let local = time.naive_local();
            Stated {
                date: local.date(),
                time: Some(local.time()),
                offset: Some(time.offset().fix().local_minus_utc()),
            }
        } else if let Ok(time) = NaiveDateTime::parse_from_str(text, pattern) {
            Stated {
                date: time.date(),
                time: Some(time.time()),
                offset: None,
            }
        } else {
            Stated {
                date: NaiveDate::parse_from_str(text, pattern).ok()?,
                time: None,
                offset: None,
            }
        },
    )
}

/// The instant, or nothing if clocks were put forward over it. Of a repeated hour the first
/// counts, where no offset says otherwise.
fn instant(stated: Stated, place: Place) -> Option<Instant> {
    let Some(time) = stated.time else {
        return match place {
            Place::Zone(zone) if stated.offset.is_none() => {
                Some(crate::time::Day::from_date(stated.date).start_in(zone))
            }
            _ => instant(
                Stated {
                    time: Some(NaiveTime::MIN),
                    ..stated
                },
                place,
            ),
        };
    };
    let local = stated.date.and_time(time);
    let offset = match (stated.offset, place) {
        (Some(offset), _) | (None, Place::Offset(offset)) => i64::from(offset),
        (None, Place::Zone(Zone(chrono_tz::Tz::UTC))) => 0,
        (None, Place::Zone(zone)) => {
            let first = zone.0.offset_from_local_datetime(&local).earliest()?;
            i64::from(first.fix().local_minus_utc())
        }
    };
    let utc = local.checked_sub_signed(TimeDelta::seconds(offset))?;
    Some(Instant::from_micros(utc.and_utc().timestamp_micros()))
}

fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0_u32, |sum, byte| {
        byte.is_ascii_digit()
            .then(|| sum * 10 + u32::from(byte - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> Place {
        Place::Zone(name.parse().unwrap())
    }

    fn latest() -> Instant {
        Instant::parse_rfc3339("2036-11-04T00:00:00Z").unwrap()
    }

    fn read(text: &str, place: Place) -> Result<String, TimeProblem> {
        parse_time(text, &[], place, latest()).map(|time| time.to_string())
    }

    #[test]
    fn times_read_in_the_forms_that_providers_write() {
        for (text, expected) in [
            ("2026-03-01T10:11:12Z", "2026-03-01T10:11:12Z"),
            (
                "2026-03-01T10:11:12.345678+01:00",
                "2026-03-01T09:11:12.345678Z",
            ),
            ("2026-03-01 10:11:12", "2026-03-01T15:11:12Z"),
            ("2026-03-01 10:11", "2026-03-01T15:11:00Z"),
            ("2026/03/01 10:11:12 -0800", "2026-03-01T18:11:12Z"),
            ("2026-03-01 10:11:12 UTC", "2026-03-01T10:11:12Z"),
            ("2026-03-01", "2026-03-01T05:00:00Z"),
        ] {
            assert_eq!(
                read(text, zone("America/New_York")).unwrap(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "2026-02-30",
            "2026-13-01",
            "01/03/2026",
            "2026-03-01 25:00:00",
            "2026-3-1",
            "2026-03-01T10:11:12+99:00",
            "99999-01-01",
            "2026-03-01x",
            "2026-03-01 10:11:12 FOO",
        ] {
            assert_eq!(
                read(text, zone("UTC")),
                Err(TimeProblem::Unreadable),
                "{text:?}"
            );
        }
    }

    #[test]
    fn what_is_older_than_any_payment_or_more_than_ten_years_ahead_is_a_slip() {
        for text in [
            "0001-01-01",
            "0206-03-01",
            "1969-12-31 23:59:59",
            "2036-11-04 00:00:01",
            "2206-03-01",
            "9999-12-31",
        ] {
            assert_eq!(
                read(text, zone("UTC")),
                Err(TimeProblem::OutOfRange),
                "{text:?}"
            );
        }
        for text in ["1970-01-01", "2036-11-04"] {
            assert!(read(text, zone("UTC")).is_ok(), "{text:?}");
        }
    }

    /// DAT6
    #[test]
    fn a_payment_in_the_first_hour_of_a_summer_day_stays_on_that_day() {
        let london: Zone = "Europe/London".parse().unwrap();
        let time = parse_time("2026-07-14 00:20:00", &[], Place::Zone(london), latest()).unwrap();
        assert_eq!(time.to_string(), "2026-07-13T23:20:00Z");
        assert_eq!(time.day_in(london).to_string(), "2026-07-14");
    }

    /// DAT7
    #[test]
    fn an_hour_that_clocks_repeat_counts_the_first_time_unless_the_offset_says_otherwise() {
        let berlin = zone("Europe/Berlin");
        for (text, expected) in [
            ("2026-10-25 02:30:00", "2026-10-25T00:30:00Z"),
            ("2026-10-25 02:30:00 +0100", "2026-10-25T01:30:00Z"),
            ("2026-10-25T02:30:00+02:00", "2026-10-25T00:30:00Z"),
        ] {
            assert_eq!(read(text, berlin).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn an_hour_that_clocks_skip_is_refused() {
        assert_eq!(
            read("2026-03-29 02:30:00", zone("Europe/Berlin")),
            Err(TimeProblem::Skipped)
        );
    }

    /// DAT10
    #[test]
    fn times_seconds_apart_across_a_month_end_stay_apart() {
        let utc = zone("UTC");
        assert_eq!(
            read("2026-01-31 23:58:50", utc).unwrap(),
            "2026-01-31T23:58:50Z"
        );
        assert_eq!(
            read("2026-02-01 00:00:20", utc).unwrap(),
            "2026-02-01T00:00:20Z"
        );
    }

    #[test]
    fn a_zone_column_is_an_abbreviation_an_offset_or_a_name() {
        for (text, expected) in [
            ("CET", Some(Place::Offset(3600))),
            ("PST", Some(Place::Offset(-8 * 3600))),
            ("PDT", Some(Place::Offset(-7 * 3600))),
            ("ACST", Some(Place::Offset(9 * 3600 + 1800))),
            ("GMT+1", Some(Place::Offset(3600))),
            ("+05:30", Some(Place::Offset(5 * 3600 + 1800))),
            ("Europe/Berlin", Some(zone("Europe/Berlin"))),
            ("IST", None),
            ("Mars", None),
        ] {
            assert_eq!(parse_place(text), expected, "{text}");
        }
    }

    #[test]
    fn a_profile_s_own_patterns_are_read() {
        let patterns = ["%d/%m/%Y %H:%M:%S".to_owned(), "%d-%m-%Y".to_owned()];
        let utc = zone("UTC");
        for (text, expected) in [
            ("14/07/2026 10:00:00", "2026-07-14T10:00:00Z"),
            ("14-07-2026", "2026-07-14T00:00:00Z"),
        ] {
            assert_eq!(
                parse_time(text, &patterns, utc, latest())
                    .unwrap()
                    .to_string(),
                expected
            );
        }
        assert!(parse_time("2026-07-14", &patterns, utc, latest()).is_err());
    }
}
