//! Evidence in the order in which it happened, by its source's time and by ours.

use super::{time, words};
use domain::view::case::Testimony;
use leptos::prelude::*;

/// The timeline.
pub fn timeline(items: &[Testimony]) -> AnyView {
    if items.is_empty() {
        return view! { <p class="quiet-text">"Nothing testifies yet."</p> }.into_any();
    }
    let rows = items
        .iter()
        .map(|t| {
            let received = view! {
                <small>"received " {time::moment(t.received_at)}</small>
            };
            let hash = (!t.hash.is_empty()).then(|| {
                view! { <small class="mono" title=t.hash.clone()>{words::short_hash(&t.hash)}</small> }
            });
            let link = t
                .link
                .as_ref()
                .map(|l| view! { <a href=l.href.clone()>{l.label.clone()}</a> });
            view! {
                <li>
                    <span class="when">{time::moment(t.occurred_at.unwrap_or(t.received_at))}</span>
                    <span class="source">{t.source.clone()}</span>
                    <span class="says">{t.text.clone()} {received}</span>
                    <span class="to">{link} {hash}</span>
                </li>
            }
        })
        .collect_view();
    view! { <ol class="timeline">{rows}</ol> }.into_any()
}
