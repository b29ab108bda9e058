//! What a decision is judged by: the case as it stands and the payments that it names.

use super::alone::alone_before;
use crate::{
    Error,
    derive::{
        line_name,
        load::{Loaded, Seeds, load},
    },
    odd_rows,
    storage::{Tx, cases::StoredCase, decisions, files, matching, stored, tx::Connected},
};
use domain::{
    cases::{CaseFacts, CaseKind, DecisionParams, Moved, Target},
    line::RowKind,
    matching::{LineName, judgement::Movement},
    money::Money,
};
use sha2::{Digest, Sha256};
use std::collections::{BTreeSet, HashMap};

/// Rows that one decision takes; of more the case asks again.
const MOST_ROWS: usize = 10_000;

/// A case with its facts read.
pub struct Context {
    pub kind: CaseKind,
    pub facts: CaseFacts,
    /// SHA-256 of the facts as stored, in hex.
    pub evidence: String,
    pub at_risk: Option<Money>,
    /// Payments that params or facts name.
    pub loaded: Loaded,
    /// Rows that wait for the decision: of unknown kind and not placed, or of a net that is off and not
    /// accepted.
    pub waiting_rows: Vec<LineName>,
    /// What whoever decides decided alone about the same thing before.
    pub alone_before: Moved,
    /// What is matched of an intent's movement, where anything is.
    pub matched: HashMap<(i64, String), i64>,
}

/// Reads a case and the payments that could be meant, for a person who decides.
pub async fn read(
    tx: &mut Tx,
    case: &StoredCase,
    params: &DecisionParams,
    who: Option<i64>,
) -> Result<Context, Error> {
    read_on(&mut *tx, case, params, who).await
}

/// The same on any connection.
pub async fn read_on(
    mut tx: impl Connected,
    case: &StoredCase,
    params: &DecisionParams,
    who: Option<i64>,
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
    let named: Vec<i64> = by_id.into_iter().map(|i| i.id).collect();
    let alone_before = match who {
        Some(person) => {
            let mut meant = meant(&mut tx, &facts, params).await?;
            meant.extend(named.iter().copied().chain(case.intent_id));
            alone_before(&mut tx, case, &meant, person).await?
        }
        None => Moved::default(),
    };
    intents.extend(named);
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
    let waiting_rows = waiting_rows(&mut tx, case, kind).await?;
    Ok(Context {
        kind,
        waiting_rows,
        alone_before,
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

/// The payments that a decision is about by its attempts: those that were chosen, or the only candidate.
async fn meant(
    tx: impl Connected,
    facts: &CaseFacts,
    params: &DecisionParams,
) -> Result<BTreeSet<i64>, Error> {
    let mut attempts: BTreeSet<&str> = params.shares.iter().map(|s| s.attempt.as_str()).collect();
    if let ([only], true) = (facts.candidates.as_slice(), params.shares.is_empty()) {
        attempts.insert(&only.attempt);
    }
    attempts.insert(&facts.attempt);
    attempts.remove("");
    let found = decisions::intents_of_attempts(tx, attempts.into_iter()).await?;
    Ok(found.into_iter().collect())
}

async fn waiting_rows(
    mut tx: impl Connected,
    case: &StoredCase,
    kind: CaseKind,
) -> Result<Vec<LineName>, Error> {
    let of_odd = |lines: Vec<files::OddLine>, currency: &str| -> Vec<LineName> {
        lines
            .iter()
            .filter(|l| l.currency == currency)
            .map(|l| line_name(&l.sha256, l.line_no))
            .take(MOST_ROWS)
            .collect()
    };
    let currency = case.subject.rsplit(':').next().unwrap_or_default();
    Ok(match (kind, case.file_id, case.batch_id) {
        (CaseKind::UnrecognisedRows, Some(file), _) => {
            files::unplaced(&mut tx, case.account_id, file)
                .await?
                .iter()
                .map(|(sha256, line_no)| line_name(sha256, *line_no))
                .collect()
        }
        (CaseKind::BatchOutOfBalance, Some(file), _) => {
            of_odd(odd_rows::of_file(&mut tx, file).await?, currency)
        }
        (CaseKind::BatchOutOfBalance, None, Some(batch)) => {
            let batches = files::batches(&mut tx, std::iter::once(batch)).await?;
            let mut rows = Vec::new();
            for batch in batches
                .iter()
                .filter(|b| b.odd_rows > 0 && b.currency == currency)
            {
                rows.extend(of_odd(odd_rows::of_batch(&mut tx, batch).await?, currency));
            }
            rows
        }
        _ => Vec::new(),
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
