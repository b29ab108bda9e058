//! What is written off.

use super::{
    effect::{Effect, rulings},
    figures::figure_rulings,
    fitting::target,
    input::DecisionInput,
    payments::line,
    refusal::Refusal,
};
use crate::{
    cases::kinds::CaseKind,
    matching::{Ruling, RulingSubject},
    money::Money,
    posting::contra_account,
};

pub(super) fn write_off(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let facts = input.facts;
    match input.kind {
        CaseKind::MissingSettlement => Ok(rulings(
            vec![(
                RulingSubject::Missing(facts.attempt.clone()),
                Ruling::WriteOffMissing,
            )],
            format!(
                "{} of payment {} is written off; should it come after all, that is taken back.",
                facts.expected.map_or(String::new(), |m| m.to_string()),
                facts.intent
            ),
        )),
        CaseKind::CurrencyMismatch => write_off_across(input),
        _ => {
            let difference = facts
                .difference
                .filter(|money| money.minor != 0)
                .ok_or(Refusal::Missing("a difference to write off"))?;
            let ruling = Ruling::WriteOff {
                difference: difference.minor,
            };
            let set = figure_rulings(input, &ruling);
            Ok(rulings(set, written_off(difference, &facts.intent)))
        }
    }
}

/// What writing a difference off does: below zero, too much came.
fn written_off(difference: Money, payment: &str) -> String {
    let amount = Money::new(difference.minor.saturating_abs(), difference.currency);
    if difference.minor < 0 {
        format!("{amount} too much came for payment {payment} and is written off.")
    } else {
        format!("{amount} of payment {payment} did not come and is written off.")
    }
}

/// Currencies are not compared, so each is written off whole: nothing of the intent's came in its own,
/// and all that came in the other is too much.
fn write_off_across(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let line = line(input)?;
    let target = target(input, &input.facts.intent, &input.facts.attempt)?;
    let open = target.open.max(0);
    let set = figure_rulings(input, &Ruling::WriteOff { difference: open });
    let (Some(own), false) = (contra_account(line.kind), set.is_empty()) else {
        return Err(Refusal::Missing("a line that brought money"));
    };
    let payment = &target.intent.public_id;
    let settled = if open == 0 {
        format!("Nothing of payment {payment} is open any more.")
    } else {
        format!(
            "{} of payment {payment} is posted to {} against write-offs.",
            Money::new(open, target.intent.amount.currency),
            own.title().to_lowercase()
        )
    };
    Ok(rulings(
        set,
        format!(
            "{} of line {} moves from suspense to write-offs. {settled}",
            line.presented, line.name
        ),
    ))
}
