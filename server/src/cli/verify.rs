//! `tieout verify`: recomputes the seal, the balances, and everything that stands beside its history,
//! and reads the received files again; or verifies an audit bundle, with no database at all.

use clap::Args;
use domain::{
    seal::Head,
    view::{amount::counted, audit::Verification},
};
use engine::{
    Clock as _, audit_bundle::verify_bundle, clock::SystemClock, verify::verify_with_files,
};
use std::{fmt::Write as _, path::PathBuf};

use super::{
    Refused,
    place::{Global, OPERATOR},
};

/// Its options.
#[derive(Debug, Args)]
pub struct Verify {
    /// A head that was noted elsewhere: the chain must pass through it
    #[arg(long, value_name = "N:HASH")]
    head: Option<Head>,

    /// An audit bundle: verified instead of the database, which need not exist
    #[arg(value_name = "FILE.zip")]
    bundle: Option<PathBuf>,
}

impl Verify {
    /// Runs it.
    pub async fn run(self, global: &Global) -> Result<(), Refused> {
        let found = match self.bundle {
            Some(file) => {
                let at = SystemClock.now();
                verify_bundle(&file, self.head, at, &OPERATOR.name())
                    .map_err(|error| Refused(format!("{}: {error}", file.display())))?
            }
            None => {
                let place = global.open_existing().await?;
                verify_with_files(&place.engine, &OPERATOR, self.head, &place.evidence).await?
            }
        };
        global.output().answer(
            &serde_json::json!({ "verified": found.holds(), "verification": found }),
            report(&found),
        )?;
        if found.holds() {
            return Ok(());
        }
        let broken = found.checks.iter().find(|check| !check.holds);
        Err(Refused(broken.map_or_else(
            || "not verified".to_owned(),
            |check| format!("not verified: {}: {}", check.what, check.detail),
        )))
    }
}

fn report(found: &Verification) -> String {
    let mut text = String::new();
    for check in &found.checks {
        let mark = if check.holds { "holds " } else { "BROKEN" };
        let _ = write!(text, "{mark}  {}", check.what);
        if !check.detail.is_empty() {
            let _ = write!(text, ": {}", check.detail);
        }
        text.push('\n');
    }
    let verdict = if found.holds() {
        "Verified"
    } else {
        "NOT VERIFIED"
    };
    let _ = write!(
        text,
        "{verdict}: {} in {}.",
        counted(found.leaves, "record", "records"),
        counted(found.blocks, "block", "blocks")
    );
    if !found.head_hash.is_empty() {
        let _ = write!(text, "\nHead {}:{}", found.head_block, found.head_hash);
    }
    text
}
