//! Overview: how things stand, oldest and largest first, each figure a way into its list.

use crate::{
    components::{
        amount, calendar, first_steps, icon, list, match_chart, time, to_approve::files_to_accept,
        words,
    },
    document::{Layout, document},
};
use domain::{
    posting::LedgerAccount,
    time::Instant,
    view::{
        Amount, Link,
        amount::count,
        overview::{KindAge, OnItsWay, Overview, ProviderHealth, ToApprove},
        payments::NEVER,
        queue::{QueueFilter, QueueView},
        routes::{self, pattern},
        shell::Shell,
    },
};
use leptos::prelude::*;

/// The overview page.
pub fn overview(assets: &str, shell: &Shell, page: &Overview) -> AnyView {
    let loaded = page.loaded;
    let body = if loaded.anything() {
        view! {
            {list::page_head("Overview", "", ().into_any())}
            {(!loaded.everything()).then(|| view! {
                <section class="still-missing">
                    <p class="about">{first_steps::what_is_missing(loaded)}</p>
                    {first_steps::first_steps(shell, loaded)}
                </section>
            })}
            {risk(shell, page)}
            {(page.to_approve_total > 0).then(|| to_approve(shell, page))}
            <div class="columns">
                <section class="wide-column">
                    <h2>"Open cases by kind and age"</h2>
                    {kinds(shell, page)}
                    {set_aside(page.set_aside)}
                </section>
                <section>
                    <h2>"Match rate"</h2>
                    {match_chart::match_chart(&page.match_rate)}
                </section>
            </div>
            {(!page.coverage.is_empty()).then(|| view! {
                <section>
                    <h2>"Coverage"</h2>
                    {calendar::calendar(&page.coverage)}
                </section>
            })}
            {(!page.on_its_way.is_empty()).then(|| on_its_way(&page.on_its_way))}
            <section>
                <h2>"Provider accounts"</h2>
                {providers(shell, &page.providers)}
            </section>
        }
        .into_any()
    } else {
        view! {
            {list::page_head(
                "Overview",
                first_steps::what_is_missing(loaded),
                ().into_any(),
            )}
            {first_steps::first_steps(shell, loaded)}
        }
        .into_any()
    };
    document(assets, shell, Layout::Sheet, "Overview", body)
}

fn risk(shell: &Shell, page: &Overview) -> AnyView {
    let totals = page
        .at_risk
        .iter()
        .map(|r| {
            let filter = QueueFilter {
                currency: r.amount.currency.to_string(),
                ..QueueFilter::default()
            };
            let oldest = r
                .oldest
                .map(|o| format!(", oldest {}", time::age(shell.now, o)));
            view! {
                <div class="figure">
                    <dt>"At risk, " {r.amount.currency.to_string()}</dt>
                    <dd>
                        <a href=routes::review(&filter)>{r.amount.grouped()}</a>
                        <small>{words::counted(r.cases, "open case", "open cases")} {oldest}</small>
                    </dd>
                </div>
            }
        })
        .collect_view();
    let unknown = &page.unknown;
    let unknown_filter = QueueFilter {
        kind: "unknown_outcome".to_owned(),
        ..QueueFilter::default()
    };
    let unknown_note = match unknown.oldest {
        Some(oldest) => view! {
            <small>
                "oldest " {time::age(shell.now, oldest)} ", "
                {unknown
                    .amounts
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(" and ")}
            </small>
        }
        .into_any(),
        None => view! { <small>"every attempt has an outcome"</small> }.into_any(),
    };
    let calm = page.at_risk.is_empty().then(|| {
        view! {
            <div class="figure">
                <dt>"At risk"</dt>
                <dd>"nothing" <small>"no open case has money in it"</small></dd>
            </div>
        }
    });
    let view_filter = |view| QueueFilter {
        view,
        ..QueueFilter::default()
    };
    view! {
        <dl class="figures-row">
            {totals} {calm}
            <div class="figure">
                <dt>{icon::case_icon("unknown_outcome")} " Outcome unknown"</dt>
                <dd><a href=routes::review(&unknown_filter)>{count(unknown.count)}</a> {unknown_note}</dd>
            </div>
            {(page.never_settled.count > 0).then(|| never_settled(shell, page))}
            <div class="figure">
                <dt>"Waiting for my approval"</dt>
                <dd>
                    <a href=routes::review(
                        &view_filter(QueueView::ToApprove),
                    )>{count(page.to_approve_total)}</a>
                    <small>
                        {oldest_to_approve(page)
                            .map_or_else(
                                || "nothing waits".to_owned(),
                                |at| format!("oldest {}", time::age(shell.now, at)),
                            )}
                    </small>
                </dd>
            </div>
        </dl>
    }
    .into_any()
}

fn never_settled(shell: &Shell, page: &Overview) -> AnyView {
    let never = &page.never_settled;
    let href = routes::query(pattern::PAYMENTS, &[("settled", NEVER)]);
    let amounts: Vec<String> = never.amounts.iter().map(ToString::to_string).collect();
    let oldest = never
        .oldest
        .map(|o| format!("oldest {}, ", time::age(shell.now, o)));
    view! {
        <div class="figure">
            <dt>"Succeeded, never settled"</dt>
            <dd>
                <a href=href>{words::or_more(never.count, never.more)}</a>
                <small>{oldest} {amounts.join(" and ")} ", before the first file"</small>
            </dd>
        </div>
    }
    .into_any()
}

fn oldest_to_approve(page: &Overview) -> Option<Instant> {
    let decisions = page.to_approve.iter().map(|a| a.decided_at);
    let files = page.files_to_accept.iter().map(|f| f.at);
    decisions.chain(files).min()
}

fn to_approve(shell: &Shell, page: &Overview) -> AnyView {
    let row = |a: &ToApprove| {
        view! {
            <tr>
                <td class="icon-cell">{icon::case_icon(&a.kind)}</td>
                <th scope="row">
                    <a href=routes::case_only(&a.case_id)>{a.title.clone()}</a>
                    <small>{a.label.clone()} " · " {words::case_kind(&a.kind)}</small>
                </th>
                <td data-label="Decision">{words::action(&a.action)}</td>
                {list::named("Amount", amount::maybe_amount_cell(a.amount))}
                <td data-label="By">{a.decided_by.clone()}</td>
                <td class="num nowrap" data-label="Since">{time::age(shell.now, a.decided_at)}</td>
            </tr>
        }
    };
    let decisions = (!page.to_approve.is_empty()).then(|| {
        view! {
            <div class="scroll" tabindex="0" role="group" aria-label="Decisions to approve">
                <table class="sheet cards">
                    <thead>
                        <tr>
                            <th scope="col"><span class="sr">"Kind"</span></th>
                            <th scope="col">"Case"</th>
                            <th scope="col">"Decision"</th>
                            <th scope="col" class="num">"Amount"</th>
                            <th scope="col">"By"</th>
                            <th scope="col" class="num">"Since"</th>
                        </tr>
                    </thead>
                    <tbody>{page.to_approve.iter().map(row).collect_view()}</tbody>
                </table>
            </div>
        }
    });
    let all = QueueFilter {
        view: QueueView::ToApprove,
        ..QueueFilter::default()
    };
    let shown = (page.to_approve.len() + page.files_to_accept.len()) as u64;
    view! {
        <section>
            <div class="section-head">
                <h2>"Waiting for my approval" " " <b class="badge">{count(page.to_approve_total)}</b></h2>
                <a class="button quiet" href=routes::review(&all)>"See all"</a>
            </div>
            {decisions}
            {(!page.files_to_accept.is_empty())
                .then(|| files_to_accept(shell, &page.files_to_accept))}
            {(shown < page.to_approve_total).then(|| view! {
                <p class="quiet-text">"The oldest decisions are shown."</p>
            })}
        </section>
    }
    .into_any()
}

/// What is not counted above, so that nobody looks for it in vain.
fn set_aside(cases: u64) -> AnyView {
    if cases == 0 {
        return ().into_any();
    }
    let filter = QueueFilter {
        view: QueueView::Waiting,
        ..QueueFilter::default()
    };
    let text = words::counted(cases, "case is", "cases are");
    view! {
        <p class="quiet-text">
            <a href=routes::review(&filter)>{text} " set aside"</a> " until a date and not counted here."
        </p>
    }
    .into_any()
}

fn kinds(shell: &Shell, page: &Overview) -> AnyView {
    let kinds: &[KindAge] = &page.by_kind;
    if kinds.is_empty() && !page.loaded.everything() {
        return view! { <p class="quiet-text">"No case yet: there is nothing to compare."</p> }
            .into_any();
    }
    if kinds.is_empty() {
        return list::empty(
            "No case is open",
            &first_steps::nothing_open(page.loaded, shell.counts.held_files),
            Some(Link::new("Upload a settlement file", pattern::FILES)),
        );
    }
    let rows = kinds
        .iter()
        .map(|k| {
            let filter = QueueFilter {
                kind: k.kind.clone(),
                ..QueueFilter::default()
            };
            let cell = |n: u64| {
                view! { <td class="num ages">{if n == 0 { "–".to_owned() } else { count(n) }}</td> }
            };
            view! {
                <tr>
                    <th scope="row">
                        <a class="kind" href=routes::review(&filter)>
                            {icon::case_icon(&k.kind)}
                            <span>{words::case_kind(&k.kind)}</span>
                        </a>
                    </th>
                    {cell(k.under_one_day)}
                    {cell(k.one_to_two_days)}
                    {cell(k.two_to_seven_days)}
                    {cell(k.over_seven_days)}
                    <td class="num strong">{count(k.total())}</td>
                    <td class="num">
                        {if k.overdue > 0 {
                            view! { <em class="late">{count(k.overdue)}</em> }.into_any()
                        } else {
                            view! { "–" }.into_any()
                        }}
                    </td>
                    <td class="num">{amount::sums(&k.at_risk)}</td>
                    <td class="num nowrap">
                        {k.oldest.map(|o| time::age(shell.now, o))}
                    </td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Open cases by kind and age">
            <table class="sheet kinds">
                <thead>
                    <tr>
                        <th scope="col">"Kind"</th>
                        <th scope="col" class="num ages">"< 1 d"</th>
                        <th scope="col" class="num ages">"1–2 d"</th>
                        <th scope="col" class="num ages">"2–7 d"</th>
                        <th scope="col" class="num ages">"> 7 d"</th>
                        <th scope="col" class="num">"Open"</th>
                        <th scope="col" class="num">"Overdue"</th>
                        <th scope="col" class="num">"At risk"</th>
                        <th scope="col" class="num">"Oldest"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// Money between the provider and the bank: each figure leads to its account, where the payouts are listed.
fn on_its_way(rows: &[OnItsWay]) -> AnyView {
    let rows = rows
        .iter()
        .map(|r| {
            let figure = |account: LedgerAccount, sum: Amount| {
                let currency = sum.currency.to_string();
                let href = routes::account(account.code(), &r.account, &currency, "");
                let text = if sum.is_zero() {
                    view! { "–" }.into_any()
                } else {
                    view! { <a href=href>{amount::amount(sum)}</a> }.into_any()
                };
                view! { <td class="num">{text}</td> }.into_any()
            };
            let at_provider = figure(LedgerAccount::ProviderClearing, r.at_provider);
            let in_transit = figure(LedgerAccount::PayoutsInTransit, r.in_transit);
            view! {
                <tr>
                    <th scope="row">{r.account.clone()}</th>
                    {list::named("Settled, not paid out", at_provider)}
                    {list::named("Paid out, not at the bank", in_transit)}
                </tr>
            }
        })
        .collect_view();
    let table = view! {
        <table class="sheet cards on-its-way">
            <thead>
                <tr>
                    <th scope="col">"Account"</th>
                    <th scope="col" class="num">"Settled, not paid out"</th>
                    <th scope="col" class="num">"Paid out, not at the bank"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    };
    view! {
        <section>
            <h2>"Money on its way"</h2>
            {list::scroll("Money on its way", table.into_any())}
        </section>
    }
    .into_any()
}

fn providers(shell: &Shell, providers: &[ProviderHealth]) -> AnyView {
    let number = |n: u64, bad: bool| {
        let text = if n == 0 { "–".to_owned() } else { count(n) };
        if bad && n > 0 {
            view! { <td class="num"><em class="late">{text}</em></td> }.into_any()
        } else {
            view! { <td class="num">{text}</td> }.into_any()
        }
    };
    let rows = providers
        .iter()
        .map(|p| {
            let files = routes::query(pattern::FILES, &[("provider", &p.account)]);
            view! {
                <tr>
                    <th scope="row">
                        <a href=files>{p.account.clone()}</a>
                        <small>{words::provider_kind(p.kind)}</small>
                    </th>
                    <td class="nowrap" data-label="Last file">
                        {match p.last_file_at {
                            Some(at) => {
                                view! { {time::ago(shell.now, at)} }.into_any()
                            }
                            None => view! { <span class="quiet-text">"no file yet"</span> }.into_any(),
                        }}
                    </td>
                    <td class="nowrap" data-label="Covered to">
                        {p.covered_to.map_or_else(|| "–".to_owned(), |d| d.to_string())}
                    </td>
                    {list::named("Held files", number(p.held_files, true))}
                    {list::named("Open lines", number(p.open_lines, false))}
                    {list::named("Payments unknown", number(p.unknown, true))}
                    <td class="num" data-label="Payments in transit">
                        {if p.in_transit == 0 && !p.more_in_transit {
                            "–".to_owned()
                        } else {
                            words::or_more(p.in_transit, p.more_in_transit)
                        }}
                    </td>
                    {list::named("Cases overdue", number(p.overdue, true))}
                </tr>
            }
        })
        .collect_view();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Provider accounts">
            <table class="sheet cards thirds">
                <thead>
                    <tr>
                        <th scope="col">"Account"</th>
                        <th scope="col">"Last file"</th>
                        <th scope="col">"Covered to"</th>
                        <th scope="col" class="num">"Held files"</th>
                        <th scope="col" class="num">"Open lines"</th>
                        <th scope="col" class="num">"Payments unknown"</th>
                        <th scope="col" class="num">"Payments in transit"</th>
                        <th scope="col" class="num">"Cases overdue"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}
