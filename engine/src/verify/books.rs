//! Entries balance; balances are the sums of postings; the lines explain what stands on accounts.

use crate::{
    Error,
    open_items::{self, LISTED},
    storage::{
        Reader, StorageError, books, stored,
        verify::{self, LineSum},
    },
};
use domain::{
    money::{Currency, Money, major},
    posting::{Disposition, Figures, LedgerAccount, Posting, line_postings},
    time::Day,
    view::amount::counted,
};
use std::collections::BTreeMap;

type Key = (i64, String, String);

/// The first entry whose postings do not sum to zero in a currency.
pub async fn entries_balance(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = verify::unbalanced_entry(reader).await?;
    Ok(found.map(|(entry, currency, residual)| {
        format!(
            "ledger entry {entry} leaves {} in {currency}",
            shown(residual, &currency)
        )
    }))
}

/// The first balance that is not the sum of its postings.
pub async fn balances_are_sums(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = verify::wrong_balance(reader).await?;
    Ok(found.map(|b| {
        let day = Day::from_number(b.accounting_day).map_or_else(String::new, |d| d.to_string());
        let amount = |minor| shown(minor, &b.currency);
        format!(
            "{} of {} in {} on {day}: stored debit {} and credit {}, its postings give {} and {}",
            b.ledger_account,
            b.provider,
            b.currency,
            amount(b.debit_now),
            amount(b.credit_now),
            amount(b.debit),
            amount(b.credit)
        )
    }))
}

/// The first provider account and currency whose trial balance is not zero.
pub async fn trial_balance_is_zero(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = verify::wrong_trial_balance(reader).await?;
    Ok(found.map(|(provider, currency, residual)| {
        format!(
            "the accounts of {provider} in {currency} leave {}",
            shown(residual, &currency)
        )
    }))
}

/// The first verdict that names an entry which is not there.
pub async fn verdicts_are_posted(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = verify::unposted_line(reader).await?;
    Ok(found.map(|(file, line, seq)| {
        format!(
            "verdict {}:{line}:{seq} names a ledger entry that does not exist",
            super::current::short(&file)
        )
    }))
}

/// The first entry over lines that is not over as many as it says.
pub async fn entries_count_lines(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = verify::miscounted_entry(reader).await?;
    Ok(found.map(|entry| {
        format!("ledger entry {entry} is not named by as many verdicts as it has lines")
    }))
}

/// The first account on which the posted lines do not explain what stands there. For suspense,
/// reserve, in transit and carried forward they explain the whole balance: those are the open
/// items. For the other accounts they explain everything that lines caused.
pub async fn lines_explain_the_ledger(reader: &mut Reader) -> Result<Option<String>, Error> {
    let mut by_lines = sums_of_lines(reader).await?;
    for ledger in verify::ledger_sums(&mut *reader).await? {
        let key = (ledger.account_id, ledger.ledger_account, ledger.currency);
        let lines = by_lines.remove(&key).unwrap_or(0);
        let open_items = LISTED.iter().any(|a| a.code() == key.1);
        let posted = if open_items {
            ledger.balance
        } else {
            ledger.from_lines
        };
        if lines != i128::from(posted) {
            return difference(reader, &key, lines, posted).await.map(Some);
        }
    }
    for (key, lines) in by_lines {
        if lines != 0 {
            return difference(reader, &key, lines, 0).await.map(Some);
        }
    }
    Ok(None)
}

/// The first of suspense, reserve, in transit and carried forward whose balance is not the sum of the
/// open items that its page lists.
pub async fn open_items_are_the_balance(reader: &mut Reader) -> Result<Option<String>, Error> {
    let names = crate::storage::ledger::provider_names(&mut *reader).await?;
    let mut items = open_items::sums(&mut *reader, names.keys().copied()).await?;
    let mut balances: BTreeMap<Key, i128> = BTreeMap::new();
    for b in books::balances(&mut *reader, 0, i64::MAX).await? {
        if LISTED.iter().any(|a| a.code() == b.ledger_account) {
            let balance = i128::from(b.debit) - i128::from(b.credit);
            balances.insert((b.account_id, b.ledger_account, b.currency), balance);
        }
    }
    for key in items.keys() {
        balances.entry(key.clone()).or_default();
    }
    for (key, balance) in balances {
        let listed = items.remove(&key).unwrap_or_default();
        if listed.amount != balance {
            let (account, ledger_account, currency) = key;
            return Ok(Some(format!(
                "{ledger_account} of {} in {currency} stands at {}, its {} come to {}",
                names.get(&account).map_or("", String::as_str),
                shown(balance, &currency),
                counted(listed.count.unsigned_abs(), "open item", "open items"),
                shown(listed.amount, &currency),
            )));
        }
    }
    Ok(None)
}

async fn difference(
    reader: &mut Reader,
    (account, ledger_account, currency): &Key,
    lines: i128,
    posted: i64,
) -> Result<String, Error> {
    let names = crate::storage::ledger::provider_names(&mut *reader).await?;
    let provider = names.get(account).map_or("", String::as_str);
    Ok(format!(
        "{ledger_account} of {provider} in {currency}: {} is posted, its lines come to {}",
        shown(posted, currency),
        shown(lines, currency)
    ))
}

/// What all posted lines come to, by account.
async fn sums_of_lines(reader: &mut Reader) -> Result<BTreeMap<Key, i128>, Error> {
    let mut sums: BTreeMap<Key, i128> = BTreeMap::new();
    let mut add = |account: i64, posting: &Posting| {
        let key = (
            account,
            posting.account.code().to_owned(),
            posting.currency.to_string(),
        );
        *sums.entry(key).or_default() += i128::from(posting.amount);
    };
    for sum in verify::line_sums(&mut *reader).await? {
        // Postings are linear in the figures, so the postings of the sums are the sums of postings.
        let postings = line_postings(&figures(&sum)?, &Disposition::default())
            .map_err(|e| Error::Conflict(e.to_string()))?;
        for posting in &postings {
            add(sum.account_id, posting);
        }
        if let Some(contra) = contra(&sum)? {
            add(sum.account_id, &contra);
        }
    }
    let mut after = i64::MIN;
    loop {
        let lines = verify::split_lines(&mut *reader, after).await?;
        let Some(last) = lines.last() else { break };
        after = last.0;
        for (line, account, detail) in lines {
            let detail: Parts = stored::json("verdict", "detail", line, &detail)?;
            for part in &detail.parts {
                add(account, part);
            }
        }
    }
    Ok(sums)
}

/// What of a verdict's detail concerns the ledger.
#[derive(serde::Deserialize)]
struct Parts {
    parts: Vec<Posting>,
}

fn figures(sum: &LineSum) -> Result<Figures, StorageError> {
    let currency = |column, text: &str| -> Result<Currency, StorageError> {
        stored::parse("line", column, "(sum)", text)
    };
    Ok(Figures {
        kind: stored::parse("line", "kind", "(sum)", &sum.kind)?,
        gross: sum.gross,
        fee: sum.fee,
        net: sum.net,
        currency: currency("currency", &sum.currency)?,
        presented: Money::new(
            sum.presented_amount,
            currency("presented_currency", &sum.presented_currency)?,
        ),
    })
}

fn contra(sum: &LineSum) -> Result<Option<Posting>, StorageError> {
    if sum.contra.is_empty() || sum.contra == "split" {
        return Ok(None);
    }
    let account: LedgerAccount = stored::parse("line_now", "contra", "(sum)", &sum.contra)?;
    let currency: Currency =
        stored::parse("line_now", "contra_currency", "(sum)", &sum.contra_currency)?;
    Ok(Some(Posting::new(
        account,
        Money::new(sum.contra_amount, currency),
    )))
}

fn shown(minor: impl Into<i128>, currency: &str) -> String {
    let exponent = currency.parse::<Currency>().map_or(0, Currency::exponent);
    major(minor, exponent)
}
