//! An export holds what its screen lists: the same filter, the same order, the same totals.

use crate::under_test::{Browser, UnderTest, on_both};
use domain::actor::{Actor, Role};
use engine::{
    EvidenceStore, demo,
    views::{entries, payments, queue},
};

async fn column(server: &UnderTest, browser: &mut Browser, path: &str, name: &str) -> Vec<String> {
    let answer = server.get(browser, path).await;
    assert!(answer.status.is_success(), "{path}: {}", answer.body);
    let mut reader = csv::Reader::from_reader(answer.body.as_bytes());
    let at = reader
        .headers()
        .unwrap()
        .iter()
        .position(|h| h == name)
        .unwrap();
    reader
        .records()
        .map(|r| r.unwrap()[at].to_owned())
        .collect()
}

/// A filter as a page reads it from its address.
fn filter_of<T: serde::de::DeserializeOwned>(query: &str) -> T {
    let uri = format!("/?{query}").parse().unwrap();
    axum::extract::Query::<T>::try_from_uri(&uri).unwrap().0
}

/// What is listed, page after page.
macro_rules! listed {
    ($server:expr, $list:path, $actor:expr, $filter:expr, $row:expr) => {{
        let mut filter = $filter;
        let mut found = Vec::new();
        loop {
            let page = $list(&$server.engine, $actor, &filter).await.unwrap();
            found.extend(page.rows.iter().map($row));
            match page.next {
                Some(next) => filter.after = next,
                None => break found,
            }
        }
    }};
}

#[test]
fn an_export_equals_the_screen_under_any_filter() {
    on_both(async |server| {
        let folder = tempfile::tempdir().unwrap();
        let evidence = EvidenceStore::open(folder.path()).await.unwrap();
        demo::load(&server.engine, &evidence).await.unwrap();
        let mut browser = server.signed_in_as(&[Role::Analyst]).await;
        let person = server.user_of(&[Role::Analyst]).await;
        let actor = Actor::Person {
            user_id: person.id,
            email: person.email.clone(),
            roles: person.roles.clone(),
        };
        for query in [
            "",
            "kind=amount_mismatch",
            "provider=stripe-eu&currency=EUR&min=50",
            "view=resolved",
            "view=waiting",
            "view=mine",
            "owner=nobody",
        ] {
            let filter = filter_of(query);
            let screen: Vec<String> = listed!(server, queue, &actor, filter, |row| row.id.clone());
            let path = format!("/exports/cases.csv?{query}");
            assert_eq!(
                column(&server, &mut browser, &path, "case_id").await,
                screen,
                "{query}"
            );
            assert!(
                !screen.is_empty() || query.contains("view="),
                "{query} lists nothing"
            );
        }
        for query in ["", "state=REVIEW", "provider=stripe-eu", "provider=none"] {
            let filter = filter_of(query);
            let screen: Vec<String> =
                listed!(server, payments, &actor, filter, |row| row.id.clone());
            let path = format!("/exports/payments.csv?{query}");
            let mut export = column(&server, &mut browser, &path, "intent_id").await;
            // One row an attempt.
            export.dedup();
            assert_eq!(export, screen, "{query}");
        }
        for query in [
            "",
            "ledger_account=suspense",
            "provider=stripe-eu&currency=EUR",
        ] {
            let filter: domain::view::ledger::EntryFilter = filter_of(query);
            let totals = entries(&server.engine, &actor, &filter)
                .await
                .unwrap()
                .totals;
            let screen: Vec<String> =
                listed!(server, entries, &actor, filter, |row| row.no.to_string());
            let path = format!("/exports/ledger.csv?{query}");
            let mut export = column(&server, &mut browser, &path, "entry_no").await;
            export.dedup();
            assert_eq!(export, screen, "{query}");
            // In minor units, without a float between.
            let cents = |text: &String| text.replace('.', "").parse::<i128>().unwrap();
            let debits = column(&server, &mut browser, &path, "debit").await;
            let currencies = column(&server, &mut browser, &path, "currency").await;
            for total in totals {
                let code = total.debit.currency.to_string();
                let sum: i128 = debits
                    .iter()
                    .zip(&currencies)
                    .filter(|(_, c)| **c == code)
                    .map(|(amount, _)| cents(amount))
                    .sum();
                assert_eq!(sum, total.debit.minor, "{query} in {code}");
            }
        }
    });
}
