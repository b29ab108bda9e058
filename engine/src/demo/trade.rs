//! Ordinary days: most payments succeed at once and settle, some at the second try, some are
//! refunded.
// Amounts are grouped as major units and minor units.
#![allow(clippy::inconsistent_digit_grouping)]

use super::world::{Account, Sale, World};

/// Prices in minor units.
const PRICES: &[i64] = &[
    12_90, 19_90, 24_90, 34_95, 49_00, 59_90, 79_00, 89_90, 129_00, 189_00,
];

/// The first day.
pub(super) const FIRST_DAY: i64 = -21;

/// Three weeks of it.
pub(super) fn three_weeks(world: &mut World) {
    for day in FIRST_DAY..0 {
        for (account, fewest, more) in [
            (Account::Stripe, 6, 4),
            (Account::Adyen, 3, 3),
            (Account::Shop, 1, 3),
        ] {
            let count = fewest + world.dice.roll(more);
            for _ in 0..count {
                one(world, account, day);
            }
        }
    }
    for minutes in [190, 115, 44] {
        let at = world.now.plus_seconds(-60 * minutes);
        let sale = world.sale_at(Account::Stripe, 0, at, 59_90);
        world.register(&sale, "succeeded");
    }
}

fn one(world: &mut World, account: Account, day: i64) {
    let pieces = 1 + i64::from(world.dice.roll(2));
    let amount = world.dice.one_of(PRICES) * pieces;
    let mut sale = world.sale(account, day, amount);
    let dollars = account == Account::Adyen && world.dice.roll(8) == 0;
    if dollars {
        sale.currency = "USD";
    }
    match world.dice.roll(100) {
        0..3 => return world.register(&sale, "rejected"),
        3..9 => at_second_try(world, &mut sale),
        _ => world.register(&sale, "succeeded"),
    }
    let mut line = World::line(&sale);
    if dollars {
        line.presented = Some((sale.amount, "USD"));
        line.gross = sale.amount * 915 / 1000;
    }
    world.rows.push(line);
    let refunded = !dollars && world.dice.roll(14) == 0;
    if refunded && day < -4 {
        let part = if world.dice.roll(2) == 0 { 1 } else { 2 };
        world.refund(&sale, day + 2, sale.amount / part);
    }
}

fn at_second_try(world: &mut World, sale: &mut Sale) {
    let first = sale.provider_id.clone();
    world.attempt(sale, 1, &first, "rejected", "insufficient_funds");
    sale.provider_id = world.provider_id(sale.account, "pi_");
    let second = sale.provider_id.clone();
    world.attempt(sale, 2, &second, "succeeded", "");
}
