//! Audit: who did and saw what, the export for auditors, and whether the seal holds.

use crate::{
    components::{form, list, time, words},
    document::{Layout, document},
};
use domain::view::{
    Link,
    amount::count,
    audit::{AuditFilter, AuditPage, AuditRow, Verification, did, facts},
    form::Choice,
    routes::{self, field, pattern},
    shell::Shell,
};
use leptos::prelude::*;

/// The audit page.
pub fn audit(assets: &str, shell: &Shell, page: &AuditPage) -> AnyView {
    let body = view! {
        {list::page_head(
            "Audit",
            "Nothing here can be changed: every record is hashed into a block, every block names the one before.",
            ().into_any(),
        )}
        {form::problems(&page.problems)}
        <div class="columns even">
            <section>
                <h2>"Verify"</h2>
                {verify(shell, page)}
            </section>
            <section>
                <h2>"Export for auditors"</h2>
                {export(page)}
            </section>
        </div>
        <section>
            <h2>"Log"</h2>
            {filter(page)}
            {rows(page)}
        </section>
    };
    document(assets, shell, Layout::Sheet, "Audit", body.into_any())
}

fn verify(shell: &Shell, page: &AuditPage) -> AnyView {
    let head = shell.head.as_ref().map(|h| {
        view! {
            <p>
                "Head " {count(h.block.unsigned_abs())} " "
                <code class="break">{h.hash.clone()}</code>
                ", sealed " {time::moment(h.sealed_at)} " UTC."
            </p>
        }
    });
    view! {
        {head}
        <p class="quiet-text">
            "Recomputes every leaf, block, balance and uniqueness. Note the head somewhere else: it
            proves later that nothing before it was rewritten."
        </p>
        <form method="post" action=pattern::AUDIT_VERIFY data-once="">
            <p class="go"><button class="primary" type="submit">"Verify now"</button></p>
        </form>
        {page.verified.as_ref().map(verified)}
    }
    .into_any()
}

fn verified(v: &Verification) -> AnyView {
    let holds = v.holds();
    let checks = v
        .checks
        .iter()
        .map(|c| {
            let class = if c.holds { "agrees" } else { "differs" };
            view! { <li><span class=class>{c.what.clone()}</span> <small>{c.detail.clone()}</small></li> }
        })
        .collect_view();
    let (class, lead) = if holds {
        ("notice done", "Verified: everything holds.")
    } else {
        (
            "notice refused",
            "Broken: the first record that does not hold is named below.",
        )
    };
    view! {
        <div class=class role="status">
            <p>
                <strong>{lead}</strong>
                {format!(
                    " {} blocks, {} leaves, head {} ",
                    count(v.blocks),
                    count(v.leaves),
                    v.head_block,
                )} <code title=v.head_hash.clone()>{words::short_hash(&v.head_hash)}</code>
            </p>
            <ul class="checks">{checks}</ul>
            <p class="quiet-text">"By " {v.by.clone()} ", " {time::moment(v.at)} " UTC"</p>
        </div>
    }
    .into_any()
}

fn export(page: &AuditPage) -> AnyView {
    view! {
        <p class="quiet-text">
            "A zip of records, blocks, proofs and a manifest. It verifies without this server:
            " <code>"tieout verify FILE.zip"</code> "."
        </p>
        <form class="inline-form" method="get" action=pattern::AUDIT_EXPORT>
            <div class="field">
                <label for="export-from">"From"</label>
                <input id="export-from" type="date" name=field::FROM value=page.export_from.clone() required/>
            </div>
            <div class="field">
                <label for="export-to">"To"</label>
                <input id="export-to" type="date" name=field::TO value=page.export_to.clone() required/>
            </div>
            <button class="primary" type="submit">"Download bundle"</button>
        </form>
    }
    .into_any()
}

fn pairs(f: &AuditFilter) -> Vec<(&'static str, &str)> {
    vec![
        ("actor", f.actor.as_str()),
        ("action", &f.action),
        ("subject", &f.subject),
        ("from", &f.from),
        ("to", &f.to),
    ]
}

fn filter(page: &AuditPage) -> AnyView {
    let f = &page.filter;
    let actions: Vec<Choice> = page
        .actions
        .iter()
        .map(|a| Choice::new(a.clone(), did(a).trim_end_matches(':').to_owned()))
        .collect();
    let narrowed = pairs(f).iter().any(|(_, v)| !v.is_empty());
    view! {
        <form class="filter" method="get" action=pattern::AUDIT role="search" aria-label="Filter the log">
            {form::chip_input("actor", "Who", "search", &f.actor, "address")}
            {form::chip_select("action", "Did", &actions, &f.action)}
            {form::chip_input("subject", "About", "text", &f.subject, "case, file, entry")}
            {form::chip_input("from", "From", "date", &f.from, "")}
            {form::chip_input("to", "To", "date", &f.to, "")}
            <button class="quiet" type="submit">"Filter"</button>
            {narrowed.then(|| view! { <a class="clear" href=pattern::AUDIT>"Clear"</a> })}
        </form>
    }
    .into_any()
}

fn rows(page: &AuditPage) -> AnyView {
    if page.rows.is_empty() {
        return list::empty(
            "No records",
            "Nothing was recorded under this filter.",
            Some(Link::new("Whole log", pattern::AUDIT)),
        );
    }
    let row = |r: &AuditRow| {
        view! {
            <tr>
                <td class="nowrap">{time::moment(r.at)}</td>
                <td class="break">{r.actor.clone()}</td>
                <th scope="row">{did(&r.action)} " " {subject(r)}</th>
                <td class="wide">{detail(r)}</td>
            </tr>
        }
    };
    let next = page.next.as_ref().map(|after| {
        let mut all = pairs(&page.filter);
        all.push(("after", after));
        routes::query(pattern::AUDIT, &all)
    });
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Audit log">
            <table class="sheet cards log">
                <caption class="sr">"Audit log, newest first"</caption>
                <thead>
                    <tr>
                        <th scope="col">"At (UTC)"</th>
                        <th scope="col">"Who"</th>
                        <th scope="col">"Did what"</th>
                        <th scope="col">"With"</th>
                    </tr>
                </thead>
                <tbody>{page.rows.iter().map(row).collect_view()}</tbody>
            </table>
        </div>
        {next.map(|href| view! {
            <nav class="pager" aria-label="More rows">
                <a class="button" rel="next" href=href>"Earlier records"</a>
            </nav>
        })}
    }
    .into_any()
}

/// What a record is about, with the way to its page. Of what somebody did to themselves nothing is said.
fn subject(r: &AuditRow) -> AnyView {
    let name = if r.about.is_empty() {
        &r.subject
    } else {
        &r.about
    };
    if !r.href.is_empty() {
        view! { <a href=r.href.clone()>{name.clone()}</a> }.into_any()
    } else if *name == r.actor {
        ().into_any()
    } else {
        view! { <span>{name.clone()}</span> }.into_any()
    }
}

/// What was said beside it, and the record itself.
fn detail(r: &AuditRow) -> AnyView {
    let facts = facts(&r.detail);
    if facts.is_empty() {
        return ().into_any();
    }
    let shown = facts
        .iter()
        .map(|(name, value)| view! { <div><dt>{name.clone()}</dt><dd>{value.clone()}</dd></div> })
        .collect_view();
    view! {
        <dl class="with">{shown}</dl>
        <details class="record">
            <summary>"Record"</summary>
            <code>{r.subject.clone()} " " {r.detail.clone()}</code>
        </details>
    }
    .into_any()
}
