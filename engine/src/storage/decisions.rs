//! Decisions as stored, and the rulings that those in force set.

use super::{
    Rows, StorageError, stored,
    tx::{Connected, Tx},
};
use crate::{all, exec, exec_one, opt, statements};

statements! {
    CASES_OF_RULINGS(2) = "decision/cases_of_rulings.sql";
    INSERT(15) = "decision/insert.sql";
    APPROVER(1) = "decision/approver.sql";
    INSERT_NOW(4) = "decision/insert_now.sql";
    SET_STATE(2) = "decision/set_state.sql";
    INSERT_APPROVAL(5) = "decision/insert_approval.sql";
    BY_PUBLIC_ID(1) = "decision/by_public_id.sql";
    BY_ID(1) = "decision/by_id.sql";
    OF_CASE(1) = "decision/of_case.sql";
    PUT_RULING(4) = "decision/put_ruling.sql";
    DROP_RULING(1) = "decision/drop_ruling.sql";
    RULING_ABOUT(1) = "decision/ruling_about.sql";
    RULINGS_OF(1) = "decision/rulings_of.sql", may_scan "a few rulings of one decision";
    SENT(2) = "decision/sent.sql";
    WRITE_OFF_OF_ATTEMPT(1) = "decision/write_off_of_attempt.sql";
    VOID_AWAITING(1) = "decision/void_awaiting.sql";
    LINE_BY_NAME(4) = "file/line_by_name.sql";
    ACCEPT_RESIDUAL(3) = "file/accept_residual.sql";
    GIVE_BACK_RESIDUAL(3) = "file/give_back_residual.sql";
    @rows
    TAKEN_ALONE(case_id: Int, decided_by: Int) = "decision/taken_alone.sql";
    ATTEMPT_INTENT_IDS(public_id: Text) = "payment/attempt_intent_ids.sql";
}

/// Decisions of one page of [`sent`]; it gives one more where there are more.
pub const SENT_PAGE: usize = 50;

/// A decision that needs a second person, and the answer that it got.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct SentDecision {
    pub id: i64,
    pub case_id: i64,
    pub action: String,
    pub reason_code: String,
    pub decided_at: i64,
    pub state: String,
    /// Who answered, or empty.
    pub answered_by: String,
    pub answered_at: i64,
    pub answer: String,
}

/// Decisions of a person that need a second one, newest first, before a key.
pub async fn sent(
    mut tx: impl Connected,
    person: i64,
    before: i64,
) -> Result<Vec<SentDecision>, StorageError> {
    all!(&mut tx, SentDecision, SENT, person, before)
}

/// A ruling that is in force.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct StandingRuling {
    /// What it is about.
    pub subject: String,
    /// The decision that set it.
    pub decision_id: i64,
    /// JSON.
    pub ruling: String,
    /// JSON: those that gave way to it, the latest first.
    pub beneath: String,
}

/// A ruling that gave way to a later one about the same subject.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RulingBeneath {
    /// The decision that set it.
    pub decision: i64,
    /// JSON.
    pub ruling: String,
}

impl StandingRuling {
    /// Those that gave way to it, the latest first.
    pub fn beneath(&self) -> Result<Vec<RulingBeneath>, StorageError> {
        stored::json("ruling_now", "beneath", &self.subject, &self.beneath)
    }
}

/// A decision and how it stands.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct StoredDecision {
    pub id: i64,
    pub public_id: String,
    pub case_id: i64,
    pub case_version: i64,
    pub evidence_version: i64,
    pub action: String,
    pub reason_code: String,
    pub comment: String,
    pub params: String,
    pub input_hash: Vec<u8>,
    pub needs_approval: i64,
    pub decided_by: i64,
    pub decided_at: i64,
    pub reverses: Option<i64>,
    /// AWAITING, APPLIED, REFUSED, VOID, REVERSED.
    pub state: String,
    /// The decider's address.
    pub decider: String,
    /// 1 yes, 0 no, -1 nobody was asked or answered.
    pub approved: i64,
}

/// Adds a decision with the state in which it begins.
pub async fn insert(
    tx: &mut Tx,
    d: &StoredDecision,
    evidence_hashes: &str,
) -> Result<(), StorageError> {
    exec_one!(
        tx,
        INSERT,
        d.id,
        &d.public_id,
        d.case_id,
        d.case_version,
        d.evidence_version,
        &d.action,
        &d.reason_code,
        &d.comment,
        &d.params,
        &d.input_hash,
        evidence_hashes,
        d.needs_approval,
        d.decided_by,
        d.decided_at,
        d.reverses
    )?;
    exec_one!(tx, INSERT_NOW, d.id, d.case_id, &d.state, d.decided_by)
}

/// Moves a decision to another state.
pub async fn set_state(tx: &mut Tx, decision: i64, state: &str) -> Result<(), StorageError> {
    exec_one!(tx, SET_STATE, decision, state)
}

/// Adds a second person's answer.
pub async fn insert_approval(
    tx: &mut Tx,
    decision: i64,
    approved: bool,
    comment: &str,
    by: i64,
    at: i64,
) -> Result<(), StorageError> {
    exec_one!(
        tx,
        INSERT_APPROVAL,
        decision,
        i64::from(approved),
        comment,
        by,
        at
    )
}

/// A decision by the id that its client made.
pub async fn by_public_id(
    mut tx: impl Connected,
    id: &str,
) -> Result<Option<StoredDecision>, StorageError> {
    opt!(&mut tx, StoredDecision, BY_PUBLIC_ID, id)
}

/// A decision by its key.
pub async fn by_id(
    mut tx: impl Connected,
    id: i64,
) -> Result<Option<StoredDecision>, StorageError> {
    opt!(&mut tx, StoredDecision, BY_ID, id)
}

/// The decisions of a case, oldest first.
pub async fn of_case(
    mut tx: impl Connected,
    case: i64,
) -> Result<Vec<StoredDecision>, StorageError> {
    all!(&mut tx, StoredDecision, OF_CASE, case)
}

/// A decision that no second person was needed for, and what the case showed to whoever took it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct TakenAlone {
    pub public_id: String,
    pub action: String,
    /// JSON: the case's step at that version.
    pub detail: String,
}

/// What a person decided alone about cases, as far as it is in force.
pub async fn taken_alone(
    tx: impl Connected,
    cases: impl Iterator<Item = i64>,
    person: i64,
) -> Result<Vec<TakenAlone>, StorageError> {
    let mut rows = Rows::of(&TAKEN_ALONE);
    for case in cases {
        rows.add().int(case).int(person);
    }
    rows.all(tx, &TAKEN_ALONE).await
}

/// Puts a ruling in force; one about the same subject gives way and waits beneath it.
pub async fn put_ruling(
    tx: &mut Tx,
    subject: &str,
    decision: i64,
    ruling: &str,
) -> Result<(), StorageError> {
    let mut beneath = Vec::new();
    if let Some(standing) = ruling_about(&mut *tx, subject).await? {
        beneath = standing.beneath()?;
        beneath.insert(
            0,
            RulingBeneath {
                decision: standing.decision_id,
                ruling: standing.ruling,
            },
        );
    }
    set_ruling(tx, subject, decision, ruling, &beneath).await
}

/// The ruling that is in force about a subject, if one is.
pub async fn ruling_about(
    mut tx: impl Connected,
    subject: &str,
) -> Result<Option<StandingRuling>, StorageError> {
    opt!(&mut tx, StandingRuling, RULING_ABOUT, subject)
}

/// The rulings of a decision that are in force.
pub async fn rulings_of(
    mut tx: impl Connected,
    decision: i64,
) -> Result<Vec<StandingRuling>, StorageError> {
    all!(&mut tx, StandingRuling, RULINGS_OF, decision)
}

/// Takes the rulings of a decision out of force; what gave way to them stands again.
pub async fn take_back_rulings(tx: &mut Tx, decision: i64) -> Result<(), StorageError> {
    for standing in rulings_of(&mut *tx, decision).await? {
        let mut beneath = standing.beneath()?;
        if beneath.is_empty() {
            exec_one!(tx, DROP_RULING, standing.subject)?;
        } else {
            let before = beneath.remove(0);
            let subject = &standing.subject;
            set_ruling(tx, subject, before.decision, &before.ruling, &beneath).await?;
        }
    }
    Ok(())
}

async fn set_ruling(
    tx: &mut Tx,
    subject: &str,
    decision: i64,
    ruling: &str,
    beneath: &[RulingBeneath],
) -> Result<(), StorageError> {
    let beneath = stored::to_json(&beneath)?;
    exec_one!(tx, PUT_RULING, subject, decision, ruling, beneath)
}

/// The last decision in force, or that was in force, to write off a settlement that never came: its
/// public id.
pub async fn write_off_of_attempt(
    mut tx: impl Connected,
    attempt: &str,
) -> Result<Option<String>, StorageError> {
    let subject = format!("attempt:{attempt}");
    let found = opt!(&mut tx, (String,), WRITE_OFF_OF_ATTEMPT, subject)?;
    Ok(found.map(|(id,)| id))
}

/// Voids the decision of a case that waits for a second person: the evidence changed under it.
pub async fn void_awaiting(tx: &mut Tx, case: i64) -> Result<u64, StorageError> {
    exec!(tx, VOID_AWAITING, case)
}

/// Who agreed to a decision as the second person.
pub async fn approver(
    mut tx: impl Connected,
    decision: i64,
) -> Result<Option<String>, StorageError> {
    let found = opt!(tx, (String,), APPROVER, decision)?;
    Ok(found.map(|(email,)| email))
}

/// Cases in which decisions set rulings that stand about subjects that begin so, a few: public ids.
pub async fn cases_of_rulings(
    mut tx: impl Connected,
    beginning: &str,
) -> Result<Vec<String>, StorageError> {
    // A subject goes on with digits: the character behind the colon ends what begins with it.
    let from = format!("{beginning}:");
    let until = format!("{beginning};");
    let found = all!(&mut tx, (String,), CASES_OF_RULINGS, &from, &until)?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Lines of an account's files whose hash begins so, at a line number.
pub async fn lines_by_name(
    mut tx: impl Connected,
    account: i64,
    hash_start: &[u8],
    line_no: i64,
) -> Result<Vec<i64>, StorageError> {
    let mut end = hash_start.to_vec();
    end.extend([0xff; 25]);
    let found = all!(
        &mut tx,
        (i64,),
        LINE_BY_NAME,
        account,
        hash_start,
        end,
        line_no
    )?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Takes what is left of a batch as accepted, or gives it back. False, and nothing done, where
/// another amount than this is left to accept: several acceptances add up to what the rows and the
/// payout leave, and none is counted twice.
pub async fn adjust(
    tx: &mut Tx,
    batch: i64,
    currency: &str,
    residual: i64,
    accept: bool,
) -> Result<bool, StorageError> {
    let changed = if accept {
        exec!(tx, ACCEPT_RESIDUAL, batch, currency, residual)?
    } else {
        exec!(tx, GIVE_BACK_RESIDUAL, batch, currency, residual)?
    };
    Ok(changed == 1)
}

/// The intents of attempts, by the attempts' ids.
pub async fn intents_of_attempts<'a>(
    tx: impl Connected,
    attempts: impl Iterator<Item = &'a str>,
) -> Result<Vec<i64>, StorageError> {
    let mut rows = Rows::of(&ATTEMPT_INTENT_IDS);
    for id in attempts {
        rows.add().text(id);
    }
    let found: Vec<(String, i64)> = rows.all(tx, &ATTEMPT_INTENT_IDS).await?;
    Ok(found.into_iter().map(|(_, intent)| intent).collect())
}
