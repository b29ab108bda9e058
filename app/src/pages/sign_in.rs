//! Sign in. Password managers are welcome.

use crate::{
    components::{
        form::{self, Field},
        icon,
    },
    document::{Layout, document},
};
use domain::view::{
    routes::{field, pattern},
    shell::Shell,
    sign_in::SignIn,
};
use leptos::prelude::*;

/// The sign-in page.
pub fn sign_in(assets: &str, shell: &Shell, page: &SignIn) -> AnyView {
    let body = if page.nobody_yet {
        view! {
            <section class="door">
                <p class="brand">{icon::mark()} "Tieout"</p>
                <h1>"Nobody can sign in yet"</h1>
                <p>
                    "The server printed a one-time set-up link when it started. Open it to create
                    the administrator. If the link is lost, start the server again: it prints a new
                    one while there is no user."
                </p>
            </section>
        }
        .into_any()
    } else {
        view! {
            <section class="door">
                <p class="brand">{icon::mark()} "Tieout"</p>
                <h1>"Sign in"</h1>
                {(!page.problem.is_empty()).then(|| view! {
                    <div class="notice refused" role="alert"><p>{page.problem.clone()}</p></div>
                })}
                <form method="post" action=pattern::SIGN_IN data-once="">
                    {form::hidden(field::NEXT, &page.next)}
                    {form::field(
                        &Field {
                            id: "email",
                            name: field::EMAIL,
                            label: "Email address",
                            kind: "email",
                            value: &page.email,
                            autocomplete: "username",
                            required: true,
                            ..Field::default()
                        },
                    )}
                    {form::field(
                        &Field {
                            id: "password",
                            name: field::PASSWORD,
                            label: "Password",
                            kind: "password",
                            autocomplete: "current-password",
                            required: true,
                            ..Field::default()
                        },
                    )}
                    <p class="go"><button class="primary" type="submit">"Sign in"</button></p>
                </form>
            </section>
        }
        .into_any()
    };
    document(assets, shell, Layout::Door, "Sign in", body)
}
