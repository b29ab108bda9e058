//! What may be decided about a case, each as a form of its own that says what it does; and the
//! decision that waits for a second person.

use super::{
    amount,
    case_view::back_query,
    form::{self, Field},
    postings, time, words,
};
use domain::{
    actor::Permission,
    cases::Action,
    view::{
        FieldProblem,
        case::{
            ActionChoice, Ask, AwaitingDecision, Candidate, CasePage, ReasonChoice, TypedDecision,
            Undo,
        },
        form::Choice,
        queue::Queue,
        routes::{self, field},
        shell::Shell,
    },
};
use leptos::prelude::*;

/// Every decision on offer.
pub fn decide(shell: &Shell, queue: &Queue, case: &CasePage) -> AnyView {
    if case.awaiting.is_some() {
        // What waits stands above with its answer; nothing else can be decided until then.
        return ().into_any();
    }
    if !shell.may(Permission::Decide) {
        return view! {
            <section class="decide">
                <h2>"Decision"</h2>
                {form::problems(&case.problems)}
                <p class="quiet-text">"You can read this case. Analysts and approvers decide it."</p>
            </section>
        }
        .into_any();
    }
    if let Some(owner) = case.owner.as_ref().filter(|o| !o.me) {
        // Shown, not enforced: whoever decides first wins, and the other is told.
        let text = format!(
            "{} is on this case until {}.",
            owner.email,
            time::until(shell.now, owner.until)
        );
        return view! {
            <section class="decide">
                <h2>"Decision"</h2>
                <p class="notice note">{text}</p>
                {form::problems(&case.problems)}
                {choices(queue, case, false)}
            </section>
        }
        .into_any();
    }
    view! {
        <section class="decide">
            <h2>"Decision"</h2>
            {form::problems(&case.problems)}
            {choices(queue, case, true)}
        </section>
    }
    .into_any()
}

fn choices(queue: &Queue, case: &CasePage, open_first: bool) -> AnyView {
    let is_handling = |a: &ActionChoice| a.action.parse::<Action>().is_ok_and(Action::is_handling);
    let typed = case.typed.as_ref();
    let open = |index: usize, a: &ActionChoice| match typed {
        Some(t) => t.action == a.action,
        // What was looked for is chosen from where it is needed.
        None if !case.find.is_empty() => index == 0 && a.refused.is_empty(),
        None => open_first && index == 0 && a.refused.is_empty() && !nothing_to_choose(case, a),
    };
    let main = case
        .actions
        .iter()
        .filter(|a| !is_handling(a))
        .enumerate()
        .map(|(index, a)| choice(queue, case, a, open(index, a)))
        .collect_view();
    let handling = case
        .actions
        .iter()
        .filter(|a| is_handling(a))
        .map(|a| choice(queue, case, a, typed.is_some_and(|t| t.action == a.action)))
        .collect_view();
    view! {
        {case.undo.as_ref().map(|u| undo(queue, case, u))}
        <div class="choices">{main}</div>
        <div class="choices handling">{handling}</div>
    }
    .into_any()
}

/// Whether a decision needs a payment and none has been proposed or found: then nothing is laid open
/// that would suggest it.
fn nothing_to_choose(case: &CasePage, a: &ActionChoice) -> bool {
    a.asks.contains(&Ask::Candidate) && case.candidates.is_empty() && case.found.is_empty()
}

fn choice(queue: &Queue, case: &CasePage, a: &ActionChoice, open: bool) -> AnyView {
    let title = words::action(&a.action);
    let key = a.action.parse::<Action>().map_or("", words::action_key);
    if !a.refused.is_empty() {
        return view! {
            <div class="choice refused-choice">
                <p><span class="choice-title">{title}</span> <small class="flat">{a.refused.clone()}</small></p>
            </div>
        }
        .into_any();
    }
    let typed = case
        .typed
        .clone()
        .filter(|t| t.action == a.action)
        .unwrap_or_default();
    let id = |part: &str| format!("{}-{part}", a.action);
    let submit = if a.needs_approval {
        "Send for approval".to_owned()
    } else {
        title.clone()
    };
    let second = a.needs_approval.then(|| {
        let who = if a.approvers.is_empty() {
            "Nobody else can approve yet: an administrator adds an approver under Settings."
                .to_owned()
        } else {
            format!("A second person must agree: {}.", a.approvers.join(", "))
        };
        view! { <p class="second">{who}</p> }
    });
    view! {
        <details class="choice" name="decision" open=open data-key=(!key.is_empty()).then_some(key) data-label=title.clone()>
            <summary>
                <span class="choice-title">{title.clone()}</span>
                {(!key.is_empty()).then(|| view! { <kbd>{key}</kbd> })}
                {a.needs_approval.then(|| view! { <span class="tag">"two people"</span> })}
                <small>{a.explains.clone()}</small>
            </summary>
            <form method="post" action=routes::decide(&case.id) data-once="">
                {carried(queue, case, &a.action)}
                {a.asks.iter().map(|ask| asked(ask, case, &typed, &a.action)).collect_view()}
                {reason_and_comment(&id("reason"), &id("comment"), &a.reasons, &typed, &case.problems)}
                {postings::effect(&a.effect, a.needs_approval)}
                {second}
                <p class="go">
                    <button class="primary" type="submit" disabled=nothing_to_choose(case, a)>
                        {submit}
                    </button>
                    {(chooses(a) && !nothing_to_choose(case, a)).then(|| view! {
                        <button class="quiet" type="submit" name=field::PREVIEW value="1" formnovalidate>
                            "Show what it posts"
                        </button>
                    })}
                </p>
            </form>
        </details>
    }
    .into_any()
}

/// Whether what a decision posts follows from what is chosen in its form.
fn chooses(a: &ActionChoice) -> bool {
    a.asks.iter().any(|ask| {
        matches!(
            ask,
            Ask::Candidate | Ask::Shares | Ask::LedgerAccount { .. } | Ask::Outcome { .. }
        )
    })
}

/// What every decision carries: its id, the version and evidence that the person saw.
fn carried(queue: &Queue, case: &CasePage, action: &str) -> AnyView {
    view! {
        {form::hidden(field::ACTION, action)}
        {form::hidden(field::DECISION_ID, &case.decision_id)}
        {form::hidden(field::EXPECTED_VERSION, &case.version.to_string())}
        {form::hidden(field::EVIDENCE, &case.evidence_hashes.join(","))}
        {form::hidden(field::BACK, &back_query(queue))}
        {(!case.find.is_empty()).then(|| form::hidden(field::FIND, &case.find))}
    }
    .into_any()
}

/// Why: a code, and words where the code wants them. The style sheet marks the comment as required
/// while such a code is chosen.
pub fn reason_and_comment(
    reason_id: &str,
    comment_id: &str,
    reasons: &[ReasonChoice],
    typed: &TypedDecision,
    problems: &[FieldProblem],
) -> AnyView {
    // Of several forms on a page the refused one alone says what is wrong.
    let problems = if typed.action.is_empty() {
        &[]
    } else {
        problems
    };
    let wrong_reason = form::problem_of(field::REASON, problems);
    let reason_problem_id = format!("{reason_id}-problem");
    // Why is never guessed: only where there is one reason it is there already.
    let unchosen = (reasons.len() > 1).then(|| view! { <option value="">"choose …"</option> });
    let options = reasons
        .iter()
        .map(|r| {
            let label = if r.comment_required {
                format!("{} *", r.label)
            } else {
                r.label.clone()
            };
            view! {
                <option
                    value=r.code.clone()
                    selected=r.code == typed.reason
                    data-comment=r.comment_required.then_some("")
                >
                    {label}
                </option>
            }
        })
        .collect_view();
    let demanding: Vec<&str> = reasons
        .iter()
        .filter(|r| r.comment_required)
        .map(|r| r.label.as_str())
        .collect();
    let always = !reasons.is_empty() && demanding.len() == reasons.len();
    let hint = if always {
        "Every reason needs a comment.".to_owned()
    } else {
        format!("* Required with: {}.", demanding.join("; "))
    };
    let wants_comment = !demanding.is_empty();
    let hint_id = format!("{comment_id}-hint");
    let wrong = problems.iter().any(|p| p.field == field::COMMENT);
    let mark = if always { "needed always" } else { "needed" };
    view! {
        <div class="pair">
            <div class="field">
                <label for=reason_id.to_owned()>"Reason"</label>
                <select
                    id=reason_id.to_owned()
                    name=field::REASON
                    required=true
                    aria-invalid=wrong_reason.as_ref().map(|_| "true")
                    aria-describedby=wrong_reason.as_ref().map(|_| reason_problem_id.clone())
                >
                    {unchosen}
                    {options}
                </select>
                {wrong_reason.map(|text| view! { <p class="problem" id=reason_problem_id>{text}</p> })}
            </div>
            <div class="field grow">
                <label for=comment_id.to_owned()>
                    "Comment"
                    {wants_comment.then(|| view! { <span class=mark>" (required)"</span> })}
                </label>
                <input
                    id=comment_id.to_owned()
                    name=field::COMMENT
                    type="text"
                    maxlength="2000"
                    autocomplete="off"
                    required=always
                    value=(!typed.comment.is_empty()).then(|| typed.comment.clone())
                    aria-invalid=wrong.then_some("true")
                    aria-describedby=wants_comment.then(|| hint_id.clone())
                />
                {wants_comment.then(|| view! { <p class="hint" id=hint_id>{hint}</p> })}
            </div>
        </div>
    }
    .into_any()
}

fn asked(ask: &Ask, case: &CasePage, typed: &TypedDecision, action: &str) -> AnyView {
    match ask {
        Ask::Candidate => candidate_choice(case, &was(typed, field::CANDIDATE)),
        Ask::Shares => shares(case, typed, action),
        _ => asked_of_any(ask, typed, &case.problems, action),
    }
}

/// What was typed into a field before.
fn was(typed: &TypedDecision, name: &str) -> String {
    typed
        .fields
        .iter()
        .find(|(n, _)| n == name)
        .map_or(String::new(), |(_, v)| v.clone())
}

/// A field for what an action asks for that does not depend on the case.
pub fn asked_of_any(
    ask: &Ask,
    typed: &TypedDecision,
    problems: &[FieldProblem],
    action: &str,
) -> AnyView {
    let was = |name: &str| was(typed, name);
    let id = |name: &str| format!("{action}-{name}");
    let text = |name: &'static str,
                label: &'static str,
                kind: &'static str,
                hint: &str,
                least: Option<String>| {
        view! {
            <div class="field">
                <label for=id(name)>{label}</label>
                <input id=id(name) name=name type=kind value=was(name) min=least required=true autocomplete="off"/>
                {(!hint.is_empty()).then(|| view! { <p class="hint">{hint.to_owned()}</p> })}
            </div>
        }
        .into_any()
    };
    match ask {
        Ask::Outcome { choices } => form::select(
            &id(field::OUTCOME),
            field::OUTCOME,
            "How did the attempt end?",
            &to_be_chosen(choices),
            &was(field::OUTCOME),
            true,
            problems,
        ),
        Ask::WakeOn { earliest } => {
            let least = earliest.to_string();
            text(field::WAKE_ON, "Wake on", "date", "", Some(least))
        }
        Ask::Assignee { choices } => {
            let all: Vec<Choice> = std::iter::once(Choice::new("", "whoever is next"))
                .chain(choices.iter().cloned())
                .collect();
            form::select(
                &id(field::ASSIGNEE),
                field::ASSIGNEE,
                "To",
                &all,
                &was(field::ASSIGNEE),
                false,
                problems,
            )
        }
        Ask::Reference => text(
            field::REFERENCE,
            "Reference of the payment",
            "text",
            "What the other system or the customer calls it.",
            None,
        ),
        Ask::LedgerAccount { choices } => form::select(
            &id(field::LEDGER_ACCOUNT),
            field::LEDGER_ACCOUNT,
            "To which account?",
            &to_be_chosen(choices),
            &was(field::LEDGER_ACCOUNT),
            true,
            problems,
        ),
        Ask::Candidate | Ask::Shares => ().into_any(),
    }
}

/// The choices behind an empty one, so that nothing is chosen that nobody chose.
fn to_be_chosen(choices: &[Choice]) -> Vec<Choice> {
    std::iter::once(Choice::new("", "choose …"))
        .chain(choices.iter().cloned())
        .collect()
}

/// Everything that could be chosen: what the rules propose, then what was found.
fn choosable(case: &CasePage) -> impl Iterator<Item = &Candidate> {
    case.candidates.iter().chain(&case.found)
}

fn candidate_choice(case: &CasePage, chosen: &str) -> AnyView {
    if choosable(case).next().is_none() {
        return view! {
            <p class="hint">
                "Nothing is proposed. "
                <a href=format!("#{}", routes::FIND)>"Find the payment"</a>
                " by its id, reference or amount; what is found can be chosen here."
            </p>
        }
        .into_any();
    }
    let items = choosable(case)
        .map(|c| {
            let checked = if chosen.is_empty() {
                case.candidates.len() == 1 && case.found.is_empty()
            } else {
                c.key == chosen
            };
            view! {
                <label class="option">
                    <input
                        type="radio"
                        name=field::CANDIDATE
                        value=c.key.clone()
                        checked=checked
                        required=true
                    />
                    <span>{c.label.clone()}</span>
                    <span class="num">{c.amount.map(amount::amount)}</span>
                </label>
            }
        })
        .collect_view();
    view! { <fieldset class="options"><legend>"Which one?"</legend>{items}</fieldset> }.into_any()
}

fn shares(case: &CasePage, typed: &TypedDecision, action: &str) -> AnyView {
    let items = choosable(case)
        .map(|c| {
            let name = format!("{}{}", field::SHARE_PREFIX, c.key);
            let id = format!("{action}-share-{}", c.rank);
            let value = typed
                .fields
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, v)| v.clone());
            view! {
                <div class="share">
                    <label for=id.clone()>{c.label.clone()}</label>
                    <input
                        id=id
                        name=name
                        type="text"
                        inputmode="decimal"
                        class="num"
                        size="12"
                        value=value
                        autocomplete="off"
                    />
                    <span class="currency">{c.amount.map(|a| a.currency.to_string())}</span>
                </div>
            }
        })
        .collect_view();
    view! {
        <fieldset class="options">
            <legend>"How much belongs to each? The shares must come to the line."</legend>
            {items}
            {other_shares(case, typed, action)}
        </fieldset>
    }
    .into_any()
}

/// Payments beside the candidates that a form takes; the rest is for a second decision.
const OTHER_PAYMENTS: u32 = 3;

/// A line may be of payments that nothing on it names.
fn other_shares(case: &CasePage, typed: &TypedDecision, action: &str) -> AnyView {
    let problems = &case.problems;
    let currency = case.at_risk.map(|a| a.currency.to_string());
    let hint = format!("{action}-others-hint");
    let rows = (1..=OTHER_PAYMENTS)
        .map(|number| {
            let held = |name: &str| {
                let found = typed.fields.iter().find(|(n, _)| n == name);
                found.map(|(_, value)| value.clone())
            };
            let payment = format!("{}{number}", field::OTHER_PREFIX);
            let share = format!("{}{number}", field::OTHER_SHARE_PREFIX);
            let wrong = |name: &str| problems.iter().find(|p| p.field == name);
            let problem = wrong(&payment).or(wrong(&share)).map(|p| {
                view! { <p class="problem">{p.message.clone()}</p> }
            });
            let (bad_payment, bad_share) = (
                wrong(&payment).map(|_| "true"),
                wrong(&share).map(|_| "true"),
            );
            view! {
                <div class="share">
                    <input
                        name=payment.clone()
                        type="text"
                        value=held(&payment)
                        autocomplete="off"
                        aria-label=format!("Another payment, {number}")
                        aria-invalid=bad_payment
                        aria-describedby=hint.clone()
                    />
                    <input
                        name=share.clone()
                        type="text"
                        inputmode="decimal"
                        class="num"
                        size="12"
                        value=held(&share)
                        autocomplete="off"
                        aria-label=format!("Share of payment {number}")
                        aria-invalid=bad_share
                    />
                    <span class="currency">{currency.clone()}</span>
                </div>
                {problem}
            }
        })
        .collect_view();
    view! {
        <p class="hint" id=hint.clone()>
            "Payments that are not listed: the id of each, as Payments shows it, and its share."
        </p>
        {rows}
    }
    .into_any()
}

fn undo(queue: &Queue, case: &CasePage, u: &Undo) -> AnyView {
    let typed = case
        .typed
        .clone()
        .filter(|t| t.action == Action::ReverseDecision.code())
        .unwrap_or_default();
    view! {
        <div class="choices">
            <details class="choice" name="decision" open=!typed.action.is_empty() data-key="u" data-label=u.does.clone()>
                <summary>
                    <span class="choice-title">"Undo: " {u.does.clone()}</span>
                    <kbd>"u"</kbd>
                    {u.needs_approval.then(|| view! { <span class="tag">"two people"</span> })}
                    <small>{u.decision.clone()}</small>
                </summary>
                <form id=routes::UNDO method="post" action=routes::decide(&case.id) data-once="">
                    {carried(queue, case, Action::ReverseDecision.code())}
                    {form::hidden(field::REVERSES, &u.decision_id)}
                    {reason_and_comment("undo-reason", "undo-comment", &u.reasons, &typed, &case.problems)}
                    {postings::effect(&u.effect, u.needs_approval)}
                    <p class="go">
                        <button class="primary" type="submit">
                            {if u.needs_approval { "Send for approval".to_owned() } else { u.does.clone() }}
                        </button>
                    </p>
                </form>
            </details>
        </div>
    }
    .into_any()
}

/// The decision that waits for a second person, with who can give it.
pub fn awaiting(queue: &Queue, case: &CasePage) -> AnyView {
    let Some(d) = &case.awaiting else {
        return ().into_any();
    };
    view! {
        <section class="awaiting">
            <h2>{words::action(&d.action)} " · awaiting approval"</h2>
            {form::problems(&case.problems)}
            <p>
                {d.decided_by.clone()} " decided at " {time::moment(d.decided_at)} " UTC: "
                {d.reason.clone()} "."
                {(!d.comment.is_empty())
                    .then(|| view! { " “" {d.comment.clone()} "”" })}
            </p>
            {postings::effect(&d.effect, true)}
            {answer(queue, case, d)}
        </section>
    }
    .into_any()
}

fn answer(queue: &Queue, case: &CasePage, d: &AwaitingDecision) -> AnyView {
    if d.may_approve {
        return view! {
            <form method="post" action=routes::approval(&d.id) data-once="">
                {form::hidden(field::CASE, &case.id)}
                {form::hidden(field::EXPECTED_VERSION, &case.version.to_string())}
                {form::hidden(field::BACK, &back_query(queue))}
                {form::field(&Field {
                    id: "approval-comment",
                    name: field::COMMENT,
                    label: "Comment",
                    value: case.typed.as_ref().map_or("", |typed| typed.comment.as_str()),
                    hint: "Required to refuse, not to approve.",
                    problems: &case.problems,
                    ..Field::default()
                })}
                <p class="go">
                    <button class="primary" type="submit" name=field::APPROVE value="1" data-key="a" data-label="Approve">
                        "Approve" <kbd>"a"</kbd>
                    </button>
                    <button class="quiet" type="submit" name=field::APPROVE value="0">"Refuse"</button>
                </p>
            </form>
        }
        .into_any();
    }
    let who = if d.approvers.is_empty() {
        "Nobody can approve it yet: an administrator adds an approver under Settings.".to_owned()
    } else {
        format!("Who can: {}.", d.approvers.join(", "))
    };
    let withdraw = d.may_withdraw.then(|| {
        view! {
            <form id=routes::UNDO method="post" action=routes::approval(&d.id) data-once="">
                {form::hidden(field::CASE, &case.id)}
                {form::hidden(field::EXPECTED_VERSION, &case.version.to_string())}
                {form::hidden(field::BACK, &back_query(queue))}
                {form::hidden(field::COMMENT, "withdrawn")}
                <p class="go">
                    <button class="quiet" type="submit" name=field::APPROVE value="0" data-key="u" data-label="Withdraw my decision">
                        "Withdraw my decision" <kbd>"u"</kbd>
                    </button>
                </p>
            </form>
        }
    });
    view! {
        <p class="second">"You cannot approve this: " {d.why_not.clone()} ". " {who}</p>
        {withdraw}
    }
    .into_any()
}
