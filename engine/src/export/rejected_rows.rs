//! The rows of a file that could not be read, under the file's own header: to be repaired and
//! uploaded again, in UTF-8. Before each stands what is wrong with it, in a column that no profile
//! reads: there it shifts nothing, whatever is wrong with the row's own fields. How a row looks, and how it
//! is read when it comes back, is `domain::formats::repairable_record`'s.

use crate::{
    Engine, Error,
    evidence_store::EvidenceStore,
    ingest::recognise_head,
    storage::{
        accounts,
        files::{self, RejectedRange},
        stored,
    },
};
use domain::{
    actor::{Actor, Permission},
    formats::{Origin, repair_header, repairable_record},
    time::Instant,
};
use std::io::Write;

/// The most bytes of one row.
const ROW_BYTES: usize = 1024 * 1024;

/// Writes them; false if there is no such file.
pub async fn export_rejected_rows<W: Write + Send>(
    engine: &Engine,
    actor: &Actor,
    evidence: &EvidenceStore,
    file: &str,
    out: &mut W,
) -> Result<bool, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let Some(id) = files::id_by_public_id(&mut reader, file).await? else {
        return Ok(false);
    };
    let found = files::by_id(&mut reader, id).await?;
    let sha256: [u8; 32] = found.sha256.as_slice().try_into().map_err(|_| {
        stored::corrupt(
            "settlement_file",
            "sha256",
            &found.public_id,
            &"not 32 bytes",
        )
    })?;
    let account = accounts::all(&mut reader).await?.remove(&found.account_id);
    let account = account.ok_or_else(|| Error::not_found("provider account", &found.name))?;
    let received_at = Instant::from_micros(found.received_at);
    let path = evidence.path(&sha256);
    let recognition = recognise_head(&path, &account, &found.profile, received_at)
        .map_err(|e| Error::Conflict(format!("{} cannot be read any more: {e}", found.name)))?;
    let failed = |error: std::io::Error| Error::Internal(error.to_string());
    let separator = recognition.delimiter.to_string();
    writeln!(out, "{}", repair_header(&recognition)).map_err(failed)?;
    let mut row = |range: &RejectedRange| {
        let offset = u64::try_from(range.byte_offset).unwrap_or(0);
        let len = usize::try_from(range.byte_len).unwrap_or(0).min(ROW_BYTES);
        let bytes = evidence.read_range(&sha256, offset, len)?;
        let record = repairable_record(&bytes, &recognition);
        let origin = Origin {
            file: sha256,
            line_no: u64::try_from(range.line_no).unwrap_or(0),
        };
        writeln!(out, "{}{separator}{record}", reason(range, origin))
    };
    let mut after = 0;
    loop {
        let ranges = files::rejected_ranges(&mut reader, id, after).await?;
        let Some(last) = ranges.last() else {
            return Ok(true);
        };
        after = last.line_no;
        for range in ranges {
            row(&range).map_err(failed)?;
        }
    }
}

/// What is wrong with a row and where it stood, as a quoted field.
fn reason(range: &RejectedRange, origin: Origin) -> String {
    let column = if range.column_name.is_empty() {
        String::new()
    } else {
        format!(", {}", range.column_name)
    };
    let in_part = if usize::try_from(range.byte_len).unwrap_or(usize::MAX) > ROW_BYTES {
        "; only its first 1 MiB is here: repair the whole file"
    } else {
        ""
    };
    let text = format!(
        "line {}{column}: {}{in_part} {origin}",
        range.line_no, range.message
    );
    let text = text.replace(['\r', '\n'], " ").replace('"', "\"\"");
    format!("\"{text}\"")
}
