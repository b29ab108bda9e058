//! The rows of a file by what became of them: they add up, and the page shows that they do.

use domain::view::{amount::count, files::RowCounts};
use leptos::prelude::*;

/// A row of the sum: words, number, class of its bar.
fn parts(rows: &RowCounts) -> [(&'static str, u64, &'static str); 9] {
    [
        ("used", rows.used, "p-used"),
        ("accounted for", rows.accounted, "p-accounted"),
        ("unrecognised", rows.unrecognised, "p-unrecognised"),
        ("rejected", rows.rejected, "p-rejected"),
        ("held", rows.held, "p-held"),
        ("put away", rows.withdrawn, "p-superseded"),
        ("repeated", rows.repeated, "p-repeated"),
        ("superseded", rows.superseded, "p-superseded"),
        ("blank or trailer", rows.blank, "p-blank"),
    ]
}

/// Bar and sum.
pub fn rows_by_state(rows: &RowCounts) -> AnyView {
    let parts = parts(rows);
    let sum: u64 = parts.iter().map(|(_, n, _)| n).sum();
    let mut x = 0;
    let bars = parts
        .iter()
        .filter(|(_, n, _)| *n > 0)
        .map(|(_, n, class)| {
            // At least a hair, so that one bad row in a million is seen.
            let width = (n.saturating_mul(1000) / sum.max(1)).max(4);
            let at = x;
            x += width;
            view! {
                <rect class=*class x=at.to_string() y="0" width=width.to_string() height="8"/>
            }
        })
        .collect_view();
    let list = parts
        .iter()
        .filter(|(_, n, _)| *n > 0)
        .map(|(word, n, class)| {
            view! {
                <div>
                    <dt>
                        <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden="true">
                            <rect class=*class width="8" height="8"/>
                        </svg>
                        {*word}
                    </dt>
                    <dd class="num">{count(*n)}</dd>
                </div>
            }
        })
        .collect_view();
    view! {
        <svg
            class="row-bar"
            viewBox=format!("0 0 {} 8", x.max(1000))
            preserveAspectRatio="none"
            height="8"
            aria-hidden="true"
        >
            {bars}
        </svg>
        <dl class="row-sum">
            {list}
            <div class="total">
                <dt>"rows in the file"</dt>
                <dd class="num">{count(rows.total)}</dd>
            </div>
        </dl>
        {(sum != rows.total).then(|| view! {
            <p class="differs">
                {format!("These add up to {}, not to {}: tell whoever runs this server.", count(sum), count(rows.total))}
            </p>
        })}
    }
    .into_any()
}
