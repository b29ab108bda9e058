//! One payment: where its money stands, its attempts, everything that testifies.

use crate::{
    components::{
        amount, case_view, icon,
        lines::{self, or_dash},
        list, testimony, time, words,
    },
    document::{Layout, document},
    pages::payments::intent_state,
};
use domain::{
    payment::{LossPolicy, Outcome},
    view::{
        Amount, Link,
        intent::{AttemptView, IntentPage, Position},
        routes::{self, pattern},
        shell::Shell,
    },
};
use leptos::prelude::*;

/// The page of one payment.
pub fn intent(assets: &str, shell: &Shell, page: &IntentPage) -> AnyView {
    let i = &page.intent;
    let title = if i.merchant_reference.is_empty() {
        i.id.clone()
    } else {
        i.merchant_reference.clone()
    };
    let about = format!(
        "{} {} of {} · intent {}",
        i.operation,
        words::direction(i.direction),
        i.amount,
        i.id
    );
    let body = view! {
        {list::crumbs(&[Link::new("Payments", pattern::PAYMENTS)])}
        {list::page_head(&title, &about, ().into_any())}
        <dl class="facts">
            {list::fact("State", intent_state(i.state))}
            {list::fact("Version", view! { {page.version.to_string()} }.into_any())}
            {list::fact("Amount", amount::amount(i.amount))}
            {list::fact("Counterparty", view! { {or_dash(&page.counterparty)} }.into_any())}
            {list::fact(
                "Unknown outcome",
                view! {
                    {match page.loss_policy {
                        LossPolicy::AtMostOnce => "stops automation",
                        LossPolicy::AtLeastOnce => "may be repeated",
                    }}
                }
                    .into_any(),
            )}
            {list::fact("Created (UTC)", time::moment(i.created_at))}
        </dl>
        <p class="why">{page.why.clone()}</p>
        {cases(page)}
        <section>
            <h2>"Money"</h2>
            {position(&page.position)}
            {page.other_currencies.iter().map(position).collect_view()}
        </section>
        <section>
            <h2>"Attempts"</h2>
            {attempts(&page.attempts)}
        </section>
        <section>
            <h2>"Evidence"</h2>
            {testimony::timeline(&page.timeline)}
        </section>
        <section>
            <h2>"Settlement lines"</h2>
            {lines::lines_table("Settlement lines of this payment", &page.lines, page.lines.len() as u64, &[])}
        </section>
        {states(page)}
    };
    document(assets, shell, Layout::Sheet, &title, body.into_any())
}

fn cases(page: &IntentPage) -> AnyView {
    if page.cases.is_empty() {
        return ().into_any();
    }
    let rows = page
        .cases
        .iter()
        .map(|c| {
            view! {
                <li>
                    <a class="kind" href=routes::case_only(&c.id)>
                        {icon::case_icon(&c.kind)} <span>{words::case_kind(&c.kind)}</span>
                    </a>
                    <span class="tag">{words::case_state(&c.state)}</span>
                    <span>{c.summary.clone()}</span>
                    <span class="num">{c.at_risk.map(amount::amount)}</span>
                </li>
            }
        })
        .collect_view();
    view! { <section><h2>"Cases"</h2><ul class="case-links">{rows}</ul></section> }.into_any()
}

fn position(p: &Position) -> AnyView {
    let row = |label: &'static str, value: Amount| {
        view! { <div><dt>{label}</dt><dd class="num">{amount::amount(value)}</dd></div> }
    };
    view! {
        <dl class="row-sum">
            {row("captured", p.captured)}
            {row("refunded", p.refunded)}
            {row("charged back", p.charged_back)}
            {row("fees", p.fees)}
            <div class="total"><dt>"net"</dt><dd class="num">{amount::amount(p.net)}</dd></div>
        </dl>
    }
    .into_any()
}

fn attempts(attempts: &[AttemptView]) -> AnyView {
    if attempts.is_empty() {
        return list::empty(
            "Not attempted yet",
            "A worker claims it and calls the provider; each call appears here.",
            None,
        );
    }
    let rows = attempts
        .iter()
        .map(|a| {
            let class = match a.outcome {
                Outcome::Succeeded => "state good",
                Outcome::Unknown => "state unknown",
                Outcome::Contested => "state bad",
                Outcome::InFlight => "state loading",
                Outcome::Rejected | Outcome::Absent => "state",
            };
            let reported = (a.reported != a.outcome).then(|| {
                view! { <small>"reported " {words::outcome(a.reported)}</small> }
            });
            let learned = (!a.learned_from.is_empty() && a.learned_from != "company").then(|| {
                view! { <small>"learned from a " {a.learned_from.clone()}</small> }
            });
            view! {
                <tr>
                    <th scope="row" class="num">{a.number.to_string()}</th>
                    <td class="mono break" data-label="Attempt">{a.id.clone()}</td>
                    <td data-label="Account">{a.account.clone()}</td>
                    <td data-label="Outcome"><span class=class>{words::outcome(a.outcome)}</span> {reported}</td>
                    <td class="mono break" data-label="Provider id">{or_dash(&a.provider_payment_id)} {learned}</td>
                    <td class="mono break" data-label="Idempotency key">{a.idempotency_key.clone()}</td>
                    <td class="nowrap" data-label="Called (UTC)">
                        {time::moment(a.started_at)}
                        <small>
                            {match a.finished_at {
                                Some(at) => view! { "to " {time::moment(at)} }.into_any(),
                                None => view! { "no end reported" }.into_any(),
                            }}
                        </small>
                    </td>
                    <td class="mono" data-label="Error">{or_dash(&a.error_code)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Attempts">
            <table class="sheet cards">
                <thead>
                    <tr>
                        <th scope="col" class="num">"No."</th>
                        <th scope="col">"Attempt"</th>
                        <th scope="col">"Account"</th>
                        <th scope="col">"Outcome"</th>
                        <th scope="col">"Provider id"</th>
                        <th scope="col">"Idempotency key"</th>
                        <th scope="col">"Called (UTC)"</th>
                        <th scope="col">"Error"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// What it went through; nothing while it stands as it was registered.
fn states(page: &IntentPage) -> AnyView {
    if page.states.is_empty() {
        return ().into_any();
    }
    let events = page
        .states
        .iter()
        .map(|s| case_view::Happened {
            at: s.at,
            text: format!("{}: {}", s.state.code().to_ascii_lowercase(), s.cause),
            actor: String::new(),
            to: view! { <small class="flat">"v" {s.version.to_string()}</small> }.into_any(),
        })
        .collect();
    view! {
        <section>
            <h2>"States"</h2>
            {case_view::event_list(events)}
        </section>
    }
    .into_any()
}
