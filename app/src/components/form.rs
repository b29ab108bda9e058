//! Fields with labels, hints and problems.

use domain::view::{FieldProblem, form::Choice};
use leptos::prelude::*;

/// A text field.
#[derive(Default)]
pub struct Field<'a> {
    /// Unique on the page.
    pub id: &'a str,
    /// Its name in the form.
    pub name: &'a str,
    /// Its label.
    pub label: &'a str,
    /// `text`, `email`, `password`, `date`, …; empty for text.
    pub kind: &'static str,
    /// What it holds.
    pub value: &'a str,
    /// What to know before typing.
    pub hint: &'a str,
    /// The browser's word for what goes in.
    pub autocomplete: &'static str,
    /// Whether it must be filled.
    pub required: bool,
    /// Fewest characters, or 0.
    pub min_length: u32,
    /// What was wrong with the form.
    pub problems: &'a [FieldProblem],
}

/// Draws a text field.
pub fn field(f: &Field<'_>) -> AnyView {
    let problem = problem_of(f.name, f.problems);
    let (hint_id, problem_id) = (format!("{}-hint", f.id), format!("{}-problem", f.id));
    let described = described_by(&[
        (!f.hint.is_empty()).then_some(hint_id.as_str()),
        problem.as_ref().map(|_| problem_id.as_str()),
    ]);
    let kind = if f.kind.is_empty() { "text" } else { f.kind };
    view! {
        <div class="field">
            <label for=f.id.to_owned()>{f.label.to_owned()}</label>
            <input
                id=f.id.to_owned()
                name=f.name.to_owned()
                type=kind
                value=(!f.value.is_empty()).then(|| f.value.to_owned())
                autocomplete=if f.autocomplete.is_empty() { "off" } else { f.autocomplete }
                required=f.required
                minlength=(f.min_length > 0).then(|| f.min_length.to_string())
                aria-invalid=problem.as_ref().map(|_| "true")
                aria-describedby=described
            />
            {(!f.hint.is_empty()).then(|| view! { <p class="hint" id=hint_id>{f.hint.to_owned()}</p> })}
            {problem.map(|text| view! { <p class="problem" id=problem_id>{text}</p> })}
        </div>
    }
    .into_any()
}

/// Draws a choice from a list.
pub fn select(
    id: &str,
    name: &str,
    label: &str,
    choices: &[Choice],
    chosen: &str,
    required: bool,
    problems: &[FieldProblem],
) -> AnyView {
    let problem = problem_of(name, problems);
    let problem_id = format!("{id}-problem");
    let described = described_by(&[problem.as_ref().map(|_| problem_id.as_str())]);
    view! {
        <div class="field">
            <label for=id.to_owned()>{label.to_owned()}</label>
            <select
                id=id.to_owned()
                name=name.to_owned()
                required=required
                aria-invalid=problem.as_ref().map(|_| "true")
                aria-describedby=described
            >
                {options(choices, chosen)}
            </select>
            {problem.map(|text| view! { <p class="problem" id=problem_id>{text}</p> })}
        </div>
    }
    .into_any()
}

/// The options of a list.
pub fn options(choices: &[Choice], chosen: &str) -> AnyView {
    choices
        .iter()
        .map(|c| {
            view! {
                <option value=c.value.clone() selected=c.value == chosen>
                    {c.label.clone()}
                </option>
            }
        })
        .collect_view()
        .into_any()
}

/// A filter of one choice, `any` first; changing it takes the form's button.
pub fn chip_select(name: &str, label: &str, choices: &[Choice], chosen: &str) -> AnyView {
    let any = Choice::new("", "any");
    let all: Vec<Choice> = std::iter::once(any)
        .chain(choices.iter().cloned())
        .collect();
    view! {
        <label class="chip">
            <span>{label.to_owned()}</span>
            <select name=name.to_owned()>{options(&all, chosen)}</select>
        </label>
    }
    .into_any()
}

/// A filter of typed text.
pub fn chip_input(
    name: &str,
    label: &str,
    kind: &'static str,
    value: &str,
    placeholder: &str,
) -> AnyView {
    let class = if kind == "search" {
        "chip grow"
    } else {
        "chip"
    };
    view! {
        <label class=class>
            <span>{label.to_owned()}</span>
            <input
                name=name.to_owned()
                type=kind
                value=(!value.is_empty()).then(|| value.to_owned())
                placeholder=(!placeholder.is_empty()).then(|| placeholder.to_owned())
                autocomplete="off"
                data-search=(kind == "search").then_some("")
            />
        </label>
    }
    .into_any()
}

/// A value that the form carries along.
pub fn hidden(name: &str, value: &str) -> AnyView {
    view! { <input type="hidden" name=name.to_owned() value=value.to_owned()/> }.into_any()
}

/// What was wrong, above the form: announced, and each problem leads to its field.
pub fn problems(all: &[FieldProblem]) -> AnyView {
    if all.is_empty() {
        return ().into_any();
    }
    let items = all
        .iter()
        .map(|p| view! { <li>{p.message.clone()}</li> })
        .collect_view();
    view! {
        <div class="notice refused" role="alert">
            <p>
                <strong>"Nothing was changed."</strong>
            </p>
            <ul>{items}</ul>
        </div>
    }
    .into_any()
}

/// What is wrong with a field, if anything is.
pub fn problem_of(name: &str, all: &[FieldProblem]) -> Option<String> {
    all.iter()
        .find(|p| p.field == name)
        .map(|p| p.message.clone())
}

fn described_by(ids: &[Option<&str>]) -> Option<String> {
    let ids: Vec<&str> = ids.iter().flatten().copied().collect();
    (!ids.is_empty()).then(|| ids.join(" "))
}
