//! Settlement files: bring new ones, see how each stands.

use crate::{
    components::{form, list, time, words},
    document::{Layout, document},
    islands::{LiveFiles, Upload},
};
use domain::{
    actor::Permission,
    view::{
        Link,
        amount::count,
        files::{FileRow, FileState, FilesPage, WAITS},
        form::Choice,
        queue::QueueFilter,
        routes::{self, field, pattern},
        shell::Shell,
    },
};
use leptos::prelude::*;

/// The files page.
pub fn files(assets: &str, shell: &Shell, page: &FilesPage) -> AnyView {
    let body = view! {
        {list::page_head(
            "Files",
            "Settlement files as providers send them. Bytes are kept as received; the same file again changes nothing.",
            matches_export(&page.filter.provider, "", ""),
        )}
        {upload(shell, page)}
        {filter(page)}
        <div data-files="">{rows(shell, page)}</div>
        {page.rows.iter().any(FileRow::is_under_way).then(|| view! { <LiveFiles/> })}
    };
    document(assets, shell, Layout::Sheet, "Files", body.into_any())
}

fn upload(shell: &Shell, page: &FilesPage) -> AnyView {
    if !shell.may(Permission::Ingest) {
        return ().into_any();
    }
    if page.providers.is_empty() {
        let next = shell
            .may(Permission::Administer)
            .then(|| Link::new("Add a provider account", pattern::PROVIDERS));
        return list::empty(
            "No provider account yet",
            "A file belongs to an account at a provider. An administrator adds it under Settings.",
            next,
        );
    }
    let providers: Vec<Choice> = page
        .providers
        .iter()
        .map(|p| {
            Choice::new(
                p.name.clone(),
                format!("{} · {}", p.name, words::provider_kind(p.kind)),
            )
        })
        .collect();
    // An island's children outlive this call, so what they show is made before.
    let limit = format!(
        "CSV as the provider exports it, up to {} each.",
        words::size(page.max_bytes)
    );
    let account = form::select(
        "upload-provider",
        field::PROVIDER,
        "For account",
        &providers,
        &page.filter.provider,
        true,
        &page.problems,
    );
    view! {
        <section class="upload" aria-label="Upload">
            {form::problems(&page.problems)}
            <Upload>
                <form method="post" action=pattern::FILES enctype="multipart/form-data" data-upload="">
                    <div class="drop" data-drop="">
                        <p class="drop-lead">
                            <label for="upload-files">"Choose settlement files"</label>
                            <span class="with-scripts">" or drop them here"</span>
                        </p>
                        <input id="upload-files" name=field::FILE type="file" multiple required/>
                        <p class="hint">{limit}</p>
                    </div>
                    <div class="upload-go">
                        {account} <button class="primary" type="submit">"Upload"</button>
                    </div>
                </form>
            </Upload>
        </section>
    }
    .into_any()
}

/// What became of every row: of one account, or of some days.
pub fn matches_export(provider: &str, from: &str, to: &str) -> AnyView {
    let pairs = [("provider", provider), ("from", from), ("to", to)];
    let link = |format: &'static str, label: &'static str| {
        view! {
            <a class="button quiet" href=routes::export("matches", format, &pairs) download="">{label}</a>
        }
    };
    view! {
        <div class="exports" role="group" aria-label="Export every row with its match">
            <span>"Export matches"</span>
            {link("csv", "CSV")}
            {link("xlsx", "XLSX")}
        </div>
    }
    .into_any()
}

fn filter(page: &FilesPage) -> AnyView {
    let f = &page.filter;
    let providers: Vec<Choice> = page
        .providers
        .iter()
        .map(|p| Choice::new(p.name.clone(), p.name.clone()))
        .collect();
    let states: Vec<Choice> = FileState::ALL
        .iter()
        .map(|s| Choice::new(s.code(), words::file_state(*s)))
        .collect();
    view! {
        <form class="filter" method="get" action=pattern::FILES role="search" aria-label="Filter files">
            {form::chip_select("provider", "Account", &providers, &f.provider)}
            {form::chip_select("state", "State", &states, &f.state)}
            <button class="quiet" type="submit">"Filter"</button>
            {(!f.provider.is_empty() || !f.state.is_empty())
                .then(|| view! { <a class="clear" href=pattern::FILES>"Clear"</a> })}
        </form>
    }
    .into_any()
}

fn rows(shell: &Shell, page: &FilesPage) -> AnyView {
    if page.rows.is_empty() {
        return list::empty(
            "No files",
            if page.filter.provider.is_empty() && page.filter.state.is_empty() {
                "Upload the first one above, or import it with `tieout import settlement`."
            } else {
                "No file fits this filter."
            },
            None,
        );
    }
    let body = page.rows.iter().map(|r| row(shell, r)).collect_view();
    let f = &page.filter;
    let next = page.next.as_ref().map(|after| {
        routes::query(
            pattern::FILES,
            &[
                ("provider", &f.provider),
                ("state", &f.state),
                ("after", after),
            ],
        )
    });
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Files">
            <table class="sheet files cards">
                <caption class="sr">"Settlement files, newest first"</caption>
                <thead>
                    <tr>
                        <th scope="col">"File"</th>
                        <th scope="col">"Account"</th>
                        <th scope="col">"Days"</th>
                        <th scope="col">"State"</th>
                        <th scope="col" class="num">"Rows"</th>
                        <th scope="col" class="num">"Rejected"</th>
                        <th scope="col" class="num">"Open cases"</th>
                        <th scope="col">"Received (UTC)"</th>
                    </tr>
                </thead>
                <tbody>{body}</tbody>
                <tfoot>
                    <tr>
                        <th scope="row" colspan="8">{words::counted(page.total, "file", "files")}</th>
                    </tr>
                </tfoot>
            </table>
        </div>
        {list::pager(next, page.rows.len(), page.total)}
    }
    .into_any()
}

fn row(_shell: &Shell, r: &FileRow) -> AnyView {
    let number = |n: u64, bad: bool| {
        let text = if n == 0 { "–".to_owned() } else { count(n) };
        if bad && n > 0 {
            view! { <td class="num"><em class="late">{text}</em></td> }.into_any()
        } else {
            view! { <td class="num">{text}</td> }.into_any()
        }
    };
    view! {
        <tr data-file=r.id.clone()>
            <th scope="row" class="break">
                <a href=routes::file(&r.id)>{r.name.clone()}</a>
                <small>{words::size(r.bytes)} {profile(r)}</small>
            </th>
            <td class="nowrap" data-label="Account">{r.account.clone()}</td>
            <td class="nowrap" data-label="Days">{days(r)}</td>
            <td class="wide" data-label="State">{state(r)}</td>
            {list::named("Rows", number(r.rows.total, false))}
            {list::named("Rejected", number(r.rows.rejected, true))}
            <td class="num" data-label="Open cases">{open_cases(r)}</td>
            <td class="nowrap" data-label="Received (UTC)">
                {time::minute(r.received_at)}
                <small>{r.received_by.clone()}</small>
            </td>
        </tr>
    }
    .into_any()
}

/// The queue of one file's cases.
pub fn queue_of(file: &str) -> String {
    routes::review(&QueueFilter {
        file: file.to_owned(),
        ..QueueFilter::default()
    })
}

fn open_cases(r: &FileRow) -> AnyView {
    if r.open_cases == 0 {
        return view! { "–" }.into_any();
    }
    let label = format!(
        "{} of {}",
        words::counted(r.open_cases, "open case", "open cases"),
        r.name
    );
    view! { <a href=queue_of(&r.id) aria-label=label>{count(r.open_cases)}</a> }.into_any()
}

fn profile(r: &FileRow) -> String {
    if r.profile.is_empty() {
        String::new()
    } else {
        format!(" · {}", r.profile)
    }
}

/// The days that a file spans.
pub fn days(r: &FileRow) -> String {
    match (r.first_day, r.last_day) {
        (Some(a), Some(b)) if a == b => a.to_string(),
        (Some(a), Some(b)) => format!("{a} to {b}"),
        _ => "–".to_owned(),
    }
}

/// The state in words, with its reason or its progress.
pub fn state(r: &FileRow) -> AnyView {
    if !r.stopped.is_empty() {
        return view! {
            <span class="state bad" data-state="">"stopped"</span>
            <small>{r.stopped.clone()}</small>
        }
        .into_any();
    }
    let class = match r.state {
        FileState::Used => "state good",
        FileState::Held | FileState::Refused => "state bad",
        _ => "state loading",
    };
    let because = r
        .held_because
        .first()
        .map(|b| view! { <small>{b.clone()}</small> });
    view! {
        <span class=class data-state="">{words::file_state(r.state)}</span>
        {because}
        {r.waits.then(|| view! { <small>{WAITS}</small> })}
        {r.state.is_loading().then(|| progress(r))}
    }
    .into_any()
}

/// Rows done of rows in all; where it is not known how many are looked at, it says only that work goes on.
pub fn progress(r: &FileRow) -> AnyView {
    let known = r.rows.total > 0 && r.state.looks_at_every_row();
    let label = format!("Progress of {}", r.name);
    let text = if known {
        format!(
            "{} of {}",
            count(r.rows_done),
            words::counted(r.rows.total, "row", "rows")
        )
    } else {
        String::new()
    };
    view! {
        <progress
            aria-label=label
            max=known.then(|| r.rows.total.to_string())
            value=known.then(|| r.rows_done.to_string())
        ></progress>
        <small data-rows="">{text}</small>
    }
    .into_any()
}
