//! What goes wrong in the three weeks, one of every kind of case, and what people do about it.
// Amounts are grouped as major units and minor units.
#![allow(clippy::inconsistent_digit_grouping)]

use super::world::{Account, Row, World};
use domain::{
    cases::{Action, CaseKind, ReasonCode},
    line::RowKind,
};

/// What somebody decides on the morning after a day.
#[derive(Debug, Clone)]
pub(super) struct Turn {
    pub(super) day: i64,
    pub(super) kind: CaseKind,
    /// The company's id of the payment, or the provider's id on the line.
    pub(super) about: String,
    pub(super) action: Action,
    pub(super) reason: ReasonCode,
    pub(super) comment: &'static str,
    /// Whether the second person has agreed by now.
    pub(super) approved: bool,
}

/// A payout that is this much smaller than its rows.
pub(super) const SHORT_PAYOUT: (i64, i64) = (-10, 12_50);

/// The last day before now, on whose morning people also decide what waits until today.
pub(super) const LAST_DAY: i64 = -1;

/// Lets it go wrong.
pub(super) fn happen(world: &mut World) -> Vec<Turn> {
    let mut turns = Vec::new();
    figures(world, &mut turns);
    proposals(world, &mut turns);
    failures(world);
    disputes(world, &mut turns);
    strangers(world, &mut turns);
    silence(world, &mut turns);
    turns
}

/// Identity certain, figures not.
fn figures(world: &mut World, turns: &mut Vec<Turn>) {
    for (day, meant, came) in [
        (-13, 89_90, 89_88),
        (-12, 64_50, 59_50),
        (-4, 180_00, 150_00),
    ] {
        let sale = world.sale(Account::Stripe, day, meant);
        world.register(&sale, "succeeded");
        let line = Row {
            gross: came,
            ..World::line(&sale)
        };
        world.rows.push(line);
        let turn = Turn {
            day: day + 1,
            kind: CaseKind::AmountMismatch,
            about: sale.intent,
            action: Action::AcceptVariance,
            reason: ReasonCode::SmallDifference,
            comment: "",
            approved: true,
        };
        match day {
            -13 => turns.push(turn),
            -12 => turns.push(Turn {
                action: Action::WriteOff,
                comment: "Voucher that the till did not know of.",
                ..turn
            }),
            _ => {}
        }
    }
    let sale = world.sale(Account::Stripe, -9, 120_00);
    world.register(&sale, "succeeded");
    let line = Row {
        presented: Some((129_60, "USD")),
        ..World::line(&sale)
    };
    world.rows.push(line);

    let twice = world.settled_sale(Account::Stripe, -8, 59_90);
    let again = Row {
        at: twice.at.plus_seconds(95),
        ..World::line(&twice)
    };
    world.rows.push(again);
}

/// Calls without an answer whose money came.
fn proposals(world: &mut World, turns: &mut Vec<Turn>) {
    for (day, amount) in [(-11, 74_35), (-3, 1_840_00)] {
        let sale = world.sale(Account::Stripe, day, amount);
        world.register_unanswered(&sale);
        let line = Row {
            reference: String::new(),
            ..World::line(&sale)
        };
        world.rows.push(line);
        if day == -11 {
            turns.push(Turn {
                day: -10,
                kind: CaseKind::ProposedMatch,
                about: sale.provider_id,
                action: Action::ConfirmMatch,
                reason: ReasonCode::EvidenceAgrees,
                comment: "",
                approved: true,
            });
        }
    }
    let first = world.sale(Account::Shop, -5, 249_00);
    let second = world.sale(Account::Shop, -5, 249_00);
    for sale in [&first, &second] {
        world.register_unanswered(sale);
    }
    let line = Row {
        reference: String::new(),
        customer: String::new(),
        at: second.at.max(first.at).plus_seconds(60),
        ..World::line(&second)
    };
    world.rows.push(line);

    let named = world.sale(Account::Stripe, -6, 45_00);
    world.register(&named, "succeeded");
    let other = world.settled_sale(Account::Stripe, -6, 39_90);
    let line = Row {
        reference: other.reference,
        ..World::line(&named)
    };
    world.rows.push(line);
}

/// Failures that took money, and money that was taken back.
fn failures(world: &mut World) {
    let declined = world.sale(Account::Stripe, -9, 129_00);
    world.register(&declined, "rejected");
    world.settle(&declined);

    let returned = world.settled_sale(Account::Stripe, -7, 99_00);
    let back = world.follow(&returned, -4, RowKind::PaymentReversal, -99_00);
    world.rows.push(back);

    let refunded = world.settled_sale(Account::Stripe, -9, 79_00);
    let refund = world.follow(&refunded, -5, RowKind::Refund, -20_00);
    world.rows.push(refund);
}

fn disputes(world: &mut World, turns: &mut Vec<Turn>) {
    let lost = world.settled_sale(Account::Stripe, -16, 54_90);
    let dispute = world.follow(&lost, -10, RowKind::Chargeback, -54_90);
    world.rows.push(dispute);
    turns.push(Turn {
        day: -8,
        kind: CaseKind::Chargeback,
        about: lost.intent,
        action: Action::AcceptVariance,
        reason: ReasonCode::DisputeLost,
        comment: "",
        approved: true,
    });
    let won = world.settled_sale(Account::Stripe, -17, 210_00);
    let dispute = world.follow(&won, -12, RowKind::Chargeback, -210_00);
    let reversal = Row {
        modification_id: dispute.modification_id.clone(),
        ..world.follow(&won, -5, RowKind::ChargebackReversal, 210_00)
    };
    world.rows.extend([dispute, reversal]);
    for (account, sold, disputed, amount) in [
        (Account::Stripe, -14, -6, 149_00),
        (Account::Adyen, -10, -7, 89_90),
    ] {
        let sale = world.settled_sale(account, sold, amount);
        let dispute = world.follow(&sale, disputed, RowKind::Chargeback, -amount);
        world.rows.push(dispute);
    }
}

/// Money that nobody registered.
fn strangers(world: &mut World, turns: &mut Vec<Turn>) {
    let nobodys = world.lone(Account::Stripe, -7, RowKind::Payment, 33_30);
    let gift = world.lone(Account::Stripe, -12, RowKind::Payment, 27_10);
    turns.push(Turn {
        day: -11,
        kind: CaseKind::UnexpectedSettlement,
        about: gift.payment_id.clone(),
        action: Action::RecordExternal,
        reason: ReasonCode::OtherSystem,
        comment: "Gift card portal, kept in its own system.",
        approved: true,
    });
    world.rows.extend([nobodys, gift]);
    for (day, kind, gross, description) in [
        (-19, RowKind::Fee, -9_00, "Radar for the week"),
        (-12, RowKind::Fee, -9_00, "Radar for the week"),
        (-5, RowKind::Fee, -9_00, "Radar for the week"),
        (-12, RowKind::ReserveHold, -150_00, "Reserve of 10 percent"),
        (-4, RowKind::ReserveRelease, 50_00, "Reserve released"),
        (-5, RowKind::Unrecognised, 18_00, "Partner credit"),
    ] {
        let row = Row {
            description,
            ..world.lone(Account::Stripe, day, kind, gross)
        };
        world.rows.push(row);
    }
}

/// Answers, files and money that did not come.
fn silence(world: &mut World, turns: &mut Vec<Turn>) {
    let lost = world.sale(Account::Stripe, -13, 46_20);
    world.register(&lost, "succeeded");
    let late = world.sale(Account::Stripe, -12, 310_00);
    world.register(&late, "succeeded");
    turns.push(Turn {
        day: LAST_DAY,
        kind: CaseKind::MissingSettlement,
        about: late.intent,
        action: Action::WaitForProvider,
        reason: ReasonCode::AwaitingProvider,
        comment: "Stripe looks for it: ticket 48211.",
        approved: true,
    });
    let never = world.sale(Account::Stripe, -10, 52_75);
    world.register_unanswered(&never);
    turns.push(Turn {
        day: LAST_DAY,
        kind: CaseKind::UnknownOutcome,
        about: never.intent,
        action: Action::ConfirmOutcome,
        reason: ReasonCode::ProviderConfirmed,
        comment: "Stripe support: the call never reached them.",
        approved: false,
    });
    for (account, day, amount) in [
        (Account::Stripe, -2, 83_00),
        (Account::Adyen, -8, 88_40),
        (Account::Shop, -1, 31_50),
    ] {
        let sale = world.sale(account, day, amount);
        world.register_unanswered(&sale);
    }
}
