//! `tieout export matches|cases|ledger|payments`.

use clap::{Args, CommandFactory as _, error::ErrorKind};
use domain::{time::Day, view::amount::counted};
use engine::export::{
    Filter, Format, export_cases, export_ledger, export_matches, export_payments,
};
use std::{
    io::{self, BufWriter, Write},
    path::PathBuf,
};

use super::whole_file::WholeFile;
use crate::cli::{
    CommandLine, Refused,
    place::{Global, OPERATOR, Place},
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

    /// csv (unless told otherwise), json or xlsx; with --json and no file, the rows stand in the object
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Where it goes instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Table {
    /// Ends the program where two options want different things of standard output.
    pub fn check_usage(&self, global: &Global) {
        let other = self.format.is_some_and(|f| f != Format::Json);
        if global.json && self.out.is_none() && other {
            CommandLine::command()
                .error(
                    ErrorKind::ArgumentConflict,
                    "--json prints one JSON object on standard output: leave --format away, or name a file with --out",
                )
                .exit();
        }
    }

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
            return if to_program {
                object(what, place, &filter, out).await
            } else {
                write(what, place, &filter, format, out).await.map(|_| ())
            };
        };
        let failed = |error: io::Error| Refused(format!("{}: {error}", path.display()));
        let file = WholeFile::begin(&path).map_err(failed)?;
        let out = BufWriter::new(file.writer().map_err(failed)?);
        let rows = write(what, place, &filter, format, Box::new(out)).await?;
        file.finish().map_err(failed)?;
        place.output.answer(
            &serde_json::json!({ "file": path, "rows": rows }),
            format!("{}: {}.", path.display(), counted(rows, "row", "rows")),
        )
    }
}

/// One JSON object: the rows of the table, and how many.
async fn object(
    what: What,
    place: &Place,
    filter: &Filter,
    out: Box<dyn Write + Send>,
) -> Result<(), Refused> {
    let begun = Object { begun: false, out };
    let (mut out, rows) = table(what, place, filter, Format::Json, begun).await?;
    ended(
        out.out
            .write_all(format!(",\"rows\":{rows}}}\n").as_bytes()),
    )?;
    ended(out.out.flush())
}

/// Names the table once its first byte comes: what is refused before prints nothing.
struct Object {
    begun: bool,
    out: Box<dyn Write + Send>,
}

impl Write for Object {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.begun {
            self.out.write_all(b"{\"data\":")?;
            self.begun = true;
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A reader that went away (`tieout … | head`) is no failure.
fn ended(done: io::Result<()>) -> Result<(), Refused> {
    match done {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Refused::because(error)),
        _ => Ok(()),
    }
}

async fn write(
    what: What,
    place: &Place,
    filter: &Filter,
    format: Format,
    out: Box<dyn Write + Send>,
) -> Result<u64, Refused> {
    let (mut out, rows) = table(what, place, filter, format, out).await?;
    ended(out.flush())?;
    Ok(rows)
}

async fn table<W: Write + Send>(
    what: What,
    place: &Place,
    filter: &Filter,
    format: Format,
    out: W,
) -> Result<(W, u64), Refused> {
    let (engine, by) = (&place.engine, &OPERATOR);
    Ok(match what {
        What::Matches => export_matches(engine, by, filter, format, out).await?,
        What::Cases => export_cases(engine, by, filter, format, out).await?,
        What::Ledger => export_ledger(engine, by, filter, format, out).await?,
        What::Payments => export_payments(engine, by, filter, format, out).await?,
    })
}
