//! Users with their roles.

use super::{boxes, typed};
use crate::components::{
    form::{self, Field},
    lines::or_dash,
    list, time, words,
};
use domain::{
    actor::Role,
    view::{
        routes::{self, field, pattern},
        settings::{SettingsPage, UserRow},
    },
};
use leptos::prelude::*;

pub(super) fn users(page: &SettingsPage, administers: bool) -> AnyView {
    view! {
        <section aria-label="Users">
            {page.users.iter().map(|u| user(u, administers)).collect_view()}
        </section>
        {administers.then(|| new_user(page))}
    }
    .into_any()
}

fn new_user(page: &SettingsPage) -> AnyView {
    let hint = format!("At least {} characters.", page.password_min);
    view! {
        <section>
            <h2>"Add a user"</h2>
            <form method="post" action=pattern::USERS data-once="">
                <div class="pair">
                    {form::field(
                        &Field {
                            id: "user-email",
                            name: field::EMAIL,
                            label: "Email address",
                            kind: "email",
                            value: typed(page, field::EMAIL),
                            required: true,
                            problems: &page.problems,
                            ..Field::default()
                        },
                    )}
                    {form::field(
                        &Field {
                            id: "user-password",
                            name: field::PASSWORD,
                            label: "First password",
                            kind: "password",
                            hint: &hint,
                            autocomplete: "new-password",
                            required: true,
                            min_length: page.password_min,
                            problems: &page.problems,
                            ..Field::default()
                        },
                    )}
                </div>
                {roles("new", &|_| false)}
                <p class="go"><button class="primary" type="submit">"Add user"</button></p>
            </form>
        </section>
    }
    .into_any()
}

fn roles(prefix: &str, has: &dyn Fn(Role) -> bool) -> AnyView {
    let all = Role::ALL
        .iter()
        .map(|r| (r.code(), words::role_may(*r), has(*r)));
    boxes(prefix, field::ROLE, "Roles", all)
}

fn user(u: &UserRow, administers: bool) -> AnyView {
    let held: Vec<&str> = u.roles.iter().map(|r| r.code()).collect();
    let state = u.disabled.then_some("shut out");
    view! {
        <details class="fold">
            <summary>
                <h2>{u.email.clone()}</h2>
                <span>{or_dash(&held.join(", "))}</span>
                {state.map(|s| view! { <span class="tag">{s}</span> })}
                {u.me.then(|| view! { <span class="tag">"you"</span> })}
                <span class="quiet-text">
                    "added by " {u.created_by.clone()} ", " {time::minute(u.created_at)}
                    " UTC; last changed by " {u.changed_by.clone()}
                </span>
            </summary>
            {if administers { user_forms(u) } else { duties(u) }}
        </details>
    }
    .into_any()
}

/// What somebody may do, for those who may not change it.
fn duties(u: &UserRow) -> AnyView {
    let held = u
        .roles
        .iter()
        .map(|r| list::fact(r.code(), view! { {words::role_may(*r)} }.into_any()))
        .collect_view();
    view! { <dl class="facts">{held}</dl> }.into_any()
}

fn user_forms(u: &UserRow) -> AnyView {
    let (flip, word) = if u.disabled {
        ("0", "Let in again")
    } else {
        ("1", "Shut out")
    };
    view! {
            <form method="post" action=routes::user(u.user_id) data-once="">
                {roles(&format!("user-{}", u.user_id), &|r| u.roles.contains(&r))}
                <p class="hint">
                    "Whoever changes an account cannot be approved by it afterwards."
                </p>
                <p class="go"><button class="primary" type="submit">"Save roles"</button></p>
            </form>
            {(!u.me).then(|| view! {
                <form method="post" action=routes::user(u.user_id) data-once="">
                    {form::hidden(field::DISABLED, flip)}
                    <p class="go"><button class="quiet" type="submit">{word}</button></p>
                </form>
            })}
    }
    .into_any()
}
