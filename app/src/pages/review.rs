//! The review queue and, beside it, one case. On a narrow window one of the two.

use crate::{
    components::{
        amount, case_view, first_steps, form, icon, list, time, to_approve::files_to_accept, words,
    },
    document::{Layout, document},
};
use domain::{
    actor::Permission,
    view::{
        Link,
        amount::count,
        case::CasePage,
        form::Choice,
        queue::{NOBODY, Queue, QueueFilter, QueueRow, QueueView},
        routes::{self, field, pattern},
        shell::Shell,
    },
};
use leptos::prelude::*;

/// The queue, with a case open beside it or none.
pub fn review(assets: &str, shell: &Shell, queue: &Queue, case: Option<&CasePage>) -> AnyView {
    let title = case.map_or_else(
        || "Review".to_owned(),
        |c| format!("{} {}", c.label, words::case_kind(&c.kind)),
    );
    let class = if case.is_some() {
        "panes with-case"
    } else {
        "panes"
    };
    let right = match case {
        Some(case) => case_view::case_view(shell, queue, case),
        None => nothing_open(queue),
    };
    let body = view! {
        <div class=class>
            <section class="queue" aria-label="Review queue" data-keep-scroll="queue" tabindex="-1">
                {case.is_none().then(|| view! { <h1 class="sr">"Review queue"</h1> })}
                {views(shell, queue)}
                {saved(queue)}
                {filter(queue)}
                {rows(shell, queue, case)}
            </section>
            <section class="case" aria-label="Case" tabindex="-1">
                {right}
            </section>
        </div>
    };
    document(assets, shell, Layout::Panes, &title, body.into_any())
}

fn views(shell: &Shell, queue: &Queue) -> AnyView {
    let tabs = queue
        .views
        .iter()
        .map(|v| {
            let mut filter = queue.filter.afresh();
            filter.view = v.view;
            let current = (v.view == queue.filter.view).then_some("true");
            view! {
                <a href=routes::review(&filter) aria-current=current>
                    {words::queue_view(v.view)} " " <b>{count(v.count)}</b>
                </a>
            }
        })
        .collect_view();
    let sent = shell
        .may(Permission::Decide)
        .then(|| view! { <a href=pattern::SENT>"Sent for approval"</a> });
    view! { <nav class="views" aria-label="Views">{tabs} {sent}</nav> }.into_any()
}

/// What the person keeps by name, each with its count.
fn saved(queue: &Queue) -> AnyView {
    if queue.saved.is_empty() {
        return ().into_any();
    }
    let here = queue.filter.afresh();
    let tabs = queue
        .saved
        .iter()
        .map(|s| {
            let current = (s.filter == here).then_some("true");
            view! {
                <a href=routes::review(&s.filter) aria-current=current>
                    {s.name.clone()} " " <b>{count(s.count)}</b>
                </a>
            }
        })
        .collect_view();
    view! { <nav class="views saved" aria-label="Saved views">{tabs}</nav> }.into_any()
}

/// The way to keep the filter by name, or to forget it where it is kept.
fn keep(queue: &Queue) -> AnyView {
    let here = queue.filter.afresh();
    let back = routes::review(&here);
    let back = back.split_once('?').map_or("", |(_, q)| q).to_owned();
    if let Some(known) = queue.saved.iter().find(|s| s.filter == here) {
        return view! {
            <form class="keep" method="post" action=routes::remove_view(known.view_id)>
                {form::hidden(field::BACK, &back)}
                <button class="link" type="submit">"Remove view"</button>
            </form>
        }
        .into_any();
    }
    if here.pairs().is_empty() {
        return ().into_any();
    }
    view! {
        <details class="keep">
            <summary>"Save view"</summary>
            <form method="post" action=pattern::SAVE_VIEW>
                {form::hidden(field::BACK, &back)}
                <label class="chip">
                    <span>"Name"</span>
                    <input type="text" name=field::NAME required maxlength="40" autocomplete="off"/>
                </label>
                <button class="quiet" type="submit">"Save"</button>
            </form>
        </details>
    }
    .into_any()
}

fn filter(queue: &Queue) -> AnyView {
    let f = &queue.filter;
    let kinds: Vec<Choice> = queue
        .kinds
        .iter()
        .map(|k| Choice::new(k.clone(), words::case_kind(k)))
        .collect();
    let providers: Vec<Choice> = queue
        .providers
        .iter()
        .map(|p| Choice::new(p.clone(), p.clone()))
        .collect();
    let owners: Vec<Choice> = std::iter::once(Choice::new(NOBODY, "nobody"))
        .chain(
            queue
                .owners
                .iter()
                .map(|o| Choice::new(o.clone(), o.clone())),
        )
        .collect();
    let active = f.pairs().iter().any(|(name, _)| *name != "view");
    let clear = QueueFilter {
        view: f.view,
        ..Default::default()
    };
    view! {
        <form class="filter" method="get" action=pattern::REVIEW role="search" aria-label="Filter cases">
            {(f.view != QueueView::All).then(|| form::hidden("view", f.view.code()))}
            {(!f.file.is_empty()).then(|| {
                let mut without = f.afresh();
                without.file = String::new();
                view! {
                    {form::hidden("file", &f.file)}
                    <span class="chip filter-file">
                        <span>"File"</span>
                        <a href=routes::file(&f.file)>{queue.file_name.clone()}</a>
                        <a class="clear" href=routes::review(&without) aria-label="Cases of every file">"×"</a>
                    </span>
                }
            })}
            {form::chip_input("q", "Find", "search", &f.q, "reference, id")}
            {form::chip_select("kind", "Kind", &kinds, &f.kind)}
            {form::chip_select("provider", "Provider", &providers, &f.provider)}
            {form::chip_select("owner", "Owner", &owners, &f.owner)}
            <button class="quiet" type="submit">"Filter"</button>
            {active.then(|| view! { <a class="clear" href=routes::review(&clear)>"Clear"</a> })}
            <details class="more" open=!f.min.is_empty() || !f.currency.is_empty()>
                <summary>"By amount"</summary>
                {form::chip_input("min", "At least", "text", &f.min, "100.00")}
                {form::chip_input("currency", "Currency", "text", &f.currency, "EUR")}
            </details>
        </form>
        {keep(queue)}
        {form::problems(&queue.problems)}
    }
    .into_any()
}

fn rows(shell: &Shell, queue: &Queue, case: Option<&CasePage>) -> AnyView {
    let files = (!queue.files_to_accept.is_empty()).then(|| {
        view! {
            <section class="files-to-accept">
                <p class="list-title">{words::counted(
                    queue.files_to_accept.len() as u64,
                    "file to accept as the second",
                    "files to accept as the second",
                )}</p>
                {files_to_accept(shell, &queue.files_to_accept)}
            </section>
        }
    });
    if queue.rows.is_empty() && files.is_some() {
        return files.into_any();
    }
    if queue.rows.is_empty() {
        return nothing_listed(shell, queue);
    }
    let decides = shell.may(Permission::Decide) && !queue.bulk_actions.is_empty();
    let body = queue
        .rows
        .iter()
        .map(|r| row(shell, queue, r, case.is_some_and(|c| c.id == r.id), decides))
        .collect_view();
    let filter = &queue.filter;
    let next = queue.next.clone().map(|cursor| {
        let mut pairs = filter.pairs();
        pairs.push(("after", cursor.as_str()));
        routes::query(pattern::REVIEW, &pairs)
    });
    let exported = filter.pairs();
    let table = view! {
        <table class="list">
            <caption class="sr">"Cases, the most severe and oldest first"</caption>
            <thead>
                <tr>
                    {decides.then(|| view! { <th scope="col" class="check"><span class="sr">"Select"</span></th> })}
                    <th scope="col" class="icon-cell"><span class="sr">"Icon"</span></th>
                    <th scope="col">"Case"</th>
                    <th scope="col" class="num">"At risk"</th>
                    <th scope="col" class="due">"Due, age"</th>
                </tr>
            </thead>
            <tbody>{body}</tbody>
            <tfoot>
                <tr>
                    <th scope="row" colspan=if decides { "3" } else { "2" }>
                        {words::counted(queue.total, "case in this view", "cases in this view")}
                    </th>
                    <td class="num">{amount::sums(&queue.totals)}</td>
                    <td class="due">
                        {queue.oldest.map(|o| format!("oldest {}", time::age(shell.now, o)))}
                    </td>
                </tr>
            </tfoot>
        </table>
    };
    let table = if decides {
        view! {
            <form class="bulk" method="post" action=pattern::BULK>
                {table}
                {turn(queue)}
                {bulk_bar(queue)}
            </form>
        }
        .into_any()
    } else {
        view! { {table} {list::pager(next, queue.rows.len(), queue.total)} }.into_any()
    };
    view! {
        {files}
        {table}
        {list::exports(
            vec![
                ("CSV", routes::export("cases", "csv", &exported)),
                ("XLSX", routes::export("cases", "xlsx", &exported)),
                ("JSON", routes::export("cases", "json", &exported)),
            ],
        )}
    }
    .into_any()
}

fn row(shell: &Shell, queue: &Queue, r: &QueueRow, selected: bool, decides: bool) -> AnyView {
    let held_by_other = r.owner.is_some() && !r.mine;
    let class = match (selected, r.held, held_by_other) {
        (true, true, _) => "selected held",
        (true, false, _) => "selected",
        (false, true, _) => "held",
        (false, false, true) => "theirs",
        (false, false, false) => "",
    };
    let owner = match (&r.owner, r.mine) {
        (_, true) => Some("you are on it".to_owned()),
        (Some(email), false) => {
            let name = email.split('@').next().unwrap_or(email);
            Some(format!("{name} is on it"))
        }
        (None, false) => None,
    };
    let state = match r.state.as_str() {
        "AWAITING_APPROVAL" => Some("awaiting approval".to_owned()),
        "WAITING" => Some("waiting".to_owned()),
        "RESOLVED" if r.resolution.is_empty() => Some("resolved".to_owned()),
        "RESOLVED" => Some(format!("resolved: {}", words::resolution(&r.resolution))),
        _ => None,
    };
    let (due, before) = match (r.state.as_str(), r.wake_on) {
        ("RESOLVED", _) => (view! { <span class="quiet-text">"–"</span> }.into_any(), ""),
        (_, Some(day)) => (view! { {day.to_string()} }.into_any(), "wakes · "),
        _ => (time::due(shell.now, r.due_at), ""),
    };
    let ticked = queue.filter.ticked_cases().any(|(id, _)| id == r.id);
    view! {
        <tr class=class>
            {decides.then(|| view! {
                <td class="check">
                    {(!r.held).then(|| view! {
                        <input
                            type="checkbox"
                            name=field::CASE
                            value=format!("{}@{}", r.id, r.version)
                            checked=ticked
                            aria-label=format!("Select {}", r.label)
                        />
                    })}
                </td>
            })}
            <td class="icon-cell">{icon::case_icon(&r.kind)}</td>
            <td class="what">
                <a
                    class="row-link"
                    href=routes::case(&r.id, &onward(queue))
                    aria-current=selected.then_some("true")
                >
                    {words::case_kind(&r.kind)}
                </a>
                {icon::severity_mark(r.severity)}
                <small>{r.summary.clone()} " · " <span class="nowrap">{r.account.clone()}</span></small>
                {(state.is_some() || owner.is_some()).then(|| view! {
                    <small class="tags">
                        {state.map(|s| view! { <span class="tag">{s}</span> })}
                        {owner.map(|o| view! { <b>{o}</b> })}
                    </small>
                })}
            </td>
            <td class="num">{r.at_risk.map(amount::amount)}</td>
            <td class="due">{due} <small>{before} {time::old(shell.now, r.opened_at)}</small></td>
        </tr>
    }
    .into_any()
}

/// What is ticked on other pages, as boxes name it.
fn ticked_elsewhere(queue: &Queue) -> Vec<String> {
    queue
        .filter
        .ticked_cases()
        .filter(|(id, _)| !queue.rows.iter().any(|r| r.id == *id))
        .map(|(id, version)| format!("{id}@{version}"))
        .collect()
}

/// The filter as links to cases carry it: boxes of this page are kept by the page itself.
fn onward(queue: &Queue) -> QueueFilter {
    QueueFilter {
        ticked: ticked_elsewhere(queue).join("."),
        ..queue.filter.clone()
    }
}

/// Other pages, with everything that is ticked.
fn turn(queue: &Queue) -> AnyView {
    let first = !queue.filter.after.is_empty();
    if queue.next.is_none() && !first {
        return ().into_any();
    }
    let button = |value: String, label: &'static str| {
        view! {
            <button class="button" type="submit" name=field::NEXT_PAGE value=value>{label}</button>
        }
    };
    view! {
        <div class="pager" role="group" aria-label="More rows">
            <span>{format!("{} of {} shown", queue.rows.len(), count(queue.total))}</span>
            {first.then(|| button(field::FIRST_PAGE.to_owned(), "First page"))}
            {queue.next.clone().map(|cursor| button(cursor, "Next page"))}
        </div>
    }
    .into_any()
}

fn bulk_bar(queue: &Queue) -> AnyView {
    let back = routes::review(&queue.filter);
    let back = back.split_once('?').map_or("", |(_, q)| q).to_owned();
    let elsewhere = ticked_elsewhere(queue);
    let carried = (!elsewhere.is_empty()).then(|| {
        let none = QueueFilter {
            ticked: String::new(),
            ..queue.filter.clone()
        };
        let number = words::counted(elsewhere.len() as u64, "case", "cases");
        let hidden = elsewhere
            .iter()
            .map(|case| form::hidden(field::CASE, case))
            .collect_view();
        view! {
            {hidden}
            <p class="hint ticked-elsewhere">
                {number} " ticked on other pages. "
                <a href=routes::review(&none)>"Untick them"</a>
            </p>
        }
    });
    let actions = queue
        .bulk_actions
        .iter()
        .map(|action| view! { <option value=action.clone()>{words::action(action)}</option> })
        .collect_view();
    view! {
        <div class="bulk-bar">
            {carried}
            {form::hidden(field::BACK, &back)}
            <label class="chip">
                <span>"With the ticked"</span>
                <select name=field::ACTION>{actions}</select>
            </label>
            <button class="quiet" type="submit">"Preview"</button>
            <p class="hint">"Nothing happens before you have seen what it does."</p>
        </div>
    }
    .into_any()
}

fn nothing_listed(shell: &Shell, queue: &Queue) -> AnyView {
    let narrowed = queue.filter.pairs().iter().any(|(n, _)| *n != "view");
    if narrowed {
        return list::empty(
            "No case fits",
            "The filter leaves nothing. Widen it, or clear it.",
            Some(Link::new("Clear the filter", pattern::REVIEW)),
        );
    }
    match queue.filter.view {
        QueueView::All if !queue.loaded.everything() => view! {
            <div class="first-run">
                <p class="about">{first_steps::what_is_missing(queue.loaded)}</p>
                {first_steps::first_steps(shell, queue.loaded)}
            </div>
        }
        .into_any(),
        QueueView::All => list::empty(
            "No case is open",
            &first_steps::nothing_open(queue.loaded, shell.counts.held_files),
            Some(Link::new("Upload a file", pattern::FILES)),
        ),
        QueueView::Mine => list::empty(
            "You hold no case",
            "Open one and take it, so that others see you are on it.",
            Some(Link::new("All open cases", pattern::REVIEW)),
        ),
        QueueView::ToApprove => list::empty(
            "Nothing waits for you",
            "Decisions of others and acceptances of files that need a second person appear here.",
            Some(Link::new("All open cases", pattern::REVIEW)),
        ),
        QueueView::Over48h => list::empty(
            "Nothing is older than 48 hours",
            "Whatever is open is fresh.",
            Some(Link::new("All open cases", pattern::REVIEW)),
        ),
        QueueView::Waiting => list::empty(
            "Nothing is set aside",
            "Snoozed cases wait here until their date.",
            Some(Link::new("All open cases", pattern::REVIEW)),
        ),
        QueueView::Resolved => list::empty(
            "Nothing is resolved yet",
            "Decided cases stay here with their history.",
            Some(Link::new("All open cases", pattern::REVIEW)),
        ),
    }
}

fn nothing_open(queue: &Queue) -> AnyView {
    let first = queue
        .rows
        .first()
        .map(|r| routes::case(&r.id, &queue.filter));
    view! {
        <div class="invite">
            <h2>"Choose a case"</h2>
            <p>
                "Its evidence opens here: both sides field by field, what could have been meant, and
                what you may decide."
            </p>
            {first.map(|href| view! {
                <p><a class="button" href=href data-first="">"Open the first" <kbd>"Enter"</kbd></a></p>
            })}
            <dl class="keys">
                <div><dt><kbd>"j"</kbd> <kbd>"k"</kbd></dt><dd>"next, previous case"</dd></div>
                <div><dt><kbd>"c"</kbd></dt><dd>"confirm"</dd></div>
                <div><dt><kbd>"x"</kbd></dt><dd>"choose a candidate"</dd></div>
                <div><dt><kbd>"w"</kbd></dt><dd>"write off"</dd></div>
                <div><dt><kbd>"s"</kbd></dt><dd>"snooze"</dd></div>
                <div><dt><kbd>"u"</kbd></dt><dd>"undo"</dd></div>
                <div><dt><kbd>"/"</kbd></dt><dd>"search"</dd></div>
                <div><dt><kbd>"?"</kbd></dt><dd>"all keys"</dd></div>
            </dl>
        </div>
    }
    .into_any()
}
