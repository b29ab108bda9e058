//! The closing pass: judges what the simple case left over, opens the file's cases, sets it USED.

use super::{
    Ingest, Progress,
    account::{MOST_FAILURES, keep, still_held},
    file::{self, Mover},
    put_away::WITHDRAWN,
    report::{FileReport, has_ended},
};
use crate::{
    Error,
    derive::{Buckets, Cause, Derived, Seeds, Work, cases, derive, line_name},
    in_tx, odd_rows, rematch,
    seal::Leaves,
    storage::{
        Tx, accounts, cases as stored_cases,
        files::{self, StoredBatch, StoredFile},
        matching,
        statistics::{Filled, Statistics},
        stored,
    },
    sweep,
};
use domain::{
    account::ProviderAccount,
    cases::{
        CaseKind, OddRows, Subject, WantedCase,
        batches::{BatchStanding, batch_due},
        files::{
            FailedWork, FileStanding, HeldTooLong, RestatedRows, UnknownRows,
            file_cases as wanted_by_file, held_due,
        },
        odd_rows::without_batch,
    },
    line::Verdict,
    matching::Accounts,
    money::Money,
    time::{Day, Instant},
};
use std::collections::BTreeMap;

/// Lines judged in one transaction.
const LINES: i64 = 1_000;
/// Buckets judged in one transaction.
const BUCKETS: usize = 200;
/// Rejected or restated rows that a case shows.
const EXAMPLES: i64 = 20;

/// Judges what is left, then sets the file USED.
pub async fn close(
    ingest: &Ingest,
    account: &ProviderAccount,
    stored: StoredFile,
    owner: &str,
) -> Result<(), Error> {
    // A run that died goes on behind its last transaction, not from the start: lines that wait for
    // their bucket are still pending, and would shift which lines share an entry.
    let (mut after, mut done) = (stored.lines_done, 0_u64);
    let mut statistics = Statistics::of(&ingest.engine.store, Filled::Cases).await?;
    loop {
        let reading = ingest.engine.store.read().await?;
        let lines = files::pending_lines(reading, account.id, after, LINES).await?;
        let Some(last) = lines.last().copied() else {
            break;
        };
        after = last;
        let judged = lines.len() as u64;
        done += judged;
        let seeds = Seeds {
            lines: lines.into_iter().collect(),
            ..Seeds::default()
        };
        let until = (owner, after);
        // What hangs together with these lines in other accounts is judged now: nobody closes a file
        // there.
        let later = Buckets::Later { of: account.id };
        judge(ingest, account, &stored, &seeds, later, until).await?;
        statistics.grown(&ingest.engine.store, judged).await?;
        // Only some rows are judged again: how many are left nobody knows yet.
        tell(ingest, &stored, "CLOSING", (done, 0));
    }
    let buckets =
        matching::buckets_of_account(ingest.engine.store.read().await?, account.id).await?;
    for part in buckets.chunks(BUCKETS) {
        judge(
            ingest,
            account,
            &stored,
            &Seeds::default(),
            Buckets::Given(part),
            (owner, after),
        )
        .await?;
        statistics
            .grown(&ingest.engine.store, part.len() as u64)
            .await?;
    }
    rematch::drain_account(&ingest.engine, account.id).await?;
    finish(ingest, account, &stored, owner).await?;
    let rows = u64::try_from(stored.rows_total).unwrap_or(0);
    tell(ingest, &stored, "USED", (rows, rows));
    Ok(())
}

fn tell(ingest: &Ingest, file: &StoredFile, state: &str, (rows_done, rows_total): (u64, u64)) {
    (ingest.tell)(Progress {
        file: file.public_id.clone(),
        state: state.to_owned(),
        rows_done,
        rows_total,
    });
}

/// Judges lines or buckets in one unit of work, which renews the owner's lease and notes the line that
/// was reached.
async fn judge(
    ingest: &Ingest,
    account: &ProviderAccount,
    stored: &StoredFile,
    seeds: &Seeds,
    buckets: Buckets<'_>,
    (owner, reached): (&str, i64),
) -> Result<(), Error> {
    let engine = &ingest.engine;
    let name = hex::encode(stored.sha256.get(..8).unwrap_or_default());
    in_tx!(engine.store, |tx| {
        accounts::pass_gate(tx, account.id).await?;
        still_held(tx, account.id, owner).await?;
        let known = accounts::all(&mut *tx).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let cause = Cause {
            kind: "file",
            name: &name,
            actor: "tieout",
            decided: None,
            now: engine.now(),
        };
        let derived = derive(tx, &mut leaves, &known, account.id, seeds, buckets, cause).await?;
        files::progress(tx, stored.id, stored.rows_done, reached).await?;
        if derived.cases_opened > 0 {
            // With what opened them, so that a run that dies here does not lose their number.
            let mut file = files::by_id(&mut *tx, stored.id).await?;
            let mut report: FileReport =
                stored::json("file_now", "report", &file.public_id, &file.report)?;
            report.cases_opened += derived.cases_opened;
            file.report = stored::to_json(&report)?;
            files::put(tx, &file).await?;
        }
        keep(engine, tx, account.id, owner).await?;
        leaves.write(tx).await
    })
}

async fn finish(
    ingest: &Ingest,
    account: &ProviderAccount,
    stored: &StoredFile,
    owner: &str,
) -> Result<(), Error> {
    let engine = &ingest.engine;
    let now = engine.now();
    in_tx!(engine.store, |tx| {
        accounts::pass_gate(tx, account.id).await?;
        still_held(tx, account.id, owner).await?;
        let known = accounts::all(&mut *tx).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let mut file = files::by_id(&mut *tx, stored.id).await?;
        let mut report: FileReport =
            stored::json("file_now", "report", &file.public_id, &file.report)?;
        "USED".clone_into(&mut file.state);
        file.lines_done = 0;
        let mut all = file_cases(tx, &mut leaves, &known, &file, now).await?;
        all += batch_cases(tx, &mut leaves, &known, account, now).await?;
        report.cases_opened += all.cases_opened;
        file.report = stored::to_json(&report)?;
        let mover = Mover {
            actor: "tieout",
            now,
            provider: &account.name,
        };
        let detail = serde_json::json!({ "rows": report.rows });
        file::step(tx, &mut leaves, &mut file, "USED", &detail, mover).await?;
        sweep::coverage(tx, &mut leaves, &known, account, now).await?;
        leaves.write(tx).await
    })
}

/// Brings the cases of a file as a whole up to date: rows that could not be read, rows of unknown kind,
/// rows that count otherwise, work that stopped.
pub async fn file_cases(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    file: &StoredFile,
    now: Instant,
) -> Result<Derived, Error> {
    let report: FileReport = stored::json("file_now", "report", &file.public_id, &file.report)?;
    let examples = files::rejected_examples(&mut *tx, file.id, EXAMPLES).await?;
    let mut unknown = Vec::new();
    if file.state == "USED" {
        for row in files::unknown_rows(&mut *tx, file.account_id, file.id).await? {
            let currency = stored::parse("line", "currency", &file.public_id, &row.currency)?;
            unknown.push(UnknownRows {
                source_kind: row.source_kind,
                rows: row.line_count.unsigned_abs(),
                net: Money::new(row.net, currency),
                examples: vec![line_name(&file.sha256, row.first_line)],
            });
        }
    }
    let restated = restated(tx, file).await?;
    let standing = FileStanding {
        restated,
        sha256: hex::encode(&file.sha256),
        name: file.name.clone(),
        rejected: report.rejected,
        rejected_examples: examples
            .into_iter()
            .map(|e| (e.line_no.unsigned_abs(), e.message))
            .collect(),
        accepted: file.accepted == 1,
        held: matches!(file.state.as_str(), "HELD" | "HOLDING"),
        unknown,
        failed: failed_work(tx, known, file).await?,
        held_too_long: held_too_long(tx, known, file, &report, now).await?,
        withdrawn: file.state == WITHDRAWN,
    };
    let mut wants = wanted_by_file(file.account_id, &standing);
    if file.state == "USED" && report.uneven_rows > 0 {
        wants.extend(odd_outside_of_batches(tx, file).await?);
    }
    let mut wanted = Vec::new();
    for want in wants {
        if !sweep::is_dismissed(tx, &want).await? {
            wanted.push(want);
        }
    }
    let open = stored_cases::of_file(&mut *tx, file.id).await?;
    let open = stored_cases::by_id(&mut *tx, open.into_iter()).await?;
    let name = hex::encode(file.sha256.get(..8).unwrap_or_default());
    let cause = Cause {
        kind: "file",
        name: &name,
        actor: "tieout",
        decided: None,
        now,
    };
    let mut work = Work {
        tx,
        leaves,
        accounts: known,
        cause,
    };
    cases::write_for(
        &mut work,
        open,
        wanted,
        cases::About {
            file: Some(file.id),
            batch: None,
        },
    )
    .await
}

/// Rows of a used file that stay held, since others brought them with other figures.
async fn restated(tx: &mut Tx, file: &StoredFile) -> Result<Option<RestatedRows>, Error> {
    let held = Verdict::Held.code();
    let counts = files::verdicts(&mut *tx, file.id).await?;
    let rows = counts.iter().find(|(verdict, _)| verdict == held);
    let rows = rows.map_or(0, |(_, rows)| rows.unsigned_abs());
    if file.state != "USED" || rows == 0 {
        return Ok(None);
    }
    let first = files::lines_at_verdict(&mut *tx, file.id, held, EXAMPLES).await?;
    Ok(Some(RestatedRows {
        rows,
        first_lines: first.into_iter().map(i64::unsigned_abs).collect(),
    }))
}

/// Rows of no batch whose net is not gross less fee: a case a currency.
async fn odd_outside_of_batches(tx: &mut Tx, file: &StoredFile) -> Result<Vec<WantedCase>, Error> {
    let mut odd: BTreeMap<String, OddRows> = BTreeMap::new();
    for line in odd_rows::of_file(&mut *tx, file.id).await? {
        let name = line_name(&line.sha256, line.line_no);
        odd.entry(line.currency)
            .or_default()
            .add(name, line.difference);
    }
    let mut wanted = Vec::new();
    for (currency, rows) in odd {
        let currency = stored::parse("line", "currency", &file.public_id, &currency)?;
        let sha256 = hex::encode(&file.sha256);
        wanted.extend(
            without_batch(file.account_id, &sha256, &file.name, currency, &rows)
                .map_err(crate::derive::overflow)?,
        );
    }
    Ok(wanted)
}

/// The work on a file that stopped, if it did.
async fn failed_work(
    tx: &mut Tx,
    known: &Accounts,
    file: &StoredFile,
) -> Result<Option<FailedWork>, Error> {
    if has_ended(&file.state) || file.failures < MOST_FAILURES {
        return Ok(None);
    }
    Ok(Some(FailedWork {
        times: u32::try_from(file.failures).unwrap_or(u32::MAX),
        error: file.error.clone(),
        due_in_it: due_in_its_days(tx, known, file).await?,
    }))
}

/// A held file's waiting, once it is beyond the account's grace.
async fn held_too_long(
    tx: &mut Tx,
    known: &Accounts,
    file: &StoredFile,
    report: &FileReport,
    now: Instant,
) -> Result<Option<HeldTooLong>, Error> {
    let since = Instant::from_micros(file.received_at);
    let waits = known
        .get(&file.account_id)
        .is_some_and(|account| held_due(since, &account.policy) <= now);
    if file.state != "HELD" || !waits {
        return Ok(None);
    }
    Ok(Some(HeldTooLong {
        since,
        because: report
            .held_because
            .iter()
            .map(|h| h.message.clone())
            .collect(),
        due_in_it: due_in_its_days(tx, known, file).await?,
    }))
}

async fn due_in_its_days(
    tx: &mut Tx,
    known: &Accounts,
    file: &StoredFile,
) -> Result<Option<Money>, Error> {
    let days = file.first_day.zip(file.last_day);
    let days = days.and_then(|(first, last)| Day::from_number(first).zip(Day::from_number(last)));
    Ok(match (days, known.get(&file.account_id)) {
        (Some((first, last)), Some(account)) => sweep::due_in(tx, account, first, last).await?.1,
        _ => None,
    })
}

/// Brings the cases of the files of an account up to date that wait for a person for too long.
pub async fn held_files(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    account: &ProviderAccount,
    now: Instant,
) -> Result<Derived, Error> {
    let mut derived = Derived::default();
    for id in files::held_of_account(&mut *tx, account.id).await? {
        let file = files::by_id(&mut *tx, id).await?;
        if held_due(Instant::from_micros(file.received_at), &account.policy) <= now {
            derived += file_cases(tx, leaves, known, &file, now).await?;
        }
    }
    Ok(derived)
}

/// Brings the cases of an account's batches that do not tie up to date.
pub async fn batch_cases(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    account: &ProviderAccount,
    now: Instant,
) -> Result<Derived, Error> {
    let mut derived = Derived::default();
    for batch in files::batches_to_judge(&mut *tx, account.id).await? {
        derived += batch_case(tx, leaves, known, account, &batch, now).await?;
    }
    Ok(derived)
}

/// Brings the case of one batch in one currency up to date.
pub async fn batch_case(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    account: &ProviderAccount,
    batch: &StoredBatch,
    now: Instant,
) -> Result<Derived, Error> {
    let standing = batch_standing(tx, batch).await?;
    let wanted: Vec<WantedCase> = batch_due(account, &standing, now)
        .map_err(crate::derive::overflow)?
        .into_iter()
        .collect();
    let subject = Subject::Batch(format!(
        "{}:{}:{}",
        account.name, batch.provider_batch_id, batch.currency
    ))
    .to_string();
    let kind = CaseKind::BatchOutOfBalance.code();
    let open =
        stored_cases::of_subjects(&mut *tx, std::iter::once((kind, subject.as_str()))).await?;
    let open = stored_cases::by_id(&mut *tx, open.into_iter()).await?;
    let cause = Cause {
        kind: "batch",
        name: &batch.provider_batch_id,
        actor: "tieout",
        decided: None,
        now,
    };
    let mut work = Work {
        tx: &mut *tx,
        leaves: &mut *leaves,
        accounts: known,
        cause,
    };
    let about = cases::About {
        file: None,
        batch: Some(batch.id),
    };
    cases::write_for(&mut work, open, wanted, about).await
}

/// A batch as the rules need it.
pub async fn batch_standing(tx: &mut Tx, batch: &StoredBatch) -> Result<BatchStanding, Error> {
    let mut odd = OddRows::default();
    if batch.odd_rows > 0 {
        for line in odd_rows::of_batch(&mut *tx, batch).await? {
            odd.add(line_name(&line.sha256, line.line_no), line.difference);
        }
    }
    Ok(BatchStanding {
        provider_batch_id: batch.provider_batch_id.clone(),
        currency: stored::parse("batch_now", "currency", batch.id, &batch.currency)?,
        net: batch.net,
        payouts: batch.payouts,
        payout_net: batch.payout_net,
        declared: None,
        accepted: batch.adjusted,
        last_day: Day::from_number(batch.last_day)
            .ok_or_else(|| stored::corrupt("batch_now", "last_day", batch.id, &"not a day"))?,
        odd,
    })
}
