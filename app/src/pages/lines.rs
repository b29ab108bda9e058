//! The lines of one file.

use crate::{
    components::{form, lines, list, words},
    document::{Layout, document},
    pages::files,
};
use domain::{
    line::{RowKind, Verdict},
    time::Day,
    view::{
        Link,
        files::FileRow,
        form::Choice,
        line::LinesPage,
        routes::{self, pattern},
        shell::Shell,
    },
};
use leptos::prelude::*;

/// The export of the file's account over the days of the file.
fn matches_of(file: &FileRow) -> AnyView {
    let day = |day: Option<Day>| day.map_or_else(String::new, |d| d.to_string());
    files::matches_export(&file.account, &day(file.first_day), &day(file.last_day))
}

/// The lines of one file.
pub fn lines(assets: &str, shell: &Shell, page: &LinesPage) -> AnyView {
    let f = &page.filter;
    let path = routes::file_lines(&page.file.id);
    let verdicts: Vec<Choice> = Verdict::ALL
        .iter()
        .map(|v| Choice::new(v.code(), words::verdict(*v)))
        .collect();
    let kinds: Vec<Choice> = RowKind::ALL
        .iter()
        .map(|k| Choice::new(k.code(), words::row_kind(*k)))
        .collect();
    let pairs = [
        ("verdict", f.verdict.as_str()),
        ("kind", f.kind.as_str()),
        ("q", f.q.as_str()),
    ];
    let next = page.next.as_ref().map(|after| {
        let mut pairs = pairs.to_vec();
        pairs.push(("after", after));
        routes::query(&path, &pairs)
    });
    let narrowed = pairs.iter().any(|(_, v)| !v.is_empty());
    let title = format!("Lines of {}", page.file.name);
    let body = view! {
        {list::crumbs(
            &[
                Link::new("Files", pattern::FILES),
                Link::new(page.file.name.clone(), routes::file(&page.file.id)),
            ],
        )}
        {list::page_head("Lines", &page.file.name, matches_of(&page.file))}
        <form class="filter" method="get" action=path.clone() role="search" aria-label="Filter lines">
            {form::chip_input("q", "Find", "search", &f.q, "row id, provider id, reference")}
            {form::chip_select("verdict", "Verdict", &verdicts, &f.verdict)}
            {form::chip_select("kind", "Kind", &kinds, &f.kind)}
            <button class="quiet" type="submit">"Filter"</button>
            {narrowed.then(|| view! { <a class="clear" href=path.clone()>"Clear"</a> })}
        </form>
        {lines::lines_table("Lines in the file's order", &page.rows, page.total, &page.totals)}
        {list::pager(next, page.rows.len(), page.total)}
    };
    document(assets, shell, Layout::Sheet, &title, body.into_any())
}
