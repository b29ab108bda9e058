//! What differs between two states of a case's facts, for a person who decided on the older one.

use super::wanted::CaseFacts;
use crate::money::Money;
use std::collections::BTreeSet;

/// One thing that is no longer as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactChange {
    /// What, as the page of the case calls it.
    pub what: String,
    /// As it was, or empty.
    pub then: String,
    /// As it is, or empty.
    pub now: String,
}

/// The facts that changed, in the order of the page.
pub fn changes(then: &CaseFacts, now: &CaseFacts) -> Vec<FactChange> {
    let mut found = Vec::new();
    let mut note = |what: String, then: String, now: String| {
        if then != now {
            found.push(FactChange { what, then, now });
        }
    };
    note(
        "Why here".to_owned(),
        then.sentence.clone(),
        now.sentence.clone(),
    );
    note(
        "Payment".to_owned(),
        then.intent.clone(),
        now.intent.clone(),
    );
    note(
        "Attempt".to_owned(),
        then.attempt.clone(),
        now.attempt.clone(),
    );
    note(
        "Expected".to_owned(),
        money(then.expected),
        money(now.expected),
    );
    note(
        "Difference".to_owned(),
        money(then.difference),
        money(now.difference),
    );
    for name in names(then, now, side_names) {
        let of = |facts: &CaseFacts, ours: bool| {
            let side = facts.sides.iter().find(|s| s.field.code() == name);
            side.map_or_else(String::new, |s| {
                if ours {
                    s.ours.clone()
                } else {
                    s.theirs.clone()
                }
            })
        };
        let word = name.replace('_', " ");
        note(format!("Our {word}"), of(then, true), of(now, true));
        note(format!("Their {word}"), of(then, false), of(now, false));
    }
    note("Lines".to_owned(), lines(then), lines(now));
    note("Attempts".to_owned(), attempts(then), attempts(now));
    note("Candidates".to_owned(), candidates(then), candidates(now));
    for name in names(then, now, figure_names) {
        let of = |facts: &CaseFacts| {
            let figure = facts.figures.iter().find(|(n, _)| *n == name);
            figure.map_or_else(String::new, |(_, value)| value.clone())
        };
        note(name.clone(), of(then), of(now));
    }
    found
}

fn names(
    then: &CaseFacts,
    now: &CaseFacts,
    of: impl Fn(&CaseFacts) -> Vec<String>,
) -> BTreeSet<String> {
    of(then).into_iter().chain(of(now)).collect()
}

fn side_names(facts: &CaseFacts) -> Vec<String> {
    let codes = facts.sides.iter().map(|s| s.field.code().to_owned());
    codes.collect()
}

fn figure_names(facts: &CaseFacts) -> Vec<String> {
    facts.figures.iter().map(|(name, _)| name.clone()).collect()
}

fn money(amount: Option<Money>) -> String {
    amount.map_or_else(String::new, |m| m.to_string())
}

fn lines(facts: &CaseFacts) -> String {
    let all = facts.lines.iter().map(|line| {
        let matched = if line.matched { ", matched" } else { "" };
        format!("line {} of {}{matched}", line.name.line_no, line.presented)
    });
    all.collect::<Vec<_>>().join("; ")
}

fn attempts(facts: &CaseFacts) -> String {
    let all = facts.attempts.iter().map(|a| {
        let outcome = crate::matching::sentences::outcome(a.outcome);
        format!("{} {outcome}", a.attempt)
    });
    all.collect::<Vec<_>>().join("; ")
}

fn candidates(facts: &CaseFacts) -> String {
    let all = facts.candidates.iter().map(|c| {
        if c.attempt.is_empty() {
            c.intent.clone()
        } else {
            format!("{}, attempt {}", c.intent, c.attempt)
        }
    });
    all.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_told_with_both_values() {
        let eur = |minor| Money::new(minor, "EUR".parse().unwrap());
        let then = CaseFacts {
            sentence: "5.00 EUR are missing.".to_owned(),
            intent: "i1".to_owned(),
            difference: Some(eur(500)),
            figures: vec![("rows".to_owned(), "2".to_owned())],
            ..CaseFacts::default()
        };
        let now = CaseFacts {
            sentence: "3.00 EUR are missing.".to_owned(),
            difference: Some(eur(300)),
            figures: vec![("last file".to_owned(), "b.csv".to_owned())],
            ..then.clone()
        };
        let told: Vec<(String, String, String)> = changes(&then, &now)
            .into_iter()
            .map(|c| (c.what, c.then, c.now))
            .collect();
        let line =
            |what: &str, then: &str, now: &str| (what.to_owned(), then.to_owned(), now.to_owned());
        assert_eq!(
            told,
            [
                line("Why here", "5.00 EUR are missing.", "3.00 EUR are missing."),
                line("Difference", "5.00 EUR", "3.00 EUR"),
                line("last file", "", "b.csv"),
                line("rows", "2", ""),
            ]
        );
        assert!(changes(&now, &now).is_empty());
    }
}
