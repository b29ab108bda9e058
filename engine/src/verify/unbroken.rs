//! Whether the chain is whole: what must hold before anything is exported under its head.

use super::chain;
use crate::{
    Error,
    storage::{Reader, verify},
};
use std::collections::HashMap;

/// What is wrong with the chain, if anything is: a block that was changed or taken away, leaves that
/// lie in none, or a history with more or fewer records than leaves. Records are not recomputed.
pub(crate) async fn broken_chain(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = chain::check(&mut *reader, None).await?;
    if found.broken.is_some() {
        return Ok(found.broken);
    }
    let leaves: HashMap<_, _> = verify::leaf_counts(&mut *reader)
        .await?
        .into_iter()
        .collect();
    for (kind, records) in verify::counts(reader).await? {
        let sealed = leaves.get(&kind).copied().unwrap_or(0);
        if sealed != records {
            return Ok(Some(format!(
                "there are {records} records of the kind {kind}, but {sealed} were sealed"
            )));
        }
    }
    Ok(None)
}
