//! Match rate by day, as a small drawing with its figures beside it as a table.

use super::words;
use domain::view::{amount::count, overview::MatchDay};
use leptos::prelude::*;
use std::fmt::Write as _;

/// The drawing's own units.
const WIDTH: u64 = 480;
const HEIGHT: u64 = 150;
/// Where the plot begins, right of the percentages.
const LEFT: u64 = 52;
const TOP: u64 = 8;
/// Where the line's area ends and the volumes begin.
const FLOOR: u64 = 108;
const VOLUME_TOP: u64 = 118;

/// Tenths of a percent of lines that are matched, to the nearest; all and none only where it is all or
/// none.
fn rate(day: &MatchDay) -> Option<u64> {
    tenths(day.automatic.saturating_add(day.by_person), day.lines)
}

fn tenths(part: u64, whole: u64) -> Option<u64> {
    let nearest = part
        .saturating_mul(1000)
        .saturating_add(whole / 2)
        .checked_div(whole)?;
    Some(match part {
        0 => 0,
        _ if part >= whole => 1000,
        _ => nearest.clamp(1, 999),
    })
}

/// `98.6 %`.
fn percent(tenths: u64) -> String {
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// The line of matched shares over faint bars of volume.
///
/// The line's scale starts at the last multiple of five percent below the worst day, and says so.
pub fn match_chart(days: &[MatchDay]) -> AnyView {
    let lines: u64 = days.iter().map(|d| d.lines).sum();
    if lines == 0 {
        return view! { <p class="quiet-text">"No settlement lines in these days."</p> }.into_any();
    }
    let automatic: u64 = days.iter().map(|d| d.automatic).sum();
    let by_person: u64 = days.iter().map(|d| d.by_person).sum();
    let worst = days.iter().filter_map(rate).min().unwrap_or(0);
    let least = (worst / 50 * 50).min(900);
    let most = days.iter().map(|d| d.lines).max().unwrap_or(1).max(1);
    let step = (WIDTH - LEFT) / (days.len() as u64).max(1);
    let x = |index: usize| LEFT + index as u64 * step + step / 2;
    let y = |rate: u64| {
        let above = rate.saturating_sub(least);
        FLOOR - above.saturating_mul(FLOOR - TOP) / (1000 - least)
    };
    let mut path = String::new();
    for (index, day) in days.iter().enumerate() {
        if let Some(rate) = rate(day) {
            let pen = if path.is_empty() { 'M' } else { 'L' };
            // Writing to a String cannot fail.
            let _ = write!(path, "{pen}{} {}", x(index), y(rate));
        }
    }
    let marks = days
        .iter()
        .enumerate()
        .map(|(index, day)| {
            let share = rate(day);
            let title = format!(
                "{}: {}, {}",
                day.day,
                share.map_or_else(|| "no lines".to_owned(), percent),
                words::counted(day.lines, "line", "lines")
            );
            let height = day.lines.saturating_mul(HEIGHT - VOLUME_TOP) / most;
            view! {
                <g>
                    <title>{title}</title>
                    <rect
                        class="volume"
                        x=(x(index) - step / 2 + 1).to_string()
                        y=(HEIGHT - height).to_string()
                        width=step.saturating_sub(2).max(1).to_string()
                        height=height.to_string()
                    />
                    {share.map(|s| view! {
                        <circle class="dot" cx=x(index).to_string() cy=y(s).to_string() r="2.5"/>
                    })}
                </g>
            }
        })
        .collect_view();
    let scale = [1000, u64::midpoint(1000, least), least]
        .map(|rate| {
            let at = y(rate);
            view! {
                <path class="grid" d=format!("M{LEFT} {at}H{WIDTH}")/>
                <text x=(LEFT - 6).to_string() y=(at + 4).to_string()>{percent(rate)}</text>
            }
        })
        .collect_view();
    let matched = automatic.saturating_add(by_person);
    let summary = format!(
        "{} of {} matched, {} without a person, {} open",
        percent(tenths(matched, lines).unwrap_or(0)),
        words::counted(lines, "line", "lines"),
        percent(tenths(automatic, lines).unwrap_or(0)),
        count(lines.saturating_sub(matched)),
    );
    let (first, last) = (
        days.first().map(|d| d.day.to_string()),
        days.last().map(|d| d.day.to_string()),
    );
    view! {
        <figure class="chart">
            <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-label=summary.clone()>
                {scale} <path class="line" d=path/> {marks}
                <path class="base" d=format!("M{LEFT} {}H{WIDTH}", HEIGHT - 1)/>
            </svg>
            <div class="axis"><span>{first}</span><span>{last}</span></div>
            <figcaption>{summary}</figcaption>
        </figure>
        <details class="figures">
            <summary>"Figures by day"</summary>
            {table(days)}
        </details>
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

#[cfg(test)]
mod tests {
    use super::tenths;

    // 14 of 23 is 60.87, 12 of 19 is 63.16, 16 of 23 is 69.57; one of a thousand thousand is not none,
    // and all but one of them not all.
    #[test]
    fn a_rate_is_the_nearest_and_all_or_none_only_where_it_is() {
        for (part, whole, rate) in [
            (14, 23, Some(609)),
            (12, 19, Some(632)),
            (16, 23, Some(696)),
            (1, 1_000_000, Some(1)),
            (999_999, 1_000_000, Some(999)),
            (0, 7, Some(0)),
            (7, 7, Some(1000)),
            (0, 0, None),
        ] {
            assert_eq!(tenths(part, whole), rate, "{part} of {whole}");
        }
    }
}
