//! What decisions in force say. A decision only ever sets rulings; reversing it takes them away.
//!
//! A ruling names lines, intents and attempts by their natural ids, so that it can be stored and
//! sealed as it is.

use super::facts::LineName;
use crate::{cases::CaseKind, payment::Outcome, posting::LedgerAccount, time::Day};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, fmt};

/// Part of a line's presented amount that belongs to an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The intent's public id; in a request one of the two may be left out.
    #[serde(default)]
    pub intent: String,
    /// The attempt's public id.
    #[serde(default)]
    pub attempt: String,
    /// Minor units of the line's presented currency, positive in the intent's direction.
    pub amount: i64,
}

/// What a ruling is about. At most one ruling per subject is in force.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RulingSubject {
    /// Whose line it is: [`Ruling::MatchTo`], [`Ruling::External`], [`Ruling::Correct`].
    Line(LineName),
    /// What its figures mean: [`Ruling::AcceptVariance`], [`Ruling::WriteOff`].
    Figures(LineName),
    /// What its net is off by: [`Ruling::AcceptDifference`].
    Difference(LineName),
    /// An attempt's outcome, by public id: [`Ruling::Outcome`].
    Attempt(String),
    /// A settlement that never came, by the attempt's public id: [`Ruling::WriteOffMissing`].
    Missing(String),
    /// A success recorded elsewhere, by the attempt's public id: [`Ruling::External`].
    External(String),
    /// A batch's residual, as `<account name>:<provider batch id>:<currency>`:
    /// [`Ruling::AcceptResidual`].
    Batch(String),
    /// A file's rejected rows, by its SHA-256 in hex: [`Ruling::AcceptRows`].
    File(String),
    /// A case that a person set aside, by kind and subject: [`Ruling::Dismissed`].
    Case(CaseKind, String),
}

/// What one decision says about one subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ruling", rename_all = "snake_case")]
pub enum Ruling {
    /// The line belongs to these attempts.
    MatchTo {
        /// To whom, and how much to each.
        shares: Vec<Share>,
        /// Public ids of intents that the person saw named by the line and decided against.
        #[serde(default)]
        against: BTreeSet<String>,
    },
    /// Real money whose payment was never registered here, or is kept elsewhere.
    External,
    /// The line posts to this account instead.
    Correct {
        /// The account.
        to: LedgerAccount,
    },
    /// The line's amount stands as it is, though it is not the intent's.
    AcceptVariance,
    /// What is missing or too much is written off.
    WriteOff {
        /// Intent's amount minus what came, in minor units, as approved; negative for too much. Of a
        /// line in another currency nothing came: all that was open of the intent.
        difference: i64,
    },
    /// The row's net stands, though it is not gross less fee.
    AcceptDifference,
    /// The attempt ended so.
    Outcome(OutcomeRuling),
    /// Nothing came and nothing is expected any more.
    WriteOffMissing,
    /// A batch's residual is accepted.
    AcceptResidual {
        /// Minor units of the batch's currency left in clearing, as approved.
        residual: i64,
    },
    /// A file is used without its rejected rows.
    AcceptRows,
    /// Nothing needs doing while the evidence is this.
    Dismissed {
        /// The case's facts, hashed by the engine, when it was dismissed.
        evidence: String,
        /// Of days without a file, the last one that the case showed: none from its first to this one is
        /// asked about again, whatever becomes known of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Day>,
    },
}

/// A person's word on an attempt, with what they knew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeRuling {
    /// Succeeded, rejected or absent.
    pub outcome: Outcome,
    /// Natural names of the lines and reports (`report:<outcome>`) that were shown: they do not
    /// contest the ruling; anything else does.
    #[serde(default)]
    pub seen: BTreeSet<String>,
}

/// The rulings in force about one line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineRulings {
    /// Of [`RulingSubject::Line`].
    pub identity: Option<Ruling>,
    /// Of [`RulingSubject::Figures`].
    pub figures: Option<Ruling>,
    /// Whether [`RulingSubject::Difference`] has a ruling.
    pub difference_accepted: bool,
}

/// The rulings in force about one attempt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AttemptRulings {
    /// Of [`RulingSubject::Attempt`].
    pub outcome: Option<OutcomeRuling>,
    /// Whether [`RulingSubject::Missing`] has a ruling.
    pub written_off: bool,
    /// Whether [`RulingSubject::External`] has a ruling.
    pub external: bool,
}

impl fmt::Display for RulingSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(name) => write!(f, "line:{name}"),
            Self::Figures(name) => write!(f, "figures:{name}"),
            Self::Difference(name) => write!(f, "difference:{name}"),
            Self::Attempt(id) => write!(f, "attempt:{id}"),
            Self::Missing(id) => write!(f, "missing:{id}"),
            Self::External(id) => write!(f, "external:{id}"),
            Self::Batch(id) => write!(f, "batch:{id}"),
            Self::File(hash) => write!(f, "file:{hash}"),
            Self::Case(kind, subject) => write!(f, "case:{kind}:{subject}"),
        }
    }
}

/// A text that is no ruling's subject.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not the subject of a ruling")]
pub struct NotASubject(pub String);

impl std::str::FromStr for RulingSubject {
    type Err = NotASubject;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || NotASubject(text.chars().take(80).collect());
        let (what, rest) = text.split_once(':').ok_or_else(wrong)?;
        let line = || rest.parse::<LineName>().map_err(|_| wrong());
        Ok(match what {
            "line" => Self::Line(line()?),
            "figures" => Self::Figures(line()?),
            "difference" => Self::Difference(line()?),
            "attempt" => Self::Attempt(rest.to_owned()),
            "missing" => Self::Missing(rest.to_owned()),
            "external" => Self::External(rest.to_owned()),
            "batch" => Self::Batch(rest.to_owned()),
            "file" => Self::File(rest.to_owned()),
            "case" => {
                let (kind, subject) = rest.split_once(':').ok_or_else(wrong)?;
                Self::Case(kind.parse().map_err(|_| wrong())?, subject.to_owned())
            }
            _ => return Err(wrong()),
        })
    }
}

impl LineRulings {
    /// Takes in a ruling that storage found for this line. Others are left aside.
    pub fn set(&mut self, ruling: Ruling) {
        match ruling {
            Ruling::MatchTo { .. } | Ruling::External | Ruling::Correct { .. } => {
                self.identity = Some(ruling);
            }
            Ruling::AcceptVariance | Ruling::WriteOff { .. } => self.figures = Some(ruling),
            Ruling::AcceptDifference => self.difference_accepted = true,
            _ => {}
        }
    }

    /// The shares that a person gave this line, if one did.
    pub fn shares(&self) -> Option<&[Share]> {
        match &self.identity {
            Some(Ruling::MatchTo { shares, .. }) => Some(shares),
            _ => None,
        }
    }

    /// Whether a person put this line outside of our payments.
    pub fn is_outside(&self) -> bool {
        matches!(
            self.identity,
            Some(Ruling::External | Ruling::Correct { .. })
        )
    }
}

impl AttemptRulings {
    /// Takes in a ruling that storage found for this attempt. Others are left aside.
    pub fn set(&mut self, ruling: Ruling) {
        match ruling {
            Ruling::Outcome(outcome) => self.outcome = Some(outcome),
            Ruling::WriteOffMissing => self.written_off = true,
            Ruling::External => self.external = true,
            _ => {}
        }
    }

    /// Whether the ruling on the outcome was given with this piece of evidence in view.
    pub fn has_seen(&self, evidence: &str) -> bool {
        self.outcome
            .as_ref()
            .is_some_and(|ruling| ruling.seen.contains(evidence))
    }
}
