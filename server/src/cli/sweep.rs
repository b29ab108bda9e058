//! `tieout sweep`: one pass of the checks that only time makes.

use clap::Args;
use domain::{
    time::Instant,
    view::amount::{count, counted},
};
use engine::sweep::sweep;

use super::{Refused, place::Global};

/// Its options.
#[derive(Debug, Args)]
pub struct Sweep {
    /// The time that it is taken to be, in RFC 3339
    #[arg(long, value_name = "RFC3339", value_parser = Instant::parse_rfc3339)]
    now: Option<Instant>,
}

impl Sweep {
    /// Runs it.
    pub async fn run(self, global: &Global) -> Result<(), Refused> {
        let place = global.open_existing().await?;
        let now = self.now.unwrap_or_else(|| place.engine.now());
        let swept = sweep(&place.engine, now).await?;
        let text = format!(
            "As of {now}: {} opened, {} closed by themselves, {} woke or let go; {} ran out.",
            counted(swept.cases_opened, "case", "cases"),
            count(swept.cases_closed),
            count(swept.cases_moved),
            counted(swept.leases_over, "lease", "leases")
        );
        place.output.answer(&swept, text)
    }
}
