//! Cases of a whole file: rows that could not be read, rows of unknown kind.

use super::{
    kinds::CaseKind,
    wanted::{CaseFacts, Subject, WantedCase},
};
use crate::{
    matching::{LineName, sentences},
    money::Money,
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
}

/// The cases of a file.
pub fn file_cases(account: i64, file: &FileStanding) -> Vec<WantedCase> {
    let mut wanted = Vec::new();
    if file.rejected > 0 && !file.accepted {
        wanted.push(rejected(account, file));
    }
    if file.unknown.iter().any(|u| u.rows > 0) {
        wanted.push(unrecognised(account, file));
    }
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
    case.facts.sentence = format!(
        "{} of {} are of a kind that the profile does not know ({}). They are posted to suspense.",
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

fn rows(count: u64) -> String {
    if count == 1 {
        "1 row".to_owned()
    } else {
        format!("{count} rows")
    }
}
