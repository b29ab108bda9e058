//! What holds for every page in every state that was designed, on the HTML as it is sent.
#![cfg(feature = "ssr")]
#![allow(clippy::unwrap_used)] // a test fails where the page is not as it must be

#[path = "../examples/gallery/fixtures/mod.rs"]
mod fixtures;
#[path = "../examples/gallery/render.rs"]
mod render;
mod tags;

use std::collections::BTreeSet;
use tags::{Tag, tags};

fn pages() -> Vec<(&'static str, String)> {
    fixtures::all_pages()
        .into_iter()
        .map(|(name, page)| (name, render::to_html(page)))
        .collect()
}

fn page(name: &str) -> String {
    pages()
        .into_iter()
        .find(|(n, _)| *n == name)
        .map(|(_, html)| html)
        .unwrap()
}

#[test]
fn every_page_is_a_whole_document_with_one_headline() {
    for (name, html) in pages() {
        assert!(html.starts_with("<!DOCTYPE html>"), "{name}");
        assert!(html.contains("<html lang=\"en\""), "{name}");
        assert!(html.contains("· Tieout</title>"), "{name}");
        let headlines = tags(&html).iter().filter(|t| t.opens("h1")).count();
        assert_eq!(headlines, 1, "{name}");
        assert!(html.trim_end().ends_with("</html>"), "{name}");
    }
}

#[test]
fn a_file_that_was_accepted_although_something_is_wrong_goes_on_saying_so() {
    let html = page("file-accepted").replace("<!>", "");
    assert!(
        html.contains("the total that the file declares is not the sum of its rows."),
        "{html}"
    );
    assert!(html.contains("its days do not count as complete"));
    assert!(!html.contains("Used whole"));
    assert!(!page("file").contains("Accepted as it is, although"));
}

#[test]
fn headings_go_down_one_step_at_a_time() {
    for (name, html) in pages() {
        let mut before = 0;
        for tag in tags(&html) {
            let level = match tag.name.as_str() {
                "h1" => 1,
                "h2" => 2,
                "h3" => 3,
                _ => continue,
            };
            if !tag.closing {
                assert!(level <= before + 1, "{name}: h{level} after h{before}");
                before = level;
            }
        }
    }
}

#[test]
fn nothing_on_a_page_needs_an_inline_style_or_script() {
    for (name, html) in pages() {
        for tag in tags(&html).iter().filter(|t| !t.closing) {
            assert!(tag.get("style").is_none(), "{name}: {tag:?}");
            assert!(
                !tag.attributes.iter().any(|(a, _)| a.starts_with("on")),
                "{name}: {tag:?}"
            );
            if tag.opens("script") {
                assert!(tag.get("src").is_some(), "{name}: {tag:?}");
            }
            assert!(!tag.opens("style"), "{name}");
        }
    }
}

#[test]
fn pages_before_sign_in_load_no_script() {
    for name in ["sign-in", "set-up", "error-401"] {
        assert!(!page(name).contains("<script"), "{name}");
    }
}

#[test]
fn every_form_says_how_and_where_it_is_sent() {
    for (name, html) in pages() {
        for form in tags(&html).iter().filter(|t| t.opens("form")) {
            let method = form.get("method").unwrap_or_default();
            if method == "dialog" {
                continue;
            }
            assert!(matches!(method, "get" | "post"), "{name}: {form:?}");
            let action = form.get("action").unwrap_or_default();
            assert!(domain::view::routes::is_local(action), "{name}: {form:?}");
        }
    }
}

#[test]
fn every_field_has_a_label() {
    for (name, html) in pages() {
        let all = tags(&html);
        let labelled: BTreeSet<&str> = all
            .iter()
            .filter(|t| t.opens("label"))
            .filter_map(|t| t.get("for"))
            .collect();
        let mut in_label = 0_i32;
        for tag in &all {
            if tag.name == "label" {
                in_label += if tag.closing { -1 } else { 1 };
            }
            let is_field = matches!(tag.name.as_str(), "input" | "select" | "textarea")
                && !tag.closing
                && tag.get("type") != Some("hidden");
            if is_field {
                let named = in_label > 0
                    || tag.get("aria-label").is_some()
                    || tag.get("id").is_some_and(|id| labelled.contains(id));
                assert!(named, "{name}: {tag:?}");
            }
        }
    }
}

#[test]
fn ids_are_unique_and_everything_referred_to_exists() {
    for (name, html) in pages() {
        let all = tags(&html);
        let mut ids = BTreeSet::new();
        for id in all.iter().filter_map(|t| t.get("id")) {
            assert!(ids.insert(id), "{name}: {id} twice");
        }
        for tag in &all {
            for attribute in [
                "for",
                "aria-describedby",
                "aria-labelledby",
                "aria-controls",
            ] {
                for id in tag.get(attribute).unwrap_or_default().split_whitespace() {
                    assert!(ids.contains(id), "{name}: {tag:?}");
                }
            }
        }
    }
}

#[test]
fn amounts_in_tables_stand_right() {
    for (name, html) in pages() {
        let mut cell: Option<Tag> = None;
        for tag in tags(&html) {
            if tag.name == "td" || tag.name == "th" {
                cell = (!tag.closing).then_some(tag);
            } else if tag.opens("span")
                && tag.get("class") == Some("amount")
                && let Some(cell) = &cell
            {
                let class = cell.get("class").unwrap_or_default();
                assert!(class.split(' ').any(|c| c == "num"), "{name}: {cell:?}");
            }
        }
    }
}

#[test]
fn hostile_text_stays_text() {
    let html = page("case-hostile");
    assert!(html.contains("&lt;script&gt;alert(1)"));
    assert!(!html.contains("<script>alert"));
    assert!(!html.contains("<img"));
    // Attributes hold it too, and end where they should.
    for tag in tags(&html) {
        assert!(tag.get("onerror").is_none(), "{tag:?}");
    }
}

#[test]
fn links_lead_somewhere_on_this_site() {
    for (name, html) in pages() {
        for link in tags(&html).iter().filter(|t| t.opens("a")) {
            let href = link.get("href").unwrap_or_default();
            assert!(
                href.starts_with('#') || domain::view::routes::is_local(href),
                "{name}: {link:?}"
            );
        }
    }
}

/// The hidden values of every form that posts to a path ending so.
fn carried(html: &str, end: &str) -> Vec<BTreeSet<String>> {
    let mut forms = Vec::new();
    let mut open: Option<BTreeSet<String>> = None;
    for tag in tags(html) {
        if tag.name == "form" {
            if tag.closing {
                forms.extend(open.take());
            } else if tag.get("action").unwrap_or_default().ends_with(end) {
                open = Some(BTreeSet::new());
            }
        } else if let (Some(names), Some("hidden")) = (&mut open, tag.get("type")) {
            names.extend(tag.get("name").map(str::to_owned));
        }
    }
    forms
}

#[test]
fn every_decision_carries_its_id_and_what_the_person_saw() {
    for name in [
        "case-duplicate",
        "case-ambiguous",
        "case-resolved",
        "case-stale",
    ] {
        let forms = carried(&page(name), "/decide");
        assert!(!forms.is_empty(), "{name}");
        for form in forms {
            for field in ["decision_id", "expected_version", "action", "evidence"] {
                assert!(form.contains(field), "{name}: {form:?}");
            }
        }
    }
    assert!(carried(&page("file-held"), "/accept")[0].contains("decision_id"));
}

#[test]
fn a_stale_decision_shows_the_difference_and_keeps_what_was_typed() {
    let html = page("case-stale");
    assert!(html.contains("Your decision was not applied"));
    assert!(html.contains("bo.berg@example.com"));
    assert!(html.contains("Second order by phone, see ticket 88"));
    assert!(html.contains("phone-7781"));
}

#[test]
fn whoever_decided_is_told_who_can_approve_and_gets_no_button_for_it() {
    let own = page("case-awaiting");
    assert!(own.contains("You cannot approve this"));
    assert!(own.contains("bo.berg@example.com, eve.ito@example.com"));
    assert!(!own.contains("name=\"approve\" value=\"1\""));
    assert!(page("case-approver").contains("name=\"approve\" value=\"1\""));
}

#[test]
fn whoever_only_reads_is_offered_no_decision() {
    assert!(carried(&page("case-auditor"), "/decide").is_empty());
    assert!(!page("case-auditor").contains("name=\"case\""));
}

#[test]
fn the_navigation_shows_only_what_the_person_may_open() {
    let analyst = page("review");
    assert!(!analyst.contains("href=\"/settings\"") && !analyst.contains("href=\"/audit\""));
    assert!(page("audit").contains("href=\"/audit\""));
    assert!(page("settings-users").contains("href=\"/settings\""));
}

#[test]
fn an_empty_page_says_what_to_do_next() {
    for (name, step) in [
        ("review-empty", "Upload a file"),
        ("review-narrowed", "Clear the filter"),
        ("files-empty", "Upload the first one"),
        ("files-no-provider", "An administrator adds it"),
        ("payments-empty", "Import a CSV below"),
        ("ledger-empty", "Upload a settlement file"),
        ("overview-first", "Import payments"),
        ("overview-calm", "What was compared agrees"),
        ("sign-in-nobody", "one-time set-up link"),
    ] {
        assert!(page(name).contains(step), "{name}");
    }
}

#[test]
fn sums_are_never_taken_across_currencies() {
    let html = page("review");
    let foot = html.split("<tfoot").nth(1).unwrap();
    assert!(foot.contains("61,480.92") && foot.contains("12,904"));
}

#[test]
fn a_printed_page_names_its_filter_and_the_head() {
    let html = page("audit");
    let head = html.split("print-head").nth(1).unwrap();
    assert!(head.contains("actor=ana"));
    assert!(head.contains(fixtures::people::HASH));
}
