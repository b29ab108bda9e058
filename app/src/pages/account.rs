//! One ledger account: its balance day by day, what it consists of, every movement.

use crate::{
    components::{amount, lines::or_dash, list, words},
    document::{Layout, document},
};
use domain::view::{
    Link,
    amount::count,
    ledger::{AccountPage, EntryFilter},
    routes::{self, pattern},
    shell::Shell,
};
use leptos::prelude::*;

/// The page of one ledger account.
pub fn account(assets: &str, shell: &Shell, page: &AccountPage) -> AnyView {
    let f = &page.filter;
    let name = words::ledger_account(&page.ledger_account);
    let about = format!(
        "{} · {}{}",
        f.provider,
        f.currency,
        if f.as_of.is_empty() {
            String::new()
        } else {
            format!(" · as of the end of {}", f.as_of)
        }
    );
    let entries = routes::entries(&EntryFilter {
        ledger_account: page.ledger_account.clone(),
        provider: f.provider.clone(),
        currency: f.currency.clone(),
        to: f.as_of.clone(),
        ..EntryFilter::default()
    });
    let body = view! {
        {list::crumbs(&[Link::new("Ledger", pattern::LEDGER)])}
        {list::page_head(
            &name,
            &about,
            view! { <a class="button quiet" href=entries>"Entries"</a> }.into_any(),
        )}
        <dl class="facts">
            {list::fact("Debits", amount::amount(page.row.debit))}
            {list::fact("Credits", amount::amount(page.row.credit))}
            {list::fact("Balance", amount::balance(page.row.balance))}
        </dl>
        {open_items(page)}
        <section><h2>"By day"</h2>{days(page)}</section>
        <section><h2>"Movements"</h2>{movements(page)}</section>
    };
    document(assets, shell, Layout::Sheet, &name, body.into_any())
}

fn open_items(page: &AccountPage) -> AnyView {
    let Some(open) = page.row.open_items else {
        return ().into_any();
    };
    let rows = page
        .open_items
        .iter()
        .map(|i| {
            view! {
                <tr>
                    <th scope="row"><a href=i.href.clone()>{i.label.clone()}</a></th>
                    <td class="nowrap">{i.day.to_string()}</td>
                    {amount::amount_cell(i.amount)}
                </tr>
            }
        })
        .collect_view();
    let tie = if open.ties {
        view! { <span class="agrees">"the balance"</span> }.into_any()
    } else {
        view! { <span class="differs">"not the balance"</span> }.into_any()
    };
    view! {
        <section>
            <h2>"What it consists of"</h2>
            <div class="scroll" tabindex="0" role="group" aria-label="Open items">
                <table class="sheet">
                    <thead>
                        <tr>
                            <th scope="col">"Item"</th>
                            <th scope="col">"Since"</th>
                            <th scope="col" class="num">"Amount"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                    <tfoot>
                        <tr>
                            <th scope="row" colspan="2">
                                {words::counted(open.count, "open item", "open items")} ", " {tie}
                            </th>
                            {amount::amount_cell(open.sum)}
                        </tr>
                    </tfoot>
                </table>
            </div>
            {(open.count > page.open_items.len() as u64).then(|| view! {
                <p class="quiet-text">
                    {format!("The oldest {} of {} are shown.", page.open_items.len(), count(open.count))}
                </p>
            })}
        </section>
    }
    .into_any()
}

fn days(page: &AccountPage) -> AnyView {
    let rows = page
        .days
        .iter()
        .map(|d| {
            let entries = routes::entries(&EntryFilter {
                ledger_account: page.ledger_account.clone(),
                provider: page.filter.provider.clone(),
                currency: page.filter.currency.clone(),
                from: d.day.to_string(),
                to: d.day.to_string(),
                ..EntryFilter::default()
            });
            view! {
                <tr>
                    <th scope="row" class="nowrap"><a href=entries>{d.day.to_string()}</a></th>
                    {list::named("Debit", amount::figure_cell(d.debit))}
                    {list::named("Credit", amount::figure_cell(d.credit))}
                    <td class="num" data-label="Balance">{amount::balance(d.balance)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Balance by day">
            <table class="sheet cards thirds">
                <thead>
                    <tr>
                        <th scope="col">"Accounting day"</th>
                        <th scope="col" class="num">"Debit"</th>
                        <th scope="col" class="num">"Credit"</th>
                        <th scope="col" class="num">"Balance"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn movements(page: &AccountPage) -> AnyView {
    if page.movements.is_empty() {
        return list::empty("No movements", "Nothing was posted on this account.", None);
    }
    let rows = page
        .movements
        .iter()
        .map(|m| {
            view! {
                <tr>
                    <th scope="row" class="num">
                        <a href=routes::entry(m.entry_no)>{m.entry_no.to_string()}</a>
                    </th>
                    <td class="nowrap" data-label="Booked">{m.accounting_day.to_string()}</td>
                    <td class="break" data-label="Cause">{or_dash(&m.cause)}</td>
                    {amount::debit_credit_cells(m.amount)}
                </tr>
            }
        })
        .collect_view();
    let next = page.next.as_ref().map(|after| {
        let f = &page.filter;
        routes::query(
            &routes::account(&page.ledger_account, "", "", ""),
            &[
                ("provider", &f.provider),
                ("currency", &f.currency),
                ("as_of", &f.as_of),
                ("after", after),
            ],
        )
    });
    let more = next.map(|href| {
        view! {
            <nav class="pager" aria-label="More rows">
                <a class="button" rel="next" href=href>"Earlier movements"</a>
            </nav>
        }
    });
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Movements">
            <table class="sheet cards">
                <thead>
                    <tr>
                        <th scope="col" class="num">"Entry"</th>
                        <th scope="col">"Booked"</th>
                        <th scope="col">"Cause"</th>
                        <th scope="col" class="num">"Debit"</th>
                        <th scope="col" class="num">"Credit"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        {more}
    }
    .into_any()
}
