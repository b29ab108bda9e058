//! `tieout export audit`.

use clap::Args;
use domain::{time::Day, view::amount::counted};
use engine::audit_bundle::export_audit;
use std::path::PathBuf;

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
        let done = export_audit(&place.engine, &OPERATOR, self.from, self.to, &self.out).await?;
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
