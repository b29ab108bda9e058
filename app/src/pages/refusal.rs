//! A page instead of the one asked for: what happened, and what to do next.

use crate::{
    components::{icon, list},
    document::{Layout, document},
};
use domain::view::{
    Link,
    refusal::Refusal,
    routes::{self, pattern},
    shell::Shell,
};
use leptos::prelude::*;

/// Title, what happened and what to do, for a status.
const fn words(status: u16) -> (&'static str, &'static str, &'static str) {
    match status {
        400 => (
            "That request was not understood",
            "Part of the address or the form could not be read.",
            "Go back and try again. If a link led here, it may have been cut off.",
        ),
        401 => (
            "Please sign in",
            "This page is for people who are signed in.",
            "Sign in, and this page opens.",
        ),
        403 => (
            "Not yours to do",
            "Your roles do not allow this.",
            "An administrator can change roles under Settings.",
        ),
        404 => (
            "Nothing is here",
            "There is no such page, case, file or record.",
            "Check the address, or look it up by its reference under Payments or Review.",
        ),
        405 => (
            "That is not possible here",
            "The address exists, but does not take this kind of request.",
            "Go back to the page and use its buttons.",
        ),
        409 => (
            "It has changed meanwhile",
            "Somebody else, or new evidence, was faster. Nothing of yours was applied.",
            "Look at how it stands now, then decide again.",
        ),
        413 => (
            "That is too large",
            "The upload is larger than this server accepts. Nothing was stored.",
            "Split the file, or import it on the server's command line.",
        ),
        422 => (
            "That could not be used",
            "The form was read, but something in it does not fit. Nothing was changed.",
            "Go back: what you typed is still there.",
        ),
        429 => (
            "Too many tries",
            "To protect accounts, this address has to wait a little.",
            "Try again in a minute.",
        ),
        503 => (
            "Not ready",
            "The server is starting, stopping or overloaded. Nothing was changed.",
            "Try again in a moment.",
        ),
        _ => (
            "Something broke on our side",
            "The request was not carried out. What was stored before is untouched.",
            "Try again. If it breaks again, tell whoever runs this server the request's id.",
        ),
    }
}

/// The page for a refusal.
pub fn refusal(assets: &str, shell: &Shell, page: &Refusal) -> AnyView {
    let (title, what, remedy) = words(page.status);
    let or = |own: &str, common: &str| {
        if own.is_empty() {
            common.to_owned()
        } else {
            own.to_owned()
        }
    };
    let mut links = page.links.clone();
    if shell.person.is_none() {
        let next = if routes::is_local(&shell.path) {
            routes::query(pattern::SIGN_IN, &[("next", &shell.path)])
        } else {
            pattern::SIGN_IN.to_owned()
        };
        links.push(Link::new("Sign in", next));
    } else if links.is_empty() {
        links.push(Link::new("Overview", pattern::OVERVIEW));
    }
    let layout = if shell.person.is_some() {
        Layout::Sheet
    } else {
        Layout::Door
    };
    let body = view! {
        <section class="door refusal">
            {(layout == Layout::Door).then(|| view! { <p class="brand">{icon::mark()} "Tieout"</p> })}
            <p class="status-code">{page.status.to_string()}</p>
            <h1>{title}</h1>
            <p>{or(&page.what, what)}</p>
            <p>{or(&page.remedy, remedy)}</p>
            {list::links(&links)}
            {(!page.request_id.is_empty()).then(|| view! {
                <p class="quiet-text">"Request " <code>{page.request_id.clone()}</code></p>
            })}
        </section>
    };
    document(assets, shell, layout, title, body.into_any())
}
