//! `tieout export audit`.

use clap::Args;
use domain::{time::Day, view::amount::counted};
use engine::audit_bundle::export_audit;
use std::path::PathBuf;

use super::whole_file::WholeFile;
use crate::cli::{
    Refused,
    place::{OPERATOR, Place},
};

/// Its options.
#[derive(Debug, Args)]
pub struct Audit {
    /// The first day, in UTC
    #[arg(long, value_name = "DATE", value_parser = Day::parse)]
    from: Day,

    /// The last day, in UTC
    #[arg(long, value_name = "DATE", value_parser = Day::parse)]
    to: Day,

    /// Where the bundle goes
    #[arg(long, value_name = "FILE.zip")]
    out: PathBuf,
}

impl Audit {
    /// Runs it.
    pub async fn run(self, place: &Place) -> Result<(), Refused> {
        let failed = |error| Refused(format!("{}: {error}", self.out.display()));
        let file = WholeFile::begin(&self.out).map_err(failed)?;
        let done = export_audit(&place.engine, &OPERATOR, self.from, self.to, file.path()).await?;
        file.finish().map_err(failed)?;
        let text = format!(
            "{}: {} in {}.\nHead {}",
            self.out.display(),
            counted(done.records, "record", "records"),
            counted(done.blocks, "block", "blocks"),
            done.head
        );
        place.output.answer(&done, text)
    }
}
