//! First-run set-up: the administrator, and on the same page the first analyst, approver and auditor.

use crate::{
    components::{
        form::{self, Field},
        icon,
    },
    document::{Layout, document},
};
use domain::view::{
    routes::{self, field},
    setup::SetUp,
    shell::Shell,
};
use leptos::prelude::*;

/// The set-up page.
pub fn set_up(assets: &str, shell: &Shell, page: &SetUp) -> AnyView {
    let hint = format!("At least {} characters.", page.password_min);
    let person = |who: &'static str,
                  explains: &'static str,
                  email_name: &'static str,
                  password_name: &'static str,
                  email: &str,
                  required: bool| {
        view! {
            <fieldset>
                <legend>{who}</legend>
                <p class="hint">{explains}</p>
                <div class="pair">
                    {form::field(
                        &Field {
                            id: email_name,
                            name: email_name,
                            label: "Email address",
                            kind: "email",
                            value: email,
                            autocomplete: if required { "username" } else { "off" },
                            required,
                            problems: &page.problems,
                            ..Field::default()
                        },
                    )}
                    {form::field(
                        &Field {
                            id: password_name,
                            name: password_name,
                            label: "Password",
                            kind: "password",
                            hint: &hint,
                            autocomplete: "new-password",
                            required,
                            min_length: page.password_min,
                            problems: &page.problems,
                            ..Field::default()
                        },
                    )}
                </div>
            </fieldset>
        }
        .into_any()
    };
    let body = view! {
        <section class="door wide">
            <p class="brand">{icon::mark()} "Tieout"</p>
            <h1>"Set up"</h1>
            <p class="about">
                "The people to begin with. The administrator keeps users and providers and decides nothing;
                where money moves by hand, an analyst decides and an approver agrees; an auditor checks.
                Everybody but the administrator can be added later, under Settings."
            </p>
            {form::problems(&page.problems)}
            <form method="post" action=routes::set_up(&page.token) data-once="">
                {person(
                    "Administrator",
                    "Keeps users, provider accounts and policy.",
                    field::ADMIN_EMAIL,
                    field::ADMIN_PASSWORD,
                    &page.admin_email,
                    true,
                )}
                {person(
                    "First analyst",
                    "Uploads files and works the review queue. Leave both empty to add nobody.",
                    field::ANALYST_EMAIL,
                    field::ANALYST_PASSWORD,
                    &page.analyst_email,
                    false,
                )}
                {person(
                    "First approver",
                    "Approves what the analyst decides. Nobody approves their own decision.",
                    field::APPROVER_EMAIL,
                    field::APPROVER_PASSWORD,
                    &page.approver_email,
                    false,
                )}
                {person(
                    "First auditor",
                    "Reads the audit log, exports bundles, verifies. Nobody else sees the audit log.",
                    field::AUDITOR_EMAIL,
                    field::AUDITOR_PASSWORD,
                    &page.auditor_email,
                    false,
                )}
                <p class="go">
                    <button class="primary" type="submit">"Create and sign in"</button>
                </p>
            </form>
        </section>
    };
    document(assets, shell, Layout::Door, "Set up", body.into_any())
}
