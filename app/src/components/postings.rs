//! Debits and credits of an entry, or of what a decision would post.

use super::{amount, words};
use domain::view::{Amount, case::Effect};
use leptos::prelude::*;

/// A table of postings that balance per currency.
pub fn postings(caption: &str, rows: &[(String, Amount)]) -> AnyView {
    let body = rows
        .iter()
        .map(|(account, value)| {
            view! {
                <tr>
                    <th scope="row">{words::ledger_account(account)}</th>
                    {amount::debit_credit_cells(*value)}
                    <td class="currency">{value.currency.to_string()}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <table class="postings">
            <caption class="sr">{caption.to_owned()}</caption>
            <thead>
                <tr>
                    <th scope="col">"Account"</th>
                    <th scope="col" class="num">"Debit"</th>
                    <th scope="col" class="num">"Credit"</th>
                    <th scope="col"><span class="sr">"Currency"</span></th>
                </tr>
            </thead>
            <tbody>{body}</tbody>
        </table>
    }
    .into_any()
}

/// What a decision posts, and when.
pub fn effect(effect: &Effect, needs_approval: bool) -> AnyView {
    let when = if needs_approval {
        "On approval: "
    } else {
        "At once: "
    };
    let rows: Vec<(String, Amount)> = effect
        .postings
        .iter()
        .map(|p| (p.ledger_account.clone(), p.amount))
        .collect();
    view! {
        <div class="effect">
            <p>
                <strong>{when}</strong>
                {effect.text.clone()}
            </p>
            {(!rows.is_empty()).then(|| postings("What is posted", &rows))}
        </div>
    }
    .into_any()
}
