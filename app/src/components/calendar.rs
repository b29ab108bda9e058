//! Coverage: one strip of days per provider account, each day by shape, word and colour.

use super::words;
use chrono::Datelike as _;
use domain::view::{
    overview::{AccountCoverage, CoverageDay, CoverageState},
    routes,
};
use leptos::prelude::*;

/// The strips of all accounts.
pub fn calendar(accounts: &[AccountCoverage]) -> AnyView {
    let rows = accounts.iter().map(strip).collect_view();
    let legend = [
        CoverageState::Complete,
        CoverageState::Loading,
        CoverageState::Held,
        CoverageState::Late,
        CoverageState::Missing,
        CoverageState::None,
    ]
    .map(|state| {
        view! { <li>{glyph(state)} " " {words::coverage(state)}</li> }
    })
    .collect_view();
    view! {
        <div class="coverage scroll" tabindex="0" role="group" aria-label="Coverage by day">
            {rows}
        </div>
        <ul class="legend">{legend}</ul>
    }
    .into_any()
}

fn strip(account: &AccountCoverage) -> AnyView {
    let days = account.days.iter().map(day).collect_view();
    let zone = account.zone.to_string();
    // Too long for a narrow window, it breaks behind its area.
    let zone = match zone.split_once('/') {
        Some((area, place)) => view! { {area.to_owned()} "/" <wbr/> {place.to_owned()} }.into_any(),
        None => view! { {zone} }.into_any(),
    };
    view! {
        <div class="strip">
            <h3>{account.account.clone()} <small>{zone}</small></h3>
            <ol>{days}</ol>
        </div>
    }
    .into_any()
}

fn day(day: &CoverageDay) -> AnyView {
    let date = day.day.date();
    let spoken = format!("{} {}", day.day, words::coverage(day.state));
    let class = if date.weekday().number_from_monday() == 1 {
        "day week"
    } else {
        "day"
    };
    let mark = view! {
        {glyph(day.state)}
        <span class="sr">{spoken.clone()}</span>
    };
    let inner = if day.file.is_empty() {
        view! { <span class="cell" title=spoken>{mark}</span> }.into_any()
    } else {
        view! { <a class="cell" href=routes::file(&day.file) title=spoken>{mark}</a> }.into_any()
    };
    view! {
        <li class=class>
            {inner}
            <span class="dom" aria-hidden="true">{date.day().to_string()}</span>
        </li>
    }
    .into_any()
}

fn glyph(state: CoverageState) -> AnyView {
    let (class, path) = match state {
        CoverageState::Complete => ("c-complete", "M4 8.4l2.6 2.6L12 5.4"),
        CoverageState::Loading => ("c-loading", "M5 8h.01M8 8h.01M11 8h.01"),
        CoverageState::Held => ("c-held", "M6 5v6M10 5v6"),
        CoverageState::Late => ("c-late", "M8 4.5V8l2.5 1.5"),
        CoverageState::Missing => ("c-missing", "M5 5l6 6M11 5l-6 6"),
        CoverageState::None => ("c-none", "M6.5 8h3"),
    };
    view! {
        <svg class=class viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <rect x=".5" y=".5" width="15" height="15" rx="3"/>
            <path d=path/>
        </svg>
    }
    .into_any()
}
