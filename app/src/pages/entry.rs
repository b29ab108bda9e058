//! One ledger entry: its postings, the lines it rests on, and the proof that it is sealed.

use crate::{
    components::{lines, list, postings, time, words},
    document::{Layout, document},
};
use domain::view::{
    Amount, Link,
    amount::count,
    entry::{EntryDecision, EntryPage, Proof},
    routes::{self, pattern},
    shell::Shell,
};
use leptos::prelude::*;

/// The page of one entry.
pub fn entry(assets: &str, shell: &Shell, page: &EntryPage) -> AnyView {
    let e = &page.entry;
    let title = format!("Entry {}", e.no);
    let rows: Vec<(String, Amount)> = page
        .postings
        .iter()
        .map(|p| (p.ledger_account.clone(), p.amount))
        .collect();
    let other = |no: Option<i64>, word: &'static str| {
        no.map(|no| {
            view! {
                <p class="notice note">
                    {word} " " <a href=routes::entry(no)>"entry " {no.to_string()}</a> "."
                </p>
            }
        })
    };
    let body = view! {
        {list::crumbs(
            &[Link::new("Ledger", pattern::LEDGER), Link::new("Entries", pattern::ENTRIES)],
        )}
        {list::page_head(&title, &e.cause, ().into_any())}
        {other(page.reverses, "This reverses")}
        {other(page.reversed_by, "This is reversed by")}
        <dl class="facts">
            {list::fact("Booked under", view! { {e.accounting_day.to_string()} }.into_any())}
            {page.closed_day.map(|day| list::fact(
                "Belongs to",
                view! { {format!("{day}, in a closed period")} }.into_any(),
            ))}
            {list::fact("Posted (UTC)", time::moment(e.posted_at))}
            {list::fact("Provider account", view! { {e.provider.clone()} }.into_any())}
            {list::fact("Batch", view! { {lines::or_dash(&page.batch_id)} }.into_any())}
            {list::fact("Cause", view! { {words::plain(&e.cause_kind)} }.into_any())}
        </dl>
        {list::links(&page.links)}
        {page.decision.as_ref().map(decided)}
        <section>
            <h2>"Postings"</h2>
            {postings::postings("Postings of this entry", &rows)}
        </section>
        {(page.lines_total > 0).then(|| rests_on(page))}
        <section>
            <h2>"Proof"</h2>
            {match &page.proof {
                Some(p) => proof(p),
                None => {
                    view! {
                        <p class="quiet-text">
                            "Not sealed yet: the next block takes it within a second. Load the page again."
                        </p>
                    }
                        .into_any()
                }
            }}
        </section>
    };
    document(assets, shell, Layout::Sheet, &title, body.into_any())
}

/// Who decided what it rests on, and the way to the case.
fn decided(d: &EntryDecision) -> AnyView {
    let second = (!d.approved_by.is_empty())
        .then(|| list::fact("Approved by", view! { {d.approved_by.clone()} }.into_any()));
    let case = (!d.case_id.is_empty()).then(|| {
        let href = routes::case_only(&d.case_id);
        list::fact(
            "Case",
            view! { <a href=href>{d.case_id.clone()}</a> }.into_any(),
        )
    });
    view! {
        <section>
            <h2>"Decision"</h2>
            <dl class="facts">
                {list::fact("Decided", view! { {words::action(&d.action)} }.into_any())}
                {list::fact("By", view! { {d.decided_by.clone()} }.into_any())}
                {second}
                {list::fact("At (UTC)", time::moment(d.decided_at))}
                {list::fact("Reason", view! { {d.reason.clone()} }.into_any())}
                {case}
            </dl>
            {(!d.comment.is_empty()).then(|| view! { <p>"“" {d.comment.clone()} "”"</p> })}
        </section>
    }
    .into_any()
}

fn rests_on(page: &EntryPage) -> AnyView {
    let more = page.lines_total > page.lines.len() as u64 && !page.lines_href.is_empty();
    view! {
        <section>
            <div class="section-head">
                <h2>
                    "Rests on " {words::counted(page.lines_total, "line", "lines")}
                </h2>
                {more.then(|| view! {
                    <a class="button quiet" href=page.lines_href.clone()>"All of them"</a>
                })}
            </div>
            {lines::lines_table("Lines of this entry", &page.lines, page.lines_total, &[])}
        </section>
    }
    .into_any()
}

fn proof(p: &Proof) -> AnyView {
    let hash = |h: &str| view! { <code class="break">{h.to_owned()}</code> }.into_any();
    let path = p
        .path
        .iter()
        .map(|h| view! { <li>{hash(h)}</li> })
        .collect_view();
    view! {
        <p>
            {format!(
                "Leaf {} of {} in block {}, sealed ",
                count(p.index + 1),
                count(p.leaf_count),
                p.block,
            )} {time::moment(p.sealed_at)} " UTC."
        </p>
        <dl class="facts stacked">
            {list::fact("Leaf", hash(&p.leaf))}
            {list::fact("Root", hash(&p.root))}
            {list::fact("Block", hash(&p.block_hash))}
            {list::fact("Block before", hash(&p.previous))}
        </dl>
        {(!p.path.is_empty()).then(|| view! {
            <details>
                <summary>{format!("{} hashes from leaf to root", p.path.len())}</summary>
                <ol class="path">{path}</ol>
            </details>
        })}
    }
    .into_any()
}
