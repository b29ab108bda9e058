//! The stages in order.

use super::{
    explain,
    explanation::{Explanation, Finding, WhyNot},
    facts::{Accounts, LineFacts, World},
    figures::{self, Count, Figures, Together, given_to, sign_of},
    identity::{self, Doubt, Identities, Identity},
    index::{At, Index, Party},
    judgement::{Judgement, LineJudgement, OpenFigures, ShareOf},
    outcomes::{self, Standing},
    rulings::Ruling,
    suspense::{self, Suspense},
    wants,
};
use crate::{
    line::{RowKind, Rule, Verdict},
    money::{AmountOverflow, Money},
    posting::{self, Disposition, LedgerAccount, Posting, contra_account, contra_total},
};
use std::collections::BTreeMap;

/// Everything found out about a world, before it is put into words and rows.
pub struct Found<'w> {
    /// Policies.
    pub accounts: &'w Accounts,
    /// Intents and lines.
    pub index: Index<'w>,
    /// Whose each line is.
    pub identities: Identities,
    /// Whether sums agree.
    pub figures: Figures,
    /// What follows payments in suspense.
    pub suspense: Suspense,
    /// How each attempt stands.
    pub standings: BTreeMap<At, Standing>,
}

/// Everything that follows from a world: identity of each line, then figures of each intent, then
/// what the money says of each attempt, and the cases that a person should look at.
pub fn judge(accounts: &Accounts, world: &World) -> Result<Judgement, AmountOverflow> {
    let index = Index::new(world);
    let identities = identity::identify(&index);
    let followed = suspense::followed(&index, &identities);
    let figures = figures::count(&index, &identities, &followed)?;
    let suspense = suspense::lay_out(&index, &identities, &figures);
    let standings = outcomes::standings(&index, &figures);
    let found = Found {
        accounts,
        index,
        identities,
        figures,
        suspense,
        standings,
    };
    let mut judgement = Judgement::default();
    for place in 0..found.index.lines.len() {
        found.judge_line(place, &mut judgement)?;
    }
    found.judge_intents(&mut judgement);
    judgement.learned.clone_from(&found.identities.learned);
    judgement
        .learned
        .sort_by(|a, b| (a.attempt, &a.id, a.account).cmp(&(b.attempt, &b.id, b.account)));
    judgement.cases = wants::cases(&found)?;
    Ok(judgement)
}

impl Found<'_> {
    /// The policy version of a line's account.
    pub fn policy_version(&self, line: &LineFacts) -> i64 {
        self.accounts
            .get(&line.account)
            .map_or(0, |account| account.policy_version)
    }

    fn judge_line(&self, place: usize, into: &mut Judgement) -> Result<(), AmountOverflow> {
        let Some(line) = self.index.lines.get(place).copied() else {
            return Ok(());
        };
        let judged = if let Some(count) = self.figures.of.get(&place) {
            Some(self.counted(place, line, count)?)
        } else if line.rulings.is_outside() {
            Some(self.outside(line)?)
        } else {
            match self.identities.of.get(place) {
                Some(Identity::ByKind) => Some(self.by_kind(line)?),
                Some(Identity::Doubtful(doubt)) => Some(self.doubtful(line, doubt)?),
                _ => None,
            }
        };
        match judged {
            Some(judged) => into.lines.push(judged),
            None => into.nameless.push(line.key),
        }
        Ok(())
    }

    fn judge_intents(&self, into: &mut Judgement) {
        for ((place, movement), sum) in &self.figures.sums {
            if let Some(intent) = self.index.intent(*place) {
                into.open.push(OpenFigures {
                    intent: intent.key,
                    movement: *movement,
                    allowed: sum.allowed,
                    matched: sum.matched,
                });
            }
        }
        for (place, intent) in self.index.intents.iter().enumerate() {
            let main = figures::main_movement(intent);
            if !self.figures.sums.contains_key(&(place, main)) {
                into.open.push(OpenFigures {
                    intent: intent.key,
                    movement: main,
                    allowed: intent.amount.minor,
                    matched: 0,
                });
            }
        }
        into.open.sort_by_key(|o| (o.intent, o.movement));
        for (at, standing) in &self.standings {
            if let (Some(intent), Some(attempt)) =
                (self.index.intent(at.intent), self.index.attempt(*at))
            {
                into.attempts
                    .push(outcomes::judgement(&self.index, intent, attempt, standing));
            }
        }
        into.attempts.sort_by_key(|a| (a.intent, a.attempt));
    }

    /// A line with a certain or given payment.
    fn counted(
        &self,
        place: usize,
        line: &LineFacts,
        count: &Count,
    ) -> Result<LineJudgement, AmountOverflow> {
        let at = count.with.first().copied();
        let intent = at.and_then(|at| self.index.intent(at.intent));
        let attempt = at.and_then(|at| self.index.attempt(at));
        let mut explanation = Explanation::plain(
            count.verdict,
            count.rule,
            self.policy_version(line),
            count.finding,
        );
        if let Some(intent) = intent {
            explanation.fields = explain::sides(intent, attempt, line);
        }
        let Together { named, all } = &count.together;
        explanation.together_with = self.names_of(named);
        explanation.together_more = u32::try_from(all - named.len()).unwrap_or(u32::MAX);
        let disposition = match count.verdict {
            Verdict::Matched => self.matched_disposition(place, line, count)?,
            other => Disposition::by_verdict(&line.figures(), other)?,
        };
        let disposition = line.standing_on(disposition)?;
        let shares = count.shares.iter().filter_map(|(at, amount)| {
            Some(ShareOf {
                intent: self.index.intent(at.intent)?.key,
                attempt: self.index.attempt(*at)?.key,
                amount: *amount,
            })
        });
        Ok(LineJudgement {
            line: line.key,
            verdict: count.verdict,
            rule: count.rule,
            policy_version: self.policy_version(line),
            intent: intent.map(|i| i.key),
            attempt: attempt.map(|a| a.key),
            movement: Some(count.movement),
            shares: shares.collect(),
            disposition,
            explanation,
        })
    }

    /// By name, so that what is stored does not depend on the order of arrival.
    fn names_of(&self, places: &[usize]) -> Vec<super::facts::LineName> {
        let lines = places.iter().filter_map(|p| self.index.lines.get(*p));
        let mut names: Vec<_> = lines.map(|line| line.name.clone()).collect();
        names.sort();
        names
    }

    fn matched_disposition(
        &self,
        place: usize,
        line: &LineFacts,
        count: &Count,
    ) -> Result<Disposition, AmountOverflow> {
        let figures = line.figures();
        if self.suspense.follow.contains(&place) {
            return Disposition::whole(&figures, LedgerAccount::Suspense);
        }
        let (Some(own), Some(total)) = (contra_account(line.kind), contra_total(&figures)?) else {
            return Ok(Disposition::default());
        };
        let intent = count
            .with
            .first()
            .and_then(|at| self.index.intent(at.intent));
        let sign = intent.map_or(1, |i| sign_of(Party::of(i), line.kind));
        let shared: i128 = count.shares.iter().map(|(_, a)| i128::from(*a)).sum();
        if let (Some(Ruling::WriteOff { .. }), Some(intent)) = (&line.rulings.figures, intent)
            && intent.amount.currency != line.presented.currency
        {
            let settled = i64::try_from(shared).map_err(|_| AmountOverflow)?;
            let settled = Money::new(signed_by(settled, sign)?, intent.amount.currency);
            return posting::written_off_across(own, total, settled);
        }
        if count.written_off != 0 {
            let written_off = signed_by(count.written_off, sign)?;
            return posting::split(own, total, LedgerAccount::WriteOffs, written_off);
        }
        let whole = i128::from(line.presented.minor) * i128::from(sign);
        let given_in_part = line.rulings.figures.is_none()
            && given_to(&self.index, line).is_some()
            && shared != whole;
        if given_in_part {
            let rest = i64::try_from(shared - whole).map_err(|_| AmountOverflow)?;
            return posting::split(own, total, LedgerAccount::Suspense, signed_by(rest, sign)?);
        }
        Ok(Disposition::of([Posting::new(own, total)]))
    }

    /// A line that a person put outside of our payments.
    fn outside(&self, line: &LineFacts) -> Result<LineJudgement, AmountOverflow> {
        let figures = line.figures();
        let disposition = match &line.rulings.identity {
            Some(Ruling::Correct { to }) => Disposition::whole(&figures, *to)?,
            _ => Disposition::by_verdict(&figures, Verdict::Accounted)?,
        };
        self.plain(
            line,
            Verdict::Accounted,
            Rule::Person,
            Finding::ByPerson,
            disposition,
        )
    }

    fn by_kind(&self, line: &LineFacts) -> Result<LineJudgement, AmountOverflow> {
        let (verdict, finding) = if line.kind == RowKind::Unrecognised {
            (Verdict::Unmatched, Finding::UnknownKind)
        } else {
            (Verdict::Accounted, Finding::ByKind)
        };
        let disposition = Disposition::by_verdict(&line.figures(), verdict)?;
        self.plain(line, verdict, Rule::Kind, finding, disposition)
    }

    fn plain(
        &self,
        line: &LineFacts,
        verdict: Verdict,
        rule: Rule,
        finding: Finding,
        disposition: Disposition,
    ) -> Result<LineJudgement, AmountOverflow> {
        let policy_version = self.policy_version(line);
        Ok(LineJudgement {
            line: line.key,
            verdict,
            rule,
            policy_version,
            intent: None,
            attempt: None,
            movement: None,
            shares: Vec::new(),
            disposition: line.standing_on(disposition)?,
            explanation: Explanation::plain(verdict, rule, policy_version, finding),
        })
    }

    /// A line that names somebody, but not one attempt beyond doubt.
    fn doubtful(&self, line: &LineFacts, doubt: &Doubt) -> Result<LineJudgement, AmountOverflow> {
        let disposition = Disposition::by_verdict(&line.figures(), Verdict::Conflict)?;
        let (finding, rule) = finding_of(doubt, line);
        let mut judged = self.plain(line, Verdict::Conflict, rule, finding, disposition)?;
        let intents = doubted_intents(doubt);
        if let [only] = intents.as_slice() {
            judged.intent = self.index.intent(*only).map(|i| i.key);
        }
        if let Some(at) = one_attempt(doubt) {
            judged.attempt = self.index.attempt(at).map(|a| a.key);
        }
        let candidates = self.doubted_candidates(line, doubt);
        judged.explanation.candidates_total = u32::try_from(candidates.len()).unwrap_or(u32::MAX);
        judged.explanation.candidates = candidates;
        judged
            .explanation
            .candidates
            .truncate(explain::MOST_CANDIDATES);
        if let Some(at) = one_attempt(doubt)
            && let (Some(intent), attempt) = (self.index.intent(at.intent), self.index.attempt(at))
        {
            judged.explanation.fields = explain::sides(intent, attempt, line);
        }
        Ok(judged)
    }

    /// Those between whom a doubtful line stands: whom the id names first, then by public id, so
    /// that what is stored does not depend on the order of arrival.
    pub fn doubted_candidates(
        &self,
        line: &LineFacts,
        doubt: &Doubt,
    ) -> Vec<super::explanation::Candidate> {
        let attempts = |places: &[At], why| {
            let found = places
                .iter()
                .filter_map(|at| explain::candidate_at(&self.index, &self.figures, *at, line, why));
            by_public_id(found.collect())
        };
        let intents = |places: &[usize], why| {
            let found = places.iter().flat_map(|place| {
                explain::candidates_of(&self.index, &self.figures, *place, line, why)
            });
            by_public_id(found.collect())
        };
        match doubt {
            Doubt::IdAgainstReference {
                by_id,
                by_reference,
            } => [
                attempts(&[*by_id], WhyNot::OtherReference),
                intents(by_reference, WhyNot::OtherProviderId),
            ]
            .concat(),
            Doubt::ReferenceAgainstId { attempts: places } => {
                attempts(places, WhyNot::OtherProviderId)
            }
            Doubt::SeveralAttempts(places) => attempts(places, WhyNot::EquallyGood),
            Doubt::SeveralIntents(places) => intents(places, WhyNot::EquallyGood),
            Doubt::NeverTried(place) => intents(&[*place], WhyNot::NeverTried),
            Doubt::SharedByTooMany => Vec::new(),
        }
    }
}

fn by_public_id(
    mut candidates: Vec<super::explanation::Candidate>,
) -> Vec<super::explanation::Candidate> {
    candidates.sort_by(|a, b| (&a.intent, &a.attempt).cmp(&(&b.intent, &b.attempt)));
    candidates
}

/// The intents between which a doubt stands, each once.
pub fn doubted_intents(doubt: &Doubt) -> Vec<usize> {
    let mut intents: Vec<usize> = match doubt {
        Doubt::IdAgainstReference {
            by_id,
            by_reference,
        } => std::iter::once(by_id.intent)
            .chain(by_reference.iter().copied())
            .collect(),
        Doubt::ReferenceAgainstId { attempts } | Doubt::SeveralAttempts(attempts) => {
            attempts.iter().map(|at| at.intent).collect()
        }
        Doubt::SeveralIntents(intents) => intents.clone(),
        Doubt::NeverTried(intent) => vec![*intent],
        Doubt::SharedByTooMany => Vec::new(),
    };
    intents.sort_unstable();
    intents.dedup();
    intents
}

/// The one attempt that a doubt is about, if it is about one.
pub fn one_attempt(doubt: &Doubt) -> Option<At> {
    match doubt {
        Doubt::IdAgainstReference { by_id, .. } => Some(*by_id),
        Doubt::ReferenceAgainstId { attempts } => match attempts.as_slice() {
            [only] => Some(*only),
            _ => None,
        },
        _ => None,
    }
}

fn finding_of(doubt: &Doubt, line: &LineFacts) -> (Finding, Rule) {
    match doubt {
        Doubt::IdAgainstReference { .. } => (Finding::IdAgainstReference, Rule::ProviderId),
        Doubt::ReferenceAgainstId { .. } => (Finding::ReferenceAgainstId, Rule::Reference),
        Doubt::SeveralIntents(_) if line.merchant_reference.is_empty() => {
            (Finding::SeveralCarryKey, Rule::ProviderId)
        }
        Doubt::SeveralIntents(_) => (Finding::SeveralCarryKey, Rule::Reference),
        Doubt::SharedByTooMany => (Finding::TooManyCarryKey, Rule::Reference),
        Doubt::SeveralAttempts(_) => (Finding::SeveralAttempts, Rule::Reference),
        Doubt::NeverTried(_) => (Finding::NeverTried, Rule::Reference),
    }
}

fn signed_by(amount: i64, sign: i64) -> Result<i64, AmountOverflow> {
    amount.checked_mul(sign).ok_or(AmountOverflow)
}

impl LineFacts {
    /// What posting needs of the line.
    pub const fn figures(&self) -> posting::Figures {
        posting::Figures {
            kind: self.kind,
            gross: self.gross,
            fee: self.fee,
            net: self.net,
            currency: self.currency,
            presented: self.presented,
        }
    }

    /// Where all of the line stands but clearing and fees: its contra side, and what its net is off by,
    /// which waits in suspense until a person accepts it.
    pub fn standing_on(&self, contra: Disposition) -> Result<Disposition, AmountOverflow> {
        let account = if self.rulings.difference_accepted {
            LedgerAccount::Adjustments
        } else {
            LedgerAccount::Suspense
        };
        contra.with_difference(&self.figures(), account)
    }

    /// What the payer saw, as an amount at risk.
    pub fn at_risk(&self) -> Money {
        Money::new(
            self.presented.minor.checked_abs().unwrap_or(i64::MAX),
            self.presented.currency,
        )
    }
}
