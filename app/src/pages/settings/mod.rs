//! Settings: one file per tab.
//!
//! | File | Tab |
//! |---|---|
//! | [`mod@providers`] | provider accounts with their policy |
//! | [`mod@users`] | users with their roles |
//! | [`mod@tokens`] | API tokens |
//! | [`mod@password`] | one's own password |

mod password;
mod providers;
mod tokens;
mod users;

use crate::{
    components::{form, list},
    document::{Layout, document},
};
use domain::{
    actor::Permission,
    view::{
        routes::pattern,
        settings::{SettingsPage, SettingsTab},
        shell::Shell,
    },
};
use leptos::prelude::*;
use password::password;
use providers::providers;
use tokens::tokens;
use users::users;

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

/// Boxes to tick: the code of each, what it allows, and whether it is ticked.
fn boxes(
    prefix: &str,
    name: &'static str,
    legend: &'static str,
    all: impl Iterator<Item = (&'static str, &'static str, bool)>,
) -> AnyView {
    let boxes = all
        .map(|(code, may, ticked)| {
            let id = format!("{prefix}-{code}");
            view! {
                <label class="option" for=id.clone()>
                    <input id=id.clone() type="checkbox" name=name value=code checked=ticked/>
                    <span>{code} <small>{may}</small></span>
                </label>
            }
        })
        .collect_view();
    view! { <fieldset class="options"><legend>{legend}</legend>{boxes}</fieldset> }.into_any()
}
