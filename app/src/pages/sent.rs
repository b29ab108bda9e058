//! What a person sent for approval, and what became of it.

use crate::{
    components::{amount, icon, list, time, words},
    document::{Layout, document},
};
use domain::view::{
    Link,
    routes::{self, pattern},
    sent::{SentPage, SentRow},
    shell::Shell,
};
use leptos::prelude::*;

/// The page.
pub fn sent(assets: &str, shell: &Shell, page: &SentPage) -> AnyView {
    let body = view! {
        {list::crumbs(&[Link::new("Review", pattern::REVIEW)])}
        {list::page_head(
            "Sent for approval",
            "Your own decisions that take a second person. One that waits is taken back on the page of its case.",
            ().into_any(),
        )}
        {rows(page)}
    };
    document(
        assets,
        shell,
        Layout::Sheet,
        "Sent for approval",
        body.into_any(),
    )
}

fn rows(page: &SentPage) -> AnyView {
    if page.rows.is_empty() {
        return list::empty(
            "You sent nothing for approval",
            "Decisions that take a second person are listed here with the answer that they got.",
            Some(Link::new("All open cases", pattern::REVIEW)),
        );
    }
    let next = page
        .next
        .as_ref()
        .map(|after| routes::query(pattern::SENT, &[("after", after)]));
    view! {
        {list::scroll(
            "Sent for approval",
            view! {
                <table class="sheet cards">
                    <caption class="sr">"Your decisions that take a second person, newest first"</caption>
                    <thead>
                        <tr>
                            <th scope="col"><span class="sr">"Kind"</span></th>
                            <th scope="col">"Case"</th>
                            <th scope="col">"Decision"</th>
                            <th scope="col" class="num">"Amount"</th>
                            <th scope="col">"Sent (UTC)"</th>
                            <th scope="col">"Answer"</th>
                        </tr>
                    </thead>
                    <tbody>{page.rows.iter().map(row).collect_view()}</tbody>
                </table>
            }
            .into_any(),
        )}
        {next.map(|href| view! {
            <nav class="pager" aria-label="More rows">
                <a class="button" rel="next" href=href>"Earlier decisions"</a>
            </nav>
        })}
    }
    .into_any()
}

fn row(r: &SentRow) -> AnyView {
    view! {
        <tr>
            <td class="icon-cell">{icon::case_icon(&r.kind)}</td>
            <th scope="row">
                <a href=routes::case_only(&r.case_id)>{r.title.clone()}</a>
                <small>{r.case_id.clone()} " · " {words::case_kind(&r.kind)}</small>
            </th>
            <td data-label="Decision">
                {words::action(&r.action)}
                <small>{words::plain(&r.reason)}</small>
            </td>
            {list::named("Amount", amount::maybe_amount_cell(r.amount))}
            <td class="nowrap" data-label="Sent (UTC)">{time::minute(r.decided_at)}</td>
            <td class="wide" data-label="Answer">{answer(r)}</td>
        </tr>
    }
    .into_any()
}

fn answer(r: &SentRow) -> AnyView {
    let (class, word) = match r.state.as_str() {
        "AWAITING" => ("state loading", "waits"),
        "APPLIED" => ("state good", "approved"),
        "REFUSED" => ("state bad", "refused"),
        "REVERSED" => ("state", "approved, undone later"),
        _ => ("state", "withdrawn, or overtaken by new evidence"),
    };
    let said = r.answer.as_ref().map(|a| {
        let words = (!a.words.is_empty()).then(|| format!(": {}", a.words));
        view! { <small>"by " {a.by.clone()} ", " {time::minute(a.at)} {words}</small> }
    });
    view! { <span class=class>{word}</span> {said} }.into_any()
}
