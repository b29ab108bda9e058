//! Match rate by day, as a small drawing with its figures beside it as a table.

use domain::view::{amount::count, overview::MatchDay};
use leptos::prelude::*;

const WIDTH: u64 = 720;
const HEIGHT: u64 = 120;

/// Tenths of a percent of lines that are matched.
fn rate(day: &MatchDay) -> Option<u64> {
    tenths(day.automatic.saturating_add(day.by_person), day.lines)
}

fn tenths(part: u64, whole: u64) -> Option<u64> {
    part.saturating_mul(1000).checked_div(whole)
}

/// `98.6 %`.
fn percent(tenths: u64) -> String {
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// Bars from the bottom: matched without a person, by a person, and what is open, on each day.
pub fn match_chart(days: &[MatchDay]) -> AnyView {
    let lines: u64 = days.iter().map(|d| d.lines).sum();
    if lines == 0 {
        return view! { <p class="quiet-text">"No settlement lines in these days."</p> }.into_any();
    }
    let step = WIDTH / (days.len() as u64).max(1);
    let bars = days
        .iter()
        .enumerate()
        .map(|(index, day)| bar(day, index as u64 * step, step))
        .collect_view();
    let automatic: u64 = days.iter().map(|d| d.automatic).sum();
    let by_person: u64 = days.iter().map(|d| d.by_person).sum();
    let summary = format!(
        "{} of {} lines matched, {} without a person",
        percent(tenths(automatic.saturating_add(by_person), lines).unwrap_or(0)),
        count(lines),
        percent(tenths(automatic, lines).unwrap_or(0)),
    );
    let (first, last) = (
        days.first().map(|d| d.day.to_string()),
        days.last().map(|d| d.day.to_string()),
    );
    view! {
        <figure class="chart">
            <svg
                viewBox=format!("0 0 {WIDTH} {HEIGHT}")
                role="img"
                aria-label=summary.clone()
                preserveAspectRatio="none"
            >
                <path class="grid" d=format!("M0 .5H{WIDTH}M0 {}H{WIDTH}", HEIGHT / 2)/>
                {bars}
                <path class="base" d=format!("M0 {}.5H{WIDTH}", HEIGHT - 1)/>
            </svg>
            <div class="axis" aria-hidden="true"><span>{first}</span><span>{last}</span></div>
            <figcaption>
                <span>{summary}</span>
                <span class="legend">
                    <span class="l-auto">"automatic"</span>
                    <span class="l-person">"by a person"</span>
                    <span class="l-open">"open"</span>
                </span>
            </figcaption>
        </figure>
        <details class="figures">
            <summary>"Figures by day"</summary>
            {table(days)}
        </details>
    }
    .into_any()
}

fn bar(day: &MatchDay, x: u64, step: u64) -> AnyView {
    let height = |n: u64| n.saturating_mul(HEIGHT) / day.lines.max(1);
    let (auto, person) = (height(day.automatic), height(day.by_person));
    let open = if day.lines == 0 {
        0
    } else {
        HEIGHT.saturating_sub(auto + person)
    };
    let width = step.saturating_sub(4).max(2);
    let title = format!(
        "{}: {}, {} lines",
        day.day,
        rate(day).map_or_else(|| "no lines".to_owned(), percent),
        count(day.lines)
    );
    let rect = |class: &'static str, y: u64, h: u64| {
        (h > 0).then(|| {
            view! {
                <rect class=class x=x.to_string() y=y.to_string() width=width.to_string() height=h.to_string()/>
            }
        })
    };
    view! {
        <g>
            <title>{title}</title>
            {rect("b-open", 0, open)}
            {rect("b-person", open, person)}
            {rect("b-auto", open + person, auto)}
        </g>
    }
    .into_any()
}

fn table(days: &[MatchDay]) -> AnyView {
    let rows = days
        .iter()
        .rev()
        .map(|d| {
            let open = d.lines.saturating_sub(d.automatic + d.by_person);
            view! {
                <tr>
                    <th scope="row">{d.day.to_string()}</th>
                    <td class="num">{count(d.lines)}</td>
                    <td class="num">{count(d.automatic)}</td>
                    <td class="num">{count(d.by_person)}</td>
                    <td class="num">{count(open)}</td>
                    <td class="num">{rate(d).map_or_else(|| "–".to_owned(), percent)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <table class="sheet">
            <caption class="sr">"Match rate by day"</caption>
            <thead>
                <tr>
                    <th scope="col">"Day"</th>
                    <th scope="col" class="num">"Lines"</th>
                    <th scope="col" class="num">"Automatic"</th>
                    <th scope="col" class="num">"By a person"</th>
                    <th scope="col" class="num">"Open"</th>
                    <th scope="col" class="num">"Rate"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}
