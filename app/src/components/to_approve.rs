//! Held files that wait for the person who looks as the second.

use super::{list, time};
use domain::view::{overview::FileToAccept, routes, shell::Shell};
use leptos::prelude::*;

/// The files as a table.
pub fn files_to_accept(shell: &Shell, files: &[FileToAccept]) -> AnyView {
    let rows = files
        .iter()
        .map(|f| {
            view! {
                <tr>
                    <th scope="row" class="break">
                        <a href=routes::file(&f.file_id)>{f.name.clone()}</a>
                        <small>{f.account.clone()}</small>
                    </th>
                    <td class="wide" data-label="Why it is held">
                        {f.why.clone()}
                        <small>{f.what.clone()} ": " {f.reason.clone()}</small>
                    </td>
                    <td data-label="Accepted by">{f.by.clone()}</td>
                    <td class="num nowrap" data-label="Since">{time::age(shell.now, f.at)}</td>
                </tr>
            }
        })
        .collect_view();
    list::scroll(
        "Files to accept as the second",
        view! {
            <table class="sheet cards">
                <caption class="sr">"Files that wait for a second person's word"</caption>
                <thead>
                    <tr>
                        <th scope="col">"File"</th>
                        <th scope="col">"Why it is held"</th>
                        <th scope="col">"Accepted by"</th>
                        <th scope="col" class="num">"Since"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        }
        .into_any(),
    )
}
