//! How things stand, at a glance.

use super::{
    case_heads::case_heads,
    files::verdicts,
    line_row::day,
    nav::{approver, count},
    never_settled::never_settled,
    second_acceptance::files_to_accept,
};
use crate::{
    Engine, Error,
    ingest::has_ended,
    storage::{
        StorageError, books, filelist, intents,
        overview::{self, CasesOfKind, FileOfDays, LOOKED_AT},
        providers::{self, Provider},
        queue, stored,
        tx::Connected,
    },
    sweep::covered_days,
};
use domain::{
    account::CoverageRule,
    actor::{Actor, Permission},
    cases::due::{file_due, settlement_due},
    matching::RulingSubject,
    posting::LedgerAccount,
    time::{Day, Instant},
    view::{
        Amount,
        files::FileState,
        overview::{
            AccountCoverage, CoverageDay, CoverageState, KindAge, Loaded, MatchDay, OnItsWay,
            Overview, ProviderHealth, RiskTotal, ToApprove, UnknownAttempts,
        },
    },
};
use std::collections::{BTreeMap, BTreeSet};

/// Days that the match rate shows.
const MATCH_DAYS: i64 = 30;
/// Days that a calendar shows.
const CALENDAR_DAYS: i64 = 35;

/// The overview, for the person who looks.
pub async fn overview(engine: &Engine, actor: &Actor) -> Result<Overview, Error> {
    actor.require(Permission::Read)?;
    let now = engine.now();
    let mut reader = engine.store.read().await?;
    let accounts = providers::list(&mut reader).await?;
    let cases = overview::cases(&mut reader, now).await?;
    let (to_approve, decisions) = to_approve(&mut reader, actor).await?;
    let files_to_accept = files_to_accept(&mut reader, actor).await?;
    let mut coverage = Vec::new();
    let mut health = Vec::new();
    let mut files = Vec::new();
    let shared = Shared::read(&mut reader).await?;
    for account in &accounts {
        let today = now.day_in(account.zone);
        let its_files = overview::files_of_days(
            &mut reader,
            account.id,
            today.number() - CALENDAR_DAYS,
            today.number(),
        )
        .await?;
        let covered = covered_days(&mut reader, account.id).await?;
        if account.policy.coverage == CoverageRule::Daily {
            coverage.push(calendar(account, today, &its_files, &covered, now)?);
        }
        health.push(provider(&mut reader, account, &covered, &shared, now).await?);
        files.extend(its_files);
    }
    Ok(Overview {
        loaded: Loaded {
            provider_accounts: accounts.len() as u64,
            intents: count(intents::last(&mut reader).await?),
            files: count(filelist::count(&mut reader, 0, "").await?),
            used_files: count(filelist::count(&mut reader, 0, FileState::Used.code()).await?),
        },
        at_risk: at_risk(&cases)?,
        by_kind: by_kind(&cases)?,
        set_aside: count(queue::counts(&mut reader, 0, now).await?.waiting),
        match_rate: match_rate(&mut reader, &files, now).await?,
        unknown: unknown(&mut reader).await?,
        never_settled: never_settled(&mut reader, &accounts, now).await?.figures,
        coverage,
        to_approve,
        to_approve_total: decisions + files_to_accept.len() as u64,
        files_to_accept,
        on_its_way: on_its_way(&mut reader, &accounts).await?,
        providers: health,
    })
}

fn at_risk(cases: &[CasesOfKind]) -> Result<Vec<RiskTotal>, StorageError> {
    let mut totals: Vec<RiskTotal> = Vec::new();
    for of in cases.iter().filter(|c| !c.currency.is_empty()) {
        let amount = Amount::new(
            of.at_risk(),
            stored::parse("case_now", "currency", "sum", &of.currency)?,
        );
        let number = number(of);
        let oldest = Instant::from_micros(of.oldest);
        match totals
            .iter_mut()
            .find(|t| t.amount.currency == amount.currency)
        {
            Some(total) => {
                total.amount.minor += amount.minor;
                total.cases += number;
                total.oldest = total.oldest.min(Some(oldest));
            }
            None => totals.push(RiskTotal {
                amount,
                cases: number,
                oldest: Some(oldest),
            }),
        }
    }
    // Currencies cannot be compared: the largest number of major units comes first.
    totals.sort_by_key(|t| {
        std::cmp::Reverse(t.amount.minor / i128::from(t.amount.currency.major_unit().max(1)))
    });
    Ok(totals)
}

fn number(of: &CasesOfKind) -> u64 {
    count(of.under_one_day + of.one_to_two_days + of.two_to_seven_days + of.over_seven_days)
}

fn by_kind(cases: &[CasesOfKind]) -> Result<Vec<KindAge>, StorageError> {
    let mut kinds: BTreeMap<&str, KindAge> = BTreeMap::new();
    for of in cases {
        let oldest = Instant::from_micros(of.oldest);
        let kind = kinds.entry(&of.kind).or_insert_with(|| KindAge {
            kind: of.kind.clone(),
            under_one_day: 0,
            one_to_two_days: 0,
            two_to_seven_days: 0,
            over_seven_days: 0,
            overdue: 0,
            at_risk: Vec::new(),
            oldest: Some(oldest),
        });
        kind.under_one_day += count(of.under_one_day);
        kind.one_to_two_days += count(of.one_to_two_days);
        kind.two_to_seven_days += count(of.two_to_seven_days);
        kind.over_seven_days += count(of.over_seven_days);
        kind.overdue += count(of.overdue);
        kind.oldest = kind.oldest.min(Some(oldest));
        if !of.currency.is_empty() {
            let currency = stored::parse("case_now", "currency", "sum", &of.currency)?;
            kind.at_risk.push(Amount::new(of.at_risk(), currency));
        }
    }
    let mut kinds: Vec<KindAge> = kinds.into_values().collect();
    kinds.sort_by_key(|k| std::cmp::Reverse(k.total()));
    Ok(kinds)
}

async fn unknown(tx: impl Connected) -> Result<UnknownAttempts, StorageError> {
    let found = overview::unknown(tx).await?;
    Ok(UnknownAttempts {
        count: found.iter().map(|u| count(u.attempts)).sum(),
        oldest: found
            .iter()
            .map(|u| u.oldest)
            .min()
            .map(Instant::from_micros),
        amounts: found
            .iter()
            .map(|u| {
                Ok(Amount::new(
                    u.amount(),
                    stored::parse("intent", "currency", "sum", &u.currency)?,
                ))
            })
            .collect::<Result<_, StorageError>>()?,
    })
}

/// Lines of the last days, by the last day of their file: a file is a day's, as a rule.
async fn match_rate(
    mut tx: impl Connected,
    files: &[FileOfDays],
    now: Instant,
) -> Result<Vec<MatchDay>, Error> {
    let today = now.day_in(domain::time::Zone::UTC).number();
    let used = || {
        files
            .iter()
            .filter(|f| matches!(f.state.as_str(), "USED" | "CLOSING"))
    };
    let verdicts = verdicts(&mut tx, used().map(|f| f.file_id)).await?;
    let persons = by_person(&mut tx, used()).await?;
    let mut days: BTreeMap<i64, (u64, u64, u64)> = BTreeMap::new();
    for file in used() {
        let Some(last) = file
            .last_day
            .filter(|d| (today - MATCH_DAYS..=today).contains(d))
        else {
            continue;
        };
        let of = |verdict: &str| {
            let lines = verdicts
                .get(&file.file_id)
                .and_then(|v| v.get(verdict))
                .copied();
            count(lines.unwrap_or(0))
        };
        let matched = of("MATCHED");
        let by_person = persons.get(&file.file_id).map_or(0, |n| count(*n));
        let sums = days.entry(last).or_default();
        sums.0 += matched + of("PROPOSED") + of("CONFLICT") + of("UNMATCHED");
        sums.1 += matched.saturating_sub(by_person);
        sums.2 += by_person;
    }
    let Some(first) = days.keys().next().copied() else {
        return Ok(Vec::new());
    };
    let shown = (first..=today).map(|number| {
        let (lines, automatic, by_person) = days.get(&number).copied().unwrap_or_default();
        Ok(MatchDay {
            day: day("file_now", "last_day", number, number)?,
            lines,
            automatic,
            by_person,
        })
    });
    shown.collect()
}

/// Lines of files that are matched because a person said so, by file. One line can have two rulings:
/// whose it is, and what its figures mean.
async fn by_person<'f>(
    mut tx: impl Connected,
    files: impl Iterator<Item = &'f FileOfDays>,
) -> Result<BTreeMap<i64, i64>, Error> {
    let mut of_start: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for file in files {
        let start = hex::encode(file.sha256.get(..8).unwrap_or_default());
        of_start.entry(start).or_default().push(file.file_id);
    }
    let mut lines: BTreeSet<(i64, i64)> = BTreeSet::new();
    for (mut after, before) in [
        ("line:".to_owned(), "line;"),
        ("figures:".to_owned(), "figures;"),
    ] {
        loop {
            let subjects = overview::ruled_between(&mut tx, &after, before).await?;
            let Some(last) = subjects.last() else {
                break;
            };
            after.clone_from(last);
            for subject in subjects {
                let Ok(RulingSubject::Line(name) | RulingSubject::Figures(name)) = subject.parse()
                else {
                    continue;
                };
                let line_no = i64::try_from(name.line_no).unwrap_or(i64::MAX);
                let files = of_start.get(&name.file).into_iter().flatten();
                lines.extend(files.map(|file| (*file, line_no)));
            }
        }
    }
    let found = overview::matched_by_person(&mut tx, lines.into_iter()).await?;
    Ok(found.into_iter().collect())
}

/// The last five weeks of an account. Days before its first file are not expected.
fn calendar(
    account: &Provider,
    today: Day,
    files: &[FileOfDays],
    covered: &BTreeSet<Day>,
    now: Instant,
) -> Result<AccountCoverage, StorageError> {
    let first = covered.first().copied();
    let days = (today.number() - CALENDAR_DAYS + 1..=today.number()).map(|number| {
        let day = day("file_now", "first_day", account.id, number)?;
        let mut spanning = files.iter().filter(|f| {
            f.first_day.is_some_and(|d| d <= number) && f.last_day.is_some_and(|d| d >= number)
        });
        let any = spanning.clone().next();
        let used = spanning.clone().find(|f| f.state == "USED");
        let held = spanning.clone().find(|f| f.state == "HELD");
        let loading = spanning.find(|f| !has_ended(&f.state));
        let expected = first.is_some_and(|f| f <= day);
        let (state, file) = if covered.contains(&day) {
            (CoverageState::Complete, used)
        } else if loading.is_some() {
            (CoverageState::Loading, loading)
        } else if held.is_some() {
            (CoverageState::Held, held)
        } else if expected && file_due(day, account.zone, &account.policy) <= now {
            (CoverageState::Missing, any)
        } else if expected
            && settlement_due(day.start_in(account.zone), account.zone, &account.policy) <= now
        {
            (CoverageState::Late, any)
        } else {
            (CoverageState::None, any)
        };
        Ok(CoverageDay {
            day,
            state,
            file: file.map_or_else(String::new, |f| f.public_id.clone()),
        })
    });
    Ok(AccountCoverage {
        account: account.name.clone(),
        zone: account.zone,
        days: days.collect::<Result<_, StorageError>>()?,
    })
}

/// What the ledger says of money between the provider and the bank.
async fn on_its_way(
    mut tx: impl Connected,
    accounts: &[Provider],
) -> Result<Vec<OnItsWay>, StorageError> {
    let mut rows: BTreeMap<(i64, String), (i128, i128)> = BTreeMap::new();
    for balance in books::balances(&mut tx, 0, i64::MAX).await? {
        let left = i128::from(balance.debit) - i128::from(balance.credit);
        let key = (balance.account_id, balance.currency);
        match balance.ledger_account.parse() {
            Ok(LedgerAccount::ProviderClearing) => rows.entry(key).or_default().0 = left,
            Ok(LedgerAccount::PayoutsInTransit) => rows.entry(key).or_default().1 = left,
            _ => {}
        }
    }
    rows.retain(|_, sums| *sums != (0, 0));
    let mut shown = Vec::new();
    for ((id, currency), (at_provider, in_transit)) in rows {
        let Some(account) = accounts.iter().find(|a| a.id == id) else {
            continue;
        };
        let currency = stored::parse("balance_now", "currency", id, &currency)?;
        shown.push(OnItsWay {
            account: account.name.clone(),
            at_provider: Amount::new(at_provider, currency),
            in_transit: Amount::new(in_transit, currency),
        });
    }
    shown.sort_by(|a, b| a.account.cmp(&b.account));
    Ok(shown)
}

/// Figures of all provider accounts, read at once.
struct Shared {
    held: BTreeMap<i64, i64>,
    unknown: BTreeMap<i64, i64>,
    overdue: BTreeMap<i64, i64>,
}

impl Shared {
    async fn read(mut tx: impl Connected) -> Result<Self, StorageError> {
        Ok(Self {
            held: overview::held_by_account(&mut tx)
                .await?
                .into_iter()
                .collect(),
            unknown: overview::unknown_by_account(&mut tx)
                .await?
                .into_iter()
                .collect(),
            overdue: overview::overdue(&mut tx).await?.into_iter().collect(),
        })
    }
}

async fn provider(
    mut tx: impl Connected,
    account: &Provider,
    covered: &BTreeSet<Day>,
    shared: &Shared,
    now: Instant,
) -> Result<ProviderHealth, Error> {
    let of = |figures: &BTreeMap<i64, i64>| count(figures.get(&account.id).copied().unwrap_or(0));
    // Business days and the weekend among them, and the grace.
    let days = i64::from(account.policy.settlement_delay_days) + 2;
    let seconds = days * 86_400 + i64::from(account.policy.grace_hours) * 3_600;
    let since = now.plus_seconds(-seconds);
    let recent = since.micros()..i64::MAX;
    Ok(ProviderHealth {
        account: account.name.clone(),
        kind: account.kind,
        last_file_at: overview::newest_file(&mut tx, account.id).await?,
        covered_to: covered.last().copied(),
        held_files: of(&shared.held),
        open_lines: count(overview::open_lines(&mut tx, account.id).await?),
        unknown: of(&shared.unknown),
        in_transit: count(overview::in_transit(&mut tx, account.id, since, LOOKED_AT).await?),
        more_in_transit: overview::has_more_attempts(&mut tx, account.id, recent, LOOKED_AT)
            .await?,
        overdue: of(&shared.overdue),
    })
}

async fn to_approve(mut tx: impl Connected, actor: &Actor) -> Result<(Vec<ToApprove>, u64), Error> {
    let Some(person) = approver(&mut tx, actor).await? else {
        return Ok((Vec::new(), 0));
    };
    let waiting = overview::to_approve(&mut tx, &person).await?;
    let mut heads = case_heads(&mut tx, waiting.iter().map(|w| w.case_id)).await?;
    let shown = waiting
        .into_iter()
        .filter_map(|decision| {
            let head = heads.remove(&decision.case_id)?;
            Some(ToApprove {
                label: head.public_id.clone(),
                case_id: head.public_id,
                kind: head.kind,
                title: head.title,
                action: decision.action,
                amount: head.amount,
                decided_by: decision.decided_by,
                decided_at: Instant::from_micros(decision.decided_at),
            })
        })
        .collect();
    Ok((
        shown,
        count(queue::to_approve_count(&mut tx, &person).await?),
    ))
}
