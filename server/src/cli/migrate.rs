//! `tieout migrate`: brings the schema up to date.

use super::{Refused, place::Global};

/// Runs it.
pub async fn run(global: &Global) -> Result<(), Refused> {
    let place = global.open().await?;
    place.output.answer(
        &serde_json::json!({ "migrated": true }),
        "The schema is up to date.",
    )
}
