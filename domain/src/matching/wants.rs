//! Which cases follow from a world: what a person should look at, and what they are shown.

use super::{
    explain,
    facts::{AttemptFacts, IntentFacts, LineFacts},
    figures::{Trouble, given_to, main_movement, movement_of, signed},
    identity::{Doubt, Identity, canonical, decided_against},
    index::At,
    judge::{Found, doubted_intents, one_attempt},
    judgement::Movement,
    outcomes::{Change, Standing, unseen_ids, unseen_reports},
    sentences,
};
use crate::{
    account::PartialCaptures,
    cases::{
        CaseFacts, CaseKind, CaseLine, RunningStep, Subject, WantedCase, due::settlement_due,
        wanted::CaseAttempt,
    },
    line::{RowKind, Verdict},
    money::{AmountOverflow, Money, sum},
    payment::Outcome,
    time::Instant,
};
use std::collections::{BTreeMap, BTreeSet};

/// The figure of a case that names an outcome reported besides the one that stands.
pub const REPORTED_ALSO: &str = "reported also";
/// The figure of a case that names a provider id reported besides the known one.
pub const REPORTED_UNDER: &str = "reported under id";

/// All cases that follow, by kind and subject.
pub fn cases(found: &Found<'_>) -> Result<Vec<WantedCase>, AmountOverflow> {
    let mut wanted = Vec::new();
    for place in 0..found.index.lines.len() {
        wanted.extend(found.doubtful_case(place));
    }
    wanted.extend(found.figure_cases()?);
    for (at, standing) in &found.standings {
        wanted.extend(found.attempt_case(*at, standing)?);
        wanted.extend(found.reports_case(*at, standing));
    }
    wanted.extend(found.unrequested_refunds()?);
    wanted.extend(found.disputes()?);
    wanted.sort_by(|a, b| (a.kind, &a.subject).cmp(&(b.kind, &b.subject)));
    Ok(wanted)
}

impl Found<'_> {
    fn wanted(
        &self,
        kind: CaseKind,
        subject: &Subject,
        at: Option<At>,
        lines: &[usize],
    ) -> WantedCase {
        let intent = at.and_then(|at| self.index.intent(at.intent));
        let attempt = at.and_then(|at| self.index.attempt(at));
        let first = lines
            .iter()
            .filter_map(|p| self.index.lines.get(*p))
            .min_by_key(|l| l.key);
        let account = first
            .map(|l| l.account)
            .or(attempt.map(|a| a.account))
            .unwrap_or_default();
        let mut shown: Vec<usize> = lines.to_vec();
        shown.sort_by_key(|p| self.index.lines.get(*p).map(|l| canonical(l)));
        WantedCase {
            kind,
            subject: subject.to_string(),
            account,
            at_risk: None,
            intent: intent.map(|i| i.key),
            attempt: attempt.map(|a| a.key),
            line: first.map(|l| l.key),
            not_before: None,
            facts: CaseFacts {
                settled_by: sentences::settled_by(kind),
                intent: intent.map_or(String::new(), |i| i.public_id.clone()),
                attempt: attempt.map_or(String::new(), |a| a.public_id.clone()),
                expected: intent.map(|i| i.amount),
                lines: shown.iter().filter_map(|p| self.case_line(*p)).collect(),
                ..CaseFacts::default()
            },
        }
    }

    fn case_line(&self, place: usize) -> Option<CaseLine> {
        let line = self.index.lines.get(place)?;
        let mut shown = case_line(line);
        if let Some(count) = self.figures.of.get(&place) {
            shown.matched = count.verdict == Verdict::Matched;
            let attempt = count.with.first().and_then(|at| self.index.attempt(*at));
            shown.attempt = attempt.map_or(String::new(), |a| a.public_id.clone());
        }
        Some(shown)
    }

    /// The attempts of one intent.
    fn standings_of(&self, intent: usize) -> impl Iterator<Item = (&At, &Standing)> {
        let first = At { intent, attempt: 0 };
        let last = At {
            intent,
            attempt: usize::MAX,
        };
        self.standings.range(first..=last)
    }

    fn case_attempts(&self, intents: &[usize]) -> Vec<CaseAttempt> {
        let mut shown = Vec::new();
        for place in intents {
            for (at, standing) in self.standings_of(*place) {
                if let (Some(intent), Some(attempt)) =
                    (self.index.intent(at.intent), self.index.attempt(*at))
                {
                    shown.push(case_attempt(intent, attempt, standing.outcome));
                }
            }
        }
        shown.sort_by(|a, b| (&a.intent, a.number).cmp(&(&b.intent, b.number)));
        shown
    }

    /// A line whose identity cannot be said, or that a person gave to another than it names.
    fn doubtful_case(&self, place: usize) -> Option<WantedCase> {
        let line = self.index.lines.get(place)?;
        if line.rulings.is_outside() || self.suspense.even.contains(&place) {
            return None;
        }
        let identity = self.identities.of.get(place)?;
        if let Some(given) = given_to(&self.index, line) {
            return self.against_person(place, line, identity, &given);
        }
        let Identity::Doubtful(doubt) = identity else {
            return None;
        };
        let kind = match doubt {
            Doubt::IdAgainstReference { .. } | Doubt::ReferenceAgainstId { .. } => {
                CaseKind::Contradiction
            }
            _ => CaseKind::AmbiguousMatch,
        };
        Some(self.line_case(kind, place, line, doubt))
    }

    fn line_case(
        &self,
        kind: CaseKind,
        place: usize,
        line: &LineFacts,
        doubt: &Doubt,
    ) -> WantedCase {
        let at = one_attempt(doubt);
        let mut case = self.wanted(kind, &Subject::Line(line.name.clone()), at, &[place]);
        let intents = doubted_intents(doubt);
        if let (None, [only]) = (case.intent, intents.as_slice())
            && let Some(intent) = self.index.intent(*only)
        {
            case.intent = Some(intent.key);
            case.facts.intent.clone_from(&intent.public_id);
            case.facts.expected = Some(intent.amount);
        }
        case.at_risk = Some(line.at_risk());
        let candidates = self.doubted_candidates(line, doubt);
        case.facts.candidates_total = u32::try_from(candidates.len()).unwrap_or(u32::MAX);
        case.facts.candidates = candidates;
        case.facts.candidates.truncate(explain::MOST_CANDIDATES);
        case.facts.attempts = self.case_attempts(&intents);
        if let Some(at) = at
            && let Some(intent) = self.index.intent(at.intent)
        {
            case.facts.sides = explain::sides(intent, self.index.attempt(at), line);
        }
        case.facts.sentence = sentences::doubt(doubt, line, &case.facts.candidates);
        case
    }

    /// A person's match stands; what speaks against it, and they have not seen, opens a case.
    fn against_person(
        &self,
        place: usize,
        line: &LineFacts,
        identity: &Identity,
        given: &[(At, i64)],
    ) -> Option<WantedCase> {
        let named = match identity {
            Identity::Certain(certain) => vec![certain.at.intent],
            Identity::Doubtful(
                doubt @ (Doubt::IdAgainstReference { .. } | Doubt::ReferenceAgainstId { .. }),
            ) => doubted_intents(doubt),
            _ => Vec::new(),
        };
        let against: BTreeSet<&str> = decided_against(line).collect();
        let unseen: Vec<usize> = named
            .into_iter()
            .filter(|place| !given.iter().any(|(at, _)| at.intent == *place))
            .filter(|place| {
                let intent = self.index.intent(*place);
                intent.is_some_and(|i| !against.contains(i.public_id.as_str()))
            })
            .collect();
        if unseen.is_empty() {
            return None;
        }
        let (at, _) = given.first()?;
        let doubt = Doubt::IdAgainstReference {
            by_id: *at,
            by_reference: unseen,
        };
        let mut case = self.line_case(CaseKind::Contradiction, place, line, &doubt);
        case.facts.sentence = sentences::against_person(&case.facts);
        Some(case)
    }

    fn figure_cases(&self) -> Result<Vec<WantedCase>, AmountOverflow> {
        let mut wanted: BTreeMap<(CaseKind, String), WantedCase> = BTreeMap::new();
        for trouble in &self.figures.troubles {
            if let Some(case) = self.trouble_case(trouble)? {
                wanted.insert((case.kind, case.subject.clone()), case);
            }
        }
        for place in 0..self.index.intents.len() {
            if let Some(case) = self.two_claims(place) {
                wanted
                    .entry((case.kind, case.subject.clone()))
                    .or_insert(case);
            }
        }
        Ok(wanted.into_values().collect())
    }

    fn trouble_case(&self, trouble: &Trouble) -> Result<Option<WantedCase>, AmountOverflow> {
        let Some(intent) = self.index.intent(trouble.intent) else {
            return Ok(None);
        };
        let in_conflict = |place: &&usize| {
            let count = self.figures.of.get(*place);
            count.is_some_and(|c| c.verdict == Verdict::Conflict)
        };
        let conflicting: Vec<usize> = trouble.lines.iter().filter(in_conflict).copied().collect();
        let even =
            !conflicting.is_empty() && conflicting.iter().all(|p| self.suspense.even.contains(p));
        if even {
            return Ok(None);
        }
        let canonically = |places: &[usize]| {
            let of = |p: &&usize| self.index.lines.get(**p).map(|l| canonical(l));
            places.iter().min_by_key(of).copied()
        };
        let at = canonically(&conflicting)
            .or(canonically(&trouble.lines))
            .as_ref()
            .and_then(|p| self.figures.of.get(p))
            .and_then(|c| c.with.iter().find(|at| at.intent == trouble.intent))
            .copied();
        let subject = subject_of(trouble, intent, &self.index.lines);
        let mut case = self.wanted(trouble.kind, &subject, at, &trouble.lines);
        case.facts.attempts = self.case_attempts(&[trouble.intent]);
        let difference = Money::new(trouble.difference, intent.amount.currency);
        if trouble.kind == CaseKind::CurrencyMismatch {
            case.at_risk = trouble
                .lines
                .first()
                .and_then(|p| self.index.lines.get(*p))
                .map(|l| l.at_risk());
        } else {
            case.at_risk = Some(absolute(difference));
            case.facts.difference = Some(difference);
            case.facts.running = self.running(intent, trouble)?;
        }
        if let ([place], Some(at)) = (trouble.lines.as_slice(), at)
            && let Some(line) = self.index.lines.get(*place)
        {
            case.facts.sides = explain::sides(intent, self.index.attempt(at), line);
        }
        case.not_before = self.expected_until(intent, trouble);
        case.facts.sentence = sentences::trouble(trouble.kind, intent, &case.facts);
        Ok(Some(case))
    }

    /// Where partial captures are expected, parts are no break before the rest is due.
    fn expected_until(&self, intent: &IntentFacts, trouble: &Trouble) -> Option<Instant> {
        if !trouble.part || trouble.kind != CaseKind::AmountMismatch {
            return None;
        }
        let latest = intent.attempts.iter().max_by_key(|a| a.started_at)?;
        let account = self.accounts.get(&latest.account)?;
        (account.policy.partial_captures == PartialCaptures::Expected)
            .then(|| settlement_due(latest.started_at, account.zone, &account.policy))
    }

    fn running(
        &self,
        intent: &IntentFacts,
        trouble: &Trouble,
    ) -> Result<Vec<RunningStep>, AmountOverflow> {
        let mut left = i128::from(intent.amount.minor);
        let mut steps = vec![RunningStep {
            what: "expected".to_owned(),
            amount: intent.amount.minor,
            left: intent.amount.minor,
        }];
        let mut lines: Vec<&LineFacts> = trouble
            .lines
            .iter()
            .filter_map(|p| self.index.lines.get(*p).copied())
            .collect();
        lines.sort_by_key(|l| canonical(l));
        for line in lines {
            let amount = -i128::from(signed(line, intent)?);
            left += amount;
            steps.push(RunningStep {
                what: line.name.to_string(),
                amount: i64::try_from(amount).map_err(|_| AmountOverflow)?,
                left: i64::try_from(left).map_err(|_| AmountOverflow)?,
            });
        }
        Ok(steps)
    }

    /// Two attempts that claim to have taken money, from reports alone or with lines.
    fn two_claims(&self, place: usize) -> Option<WantedCase> {
        let intent = self.index.intent(place)?;
        let mut claims: Vec<At> = Vec::new();
        for (at, standing) in self.standings_of(place) {
            let attempt = self.index.attempt(*at)?;
            let one_payment = |other: &At| {
                let other = self.index.attempt(*other);
                other.is_some_and(|o| attempt.firm_ids().any(|id| o.firm_ids().any(|x| x == id)))
            };
            if self.claims_money(attempt, intent, standing) && !claims.iter().any(one_payment) {
                claims.push(*at);
            }
        }
        if claims.len() < 2 {
            return None;
        }
        let lines: Vec<usize> = claims
            .iter()
            .filter_map(|at| self.standings.get(at))
            .flat_map(|s| s.tied.money.iter().chain(&s.tied.back).copied())
            .collect();
        let subject = Subject::Intent(intent.public_id.clone());
        let last = claims.last().copied();
        let mut case = self.wanted(CaseKind::DuplicateSettlement, &subject, last, &lines);
        let excess = i64::try_from(claims.len() - 1).unwrap_or(i64::MAX);
        let at_risk = intent.amount.minor.saturating_mul(excess);
        case.at_risk = Some(Money::new(at_risk, intent.amount.currency));
        case.facts.attempts = self.case_attempts(&[place]);
        case.facts.sentence = sentences::two_claims(intent, claims.len());
        Some(case)
    }

    /// Whether an attempt stands for money that was not given or taken back.
    fn claims_money(
        &self,
        attempt: &AttemptFacts,
        intent: &IntentFacts,
        standing: &Standing,
    ) -> bool {
        let claims = standing.outcome == Outcome::Succeeded
            || matches!(standing.change, Change::CameAfterAll(_) | Change::Reported);
        let amounts = |places: &[usize]| -> i128 {
            let lines = places.iter().filter_map(|p| self.index.lines.get(*p));
            lines
                .filter_map(|l| signed(l, intent).ok())
                .map(i128::from)
                .sum()
        };
        let came = amounts(&standing.tied.money) + amounts(&standing.tied.back);
        let given_back: i128 = amounts(&standing.tied.follows);
        let gone = !standing.tied.money.is_empty() && came - given_back <= 0;
        claims && !attempt.rulings.external && !gone
    }

    /// Money for a failed attempt, or money taken back from a success.
    fn attempt_case(
        &self,
        at: At,
        standing: &Standing,
    ) -> Result<Option<WantedCase>, AmountOverflow> {
        let (kind, lines) = match standing.change {
            Change::CameAfterAll(_) => {
                let evidence = if standing.tied.money.is_empty() {
                    &standing.tied.follows
                } else {
                    &standing.tied.money
                };
                (CaseKind::SettledAfterFailure, evidence.clone())
            }
            Change::TakenBack(_) => (
                CaseKind::PaymentReversed,
                [standing.tied.money.as_slice(), &standing.tied.back].concat(),
            ),
            Change::None | Change::Settled(_) | Change::Reported => return Ok(None),
        };
        let (Some(intent), Some(attempt)) = (self.index.intent(at.intent), self.index.attempt(at))
        else {
            return Ok(None);
        };
        let subject = Subject::Attempt(attempt.public_id.clone());
        let mut case = self.wanted(kind, &subject, Some(at), &lines);
        let counted = if kind == CaseKind::PaymentReversed {
            &standing.tied.back
        } else {
            &lines
        };
        let amounts = counted.iter().filter_map(|p| self.index.lines.get(*p));
        let minor = sum(amounts.map(|l| l.presented.minor))?;
        case.at_risk = Some(absolute(Money::new(minor, intent.amount.currency)));
        case.facts.attempts = self.case_attempts(&[at.intent]);
        case.facts.sentence = sentences::attempt(kind, attempt, &case.facts);
        Ok(Some(case))
    }

    /// Reports that contradict each other.
    fn reports_case(&self, at: At, standing: &Standing) -> Option<WantedCase> {
        let intent = self.index.intent(at.intent)?;
        let attempt = self.index.attempt(at)?;
        let reports: Vec<Outcome> = unseen_reports(attempt).collect();
        let ids: Vec<&String> = unseen_ids(attempt).collect();
        if reports.is_empty() && ids.is_empty() {
            return None;
        }
        let subject = Subject::Attempt(attempt.public_id.clone());
        let mut case = self.wanted(
            CaseKind::Contradiction,
            &subject,
            Some(at),
            &standing.tied.money,
        );
        case.at_risk = Some(intent.amount);
        case.facts.attempts = self.case_attempts(&[at.intent]);
        case.facts.figures = reports
            .iter()
            .map(|r| (REPORTED_ALSO.to_owned(), r.to_string()))
            .chain(
                ids.iter()
                    .map(|id| (REPORTED_UNDER.to_owned(), (*id).clone())),
            )
            .collect();
        case.facts.sentence = sentences::reports(attempt, &reports, &ids);
        Some(case)
    }

    /// Refund rows that belong to a payment but to no refund that anybody asked for.
    fn unrequested_refunds(&self) -> Result<Vec<WantedCase>, AmountOverflow> {
        let rows = self.following(RowKind::Refund, RowKind::RefundReversal);
        let mut wanted = Vec::new();
        for Following { places, .. } in &rows {
            if self.net(places)? == 0 {
                continue;
            }
            for place in places {
                let Some(line) = self.index.lines.get(*place) else {
                    continue;
                };
                let acknowledged = line.rulings.is_outside() || line.rulings.figures.is_some();
                let matched = self.case_line(*place).is_some_and(|l| l.matched);
                let joins_payment = self.suspense.follow.contains(place);
                if line.kind != RowKind::Refund || acknowledged || !matched || joins_payment {
                    continue;
                }
                let Some(at) = self.followed_by(*place, line) else {
                    continue;
                };
                let subject = Subject::Line(line.name.clone());
                let mut case =
                    self.wanted(CaseKind::UnrequestedRefund, &subject, Some(at), &[*place]);
                case.at_risk = Some(line.at_risk());
                if let Some(intent) = self.index.intent(at.intent) {
                    case.facts.sides = explain::sides(intent, self.index.attempt(at), line);
                    case.facts.sentence = sentences::unrequested(intent, line);
                }
                wanted.push(case);
            }
        }
        Ok(wanted)
    }

    /// One case per dispute, while its money is away and nobody accepted that.
    fn disputes(&self) -> Result<Vec<WantedCase>, AmountOverflow> {
        let rows = self.following(RowKind::Chargeback, RowKind::ChargebackReversal);
        let mut wanted = Vec::new();
        for Following { at, id, places } in &rows {
            let taken = self.net(places)?;
            let unanswered = places
                .iter()
                .filter_map(|p| self.index.lines.get(*p))
                .any(|l| {
                    l.kind == RowKind::Chargeback
                        && l.rulings.figures.is_none()
                        && !l.rulings.is_outside()
                });
            let (Some(intent), Some(attempt)) =
                (self.index.intent(at.intent), self.index.attempt(*at))
            else {
                continue;
            };
            if taken >= 0 || !unanswered {
                continue;
            }
            let account = places
                .first()
                .and_then(|p| self.index.lines.get(*p))
                .and_then(|l| self.accounts.get(&l.account));
            let name = account.map_or("", |a| a.name.as_str());
            let subject = if id.is_empty() {
                Subject::Attempt(attempt.public_id.clone())
            } else {
                Subject::Dispute(format!("{name}:{id}"))
            };
            let mut case = self.wanted(CaseKind::Chargeback, &subject, Some(*at), places);
            let currency = places
                .first()
                .and_then(|p| self.index.lines.get(*p))
                .map_or(intent.amount.currency, |l| l.presented.currency);
            case.at_risk = Some(absolute(Money::new(taken, currency)));
            case.facts.sentence = sentences::dispute(intent, &case.facts);
            wanted.push(case);
        }
        Ok(wanted)
    }

    /// Rows that follow payments, by their own id, else by payment.
    fn following(&self, forth: RowKind, back: RowKind) -> Vec<Following<'_>> {
        let mut groups: BTreeMap<(i64, &str, Option<At>), Following<'_>> = BTreeMap::new();
        let mut rows: Vec<(usize, &LineFacts)> = self
            .index
            .lines
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, line)| line.kind == forth || line.kind == back)
            .collect();
        rows.sort_by_key(|(_, line)| canonical(line));
        for (place, line) in rows {
            let Some(at) = self.followed_by(place, line) else {
                continue;
            };
            let id = line.modification_id.as_str();
            let key = (line.account, id, id.is_empty().then_some(at));
            let group = groups.entry(key).or_insert_with(|| Following {
                at,
                id,
                places: Vec::new(),
            });
            group.places.push(place);
        }
        groups.into_values().collect()
    }

    /// The payment that a row follows, where it is not a refund's own row.
    fn followed_by(&self, place: usize, line: &LineFacts) -> Option<At> {
        let given = given_to(&self.index, line).and_then(|g| g.first().copied());
        let at = match (given, self.identities.certain(place)) {
            (Some((at, _)), _) => at,
            (None, certain) => certain?.at,
        };
        let intent = self.index.intent(at.intent)?;
        (movement_of(line.kind) != main_movement(intent)).then_some(at)
    }

    fn net(&self, places: &[usize]) -> Result<i64, AmountOverflow> {
        sum(places
            .iter()
            .filter_map(|p| self.index.lines.get(*p))
            .map(|l| l.presented.minor))
    }
}

/// Rows with one id of their own, such as a dispute's.
struct Following<'w> {
    /// The payment that the first of them follows.
    at: At,
    id: &'w str,
    places: Vec<usize>,
}

fn subject_of(trouble: &Trouble, intent: &IntentFacts, lines: &[&LineFacts]) -> Subject {
    if trouble.kind == CaseKind::CurrencyMismatch
        && let Some(line) = trouble.lines.first().and_then(|p| lines.get(*p))
    {
        return Subject::Line(line.name.clone());
    }
    let id = intent.public_id.clone();
    if trouble.movement == main_movement(intent) {
        return Subject::Intent(id);
    }
    match trouble.movement {
        Movement::Refund => Subject::IntentRefunds(id),
        Movement::Chargeback => Subject::IntentDisputes(id),
        Movement::Capture => Subject::Intent(id),
    }
}

fn absolute(money: Money) -> Money {
    Money::new(
        money.minor.checked_abs().unwrap_or(i64::MAX),
        money.currency,
    )
}

/// A line as a case shows it, before it is counted anywhere.
pub fn case_line(line: &LineFacts) -> CaseLine {
    CaseLine {
        name: line.name.clone(),
        kind: line.kind,
        presented: line.presented,
        gross: Money::new(line.gross, line.currency),
        at: line.own_time().map_or(String::new(), |t| t.to_string()),
        provider_payment_id: line.provider_payment_id.clone(),
        modification_id: line.modification_id.clone(),
        reference: line.merchant_reference.clone(),
        counterparty: line.counterparty.clone(),
        attempt: String::new(),
        matched: false,
    }
}

/// An attempt as a case shows it.
pub fn case_attempt(intent: &IntentFacts, attempt: &AttemptFacts, outcome: Outcome) -> CaseAttempt {
    let mut provider_ids: Vec<String> = attempt.firm_ids().map(ToOwned::to_owned).collect();
    provider_ids.sort();
    CaseAttempt {
        intent: intent.public_id.clone(),
        attempt: attempt.public_id.clone(),
        number: attempt.number,
        reported: attempt.reported,
        outcome,
        provider_ids,
    }
}
