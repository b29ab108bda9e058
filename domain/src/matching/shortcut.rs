//! The simple case, decided without a world: one attempt holds the line's provider id, everything
//! agrees, and nothing else touches the intent. Equal to the full judgement, by property test.

use super::keys::normalise;
use crate::{
    line::RowKind,
    money::Money,
    payment::{Direction, Outcome},
};

/// What a bulk look-up knows about the one attempt that holds a line's provider id as a firm id in
/// the line's account. The caller makes sure that it is the only one, that the intent has this one
/// attempt, no line yet (in this chunk either), no ruling, and no contradicting report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShortcutCandidate<'a> {
    /// The intent's public id.
    pub intent_public_id: &'a str,
    /// The intent's merchant reference.
    pub merchant_reference: &'a str,
    /// The attempt's idempotency key.
    pub idempotency_key: &'a str,
    /// The intent's amount.
    pub amount: Money,
    /// The intent's direction.
    pub direction: Direction,
    /// Whether the operation is a refund.
    pub is_refund: bool,
    /// The attempt's outcome by reports.
    pub outcome: Outcome,
    /// Whether the line's reference, if it has one that is not this intent's, was sent for no other
    /// intent of the account. Looked up only when needed: false sends the line the long way.
    pub reference_never_sent: bool,
}

/// What a bulk pass knows about a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShortcutLine<'a> {
    /// What the row is about.
    pub kind: RowKind,
    /// Its reference.
    pub merchant_reference: &'a str,
    /// What the payer saw.
    pub presented: Money,
}

/// The answer: MATCHED by R1, the whole line, contra on the kind's own account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortcut {
    /// Whether the line turns the attempt's outcome into succeeded.
    pub settles_outcome: bool,
    /// Minor units matched, positive.
    pub matched: i64,
    /// Whether a reference that we never sent is to be noted in the explanation.
    pub note_reference: bool,
}

/// Decides the simple case, or nothing.
pub fn shortcut(line: &ShortcutLine<'_>, held_by: &ShortcutCandidate<'_>) -> Option<Shortcut> {
    let sign = match (line.kind, held_by.direction, held_by.is_refund) {
        (RowKind::Payment, Direction::In, _) => 1,
        (RowKind::Disbursement, Direction::Out, false) => -1,
        _ => return None,
    };
    let amount = line.presented.minor.checked_mul(sign)?;
    let figures_agree = line.presented.currency == held_by.amount.currency
        && amount == held_by.amount.minor
        && amount > 0;
    let settles_outcome = match held_by.outcome {
        Outcome::Succeeded => false,
        Outcome::Unknown | Outcome::InFlight => true,
        Outcome::Rejected | Outcome::Absent | Outcome::Contested => return None,
    };
    let reference = normalise(line.merchant_reference);
    let ours = reference.is_empty()
        || [
            held_by.merchant_reference,
            held_by.intent_public_id,
            held_by.idempotency_key,
        ]
        .iter()
        .any(|sent| normalise(sent) == reference);
    (figures_agree && (ours || held_by.reference_never_sent)).then_some(Shortcut {
        settles_outcome,
        matched: amount,
        note_reference: !ours,
    })
}
