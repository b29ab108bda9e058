//! The rows of a file that could not be read, under the file's own header: to be repaired and
//! uploaded again. Card numbers are masked, so that they do not travel a second time.

use crate::{
    Engine, Error,
    evidence_store::EvidenceStore,
    storage::{files, stored},
};
use domain::actor::{Actor, Permission};
use std::io::Write;

/// The header of a file is looked for in its first bytes.
const HEADER_BYTES: usize = 64 * 1024;

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
    let failed = |error: std::io::Error| Error::Internal(error.to_string());
    let mut row = |offset: i64, most: usize, line_end: bool| {
        let offset = u64::try_from(offset).unwrap_or(0);
        let mut bytes = evidence.read_range(&sha256, offset, most)?;
        if line_end {
            let end = bytes.iter().position(|byte| *byte == b'\n');
            bytes.truncate(end.unwrap_or(bytes.len()));
        }
        let text = String::from_utf8_lossy(&bytes);
        writeln!(out, "{}", domain::formats::masked(text.trim_end()))
    };
    row(0, HEADER_BYTES, true).map_err(failed)?;
    let mut after = 0;
    loop {
        let ranges = files::rejected_ranges(&mut reader, id, after).await?;
        let Some((last, _, _)) = ranges.last() else {
            return Ok(true);
        };
        after = *last;
        for (_, offset, len) in ranges {
            let len = usize::try_from(len).unwrap_or(0).min(ROW_BYTES);
            row(offset, len, false).map_err(failed)?;
        }
    }
}
