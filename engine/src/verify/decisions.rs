//! Every decision stands as its answer and its reversal say, and the rulings in force are those of
//! the decisions in force.

use crate::{
    Error,
    decide::rulings_of,
    storage::{
        Reader,
        decisions::StandingRuling,
        stored,
        verify::{self, DecisionRow},
    },
};
use domain::matching::{Ruling, RulingSubject};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The order in which decisions and answers were written: the batch of leaves of their transaction.
#[derive(Debug, Default)]
pub struct Order {
    /// Of decisions, by key.
    pub decided: HashMap<i64, i64>,
    /// Of answers, by key of the decision.
    pub answered: HashMap<i64, i64>,
}

/// What happens to rulings, in the order in which it happened.
enum Move {
    Set(Vec<(String, Ruling)>),
    TakeBack(i64),
}

/// The first decision or ruling that stands otherwise than its history says.
pub async fn decisions(reader: &mut Reader, order: &Order) -> Result<Option<String>, Error> {
    let mut moves: BTreeMap<(i64, i64), Move> = BTreeMap::new();
    let mut names: HashMap<i64, String> = HashMap::new();
    let mut reversed: HashSet<i64> = HashSet::new();
    let mut standing: Vec<Standing> = Vec::new();
    let mut after = i64::MIN;
    loop {
        let decisions = verify::decisions_after(&mut *reader, after).await?;
        let Some(last) = decisions.last() else { break };
        after = last.id;
        for decision in decisions {
            if let Some(wrong) = wrong_columns(&decision) {
                return Ok(Some(wrong));
            }
            if applied(&decision) {
                let at = match decision.approved {
                    Some(_) => order.answered.get(&decision.id),
                    None => order.decided.get(&decision.id),
                };
                let at = (at.copied().unwrap_or(i64::MAX), decision.id);
                if let Some(old) = decision.reverses {
                    reversed.insert(old);
                    moves.insert(at, Move::TakeBack(old));
                } else {
                    let rulings = rulings_of(&decision.public_id, &decision.params)?;
                    if !rulings.is_empty() {
                        names.insert(decision.id, decision.public_id.clone());
                        moves.insert(at, Move::Set(rulings));
                    }
                }
            }
            standing.push(Standing::of(&decision));
        }
    }
    for decision in standing {
        let history = decision.history(&reversed);
        if decision.state != history {
            return Ok(Some(format!(
                "decision {} stands as {}, its history says {history}",
                decision.name, decision.state
            )));
        }
    }
    let accepted = accepted(&moves, &reversed);
    let in_force = replay(moves);
    if let Some(wrong) = wrong_ruling(reader, &in_force, &names).await? {
        return Ok(Some(wrong));
    }
    wrong_batch(reader, accepted).await
}

const fn applied(decision: &DecisionRow) -> bool {
    match decision.approved {
        Some(approved) => approved == 1,
        None => decision.needs_approval == 0,
    }
}

fn wrong_columns(d: &DecisionRow) -> Option<String> {
    if d.state_now.is_none() {
        return Some(format!(
            "decision {} stands as nothing, though it was taken",
            d.public_id
        ));
    }
    if d.case_now != Some(d.case_id) || d.decided_by_now != Some(d.decided_by) {
        return Some(format!(
            "decision {} stands as that of another case or person than its history says",
            d.public_id
        ));
    }
    None
}

/// A decision's state as it stands, and what its history needs to tell it.
struct Standing {
    id: i64,
    name: String,
    state: String,
    applied: bool,
    refused: bool,
    /// Nothing happened to the case since the decision.
    waits: bool,
}

impl Standing {
    fn of(d: &DecisionRow) -> Self {
        Self {
            id: d.id,
            name: d.public_id.clone(),
            state: d.state_now.clone().unwrap_or_default(),
            applied: applied(d),
            refused: d.approved == Some(0),
            waits: d.case_version.checked_add(1) == Some(d.last_version),
        }
    }

    fn history(&self, reversed: &HashSet<i64>) -> &'static str {
        match self {
            Self { id, .. } if reversed.contains(id) => "REVERSED",
            Self { applied: true, .. } => "APPLIED",
            Self { refused: true, .. } => "REFUSED",
            Self { waits: true, .. } => "AWAITING",
            // New evidence, or the decider, ended the waiting.
            _ => "VOID",
        }
    }
}

/// The rulings about each subject, the one in force last: it stands above those that gave way to it.
type Rulings = BTreeMap<String, Vec<(i64, Ruling)>>;

/// A ruling about a subject gives way to the next one and stands again when that is taken back.
fn replay(moves: BTreeMap<(i64, i64), Move>) -> Rulings {
    let mut stacks = Rulings::new();
    for ((_, decision), change) in moves {
        match change {
            Move::Set(rulings) => {
                for (subject, ruling) in rulings {
                    stacks.entry(subject).or_default().push((decision, ruling));
                }
            }
            Move::TakeBack(old) => {
                for stack in stacks.values_mut() {
                    if stack.last().is_some_and(|(decision, _)| *decision == old) {
                        stack.pop();
                    }
                }
            }
        }
    }
    stacks.retain(|_, stack| !stack.is_empty());
    stacks
}

async fn wrong_ruling(
    reader: &mut Reader,
    in_force: &Rulings,
    names: &HashMap<i64, String>,
) -> Result<Option<String>, Error> {
    let name = |decision: i64| {
        names
            .get(&decision)
            .map_or("of no decision in force", String::as_str)
    };
    let mut found = 0;
    let mut after = String::new();
    loop {
        let rulings = verify::rulings_after(&mut *reader, &after).await?;
        let Some(last) = rulings.last() else { break };
        after.clone_from(&last.subject);
        for standing in rulings {
            found += 1;
            let subject = &standing.subject;
            let Some(history) = in_force.get(subject) else {
                return Ok(Some(format!(
                    "a ruling about {subject} stands (decision {}), its history knows of none in force",
                    name(standing.decision_id)
                )));
            };
            if stack(&standing)? != *history {
                let by = history.last().map_or(0, |(decision, _)| *decision);
                return Ok(Some(format!(
                    "the ruling about {subject} is not that of decision {}, which is in force, or not above those that gave way to it",
                    name(by)
                )));
            }
        }
    }
    if found == in_force.len() {
        return Ok(None);
    }
    for (subject, history) in in_force {
        if !verify::ruling_of(&mut *reader, subject).await? {
            let by = history.last().map_or(0, |(decision, _)| *decision);
            return Ok(Some(format!(
                "the ruling about {subject} of decision {} is gone, though it is in force",
                name(by)
            )));
        }
    }
    Ok(None)
}

/// A ruling as it stands and those beneath it, itself last.
fn stack(standing: &StandingRuling) -> Result<Vec<(i64, Ruling)>, Error> {
    let read = |text: &str| -> Result<Ruling, Error> {
        Ok(stored::json(
            "ruling_now",
            "ruling",
            &standing.subject,
            text,
        )?)
    };
    let mut stack = vec![(standing.decision_id, read(&standing.ruling)?)];
    for beneath in standing.beneath()? {
        stack.push((beneath.decision, read(&beneath.ruling)?));
    }
    stack.reverse();
    Ok(stack)
}

/// What decisions in force accept of each batch: several add up.
fn accepted(moves: &BTreeMap<(i64, i64), Move>, reversed: &HashSet<i64>) -> BTreeMap<String, i128> {
    let mut sums: BTreeMap<String, i128> = BTreeMap::new();
    for ((_, decision), change) in moves {
        let Move::Set(rulings) = change else { continue };
        if reversed.contains(decision) {
            continue;
        }
        for (subject, ruling) in rulings {
            if let Ruling::AcceptResidual { residual } = ruling {
                *sums.entry(subject.clone()).or_default() += i128::from(*residual);
            }
        }
    }
    sums
}

/// A batch stands as adjusted by as much as the decisions in force accept.
async fn wrong_batch(
    reader: &mut Reader,
    mut accepted: BTreeMap<String, i128>,
) -> Result<Option<String>, Error> {
    for (provider, batch, currency, adjusted) in verify::adjusted_batches(reader).await? {
        let subject = RulingSubject::Batch(format!("{provider}:{batch}:{currency}")).to_string();
        let sum = accepted.remove(&subject).unwrap_or(0);
        if sum != i128::from(adjusted) {
            return Ok(Some(format!(
                "batch {batch} of {provider} in {currency} stands as adjusted by {adjusted} minor units, decisions in force accept {sum}"
            )));
        }
    }
    let missing = accepted.into_iter().find(|(_, sum)| *sum != 0);
    Ok(missing.map(|(subject, sum)| {
        format!("{subject} does not stand as adjusted, though decisions in force accept {sum} minor units")
    }))
}
