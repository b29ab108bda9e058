//! Entries that take others back, and entries of days that are closed, on both databases.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "support/shop.rs"]
mod shop;

use domain::{
    account::ProviderKind,
    actor::{Actor, Role},
    cases::{Action, DecisionParams},
    time::{Day, Instant},
};
use engine::{Error, providers::change_policy, sweep::sweep, testing::both, views};
use shop::Shop;

const PAYMENTS: &str = "\
intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code
i1,order-1,charge,100.00,EUR,in,c1,2026-11-02T09:00:00Z,,a1,1,calm,i1,pi_1,2026-11-02T09:00:01Z,,succeeded,
";

const HEADER: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n";

/// A shop whose account `calm` expects no file for every day.
async fn open(store: engine::Store) -> Shop {
    let shop = Shop::open(store).await;
    shop.add_account("calm", ProviderKind::Generic, &[("coverage", "none")])
        .await;
    shop
}

async fn import(shop: &Shop, name: &str, rows: &str) {
    let file = format!("{HEADER}{rows}");
    let used = shop.import_for("calm", name, file.as_bytes()).await;
    assert_eq!(used.state, "USED");
}

/// An entry: number, kind of cause, what it reverses, what reverses it.
type Shown = (i64, String, Option<i64>, Option<i64>);

async fn entries(shop: &Shop) -> Vec<Shown> {
    let reader = Actor::Person {
        user_id: 1,
        email: "vera@example.com".to_owned(),
        roles: [Role::Viewer].into(),
    };
    let mut found = Vec::new();
    for number in 1_i64.. {
        let page = views::entry(&shop.engine, &reader, number).await.unwrap();
        let Some(page) = page else { break };
        found.push((
            page.entry.no,
            page.entry.cause_kind,
            page.reverses,
            page.reversed_by,
        ));
    }
    found
}

fn only(entries: &[Shown], kind: &str) -> Shown {
    let found: Vec<&Shown> = entries.iter().filter(|e| e.1 == kind).collect();
    assert_eq!(found.len(), 1, "{kind} in {entries:?}");
    found[0].clone()
}

fn undo(decision: &str) -> DecisionParams {
    DecisionParams {
        decision: Some(decision.to_owned()),
        ..DecisionParams::default()
    }
}

#[test]
fn the_entry_of_an_undone_decision_and_the_one_that_undoes_it_lead_to_each_other() {
    both(async |store| {
        let shop = open(store).await;
        let (analyst, _, _) = shop.people().await;
        shop.import_payments(PAYMENTS).await;
        import(
            &shop,
            "short.csv",
            "r1,payment,pi_1,order-1,95.00,0.00,95.00,EUR,2026-11-02T09:00:02Z,2026-11-03T00:00:00Z,,,\n",
        )
        .await;
        let case = shop.only_case().await;
        let accept = async |id: &str| {
            let nothing = DecisionParams::default();
            shop.decide(&analyst, &case, id, Action::AcceptVariance, nothing)
                .await
                .unwrap();
        };
        accept("d-accept-1").await;
        let undoing = undo("d-accept-1");
        shop.decide(
            &analyst,
            &case,
            "d-undo-1",
            Action::ReverseDecision,
            undoing,
        )
        .await
        .unwrap();
        accept("d-accept-2").await;
        assert_eq!(
            entries(&shop).await,
            [
                (1, "lines".to_owned(), None, None),
                (2, "move".to_owned(), None, Some(3)),
                (3, "move".to_owned(), Some(2), None),
                // Accepted anew: nothing is taken back by that.
                (4, "move".to_owned(), None, None),
            ]
        );
        shop.expect_verified().await;
    });
}

// Nothing came: write_offs 100 debit, receipts 100 credit; taken back when the line comes after all.
#[test]
fn a_write_off_that_money_overtakes_is_taken_back_by_an_entry_that_names_it() {
    both(async |store| {
        let shop = open(store).await;
        let (analyst, _, approver) = shop.people().await;
        shop.import_payments(PAYMENTS).await;
        shop.clock
            .set(Instant::parse_rfc3339("2026-11-06T00:00:00Z").unwrap());
        sweep(&shop.engine, shop.engine.now()).await.unwrap();
        shop.expect_open_cases(&["missing_settlement"]).await;
        let case = shop.only_case().await;
        let nothing = DecisionParams::default();
        shop.decide(&analyst, &case, "d-write-off", Action::WriteOff, nothing)
            .await
            .unwrap();
        shop.approve(&approver, "d-write-off").await.unwrap();
        shop.expect_balances(&[("receipts", -10_000), ("write_offs", 10_000)])
            .await;
        import(
            &shop,
            "late.csv",
            "r1,payment,pi_1,order-1,100.00,0.00,100.00,EUR,2026-11-02T09:00:02Z,2026-11-06T00:00:00Z,,,\n",
        )
        .await;
        shop.expect_balances(&[("provider_clearing", 10_000), ("receipts", -10_000)])
            .await;
        let entries = entries(&shop).await;
        assert_eq!(entries.len(), 3);
        let (wrote_off, taken_back) = (only(&entries, "decision"), only(&entries, "reversal"));
        assert_eq!((wrote_off.2, wrote_off.3), (None, Some(taken_back.0)));
        assert_eq!((taken_back.2, taken_back.3), (Some(wrote_off.0), None));
        shop.expect_verified().await;
    });
}

// Rows of 100 and a payout of 90 leave 10 in clearing; accepted it goes to adjustments, and back.
#[test]
fn an_accepted_residual_taken_back_names_the_entry_it_takes_back() {
    both(async |store| {
        let shop = open(store).await;
        let (analyst, _, _) = shop.people().await;
        shop.import_payments(PAYMENTS).await;
        import(
            &shop,
            "batch.csv",
            "r1,payment,pi_1,order-1,100.00,0.00,100.00,EUR,2026-11-02T09:00:02Z,2026-11-02T10:00:00Z,b1,,\n\
             r2,payout,,,-90.00,0.00,-90.00,EUR,2026-11-02T12:00:00Z,2026-11-02T12:00:00Z,b1,,\n",
        )
        .await;
        shop.clock
            .set(Instant::parse_rfc3339("2026-11-06T00:00:00Z").unwrap());
        sweep(&shop.engine, shop.engine.now()).await.unwrap();
        shop.expect_open_cases(&["batch_out_of_balance"]).await;
        let case = shop.only_case().await;
        let nothing = DecisionParams::default();
        shop.decide(
            &analyst,
            &case,
            "d-residual",
            Action::AcceptVariance,
            nothing,
        )
        .await
        .unwrap();
        shop.expect_balances(&[
            ("adjustments", 1_000),
            ("payouts_in_transit", 9_000),
            ("receipts", -10_000),
        ])
        .await;
        let undoing = undo("d-residual");
        shop.decide(
            &analyst,
            &case,
            "d-residual-undo",
            Action::ReverseDecision,
            undoing,
        )
        .await
        .unwrap();
        shop.expect_balances(&[
            ("payouts_in_transit", 9_000),
            ("provider_clearing", 1_000),
            ("receipts", -10_000),
        ])
        .await;
        let entries = entries(&shop).await;
        let (accepted, taken_back) = (only(&entries, "decision"), only(&entries, "reversal"));
        assert_eq!((accepted.2, accepted.3), (None, Some(taken_back.0)));
        assert_eq!((taken_back.2, taken_back.3), (Some(accepted.0), None));
        shop.expect_verified().await;
    });
}

// Rows of 100 and a payout of 90 leave 10, which is accepted. A row of 8 that comes later leaves 8
// more, and no 18: accepted too, clearing is at zero. 100 - 90 + 8 = 18 = 10 + 8.
#[test]
fn what_is_left_of_a_batch_is_accepted_once_however_often_it_moves_or_the_case_is_reopened() {
    both(async |store| {
        let shop = open(store).await;
        let (analyst, _, _) = shop.people().await;
        shop.import_payments(PAYMENTS).await;
        import(
            &shop,
            "batch.csv",
            "r1,payment,pi_1,order-1,100.00,0.00,100.00,EUR,2026-11-02T09:00:02Z,2026-11-02T10:00:00Z,b1,,\n\
             r2,payout,,,-90.00,0.00,-90.00,EUR,2026-11-02T12:00:00Z,2026-11-02T12:00:00Z,b1,,\n",
        )
        .await;
        shop.clock
            .set(Instant::parse_rfc3339("2026-11-06T00:00:00Z").unwrap());
        sweep(&shop.engine, shop.engine.now()).await.unwrap();
        let case = shop.only_case().await;
        let accept = async |id: &str| {
            let nothing = DecisionParams::default();
            shop.decide(&analyst, &case, id, Action::AcceptVariance, nothing)
                .await
        };
        accept("d-accept-first").await.unwrap();
        import(
            &shop,
            "more.csv",
            "r3,adjustment,,,8.00,0.00,8.00,EUR,2026-11-02T12:00:00Z,2026-11-02T12:00:00Z,b1,,\n",
        )
        .await;
        sweep(&shop.engine, shop.engine.now()).await.unwrap();
        shop.expect_open_cases(&["batch_out_of_balance"]).await;
        shop.expect_balances(&[
            ("adjustments", 200),
            ("payouts_in_transit", 9_000),
            ("provider_clearing", 800),
            ("receipts", -10_000),
        ])
        .await;
        let case = shop.only_case().await;
        let nothing = DecisionParams::default();
        shop.decide(
            &analyst,
            &case,
            "d-accept-second",
            Action::AcceptVariance,
            nothing,
        )
        .await
        .unwrap();
        let ties = [
            ("adjustments", 1_000),
            ("payouts_in_transit", 9_000),
            ("receipts", -10_000),
        ];
        shop.expect_balances(&ties).await;
        sweep(&shop.engine, shop.engine.now()).await.unwrap();
        shop.expect_open_cases(&[]).await;

        // The first acceptance is not taken back from under the second.
        let under = shop
            .decide(
                &analyst,
                &case,
                "d-undo-first",
                Action::ReverseDecision,
                undo("d-accept-first"),
            )
            .await
            .unwrap_err()
            .to_string();
        assert!(under.contains("take that back first"), "{under}");
        shop.expect_balances(&ties).await;
        shop.expect_verified().await;

        // Reopened, the case shows an old difference: accepting it again is refused.
        let nothing = DecisionParams::default();
        shop.decide(&analyst, &case, "d-reopen", Action::Reopen, nothing)
            .await
            .unwrap();
        let nothing = DecisionParams::default();
        let again = shop
            .decide(
                &analyst,
                &case,
                "d-accept-third",
                Action::AcceptVariance,
                nothing,
            )
            .await;
        assert!(matches!(again, Err(Error::Conflict(_))), "{again:?}");
        shop.expect_balances(&ties).await;

        // Taken back one after the other: 8 are left again, then 18.
        for (id, of, left) in [
            ("d-undo-second", "d-accept-second", 800),
            ("d-undo-first-2", "d-accept-first", 1_800),
        ] {
            shop.decide(&analyst, &case, id, Action::ReverseDecision, undo(of))
                .await
                .unwrap();
            shop.expect_balances(&[
                ("adjustments", 1_000 - left),
                ("payouts_in_transit", 9_000),
                ("provider_clearing", left),
                ("receipts", -10_000),
            ])
            .await;
            shop.expect_verified().await;
        }
    });
}

// Rows of 100 and a payout of 90: 10 are missing. The page of the file says until when their rest may
// come, then that it is a case, and counts it; when the rest comes in another file, it ties.
#[test]
fn a_batch_that_does_not_tie_is_told_on_its_file_before_and_after_it_is_a_case() {
    use domain::view::file::GoesOn;
    both(async |store| {
        let shop = open(store).await;
        let (analyst, ..) = shop.people().await;
        shop.import_payments(PAYMENTS).await;
        let rows = "r1,payment,pi_1,order-1,100.00,0.00,100.00,EUR,2026-11-02T09:00:02Z,2026-11-02T10:00:00Z,b1,,\n\
             r2,payout,,,-90.00,0.00,-90.00,EUR,2026-11-02T12:00:00Z,2026-11-02T12:00:00Z,b1,,\n";
        let file = format!("{HEADER}{rows}");
        let used = shop.import_for("calm", "batch.csv", file.as_bytes()).await;
        let page = async || {
            views::file(&shop.engine, &analyst, &used.file_id)
                .await
                .unwrap()
                .unwrap()
        };
        let at = |text: &str| Instant::parse_rfc3339(text).unwrap();
        // Two business days after Monday the 2nd, to the end of the day, and a day of grace.
        let shown = page().await;
        let due = at("2026-11-06T00:00:00Z");
        assert_eq!(shown.totals[0].goes_on, Some(GoesOn::Until(due)));
        assert!(shown.totals[0].waits());
        assert_eq!(shown.file.open_cases, 0);

        shop.clock.set(due);
        assert_eq!(page().await.totals[0].goes_on, Some(GoesOn::Since(due)));
        sweep(&shop.engine, due).await.unwrap();
        let shown = page().await;
        let case = shop.only_case().await;
        assert_eq!(shown.totals[0].goes_on, Some(GoesOn::Case(case)));
        assert!(!shown.totals[0].waits());
        assert_eq!(shown.file.open_cases, 1);
        let filter = domain::view::queue::QueueFilter {
            file: used.file_id.clone(),
            ..Default::default()
        };
        let queue = views::queue(&shop.engine, &analyst, &filter).await.unwrap();
        assert_eq!(queue.rows.len(), 1);
        let list = views::files(
            &shop.engine,
            &analyst,
            &domain::view::files::FileFilter::default(),
        )
        .await
        .unwrap();
        assert_eq!(list.rows[0].open_cases, 1);

        import(
            &shop,
            "more.csv",
            "r3,adjustment,,,-10.00,0.00,-10.00,EUR,2026-11-02T12:00:00Z,2026-11-02T12:00:00Z,b1,,\n",
        )
        .await;
        let shown = page().await;
        assert_eq!(shown.totals[0].goes_on, Some(GoesOn::Ties));
        assert_eq!(shown.file.open_cases, 0);
    });
}

async fn close_books(shop: &Shop, day: &str) -> Result<i64, Error> {
    let fields = [("books_closed_to".to_owned(), day.to_owned())];
    change_policy(&shop.engine, &Actor::Operator, "calm", &fields).await
}

/// The accounting day of each entry, and the closed day that it names.
async fn days(shop: &Shop) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    for number in 1_i64.. {
        let page = views::entry(&shop.engine, &Actor::Operator, number)
            .await
            .unwrap();
        let Some(page) = page else { break };
        let closed = page.closed_day.map(|day: Day| day.to_string());
        found.push((page.entry.accounting_day.to_string(), closed));
    }
    found
}

// It is 4 November. The books are closed to the 3rd, so the first open day is the 4th.
#[test]
fn what_belongs_to_a_closed_day_is_booked_under_the_first_open_one_and_names_its_own() {
    both(async |store| {
        let shop = open(store).await;
        let (analyst, _, _) = shop.people().await;
        for not_over in ["2026-11-04", "2026-12-31"] {
            let refused = close_books(&shop, not_over).await;
            assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
        }
        close_books(&shop, "2026-11-03").await.unwrap();
        import(
            &shop,
            "late.csv",
            "r1,payment,pi_1,order-1,95.00,0.00,95.00,EUR,2026-11-02T09:00:02Z,2026-11-02T10:00:00Z,,,\n\
             r2,fee,,,0.00,0.50,-0.50,EUR,2026-11-04T00:00:00Z,2026-11-04T00:00:00Z,,,\n",
        )
        .await;
        let booked = |day: &str, closed: Option<&str>| (day.to_owned(), closed.map(str::to_owned));
        let mut expected = days(&shop).await;
        expected.sort();
        assert_eq!(
            expected,
            [
                booked("2026-11-04", None),
                booked("2026-11-04", Some("2026-11-02"))
            ]
        );
        // The payment comes: the line moves from suspense's first reason to its second, no money moves.
        shop.import_payments(PAYMENTS).await;
        let case = shop.only_case().await;
        shop.decide(
            &analyst,
            &case,
            "d-accept-1",
            Action::AcceptVariance,
            DecisionParams::default(),
        )
        .await
        .unwrap();
        // A decision bears its own day, which is open.
        assert_eq!(days(&shop).await[2..], [booked("2026-11-04", None)]);
        shop.expect_balances(&[
            ("provider_clearing", 9_450),
            ("provider_fees", 50),
            ("receipts", -9_500),
        ])
        .await;
        shop.expect_verified().await;
    });
}

#[test]
fn evidence_that_moves_an_old_line_moves_it_under_the_first_open_day() {
    both(async |store| {
        let shop = open(store).await;
        import(
            &shop,
            "early.csv",
            "r1,payment,pi_1,order-1,100.00,0.00,100.00,EUR,2026-11-02T09:00:02Z,2026-11-02T10:00:00Z,,,\n",
        )
        .await;
        close_books(&shop, "2026-11-02").await.unwrap();
        shop.import_payments(PAYMENTS).await;
        shop.expect_open_cases(&[]).await;
        assert_eq!(
            days(&shop).await,
            [
                ("2026-11-02".to_owned(), None),
                ("2026-11-03".to_owned(), Some("2026-11-02".to_owned())),
            ]
        );
        shop.expect_balances(&[("provider_clearing", 10_000), ("receipts", -10_000)])
            .await;
        shop.expect_verified().await;
    });
}
