//! Every route with addresses that nobody should send: it is refused with a page or a problem document
//! of ours, and never breaks. Which routes there are comes from the table that builds the router.

use crate::under_test::{Answer, Browser, UnderTest, on_both};
use domain::actor::{Actor, Role, Scope};
use engine::tokens::{NewToken, add_token};
use reqwest::{Method, StatusCode};
use server::http::routes;

/// In the place of an id.
const IDS: [&str; 12] = [
    "-1",
    "0",
    "9223372036854775808",
    "1000000000000000000000000000000",
    "%00",
    "a%00b",
    "%ff%fe",
    "%zz",
    "%e2%80%ae",
    "..%2f..%2fetc%2fpasswd",
    "'%22%3Cscript%3E",
    "cases.csv%00.xlsx",
];

/// In the place of a parameter's value.
const VALUES: [&str; 11] = [
    "-1",
    "-9223372036854775808",
    "9223372036854775808",
    "1000000000000000000000000000000",
    "1e400",
    "NaN",
    "%00",
    "%ff",
    "%zz",
    "9999999.9999999.9999999",
    "2026-99-99",
];

/// Names of parameters of lists, exports and forms.
const NAMES: [&str; 30] = [
    "limit",
    "after",
    "before",
    "cursor",
    "q",
    "from",
    "to",
    "as_of",
    "min",
    "currency",
    "view",
    "kind",
    "provider",
    "state",
    "owner",
    "held",
    "ledger_account",
    "verdict",
    "reference",
    "filename",
    "profile",
    "next",
    "seen",
    "ids",
    "id",
    "actor",
    "action",
    "subject",
    "line",
    "page",
];

struct Visitors<'a> {
    server: &'a UnderTest,
    person: Browser,
    token: String,
}

impl Visitors<'_> {
    /// As the person or the program that the door lets in.
    async fn send(&mut self, method: &Method, address: &str, body: &str) -> Answer {
        let request = self.server.request(method.clone(), address);
        if address.starts_with("/api/") {
            let request = request.bearer_auth(&self.token).body(body.to_owned());
            return self.server.send(request).await;
        }
        let mut request = request.header("sec-fetch-site", "same-origin");
        if *method != Method::GET {
            request = request
                .header("content-type", "application/x-www-form-urlencoded")
                .body(body.to_owned());
        }
        self.server.browse(&mut self.person, request).await
    }

    async fn try_one(&mut self, method: &Method, address: &str, body: &str) {
        let answer = self.send(method, address, body).await;
        let what = || {
            let shown: String = address.chars().take(200).collect();
            let body: String = answer.body.chars().take(300).collect();
            format!("{method} {shown}: {} {body}", answer.status)
        };
        assert!(!answer.status.is_server_error(), "{}", what());
        if answer.status.is_client_error() {
            let kind = answer.header("content-type");
            let designed = if address.starts_with("/api/") || address.starts_with("/files/upload") {
                kind == "application/problem+json"
            } else {
                kind.starts_with("text/html") && answer.body.contains("<html")
            };
            assert!(designed, "{kind}: {}", what());
        }
    }
}

#[test]
fn no_address_breaks_a_route_and_every_refusal_is_ours() {
    on_both(async |server| {
        let person = server.user_of(Role::ALL).await;
        let new = NewToken {
            name: "everything".to_owned(),
            scopes: Scope::ALL.iter().copied().collect(),
            user: Some(person.email.clone()),
        };
        let token = add_token(&server.engine, &Actor::Operator, new)
            .await
            .unwrap();
        let mut visitors = Visitors {
            server: &server,
            person: server.signed_in_as(Role::ALL).await,
            token,
        };
        let long = "a".repeat(10_000);
        for route in routes::table() {
            // Signing out would end the visit; its address takes nothing.
            if route.path == "/sign-out" || route.path == "/files/progress" {
                continue;
            }
            if route.path.contains('{') {
                for id in IDS.into_iter().chain([long.as_str()]) {
                    let address = filled(route.path, id);
                    visitors.try_one(&route.method, &address, "{}").await;
                }
            }
            let address = filled(route.path, "4711");
            for value in VALUES.into_iter().chain([long.as_str()]) {
                let all: Vec<String> = NAMES.iter().map(|name| format!("{name}={value}")).collect();
                let all = if value.len() > 1_000 {
                    format!("q={value}&after={value}&provider={value}")
                } else {
                    all.join("&")
                };
                let body = if route.path.starts_with("/api/") {
                    "{}"
                } else {
                    all.as_str()
                };
                visitors
                    .try_one(&route.method, &format!("{address}?{all}"), body)
                    .await;
                if route.method == Method::GET && value.len() < 1_000 {
                    for name in NAMES {
                        let address = format!("{address}?{name}={value}");
                        visitors.try_one(&route.method, &address, "").await;
                    }
                }
            }
            for body in ["", "{", "[]", "null", "{\"a\":", "\u{0}", "%", "=&=&&=%00"] {
                if route.method != Method::GET {
                    visitors.try_one(&route.method, &address, body).await;
                }
            }
        }
        // Still there, and still the same person.
        let answer = server.get(&mut visitors.person, "/settings/users").await;
        assert_eq!(answer.status, StatusCode::OK);
    });
}

/// The same text in the place of every `{name}`.
fn filled(path: &str, id: &str) -> String {
    let segments = path.split('/').map(|segment| {
        if segment.starts_with('{') {
            id
        } else {
            segment
        }
    });
    segments.collect::<Vec<_>>().join("/")
}
