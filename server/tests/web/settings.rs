//! Settings: who sees values, who may change them, and one's own password.

use crate::under_test::{Browser, PASSWORD, UnderTest, on_both};
use domain::{
    actor::{Actor, Role},
    time::Zone,
};
use reqwest::StatusCode;

async fn with_provider(server: &UnderTest) {
    let new = engine::providers::NewProvider {
        name: "stripe-eu".to_owned(),
        kind: domain::account::ProviderKind::Stripe,
        zone: Zone::UTC,
        fields: vec![("grace_hours".to_owned(), "37".to_owned())],
    };
    engine::providers::add_provider(&server.engine, &Actor::Operator, new)
        .await
        .unwrap();
}

#[test]
fn whoever_may_not_change_settings_sees_their_values_and_no_form() {
    on_both(async |server| {
        with_provider(&server).await;
        for (role, forms) in [
            (Role::Viewer, false),
            (Role::Analyst, false),
            (Role::Approver, false),
            (Role::Auditor, false),
            (Role::Admin, true),
        ] {
            let mut browser = server.signed_in_as(&[role]).await;
            let page = server.get(&mut browser, "/settings/providers").await;
            assert_eq!(page.status, StatusCode::OK);
            assert!(page.body.contains("stripe-eu") && page.body.contains("37"));
            assert_eq!(
                page.body.contains("action=\"/settings/providers"),
                forms,
                "{role}"
            );
            let page = server.get(&mut browser, "/settings/users").await;
            assert!(page.body.contains(&format!("{role}@example.com")));
            assert_eq!(
                page.body.contains("action=\"/settings/users"),
                forms,
                "{role}"
            );
            assert_eq!(
                page.body.contains("href=\"/settings/tokens\""),
                forms,
                "{role}"
            );
        }
    });
}

const NEW: &str = "a longer and a better phrase";

async fn change(
    server: &UnderTest,
    browser: &mut Browser,
    current: &str,
    new: &str,
    again: &str,
) -> crate::under_test::Answer {
    let fields = [
        ("current_password", current),
        ("new_password", new),
        ("new_password_again", again),
    ];
    server.post(browser, "/settings/password", &fields).await
}

#[test]
fn a_person_changes_their_own_password_and_is_signed_out_everywhere_else() {
    on_both(async |server| {
        let mut here = server.signed_in_as(&[Role::Viewer]).await;
        let mut elsewhere = server.signed_in_as(&[Role::Viewer]).await;
        let mut other = server.signed_in_as(&[Role::Analyst]).await;
        let page = server.get(&mut here, "/settings/password").await;
        assert!(page.body.contains("autocomplete=\"current-password\""));

        let answer = change(&server, &mut here, PASSWORD, NEW, NEW).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
        assert!(server.is_in(&mut here).await);
        assert!(!server.is_in(&mut elsewhere).await);
        assert!(server.is_in(&mut other).await);

        let sign_in = async |password: &str| {
            let fields = [("email", "viewer@example.com"), ("password", password)];
            let answer = server
                .post(&mut Browser::default(), "/sign-in", &fields)
                .await;
            answer.status
        };
        assert_eq!(sign_in(NEW).await, StatusCode::SEE_OTHER);
        assert_ne!(sign_in(PASSWORD).await, StatusCode::SEE_OTHER);
    });
}

#[test]
fn a_wrong_or_a_short_password_and_a_slip_are_told_and_change_nothing() {
    on_both(async |server| {
        let mut browser = server.signed_in_as(&[Role::Viewer]).await;
        for (current, new, again, says) in [
            ("guessed", NEW, NEW, "This is not your current password"),
            (
                PASSWORD,
                NEW,
                "a longer and a bitter phrase",
                "The two are not the same",
            ),
            (PASSWORD, "short", "short", "characters"),
        ] {
            let answer = change(&server, &mut browser, current, new, again).await;
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
            assert!(answer.body.contains(says), "{says}");
            assert!(!answer.body.contains(new), "a password is never sent back");
        }
        // Guessing is as slow as at the door: the fifth failure makes the next wait.
        for _ in 0..4 {
            change(&server, &mut browser, "guessed", NEW, NEW).await;
        }
        let answer = change(&server, &mut browser, PASSWORD, NEW, NEW).await;
        assert_eq!(
            answer.status,
            StatusCode::TOO_MANY_REQUESTS,
            "{}",
            answer.body
        );
        server.clock.advance_seconds(11);
        let answer = change(&server, &mut browser, PASSWORD, NEW, NEW).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
    });
}

#[test]
fn a_refused_policy_value_keeps_what_else_was_typed_and_stands_beside_its_field() {
    on_both(async |server| {
        with_provider(&server).await;
        let mut admin = server.signed_in_as(&[Role::Admin]).await;
        let path = "/settings/providers/stripe-eu";
        let mut fields = vec![
            ("policy_version", "1"),
            ("policy.grace_hours", "abc"),
            ("policy.lease_minutes", "17"),
            ("policy.coverage", "none"),
        ];
        let answer = server.post(&mut admin, path, &fields).await;
        assert_eq!(
            answer.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{}",
            answer.body
        );
        let tag = |name: &str| {
            let at = answer.body.find(&format!("name=\"{name}\"")).unwrap();
            let end = answer.body[at..].find("</div>").unwrap();
            &answer.body[at..at + end]
        };
        let grace = tag("policy.grace_hours");
        assert!(grace.contains("value=\"abc\""), "{grace}");
        assert!(grace.contains("aria-invalid=\"true\""), "{grace}");
        assert!(grace.contains("a whole number from 0 to 1440"), "{grace}");
        assert!(tag("policy.lease_minutes").contains("value=\"17\""));
        let coverage = tag("policy.coverage");
        let chosen = coverage.split("<option").find(|o| o.contains("selected"));
        assert!(chosen.unwrap().contains("value=\"none\""), "{coverage}");
        // Nothing was changed; put right, all of it is.
        fields[1].1 = "12";
        let answer = server.post(&mut admin, path, &fields).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    });
}
