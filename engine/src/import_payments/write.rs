//! Loads what a chunk names and writes what was decided.

use super::{
    ImportedFile, PaymentsImport,
    held::Held,
    plan::{AttemptRef, Effect, IntentRef, Known, NumberedRow, Plan, StoredRows, Update},
};
use crate::{
    Engine, Error, audit,
    evidence_store::Stored,
    in_tx,
    seal::Leaves,
    storage::{
        Rows, StorageError, Tx, accounts,
        counter::allocate,
        imports,
        payments::{self, AttemptNumber, IntentChange, IntentVersion, Permit},
        registry,
        tx::Connected,
    },
};
use domain::{
    actor::Actor,
    matching::keys::normalise,
    payment::{IntentState, Outcome, intent_state},
    payments_file::{AttemptRow, PaymentRow},
    seal::{
        Text,
        records::{
            AttemptEventRecord, AttemptRecord, EvidenceRecord, IntentEventRecord, IntentRecord,
            acted_at_of_cause,
        },
    },
    time::Instant,
};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What is stored of the intents and attempts that rows name.
pub async fn load(mut tx: impl Connected, rows: &[NumberedRow]) -> Result<StoredRows, Error> {
    let accounts = accounts::all(&mut tx).await?;
    let intent_ids: HashSet<&str> = rows.iter().map(|r| r.row.intent_id.as_str()).collect();
    let intents = payments::intents_by_public_id(&mut tx, intent_ids.into_iter()).await?;
    let attempt_ids: HashSet<&str> = rows
        .iter()
        .filter_map(|r| r.row.attempt.as_ref())
        .map(|a| a.attempt_id.as_str())
        .collect();
    let attempts = payments::attempts_by_public_id(&mut tx, attempt_ids.into_iter()).await?;
    let changed = attempts.iter().filter(|a| a.seq > 0).map(|a| a.id);
    let last: HashMap<i64, payments::LastReport> = payments::last_reports(&mut tx, changed)
        .await?
        .into_iter()
        .map(|report| (report.attempt_id, report))
        .collect();
    let numbers = payments::attempt_numbers(&mut tx, intents.iter().map(|i| i.id)).await?;
    let accounts: HashMap<String, i64> = accounts.into_values().map(|a| (a.name, a.id)).collect();
    let held = Held::of(
        holders(&mut tx, rows, &accounts, Held::id_of, HeldText::Id).await?,
        holders(&mut tx, rows, &accounts, Held::key_of, HeldText::Key).await?,
    );
    Ok(StoredRows {
        accounts,
        held,
        attempts: attempts
            .iter()
            .map(|a| Ok((a.public_id.clone(), Known::of(a, last.get(&a.id))?)))
            .collect::<Result<_, StorageError>>()?,
        intents: intents
            .into_iter()
            .map(|i| (i.public_id.clone(), i))
            .collect(),
        numbers: numbers
            .into_iter()
            .map(|n| ((IntentRef::Stored(n.intent_id), n.number), n.public_id))
            .collect(),
    })
}

/// Which of two things is looked up.
#[derive(Clone, Copy)]
enum HeldText {
    Id,
    Key,
}

/// Who holds the provider ids, or the idempotency keys, that rows name.
async fn holders(
    tx: impl Connected,
    rows: &[NumberedRow],
    accounts: &HashMap<String, i64>,
    text: impl Fn(&AttemptRow) -> &str,
    what: HeldText,
) -> Result<Vec<payments::Holder>, StorageError> {
    let named: HashSet<(i64, &str)> = rows
        .iter()
        .filter_map(|r| r.row.attempt.as_ref())
        .filter_map(|a| Some((*accounts.get(&a.provider)?, text(a))))
        .filter(|(_, text)| !text.is_empty())
        .collect();
    match what {
        HeldText::Id => payments::holders_of_ids(tx, named.into_iter()).await,
        HeldText::Key => payments::holders_of_keys(tx, named.into_iter()).await,
    }
}

/// Ids of the new rows of a plan: the first of each table.
struct Ids {
    intents: i64,
    attempts: i64,
}

impl Ids {
    fn intent(&self, at: IntentRef) -> i64 {
        match at {
            IntentRef::Stored(id) => id,
            IntentRef::New(n) => self.intents + i64::try_from(n).unwrap_or(i64::MAX),
        }
    }

    fn attempt(&self, at: AttemptRef) -> i64 {
        match at {
            AttemptRef::Stored(id) => id,
            AttemptRef::New(n) => self.attempts + i64::try_from(n).unwrap_or(i64::MAX),
        }
    }
}

/// Where intents, attempts and reports come from, as the records name it.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// How the intents were registered: import, api.
    pub source: &'static str,
    /// What events name as the cause: the import, or whose report it was.
    pub cause: &'a str,
    /// What evidence names as its source.
    pub evidence: &'a str,
    /// Free text that came with a report, or empty.
    pub detail: &'a str,
    /// The payments file that the rows stand in, if they do in one.
    pub file: Option<&'a ImportedFile>,
    /// Whether the caller holds the intents that it moves, and judges what was reported of them in the
    /// same unit of work. An import leaves word instead, and until that is drained its intents stand as
    /// the reports alone say.
    pub judges: bool,
}

impl<'a> Origin<'a> {
    /// A payment worker at the API, by the name that history shows.
    pub const fn api(name: &'a str) -> Self {
        Self {
            source: "api",
            cause: name,
            evidence: name,
            detail: "",
            file: None,
            judges: true,
        }
    }
}

/// A payments CSV.
pub const IMPORT: Origin<'static> = Origin {
    source: "import",
    cause: "import",
    evidence: "payments import",
    detail: "",
    file: None,
    judges: false,
};

/// Writes a plan and says which intents moved. Where one of its new things is stored already, the
/// uniqueness of ids refuses it.
pub async fn write(
    engine: &Engine,
    tx: &mut Tx,
    plan: &Plan,
    origin: &Origin<'_>,
) -> Result<Vec<IntentChange>, Error> {
    if plan.intents.is_empty() && plan.attempts.is_empty() && plan.updates.is_empty() {
        return Ok(Vec::new());
    }
    let now = engine.now();
    let mut leaves = Leaves::begin(tx, &engine.sources).await?;
    let ids = Ids {
        intents: allocate(&mut *tx, "intent", plan.intents.len() as u64).await?,
        attempts: allocate(&mut *tx, "attempt", plan.attempts.len() as u64).await?,
    };
    let names = account_names(tx).await?;
    let intents = IntentNames::of(tx, plan).await?;
    let new = NewRows::make(plan, &ids, &names, &intents, origin, &mut leaves)?;
    new.write(tx).await?;
    write_updates(tx, plan, &ids, &names, now, origin, &mut leaves).await?;
    let moved = write_versions(tx, plan, now, origin, &mut leaves).await?;
    note_file(tx, plan, &ids, origin).await?;
    leave_word(tx, plan, &ids, &names).await?;
    leaves.write(tx).await?;
    Ok(moved)
}

/// Rows of new intents and attempts.
struct NewRows {
    intents: Rows,
    attempts: Rows,
    keys: Rows,
    open: Rows,
}

impl NewRows {
    fn make(
        plan: &Plan,
        ids: &Ids,
        names: &HashMap<i64, String>,
        intents: &IntentNames,
        origin: &Origin<'_>,
        leaves: &mut Leaves,
    ) -> Result<Self, Error> {
        let mut keys = payments::intent_key_rows();
        Ok(Self {
            intents: intent_rows(plan, ids, origin, &mut keys, leaves),
            attempts: attempt_rows(plan, ids, names, intents, &mut keys, leaves)?,
            open: open_rows(plan, ids),
            keys,
        })
    }

    async fn write(self, tx: &mut Tx) -> Result<(), StorageError> {
        self.intents.insert_into(tx, "intent").await?;
        self.attempts.insert_into(tx, "attempt").await?;
        payments::put_intent_keys(tx, &self.keys).await?;
        payments::put_attempt_now(tx, &self.open).await
    }
}

/// What the rows of a chunk are made with, taken in the unit of work that writes them.
pub struct Ground {
    ids: Ids,
    /// Names of provider accounts.
    names: HashMap<i64, String>,
    leaves: Leaves,
    now: Instant,
}

/// Takes numbers for everything that rows may add. Those of rows that are refused stay unused.
pub async fn prepare(
    engine: &Engine,
    tx: &mut Tx,
    rows: &[NumberedRow],
    stored: &StoredRows,
) -> Result<Ground, Error> {
    let intents: HashSet<&str> = rows
        .iter()
        .map(|r| r.row.intent_id.as_str())
        .filter(|id| !stored.intents.contains_key(*id))
        .collect();
    let attempts: HashSet<&str> = rows
        .iter()
        .filter_map(|r| r.row.attempt.as_ref())
        .map(|a| a.attempt_id.as_str())
        .filter(|id| !stored.attempts.contains_key(*id))
        .collect();
    Ok(Ground {
        leaves: Leaves::begin(tx, &engine.sources).await?,
        ids: Ids {
            intents: numbers(tx, "intent", intents.len()).await?,
            attempts: numbers(tx, "attempt", attempts.len()).await?,
        },
        names: account_names(tx).await?,
        now: engine.now(),
    })
}

async fn account_names(tx: &mut Tx) -> Result<HashMap<i64, String>, StorageError> {
    let accounts = accounts::all(tx).await?;
    Ok(accounts.into_values().map(|a| (a.id, a.name)).collect())
}

/// The first of some new numbers, if any are wanted.
async fn numbers(tx: &mut Tx, table: &'static str, count: usize) -> Result<i64, StorageError> {
    if count == 0 {
        return Ok(0);
    }
    allocate(tx, table, count as u64).await
}

/// A plan of an import with the rows and leaves of what it adds.
pub struct Made {
    plan: Plan,
    ground: Ground,
    rows: NewRows,
}

/// Decides what rows of an import mean and makes what is to be written: work for a thread of its own.
pub fn make(mut ground: Ground, rows: Vec<NumberedRow>, stored: StoredRows) -> Result<Made, Error> {
    let intents = IntentNames::stored(&stored);
    let plan = Plan::make(rows, stored);
    let Ground {
        ids, names, leaves, ..
    } = &mut ground;
    Ok(Made {
        rows: NewRows::make(&plan, ids, names, &intents, &IMPORT, leaves)?,
        plan,
        ground,
    })
}

impl Made {
    /// Writes everything. Where a new thing is stored already, the uniqueness of ids refuses it.
    pub async fn write(self, tx: &mut Tx, origin: &Origin<'_>) -> Result<Plan, Error> {
        let Self { plan, ground, rows } = self;
        if plan.intents.is_empty() && plan.attempts.is_empty() && plan.updates.is_empty() {
            return Ok(plan);
        }
        let Ground {
            ids,
            names,
            mut leaves,
            now,
        } = ground;
        rows.write(tx).await?;
        write_updates(tx, &plan, &ids, &names, now, origin, &mut leaves).await?;
        write_versions(tx, &plan, now, origin, &mut leaves).await?;
        note_file(tx, &plan, &ids, origin).await?;
        leave_word(tx, &plan, &ids, &names).await?;
        leaves.write(tx).await?;
        Ok(plan)
    }
}

fn intent_rows(
    plan: &Plan,
    ids: &Ids,
    origin: &Origin<'_>,
    keys: &mut Rows,
    leaves: &mut Leaves,
) -> Rows {
    let mut rows = payments::intent_rows();
    for (id, row) in (ids.intents..).zip(&plan.intents) {
        rows.add()
            .int(id)
            .text(&row.intent_id)
            .text(&row.merchant_reference)
            .text(&row.operation)
            .int(row.amount.minor)
            .text(row.amount.currency.as_str())
            .text(row.direction.code())
            .text(&row.counterparty)
            .int(row.created_at.micros())
            .text(row.loss_policy.code())
            .text(origin.source);
        for text in [&row.intent_id, &row.merchant_reference] {
            let key = normalise(text);
            if key != *text && !key.is_empty() {
                keys.add().text(&key).int(id);
            }
        }
        leaves.push(id, &intent_record(row, origin));
    }
    rows
}

fn intent_record<'a>(row: &'a PaymentRow, origin: &Origin<'a>) -> IntentRecord<'a> {
    IntentRecord {
        intent: &row.intent_id,
        merchant_reference: &row.merchant_reference,
        operation: &row.operation,
        amount: row.amount.minor,
        currency: row.amount.currency.as_str(),
        direction: row.direction.code(),
        counterparty: Text::Plain(&row.counterparty),
        created_at: row.created_at.micros(),
        loss_policy: row.loss_policy.code(),
        source: origin.source,
    }
}

fn attempt_rows(
    plan: &Plan,
    ids: &Ids,
    names: &HashMap<i64, String>,
    intents: &IntentNames,
    keys: &mut Rows,
    leaves: &mut Leaves,
) -> Result<Rows, Error> {
    let mut rows = payments::attempt_rows();
    for (id, attempt) in (ids.attempts..).zip(&plan.attempts) {
        let row = &attempt.row;
        let intent_id = ids.intent(attempt.intent);
        let (intent, reference) = intents.get(plan, attempt.intent)?;
        rows.add()
            .int(id)
            .int(intent_id)
            .int(attempt.account)
            .text(&row.attempt_id)
            .int(row.number)
            .text(&row.idempotency_key)
            .text(&row.provider_payment_id)
            .int(row.started_at.micros())
            .opt_int(row.finished_at.map(Instant::micros))
            .text(row.outcome.code())
            .text(&row.error_code);
        let key = normalise(&row.idempotency_key);
        if !key.is_empty() && key != *intent && key != *reference {
            keys.add().text(&key).int(intent_id);
        }
        leaves.push(
            id,
            &AttemptRecord {
                intent,
                provider: names.get(&attempt.account).map_or("", String::as_str),
                attempt: &row.attempt_id,
                number: row.number,
                idempotency_key: &row.idempotency_key,
                provider_payment_id: &row.provider_payment_id,
                started_at: row.started_at.micros(),
                finished_at: row.finished_at.map(Instant::micros),
                outcome: row.outcome.code(),
                error_code: &row.error_code,
            },
        );
    }
    Ok(rows)
}

/// Attempts whose outcome is not final stand among those that are open.
fn open_rows(plan: &Plan, ids: &Ids) -> Rows {
    let mut open = payments::attempt_now_rows();
    for (id, attempt) in (ids.attempts..).zip(&plan.attempts) {
        let row = &attempt.row;
        let since = match row.outcome {
            Outcome::InFlight => row.started_at,
            Outcome::Unknown => row.finished_at.unwrap_or(row.started_at),
            _ => continue,
        };
        open.add()
            .int(id)
            .int(attempt.account)
            .text(row.outcome.code())
            .text(row.outcome.code())
            .int(0)
            .int(since.micros())
            .int(0);
    }
    open
}

/// Ids and references of the stored intents that a plan's attempts belong to.
struct IntentNames(HashMap<i64, (String, String)>);

impl IntentNames {
    /// Of everything that a chunk names.
    fn stored(stored: &StoredRows) -> Self {
        let intents = stored.intents.values();
        Self(
            intents
                .map(|i| (i.id, (i.public_id.clone(), i.merchant_reference.clone())))
                .collect(),
        )
    }

    async fn of(tx: &mut Tx, plan: &Plan) -> Result<Self, StorageError> {
        let stored = joined(plan);
        let names = payments::intent_names(tx, stored.into_iter()).await?;
        Ok(Self(
            names
                .into_iter()
                .map(|(id, public, reference)| (id, (public, reference)))
                .collect(),
        ))
    }

    fn get<'a>(&'a self, plan: &'a Plan, at: IntentRef) -> Result<(&'a String, &'a String), Error> {
        let found = match at {
            IntentRef::Stored(id) => self
                .0
                .get(&id)
                .map(|(public, reference)| (public, reference)),
            IntentRef::New(n) => plan
                .intents
                .get(n)
                .map(|row| (&row.intent_id, &row.merchant_reference)),
        };
        found.ok_or_else(|| Error::Internal("an attempt's intent is missing".to_owned()))
    }
}

async fn write_updates(
    tx: &mut Tx,
    plan: &Plan,
    ids: &Ids,
    names: &HashMap<i64, String>,
    now: Instant,
    origin: &Origin<'_>,
    leaves: &mut Leaves,
) -> Result<(), Error> {
    let fresh = fresh_evidence(tx, plan, ids, origin).await?;
    let mut events = Vec::new();
    let mut standing = BTreeMap::new();
    let mut learned = payments::attempt_id_rows();
    for (n, update) in plan.updates.iter().enumerate() {
        let attempt_id = ids.attempt(update.known.at);
        let changes = update.effect == Effect::Changes;
        let said = changes.then(|| event(update, attempt_id, now, origin));
        // What only testifies does so once.
        let stands = update
            .stands_on
            .filter(|_| changes || fresh.contains_key(&n));
        let after = stands.map(|outcome| stands_on(update, attempt_id, outcome, now));
        for event in [said, after].into_iter().flatten() {
            leaves.push_part(event.attempt_id, event.seq, &event_record(update, &event));
            standing.insert(attempt_id, (update, event.seq, event.outcome));
            events.push(event);
        }
        if !update.filled_id.is_empty() {
            learned
                .add()
                .int(update.known.account)
                .text(&update.filled_id)
                .int(attempt_id)
                .text("company")
                .opt_int(None);
        }
    }
    payments::insert_attempt_events(tx, &events).await?;
    let mut current = payments::attempt_now_rows();
    for (id, (update, seq, outcome)) in standing {
        let known = &update.known;
        current
            .add()
            .int(id)
            .int(known.account)
            .text(known.reported.code())
            // As the last event says. Where judging comes to something else, it records that after it.
            .text(outcome)
            .int(seq)
            .int(now.micros())
            .int(known.written_off);
    }
    payments::put_attempt_now(tx, &current).await?;
    payments::put_attempt_ids(tx, &learned).await?;
    write_evidence(tx, plan, fresh, ids, names, now, origin, leaves).await
}

fn event<'a>(
    update: &'a Update,
    attempt_id: i64,
    now: Instant,
    origin: &Origin<'a>,
) -> payments::NewAttemptEvent<'a> {
    let known = &update.known;
    payments::NewAttemptEvent {
        attempt_id,
        seq: known.seq,
        outcome: known.reported.code(),
        provider_payment_id: &known.provider_payment_id,
        finished_at: known.finished_at.map(Instant::micros),
        error_code: &known.error_code,
        cause_kind: "report",
        cause: origin.cause,
        at: now.micros(),
    }
}

/// What stands after the report of a file is recorded as what comes of judging, which it foresees.
const fn stands_on(
    update: &Update,
    attempt_id: i64,
    outcome: Outcome,
    now: Instant,
) -> payments::NewAttemptEvent<'static> {
    payments::NewAttemptEvent {
        attempt_id,
        seq: update.known.seq + 1,
        outcome: outcome.code(),
        provider_payment_id: "",
        finished_at: None,
        error_code: "",
        cause_kind: "rematch",
        cause: "payments",
        at: now.micros(),
    }
}

fn event_record<'a>(
    update: &'a Update,
    event: &payments::NewAttemptEvent<'a>,
) -> AttemptEventRecord<'a> {
    AttemptEventRecord {
        attempt: &update.row.attempt_id,
        seq: event.seq,
        outcome: event.outcome,
        provider_payment_id: event.provider_payment_id,
        finished_at: event.finished_at,
        error_code: event.error_code,
        cause_kind: event.cause_kind,
        cause: event.cause,
        acted_at: acted_at_of_cause(event.cause_kind, event.at),
    }
}

/// What a report says, and its hash.
struct Said {
    claim: String,
    hash: [u8; 32],
}

/// What those updates of a plan say that say it for the first time, by their place in the plan.
async fn fresh_evidence(
    tx: &mut Tx,
    plan: &Plan,
    ids: &Ids,
    origin: &Origin<'_>,
) -> Result<BTreeMap<usize, Said>, Error> {
    let known = plan.updates.iter().filter_map(|u| match u.known.at {
        AttemptRef::Stored(id) => Some(id),
        AttemptRef::New(_) => None,
    });
    let mut seen: HashSet<(i64, Vec<u8>)> = payments::evidence_hashes(&mut *tx, known)
        .await?
        .into_iter()
        .collect();
    let mut fresh = BTreeMap::new();
    for (n, update) in plan.updates.iter().enumerate() {
        let claim = claim(update, origin)?;
        let hash: [u8; 32] = Sha256::digest(claim.as_bytes()).into();
        if seen.insert((ids.attempt(update.known.at), hash.to_vec())) {
            fresh.insert(n, Said { claim, hash });
        }
    }
    Ok(fresh)
}

/// A report after registration is evidence of its own, once.
#[allow(clippy::too_many_arguments)] // what a plan is written with
async fn write_evidence(
    tx: &mut Tx,
    plan: &Plan,
    fresh: BTreeMap<usize, Said>,
    ids: &Ids,
    names: &HashMap<i64, String>,
    now: Instant,
    origin: &Origin<'_>,
    leaves: &mut Leaves,
) -> Result<(), Error> {
    let first = allocate(&mut *tx, "evidence", fresh.len() as u64).await?;
    let fresh = fresh.into_iter();
    let fresh = fresh.filter_map(|(n, said)| Some((plan.updates.get(n)?, said)));
    let mut rows = payments::evidence_rows();
    for (id, (update, Said { claim, hash })) in (first..).zip(fresh) {
        let attempt_id = ids.attempt(update.known.at);
        let occurred = update.row.finished_at.map(Instant::micros);
        rows.add()
            .int(id)
            .text("api_response")
            .opt_int(Some(update.known.account))
            .opt_int(Some(ids.intent(update.known.intent)))
            .opt_int(Some(attempt_id))
            .text(origin.evidence)
            .blob(&hash)
            .text(&claim)
            .opt_int(occurred)
            .int(now.micros());
        leaves.push(
            id,
            &EvidenceRecord {
                kind: "api_response",
                provider: names.get(&update.known.account).map(String::as_str),
                intent: Some(&update.intent_id),
                attempt: Some(&update.row.attempt_id),
                source: Text::Plain(origin.evidence),
                content_hash: &hash,
                claim: Text::Plain(&claim),
                occurred_at: occurred,
                received_at: now.micros(),
            },
        );
    }
    rows.insert_into(tx, "evidence").await?;
    Ok(())
}

/// What the report says, as stored and hashed.
fn claim(update: &Update, origin: &Origin<'_>) -> Result<String, StorageError> {
    let row = &update.row;
    let mut claim = serde_json::json!({
        "attempt": row.attempt_id,
        "outcome": row.outcome,
        "provider_payment_id": row.provider_payment_id,
        "finished_at": row.finished_at,
        "error_code": row.error_code,
    });
    if let Some(fields) = claim.as_object_mut().filter(|_| !origin.detail.is_empty()) {
        fields.insert("detail".to_owned(), origin.detail.into());
    }
    crate::storage::stored::to_json(&claim)
}

/// An attempt that joins a stored intent changes it: one version more. So does a report that a file
/// brings of an attempt, where another state follows from it: nobody may claim by a state that stood
/// before the report.
async fn write_versions(
    tx: &mut Tx,
    plan: &Plan,
    now: Instant,
    origin: &Origin<'_>,
    leaves: &mut Leaves,
) -> Result<Vec<IntentChange>, Error> {
    let joined = joined(plan);
    let mut touched = joined.clone();
    if !origin.judges {
        touched.extend(plan.updates.iter().filter_map(|u| stored(u.known.intent)));
    }
    if touched.is_empty() {
        return Ok(Vec::new());
    }
    if !origin.judges {
        // A claim that is under way ends first, and its attempt is among those that are read.
        registry::lock_intents(tx, touched.iter().copied()).await?;
    }
    let versions = payments::intent_versions(&mut *tx, touched.iter().copied()).await?;
    let mut attempts: BTreeMap<i64, Vec<AttemptNumber>> = BTreeMap::new();
    for attempt in payments::attempt_numbers(&mut *tx, touched.iter().copied()).await? {
        attempts.entry(attempt.intent_id).or_default().push(attempt);
    }
    let mut states: Vec<(IntentVersion, IntentState)> = Vec::with_capacity(versions.len());
    for version in versions {
        let of_attempts = attempts.get(&version.id).map_or(&[][..], Vec::as_slice);
        let (was, is) = states_of(&version, of_attempts)?;
        if joined.contains(&version.id) || was != is {
            states.push((version, is));
        }
    }
    states.sort_unstable_by_key(|(version, _)| version.id);
    let (permit, kind, cause) = (Permit::Spent, "report", origin.cause);
    let changes = payments::advance_intents(tx, &states, permit, kind, cause, now).await?;
    for change in &changes {
        leaves.push_part(
            change.intent_id,
            change.version,
            &IntentEventRecord {
                intent: &change.public_id,
                version: change.version,
                state: change.state.code(),
                cause_kind: kind,
                cause,
                acted_at: acted_at_of_cause(kind, now.micros()),
            },
        );
    }
    Ok(changes)
}

const fn stored(intent: IntentRef) -> Option<i64> {
    match intent {
        IntentRef::Stored(id) => Some(id),
        IntentRef::New(_) => None,
    }
}

/// The stored intents that attempts of a plan join.
fn joined(plan: &Plan) -> BTreeSet<i64> {
    let of_attempts = plan.attempts.iter();
    of_attempts.filter_map(|a| stored(a.intent)).collect()
}

/// The state in which an intent stands, and the one that follows from its attempts.
fn states_of(
    version: &IntentVersion,
    attempts: &[AttemptNumber],
) -> Result<(IntentState, IntentState), StorageError> {
    let of = |column, of: fn(&AttemptNumber) -> &str| {
        let outcomes = attempts
            .iter()
            .map(|a| crate::storage::stored::parse("attempt_now", column, &a.public_id, of(a)));
        outcomes.collect::<Result<Vec<Outcome>, _>>()
    };
    let (table, name) = ("intent", &version.public_id);
    let policy = crate::storage::stored::parse(table, "loss_policy", name, &version.loss_policy)?;
    let is = intent_state(&of("outcome", |a| &a.outcome_now)?, false, policy);
    let was = if version.state.is_empty() {
        intent_state(&of("outcome", |a| &a.outcome)?, false, policy)
    } else {
        crate::storage::stored::parse("intent_now", "state", name, &version.state)?
    };
    Ok((was, is))
}

/// Notes which lines of which file the new attempts stand in, where they came from one.
async fn note_file(
    tx: &mut Tx,
    plan: &Plan,
    ids: &Ids,
    origin: &Origin<'_>,
) -> Result<(), StorageError> {
    let Some(file) = origin.file.filter(|_| !plan.attempts.is_empty()) else {
        return Ok(());
    };
    imports::put(tx, file.id, &file.name, file.at, &file.by).await?;
    let lines: Vec<u64> = plan.attempts.iter().map(|a| a.line).collect();
    imports::put_part(tx, file.id, ids.attempts, &lines).await
}

/// Ids that lie this close together are one range, whatever lies between them.
const CLOSE: i64 = 1_000;

/// Leaves word which attempts are to be judged against the lines that are there, and which intents:
/// one that was never tried counts in every account, and one that is tried now no longer does.
async fn leave_word(
    tx: &mut Tx,
    plan: &Plan,
    ids: &Ids,
    names: &HashMap<i64, String>,
) -> Result<(), StorageError> {
    let mut attempts: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    let touched = (ids.attempts..)
        .zip(plan.attempts.iter().map(|a| a.account))
        .chain(
            plan.updates
                .iter()
                .map(|u| (ids.attempt(u.known.at), u.known.account)),
        );
    for (id, account) in touched {
        attempts.entry(account).or_default().push(id);
    }
    for (account, list) in attempts {
        for (first, last) in ranges(list) {
            payments::insert_rematch(tx, account, "attempts", first, last).await?;
        }
    }
    let accounts: BTreeSet<i64> = names.keys().copied().collect();
    for (first, last) in ranges(untried_or_no_longer(plan, ids)) {
        for account in &accounts {
            payments::insert_rematch(tx, *account, "intents", first, last).await?;
        }
    }
    Ok(())
}

/// New intents without an attempt, and stored ones that got one: perhaps their first.
fn untried_or_no_longer(plan: &Plan, ids: &Ids) -> Vec<i64> {
    let tried: HashSet<IntentRef> = plan.attempts.iter().map(|a| a.intent).collect();
    let untried = (0..plan.intents.len())
        .map(IntentRef::New)
        .filter(|intent| !tried.contains(intent));
    let stored = tried
        .iter()
        .copied()
        .filter(|intent| matches!(intent, IntentRef::Stored(_)));
    untried
        .chain(stored)
        .map(|intent| ids.intent(intent))
        .collect()
}

/// Ranges that hold these ids, in order. Ids of one import lie close together however its rows are
/// sorted: a range covers some others too, and each is a word and units of work less.
fn ranges(mut ids: Vec<i64>) -> Vec<(i64, i64)> {
    ids.sort_unstable();
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for id in ids {
        match ranges.last_mut() {
            Some((_, last)) if id - *last < CLOSE => *last = id,
            _ => ranges.push((id, id)),
        }
    }
    ranges
}

/// Writes into the audit log who is about to import which bytes.
pub async fn record_begin(engine: &Engine, actor: &Actor, stored: Stored) -> Result<(), Error> {
    record(
        engine,
        actor,
        "payments.receive",
        &serde_json::json!({
            "sha256": hex::encode(stored.sha256),
            "bytes": stored.bytes,
        }),
    )
    .await
}

/// Writes into the audit log who imported what, and what came of it.
pub async fn record_import(
    engine: &Engine,
    actor: &Actor,
    stored: Option<Stored>,
    done: &PaymentsImport,
) -> Result<(), Error> {
    record(
        engine,
        actor,
        "payments.import",
        &serde_json::json!({
            "sha256": stored.map(|stored| hex::encode(stored.sha256)),
            "rows": done.rows,
            "intents_new": done.intents_new,
            "attempts_new": done.attempts_new,
            "attempts_updated": done.attempts_updated,
            "unchanged": done.unchanged,
            "refused": done.refused_rows,
        }),
    )
    .await
}

async fn record(
    engine: &Engine,
    actor: &Actor,
    action: &'static str,
    detail: &serde_json::Value,
) -> Result<(), Error> {
    in_tx!(engine.store, |tx| {
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let now = engine.now();
        audit::record(tx, &mut leaves, actor, now, action, "payments", detail).await?;
        leaves.write(tx).await
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_sorted_otherwise_than_the_payments_were_stored_leaves_as_few_words() {
        let sorted = (1..=3_000).collect::<Vec<_>>();
        let shuffled: Vec<i64> = (0..3_000).map(|n| 1 + n * 1_207 % 3_000).collect();
        assert_eq!(ranges(sorted), [(1, 3_000)]);
        assert_eq!(ranges(shuffled), [(1, 3_000)]);
        assert_eq!(
            ranges(vec![5_000, 1, 1_000, 5_000]),
            [(1, 1_000), (5_000, 5_000)]
        );
    }
}
