//! Ledger entries under a filter.

use crate::{
    components::{amount, form, list, time, words},
    document::{Layout, document},
};
use domain::{
    posting::LedgerAccount,
    view::{
        Amount, Link,
        form::Choice,
        ledger::{EntriesPage, EntryRow},
        routes::{self, pattern},
        shell::Shell,
    },
};
use leptos::prelude::*;

/// The entries page.
pub fn entries(assets: &str, shell: &Shell, page: &EntriesPage) -> AnyView {
    let f = &page.filter;
    let pairs = f.pairs();
    let accounts: Vec<Choice> = LedgerAccount::ALL
        .iter()
        .map(|a| Choice::new(a.code(), a.title()))
        .collect();
    let providers: Vec<Choice> = page
        .providers
        .iter()
        .map(|p| Choice::new(p.clone(), p.clone()))
        .collect();
    let body = view! {
        {list::crumbs(&[Link::new("Ledger", pattern::LEDGER)])}
        {list::page_head(
            "Entries",
            "Newest first. Entries are never changed; a correction is a new entry.",
            list::exports(
                vec![
                    ("CSV", routes::export("ledger", "csv", &pairs)),
                    ("XLSX", routes::export("ledger", "xlsx", &pairs)),
                    ("JSON", routes::export("ledger", "json", &pairs)),
                ],
            ),
        )}
        {form::problems(&page.problems)}
        <form class="filter" method="get" action=pattern::ENTRIES role="search" aria-label="Filter entries">
            {form::chip_input("from", "From", "date", &f.from, "")}
            {form::chip_input("to", "To", "date", &f.to, "")}
            {form::chip_select("ledger_account", "Ledger account", &accounts, &f.ledger_account)}
            {form::chip_select("provider", "Provider", &providers, &f.provider)}
            {form::chip_input("currency", "Currency", "text", &f.currency, "EUR")}
            <button class="quiet" type="submit">"Filter"</button>
            {(!pairs.is_empty())
                .then(|| view! { <a class="clear" href=pattern::ENTRIES>"Clear"</a> })}
        </form>
        {rows(page)}
    };
    document(assets, shell, Layout::Sheet, "Entries", body.into_any())
}

fn rows(page: &EntriesPage) -> AnyView {
    if page.rows.is_empty() {
        return list::empty(
            "No entries",
            "Nothing is posted under this filter.",
            Some(Link::new("Trial balance", pattern::LEDGER)),
        );
    }
    let next = page.next.as_ref().map(|after| {
        let mut pairs = page.filter.pairs();
        pairs.push(("after", after));
        routes::query(pattern::ENTRIES, &pairs)
    });
    let totals = page
        .totals
        .iter()
        .enumerate()
        .map(|(index, t)| {
            let label = if index == 0 {
                words::counted(page.total, "entry", "entries")
            } else {
                "and".to_owned()
            };
            view! {
                <tr>
                    <th scope="row" colspan="5">{label}</th>
                    {list::named("Debit", amount::amount_cell(t.debit))}
                    {list::named("Credit", amount::amount_cell(t.credit))}
                </tr>
            }
        })
        .collect_view();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Entries">
            <table class="sheet entries cards">
                <thead>
                    <tr>
                        <th scope="col" class="num">"Entry"</th>
                        <th scope="col">"Booked"</th>
                        <th scope="col">"Provider"</th>
                        <th scope="col">"Cause"</th>
                        <th scope="col">"Account"</th>
                        <th scope="col" class="num">"Debit"</th>
                        <th scope="col" class="num">"Credit"</th>
                    </tr>
                </thead>
                {page.rows.iter().map(entry).collect_view()}
                <tfoot>{totals}</tfoot>
            </table>
        </div>
        {list::pager(next, page.rows.len(), page.total)}
    }
    .into_any()
}

/// One entry as its own group of rows, one for each posting.
fn entry(e: &EntryRow) -> AnyView {
    let span = e.postings.len().max(1).to_string();
    let mut postings = e.postings.iter();
    let first = postings
        .next()
        .map(|p| posting(&p.ledger_account, p.amount));
    let rest = postings
        .map(|p| view! { <tr>{posting(&p.ledger_account, p.amount)}</tr> })
        .collect_view();
    view! {
        <tbody>
            <tr>
                <th scope="rowgroup" class="num" rowspan=span.clone()>
                    <a href=routes::entry(e.no)>{e.no.to_string()}</a>
                </th>
                <td class="nowrap" rowspan=span.clone() data-label="Booked">
                    {e.accounting_day.to_string()}
                    <small>"posted " {time::minute(e.posted_at)}</small>
                </td>
                <td rowspan=span.clone() data-label="Provider">{e.provider.clone()}</td>
                <td rowspan=span class="break" data-label="Cause">{e.cause.clone()}</td>
                {first}
            </tr>
            {rest}
        </tbody>
    }
    .into_any()
}

fn posting(account: &str, value: Amount) -> AnyView {
    let shown = amount::amount(value.abs());
    let (debit, credit) = if value.minor >= 0 {
        (Some(shown), None)
    } else {
        (None, Some(shown))
    };
    view! {
        <td>{words::ledger_account(account)}</td>
        <td class="num" data-label="Debit">{debit}</td>
        <td class="num" data-label="Credit">{credit}</td>
    }
    .into_any()
}
