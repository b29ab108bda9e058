//! What the registry answers to payment workers. Amounts are major-decimal strings.

use super::intent::{AttemptView, IntentPage, Position};
use crate::{
    payment::{Direction, IntentState, LossPolicy, Outcome},
    payments_file::PaymentRow,
    time::Instant,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An intent as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntentAnswer {
    /// Its id.
    pub id: String,
    /// What every attempt of it is one execution of; never changes.
    pub operation_id: String,
    /// What the company calls it towards others.
    pub merchant_reference: String,
    /// The company's word.
    pub operation: String,
    /// Major units.
    pub amount: String,
    /// ISO 4217.
    pub currency: String,
    /// Which way.
    pub direction: Direction,
    /// Who pays or is paid, or empty.
    pub counterparty: String,
    /// When it was registered.
    pub created_at: Instant,
    /// How it stands.
    pub state: IntentState,
    /// Its version: what the next call has to name.
    pub version: i64,
    /// What unknown does.
    pub loss_policy: LossPolicy,
    /// The company's own notes.
    pub metadata: BTreeMap<String, String>,
    /// Its attempts, first first.
    pub attempts: Vec<AttemptAnswer>,
    /// Where its money stands.
    pub position: PositionAnswer,
    /// What came of it in other currencies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_currencies: Vec<ForeignPosition>,
}

/// Where money stands in another currency than the intent's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignPosition {
    /// The currency.
    pub currency: String,
    /// In major units of it.
    #[serde(flatten)]
    pub position: PositionAnswer,
}

/// One attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptAnswer {
    /// Its id.
    pub attempt_id: String,
    /// From 1, within the intent.
    pub attempt_no: i64,
    /// The provider account's name.
    pub provider: String,
    /// The key that is sent.
    pub idempotency_key: String,
    /// The provider's id, or empty.
    pub provider_payment_id: String,
    /// When the call began.
    pub started_at: Instant,
    /// When it ended.
    pub finished_at: Option<Instant>,
    /// How it stands.
    pub outcome: Outcome,
    /// The provider's error code, or empty.
    pub error_code: String,
}

/// Where money stands, in major units of the intent's currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionAnswer {
    /// Captured, or paid out.
    pub captured: String,
    /// Given back.
    pub refunded: String,
    /// Taken back by disputes, less what was won.
    pub charged_back: String,
    /// Fees.
    pub fees: String,
    /// What is left.
    pub net: String,
}

/// The right to try, for a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimAnswer {
    /// The new attempt's id.
    pub attempt_id: String,
    /// From 1, within the intent.
    pub attempt_no: i64,
    /// The key to send to the provider.
    pub idempotency_key: String,
    /// Until when a report is awaited; afterwards the outcome counts as unknown.
    pub lease_expires_at: Instant,
    /// The intent's version: what the report has to name.
    pub version: i64,
    /// The intent's state.
    pub state: IntentState,
}

/// How an intent stands, for somebody who was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Current {
    /// Its state.
    pub state: IntentState,
    /// Its version.
    pub version: i64,
}

/// How a report was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportAnswer {
    /// `recorded`, or `recorded_as_evidence`.
    pub result: ReportResult,
    /// The attempt.
    pub attempt_id: String,
    /// How the attempt stands.
    pub outcome: Outcome,
    /// How the intent stands.
    pub state: IntentState,
    /// The intent's version.
    pub version: i64,
    /// The same again, where a refused call has it.
    pub current: Current,
}

crate::coded_enum! {
    /// What became of a report.
    pub enum ReportResult as "report result" {
        /// It was the answer that the attempt waited for.
        Recorded = "recorded",
        /// It came late or named another version: it is kept and judged as evidence.
        RecordedAsEvidence = "recorded_as_evidence",
    }
}

impl IntentAnswer {
    /// An intent that was registered just now.
    pub fn of_new(row: &PaymentRow, metadata: BTreeMap<String, String>) -> Self {
        let nothing = crate::money::Money::new(0, row.amount.currency).major();
        Self {
            id: row.intent_id.clone(),
            operation_id: row.intent_id.clone(),
            merchant_reference: row.merchant_reference.clone(),
            operation: row.operation.clone(),
            amount: row.amount.major(),
            currency: row.amount.currency.to_string(),
            direction: row.direction,
            counterparty: row.counterparty.clone(),
            created_at: row.created_at,
            state: IntentState::Pending,
            version: 1,
            loss_policy: row.loss_policy,
            metadata,
            attempts: Vec::new(),
            position: PositionAnswer {
                captured: nothing.clone(),
                refunded: nothing.clone(),
                charged_back: nothing.clone(),
                fees: nothing.clone(),
                net: nothing,
            },
            other_currencies: Vec::new(),
        }
    }

    /// What the page of an intent shows, for a program.
    pub fn of_page(page: IntentPage, metadata: BTreeMap<String, String>) -> Self {
        Self {
            operation_id: page.intent.id.clone(),
            id: page.intent.id,
            merchant_reference: page.intent.merchant_reference,
            operation: page.intent.operation,
            amount: page.intent.amount.major(),
            currency: page.intent.amount.currency.to_string(),
            direction: page.intent.direction,
            counterparty: page.counterparty,
            created_at: page.intent.created_at,
            state: page.intent.state,
            version: page.version,
            loss_policy: page.loss_policy,
            metadata,
            attempts: page.attempts.into_iter().map(Into::into).collect(),
            position: page.position.into(),
            other_currencies: page
                .other_currencies
                .into_iter()
                .map(|position| ForeignPosition {
                    currency: position.net.currency.to_string(),
                    position: position.into(),
                })
                .collect(),
        }
    }
}

impl From<AttemptView> for AttemptAnswer {
    fn from(attempt: AttemptView) -> Self {
        Self {
            attempt_id: attempt.id,
            attempt_no: attempt.number,
            provider: attempt.account,
            idempotency_key: attempt.idempotency_key,
            provider_payment_id: attempt.provider_payment_id,
            started_at: attempt.started_at,
            finished_at: attempt.finished_at,
            outcome: attempt.outcome,
            error_code: attempt.error_code,
        }
    }
}

impl From<Position> for PositionAnswer {
    fn from(position: Position) -> Self {
        Self {
            captured: position.captured.major(),
            refunded: position.refunded.major(),
            charged_back: position.charged_back.major(),
            fees: position.fees.major(),
            net: position.net.major(),
        }
    }
}
