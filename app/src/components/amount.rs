//! Amounts: tabular figures, right-aligned, the currency's own decimals, never a sum across
//! currencies.

use domain::view::Amount;
use leptos::prelude::*;

/// An amount with its currency, in running text.
pub fn amount(amount: Amount) -> AnyView {
    let currency = amount.currency.to_string();
    view! {
        <span class="amount">{amount.grouped()} " " <span class="currency">{currency}</span></span>
    }
    .into_any()
}

/// An amount with its currency as a cell.
pub fn amount_cell(value: Amount) -> AnyView {
    view! { <td class="num">{amount(value)}</td> }.into_any()
}

/// An amount as a cell, or nothing known.
pub fn maybe_amount_cell(value: Option<Amount>) -> AnyView {
    match value {
        Some(value) => amount_cell(value),
        None => view! { <td class="num quiet-text">"none"</td> }.into_any(),
    }
}

/// The figures alone as a cell, where the column's head names the currency. Zero is a dash.
pub fn figure_cell(value: Amount) -> AnyView {
    let text = if value.is_zero() {
        "–".to_owned()
    } else {
        value.grouped()
    };
    view! { <td class="num">{text}</td> }.into_any()
}

/// Sums, one per currency and line.
pub fn sums(amounts: &[Amount]) -> AnyView {
    if amounts.is_empty() {
        return view! { <span class="quiet-text">"none"</span> }.into_any();
    }
    let rows = amounts
        .iter()
        .map(|a| view! { <span class="sum">{amount(*a)}</span> })
        .collect_view();
    view! { <span class="sums">{rows}</span> }.into_any()
}

/// Debit and credit of a signed amount as two cells: the sign is said by the column.
pub fn debit_credit_cells(value: Amount) -> AnyView {
    let text = value.abs().grouped();
    let (debit, credit) = if value.minor >= 0 {
        (text, String::new())
    } else {
        (String::new(), text)
    };
    view! {
        <td class="num" data-label="Debit">{debit}</td>
        <td class="num" data-label="Credit">{credit}</td>
    }
    .into_any()
}

/// A balance with the word for its side.
pub fn balance(value: Amount) -> AnyView {
    let side = match value.minor.signum() {
        1 => "debit",
        -1 => "credit",
        _ => "",
    };
    view! {
        <span class="amount">
            {value.abs().grouped()} " " <span class="currency side">{side}</span>
        </span>
    }
    .into_any()
}
