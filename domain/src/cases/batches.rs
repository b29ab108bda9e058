//! Whether a batch ties.

use super::{
    due::settlement_due,
    kinds::CaseKind,
    odd_rows::OddRows,
    wanted::{CaseFacts, RunningStep, Subject, WantedCase},
};
use crate::{
    account::ProviderAccount,
    matching::sentences,
    money::{AmountOverflow, Currency, Money, sum},
    time::{Day, Instant},
};

/// What is known of a batch in one currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchStanding {
    /// The provider's id.
    pub provider_batch_id: String,
    /// The currency.
    pub currency: Currency,
    /// Sum of net over all rows but payouts.
    pub net: i64,
    /// How many payout rows are known.
    pub payouts: i64,
    /// Sum of their net.
    pub payout_net: i64,
    /// What the file or report declares as the batch's net without payouts, if anything.
    pub declared: Option<i64>,
    /// Residual that a decision accepted, if one did.
    pub accepted: Option<i64>,
    /// Its last day.
    pub last_day: Day,
    /// Rows whose net is not gross less fee and that no decision has accepted.
    pub odd: OddRows,
}

impl BatchStanding {
    /// What is left in clearing once the payout is known: zero ties. A batch without a payout row
    /// is open and leaves nothing to judge.
    pub fn residual(&self) -> Result<i64, AmountOverflow> {
        if self.payouts == 0 {
            return Ok(0);
        }
        let accepted = self.accepted.unwrap_or(0);
        sum([
            self.net,
            self.payout_net,
            accepted.checked_neg().ok_or(AmountOverflow)?,
        ])
    }

    /// What the payout says that the rows come to: it takes that out of our balance.
    pub fn paid(&self) -> Result<i64, AmountOverflow> {
        self.payout_net.checked_neg().ok_or(AmountOverflow)
    }

    /// What the rows come to beyond what is declared; zero ties, and so does nothing declared.
    pub fn undeclared(&self) -> Result<i64, AmountOverflow> {
        self.declared.map_or(Ok(0), |declared| {
            self.net.checked_sub(declared).ok_or(AmountOverflow)
        })
    }
}

/// The case of a batch, if it is one by now: it does not tie and is due, or rows of it do not add up,
/// which no time mends.
pub fn batch_due(
    account: &ProviderAccount,
    batch: &BatchStanding,
    now: Instant,
) -> Result<Option<WantedCase>, AmountOverflow> {
    let due = settlement_due(
        batch.last_day.start_in(account.zone),
        account.zone,
        &account.policy,
    );
    // Before that the rest may still come.
    let residual = if now < due { 0 } else { batch.residual()? };
    let undeclared = if now < due || batch.accepted.is_some() {
        0
    } else {
        batch.undeclared()?
    };
    if residual == 0 && undeclared == 0 && batch.odd.count == 0 {
        return Ok(None);
    }
    let money = |minor| Money::new(minor, batch.currency);
    let untied = if residual == 0 { undeclared } else { residual };
    let at_risk = i128::from(untied).abs() + batch.odd.moved;
    let name = format!(
        "{}:{}:{}",
        account.name, batch.provider_batch_id, batch.currency
    );
    let mut facts = CaseFacts {
        sentence: sentence(batch, residual, undeclared)?,
        settled_by: sentences::settled_by(CaseKind::BatchOutOfBalance),
        difference: Some(money(residual)),
        running: running(batch)?,
        ..CaseFacts::default()
    };
    facts.figures = vec![
        ("declared".to_owned(), declared(batch)?),
        ("summed".to_owned(), money(batch.net).to_string()),
        ("residual".to_owned(), money(residual).to_string()),
    ];
    facts.figures.extend(batch.odd.figures(batch.currency));
    Ok(Some(WantedCase {
        kind: CaseKind::BatchOutOfBalance,
        subject: Subject::Batch(name).to_string(),
        account: account.id,
        at_risk: Some(money(i64::try_from(at_risk).unwrap_or(i64::MAX))),
        intent: None,
        attempt: None,
        line: None,
        not_before: None,
        facts,
    }))
}

/// What a batch's rows are said to come to: by the provider, else by its payout, which takes that out of
/// our balance and so bears the other sign.
fn declared(batch: &BatchStanding) -> Result<String, AmountOverflow> {
    let money = |minor| Money::new(minor, batch.currency);
    Ok(match batch.declared {
        Some(declared) => money(declared).to_string(),
        None if batch.payouts == 0 => "nothing yet: no payout row of it has come".to_owned(),
        None => format!("{} by its payout", money(batch.paid()?)),
    })
}

fn sentence(
    batch: &BatchStanding,
    residual: i64,
    undeclared: i64,
) -> Result<String, AmountOverflow> {
    let money = |minor| Money::new(minor, batch.currency);
    let id = &batch.provider_batch_id;
    let untied = if residual != 0 {
        Some(unpaid(batch, residual)?)
    } else if undeclared != 0 {
        Some(format!(
            "The rows of batch {id} come to {}, but the provider declares {}.",
            money(batch.net),
            money(batch.declared.unwrap_or_default())
        ))
    } else {
        None
    };
    if batch.odd.count == 0 {
        return Ok(untied.unwrap_or_default());
    }
    let odd = batch.odd.sentence(batch.currency)?;
    Ok(match untied {
        Some(untied) => format!("{untied} Of the batch, {odd}"),
        None => format!("Of batch {id}, {odd}"),
    })
}

/// What is left once the payout is known.
fn unpaid(batch: &BatchStanding, residual: i64) -> Result<String, AmountOverflow> {
    let money = |minor| Money::new(minor, batch.currency);
    let id = &batch.provider_batch_id;
    if batch.payout_net == batch.net && batch.accepted.is_none() {
        return Ok(format!(
            "The rows of batch {id} come to {net}, and its payout row says {net} as well, where a payout \
             that takes it out of the balance would say {}. {} is left instead of nothing: ask the provider \
             whether the payout's sign is right.",
            money(batch.paid()?),
            money(residual),
            net = money(batch.net),
        ));
    }
    let accepted = match batch.accepted {
        Some(accepted) if accepted != 0 => {
            format!(", {} of the difference was accepted", money(accepted))
        }
        _ => String::new(),
    };
    Ok(format!(
        "The rows of batch {id} come to {}, its payout says {}{accepted}: {} is not explained.",
        money(batch.net),
        money(batch.paid()?),
        money(residual)
    ))
}

fn running(batch: &BatchStanding) -> Result<Vec<RunningStep>, AmountOverflow> {
    let mut left = 0;
    let mut steps = Vec::new();
    let accepted = batch.accepted.unwrap_or(0);
    for (what, amount) in [
        ("rows", batch.net),
        ("payout", batch.payout_net),
        ("accepted", accepted.checked_neg().ok_or(AmountOverflow)?),
    ] {
        if what == "accepted" && amount == 0 {
            continue;
        }
        left = sum([left, amount])?;
        steps.push(RunningStep {
            what: what.to_owned(),
            amount,
            left,
        });
    }
    Ok(steps)
}
