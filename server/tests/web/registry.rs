//! What payment workers meet at the API: statuses, problem documents, and nothing done twice.

use crate::under_test::{Answer, UnderTest, on_both};
use domain::{
    account::ProviderKind,
    actor::{Actor, Scope},
    time::Zone,
};
use engine::{
    providers::{NewProvider, add_provider},
    tokens::{NewToken, add_token},
};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

async fn worker(server: &UnderTest) -> String {
    let account = NewProvider {
        name: "stripe-eu".to_owned(),
        kind: ProviderKind::Stripe,
        zone: Zone::UTC,
        fields: Vec::new(),
    };
    add_provider(&server.engine, &Actor::Operator, account)
        .await
        .unwrap();
    let token = NewToken {
        name: "worker-1".to_owned(),
        scopes: [Scope::Payments].into(),
        user: None,
    };
    add_token(&server.engine, &Actor::Operator, token)
        .await
        .unwrap()
}

async fn call(
    server: &UnderTest,
    token: &str,
    method: Method,
    path: &str,
    key: Option<&str>,
    body: &Value,
) -> (StatusCode, Value) {
    let mut request = server.request(method.clone(), path).bearer_auth(token);
    if method == Method::POST {
        request = request.json(body);
    }
    if let Some(key) = key {
        request = request.header("Idempotency-Key", key);
    }
    let answer: Answer = server.send(request).await;
    let body = serde_json::from_str(&answer.body).unwrap_or(Value::Null);
    (answer.status, body)
}

fn order() -> Value {
    json!({
        "merchant_reference": "order-1", "operation": "charge", "amount": "25.00",
        "currency": "EUR", "direction": "in",
    })
}

#[test]
fn what_names_something_holds_no_control_character_and_nothing_is_registered() {
    on_both(async |server| {
        let token = worker(&server).await;
        for field in ["merchant_reference", "operation", "counterparty"] {
            for control in ["order\n1", "order\u{1b}[2J", "order\u{0}1", "order\u{85}1"] {
                let mut bad = order();
                bad[field] = json!(control);
                let (status, problem) = call(
                    &server,
                    &token,
                    Method::POST,
                    "/api/v1/intents",
                    Some("k-bad"),
                    &bad,
                )
                .await;
                assert_eq!(
                    status,
                    StatusCode::UNPROCESSABLE_ENTITY,
                    "{control:?} {problem}"
                );
                let said = problem["detail"].as_str().unwrap();
                assert!(said.to_lowercase().contains(field), "{said}");
                assert!(said.contains("control character"), "{said}");
            }
        }
        // The key was not used up.
        let (status, intent) = call(
            &server,
            &token,
            Method::POST,
            "/api/v1/intents",
            Some("k-bad"),
            &order(),
        )
        .await;
        assert_eq!(status, StatusCode::CREATED, "{intent}");
        let id = intent["id"].as_str().unwrap();
        let ask = json!({ "expected_version": 1, "provider": "stripe-eu", "claim_id": "c\n1" });
        let path = format!("/api/v1/intents/{id}/attempts");
        let (status, _) = call(&server, &token, Method::POST, &path, None, &ask).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        let ask = json!({ "expected_version": 1, "provider": "stripe-eu" });
        let (_, claim) = call(&server, &token, Method::POST, &path, None, &ask).await;
        let path = format!(
            "/api/v1/attempts/{}/outcome",
            claim["attempt_id"].as_str().unwrap()
        );
        for field in ["provider_payment_id", "error_code"] {
            let mut said = json!({ "expected_version": 2, "outcome": "rejected" });
            said[field] = json!("a\rb");
            let (status, problem) = call(&server, &token, Method::POST, &path, None, &said).await;
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        }
    });
}

#[test]
fn a_worker_registers_claims_and_reports_and_each_repeat_is_heard_and_not_done() {
    on_both(async |server| {
        let token = worker(&server).await;
        let post = async |path: &str, key: Option<&str>, body: Value| {
            call(&server, &token, Method::POST, path, key, &body).await
        };
        let (status, intent) = post("/api/v1/intents", Some("k-1"), order()).await;
        assert_eq!(status, StatusCode::CREATED, "{intent}");
        assert_eq!(
            (&intent["state"], &intent["version"], &intent["amount"]),
            (&json!("PENDING"), &json!(1), &json!("25.00"))
        );
        let again = post("/api/v1/intents", Some("k-1"), order()).await;
        assert_eq!(again, (StatusCode::OK, intent.clone()));
        let id = intent["id"].as_str().unwrap();

        let attempts = format!("/api/v1/intents/{id}/attempts");
        let ask = json!({ "expected_version": 1, "provider": "stripe-eu", "claim_id": "c-1" });
        let (status, claim) = post(&attempts, None, ask.clone()).await;
        assert_eq!(status, StatusCode::CREATED, "{claim}");
        assert_eq!(
            (
                &claim["attempt_no"],
                &claim["idempotency_key"],
                &claim["state"]
            ),
            (&json!(1), &intent["operation_id"], &json!("SUBMITTING"))
        );
        assert_eq!(
            post(&attempts, None, ask).await,
            (StatusCode::CREATED, claim.clone())
        );

        let outcome = format!(
            "/api/v1/attempts/{}/outcome",
            claim["attempt_id"].as_str().unwrap()
        );
        let said =
            json!({ "expected_version": 2, "outcome": "succeeded", "provider_payment_id": "pi_1" });
        let (status, report) = post(&outcome, None, said.clone()).await;
        assert_eq!(
            (status, &report["state"], &report["version"]),
            (StatusCode::OK, &json!("SUCCEEDED"), &json!(3)),
            "{report}"
        );
        assert_eq!(post(&outcome, None, said).await, (StatusCode::OK, report));
        let late = json!({ "expected_version": 2, "outcome": "rejected" });
        let (status, report) = post(&outcome, None, late).await;
        assert_eq!(
            (status, &report["result"], &report["current"]["version"]),
            (
                StatusCode::ACCEPTED,
                &json!("recorded_as_evidence"),
                &json!(3)
            ),
            "{report}"
        );

        let get =
            async |path: &str| call(&server, &token, Method::GET, path, None, &Value::Null).await;
        let (status, shown) = get(&format!("/api/v1/intents/{id}")).await;
        assert_eq!(
            (status, &shown["attempts"][0]["provider_payment_id"]),
            (StatusCode::OK, &json!("pi_1"))
        );
        let (_, listed) = get("/api/v1/intents?reference=order-1").await;
        assert_eq!(listed["intents"], json!([shown]));
    });
}

#[test]
fn what_is_refused_is_a_problem_document_of_a_stable_type_and_changes_nothing() {
    on_both(async |server| {
        let token = worker(&server).await;
        let post = async |path: &str, key: Option<&str>, body: Value| {
            call(&server, &token, Method::POST, path, key, &body).await
        };
        let (_, intent) = post("/api/v1/intents", Some("k-1"), order()).await;
        let id = intent["id"].as_str().unwrap();
        let attempts = format!("/api/v1/intents/{id}/attempts");
        let mut other = order();
        other["amount"] = json!("26.00");
        let mut wrong = order();
        wrong["amount"] = json!("26.005");
        let claim = |version: i64| json!({ "expected_version": version, "provider": "stripe-eu" });
        let refusals = [
            ("/api/v1/intents", Some("k-1"), other, 422, "key_reused"),
            ("/api/v1/intents", None, order(), 422, "invalid"),
            ("/api/v1/intents", Some("k-2"), wrong, 422, "invalid"),
            (
                "/api/v1/intents",
                Some("k-3"),
                json!({ "amount": 5 }),
                422,
                "invalid",
            ),
            (&attempts, None, claim(0), 409, "version_conflict"),
            (&attempts, None, claim(2), 409, "version_conflict"),
            (
                &attempts,
                None,
                json!({ "expected_version": 1, "provider": "nobody" }),
                422,
                "invalid",
            ),
            (
                "/api/v1/intents/none/attempts",
                None,
                claim(1),
                404,
                "not_found",
            ),
            (
                "/api/v1/attempts/none/outcome",
                None,
                json!({ "expected_version": 1, "outcome": "unknown" }),
                404,
                "not_found",
            ),
        ];
        for (path, key, body, status, kind) in refusals {
            let (found, problem) = post(path, key, body.clone()).await;
            assert_eq!(found.as_u16(), status, "{path} {body}: {problem}");
            assert_eq!(
                problem["type"],
                json!(format!("urn:tieout:problem:{kind}")),
                "{path} {body}"
            );
            if status == 409 {
                assert_eq!(
                    problem["current"],
                    json!({ "state": "PENDING", "version": 1 })
                );
            }
        }
        let (_, claimed) = post(&attempts, None, claim(1)).await;
        let (status, problem) = post(&attempts, None, claim(2)).await;
        assert_eq!(
            (status, &problem["type"], &problem["current"]["state"]),
            (
                StatusCode::CONFLICT,
                &json!("urn:tieout:problem:not_claimable"),
                &json!("SUBMITTING")
            )
        );
        let outcome = format!(
            "/api/v1/attempts/{}/outcome",
            claimed["attempt_id"].as_str().unwrap()
        );
        let wrong = json!({ "expected_version": 2, "outcome": "absent" });
        assert_eq!(
            post(&outcome, None, wrong).await.0,
            StatusCode::UNPROCESSABLE_ENTITY
        );
        let path = format!("/api/v1/intents/{id}");
        let (_, shown) = call(&server, &token, Method::GET, &path, None, &Value::Null).await;
        assert_eq!(
            (&shown["state"], &shown["version"]),
            (&json!("SUBMITTING"), &json!(2))
        );
    });
}
