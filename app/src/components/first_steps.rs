//! What leads from an empty instance to a first day that ties: each step ticked once it is done.

use super::words;
use domain::{
    actor::Permission,
    view::{
        Link,
        overview::Loaded,
        routes::{self, pattern},
        shell::Shell,
    },
};
use leptos::prelude::*;

/// A step: whether it is done, what it is, and the way to it.
struct Step {
    done: bool,
    title: &'static str,
    text: &'static str,
    go: Option<Link>,
    /// Who does it, where the person who looks may not.
    who: &'static str,
}

/// The steps, the first open one with the way to it laid out.
pub fn first_steps(shell: &Shell, loaded: Loaded) -> AnyView {
    let steps = steps(shell, loaded);
    let next = steps.iter().position(|s| !s.done);
    let items = steps
        .into_iter()
        .enumerate()
        .map(|(index, step)| shown(step, Some(index) == next))
        .collect_view();
    view! { <ol class="steps" aria-label="First steps">{items}</ol> }.into_any()
}

/// How many of them are still to be done, in words.
pub fn what_is_missing(loaded: Loaded) -> &'static str {
    match (loaded.provider_accounts, loaded.intents, loaded.files) {
        (0, 0, 0) => "Nothing is loaded yet. These steps lead to a first day that ties.",
        (0, ..) => "Files need a provider account to belong to.",
        (_, 0, 0) => {
            "There is an account; what the business meant and what the provider says are still to come."
        }
        (_, 0, _) if loaded.used_files == 0 => {
            "No settlement file is used yet, and none of your own payments is here."
        }
        (_, 0, _) => {
            "A settlement file is here, but none of your own payments: its lines find nothing to match."
        }
        (_, _, 0) => "Your payments are here; the provider's side of them is still to come.",
        _ => "",
    }
}

/// What is true where no case is open: that nothing was compared, that something is held, or that what
/// was compared agrees. What nothing settled yet is no case before it is due.
pub fn nothing_open(loaded: Loaded, held: u64) -> String {
    let waits = match held {
        0 => String::new(),
        n => format!(
            " {} held: nothing of what is held is posted.",
            words::counted(n, "file is", "files are")
        ),
    };
    if loaded.used_files == 0 {
        return format!("No settlement file is used yet, so nothing was compared.{waits}");
    }
    format!(
        "What was compared agrees.{waits} A payment that no file settled yet becomes a case once it is \
         due: the overview counts those in transit."
    )
}

fn steps(shell: &Shell, loaded: Loaded) -> [Step; 4] {
    let admin = shell.may(Permission::Administer);
    let ingest = shell.may(Permission::Ingest);
    [
        Step {
            done: loaded.provider_accounts > 0,
            title: "Add a provider account",
            text: "One for each account at a payment provider: its name, kind and time zone.",
            go: admin.then(|| Link::new("Add an account", pattern::PROVIDERS)),
            who: "An administrator does this.",
        },
        Step {
            done: loaded.intents > 0,
            title: "Import payments",
            text: "What the business meant to happen: a CSV of intents and attempts.",
            go: ingest.then(|| {
                Link::new(
                    "Import payments",
                    format!("{}#{}", pattern::PAYMENTS, routes::IMPORT),
                )
            }),
            who: "An analyst does this.",
        },
        Step {
            done: loaded.used_files > 0,
            title: "Upload a settlement file",
            text: match loaded.files {
                0 => {
                    "What the provider says happened. It is matched at once; what does not tie becomes a case."
                }
                _ => {
                    "None that is here is used yet: it is being read, is held, or cannot be used. The list says which."
                }
            },
            go: (ingest || loaded.files > 0).then(|| {
                let label = if loaded.files == 0 {
                    "Upload a file"
                } else {
                    "See the files"
                };
                Link::new(label, pattern::FILES)
            }),
            who: "An analyst does this.",
        },
        Step {
            done: false,
            title: "Work the queue",
            text: "Decide each case with its evidence beside it. Everything else is already in the ledger.",
            go: Some(Link::new("Open the queue", pattern::REVIEW)),
            who: "",
        },
    ]
}

fn shown(step: Step, next: bool) -> AnyView {
    let class = match (step.done, next) {
        (true, _) => "step done",
        (false, true) => "step next",
        (false, false) => "step",
    };
    let button = if next { "button primary" } else { "button" };
    let way = match step.go {
        _ if step.done => ().into_any(),
        Some(link) => view! { <a class=button href=link.href>{link.label}</a> }.into_any(),
        None => view! { <span class="quiet-text">{step.who}</span> }.into_any(),
    };
    view! {
        <li class=class aria-current=next.then_some("step")>
            <div>
                <p class="step-title">
                    {step.title} {step.done.then(|| view! { " " <span class="agrees">"done"</span> })}
                </p>
                <p>{step.text}</p>
            </div>
            {way}
        </li>
    }
    .into_any()
}
