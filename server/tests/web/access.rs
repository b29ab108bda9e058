//! Every route by every kind of visitor. What is expected stands here, written by hand; which routes
//! there are comes from the table that also builds the router, so that none is forgotten.

use crate::under_test::{Browser, on_both};
use domain::actor::{Actor, Role, Scope};
use engine::tokens::{NewToken, add_token};
use reqwest::{Method, StatusCode};
use server::http::routes;
use std::collections::BTreeSet;

const PEOPLE: [Role; 5] = [
    Role::Viewer,
    Role::Analyst,
    Role::Approver,
    Role::Auditor,
    Role::Admin,
];

/// Who gets past the door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lets {
    Anybody,
    People(&'static [Role]),
    /// A token with one of these scopes; a person where the scope acts as one.
    Programs(&'static [Scope]),
}

use Lets::{Anybody, People, Programs};
use Role::{Admin, Analyst, Approver, Auditor};
use Scope::{Compensations, Decide, Ingest, Payments, Read};

const EVERYONE: Lets = People(&PEOPLE);
const ADMINS: Lets = People(&[Admin]);
/// Those who upload also decide.
const INGEST: Lets = People(&[Analyst, Approver]);
const AUDIT: Lets = People(&[Auditor]);

fn expected(method: &Method, path: &str) -> Option<Lets> {
    Some(match (method.as_str(), path) {
        ("GET", "/healthz" | "/readyz" | "/metrics") => Anybody,
        (_, "/setup/{token}" | "/sign-in") | ("POST", "/sign-out") => Anybody,
        ("GET", "/files/progress") => EVERYONE,
        ("GET", "/settings" | "/settings/providers" | "/settings/users") => EVERYONE,
        (_, "/settings/password") => EVERYONE,
        (
            "GET",
            "/"
            | "/files"
            | "/files/{file}"
            | "/files/{file}/rejected.csv"
            | "/files/{file}/lines"
            | "/lines/{file}/{line_no}"
            | "/lines/{file}/{line_no}/raw"
            | "/review"
            | "/review/{case}"
            | "/payments"
            | "/payments/{intent}"
            | "/exports/{what}"
            | "/ledger"
            | "/ledger/accounts/{account}"
            | "/ledger/entries"
            | "/ledger/entries/{no}",
        ) => EVERYONE,
        (
            "POST",
            "/files"
            | "/files/upload"
            | "/files/{file}/accept"
            | "/files/{file}/put-away"
            | "/files/{file}/hold-again"
            | "/files/{file}/take-back"
            | "/files/{file}/keep"
            | "/payments/import",
        ) => INGEST,
        ("POST", "/review/views" | "/review/views/{view}/remove") => EVERYONE,
        ("GET", "/review/sent") => INGEST,
        ("POST", "/review/bulk" | "/review/{case}/decide" | "/review/{case}/claim") => INGEST,
        // An analyst only takes their own decision back here, which an empty form does not ask for.
        ("POST", "/decisions/{decision}/approval") => People(&[Approver]),
        (_, "/audit" | "/audit/verify" | "/audit/export") => AUDIT,
        ("GET", "/settings/tokens") => ADMINS,
        (
            "POST",
            "/settings/providers"
            | "/settings/providers/{name}"
            | "/settings/users"
            | "/settings/users/{user}"
            | "/settings/tokens"
            | "/settings/tokens/{token}/revoke",
        ) => ADMINS,
        ("POST", "/api/v1/settlement-files") => Programs(&[Ingest]),
        (
            "POST",
            "/api/v1/intents"
            | "/api/v1/intents/{intent}/attempts"
            | "/api/v1/attempts/{attempt}/outcome",
        ) => Programs(&[Payments]),
        ("POST", "/api/v1/cases/{case}/decisions" | "/api/v1/decisions/{decision}/approval") => {
            Programs(&[Decide])
        }
        // What an auditor sees: the token of the test acts as one.
        ("GET", "/api/v1/exports/audit") => Programs(&[Read]),
        ("GET", path) if path.starts_with("/api/v1/") => {
            Programs(&[Payments, Ingest, Read, Compensations, Decide])
        }
        _ => return None,
    })
}

#[test]
fn every_route_lets_in_whom_it_should_and_nobody_else() {
    on_both(async |server| {
        let mut people = Vec::new();
        for role in PEOPLE {
            people.push((role, server.signed_in_as(&[role]).await));
        }
        let person = server.user_of(&[Role::Approver, Role::Auditor]).await;
        let mut tokens = Vec::new();
        for scope in Scope::ALL {
            let new = NewToken {
                name: format!("token-{scope}"),
                scopes: [*scope].into(),
                user: Some(person.email.clone()),
            };
            let token = add_token(&server.engine, &Actor::Operator, new).await;
            tokens.push((*scope, token.unwrap()));
        }
        for route in routes::table() {
            let (method, path) = (route.method, route.path);
            let lets = expected(&method, path)
                .unwrap_or_else(|| panic!("who may use {method} {path}? Say it in this test"));
            let address = filled(path);

            let mut nobody = Browser::default();
            let answer = server.try_route(&mut nobody, &method, &address).await;
            match lets {
                Anybody => assert_ne!(answer.status, StatusCode::FORBIDDEN, "{method} {path}"),
                Programs(scopes) => {
                    assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{method} {path}");
                    // A person's session opens nothing here.
                    for (_, browser) in &mut people {
                        let answer = server.try_route(browser, &method, &address).await;
                        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{method} {path}");
                    }
                    for (scope, token) in &tokens {
                        let request = server
                            .request(method.clone(), &address)
                            .bearer_auth(token)
                            .body("{}");
                        let status = server.send(request).await.status;
                        let refused = status == StatusCode::FORBIDDEN;
                        let who = format!("{method} {path} with {scope}: {status}");
                        assert_eq!(refused, !scopes.contains(scope), "{who}");
                        assert!(status != StatusCode::UNAUTHORIZED, "{who}");
                        assert!(!status.is_server_error(), "{who}");
                    }
                }
                People(_) => {
                    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{method} {path}");
                    assert!(answer.header("location").starts_with("/sign-in"));
                }
            }
            let People(allowed) = lets else { continue };
            let allowed: BTreeSet<_> = allowed.iter().copied().collect();
            for (role, browser) in &mut people {
                let answer = server.try_route(browser, &method, &address).await;
                let refused = answer.status == StatusCode::FORBIDDEN;
                let who = format!("{method} {path} as {role}: {}", answer.status);
                assert_eq!(refused, !allowed.contains(role), "{who}");
                assert!(!answer.status.is_server_error(), "{who}");
                let sent_away = answer.header("location").starts_with("/sign-in");
                assert!(!sent_away, "{who}");
            }
        }
    });
}

/// Something in the place of every `{name}`; numbers, since some are read as such.
fn filled(path: &str) -> String {
    let segments = path.split('/').map(|segment| {
        if segment == "{what}" {
            "cases.csv"
        } else if segment.starts_with('{') {
            "4711"
        } else {
            segment
        }
    });
    segments.collect::<Vec<_>>().join("/")
}
