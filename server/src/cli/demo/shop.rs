//! The shop's figures: made from a counter, so that every demo shows the same, dated to end today.

use domain::{
    money::major,
    time::{Day, Zone},
};
use std::fmt::Write as _;

/// The account at the card provider.
pub const CARDS: &str = "cards-eu";
/// The account at the wallet provider.
pub const WALLET: &str = "wallet-de";

const DAYS: i64 = 9;
const ORDERS_A_DAY: u64 = 24;

const PAYMENTS_HEADER: &str = "intent_id,merchant_reference,operation,amount,currency,direction,\
counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,\
provider_payment_id,started_at,finished_at,outcome,error_code\n";

const LINES_HEADER: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,\
currency,occurred_at,settled_at,batch_id,counterparty,description\n";

/// What is wrong with an order, if anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// The call timed out; the money came.
    UnknownButSettled,
    /// The call timed out; nobody knows.
    Unknown,
    /// Refused, and paid all the same.
    SettledAfterFailure,
    /// Less came than was asked for.
    Short,
    /// It came twice.
    Twice,
    /// It never came.
    Missing,
    /// Given back although nobody asked.
    Refunded,
    /// The payer disputes it.
    Disputed,
}

/// One order.
#[derive(Debug, Clone)]
struct Order {
    number: u64,
    day: Day,
    minute: u64,
    provider: &'static str,
    minor: i64,
    fault: Fault,
}

/// A file of a provider.
#[derive(Debug, Clone)]
pub struct File {
    /// Which account.
    pub provider: &'static str,
    /// Under which name.
    pub name: String,
    /// Its bytes.
    pub content: String,
}

/// The shop.
#[derive(Debug, Clone)]
pub struct Shop {
    orders: Vec<Order>,
    today: Day,
    zone: Zone,
}

impl Shop {
    /// The days that end today.
    pub fn until(today: Day, zone: Zone) -> Self {
        let mut orders = Vec::new();
        let mut number = 0;
        for back in (0..DAYS).rev() {
            let Some(day) = Day::from_number(today.number() - back) else {
                continue;
            };
            for of_day in 0..ORDERS_A_DAY {
                number += 1;
                let drawn = mix(number);
                orders.push(Order {
                    number,
                    day,
                    minute: 8 * 60 + of_day * 30 + drawn % 30,
                    provider: if drawn % 3 == 0 { WALLET } else { CARDS },
                    minor: i64::try_from(900 + drawn % 24_000).unwrap_or(900),
                    fault: fault(number),
                });
            }
        }
        Self {
            orders,
            today,
            zone,
        }
    }

    /// What the company knows.
    pub fn payments_csv(&self) -> String {
        let mut text = PAYMENTS_HEADER.to_owned();
        for order in self.orders.iter().filter(|order| !self.is_ahead(order)) {
            let (outcome, error) = match order.fault {
                Fault::Unknown | Fault::UnknownButSettled => ("unknown", "timeout"),
                Fault::SettledAfterFailure => ("rejected", "card_declined"),
                _ => ("succeeded", ""),
            };
            // After a timeout nobody was told the provider's id.
            let id = if outcome == "unknown" {
                String::new()
            } else {
                order.provider_id()
            };
            let at = self.time(order);
            let _ = writeln!(
                text,
                "order-{n},order-{n},charge,{amount},EUR,in,,{at},at_most_once,order-{n}-1,1,{provider},order-{n},{id},{at},{at},{outcome},{error}",
                n = order.number,
                amount = major(order.minor, 2),
                provider = order.provider,
            );
        }
        text
    }

    /// What the providers say: one file a day and account, two days after the payments.
    pub fn settlement_files(&self) -> Vec<File> {
        let mut files = Vec::new();
        for back in (2..DAYS).rev() {
            let Some(day) = Day::from_number(self.today.number() - back) else {
                continue;
            };
            for provider in [CARDS, WALLET] {
                // One day of the wallet never arrived.
                if provider == WALLET && back == 5 {
                    continue;
                }
                files.push(self.file(provider, day, back));
            }
        }
        files
    }

    fn file(&self, provider: &'static str, day: Day, back: i64) -> File {
        let settled = Day::from_number(day.number() + 2).unwrap_or(day);
        let batch = format!("{provider}-{settled}");
        let mut rows = Rows::new(&batch, settled);
        let of_day = self
            .orders
            .iter()
            .filter(|order| order.day == day && order.provider == provider);
        for order in of_day {
            let at = self.time(order);
            let fee = order.minor * 14 / 1000 + 25;
            let reference = format!("order-{}", order.number);
            let mut pay = |gross: i64| {
                rows.add("payment", &order.provider_id(), &reference, gross, fee, &at);
            };
            match order.fault {
                Fault::Missing | Fault::Unknown => {}
                Fault::Short => pay(order.minor - 250),
                Fault::Twice => {
                    pay(order.minor);
                    pay(order.minor);
                }
                Fault::Refunded => {
                    pay(order.minor);
                    rows.add(
                        "refund",
                        &order.provider_id(),
                        &reference,
                        -order.minor,
                        0,
                        &at,
                    );
                }
                Fault::Disputed => {
                    pay(order.minor);
                    rows.add(
                        "chargeback",
                        &order.provider_id(),
                        &reference,
                        -order.minor,
                        1500,
                        &at,
                    );
                }
                _ => pay(order.minor),
            }
        }
        if back % 4 == 3 {
            let at = format!("{day}T12:00:00Z");
            let id = format!("py_{}", mix(day.number().unsigned_abs() + 77));
            rows.add("payment", &id, "invoice 4711", 12_900, 205, &at);
        }
        // The newest file of the cards ends in a row that somebody edited by hand.
        let edited = provider == CARDS && back == 2;
        File {
            provider,
            name: format!("{batch}.csv"),
            content: rows.finish(edited),
        }
    }

    /// Ordered today, later than the demo pretends to have been made.
    fn is_ahead(&self, order: &Order) -> bool {
        order.day == self.today && order.minute > 9 * 60
    }

    fn time(&self, order: &Order) -> String {
        let start = order.day.start_in(self.zone);
        let seconds = i64::try_from(order.minute * 60 + order.number % 60).unwrap_or(0);
        start.plus_seconds(seconds).to_string()
    }
}

impl Order {
    fn provider_id(&self) -> String {
        format!("py_{:012x}", mix(self.number * 31))
    }
}

/// Rows of one file, summed as they come.
struct Rows {
    text: String,
    batch: String,
    settled: Day,
    net: i64,
    number: u64,
}

impl Rows {
    fn new(batch: &str, settled: Day) -> Self {
        Self {
            text: LINES_HEADER.to_owned(),
            batch: batch.to_owned(),
            settled,
            net: 0,
            number: 0,
        }
    }

    fn add(&mut self, kind: &str, id: &str, reference: &str, gross: i64, fee: i64, at: &str) {
        self.number += 1;
        self.net += gross - fee;
        let _ = writeln!(
            self.text,
            "{batch}-{number},{kind},{id},{reference},{gross},{fee},{net},EUR,{at},{settled}T06:00:00Z,{batch},,",
            batch = self.batch,
            number = self.number,
            gross = major(gross, 2),
            fee = major(fee, 2),
            net = major(gross - fee, 2),
            settled = self.settled,
        );
    }

    /// Ends with the payout of what has come together.
    fn finish(mut self, edited: bool) -> String {
        let at = format!("{}T06:00:00Z", self.settled);
        let payout = -self.net;
        self.add("payout", "", "", payout, 0, &at);
        if edited {
            let _ = writeln!(
                self.text,
                "{batch}-x,payment,py_hand,order-1,12;90,0.00,12.90,EUR,{at},{at},{batch},,",
                batch = self.batch
            );
        }
        self.text
    }
}

/// Faults are spread so that each kind occurs, and most orders have none.
fn fault(number: u64) -> Fault {
    match number % 67 {
        5 => Fault::UnknownButSettled,
        12 => Fault::Unknown,
        19 => Fault::SettledAfterFailure,
        26 => Fault::Short,
        33 => Fault::Twice,
        40 => Fault::Missing,
        47 => Fault::Refunded,
        54 => Fault::Disputed,
        _ => Fault::None,
    }
}

/// A number that looks drawn and is the same each time (SplitMix64's finaliser).
fn mix(number: u64) -> u64 {
    let mut x = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
