//! Whether a batch ties.

use super::{
    due::settlement_due,
    kinds::CaseKind,
    wanted::{CaseFacts, RunningStep, Subject, WantedCase},
};
use crate::{
    account::ProviderAccount,
    matching::{LineName, sentences},
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
    /// Rows whose net is not gross minus fee, a few of them.
    pub odd_rows: Vec<LineName>,
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

    /// What the rows come to beyond what is declared; zero ties, and so does nothing declared.
    pub fn undeclared(&self) -> Result<i64, AmountOverflow> {
        self.declared.map_or(Ok(0), |declared| {
            self.net.checked_sub(declared).ok_or(AmountOverflow)
        })
    }
}

/// The case of a batch that does not tie once it is due, if it is one by now.
pub fn batch_due(
    account: &ProviderAccount,
    batch: &BatchStanding,
    now: Instant,
) -> Result<Option<WantedCase>, AmountOverflow> {
    let residual = batch.residual()?;
    let unacknowledged = batch.accepted.is_none();
    let odd = unacknowledged && (batch.undeclared()? != 0 || !batch.odd_rows.is_empty());
    let due = settlement_due(
        batch.last_day.start_in(account.zone),
        account.zone,
        &account.policy,
    );
    if (residual == 0 && !odd) || now < due {
        return Ok(None);
    }
    let at_risk = if residual == 0 {
        batch.undeclared()?
    } else {
        residual
    };
    let money = |minor| Money::new(minor, batch.currency);
    let name = format!(
        "{}:{}:{}",
        account.name, batch.provider_batch_id, batch.currency
    );
    let mut facts = CaseFacts {
        sentence: sentence(batch, residual)?,
        settled_by: sentences::settled_by(CaseKind::BatchOutOfBalance),
        difference: Some(money(residual)),
        running: running(batch)?,
        ..CaseFacts::default()
    };
    let declared = batch
        .declared
        .map_or("none".to_owned(), |d| money(d).to_string());
    facts.figures = vec![
        ("declared".to_owned(), declared),
        ("summed".to_owned(), money(batch.net).to_string()),
        ("paid out".to_owned(), money(batch.payout_net).to_string()),
        ("residual".to_owned(), money(residual).to_string()),
    ];
    for row in &batch.odd_rows {
        facts
            .figures
            .push(("net is not gross less fee".to_owned(), row.to_string()));
    }
    Ok(Some(WantedCase {
        kind: CaseKind::BatchOutOfBalance,
        subject: Subject::Batch(name).to_string(),
        account: account.id,
        at_risk: Some(money(at_risk.checked_abs().ok_or(AmountOverflow)?)),
        intent: None,
        attempt: None,
        line: None,
        not_before: None,
        facts,
    }))
}

fn sentence(batch: &BatchStanding, residual: i64) -> Result<String, AmountOverflow> {
    let money = |minor| Money::new(minor, batch.currency);
    let id = &batch.provider_batch_id;
    Ok(if residual != 0 {
        format!(
            "The rows of batch {id} come to {}, its payout to {}: {} is not explained.",
            money(batch.net),
            money(batch.payout_net),
            money(residual)
        )
    } else if batch.undeclared()? != 0 {
        format!(
            "The rows of batch {id} come to {}, but the provider declares {}.",
            money(batch.net),
            money(batch.declared.unwrap_or_default())
        )
    } else {
        format!(
            "Batch {id} ties, but {} of its rows have a net that is not gross less fee; the \
             difference stands in suspense.",
            batch.odd_rows.len()
        )
    })
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
