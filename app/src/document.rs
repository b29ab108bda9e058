//! The HTML around a page.

use domain::view::shell::Shell;
use leptos::prelude::*;

/// A whole document. `assets` is where the bundle lies, such as `/assets/0123456789abcdef`.
pub fn document(assets: &str, _shell: &Shell, title: &str, body: AnyView) -> AnyView {
    let sheet = format!("{assets}/app.css");
    let title = format!("{title} · Tieout");
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8"/>
                <title>{title}</title>
                <link rel="stylesheet" href=sheet/>
            </head>
            <body>{body}</body>
        </html>
    }
    .into_any()
}
