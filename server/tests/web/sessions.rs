//! Who is signed in, and for how long.

use crate::under_test::{Browser, PASSWORD, is_of_device, on_both, on_both_with};
use domain::actor::Role;
use engine::users;
use reqwest::{Method, StatusCode, header};

#[test]
fn the_cookie_is_out_of_reach_of_scripts_other_sites_and_plain_networks() {
    on_both(async |server| {
        let answer = server
            .sign_in(&mut Browser::default(), &[Role::Viewer])
            .await;
        let cookies = answer.cookies();
        assert_eq!(cookies.len(), 2, "{cookies:?}");
        for name in ["__Host-tieout_session=", "__Host-tieout_device="] {
            let cookie = cookies.iter().find(|c| c.starts_with(name)).unwrap();
            for flag in ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"] {
                assert!(cookie.contains(flag), "{flag} in {cookie}");
            }
            assert!(!cookie.contains("Domain"));
        }
    });
}

#[test]
fn under_a_plain_name_the_cookie_gives_up_what_browsers_would_refuse() {
    on_both_with(
        |config| config.insecure_http = true,
        async |server| {
            let answer = server
                .sign_in(&mut Browser::default(), &[Role::Viewer])
                .await;
            for name in ["tieout_session=", "tieout_device="] {
                let cookies = answer.cookies();
                let cookie = cookies.iter().find(|c| c.starts_with(name)).unwrap();
                assert!(!cookie.contains("Secure"));
            }
        },
    );
}

#[test]
fn an_anonymous_visit_starts_no_session() {
    on_both(async |server| {
        for path in ["/sign-in", "/settings", "/no-such-page"] {
            let answer = server.get(&mut Browser::default(), path).await;
            assert!(answer.cookies().is_empty(), "{path}");
        }
    });
}

#[test]
fn an_id_known_before_sign_in_is_worth_nothing_after_it() {
    on_both(async |server| {
        // One that was never given out.
        let invented = "__Host-tieout_session=AAAAAAAAAAAAAAAAAAAAAA".to_owned();
        let mut browser = Browser {
            cookie: Some(invented.clone()),
        };
        server.sign_in(&mut browser, &[Role::Viewer]).await;
        assert_ne!(browser.cookie.as_ref(), Some(&invented));

        // One that was: signing in again changes it, and the old one opens nothing.
        let before = browser.clone();
        server.sign_in(&mut browser, &[Role::Analyst]).await;
        assert_ne!(browser.cookie, before.cookie);
        for mut stale in [
            before,
            Browser {
                cookie: Some(invented),
            },
        ] {
            let answer = server.get(&mut stale, "/settings/users").await;
            assert_eq!(answer.status, StatusCode::SEE_OTHER);
        }
    });
}

#[test]
fn signing_out_ends_the_session_here_and_there() {
    on_both(async |server| {
        let mut browser = server.signed_in_as(&[Role::Viewer]).await;
        let mut copy = browser.clone();
        let answer = server.post(&mut browser, "/sign-out", &[]).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        let gone = answer.cookies()[0].to_owned();
        // Browsers ignore a removal of a `__Host-` cookie that is not itself Secure.
        assert!(
            gone.contains("Max-Age=0") && gone.contains("Secure"),
            "{gone}"
        );
        let answer = server.get(&mut copy, "/settings/users").await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
    });
}

#[test]
fn a_session_ends_after_an_hour_unused_and_after_twelve_hours_in_any_case() {
    on_both(async |server| {
        const MINUTE: i64 = 60;
        let mut idle = server.signed_in_as(&[Role::Viewer]).await;
        server.clock.advance_seconds(59 * MINUTE);
        assert!(server.is_in(&mut idle).await);
        server.clock.advance_seconds(59 * MINUTE);
        assert!(server.is_in(&mut idle).await, "use starts the hour again");
        server.clock.advance_seconds(60 * MINUTE);
        assert!(!server.is_in(&mut idle).await);

        let mut busy = server.signed_in_as(&[Role::Viewer]).await;
        for _ in 0..23 {
            server.clock.advance_seconds(30 * MINUTE);
            assert!(server.is_in(&mut busy).await);
        }
        server.clock.advance_seconds(30 * MINUTE);
        assert!(!server.is_in(&mut busy).await);
    });
}

#[test]
fn whoever_is_shut_out_is_out_at_once_and_roles_hold_from_the_next_click() {
    on_both(async |server| {
        let mut browser = server.signed_in_as(&[Role::Admin]).await;
        let admin = server.user_of(&[Role::Admin]).await;
        let mut other = server.signed_in_as(&[Role::Viewer]).await;
        let viewer = server.user_of(&[Role::Viewer]).await;

        assert_eq!(server.get(&mut other, "/settings/tokens").await.status, 403);
        let path = format!("/settings/users/{}", viewer.id);
        let answer = server
            .post(
                &mut browser,
                &path,
                &[("role", "viewer"), ("role", "admin")],
            )
            .await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
        assert_eq!(server.get(&mut other, "/settings/tokens").await.status, 200);

        server.post(&mut browser, &path, &[("disabled", "1")]).await;
        assert!(!server.is_in(&mut other).await);
        assert!(server.is_in(&mut browser).await);
        assert_ne!(admin.id, viewer.id);
    });
}

#[test]
fn a_wrong_password_tells_nothing_and_keeps_the_address() {
    on_both(async |server| {
        let known = server.user_of(&[Role::Viewer]).await;
        for email in [known.email.as_str(), "nobody@example.com"] {
            let mut browser = Browser::default();
            let fields = [("email", email), ("password", "not the password at all")];
            let answer = server.post(&mut browser, "/sign-in", &fields).await;
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
            assert!(answer.body.contains(email));
            assert!(answer.body.contains("do not belong together"));
            assert!(!answer.body.contains("not the password at all"));
            assert!(answer.cookies().is_empty());
        }
    });
}

#[test]
fn the_way_on_after_sign_in_stays_on_this_site() {
    on_both(async |server| {
        let user = server.user_of(&[Role::Viewer]).await;
        for (next, expected) in [
            ("/settings/users", "/settings/users"),
            ("//evil.example", "/"),
            ("https://evil.example", "/"),
            ("", "/"),
        ] {
            let fields = [
                ("email", user.email.as_str()),
                ("password", PASSWORD),
                ("next", next),
            ];
            let answer = server
                .post(&mut Browser::default(), "/sign-in", &fields)
                .await;
            assert_eq!(answer.header("location"), expected);
        }
        let sent = server.get(&mut Browser::default(), "/settings/users").await;
        assert_eq!(sent.header("location"), "/sign-in?next=%2Fsettings%2Fusers");
    });
}

#[test]
fn programs_come_in_with_a_token_and_never_with_a_cookie() {
    on_both(async |server| {
        let mut browser = server.signed_in_as(&[Role::Viewer]).await;
        let with_cookie = server.get(&mut browser, "/api/v1/no-such-call").await;
        assert_eq!(with_cookie.status, StatusCode::NOT_FOUND);
        let page = server
            .request(Method::GET, "/settings/users")
            .header(header::AUTHORIZATION, "Bearer tieout_0000");
        assert_eq!(server.send(page).await.status, StatusCode::SEE_OTHER);
        assert!(users::anybody(&server.engine).await.unwrap());
    });
}

/// All from one network, as behind a proxy: there only the browser tells the person from the guesser.
#[test]
fn whoever_guesses_does_not_shut_the_person_out_of_their_own_browser() {
    on_both(async |server| {
        let answer = server
            .sign_in(&mut Browser::default(), &[Role::Viewer])
            .await;
        let kept = answer.cookies().into_iter().find(|c| is_of_device(c));
        let kept = kept.unwrap().split(';').next().unwrap().to_owned();
        let sign_in = async |password: &str, kept: Option<&str>| {
            let request = server
                .request(Method::POST, "/sign-in")
                .header("sec-fetch-site", "same-origin")
                .form(&[("email", "viewer@example.com"), ("password", password)]);
            let request = match kept {
                Some(cookie) => request.header(header::COOKIE, cookie),
                None => request,
            };
            server.send(request).await.status
        };
        for _ in 0..8 {
            assert!(
                sign_in("a wrong guess or two", None)
                    .await
                    .is_client_error()
            );
        }
        let stranger = sign_in(PASSWORD, None).await;
        assert_eq!(stranger, StatusCode::TOO_MANY_REQUESTS);
        let person = sign_in(PASSWORD, Some(&kept)).await;
        assert_eq!(person, StatusCode::SEE_OTHER);
    });
}
