//! Instants, days and the zones in which days are cut. The clock itself is a parameter elsewhere.

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, NaiveTime, TimeZone, Utc, Weekday};
use chrono_tz::Tz;
use std::{fmt, str::FromStr};

/// A point in time: microseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(i64);

/// A calendar day, without a zone: days since 1970-01-01 in storage, `YYYY-MM-DD` in text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(NaiveDate);

/// A zone of the IANA database, such as `Europe/Berlin`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Zone(pub Tz);

/// A text that is no time, day or zone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    /// Not RFC 3339.
    #[error("{0:?} is not a time in RFC 3339, such as 2026-11-29T14:02:11Z")]
    NotATime(String),
    /// Not an ISO date.
    #[error("{0:?} is not a date of the form YYYY-MM-DD")]
    NotADay(String),
    /// Not in the IANA database.
    #[error("{0:?} is not a time zone of the IANA database, such as Europe/Berlin")]
    NotAZone(String),
}

const MICROS_PER_SECOND: i64 = 1_000_000;

impl Instant {
    /// No payment that anybody reconciles is older.
    pub const EARLIEST_PLAUSIBLE: Self = Self(0);

    /// The latest time that something can bear which is read at this one: ten years ahead. A later one is
    /// a slip, such as `20260` or `9999`.
    #[must_use]
    pub fn latest_plausible(self) -> Self {
        let day = self.day_in(Zone::UTC).0;
        let ahead = day
            .checked_add_months(Months::new(120))
            .unwrap_or(NaiveDate::MAX);
        Day(ahead).start_in(Zone::UTC)
    }

    /// From microseconds since the epoch.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since the epoch.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// From a chrono time.
    pub fn from_utc(time: DateTime<Utc>) -> Self {
        Self(time.timestamp_micros())
    }

    /// As a chrono time; the far ends of 64 bits are clamped to chrono's own.
    pub fn to_utc(self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.0).unwrap_or(if self.0 < 0 {
            DateTime::<Utc>::MIN_UTC
        } else {
            DateTime::<Utc>::MAX_UTC
        })
    }

    /// Reads RFC 3339.
    pub fn parse_rfc3339(text: &str) -> Result<Self, TimeError> {
        DateTime::parse_from_rfc3339(text)
            .map(|t| Self(t.timestamp_micros()))
            .map_err(|_| TimeError::NotATime(text.chars().take(40).collect()))
    }

    /// The day of this instant in a zone.
    pub fn day_in(self, zone: Zone) -> Day {
        Day(self.to_utc().with_timezone(&zone.0).date_naive())
    }

    /// This instant moved by whole seconds, saturating.
    #[must_use]
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self(
            self.0
                .saturating_add(seconds.saturating_mul(MICROS_PER_SECOND)),
        )
    }

    /// Whole seconds from an earlier instant to this one, negative if it is later.
    pub const fn seconds_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0) / MICROS_PER_SECOND
    }
}

impl fmt::Display for Instant {
    /// RFC 3339 in UTC with as many decimals as needed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            &self
                .to_utc()
                .to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true),
        )
    }
}

impl Day {
    /// From a chrono date.
    pub const fn from_date(date: NaiveDate) -> Self {
        Self(date)
    }

    /// From year, month and day.
    pub fn from_ymd(year: i32, month: u32, day: u32) -> Option<Self> {
        NaiveDate::from_ymd_opt(year, month, day).map(Self)
    }

    /// As a chrono date.
    pub const fn date(self) -> NaiveDate {
        self.0
    }

    /// Days since 1970-01-01.
    pub fn number(self) -> i64 {
        self.0
            .signed_duration_since(NaiveDate::default())
            .num_days()
    }

    /// From days since 1970-01-01.
    pub fn from_number(days: i64) -> Option<Self> {
        let epoch = NaiveDate::default();
        if days >= 0 {
            epoch
                .checked_add_days(Days::new(days.unsigned_abs()))
                .map(Self)
        } else {
            epoch
                .checked_sub_days(Days::new(days.unsigned_abs()))
                .map(Self)
        }
    }

    /// Reads `YYYY-MM-DD`.
    pub fn parse(text: &str) -> Result<Self, TimeError> {
        let not_a_day = || TimeError::NotADay(text.chars().take(40).collect());
        if text.len() != 10 {
            return Err(not_a_day());
        }
        NaiveDate::parse_from_str(text, "%Y-%m-%d")
            .map(Self)
            .map_err(|_| not_a_day())
    }

    /// The first instant of the day in a zone. Where midnight does not exist, the first that does.
    pub fn start_in(self, zone: Zone) -> Instant {
        let midnight = self.0.and_time(NaiveTime::MIN);
        for quarter in 0..=96 {
            let local = midnight + chrono::TimeDelta::minutes(15 * quarter);
            if let Some(time) = zone.0.from_local_datetime(&local).earliest() {
                return Instant::from_utc(time.with_timezone(&Utc));
            }
        }
        Instant::from_utc(midnight.and_utc())
    }

    /// The day after, or the same at the end of the calendar.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.succ_opt().unwrap_or(self.0))
    }

    /// The day before, or the same at the start of the calendar.
    #[must_use]
    pub fn previous(self) -> Self {
        Self(self.0.pred_opt().unwrap_or(self.0))
    }

    /// This day moved forward by business days (Monday to Friday).
    #[must_use]
    pub fn plus_business_days(self, days: u32) -> Self {
        let mut day = self;
        let mut left = days;
        while left > 0 {
            day = day.next();
            if !matches!(day.0.weekday(), Weekday::Sat | Weekday::Sun) {
                left -= 1;
            }
        }
        day
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format("%Y-%m-%d"))
    }
}

impl FromStr for Day {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl Zone {
    /// Coordinated universal time.
    pub const UTC: Self = Self(Tz::UTC);
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl FromStr for Zone {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse::<Tz>()
            .map(Self)
            .map_err(|_| TimeError::NotAZone(text.chars().take(40).collect()))
    }
}

macro_rules! serde_as_text {
    ($name:ident, $parse:expr) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(d)?;
                $parse(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}

serde_as_text!(Instant, Instant::parse_rfc3339);
serde_as_text!(Day, Day::parse);
serde_as_text!(Zone, |text: &str| text.parse::<Zone>());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_cut_in_the_account_s_zone() {
        let berlin: Zone = "Europe/Berlin".parse().unwrap();
        let late = Instant::parse_rfc3339("2026-03-28T23:30:00Z").unwrap();
        assert_eq!(late.day_in(berlin).to_string(), "2026-03-29");
        // 2026-03-29 has 23 hours in Berlin.
        let day = Day::parse("2026-03-29").unwrap();
        assert_eq!(
            day.next()
                .start_in(berlin)
                .seconds_since(day.start_in(berlin)),
            23 * 3600
        );
    }

    #[test]
    fn two_business_days_after_friday_is_tuesday() {
        let friday = Day::parse("2026-11-27").unwrap();
        assert_eq!(friday.plus_business_days(2).to_string(), "2026-12-01");
    }

    #[test]
    fn a_day_survives_its_number() {
        for text in ["1969-12-31", "1970-01-01", "2026-11-29"] {
            let day = Day::parse(text).unwrap();
            assert_eq!(Day::from_number(day.number()), Some(day));
        }
    }
}
