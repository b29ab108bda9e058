//! Every file stands as the last step of its history says.

use crate::{
    Error,
    ingest::{has_ended, standing},
    storage::{
        Reader,
        files::StoredFile,
        stored,
        verify::{self, LastStep},
    },
};
use std::collections::HashMap;

/// What of a step's detail concerns how the file stands.
#[derive(serde::Deserialize)]
struct Detail {
    #[serde(default)]
    standing: String,
}

/// The first file that stands otherwise than its history says.
pub async fn files(reader: &mut Reader) -> Result<Option<String>, Error> {
    if let Some(file) = verify::file_without_standing(&mut *reader).await? {
        return Ok(Some(format!(
            "settlement file {file} has no current row, or no history"
        )));
    }
    let mut after = i64::MIN;
    loop {
        let files = verify::files_after(&mut *reader, after).await?;
        let Some(last) = files.last() else {
            return Ok(None);
        };
        after = last.id;
        let steps = verify::steps_of_files(&mut *reader, files.iter().map(|f| f.id)).await?;
        let steps: HashMap<i64, LastStep> = steps.into_iter().map(|s| (s.id, s)).collect();
        for file in &files {
            let Some(step) = steps.get(&file.id) else {
                return Ok(Some(format!(
                    "settlement file {} has no history",
                    file.public_id
                )));
            };
            if let Some(wrong) = wrong(file, step)? {
                return Ok(Some(format!("settlement file {} {wrong}", file.public_id)));
            }
        }
    }
}

fn wrong(file: &StoredFile, step: &LastStep) -> Result<Option<String>, Error> {
    if (file.state.as_str(), file.seq) != (step.state.as_str(), step.seq) {
        return Ok(Some(format!(
            "stands as {} after step {}, its history says {} after step {}",
            file.state, file.seq, step.state, step.seq
        )));
    }
    if file.account_id != step.account_now {
        return Ok(Some(
            "stands for another provider account than its history says".to_owned(),
        ));
    }
    let detail: Detail = stored::json("file_event", "detail", &file.public_id, &step.detail)?;
    if detail.standing != standing(file)? {
        return Ok(Some(
            "stands with another profile, encoding, period, number of rows, acceptance or report than its history says"
                .to_owned(),
        ));
    }
    let reached = match file.state.as_str() {
        "USED" => file.rows_total,
        _ => 0,
    };
    if has_ended(&file.state) && (file.rows_done, file.lines_done) != (reached, 0) {
        return Ok(Some(format!(
            "is {} but stands as read to row {} (line {})",
            file.state, file.rows_done, file.lines_done
        )));
    }
    Ok(None)
}
