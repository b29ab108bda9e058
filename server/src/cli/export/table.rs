//! `tieout export matches|cases|ledger|payments`.

use clap::Args;
use domain::{time::Day, view::amount::counted};
use engine::export::{
    Filter, Format, export_cases, export_ledger, export_matches, export_payments,
};
use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::PathBuf,
};

use crate::cli::{
    Refused,
    place::{OPERATOR, Place},
};

/// Which table.
#[derive(Debug, Clone, Copy)]
pub enum What {
    /// Every data row of every file, and what became of it.
    Matches,
    /// The review queue and its history.
    Cases,
    /// Postings with block and hash.
    Ledger,
    /// Intents and attempts as they stand.
    Payments,
}

/// Its options.
#[derive(Debug, Args)]
pub struct Table {
    /// The first day
    #[arg(long, value_name = "DATE", value_parser = Day::parse)]
    from: Option<Day>,

    /// The last day
    #[arg(long, value_name = "DATE", value_parser = Day::parse)]
    to: Option<Day>,

    /// Only this provider account
    #[arg(long, value_name = "NAME", default_value = "")]
    provider: String,

    /// csv, json or xlsx; csv unless --json asks for an object on standard output
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Where it goes instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Table {
    /// Runs it.
    pub async fn run(self, what: What, place: &Place) -> Result<(), Refused> {
        let to_program = place.output.json && self.out.is_none();
        let usual = if to_program {
            Format::Json
        } else {
            Format::Csv
        };
        let format = self.format.unwrap_or(usual);
        let filter = Filter {
            from: self.from,
            to: self.to,
            provider: self.provider,
        };
        let Some(path) = self.out else {
            let out: Box<dyn Write + Send> = Box::new(BufWriter::new(io::stdout()));
            write(what, place, &filter, format, out).await?;
            return Ok(());
        };
        let failed = |error: io::Error| Refused(format!("{}: {error}", path.display()));
        let file = File::create(&path).map_err(failed)?;
        let rows = write(what, place, &filter, format, Box::new(BufWriter::new(file))).await?;
        place.output.answer(
            &serde_json::json!({ "file": path, "rows": rows }),
            format!("{}: {}.", path.display(), counted(rows, "row", "rows")),
        )
    }
}

async fn write(
    what: What,
    place: &Place,
    filter: &Filter,
    format: Format,
    out: Box<dyn Write + Send>,
) -> Result<u64, Refused> {
    let (engine, by) = (&place.engine, &OPERATOR);
    let (mut out, rows) = match what {
        What::Matches => export_matches(engine, by, filter, format, out).await?,
        What::Cases => export_cases(engine, by, filter, format, out).await?,
        What::Ledger => export_ledger(engine, by, filter, format, out).await?,
        What::Payments => export_payments(engine, by, filter, format, out).await?,
    };
    match out.flush() {
        // A reader that went away (`tieout … | head`) is no failure.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Refused::because(error)),
        _ => Ok(rows),
    }
}
