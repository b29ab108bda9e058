//! One's own password.

use crate::components::form::{self, Field};
use domain::view::{
    routes::{field, pattern},
    settings::SettingsPage,
    shell::Shell,
};
use leptos::prelude::*;

/// The form for one's own password. The hidden address is for password managers.
pub(super) fn password(shell: &Shell, page: &SettingsPage) -> AnyView {
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
