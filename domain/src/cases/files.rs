//! Cases of a whole file: rows that could not be read, rows of unknown kind, rows that count otherwise,
//! work that failed.

use super::{
    kinds::CaseKind,
    wanted::{CaseFacts, Subject, WantedCase},
};
use crate::{
    account::Policy,
    matching::{LineName, sentences},
    money::Money,
    time::Instant,
    view::amount::counted,
};

/// Rows of one unknown kind in one currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownRows {
    /// The provider's own word.
    pub source_kind: String,
    /// How many of them no decision has placed.
    pub rows: u64,
    /// Their net.
    pub net: Money,
    /// A few of their names.
    pub examples: Vec<LineName>,
}

/// Rows of a used file that count with the figures of another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestatedRows {
    /// How many.
    pub rows: u64,
    /// Physical lines of the first of them.
    pub first_lines: Vec<u64>,
}

/// Work on a file that failed so often that it is not tried again by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedWork {
    /// How often.
    pub times: u32,
    /// What went wrong the last time.
    pub error: String,
    /// What of ours is due in its days, where they are known and it is of one currency.
    pub due_in_it: Option<Money>,
}

/// A file that waits for a person for longer than its account's grace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldTooLong {
    /// When it came.
    pub since: Instant,
    /// Why it waits: sentences.
    pub because: Vec<String>,
    /// What of ours is due in its days, where they are known and it is of one currency.
    pub due_in_it: Option<Money>,
}

/// When a file that is held becomes a case: the grace after it came.
pub const fn held_due(since: Instant, policy: &Policy) -> Instant {
    since.plus_seconds(policy.grace_hours as i64 * 3_600)
}

/// What is known of a file's odd rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileStanding {
    /// SHA-256 in hex.
    pub sha256: String,
    /// Its name.
    pub name: String,
    /// How many rows could not be read.
    pub rejected: u64,
    /// The first of them: line number and message.
    pub rejected_examples: Vec<(u64, String)>,
    /// Whether a decision accepted the file without them.
    pub accepted: bool,
    /// Whether the file waits for that.
    pub held: bool,
    /// Rows of unknown kind, by the provider's word.
    pub unknown: Vec<UnknownRows>,
    /// Rows of it that do not count, since another file brought them with other figures.
    pub restated: Option<RestatedRows>,
    /// The work on it that stopped, if it did.
    pub failed: Option<FailedWork>,
    /// Its waiting for a person, once that is beyond the grace.
    pub held_too_long: Option<HeldTooLong>,
    /// Whether a person put it away: nothing of it is asked any more.
    pub withdrawn: bool,
}

/// The cases of a file.
pub fn file_cases(account: i64, file: &FileStanding) -> Vec<WantedCase> {
    let mut wanted = Vec::new();
    if file.withdrawn {
        return wanted;
    }
    if file.rejected > 0 && !file.accepted {
        wanted.push(rejected(account, file));
    }
    if file.unknown.iter().any(|u| u.rows > 0) {
        wanted.push(unrecognised(account, file));
    }
    wanted.extend(file.restated.as_ref().map(|r| restated(account, file, r)));
    wanted.extend(file.failed.as_ref().map(|work| failed(account, file, work)));
    wanted.extend(
        file.held_too_long
            .as_ref()
            .map(|held| held_too_long(account, file, held)),
    );
    wanted
}

fn of_file(account: i64, file: &FileStanding, kind: CaseKind) -> WantedCase {
    WantedCase {
        kind,
        subject: Subject::File(file.sha256.clone()).to_string(),
        account,
        at_risk: None,
        intent: None,
        attempt: None,
        line: None,
        not_before: None,
        facts: CaseFacts {
            settled_by: sentences::settled_by(kind),
            figures: vec![("file".to_owned(), file.name.clone())],
            ..CaseFacts::default()
        },
    }
}

fn rejected(account: i64, file: &FileStanding) -> WantedCase {
    let mut case = of_file(account, file, CaseKind::RejectedRows);
    let waits = if file.held {
        "Nothing of the file is used until somebody accepts it without them or uploads a repaired one."
    } else {
        "The other rows are used."
    };
    case.facts.sentence = format!(
        "{} of {} could not be read. {waits}",
        rows(file.rejected),
        file.name
    );
    for (line, message) in &file.rejected_examples {
        case.facts
            .figures
            .push((format!("line {line}"), message.clone()));
    }
    case
}

fn unrecognised(account: i64, file: &FileStanding) -> WantedCase {
    let mut case = of_file(account, file, CaseKind::UnrecognisedRows);
    let count: u64 = file.unknown.iter().map(|u| u.rows).sum();
    let kinds: Vec<&str> = file
        .unknown
        .iter()
        .map(|u| u.source_kind.as_str())
        .collect();
    let (are, they_are) = if count == 1 {
        ("is", "It is")
    } else {
        ("are", "They are")
    };
    case.facts.sentence = format!(
        "{} of {} {are} of a kind that the profile does not know ({}). {they_are} posted to suspense.",
        rows(count),
        file.name,
        kinds.join(", ")
    );
    for unknown in &file.unknown {
        let examples: Vec<String> = unknown.examples.iter().map(ToString::to_string).collect();
        case.facts.figures.push((
            unknown.source_kind.clone(),
            format!(
                "{}, net {}: {}",
                rows(unknown.rows),
                unknown.net,
                examples.join(", ")
            ),
        ));
    }
    if let [one] = file.unknown.as_slice() {
        case.at_risk = Some(Money::new(
            one.net.minor.checked_abs().unwrap_or(i64::MAX),
            one.net.currency,
        ));
    }
    case
}

/// What counts already stands until a person has said which of the two files is right.
fn restated(account: i64, file: &FileStanding, restated: &RestatedRows) -> WantedCase {
    let mut case = of_file(account, file, CaseKind::RestatedLine);
    let lines: Vec<String> = restated.first_lines.iter().map(u64::to_string).collect();
    let (gives, they) = if restated.rows == 1 {
        ("gives", "it does")
    } else {
        ("give", "they do")
    };
    let (line, more) = (
        if lines.len() == 1 { "line" } else { "lines" },
        if restated.rows > lines.len() as u64 {
            " and more"
        } else {
            ""
        },
    );
    case.facts.sentence = format!(
        "{} of {} {gives} other figures than another file that was used while work on this one had \
         stopped ({line} {}{more}). The figures in use stand: {they} not count.",
        rows(restated.rows),
        file.name,
        lines.join(", ")
    );
    case
}

/// A file that is here and cannot be used is as good as missing: what it would bring is not there.
fn failed(account: i64, file: &FileStanding, work: &FailedWork) -> WantedCase {
    let mut case = of_file(account, file, CaseKind::MissingFile);
    case.at_risk = work.due_in_it;
    case.facts.settled_by = vec!["another try, once its cause is mended".to_owned()];
    case.facts.sentence = format!(
        "Work on {} failed {} times and stopped where it stood: its days do not count as complete.",
        file.name, work.times
    );
    case.facts
        .figures
        .push(("error".to_owned(), work.error.clone()));
    case
}

/// So is one that is here and waits.
fn held_too_long(account: i64, file: &FileStanding, held: &HeldTooLong) -> WantedCase {
    let mut case = of_file(account, file, CaseKind::MissingFile);
    case.at_risk = held.due_in_it;
    case.facts.settled_by = vec![
        "its acceptance as it is, on its page".to_owned(),
        "a repaired file, once this one is put away".to_owned(),
    ];
    case.facts.sentence = format!(
        "{} is held since {} and nobody has said what becomes of it: nothing of it is posted, and its \
         days do not count as complete.",
        file.name, held.since
    );
    let figures = &mut case.facts.figures;
    figures.push((HELD_SINCE.to_owned(), held.since.to_string()));
    figures.extend(
        held.because
            .iter()
            .map(|why| ("held because".to_owned(), why.clone())),
    );
    case
}

/// The figure by which such a case is known.
pub const HELD_SINCE: &str = "held since";

fn rows(count: u64) -> String {
    counted(count, "row", "rows")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_is_spoken_of_as_one() {
        let unknown = |rows| UnknownRows {
            source_kind: "levy".to_owned(),
            rows,
            net: Money::new(-100, "EUR".parse().unwrap()),
            examples: Vec::new(),
        };
        let mut file = FileStanding {
            restated: None,
            failed: None,
            held_too_long: None,
            withdrawn: false,
            sha256: "00".repeat(32),
            name: "day.csv".to_owned(),
            rejected: 0,
            rejected_examples: Vec::new(),
            accepted: false,
            held: false,
            unknown: vec![unknown(1)],
        };
        let sentence = |file: &FileStanding| file_cases(1, file)[0].facts.sentence.clone();
        assert_eq!(
            sentence(&file),
            "1 row of day.csv is of a kind that the profile does not know (levy). It is posted to suspense."
        );
        file.unknown = vec![unknown(1_200)];
        assert_eq!(
            sentence(&file),
            "1,200 rows of day.csv are of a kind that the profile does not know (levy). They are posted to suspense."
        );
    }
}
