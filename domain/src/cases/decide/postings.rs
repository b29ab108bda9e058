//! Rows that no payment explains: left out, or posted elsewhere.

use super::{
    effect::{Effect, rulings},
    input::DecisionInput,
    payments::line,
    refusal::Refusal,
};
use crate::{
    cases::kinds::CaseKind,
    matching::{LineName, Ruling, RulingSubject},
    posting::LedgerAccount,
};

pub(super) fn accept_rows(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let file = input
        .subject
        .strip_prefix("file:")
        .ok_or(Refusal::Missing("a file"))?;
    Ok(rulings(
        vec![(RulingSubject::File(file.to_owned()), Ruling::AcceptRows)],
        "The file is used without the rows that could not be read; it does not count as complete."
            .to_owned(),
    ))
}

pub(super) fn correct_posting(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let to = input.params.to.ok_or(Refusal::Missing("an account"))?;
    if matches!(
        to,
        LedgerAccount::ProviderClearing | LedgerAccount::Suspense | LedgerAccount::Bank
    ) {
        return Err(Refusal::NotNow(format!(
            "{} cannot be chosen: only files and bank statements move it",
            to.title()
        )));
    }
    let names: Vec<LineName> = if input.kind == CaseKind::UnrecognisedRows {
        input.waiting_rows.to_vec()
    } else {
        vec![line(input)?.name.clone()]
    };
    if names.is_empty() {
        return Err(Refusal::Missing("a row"));
    }
    let what = if let [one] = names.as_slice() {
        format!("Line {one} moves")
    } else {
        format!("{} rows move", names.len())
    };
    let preview = format!("{what} from suspense to {}.", to.title());
    let set = names
        .into_iter()
        .map(|name| (RulingSubject::Line(name), Ruling::Correct { to }))
        .collect();
    Ok(rulings(set, preview))
}
