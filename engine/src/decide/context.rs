//! What a decision is judged by: the case as it stands and the payments that it names.

use crate::{
    Error,
    derive::{
        line_name,
        load::{Loaded, Seeds, load},
    },
    storage::{Tx, cases::StoredCase, decisions, files, matching, stored, tx::Connected},
};
use domain::{
    cases::{CaseFacts, CaseKind, DecisionParams, Target},
    line::RowKind,
    matching::{LineName, judgement::Movement},
    money::Money,
};
use sha2::{Digest, Sha256};
use std::collections::{BTreeSet, HashMap};

/// A case with its facts read.
pub struct Context {
    pub kind: CaseKind,
    pub facts: CaseFacts,
    /// SHA-256 of the facts as stored, in hex.
    pub evidence: String,
    pub at_risk: Option<Money>,
    /// Payments that params or facts name.
    pub loaded: Loaded,
    /// Rows of unknown kind that no decision placed, of the case's file.
    pub unplaced: Vec<LineName>,
    /// What is matched of an intent's movement, where anything is.
    pub matched: HashMap<(i64, String), i64>,
}

/// Reads a case and the payments that could be meant.
pub async fn read(
    tx: &mut Tx,
    case: &StoredCase,
    params: &DecisionParams,
) -> Result<Context, Error> {
    read_on(&mut *tx, case, params).await
}

/// The same on any connection.
pub async fn read_on(
    mut tx: impl Connected,
    case: &StoredCase,
    params: &DecisionParams,
) -> Result<Context, Error> {
    let facts: CaseFacts = stored::json("case_now", "facts", &case.public_id, &case.facts)?;
    let at_risk = if case.currency.is_empty() {
        None
    } else {
        let currency = stored::parse("case_now", "currency", &case.public_id, &case.currency)?;
        Some(Money::new(case.at_risk, currency))
    };
    let mut attempts: BTreeSet<&str> = params.shares.iter().map(|s| s.attempt.as_str()).collect();
    attempts.extend(facts.candidates.iter().map(|c| c.attempt.as_str()));
    attempts.insert(facts.attempt.as_str());
    attempts.remove("");
    let mut intents: BTreeSet<i64> = decisions::intents_of_attempts(&mut tx, attempts.into_iter())
        .await?
        .into_iter()
        .collect();
    let names: BTreeSet<&str> = params
        .shares
        .iter()
        .map(|s| s.intent.as_str())
        .chain([facts.intent.as_str()])
        .filter(|i| !i.is_empty())
        .collect();
    let by_id = crate::storage::payments::intents_by_public_id(&mut tx, names.into_iter()).await?;
    intents.extend(by_id.into_iter().map(|i| i.id));
    intents.extend(case.intent_id);
    let loaded = load(
        &mut tx,
        &Seeds {
            intents,
            ..Seeds::default()
        },
    )
    .await?;
    let matched = matching::open_figures(&mut tx, loaded.intents.keys().copied()).await?;
    let kind = stored::parse("case_now", "kind", &case.public_id, &case.kind)?;
    let unplaced = match case.file_id {
        Some(file) if kind == CaseKind::UnrecognisedRows => {
            files::unplaced(&mut tx, case.account_id, file).await?
        }
        _ => Vec::new(),
    };
    Ok(Context {
        kind,
        unplaced: unplaced
            .iter()
            .map(|(sha256, line_no)| line_name(sha256, *line_no))
            .collect(),
        evidence: hex::encode(Sha256::digest(case.facts.as_bytes())),
        facts,
        at_risk,
        loaded,
        matched: matched
            .into_iter()
            .map(|(intent, kind, sum)| ((intent, kind), sum))
            .collect(),
    })
}

impl Context {
    /// Every attempt that could be meant, with what is still open of it for the case's lines.
    pub fn targets(&self) -> Vec<Target<'_>> {
        let movement = movement_of(self.facts.lines.first().map(|l| l.kind));
        let mut targets = Vec::new();
        for intent in &self.loaded.world.intents {
            let sum = self
                .matched
                .get(&(intent.key, movement.code().to_owned()))
                .copied()
                .unwrap_or(0);
            let open = intent.amount.minor.saturating_sub(sum);
            targets.extend(intent.attempts.iter().map(|attempt| Target {
                intent,
                attempt,
                open,
            }));
        }
        targets
    }
}

const fn movement_of(kind: Option<RowKind>) -> Movement {
    match kind {
        Some(RowKind::Refund | RowKind::RefundReversal) => Movement::Refund,
        Some(RowKind::Chargeback | RowKind::ChargebackReversal) => Movement::Chargeback,
        _ => Movement::Capture,
    }
}
