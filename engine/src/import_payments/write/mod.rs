//! Writes what was decided of a chunk.

mod new_rows;
mod updates;
mod versions;
mod word;

use super::{
    ImportedFile,
    plan::{AttemptRef, IntentRef, NumberedRow, Plan, StoredRows},
};
use crate::{
    Engine, Error,
    seal::Leaves,
    storage::{StorageError, Tx, accounts, counter::allocate, imports, payments::IntentChange},
};
use domain::time::Instant;
use new_rows::{IntentNames, NewRows};
use std::collections::{HashMap, HashSet};

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
    if plan.is_empty() {
        return Ok(Vec::new());
    }
    let mut leaves = Leaves::begin(tx, &engine.sources).await?;
    let ids = Ids {
        intents: numbers(tx, "intent", plan.intents.len()).await?,
        attempts: numbers(tx, "attempt", plan.attempts.len()).await?,
    };
    let names = account_names(tx).await?;
    let intents = IntentNames::of(tx, plan).await?;
    let writing = Writing {
        plan,
        ids: &ids,
        names: &names,
        now: engine.now(),
        origin,
    };
    let rows = NewRows::make(&writing, &intents, &mut leaves)?;
    writing.write(tx, rows, leaves).await
}

/// A plan on its way into the tables.
struct Writing<'a> {
    plan: &'a Plan,
    ids: &'a Ids,
    /// Names of provider accounts.
    names: &'a HashMap<i64, String>,
    now: Instant,
    origin: &'a Origin<'a>,
}

impl Writing<'_> {
    /// Writes everything and says which intents moved.
    async fn write(
        &self,
        tx: &mut Tx,
        rows: NewRows,
        mut leaves: Leaves,
    ) -> Result<Vec<IntentChange>, Error> {
        rows.write(tx).await?;
        updates::write(tx, self, &mut leaves).await?;
        let moved = versions::write(tx, self, &mut leaves).await?;
        self.note_file(tx).await?;
        word::leave(tx, self).await?;
        leaves.write(tx).await?;
        Ok(moved)
    }

    /// Notes which lines of which file the new attempts stand in, where they came from one.
    async fn note_file(&self, tx: &mut Tx) -> Result<(), StorageError> {
        let attempts = &self.plan.attempts;
        let Some(file) = self.origin.file.filter(|_| !attempts.is_empty()) else {
            return Ok(());
        };
        imports::put(tx, file.id, &file.name, file.at, &file.by).await?;
        let lines: Vec<u64> = attempts.iter().map(|a| a.line).collect();
        imports::put_part(tx, file.id, self.ids.attempts, &lines).await
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
    let writing = Writing {
        plan: &plan,
        ids: &ground.ids,
        names: &ground.names,
        now: ground.now,
        origin: &IMPORT,
    };
    let rows = NewRows::make(&writing, &intents, &mut ground.leaves)?;
    Ok(Made { plan, ground, rows })
}

impl Made {
    /// Writes everything. Where a new thing is stored already, the uniqueness of ids refuses it.
    pub async fn write(self, tx: &mut Tx, origin: &Origin<'_>) -> Result<Plan, Error> {
        let Self { plan, ground, rows } = self;
        if plan.is_empty() {
            return Ok(plan);
        }
        let writing = Writing {
            plan: &plan,
            ids: &ground.ids,
            names: &ground.names,
            now: ground.now,
            origin,
        };
        writing.write(tx, rows, ground.leaves).await?;
        Ok(plan)
    }
}
