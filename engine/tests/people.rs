//! Who may come in, what they may do, and what is written down about it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // as in any test

use domain::{
    actor::{Actor, Permission, Role, Scope},
    time::Instant,
    view::audit::AuditFilter,
};
use engine::{
    Engine, Error, Sources, Store, audit,
    clock::FixedClock,
    ids::FixedIds,
    sessions,
    testing::both,
    tokens::{self, NewToken},
    users::{self, NewPerson, NewUser, PasswordChange, Place, SetUpPeople},
};
use std::{collections::BTreeSet, sync::Arc};

const PASSWORD: &str = "correct horse battery";
const OTHER: &str = "staple staple staple";

fn start() -> Instant {
    Instant::parse_rfc3339("2026-11-29T09:00:00Z").unwrap()
}

fn engine(store: Store) -> (Engine, Arc<FixedClock>) {
    let clock = Arc::new(FixedClock::at(start()));
    let sources = Sources {
        clock: clock.clone(),
        ids: Arc::new(FixedIds::default()),
    };
    (Engine { store, sources }, clock)
}

fn new_user(email: &str, role: Role) -> NewUser {
    NewUser {
        email: email.to_owned(),
        password: PASSWORD.to_owned(),
        roles: BTreeSet::from([role]),
    }
}

fn person(user: &users::User) -> Actor {
    Actor::Person {
        user_id: user.id,
        email: user.email.clone(),
        roles: user.roles.clone(),
    }
}

async fn actions(engine: &Engine) -> Vec<String> {
    let page = audit::list(engine, &auditor(), &AuditFilter::default())
        .await
        .unwrap();
    page.rows
        .into_iter()
        .map(|r| format!("{} {} {}", r.actor, r.action, r.subject))
        .rev()
        .collect()
}

fn auditor() -> Actor {
    Actor::Person {
        user_id: 99,
        email: "audit@example.com".into(),
        roles: [Role::Auditor].into(),
    }
}

#[test]
fn the_set_up_link_works_once_and_for_a_day() {
    both(async |store| {
        let (engine, clock) = engine(store);
        let first = users::make_set_up_link(&engine).await.unwrap().unwrap();
        let second = users::make_set_up_link(&engine).await.unwrap().unwrap();
        assert!(!users::set_up_link_holds(&engine, &first).await.unwrap());
        clock.advance_seconds(24 * 3600 - 1);
        assert!(users::set_up_link_holds(&engine, &second).await.unwrap());
        clock.advance_seconds(1);
        assert!(!users::set_up_link_holds(&engine, &second).await.unwrap());

        let token = users::make_set_up_link(&engine).await.unwrap().unwrap();
        let people = |admin: &str| SetUpPeople {
            admin: NewPerson {
                email: admin.into(),
                password: PASSWORD.into(),
            },
            analyst: Some(NewPerson {
                email: "ana@example.com".into(),
                password: PASSWORD.into(),
            }),
            approver: Some(NewPerson {
                email: "app@example.com".into(),
                password: PASSWORD.into(),
            }),
            auditor: None,
        };
        let admin = users::set_up(&engine, &token, people("Admin@Example.com "))
            .await
            .unwrap();
        assert_eq!(admin.email, "admin@example.com");
        assert!(matches!(
            users::set_up(&engine, &token, people("x@example.com")).await,
            Err(Error::Conflict(_))
        ));
        assert_eq!(users::make_set_up_link(&engine).await.unwrap(), None);
        // Two people decide who did not make each other, so the first decision can be approved.
        let analyst = users::find_by_email(&engine, "ana@example.com")
            .await
            .unwrap()
            .unwrap();
        let approver = users::find_by_email(&engine, "app@example.com")
            .await
            .unwrap()
            .unwrap();
        let mut reader = engine.store.read().await.unwrap();
        assert!(
            users::may_approve(&mut reader, analyst.id, approver.id)
                .await
                .unwrap()
        );
        drop(reader);
        assert_eq!(
            actions(&engine).await,
            [
                "operator add_user admin@example.com",
                "admin@example.com add_user ana@example.com",
                "admin@example.com add_user app@example.com"
            ]
        );
    });
}

#[test]
fn a_short_password_a_bad_address_and_no_role_are_refused() {
    both(async |store| {
        let (engine, _) = engine(store);
        let refused = async |email: &str, password: &str, roles: BTreeSet<Role>| {
            let new = NewUser {
                email: email.into(),
                password: password.into(),
                roles,
            };
            users::add_user(&engine, &Actor::Operator, new)
                .await
                .unwrap_err()
                .to_string()
        };
        assert!(
            refused("a@example.com", "eleven char", [Role::Viewer].into())
                .await
                .starts_with("password")
        );
        assert!(
            refused("a.example.com", PASSWORD, [Role::Viewer].into())
                .await
                .starts_with("email")
        );
        assert!(
            refused("a@example.com", PASSWORD, BTreeSet::new())
                .await
                .starts_with("roles")
        );
        users::add_user(
            &engine,
            &Actor::Operator,
            new_user("a@example.com", Role::Viewer),
        )
        .await
        .unwrap();
        let again = users::add_user(
            &engine,
            &Actor::Operator,
            new_user("A@example.com", Role::Viewer),
        )
        .await;
        assert!(matches!(again, Err(Error::Conflict(_))), "{again:?}");
    });
}

#[test]
fn only_an_administrator_or_the_operator_changes_users_and_tokens() {
    both(async |store| {
        let (engine, _) = engine(store);
        for role in Role::ALL {
            let actor = Actor::Person {
                user_id: 7,
                email: "p@example.com".into(),
                roles: [*role].into(),
            };
            let may = *role == Role::Admin;
            let address = format!("{role}@example.com");
            let added = users::add_user(&engine, &actor, new_user(&address, Role::Viewer)).await;
            assert_eq!(added.is_ok(), may, "{role}: {added:?}");
            let made = tokens::add_token(
                &engine,
                &actor,
                NewToken {
                    name: address,
                    scopes: [Scope::Read].into(),
                    user: None,
                },
            )
            .await;
            assert_eq!(made.is_ok(), may, "{role}: {made:?}");
        }
    });
}

#[test]
fn signing_in_slows_down_after_failures_and_forgets_them_after_success() {
    both(async |store| {
        let (engine, clock) = engine(store);
        users::add_user(
            &engine,
            &Actor::Operator,
            new_user("ana@example.com", Role::Analyst),
        )
        .await
        .unwrap();
        for address in ["ana@example.com", "nobody@example.com"] {
            for _ in 0..5 {
                assert_eq!(
                    users::sign_in(&engine, address, OTHER, &Place::default())
                        .await
                        .unwrap(),
                    None
                );
            }
            let refused = users::sign_in(&engine, address, PASSWORD, &Place::default()).await;
            assert!(
                matches!(refused, Err(Error::TooMany { wait_seconds: 10 })),
                "{refused:?}"
            );
        }
        clock.advance_seconds(10);
        let user = users::sign_in(&engine, " Ana@example.com", PASSWORD, &Place::default())
            .await
            .unwrap()
            .unwrap();
        assert_eq!(user.user.roles, [Role::Analyst].into());
        assert_eq!(
            users::sign_in(&engine, "ana@example.com", OTHER, &Place::default())
                .await
                .unwrap(),
            None
        );
        assert!(
            users::sign_in(&engine, "ana@example.com", PASSWORD, &Place::default())
                .await
                .unwrap()
                .is_some()
        );
    });
}

#[test]
fn shutting_a_user_out_ends_their_sessions_and_their_tokens() {
    both(async |store| {
        let (engine, clock) = engine(store);
        let admin = users::add_user(
            &engine,
            &Actor::Operator,
            new_user("adm@example.com", Role::Admin),
        )
        .await
        .unwrap();
        let ana = users::add_user(
            &engine,
            &person(&admin),
            new_user("ana@example.com", Role::Analyst),
        )
        .await
        .unwrap();
        let ends = start().plus_seconds(3600);
        assert!(
            sessions::create(&engine, "one", ana.id, "{}", ends)
                .await
                .unwrap()
        );
        assert!(
            !sessions::create(&engine, "one", ana.id, "{}", ends)
                .await
                .unwrap()
        );
        let token = tokens::add_token(
            &engine,
            &Actor::Operator,
            NewToken {
                name: "desk".into(),
                scopes: [Scope::Decide].into(),
                user: Some("ANA@example.com".into()),
            },
        )
        .await
        .unwrap();
        let actor = tokens::find_actor(&engine, &token).await.unwrap().unwrap();
        assert_eq!(actor.name(), "ana@example.com (token desk)");
        assert!(actor.may(Permission::Decide));

        users::set_disabled(&engine, &person(&admin), ana.id, true)
            .await
            .unwrap();
        assert_eq!(sessions::load(&engine, "one").await.unwrap(), None);
        assert_eq!(tokens::find_actor(&engine, &token).await.unwrap(), None);
        assert_eq!(
            users::sign_in(&engine, "ana@example.com", PASSWORD, &Place::default())
                .await
                .unwrap(),
            None
        );

        users::set_disabled(&engine, &person(&admin), ana.id, false)
            .await
            .unwrap();
        assert!(tokens::find_actor(&engine, &token).await.unwrap().is_some());
        tokens::revoke_token(&engine, &person(&admin), "desk")
            .await
            .unwrap();
        assert_eq!(tokens::find_actor(&engine, &token).await.unwrap(), None);
        assert_eq!(
            tokens::find_actor(&engine, "tieout_wrong").await.unwrap(),
            None
        );

        sessions::save(&engine, "two", ana.id, "{\"a\":1}", ends)
            .await
            .unwrap();
        assert_eq!(
            sessions::load(&engine, "two").await.unwrap(),
            None,
            "a session that ended does not come back"
        );
        assert!(
            sessions::create(&engine, "two", ana.id, "{}", ends)
                .await
                .unwrap()
        );
        sessions::save(&engine, "two", ana.id, "{\"a\":1}", ends)
            .await
            .unwrap();
        assert_eq!(
            sessions::load(&engine, "two").await.unwrap().unwrap().data,
            "{\"a\":1}"
        );
        clock.set(ends);
        assert_eq!(sessions::load(&engine, "two").await.unwrap(), None);
        assert_eq!(sessions::delete_expired(&engine).await.unwrap(), 1);
    });
}

#[test]
fn a_token_that_decides_needs_a_person() {
    both(async |store| {
        let (engine, _) = engine(store);
        let make = async |user: Option<&str>| {
            let new = NewToken {
                name: "worker".into(),
                scopes: [Scope::Decide].into(),
                user: user.map(str::to_owned),
            };
            tokens::add_token(&engine, &Actor::Operator, new).await
        };
        assert!(matches!(
            make(None).await,
            Err(Error::Invalid { field: "user", .. })
        ));
        assert!(matches!(
            make(Some("nobody@example.com")).await,
            Err(Error::NotFound { what: "user", .. })
        ));
    });
}

#[test]
fn a_new_password_ends_the_other_sessions_only() {
    both(async |store| {
        let (engine, _) = engine(store);
        let ana = users::add_user(
            &engine,
            &Actor::Operator,
            new_user("ana@example.com", Role::Analyst),
        )
        .await
        .unwrap();
        let ends = start().plus_seconds(3600);
        for id in ["here", "elsewhere"] {
            sessions::create(&engine, id, ana.id, "{}", ends)
                .await
                .unwrap();
        }
        let change = |current: &str| PasswordChange {
            user_id: ana.id,
            current: Some(current.into()),
            new: OTHER.into(),
            keep_session: Some("here".into()),
        };
        let refused = users::change_password(&engine, &person(&ana), change("wrong")).await;
        assert!(
            matches!(
                refused,
                Err(Error::Invalid {
                    field: "current_password",
                    ..
                })
            ),
            "{refused:?}"
        );
        users::change_password(&engine, &person(&ana), change(PASSWORD))
            .await
            .unwrap();
        assert!(sessions::load(&engine, "here").await.unwrap().is_some());
        assert_eq!(sessions::load(&engine, "elsewhere").await.unwrap(), None);
        assert!(
            users::sign_in(&engine, "ana@example.com", OTHER, &Place::default())
                .await
                .unwrap()
                .is_some()
        );
        assert!(
            users::sign_in(&engine, "ana@example.com", PASSWORD, &Place::default())
                .await
                .unwrap()
                .is_none()
        );
    });
}

#[test]
fn nobody_approves_who_made_or_last_changed_the_other() {
    both(async |store| {
        let (engine, _) = engine(store);
        let add = async |actor: &Actor, email: &str, roles: &[Role]| {
            let roles = roles.iter().copied().collect();
            let new = NewUser {
                email: email.into(),
                password: PASSWORD.into(),
                roles,
            };
            users::add_user(&engine, actor, new).await.unwrap()
        };
        let may = async |decider: &users::User, approver: &users::User| {
            let mut reader = engine.store.read().await.unwrap();
            users::may_approve(&mut reader, decider.id, approver.id)
                .await
                .unwrap()
        };
        let chief = add(
            &Actor::Operator,
            "chief@example.com",
            &[Role::Admin, Role::Approver],
        )
        .await;
        let ana = add(&Actor::Operator, "ana@example.com", &[Role::Analyst]).await;
        let app = add(&Actor::Operator, "app@example.com", &[Role::Approver]).await;
        let made = add(&person(&chief), "made@example.com", &[Role::Approver]).await;
        assert!(may(&ana, &app).await);
        assert!(may(&ana, &chief).await);
        assert!(!may(&app, &app).await, "their own");
        assert!(!may(&app, &ana).await, "no approver");
        assert!(!may(&chief, &made).await, "the decider made the approver");
        assert!(!may(&made, &chief).await, "the approver made the decider");
        let deputy = add(&person(&chief), "deputy@example.com", &[Role::Admin]).await;
        let puppet = add(&person(&deputy), "puppet@example.com", &[Role::Approver]).await;
        assert!(
            !may(&chief, &puppet).await,
            "the decider made who made the approver"
        );
        assert!(may(&ana, &puppet).await);

        // A reset password lets the administrator in as the approver.
        let reset = PasswordChange {
            user_id: app.id,
            current: None,
            new: OTHER.into(),
            keep_session: None,
        };
        users::change_password(&engine, &person(&chief), reset)
            .await
            .unwrap();
        assert!(!may(&chief, &app).await);
        assert!(may(&ana, &app).await);

        users::change_roles(
            &engine,
            &person(&chief),
            ana.id,
            &[Role::Analyst, Role::Viewer].into(),
        )
        .await
        .unwrap();
        assert!(
            !may(&ana, &chief).await,
            "the approver changed the decider last"
        );
        users::set_disabled(&engine, &Actor::Operator, app.id, true)
            .await
            .unwrap();
        assert!(!may(&ana, &app).await, "shut out");
    });
}

#[test]
fn the_last_administrator_stays() {
    both(async |store| {
        let (engine, _) = engine(store);
        let one = users::add_user(
            &engine,
            &Actor::Operator,
            new_user("one@example.com", Role::Admin),
        )
        .await
        .unwrap();
        let refused = users::set_disabled(&engine, &person(&one), one.id, true).await;
        assert!(matches!(refused, Err(Error::Conflict(_))), "{refused:?}");
        let refused =
            users::change_roles(&engine, &person(&one), one.id, &[Role::Viewer].into()).await;
        assert!(matches!(refused, Err(Error::Conflict(_))), "{refused:?}");
        users::add_user(
            &engine,
            &person(&one),
            new_user("two@example.com", Role::Admin),
        )
        .await
        .unwrap();
        users::change_roles(&engine, &person(&one), one.id, &[Role::Viewer].into())
            .await
            .unwrap();
    });
}

#[test]
fn the_audit_log_is_read_page_by_page_and_by_filter() {
    both(async |store| {
        let (engine, clock) = engine(store);
        for n in 0..60 {
            let name = format!("token {n}");
            let new = NewToken {
                name,
                scopes: [Scope::Read].into(),
                user: None,
            };
            tokens::add_token(&engine, &Actor::Operator, new)
                .await
                .unwrap();
            if n % 2 == 0 {
                clock.advance_seconds(3600);
            }
        }
        let list =
            async |filter: AuditFilter| audit::list(&engine, &auditor(), &filter).await.unwrap();
        let first = list(AuditFilter::default()).await;
        assert_eq!(first.rows.len(), 50);
        assert_eq!(first.rows[0].subject, "token 59");
        let second = list(AuditFilter {
            after: first.next.unwrap(),
            ..AuditFilter::default()
        })
        .await;
        assert_eq!(second.rows.len(), 10);
        assert_eq!(second.rows[9].subject, "token 0");
        assert_eq!(second.next, None);
        assert_eq!(second.actions, ["add_token"]);

        let of = async |filter: AuditFilter| list(filter).await.rows.len();
        assert_eq!(
            of(AuditFilter {
                subject: "token 7".into(),
                ..AuditFilter::default()
            })
            .await,
            1
        );
        assert_eq!(
            of(AuditFilter {
                actor: "operator".into(),
                ..AuditFilter::default()
            })
            .await,
            50
        );
        assert_eq!(
            of(AuditFilter {
                action: "sign_in".into(),
                ..AuditFilter::default()
            })
            .await,
            0
        );
        // Token 0 is made at 09:00, 1 and 2 at 10:00, 3 and 4 at 11:00 … 29 and 30 at 24:00.
        assert_eq!(
            of(AuditFilter {
                to: "2026-11-29".into(),
                ..AuditFilter::default()
            })
            .await,
            29
        );
        assert_eq!(
            of(AuditFilter {
                from: "2026-11-30".into(),
                ..AuditFilter::default()
            })
            .await,
            31
        );

        let refused = audit::list(&engine, &Actor::System, &AuditFilter::default()).await;
        assert!(matches!(refused, Err(Error::Forbidden(_))), "{refused:?}");
    });
}

#[test]
fn guesses_at_the_same_moment_are_not_all_the_first() {
    both(async |store| {
        let (engine, _) = engine(store);
        let guesses: Vec<_> = (0..20)
            .map(|_| {
                let engine = engine.clone();
                tokio::spawn(async move {
                    users::sign_in(&engine, "ana@example.com", "a wrong one", &Place::default())
                        .await
                })
            })
            .collect();
        let (mut tried, mut refused) = (0, 0);
        for guess in guesses {
            match guess.await.unwrap() {
                Ok(None) => tried += 1,
                Err(Error::TooMany { .. }) => refused += 1,
                other => panic!("{other:?}"),
            }
        }
        assert!(tried <= 5, "{tried} were tried, {refused} refused");
    });
}

#[test]
fn of_two_administrators_who_shut_each_other_out_at_once_one_stays() {
    both(async |store| {
        let (engine, _) = engine(store);
        let add = async |email: &str| {
            let new = new_user(email, Role::Admin);
            users::add_user(&engine, &Actor::Operator, new)
                .await
                .unwrap()
        };
        let (one, two) = (add("one@example.com").await, add("two@example.com").await);
        let (by_one, by_two, viewer) = (person(&one), person(&two), [Role::Viewer].into());
        let (first, second) = tokio::join!(
            users::change_roles(&engine, &by_one, two.id, &viewer),
            users::set_disabled(&engine, &by_two, one.id, true),
        );
        assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
        let people = users::list(&engine, &auditor()).await.unwrap();
        let left = people
            .iter()
            .filter(|u| u.roles.contains(&Role::Admin) && !u.disabled);
        assert_eq!(left.count(), 1, "{people:?}");
    });
}

#[test]
fn of_two_who_use_the_set_up_link_at_once_one_becomes_administrator() {
    both(async |store| {
        let (engine, _) = engine(store);
        let token = users::make_set_up_link(&engine).await.unwrap().unwrap();
        let people = |admin: &str| SetUpPeople {
            admin: NewPerson {
                email: admin.into(),
                password: PASSWORD.into(),
            },
            analyst: None,
            approver: None,
            auditor: None,
        };
        let (first, second) = tokio::join!(
            users::set_up(&engine, &token, people("one@example.com")),
            users::set_up(&engine, &token, people("two@example.com")),
        );
        assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
        assert_eq!(users::list(&engine, &auditor()).await.unwrap().len(), 1);
    });
}

#[test]
fn a_password_that_is_set_while_roles_change_undoes_nothing() {
    both(async |store| {
        let (engine, _) = engine(store);
        let add = async |email: &str, role: Role| {
            users::add_user(&engine, &Actor::Operator, new_user(email, role))
                .await
                .unwrap()
        };
        let chief = add("chief@example.com", Role::Admin).await;
        let ana = add("ana@example.com", Role::Analyst).await;
        let own = PasswordChange {
            user_id: ana.id,
            current: Some(PASSWORD.into()),
            new: OTHER.into(),
            keep_session: None,
        };
        // Hashing takes its time: the roles change between the look at the account and the writing.
        let (by_ana, by_chief, approver) = (person(&ana), person(&chief), [Role::Approver].into());
        let (password, roles) = tokio::join!(
            users::change_password(&engine, &by_ana, own),
            users::change_roles(&engine, &by_chief, ana.id, &approver),
        );
        password.unwrap();
        roles.unwrap();
        let listed = users::list(&engine, &auditor()).await.unwrap();
        let ana = listed.iter().find(|u| u.user_id == ana.id).unwrap();
        assert_eq!(ana.roles, approver);
        assert_eq!(ana.changed_by, "chief@example.com");
        expect_accounts_verified(&engine).await;
    });
}

#[test]
fn a_password_checked_before_an_administrator_set_another_sets_none() {
    both(async |store| {
        let (engine, _) = engine(store);
        let add = async |email: &str, role: Role| {
            users::add_user(&engine, &Actor::Operator, new_user(email, role))
                .await
                .unwrap()
        };
        let chief = add("chief@example.com", Role::Admin).await;
        let ana = add("ana@example.com", Role::Analyst).await;
        let change = |current: Option<&str>, new: &str| PasswordChange {
            user_id: ana.id,
            current: current.map(str::to_owned),
            new: new.into(),
            keep_session: None,
        };
        let (by_ana, by_chief) = (person(&ana), person(&chief));
        // Whoever knows the old password is slower, as a rule: theirs is checked, then hashed. Whichever comes
        // first, the administrator's stands; where theirs came between the check and the change, the change is
        // refused.
        for _ in 0..20 {
            let (own, reset) = tokio::join!(
                users::change_password(&engine, &by_ana, change(Some(PASSWORD), OTHER)),
                users::change_password(&engine, &by_chief, change(None, "a third secret word")),
            );
            reset.unwrap();
            let signed_in = users::sign_in(
                &engine,
                "ana@example.com",
                "a third secret word",
                &network("desk"),
            )
            .await;
            assert!(signed_in.unwrap().is_some());
            match own {
                Err(Error::Conflict(_)) => return,
                Ok(()) | Err(Error::Invalid { .. }) => {}
                Err(other) => panic!("{other}"),
            }
            users::change_password(&engine, &by_chief, change(None, PASSWORD))
                .await
                .unwrap();
        }
        panic!("the administrator never came in between");
    });
}

#[test]
fn an_administrator_makes_no_token_that_decides_as_somebody_else() {
    both(async |store| {
        let (engine, _) = engine(store);
        let add = async |email: &str, roles: &[Role]| {
            let new = NewUser {
                roles: roles.iter().copied().collect(),
                ..new_user(email, Role::Viewer)
            };
            users::add_user(&engine, &Actor::Operator, new)
                .await
                .unwrap()
        };
        let chief = add("chief@example.com", &[Role::Admin, Role::Analyst]).await;
        let app = add("app@example.com", &[Role::Approver]).await;
        let may = async || {
            let mut reader = engine.store.read().await.unwrap();
            users::may_approve(&mut reader, chief.id, app.id)
                .await
                .unwrap()
        };
        let make = async |actor: &Actor, name: &str, scope: Scope, user: &str| {
            let new = NewToken {
                name: name.into(),
                scopes: [scope].into(),
                user: Some(user.into()),
            };
            tokens::add_token(&engine, actor, new).await
        };
        let by_chief = person(&chief);
        let refused = make(&by_chief, "as-app", Scope::Decide, "app@example.com").await;
        assert!(
            matches!(refused, Err(Error::Invalid { field: "user", .. })),
            "{refused:?}"
        );
        assert!(may().await, "nothing was made");
        // For oneself, and by the operator at the command line, it goes on working.
        make(&by_chief, "own", Scope::Decide, "Chief@example.com")
            .await
            .unwrap();
        let desk = make(&Actor::Operator, "desk", Scope::Decide, "app@example.com").await;
        let desk = tokens::find_actor(&engine, &desk.unwrap()).await.unwrap();
        assert!(desk.unwrap().may(Permission::Approve));
        assert!(may().await);
        // A token that only reads as another is a change of their account all the same.
        make(&by_chief, "reads", Scope::Read, "app@example.com")
            .await
            .unwrap();
        assert!(
            !may().await,
            "the decider holds a key to the approver's account"
        );
        expect_accounts_verified(&engine).await;
    });
}

async fn expect_accounts_verified(engine: &Engine) {
    let found = engine::verify::verify_database(engine, &auditor(), None)
        .await
        .unwrap();
    let broken: Vec<_> = found.checks.iter().filter(|c| !c.holds).collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

fn network(name: &str) -> Place {
    Place {
        network: name.to_owned(),
        device: String::new(),
    }
}

// Five free guesses a network; after the sixth network's, fifty in all are not yet reached.
#[test]
fn guesses_from_elsewhere_do_not_shut_a_person_out() {
    both(async |store| {
        let (engine, clock) = engine(store);
        let new = new_user("ana@example.com", Role::Analyst);
        users::add_user(&engine, &Actor::Operator, new)
            .await
            .unwrap();
        let sign_in = async |password: &'static str, place: &Place| {
            users::sign_in(&engine, "ana@example.com", password, place).await
        };
        let first = sign_in(PASSWORD, &network("desk")).await.unwrap().unwrap();
        let known = Place {
            network: "desk".to_owned(),
            device: first.device,
        };

        // Guessed from twelve networks until none of them may go on.
        for guesser in 0..12 {
            let place = network(&format!("elsewhere {guesser}"));
            for _ in 0..7 {
                assert!(!matches!(sign_in(OTHER, &place).await, Ok(Some(_))));
            }
        }
        let refused = sign_in(PASSWORD, &network("elsewhere 1")).await;
        assert!(matches!(refused, Err(Error::TooMany { .. })), "{refused:?}");
        // The person's own browser is let in at once; a new one, by the next minute.
        assert!(sign_in(PASSWORD, &known).await.unwrap().is_some());
        let new = sign_in(PASSWORD, &network("hotel")).await;
        assert!(
            matches!(new, Err(Error::TooMany { wait_seconds }) if wait_seconds <= 30),
            "{new:?}"
        );
        clock.advance_seconds(30);
        assert!(
            sign_in(PASSWORD, &network("hotel"))
                .await
                .unwrap()
                .is_some()
        );
    });
}

#[test]
fn a_known_browser_is_no_way_to_guess_faster() {
    both(async |store| {
        let (engine, _) = engine(store);
        for email in ["ana@example.com", "ben@example.com"] {
            users::add_user(&engine, &Actor::Operator, new_user(email, Role::Analyst))
                .await
                .unwrap();
        }
        let place = network("desk");
        let signed_in = users::sign_in(&engine, "ben@example.com", PASSWORD, &place)
            .await
            .unwrap()
            .unwrap();
        let known = Place {
            device: signed_in.device,
            ..place
        };
        // Five guesses at one's own account with the mark, then it waits.
        for _ in 0..5 {
            let guess = users::sign_in(&engine, "ben@example.com", OTHER, &known).await;
            assert_eq!(guess.unwrap(), None);
        }
        let refused = users::sign_in(&engine, "ben@example.com", PASSWORD, &known).await;
        assert!(matches!(refused, Err(Error::TooMany { .. })), "{refused:?}");
        // For another account the mark says nothing: there its network counts.
        for _ in 0..5 {
            let guess = users::sign_in(&engine, "ana@example.com", OTHER, &known).await;
            assert_eq!(guess.unwrap(), None);
        }
        let bare = network("desk");
        let refused = users::sign_in(&engine, "ana@example.com", PASSWORD, &bare).await;
        assert!(matches!(refused, Err(Error::TooMany { .. })), "{refused:?}");
    });
}

#[test]
fn guesses_from_many_networks_at_the_same_moment_are_few_as_well() {
    both(async |store| {
        let (engine, _) = engine(store);
        let guesses: Vec<_> = (0..80)
            .map(|n| {
                let engine = engine.clone();
                tokio::spawn(async move {
                    let place = network(&format!("network {n}"));
                    users::sign_in(&engine, "ana@example.com", "a wrong one", &place).await
                })
            })
            .collect();
        let mut tried = 0;
        for guess in guesses {
            match guess.await.unwrap() {
                Ok(None) => tried += 1,
                Err(Error::TooMany { .. }) => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(tried, 50);
    });
}

#[test]
fn guesses_at_the_door_keep_nobody_from_changing_their_password() {
    both(async |store| {
        let (engine, _) = engine(store);
        let new = new_user("ana@example.com", Role::Analyst);
        let ana = users::add_user(&engine, &Actor::Operator, new)
            .await
            .unwrap();
        for _ in 0..9 {
            drop(users::sign_in(&engine, "ana@example.com", OTHER, &Place::default()).await);
        }
        let change = PasswordChange {
            user_id: ana.id,
            current: Some(PASSWORD.to_owned()),
            new: OTHER.to_owned(),
            keep_session: None,
        };
        users::change_password(&engine, &person(&ana), change)
            .await
            .unwrap();
    });
}
