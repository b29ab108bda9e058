//! Lines that name nobody: kept in buckets by what an open attempt would have to be like, and judged
//! bucket by bucket.

use super::{
    Buckets, Loaded, Work, attempts,
    gates::Gates,
    lines,
    load::{load_intents, load_lines},
    overflow, says_nothing,
};
use crate::{
    Error,
    storage::matching::{self, Bucket},
};
use domain::{
    cases::WantedCase,
    line::{RowKind, Verdict},
    matching::{LineFacts, LineJudgement, ResidualWorld, judge_residual},
    payment::Direction,
};
use std::collections::{BTreeMap, BTreeSet};

/// What the residual stage gave.
pub(crate) struct Residual {
    pub lines: u64,
    pub wanted: Vec<WantedCase>,
    /// Every line that was judged here.
    pub judged: Vec<i64>,
    /// Lines that wait in their buckets to be judged: their cases stay as they are.
    pub waiting: BTreeSet<i64>,
}

/// Judges the nameless lines of a world, the given buckets, and those that the world's intents could
/// explain.
pub(crate) async fn derive(
    work: &mut Work<'_>,
    gates: &mut Gates,
    loaded: &Loaded,
    nameless: &BTreeSet<i64>,
    fallback: &[LineJudgement],
    buckets: Buckets<'_>,
) -> Result<Residual, Error> {
    let placed: Vec<(i64, Bucket)> = loaded
        .world
        .lines
        .iter()
        .filter(|l| nameless.contains(&l.key))
        .map(|l| (l.key, bucket_of(l)))
        .collect();
    let named = loaded
        .lines
        .keys()
        .copied()
        .filter(|id| !nameless.contains(id));
    // One line less may leave the others of its bucket with one payment that fits.
    let left = matching::drop_line_buckets(work.tx, named).await?;
    matching::put_line_buckets(work.tx, &placed).await?;

    let waits = |account: i64| matches!(buckets, Buckets::Later { of } if of == account);
    let waiting: BTreeSet<i64> = placed
        .iter()
        .filter(|(_, bucket)| waits(bucket.account_id))
        .map(|(line, _)| *line)
        .collect();
    let mut concerned: BTreeSet<Bucket> = match buckets {
        Buckets::Given(given) => given.iter().cloned().collect(),
        Buckets::Later { .. } => BTreeSet::new(),
    };
    concerned.extend(left);
    concerned.extend(placed.into_iter().map(|(_, bucket)| bucket));
    let intents = loaded.world.intents.iter();
    let intents = intents.filter(|i| i.attempts.iter().any(|a| !waits(a.account)));
    let fitting = matching::buckets_of_intents(&mut *work.tx, intents.map(|i| i.key));
    concerned.extend(fitting.await?);
    concerned.retain(|bucket| !waits(bucket.account_id));

    let mut ids: BTreeSet<i64> = matching::bucket_lines(&mut *work.tx, concerned.iter())
        .await?
        .into_iter()
        .collect();
    ids.extend(nameless);
    ids.retain(|line| !waiting.contains(line));
    if ids.is_empty() {
        return Ok(Residual {
            lines: 0,
            wanted: Vec::new(),
            judged: Vec::new(),
            waiting,
        });
    }
    let mut held = load_lines(&mut *work.tx, &ids).await?;
    let (beside, settled) = beside(work, &held).await?;
    let windows = windows(work, &held.world.lines, &concerned);
    let open = loop {
        let found =
            matching::bucket_intents(&mut *work.tx, windows.iter().map(|(b, w)| (*b, w.0, w.1)));
        let intents: BTreeSet<i64> = found.await?.into_iter().collect();
        let open = load_intents(&mut *work.tx, &intents).await?;
        if !gates.pass(work.tx, &open.world).await? {
            break open;
        }
    };
    let world = ResidualWorld {
        lines: held.world.lines.clone(),
        beside,
        settled,
        intents: open.world.intents.clone(),
    };
    let judgement = judge_residual(work.accounts, &world).map_err(overflow)?;
    // A kind for which nothing is proposed keeps what the first stage said.
    let spoken: BTreeSet<i64> = judgement.lines.iter().map(|l| l.line).collect();
    let mut verdicts = judgement.lines.clone();
    verdicts.extend(
        fallback
            .iter()
            .filter(|l| !spoken.contains(&l.line) && !waiting.contains(&l.line))
            .cloned(),
    );
    held.intents = open.intents.clone();
    held.attempts = open.attempts.clone();
    let changed = lines::write(work, &held, &verdicts).await?;
    if !says_nothing(&judgement) {
        lines::write_figures(work, &judgement).await?;
        attempts::write(work, &open, &judgement).await?;
    }
    Ok(Residual {
        lines: changed,
        wanted: judgement.cases,
        judged: verdicts.iter().map(|l| l.line).collect(),
        waiting,
    })
}

/// Lines in suspense that share a provider id with one of these: a payment and its refund need
/// nobody. They are only looked at, since their own buckets may not be here. Beside them the payments
/// of which a row is settled.
async fn beside(
    work: &mut Work<'_>,
    held: &Loaded,
) -> Result<(Vec<LineFacts>, BTreeSet<(i64, String)>), Error> {
    let keys: BTreeSet<(i64, String)> = held
        .world
        .lines
        .iter()
        .filter(|l| !l.provider_payment_id.is_empty())
        .map(|l| (l.account, format!("p:{}", l.provider_payment_id)))
        .collect();
    let mut ids: BTreeSet<i64> =
        matching::lines_by_key(&mut *work.tx, keys.iter().map(|(a, k)| (*a, k.as_str())))
            .await?
            .into_iter()
            .collect();
    ids.retain(|id| !held.lines.contains_key(id));
    let found = load_lines(&mut *work.tx, &ids).await?;
    let ends = [Verdict::Matched.code(), Verdict::Accounted.code()];
    let is_settled = |line: &LineFacts| {
        let stands = found.lines.get(&line.key);
        stands.is_none_or(|l| ends.contains(&l.verdict.as_str()))
    };
    let (settled, in_suspense): (Vec<LineFacts>, Vec<LineFacts>) =
        found.world.lines.iter().cloned().partition(is_settled);
    let settled = settled
        .into_iter()
        .filter(|l| matches!(l.kind, RowKind::Payment | RowKind::Disbursement))
        .map(|l| (l.account, l.provider_payment_id))
        .collect();
    Ok((in_suspense, settled))
}

/// What an open attempt would have to be like to explain the line. Kinds that no attempt of their
/// own explains wait in buckets of no direction, which no attempt fits.
pub(crate) fn bucket_of(line: &LineFacts) -> Bucket {
    let direction = match line.kind {
        RowKind::Payment => Direction::In.code(),
        RowKind::Disbursement | RowKind::Refund => Direction::Out.code(),
        _ => "none",
    };
    Bucket {
        account_id: line.account,
        currency: line.presented.currency.to_string(),
        amount: i64::try_from(line.presented.minor.unsigned_abs()).unwrap_or(i64::MAX),
        direction: direction.to_owned(),
    }
}

/// For each bucket the time in which an attempt must have begun to explain any of its lines.
fn windows<'a>(
    work: &Work<'_>,
    lines: &[LineFacts],
    buckets: &'a BTreeSet<Bucket>,
) -> BTreeMap<&'a Bucket, (i64, i64)> {
    let mut windows = BTreeMap::new();
    for line in lines {
        let Some(bucket) = buckets.get(&bucket_of(line)) else {
            continue;
        };
        let Some(policy) = work.accounts.get(&line.account).map(|a| &a.policy) else {
            continue;
        };
        // Business days may hold a weekend each; a wider window only costs reading.
        let days = i64::from(policy.settlement_delay_days) * 3 + 4;
        let before = days * 86_400 + i64::from(policy.grace_hours) * 3_600;
        let (since, until) = match line.own_time() {
            Some(at) => (
                at.plus_seconds(-before).micros(),
                at.plus_seconds(2 * 86_400).micros(),
            ),
            None => (i64::MIN, i64::MAX),
        };
        let window = windows.entry(bucket).or_insert((since, until));
        *window = (window.0.min(since), window.1.max(until));
    }
    windows
}
