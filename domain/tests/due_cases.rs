//! Cases that only time makes, and batches.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod worlds;

use domain::{
    account::ProviderAccount,
    cases::{
        CaseKind, OddRows,
        batches::{BatchStanding, batch_due},
        due::{AttemptStanding, PeriodStanding, attempt_due, period_due, settlement_due},
        files::{FailedWork, FileStanding, HeldTooLong, UnknownRows, file_cases, held_due},
    },
    money::Money,
    payment::Outcome,
    time::Day,
};
use worlds::*;

fn account() -> ProviderAccount {
    accounts().remove(&1).unwrap()
}

#[test]
fn a_settlement_is_due_after_business_days_to_the_end_of_the_day_and_grace() {
    let mut account = account();
    account.zone = "Europe/Berlin".parse().unwrap();
    for (began, due) in [
        // Monday 12:00 in Berlin: Wednesday ends at 23:00 UTC, and a day of grace.
        ("2026-11-23T11:00:00Z", "2026-11-26T23:00:00Z"),
        // Friday: Monday, Tuesday.
        ("2026-11-27T11:00:00Z", "2026-12-02T23:00:00Z"),
        // Sunday 23:30 UTC is Monday in Berlin.
        ("2026-11-22T23:30:00Z", "2026-11-26T23:00:00Z"),
    ] {
        let found = settlement_due(at(began), account.zone, &account.policy);
        assert_eq!(found, at(due), "{began}");
    }
}

#[test]
fn an_attempt_becomes_a_case_by_age_alone_and_never_a_result() {
    let intent = charge(1, 100);
    let standing = AttemptStanding {
        intent: &intent,
        attempt: &intent.attempts[0],
        outcome: Outcome::Unknown,
        since: at("2026-11-23T12:00:00Z"),
        has_lines: false,
        candidate_elsewhere: false,
        covered: true,
    };
    let kind = |standing: &AttemptStanding<'_>, now: &str| {
        attempt_due(&account(), standing, at(now)).map(|c| c.kind)
    };
    let succeeded = AttemptStanding {
        outcome: Outcome::Succeeded,
        ..standing
    };
    for (standing, now, expected) in [
        (standing, "2026-11-23T12:14:59Z", None),
        (
            standing,
            "2026-11-23T12:15:00Z",
            Some(CaseKind::UnknownOutcome),
        ),
        (
            standing,
            "2027-11-23T12:15:00Z",
            Some(CaseKind::UnknownOutcome),
        ),
        (
            AttemptStanding {
                candidate_elsewhere: true,
                ..standing
            },
            "2026-12-23T12:15:00Z",
            None,
        ),
        (succeeded, "2026-11-26T23:59:59Z", None),
        (
            succeeded,
            "2026-11-27T00:00:00Z",
            Some(CaseKind::MissingSettlement),
        ),
        (
            AttemptStanding {
                covered: false,
                ..succeeded
            },
            "2026-12-27T00:00:00Z",
            None,
        ),
        (
            AttemptStanding {
                has_lines: true,
                ..succeeded
            },
            "2026-12-27T00:00:00Z",
            None,
        ),
        (
            AttemptStanding {
                outcome: Outcome::Rejected,
                ..standing
            },
            "2026-12-27T00:00:00Z",
            None,
        ),
    ] {
        assert_eq!(kind(&standing, now), expected, "{now}");
    }
}

#[test]
fn a_file_is_missing_after_its_day_is_due_and_nothing_may_arrive_late_any_more() {
    let period = PeriodStanding {
        day: Day::parse("2026-11-23").unwrap(),
        last: Day::parse("2026-11-23").unwrap(),
        covered: false,
        attempts_due: 2,
        due_in_it: Some(Money::new(200, eur())),
        dismissed: false,
    };
    for (period, now, expected) in [
        (period, "2026-12-01T23:59:59Z", false),
        (period, "2026-12-02T00:00:00Z", true),
        (
            PeriodStanding {
                covered: true,
                ..period
            },
            "2027-01-01T00:00:00Z",
            false,
        ),
        (
            PeriodStanding {
                dismissed: true,
                ..period
            },
            "2027-01-01T00:00:00Z",
            false,
        ),
    ] {
        let case = period_due(&account(), &period, at(now));
        assert_eq!(case.is_some(), expected, "{now}");
        if let Some(case) = case {
            assert_eq!(case.subject, "period:stripe-eu:2026-11-23");
            assert_eq!(case.at_risk, period.due_in_it);
        }
    }
}

#[test]
fn a_batch_is_judged_once_its_payout_is_known_and_due() {
    let batch = BatchStanding {
        provider_batch_id: "po_1".into(),
        currency: eur(),
        net: 12_000,
        payouts: 1,
        payout_net: -9_500,
        declared: None,
        accepted: None,
        last_day: Day::parse("2026-11-23").unwrap(),
        odd: OddRows::default(),
    };
    let late = "2026-12-24T00:00:00Z";
    // Off by +0.90 and by -0.40: 0.50 in all, and 1.30 moves when both are accepted.
    let mut odd = OddRows::default();
    odd.add("00112233445566ff:7".parse().unwrap(), 90);
    odd.add("00112233445566ff:9".parse().unwrap(), -40);
    for (what, batch, now, at_risk) in [
        ("short", batch.clone(), late, Some(2_500)),
        ("not due", batch.clone(), "2026-11-26T00:00:00Z", None),
        (
            "open",
            BatchStanding {
                payouts: 0,
                payout_net: 0,
                ..batch.clone()
            },
            late,
            None,
        ),
        (
            "ties",
            BatchStanding {
                payout_net: -12_000,
                ..batch.clone()
            },
            late,
            None,
        ),
        (
            "accepted",
            BatchStanding {
                accepted: Some(2_500),
                ..batch.clone()
            },
            late,
            None,
        ),
        (
            "accepted less",
            BatchStanding {
                accepted: Some(2_000),
                ..batch.clone()
            },
            late,
            Some(500),
        ),
        (
            "declared otherwise",
            BatchStanding {
                payout_net: -12_000,
                declared: Some(12_300),
                ..batch.clone()
            },
            late,
            Some(300),
        ),
        (
            "odd row",
            BatchStanding {
                payout_net: -12_000,
                odd: odd.clone(),
                ..batch.clone()
            },
            late,
            Some(130),
        ),
        (
            "odd row, long before anything is due or paid out",
            BatchStanding {
                payouts: 0,
                payout_net: 0,
                odd: odd.clone(),
                ..batch.clone()
            },
            "2026-11-23T00:00:00Z",
            Some(130),
        ),
        (
            "odd row in a batch whose residual was accepted",
            BatchStanding {
                accepted: Some(2_500),
                odd: odd.clone(),
                ..batch.clone()
            },
            late,
            Some(130),
        ),
        (
            "short, with an odd row",
            BatchStanding {
                odd: odd.clone(),
                ..batch.clone()
            },
            late,
            Some(2_630),
        ),
        (
            "negative payout",
            BatchStanding {
                net: -4_000,
                payout_net: 4_000,
                ..batch
            },
            late,
            None,
        ),
    ] {
        let case = batch_due(&account(), &batch, at(now)).unwrap();
        assert_eq!(
            case.as_ref().map(|c| c.at_risk.unwrap().minor),
            at_risk,
            "{what}"
        );
        if let Some(case) = case {
            assert_eq!(case.subject, "batch:stripe-eu:po_1:EUR");
            assert_eq!(case.facts.figures[0].0, "declared");
        }
    }
}

/// Declared is what the payout says that the rows come to, summed what they do come to, the residual what is
/// left in clearing: summed less declared.
#[test]
fn a_batch_that_does_not_tie_says_what_was_declared_what_came_and_what_is_left() {
    let batch = |net, payout_net, accepted| BatchStanding {
        provider_batch_id: "po_1".into(),
        currency: eur(),
        net,
        payouts: 1,
        payout_net,
        declared: None,
        accepted,
        last_day: Day::parse("2026-11-23").unwrap(),
        odd: OddRows::default(),
    };
    for (batch, declared, residual, sentence) in [
        (
            batch(12_000, -9_500, None),
            "95.00 EUR by its payout",
            "25.00 EUR",
            "The rows of batch po_1 come to 120.00 EUR, its payout says 95.00 EUR: 25.00 EUR is not explained.",
        ),
        // More was paid out than came.
        (
            batch(9_500, -12_000, None),
            "120.00 EUR by its payout",
            "-25.00 EUR",
            "The rows of batch po_1 come to 95.00 EUR, its payout says 120.00 EUR: -25.00 EUR is not explained.",
        ),
        // A payout row with the sign of money that comes in: not twice the batch is missing, its sign is off.
        (
            batch(2_305, 2_305, None),
            "-23.05 EUR by its payout",
            "46.10 EUR",
            "The rows of batch po_1 come to 23.05 EUR, and its payout row says 23.05 EUR as well, where a payout that takes it out of the balance would say -23.05 EUR. 46.10 EUR is left instead of nothing: ask the provider whether the payout's sign is right.",
        ),
        (
            batch(12_000, -9_500, Some(2_000)),
            "95.00 EUR by its payout",
            "5.00 EUR",
            "The rows of batch po_1 come to 120.00 EUR, its payout says 95.00 EUR, 20.00 EUR of the difference was accepted: 5.00 EUR is not explained.",
        ),
    ] {
        let case = batch_due(&account(), &batch, at("2026-12-24T00:00:00Z"))
            .unwrap()
            .unwrap();
        assert_eq!(case.facts.sentence, sentence);
        let figure = |name: &str| {
            let found = case.facts.figures.iter().find(|(n, _)| n == name);
            found.unwrap().1.clone()
        };
        assert_eq!(figure("declared"), declared);
        assert_eq!(
            figure("summed"),
            format!("{}", Money::new(batch.net, eur()))
        );
        assert_eq!(figure("residual"), residual);
    }
}

#[test]
fn a_file_has_a_case_for_rows_not_read_and_one_for_rows_not_known() {
    let mut file = FileStanding {
        sha256: "ab".repeat(32),
        name: "november.csv".into(),
        rejected: 1,
        rejected_examples: vec![(7, "gross is not a number".into())],
        accepted: false,
        held: true,
        unknown: vec![UnknownRows {
            source_kind: "topup".into(),
            rows: 3,
            net: Money::new(-900, eur()),
            examples: vec![],
        }],
        restated: None,
        failed: None,
        held_too_long: None,
        withdrawn: false,
    };
    let kinds = |file: &FileStanding| {
        file_cases(1, file)
            .iter()
            .map(|c| c.kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        kinds(&file),
        [CaseKind::RejectedRows, CaseKind::UnrecognisedRows]
    );
    file.accepted = true;
    file.unknown[0].rows = 0;
    assert_eq!(kinds(&file), []);
    file.failed = Some(FailedWork {
        times: 3,
        error: "the stored file cannot be read".into(),
        due_in_it: Some(Money::new(10_000, eur())),
    });
    assert_eq!(kinds(&file), [CaseKind::MissingFile]);
    let case = &file_cases(1, &file)[0];
    assert_eq!(case.at_risk, Some(Money::new(10_000, eur())));
    assert!(case.facts.sentence.contains("failed 3 times"));
    file.failed = None;
    file.held_too_long = Some(HeldTooLong {
        since: at("2026-11-03T08:00:00Z"),
        because: vec!["the totals do not tie".into()],
        due_in_it: Some(Money::new(20_000, eur())),
    });
    assert_eq!(kinds(&file), [CaseKind::MissingFile]);
    let case = &file_cases(1, &file)[0];
    assert_eq!(case.at_risk, Some(Money::new(20_000, eur())));
    assert!(
        case.facts
            .sentence
            .contains("held since 2026-11-03T08:00:00Z")
    );
    // Whatever is amiss with it: once it is put away, nobody is asked.
    file.rejected = 1;
    file.accepted = false;
    file.withdrawn = true;
    assert_eq!(kinds(&file), []);
}

#[test]
fn a_held_file_is_a_case_a_day_after_it_came_as_a_rule() {
    assert_eq!(
        held_due(at("2026-11-03T08:00:00Z"), &account().policy),
        at("2026-11-04T08:00:00Z")
    );
}
