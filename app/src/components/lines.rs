//! Settlement lines as a table: each leads to its bytes, its payment and its case.

use super::{amount, list, time, words};
use domain::view::{
    amount::count,
    line::{LineRow, LineTotal},
    routes,
};
use leptos::prelude::*;

/// The table. `with_file` adds nothing to the row but the line's own link names its file.
pub fn lines_table(caption: &str, rows: &[LineRow], total: u64, totals: &[LineTotal]) -> AnyView {
    if rows.is_empty() {
        return list::empty(
            "No lines",
            "No settlement line has come for this yet.",
            None,
        );
    }
    let body = rows.iter().map(line_row).collect_view();
    let foot = (!totals.is_empty()).then(|| {
        let rows = totals
            .iter()
            .enumerate()
            .map(|(index, t)| {
                let label = if index == 0 {
                    words::counted(total, "line", "lines")
                } else {
                    "and".to_owned()
                };
                view! {
                    <tr>
                        <th scope="row" colspan="3">{label}</th>
                        {list::named("Gross", amount::amount_cell(t.gross))}
                        {list::named("Fee", amount::amount_cell(t.fee))}
                        {list::named("Net", amount::amount_cell(t.net))}
                        <td colspan="2"></td>
                    </tr>
                }
            })
            .collect_view();
        view! { <tfoot>{rows}</tfoot> }
    });
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=caption.to_owned()>
            <table class="sheet lines cards">
                <caption class="sr">{caption.to_owned()}</caption>
                <thead>
                    <tr>
                        <th scope="col" class="num">"Line"</th>
                        <th scope="col">"Kind"</th>
                        <th scope="col">"Reference, provider id"</th>
                        <th scope="col" class="num">"Gross"</th>
                        <th scope="col" class="num">"Fee"</th>
                        <th scope="col" class="num">"Net"</th>
                        <th scope="col">"Booked"</th>
                        <th scope="col">"Verdict"</th>
                    </tr>
                </thead>
                <tbody>{body}</tbody>
                {foot}
            </table>
        </div>
    }
    .into_any()
}

fn line_row(row: &LineRow) -> AnyView {
    let line = count(row.line_no);
    let presented = row
        .presented
        .map(|p| view! { <small>"payer saw " {amount::amount(p)}</small> });
    view! {
        <tr>
            <td class="num" data-label="Line">
                <a href=routes::line(&row.file_id, row.line_no)>{line}</a>
            </td>
            <td data-label="Kind">{words::row_kind(row.kind)}</td>
            <td class="break wide" data-label="Reference, provider id">
                {or_dash(&row.merchant_reference)}
                {(!row.provider_payment_id.is_empty())
                    .then(|| view! { <small class="mono">{row.provider_payment_id.clone()}</small> })}
            </td>
            <td class="num" data-label="Gross">{amount::amount(row.gross)} {presented}</td>
            {list::named("Fee", amount::amount_cell(row.fee))}
            {list::named("Net", amount::amount_cell(row.net))}
            <td class="nowrap" data-label="Booked">{row.accounting_day.to_string()}</td>
            <td class="wide" data-label="Verdict">{verdict(row)}</td>
        </tr>
    }
    .into_any()
}

/// The verdict in words, with what it leads to.
pub fn verdict(row: &LineRow) -> AnyView {
    let Some(verdict) = row.verdict else {
        return view! { <span class="state loading">"being matched"</span> }.into_any();
    };
    let rule = words::rule(row.rule);
    view! {
        <span class=format!("state v-{}", verdict.code().to_ascii_lowercase())>
            {words::verdict(verdict)}
        </span>
        " "
        <span class="quiet-text">{rule}</span>
        {(!row.intent_id.is_empty()).then(|| view! {
            <small>
                <a href=routes::payment(&row.intent_id)>{row.intent_id.clone()}</a>
            </small>
        })}
        {(!row.case_id.is_empty()).then(|| view! {
            <small>
                <a href=routes::case_only(&row.case_id)>"open case"</a>
            </small>
        })}
    }
    .into_any()
}

/// Provider times of a line, each named as what it is.
pub fn times(row: &LineRow) -> AnyView {
    view! {
        {list::fact("Occurred (UTC)", time::maybe_minute(row.occurred_at))}
        {list::fact("Settled (UTC)", time::maybe_minute(row.settled_at))}
        {list::fact("Booked under", view! { {row.accounting_day.to_string()} }.into_any())}
    }
    .into_any()
}

/// A text, or a dash where there is none.
pub fn or_dash(text: &str) -> String {
    if text.is_empty() {
        "–".to_owned()
    } else {
        text.to_owned()
    }
}
