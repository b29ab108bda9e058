//! What every answer carries, and what is said of what does not exist.

use crate::under_test::{Browser, on_both};
use reqwest::{Method, StatusCode, header};

#[test]
fn every_page_carries_the_policy_with_a_fresh_nonce_and_is_not_stored() {
    on_both(async |server| {
        let mut policies = Vec::new();
        for path in ["/sign-in", "/no-such-page"] {
            let answer = server.get(&mut Browser::default(), path).await;
            let policy = answer.header("content-security-policy").to_owned();
            assert!(policy.starts_with("default-src 'none'; script-src 'self' 'nonce-"));
            assert!(policy.ends_with("frame-ancestors 'none'"));
            assert!(!policy.contains("unsafe-inline"));
            assert_eq!(answer.header("cache-control"), "no-store");
            assert_eq!(answer.header("x-content-type-options"), "nosniff");
            assert_eq!(answer.header("referrer-policy"), "same-origin");
            assert_eq!(answer.header("x-request-id").len(), 16);
            policies.push(policy);
        }
        assert_ne!(policies[0], policies[1]);
    });
}

#[test]
fn nothing_there_and_the_wrong_method_are_pages_of_their_own() {
    on_both(async |server| {
        let nothing = server.get(&mut Browser::default(), "/no-such-page").await;
        assert_eq!(nothing.status, StatusCode::NOT_FOUND);
        assert!(nothing.body.contains("<html"));

        let wrong = server.post(&mut Browser::default(), "/healthz", &[]).await;
        assert_eq!(wrong.status, StatusCode::METHOD_NOT_ALLOWED);
        assert!(wrong.header("allow").contains("GET"));
        assert!(wrong.body.contains("<html"));
    });
}

#[test]
fn a_reload_of_what_only_takes_a_form_leads_to_the_page_that_the_form_stood_on() {
    on_both(async |server| {
        for (form, page) in [
            ("/review/C-00001/decide", "/review/C-00001"),
            ("/payments/import", "/payments"),
            ("/sign-out", "/"),
        ] {
            let answer = server.get(&mut Browser::default(), form).await;
            assert_eq!(answer.status, StatusCode::SEE_OTHER, "{form}");
            assert_eq!(answer.header("location"), page, "{form}");
        }
    });
}

#[test]
fn a_program_gets_a_problem_document_instead() {
    on_both(async |server| {
        let answer = server
            .send(server.request(Method::GET, "/api/v1/no-such-call"))
            .await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
        assert_eq!(answer.header("content-type"), "application/problem+json");
        let problem: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(problem["type"], "urn:tieout:problem:not_found");
        assert_eq!(problem["status"], 404);
    });
}

#[test]
fn a_form_of_another_kind_or_too_large_is_refused_with_a_page() {
    on_both(async |server| {
        let json = server
            .request(Method::POST, "/sign-in")
            .header(header::CONTENT_TYPE, "application/json")
            .body("{}");
        let answer = server.browse(&mut Browser::default(), json).await;
        assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
        assert!(answer.body.contains("<html"));

        let large = "x".repeat(300 * 1024);
        let answer = server
            .post(&mut Browser::default(), "/sign-in", &[("email", &large)])
            .await;
        assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
        assert!(answer.body.contains("<html"));
    });
}

#[test]
fn health_is_told_to_whoever_asks_and_nothing_more() {
    on_both(async |server| {
        for path in ["/healthz", "/readyz"] {
            let answer = server.get(&mut Browser::default(), path).await;
            assert_eq!(answer.status, StatusCode::OK, "{path}");
            assert!(answer.cookies().is_empty());
        }
        let metrics = server.get(&mut Browser::default(), "/metrics").await;
        assert!(
            metrics
                .body
                .contains("tieout_http_answers_total{status=\"2xx\"}")
        );
    });
}

#[test]
fn the_bundle_is_kept_for_ever_under_its_hash_and_nowhere_else() {
    on_both(async |server| {
        let base = server::http::assets::base();
        let other = server
            .get(&mut Browser::default(), "/assets/0000000000000000/app.css")
            .await;
        assert_eq!(other.status, StatusCode::NOT_FOUND);
        for path in [
            "/../Cargo.toml",
            "/..%2FCargo.toml",
            "/app.css.br",
            "/nothing.css",
        ] {
            let answer = server
                .get(&mut Browser::default(), &format!("{base}{path}"))
                .await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        }
        // The sheet is there once the bundle was built, which a plain `cargo test` does not ask for.
        let sheet = server
            .request(Method::GET, &format!("{base}/app.css"))
            .header(header::ACCEPT_ENCODING, "gzip, br");
        let sheet = sheet.send().await.unwrap();
        if sheet.status() == StatusCode::OK {
            assert_eq!(sheet.headers()["content-encoding"], "br");
            assert_eq!(
                sheet.headers()["cache-control"],
                "public, max-age=31536000, immutable"
            );
        } else {
            assert_eq!(sheet.status(), StatusCode::NOT_FOUND);
        }
    });
}
