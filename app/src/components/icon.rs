//! Kinds of case by icon and word: colour only adds to them.

use super::words;
use domain::cases::{CaseKind, Severity};
use leptos::prelude::*;

/// Class and drawing of an icon, on a 20 by 20 grid.
struct Drawing {
    class: &'static str,
    path: &'static str,
}

fn drawing(kind: &str) -> Drawing {
    let parsed = kind.parse::<CaseKind>();
    match parsed.map_or("", CaseKind::icon_word) {
        "unknown" => Drawing {
            class: "icon unknown",
            path: "M7.4 7.6a2.6 2.6 0 1 1 3.9 2.3c-.9.5-1.3 1-1.3 1.9M10 14.4h.01",
        },
        "conflict" => Drawing {
            class: "icon conflict",
            path: "M6 8.2h8M6 11.8h8M12.2 5.4l-4.4 9.2",
        },
        "missing" => Drawing {
            class: "icon missing",
            path: "M5.6 10h1.8M9.1 10h1.8M12.6 10h1.8",
        },
        "mismatch" => Drawing {
            class: "icon mismatch",
            path: "M10 5v6.4M6.8 8.2h6.4M6.8 14.4h6.4",
        },
        "unexpected" => Drawing {
            class: "icon unexpected",
            path: "M10 5.8v8.4M5.8 10h8.4",
        },
        "proposed" => Drawing {
            class: "icon proposed",
            path: "M5.8 8.6c1.4-1.6 2.8-1.6 4.2 0s2.8 1.6 4.2 0M5.8 12.4c1.4-1.6 2.8-1.6 4.2 0s2.8 1.6 4.2 0",
        },
        "duplicate" => Drawing {
            class: "icon duplicate",
            path: "M5.6 5.6h6v6h-6zM14.4 8.4v6h-6",
        },
        "taken back" => Drawing {
            class: "icon back",
            path: "M8.2 5.8 5.4 8.6l2.8 2.8M5.4 8.6h6.2a2.9 2.9 0 0 1 0 5.8H8.8",
        },
        _ => Drawing {
            class: "icon unread",
            path: "M5.8 7h8.4M5.8 10h5M5.8 13h3M13 11.6l3 3M16 11.6l-3 3",
        },
    }
}

/// The icon of a kind of case. Decorative: its word stands beside it.
pub fn case_icon(kind: &str) -> AnyView {
    let Drawing { class, path } = drawing(kind);
    view! {
        <svg class=class viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
            <rect x="1" y="1" width="18" height="18" rx="4"/>
            <path d=path/>
        </svg>
    }
    .into_any()
}

/// Severity as word and four steps.
pub fn severity(level: u8) -> AnyView {
    view! { <span class=format!("severity s{level}")>{steps(level)} {severity_word(level)}</span> }
        .into_any()
}

/// Severity as four steps, its word for those who do not see them.
pub fn severity_mark(level: u8) -> AnyView {
    let word = severity_word(level);
    view! {
        <span class=format!("severity s{level}") title=format!("severity {word}")>
            {steps(level)} <span class="sr">"severity " {word}</span>
        </span>
    }
    .into_any()
}

fn steps(level: u8) -> AnyView {
    let step = |n: u8| {
        let class = if n <= level { "on" } else { "off" };
        let (n, height) = (i32::from(n), 3 + 3 * i32::from(n));
        view! {
            <rect
                class=class
                x=(n * 5 - 5).to_string()
                y=(16 - height).to_string()
                width="3"
                height=height.to_string()
            />
        }
    };
    view! {
        <svg viewBox="0 0 18 16" width="14" height="12" aria-hidden="true">
            {[1, 2, 3, 4].map(step).collect_view()}
        </svg>
    }
    .into_any()
}

/// Severity as a word.
pub fn severity_word(level: u8) -> &'static str {
    Severity::from_number(i64::from(level)).map_or("not rated", Severity::title)
}

/// Icon and word of a kind, in one line.
pub fn case_kind(kind: &str) -> AnyView {
    view! { <span class="kind">{case_icon(kind)} <span>{words::case_kind(kind)}</span></span> }
        .into_any()
}

/// The mark of Tieout: two records that meet.
pub fn mark() -> AnyView {
    view! {
        <svg class="mark" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
            <path d="M2.5 5.5h6.5M2.5 14.5h6.5M11 5.5h6.5M11 14.5h6.5"/>
            <path class="tie" d="M6.8 10.2l2.3 2.3 4.4-5"/>
        </svg>
    }
    .into_any()
}

/// Good, bad or unsaid, as sign and word.
pub fn holds(ok: bool, yes: &'static str, no: &'static str) -> AnyView {
    if ok {
        view! { <span class="agrees">{yes}</span> }.into_any()
    } else {
        view! { <span class="differs">{no}</span> }.into_any()
    }
}
