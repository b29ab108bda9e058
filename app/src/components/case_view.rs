//! One case beside the queue: headline, both sides, why, evidence, decisions, history.

use super::{amount, decisions, icon, list, testimony::timeline, time, words};
use domain::{
    actor::Permission,
    time::Instant,
    view::{
        case::{
            Agreement, Ask, Candidate, CaseEvent, CasePage, FieldCell, RunningDifference, Sides,
            Stale,
        },
        queue::Queue,
        routes::{self, field},
        shell::Shell,
    },
};
use leptos::prelude::*;

/// The case.
pub fn case_view(shell: &Shell, queue: &Queue, case: &CasePage) -> AnyView {
    view! {
        {steps(queue, case)}
        {head(shell, queue, case)}
        {case.stale.as_ref().map(stale)}
        {decisions::awaiting(queue, case)}
        {case.sides.as_ref().map(sides)}
        {case.difference.as_ref().map(difference)}
        <div class="why">
            <p><strong>"Why here. "</strong> {case.why.clone()}</p>
            {settles(case)}
        </div>
        {about(case)}
        {(!case.candidates.is_empty()).then(|| candidates(&case.candidates))}
        {find(shell, queue, case)}
        <section class="evidence">
            <h2>"Evidence"</h2>
            {timeline(&case.evidence)}
            {list::links(&case.links)}
        </section>
        {decisions::decide(shell, queue, case)}
        {history(&case.history)}
    }
    .into_any()
}

fn steps(queue: &Queue, case: &CasePage) -> AnyView {
    let step = |id: &Option<String>, rel: &'static str, word: &'static str, key: &'static str| {
        id.as_ref().map(|id| {
            view! {
                <a class="button quiet" rel=rel href=routes::case(id, &queue.filter)>
                    {word} <kbd>{key}</kbd>
                </a>
            }
        })
    };
    view! {
        <nav class="case-steps" aria-label="Cases">
            <a class="to-queue" href=routes::review(&queue.filter)>"← Queue"</a>
            <span class="spacer"></span>
            {step(&case.previous, "prev", "Previous", "k")}
            {step(&case.next, "next", "Next", "j")}
        </nav>
    }
    .into_any()
}

fn head(shell: &Shell, queue: &Queue, case: &CasePage) -> AnyView {
    let resolved = case.state == "RESOLVED";
    let due = if resolved {
        view! { {words::resolution(&case.resolution)} }.into_any()
    } else if let Some(day) = case.wake_on {
        view! { "wakes " {day.to_string()} }.into_any()
    } else {
        time::due(shell.now, case.due_at)
    };
    view! {
        <header class="case-head">
            <div>
                <p class="crumb">
                    {icon::case_kind(&case.kind)} <span>{case.label.clone()}</span>
                    <span>{case.account.clone()}</span>
                    <span class="tag">{words::case_state(&case.state)}</span>
                </p>
                <h1>{case.title.clone()}</h1>
            </div>
            <dl class="facts">
                {list::fact(
                    "At risk",
                    case
                        .at_risk
                        .map_or_else(|| view! { "not known" }.into_any(), amount::amount),
                )}
                {list::fact("Severity", icon::severity(case.severity))}
                {list::fact("Age", view! { {time::age(shell.now, case.opened_at)} }.into_any())}
                {list::fact(if resolved { "Ended" } else { "Due" }, due)}
                {list::fact("Owner", owner(shell, queue, case))}
            </dl>
        </header>
    }
    .into_any()
}

fn owner(shell: &Shell, queue: &Queue, case: &CasePage) -> AnyView {
    let open = matches!(case.state.as_str(), "OPEN" | "IN_REVIEW" | "WAITING");
    let may = shell.may(Permission::Decide) && open;
    let form = |claim: &'static str, word: &'static str| {
        view! {
            <form class="inline" method="post" action=routes::claim(&case.id)>
                {super::form::hidden(field::CLAIM, claim)}
                {super::form::hidden(field::EXPECTED_VERSION, &case.version.to_string())}
                {super::form::hidden(field::BACK, &back_query(queue))}
                <button class="link" type="submit">{word}</button>
            </form>
        }
        .into_any()
    };
    match &case.owner {
        Some(o) if o.me => view! {
            "you, until " {time::until(shell.now, o.until)}
            {may.then(|| form("0", "Release"))}
        }
        .into_any(),
        Some(o) => {
            view! { {o.email.clone()} ", until " {time::until(shell.now, o.until)} }.into_any()
        }
        None => view! { "nobody" {may.then(|| form("1", "Take it"))} }.into_any(),
    }
}

/// The queue's query, to come back to the same list.
pub fn back_query(queue: &Queue) -> String {
    routes::review(&queue.filter)
        .split_once('?')
        .map_or_else(String::new, |(_, q)| q.to_owned())
}

fn stale(stale: &Stale) -> AnyView {
    let changes = (!stale.changes.is_empty()).then(|| {
        let rows = stale
            .changes
            .iter()
            .map(|c| {
                view! {
                    <tr>
                        <th scope="row">{c.name.clone()}</th>
                        <td><del>{c.then.clone()}</del></td>
                        <td><ins>{c.now.clone()}</ins></td>
                    </tr>
                }
            })
            .collect_view();
        view! {
            <table class="changes">
                <thead>
                    <tr>
                        <th scope="col">"Changed"</th>
                        <th scope="col">"When you looked"</th>
                        <th scope="col">"Now"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        }
    });
    view! {
        <div class="notice refused" role="alert">
            <p>
                <strong>"Your decision was not applied: the case has changed since you opened it."</strong>
                " What you typed is kept below. Look at the difference, then decide again."
            </p>
            {case_events(&stale.events)}
            {changes}
        </div>
    }
    .into_any()
}

fn sides(sides: &Sides) -> AnyView {
    let head = |h: &domain::view::case::SideHead| {
        let title = if h.href.is_empty() {
            view! { {h.title.clone()} }.into_any()
        } else {
            view! { <a href=h.href.clone()>{h.title.clone()}</a> }.into_any()
        };
        view! { <th scope="col">{title} " " <small>{h.note.clone()}</small></th> }
    };
    let rows = sides
        .fields
        .iter()
        .map(|f| {
            let cells = f.theirs.iter().map(their_cell).collect_view();
            view! {
                <tr>
                    <th scope="row">{f.name.clone()}</th>
                    <td>{super::lines::or_dash(&f.ours)}</td>
                    {cells}
                </tr>
            }
        })
        .collect_view();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Ours and theirs">
            <table class="compare">
                <caption class="sr">"Ours and theirs, field by field"</caption>
                <thead>
                    <tr>
                        <td></td>
                        {head(&sides.ours)} {sides.theirs.iter().map(head).collect_view()}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn their_cell(cell: &FieldCell) -> AnyView {
    let note = |fallback: &'static str| {
        if cell.note.is_empty() {
            fallback.to_owned()
        } else {
            cell.note.clone()
        }
    };
    let mark = match cell.agreement {
        Agreement::Same => view! { <span class="agrees">{note("same")}</span> }.into_any(),
        Agreement::Differs => view! { <span class="differs">{note("differs")}</span> }.into_any(),
        Agreement::NotCompared => {
            view! { <span class="quiet-text">{cell.note.clone()}</span> }.into_any()
        }
    };
    view! { <td>{super::lines::or_dash(&cell.value)} " " {mark}</td> }.into_any()
}

fn difference(d: &RunningDifference) -> AnyView {
    let rows = d
        .steps
        .iter()
        .map(|s| {
            let label = if s.href.is_empty() {
                view! { {s.label.clone()} }.into_any()
            } else {
                view! { <a href=s.href.clone()>{s.label.clone()}</a> }.into_any()
            };
            view! {
                <tr>
                    <th scope="row">{label}</th>
                    {amount::amount_cell(s.amount)}
                    {amount::amount_cell(s.left)}
                </tr>
            }
        })
        .collect_view();
    let (class, word) = if d.residual.is_zero() {
        ("agrees", "ties")
    } else {
        ("differs", "left")
    };
    view! {
        <table class="running">
            <caption class="sr">"Running difference"</caption>
            <thead>
                <tr>
                    <th scope="col">{d.against.clone()}</th>
                    <th scope="col" class="num"><span class="sr">"Amount"</span></th>
                    <th scope="col" class="num">{amount::amount(d.target)}</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
            <tfoot>
                <tr>
                    <th scope="row">"Difference"</th>
                    <td></td>
                    <td class="num">
                        <span class=class>{word}</span> " " {amount::amount(d.residual)}
                    </td>
                </tr>
            </tfoot>
        </table>
    }
    .into_any()
}

/// Figures of a file, a batch or a period, each with the way to what it counts.
fn about(case: &CasePage) -> AnyView {
    if case.about.is_empty() {
        return ().into_any();
    }
    let facts =
        case.about
            .iter()
            .map(|f| {
                let link = f.link.as_ref().map(
                    |l| view! { <a class="break" href=l.href.clone()>{l.label.clone()}</a> " " },
                );
                list::fact(&f.name, view! { {link} {f.value.clone()} }.into_any())
            })
            .collect_view();
    view! {
        <section class="about-case">
            <h2>"What it is about"</h2>
            <dl class="facts stacked">{facts}</dl>
        </section>
    }
    .into_any()
}

fn settles(case: &CasePage) -> AnyView {
    if case.settles.is_empty() {
        return ().into_any();
    }
    let items = case
        .settles
        .iter()
        .map(|s| view! { <li>{s.clone()}</li> })
        .collect_view();
    view! { <details><summary>"What would settle it"</summary><ul>{items}</ul></details> }
        .into_any()
}

fn candidates(all: &[Candidate]) -> AnyView {
    view! {
        <section>
            <h2>"Candidates"</h2>
            {candidate_list(all)}
        </section>
    }
    .into_any()
}

fn candidate_list(all: &[Candidate]) -> AnyView {
    let rows = all
        .iter()
        .map(|c| {
            let label = if c.href.is_empty() {
                view! { {c.label.clone()} }.into_any()
            } else {
                view! { <a href=c.href.clone()>{c.label.clone()}</a> }.into_any()
            };
            let says = |items: &[String], class: &'static str| {
                items
                    .iter()
                    .map(|t| view! { <li class=class>{t.clone()}</li> })
                    .collect_view()
            };
            view! {
                <li>
                    <span class="rank">{c.rank.to_string()}</span>
                    <div>
                        <p>
                            <strong>{label}</strong>
                            {(!c.about.is_empty()).then(|| view! { " " <small class="flat">{c.about.clone()}</small> })}
                            {c.at.map(|at| view! { " " <small class="flat">{time::moment(at)}</small> })}
                        </p>
                        <ul class="reasons">
                            {says(&c.why, "agrees")} {says(&c.why_not, "differs")}
                        </ul>
                    </div>
                    <span class="num">{c.amount.map(amount::amount)}</span>
                </li>
            }
        })
        .collect_view();
    view! { <ol class="candidates">{rows}</ol> }.into_any()
}

/// The search for a payment that nothing proposes, where a decision could take one.
fn find(shell: &Shell, queue: &Queue, case: &CasePage) -> AnyView {
    let takes_one = case.actions.iter().any(|a| {
        a.refused.is_empty()
            && a.asks
                .iter()
                .any(|ask| matches!(ask, Ask::Candidate | Ask::Shares))
    });
    if !takes_one || !shell.may(Permission::Decide) {
        return ().into_any();
    }
    let carried = queue
        .filter
        .address()
        .into_iter()
        .map(|(name, value)| super::form::hidden(name, value))
        .collect_view();
    let note = (!case.found_note.is_empty())
        .then(|| view! { <p class="hint" role="status">{case.found_note.clone()}</p> });
    view! {
        <section class="find" id=routes::FIND>
            <h2>"Find the payment"</h2>
            <form class="inline-form" method="get" action=format!("{}#{}", routes::case_only(&case.id), routes::FIND) role="search" aria-label="Find the payment">
                {carried}
                <div class="field grow">
                    <label for="find-text">"Id, reference or amount"</label>
                    <input
                        id="find-text"
                        name=field::FIND
                        type="search"
                        maxlength="200"
                        autocomplete="off"
                        value=(!case.find.is_empty()).then(|| case.find.clone())
                    />
                </div>
                <button class="quiet" type="submit">"Find"</button>
            </form>
            {note}
            {(!case.found.is_empty()).then(|| candidate_list(&case.found))}
        </section>
    }
    .into_any()
}

fn history(events: &[CaseEvent]) -> AnyView {
    if events.is_empty() {
        return ().into_any();
    }
    view! {
        <section class="history">
            <h2>"History"</h2>
            {case_events(events)}
        </section>
    }
    .into_any()
}

/// One thing that happened.
pub struct Happened {
    /// When.
    pub at: Instant,
    /// What.
    pub text: String,
    /// Who.
    pub actor: String,
    /// Where it leads.
    pub to: AnyView,
}

/// Things that happened, in the order given.
pub fn event_list(events: Vec<Happened>) -> AnyView {
    let rows = events
        .into_iter()
        .map(|e| {
            view! {
                <li>
                    <span class="when">{time::moment(e.at)}</span>
                    <span class="says">{e.text}</span>
                    <span class="by">{e.actor}</span>
                    <span class="to">{e.to}</span>
                </li>
            }
        })
        .collect_view();
    view! { <ol class="events">{rows}</ol> }.into_any()
}

fn case_events(events: &[CaseEvent]) -> AnyView {
    event_list(
        events
            .iter()
            .map(|e| {
                let entry = e.entry.map(|no| {
                    view! { <a href=routes::entry(no)>"entry " {no.to_string()}</a> " " }
                });
                Happened {
                    at: e.at,
                    text: e.text.clone(),
                    actor: e.actor.clone(),
                    to: view! { {entry} <small class="flat">"v" {e.version.to_string()}</small> }
                        .into_any(),
                }
            })
            .collect(),
    )
}
