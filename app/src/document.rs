//! The HTML around a page: head, navigation, what just happened, the ledger's head at the foot.

use crate::{
    components::{icon, time, words},
    islands::Desk,
};
use domain::{
    actor::Permission,
    view::{
        Link,
        amount::count,
        routes::pattern,
        shell::{Shell, Tone},
    },
};
use leptos::prelude::*;

/// How a page uses the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A sheet in the middle.
    Sheet,
    /// Panes that scroll on their own, from edge to edge.
    Panes,
    /// A small form in the middle, without navigation.
    Door,
}

/// A whole document. `assets` is where the bundle lies, such as `/assets/0123456789abcdef`.
///
/// Pages without islands load no script at all.
pub fn document(
    assets: &str,
    shell: &Shell,
    layout: Layout,
    title: &str,
    body: AnyView,
) -> AnyView {
    let class = match layout {
        Layout::Sheet => "sheet-page",
        Layout::Panes => "panes-page",
        Layout::Door => "door-page",
    };
    let signed_in = shell.person.is_some() && layout != Layout::Door;
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <meta name="color-scheme" content="light dark"/>
                <meta name="robots" content="noindex"/>
                <title>{format!("{title} · Tieout")}</title>
                <link rel="icon" type="image/svg+xml" href=format!("{assets}/favicon.svg")/>
                <link rel="stylesheet" href=format!("{assets}/app.css")/>
                {signed_in.then(|| scripts(assets))}
            </head>
            <body class=class>
                <a class="skip" href="#main">"Skip to content"</a>
                {(layout != Layout::Door).then(|| bar(shell))}
                {print_head(shell, title)}
                <main id="main" tabindex="-1">
                    {flash(shell)}
                    {body}
                </main>
                {signed_in.then(|| foot(shell))}
                {signed_in.then(dialogs)}
            </body>
        </html>
    }
    .into_any()
}

/// `boot.js` wakes the islands; only where there are any it fetches the module.
fn scripts(assets: &str) -> AnyView {
    view! {
        <link rel="modulepreload" href=format!("{assets}/app.js")/>
        <script type="module" src=format!("{assets}/boot.js")></script>
    }
    .into_any()
}

/// One word of the navigation.
struct Place {
    href: &'static str,
    label: &'static str,
    /// The letter after `g`.
    go: &'static str,
    count: u64,
    counts: &'static str,
    may: bool,
}

fn places(shell: &Shell) -> Vec<Place> {
    let read = shell.may(Permission::Read);
    let place = |href, label, go, may| Place {
        href,
        label,
        go,
        count: 0,
        counts: "",
        may,
    };
    vec![
        place(pattern::OVERVIEW, "Overview", "o", read),
        Place {
            count: shell.counts.open_cases,
            counts: "open",
            ..place(pattern::REVIEW, "Review", "r", read)
        },
        Place {
            count: shell.counts.to_approve,
            counts: "to approve",
            ..place(TO_APPROVE, "To approve", "", shell.counts.to_approve > 0)
        },
        Place {
            count: shell.counts.held_files,
            counts: "held",
            ..place(pattern::FILES, "Files", "f", read)
        },
        place(pattern::PAYMENTS, "Payments", "p", read),
        place(pattern::LEDGER, "Ledger", "l", read),
        place(pattern::AUDIT, "Audit", "a", shell.may(Permission::Audit)),
        place(
            pattern::SETTINGS,
            "Settings",
            "s",
            shell.may(Permission::Administer),
        ),
    ]
}

/// The queue of what waits for a second person.
const TO_APPROVE: &str = "/review?view=to_approve";

fn bar(shell: &Shell) -> AnyView {
    let here = shell.path_only();
    let approving = here == pattern::REVIEW && shell.path.contains("view=to_approve");
    let links = places(shell)
        .into_iter()
        .filter(|p| p.may)
        .map(|p| {
            let current = if p.href == "/" {
                here == "/"
            } else if p.href == TO_APPROVE {
                approving
            } else if p.href == pattern::REVIEW && approving && shell.counts.to_approve > 0 {
                false
            } else {
                here == p.href || here.starts_with(&format!("{}/", p.href))
            };
            view! {
                <a href=p.href data-go=(!p.go.is_empty()).then_some(p.go) aria-current=current.then_some("page")>
                    {p.label}
                    {(p.count > 0).then(|| view! {
                        <b>{count(p.count)} <span class="sr">" " {p.counts}</span></b>
                    })}
                </a>
            }
        })
        .collect_view();
    view! {
        <header class="bar">
            <a class="brand" href="/">{icon::mark()} "Tieout"</a>
            {shell.person.is_some().then(|| view! { <nav aria-label="Main">{links}</nav> })}
            {who(shell)}
        </header>
    }
    .into_any()
}

fn who(shell: &Shell) -> AnyView {
    let Some(person) = &shell.person else {
        return view! { <div class="tools"><a class="button quiet" href=pattern::SIGN_IN>"Sign in"</a></div> }
            .into_any();
    };
    let initials: String = person
        .email
        .chars()
        .take(2)
        .flat_map(char::to_uppercase)
        .collect();
    let roles = person
        .roles
        .iter()
        .map(|r| r.code())
        .collect::<Vec<_>>()
        .join(", ");
    view! {
        <div class="tools">
            <button class="quiet palette-opener" type="button" data-palette="" hidden>
                "Search or go to…" <kbd>"Ctrl K"</kbd>
            </button>
            <details class="who">
                <summary aria-label=format!("Signed in as {}", person.email)>{initials}</summary>
                <div class="who-card">
                    <p>
                        <strong>{person.email.clone()}</strong>
                        <small>{roles}</small>
                    </p>
                    <a class="button quiet" href=pattern::OWN_PASSWORD>"Change password"</a>
                    <button class="quiet" type="button" data-help="" hidden>
                        "Keyboard" <kbd>"?"</kbd>
                    </button>
                    <form method="post" action=pattern::SIGN_OUT>
                        <button class="quiet" type="submit">"Sign out"</button>
                    </form>
                </div>
            </details>
        </div>
    }
    .into_any()
}

fn flash(shell: &Shell) -> AnyView {
    let Some(flash) = &shell.flash else {
        return ().into_any();
    };
    let (class, role) = match flash.tone {
        Tone::Done => ("flash done", "status"),
        Tone::Note => ("flash note", "status"),
        Tone::Refused => ("flash refused", "alert"),
    };
    view! {
        <div class=class role=role data-flash="">
            <p>
                {flash.text.clone()}
                {flash.link.as_ref().map(|l| flash_link(l, &flash.key))}
            </p>
        </div>
    }
    .into_any()
}

/// Where to look at what was done, or to take it back.
fn flash_link(link: &Link, key: &str) -> AnyView {
    let key = (!key.is_empty()).then(|| key.to_owned());
    view! {
        " "
        <a href=link.href.clone() data-key=key.clone() data-label=key.as_ref().map(|_| link.label.clone())>
            {link.label.clone()}
        </a>
        {key.map(|key| view! { " " <kbd>{key}</kbd> })}
    }
    .into_any()
}

/// Only on paper: which page, under which filter, when, and the head it can be checked against.
fn print_head(shell: &Shell, title: &str) -> AnyView {
    let filter = shell
        .path
        .split_once('?')
        .map_or_else(|| "none".to_owned(), |(_, q)| q.replace('&', ", "));
    view! {
        <div class="print-head" aria-hidden="true">
            <p><strong>"Tieout · " {title.to_owned()}</strong></p>
            <p>
                "Filter: " {filter} " · printed " {time::moment(shell.now)} " UTC"
                {shell.person.as_ref().map(|p| format!(" by {}", p.email))}
            </p>
            <p>
                {shell.head.as_ref().map(|h| format!("Ledger head {} {}", h.block, h.hash))}
            </p>
        </div>
    }
    .into_any()
}

fn foot(shell: &Shell) -> AnyView {
    let head = match &shell.head {
        Some(head) => view! {
            <span>
                "Ledger head " {count(head.block.unsigned_abs())} " "
                <code title=head.hash.clone()>{words::short_hash(&head.hash)}</code>
                " sealed " {time::moment(head.sealed_at)} " UTC"
            </span>
        }
        .into_any(),
        None => view! { <span>"Nothing sealed yet"</span> }.into_any(),
    };
    view! { <footer class="foot">{head} <span>"Times in UTC unless named"</span></footer> }
        .into_any()
}

/// What scripts open: the palette and the list of keys. Closed and silent without them.
fn dialogs() -> AnyView {
    let key = |keys: &'static [&'static str], does: &'static str| {
        let keys = keys
            .iter()
            .map(|k| view! { <kbd>{*k}</kbd> " " })
            .collect_view();
        view! { <div><dt>{keys}</dt><dd>{does}</dd></div> }
    };
    view! {
        <p class="sr" role="status" data-announce=""></p>
        <dialog class="palette" aria-label="Search or go to">
            <input
                type="text"
                role="combobox"
                aria-label="Search or go to"
                aria-expanded="true"
                aria-controls="palette-list"
                aria-autocomplete="list"
                placeholder="A reference, a page, a decision"
                autocomplete="off"
                spellcheck="false"
            />
            <ul id="palette-list" role="listbox" aria-label="What can be done"></ul>
        </dialog>
        <dialog class="help" aria-labelledby="help-title">
            <form class="help-head" method="dialog">
                <h2 id="help-title">"Keyboard"</h2>
                <button class="quiet" type="submit">"Close"</button>
            </form>
            <dl class="keys">
                {key(&["j", "k"], "next, previous")}
                {key(&["Enter"], "open, then decide")}
                {key(&["c"], "confirm")}
                {key(&["x"], "choose a candidate, else tick the case")}
                {key(&["n"], "not executed")}
                {key(&["r"], "request a refund")}
                {key(&["w"], "write off")}
                {key(&["s"], "snooze")}
                {key(&["e"], "escalate")}
                {key(&["a"], "approve")}
                {key(&["u"], "undo")}
                {key(&["/"], "search")}
                {key(&["g", "o"], "overview")}
                {key(&["g", "r"], "review")}
                {key(&["g", "f"], "files")}
                {key(&["g", "p"], "payments")}
                {key(&["g", "l"], "ledger")}
                {key(&["g", "a"], "audit")}
                {key(&["Ctrl K"], "search or go to")}
                {key(&["?"], "this list")}
            </dl>
            <p class="hint">
                "A key opens a decision and shows what it does; Enter on its button decides."
            </p>
            <label class="option">
                <input type="checkbox" data-keys-switch="" checked/>
                <span>"Single keys work (Ctrl K always does)"</span>
            </label>
        </dialog>
        <Desk/>
    }
    .into_any()
}
