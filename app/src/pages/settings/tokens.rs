//! API tokens.

use super::{boxes, typed};
use crate::components::{
    form::{self, Field},
    lines::or_dash,
    list, time, words,
};
use domain::{
    actor::Scope,
    view::{
        form::Choice,
        routes::{self, field, pattern},
        settings::{NewToken, SettingsPage, TokenRow},
    },
};
use leptos::prelude::*;

pub(super) fn tokens(page: &SettingsPage) -> AnyView {
    let scopes = Scope::ALL
        .iter()
        .map(|s| (s.code(), words::scope_may(*s), false));
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
                {boxes("scope", field::SCOPE, "May", scopes)}
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
