//! Payment intents: searched by any reference, or listed newest first.

use super::{nav::count, never_settled::never_settled, place};
use crate::{
    Engine, Error,
    storage::{
        StorageError,
        intents::{self, AttemptShown, IntentShown, STRIDE},
        providers, search, stored,
        tx::Connected,
    },
};
use domain::{
    actor::{Actor, Permission},
    money::Currency,
    payment::{IntentState, Outcome, intent_state},
    time::Instant,
    view::{
        Amount, FieldProblem,
        payments::{IntentRow, NEVER, PaymentFilter, PaymentsPage},
    },
};
use std::collections::{BTreeMap, BTreeSet};

const PAGE: usize = 50;

/// Intents that one page looks at, so that a filter that fits few of them stays quick.
const LOOKED_AT: usize = 2_000;

/// A page of payment intents. Sums are given where the whole list is known: of a search.
pub async fn payments(
    engine: &Engine,
    actor: &Actor,
    filter: &PaymentFilter,
) -> Result<PaymentsPage, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let accounts = providers::list(&mut reader).await?;
    let never = never_settled(&mut reader, &accounts, engine.now()).await?;
    let mut page = PaymentsPage {
        filter: filter.clone(),
        never_settled: never.figures,
        providers: accounts.into_iter().map(|a| a.name).collect(),
        ..PaymentsPage::default()
    };
    let state = match filter.state.trim() {
        "" => None,
        text => match text.parse::<IntentState>() {
            Ok(state) => Some(state),
            Err(error) => {
                page.problems
                    .push(FieldProblem::new("state", error.to_string()));
                None
            }
        },
    };
    let fits = |row: &IntentRow| {
        state.is_none_or(|s| s == row.state)
            && (filter.provider.is_empty() || row.accounts.contains(&filter.provider))
    };
    let q = filter.q.trim();
    let only_never = filter.settled.trim() == NEVER;
    if only_never && q.is_empty() {
        unsettled(&mut reader, filter, &never.intents, fits, &mut page).await?;
    } else if q.is_empty() {
        listed(&mut reader, filter, fits, &mut page).await?;
        if state.is_none() && filter.provider.is_empty() {
            page.total = count(intents::last(&mut reader).await?);
        }
        if filter.after.is_empty() && page.next.is_none() {
            page.add_up();
        }
    } else {
        let mut ids = search::intents(&mut reader, q).await?;
        if ids.len() > search::MOST {
            ids.truncate(search::MOST);
            let message = format!(
                "More than {} payments carry this; the newest are shown.",
                search::MOST
            );
            page.problems.push(FieldProblem::new("q", message));
        }
        if only_never {
            ids.retain(|id| never.intents.contains(id));
        }
        let found = intents::by_ids(&mut reader, &ids).await?;
        page.rows = rows(&mut reader, found)
            .await?
            .into_iter()
            .map(|(_, row)| row)
            .filter(|r| fits(r))
            .collect();
        page.total = page.rows.len() as u64;
        page.add_up();
    }
    Ok(page)
}

async fn listed(
    mut tx: impl Connected,
    filter: &PaymentFilter,
    fits: impl Fn(&IntentRow) -> bool,
    page: &mut PaymentsPage,
) -> Result<(), Error> {
    let [mut before] = place::read::<1>(&filter.after)?.unwrap_or([i64::MAX]);
    let mut looked_at = 0;
    loop {
        let found = intents::before(&mut tx, before).await?;
        let last = found.len() < STRIDE;
        looked_at += found.len();
        for (id, row) in rows(&mut tx, found).await? {
            before = id;
            if fits(&row) {
                page.rows.push(row);
            }
            if page.rows.len() == PAGE {
                page.next = (id > 1).then(|| place::write(&[id]));
                page.total = page.rows.len() as u64;
                return Ok(());
            }
        }
        if last || looked_at >= LOOKED_AT {
            page.next = (!last).then(|| place::write(&[before]));
            page.total = page.rows.len() as u64;
            return Ok(());
        }
    }
}

/// A page of those that nothing settled, newest first. Where one page holds them all, so do its sums.
async fn unsettled(
    mut tx: impl Connected,
    filter: &PaymentFilter,
    never: &BTreeSet<i64>,
    fits: impl Fn(&IntentRow) -> bool,
    page: &mut PaymentsPage,
) -> Result<(), Error> {
    let [before] = place::read::<1>(&filter.after)?.unwrap_or([i64::MAX]);
    let ids: Vec<i64> = never
        .range(..before)
        .rev()
        .take(LOOKED_AT)
        .copied()
        .collect();
    let found = intents::by_ids(&mut tx, &ids).await?;
    let mut shown = rows(&mut tx, found).await?;
    shown.sort_by_key(|(id, _)| std::cmp::Reverse(*id));
    shown.retain(|(_, row)| fits(row));
    let more = shown.len() > PAGE;
    shown.truncate(PAGE);
    page.next = shown
        .last()
        .filter(|_| more)
        .map(|(id, _)| place::write(&[*id]));
    let narrowed = !filter.state.trim().is_empty() || !filter.provider.is_empty();
    page.rows = shown.into_iter().map(|(_, row)| row).collect();
    page.total = if narrowed {
        page.rows.len() as u64
    } else {
        page.never_settled.count
    };
    if !more && filter.after.is_empty() {
        page.add_up();
    }
    Ok(())
}

/// Intents as rows, with what their attempts make of them.
pub(super) async fn rows(
    mut tx: impl Connected,
    found: Vec<IntentShown>,
) -> Result<Vec<(i64, IntentRow)>, Error> {
    let mut by_intent: BTreeMap<i64, Vec<AttemptShown>> = BTreeMap::new();
    for attempt in intents::attempts(&mut tx, found.iter().map(|i| i.id)).await? {
        by_intent
            .entry(attempt.intent_id)
            .or_default()
            .push(attempt);
    }
    let none = Vec::new();
    let shown = found.into_iter().map(|intent| {
        let attempts = by_intent.get(&intent.id).unwrap_or(&none);
        Ok((intent.id, row(intent, attempts)?))
    });
    shown.collect()
}

/// One intent as a row.
pub(super) fn row(
    intent: IntentShown,
    attempts: &[AttemptShown],
) -> Result<IntentRow, StorageError> {
    let id = intent.id;
    let currency: Currency = stored::parse("intent", "currency", id, &intent.currency)?;
    let mut accounts: Vec<String> = attempts.iter().map(|a| a.account.clone()).collect();
    accounts.sort_unstable();
    accounts.dedup();
    Ok(IntentRow {
        amount: Amount::new(intent.amount, currency),
        direction: stored::parse("intent", "direction", id, &intent.direction)?,
        state: state(&intent, attempts)?,
        created_at: Instant::from_micros(intent.created_at),
        accounts,
        attempts: attempts.len() as u64,
        open_cases: count(intent.open_cases),
        id: intent.public_id,
        merchant_reference: intent.merchant_reference,
        operation: intent.operation,
    })
}

/// The state that stands, or the one that the attempts gave from the start.
fn state(intent: &IntentShown, attempts: &[AttemptShown]) -> Result<IntentState, StorageError> {
    if !intent.state.is_empty() {
        return stored::parse("intent_now", "state", intent.id, &intent.state);
    }
    let outcomes: Vec<Outcome> = attempts
        .iter()
        .map(|a| stored::parse("attempt", "outcome", a.id, &a.outcome))
        .collect::<Result<_, _>>()?;
    let loss_policy = stored::parse("intent", "loss_policy", intent.id, &intent.loss_policy)?;
    Ok(intent_state(
        &outcomes,
        intent.resend_permitted != 0,
        loss_policy,
    ))
}
