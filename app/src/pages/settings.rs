//! Settings: provider accounts with their policy, users with their roles, API tokens.

use crate::{
    components::{
        form::{self, Field},
        lines::or_dash,
        list, time, words,
    },
    document::{Layout, document},
};
use domain::{
    account::ProviderKind,
    actor::{Permission, Role, Scope},
    view::{
        FieldProblem,
        form::Choice,
        routes::{self, field, pattern},
        settings::{NewToken, ProviderSettings, SettingsPage, SettingsTab, TokenRow, UserRow},
        shell::Shell,
    },
};
use leptos::prelude::*;

/// The settings page.
pub fn settings(assets: &str, shell: &Shell, page: &SettingsPage) -> AnyView {
    let tab = |tab: SettingsTab, href: &'static str, word: &'static str| {
        view! { <a href=href aria-current=(page.tab == tab).then_some("page")>{word}</a> }
    };
    // Everybody reads; forms are for those who may send them.
    let administers = shell.may(Permission::Administer);
    let content = match page.tab {
        SettingsTab::Providers => providers(page, administers),
        SettingsTab::Users => users(page, administers),
        SettingsTab::Tokens => tokens(page),
        SettingsTab::Password => password(shell, page),
    };
    let body = view! {
        {list::page_head("Settings", "Every change is recorded with who made it.", ().into_any())}
        <nav class="views" aria-label="Settings">
            {tab(SettingsTab::Providers, pattern::PROVIDERS, "Provider accounts")}
            {tab(SettingsTab::Users, pattern::USERS, "Users and roles")}
            {administers.then(|| tab(SettingsTab::Tokens, pattern::TOKENS, "API tokens"))}
            {tab(SettingsTab::Password, pattern::OWN_PASSWORD, "Your password")}
        </nav>
        {form::problems(&page.problems)}
        {content}
    };
    document(assets, shell, Layout::Sheet, "Settings", body.into_any())
}

fn typed<'a>(page: &'a SettingsPage, name: &str) -> &'a str {
    page.typed
        .iter()
        .find(|(n, _)| n == name)
        .map_or("", |(_, v)| v.as_str())
}

fn providers(page: &SettingsPage, administers: bool) -> AnyView {
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

fn users(page: &SettingsPage, administers: bool) -> AnyView {
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
    let boxes = Role::ALL
        .iter()
        .map(|r| {
            let id = format!("{prefix}-{}", r.code());
            view! {
                <label class="option" for=id.clone()>
                    <input id=id.clone() type="checkbox" name=field::ROLE value=r.code() checked=has(*r)/>
                    <span>{r.code()} <small>{words::role_may(*r)}</small></span>
                </label>
            }
        })
        .collect_view();
    view! { <fieldset class="options"><legend>"Roles"</legend>{boxes}</fieldset> }.into_any()
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

/// The form for one's own password. The hidden address is for password managers.
fn password(shell: &Shell, page: &SettingsPage) -> AnyView {
    let hint = format!("At least {} characters.", page.password_min);
    let email = shell.person.as_ref().map(|p| p.email.clone());
    let one = |id, name, label, autocomplete, hint: &str, min_length| {
        form::field(&Field {
            id,
            name,
            label,
            kind: "password",
            hint,
            autocomplete,
            required: true,
            min_length,
            problems: &page.problems,
            ..Field::default()
        })
    };
    let least = page.password_min;
    view! {
        <section>
            <h2>"Your password"</h2>
            <form method="post" action=pattern::OWN_PASSWORD data-once="">
                <input type="hidden" name=field::EMAIL autocomplete="username" value=email/>
                <div class="pair">
                    {one("current-password", field::CURRENT_PASSWORD, "Current password", "current-password", "", 0)}
                    {one("new-password", field::NEW_PASSWORD, "New password", "new-password", &hint, least)}
                    {one("new-password-again", field::NEW_PASSWORD_AGAIN, "New password, again", "new-password", "", least)}
                </div>
                <p class="hint">"It holds at once. You stay signed in here and are signed out everywhere else."</p>
                <p class="go"><button class="primary" type="submit">"Change password"</button></p>
            </form>
        </section>
    }
    .into_any()
}

fn tokens(page: &SettingsPage) -> AnyView {
    let scopes = Scope::ALL
        .iter()
        .map(|s| {
            let id = format!("scope-{}", s.code());
            view! {
                <label class="option" for=id.clone()>
                    <input id=id.clone() type="checkbox" name=field::SCOPE value=s.code()/>
                    <span>{s.code()} <small>{words::scope_may(*s)}</small></span>
                </label>
            }
        })
        .collect_view();
    let people: Vec<Choice> = std::iter::once(Choice::new("", "nobody: a program"))
        .chain(
            page.users
                .iter()
                .filter(|u| !u.disabled)
                .map(|u| Choice::new(u.email.clone(), u.email.clone())),
        )
        .collect();
    view! {
        {page.new_token.as_ref().map(new_token)}
        <section aria-label="API tokens">{token_table(&page.tokens)}</section>
        <section>
            <h2>"Make a token"</h2>
            <form method="post" action=pattern::TOKENS data-once="">
                <div class="pair">
                    {form::field(
                        &Field {
                            id: "token-name",
                            name: field::NAME,
                            label: "Name",
                            value: typed(page, field::NAME),
                            hint: "What holds it, such as payment-worker.",
                            required: true,
                            problems: &page.problems,
                            ..Field::default()
                        },
                    )}
                    {form::select(
                        "token-user",
                        field::USER,
                        "Acts as",
                        &people,
                        typed(page, field::USER),
                        false,
                        &page.problems,
                    )}
                </div>
                <fieldset class="options"><legend>"May"</legend>{scopes}</fieldset>
                <p class="go"><button class="primary" type="submit">"Make token"</button></p>
            </form>
        </section>
    }
    .into_any()
}

fn new_token(t: &NewToken) -> AnyView {
    view! {
        <div class="notice done" role="status">
            <p>
                <strong>"Token " {t.name.clone()} " is made."</strong>
                " Copy it now: it is shown this once, and only its hash is stored."
            </p>
            <p><code class="break token">{t.token.clone()}</code></p>
        </div>
    }
    .into_any()
}

fn token_table(tokens: &[TokenRow]) -> AnyView {
    if tokens.is_empty() {
        return list::empty(
            "No tokens",
            "Payment services and scripts use the API with a token of their own.",
            None,
        );
    }
    let rows = tokens
        .iter()
        .map(|t| {
            let scopes: Vec<&str> = t.scopes.iter().map(|s| s.code()).collect();
            let state = match t.revoked_at {
                Some(at) => view! { "revoked " {time::minute(at)} }.into_any(),
                None => view! {
                    <form class="inline" method="post" action=routes::revoke(t.token_id) data-once="">
                        <button class="quiet" type="submit">
                            "Revoke" <span class="sr">" " {t.name.clone()}</span>
                        </button>
                    </form>
                }
                .into_any(),
            };
            view! {
                <tr>
                    <th scope="row">{t.name.clone()}</th>
                    <td class="wide" data-label="May">{scopes.join(", ")}</td>
                    <td data-label="Acts as">{or_dash(&t.user)}</td>
                    <td class="nowrap" data-label="Made (UTC)">{time::minute(t.created_at)}</td>
                    <td class="nowrap">{state}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="API tokens">
            <table class="sheet cards">
                <thead>
                    <tr>
                        <th scope="col">"Token"</th>
                        <th scope="col">"May"</th>
                        <th scope="col">"Acts as"</th>
                        <th scope="col">"Made (UTC)"</th>
                        <th scope="col"><span class="sr">"Revoke"</span></th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}
