//! The first run.

use crate::under_test::{Browser, PASSWORD, on_both};
use domain::actor::Role;
use engine::users;
use reqwest::StatusCode;

const PEOPLE: [(&str, &str); 8] = [
    ("admin_email", "ada@example.com"),
    ("admin_password", PASSWORD),
    ("analyst_email", "ana@example.com"),
    ("analyst_password", PASSWORD),
    ("approver_email", "pat@example.com"),
    ("approver_password", PASSWORD),
    ("auditor_email", "olga@example.com"),
    ("auditor_password", PASSWORD),
];

#[test]
fn the_link_makes_the_first_four_people_once_and_signs_the_administrator_in() {
    on_both(async |server| {
        let link = server.running.set_up_link().await.unwrap().unwrap();
        let mut browser = Browser::default();
        let form = server.get(&mut browser, &link).await;
        assert_eq!(form.status, StatusCode::OK);

        let answer = server.post(&mut browser, &link, &PEOPLE).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
        assert!(server.is_in(&mut browser).await);
        for (email, role) in [
            ("ada@example.com", Role::Admin),
            ("ana@example.com", Role::Analyst),
            ("pat@example.com", Role::Approver),
            ("olga@example.com", Role::Auditor),
        ] {
            let user = users::find_by_email(&server.engine, email)
                .await
                .unwrap()
                .unwrap();
            assert_eq!(user.roles, [role].into());
        }

        // Used: for whoever has it, and for a server that starts again.
        assert_eq!(
            server.get(&mut Browser::default(), &link).await.status,
            StatusCode::NOT_FOUND
        );
        let again = server.post(&mut Browser::default(), &link, &PEOPLE).await;
        assert_eq!(again.status, StatusCode::NOT_FOUND);
        assert!(again.cookies().is_empty());
        assert_eq!(server.running.set_up_link().await.unwrap(), None);
    });
}

#[test]
fn a_guessed_or_an_old_link_opens_nothing() {
    on_both(async |server| {
        let link = server.running.set_up_link().await.unwrap().unwrap();
        let guess = server.get(&mut Browser::default(), "/setup/0000").await;
        assert_eq!(guess.status, StatusCode::NOT_FOUND);
        server.clock.advance_seconds(24 * 60 * 60);
        let old = server.post(&mut Browser::default(), &link, &PEOPLE).await;
        assert_eq!(old.status, StatusCode::NOT_FOUND);
        assert!(!users::anybody(&server.engine).await.unwrap());
    });
}

#[test]
fn what_is_wrong_is_said_and_what_was_typed_is_kept() {
    on_both(async |server| {
        let link = server.running.set_up_link().await.unwrap().unwrap();
        let mut fields = PEOPLE;
        fields[3].1 = "too short";
        let answer = server.post(&mut Browser::default(), &link, &fields).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        for kept in ["ana@example.com", "pat@example.com", "olga@example.com"] {
            assert!(answer.body.contains(kept), "{kept}");
        }
        assert!(
            !answer.body.contains(PASSWORD),
            "passwords are not sent back"
        );
        assert!(!users::anybody(&server.engine).await.unwrap());
    });
}
