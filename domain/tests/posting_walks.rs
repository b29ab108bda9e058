//! Posting, walked through with real-looking money. Every table below was worked out by hand before
//! the code ran; amounts are minor units, debit positive.
//!
//! The walk: sale 100 fee 3.20; fee row -0.50; refund -25; dispute -30 with fee 15; won +30;
//! reserve -10; payout -46.30; then the reserve released and paid out.
//!
//! | Row | clearing | contra | fees |
//! |---|---|---|---|
//! | sale 100, fee 3.20, net 96.80 | +96.80 | receipts -100 | +3.20 |
//! | fee row, net -0.50 | -0.50 | | +0.50 |
//! | refund -25 | -25 | refunds +25 | |
//! | dispute -30, fee 15, net -45 | -45 | chargebacks +30 | +15 |
//! | won +30 | +30 | chargebacks -30 | |
//! | reserve -10 | -10 | reserve +10 | |
//! | payout -46.30 | -46.30 | in transit +46.30 | |
//! | **sum** | **0** | receipts -100, refunds 25, chargebacks 0, reserve 10, in transit 46.30 | 18.70 |
//! | released +10 | +10 | reserve -10 | |
//! | payout -10 | -10 | in transit +10 | |

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod worlds;

use domain::{
    line::{RowKind as K, Verdict},
    matching::{IntentFacts, LineFacts, ResidualWorld, Ruling, judge, judge_residual},
    money::Money,
    payment::Outcome,
    posting::{
        Disposition, Figures, LedgerAccount, Posting, accepted_residual, entries::reversed,
        line_postings, missing_write_off, move_postings,
    },
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use worlds::*;

type Balances = BTreeMap<String, i64>;

fn figures(kind: K, gross: i64, fee: i64, net: i64) -> Figures {
    Figures {
        kind,
        gross,
        fee,
        net,
        currency: eur(),
        presented: Money::new(gross, eur()),
    }
}

fn post(balances: &mut Balances, postings: &[Posting]) {
    for posting in postings {
        let name = if posting.currency == eur() {
            posting.account.to_string()
        } else {
            format!("{} {}", posting.account, posting.currency)
        };
        *balances.entry(name).or_default() += posting.amount;
    }
    balances.retain(|_, amount| *amount != 0);
}

#[track_caller]
fn expect(balances: &Balances, expected: &[(&str, i64)]) {
    let expected: Balances = expected
        .iter()
        .map(|(a, n)| ((*a).to_owned(), *n))
        .collect();
    assert_eq!(balances, &expected);
}

/// Judges everything, nameless lines too, and posts each line whole.
fn ledger(intents: Vec<IntentFacts>, lines: &[LineFacts]) -> Balances {
    let judgement = judged(intents, lines.to_vec());
    let nameless: Vec<LineFacts> = lines
        .iter()
        .filter(|l| judgement.nameless.contains(&l.key))
        .cloned()
        .collect();
    let rest = judge_residual(
        &accounts(),
        &ResidualWorld {
            beside: vec![],
            settled: BTreeSet::new(),
            lines: nameless,
            intents: vec![],
        },
    )
    .unwrap();
    let mut balances = Balances::new();
    for judged in judgement.lines.iter().chain(&rest.lines) {
        let line = lines.iter().find(|l| l.key == judged.line).unwrap();
        post(
            &mut balances,
            &line_postings(&line.figures(), &judged.disposition).unwrap(),
        );
    }
    balances
}

#[test]
fn the_walk_comes_out() {
    let mut balances = Balances::new();
    let mut load = |row: Figures| {
        let verdict = if row.kind.concerns_payment() {
            Verdict::Matched
        } else {
            Verdict::Accounted
        };
        let contra = Disposition::by_verdict(&row, verdict).unwrap();
        post(&mut balances, &line_postings(&row, &contra).unwrap());
        balances.clone()
    };
    load(figures(K::Payment, 10_000, 320, 9_680));
    load(figures(K::Fee, 0, 50, -50));
    load(figures(K::Refund, -2_500, 0, -2_500));
    load(figures(K::Chargeback, -3_000, 1_500, -4_500));
    load(figures(K::ChargebackReversal, 3_000, 0, 3_000));
    load(figures(K::ReserveHold, -1_000, 0, -1_000));
    let first = load(figures(K::Payout, -4_630, 0, -4_630));
    expect(
        &first,
        &[
            ("payouts_in_transit", 4_630),
            ("provider_fees", 1_870),
            ("provider_reserve", 1_000),
            ("receipts", -10_000),
            ("refunds", 2_500),
        ],
    );
    load(figures(K::ReserveRelease, 1_000, 0, 1_000));
    let second = load(figures(K::Payout, -1_000, 0, -1_000));
    assert!(!second.contains_key("provider_reserve") && !second.contains_key("provider_clearing"));
    assert_eq!(second["payouts_in_transit"], 5_630);
}

/// Refund -60 of an earlier batch and a sale of 20 leave -40: the provider draws it from our bank,
/// a payout row of +40.
///
/// | Row | clearing | contra |
/// |---|---|---|
/// | sale 20 | +20 | receipts -20 |
/// | refund -60 | -60 | refunds +60 |
/// | payout +40 | +40 | in transit -40 |
#[test]
fn a_negative_payout_draws_from_the_bank() {
    let mut balances = Balances::new();
    for (kind, amount) in [(K::Payment, 2_000), (K::Refund, -6_000), (K::Payout, 4_000)] {
        let row = figures(kind, amount, 0, amount);
        let contra = Disposition::by_verdict(&row, Verdict::Matched).unwrap();
        post(&mut balances, &line_postings(&row, &contra).unwrap());
    }
    expect(
        &balances,
        &[
            ("payouts_in_transit", -4_000),
            ("receipts", -2_000),
            ("refunds", 6_000),
        ],
    );
}

/// A payment of 100 that nobody knows, and its refund: both against suspense, which ends at zero.
///
/// | Row | clearing | contra |
/// |---|---|---|
/// | payment 100, unknown | +100 | suspense -100 |
/// | refund -100 of it | -100 | suspense +100 |
#[test]
fn a_refund_of_an_unmatched_payment_empties_suspense_and_needs_nobody() {
    let lines = [
        payment(1, "pi-9", "", 100),
        row(2, K::Refund, "pi-9", "", -100),
    ];
    expect(&ledger(vec![], &lines), &[]);
    let residual = judge_residual(
        &accounts(),
        &ResidualWorld {
            beside: vec![],
            settled: BTreeSet::new(),
            lines: lines.to_vec(),
            intents: vec![],
        },
    )
    .unwrap();
    assert_eq!(cases(&residual), Vec::<String>::new());
}

/// A payment of 97 for an intent of 100 stands in suspense, and so does its refund of 97, though the
/// refund's payment is certain.
#[test]
fn a_refund_of_a_payment_in_suspense_posts_against_suspense() {
    let lines = [
        payment(1, "pi-1", "", 97),
        row(2, K::Refund, "pi-1", "", -97),
    ];
    let judgement = judged(vec![charge(1, 100)], lines.to_vec());
    assert_eq!(disposition(&judgement, 2), "suspense 97");
    assert_eq!(cases(&judgement), Vec::<String>::new());
    expect(&ledger(vec![charge(1, 100)], &lines), &[]);
}

/// A payment of 97 for an intent of 100 stands in suspense; the provider takes it back.
///
/// | Row | Verdict | clearing | receipts | suspense |
/// |---|---|---|---|---|
/// | payment 97 | CONFLICT | +97 | | -97 |
/// | reversal -97 | MATCHED | -97 | | +97 |
/// | in all | | 0 | 0 | 0 |
///
/// Receipts never held it, so nothing leaves them. Which amount was right no longer matters; that a
/// payment which succeeded was taken back does.
#[test]
fn a_reversal_of_a_payment_in_suspense_posts_against_suspense() {
    for rotated in 0..2 {
        let mut lines = vec![
            payment(1, "pi-1", "", 97),
            row(2, K::PaymentReversal, "pi-1", "", -97),
        ];
        lines.rotate_left(rotated);
        let judgement = judged(vec![charge(1, 100)], lines.clone());
        assert_eq!(disposition(&judgement, 2), "suspense 97");
        assert_eq!(cases(&judgement), ["payment_reversed attempt:att-1-1"]);
        expect(&ledger(vec![charge(1, 100)], &lines), &[]);
    }
}

/// The same, 20 of 130 taken back, and then somebody accepts that 130 came:
///
/// | | clearing | receipts | suspense |
/// |---|---|---|---|
/// | payment 130, CONFLICT; reversal -20 | +110 | | -130 + 20 |
/// | accepted: the payment is MATCHED | +110 | -130 + 20 | |
#[test]
fn a_reversal_goes_where_its_payment_goes() {
    let reversal = row(2, K::PaymentReversal, "pi-1", "", -20);
    let came = payment(1, "pi-1", "", 130);
    let before = ledger(vec![charge(1, 100)], &[came.clone(), reversal.clone()]);
    expect(&before, &[("provider_clearing", 110), ("suspense", -110)]);
    let accepted = ruled(came, Ruling::AcceptVariance);
    let after = ledger(vec![charge(1, 100)], &[accepted, reversal]);
    expect(&after, &[("provider_clearing", 110), ("receipts", -110)]);
}

/// A payment of 100 that is matched, and its reversal: both on receipts.
#[test]
fn a_reversal_of_a_matched_payment_posts_against_receipts() {
    let lines = [
        payment(1, "pi-1", "", 100),
        row(2, K::PaymentReversal, "pi-1", "", -40),
    ];
    expect(
        &ledger(vec![charge(1, 100)], &lines),
        &[("provider_clearing", 60), ("receipts", -60)],
    );
}

/// One payment of 25.00 was meant, and 35.00 came under its provider id; 10.00 was given back:
///
/// | Row | Verdict | clearing | receipts | suspense | refunds |
/// |---|---|---|---|---|---|
/// | payment 25.00 | MATCHED | +25.00 | -25.00 | | |
/// | payment 10.00 | CONFLICT | +10.00 | | -10.00 | |
/// | refund -10.00 | MATCHED | -10.00 | | | +10.00 |
/// | in all | | 25.00 | -25.00 | -10.00 | 10.00 |
///
/// Whether the 10.00 too many or 10.00 of the 25.00 went back, nobody knows: both are cases. A dispute
/// is one anyway, and posts in the same way.
#[test]
fn a_refund_of_a_payment_that_is_matched_in_part_is_a_refund_like_any_other() {
    for (kind, account, case) in [
        (
            K::Refund,
            "refunds",
            "unrequested_refund line:00112233445566ff:2",
        ),
        (K::Chargeback, "chargebacks", "chargeback attempt:att-1-1"),
    ] {
        for rotated in 0..3 {
            let mut lines = vec![
                payment(1, "pi-1", "", 2_500),
                row(2, kind, "pi-1", "", -1_000),
                payment(3, "pi-1", "", 1_000),
            ];
            lines.rotate_left(rotated);
            for (key, line) in (1..).zip(&mut lines) {
                line.key = key;
            }
            let judgement = judged(vec![charge(1, 2_500)], lines.clone());
            let mut wanted = cases(&judgement);
            wanted.sort();
            let mut expected = [case, "duplicate_settlement intent:pay-1"];
            expected.sort_unstable();
            assert_eq!(wanted, expected, "{kind}, {rotated}");
            expect(
                &ledger(vec![charge(1, 2_500)], &lines),
                &[
                    ("provider_clearing", 2_500),
                    ("receipts", -2_500),
                    ("suspense", -1_000),
                    (account, 1_000),
                ],
            );
        }
    }
}

/// The same where a person settled the part: one row of 100 was recorded as external, another of 40
/// under the same unknown id waits in suspense, and 40 went back.
///
/// | Row | clearing | receipts | suspense |
/// |---|---|---|---|
/// | payment 100, external | +100 | -100 | |
/// | payment 40, unknown | +40 | | -40 |
/// | refund -40 | -40 | | +40 |
///
/// Suspense comes to nothing, and yet both rows need somebody.
#[test]
fn a_refund_of_a_payment_that_a_person_settled_in_part_needs_somebody() {
    let waiting = [
        payment(2, "pi-9", "", 40),
        row(3, K::Refund, "pi-9", "", -40),
    ];
    let of = |settled: BTreeSet<(i64, String)>| {
        let world = ResidualWorld {
            lines: waiting.to_vec(),
            settled,
            ..ResidualWorld::default()
        };
        cases(&judge_residual(&accounts(), &world).unwrap())
    };
    assert_eq!(of(BTreeSet::new()), Vec::<String>::new());
    assert_eq!(
        of([(1, "pi-9".to_owned())].into()),
        [
            "unexpected_settlement line:00112233445566ff:2",
            "unexpected_settlement line:00112233445566ff:3",
        ]
    );
    // An id of another account is another payment's.
    assert_eq!(of([(2, "pi-9".to_owned())].into()), Vec::<String>::new());
}

/// An intent of 100; 90 came, 30 of that was taken back by a row of negative gross, and the 60 that are
/// left were refunded. Suspense: -90 + 30 + 60 = 0.
#[test]
fn a_part_taken_back_counts_less_of_what_a_refund_has_to_bring_to_zero() {
    let lines = [
        payment(1, "pi-1", "", 90),
        payment(2, "pi-1", "", -30),
        row(3, K::Refund, "pi-1", "", -60),
    ];
    let judgement = judged(vec![charge(1, 100)], lines.to_vec());
    assert_eq!(cases(&judgement), Vec::<String>::new());
    expect(&ledger(vec![charge(1, 100)], &lines), &[]);
}

/// Intent 100, line 97, three written off: suspense 97 debited (the line) and write_offs 3, receipts
/// credited 100. In all: clearing +97, receipts -100, write_offs +3.
#[test]
fn too_little_written_off_makes_receipts_the_intent_s_amount() {
    let written_off = ruled(
        payment(1, "pi-1", "", 97),
        Ruling::WriteOff { difference: 3 },
    );
    let balances = ledger(vec![charge(1, 100)], std::slice::from_ref(&written_off));
    expect(
        &balances,
        &[
            ("provider_clearing", 97),
            ("receipts", -100),
            ("write_offs", 3),
        ],
    );
    let judgement = judged(vec![charge(1, 100)], vec![written_off.clone()]);
    assert_eq!(cases(&judgement), Vec::<String>::new());
    // The move is the decision's entry.
    let before = Disposition::by_verdict(&written_off.figures(), Verdict::Conflict).unwrap();
    let after = &line_of(&judgement, 1).unwrap().disposition;
    let mut moved = Balances::new();
    post(&mut moved, &move_postings(&before, after).unwrap());
    expect(
        &moved,
        &[("receipts", -100), ("suspense", 97), ("write_offs", 3)],
    );
}

/// Intent 100, line 103, three too much written off: suspense debited 103, receipts credited 100 and
/// write_offs credited 3.
#[test]
fn too_much_written_off_leaves_receipts_the_intent_s_amount() {
    let written_off = ruled(
        payment(1, "pi-1", "", 103),
        Ruling::WriteOff { difference: -3 },
    );
    let balances = ledger(vec![charge(1, 100)], std::slice::from_ref(&written_off));
    expect(
        &balances,
        &[
            ("provider_clearing", 103),
            ("receipts", -100),
            ("write_offs", -3),
        ],
    );
    let judgement = judged(vec![charge(1, 100)], vec![written_off]);
    assert_eq!((judgement.open[0].matched, judgement.cases.len()), (100, 0));
}

/// Money out: a payout intent of 100 of which 97 left. Disbursements 100, of which 3 against
/// write_offs: clearing -97, disbursements +100, write_offs -3.
#[test]
fn a_payout_written_off_is_the_mirror_image() {
    let line = ruled(
        row(1, K::Disbursement, "pi-1", "", -97),
        Ruling::WriteOff { difference: 3 },
    );
    expect(
        &ledger(vec![intent(1, "payout", 100)], &[line]),
        &[
            ("disbursements", 100),
            ("provider_clearing", -97),
            ("write_offs", -3),
        ],
    );
}

/// What was written off as missing comes after all: the write-off takes itself back, since it was
/// approved for what is amiss and nothing is any more.
#[test]
fn a_written_off_rest_that_comes_after_all_gives_the_write_off_back() {
    let lines = [
        ruled(
            payment(1, "pi-1", "", 97),
            Ruling::WriteOff { difference: 3 },
        ),
        payment(2, "pi-1", "", 3),
    ];
    expect(
        &ledger(vec![charge(1, 100)], &lines),
        &[("provider_clearing", 100), ("receipts", -100)],
    );
}

/// accept_variance: suspense to receipts, the line's own amount.
#[test]
fn an_accepted_variance_posts_the_line_s_amount() {
    for amount in [97, 103] {
        let line = ruled(payment(1, "pi-1", "", amount), Ruling::AcceptVariance);
        let judgement = judged(vec![charge(1, 100)], vec![line]);
        assert_eq!(disposition(&judgement, 1), format!("receipts -{amount}"));
        assert_eq!(cases(&judgement), Vec::<String>::new());
    }
}

/// Money that was to go out and did not is written off from the account that its line would have
/// moved: a refund of 25 from refunds, a payout of 25 from disbursements.
#[test]
fn money_out_that_never_went_is_written_off_from_the_account_of_its_line() {
    for (account, name) in [
        (LedgerAccount::Refunds, "refunds"),
        (LedgerAccount::Disbursements, "disbursements"),
    ] {
        let mut balances = Balances::new();
        post(
            &mut balances,
            &missing_write_off(Money::new(25, eur()), account).unwrap(),
        );
        expect(&balances, &[(name, 25), ("write_offs", -25)]);
    }
}

/// Nothing came: write_offs to receipts; the same with the signs turned once a line comes.
#[test]
fn a_missing_settlement_is_written_off_and_comes_back_with_the_line() {
    let amount = Money::new(100, eur());
    let mut balances = Balances::new();
    let written_off = missing_write_off(amount, LedgerAccount::Receipts).unwrap();
    post(&mut balances, &written_off);
    expect(&balances, &[("receipts", -100), ("write_offs", 100)]);
    post(&mut balances, &reversed(&written_off).unwrap());
    expect(&balances, &[]);
    let mut missing = charge(1, 100);
    missing.attempts[0].rulings.set(Ruling::WriteOffMissing);
    let before = judged(vec![missing.clone()], vec![]);
    assert_eq!(before.attempts[0].written_off, Some(amount));
    let after = judged(vec![missing], vec![payment(1, "pi-1", "", 100)]);
    assert_eq!(after.attempts[0].written_off, None);
}

/// An unmatched line matched later: suspense -100 at first; the move debits suspense and credits
/// receipts.
#[test]
fn an_unmatched_line_matched_later_moves_out_of_suspense() {
    let line = payment(1, "", "order-1", 100);
    let mut balances = ledger(vec![], std::slice::from_ref(&line));
    expect(&balances, &[("provider_clearing", 100), ("suspense", -100)]);
    let before = Disposition::by_verdict(&line.figures(), Verdict::Unmatched).unwrap();
    let judgement = judged(vec![charge(1, 100)], vec![line]);
    let after = &line_of(&judgement, 1).unwrap().disposition;
    post(&mut balances, &move_postings(&before, after).unwrap());
    expect(&balances, &[("provider_clearing", 100), ("receipts", -100)]);
}

/// 100.00 USD presented, 90.00 EUR settled, fee 2.70 EUR.
///
/// | | EUR | USD |
/// |---|---|---|
/// | clearing | +87.30 | |
/// | fees | +2.70 | |
/// | fx_difference | -90.00 | +100.00 |
/// | receipts | | -100.00 |
#[test]
fn two_currencies_run_through_the_conversion_position() {
    let mut row = figures(K::Payment, 9_000, 270, 8_730);
    row.presented = Money::new(10_000, "USD".parse().unwrap());
    let mut balances = Balances::new();
    let unmatched = Disposition::by_verdict(&row, Verdict::Unmatched).unwrap();
    post(&mut balances, &line_postings(&row, &unmatched).unwrap());
    expect(
        &balances,
        &[
            ("fx_difference", -9_000),
            ("fx_difference USD", 10_000),
            ("provider_clearing", 8_730),
            ("provider_fees", 270),
            ("suspense USD", -10_000),
        ],
    );
    let matched = Disposition::by_verdict(&row, Verdict::Matched).unwrap();
    post(&mut balances, &move_postings(&unmatched, &matched).unwrap());
    assert_eq!(balances["receipts USD"], -10_000);
    assert!(!balances.contains_key("suspense USD"));
}

/// Gross 100, fee 3, net 96: net counts, and the cent nobody explains is an open item in suspense until
/// a person accepts it.
///
/// | | clearing | fees | receipts | suspense | adjustments |
/// |---|---|---|---|---|---|
/// | nobody knows the payment | +96 | +3 | | -100 + 1 = -99 | |
/// | matched | +96 | +3 | -100 | +1 | |
/// | unknown, the cent accepted | +96 | +3 | | -100 | +1 |
/// | matched and accepted | +96 | +3 | -100 | | +1 |
#[test]
fn a_row_whose_net_is_not_gross_less_fee_keeps_the_difference_in_suspense_until_it_is_accepted() {
    for (known, accepted, contra) in [
        (false, false, vec![("suspense", -99)]),
        (true, false, vec![("receipts", -100), ("suspense", 1)]),
        (false, true, vec![("adjustments", 1), ("suspense", -100)]),
        (true, true, vec![("adjustments", 1), ("receipts", -100)]),
    ] {
        let mut row = payment(1, "pi-1", "", 100);
        (row.fee, row.net) = (3, 96);
        if accepted {
            row.rulings.set(Ruling::AcceptDifference);
        }
        let intents = if known { vec![charge(1, 100)] } else { vec![] };
        let mut expected = vec![("provider_clearing", 96), ("provider_fees", 3)];
        expected.extend(contra);
        expect(&ledger(intents, &[row]), &expected);
    }
}

/// Rows that are no payments keep their difference in the same way: a reserve of -10 whose net says -9.
/// Clearing -9, reserve +10, suspense -1. A fee is its net, and is off by nothing.
#[test]
fn a_reserve_row_whose_net_is_off_keeps_the_difference_in_suspense_and_a_fee_is_never_off() {
    let mut reserve = row(1, K::ReserveHold, "", "", -10);
    reserve.net = -9;
    expect(
        &ledger(vec![], &[reserve]),
        &[
            ("provider_clearing", -9),
            ("provider_reserve", 10),
            ("suspense", -1),
        ],
    );
    let mut fee = row(1, K::Fee, "", "", -3);
    fee.net = -2;
    expect(
        &ledger(vec![], &[fee]),
        &[("provider_clearing", -2), ("provider_fees", 2)],
    );
}

/// Whichever column a fee row uses, the fee is minus the net.
#[test]
fn a_fee_row_posts_its_net_whichever_column_the_file_used() {
    for (gross, fee) in [(0, 50), (-50, 0), (-50, 50), (0, 0)] {
        for kind in [K::Fee, K::DisputeFee] {
            let row = figures(kind, gross, fee, -50);
            let contra = Disposition::by_verdict(&row, Verdict::Accounted).unwrap();
            let mut balances = Balances::new();
            post(&mut balances, &line_postings(&row, &contra).unwrap());
            expect(
                &balances,
                &[("provider_clearing", -50), ("provider_fees", 50)],
            );
        }
    }
}

/// A batch of net 120 paid out with 95 leaves 25 in clearing; accepted, it goes to adjustments: the
/// provider owes it no more, so clearing -25 and adjustments +25.
#[test]
fn an_accepted_residual_leaves_clearing_at_zero() {
    let mut balances = Balances::from([("provider_clearing".to_owned(), 25)]);
    let entry = accepted_residual(Money::new(25, eur())).unwrap();
    post(&mut balances, &entry);
    expect(&balances, &[("adjustments", 25)]);
}

#[test]
fn an_attempt_settled_by_money_is_settled_though_the_amount_differs() {
    let open = with_attempts(
        charge(1, 100),
        vec![attempt(1, 1, Outcome::Unknown, "pi-1")],
    );
    let judgement = judge(
        &accounts(),
        &world(vec![open], vec![payment(1, "pi-1", "", 97)]),
    )
    .unwrap();
    assert_eq!(outcome(&judgement, 11), Outcome::Succeeded);
}

fn kinds() -> impl Strategy<Value = K> {
    (0..K::ALL.len()).prop_map(|i| K::ALL[i])
}

proptest! {
    #[test]
    fn every_line_and_every_move_balances_per_currency(
        kind in kinds(),
        gross in -1_000_000_000_000_i64..1_000_000_000_000,
        fee in -1_000_000_000_i64..1_000_000_000,
        odd in -5_i64..5,
        presented in -1_000_000_000_i64..1_000_000_000,
        dollars: bool,
        verdicts in (0..9_usize, 0..9_usize),
        to in 0..LedgerAccount::ALL.len(),
        accepted in (any::<bool>(), any::<bool>()),
    ) {
        let mut row = figures(kind, gross, fee, gross - fee + odd);
        if dollars {
            row.presented = Money::new(presented, "USD".parse().unwrap());
        }
        let standing = |contra: Disposition, accepted| {
            let account = if accepted { LedgerAccount::Adjustments } else { LedgerAccount::Suspense };
            contra.with_difference(&row, account).unwrap()
        };
        let from = standing(Disposition::by_verdict(&row, Verdict::ALL[verdicts.0]).unwrap(), accepted.0);
        let into = standing(Disposition::by_verdict(&row, Verdict::ALL[verdicts.1]).unwrap(), accepted.1);
        let elsewhere = standing(Disposition::whole(&row, LedgerAccount::ALL[to]).unwrap(), false);
        for postings in [
            line_postings(&row, &from).unwrap(),
            line_postings(&row, &elsewhere).unwrap(),
            move_postings(&from, &into).unwrap(),
            move_postings(&into, &elsewhere).unwrap(),
        ] {
            let mut sums: BTreeMap<String, i128> = BTreeMap::new();
            for p in &postings {
                prop_assert_ne!(p.amount, 0);
                *sums.entry(p.currency.to_string()).or_default() += i128::from(p.amount);
            }
            prop_assert!(sums.values().all(|s| *s == 0), "{:?}", postings);
        }
        // Clearing moves by exactly the net, whatever the verdict.
        let clearing: i64 = line_postings(&row, &from).unwrap().iter()
            .filter(|p| p.account == LedgerAccount::ProviderClearing)
            .map(|p| p.amount).sum();
        prop_assert_eq!(clearing, row.net);
    }

    #[test]
    fn amounts_at_the_edge_of_64_bits_are_refused_and_never_wrap(gross: i64, fee: i64, net: i64) {
        let row = figures(K::Payment, gross, fee, net);
        if let Ok(contra) = Disposition::by_verdict(&row, Verdict::Matched)
            && let Ok(contra) = contra.with_difference(&row, LedgerAccount::Suspense)
            && let Ok(postings) = line_postings(&row, &contra)
        {
            let sum: i128 = postings.iter().map(|p| i128::from(p.amount)).sum();
            prop_assert_eq!(sum, 0);
        }
    }
}
