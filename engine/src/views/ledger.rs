//! The ledger: trial balance, one account, entries.

use super::{line_row::day, nav::count, place};
use crate::{
    Engine, Error,
    open_items::{self, ItemSums, LISTED},
    storage::{
        StorageError,
        books::{self, Balance, Entry, FileByHash, PAGE, PostingOfEntry, Wanted},
        providers::{self, Provider},
        stored::{self, corrupt},
        tx::Connected,
    },
};
use domain::{
    actor::{Actor, Permission},
    money::Currency,
    posting::LedgerAccount,
    time::{Day, Instant},
    view::{
        Amount, FieldProblem,
        ledger::{
            AccountDay, AccountFilter, AccountPage, BalanceFilter, DebitCredit, EntriesPage,
            EntryFilter, EntryRow, LedgerPage, Movement, OpenItem, OpenItems, PostingView,
            TrialBlock, TrialRow,
        },
        routes,
    },
};
use std::collections::{BTreeMap, BTreeSet};

/// The trial balance as of the end of a day, or now. Open items are those of now, so they stand
/// beside the balances of now only.
pub async fn trial_balance(
    engine: &Engine,
    actor: &Actor,
    filter: &BalanceFilter,
) -> Result<LedgerPage, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let accounts = providers::list(&mut reader).await?;
    let mut problems = Vec::new();
    let as_of = read_day("as_of", &filter.as_of, &mut problems);
    let account = key_of(&accounts, &filter.provider);
    let balances = books::balances(&mut reader, account, as_of.unwrap_or(i64::MAX)).await?;
    let items = match as_of {
        Some(_) => None,
        None => {
            let keys = accounts.iter().map(|a| a.id);
            let wanted = keys.filter(|id| account == 0 || *id == account);
            Some(open_items::sums(&mut reader, wanted).await?)
        }
    };
    Ok(LedgerPage {
        filter: filter.clone(),
        problems,
        providers: names(&accounts),
        blocks: blocks(&balances, &accounts, items.as_ref())?,
        loading_files: count(books::loading_files(&mut reader).await?),
    })
}

/// One ledger account of one provider account in one currency.
pub async fn ledger_account(
    engine: &Engine,
    actor: &Actor,
    ledger_account: &str,
    filter: &AccountFilter,
) -> Result<AccountPage, Error> {
    actor.require(Permission::Read)?;
    let account: LedgerAccount = ledger_account
        .parse()
        .map_err(|_| Error::not_found("ledger account", ledger_account))?;
    let currency: Currency = filter
        .currency
        .parse()
        .map_err(|_| Error::not_found("currency", &filter.currency))?;
    let mut reader = engine.store.read().await?;
    let accounts = providers::list(&mut reader).await?;
    let provider = accounts.iter().find(|a| a.name == filter.provider);
    let provider =
        provider.ok_or_else(|| Error::not_found("provider account", &filter.provider))?;
    let mut problems = Vec::new();
    let as_of = read_day("as_of", &filter.as_of, &mut problems);
    let until = as_of.unwrap_or(i64::MAX);
    let balances = books::balances(&mut reader, provider.id, until).await?;
    let items = match as_of {
        Some(_) => None,
        None => Some(open_items::sums(&mut reader, std::iter::once(provider.id)).await?),
    };
    let found = balances
        .iter()
        .find(|b| b.ledger_account == account.code() && b.currency == filter.currency);
    let none = Balance {
        account_id: provider.id,
        ledger_account: account.code().to_owned(),
        currency: filter.currency.clone(),
        debit: 0,
        credit: 0,
    };
    let row = trial_row(found.unwrap_or(&none), currency, items.as_ref());
    let mut left: i128 = row.balance.minor;
    let mut days = Vec::new();
    for moved in books::days(
        &mut reader,
        provider.id,
        account.code(),
        &filter.currency,
        until,
    )
    .await?
    {
        days.push(AccountDay {
            day: day(
                "balance_now",
                "accounting_day",
                provider.id,
                moved.accounting_day,
            )?,
            debit: Amount::new(moved.debit, currency),
            credit: Amount::new(moved.credit, currency),
            balance: Amount::new(left, currency),
        });
        left -= i128::from(moved.debit) - i128::from(moved.credit);
    }
    let wanted = Wanted {
        account: provider.id,
        ledger_account: account.code(),
        currency: &filter.currency,
        from: i64::MIN,
        to: until,
    };
    let [before] = place::read::<1>(&filter.after)?.unwrap_or([i64::MAX]);
    let (rows, next) = page(&mut reader, &wanted, before).await?;
    let movements = rows.iter().flat_map(|entry| {
        entry
            .postings
            .iter()
            .filter(|p| p.ledger_account == account.code() && p.amount.currency == currency)
            .map(|posting| Movement {
                entry_no: entry.no,
                accounting_day: entry.accounting_day,
                cause: entry.cause.clone(),
                amount: posting.amount,
            })
    });
    let movements = movements.collect();
    let open_items = match (as_of, LISTED.contains(&account)) {
        (None, true) => {
            let items =
                open_items::of_account(&mut reader, provider.id, account, &filter.currency).await?;
            items
                .into_iter()
                .map(|open| {
                    let item = open.item;
                    let line_no = count(item.line_no);
                    let what = if open.is_difference {
                        "what the net is off by".to_owned()
                    } else {
                        item.kind.replace('_', " ")
                    };
                    Ok(OpenItem {
                        label: format!("{what} on line {line_no} of {}", item.file_name),
                        day: day("line", "accounting_day", item.id, item.accounting_day)?,
                        amount: Amount::new(item.amount, currency),
                        href: routes::line(&item.file_id, line_no),
                    })
                })
                .collect::<Result<_, StorageError>>()?
        }
        _ => Vec::new(),
    };
    Ok(AccountPage {
        ledger_account: account.code().to_owned(),
        filter: filter.clone(),
        row,
        days,
        movements,
        next,
        open_items,
    })
}

/// A page of entries, newest first, and sums over the whole filter.
pub async fn entries(
    engine: &Engine,
    actor: &Actor,
    filter: &EntryFilter,
) -> Result<EntriesPage, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let accounts = providers::list(&mut reader).await?;
    let mut problems = Vec::new();
    let wanted = Wanted {
        account: key_of(&accounts, &filter.provider),
        ledger_account: filter.ledger_account.trim(),
        currency: filter.currency.trim(),
        from: read_day("from", &filter.from, &mut problems).unwrap_or(i64::MIN),
        to: read_day("to", &filter.to, &mut problems).unwrap_or(i64::MAX),
    };
    let [before] = place::read::<1>(&filter.after)?.unwrap_or([i64::MAX]);
    let (rows, next) = page(&mut reader, &wanted, before).await?;
    let totals = books::moved(&mut reader, &wanted).await?;
    let whole = filter.pairs().is_empty();
    let total = if whole {
        count(books::last_entry(&mut reader).await?)
    } else {
        rows.len() as u64
    };
    Ok(EntriesPage {
        filter: filter.clone(),
        problems,
        providers: names(&accounts),
        rows,
        total,
        totals: totals
            .into_iter()
            .map(|moved| {
                let currency = stored::parse("balance_now", "currency", "sum", &moved.currency)?;
                Ok(DebitCredit {
                    debit: Amount::new(moved.debit, currency),
                    credit: Amount::new(moved.credit, currency),
                })
            })
            .collect::<Result<_, StorageError>>()?,
        next,
    })
}

async fn page(
    mut tx: impl Connected,
    wanted: &Wanted<'_>,
    before: i64,
) -> Result<(Vec<EntryRow>, Option<String>), Error> {
    let mut found = books::entries(&mut tx, wanted, before).await?;
    let next = if found.len() > PAGE {
        found.truncate(PAGE);
        found.last().map(|e| e.id)
    } else {
        // The filter fitted few of those looked at: the next page goes on from there.
        books::last_looked_at(&mut tx, wanted.account, before)
            .await?
            .filter(|id| *id > 1)
    };
    let next = match next {
        Some(id)
            if found.len() == PAGE
                || books::last_looked_at(&mut tx, wanted.account, id)
                    .await?
                    .is_some() =>
        {
            Some(place::write(&[id]))
        }
        _ => None,
    };
    Ok((shown(&mut tx, found).await?, next))
}

/// Entries as rows, with their postings and causes in words.
pub(super) async fn shown(
    mut tx: impl Connected,
    entries: Vec<Entry>,
) -> Result<Vec<EntryRow>, Error> {
    let mut postings: BTreeMap<i64, Vec<PostingView>> = BTreeMap::new();
    for posting in books::postings(&mut tx, entries.iter().map(|e| e.id)).await? {
        postings
            .entry(posting.entry_id)
            .or_default()
            .push(posting_view(&posting)?);
    }
    let hashes: BTreeSet<(i64, [u8; 8])> = entries
        .iter()
        .filter_map(|e| Some((e.account_id, Cause::read(&e.cause_kind, &e.cause).file()?)))
        .collect();
    let files = books::files_by_hash(&mut tx, hashes.into_iter()).await?;
    let rows = entries.into_iter().map(|entry| {
        let cause = Cause::read(&entry.cause_kind, &entry.cause);
        Ok(EntryRow {
            no: entry.id,
            accounting_day: day(
                "ledger_entry",
                "accounting_day",
                entry.id,
                entry.accounting_day,
            )?,
            posted_at: Instant::from_micros(entry.posted_at),
            cause: cause.words(&entry.cause_kind, file_of(&cause, entry.account_id, &files)),
            postings: postings.remove(&entry.id).unwrap_or_default(),
            provider: entry.provider,
            cause_kind: entry.cause_kind,
        })
    });
    rows.collect()
}

pub(super) fn file_of<'a>(
    cause: &Cause,
    account: i64,
    files: &'a [FileByHash],
) -> Option<&'a FileByHash> {
    let start = cause.file()?;
    files
        .iter()
        .find(|f| f.account_id == account && f.sha256.starts_with(&start))
}

pub(super) fn posting_view(posting: &PostingOfEntry) -> Result<PostingView, StorageError> {
    let currency = stored::parse("posting", "currency", posting.entry_id, &posting.currency)?;
    Ok(PostingView {
        ledger_account: posting.ledger_account.clone(),
        amount: Amount::new(posting.amount, currency),
    })
}

/// What an entry names as its cause, by natural ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cause {
    /// Lines of a file, from one physical line to another.
    Lines {
        file: [u8; 8],
        first: i64,
        last: i64,
    },
    /// Anything else.
    Other(String),
}

impl Cause {
    /// Reads `<16 hex digits>:<first>-<last>` of lines that are posted or taken back, `<16 hex digits>:<line>:<verdict>` of a move.
    pub(super) fn read(kind: &str, text: &str) -> Self {
        let other = || Self::Other(text.to_owned());
        let Some((hash, rest)) = text
            .split_once(':')
            .filter(|_| matches!(kind, "lines" | "move" | "taken_back"))
        else {
            return other();
        };
        let mut file = [0; 8];
        if hex::decode_to_slice(hash, &mut file).is_err() {
            return other();
        }
        let (first, last) = if kind == "move" {
            let line = rest.split(':').next().unwrap_or_default();
            (line, line)
        } else {
            rest.split_once('-').unwrap_or((rest, rest))
        };
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) => Self::Lines { file, first, last },
            _ => other(),
        }
    }

    pub(super) const fn file(&self) -> Option<[u8; 8]> {
        match self {
            Self::Lines { file, .. } => Some(*file),
            Self::Other(_) => None,
        }
    }

    fn words(&self, kind: &str, file: Option<&FileByHash>) -> String {
        let named = file.map_or("a file", |f| f.name.as_str());
        let thousands = |n: i64| domain::view::amount::count(count(n));
        let after = match kind {
            "move" => " judged anew",
            "taken_back" => " taken back",
            _ => "",
        };
        match self {
            Self::Lines { first, last, .. } if first == last => {
                format!("line {} of {named}{after}", thousands(*first))
            }
            Self::Lines { first, last, .. } => {
                format!(
                    "rows among lines {}\u{2013}{} of {named}{after}",
                    thousands(*first),
                    thousands(*last)
                )
            }
            Self::Other(cause) => super::intent::cause(kind, cause),
        }
    }
}

fn blocks(
    balances: &[Balance],
    accounts: &[Provider],
    items: Option<&ItemSums>,
) -> Result<Vec<TrialBlock>, StorageError> {
    let mut by_block: BTreeMap<(&str, Currency), Vec<&Balance>> = BTreeMap::new();
    for balance in balances {
        let currency = stored::parse(
            "balance_now",
            "currency",
            balance.account_id,
            &balance.currency,
        )?;
        let account = accounts.iter().find(|a| a.id == balance.account_id);
        let name = account.ok_or_else(|| {
            corrupt(
                "balance_now",
                "account_id",
                balance.account_id,
                &"there is no such provider account",
            )
        })?;
        by_block
            .entry((name.name.as_str(), currency))
            .or_default()
            .push(balance);
    }
    let blocks = by_block
        .into_iter()
        .map(|((provider, currency), mut balances)| {
            balances.sort_by_key(|b| place_of(&b.ledger_account));
            let sum = |of: fn(&Balance) -> i64| {
                let total: i128 = balances.iter().map(|b| i128::from(of(b))).sum();
                Amount::new(total, currency)
            };
            TrialBlock {
                provider: provider.to_owned(),
                debit: sum(|b| b.debit),
                credit: sum(|b| b.credit),
                rows: balances
                    .iter()
                    .map(|b| trial_row(b, currency, items))
                    .collect(),
            }
        });
    Ok(blocks.collect())
}

/// The order of accounts is that of their declaration.
fn place_of(ledger_account: &str) -> usize {
    let accounts = LedgerAccount::ALL;
    accounts
        .iter()
        .position(|a| a.code() == ledger_account)
        .unwrap_or(accounts.len())
}

fn trial_row(balance: &Balance, currency: Currency, items: Option<&ItemSums>) -> TrialRow {
    let amount = |minor: i128| Amount::new(minor, currency);
    let left = i128::from(balance.debit) - i128::from(balance.credit);
    let listed = LISTED.iter().any(|a| a.code() == balance.ledger_account);
    let open_items = items.filter(|_| listed).map(|items| {
        let key = (
            balance.account_id,
            balance.ledger_account.clone(),
            balance.currency.clone(),
        );
        let sum = items.get(&key).copied().unwrap_or_default();
        OpenItems {
            count: count(sum.count),
            sum: amount(sum.amount),
            ties: sum.amount == left,
        }
    });
    TrialRow {
        ledger_account: balance.ledger_account.clone(),
        debit: amount(i128::from(balance.debit)),
        credit: amount(i128::from(balance.credit)),
        balance: amount(left),
        open_items,
    }
}

fn names(accounts: &[Provider]) -> Vec<String> {
    accounts.iter().map(|a| a.name.clone()).collect()
}

/// The key of a provider account by name: 0 for any, -1 for one that does not exist.
fn key_of(accounts: &[Provider], name: &str) -> i64 {
    match name.trim() {
        "" => 0,
        name => accounts
            .iter()
            .find(|a| a.name == name)
            .map_or(-1, |a| a.id),
    }
}

fn read_day(field: &'static str, text: &str, problems: &mut Vec<FieldProblem>) -> Option<i64> {
    match text.trim() {
        "" => None,
        text => match Day::parse(text) {
            Ok(day) => Some(day.number()),
            Err(error) => {
                problems.push(FieldProblem::new(field, error.to_string()));
                None
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_names_the_lines_that_it_posted() {
        let file = [0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67, 0x89];
        for (kind, text, expected) in [
            (
                "lines",
                "abcdef0123456789:2-1001",
                Cause::Lines {
                    file,
                    first: 2,
                    last: 1001,
                },
            ),
            (
                "move",
                "abcdef0123456789:7:3",
                Cause::Lines {
                    file,
                    first: 7,
                    last: 7,
                },
            ),
            (
                "decision",
                "abcdef0123456789:7",
                Cause::Other("abcdef0123456789:7".to_owned()),
            ),
            ("lines", "elsewhere", Cause::Other("elsewhere".to_owned())),
        ] {
            assert_eq!(Cause::read(kind, text), expected);
        }
    }
}
