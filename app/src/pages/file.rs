//! One settlement file: what was read, whether it ties, what was not understood, and what that
//! means.

use crate::{
    components::{amount, case_view, decisions, form, lines, list, rows_by_state, time, words},
    document::{Layout, document},
    islands::LiveFiles,
    pages::files,
};
use domain::{
    line::Verdict,
    view::{
        Link,
        amount::count,
        file::{
            AcceptForm, ControlTotal, FilePage, GoesOn, PutAwayForm, TakeBackForm, VerdictCounts,
            counted_once,
        },
        files::FileState,
        queue::{QueueFilter, QueueView},
        routes::{self, field, pattern},
        shell::Shell,
    },
};
use leptos::prelude::*;

/// The page of one file.
pub fn file(assets: &str, shell: &Shell, page: &FilePage) -> AnyView {
    let f = &page.file;
    let about = format!(
        "{} · {} · {}{}",
        f.account,
        files::days(f),
        words::size(f.bytes),
        if f.profile.is_empty() {
            String::new()
        } else {
            format!(" · read as {}", f.profile)
        },
    );
    let lines_link = view! {
        <a class="button quiet" href=routes::file_lines(&f.id)>"All lines"</a>
    };
    let body = view! {
        {list::crumbs(&[Link::new("Files", pattern::FILES)])}
        {list::page_head(&f.name, &about, lines_link.into_any())}
        {form::problems(&page.problems)}
        {standing(page)}
        {page.accept.as_ref().map(|a| accept(page, a))}
        {page.put_away.as_ref().map(|form| put_away(page, form))}
        <div class="columns even">
            <section>
                <h2>"Rows"</h2>
                {rows_by_state::rows_by_state(&f.rows)}
            </section>
            <section>
                <h2>"Verdicts"</h2>
                {verdicts(page, &page.verdicts)}
            </section>
        </div>
        <section>
            <h2>"Control totals"</h2>
            {totals(page)}
        </section>
        {rejected(page)}
        <div class="columns even">
            <section>
                <h2>"Kinds of row"</h2>
                {kinds(page)}
            </section>
            <section>
                <h2>"History"</h2>
                {events(page)}
            </section>
        </div>
        <section>
            <h2>"Bytes"</h2>
            <dl class="facts stacked">
                {list::fact("SHA-256", view! { <code class="break">{page.sha256.clone()}</code> }.into_any())}
                {list::fact("Size", view! { {count(f.bytes)} " bytes" }.into_any())}
                {list::fact("Encoding", view! { {lines::or_dash(&page.encoding)} }.into_any())}
                {list::fact("Received (UTC)", view! { {time::moment(f.received_at)} " by " {f.received_by.clone()} }.into_any())}
            </dl>
            {list::links(&page.links)}
        </section>
        {page.take_back.as_ref().map(|form| take_back(page, form))}
        {f.is_under_way().then(|| view! { <LiveFiles/> })}
    };
    document(assets, shell, Layout::Sheet, &f.name, body.into_any())
}

fn standing(page: &FilePage) -> AnyView {
    let f = &page.file;
    if !f.stopped.is_empty() {
        return view! {
            <div class="notice refused">
                <p><strong>"Work on this file failed three times and stopped."</strong></p>
                <p class="differs">{f.stopped.clone()}</p>
                <p>"Its case says what can be done. Its days do not count as complete."</p>
            </div>
        }
        .into_any();
    }
    if f.state.is_loading() {
        return view! {
            <div class="notice note" data-file=f.id.clone()>
                <p><strong>{files::state(f)}</strong></p>
                <p>"Figures on this page are loading and not final. No case rests on them yet."</p>
                {(!page.error.is_empty())
                    .then(|| view! { <p class="differs">{page.error.clone()}</p> })}
            </div>
        }
        .into_any();
    }
    if let Some(a) = &page.awaiting {
        return view! {
            <div class="notice note">
                <p>
                    <strong>"Accepted by " {a.by.clone()} ", awaiting a second person"</strong>
                    " since " {time::minute(a.at)} " UTC. "
                    {if a.case_id.is_empty() {
                        "An approver accepts it as well with the form on this page.".into_any()
                    } else {
                        view! { <a href=routes::case_only(&a.case_id)>"Approve or refuse it"</a> }
                            .into_any()
                    }}
                </p>
            </div>
        }
        .into_any();
    }
    let (lead, class) = match f.state {
        FileState::Held => (
            "Held: nothing of this file is posted yet.",
            "notice refused",
        ),
        FileState::Refused => ("Refused: this file cannot be used.", "notice refused"),
        FileState::Withdrawn => ("Put away: nothing of this file counts.", "notice note"),
        _ => return used(page),
    };
    let reasons = page
        .held
        .iter()
        .map(|h| {
            view! {
                <li>
                    {words::sentence(&h.text)}
                    {(!h.remedy.is_empty()).then(|| view! {
                        " " <span class="quiet-text">{h.remedy.clone()}</span>
                    })}
                </li>
            }
        })
        .collect_view();
    view! {
        <div class=class>
            <p><strong>{lead}</strong></p>
            <ul>{reasons}</ul>
            {(!page.error.is_empty()).then(|| view! { <p class="differs">{page.error.clone()}</p> })}
            <p><a href=pattern::FILES>"Upload another file"</a></p>
        </div>
    }
    .into_any()
}

fn used(page: &FilePage) -> AnyView {
    let asked = page.take_back.as_ref().and_then(|form| form.asked.as_ref());
    let asked = asked.map(|word| {
        view! {
            <div class="notice note">
                <p>
                    <strong>{word.by.clone()} " wants this file taken back"</strong>
                    " since " {time::minute(word.at)} " UTC: " {words::sentence(&word.reason)}
                    " A second person agrees, or keeps it, "
                    <a href="#take-back">"below"</a> "."
                </p>
            </div>
        }
    });
    view! { {asked} {standing_in_use(page)} }.into_any()
}

fn standing_in_use(page: &FilePage) -> AnyView {
    let cases = page.file.open_cases;
    let rejected = page.file.rows.rejected;
    let repeated = page.file.rows.repeated;
    let whole = if accepted_although(page).next().is_some() {
        "Used as it is"
    } else {
        "Used whole"
    };
    let how = if rejected == 0 && repeated > 0 {
        let rows = words::counted(
            repeated,
            "row that repeats another counts",
            "rows that repeat others count",
        );
        format!("{whole}, where {rows} once")
    } else if rejected == 0 {
        whole.to_owned()
    } else {
        format!(
            "Used without {}; its days do not count as complete",
            words::counted(
                rejected,
                "row that could not be read",
                "rows that could not be read"
            )
        )
    };
    let waits = (page.file.set_aside > 0).then(|| {
        let waiting = QueueFilter {
            view: QueueView::Waiting,
            file: page.file.id.clone(),
            ..QueueFilter::default()
        };
        let text = words::counted(page.file.set_aside, "case is", "cases are");
        view! { " " <a href=routes::review(&waiting)>{text} " set aside"</a> " until a date." }
    });
    if cases > 0 {
        let number = words::counted(cases, "case", "cases");
        let wait = if cases == 1 { "waits" } else { "wait" };
        return view! {
            <div class="notice note">
                <p>
                    <strong>
                        <a href=files::queue_of(&page.file.id)>{number} " of it " {wait} " for a person"</a>
                    </strong>
                    ". " {how} "." {untied(page)} {waits}
                </p>
                {although(page)}
            </div>
        }
        .into_any();
    }
    let calm = if page.totals.iter().any(ControlTotal::waits) {
        " Nothing of it needs a person yet."
    } else if page.file.set_aside > 0 {
        ""
    } else {
        " Nothing of it needs a person."
    };
    view! {
        <p class="lead"><span class="agrees">"used"</span> " " {how} "." {calm} {untied(page)} {waits}</p>
        {although(page)}
    }
    .into_any()
}

/// Why a used file was held, where people said that it is used all the same and nothing else on the page
/// says so.
fn accepted_although(page: &FilePage) -> impl Iterator<Item = &str> {
    page.held
        .iter()
        .filter(|h| {
            matches!(
                h.code.as_str(),
                "total_does_not_tie" | "totals_not_checked" | "cut_off"
            )
        })
        .map(|h| h.text.as_str())
}

/// That stays to be seen for as long as the file does.
fn although(page: &FilePage) -> Option<AnyView> {
    let reasons: Vec<_> = accepted_although(page)
        .map(|text| view! { <li>{words::sentence(text)}</li> })
        .collect();
    (!reasons.is_empty()).then(|| {
        view! {
            <p>"Accepted as it is, although the following holds; its days do not count as complete."</p>
            <ul>{reasons}</ul>
        }
        .into_any()
    })
}

fn accept(page: &FilePage, a: &AcceptForm) -> AnyView {
    view! {
        <section class="decide">
            <h2>"Accept it as it is"</h2>
            <form method="post" action=routes::accept(&page.file.id) data-once="">
                {form::hidden(field::DECISION_ID, &a.decision_id)}
                {form::hidden(field::EXPECTED_VERSION, &a.expected_version.to_string())}
                {decisions::reason_and_comment(
                    "accept-reason",
                    "accept-comment",
                    &a.reasons,
                    &a.typed,
                    &page.problems,
                )}
                <p class="hint">{a.explains.clone()}</p>
                <p class="go">
                    <button class="primary" type="submit">
                        {if a.needs_approval { "Send for approval" } else { "Accept as it is" }}
                    </button>
                </p>
            </form>
        </section>
    }
    .into_any()
}

fn put_away(page: &FilePage, f: &PutAwayForm) -> AnyView {
    let (title, explains, button, to) = if f.is_away {
        (
            "Hold it again",
            "The file waits for a person again, as it did before it was put away.",
            "Hold it again",
            routes::hold_again(&page.file.id),
        )
    } else {
        (
            "Put it away",
            "Nothing of the file is posted, its rows count as put away, and nobody is asked about it \
             any more. The file and its history stay.",
            "Put it away",
            routes::put_away(&page.file.id),
        )
    };
    view! {
        <section class="decide">
            <h2>{title}</h2>
            <form method="post" action=to data-once="">
                {decisions::reason_and_comment(
                    "away-reason",
                    "away-comment",
                    &f.reasons,
                    &f.typed,
                    &page.problems,
                )}
                <p class="hint">{explains}</p>
                <p class="go"><button class="quiet" type="submit">{button}</button></p>
            </form>
        </section>
    }
    .into_any()
}

fn take_back(page: &FilePage, f: &TakeBackForm) -> AnyView {
    const EXPLAINS: &str = "Everything that its lines posted is posted the other way by new entries of the \
         day on which a second person agrees; its cases close, its rows no longer count, and what they \
         displaced counts again. The file and its history stay. The same file can then be used for the \
         right account, or for this one after all.";
    let form = |to: String,
                title: &'static str,
                reasons: &[_],
                typed: &_,
                name: &str,
                class: &'static str,
                explains| {
        view! {
            <h3>{title}</h3>
            <form method="post" action=to data-once="">
                {decisions::reason_and_comment(
                    &format!("{name}-reason"),
                    &format!("{name}-comment"),
                    reasons,
                    typed,
                    &page.problems,
                )}
                <p class="hint">{explains}</p>
                <p class="go"><button class=class type="submit">{title}</button></p>
            </form>
        }
    };
    let back = (f.asked.is_none() || f.may_agree).then(|| {
        let title = if f.may_agree {
            "Agree: take this file back"
        } else {
            "Take this file back"
        };
        form(
            routes::take_back(&page.file.id),
            title,
            &f.reasons,
            &f.typed,
            "back",
            "quiet",
            EXPLAINS,
        )
    });
    let keep = f.asked.is_some().then(|| {
        let explains = "Nothing changes: the file stays in the books.";
        form(
            routes::keep(&page.file.id),
            "Keep this file",
            &f.reasons_to_keep,
            &f.typed_to_keep,
            "keep",
            "quiet",
            explains,
        )
    });
    view! {
        <section class="decide" id="take-back">
            <h2>"Used by mistake?"</h2>
            {back}
            {keep}
        </section>
    }
    .into_any()
}

fn verdicts(page: &FilePage, v: &VerdictCounts) -> AnyView {
    let row = |verdict: Option<Verdict>, n: u64| {
        let (word, code) = verdict.map_or(("being matched", ""), |v| (words::verdict(v), v.code()));
        let href = routes::query(&routes::file_lines(&page.file.id), &[("verdict", code)]);
        let number = if n > 0 {
            view! { <a href=href>{count(n)}</a> }.into_any()
        } else {
            view! { "–" }.into_any()
        };
        view! { <div><dt>{word}</dt><dd class="num">{number}</dd></div> }
    };
    view! {
        <dl class="row-sum">
            {row(Some(Verdict::Matched), v.matched)}
            {row(Some(Verdict::Proposed), v.proposed)}
            {row(Some(Verdict::Conflict), v.conflict)}
            {row(Some(Verdict::Unmatched), v.unmatched)}
            {row(Some(Verdict::Accounted), v.accounted)}
            {(v.pending > 0).then(|| row(None, v.pending))}
        </dl>
    }
    .into_any()
}

/// What becomes of a residual.
fn goes_on(what: &GoesOn) -> AnyView {
    match what {
        GoesOn::Ties => view! { <small>"in this file; the whole batch ties"</small> }.into_any(),
        GoesOn::Until(due) => view! {
            <small>"its rest may come until " {time::minute(*due)} " UTC; then a case opens"</small>
        }
        .into_any(),
        GoesOn::Since(due) => view! {
            <small>"its rest was due by " {time::minute(*due)} " UTC; the next check opens a case"</small>
        }
        .into_any(),
        GoesOn::Case(id) => view! {
            <small>"case " <a href=routes::case_only(id)>{id.clone()}</a></small>
        }
        .into_any(),
    }
}

/// The batches of the page that do not tie and that no case is about yet.
fn untied(page: &FilePage) -> Option<AnyView> {
    let number = page.totals.iter().filter(|t| t.waits()).count() as u64;
    (number > 0).then(|| {
        let batches = words::counted(number, "batch does", "batches do");
        view! {
            " " <span class="differs">{batches} " not add up to the payout so far"</span>
            ": the rest may come in another file, and a case opens where it does not (see the control totals)."
        }
        .into_any()
    })
}

fn totals(page: &FilePage) -> AnyView {
    if page.totals.is_empty() {
        return view! { <p class="quiet-text">"No row of money, so nothing to total."</p> }
            .into_any();
    }
    let row = |t: &ControlTotal| {
        let declared = match t.declared {
            Some(d) => amount::amount_cell(d),
            None => view! { <td class="num quiet-text">"none"</td> }.into_any(),
        };
        let residual = match (t.residual, t.ties()) {
            (Some(r), Some(true)) => view! {
                <td class="num"><span class="agrees">"ties"</span> " " {amount::amount(r)}</td>
            }
            .into_any(),
            (Some(r), _) => view! {
                <td class="num">
                    <span class="differs">"off by"</span> " " {amount::amount(r)}
                    {t.goes_on.as_ref().map(goes_on)}
                </td>
            }
            .into_any(),
            (None, _) => view! { <td class="num quiet-text">"nothing declared"</td> }.into_any(),
        };
        let name = if t.batch_id.is_empty() {
            "rows without a batch".to_owned()
        } else {
            t.batch_id.clone()
        };
        view! {
            <tr>
                <th scope="row" class="break mono">{name}</th>
                <td class="num" data-label="Rows">{count(t.rows)}</td>
                {list::named("Gross", amount::amount_cell(t.gross))}
                {list::named("Fee", amount::amount_cell(t.fee))}
                {list::named("Net, summed", amount::amount_cell(t.net))}
                {list::named("Declared", declared)}
                {list::named("Residual", residual)}
            </tr>
        }
    };
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Control totals">
            <table class="sheet cards">
                <thead>
                    <tr>
                        <th scope="col">"Batch"</th>
                        <th scope="col" class="num">"Rows"</th>
                        <th scope="col" class="num">"Gross"</th>
                        <th scope="col" class="num">"Fee"</th>
                        <th scope="col" class="num">"Net, summed"</th>
                        <th scope="col" class="num">"Declared"</th>
                        <th scope="col" class="num">"Residual"</th>
                    </tr>
                </thead>
                <tbody>{page.totals.iter().map(row).collect_view()}</tbody>
            </table>
        </div>
        {(page.same_rows > 0).then(|| view! { <p>{counted_once(page.same_rows)}</p> })}
        {(page.totals_count > page.totals.len() as u64).then(|| view! {
            <p class="quiet-text">
                {format!("{} of {} batches shown.", page.totals.len(), count(page.totals_count))}
            </p>
        })}
    }
    .into_any()
}

fn rejected(page: &FilePage) -> AnyView {
    if page.rejected.is_empty() {
        return ().into_any();
    }
    let rows = page
        .rejected
        .iter()
        .map(|r| {
            view! {
                <tr>
                    <td class="num" data-label="Line">
                        <a href=routes::line(&page.file.id, r.line_no)>{count(r.line_no)}</a>
                    </td>
                    <td class="mono break" data-label="Row id">{lines::or_dash(&r.row_id)}</td>
                    <td data-label="Column">{lines::or_dash(&r.column)}</td>
                    <td class="mono break" data-label="Value">{lines::or_dash(&r.value)}</td>
                    <td class="wide" data-label="What is wrong">{r.message.clone()}</td>
                </tr>
            }
        })
        .collect_view();
    let total = page.file.rows.rejected;
    view! {
        <section>
            <div class="section-head">
                <h2>{words::counted(total, "rejected row", "rejected rows")}</h2>
                <a class="button quiet" href=routes::rejected(&page.file.id) download="">
                    "Download as CSV"
                </a>
            </div>
            <p class="quiet-text">
                "Download them with the file's own header and, in a first column, what is wrong with each;
                repair them, and upload all of them together. Leave the first column there: by it the rows are known as
                repaired and keep their place, and the apostrophes that keep a spreadsheet from running a cell are taken off again."
            </p>
            <div class="scroll" tabindex="0" role="group" aria-label="Rejected rows">
                <table class="sheet cards">
                    <thead>
                        <tr>
                            <th scope="col" class="num">"Line"</th>
                            <th scope="col">"Row id"</th>
                            <th scope="col">"Column"</th>
                            <th scope="col">"Value"</th>
                            <th scope="col">"What is wrong"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            {(total > page.rejected.len() as u64).then(|| view! {
                <p class="quiet-text">
                    {format!("The first {} of {} are shown.", page.rejected.len(), count(total))}
                </p>
            })}
        </section>
    }
    .into_any()
}

fn kinds(page: &FilePage) -> AnyView {
    let rows = page
        .kinds
        .iter()
        .map(|k| {
            let href = routes::query(
                &routes::file_lines(&page.file.id),
                &[("kind", k.kind.code())],
            );
            view! {
                <div>
                    <dt>{words::row_kind(k.kind)}</dt>
                    <dd class="num"><a href=href>{count(k.rows)}</a></dd>
                </div>
            }
        })
        .collect_view();
    view! { <dl class="row-sum">{rows}</dl> }.into_any()
}

fn events(page: &FilePage) -> AnyView {
    let events: Vec<_> = page
        .events
        .iter()
        .map(|e| case_view::Happened {
            at: e.at,
            text: e.text.clone(),
            actor: e.actor.clone(),
            to: ().into_any(),
        })
        .collect();
    case_view::event_list(events)
}
