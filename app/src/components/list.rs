//! Heads of pages, empty states, pagers.

use domain::view::Link;
use leptos::prelude::*;

/// The head of a page: its name, what it says about itself, and what can be done.
pub fn page_head(title: &str, about: &str, actions: AnyView) -> AnyView {
    view! {
        <div class="page-head">
            <div>
                <h1>{title.to_owned()}</h1>
                {(!about.is_empty()).then(|| view! { <p class="about">{about.to_owned()}</p> })}
            </div>
            <div class="page-actions">{actions}</div>
        </div>
    }
    .into_any()
}

/// The way back from a page below another.
pub fn crumbs(links: &[Link]) -> AnyView {
    let items = links
        .iter()
        .map(|l| view! { <li><a href=l.href.clone()>{l.label.clone()}</a></li> })
        .collect_view();
    view! { <nav class="crumbs" aria-label="Way back"><ol>{items}</ol></nav> }.into_any()
}

/// Nothing to show, why, and what to do next.
pub fn empty(title: &str, text: &str, next: Option<Link>) -> AnyView {
    view! {
        <div class="empty">
            <svg viewBox="0 0 64 40" width="64" height="40" aria-hidden="true">
                <path d="M4 10h22M4 20h22M4 30h22M38 10h22M38 20h22M38 30h22"/>
            </svg>
            <p class="empty-title">{title.to_owned()}</p>
            <p>{text.to_owned()}</p>
            {next.map(|l| view! { <p><a class="button" href=l.href>{l.label}</a></p> })}
        </div>
    }
    .into_any()
}

/// A table that scrolls sideways where the window is too narrow, with a shadow at the edge that hides some of it.
pub fn scroll(label: &'static str, table: AnyView) -> AnyView {
    view! { <div class="scroll" tabindex="0" role="group" aria-label=label>{table}</div> }
        .into_any()
}

/// A cell with the name of its column, which stands over it where a narrow window makes a card of each row.
pub fn named(column: &'static str, cell: AnyView) -> AnyView {
    cell.add_any_attr(leptos::attr::custom::custom_attribute("data-label", column))
        .into_any()
}

/// The way to the next page of a list.
pub fn pager(next: Option<String>, shown: usize, total: u64) -> AnyView {
    let total_text = domain::view::amount::count(total);
    match next {
        Some(href) => view! {
            <nav class="pager" aria-label="More rows">
                <span>{format!("{shown} of {total_text} shown")}</span>
                <a class="button" rel="next" href=href>"Next page"</a>
            </nav>
        }
        .into_any(),
        None => ().into_any(),
    }
}

/// A number with its word, for the facts above a page.
pub fn fact(label: &str, value: AnyView) -> AnyView {
    view! { <div><dt>{label.to_owned()}</dt><dd>{value}</dd></div> }.into_any()
}

/// Links in one line.
pub fn links(all: &[Link]) -> AnyView {
    if all.is_empty() {
        return ().into_any();
    }
    let items = all
        .iter()
        .map(|l| view! { <li><a href=l.href.clone()>{l.label.clone()}</a></li> })
        .collect_view();
    view! { <ul class="links">{items}</ul> }.into_any()
}

/// Exports of what the page shows.
pub fn exports(formats: Vec<(&'static str, String)>) -> AnyView {
    let items = formats
        .into_iter()
        .map(|(label, href)| view! { <a class="button quiet" href=href download="">{label}</a> })
        .collect_view();
    view! { <div class="exports" role="group" aria-label="Export"><span>"Export"</span>{items}</div> }.into_any()
}
