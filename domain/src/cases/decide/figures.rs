//! Figures that stand as they are.

use super::{
    effect::{Effect, rulings},
    input::DecisionInput,
    refusal::Refusal,
};
use crate::{
    cases::{kinds::CaseKind, wanted::CaseLine},
    line::RowKind,
    matching::{Ruling, RulingSubject},
    view::amount::counted,
};

pub(super) fn accept_variance(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    if input.kind == CaseKind::BatchOutOfBalance {
        return accept_residual(input);
    }
    let set = figure_rulings(input, &Ruling::AcceptVariance);
    if set.is_empty() {
        return Err(Refusal::Missing("a line"));
    }
    let preview = match input.kind {
        CaseKind::Chargeback => "The dispute's money is given up; it stays on chargebacks.",
        CaseKind::UnrequestedRefund => "The refund stands; it stays on refunds.",
        _ => "What came is posted to receipts as it is, and settles the payment.",
    };
    Ok(rulings(set, preview.to_owned()))
}

/// The same ruling on the figures of every line that brought money (or took it, as the case is).
pub(super) fn figure_rulings(
    input: &DecisionInput<'_>,
    ruling: &Ruling,
) -> Vec<(RulingSubject, Ruling)> {
    let concerned = |line: &&CaseLine| {
        !matches!(
            line.kind,
            RowKind::PaymentReversal | RowKind::RefundReversal | RowKind::ChargebackReversal
        )
    };
    input
        .facts
        .lines
        .iter()
        .filter(concerned)
        .map(|l| (RulingSubject::Figures(l.name.clone()), ruling.clone()))
        .collect()
}

/// What is left of a batch in clearing, and what the net of single rows is off by.
fn accept_residual(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let residual = input.facts.difference.filter(|money| money.minor != 0);
    let mut set: Vec<(RulingSubject, Ruling)> = input
        .waiting_rows
        .iter()
        .map(|name| {
            (
                RulingSubject::Difference(name.clone()),
                Ruling::AcceptDifference,
            )
        })
        .collect();
    let mut preview: Vec<String> = Vec::new();
    preview.extend(
        residual.map(|money| format!("{money} moves from provider clearing to adjustments.")),
    );
    if !set.is_empty() {
        preview.push(format!(
            "What the net of {} is off by moves from suspense to adjustments.",
            counted(set.len() as u64, "row", "rows")
        ));
    }
    if preview.is_empty() {
        preview.push("The batch is accepted as it is; nothing is posted.".to_owned());
    }
    if let (Some(batch), true) = (
        input.subject.strip_prefix("batch:"),
        residual.is_some() || set.is_empty(),
    ) {
        set.push((
            RulingSubject::Batch(batch.to_owned()),
            Ruling::AcceptResidual {
                residual: residual.map_or(0, |money| money.minor),
            },
        ));
    }
    if set.is_empty() {
        return Err(Refusal::Missing("a batch"));
    }
    let mut effect = rulings(set, String::new());
    effect.preview = preview;
    Ok(effect)
}
