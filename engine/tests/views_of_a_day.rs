//! What pages show after one day's payments and one settlement file, worked out by hand.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // as in any test

#[path = "support/shop.rs"]
mod shop;

use domain::{
    actor::{Actor, Role},
    cases::{Action, DecisionParams},
    line::Verdict,
    matching::Share,
    payment::{IntentState, Outcome},
    view::{
        audit::AuditFilter,
        files::{FileFilter, FileState},
        ledger::{AccountFilter, BalanceFilter, EntryFilter},
        line::LineFilter,
        payments::PaymentFilter,
        queue::QueueFilter,
    },
};
use engine::{testing::both, views};
use shop::Shop;

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,shop,key-1,pi_1,2026-11-02T09:00:01Z,2026-11-02T09:00:02Z,succeeded,
i2,order-2,charge,50.00,EUR,in,c2,2026-11-02T09:05:00Z,,a2,1,shop,i2,,2026-11-02T09:05:01Z,,unknown,
i3,order-3,charge,80.00,EUR,in,c3,2026-11-02T09:10:00Z,,a3,1,shop,i3,pi_3,2026-11-02T09:10:01Z,,succeeded,
i4,order-4,charge,30.00,EUR,in,c4,2026-11-02T09:20:00Z,,a4,1,shop,i4,pi_4,2026-11-02T09:20:01Z,,rejected,card_declined
";

// Net: 96.80 + 48.50 + 70.00 + 24.00 - 0.50 = 238.80, paid out. Order 3 is eight short; 25.00 has
// no payment.
const SETTLEMENT: &str = "\
row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description
r1,payment,pi_1,order-1,100.00,3.20,96.80,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,b1,,card 4111111111111111
r2,payment,pi_2,order-2,50.00,1.50,48.50,EUR,2026-11-02T09:05:02Z,2026-11-03T00:00:00Z,b1,,
r3,payment,pi_3,order-3,72.00,2.00,70.00,EUR,2026-11-02T09:10:02Z,2026-11-03T00:00:00Z,b1,,
r5,payment,pi_9,order-9,25.00,1.00,24.00,EUR,2026-11-02T09:30:02Z,2026-11-03T00:00:00Z,b1,,
r6,fee,,,0.00,0.50,-0.50,EUR,2026-11-03T00:00:00Z,2026-11-03T00:00:00Z,b1,,monthly
r7,payout,,,-238.80,0.00,-238.80,EUR,2026-11-03T00:00:00Z,2026-11-03T00:00:00Z,b1,,
";

fn viewer() -> Actor {
    Actor::Person {
        user_id: 5,
        email: "v@example.com".into(),
        roles: [Role::Viewer].into(),
    }
}

async fn a_day(store: engine::Store) -> (Shop, String) {
    let shop = Shop::open(store).await;
    shop.import_payments(PAYMENTS).await;
    let summary = shop.import_settlement("day.csv", SETTLEMENT).await;
    assert_eq!(summary.state, "USED", "{summary:?}");
    (shop, summary.file_id)
}

#[test]
fn a_payment_is_found_by_each_of_its_names() {
    both(async |store| {
        let (shop, _) = a_day(store).await;
        let search = async |q: &str| {
            let filter = PaymentFilter {
                q: q.into(),
                ..PaymentFilter::default()
            };
            let page = views::payments(&shop.engine, &viewer(), &filter)
                .await
                .unwrap();
            page.rows.iter().map(|r| r.id.clone()).collect::<Vec<_>>()
        };
        for name in ["i1", "order-1", "a1", "key-1", "pi_1"] {
            assert_eq!(search(name).await, ["i1"], "{name}");
        }
        assert_eq!(search("pi_2").await, ["i2"], "an id learned from a line");
        assert!(search("nothing").await.is_empty());

        let all = views::payments(&shop.engine, &viewer(), &PaymentFilter::default())
            .await
            .unwrap();
        let states: Vec<_> = all
            .rows
            .iter()
            .map(|r| (r.id.as_str(), r.state, r.open_cases))
            .collect();
        assert_eq!(
            states,
            [
                ("i4", IntentState::Failed, 0),
                ("i3", IntentState::Succeeded, 1),
                ("i2", IntentState::Succeeded, 0),
                ("i1", IntentState::Succeeded, 0),
            ]
        );
        assert_eq!((all.total, all.next), (4, None));
        let failed = PaymentFilter {
            state: "FAILED".into(),
            ..PaymentFilter::default()
        };
        let failed = views::payments(&shop.engine, &viewer(), &failed)
            .await
            .unwrap();
        assert_eq!(failed.rows.len(), 1);
    });
}

#[test]
fn an_intent_shows_what_became_of_it_and_where_its_money_stands() {
    both(async |store| {
        let (shop, file) = a_day(store).await;
        let page = views::intent(&shop.engine, &viewer(), "i2")
            .await
            .unwrap()
            .unwrap();
        assert_eq!(page.why, "Attempt 1 succeeded.");
        assert_eq!(
            (page.position.captured.minor, page.position.fees.minor),
            (5_000, 150)
        );
        assert_eq!(page.position.net.minor, 4_850);
        let attempt = &page.attempts[0];
        assert_eq!(
            (attempt.outcome, attempt.reported),
            (Outcome::Succeeded, Outcome::Unknown)
        );
        assert_eq!(
            (
                attempt.provider_payment_id.as_str(),
                attempt.learned_from.as_str()
            ),
            ("pi_2", "line")
        );
        assert_eq!(page.lines.len(), 1);
        assert_eq!(
            (page.lines[0].file_id.as_str(), page.lines[0].line_no),
            (file.as_str(), 3)
        );
        assert_eq!(page.lines[0].verdict, Some(Verdict::Matched));
        assert!(
            page.timeline
                .iter()
                .any(|t| t.text.contains("became succeeded")),
            "{:?}",
            page.timeline
        );
        assert_eq!(page.states[0].state, IntentState::Succeeded);

        let short = views::intent(&shop.engine, &viewer(), "i3")
            .await
            .unwrap()
            .unwrap();
        assert_eq!(short.cases.len(), 1);
        assert_eq!(short.cases[0].kind, "amount_mismatch");
        assert_eq!(
            short.position.captured.minor, 0,
            "only what is matched counts"
        );
        assert!(
            views::intent(&shop.engine, &viewer(), "i9")
                .await
                .unwrap()
                .is_none()
        );
    });
}

#[test]
fn the_queue_finds_a_case_by_what_its_payment_or_line_carries() {
    both(async |store| {
        let (shop, _) = a_day(store).await;
        let kinds = async |q: &str| {
            let filter = QueueFilter {
                q: q.into(),
                ..QueueFilter::default()
            };
            let page = views::queue(&shop.engine, &viewer(), &filter)
                .await
                .unwrap();
            page.rows.iter().map(|r| r.kind.clone()).collect::<Vec<_>>()
        };
        assert_eq!(kinds("order-3").await, ["amount_mismatch"]);
        assert_eq!(kinds("pi_9").await, ["unexpected_settlement"]);
        assert_eq!(kinds("order-1").await, Vec::<String>::new());
        let counts = views::nav_counts(&shop.engine, &viewer()).await.unwrap();
        assert_eq!((counts.open_cases, counts.held_files), (2, 0));
    });
}

#[test]
fn a_file_adds_up_and_leads_to_its_lines_and_their_bytes() {
    both(async |store| {
        let (shop, id) = a_day(store).await;
        let listed = views::files(&shop.engine, &viewer(), &FileFilter::default())
            .await
            .unwrap();
        assert_eq!((listed.total, listed.rows.len()), (1, 1));
        let rows = listed.rows[0].rows;
        assert_eq!(
            (rows.total, rows.used, rows.accounted, rows.rejected),
            (6, 4, 2, 0)
        );
        let none = FileFilter {
            state: "HELD".into(),
            ..FileFilter::default()
        };
        assert_eq!(
            views::files(&shop.engine, &viewer(), &none)
                .await
                .unwrap()
                .total,
            0
        );

        let page = views::file(&shop.engine, &viewer(), &id)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(page.file.state, FileState::Used);
        assert_eq!(
            (
                page.verdicts.matched,
                page.verdicts.conflict,
                page.verdicts.unmatched,
                page.verdicts.accounted
            ),
            (2, 1, 1, 2)
        );
        assert_eq!(page.totals.len(), 1);
        assert_eq!(
            (page.totals[0].batch_id.as_str(), page.totals[0].net.minor),
            ("b1", 23_880)
        );
        assert!(page.accept.is_none());
        assert_eq!(page.events[0].text, "Used.");

        let lines = async |filter: LineFilter| {
            views::lines(&shop.engine, &viewer(), &id, &filter)
                .await
                .unwrap()
                .unwrap()
        };
        let all = lines(LineFilter::default()).await;
        let numbers: Vec<_> = all.rows.iter().map(|l| l.line_no).collect();
        assert_eq!(numbers, [2, 3, 4, 5, 6, 7]);
        assert_eq!((all.total, all.next), (6, None));
        // 100 + 50 + 72 + 25 - 238.80 = 8.20; fees 3.20 + 1.50 + 2 + 1 + 0.50 = 8.20.
        assert_eq!(
            (
                all.totals[0].gross.minor,
                all.totals[0].fee.minor,
                all.totals[0].net.minor
            ),
            (820, 820, 0)
        );
        let open = lines(LineFilter {
            verdict: "CONFLICT".into(),
            ..LineFilter::default()
        })
        .await;
        assert_eq!(open.rows.len(), 1);
        assert!(!open.rows[0].case_id.is_empty());
        assert_eq!(
            lines(LineFilter {
                q: "pi_9".into(),
                ..LineFilter::default()
            })
            .await
            .rows
            .len(),
            1
        );

        let evidence = &shop.ingest.evidence;
        let line = async |no: u64| {
            views::line(&shop.engine, &viewer(), evidence, &id, no)
                .await
                .unwrap()
        };
        let first = line(2).await.unwrap();
        assert!(
            first.text.starts_with("r1,payment,pi_1,order-1,100.00"),
            "{}",
            first.text
        );
        assert!(
            first.masked && !first.text.contains("4111111111111111"),
            "{}",
            first.text
        );
        assert_eq!((first.previous, first.next), (None, Some(3)));
        let gross = first.fields.iter().find(|f| f.column == "gross").unwrap();
        assert_eq!(
            (
                gross.value.as_str(),
                gross.read_as.as_str(),
                gross.read_value.as_str()
            ),
            ("100.00", "gross", "100.00 EUR")
        );
        assert_eq!(first.verdicts.len(), 1);
        assert!(
            first.verdicts[0].explanation.contains("provider's id"),
            "{}",
            first.verdicts[0].explanation
        );
        assert!(first.verdicts[0].entry.is_some());
        assert!(line(1).await.is_none());
        assert!(line(99).await.is_none());

        let progress = views::file_progress(&shop.engine, &viewer(), &[id.clone(), "x".into()])
            .await
            .unwrap();
        assert_eq!(progress.len(), 1);
        assert!(progress[0].done);
        assert_eq!(progress[0].summary, "6 rows, 2 matched, 2 open cases");
    });
}

#[test]
fn a_held_file_says_why_and_what_would_release_it() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let broken = SETTLEMENT.replace("72.00,2.00,70.00", "seventy,2.00,70.00");
        let summary = shop.import_settlement("broken.csv", &broken).await;
        assert_eq!(summary.state, "HELD");
        let ana = Actor::Person {
            user_id: 6,
            email: "ana@example.com".into(),
            roles: [Role::Analyst].into(),
        };
        let page = views::file(&shop.engine, &ana, &summary.file_id)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(page.held[0].code, "rejected_rows");
        assert!(page.held[0].remedy.contains("accept it without them"));
        // It is said once.
        assert_eq!(page.held[0].text, "1 of 6 rows cannot be read");
        assert_eq!((page.rejected.len(), page.rejected[0].line_no), (1, 4));
        assert_eq!(page.file.rows.held, 5);
        assert!(page.accept.is_some());
        let viewer = views::file(&shop.engine, &viewer(), &summary.file_id)
            .await
            .unwrap()
            .unwrap();
        assert!(viewer.accept.is_none());
        let counts = views::nav_counts(&shop.engine, &ana).await.unwrap();
        assert_eq!(counts.held_files, 1);
        let raw = views::line(
            &shop.engine,
            &ana,
            &shop.ingest.evidence,
            &summary.file_id,
            4,
        )
        .await
        .unwrap()
        .unwrap();
        assert!(raw.line.is_none());
        assert!(!raw.rejected.is_empty());
        assert!(raw.text.contains("seventy"));
    });
}

#[test]
fn the_trial_balance_is_zero_and_its_open_items_are_the_balances() {
    both(async |store| {
        let (shop, _) = a_day(store).await;
        let now = views::trial_balance(&shop.engine, &viewer(), &BalanceFilter::default())
            .await
            .unwrap();
        assert_eq!(now.blocks.len(), 1);
        let block = &now.blocks[0];
        assert_eq!(block.debit, block.credit);
        let row = |name: &str| {
            block
                .rows
                .iter()
                .find(|r| r.ledger_account == name)
                .unwrap()
        };
        // Suspense: 72 + 25, credited.
        assert_eq!(row("suspense").balance.minor, -9_700);
        assert_eq!(row("provider_clearing").balance.minor, 0);
        assert_eq!(row("payouts_in_transit").balance.minor, 23_880);
        for name in ["suspense", "payouts_in_transit"] {
            let items = row(name).open_items.unwrap();
            assert!(items.ties, "{name}: {items:?}");
        }
        assert_eq!(row("suspense").open_items.unwrap().count, 2);
        // The overview tells the same of what is between the provider and the bank.
        let overview = views::overview(&shop.engine, &viewer()).await.unwrap();
        let on_its_way: Vec<_> = overview
            .on_its_way
            .iter()
            .map(|o| (o.account.as_str(), o.at_provider.minor, o.in_transit.minor))
            .collect();
        assert_eq!(on_its_way, [("shop", 0, 23_880)]);
        assert!(row("receipts").open_items.is_none());
        let before = BalanceFilter {
            as_of: "2026-11-02".into(),
            ..BalanceFilter::default()
        };
        let before = views::trial_balance(&shop.engine, &viewer(), &before)
            .await
            .unwrap();
        assert!(before.blocks.is_empty(), "everything settled on the 3rd");

        let filter = AccountFilter {
            provider: "shop".into(),
            currency: "EUR".into(),
            ..AccountFilter::default()
        };
        let suspense = views::ledger_account(&shop.engine, &viewer(), "suspense", &filter)
            .await
            .unwrap();
        assert_eq!(suspense.row.balance.minor, -9_700);
        assert_eq!(
            (suspense.days.len(), suspense.days[0].balance.minor),
            (1, -9_700)
        );
        assert_eq!(
            suspense
                .movements
                .iter()
                .map(|m| m.amount.minor)
                .sum::<i128>(),
            -9_700
        );
        assert_eq!(suspense.open_items.len(), 2);
        let nothing = views::ledger_account(&shop.engine, &viewer(), "petty_cash", &filter).await;
        assert!(nothing.is_err());
    });
}

#[test]
fn an_entry_leads_to_its_lines_and_to_the_block_that_seals_it() {
    both(async |store| {
        let (shop, file) = a_day(store).await;
        let all = views::entries(&shop.engine, &viewer(), &EntryFilter::default())
            .await
            .unwrap();
        assert_eq!(all.total, all.rows.len() as u64);
        assert!(all.rows.is_sorted_by_key(|e| std::cmp::Reverse(e.no)));
        assert_eq!(all.totals[0].debit, all.totals[0].credit);
        assert!(
            all.rows
                .iter()
                .all(|e| e.postings.iter().map(|p| p.amount.minor).sum::<i128>() == 0)
        );
        let suspense = EntryFilter {
            ledger_account: "suspense".into(),
            ..EntryFilter::default()
        };
        let suspense = views::entries(&shop.engine, &viewer(), &suspense)
            .await
            .unwrap();
        assert!(!suspense.rows.is_empty() && suspense.rows.len() < all.rows.len());
        let number = suspense.rows[0].no;

        let page = views::entry(&shop.engine, &viewer(), number)
            .await
            .unwrap()
            .unwrap();
        assert!(
            page.entry.cause.contains("of day.csv"),
            "{}",
            page.entry.cause
        );
        assert_eq!(page.lines_total, page.lines.len() as u64);
        assert!(page.lines.iter().all(|l| l.file_id == file));
        assert!(!page.lines.is_empty());
        assert_eq!(page.batch_id, "b1");
        assert!(page.proof.is_none(), "nothing is sealed yet");
        engine::seal::append_blocks(&shop.engine).await.unwrap();
        let sealed = views::entry(&shop.engine, &viewer(), number)
            .await
            .unwrap()
            .unwrap();
        let proof = sealed.proof.unwrap();
        let hash = |text: &str| domain::seal::hash_from_hex(text).unwrap();
        let path: Vec<_> = proof.path.iter().map(|h| hash(h)).collect();
        assert!(domain::seal::merkle::verify_path(
            &hash(&proof.leaf),
            proof.index,
            proof.leaf_count,
            &path,
            &hash(&proof.root)
        ));
        assert_eq!(
            views::ledger_head(&shop.engine)
                .await
                .unwrap()
                .unwrap()
                .block,
            proof.block
        );
        assert!(
            views::entry(&shop.engine, &viewer(), 9_999)
                .await
                .unwrap()
                .is_none()
        );
    });
}

#[test]
fn pages_are_for_those_who_may_read() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let nobody = Actor::Person {
            user_id: 9,
            email: "n@example.com".into(),
            roles: [].into(),
        };
        assert!(
            views::queue(&shop.engine, &nobody, &QueueFilter::default())
                .await
                .is_err()
        );
        assert!(
            views::payments(&shop.engine, &nobody, &PaymentFilter::default())
                .await
                .is_err()
        );
        assert!(
            views::files(&shop.engine, &nobody, &FileFilter::default())
                .await
                .is_err()
        );
        assert!(
            views::trial_balance(&shop.engine, &nobody, &BalanceFilter::default())
                .await
                .is_err()
        );
        assert!(
            views::entries(&shop.engine, &nobody, &EntryFilter::default())
                .await
                .is_err()
        );
        assert!(
            engine::audit::list(&shop.engine, &viewer(), &AuditFilter::default())
                .await
                .is_err()
        );
    });
}

#[test]
fn a_case_shows_both_sides_its_evidence_and_its_neighbours() {
    both(async |store| {
        let (shop, _) = a_day(store).await;
        let filter = QueueFilter::default();
        let queue = views::queue(&shop.engine, &viewer(), &filter)
            .await
            .unwrap();
        let short = queue
            .rows
            .iter()
            .find(|r| r.kind == "amount_mismatch")
            .unwrap();
        let page = views::case(&shop.engine, &viewer(), &short.id, &filter)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(page.title, "Amount differs: i3");
        assert_eq!(page.at_risk, short.at_risk);
        let sides = page.sides.unwrap();
        let amount = sides.fields.iter().find(|f| f.name == "Amount").unwrap();
        assert!(
            amount.ours.contains("80.00") && amount.theirs[0].value.contains("72.00"),
            "{amount:?}"
        );
        assert_eq!(
            amount.theirs[0].agreement,
            domain::view::case::Agreement::Differs
        );
        assert_eq!(sides.theirs[0].title, "Line 4");
        assert!(
            sides.theirs[0].href.ends_with("/4"),
            "{}",
            sides.theirs[0].href
        );
        assert!(
            page.evidence.iter().any(|t| t.text.contains("72.00")),
            "{:?}",
            page.evidence
        );
        assert_eq!(page.history.last().unwrap().text, "Opened.");
        assert!(!page.actions.is_empty());
        assert!(
            page.actions.iter().all(|a| !a.refused.is_empty()),
            "a viewer decides nothing"
        );

        let ids: Vec<_> = queue.rows.iter().map(|r| r.id.clone()).collect();
        let first = views::case(&shop.engine, &viewer(), &ids[0], &filter)
            .await
            .unwrap()
            .unwrap();
        assert_eq!((first.previous, first.next.as_ref()), (None, Some(&ids[1])));
        let last = views::case(&shop.engine, &viewer(), &ids[1], &filter)
            .await
            .unwrap()
            .unwrap();
        assert_eq!((last.previous.as_ref(), last.next), (Some(&ids[0]), None));
        assert!(
            views::case(&shop.engine, &viewer(), "C-99999", &filter)
                .await
                .unwrap()
                .is_none()
        );
    });
}

#[test]
fn the_overview_counts_what_waits_and_what_came() {
    both(async |store| {
        let (shop, file) = a_day(store).await;
        // A day later, in the morning.
        shop.clock.advance_seconds(24 * 3600);
        let page = views::overview(&shop.engine, &viewer()).await.unwrap();
        assert_eq!(
            (
                page.loaded.provider_accounts,
                page.loaded.intents,
                page.loaded.files
            ),
            (1, 4, 1)
        );
        let kinds: Vec<_> = page
            .by_kind
            .iter()
            .map(|k| (k.kind.as_str(), k.total()))
            .collect();
        assert_eq!(
            kinds,
            [("amount_mismatch", 1), ("unexpected_settlement", 1)]
        );
        assert!(
            page.by_kind.iter().all(|k| k.one_to_two_days == 1),
            "{:?}",
            page.by_kind
        );
        assert_eq!(page.at_risk.len(), 1);
        assert_eq!(page.at_risk[0].cases, 2);
        let risks: i128 = page
            .by_kind
            .iter()
            .flat_map(|k| &k.at_risk)
            .map(|a| a.minor)
            .sum();
        assert_eq!(page.at_risk[0].amount.minor, risks);
        // Four lines concern payments; two of them are matched.
        let day = page.match_rate.iter().find(|d| d.lines > 0).unwrap();
        assert_eq!((day.lines, day.automatic, day.by_person), (4, 2, 0));
        assert_eq!(
            page.match_rate.last().unwrap().day.to_string(),
            "2026-11-05"
        );
        assert_eq!(
            page.unknown.count, 0,
            "the line told of the only unknown attempt"
        );
        let calendar = &page.coverage[0];
        assert_eq!(calendar.days.len(), 35);
        assert_eq!(calendar.days.last().unwrap().day.to_string(), "2026-11-05");
        let complete: Vec<_> = calendar
            .days
            .iter()
            .filter(|d| d.state == domain::view::overview::CoverageState::Complete)
            .collect();
        assert!(!complete.is_empty());
        assert!(complete.iter().all(|d| d.file == file));
        let health = &page.providers[0];
        assert_eq!(
            (
                health.account.as_str(),
                health.open_lines,
                health.held_files
            ),
            ("shop", 2, 0)
        );
        assert!(health.last_file_at.is_some() && health.covered_to.is_some());
        assert!(page.to_approve.is_empty(), "a viewer approves nothing");
    });
}

#[test]
fn the_audit_log_leads_to_what_was_done() {
    both(async |store| {
        let (shop, file) = a_day(store).await;
        let auditor = Actor::Person {
            user_id: 7,
            email: "aud@example.com".into(),
            roles: [Role::Auditor].into(),
        };
        let page = engine::audit::list(&shop.engine, &auditor, &AuditFilter::default())
            .await
            .unwrap();
        let received = page
            .rows
            .iter()
            .find(|r| r.action == "file.receive")
            .unwrap();
        assert_eq!(received.href, domain::view::routes::file(&file));
        let account = page
            .rows
            .iter()
            .find(|r| r.action == "add_provider")
            .unwrap();
        assert_eq!(
            (account.subject.as_str(), account.href.as_str()),
            ("shop", "")
        );
    });
}

const MORE_PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
m1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,b1,1,shop,m1,pi_1,2026-11-02T09:00:01Z,,succeeded,
m2,order-2,charge,80.00,EUR,in,c2,2026-11-02T09:10:00Z,,b2,1,shop,m2,pi_2,2026-11-02T09:10:01Z,,succeeded,
m3,order-3,charge,50.00,EUR,in,c3,2026-11-02T09:20:00Z,,b3,1,shop,m3,,2026-11-02T09:20:01Z,,succeeded,
";

// One that ties by its id, one eight short, one of an id that nobody knows, one of nobody's.
const MORE_LINES: &str = "\
row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description
r1,payment,pi_1,order-1,100.00,0.00,100.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,
r2,payment,pi_2,order-2,72.00,0.00,72.00,EUR,2026-11-02T09:10:02Z,2026-11-03T00:00:00Z,,,
r3,payment,,,50.00,0.00,50.00,EUR,2026-11-02T09:20:02Z,2026-11-03T00:00:00Z,,,
r4,payment,pi_9,order-9,25.00,0.00,25.00,EUR,2026-11-02T09:30:02Z,2026-11-03T00:00:00Z,,,
";

#[test]
fn the_match_rate_tells_what_people_matched_from_what_matched_by_itself() {
    both(async |store| {
        let shop = Shop::open(store).await;
        let (analyst, _, _) = shop.people().await;
        shop.import_payments(MORE_PAYMENTS).await;
        shop.import_settlement("day.csv", MORE_LINES).await;
        let rate = async || {
            let page = views::overview(&shop.engine, &viewer()).await.unwrap();
            let day = page.match_rate.iter().find(|d| d.lines > 0).unwrap();
            (day.lines, day.automatic, day.by_person)
        };
        assert_eq!(rate().await, (4, 1, 0));
        let open = engine::testing::queries::open_case_ids(shop.engine.store.read().await.unwrap())
            .await
            .unwrap();
        let one = |attempt: &str| DecisionParams {
            shares: vec![Share {
                intent: String::new(),
                attempt: attempt.to_owned(),
                amount: 0,
            }],
            ..DecisionParams::default()
        };
        // The third line of what is decided: nobody's money is no line of a payment any more.
        for (kind, action, params, becomes) in [
            (
                "amount_mismatch",
                Action::AcceptVariance,
                DecisionParams::default(),
                (4, 1, 1),
            ),
            (
                "proposed_match",
                Action::ChooseCandidate,
                one("b3"),
                (4, 1, 2),
            ),
            (
                "unexpected_settlement",
                Action::RecordExternal,
                DecisionParams::default(),
                (3, 1, 2),
            ),
        ] {
            let mut decided = 0;
            for case in &open {
                if shop.kind(case).await != kind {
                    continue;
                }
                shop.decide(&analyst, case, &format!("d-{kind}"), action, params.clone())
                    .await
                    .unwrap();
                decided += 1;
            }
            assert_eq!(decided, 1, "{kind}");
            assert_eq!(rate().await, becomes, "{kind}");
        }
        shop.expect_verified().await;
    });
}
