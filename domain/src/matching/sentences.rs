//! Explanations and cases in a finance person's words.

use super::{
    explanation::{Agreement, Candidate, Explanation, Field, FieldCheck, Finding, WhyNot},
    facts::MOST_SHARING,
    facts::{AttemptFacts, IntentFacts, LineFacts},
    identity::Doubt,
};
use crate::{
    cases::{CaseFacts, CaseKind},
    line::{Rule, Verdict},
    money::Money,
    payment::Outcome,
};

/// Why a line got its verdict, in one to three sentences.
pub fn explain(explanation: &Explanation) -> String {
    let mut text = match (explanation.finding, explanation.rule) {
        (Finding::Agrees, Rule::ProviderId) => {
            "Matched by the provider's id: one payment holds it, and amount and currency agree."
                .to_owned()
        }
        (Finding::Agrees, _) => {
            "Matched by the reference: one payment was sent with it, and amount and currency agree."
                .to_owned()
        }
        (Finding::SumsExactly, _) => format!(
            "Matched together with {}: they make the payment's amount exactly.",
            count(
                explanation.together_with.len()
                    + usize::try_from(explanation.together_more).unwrap_or(usize::MAX),
                "other line",
                "other lines"
            )
        ),
        (Finding::ByKind, _) => {
            "Posted by its kind: rows like this are not payments of ours.".to_owned()
        }
        (Finding::ByPerson, _) => match explanation.verdict {
            Verdict::Accounted => "Posted outside our payments by a person's decision.".to_owned(),
            _ => "Matched by a person's decision.".to_owned(),
        },
        (Finding::AmountDiffers | Finding::PartSoFar, _) => {
            "The payment is certain, but what came is not its amount.".to_owned()
        }
        (Finding::CurrencyDiffers, _) => {
            "The payment is certain, but it was made in another currency.".to_owned()
        }
        (Finding::TooMuch, _) => {
            "The payment is certain, but more came than it allows; an earlier line holds the match, \
             if any does."
                .to_owned()
        }
        (Finding::IdAgainstReference, _) => {
            "The provider's id names one payment, the reference was sent for another.".to_owned()
        }
        (Finding::ReferenceAgainstId, _) => {
            "The reference names a payment that is known under another provider id.".to_owned()
        }
        (Finding::SeveralCarryKey, _) => format!(
            "{} carry what this line names, so it could be any of them.",
            count_u32(explanation.candidates_total, "payment", "payments")
        ),
        (Finding::TooManyCarryKey, _) => format!(
            "More than {MOST_SHARING} payments carry the reference of this line, so it names none of \
             them."
        ),
        (Finding::SeveralAttempts, _) => {
            "The payment is certain, but more than one of its attempts could be it.".to_owned()
        }
        (Finding::NeverTried, _) => {
            "The reference names a payment for which no attempt is known.".to_owned()
        }
        (Finding::OneFits, _) => {
            "The line names no payment of ours. Exactly one open payment fits by amount, currency, \
             direction and time, and no other line fits it: please confirm."
                .to_owned()
        }
        (Finding::SeveralFit, _) => format!(
            "The line names no payment of ours, and nothing tells {} apart.",
            count_u32(
                explanation.candidates_total,
                "open payment with other lines that fit it",
                "open payments that fit"
            )
        ),
        (Finding::TooManyFit, _) => format!(
            "The line names no payment of ours; {} fit equally well, too many to choose from.",
            count_u32(explanation.candidates_total, "open payment", "open payments")
        ),
        (Finding::NothingFits, _) => {
            "The line names no payment of ours, and no open payment fits it.".to_owned()
        }
        (Finding::UnknownKind, _) => {
            "The provider calls this row something that its profile does not know.".to_owned()
        }
    };
    let differing = explanation
        .fields
        .iter()
        .filter(|f| matches!(f.agreement, Agreement::Differs | Agreement::Noted));
    for check in differing {
        text.push(' ');
        text.push_str(&field(check));
    }
    text
}

/// One field in words.
pub fn field(check: &FieldCheck) -> String {
    let name = field_title(check.field);
    let FieldCheck { ours, theirs, .. } = check;
    match check.agreement {
        Agreement::Agrees => format!("{name} agrees: {theirs}."),
        Agreement::Differs => format!("{name}: ours {ours}, theirs {theirs}."),
        Agreement::Noted => format!("{name} noted only: ours {ours}, theirs {theirs}."),
        Agreement::Silent if theirs.is_empty() => format!("{name}: the line has none."),
        Agreement::Silent => format!("{name}: we know none; the line says {theirs}."),
    }
}

/// What people call a field.
pub const fn field_title(field: Field) -> &'static str {
    match field {
        Field::ProviderId => "Provider id",
        Field::ModificationId => "Refund or dispute id",
        Field::Reference => "Reference",
        Field::Amount => "Amount",
        Field::Currency => "Currency",
        Field::Direction => "Direction",
        Field::Counterparty => "Payer or payee",
        Field::Time => "Time",
        Field::Outcome => "Outcome",
    }
}

/// Why a candidate was not taken, in words.
pub const fn why_not(why: WhyNot) -> &'static str {
    match why {
        WhyNot::Chosen => "fits",
        WhyNot::OtherProviderId => "has another provider id",
        WhyNot::OtherReference => "was sent with another reference",
        WhyNot::OtherCounterparty => "has another payer or payee",
        WhyNot::OtherCurrency => "is in another currency",
        WhyNot::OtherAmount => "is of another amount",
        WhyNot::OtherDirection => "goes the other way",
        WhyNot::OutsideWindow => "lies outside the time in which it could settle",
        WhyNot::CreatedAfterwards => "was created afterwards",
        WhyNot::EquallyGood => "fits as well as another",
        WhyNot::NeverTried => "was never tried",
        WhyNot::AlreadySettled => "is settled already",
    }
}

/// What would settle a case of a kind, in words.
pub fn settled_by(kind: CaseKind) -> Vec<String> {
    let texts: &[&str] = match kind {
        CaseKind::UnknownOutcome => &[
            "a settlement line for the payment",
            "the provider's word on whether it was executed",
        ],
        CaseKind::Contradiction => &[
            "the provider's word on which payment the line belongs to",
            "a corrected file",
        ],
        CaseKind::SettledAfterFailure => &[
            "the provider's word that the attempt succeeded after all",
            "a refund line that gives the money back",
        ],
        CaseKind::PaymentReversed => &["the provider's word on why it was taken back"],
        CaseKind::MissingSettlement => &[
            "the settlement line, in a file still to come",
            "the provider's word that it was not executed",
        ],
        CaseKind::MissingFile => &["the file of that period"],
        CaseKind::UnexpectedSettlement => &[
            "the registration of the payment it belongs to",
            "a reference or provider id that names one",
            "a refund line that gives the money back",
        ],
        CaseKind::AmbiguousMatch => &[
            "a provider id or reference that only one of them carries",
            "a line that settles the others",
        ],
        CaseKind::ProposedMatch => &["your confirmation", "a provider id or reference"],
        CaseKind::AmountMismatch => &["a further line that makes the amount exact"],
        CaseKind::CurrencyMismatch => &["the provider's word on what the payer was charged"],
        CaseKind::DuplicateSettlement => &["a refund line that gives the excess back"],
        CaseKind::UnrequestedRefund => &[
            "the registration of the refund, if it was asked for",
            "a line that takes the refund back",
        ],
        CaseKind::Chargeback => &["a line that gives the disputed money back"],
        CaseKind::BatchOutOfBalance => &["the missing rows, in another file"],
        CaseKind::UnrecognisedRows => &["a profile that names this kind of row"],
        CaseKind::RejectedRows => &["the repaired file"],
        CaseKind::RestatedLine => &["the word of the provider on which of the two files is right"],
        CaseKind::MissingRefund
        | CaseKind::FeeVariance
        | CaseKind::BankMismatch
        | CaseKind::EventFailed => &[],
    };
    texts.iter().map(|t| (*t).to_owned()).collect()
}

/// Why a line's identity cannot be said.
pub fn doubt(doubt: &Doubt, line: &LineFacts, candidates: &[Candidate]) -> String {
    let amount = line.presented;
    let named = |c: Option<&Candidate>| c.map_or(String::new(), |c| c.intent.clone());
    match doubt {
        Doubt::IdAgainstReference { .. } => format!(
            "{amount} came with provider id {}, which is that of payment {}, and with reference {}, \
             which we sent for payment {}.",
            line.provider_payment_id,
            named(candidates.first()),
            line.merchant_reference,
            named(candidates.get(1)),
        ),
        Doubt::ReferenceAgainstId { .. } => format!(
            "{amount} came with reference {}, which we sent for payment {}, but with provider id {}, \
             while that payment is known under another.",
            line.merchant_reference,
            named(candidates.first()),
            line.provider_payment_id,
        ),
        Doubt::SeveralIntents(intents) => format!(
            "{amount} came with {}, and {} carry that.",
            key_in_words(line),
            count(intents.len(), "payment", "payments"),
        ),
        Doubt::SharedByTooMany => format!(
            "{amount} came with reference {}, and more than {MOST_SHARING} payments carry that: it names \
             none of them.",
            line.merchant_reference,
        ),
        Doubt::SeveralAttempts(attempts) => format!(
            "{amount} came for payment {}, but {} of it could be the one that took the money.",
            named(candidates.first()),
            count(attempts.len(), "attempt", "attempts"),
        ),
        Doubt::NeverTried(_) => format!(
            "{amount} came with reference {} of payment {}, for which no attempt is known.",
            line.merchant_reference,
            named(candidates.first()),
        ),
    }
}

fn key_in_words(line: &LineFacts) -> String {
    if line.merchant_reference.is_empty() {
        format!("provider id {}", line.provider_payment_id)
    } else {
        format!("reference {}", line.merchant_reference)
    }
}

/// A line that names nobody.
pub fn residual(finding: Finding, line: &LineFacts, fitting: usize, rivals: usize) -> String {
    let moved = if line.presented.minor < 0 {
        "went out"
    } else {
        "came"
    };
    let amount = positive(line.presented);
    let named = if line.provider_payment_id.is_empty() && line.merchant_reference.is_empty() {
        "without reference or provider id"
    } else {
        "and names no payment of ours"
    };
    match finding {
        Finding::OneFits => format!(
            "{amount} {moved} {named}. One open payment fits it by amount, currency, direction and \
             time, and no other line fits that payment."
        ),
        Finding::SeveralFit if rivals > 1 => format!(
            "{amount} {moved} {named}. One open payment fits, and so do {} for it.",
            count(rivals, "line", "lines")
        ),
        Finding::SeveralFit => format!(
            "{amount} {moved} {named}. {} fit it equally well.",
            count(fitting, "open payment", "open payments")
        ),
        Finding::TooManyFit => format!(
            "{amount} {moved} {named}. {} or lines fit equally well, too many to choose from.",
            count(fitting.max(rivals), "open payment", "open payments")
        ),
        _ => format!("{amount} {moved} {named}, and no open payment fits it."),
    }
}

/// A person's match against which something new speaks.
pub fn against_person(facts: &CaseFacts) -> String {
    let named: Vec<&str> = facts
        .candidates
        .iter()
        .map(|c| c.intent.as_str())
        .filter(|intent| *intent != facts.intent)
        .collect();
    format!(
        "A person matched this line to payment {}. Since then payment {} turned out to carry what \
         the line names.",
        facts.intent,
        named.join(" and "),
    )
}

/// Figures that do not tie.
pub fn trouble(kind: CaseKind, intent: &IntentFacts, facts: &CaseFacts) -> String {
    let lines = count(facts.lines.len(), "line", "lines");
    let difference = facts
        .difference
        .unwrap_or(Money::new(0, intent.amount.currency));
    let size = Money::new(
        difference.minor.checked_abs().unwrap_or(i64::MAX),
        difference.currency,
    );
    let id = &intent.public_id;
    match kind {
        CaseKind::CurrencyMismatch => {
            let came = facts
                .lines
                .first()
                .map_or(String::new(), |l| l.presented.to_string());
            format!(
                "Payment {id} is of {}, but {came} came for it.",
                intent.amount
            )
        }
        CaseKind::DuplicateSettlement => format!(
            "Payment {id} is of {}, and {lines} came for it: {size} too much.",
            intent.amount
        ),
        _ if difference.minor > 0 => format!(
            "Payment {id} is of {}; {lines} came for it and {size} is missing.",
            intent.amount
        ),
        _ => format!(
            "Payment {id} is of {}; {lines} came for it, {size} too much.",
            intent.amount
        ),
    }
}

/// Several attempts that claim success.
pub fn two_claims(intent: &IntentFacts, claims: usize) -> String {
    format!(
        "Payment {} was meant once, for {}, but {claims} of its attempts say that they succeeded.",
        intent.public_id, intent.amount
    )
}

/// Money against an attempt's outcome.
pub fn attempt(kind: CaseKind, attempt: &AttemptFacts, facts: &CaseFacts) -> String {
    let stated = attempt.stated_outcome();
    let lines = count(facts.lines.len(), "line shows", "lines show");
    if kind == CaseKind::PaymentReversed {
        format!(
            "Attempt {} of payment {} had gone through, and the provider took the money back.",
            attempt.public_id, facts.intent
        )
    } else {
        format!(
            "Attempt {} of payment {} was held to be {}, yet {lines} that it took money.",
            attempt.public_id,
            facts.intent,
            outcome(stated),
        )
    }
}

/// Reports that contradict each other: in their outcomes, or in the provider's id.
pub fn reports(attempt: &AttemptFacts, others: &[Outcome], ids: &[&String]) -> String {
    let also = if others.is_empty() {
        String::new()
    } else {
        let others: Vec<&str> = others.iter().map(|o| outcome(*o)).collect();
        format!(", and also as {}", others.join(" and "))
    };
    let under = if ids.is_empty() {
        String::new()
    } else {
        let ids: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
        format!(", and under another provider id too: {}", ids.join(" and "))
    };
    format!(
        "Attempt {} was reported as {}{also}{under}.",
        attempt.public_id,
        outcome(attempt.reported)
    )
}

/// A refund that nobody asked for.
pub fn unrequested(intent: &IntentFacts, line: &LineFacts) -> String {
    format!(
        "{} of payment {} was refunded, and no refund of ours asks for it.",
        positive(line.presented),
        intent.public_id
    )
}

/// A dispute whose money is away.
pub fn dispute(intent: &IntentFacts, facts: &CaseFacts) -> String {
    let moves = facts.lines.len();
    let history = if moves > 1 {
        format!(" It has moved {moves} times so far.")
    } else {
        String::new()
    };
    let taken = facts
        .lines
        .last()
        .map_or(intent.amount, |l| positive(l.presented));
    format!(
        "The payer of payment {} disputes it, and the provider took {taken}.{history}",
        intent.public_id
    )
}

/// What people call an outcome.
pub const fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::InFlight => "under way",
        Outcome::Unknown => "unknown",
        Outcome::Succeeded => "succeeded",
        Outcome::Rejected => "rejected",
        Outcome::Absent => "not executed",
        Outcome::Contested => "contested",
    }
}

fn positive(money: Money) -> Money {
    Money::new(
        money.minor.checked_abs().unwrap_or(i64::MAX),
        money.currency,
    )
}

fn count(n: usize, one: &str, many: &str) -> String {
    if n == 1 {
        format!("1 {one}")
    } else {
        format!("{n} {many}")
    }
}

fn count_u32(n: u32, one: &str, many: &str) -> String {
    count(usize::try_from(n).unwrap_or(usize::MAX), one, many)
}
