//! What the business means to happen, as a worker registers it.

use crate::{
    formats::masked,
    one_line::is_one_line,
    payment::LossPolicy,
    payments_file::{PaymentRow, RowError, checked_id, intent_amount, parse, required},
    time::Instant,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most entries of `metadata`.
const MOST_METADATA: usize = 50;
/// Longest name in `metadata`, in characters.
const LONGEST_NAME: usize = 100;
/// Longest value in `metadata`, in characters.
const LONGEST_VALUE: usize = 500;

/// An intent as sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewIntent {
    /// What the company calls it towards others.
    pub merchant_reference: String,
    /// The company's word: `charge`, `payout` and `refund` are understood.
    pub operation: String,
    /// Major units, decimal.
    pub amount: String,
    /// ISO 4217.
    pub currency: String,
    /// in or out.
    pub direction: String,
    /// Who pays or is paid, or empty.
    #[serde(default)]
    pub counterparty: String,
    /// `at_most_once` unless told otherwise.
    #[serde(default)]
    pub loss_policy: String,
    /// The company's own notes: names and texts. Card numbers in them are masked.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
}

/// Reads an intent, or names the field that will not do: what it comes to, and its metadata without
/// card numbers. `id` and `now` become its id and its time.
pub fn read_new_intent(
    new: &NewIntent,
    id: String,
    now: Instant,
) -> Result<(PaymentRow, BTreeMap<String, String>), RowError> {
    let currency = parse("currency", new.currency.trim())?;
    let loss_policy = match new.loss_policy.trim() {
        "" => LossPolicy::AtMostOnce,
        text => parse("loss_policy", text)?,
    };
    let row = PaymentRow {
        intent_id: id,
        merchant_reference: checked_id("merchant_reference", new.merchant_reference.trim())?,
        operation: required("operation", checked_id("operation", new.operation.trim())?)?,
        amount: intent_amount(new.amount.trim(), currency)?,
        direction: parse("direction", new.direction.trim())?,
        counterparty: checked_id("counterparty", new.counterparty.trim())?,
        created_at: now,
        loss_policy,
        attempt: None,
    };
    Ok((row, read_metadata(&new.metadata)?))
}

fn read_metadata(
    metadata: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, RowError> {
    let refuse = |problem: String| RowError::new("metadata", problem);
    if metadata.len() > MOST_METADATA {
        return Err(refuse(format!("has more than {MOST_METADATA} entries")));
    }
    for (name, value) in metadata {
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            return Err(refuse(format!("a name has 1 to {LONGEST_NAME} characters")));
        }
        if !is_one_line(name) {
            return Err(refuse(format!(
                "the name {name:?} holds a line end or another control character: take it out"
            )));
        }
        if value.chars().count() > LONGEST_VALUE {
            return Err(refuse(format!(
                "{name:?} is longer than {LONGEST_VALUE} characters"
            )));
        }
        if value.contains('\0') {
            return Err(refuse(format!("{name:?} holds a zero byte")));
        }
    }
    Ok(metadata
        .iter()
        .map(|(name, value)| (name.clone(), masked(value).into_owned()))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(change: impl Fn(&mut NewIntent)) -> Result<PaymentRow, RowError> {
        let mut new = NewIntent {
            merchant_reference: "order-1".into(),
            operation: "charge".into(),
            amount: "12.50".into(),
            currency: "EUR".into(),
            direction: "in".into(),
            counterparty: String::new(),
            loss_policy: String::new(),
            metadata: BTreeMap::new(),
        };
        change(&mut new);
        read_new_intent(&new, "i1".into(), Instant::from_micros(0)).map(|(row, _)| row)
    }

    #[test]
    fn an_intent_is_read_in_the_currency_s_own_minor_units() {
        let row = new(|_| ()).unwrap();
        assert_eq!(
            (row.amount.minor, row.loss_policy),
            (1250, LossPolicy::AtMostOnce)
        );
        let row = new(|n| {
            n.amount = "1.234".into();
            n.currency = "KWD".into();
        });
        assert_eq!(row.unwrap().amount.minor, 1234);
    }

    #[test]
    fn what_cannot_be_meant_names_its_field() {
        type Change = fn(&mut NewIntent);
        let wrong: [(&str, Change); 9] = [
            ("amount", |n| n.amount = "12.505".into()),
            ("amount", |n| n.amount = "0".into()),
            ("amount", |n| n.amount = "-1".into()),
            ("amount", |n| n.amount = "99999999999999999".into()),
            ("currency", |n| n.currency = "EURO".into()),
            ("direction", |n| n.direction = "sideways".into()),
            ("operation", |n| n.operation = " ".into()),
            ("loss_policy", |n| n.loss_policy = "never".into()),
            ("metadata", |n| {
                n.metadata.insert(String::new(), String::new());
            }),
        ];
        for (field, change) in wrong {
            assert_eq!(new(change).unwrap_err().column, field);
        }
    }

    #[test]
    fn what_names_something_holds_no_control_character_as_in_a_payments_file() {
        type Change = fn(&mut NewIntent, &str);
        let fields: [(&str, Change); 4] = [
            ("merchant_reference", |n, text| {
                n.merchant_reference = text.into();
            }),
            ("operation", |n, text| n.operation = text.into()),
            ("counterparty", |n, text| n.counterparty = text.into()),
            ("metadata", |n, text| {
                n.metadata.insert(text.into(), String::new());
            }),
        ];
        for (field, change) in fields {
            for control in ["\0", "\n", "\r\n", "\t", "\u{1b}", "\u{7f}", "\u{9b}"] {
                let bad = format!("x{control}y");
                let error = new(|n| change(n, &bad)).unwrap_err();
                assert_eq!(error.column, field);
                assert!(error.problem.contains("control character"), "{error}");
            }
        }
    }

    #[test]
    fn metadata_keeps_no_card_number() {
        let mut given = BTreeMap::new();
        given.insert("note".to_owned(), "paid by 4242 4242 4242 4242".to_owned());
        let kept = read_metadata(&given).unwrap();
        assert_eq!(
            kept.get("note").map(String::as_str),
            Some("paid by 4242 42** **** 4242")
        );
    }
}
