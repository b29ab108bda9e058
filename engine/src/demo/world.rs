//! What happened at the shop and at its providers, before any file tells of it.

use super::dice::Dice;
use domain::{
    line::RowKind,
    money::{Currency, Money, major},
    time::{Day, Instant, Zone},
};
use std::collections::BTreeMap;

const LETTERS: &[char] = &[
    'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'j', 'k', 'm', 'n', 'p', 'q', 'r', 's', 't', 'u', 'v',
    'w', 'x', 'y', 'z', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K', 'L', 'M', 'N', 'P', 'Q',
    'R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z', '2', '3', '4', '5', '6', '7', '8', '9',
];
const DIGITS: &[char] = &['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];

/// One of the three provider accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Account {
    Stripe,
    Adyen,
    Shop,
}

impl Account {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Stripe => "stripe-eu",
            Self::Adyen => "adyen-nl",
            Self::Shop => "shop",
        }
    }

    /// In what it settles.
    pub(super) const fn currency(self) -> &'static str {
        match self {
            Self::Stripe | Self::Adyen => "EUR",
            Self::Shop => "GBP",
        }
    }

    /// What it takes of a payment: a share in thousandths, and a fixed part.
    const fn fee(self, amount: i64) -> i64 {
        let (thousandths, fixed) = match self {
            Self::Stripe => (15, 25),
            Self::Adyen => (9, 12),
            Self::Shop => (20, 0),
        };
        amount * thousandths / 1000 + fixed
    }
}

/// A payment or refund of the company, with the id that the provider gave it.
#[derive(Debug, Clone)]
pub(super) struct Sale {
    pub(super) intent: String,
    pub(super) reference: String,
    pub(super) account: Account,
    pub(super) day: i64,
    pub(super) amount: i64,
    pub(super) currency: &'static str,
    pub(super) customer: String,
    pub(super) at: Instant,
    pub(super) provider_id: String,
}

/// A money row of a provider, before it is written in the provider's way.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) account: Account,
    pub(super) day: i64,
    pub(super) at: Instant,
    pub(super) kind: RowKind,
    pub(super) payment_id: String,
    pub(super) modification_id: String,
    pub(super) reference: String,
    pub(super) customer: String,
    pub(super) description: &'static str,
    pub(super) gross: i64,
    pub(super) fee: i64,
    /// What the payer saw, where it is in another currency.
    pub(super) presented: Option<(i64, &'static str)>,
}

impl Row {
    pub(super) const fn net(&self) -> i64 {
        self.gross - self.fee
    }
}

/// Everything that happened. Days are counted from today: -1 is yesterday.
#[derive(Debug)]
pub(super) struct World {
    pub(super) now: Instant,
    pub(super) dice: Dice,
    pub(super) rows: Vec<Row>,
    payments: BTreeMap<i64, Vec<String>>,
    sales: u32,
}

const PAYMENTS_HEADER: &str = "intent_id,merchant_reference,operation,amount,currency,direction,\
counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,\
provider_payment_id,started_at,finished_at,outcome,error_code";

impl World {
    pub(super) const fn new(now: Instant) -> Self {
        Self {
            now,
            dice: Dice::new(0x7469_656f_7574),
            rows: Vec::new(),
            payments: BTreeMap::new(),
            sales: 0,
        }
    }

    /// A date, as providers write it.
    pub(super) fn date(&self, day: i64) -> Day {
        let today = self.now.day_in(Zone::UTC);
        Day::from_number(today.number() + day).unwrap_or(today)
    }

    /// An instant on a day, in seconds after midnight UTC.
    pub(super) fn time(&self, day: i64, seconds: i64) -> Instant {
        self.date(day).start_in(Zone::UTC).plus_seconds(seconds)
    }

    /// A sale in the shop's opening hours, not told to anybody yet.
    pub(super) fn sale(&mut self, account: Account, day: i64, amount: i64) -> Sale {
        let seconds = 7 * 3600 + i64::from(self.dice.roll(11 * 3600));
        let at = self.time(day, seconds);
        self.sale_at(account, day, at, amount)
    }

    pub(super) fn sale_at(&mut self, account: Account, day: i64, at: Instant, amount: i64) -> Sale {
        self.sales += 1;
        let number = 48_000 + self.sales;
        let provider_id = self.provider_id(account, "pi_");
        Sale {
            intent: format!("pay-{number}"),
            reference: format!("ORD-{number}"),
            account,
            day,
            amount,
            currency: account.currency(),
            customer: self.dice.id("cus_", LETTERS, 10),
            at,
            provider_id,
        }
    }

    pub(super) fn provider_id(&mut self, account: Account, prefix: &str) -> String {
        match account {
            Account::Stripe => self.dice.id(prefix, LETTERS, 16),
            Account::Adyen => self.dice.id("88", DIGITS, 14),
            Account::Shop => self.dice.id("sp-", DIGITS, 8),
        }
    }

    /// The company registers a sale with one attempt.
    pub(super) fn register(&mut self, sale: &Sale, outcome: &str) {
        let error = if outcome == "rejected" {
            "card_declined"
        } else {
            ""
        };
        let id = sale.provider_id.clone();
        self.attempt(sale, 1, &id, outcome, error);
    }

    /// An attempt whose call ended without an answer: no id was learned.
    pub(super) fn register_unanswered(&mut self, sale: &Sale) {
        self.attempt(sale, 1, "", "unknown", "timeout");
    }

    pub(super) fn attempt(
        &mut self,
        sale: &Sale,
        number: i64,
        provider_id: &str,
        outcome: &str,
        error: &str,
    ) {
        let started = sale.at.plus_seconds(number * 40 - 38);
        let finished = if outcome == "in_flight" {
            String::new()
        } else {
            started.plus_seconds(1).to_string()
        };
        let refund = sale.intent.starts_with("ref-");
        let key = if number == 1 {
            sale.intent.clone()
        } else {
            format!("{}:{number}", sale.intent)
        };
        let row = format!(
            "{},{},{},{},{},{},{},{},,{}-{number},{number},{},{key},{provider_id},{started},{finished},{outcome},{error}",
            sale.intent,
            sale.reference,
            if refund { "refund" } else { "charge" },
            amount(sale.amount, sale.currency),
            sale.currency,
            if refund { "out" } else { "in" },
            sale.customer,
            sale.at,
            sale.intent,
            sale.account.name(),
        );
        self.payments.entry(sale.day).or_default().push(row);
    }

    /// The row by which a sale settles, not in any file yet.
    pub(super) fn line(sale: &Sale) -> Row {
        Row {
            account: sale.account,
            day: sale.day,
            at: sale.at.plus_seconds(3),
            kind: RowKind::Payment,
            payment_id: sale.provider_id.clone(),
            modification_id: String::new(),
            reference: sale.reference.clone(),
            customer: sale.customer.clone(),
            description: "",
            gross: sale.amount,
            fee: sale.account.fee(sale.amount),
            presented: None,
        }
    }

    /// A sale that is registered as a success and settles as it should.
    pub(super) fn settled_sale(&mut self, account: Account, day: i64, amount: i64) -> Sale {
        let sale = self.sale(account, day, amount);
        self.register(&sale, "succeeded");
        self.settle(&sale);
        sale
    }

    pub(super) fn settle(&mut self, sale: &Sale) {
        let line = Self::line(sale);
        self.rows.push(line);
    }

    /// A row that follows a sale on a later day, not in any file yet: `amount` with its sign.
    pub(super) fn follow(&mut self, sale: &Sale, day: i64, kind: RowKind, amount: i64) -> Row {
        let modification_id = match kind {
            RowKind::Refund => self.provider_id(sale.account, "re_"),
            RowKind::Chargeback => self.provider_id(sale.account, "du_"),
            _ => String::new(),
        };
        let fee = if kind == RowKind::Chargeback {
            15_00
        } else {
            0
        };
        Row {
            day,
            at: self.time(day, 15 * 3600),
            kind,
            modification_id,
            gross: amount,
            fee,
            ..Self::line(sale)
        }
    }

    /// A row that no sale explains, not in any file yet.
    pub(super) fn lone(&mut self, account: Account, day: i64, kind: RowKind, gross: i64) -> Row {
        let sale = self.sale(account, day, gross);
        let mut row = Self::line(&sale);
        row.kind = kind;
        row.reference.clear();
        if kind != RowKind::Payment {
            row.payment_id.clear();
            row.customer.clear();
            row.fee = 0;
        }
        row
    }

    /// A refund that the company asks for on a later day and that is carried out.
    pub(super) fn refund(&mut self, sale: &Sale, day: i64, amount: i64) {
        let mut refund = self.sale(sale.account, day, amount);
        refund.intent = refund.intent.replace("pay-", "ref-");
        refund.reference = format!("{}-R", sale.reference);
        refund.currency = sale.currency;
        refund.customer.clone_from(&sale.customer);
        refund.provider_id = self.provider_id(sale.account, "re_");
        self.register(&refund, "succeeded");
        let row = Row {
            modification_id: refund.provider_id,
            at: refund.at.plus_seconds(3),
            ..self.follow(sale, day, RowKind::Refund, -amount)
        };
        self.rows.push(row);
    }

    /// The company's payments of a day as CSV.
    pub(super) fn payments_csv(&self, day: i64) -> String {
        let mut text = format!("{PAYMENTS_HEADER}\n");
        for row in self.payments.get(&day).into_iter().flatten() {
            text.push_str(row);
            text.push('\n');
        }
        text
    }
}

/// Minor units as a provider's file writes them.
pub(super) fn amount(minor: i64, currency: &str) -> String {
    currency
        .parse::<Currency>()
        .map_or_else(|_| major(minor, 2), |c| Money::new(minor, c).major())
}
