//! `tieout import`: payments of the company, and settlement files of its providers.

use clap::{Args, Subcommand};
use domain::view::{
    amount::{count, counted},
    file::counted_once,
};
use engine::{
    import_payments::{PaymentsImport, import_stored_payments},
    ingest::{self, Accepted, Ingest, ROWS_AT_ONCE, Summary},
};
use std::{
    fmt::Write as _,
    io::IsTerminal as _,
    os::fd::AsFd,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    Refused,
    output::Table,
    place::{Global, OPERATOR, Place},
};

/// Rejected rows that are quoted to a person.
const ROWS_QUOTED: usize = 20;

/// Its subcommands.
#[derive(Debug, Subcommand)]
pub enum Import {
    /// Read payment intents and attempts from a payments CSV
    Payments {
        /// The file; - reads standard input
        file: PathBuf,
    },
    /// Store, read, match and post a settlement file, or hold it and say why
    Settlement(Settlement),
}

/// A settlement file.
#[derive(Debug, Args)]
pub struct Settlement {
    /// The file
    file: PathBuf,

    /// The provider account that it comes from
    #[arg(long, value_name = "NAME")]
    provider: String,

    /// The profile that reads it, where it is not to be recognised by its header
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,

    /// Use the file although it is held, and say why
    #[arg(long, value_name = "REASON")]
    accept: Option<String>,
}

impl Import {
    /// Runs it.
    pub async fn run(self, global: &Global) -> Result<(), Refused> {
        let place = global.open_existing().await?;
        match self {
            Self::Payments { file } => payments(&place, &file).await,
            Self::Settlement(settlement) => settlement.run(&place).await,
        }
    }
}

async fn payments(place: &Place, file: &Path) -> Result<(), Refused> {
    let stored = if file == Path::new("-") {
        let input = std::io::stdin().as_fd().try_clone_to_owned();
        let input = input.map_err(|error| at(file, &error))?;
        let bytes = tokio::fs::File::from_std(std::fs::File::from(input));
        place.evidence.store(bytes).await
    } else {
        let bytes = tokio::fs::File::open(file).await;
        place
            .evidence
            .store(bytes.map_err(|error| at(file, &error))?)
            .await
    };
    let stored = stored.map_err(|error| at(file, &error))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = if file == Path::new("-") {
        ""
    } else {
        name.as_ref()
    };
    let (engine, evidence) = (&place.engine, &place.evidence);
    let done = import_stored_payments(engine, &OPERATOR, evidence, stored, name).await?;
    place.output.answer(&done, payments_text(&done, name))?;
    if done.rows > 0 && done.refused_rows == done.rows {
        return Err(Refused(format!(
            "nothing of {} was taken: each of its rows was refused",
            if name.is_empty() { "the input" } else { name }
        )));
    }
    Ok(())
}

fn payments_text(done: &PaymentsImport, name: &str) -> String {
    let mut text = format!(
        "{}: {}, {}, {} learned something, {} unchanged, {} refused.",
        counted(done.rows, "row", "rows"),
        counted(done.intents_new, "new intent", "new intents"),
        counted(done.attempts_new, "new attempt", "new attempts"),
        counted(done.attempts_updated, "attempt", "attempts"),
        count(done.unchanged),
        count(done.refused_rows),
    );
    for row in done.refused.iter().take(ROWS_QUOTED) {
        let file = if name.is_empty() {
            "standard input"
        } else {
            name
        };
        let _ = write!(text, "\n  {file}, line {}: {}", row.line, row.reason);
    }
    let left = done.refused_rows.saturating_sub(ROWS_QUOTED as u64);
    if left > 0 {
        let _ = write!(text, "\n  and {} more", count(left));
    }
    text
}

impl Settlement {
    async fn run(self, place: &Place) -> Result<(), Refused> {
        let bytes = tokio::fs::File::open(&self.file)
            .await
            .map_err(|error| at(&self.file, &error))?;
        let stored = place
            .evidence
            .store(bytes)
            .await
            .map_err(|error| at(&self.file, &error))?;
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        let received = ingest::receive_file(
            &place.engine,
            &OPERATOR,
            &self.provider,
            &name,
            self.profile.as_deref(),
            stored,
        )
        .await?;
        let work = Ingest {
            engine: place.engine.clone(),
            evidence: place.evidence.clone(),
            tell: Arc::new(tell),
            rows_at_once: ROWS_AT_ONCE,
        };
        ingest::work_account(&work, received.account_id).await?;
        let mut summary = ingest::summary(&place.engine, received.id, received.known).await?;
        if let Some(reason) = self.accept.filter(|_| summary.state == "HELD") {
            let accepted =
                ingest::accept_file(&place.engine, &OPERATOR, &received.public_id, &reason).await?;
            match accepted {
                Accepted::Posting => ingest::work_account(&work, received.account_id).await?,
                Accepted::NeedsSecond => place.output.say(
                    "Accepted by you; a second person must accept it as well before it is used.",
                ),
            }
            summary = ingest::summary(&place.engine, received.id, received.known).await?;
        }
        summary.read_again = received.read_again;
        if let Some(error) = &summary.stopped {
            return Err(Refused(format!(
                "work on {name} failed {} times and stopped as {}: {error}\nOnce that is mended, `tieout match` tries again, and so does `retry`, decided in its case.",
                ingest::MOST_FAILURES,
                summary.state
            )));
        }
        place.output.answer(&summary, settlement_text(&summary))
    }
}

/// Tells a person who waits at a terminal how far the file is.
fn tell(progress: ingest::Progress) {
    if progress.state == ingest::WAITING {
        eprintln!(
            "waiting: another process works on this account; one that died lets go of it after {} seconds",
            ingest::LEASE_SECONDS
        );
        return;
    }
    if progress.state == ingest::STOPPED {
        return; // The answer says it.
    }
    if !std::io::stderr().is_terminal() {
        return;
    }
    let state = progress.state.to_lowercase();
    if progress.rows_total > 0 {
        eprint!(
            "\r\u{1b}[K{state}: {} of {}",
            count(progress.rows_done),
            counted(progress.rows_total, "row", "rows")
        );
    } else {
        eprint!("\r\u{1b}[K{state}");
    }
    if matches!(
        progress.state.as_str(),
        "USED" | "HELD" | "REFUSED" | "WITHDRAWN"
    ) {
        eprintln!();
    }
}

fn settlement_text(summary: &Summary) -> String {
    let known = if summary.known {
        " (these bytes were there already: nothing changed)"
    } else if summary.read_again {
        " (these bytes were there already, unread: they were read again)"
    } else {
        ""
    };
    let mut text = format!(
        "{}{known}\n  file {}\n  sha256 {}\n  profile {}\n",
        summary.state,
        summary.file_id,
        summary.sha256,
        if summary.profile.is_empty() {
            "not recognised"
        } else {
            &summary.profile
        },
    );
    for message in &summary.held_messages {
        let _ = writeln!(text, "  held: {message}");
    }
    let rows = &summary.rows;
    let mut counts = Table::new(&["rows", ">count"]);
    for (name, number) in [
        ("used", rows.used),
        ("accounted", rows.accounted),
        ("unrecognised", rows.unrecognised),
        ("rejected", rows.rejected),
        ("held", rows.held),
        ("repeated", rows.repeated),
        ("superseded", rows.superseded),
        ("blank or trailer", rows.blank),
        ("total", rows.total),
    ] {
        counts.row([name.to_owned(), number.to_string()]);
    }
    let mut verdicts = Table::new(&["verdict", ">lines"]);
    for (verdict, lines) in &summary.verdicts {
        verdicts.row([verdict.clone(), lines.to_string()]);
    }
    let mut totals = Table::new(&[
        "batch",
        "currency",
        ">gross",
        ">fee",
        ">net",
        ">declared",
        "ties",
    ]);
    for total in &summary.totals {
        let ties = match total.ties {
            Some(true) => "ties".to_owned(),
            Some(false) => format!(
                "no: {} left",
                total.residual.as_deref().unwrap_or("something")
            ),
            None => "nothing declared".to_owned(),
        };
        totals.row([
            total.batch_id.clone(),
            total.currency.clone(),
            total.gross.clone(),
            total.fee.clone(),
            total.net.clone(),
            total.declared.clone().unwrap_or_default(),
            ties,
        ]);
    }
    let _ = write!(text, "\n{counts}\n\n{verdicts}\n\n{totals}\n");
    if summary.same_rows > 0 {
        let _ = writeln!(text, "  {}", counted_once(summary.same_rows));
    }
    for row in &summary.rejected_rows {
        let _ = write!(text, "\n  line {}: {}", row.line_no, row.message);
    }
    let _ = write!(
        text,
        "\n{} opened.",
        counted(summary.cases_opened, "case", "cases")
    );
    text
}

fn at(file: &Path, error: &std::io::Error) -> Refused {
    Refused(format!("{}: {error}", file.display()))
}
