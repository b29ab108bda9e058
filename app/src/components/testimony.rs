//! Evidence in the order in which it happened, by its source's time and by ours.

use super::{time, words};
use domain::view::case::Testimony;
use leptos::prelude::*;

/// The timeline.
pub fn timeline(items: &[Testimony]) -> AnyView {
    if items.is_empty() {
        return view! {
            <p class="quiet-text">"No line, report or file is about this yet; the figures above are all there is."</p>
        }
        .into_any();
    }
    let rows = items
        .iter()
        .map(|t| {
            let received = t.received_at.map(|at| {
                view! { <small>"received " {time::moment(at)}</small> }
            });
            let when = t.occurred_at.or(t.received_at).map(time::moment);
            let hash = (!t.hash.is_empty()).then(|| {
                view! { <small class="mono" title=t.hash.clone()>{words::short_hash(&t.hash)}</small> }
            });
            let link = t
                .link
                .as_ref()
                .map(|l| view! { <a href=l.href.clone()>{l.label.clone()}</a> });
            view! {
                <li>
                    <span class="when">{when}</span>
                    <span class="source">{t.source.clone()}</span>
                    <span class="says">{t.text.clone()} {received}</span>
                    <span class="to">{link} {hash}</span>
                </li>
            }
        })
        .collect_view();
    view! { <ol class="timeline">{rows}</ol> }.into_any()
}
