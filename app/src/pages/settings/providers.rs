//! Provider accounts with their policy.

use super::typed;
use crate::components::{
    form::{self, Field},
    lines::or_dash,
    list, time, words,
};
use domain::{
    account::ProviderKind,
    view::{
        FieldProblem,
        form::Choice,
        routes::{self, field, pattern},
        settings::{ProviderSettings, SettingsPage},
    },
};
use leptos::prelude::*;

pub(super) fn providers(page: &SettingsPage, administers: bool) -> AnyView {
    let list = if page.providers.is_empty() {
        list::empty(
            "No provider account yet",
            if administers {
                "Add the first one below: every file and attempt belongs to one."
            } else {
                "Every file and attempt belongs to one. An administrator adds it."
            },
            None,
        )
    } else {
        page.providers
            .iter()
            .map(|p| provider(page, p, administers))
            .collect_view()
            .into_any()
    };
    view! {
        <section aria-label="Provider accounts">{list}</section>
        {administers.then(|| new_provider(page))}
    }
    .into_any()
}

fn new_provider(page: &SettingsPage) -> AnyView {
    let kinds: Vec<Choice> = ProviderKind::ALL
        .iter()
        .map(|k| Choice::new(k.code(), words::provider_kind(*k)))
        .collect();
    let zone = match typed(page, field::ZONE) {
        "" => "UTC",
        zone => zone,
    };
    view! {
        <section>
            <h2>"Add a provider account"</h2>
            <form method="post" action=pattern::PROVIDERS data-once="">
                <div class="pair">
                    {form::field(
                        &Field {
                            id: "provider-name",
                            name: field::NAME,
                            label: "Name",
                            value: typed(page, field::NAME),
                            hint: "Such as stripe-eu. It appears in lists and exports.",
                            required: true,
                            problems: &page.problems,
                            ..Field::default()
                        },
                    )}
                    {form::select(
                        "provider-kind",
                        field::KIND,
                        "Kind",
                        &kinds,
                        typed(page, field::KIND),
                        true,
                        &page.problems,
                    )}
                    {form::field(
                        &Field {
                            id: "provider-zone",
                            name: field::ZONE,
                            label: "Time zone",
                            value: zone,
                            hint: "In which its days are cut, such as Europe/Berlin.",
                            required: true,
                            problems: &page.problems,
                            ..Field::default()
                        },
                    )}
                </div>
                <p class="go"><button class="primary" type="submit">"Add account"</button></p>
            </form>
        </section>
    }
    .into_any()
}

fn provider(page: &SettingsPage, p: &ProviderSettings, administers: bool) -> AnyView {
    let policy = if administers {
        policy_form(page, p)
    } else {
        policy_values(p)
    };
    view! {
        <details class="fold" open=page.typed_for == p.name>
            <summary>
                <h2>{p.name.clone()}</h2>
                <span>{words::provider_kind(p.kind)}</span>
                <span>{p.zone.to_string()}</span>
                <span class="quiet-text">
                    "policy " {p.policy_version.to_string()} " by " {p.changed_by.clone()} ", "
                    {time::minute(p.changed_at)} " UTC"
                </span>
            </summary>
            {policy}
        </details>
    }
    .into_any()
}

fn policy_label(field: &str) -> String {
    match words::policy_field(field) {
        "" => words::plain(field),
        known => known.to_owned(),
    }
}

fn policy_values(p: &ProviderSettings) -> AnyView {
    let values = p
        .policy
        .iter()
        .map(|f| {
            let chosen = f.choices.iter().find(|c| c.value == f.value);
            let value = chosen.map_or(&f.value, |c| &c.label);
            let value = or_dash(value);
            list::fact(&policy_label(&f.field), view! { {value} }.into_any())
        })
        .collect_view();
    view! { <dl class="facts">{values}</dl> }.into_any()
}

fn policy_form(page: &SettingsPage, p: &ProviderSettings) -> AnyView {
    let fields = p
        .policy
        .iter()
        .map(|f| {
            let id = format!("{}-{}", p.name, f.field);
            let name = format!("{}{}", field::POLICY_PREFIX, f.field);
            let label = policy_label(&f.field);
            let mine = page.typed_for == p.name;
            let kept = page.typed.iter().find(|(n, _)| mine && *n == name);
            let value = kept.map_or(&f.value, |(_, typed)| typed);
            let problems: &[FieldProblem] = if mine { &page.problems } else { &[] };
            if f.choices.is_empty() {
                form::field(&Field {
                    id: &id,
                    name: &name,
                    label: &label,
                    value,
                    problems,
                    ..Field::default()
                })
            } else {
                form::select(&id, &name, &label, &f.choices, value, true, problems)
            }
        })
        .collect_view();
    view! {
            <form method="post" action=routes::policy(&p.name) data-once="">
                {form::hidden(field::POLICY_VERSION, &p.policy_version.to_string())}
                <div class="grid">{fields}</div>
                <p class="hint">
                    "A change takes effect for what is judged from now on, and is kept as a new version."
                </p>
                <p class="go"><button class="primary" type="submit">"Save policy"</button></p>
            </form>
    }
    .into_any()
}
