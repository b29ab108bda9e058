//! Current tables say what the histories say.

use crate::{
    Error,
    storage::{Reader, verify},
};
use domain::{
    money::{Currency, major},
    seal::hex_of,
};

/// The first line whose current row is not its last verdict.
pub async fn lines(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = verify::wrong_line_now(reader).await?;
    Ok(found.map(|l| {
        format!(
            "settlement line {}:{} stands as {}, its history says {}",
            short(&l.file),
            l.line_no,
            or_none(&l.verdict_now),
            or_none(&l.verdict)
        )
    }))
}

/// The first intent, attempt, case or file whose current state is not the last of its history.
pub async fn states(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = verify::wrong_standing(reader).await?;
    Ok(found.map(|s| {
        format!(
            "{} {} stands as {}, its history says {}",
            s.what,
            s.name,
            or_none(&s.stands),
            or_none(&s.history)
        )
    }))
}

/// The first intent whose matched money is not the sum of its lines.
pub async fn intents(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = verify::wrong_open(reader).await?;
    Ok(found.map(|o| {
        let exponent = o.currency.parse::<Currency>().map_or(0, Currency::exponent);
        format!(
            "intent {}: {} {} stands as matched {}, its lines come to {}",
            o.intent,
            major(o.matched_now, exponent),
            o.currency,
            o.kind,
            major(o.matched, exponent)
        )
    }))
}

/// The first batch whose sums are not those of its lines.
pub async fn batches(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = verify::wrong_batch(reader).await?;
    Ok(found.map(|b| {
        let exponent = b.currency.parse::<Currency>().map_or(0, Currency::exponent);
        format!(
            "batch {} of {} in {}: its sums (net {}) are not those of its lines (net {})",
            b.batch,
            b.provider,
            b.currency,
            major(b.net_now, exponent),
            major(b.net, exponent)
        )
    }))
}

/// The first used line that its identity does not lead to.
pub async fn identities(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = verify::wrong_identity(reader).await?;
    Ok(found.map(|(file, line, known)| {
        let what = if known == 0 {
            "has no identity on record"
        } else {
            "counts although another line has its identity"
        };
        format!("settlement line {}:{line} {what}", short(&file))
    }))
}

/// Enough of a file's hash to find it.
pub fn short(file: &[u8]) -> String {
    hex_of(file.get(..6).unwrap_or(file))
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "nothing" } else { text }
}
