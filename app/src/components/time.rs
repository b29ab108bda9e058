//! Instants, days, ages and due times. Tables show ISO dates in UTC; their head names the zone once.

use domain::time::Instant;
use leptos::prelude::*;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// `2026-11-28 14:02:11`, in UTC.
pub fn moment(at: Instant) -> AnyView {
    let text = at.to_utc().format("%Y-%m-%d %H:%M:%S").to_string();
    view! { <time datetime=at.to_string()>{text}</time> }.into_any()
}

/// `2026-11-28 14:02`, in UTC.
pub fn minute(at: Instant) -> AnyView {
    let text = at.to_utc().format("%Y-%m-%d %H:%M").to_string();
    view! { <time datetime=at.to_string()>{text}</time> }.into_any()
}

/// An instant, or a dash.
pub fn maybe_minute(at: Option<Instant>) -> AnyView {
    at.map_or_else(
        || view! { <span class="quiet-text">"–"</span> }.into_any(),
        minute,
    )
}

/// How long ago: `12 min`, `22 h`, `3 d`.
pub fn age(now: Instant, since: Instant) -> String {
    span(now.seconds_since(since).max(0))
}

/// How long ago, as a phrase: `3 d ago`, `just now`.
pub fn ago(now: Instant, since: Instant) -> String {
    if now.seconds_since(since) < MINUTE {
        "just now".to_owned()
    } else {
        format!("{} ago", age(now, since))
    }
}

/// How old something is, as a phrase: `3 d old`, `just now`.
pub fn old(now: Instant, since: Instant) -> String {
    if now.seconds_since(since) < MINUTE {
        "just now".to_owned()
    } else {
        format!("{} old", age(now, since))
    }
}

fn span(seconds: i64) -> String {
    match seconds {
        s if s < MINUTE => "now".to_owned(),
        s if s < HOUR => format!("{} min", s / MINUTE),
        s if s < 2 * DAY => format!("{} h", s / HOUR),
        s => format!("{} d", s / DAY),
    }
}

/// When something is due: `overdue 5 h`, `today 17:00`, `2026-12-02`. Times in UTC.
pub fn due(now: Instant, due_at: Instant) -> AnyView {
    let late = now.seconds_since(due_at);
    if late > 0 {
        let text = if late < MINUTE {
            "overdue".to_owned()
        } else {
            format!("overdue {}", span(late))
        };
        return view! { <em class="late">{text}</em> }.into_any();
    }
    let (today, day) = (now.to_utc().date_naive(), due_at.to_utc().date_naive());
    let text = match day.signed_duration_since(today).num_days() {
        0 => format!("today {}", due_at.to_utc().format("%H:%M")),
        1 => format!("tomorrow {}", due_at.to_utc().format("%H:%M")),
        _ => day.format("%Y-%m-%d").to_string(),
    };
    view! { <time datetime=due_at.to_string()>{text}</time> }.into_any()
}

/// `14:02 UTC`, or with its date where that is another day.
pub fn until(now: Instant, at: Instant) -> String {
    let (now, at) = (now.to_utc(), at.to_utc());
    if now.date_naive() == at.date_naive() {
        at.format("%H:%M UTC").to_string()
    } else {
        at.format("%Y-%m-%d %H:%M UTC").to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_has_one_unit() {
        let now = Instant::parse_rfc3339("2026-11-29T14:00:00Z").unwrap();
        for (since, text) in [
            ("2026-11-29T13:59:30Z", "now"),
            ("2026-11-29T13:48:00Z", "12 min"),
            ("2026-11-28T16:00:00Z", "22 h"),
            ("2026-11-27T15:00:00Z", "47 h"),
            ("2026-11-26T13:00:00Z", "3 d"),
            ("2026-11-30T13:00:00Z", "now"),
        ] {
            assert_eq!(age(now, Instant::parse_rfc3339(since).unwrap()), text);
        }
        assert_eq!(ago(now, now), "just now");
        assert_eq!(ago(now, now.plus_seconds(-7_200)), "2 h ago");
    }
}
