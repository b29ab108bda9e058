//! Which days a file covers by the days of its rows.
//!
//! Days without business between days with rows are covered with them: weekends, holidays, weeks
//! between payouts, months of a shop that sells twice a month. A row with a wrong date must not make
//! months complete of which no file came. So where the rows of a file lie too far apart for how many
//! there are, the days between are not covered, and neither are the few rows that lie apart.

use crate::time::Day;

/// Rows from which a file's density says something.
const ENOUGH_ROWS: u64 = 10;

/// From one day with rows to the next, a step that needs no explanation: a week and a day.
const PLAIN_STEP: i64 = 8;

/// A step after which a person is asked: longer than any month.
const LONG_STEP: i64 = 35;

/// Days with rows from which their rhythm is known, so that a break in it is none of its beats.
const KNOWN_RHYTHM: usize = 10;

/// How many rows were to be expected on days without any, before that is no accident: such a run
/// is then as rare as one in eight thousand.
const IMPROBABLE: i128 = 9;

/// A day with rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BusyDay {
    /// The day.
    pub day: Day,
    /// Its rows.
    pub rows: u64,
    /// Physical line of the first of them in the file.
    pub first_line: u64,
}

/// Days of a file that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// The first day.
    pub first: BusyDay,
    /// The last day.
    pub last: BusyDay,
    /// Rows of all its days.
    pub rows: u64,
}

/// The days of a file, cut where rows lie too far apart. Days come in order.
pub fn stretches(days: &[BusyDay]) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    for (at, day) in days.iter().enumerate() {
        match found.last_mut() {
            Some(last) if !is_cut(days, at) => {
                last.last = *day;
                last.rows += day.rows;
            }
            _ => found.push(Stretch {
                first: *day,
                last: *day,
                rows: day.rows,
            }),
        }
    }
    found
}

/// First and last day of each stretch that counts as complete: those that hold more than a few of the
/// file's rows. All of it, where it is not cut.
pub fn covered(stretches: &[Stretch]) -> Vec<(Day, Day)> {
    let rows = stretches.iter().map(|s| s.rows).sum();
    stretches
        .iter()
        .filter(|s| stretches.len() == 1 || !is_few(s.rows, rows))
        .map(|s| (s.first.day, s.last.day))
        .collect()
}

/// Two neighbouring stretches so far apart that a person is asked whether their dates are right.
pub fn far_apart(stretches: &[Stretch]) -> Option<(Stretch, Stretch)> {
    stretches
        .iter()
        .zip(stretches.iter().skip(1))
        .find(|(a, b)| b.first.day.number() - a.last.day.number() > LONG_STEP)
        .map(|(a, b)| (*a, *b))
}

/// Whether a day of a file does not belong to the day with rows before it.
fn is_cut(days: &[BusyDay], at: usize) -> bool {
    let (before, after) = days.split_at(at);
    let (Some(previous), Some(day)) = (before.last(), after.first()) else {
        return false;
    };
    let step = day.day.number() - previous.day.number();
    if step <= PLAIN_STEP || is_explained(days, step) {
        return false;
    }
    let count = |days: &[BusyDay]| days.iter().map(|d| d.rows).sum::<u64>();
    let (here, there) = (count(before), count(after));
    step > LONG_STEP || days.len() > KNOWN_RHYTHM || is_few(here.min(there), here + there)
}

/// Whether a file with these days may well have no rows for so long.
fn is_explained(days: &[BusyDay], step: i64) -> bool {
    let rows: u64 = days.iter().map(|d| d.rows).sum();
    if rows < ENOUGH_ROWS {
        return true;
    }
    let mut others: Vec<i64> = days
        .iter()
        .zip(days.iter().skip(1))
        .map(|(a, b)| b.day.number() - a.day.number())
        .collect();
    others.sort_unstable();
    if let Ok(own) = others.binary_search(&step) {
        others.remove(own);
    }
    // Payouts on a day of each month, say.
    let usual = others.get(others.len() / 2).copied();
    if others.len() > 1 && usual.is_some_and(|usual| step <= 2 * usual) {
        return true;
    }
    let rest: i64 = 1 + others.iter().sum::<i64>() + 1;
    // Both ends of the step have a row in any case.
    i128::from(rows - 2) * i128::from(step - 1) <= IMPROBABLE * i128::from(rest)
}

/// Whether so few of a file's rows may be mistaken.
const fn is_few(some: u64, rows: u64) -> bool {
    some <= 2 || some <= rows / 50
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        Day::parse(text).unwrap()
    }

    /// Days by date, and rows on each.
    fn busy(days: &[(&str, u64)]) -> Vec<BusyDay> {
        days.iter()
            .map(|(date, rows)| BusyDay {
                day: day(date),
                rows: *rows,
                first_line: 2,
            })
            .collect()
    }

    fn covers(days: &[(&str, u64)]) -> Vec<(String, String)> {
        covered(&stretches(&busy(days)))
            .into_iter()
            .map(|(a, b)| (a.to_string(), b.to_string()))
            .collect()
    }

    fn asks(days: &[(&str, u64)]) -> bool {
        far_apart(&stretches(&busy(days))).is_some()
    }

    fn span(first: &str, last: &str) -> Vec<(String, String)> {
        vec![(first.to_owned(), last.to_owned())]
    }

    #[test]
    fn one_row_with_a_wrong_date_makes_no_months_complete_and_is_asked_about() {
        // 200 rows of Monday to Wednesday, one dated three months earlier.
        let days = [
            ("2026-08-03", 1),
            ("2026-11-02", 80),
            ("2026-11-03", 60),
            ("2026-11-04", 60),
        ];
        assert_eq!(covers(&days), span("2026-11-02", "2026-11-04"));
        assert!(asks(&days));
        // Day and month changed places: 3 November became 11 March of the year after.
        let days = [("2026-11-02", 12), ("2027-03-11", 1)];
        assert_eq!(covers(&days), span("2026-11-02", "2026-11-02"));
        assert!(asks(&days));
        // One row on every day, and one three months before.
        let mut days: Vec<(String, u64)> =
            (1..=30).map(|n| (format!("2026-11-{n:02}"), 1)).collect();
        days.insert(0, ("2026-08-03".to_owned(), 1));
        let days: Vec<(&str, u64)> = days.iter().map(|(d, n)| (d.as_str(), *n)).collect();
        assert_eq!(covers(&days), span("2026-11-01", "2026-11-30"));
    }

    #[test]
    fn a_few_rows_some_weeks_off_cover_nothing_and_the_file_is_used_all_the_same() {
        let days = [("2026-11-02", 40), ("2026-11-03", 40), ("2026-11-20", 1)];
        assert_eq!(covers(&days), span("2026-11-02", "2026-11-03"));
        assert!(!asks(&days));
    }

    #[test]
    fn days_without_business_are_covered_with_those_around_them() {
        for (what, days) in [
            ("a weekend", vec![("2026-11-06", 500), ("2026-11-09", 500)]),
            ("Christmas", vec![("2026-12-23", 500), ("2026-12-28", 300)]),
            (
                "weekly payouts",
                vec![("2026-11-02", 90), ("2026-11-09", 90), ("2026-11-16", 90)],
            ),
            (
                "two payouts a month",
                vec![("2026-11-01", 90), ("2026-11-15", 90)],
            ),
            (
                "monthly payouts",
                vec![
                    ("2026-08-31", 90),
                    ("2026-09-30", 90),
                    ("2026-11-02", 90),
                    ("2026-11-30", 90),
                ],
            ),
            (
                "a handful of rows",
                vec![("2026-11-02", 5), ("2026-11-20", 1)],
            ),
            // Eleven sales in a month: ten days without one are no wonder.
            (
                "a small shop",
                vec![
                    ("2026-11-01", 1),
                    ("2026-11-02", 2),
                    ("2026-11-05", 1),
                    ("2026-11-08", 2),
                    ("2026-11-18", 3),
                    ("2026-11-24", 1),
                    ("2026-11-29", 1),
                ],
            ),
        ] {
            let (first, last) = (days[0].0, days[days.len() - 1].0);
            assert_eq!(covers(&days), span(first, last), "{what}");
            assert!(!asks(&days), "{what}");
        }
    }

    #[test]
    fn two_months_in_one_file_with_the_one_between_missing_are_two_stretches() {
        // Every day of September, and every day of November.
        let days: Vec<(String, u64)> = [9, 11]
            .into_iter()
            .flat_map(|month| (1..=30).map(move |n| (format!("2026-{month:02}-{n:02}"), 20)))
            .collect();
        let days: Vec<(&str, u64)> = days.iter().map(|(d, n)| (d.as_str(), *n)).collect();
        let two = |last: &str, first: &str| {
            [("2026-09-01", last), (first, "2026-11-30")].map(|(a, b)| (a.to_owned(), b.to_owned()))
        };
        assert_eq!(covers(&days), two("2026-09-30", "2026-11-01"));
        assert!(!asks(&days));
        // More than a month without any row is asked about, too.
        let days: Vec<(&str, u64)> = days
            .into_iter()
            .filter(|(d, _)| *d < "2026-09-25")
            .chain([("2026-11-29", 20), ("2026-11-30", 20)])
            .collect();
        assert_eq!(covers(&days), two("2026-09-24", "2026-11-29"));
        assert!(asks(&days));
    }
}
