//! Uploading several files at once, around the form that works without scripts.

use domain::view::visible::visible;
use leptos::prelude::*;

/// One file on its way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parcel {
    /// From 0, in the order in which files were chosen.
    pub number: usize,
    /// Its name.
    pub name: StoredValue<String>,
    /// Its size, in words.
    pub size: StoredValue<String>,
    /// How far the step under way has come; below zero while nobody knows.
    pub percent: RwSignal<f64>,
    /// What happens to it, in words.
    pub says: RwSignal<String>,
    /// Whether it arrived and nothing more will come.
    pub done: RwSignal<bool>,
    /// Whether it was not taken.
    pub refused: RwSignal<bool>,
    /// Whether it arrived and nothing of it is used before somebody looked at it.
    pub held: RwSignal<bool>,
    /// Its page, once it has one.
    pub href: RwSignal<Option<String>>,
}

/// Takes files by drop or by the form's own field and sends each by itself, two at a time, with
/// its progress: sending, reading, matching.
#[island]
pub fn Upload(children: Children) -> impl IntoView {
    let parcels = RwSignal::new(Vec::<Parcel>::new());

    #[cfg(feature = "hydrate")]
    Effect::new(move |_| super::sending::wire(parcels));

    view! {
        <div class="uploader">
            <div data-uploader="">{children()}</div>
            <ol class="sending">
                <For each=move || parcels.get() key=|p| p.number children=row/>
            </ol>
        </div>
    }
}

fn row(parcel: Parcel) -> impl IntoView {
    let class = move || {
        if parcel.refused.get() {
            "refused"
        } else if parcel.held.get() {
            "held"
        } else if parcel.done.get() {
            "done"
        } else {
            ""
        }
    };
    let value = move || {
        Some(parcel.percent.get())
            .filter(|p| *p >= 0.0)
            .map(|p| p.to_string())
    };
    let name = visible(&parcel.name.get_value()).into_owned();
    view! {
        <li>
            <span class="name">{name.clone()}</span>
            <span class="num">{parcel.size.get_value()}</span>
            <progress
                aria-label=format!("Progress of {name}")
                max="100"
                value=value
                hidden=move || parcel.done.get() || parcel.refused.get()
            ></progress>
            <span class=class>
                {move || parcel.says.get()} " "
                {move || parcel.href.get().map(|href| view! { <a href=href>"Open"</a> })}
            </span>
        </li>
    }
}
