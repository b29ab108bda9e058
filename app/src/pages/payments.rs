//! Payments: search by any reference, import what the business meant.

use crate::{
    components::{amount, form, lines::or_dash, list, time, words},
    document::{Layout, document},
};
use domain::{
    actor::Permission,
    payment::IntentState,
    payments_file::COLUMNS,
    view::{
        Amount, Link,
        amount::count,
        form::Choice,
        payments::{ImportReport, IntentRow, NEVER, PaymentsPage},
        routes::{self, field, pattern},
        shell::Shell,
    },
};
use leptos::prelude::*;

/// The payments page.
pub fn payments(assets: &str, shell: &Shell, page: &PaymentsPage) -> AnyView {
    let f = &page.filter;
    let pairs = [
        ("q", f.q.as_str()),
        ("state", f.state.as_str()),
        ("provider", f.provider.as_str()),
        ("settled", f.settled.as_str()),
    ];
    let body = view! {
        {list::page_head(
            "Payments",
            "What the business meant to happen, each intent once, with every attempt at it.",
            list::exports(
                vec![
                    ("CSV", routes::export("payments", "csv", &pairs)),
                    ("XLSX", routes::export("payments", "xlsx", &pairs)),
                ],
            ),
        )}
        {form::problems(&page.problems)}
        {page.imported.as_ref().map(report)}
        {standing(page)}
        {filter(page)}
        {rows(page, &pairs)}
        {shell.may(Permission::Ingest).then(import)}
    };
    document(assets, shell, Layout::Sheet, "Payments", body.into_any())
}

/// All of them, or those that nothing settled, where there are any.
fn standing(page: &PaymentsPage) -> AnyView {
    let never = &page.never_settled;
    let on = page.filter.settled == NEVER;
    if never.count == 0 && !on {
        return ().into_any();
    }
    let href = routes::query(pattern::PAYMENTS, &[("settled", NEVER)]);
    view! {
        <nav class="views sheet-views" aria-label="Views">
            <a href=pattern::PAYMENTS aria-current=(!on).then_some("true")>"All payments"</a>
            <a href=href aria-current=on.then_some("true")>
                "Succeeded, never settled " <b>{words::or_more(never.count, never.more)}</b>
            </a>
        </nav>
        {on.then(|| view! {
            <p class="about">
                "They began before the first settlement file of their account, and no file holds them.
                No case is opened for them: upload the older files, or settle them outside."
            </p>
        })}
    }
    .into_any()
}

fn filter(page: &PaymentsPage) -> AnyView {
    let f = &page.filter;
    let states: Vec<Choice> = IntentState::ALL
        .iter()
        .map(|s| Choice::new(s.code(), s.code()))
        .collect();
    let providers: Vec<Choice> = page
        .providers
        .iter()
        .map(|p| Choice::new(p.clone(), p.clone()))
        .collect();
    let narrowed = !(f.q.is_empty() && f.state.is_empty() && f.provider.is_empty());
    view! {
        <form class="filter" method="get" action=pattern::PAYMENTS role="search" aria-label="Find payments">
            {form::chip_input("q", "Find", "search", &f.q, "reference, intent, attempt, provider id")}
            {form::chip_select("state", "State", &states, &f.state)}
            {form::chip_select("provider", "Account", &providers, &f.provider)}
            {(!f.settled.is_empty()).then(|| form::hidden("settled", &f.settled))}
            <button class="quiet" type="submit">"Find"</button>
            {narrowed.then(|| view! { <a class="clear" href=pattern::PAYMENTS>"Clear"</a> })}
        </form>
    }
    .into_any()
}

fn rows(page: &PaymentsPage, pairs: &[(&str, &str)]) -> AnyView {
    if page.rows.is_empty() {
        let narrowed = pairs.iter().any(|(_, v)| !v.is_empty());
        return if narrowed {
            list::empty(
                "No payment fits",
                "Any reference finds its payment: the merchant's, an intent or attempt id, an idempotency key, the provider's id. They are looked up whole.",
                Some(Link::new("Clear the search", pattern::PAYMENTS)),
            )
        } else {
            list::empty(
                "No payments yet",
                "Import a CSV below, or let the payment service register intents over the API.",
                None,
            )
        };
    }
    let body = page.rows.iter().map(row).collect_view();
    let next = page.next.as_ref().map(|after| {
        let mut all = pairs.to_vec();
        all.push(("after", after));
        routes::query(pattern::PAYMENTS, &all)
    });
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Payments">
            <table class="sheet cards">
                <caption class="sr">"Payment intents, newest first"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Reference"</th>
                        <th scope="col">"Operation"</th>
                        <th scope="col">"State"</th>
                        <th scope="col" class="num">"Amount"</th>
                        <th scope="col">"Account"</th>
                        <th scope="col" class="num">"Attempts"</th>
                        <th scope="col" class="num">"Open cases"</th>
                        <th scope="col">"Created (UTC)"</th>
                    </tr>
                </thead>
                <tbody>{body}</tbody>
                <tfoot>
                    <tr>
                        <th scope="row" colspan="3">
                            {words::counted(page.total, "payment", "payments")}
                        </th>
                        <td class="num">
                            {sum_of("in", &page.totals)}
                            {sum_of("out", &page.totals_out)}
                        </td>
                        <td colspan="4"></td>
                    </tr>
                </tfoot>
            </table>
        </div>
        {list::pager(next, page.rows.len(), page.total)}
    }
    .into_any()
}

/// What comes in, or goes out, by currency: never one sum of both.
fn sum_of(direction: &'static str, sums: &[Amount]) -> Option<AnyView> {
    (!sums.is_empty())
        .then(|| view! { <small>{direction}</small> " " {amount::sums(sums)} " " }.into_any())
}

fn row(r: &IntentRow) -> AnyView {
    let name = if r.merchant_reference.is_empty() {
        r.id.clone()
    } else {
        r.merchant_reference.clone()
    };
    view! {
        <tr>
            <th scope="row" class="break">
                <a href=routes::payment(&r.id)>{name}</a>
                <small class="mono">{r.id.clone()}</small>
            </th>
            <td class="nowrap" data-label="Operation">{r.operation.clone()} " " <span class="quiet-text">{words::direction(r.direction)}</span></td>
            <td data-label="State">{intent_state(r.state)}</td>
            {list::named("Amount", amount::amount_cell(r.amount))}
            <td class="nowrap" data-label="Account">{or_dash(&r.accounts.join(", "))}</td>
            <td class="num" data-label="Attempts">{count(r.attempts)}</td>
            <td class="num" data-label="Open cases">
                {if r.open_cases == 0 { "–".to_owned() } else { count(r.open_cases) }}
            </td>
            <td class="nowrap" data-label="Created (UTC)">{time::minute(r.created_at)}</td>
        </tr>
    }
    .into_any()
}

/// An intent's state as a word.
pub fn intent_state(state: IntentState) -> AnyView {
    let class = match state {
        IntentState::Succeeded => "state good",
        IntentState::Failed => "state",
        IntentState::Unknown => "state unknown",
        IntentState::Review => "state bad",
        IntentState::Pending | IntentState::Submitting => "state loading",
    };
    view! { <span class=class>{state.code().to_ascii_lowercase()}</span> }.into_any()
}

fn import() -> AnyView {
    view! {
        <section class="import" id=routes::IMPORT>
            <h2>"Import payments"</h2>
            <p class="quiet-text">
                "A CSV with one row per attempt and the columns below. Rows repeat
                safely; a row that contradicts what is stored is refused by its line."
            </p>
            {import_columns()}
            <form
                class="inline-form"
                method="post"
                action=pattern::IMPORT_PAYMENTS
                enctype="multipart/form-data"
                data-once=""
            >
                <div class="field">
                    <label for="import-file">"Payments CSV"</label>
                    <input id="import-file" name=field::FILE type="file" accept=".csv,text/csv" required/>
                </div>
                <button class="primary" type="submit">"Import"</button>
            </form>
        </section>
    }
    .into_any()
}

/// The columns of a payments file, as the contract names them.
fn import_columns() -> AnyView {
    // The last one may be left out, as in older exports.
    let columns = COLUMNS.join(",") + ",error_code";
    view! {
        <details class="columns-of-import">
            <summary>{format!("The {} columns", COLUMNS.len() + 1)}</summary>
            <p><code class="break">{columns}</code></p>
            <ul class="quiet-text">
                <li>"UTF-8, commas, and this header as the first line; error_code may be left out. A payment that was not tried yet leaves the attempt's columns, from attempt_id on, empty."</li>
                <li>"amount in major units, such as 1250.00; currency as EUR."</li>
                <li>"direction: in or out. outcome: in_flight, succeeded, rejected or unknown."</li>
                <li>"Times as 2026-11-02T09:00:00Z. provider is the name of a provider account."</li>
            </ul>
        </details>
    }
    .into_any()
}

fn report(r: &ImportReport) -> AnyView {
    let refused = r
        .refused
        .iter()
        .map(|x| {
            view! { <li>"“" {r.name.clone()} "”, line " {count(x.line)} ": " {x.reason.clone()}</li> }
        })
        .collect_view();
    let class = if r.refused_total == 0 {
        "notice done"
    } else {
        "notice refused"
    };
    view! {
        <div class=class role="status">
            <p>
                <strong>{r.name.clone()}</strong>
                {format!(
                    ": {}; {} new and {} new; {} learned something, {} unchanged, {} refused.",
                    words::counted(r.rows, "row", "rows"),
                    words::counted(r.intents_new, "intent", "intents"),
                    words::counted(r.attempts_new, "attempt", "attempts"),
                    words::counted(r.attempts_updated, "attempt", "attempts"),
                    count(r.unchanged),
                    count(r.refused_total),
                )}
            </p>
            {(!r.refused.is_empty()).then(|| view! { <ul>{refused}</ul> })}
        </div>
    }
    .into_any()
}
