//! Derive what follows from the facts, and write what differs from how things stand.
//!
//! Verdicts, outcomes, postings and open cases are functions of lines, intents, attempts, reports and
//! the decisions in force. Whoever adds a fact calls this with what it touched; it loads everything
//! that hangs together with that ([`load`]), lets `domain` judge, and writes only differences:
//! verdicts and their entries ([`lines`]), attempts and intents ([`attempts`]), cases ([`cases`]).
//! [`foresee`] tells what would be posted, and writes nothing; [`take_out`] takes lines out of the books.

mod attempts;
pub(crate) mod cases;
pub(crate) mod foresee;
mod gates;
pub(crate) mod lines;
pub(crate) mod load;
mod residual;
pub(crate) mod take_out;

pub use load::{Loaded, Seeds, line_name};

use gates::Gates;

use crate::{
    Error,
    seal::Leaves,
    storage::{Tx, matching::Bucket},
};
use domain::{
    matching::{Accounts, Judgement, judge},
    money::AmountOverflow,
    time::Instant,
};
use std::collections::BTreeSet;

/// Why something is derived: what the records name as their cause.
#[derive(Debug, Clone, Copy)]
pub struct Cause<'a> {
    /// file, rematch, decision.
    pub kind: &'static str,
    /// Natural id of the cause.
    pub name: &'a str,
    /// Who, as history shows it.
    pub actor: &'a str,
    /// When a person decided, if one did: then the time is part of the record, and new postings bear the
    /// day of the decision.
    pub decided: Option<Instant>,
    /// Now.
    pub now: Instant,
}

impl Cause<'_> {
    /// Whether people take a file back. What follows bears their day, rows that had not counted so far
    /// too: the books of earlier days stay as they stood.
    pub(crate) fn takes_a_file_back(&self) -> bool {
        self.decided.is_some() && self.kind == "file"
    }
}

/// What deriving changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Derived {
    /// Lines that got a new verdict.
    pub lines: u64,
    /// Cases that opened or opened again.
    pub cases_opened: u64,
    /// Cases that evidence closed.
    pub cases_closed: u64,
}

impl std::ops::AddAssign for Derived {
    fn add_assign(&mut self, other: Self) {
        self.lines += other.lines;
        self.cases_opened += other.cases_opened;
        self.cases_closed += other.cases_closed;
    }
}

/// Which nameless lines are judged by what open attempts there are.
#[derive(Debug, Clone, Copy)]
pub enum Buckets<'a> {
    /// Those of the world, those that its intents could explain, and these.
    Given(&'a [Bucket]),
    /// As with none given, but that those of this account keep waiting in their buckets: a later call
    /// gives every bucket of it.
    Later { of: i64 },
}

impl Buckets<'_> {
    /// What is left of it behind a part of what is derived: buckets are given once.
    const fn of_the_rest(self) -> Self {
        match self {
            Self::Given(_) => Self::Given(&[]),
            Self::Later { of } => Self::Later { of },
        }
    }
}

/// The parts of a derivation that every step needs.
pub(crate) struct Work<'a> {
    pub tx: &'a mut Tx,
    pub leaves: &'a mut Leaves,
    pub accounts: &'a Accounts,
    pub cause: Cause<'a>,
}

/// Derives everything that hangs together with the seeds, and the given buckets of nameless lines. The
/// caller passed the gate of one account; those of others that hang together with it are passed here.
/// Where too much hangs together with all of the seeds, they are taken by halves.
pub async fn derive(
    tx: &mut Tx,
    leaves: &mut Leaves,
    accounts: &Accounts,
    passed: i64,
    seeds: &Seeds,
    buckets: Buckets<'_>,
    cause: Cause<'_>,
) -> Result<Derived, Error> {
    let mut work = Work {
        tx,
        leaves,
        accounts,
        cause,
    };
    let mut gates = Gates::with(passed);
    let mut derived = Derived::default();
    let mut buckets = buckets;
    let mut parts = vec![seeds.clone()];
    while let Some(part) = parts.pop() {
        match load_behind_gates(&mut work, &mut gates, &part).await {
            Ok(loaded) => {
                derived += write(&mut work, &mut gates, &loaded, buckets).await?;
                buckets = buckets.of_the_rest();
            }
            Err(not) => parts.extend(load::halves_instead(&part, not)?),
        }
    }
    Ok(derived)
}

/// What hangs together with the seeds, as it stands once all gates of it are passed.
async fn load_behind_gates(
    work: &mut Work<'_>,
    gates: &mut Gates,
    seeds: &Seeds,
) -> Result<Loaded, load::NotLoaded> {
    loop {
        let loaded = load::load_few(&mut *work.tx, seeds, load::MOST_TOGETHER).await?;
        if !gates.pass(work.tx, &loaded.world).await? {
            return Ok(loaded);
        }
    }
}

/// Judges what is loaded and writes what differs.
async fn write(
    work: &mut Work<'_>,
    gates: &mut Gates,
    loaded: &Loaded,
    buckets: Buckets<'_>,
) -> Result<Derived, Error> {
    let judgement = judge(work.accounts, &loaded.world).map_err(overflow)?;
    let nameless: BTreeSet<i64> = judgement.nameless.iter().copied().collect();
    let (named, rest): (Vec<_>, Vec<_>) = judgement
        .lines
        .iter()
        .cloned()
        .partition(|l| !nameless.contains(&l.line));
    let mut derived = Derived {
        lines: lines::write(work, loaded, &named).await?,
        ..Derived::default()
    };
    lines::write_figures(work, &judgement).await?;
    attempts::write(work, loaded, &judgement).await?;
    let mut wanted = judgement.cases.clone();
    let residual = residual::derive(work, gates, loaded, &nameless, &rest, buckets).await?;
    derived.lines += residual.lines;
    wanted.extend(residual.wanted);
    let judged = cases::Judged {
        intents: loaded.intents.keys().copied().collect(),
        lines: loaded
            .lines
            .keys()
            .copied()
            .filter(|line| !residual.waiting.contains(line))
            .chain(residual.judged)
            .collect(),
        waiting: residual.waiting,
        attempts: judgement
            .attempts
            .iter()
            .map(|a| (a.attempt, a.clone()))
            .collect(),
    };
    derived += cases::write(work, &judged, wanted).await?;
    Ok(derived)
}

pub(crate) fn overflow(e: AmountOverflow) -> Error {
    Error::Conflict(e.to_string())
}

/// Merges what the residual stage says beside verdicts: figures and outcomes of automatic matches.
pub(crate) const fn says_nothing(judgement: &Judgement) -> bool {
    judgement.attempts.is_empty() && judgement.open.is_empty() && judgement.learned.is_empty()
}
