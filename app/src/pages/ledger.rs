//! The trial balance: every ledger account of every provider account, each figure a way down.

use crate::{
    components::{amount, form, list, words},
    document::{Layout, document},
};
use domain::view::{
    Link,
    amount::count,
    form::Choice,
    ledger::{EntryFilter, LedgerPage, TrialBlock, TrialRow},
    routes::{self, pattern},
    shell::Shell,
};
use leptos::prelude::*;

/// The trial balance.
pub fn ledger(assets: &str, shell: &Shell, page: &LedgerPage) -> AnyView {
    let f = &page.filter;
    let providers: Vec<Choice> = page
        .providers
        .iter()
        .map(|p| Choice::new(p.clone(), p.clone()))
        .collect();
    let about = if f.as_of.is_empty() {
        "Trial balance, everything posted so far.".to_owned()
    } else {
        format!("Trial balance as of the end of {}.", f.as_of)
    };
    let pairs = [("provider", f.provider.as_str()), ("to", f.as_of.as_str())];
    let actions = view! {
        <a class="button quiet" href=routes::entries(&EntryFilter::default())>"Entries"</a>
        {list::exports(
            vec![
                ("CSV", routes::export("ledger", "csv", &pairs)),
                ("XLSX", routes::export("ledger", "xlsx", &pairs)),
            ],
        )}
    };
    let blocks = if page.blocks.is_empty() {
        list::empty(
            "Nothing is posted",
            "Entries appear as soon as a settlement file is used, each with the lines it rests on.",
            Some(Link::new("Upload a settlement file", pattern::FILES)),
        )
    } else {
        page.blocks
            .iter()
            .map(|b| block(b, &f.as_of))
            .collect_view()
            .into_any()
    };
    let body = view! {
        {list::page_head("Ledger", &about, actions.into_any())}
        {form::problems(&page.problems)}
        <form class="filter" method="get" action=pattern::LEDGER role="search" aria-label="Choose the balance">
            {form::chip_input("as_of", "As of", "date", &f.as_of, "")}
            {form::chip_select("provider", "Account", &providers, &f.provider)}
            <button class="quiet" type="submit">"Show"</button>
        </form>
        {(page.loading_files > 0).then(|| view! {
            <p class="notice note">
                {words::counted(page.loading_files, "file is", "files are")}
                " being posted: figures are loading and not final."
            </p>
        })}
        {blocks}
    };
    document(assets, shell, Layout::Sheet, "Ledger", body.into_any())
}

fn block(b: &TrialBlock, as_of: &str) -> AnyView {
    let currency = b.debit.currency.to_string();
    let title = format!("{} · {}", b.provider, currency);
    let rows = b
        .rows
        .iter()
        .map(|r| row(r, &b.provider, &currency, as_of))
        .collect_view();
    let balanced = b.debit == b.credit;
    view! {
        <section class="trial">
            <h2>{title.clone()}</h2>
            <div class="scroll" tabindex="0" role="group" aria-label=title>
                <table class="sheet cards thirds">
                    <thead>
                        <tr>
                            <th scope="col">"Account"</th>
                            <th scope="col" class="num">"Debit"</th>
                            <th scope="col" class="num">"Credit"</th>
                            <th scope="col" class="num">"Balance"</th>
                            <th scope="col">"Open items"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                    <tfoot>
                        <tr>
                            <th scope="row">"Sum"</th>
                            {list::named("Debit", amount::figure_cell(b.debit))}
                            {list::named("Credit", amount::figure_cell(b.credit))}
                            <td class="num" data-label="Balance">
                                {if balanced {
                                    view! { <span class="agrees">"balances"</span> }.into_any()
                                } else {
                                    view! { <span class="differs">"does not balance"</span> }.into_any()
                                }}
                            </td>
                            <td></td>
                        </tr>
                    </tfoot>
                </table>
            </div>
        </section>
    }
    .into_any()
}

fn row(r: &TrialRow, provider: &str, currency: &str, as_of: &str) -> AnyView {
    let href = routes::account(&r.ledger_account, provider, currency, as_of);
    let open = r.open_items.map(|o| {
        let tie = if o.ties {
            view! { <span class="agrees">"tie"</span> }.into_any()
        } else {
            view! { <span class="differs">"come to " {o.sum.grouped()}</span> }.into_any()
        };
        view! { {count(o.count)} " " {tie} }
    });
    let holds = words::ledger_account_holds(&r.ledger_account);
    let open_label = open.is_some().then_some("Open items");
    view! {
        <tr>
            <th scope="row">
                <a href=href>{words::ledger_account(&r.ledger_account)}</a>
                {(!holds.is_empty()).then(|| view! { <small>{holds}</small> })}
            </th>
            {list::named("Debit", amount::figure_cell(r.debit))}
            {list::named("Credit", amount::figure_cell(r.credit))}
            <td class="num strong" data-label="Balance">{amount::balance(r.balance)}</td>
            <td data-label=open_label>{open}</td>
        </tr>
    }
    .into_any()
}
