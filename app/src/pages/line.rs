//! One line down to its bytes: what stands in the file, what was read from it, what became of it.

use crate::{
    components::{amount, lines, list, time, words},
    document::{Layout, document},
};
use domain::view::{
    Link,
    amount::count,
    line::{LineRow, RawLinePage},
    routes::{self, pattern},
    shell::Shell,
};
use leptos::prelude::*;

/// One line with its bytes.
pub fn line(assets: &str, shell: &Shell, page: &RawLinePage) -> AnyView {
    let f = &page.file;
    let title = format!("Line {}", count(page.line_no));
    let last = page.byte_offset + page.byte_len.saturating_sub(1);
    let range = format!(
        "bytes {} to {} of {}",
        count(page.byte_offset),
        count(last),
        count(f.bytes)
    );
    let step = |to: Option<u64>, rel: &'static str, word: &'static str| {
        to.map(|n| {
            view! { <a class="button quiet" rel=rel href=routes::line(&f.id, n)>{word}</a> }
        })
    };
    let steps = view! {
        {step(page.previous, "prev", "Line before")}
        {step(page.next, "next", "Line after")}
        <a class="button quiet" href=routes::line_raw(&f.id, page.line_no)>"Bytes alone"</a>
    };
    let body = view! {
        {list::crumbs(
            &[
                Link::new("Files", pattern::FILES),
                Link::new(f.name.clone(), routes::file(&f.id)),
                Link::new("Lines", routes::file_lines(&f.id)),
            ],
        )}
        {list::page_head(&title, &format!("{} · {}", f.name, f.account), steps.into_any())}
        {(!page.rejected.is_empty()).then(|| view! {
            <div class="notice refused">
                <p><strong>"Rejected. "</strong> {page.rejected.clone()}</p>
                {(!page.case_id.is_empty()).then(|| view! {
                    <p><a href=routes::case_only(&page.case_id)>"Open case"</a></p>
                })}
            </div>
        })}
        {page.line.as_ref().map(read)}
        <section>
            <h2>"As it stands in the file"</h2>
            <pre class="raw" tabindex="0" aria-label="Bytes of the line"><code>{page.text.clone()}</code></pre>
            <p class="quiet-text">
                {range}
                {page.masked.then_some(". Card numbers are masked here; the stored bytes are as received.")}
            </p>
            <p class="quiet-text">"File SHA-256 " <code class="break">{page.sha256.clone()}</code></p>
        </section>
        <section>
            <h2>"Column by column"</h2>
            {columns(page)}
        </section>
        {(!page.verdicts.is_empty()).then(|| verdicts(page))}
    };
    document(assets, shell, Layout::Sheet, &title, body.into_any())
}

fn read(line: &LineRow) -> AnyView {
    view! {
        <dl class="facts">
            {list::fact("Kind", view! { {words::row_kind(line.kind)} }.into_any())}
            {list::fact("Gross", amount::amount(line.gross))}
            {list::fact("Fee", amount::amount(line.fee))}
            {list::fact("Net", amount::amount(line.net))}
            {line.presented.map(|p| list::fact("Payer saw", amount::amount(p)))}
            {lines::times(line)}
            {list::fact("Verdict", lines::verdict(line))}
        </dl>
    }
    .into_any()
}

fn columns(page: &RawLinePage) -> AnyView {
    let rows = page
        .fields
        .iter()
        .map(|f| {
            let class = if f.read_as.is_empty() {
                "unread-row"
            } else {
                ""
            };
            view! {
                <tr class=class>
                    <th scope="row" class="mono break">{f.column.clone()}</th>
                    <td class="mono break wide" data-label="Text">{lines::or_dash(&f.value)}</td>
                    <td data-label="Read as">{lines::or_dash(&f.read_as)}</td>
                    <td data-label="Value">{f.read_value.clone()}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Columns">
            <table class="sheet cards">
                <thead>
                    <tr>
                        <th scope="col">"Column"</th>
                        <th scope="col">"Text"</th>
                        <th scope="col">"Read as"</th>
                        <th scope="col">"Value"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn verdicts(page: &RawLinePage) -> AnyView {
    let rows = page
        .verdicts
        .iter()
        .map(|v| {
            view! {
                <tr>
                    <td class="num" data-label="No.">{v.seq.to_string()}</td>
                    <td class="nowrap" data-label="At (UTC)">{time::moment(v.at)}</td>
                    <td data-label="Verdict">
                        {words::verdict(v.verdict)} " "
                        <span class="quiet-text">{words::rule(v.rule)}</span>
                    </td>
                    <td class="wide" data-label="Why">{v.explanation.clone()} <small>{v.cause.clone()}</small></td>
                    <td data-label="Contra account">{words::ledger_account(&v.contra)}</td>
                    <td class="num" data-label="Entry">
                        {v.entry.map(|no| view! { <a href=routes::entry(no)>{no.to_string()}</a> })}
                    </td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <section>
            <h2>"Every verdict it had"</h2>
            <div class="scroll" tabindex="0" role="group" aria-label="Verdicts">
                <table class="sheet cards">
                    <thead>
                        <tr>
                            <th scope="col" class="num">"No."</th>
                            <th scope="col">"At (UTC)"</th>
                            <th scope="col">"Verdict"</th>
                            <th scope="col">"Why"</th>
                            <th scope="col">"Contra account"</th>
                            <th scope="col" class="num">"Entry"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
    .into_any()
}
