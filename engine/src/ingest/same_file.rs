//! The same bytes for several provider accounts: they count for one, and a person says for which.

use super::{
    close,
    file::{self, Mover},
    put_away::WITHDRAWN,
    report::{FileReport, SAME_FILE_ELSEWHERE},
};
use crate::{
    Error,
    seal::Leaves,
    storage::{
        Tx, accounts,
        files::{self, StoredFile},
        stored,
        tx::Connected,
    },
};
use domain::matching::Accounts;

/// The same bytes as another account has them.
pub(crate) struct Twin {
    /// The other account's name.
    pub account: String,
    /// The file as it stands there.
    pub file: StoredFile,
    /// Why it is held there and what is known of it.
    pub report: FileReport,
}

impl Twin {
    /// Whether it counts, or is on its way there with nobody being asked.
    pub fn counts(&self) -> bool {
        matches!(self.file.state.as_str(), "POSTING" | "CLOSING" | "USED")
    }

    /// Whether it counts or could: neither put away nor without any row that could be read.
    pub fn may_count(&self) -> bool {
        match self.file.state.as_str() {
            "HELD" => self.report.rows_written,
            state => state != WITHDRAWN && state != "REFUSED",
        }
    }

    /// Whether nothing but its being there twice holds it.
    fn waits_for_this_alone(&self) -> bool {
        self.file.state == "HELD"
            && self.report.rows_written
            && !self.report.held_because.is_empty()
            && self
                .report
                .held_because
                .iter()
                .all(|h| h.code == SAME_FILE_ELSEWHERE)
    }
}

/// The same bytes in all other accounts.
pub(crate) async fn twins(mut tx: impl Connected, file: &StoredFile) -> Result<Vec<Twin>, Error> {
    let mut twins = Vec::new();
    for account in accounts::all(&mut tx).await?.into_values() {
        if account.id == file.account_id {
            continue;
        }
        let Some((id, ..)) = files::known(&mut tx, account.id, &file.sha256).await? else {
            continue;
        };
        let file = files::by_id(&mut tx, id).await?;
        let report = stored::json("file_now", "report", &file.public_id, &file.report)?;
        twins.push(Twin {
            account: account.name,
            file,
            report,
        });
    }
    Ok(twins)
}

/// The one for which a file that was just read must wait, if any does: of two that come at once the
/// later one asks.
pub(super) fn rival(twins: Vec<Twin>, file: &StoredFile) -> Option<Twin> {
    twins
        .into_iter()
        .find(|t| t.counts() || (t.may_count() && t.file.id < file.id))
}

/// Lets files be used that waited only for one that is put away now.
pub(super) async fn let_twins_count(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    away: &StoredFile,
    mover: Mover<'_>,
) -> Result<(), Error> {
    let mut waiting = Vec::new();
    for twin in twins(&mut *tx, away).await? {
        if twin.file.state == "HELD" {
            // Of two cases of one name the other's could not be open.
            accounts::pass_gate(tx, twin.file.account_id).await?;
            close::file_cases(tx, leaves, known, &twin.file, mover.now).await?;
        }
        if twin.may_count() && !twin.waits_for_this_alone() {
            // Another stands in the way, or is in doubt for reasons of its own.
            return Ok(());
        }
        if twin.waits_for_this_alone() {
            waiting.push(twin);
        }
    }
    // Of several a person still says which.
    let [twin] = waiting.as_slice() else {
        return Ok(());
    };
    accounts::pass_gate(tx, twin.file.account_id).await?;
    let mut file = files::by_id(&mut *tx, twin.file.id).await?;
    if file.state != "HELD" {
        return Ok(());
    }
    file.rows_done = 0;
    file.lines_done = 0;
    let provider = known.get(&file.account_id).map_or("", |a| a.name.as_str());
    let detail = serde_json::json!({ "put_away_elsewhere": away.public_id });
    let mover = Mover { provider, ..mover };
    file::step(tx, leaves, &mut file, "POSTING", &detail, mover).await
}
