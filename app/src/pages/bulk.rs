//! A bulk decision: preview with count and totals first, then a result for each case.

use crate::{
    components::{amount, form, icon, list, words},
    document::{Layout, document},
};
use domain::view::{
    Link,
    queue::Bulk,
    routes::{self, field, pattern},
    shell::Shell,
};
use leptos::prelude::*;

/// Preview or result of a bulk decision.
pub fn bulk(assets: &str, shell: &Shell, page: &Bulk) -> AnyView {
    let back = routes::review(&page.filter);
    let good = page.items.iter().filter(|i| i.refused.is_empty()).count();
    let bad = page.items.len() - good;
    let (title, about) = if page.applied {
        (
            format!("{}: done", words::action(&page.action)),
            format!("{good} of {} done, {bad} refused.", page.items.len()),
        )
    } else {
        (
            format!("{}: preview", words::action(&page.action)),
            format!("{good} will be changed, {bad} cannot be. Nothing has happened yet."),
        )
    };
    let rows = page
        .items
        .iter()
        .map(|item| {
            let r = &item.row;
            let outcome = if item.refused.is_empty() {
                view! { <span class="agrees">{item.outcome.clone()}</span> }.into_any()
            } else {
                view! { <span class="differs">{item.refused.clone()}</span> }.into_any()
            };
            view! {
                <tr>
                    <td class="icon-cell">{icon::case_icon(&r.kind)}</td>
                    <th scope="row">
                        <a href=routes::case(&r.id, &page.filter)>{words::case_kind(&r.kind)}</a>
                        <small>{r.label.clone()} " · " {r.summary.clone()}</small>
                    </th>
                    {amount::maybe_amount_cell(r.at_risk)}
                    <td>{outcome}</td>
                </tr>
            }
        })
        .collect_view();
    let apply = (!page.applied && good > 0).then(|| {
        let cases = page
            .items
            .iter()
            .filter(|i| i.refused.is_empty())
            .map(|i| form::hidden(field::CASE, &format!("{}@{}", i.row.id, i.row.version)))
            .collect_view();
        let query = back.split_once('?').map_or("", |(_, q)| q).to_owned();
        view! {
            <form method="post" action=pattern::BULK data-once="">
                {cases}
                {form::hidden(field::ACTION, &format!("{}:{}", page.action, page.reason))}
                {form::hidden(field::COMMENT, &page.comment)}
                {form::hidden(field::BULK_ID, &page.bulk_id)}
                {form::hidden(field::BACK, &query)}
                {form::hidden(field::APPLY, "1")}
                <p class="go">
                    <button class="primary" type="submit">
                        {words::action(&page.action)} " · "
                        {words::counted(good as u64, "case", "cases")}
                    </button>
                    <a class="button quiet" href=back.clone()>"Change nothing"</a>
                </p>
            </form>
        }
    });
    let body = view! {
        {list::crumbs(&[Link::new("Review", back.clone())])}
        {list::page_head(&title, &about, ().into_any())}
        <div class="scroll" tabindex="0" role="group" aria-label="Cases of this bulk decision">
            <table class="sheet">
                <thead>
                    <tr>
                        <th scope="col"><span class="sr">"Icon"</span></th>
                        <th scope="col">"Case"</th>
                        <th scope="col" class="num">"At risk"</th>
                        <th scope="col">{if page.applied { "Result" } else { "Would be" }}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
                <tfoot>
                    <tr>
                        <th scope="row" colspan="2">{words::counted(good as u64, "case", "cases")}</th>
                        <td class="num">{amount::sums(&page.totals)}</td>
                        <td></td>
                    </tr>
                </tfoot>
            </table>
        </div>
        {apply}
    };
    document(assets, shell, Layout::Sheet, &title, body.into_any())
}
