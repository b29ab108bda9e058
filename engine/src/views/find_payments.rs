//! Payments that a person looks for on the page of a case, to match its line to one of them.

use crate::{
    Engine, Error,
    storage::{
        intents::{self, AttemptShown, IntentShown},
        search, stored,
    },
};
use domain::{
    actor::{Actor, Permission},
    money::{Currency, Money},
    payment::Outcome,
    time::Instant,
    view::{
        Amount,
        amount::counted,
        case::{Candidate, CasePage},
        routes,
    },
};

/// Most attempts that a page offers.
const MOST: usize = 20;

/// Fills in the attempts of the case's account that a text names: by an id, a reference or an amount
/// in the case's currency, such as `25.00` or `25.00 EUR`. Those that the case proposes already are
/// left out.
pub async fn find_payments(
    engine: &Engine,
    actor: &Actor,
    case: &mut CasePage,
    find: &str,
) -> Result<(), Error> {
    actor.require(Permission::Read)?;
    let find: String = find.trim().chars().take(200).collect();
    if find.is_empty() {
        return Ok(());
    }
    let mut reader = engine.store.read().await?;
    let mut ids = search::intents(&mut reader, &find).await?;
    if let Some(amount) = amount(&find, case.at_risk) {
        let currency = amount.currency.to_string();
        for id in search::by_amount(&mut reader, &currency, amount.minor).await? {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
    }
    let found = intents::by_ids(&mut reader, &ids).await?;
    let attempts = intents::attempts(&mut reader, ids.iter().copied()).await?;
    let mut elsewhere = 0;
    let mut more = 0;
    for id in &ids {
        let Some(intent) = found.iter().find(|i| i.id == *id) else {
            continue;
        };
        for attempt in attempts.iter().filter(|a| a.intent_id == *id) {
            let key = format!("attempt:{}", attempt.public_id);
            if case.candidates.iter().any(|c| c.key == key) {
                continue;
            }
            if attempt.account != case.account {
                elsewhere += 1;
            } else if case.found.len() == MOST {
                more += 1;
            } else {
                let rank = u32::try_from(case.found.len() + 1).unwrap_or(u32::MAX);
                let found = candidate(intent, attempt, key, rank, case.at_risk)?;
                case.found.push(found);
            }
        }
    }
    case.found_note = note(case.found.len(), elsewhere, more, &case.account);
    case.find = find;
    Ok(())
}

/// The amount that a text is, in the case's currency or in one that it names.
fn amount(text: &str, at_risk: Option<Amount>) -> Option<Money> {
    let (number, currency) = match text.rsplit_once(' ') {
        Some((number, code)) => (number.trim(), code.parse::<Currency>().ok()?),
        None => (text, at_risk?.currency),
    };
    Money::parse_major(number, currency).ok()
}

fn candidate(
    intent: &IntentShown,
    attempt: &AttemptShown,
    key: String,
    rank: u32,
    at_risk: Option<Amount>,
) -> Result<Candidate, Error> {
    let currency: Currency = stored::parse("intent", "currency", intent.id, &intent.currency)?;
    let outcome: Outcome = stored::parse("attempt", "outcome", attempt.id, &attempt.outcome)?;
    let amount = Amount::new(intent.amount, currency);
    let name = if intent.merchant_reference.is_empty() {
        &intent.public_id
    } else {
        &intent.merchant_reference
    };
    let mut facts = vec![format!(
        "{}, {}, attempt {} {}",
        intent.operation,
        intent.direction,
        attempt.number,
        outcome.code().replace('_', " ")
    )];
    if !attempt.provider_payment_id.is_empty() {
        facts.push(format!("provider id {}", attempt.provider_payment_id));
    }
    Ok(Candidate {
        key,
        rank,
        label: format!("{name}, attempt {}", attempt.public_id),
        amount: Some(amount),
        at: Some(Instant::from_micros(intent.created_at)),
        about: facts.join(", "),
        why: Vec::new(),
        why_not: at_risk
            .filter(|line| *line != amount)
            .map(|line| format!("The case is about {line}."))
            .into_iter()
            .collect(),
        href: routes::payment(&intent.public_id),
    })
}

fn note(found: usize, elsewhere: u64, more: u64, account: &str) -> String {
    let mut notes = Vec::new();
    if found == 0 && elsewhere == 0 {
        notes.push(
            "Nothing is found. Ids and references are looked up whole, amounts to the last digit."
                .to_owned(),
        );
    }
    if elsewhere > 0 {
        notes.push(format!(
            "{} left out: of another account than {account}.",
            counted(elsewhere, "attempt is", "attempts are")
        ));
    }
    if more > 0 {
        notes.push(format!(
            "{} not shown: look by an id or a reference.",
            counted(more, "further attempt is", "further attempts are")
        ));
    }
    notes.join(" ")
}
