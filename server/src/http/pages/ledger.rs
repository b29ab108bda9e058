//! `/ledger`: trial balance, accounts, entries.

use axum::{extract::Path, response::Response};
use domain::view::ledger::{AccountFilter, BalanceFilter, EntryFilter};
use engine::views;

use crate::http::{failure::Failure, fields::Filter, visit::Visit};

/// The trial balance.
pub async fn trial_balance(
    visit: Visit,
    Filter(filter): Filter<BalanceFilter>,
) -> Result<Response, Failure> {
    let page = views::trial_balance(&visit.web.engine, &visit.actor(), &filter).await?;
    visit.show(page, app::pages::ledger).await
}

/// One ledger account of a provider account in a currency.
pub async fn account(
    visit: Visit,
    Path(account): Path<String>,
    Filter(filter): Filter<AccountFilter>,
) -> Result<Response, Failure> {
    let page = views::ledger_account(&visit.web.engine, &visit.actor(), &account, &filter).await?;
    visit.show(page, app::pages::account).await
}

/// Entries.
pub async fn entries(
    visit: Visit,
    Filter(filter): Filter<EntryFilter>,
) -> Result<Response, Failure> {
    let page = views::entries(&visit.web.engine, &visit.actor(), &filter).await?;
    visit.show(page, app::pages::entries).await
}

/// One entry with its proof.
pub async fn entry(visit: Visit, Path(number): Path<i64>) -> Result<Response, Failure> {
    let page = views::entry(&visit.web.engine, &visit.actor(), number)
        .await?
        .ok_or_else(|| Failure::not_found("ledger entry"))?;
    visit.show(page, app::pages::entry).await
}
