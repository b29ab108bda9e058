//! `tieout match`: runs matching again over what is open, and works again on files on which work stopped.

use clap::Args;
use engine::ingest::{self, Ingest};
use serde_json::json;

use super::{Refused, place::Global};

/// Its options.
#[derive(Debug, Args)]
pub struct Match {
    /// Only this provider account
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
}

impl Match {
    /// Runs it.
    pub async fn run(self, global: &Global) -> Result<(), Refused> {
        let place = global.open_existing().await?;
        let work = Ingest::silent(place.engine.clone(), place.evidence.clone());
        let text = match &self.provider {
            Some(name) => {
                ingest::work_again_for(&work, name).await?;
                format!("Matching of {name} is up to date.")
            }
            None => {
                ingest::work_again(&work).await?;
                "Matching is up to date.".to_owned()
            }
        };
        place
            .output
            .answer(&json!({ "matched": true, "provider": self.provider }), text)
    }
}
