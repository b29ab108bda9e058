//! To which payments a line belongs.

use super::{
    effect::{Effect, rulings},
    fitting::{does_not_fit, fits, in_direction, named, share, taker, target},
    input::{DecisionInput, Target},
    refusal::Refusal,
};
use crate::{
    cases::{actions::Action, wanted::CaseLine},
    matching::{Ruling, RulingSubject, Share},
    money::{Money, major},
};
use std::collections::BTreeSet;

/// The line that a decision is about: the one chosen, else the only one without a match.
pub(super) fn line<'a>(input: &DecisionInput<'a>) -> Result<&'a CaseLine, Refusal> {
    let lines = &input.facts.lines;
    if let Some(name) = &input.params.line {
        return lines
            .iter()
            .find(|l| l.name == *name)
            .ok_or(Refusal::Missing("a line of this case"));
    }
    let mut open = lines.iter().filter(|l| !l.matched);
    match (open.next(), open.next(), lines.as_slice()) {
        (Some(only), None, _) | (None, None, [only]) => Ok(only),
        _ => Err(Refusal::Missing("a line")),
    }
}

pub(super) fn match_to_one(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let line = line(input)?;
    let (intent, attempt) = match input.params.shares.as_slice() {
        [] if !input.facts.attempt.is_empty() && input.action == Action::ConfirmMatch => {
            (&input.facts.intent, &input.facts.attempt)
        }
        [one] => (&one.intent, &one.attempt),
        [] => return Err(Refusal::Missing("a payment")),
        _ => {
            return Err(Refusal::NotNow(
                "to match one line to several payments, allocate it".to_owned(),
            ));
        }
    };
    let target = target(input, intent, attempt)?;
    fits(line, target)?;
    let amount = in_direction(line, target.intent)?;
    let asked = input.params.shares.first().map_or(0, |one| one.amount);
    if asked != 0 && asked != amount {
        return Err(does_not_fit(
            target,
            "all of the line goes to it: leave the amount out, or share the line out among several",
        ));
    }
    let share = share(target, amount);
    let mut effect = rulings(
        vec![(
            RulingSubject::Line(line.name.clone()),
            match_to(input, vec![share]),
        )],
        format!(
            "{} of line {} is matched to payment {}.",
            line.presented, line.name, target.intent.public_id
        ),
    );
    effect.preview.extend(leaves_open(target, amount));
    effect.preview.extend(other_id(line, target));
    Ok(effect)
}

/// Every intent that the case showed as possible and that was not chosen was decided against.
fn match_to(input: &DecisionInput<'_>, shares: Vec<Share>) -> Ruling {
    let chosen: BTreeSet<&str> = shares.iter().map(|s| s.intent.as_str()).collect();
    let against = input
        .facts
        .candidates
        .iter()
        .map(|c| c.intent.as_str())
        .chain((!input.facts.intent.is_empty()).then_some(input.facts.intent.as_str()))
        .filter(|intent| !chosen.contains(intent))
        .map(ToOwned::to_owned)
        .collect();
    Ruling::MatchTo { shares, against }
}

pub(super) fn allocate(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let line = line(input)?;
    if input.params.shares.is_empty() {
        return Err(Refusal::Missing("the payments and how much goes to each"));
    }
    let mut shares: Vec<Share> = Vec::new();
    let mut preview = Vec::new();
    let mut whole = 0;
    let mut given: i128 = 0;
    for (number, chosen) in (1..).zip(&input.params.shares) {
        let amount = Money::new(chosen.amount, line.presented.currency);
        let (target, all) =
            taker(input, line, chosen, &shares).map_err(|why| Refusal::OfShare {
                number,
                amount,
                payment: named(chosen),
                why: Box::new(why),
            })?;
        whole = all;
        given += i128::from(chosen.amount);
        preview.push(format!(
            "{amount} goes to payment {}.",
            target.intent.public_id
        ));
        preview.extend(leaves_open(target, chosen.amount));
        shares.push(share(target, chosen.amount));
    }
    if given != i128::from(whole) {
        let currency = line.presented.currency;
        return Err(Refusal::NotNow(format!(
            "the shares come to {} {currency}, and must make {}, the line's whole amount",
            major(given, currency.exponent()),
            Money::new(whole, currency)
        )));
    }
    let mut effect = rulings(
        vec![(
            RulingSubject::Line(line.name.clone()),
            match_to(input, shares),
        )],
        format!("Line {} of {} is shared out.", line.name, line.presented),
    );
    effect.preview.extend(preview);
    Ok(effect)
}

fn leaves_open(target: &Target<'_>, amount: i64) -> Option<String> {
    let rest = i128::from(target.open) - i128::from(amount);
    let minor = i64::try_from(rest.abs()).ok()?;
    let money = Money::new(minor, target.intent.amount.currency);
    match rest.signum() {
        0 => None,
        1 => Some(format!(
            "{money} of payment {} stays open, and a case says so.",
            target.intent.public_id
        )),
        _ => Some(format!(
            "That is {money} more than is open of payment {}, and a case says so.",
            target.intent.public_id
        )),
    }
}

fn other_id(line: &CaseLine, target: &Target<'_>) -> Option<String> {
    let mut ids = target.attempt.firm_ids().peekable();
    let first = *ids.peek()?;
    let known = line.provider_payment_id.is_empty()
        || ids.any(|id| id == line.provider_payment_id || id == line.modification_id);
    (!known).then(|| {
        format!(
            "Mind: the line's provider id is {}, the payment's is {first}.",
            line.provider_payment_id
        )
    })
}
