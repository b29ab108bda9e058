//! R4: lines that name nobody, against open attempts of the same account, currency, amount and
//! direction.
//!
//! Nothing here is ever automatic: one open attempt and one line that fit each other are proposed,
//! several are a conflict, too many to choose from are said to be so.

use super::{
    explain::{self, MOST_CANDIDATES},
    explanation::{Agreement, Explanation, Field, FieldCheck, Finding, WhyNot},
    facts::{Accounts, AttemptFacts, IntentFacts, LineFacts},
    figures::signed,
    identity::canonical,
    index::Party,
    judgement::{Judgement, LineJudgement},
    keys::normalise,
    sentences,
    wants::case_line,
};
use crate::{
    account::ProviderAccount,
    cases::{CaseFacts, CaseKind, Subject, WantedCase, due::settlement_due},
    line::{RowKind, Rule, Verdict},
    money::{AmountOverflow, Currency},
    payment::Outcome,
    posting::Disposition,
    time::Instant,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What the residual stage is given: one or more whole buckets.
///
/// A bucket is (account, presented currency, amount, direction). For each bucket concerned it needs
/// every nameless line, and every intent with an attempt in the account that is neither rejected nor
/// absent and to which no line is tied. Nameless lines of kinds that fit no bucket are given too:
/// nothing is proposed for them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResidualWorld {
    /// The lines that name nobody, as judging said; no others, since each gets a verdict here.
    pub lines: Vec<LineFacts>,
    /// Lines in suspense that share a provider id with one of these and are not judged along: a refund
    /// of theirs joins their case, and rows that come to zero together need nobody. They get no
    /// verdict here.
    pub beside: Vec<LineFacts>,
    /// Payments, by account and provider id, of which a row is settled: a person shared it out, or put
    /// it outside of our payments. Which part of such a payment a refund gave back is not guessed: it
    /// has a case of its own.
    pub settled: BTreeSet<(i64, String)>,
    /// The intents with open attempts.
    pub intents: Vec<IntentFacts>,
}

const SECONDS_PER_DAY: i64 = 86_400;

/// Account, side, currency and amount in the intent's direction.
type Bucket = (i64, Party, Currency, i64);

#[derive(Clone, Copy)]
struct Open<'w> {
    intent: &'w IntentFacts,
    attempt: &'w AttemptFacts,
    due: Instant,
}

impl<'w> Open<'w> {
    /// By start, then by natural ids.
    fn place(&self) -> (Instant, &'w str, &'w str) {
        (
            self.attempt.started_at,
            &self.intent.public_id,
            &self.attempt.public_id,
        )
    }
}

/// Attempts or lines of a bucket in an order that does not depend on arrival, all of them and by
/// payer, so that a busy amount costs no more than a look-up.
struct ByPayer<T> {
    all: Vec<T>,
    of: HashMap<String, Vec<T>>,
}

#[derive(Default)]
struct Contents<'w> {
    /// By start. Those that hold a provider id apart: a line with another is not about them.
    without_id: ByPayer<Open<'w>>,
    with_id: ByPayer<Open<'w>>,
    lines: ByPayer<&'w LineFacts>,
}

/// Proposals, conflicts and unexplained lines: a verdict for every line and at most one case each.
/// The other parts of the judgement are empty.
pub fn judge_residual(
    accounts: &Accounts,
    world: &ResidualWorld,
) -> Result<Judgement, AmountOverflow> {
    let buckets = fill(accounts, world);
    let even = brought_to_zero(world);
    let payments: BTreeSet<PaymentName<'_>> = known_rows(world)
        .filter(|l| is_payment(l) && !is_settled_in_part(world, l))
        .filter_map(payment_name)
        .collect();
    let mut judgement = Judgement::default();
    for line in &world.lines {
        let Some(account) = accounts.get(&line.account) else {
            continue;
        };
        let fit = match bucket_of(line).and_then(|b| buckets.get(&b)) {
            Some(contents) => fitting(contents, line),
            None => Fit::default(),
        };
        let (judged, case) = judge_line(account, line, &fit)?;
        let joins = even.contains(&line.key) || follows_another(line, &payments);
        judgement.lines.push(judged);
        if !joins && !is_unknown_kind(line) {
            judgement.cases.push(case);
        }
    }
    judgement.lines.sort_by_key(|l| l.line);
    judgement
        .cases
        .sort_by(|a, b| (a.kind, &a.subject).cmp(&(b.kind, &b.subject)));
    Ok(judgement)
}

const fn is_unknown_kind(line: &LineFacts) -> bool {
    matches!(line.kind, RowKind::Unrecognised)
}

fn fill<'w>(accounts: &Accounts, world: &'w ResidualWorld) -> BTreeMap<Bucket, Contents<'w>> {
    let mut buckets: BTreeMap<Bucket, Contents<'w>> = BTreeMap::new();
    for intent in &world.intents {
        for attempt in &intent.attempts {
            let Some(account) = accounts.get(&attempt.account) else {
                continue;
            };
            if matches!(
                attempt.stated_outcome(),
                Outcome::Rejected | Outcome::Absent
            ) {
                continue;
            }
            let bucket = (
                attempt.account,
                Party::of(intent),
                intent.amount.currency,
                intent.amount.minor,
            );
            let open = Open {
                intent,
                attempt,
                due: settlement_due(attempt.started_at, account.zone, &account.policy),
            };
            let contents = buckets.entry(bucket).or_default();
            let list = if attempt.firm_ids().next().is_some() {
                &mut contents.with_id
            } else {
                &mut contents.without_id
            };
            list.add(&intent.counterparty, open);
        }
    }
    for line in &world.lines {
        if let Some(bucket) = bucket_of(line) {
            let contents = buckets.entry(bucket).or_default();
            contents.lines.add(&line.counterparty, line);
        }
    }
    for contents in buckets.values_mut() {
        contents.without_id.sort_by_key(Open::place);
        contents.with_id.sort_by_key(Open::place);
        contents
            .lines
            .sort_by_key(|l| (canonical(l).0, l.name.clone()));
    }
    buckets
}

impl<T> Default for ByPayer<T> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            of: HashMap::new(),
        }
    }
}

impl<T: Copy> ByPayer<T> {
    fn add(&mut self, payer: &str, item: T) {
        self.all.push(item);
        self.of.entry(normalise(payer)).or_default().push(item);
    }

    fn sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K + Copy) {
        self.all.sort_by_cached_key(key);
        for list in self.of.values_mut() {
            list.sort_by_cached_key(key);
        }
    }

    fn of(&self, payer: &str) -> &[T] {
        self.of.get(payer).map_or(&[], Vec::as_slice)
    }
}

/// The bucket of a line for which R4 may propose something.
fn bucket_of(line: &LineFacts) -> Option<Bucket> {
    let (party, minor) = match line.kind {
        RowKind::Payment => (Party::Charge, Some(line.presented.minor)),
        RowKind::Disbursement => (Party::Payout, line.presented.minor.checked_neg()),
        RowKind::Refund => (Party::Refund, line.presented.minor.checked_neg()),
        _ => return None,
    };
    Some((line.account, party, line.presented.currency, minor?))
}

#[derive(Default)]
struct Fit<'w> {
    /// At most [`MOST_CANDIDATES`].
    candidates: Vec<Open<'w>>,
    /// How many fit.
    total: usize,
    /// How many lines fit the one candidate, this one among them; 1 where there are several.
    rivals: usize,
    /// Whether the line's payer was compared.
    by_payer: bool,
}

fn fitting<'w>(contents: &Contents<'w>, line: &LineFacts) -> Fit<'w> {
    let payer = normalise(&line.counterparty);
    let mut lists = vec![&contents.without_id];
    if line.provider_payment_id.is_empty() {
        lists.push(&contents.with_id);
    }
    let windows = |payer: &str| -> Vec<&[Open<'w>]> {
        lists.iter().map(|l| window(l.of(payer), line)).collect()
    };
    let same_payer = windows(&payer);
    let by_payer = !payer.is_empty() && same_payer.iter().any(|w| !w.is_empty());
    let fitting: Vec<&[Open<'w>]> = if by_payer {
        same_payer
    } else if payer.is_empty() {
        lists.iter().map(|l| window(&l.all, line)).collect()
    } else {
        windows("")
    };
    let mut candidates: Vec<Open<'w>> = fitting
        .iter()
        .flat_map(|w| w.iter().take(MOST_CANDIDATES).copied())
        .collect();
    candidates.sort_by_key(Open::place);
    candidates.truncate(MOST_CANDIDATES);
    let rivals = match candidates.as_slice() {
        [only] => rivals(contents, only),
        _ => 1,
    };
    Fit {
        candidates,
        total: fitting.iter().map(|w| w.len()).sum(),
        rivals,
        by_payer,
    }
}

/// Attempts within the line's window: settlement delay plus grace before, to one day after.
fn window<'c, 'w>(attempts: &'c [Open<'w>], line: &LineFacts) -> &'c [Open<'w>] {
    let Some(time) = line.own_time() else {
        return attempts;
    };
    let first = attempts.partition_point(|open| open.due < time);
    let end = attempts
        .partition_point(|open| open.attempt.started_at <= time.plus_seconds(SECONDS_PER_DAY));
    attempts.get(first..end).unwrap_or_default()
}

/// How many lines fit an attempt, counted no further than needed.
fn rivals(contents: &Contents<'_>, open: &Open<'_>) -> usize {
    let holds_id = open.attempt.firm_ids().next().is_some();
    let payer = normalise(&open.intent.counterparty);
    let lists: [&[&LineFacts]; 2] = if payer.is_empty() {
        [&contents.lines.all, &[]]
    } else {
        [contents.lines.of(&payer), contents.lines.of("")]
    };
    lists
        .iter()
        .flat_map(|list| in_time(list, open))
        .filter(|line| !holds_id || line.provider_payment_id.is_empty())
        .take(MOST_CANDIDATES + 1)
        .count()
}

/// Lines in whose window an attempt lies; those without a time of their own come first and fit any.
fn in_time<'c, 'w>(
    lines: &'c [&'w LineFacts],
    open: &Open<'_>,
) -> impl Iterator<Item = &'c &'w LineFacts> {
    let earliest = open.attempt.started_at.plus_seconds(-SECONDS_PER_DAY);
    let timeless = lines.partition_point(|l| l.own_time().is_none());
    let first = lines.partition_point(|l| l.own_time().is_none_or(|t| t < earliest));
    let end = lines.partition_point(|l| l.own_time().is_none_or(|t| t <= open.due));
    let any = lines.get(..timeless).unwrap_or_default();
    any.iter().chain(lines.get(first..end).unwrap_or_default())
}

fn judge_line(
    account: &ProviderAccount,
    line: &LineFacts,
    fit: &Fit<'_>,
) -> Result<(LineJudgement, WantedCase), AmountOverflow> {
    let most = fit.total.max(fit.rivals);
    let (verdict, finding, kind) = match fit.total {
        0 => (
            Verdict::Unmatched,
            Finding::NothingFits,
            CaseKind::UnexpectedSettlement,
        ),
        1 if fit.rivals == 1 => (Verdict::Proposed, Finding::OneFits, CaseKind::ProposedMatch),
        _ if most <= MOST_CANDIDATES => (
            Verdict::Conflict,
            Finding::SeveralFit,
            CaseKind::AmbiguousMatch,
        ),
        _ => (
            Verdict::Unmatched,
            Finding::TooManyFit,
            CaseKind::UnexpectedSettlement,
        ),
    };
    let rule = if fit.total == 0 {
        Rule::None
    } else {
        Rule::Composite
    };
    let mut explanation = Explanation::plain(verdict, rule, account.policy_version, finding);
    let why = if verdict == Verdict::Proposed {
        WhyNot::Chosen
    } else {
        WhyNot::EquallyGood
    };
    explanation.candidates_total = u32::try_from(fit.total).unwrap_or(u32::MAX);
    if verdict != Verdict::Unmatched {
        explanation.candidates = fit
            .candidates
            .iter()
            .map(|o| {
                explain::candidate(o.intent, Some(o.attempt), o.intent.amount.minor, vec![why])
            })
            .collect();
    }
    let only = match (verdict, fit.candidates.as_slice()) {
        (Verdict::Proposed, [only]) => Some(only),
        _ => None,
    };
    if let Some(open) = only {
        explanation.fields = sides(open, line, fit.by_payer)?;
    }
    let case = case(kind, line, fit, only, &explanation);
    let judged = LineJudgement {
        line: line.key,
        verdict,
        rule,
        policy_version: account.policy_version,
        intent: None,
        attempt: None,
        movement: None,
        shares: Vec::new(),
        disposition: line.standing_on(Disposition::by_verdict(&line.figures(), verdict)?)?,
        explanation,
    };
    Ok((judged, case))
}

fn sides(
    open: &Open<'_>,
    line: &LineFacts,
    by_payer: bool,
) -> Result<Vec<FieldCheck>, AmountOverflow> {
    signed(line, open.intent)?;
    let mut fields = explain::sides(open.intent, Some(open.attempt), line);
    let silent = line.counterparty.trim().is_empty() || open.intent.counterparty.trim().is_empty();
    fields.push(FieldCheck {
        field: Field::Counterparty,
        ours: open.intent.counterparty.clone(),
        theirs: line.counterparty.clone(),
        agreement: match (silent, by_payer) {
            (true, _) => Agreement::Silent,
            (false, true) => Agreement::Agrees,
            (false, false) => Agreement::Noted,
        },
    });
    fields.push(FieldCheck {
        field: Field::Time,
        ours: open.attempt.started_at.to_string(),
        theirs: line.own_time().map_or(String::new(), |t| t.to_string()),
        agreement: if line.own_time().is_some() {
            Agreement::Agrees
        } else {
            Agreement::Silent
        },
    });
    Ok(fields)
}

fn case(
    kind: CaseKind,
    line: &LineFacts,
    fit: &Fit<'_>,
    only: Option<&Open<'_>>,
    explanation: &Explanation,
) -> WantedCase {
    let sentence = sentences::residual(explanation.finding, line, fit.total, fit.rivals);
    WantedCase {
        kind,
        subject: Subject::Line(line.name.clone()).to_string(),
        account: line.account,
        at_risk: Some(line.at_risk()),
        intent: only.map(|o| o.intent.key),
        attempt: only.map(|o| o.attempt.key),
        line: Some(line.key),
        not_before: None,
        facts: CaseFacts {
            sentence,
            settled_by: sentences::settled_by(kind),
            intent: only.map_or(String::new(), |o| o.intent.public_id.clone()),
            attempt: only.map_or(String::new(), |o| o.attempt.public_id.clone()),
            expected: only.map(|o| o.intent.amount),
            sides: explanation.fields.clone(),
            lines: vec![case_line(line)],
            candidates: explanation.candidates.clone(),
            candidates_total: explanation.candidates_total,
            ..CaseFacts::default()
        },
    }
}

/// Account, provider payment id and currency.
type PaymentName<'w> = (i64, &'w str, Currency);

fn payment_name(line: &LineFacts) -> Option<PaymentName<'_>> {
    (line.kind.concerns_payment() && !line.provider_payment_id.is_empty()).then_some((
        line.account,
        line.provider_payment_id.as_str(),
        line.currency,
    ))
}

fn known_rows(world: &ResidualWorld) -> impl Iterator<Item = &LineFacts> {
    world.lines.iter().chain(&world.beside)
}

/// Lines of payments that nobody knows and whose rows come to zero together.
fn brought_to_zero(world: &ResidualWorld) -> BTreeSet<i64> {
    let mut groups: BTreeMap<_, (i128, Vec<i64>)> = BTreeMap::new();
    for line in known_rows(world).filter(|l| !is_settled_in_part(world, l)) {
        if let Some(name) = payment_name(line) {
            let group = groups.entry(name).or_default();
            group.0 += i128::from(line.gross);
            group.1.push(line.key);
        }
    }
    groups
        .into_values()
        .filter(|(sum, keys)| *sum == 0 && keys.len() > 1)
        .flat_map(|(_, keys)| keys)
        .collect()
}

fn is_settled_in_part(world: &ResidualWorld, line: &LineFacts) -> bool {
    let name = (line.account, line.provider_payment_id.clone());
    world.settled.contains(&name)
}

/// A refund, dispute or reversal whose payment row is here too belongs to that row's case.
fn follows_another(line: &LineFacts, payments: &BTreeSet<PaymentName<'_>>) -> bool {
    !is_payment(line) && payment_name(line).is_some_and(|name| payments.contains(&name))
}

const fn is_payment(line: &LineFacts) -> bool {
    matches!(line.kind, RowKind::Payment | RowKind::Disbursement)
}
