//! The review queue: order, pages, filters, figures.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // as in any test

use domain::{
    account::ProviderKind,
    actor::{Actor, Role},
    time::{Instant, Zone},
    view::queue::{Queue, QueueFilter, QueueView},
};
use engine::{
    Engine, Sources,
    clock::FixedClock,
    ids::SystemIds,
    providers::{self, NewProvider},
    saved_views::{remove_view, save_view},
    storage::{ColumnType::Int, ColumnType::Text, Rows, Store},
    testing::both,
    users::{self, NewUser},
    views,
};
use std::sync::Arc;

fn now() -> Instant {
    Instant::parse_rfc3339("2026-11-29T09:00:00Z").unwrap()
}

struct Case {
    kind: &'static str,
    state: &'static str,
    account: i64,
    at_risk: i64,
    currency: &'static str,
    severity: i64,
    hours_old: i64,
    owner: Option<i64>,
}

const PLAIN: Case = Case {
    kind: "proposed_match",
    state: "OPEN",
    account: 1,
    at_risk: 100,
    currency: "EUR",
    severity: 2,
    hours_old: 1,
    owner: None,
};

async fn put(engine: &Engine, cases: &[Case]) {
    let mut tx = engine.store.begin().await.unwrap();
    let first = engine::ids::allocate(&mut tx, "review_case", cases.len() as u64)
        .await
        .unwrap();
    let mut opened = Rows::new(
        "review_case",
        &[
            ("id", Int),
            ("public_id", Text),
            ("kind", Text),
            ("subject", Text),
            ("opening", Int),
            ("account_id", Int),
            ("opened_at", Int),
        ],
    );
    let mut current = Rows::new(
        "case_now",
        &[
            ("case_id", Int),
            ("kind", Text),
            ("subject", Text),
            ("state", Text),
            ("version", Int),
            ("evidence_version", Int),
            ("account_id", Int),
            ("currency", Text),
            ("at_risk", Int),
            ("severity", Int),
            ("facts", Text),
            ("opened_at", Int),
            ("due_at", Int),
            ("owner_id", Int),
            ("resolution", Text),
            ("resolved_at", Int),
        ],
    );
    for (id, case) in (first..).zip(cases) {
        let at = now().plus_seconds(-3600 * case.hours_old).micros();
        let subject = format!("intent:order-{id}");
        opened
            .add()
            .int(id)
            .text(&format!("C-{id:05}"))
            .text(case.kind)
            .text(&subject)
            .int(1)
            .int(case.account)
            .int(at);
        current
            .add()
            .int(id)
            .text(case.kind)
            .text(&subject)
            .text(case.state)
            .int(1)
            .int(1)
            .int(case.account)
            .text(case.currency)
            .int(case.at_risk)
            .int(case.severity)
            .text(r#"{"sentence":"One open payment fits. A person is asked."}"#)
            .int(at)
            .int(at)
            .opt_int(case.owner)
            .text("")
            .opt_int((case.state == "RESOLVED").then_some(at));
    }
    opened.insert_into(&mut tx, "review_case").await.unwrap();
    current.insert_into(&mut tx, "case_now").await.unwrap();
    tx.commit().await.unwrap();
}

async fn ready(store: Store) -> (Engine, Actor) {
    let sources = Sources {
        clock: Arc::new(FixedClock::at(now())),
        ids: Arc::new(SystemIds),
    };
    let engine = Engine { store, sources };
    for name in ["stripe-eu", "adyen"] {
        let new = NewProvider {
            name: name.into(),
            kind: ProviderKind::Stripe,
            zone: Zone::UTC,
            fields: vec![],
        };
        providers::add_provider(&engine, &Actor::Operator, new)
            .await
            .unwrap();
    }
    let new = NewUser {
        email: "ana@example.com".into(),
        password: "correct horse battery".into(),
        roles: [Role::Analyst].into(),
    };
    let ana = users::add_user(&engine, &Actor::Operator, new)
        .await
        .unwrap();
    let actor = Actor::Person {
        user_id: ana.id,
        email: ana.email,
        roles: ana.roles,
    };
    (engine, actor)
}

async fn ask(engine: &Engine, actor: &Actor, filter: QueueFilter) -> Queue {
    views::queue(engine, actor, &filter).await.unwrap()
}

fn ids(queue: &Queue) -> Vec<&str> {
    queue.rows.iter().map(|r| r.id.as_str()).collect()
}

fn view(view: QueueView) -> QueueFilter {
    QueueFilter {
        view,
        ..QueueFilter::default()
    }
}

#[test]
fn the_gravest_stand_first_and_of_equals_the_oldest() {
    both(async |store| {
        let (engine, actor) = ready(store).await;
        put(
            &engine,
            &[
                Case {
                    severity: 2,
                    hours_old: 1,
                    ..PLAIN
                },
                Case {
                    severity: 4,
                    hours_old: 1,
                    ..PLAIN
                },
                Case {
                    severity: 2,
                    hours_old: 60,
                    ..PLAIN
                },
                Case {
                    severity: 4,
                    hours_old: 90,
                    state: "WAITING",
                    ..PLAIN
                },
                Case {
                    severity: 4,
                    hours_old: 90,
                    state: "RESOLVED",
                    ..PLAIN
                },
                Case {
                    severity: 3,
                    hours_old: 5,
                    owner: Some(1),
                    state: "IN_REVIEW",
                    ..PLAIN
                },
            ],
        )
        .await;
        let all = ask(&engine, &actor, QueueFilter::default()).await;
        assert_eq!(ids(&all), ["C-00002", "C-00006", "C-00003", "C-00001"]);
        assert_eq!(all.rows[0].summary, "order-2 · One open payment fits");
        assert_eq!(all.oldest, Some(now().plus_seconds(-60 * 3600)));
        assert!(all.rows[1].mine);
        assert_eq!(all.rows[1].owner.as_deref(), Some("ana@example.com"));
        let counts: Vec<_> = all.views.iter().map(|v| (v.view.code(), v.count)).collect();
        assert_eq!(
            counts,
            [
                ("all", 4),
                ("mine", 1),
                ("to_approve", 0),
                ("over_48h", 1),
                ("waiting", 1),
                ("resolved", 1)
            ]
        );
        for (which, expected) in [
            (QueueView::Mine, vec!["C-00006"]),
            (QueueView::Over48h, vec!["C-00003"]),
            (QueueView::Waiting, vec!["C-00004"]),
            (QueueView::Resolved, vec!["C-00005"]),
        ] {
            let found = ask(&engine, &actor, view(which)).await;
            assert_eq!(ids(&found), expected, "{which}");
            assert_eq!(found.total, 1, "{which}");
        }
    });
}

#[test]
fn pages_follow_each_other_without_gap_or_repeat_and_figures_cover_all_of_them() {
    both(async |store| {
        let (engine, actor) = ready(store).await;
        let cases: Vec<Case> = (0..120)
            .map(|n| Case {
                severity: 1 + n % 3,
                hours_old: n % 7,
                state: if n < 110 { "OPEN" } else { "RESOLVED" },
                currency: if n % 2 == 0 { "EUR" } else { "JPY" },
                ..PLAIN
            })
            .collect();
        put(&engine, &cases).await;
        let mut seen = Vec::new();
        let mut filter = QueueFilter::default();
        let mut sizes = Vec::new();
        loop {
            let page = ask(&engine, &actor, filter.clone()).await;
            assert_eq!(page.total, 110);
            let totals: Vec<_> = page
                .totals
                .iter()
                .map(|a| (a.currency.to_string(), a.minor))
                .collect();
            assert_eq!(
                totals,
                [("EUR".to_owned(), 5_500), ("JPY".to_owned(), 5_500)]
            );
            sizes.push(page.rows.len());
            seen.extend(
                page.rows
                    .iter()
                    .map(|r| (std::cmp::Reverse(r.severity), r.opened_at, r.id.clone())),
            );
            let Some(next) = page.next else { break };
            filter.after = next;
        }
        assert_eq!(sizes, [50, 50, 10]);
        assert!(seen.is_sorted());
        seen.dedup();
        assert_eq!(seen.len(), 110);
    });
}

#[test]
fn filters_narrow_the_list_and_its_figures() {
    both(async |store| {
        let (engine, actor) = ready(store).await;
        put(
            &engine,
            &[
                Case {
                    at_risk: 999,
                    ..PLAIN
                },
                Case {
                    at_risk: 1_000,
                    ..PLAIN
                },
                Case {
                    account: 2,
                    ..PLAIN
                },
                Case {
                    kind: "chargeback",
                    ..PLAIN
                },
                Case {
                    currency: "",
                    at_risk: 0,
                    kind: "missing_file",
                    ..PLAIN
                },
            ],
        )
        .await;
        let of = async |filter: QueueFilter| ask(&engine, &actor, filter).await;
        let found = of(QueueFilter {
            min: "10.00".into(),
            currency: "EUR".into(),
            ..QueueFilter::default()
        })
        .await;
        assert_eq!(ids(&found), ["C-00002"]);
        assert_eq!(found.totals[0].minor, 1_000);
        let found = of(QueueFilter {
            min: "10.00".into(),
            ..QueueFilter::default()
        })
        .await;
        assert_eq!(found.problems[0].field, "min");
        let found = of(QueueFilter {
            provider: "adyen".into(),
            ..QueueFilter::default()
        })
        .await;
        assert_eq!(ids(&found), ["C-00003"]);
        let found = of(QueueFilter {
            provider: "nobody".into(),
            ..QueueFilter::default()
        })
        .await;
        assert_eq!(found.total, 0);
        let found = of(QueueFilter {
            kind: "missing_file".into(),
            ..QueueFilter::default()
        })
        .await;
        assert_eq!(
            (ids(&found), found.rows[0].at_risk),
            (vec!["C-00005"], None)
        );
        assert!(found.totals.is_empty());
        assert_eq!(
            found.kinds,
            ["chargeback", "missing_file", "proposed_match"]
        );
        let found = of(QueueFilter {
            q: "C-00004".into(),
            ..QueueFilter::default()
        })
        .await;
        assert_eq!(ids(&found), ["C-00004"]);
        let refused = views::queue(
            &engine,
            &actor,
            &QueueFilter {
                after: "x".into(),
                ..QueueFilter::default()
            },
        )
        .await;
        assert!(refused.is_err());
    });
}

#[test]
fn a_filter_by_owner_finds_what_a_person_holds_and_what_nobody_does() {
    both(async |store| {
        let (engine, actor) = ready(store).await;
        put(
            &engine,
            &[
                Case {
                    owner: Some(1),
                    state: "IN_REVIEW",
                    ..PLAIN
                },
                PLAIN,
                Case {
                    state: "RESOLVED",
                    ..PLAIN
                },
            ],
        )
        .await;
        let of = async |owner: &str, view: QueueView| {
            let filter = QueueFilter {
                owner: owner.into(),
                view,
                ..QueueFilter::default()
            };
            ask(&engine, &actor, filter).await
        };
        let hers = of("ana@example.com", QueueView::All).await;
        assert_eq!((ids(&hers), hers.total), (vec!["C-00001"], 1));
        assert_eq!(hers.owners, ["ana@example.com"]);
        let free = of("nobody", QueueView::All).await;
        assert_eq!((ids(&free), free.total), (vec!["C-00002"], 1));
        assert_eq!(of("eve@example.com", QueueView::All).await.total, 0);
        // Nobody holds what is done.
        assert_eq!(of("nobody", QueueView::Resolved).await.total, 1);
        let none = of("ana@example.com", QueueView::Resolved).await;
        assert_eq!((ids(&none).len(), none.total), (0, 0));
        let searched = QueueFilter {
            owner: "nobody".into(),
            q: "C-00001".into(),
            ..QueueFilter::default()
        };
        assert_eq!(ask(&engine, &actor, searched).await.total, 0);
    });
}

#[test]
fn a_saved_view_counts_what_is_under_it_now_and_is_its_person_s_alone() {
    both(async |store| {
        let (engine, ana) = ready(store).await;
        let new = NewUser {
            email: "ben@example.com".into(),
            password: "correct horse battery".into(),
            roles: [Role::Viewer].into(),
        };
        let ben = users::add_user(&engine, &Actor::Operator, new)
            .await
            .unwrap();
        let ben = Actor::Person {
            user_id: ben.id,
            email: ben.email,
            roles: ben.roles,
        };
        put(
            &engine,
            &[
                Case {
                    kind: "chargeback",
                    ..PLAIN
                },
                Case {
                    kind: "chargeback",
                    account: 2,
                    ..PLAIN
                },
                PLAIN,
            ],
        )
        .await;
        let disputes = QueueFilter {
            kind: "chargeback".into(),
            after: "somewhere".into(),
            held: "C-00003~2".into(),
            ..QueueFilter::default()
        };
        save_view(&engine, &ana, "  My   disputes ", &disputes)
            .await
            .unwrap();
        let saved = ask(&engine, &ana, QueueFilter::default()).await.saved;
        assert_eq!(saved.len(), 1);
        assert_eq!((saved[0].name.as_str(), saved[0].count), ("My disputes", 2));
        assert_eq!(saved[0].filter, disputes.afresh());
        assert!(
            ask(&engine, &ben, QueueFilter::default())
                .await
                .saved
                .is_empty()
        );

        // The same name again takes the place of the first.
        let at_adyen = QueueFilter {
            provider: "adyen".into(),
            ..disputes
        };
        save_view(&engine, &ana, "My disputes", &at_adyen)
            .await
            .unwrap();
        let saved = ask(&engine, &ana, QueueFilter::default()).await.saved;
        assert_eq!((saved.len(), saved[0].count), (1, 1));

        let not_his = remove_view(&engine, &ben, saved[0].view_id).await;
        assert!(matches!(not_his, Err(engine::Error::NotFound { .. })));
        for n in 1..12 {
            save_view(&engine, &ana, &format!("view {n}"), &at_adyen)
                .await
                .unwrap();
        }
        for name in ["one too many", "", &"x".repeat(41)] {
            let refused = save_view(&engine, &ana, name, &at_adyen).await;
            assert!(
                matches!(refused, Err(engine::Error::Invalid { field: "name", .. })),
                "{name}"
            );
        }
        remove_view(&engine, &ana, saved[0].view_id).await.unwrap();
        let left = ask(&engine, &ana, QueueFilter::default()).await.saved;
        assert_eq!(left.len(), 11);
        assert!(
            save_view(&engine, &Actor::Operator, "x", &at_adyen)
                .await
                .is_err()
        );
    });
}

#[test]
fn a_decided_row_keeps_its_place_until_the_list_is_asked_for_afresh() {
    both(async |store| {
        let (engine, actor) = ready(store).await;
        let cases: Vec<Case> = ["OPEN", "RESOLVED", "WAITING", "OPEN"]
            .into_iter()
            .zip([5, 4, 3, 2])
            .map(|(state, hours_old)| Case {
                state,
                hours_old,
                ..PLAIN
            })
            .collect();
        put(&engine, &cases).await;
        let mut filter = QueueFilter::default();
        assert_eq!(
            ids(&ask(&engine, &actor, filter.clone()).await),
            ["C-00001", "C-00004"]
        );
        filter.hold("C-00002", 2);
        filter.hold("C-00003", 2);
        // Escalated since: it had stood last.
        filter.hold("C-00001", 1);
        filter.hold("C-09999", 4);
        let kept = ask(&engine, &actor, filter.clone()).await;
        assert_eq!(ids(&kept), ["C-00002", "C-00003", "C-00004", "C-00001"]);
        let held: Vec<bool> = kept.rows.iter().map(|r| r.held).collect();
        assert_eq!(held, [true, true, false, false]);
        // They are no longer part of the list's figures.
        assert_eq!((kept.total, kept.totals[0].minor), (2, 200));
        assert_eq!(ids(&ask(&engine, &actor, filter.afresh()).await).len(), 2);
    });
}
