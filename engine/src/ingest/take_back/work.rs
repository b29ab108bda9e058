//! The work: lines leave page by page, then rows that they displaced count again, then the file stands
//! as put away. Each page is a unit of work of its own; who dies goes on behind the last one.

use super::{lines, repeats};
use crate::{
    Error,
    derive::Cause,
    in_tx,
    ingest::{
        Ingest, Progress,
        account::{keep, still_held},
        close,
        file::{self, Mover},
        put_away::WITHDRAWN,
        report::{Acceptance, FileReport, HeldBecause, TAKEN_BACK},
        same_file::let_twins_count,
    },
    rematch,
    seal::Leaves,
    storage::{
        accounts,
        files::{self, StoredFile},
        stored,
    },
    sweep,
};
use domain::{account::ProviderAccount, matching::Accounts, seal::records::MACHINE, time::Instant};

/// Lines or rows of one unit of work.
const LINES: i64 = 2_000;

/// What stays the same for all units of work.
pub(super) struct TakingBack<'a> {
    pub account: &'a ProviderAccount,
    pub known: Accounts,
    pub file: &'a StoredFile,
    /// What the records name as their cause: the beginning of the file's hash.
    name: String,
    asked: Acceptance,
    agreed: Acceptance,
    /// When the second person agreed.
    at: Instant,
}

impl TakingBack<'_> {
    /// What is written bears the time at which it is. What is posted bears the day of the agreement: the
    /// work may go on over midnight or begin anew after a fault, and the books of that day are to show all
    /// of it or nothing.
    pub(super) fn cause(&self, now: Instant) -> Cause<'_> {
        Cause {
            kind: "file",
            name: &self.name,
            actor: MACHINE,
            decided: Some(self.at),
            now,
        }
    }

    /// The accounting day of everything that is posted.
    pub(super) fn day(&self) -> i64 {
        self.at.day_in(self.account.zone).number()
    }
}

/// Takes what is left of a file out of the books, then puts the file away.
pub async fn work(
    ingest: &Ingest,
    account: &ProviderAccount,
    stored: StoredFile,
    owner: &str,
) -> Result<(), Error> {
    let engine = &ingest.engine;
    let report: FileReport = stored::json("file_now", "report", &stored.public_id, &stored.report)?;
    let nobody = || Error::Internal("a file is taken back although nobody agreed".to_owned());
    let word = report.take_back.ok_or_else(nobody)?;
    let of = TakingBack {
        account,
        known: accounts::all(engine.store.read().await?).await?,
        file: &stored,
        name: hex::encode(stored.sha256.get(..8).unwrap_or_default()),
        asked: word.asked,
        agreed: word.agreed.ok_or_else(nobody)?,
        at: Instant::from_micros(word.agreed_at),
    };
    take_lines_out(ingest, &of, owner).await?;
    count_rows_again(ingest, &of, owner).await?;
    rematch::drain_account(engine, account.id).await?;
    finish(ingest, &of, owner).await?;
    tell(ingest, &of, WITHDRAWN, stored.rows_total);
    Ok(())
}

fn tell(ingest: &Ingest, of: &TakingBack<'_>, state: &str, done: i64) {
    (ingest.tell)(Progress {
        file: of.file.public_id.clone(),
        state: state.to_owned(),
        rows_done: u64::try_from(done).unwrap_or(0),
        // Only what is in the books leaves them, which is not every row.
        rows_total: 0,
    });
}

async fn take_lines_out(ingest: &Ingest, of: &TakingBack<'_>, owner: &str) -> Result<(), Error> {
    let engine = &ingest.engine;
    let (mut after, mut done) = (of.file.lines_done, of.file.rows_done);
    loop {
        let reading = engine.store.read().await?;
        let page = files::lines_in_books(reading, of.file.id, after, LINES).await?;
        let Some((_, last)) = page.last().copied() else {
            return Ok(());
        };
        let ids: Vec<i64> = page.iter().map(|(line, _)| *line).collect();
        after = last;
        done += i64::try_from(ids.len()).unwrap_or(0);
        in_tx!(engine.store, |tx| {
            accounts::pass_gate(tx, of.account.id).await?;
            still_held(tx, of.account.id, owner).await?;
            let mut leaves = Leaves::begin(tx, &engine.sources).await?;
            lines::take_out_page(tx, &mut leaves, of, &ids, engine.now()).await?;
            files::progress(tx, of.file.id, done, after).await?;
            keep(engine, tx, of.account.id, owner).await?;
            leaves.write(tx).await
        })?;
        tell(ingest, of, super::TAKING_BACK, done);
    }
}

async fn count_rows_again(ingest: &Ingest, of: &TakingBack<'_>, owner: &str) -> Result<(), Error> {
    let engine = &ingest.engine;
    let mut after = 0;
    loop {
        let reading = engine.store.read().await?;
        let page = files::freed_repeats(reading, of.account.id, after, LINES).await?;
        let Some(last) = page.last().copied() else {
            return Ok(());
        };
        after = last;
        in_tx!(engine.store, |tx| {
            accounts::pass_gate(tx, of.account.id).await?;
            still_held(tx, of.account.id, owner).await?;
            let mut leaves = Leaves::begin(tx, &engine.sources).await?;
            repeats::count_page(tx, &mut leaves, of, &page, engine.now()).await?;
            keep(engine, tx, of.account.id, owner).await?;
            leaves.write(tx).await
        })?;
    }
}

/// The file stands as put away; its cases, those of its batches and of its days are brought up to date, and
/// one that waited only for it is used.
async fn finish(ingest: &Ingest, of: &TakingBack<'_>, owner: &str) -> Result<(), Error> {
    let engine = &ingest.engine;
    let (account, known) = (of.account, &of.known);
    in_tx!(engine.store, |tx| {
        accounts::pass_gate(tx, account.id).await?;
        still_held(tx, account.id, owner).await?;
        let now = engine.now();
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let mut file = files::by_id(&mut *tx, of.file.id).await?;
        let mut report: FileReport =
            stored::json("file_now", "report", &file.public_id, &file.report)?;
        report.take_back = None;
        report.accepted_by.clear();
        report.held_because.retain(|held| held.code != TAKEN_BACK);
        report.held_because.push(HeldBecause {
            code: TAKEN_BACK.to_owned(),
            message: format!(
                "it was used and taken back ({}): accept it if it is right after all",
                of.asked.reason
            ),
        });
        file.report = stored::to_json(&report)?;
        file.accepted = 0;
        file.rows_done = 0;
        file.lines_done = 0;
        let detail = serde_json::json!({
            "taken_back_by": of.asked.actor,
            "agreed_by": of.agreed.actor,
            "reason": of.asked.reason,
        });
        let mover = Mover {
            actor: MACHINE,
            now,
            provider: &account.name,
        };
        file::step(tx, &mut leaves, &mut file, WITHDRAWN, &detail, mover).await?;
        close::file_cases(tx, &mut leaves, known, &file, now).await?;
        close::batch_cases(tx, &mut leaves, known, account, now).await?;
        sweep::coverage(tx, &mut leaves, known, account, now).await?;
        let_twins_count(tx, &mut leaves, known, &file, mover).await?;
        leaves.write(tx).await
    })
}
