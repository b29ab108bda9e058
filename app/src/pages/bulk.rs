//! One choice for several cases: what it would do to each with count and totals, then what it did.
//! What was not done stays ticked.

use crate::{
    components::{amount, decisions, form, icon, list, postings, words},
    document::{Layout, document},
};
use domain::view::{
    Amount, Link,
    bulk::{APPROVE, Bulk, BulkItem, BulkResult},
    case::EffectPosting,
    routes::{self, field, pattern},
    shell::Shell,
};
use leptos::prelude::*;

/// Preview or result of a bulk decision.
pub fn bulk(assets: &str, shell: &Shell, page: &Bulk) -> AnyView {
    let back = routes::review(&page.filter);
    let action = words::action(&page.action);
    let title = if page.applied {
        format!("{action}: result")
    } else {
        format!("{action}: preview")
    };
    let body = view! {
        {list::crumbs(&[Link::new("Review", back)])}
        {list::page_head(&title, &about(page), ().into_any())}
        {if page.applied { result(page) } else { preview(page) }}
    };
    document(assets, shell, Layout::Sheet, &title, body.into_any())
}

/// How it would go or went, in a sentence.
fn about(page: &Bulk) -> String {
    let (at_once, waiting, refused) = (
        page.count(BulkResult::Applied),
        page.count(BulkResult::Awaiting),
        page.count(BulkResult::Refused),
    );
    let mut parts = Vec::new();
    if page.applied {
        let all = words::counted(page.items.len() as u64, "case", "cases");
        parts.push(format!("Of {all}, {} decided", count(at_once)));
        if waiting > 0 {
            parts.push(format!("{} sent for approval", count(waiting)));
        }
        parts.push(format!("{} not done", count(refused)));
        return format!("{}.", parts.join(", "));
    }
    if at_once > 0 {
        parts.push(format!(
            "{} decided at once.",
            words::counted(at_once, "case is", "cases are")
        ));
    }
    if waiting > 0 {
        parts.push(format!(
            "{} for a second person.",
            words::counted(waiting, "case waits", "cases wait")
        ));
    }
    if refused > 0 {
        parts.push(format!(
            "{} cannot be decided this way.",
            words::counted(refused, "case", "cases")
        ));
    }
    parts.push("Nothing has happened yet.".to_owned());
    parts.join(" ")
}

fn count(n: u64) -> String {
    domain::view::amount::count(n)
}

fn preview(page: &Bulk) -> AnyView {
    let done: Vec<&BulkItem> = page.done().collect();
    let refused: Vec<&BulkItem> = page.refused().collect();
    view! {
        {(!done.is_empty()).then(|| decide(page, &done))}
        {(!refused.is_empty()).then(|| view! {
            <section>
                <h2>"Left as they are"</h2>
                {table(page, &refused, "Why not", None)}
            </section>
        })}
        {done.is_empty().then(|| view! {
            <p class="go"><a class="button" href=routes::review(&page.filter)>"Back to the queue"</a></p>
        })}
    }
    .into_any()
}

/// The cases that would be decided, and the form that decides them.
fn decide(page: &Bulk, done: &[&BulkItem]) -> AnyView {
    let carried = done
        .iter()
        .map(|item| {
            let hash = format!("{}{}", field::EVIDENCE_PREFIX, item.row.id);
            view! {
                {form::hidden(field::CASE, &format!("{}@{}", item.row.id, item.row.version))}
                {form::hidden(&hash, &item.evidence)}
            }
        })
        .collect_view();
    let asks = page
        .asks
        .iter()
        .map(|ask| decisions::asked_of_any(ask, &page.typed, &page.problems, &page.action))
        .collect_view();
    let number = done.len() as u64;
    let waits = page.count(BulkResult::Awaiting) > 0;
    let second = waits.then(|| {
        let who = if page.approvers.is_empty() {
            "Nobody else can approve yet: an administrator adds an approver under Settings."
                .to_owned()
        } else {
            format!(
                "A second person must agree to each: {}.",
                page.approvers.join(", ")
            )
        };
        view! { <p class="second">{who}</p> }
    });
    let button = if waits && page.count(BulkResult::Applied) == 0 {
        "Send for approval".to_owned()
    } else {
        words::action(&page.action)
    };
    view! {
        {table(page, done, "What it does", Some(number))}
        {posted(
            &page.postings,
            &format!("Posted at once: {}", cases(page.count(BulkResult::Applied))),
        )}
        {posted(
            &page.postings_waiting,
            &format!("Posted once approved: {}", cases(page.count(BulkResult::Awaiting))),
        )}
        <section class="decide">
            <h2>"Decision"</h2>
            {form::problems(&page.problems)}
            <form method="post" action=pattern::BULK data-once="">
                {carried}
                {form::hidden(field::ACTION, &page.action)}
                {form::hidden(field::BULK_ID, &page.bulk_id)}
                {form::hidden(field::BACK, &back_query(page))}
                {form::hidden(field::APPLY, "1")}
                {asks}
                {if page.action == APPROVE {
                    form::field(&form::Field {
                        id: "bulk-comment",
                        name: field::COMMENT,
                        label: "Comment",
                        value: &page.typed.comment,
                        ..form::Field::default()
                    })
                } else {
                    decisions::reason_and_comment(
                        "bulk-reason",
                        "bulk-comment",
                        &page.reasons,
                        &page.typed,
                        &page.problems,
                    )
                }}
                {second}
                <p class="go">
                    <button class="primary" type="submit">
                        {button} " · " {words::counted(number, "case", "cases")}
                    </button>
                    <a class="button quiet" href=routes::review(&page.filter)>"Change nothing"</a>
                </p>
            </form>
        </section>
    }
    .into_any()
}

fn cases(number: u64) -> String {
    words::counted(number, "case", "cases")
}

/// Debits and credits over all that are posted together.
fn posted(sums: &[EffectPosting], title: &str) -> AnyView {
    if sums.is_empty() {
        return ().into_any();
    }
    let rows: Vec<(String, Amount)> = sums
        .iter()
        .map(|p| (p.ledger_account.clone(), p.amount))
        .collect();
    view! {
        <section>
            <h2>{title.to_owned()}</h2>
            {postings::postings(title, &rows)}
        </section>
    }
    .into_any()
}

fn result(page: &Bulk) -> AnyView {
    let done: Vec<&BulkItem> = page.done().collect();
    let refused: Vec<&BulkItem> = page.refused().collect();
    let number = done.len() as u64;
    view! {
        {(!refused.is_empty()).then(|| again(page, &refused))}
        {(!done.is_empty()).then(|| view! {
            <section>
                <h2>"Done"</h2>
                {table(page, &done, "Result", Some(number))}
            </section>
        })}
        <p class="go"><a class="button" href=routes::review(&page.filter)>"Back to the queue"</a></p>
    }
    .into_any()
}

/// What was not done stays ticked, to be looked at again.
fn again(page: &Bulk, refused: &[&BulkItem]) -> AnyView {
    view! {
        <section>
            <h2>"Not done, still ticked"</h2>
            <form method="post" action=pattern::BULK data-picked="">
                {table(page, refused, "Why not", None)}
                {form::hidden(field::ACTION, &page.action)}
                {form::hidden(field::REASON, &page.typed.reason)}
                {form::hidden(field::COMMENT, &page.typed.comment)}
                {form::hidden(field::BACK, &back_query(page))}
                <p class="go">
                    <button class="primary" type="submit">"Look at the ticked again"</button>
                </p>
            </form>
        </section>
    }
    .into_any()
}

fn back_query(page: &Bulk) -> String {
    routes::review(&page.filter)
        .split_once('?')
        .map_or_else(String::new, |(_, query)| query.to_owned())
}

/// Cases with what a decision does, did, or does not do. `total` adds a foot with their sums.
fn table(page: &Bulk, items: &[&BulkItem], says: &'static str, total: Option<u64>) -> AnyView {
    let ticks = page.applied && total.is_none();
    let rows = items
        .iter()
        .map(|item| row(page, item, ticks))
        .collect_view();
    let lead = if ticks { "3" } else { "2" };
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Cases of this decision">
            <table class="sheet">
                <thead>
                    <tr>
                        {ticks.then(|| view! { <th scope="col"><span class="sr">"Ticked"</span></th> })}
                        <th scope="col"><span class="sr">"Icon"</span></th>
                        <th scope="col">"Case"</th>
                        <th scope="col" class="num">"At risk"</th>
                        <th scope="col">{says}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
                {total.map(|number| view! {
                    <tfoot>
                        <tr>
                            <th scope="row" colspan=lead>{words::counted(number, "case", "cases")}</th>
                            <td class="num">{amount::sums(&page.totals)}</td>
                            <td></td>
                        </tr>
                    </tfoot>
                })}
            </table>
        </div>
    }
    .into_any()
}

fn row(page: &Bulk, item: &BulkItem, ticks: bool) -> AnyView {
    let r = &item.row;
    let word = match (item.result, page.applied) {
        (BulkResult::Applied, true) => {
            view! { <span class="agrees">"decided"</span> " " }.into_any()
        }
        (BulkResult::Awaiting, true) => {
            view! { <span class="tag">"awaiting approval"</span> " " }.into_any()
        }
        (BulkResult::Awaiting, false) => {
            view! { <span class="tag">"two people"</span> " " }.into_any()
        }
        (BulkResult::Applied, false) => ().into_any(),
        (BulkResult::Refused, _) => {
            view! { <span class="differs">"not done"</span> " " }.into_any()
        }
    };
    view! {
        <tr>
            {ticks.then(|| view! {
                <td class="check">
                    <input
                        type="checkbox"
                        name=field::CASE
                        value=format!("{}@{}", r.id, r.version)
                        checked=true
                        aria-label=format!("Select {}", r.label)
                    />
                </td>
            })}
            <td class="icon-cell">{icon::case_icon(&r.kind)}</td>
            <th scope="row">
                <a href=routes::case(&r.id, &page.filter)>{words::case_kind(&r.kind)}</a>
                <small>{r.label.clone()} " · " {r.summary.clone()}</small>
            </th>
            {amount::maybe_amount_cell(r.at_risk)}
            <td>{word} {item.says.clone()}</td>
        </tr>
    }
    .into_any()
}
