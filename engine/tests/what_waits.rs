//! Whether a page tells everything that waits for a person, and where it is.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // as in any test

#[path = "support/shop.rs"]
mod shop;

use domain::{
    actor::{Actor, Role},
    cases::{Action, DecisionParams, ReasonCode},
    time::Instant,
    view::{
        bulk::BulkResult,
        files::FileFilter,
        payments::{NEVER, PaymentFilter},
        queue::{QueueFilter, QueueView},
        sent::SentFilter,
    },
};
use engine::{
    decide::{
        Choice, Picked, answer_decision, approve_several, decide_several, foresee_approvals,
        withdraw_decision,
    },
    import_payments::import_stored_payments,
    storage::{overview, providers},
    testing::both,
    views,
};
use shop::Shop;
use std::sync::{Arc, Mutex};

const HEADER: &str = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code";

/// Two of the day, one of them eight short, and one that is a month older than any file.
const PAYMENTS: &str = "\
i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,shop,i1,pi_1,2026-11-02T09:00:01Z,,succeeded,
i3,order-3,charge,80.00,EUR,in,c3,2026-11-02T09:10:00Z,,a3,1,shop,i3,pi_3,2026-11-02T09:10:01Z,,succeeded,
i5,order-5,charge,12.00,EUR,in,c5,2026-10-02T09:10:00Z,,a5,1,shop,i5,pi_5,2026-10-02T09:10:01Z,,succeeded,
";

/// One ties, one is eight short, 25.00 have no payment.
const LINES: &str = "\
row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description
r1,payment,pi_1,order-1,100.00,0.00,100.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,
r3,payment,pi_3,order-3,72.00,0.00,72.00,EUR,2026-11-02T09:10:02Z,2026-11-03T00:00:00Z,,,
r5,payment,pi_9,order-9,25.00,0.00,25.00,EUR,2026-11-02T09:30:02Z,2026-11-03T00:00:00Z,,,
";

/// The settled row brings 9.70, the payout row takes 9.00.
const UNTIED: &str = "\
Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Batch Number
Shop,ShopNL,PSP1,order-1,visa,2026-11-02 09:00:02,UTC,Settled,MOD1,EUR,,10.00,1,EUR,,9.70,0.30,,,,7
Shop,ShopNL,,,,2026-11-03 00:00:00,UTC,MerchantPayout,TX1 batch 7,EUR,,,,EUR,9.00,,,,,,7
";

async fn a_day(store: engine::Store) -> (Shop, String) {
    let shop = Shop::open(store).await;
    let csv = format!("{HEADER}\n{PAYMENTS}");
    let (engine, evidence) = (&shop.engine, &shop.ingest.evidence);
    let stored = evidence.store(csv.as_bytes()).await.unwrap();
    import_stored_payments(engine, &Actor::Operator, evidence, stored, "october.csv")
        .await
        .unwrap();
    let summary = shop.import_settlement("day.csv", LINES).await;
    assert_eq!(summary.state, "USED", "{summary:?}");
    (shop, summary.file_id)
}

async fn queue(shop: &Shop, actor: &Actor, filter: QueueFilter) -> domain::view::queue::Queue {
    views::queue(&shop.engine, actor, &filter).await.unwrap()
}

fn of_file(file: &str) -> QueueFilter {
    QueueFilter {
        file: file.to_owned(),
        ..QueueFilter::default()
    }
}

#[test]
fn the_list_the_page_and_the_queue_of_a_file_tell_the_same_number_of_cases() {
    both(async |store| {
        let (shop, file) = a_day(store).await;
        let (analyst, ..) = shop.people().await;
        // Another file with a case of its own.
        let other = LINES
            .lines()
            .next()
            .map(|header| format!("{header}\nx1,payment,pi_8,order-8,1.00,0.00,1.00,EUR,2026-11-03T09:30:02Z,2026-11-04T00:00:00Z,,,\n"))
            .unwrap();
        let other = shop.import_settlement("next.csv", &other).await.file_id;
        let told = async |id: &str| {
            let list = views::files(&shop.engine, &analyst, &FileFilter::default())
                .await
                .unwrap();
            let listed = list.rows.iter().find(|r| r.id == id).unwrap();
            let page = views::file(&shop.engine, &analyst, id)
                .await
                .unwrap()
                .unwrap();
            let found = queue(&shop, &analyst, of_file(id)).await;
            assert_eq!(found.rows.len() as u64, found.total);
            assert_eq!(listed.set_aside, page.file.set_aside);
            (listed.open_cases, page.file.open_cases, found.total)
        };
        assert_eq!(told(&file).await, (2, 2, 2));
        assert_eq!(told(&other).await, (1, 1, 1));
        let found = queue(&shop, &analyst, of_file(&file)).await;
        assert_eq!(found.file_name, "day.csv");
        // A line is called by the name of its file, never by a hash.
        let unexpected = found
            .rows
            .iter()
            .find(|r| r.kind == "unexpected_settlement");
        let summary = &unexpected.unwrap().summary;
        assert!(summary.starts_with("day.csv:4 · "), "{summary}");
        let mut kinds: Vec<_> = found.rows.iter().map(|r| r.kind.as_str()).collect();
        kinds.sort_unstable();
        assert_eq!(kinds, ["amount_mismatch", "unexpected_settlement"]);
        // 8.00 or 80.00 are at risk of one, 25.00 of the other: only this file's.
        let searched = QueueFilter {
            q: "order-8".to_owned(),
            ..of_file(&file)
        };
        assert_eq!(queue(&shop, &analyst, searched).await.total, 0);

        let unexpected = found
            .rows
            .iter()
            .find(|r| r.kind == "unexpected_settlement")
            .unwrap();
        shop.decide(
            &analyst,
            &unexpected.id,
            "external-1",
            Action::RecordExternal,
            DecisionParams::default(),
        )
        .await
        .unwrap();
        assert_eq!(told(&file).await, (1, 1, 1));
        let resolved = QueueFilter {
            view: QueueView::Resolved,
            ..of_file(&file)
        };
        assert_eq!(queue(&shop, &analyst, resolved).await.total, 1);
        let nowhere = queue(&shop, &analyst, of_file("no-such-file")).await;
        assert_eq!((nowhere.total, nowhere.rows.len()), (0, 0));
    });
}

// Three rows are read and posted; in the closing pass only the two that do not tie are judged again.
#[test]
fn what_is_said_of_a_files_progress_leaves_no_row_over_and_names_its_cases() {
    both(async |store| {
        let mut shop = Shop::open(store).await;
        shop.import_payments(&format!("{HEADER}\n{PAYMENTS}")).await;
        let steps = Arc::new(Mutex::new(Vec::new()));
        let told = steps.clone();
        shop.ingest.tell = Arc::new(move |step| {
            let mut told = told.lock().unwrap();
            told.push((step.state, step.rows_done, step.rows_total));
        });
        let id = shop.import_settlement("day.csv", LINES).await.file_id;
        let of = |wanted: &str| -> Vec<(u64, u64)> {
            let steps = steps.lock().unwrap();
            let its = steps.iter().filter(|(state, ..)| state == wanted);
            its.map(|(_, done, total)| (*done, *total)).collect()
        };
        assert_eq!(of("POSTING").last(), Some(&(3, 3)));
        assert_eq!(of("CLOSING").last(), Some(&(2, 0)));
        let (analyst, ..) = shop.people().await;
        let progress = views::file_progress(&shop.engine, &analyst, std::slice::from_ref(&id))
            .await
            .unwrap();
        assert_eq!(progress[0].summary, "3 rows, 1 matched, 2 open cases");
    });
}

#[test]
fn a_line_that_nobody_expected_is_matched_to_a_payment_that_was_looked_for() {
    both(async |store| {
        let (shop, _) = a_day(store).await;
        let (analyst, ..) = shop.people().await;
        let late = "i9,order-9x,charge,25.00,EUR,in,c9,2026-11-02T09:30:00Z,,a9,1,shop,i9,pi_99,2026-11-02T09:30:01Z,,succeeded,";
        shop.import_payments(&format!("{HEADER}\n{late}\n")).await;
        let all = queue(&shop, &analyst, QueueFilter::default()).await;
        let case = all
            .rows
            .iter()
            .find(|r| r.kind == "unexpected_settlement")
            .unwrap();
        let look = async |find: &str| {
            let filter = QueueFilter::default();
            let mut page = views::case(&shop.engine, &analyst, &case.id, &filter)
                .await
                .unwrap()
                .unwrap();
            assert!(page.candidates.is_empty());
            views::find_payments(&shop.engine, &analyst, &mut page, find)
                .await
                .unwrap();
            let found = page.found.iter().map(|c| c.key.clone()).collect::<Vec<_>>();
            (found, page.found_note)
        };
        for find in [
            "order-9x",
            "i9",
            "a9",
            "pi_99",
            "25.00",
            "25.00 EUR",
            " 25 ",
        ] {
            assert_eq!(look(find).await.0, ["attempt:a9"], "{find}");
        }
        let (found, note) = look("24.99").await;
        assert!(
            found.is_empty() && note.starts_with("Nothing is found."),
            "{note}"
        );
        let chosen = DecisionParams {
            shares: vec![domain::matching::Share {
                intent: String::new(),
                attempt: "a9".to_owned(),
                amount: 0,
            }],
            ..DecisionParams::default()
        };
        shop.decide(
            &analyst,
            &case.id,
            "match-the-line",
            Action::ConfirmMatch,
            chosen,
        )
        .await
        .unwrap();
        shop.expect_open_cases(&["amount_mismatch"]).await;
    });
}

#[test]
fn payments_older_than_any_file_are_listed_as_never_settled() {
    both(async |store| {
        let (shop, _) = a_day(store).await;
        let (analyst, ..) = shop.people().await;
        let never = async || {
            let filter = PaymentFilter {
                settled: NEVER.to_owned(),
                ..PaymentFilter::default()
            };
            let page = views::payments(&shop.engine, &analyst, &filter)
                .await
                .unwrap();
            let ids: Vec<String> = page.rows.iter().map(|r| r.id.clone()).collect();
            let sums: Vec<String> = page.totals.iter().map(ToString::to_string).collect();
            assert_eq!(page.total, page.never_settled.count);
            (ids, sums)
        };
        assert_eq!(
            never().await,
            (vec!["i5".to_owned()], vec!["12.00 EUR".to_owned()])
        );
        let overview = views::overview(&shop.engine, &analyst).await.unwrap();
        assert_eq!(overview.never_settled.count, 1);
        assert!(!overview.never_settled.more);
        assert!(!overview.providers[0].more_in_transit);
        // The older file comes after all.
        let older = LINES
            .lines()
            .next()
            .map(|header| format!("{header}\no1,payment,pi_5,order-5,12.00,0.00,12.00,EUR,2026-10-02T09:10:02Z,2026-10-03T00:00:00Z,,,\n"))
            .unwrap();
        shop.import_settlement("october.csv", &older).await;
        assert_eq!(never().await, (Vec::new(), Vec::new()));
    });
}

// Attempts of the account: one in October, two in November.
#[test]
fn a_figure_that_looked_at_some_attempts_only_says_that_there_may_be_more() {
    both(async |store| {
        let (shop, _) = a_day(store).await;
        let mut reader = shop.engine.store.read().await.unwrap();
        let account = providers::list(&mut reader).await.unwrap()[0].id;
        let always = || i64::MIN..i64::MAX;
        let november = Instant::parse_rfc3339("2026-11-01T00:00:00Z").unwrap();
        for (began, looked_at, more) in [
            (always(), 2, true),
            (always(), 3, false),
            (november.micros()..i64::MAX, 1, true),
            (november.micros()..i64::MAX, 2, false),
            (i64::MIN..november.micros(), 0, true),
            (i64::MIN..november.micros(), 1, false),
        ] {
            let found =
                overview::has_more_attempts(&mut reader, account, began.clone(), looked_at).await;
            assert_eq!(found.unwrap(), more, "{began:?}, {looked_at}");
        }
        let found = overview::never_settled(&mut reader, account, november, 0).await;
        assert!(found.unwrap().is_empty());
    });
}

#[test]
fn a_payment_of_a_file_names_it_and_its_line_and_when_it_came() {
    both(async |store| {
        let (shop, _) = a_day(store).await;
        let (analyst, ..) = shop.people().await;
        let page = views::intent(&shop.engine, &analyst, "i3")
            .await
            .unwrap()
            .unwrap();
        let told: Vec<(&str, &str)> = page
            .timeline
            .iter()
            .map(|t| (t.source.as_str(), t.text.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                (
                    "payments file",
                    "Attempt 1 was sent through shop, as october.csv:3 says."
                ),
                ("file", "Payment of 72.00 EUR in day.csv."),
            ]
        );
        // Now, on the shop's clock, not when the attempt began.
        let received = page.timeline[0].received_at.unwrap();
        assert_eq!(received.to_string(), shop.engine.now().to_string());
        assert_ne!(page.timeline[0].occurred_at.unwrap(), received);
    });
}

#[test]
fn what_waits_for_a_second_person_is_in_one_place_with_one_count() {
    both(async |store| {
        let shop = Shop::open(store).await;
        shop.add_account("adyen", domain::account::ProviderKind::Adyen, &[])
            .await;
        let (analyst, other, approver) = shop.people().await;
        let waits = async |actor: &Actor| {
            let nav = views::nav_counts(&shop.engine, actor).await.unwrap();
            let overview = views::overview(&shop.engine, actor).await.unwrap();
            let filter = QueueFilter {
                view: QueueView::ToApprove,
                ..QueueFilter::default()
            };
            let queue = queue(&shop, actor, filter).await;
            let tab = queue
                .views
                .iter()
                .find(|v| v.view == QueueView::ToApprove)
                .unwrap()
                .count;
            assert_eq!(queue.files_to_accept, overview.files_to_accept);
            assert_eq!((nav.to_approve, tab), (overview.to_approve_total, tab));
            assert_eq!(nav.to_approve, tab);
            (tab, queue.files_to_accept.len(), queue.rows.len())
        };
        let file = shop
            .import_for("adyen", "batch-7.csv", UNTIED.as_bytes())
            .await
            .file_id;
        assert_eq!(waits(&approver).await, (0, 0, 0));
        let accept = async |actor: &Actor| {
            engine::ingest::accept_file(&shop.engine, actor, &file, "the rest follows").await
        };
        accept(&analyst).await.unwrap();
        assert_eq!(waits(&approver).await, (1, 1, 0));
        // Neither who accepted it nor who may not approve.
        assert_eq!(waits(&analyst).await, (0, 0, 0));
        assert_eq!(waits(&other).await, (0, 0, 0));
        let told = views::overview(&shop.engine, &approver).await.unwrap();
        let told = &told.files_to_accept[0];
        assert_eq!(
            (told.name.as_str(), told.by.as_str(), told.reason.as_str()),
            ("batch-7.csv", "ana@example.com", "the rest follows")
        );
        accept(&approver).await.unwrap();
        assert_eq!(waits(&approver).await, (0, 0, 0));
    });
}

#[test]
fn an_approval_names_the_line_by_the_file_that_it_came_in() {
    both(async |store| {
        let (shop, _) = a_day(store).await;
        let (analyst, _, approver) = shop.people().await;
        let cases = shop.open_cases_by_id().await;
        let (case, _) = cases
            .iter()
            .find(|(_, kind)| *kind == "unexpected_settlement")
            .unwrap();
        let params = DecisionParams {
            to: Some(domain::posting::LedgerAccount::Adjustments),
            ..DecisionParams::default()
        };
        shop.decide(
            &analyst,
            case,
            "d-elsewhere",
            Action::CorrectPosting,
            params,
        )
        .await
        .unwrap();
        let overview = views::overview(&shop.engine, &approver).await.unwrap();
        let title = &overview.to_approve[0].title;
        assert!(title.contains("day.csv:4"), "{title}");
    });
}

#[test]
fn several_waiting_decisions_are_approved_with_one_word_and_several_cases_reopened() {
    both(async |store| {
        let (shop, _) = a_day(store).await;
        let short = "\
row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description
s5,payment,pi_5,order-5,10.00,0.00,10.00,EUR,2026-11-03T09:00:02Z,2026-11-04T00:00:00Z,,,
";
        shop.import_settlement("short.csv", short).await;
        let (analyst, _, approver) = shop.people().await;
        let mismatches = QueueFilter {
            kind: "amount_mismatch".to_owned(),
            ..QueueFilter::default()
        };
        let picked = |queue: &domain::view::queue::Queue| {
            let pick = |row: &domain::view::queue::QueueRow| Picked {
                case: row.id.clone(),
                version: row.version,
                evidence: String::new(),
            };
            queue.rows.iter().map(pick).collect::<Vec<_>>()
        };
        let two = picked(&queue(&shop, &analyst, mismatches.clone()).await);
        assert_eq!(two.len(), 2);
        let write_off = Choice {
            bulk_id: "bulk-write-off".to_owned(),
            action: Action::WriteOff,
            reason_code: ReasonCode::SmallDifference,
            comment: String::new(),
            params: DecisionParams::default(),
        };
        decide_several(&shop.engine, &analyst, &write_off, &two)
            .await
            .unwrap();

        let waiting = QueueFilter {
            view: QueueView::ToApprove,
            ..QueueFilter::default()
        };
        let listed = queue(&shop, &approver, waiting).await;
        assert_eq!(listed.bulk_actions, ["approve"]);
        let waiting = picked(&listed);
        let seen = foresee_approvals(&shop.engine, &approver, &waiting)
            .await
            .unwrap();
        assert_eq!(seen.count(BulkResult::Applied), 2);
        // 72.00 of 80.00 and 10.00 of 12.00 came: 82.00 leave suspense, 10.00 are written off.
        let posted: Vec<(&str, String)> = seen
            .postings
            .iter()
            .map(|p| (p.ledger_account.as_str(), p.amount.to_string()))
            .collect();
        let sum = |account: &str| {
            posted
                .iter()
                .find(|(name, _)| *name == account)
                .map(|(_, amount)| amount.as_str())
        };
        assert_eq!(sum("suspense"), Some("82.00 EUR"), "{posted:?}");
        assert_eq!(sum("write_offs"), Some("10.00 EUR"), "{posted:?}");
        assert_eq!(sum("receipts"), Some("\u{2212}92.00 EUR"), "{posted:?}");
        // Whoever decided cannot approve, and nothing happens.
        assert!(
            foresee_approvals(&shop.engine, &analyst, &waiting)
                .await
                .is_err()
        );

        let mut stale = waiting.clone();
        stale[1].version -= 1;
        let (bulk, _) = approve_several(&shop.engine, &approver, "", &stale)
            .await
            .unwrap();
        let results: Vec<_> = bulk.items.iter().map(|i| i.result).collect();
        assert_eq!(results, [BulkResult::Applied, BulkResult::Refused]);
        let (bulk, _) = approve_several(&shop.engine, &approver, "", &waiting[1..])
            .await
            .unwrap();
        assert_eq!(bulk.count(BulkResult::Applied), 1);
        shop.expect_open_cases(&["unexpected_settlement"]).await;
        shop.expect_verified().await;

        let done = QueueFilter {
            view: QueueView::Resolved,
            ..mismatches
        };
        let done = queue(&shop, &analyst, done).await;
        assert_eq!(done.bulk_actions, ["reopen"]);
        let reopen = Choice {
            bulk_id: "bulk-reopen".to_owned(),
            action: Action::Reopen,
            reason_code: ReasonCode::Mistake,
            ..write_off
        };
        let (bulk, _) = decide_several(&shop.engine, &analyst, &reopen, &picked(&done))
            .await
            .unwrap();
        assert_eq!(bulk.count(BulkResult::Applied), 2);
    });
}

#[test]
fn pages_are_read_by_whoever_may_read_without_approving() {
    both(async |store| {
        let (shop, _) = a_day(store).await;
        let viewer = Actor::Person {
            user_id: 77,
            email: "v@example.com".into(),
            roles: [Role::Viewer].into(),
        };
        let page = queue(&shop, &viewer, QueueFilter::default()).await;
        assert!(page.bulk_actions.is_empty());
        assert!(page.files_to_accept.is_empty());
    });
}

// One write-off is refused, sent again and taken back, sent again and approved.
#[test]
fn whoever_sent_a_decision_for_approval_sees_what_became_of_it() {
    both(async |store| {
        let (shop, _) = a_day(store).await;
        let (ana, ben, cleo) = shop.people().await;
        let case = shop.open_case_about("order-3").await;
        let send = async |id: &str| {
            let nothing = DecisionParams::default();
            let sent = shop.decide(&ana, &case, id, Action::WriteOff, nothing);
            assert_eq!(sent.await.unwrap().state, "AWAITING");
        };
        send("write-off-1").await;
        answer_decision(&shop.engine, &cleo, "write-off-1", false, "ask the payer")
            .await
            .unwrap();
        send("write-off-2").await;
        withdraw_decision(&shop.engine, &ana, "write-off-2")
            .await
            .unwrap();
        send("write-off-3").await;
        let of = async |actor: &Actor| {
            let page = views::sent(&shop.engine, actor, &SentFilter::default()).await;
            let rows = page.unwrap().rows;
            rows.into_iter()
                .map(|r| (r.state, r.answer.map(|a| a.words).unwrap_or_default()))
                .collect::<Vec<_>>()
        };
        let told = |words: [(&str, &str); 3]| words.map(|(s, w)| (s.to_owned(), w.to_owned()));
        assert_eq!(
            of(&ana).await,
            told([("AWAITING", ""), ("VOID", ""), ("REFUSED", "ask the payer")])
        );
        shop.approve(&cleo, "write-off-3").await.unwrap();
        assert_eq!(of(&ana).await[0].0, "APPLIED");
        assert!(of(&ben).await.is_empty() && of(&cleo).await.is_empty());
    });
}
