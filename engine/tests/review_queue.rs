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
