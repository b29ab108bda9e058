//! Cases as the review queue lists and counts them.

use super::{
    Rows, RowsSql, StorageError,
    tx::Connected,
    wide::{parts, wide},
};
use crate::{all, one, opt, scalar, scalar_opt, statements};
use domain::time::Instant;

statements! {
    OPEN(12) = "queue/open.sql"
        after ["queue/part/row.sql", "queue/part/unresolved.sql", "queue/part/wanted.sql", "queue/part/of_file.sql"];
    OPEN_FIGURES(9) = "queue/open_figures.sql"
        after ["queue/part/figures_of_open.sql", "queue/part/unresolved.sql", "queue/part/wanted.sql", "queue/part/of_any_file.sql"],
        may_scan "an index of what is unresolved, which alone holds all columns";
    OPEN_FIGURES_OF_FILE(9) = "queue/open_figures_of_file.sql"
        after ["queue/part/figures_of_open.sql", "queue/part/unresolved.sql", "queue/part/wanted.sql", "queue/part/of_file.sql"],
        may_scan "what is unresolved; asked only of one file";
    OPEN_BEFORE(12) = "queue/open_before.sql"
        after ["queue/part/public_id.sql", "queue/part/unresolved.sql", "queue/part/wanted.sql", "queue/part/of_file.sql"];
    STANDING(1) = "queue/standing.sql";
    HISTORY(1) = "queue/history.sql";
    STEP(2) = "queue/step.sql";
    DONE(7) = "queue/done.sql"
        after ["queue/part/row.sql", "queue/part/resolved.sql", "queue/part/wanted.sql", "queue/part/of_file.sql"];
    DONE_FIGURES(5) = "queue/done_figures.sql"
        after ["queue/part/figures_of_done.sql", "queue/part/resolved.sql", "queue/part/wanted.sql", "queue/part/of_any_file.sql"],
        may_scan "an index that alone holds all columns; read only for the view of what is done";
    DONE_FIGURES_OF_FILE(5) = "queue/done_figures_of_file.sql"
        after ["queue/part/figures_of_done.sql", "queue/part/resolved.sql", "queue/part/wanted.sql", "queue/part/of_file.sql"],
        may_scan "what is done; asked only of one file, for the view of what is done";
    COUNTS(2) = "queue/counts.sql", may_scan "an index of what is unresolved, which alone holds all columns";
    LAST_CASE(0) = "queue/last_case.sql";
    KINDS(0) = "queue/kinds.sql", may_scan "an index of what is unresolved";
    HELD_FILES(0) = "queue/held_files.sql";
    CASE_BY_PUBLIC_ID(1) = "queue/case_by_public_id.sql";
    @rows
    BY_IDS(case_id: Int) = "queue/by_ids.sql";
    OF_FILE(case_id: Int, file_id: Int) = "queue/of_file.sql";
    CASES_OF_INTENTS(intent_id: Int) = "queue/cases_of_intents.sql";
    TO_APPROVE(decider: Int) = "queue/to_approve.sql";
    TO_APPROVE_COUNT(decider: Int) = "queue/to_approve_count.sql";
}

/// Rows of a page; one more is read, to know whether another page follows.
pub const PAGE: usize = 50;

/// A case as the queue shows it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct CaseRow {
    /// Key.
    pub case_id: i64,
    /// Public id.
    pub public_id: String,
    /// Kind.
    pub kind: String,
    /// State.
    pub state: String,
    /// Version.
    pub version: i64,
    /// Key of the provider account.
    pub account_id: i64,
    /// Its name.
    pub account: String,
    /// The zone in which its days are cut.
    pub zone: String,
    /// Empty where no money is known.
    pub currency: String,
    /// Minor units.
    pub at_risk: i64,
    /// 1 to 4.
    pub severity: i64,
    /// When it opened.
    pub opened_at: i64,
    /// When it is due.
    pub due_at: i64,
    /// Who holds it.
    pub owner_id: Option<i64>,
    /// Their address.
    pub owner: Option<String>,
    /// When it wakes.
    pub wake_at: Option<i64>,
    /// What it is about, by natural id.
    pub subject: String,
    /// What it shows.
    pub facts: String,
    /// How it ended, or empty.
    pub resolution: String,
    /// When it ended.
    pub resolved_at: Option<i64>,
}

/// What the page of a case shows beyond its row.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Standing {
    /// Counts changes of evidence.
    pub evidence_version: i64,
    /// Until when its owner holds it.
    pub lease_until: Option<i64>,
    /// How it ended, or empty.
    pub resolution: String,
    /// The intent concerned.
    pub intent_id: Option<i64>,
    /// The line concerned.
    pub line_id: Option<i64>,
    /// The file concerned.
    pub file_id: Option<i64>,
    /// The batch concerned.
    pub batch_id: Option<i64>,
}

/// A step in the life of a case.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct CaseStep {
    /// The version it made.
    pub version: i64,
    /// opened, evidence, claimed, decided, …
    pub what: String,
    /// The state it came to.
    pub state: String,
    /// JSON.
    pub detail: String,
    /// Who.
    pub actor: String,
    /// When.
    pub at: i64,
}

/// Cases of one currency under a filter.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Figures {
    /// Empty where no money is known.
    pub currency: String,
    /// Their sum, in parts: see [`Figures::at_risk`].
    pub at_risk_high: i64,
    /// Their sum, in parts.
    pub at_risk_low: i64,
    /// How many.
    pub cases: i64,
    /// Opening of the oldest; of resolved ones, the first that ended.
    pub oldest: i64,
}

impl Figures {
    /// The sum in minor units.
    pub fn at_risk(&self) -> i128 {
        wide(self.at_risk_high, self.at_risk_low)
    }

    /// Adds a case's amount.
    pub fn add(&mut self, at_risk: i64) {
        let (high, low) = parts(at_risk);
        self.at_risk_high += high;
        self.at_risk_low += low;
    }
}

/// Counts over all cases that are not resolved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Counts {
    /// All of them.
    pub unresolved: i64,
    /// Waiting.
    pub waiting: i64,
    /// Held by the person.
    pub mine: i64,
    /// Open for more than 48 hours, not waiting.
    pub over_48h: i64,
}

/// What is looked for among cases.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// `all`, `mine`, `over_48h` or `waiting`.
    pub view: &'a str,
    /// The person who looks.
    pub person: i64,
    /// Opened before, for `over_48h`.
    pub opened_before: Instant,
    /// Kind, or empty.
    pub kind: &'a str,
    /// Key of the provider account, or 0.
    pub account: i64,
    /// Currency, or empty.
    pub currency: &'a str,
    /// At least this much at risk.
    pub least: i64,
    /// Key of who holds it; 0 for anybody, -1 for nobody, -2 for a name that is nobody's.
    pub owner: i64,
    /// Key of the file that a case is about itself or by a row; 0 for any, -1 for one that is none.
    pub file: i64,
}

/// A person who may approve, as far as lists need it.
#[derive(Debug, Clone)]
pub struct Approver {
    /// Whose decisions they may approve.
    pub deciders: Vec<i64>,
}

impl Approver {
    /// Whose decisions they may approve, as the rows of a statement.
    pub(super) fn rows(&self, statement: &RowsSql) -> Rows {
        let mut rows = Rows::of(statement);
        for decider in &self.deciders {
            rows.add().int(*decider);
        }
        rows
    }
}

/// A page of unresolved cases in the order of the queue, after a place in it (severity, opening, key).
pub async fn open(
    mut tx: impl Connected,
    w: &Wanted<'_>,
    after: (i64, i64, i64),
) -> Result<Vec<CaseRow>, StorageError> {
    all!(
        tx,
        CaseRow,
        OPEN,
        w.file,
        w.kind,
        w.account,
        w.currency,
        w.least,
        w.view,
        w.person,
        w.opened_before.micros(),
        w.owner,
        after.0,
        after.1,
        after.2,
    )
}

/// Public id of the unresolved case just before a place in the order of the queue, if any.
pub async fn open_before(
    mut tx: impl Connected,
    w: &Wanted<'_>,
    place: (i64, i64, i64),
) -> Result<Option<String>, StorageError> {
    scalar_opt!(
        tx,
        String,
        OPEN_BEFORE,
        w.file,
        w.kind,
        w.account,
        w.currency,
        w.least,
        w.view,
        w.person,
        w.opened_before.micros(),
        w.owner,
        place.0,
        place.1,
        place.2,
    )
}

/// What the page of a case shows beyond its row.
pub async fn standing(mut tx: impl Connected, case: i64) -> Result<Standing, StorageError> {
    one!(tx, Standing, STANDING, case)
}

/// What happened to a case, newest first, at most 200 steps.
pub async fn history(mut tx: impl Connected, case: i64) -> Result<Vec<CaseStep>, StorageError> {
    all!(tx, CaseStep, HISTORY, case)
}

/// The step that made a version of a case.
pub async fn step(
    mut tx: impl Connected,
    case: i64,
    version: i64,
) -> Result<Option<CaseStep>, StorageError> {
    opt!(tx, CaseStep, STEP, case, version)
}

/// Figures of unresolved cases, by currency.
pub async fn open_figures(
    mut tx: impl Connected,
    w: &Wanted<'_>,
) -> Result<Vec<Figures>, StorageError> {
    if w.file != 0 {
        return all!(
            tx,
            Figures,
            OPEN_FIGURES_OF_FILE,
            w.file,
            w.kind,
            w.account,
            w.currency,
            w.least,
            w.view,
            w.person,
            w.opened_before.micros(),
            w.owner,
        );
    }
    // An index alone holds all that is asked for.
    all!(
        tx,
        Figures,
        OPEN_FIGURES,
        w.file,
        w.kind,
        w.account,
        w.currency,
        w.least,
        w.view,
        w.person,
        w.opened_before.micros(),
        w.owner,
    )
}

/// A page of resolved cases, the last resolved first, before a place in that order (end, key).
pub async fn done(
    mut tx: impl Connected,
    w: &Wanted<'_>,
    before: (i64, i64),
) -> Result<Vec<CaseRow>, StorageError> {
    all!(
        tx, CaseRow, DONE, w.file, w.kind, w.account, w.currency, w.least, before.0, before.1
    )
}

/// Figures of resolved cases, by currency.
pub async fn done_figures(
    mut tx: impl Connected,
    w: &Wanted<'_>,
) -> Result<Vec<Figures>, StorageError> {
    if w.file != 0 {
        return all!(
            tx,
            Figures,
            DONE_FIGURES_OF_FILE,
            w.file,
            w.kind,
            w.account,
            w.currency,
            w.least
        );
    }
    all!(
        tx,
        Figures,
        DONE_FIGURES,
        w.file,
        w.kind,
        w.account,
        w.currency,
        w.least
    )
}

/// Cases with a decision that this person may approve, in the order of the queue; at most 1,001.
pub async fn to_approve(tx: impl Connected, by: &Approver) -> Result<Vec<CaseRow>, StorageError> {
    by.rows(&TO_APPROVE).all(tx, &TO_APPROVE).await
}

/// How many decisions this person may approve.
pub async fn to_approve_count(tx: impl Connected, by: &Approver) -> Result<i64, StorageError> {
    let rows = by.rows(&TO_APPROVE_COUNT);
    let counts: Vec<(i64,)> = rows.all(tx, &TO_APPROVE_COUNT).await?;
    Ok(counts.into_iter().map(|(n,)| n).sum())
}

/// Counts over all cases that are not resolved.
pub async fn counts(
    mut tx: impl Connected,
    person: i64,
    opened_before: Instant,
) -> Result<Counts, StorageError> {
    one!(tx, Counts, COUNTS, person, opened_before.micros())
}

/// How many cases there ever were: their keys have no gaps.
pub async fn last_case(mut tx: impl Connected) -> Result<i64, StorageError> {
    scalar!(tx, i64, LAST_CASE)
}

/// Kinds of unresolved cases.
pub async fn kinds(mut tx: impl Connected) -> Result<Vec<String>, StorageError> {
    Ok(all!(tx, (String,), KINDS)?
        .into_iter()
        .map(|(kind,)| kind)
        .collect())
}

/// Files that wait for a person.
pub async fn held_files(mut tx: impl Connected) -> Result<i64, StorageError> {
    scalar!(tx, i64, HELD_FILES)
}

/// The key of a case.
pub async fn case_by_public_id(
    mut tx: impl Connected,
    public_id: &str,
) -> Result<Option<i64>, StorageError> {
    scalar_opt!(tx, i64, CASE_BY_PUBLIC_ID, public_id)
}

/// Cases by key, in no order.
pub async fn by_ids(
    tx: impl Connected,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<CaseRow>, StorageError> {
    let mut rows = Rows::of(&BY_IDS);
    for id in ids {
        rows.add().int(id);
    }
    rows.all(tx, &BY_IDS).await
}

/// Those of some cases that are about a file itself or about a row of it, by key.
pub async fn of_file(
    tx: impl Connected,
    cases: impl IntoIterator<Item = i64>,
    file: i64,
) -> Result<Vec<i64>, StorageError> {
    let mut rows = Rows::of(&OF_FILE);
    for case in cases {
        rows.add().int(case).int(file);
    }
    let found: Vec<(i64,)> = rows.all(tx, &OF_FILE).await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Keys of all cases about intents.
pub async fn of_intents(tx: impl Connected, intents: &[i64]) -> Result<Vec<i64>, StorageError> {
    let mut rows = Rows::of(&CASES_OF_INTENTS);
    for id in intents {
        rows.add().int(*id);
    }
    let found: Vec<(i64,)> = rows.all(tx, &CASES_OF_INTENTS).await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}
