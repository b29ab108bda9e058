//! Pass one: reads the bytes as a stream and writes no rows. Its result decides whether the file is
//! used or held.

use super::{
    Ingest, Progress, accept,
    account::{renew, still_held, while_held},
    close,
    file::{self, Mover},
    recognise::recognise,
    report::{CUT_OFF, DAYS_FAR_APART, FileReport, HeldBecause, SAME_FILE_ELSEWHERE},
    rows::{self, Prepared},
    same_file::{rival, twins},
    twice::{RowIds, Twice},
};
use crate::{
    Engine, Error, in_tx,
    seal::Leaves,
    storage::{
        Reader, accounts, books,
        files::{self, StoredFile},
        stored,
    },
};
use domain::{
    account::{OnRejected, ProviderAccount},
    formats::{
        FileFacts, FileProblem, MOST_BATCHES, MOST_DAYS, READER_VERSION, ReadError, Recognition,
        Row, RowReader, Stretch, covered, far_apart,
    },
    money::{Currency, LARGEST_SUM},
    view::{
        Amount,
        amount::{count, counted},
    },
};
use std::{collections::BTreeMap, fs::File, path::Path};

/// Rows between two looks at what is counted already, and between two words to whoever watches.
const CHUNK: usize = 10_000;

/// What pass one found.
struct Found {
    report: FileReport,
    profile: String,
    encoding: String,
    first_day: Option<i64>,
    last_day: Option<i64>,
    /// The days it covers, as [`StoredFile`] keeps them.
    covered_spans: String,
    readable: bool,
}

/// Reads a file and moves it to POSTING, to HOLDING, or, where no row of it can be read, to HELD.
pub async fn read(
    ingest: &Ingest,
    account: &ProviderAccount,
    mut stored: StoredFile,
    owner: &str,
) -> Result<(), Error> {
    let engine = &ingest.engine;
    let mut reading = engine.store.read().await?;
    let counted = files::has_identities(&mut reading, account.id).await?;
    let others_used = files::rows_of_others(&mut reading, account.id, stored.id).await?;
    let booked = booked(&mut reading).await?;
    drop(reading);
    let mut found = match scan(ingest, account, &stored, counted, owner).await? {
        Ok((read, seen)) => {
            let mut found = judge(account, read, seen, &booked)?;
            found
                .report
                .held_because
                .extend(in_other_account(engine, &stored).await?);
            found
        }
        Err(problem) => unreadable(&problem),
    };
    found.report.others_used = others_used;
    found.report.asked.clone_from(&stored.profile);
    found.report.reader = READER_VERSION;
    let held = !found.report.held_because.is_empty();
    let state = match (held, found.readable) {
        (false, _) => "POSTING",
        (true, true) => "HOLDING",
        (true, false) => "HELD",
    };
    stored.rows_total = i64::try_from(found.report.rows).unwrap_or(i64::MAX);
    if !found.profile.is_empty() {
        stored.profile.clone_from(&found.profile);
    }
    stored.encoding.clone_from(&found.encoding);
    stored.first_day = found.first_day;
    stored.last_day = found.last_day;
    stored.covered_spans.clone_from(&found.covered_spans);
    stored.report = stored::to_json(&found.report)?;
    let detail = serde_json::json!({
        "profile": stored.profile,
        "encoding": stored.encoding,
        "rows": found.report.rows,
        "rejected": found.report.rejected,
        "kinds": found.report.kinds,
        "ties": found.report.ties,
        "held_because": found.report.held_because,
    });
    let now = engine.now();
    in_tx!(engine.store, |tx| {
        accounts::pass_gate(tx, account.id).await?;
        still_held(tx, account.id, owner).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let mut stored = stored.clone();
        let mover = Mover {
            actor: "tieout",
            now,
            provider: &account.name,
        };
        file::step(tx, &mut leaves, &mut stored, state, &detail, mover).await?;
        if state == "HELD" {
            let known = accounts::all(&mut *tx).await?;
            close::file_cases(tx, &mut leaves, &known, &stored, now).await?;
        }
        leaves.write(tx).await
    })?;
    (ingest.tell)(Progress {
        file: stored.public_id,
        state: state.to_owned(),
        rows_done: 0,
        rows_total: found.report.rows,
    });
    Ok(())
}

fn unreadable(problem: &FileProblem) -> Found {
    let because = HeldBecause {
        code: problem.code().to_owned(),
        message: problem.to_string(),
    };
    Found {
        report: FileReport {
            held_because: vec![because],
            ..FileReport::default()
        },
        profile: String::new(),
        encoding: String::new(),
        first_day: None,
        last_day: None,
        covered_spans: String::new(),
        readable: false,
    }
}

/// Reads the file on a blocking thread; what is counted already is looked up here.
async fn scan(
    ingest: &Ingest,
    account: &ProviderAccount,
    stored: &StoredFile,
    counted: bool,
    owner: &str,
) -> Result<Result<(Scanned, Seen), FileProblem>, Error> {
    let engine = &ingest.engine;
    let recognition = match recognise(ingest, account, stored, owner).await? {
        Ok(recognition) => recognition,
        Err(problem) => return Ok(Err(problem)),
    };
    let (send, mut receive) = tokio::sync::mpsc::channel::<Vec<Prepared>>(2);
    let reader = {
        let path = ingest.evidence.path(&file::hash(stored));
        let ids = RowIds::new(ingest.evidence.scratch());
        tokio::task::spawn_blocking(move || read_facts(&path, recognition, counted, ids, &send))
    };
    let mut seen = Seen::default();
    let mut rows_done = 0;
    // Behind the last rows those with one row id are compared, which takes its time in a large file.
    while let Some(chunk) = while_held(engine, account.id, owner, async {
        Ok(receive.recv().await)
    })
    .await?
    {
        rows_done += chunk.len() as u64;
        if counted {
            seen.look(engine, account.id, &chunk).await?;
        }
        renew(engine, account.id, owner).await?;
        (ingest.tell)(Progress {
            file: stored.public_id.clone(),
            state: "READING".to_owned(),
            rows_done,
            rows_total: 0,
        });
    }
    let facts = match reader.await.map_err(|e| Error::Internal(e.to_string()))? {
        Ok(facts) => facts,
        Err(ReadError::File(problem)) => return Ok(Err(problem)),
        Err(ReadError::Io(e)) => {
            return Err(Error::Internal(format!(
                "the stored file cannot be read: {e}"
            )));
        }
    };
    Ok(Ok((facts, seen)))
}

/// The same bytes came for another account before: one of the two is the wrong one, and counting both
/// would count everything twice.
async fn in_other_account(
    engine: &Engine,
    stored: &StoredFile,
) -> Result<Option<HeldBecause>, Error> {
    let twins = twins(engine.store.read().await?, stored).await?;
    Ok(rival(twins, stored).map(|twin| {
        let (came, what) = if twin.counts() {
            (
                "was used",
                "put this one away, or have that one taken back if it is the wrong account's",
            )
        } else {
            ("came", "put the wrong one of the two away")
        };
        HeldBecause {
            code: SAME_FILE_ELSEWHERE.to_owned(),
            message: format!(
                "the same file {came} for account {} already, as {}, and counts once: {what}",
                twin.account, twin.file.name
            ),
        }
    }))
}

/// What is booked already, by currency, over all accounts: the debits of everything.
async fn booked(reader: &mut Reader) -> Result<BTreeMap<Currency, i128>, Error> {
    let mut booked: BTreeMap<Currency, i128> = BTreeMap::new();
    for balance in books::balances(reader, 0, i64::MAX).await? {
        let currency = stored::parse("balance_now", "currency", "sum", &balance.currency)?;
        *booked.entry(currency).or_default() += i128::from(balance.debit);
    }
    Ok(booked)
}

/// What of a file is counted already from other files.
#[derive(Default)]
struct Seen {
    repeated: u64,
    restated: Vec<u64>,
    restated_rows: u64,
}

impl Seen {
    async fn look(
        &mut self,
        engine: &Engine,
        account: i64,
        chunk: &[Prepared],
    ) -> Result<(), Error> {
        let known = rows::counted(engine.store.read().await?, account, chunk).await?;
        for row in chunk {
            match known.get(&row.identity) {
                Some(counted) if counted.content == row.content => self.repeated += 1,
                Some(_) => {
                    self.restated_rows += 1;
                    if self.restated.len() < 20 {
                        self.restated.push(row.line_no);
                    }
                }
                None => {}
            }
        }
        Ok(())
    }
}

struct Scanned {
    facts: FileFacts,
    recognition: Recognition,
    twice: Twice,
}

fn read_facts(
    path: &Path,
    recognition: Recognition,
    counted: bool,
    mut ids: RowIds,
    send: &tokio::sync::mpsc::Sender<Vec<Prepared>>,
) -> Result<Scanned, ReadError> {
    let mut facts = FileFacts::new(&recognition);
    let mut reader = RowReader::new(File::open(path)?, &recognition);
    let mut chunk = Vec::new();
    let mut since = 0;
    while let Some(row) = reader.next_row()? {
        facts.add(&row);
        since += 1;
        if let Row::Line(line) = &row {
            let prepared = rows::prepare(line);
            ids.add(&prepared)?;
            if counted {
                chunk.push(prepared);
            }
        }
        if since >= CHUNK {
            since = 0;
            // Nobody listening means that the work was given up.
            if send.blocking_send(std::mem::take(&mut chunk)).is_err() {
                break;
            }
        }
    }
    drop(send.blocking_send(chunk));
    Ok(Scanned {
        facts,
        recognition,
        twice: ids.twice()?,
    })
}

/// Decides whether the file is used or held.
fn judge(
    account: &ProviderAccount,
    read: Scanned,
    seen: Seen,
    booked: &BTreeMap<Currency, i128>,
) -> Result<Found, Error> {
    let Scanned {
        facts,
        recognition,
        twice,
    } = read;
    let mut report = FileReport::of(&facts);
    report.repeated = seen.repeated + twice.same;
    report.same_rows = twice.same;
    report.encoding_assumed = recognition.encoding_assumed;
    report.delimiter = recognition.delimiter.to_string();
    let mut hold = |code: &str, message: String| {
        report.held_because.push(HeldBecause {
            code: code.to_owned(),
            message,
        });
    };
    if facts.rows == 0 {
        hold(
            "no_rows",
            "the file has a header but no rows: check whether the export was empty".to_owned(),
        );
    }
    if let Some(message) = beyond_adding_up(&facts, booked) {
        hold("too_much_to_add_up", message);
    }
    // Whatever the policy says of rows that cannot be read: nobody knows how many are not there.
    if let Some(row) = &facts.cut_off {
        hold(CUT_OFF, format!("line {}: {}", row.line_no, row.message));
    }
    let others = facts.rejected - u64::from(facts.cut_off.is_some());
    if others > 0 && account.policy.on_rejected == OnRejected::Hold {
        hold(
            "rejected_rows",
            format!(
                "{} of {} cannot be read: repair what is wrong and upload the file again, or accept it without",
                facts.rejected,
                counted(facts.rows, "row", "rows")
            ),
        );
    }
    if facts.file_ties() == Some(false) {
        hold("total_does_not_tie", untied(&facts));
    }
    if facts.totals_unchecked() {
        hold(
            "totals_not_checked",
            format!(
                "the file holds more than {} batches, and the totals of those beyond were not added up: upload it in parts that hold whole batches",
                count(MOST_BATCHES as u64)
            ),
        );
    }
    let stretches = facts.stretches();
    if let Some(question) = question(&facts, &stretches) {
        hold(DAYS_FAR_APART, question);
    }
    if seen.restated_rows > 0 {
        let lines: Vec<String> = seen.restated.iter().map(u64::to_string).collect();
        hold(
            accept::RESTATES,
            format!(
                "{} other figures than were counted from an earlier file ({} {}): the earlier figures stand until the provider's correction is taken in",
                counted(seen.restated_rows, "row gives", "rows give"),
                if lines.len() == 1 { "line" } else { "lines" },
                lines.join(", ")
            ),
        );
    }
    if twice.other > 0 {
        hold(
            "row_id_twice",
            format!(
                "{} the row id of another row of this file but other figures: ask the provider which of them is right",
                counted(twice.other, "row carries", "rows carry")
            ),
        );
    }
    Ok(Found {
        covered_spans: spans(&facts, &stretches)?,
        profile: recognition.profile.name.clone(),
        encoding: recognition.encoding.code().to_owned(),
        first_day: facts.first_day.map(domain::time::Day::number),
        last_day: facts.last_day.map(domain::time::Day::number),
        readable: facts.rows > 0,
        report,
    })
}

/// What a person is asked about rows that lie too far apart to be of one period.
fn question(facts: &FileFacts, stretches: &[Stretch]) -> Option<String> {
    if facts.days_cut {
        return Some(format!(
            "the rows lie on more than {} different days: check whether their dates are right",
            count(MOST_DAYS as u64)
        ));
    }
    let (before, after) = far_apart(stretches)?;
    Some(format!(
        "rows lie on {} (line {}) and then on {} (line {}), with none on the days between, although there are {} in all: are these dates right? If they are, accept the file; the days between do not count as complete",
        before.last.day,
        before.last.first_line,
        after.first.day,
        after.first.first_line,
        counted(facts.lines, "row", "rows"),
    ))
}

/// The days that a file covers, where they are not all from its first to its last.
fn spans(facts: &FileFacts, stretches: &[Stretch]) -> Result<String, Error> {
    let covered: Vec<(i64, i64)> = if facts.days_cut {
        Vec::new()
    } else if stretches.len() < 2 {
        return Ok(String::new());
    } else {
        covered(stretches)
            .into_iter()
            .map(|(first, last)| (first.number(), last.number()))
            .collect()
    };
    Ok(stored::to_json(&covered)?)
}

/// Amounts that no balance could hold: an amount in the wrong unit a thousand times over, as a rule.
fn beyond_adding_up(facts: &FileFacts, booked: &BTreeMap<Currency, i128>) -> Option<String> {
    let shown = |minor: i128, currency: &Currency| Amount::new(minor, *currency).to_string();
    facts.volumes.iter().find_map(|(currency, volume)| {
        let before = booked.get(currency).copied().unwrap_or(0);
        (before + volume > LARGEST_SUM).then(|| {
            format!(
                "the amounts of its rows are too large to be added up with what is booked: more than {} \
                 would be booked in {currency} in all. Its rows come to {}. Check whether they are in the \
                 wrong unit or repeated, and upload the right file",
                shown(LARGEST_SUM, currency),
                facts
                    .nets
                    .get(currency)
                    .map_or_else(String::new, |net| shown(*net, currency)),
            )
        })
    })
}

/// Declared, summed and the difference, for the first totals that do not tie.
fn untied(facts: &FileFacts) -> String {
    if let Some(row) = facts.unread_footer() {
        return format!(
            "the total that the file declares cannot be read (line {}): {}",
            row.line_no, row.message
        );
    }
    let report = FileReport::of(facts);
    let batches = report
        .batches
        .iter()
        .filter(|b| b.ties == Some(false))
        .take(3)
        .map(|b| {
            format!(
                "batch {} declares {} {c} but its rows sum to {} {c}: {} {c} apart",
                b.batch_id,
                b.declared.as_deref().unwrap_or("nothing"),
                b.net,
                b.residual.as_deref().unwrap_or("?"),
                c = b.currency,
            )
        });
    let batches: Vec<String> = batches.collect();
    if batches.is_empty() {
        return "the total that the file declares is not the sum of its rows".to_owned();
    }
    batches.join("; ")
}
