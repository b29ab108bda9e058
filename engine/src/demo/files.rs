//! What happened, as the providers write it: Stripe's balance change report, Adyen's settlement
//! detail report, Tieout's own settlement CSV.

use super::{
    story::SHORT_PAYOUT,
    world::{Account, Row, World, amount},
};
use domain::line::RowKind;
use std::fmt::Write as _;

/// Days from a payment at Stripe to the payout that holds it.
const STRIPE_DELAY: i64 = 2;
/// Days that an Adyen batch spans.
pub(super) const BATCH_DAYS: i64 = 3;

/// A file as it arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) account: Account,
    pub(super) name: String,
    pub(super) text: String,
}

fn on(
    world: &World,
    account: Account,
    days: std::ops::RangeInclusive<i64>,
) -> impl Iterator<Item = &Row> {
    let rows = world.rows.iter();
    rows.filter(move |r| r.account == account && days.contains(&r.day))
}

/// Stripe's report of a day: what happened on it, and the payout of what happened two days before.
pub(super) fn stripe(world: &World, day: i64) -> Written {
    let mut text = "balance_transaction_id,created_utc,available_on_utc,currency,gross,fee,net,\
                    reporting_category,source_id,charge_id,payment_intent_id,customer_id,\
                    description,automatic_payout_id,customer_facing_amount,\
                    customer_facing_currency,payment_metadata[order_id]\n"
        .to_owned();
    let paid = day - STRIPE_DELAY;
    let total: i64 = on(world, Account::Stripe, paid..=paid).map(Row::net).sum();
    if total != 0 {
        let (short_day, by) = SHORT_PAYOUT;
        let sent = if paid == short_day { total - by } else { total };
        let out = amount(-sent, "EUR");
        let (id, at) = (payout_id(world, paid), world.time(day, 5 * 3600));
        let _ = writeln!(
            text,
            "txn_{id},{},{} 00:00:00,eur,{out},0.00,{out},payout,{id},,,,STRIPE PAYOUT,{id},,,",
            clock(at),
            world.date(day),
        );
    }
    for (number, row) in on(world, Account::Stripe, day..=day).enumerate() {
        let source = if row.modification_id.is_empty() {
            row.payment_id.replace("pi_", "ch_")
        } else {
            row.modification_id.clone()
        };
        let (facing, facing_currency) = row.presented.map_or_else(
            || (String::new(), ""),
            |(minor, currency)| (amount(minor, currency), currency),
        );
        let _ = writeln!(
            text,
            "txn_{}_{number:02},{},{} 00:00:00,eur,{},{},{},{},{source},{},{},{},{},{},{facing},{},{}",
            world.date(day),
            clock(row.at),
            world.date(day + STRIPE_DELAY),
            amount(row.gross, "EUR"),
            amount(row.fee, "EUR"),
            amount(row.net(), "EUR"),
            stripe_word(row.kind),
            row.payment_id.replace("pi_", "ch_"),
            row.payment_id,
            row.customer,
            row.description,
            payout_id(world, day),
            facing_currency.to_lowercase(),
            row.reference,
        );
    }
    Written {
        account: Account::Stripe,
        name: format!("balance_change_from_activity_{}.csv", world.date(day)),
        text,
    }
}

fn payout_id(world: &World, day: i64) -> String {
    format!("po_{}", compact(world, day))
}

const fn stripe_word(kind: RowKind) -> &'static str {
    match kind {
        RowKind::PaymentReversal => "charge_failure",
        RowKind::Refund => "refund",
        RowKind::Chargeback => "dispute",
        RowKind::ChargebackReversal => "dispute_reversal",
        RowKind::Fee => "fee",
        RowKind::ReserveHold | RowKind::ReserveRelease => "risk_reserved_funds",
        // No profile knows it, and that is the story.
        RowKind::Unrecognised => "partner_credit",
        _ => "charge",
    }
}

/// Adyen's report of a batch: what was booked on three days up to the last, and its payout.
pub(super) fn adyen(world: &World, last: i64) -> Written {
    let mut text = "Company Account,Merchant Account,Psp Reference,Merchant Reference,\
                    Payment Method,Creation Date,TimeZone,Type,Modification Reference,\
                    Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,\
                    Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),\
                    Interchange (NC),Batch Number,Booking Date,Booking Date TimeZone\n"
        .to_owned();
    let batch = world.date(last).number() / BATCH_DAYS % 1000;
    // Booked the day after.
    let days = last - BATCH_DAYS..=last - 1;
    let mut total = 0;
    for (number, row) in on(world, Account::Adyen, days).enumerate() {
        total += row.net();
        let (minor, currency) = row.presented.unwrap_or((row.gross, "EUR"));
        let (debit, credit) = sides(minor, currency);
        let (net_debit, net_credit) = sides(row.net(), "EUR");
        let rate = if currency == "EUR" { "1" } else { "0.915" };
        let scheme = row.fee / 4;
        let interchange = row.fee / 2;
        let psp = &row.payment_id;
        let own = if row.modification_id.is_empty() {
            format!("{psp}{number:02}")
        } else {
            row.modification_id.clone()
        };
        let _ = writeln!(
            text,
            "Demo,DemoNL,{psp},{},visa,{},UTC,{},{own},{currency},{debit},{credit},{rate},EUR,{net_debit},{net_credit},,{},{},{},{batch},{} 20:00:00,UTC",
            row.reference,
            clock(row.at),
            adyen_word(row.kind),
            amount(row.fee - scheme - interchange, "EUR"),
            amount(scheme, "EUR"),
            amount(interchange, "EUR"),
            world.date(row.day + 1),
        );
    }
    let (debit, credit) = sides(-total, "EUR");
    let _ = writeln!(
        text,
        "Demo,DemoNL,,,,{0} 21:00:00,UTC,MerchantPayout,TX{1}XT batch {batch},,,,,EUR,{debit},{credit},,,,,{batch},{0} 21:00:00,UTC",
        world.date(last),
        compact(world, last),
    );
    Written {
        account: Account::Adyen,
        name: format!("settlement_detail_report_batch_{batch}.csv"),
        text,
    }
}

fn sides(minor: i64, currency: &str) -> (String, String) {
    if minor < 0 {
        (amount(-minor, currency), String::new())
    } else {
        (String::new(), amount(minor, currency))
    }
}

const fn adyen_word(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Refund => "Refunded",
        RowKind::Chargeback => "Chargeback",
        _ => "Settled",
    }
}

/// The shop's own file of two days. In the newest, an amount was typed by hand.
pub(super) fn shop(world: &World, last: i64) -> Written {
    let mut text =
        "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,\
         settled_at,batch_id,counterparty,description,modification_id\n"
            .to_owned();
    let date = compact(world, last);
    let settled = world.time(last, 22 * 3600);
    let mut total = 0;
    for (number, row) in on(world, Account::Shop, last - 1..=last).enumerate() {
        total += row.net();
        let _ = writeln!(
            text,
            "{date}-{number},{},{},{},{},{},{},GBP,{},{settled},SHOP-{date},{},,{}",
            row.kind,
            row.payment_id,
            row.reference,
            amount(row.gross, "GBP"),
            amount(row.fee, "GBP"),
            amount(row.net(), "GBP"),
            row.at,
            row.customer,
            row.modification_id,
        );
    }
    let out = amount(-total, "GBP");
    let _ = writeln!(
        text,
        "{date}-p,payout,,,{out},0.00,{out},GBP,{settled},{settled},SHOP-{date},,Transfer to the bank,"
    );
    if last == super::story::LAST_DAY {
        let _ = writeln!(
            text,
            "{date}-c,fee,,,-4.5O,0.00,-4.5O,GBP,{settled},{settled},SHOP-{date},,Card terminal,"
        );
    }
    Written {
        account: Account::Shop,
        name: format!("shop_{date}.csv"),
        text,
    }
}

fn compact(world: &World, day: i64) -> String {
    world.date(day).to_string().replace('-', "")
}

/// As Stripe and Adyen write a time.
fn clock(at: domain::time::Instant) -> String {
    at.to_utc().format("%Y-%m-%d %H:%M:%S").to_string()
}
