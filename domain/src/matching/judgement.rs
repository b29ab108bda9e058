//! What judging gives: to be compared with what stands, and only differences written.

use super::explanation::Explanation;
use crate::{
    cases::WantedCase,
    coded_enum,
    line::{Rule, Verdict},
    money::Money,
    payment::Outcome,
    posting::Disposition,
};

coded_enum! {
    /// What kind of money movement of an intent a line is counted in.
    pub enum Movement as "movement" {
        /// The intent's own money: captures of a charge, disbursements of a payout.
        Capture = "capture",
        /// Money given back: refund rows, also those of a refund intent.
        Refund = "refund",
        /// Money taken by a dispute.
        Chargeback = "chargeback",
    }
}

/// Part of a line that is matched to an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareOf {
    /// The intent's key.
    pub intent: i64,
    /// The attempt's key.
    pub attempt: i64,
    /// Minor units of the intent's currency, positive in the movement's own direction; negative on
    /// rows that take a movement back, zero where a person matched and nothing was open any more.
    pub amount: i64,
}

/// What became of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineJudgement {
    /// The line's key.
    pub line: i64,
    /// Exactly one verdict.
    pub verdict: Verdict,
    /// The rule that gave it.
    pub rule: Rule,
    /// The version of the policy it was given under.
    pub policy_version: i64,
    /// The intent, where one is certain, also on a conflict of figures.
    pub intent: Option<i64>,
    /// The attempt, where one is certain.
    pub attempt: Option<i64>,
    /// Which movement it counts in, where an intent is certain.
    pub movement: Option<Movement>,
    /// What is matched to whom: empty unless MATCHED. One share of the line's whole presented
    /// amount is the rule; see [`LineJudgement::needs_share_rows`].
    pub shares: Vec<ShareOf>,
    /// Where the line's contra amount stands.
    pub disposition: Disposition,
    /// Why.
    pub explanation: Explanation,
}

/// What the money says of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptJudgement {
    /// The intent's key.
    pub intent: i64,
    /// The attempt's key.
    pub attempt: i64,
    /// The outcome with reports, decisions and lines.
    pub outcome: Outcome,
    /// The line that changed it from what reports and decisions say, if one did: key of the line.
    pub cause_line: Option<i64>,
    /// What a decision wrote off because nothing came, while nothing has come; None otherwise.
    pub written_off: Option<Money>,
    /// Whether any line is tied to the attempt, MATCHED or not.
    pub has_lines: bool,
}

/// How much of an intent's movement is matched. Never more than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenFigures {
    /// The intent's key.
    pub intent: i64,
    /// Which movement.
    pub movement: Movement,
    /// What the intent allows.
    pub allowed: i64,
    /// What is matched; below zero only where more was taken back than came.
    pub matched: i64,
}

/// A provider id that a line teaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LearnedId {
    /// The attempt that it belongs to.
    pub attempt: i64,
    /// The provider account in which it is an id.
    pub account: i64,
    /// The id.
    pub id: String,
    /// The line that taught it, the first to arrive.
    pub line: i64,
}

/// Everything that follows from a world.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judgement {
    /// One for each line that names somebody, or whose kind or ruling settles it. By line key.
    pub lines: Vec<LineJudgement>,
    /// Lines that name nobody, for the residual stage. Until that they are UNMATCHED. By key.
    pub nameless: Vec<i64>,
    /// One for each attempt of each intent. By intent and attempt key.
    pub attempts: Vec<AttemptJudgement>,
    /// For each intent its main movement and those that any line is counted in; of an intent in the
    /// world, a movement that is not listed has nothing matched.
    pub open: Vec<OpenFigures>,
    /// Provider ids that lines teach.
    pub learned: Vec<LearnedId>,
    /// Cases that should be open, by kind and subject; those of these subjects that are not listed
    /// should not.
    pub cases: Vec<WantedCase>,
}

impl LineJudgement {
    /// Whether the shares say more than the line's own columns: several, or not the whole.
    pub fn needs_share_rows(&self, presented: Money) -> bool {
        match self.shares.as_slice() {
            [] => false,
            [one] => one.amount.unsigned_abs() != presented.minor.unsigned_abs(),
            _ => true,
        }
    }
}
