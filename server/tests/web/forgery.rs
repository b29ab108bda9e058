//! What another site makes a browser send is refused; programs and our own pages pass.

use crate::under_test::{Browser, on_both};
use reqwest::{Method, StatusCode};

#[test]
fn forms_sent_from_elsewhere_are_refused_with_a_page() {
    on_both(async |server| {
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("origin", "https://evil.example"),
            ("origin", "null"),
            // The same host under another port is another origin.
            ("origin", "http://127.0.0.1:1"),
        ] {
            let request = server
                .request(Method::POST, "/sign-in")
                .header(name, value)
                .form(&[("email", "a@example.com"), ("password", "x")]);
            let answer = server.browse(&mut Browser::default(), request).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{name}: {value}");
            assert!(answer.header("content-type").starts_with("text/html"));
            assert!(answer.body.contains("from another site"), "{}", answer.body);
            assert!(answer.cookies().is_empty());
        }
    });
}

#[test]
fn our_own_pages_and_programs_without_a_browser_pass() {
    on_both(async |server| {
        let own_origin = server.address.clone();
        for headers in [
            vec![("sec-fetch-site", "same-origin")],
            vec![("origin", own_origin.as_str())],
            vec![],
        ] {
            let mut request = server
                .request(Method::POST, "/sign-in")
                .form(&[("email", "a@example.com"), ("password", "x")]);
            for (name, value) in &headers {
                request = request.header(*name, *value);
            }
            let answer = server.browse(&mut Browser::default(), request).await;
            // Read and judged: the person is unknown.
            assert_eq!(
                answer.status,
                StatusCode::UNPROCESSABLE_ENTITY,
                "{headers:?}"
            );
        }
    });
}
