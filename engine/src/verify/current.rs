//! Current tables say what the histories say.

use crate::{
    Error, odd_rows,
    storage::{Reader, files, stored, verify},
};
use domain::{
    money::{Currency, major},
    seal::hex_of,
};
use std::collections::BTreeMap;

/// The first line whose current row is not its last verdict.
pub async fn lines(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = verify::wrong_line_now(reader).await?;
    Ok(found.map(|l| {
        format!(
            "settlement line {}:{} stands as {}, its history says {}{}",
            short(&l.file),
            l.line_no,
            or_none(&l.verdict_now),
            or_none(&l.verdict),
            if l.verdict_now == l.verdict {
                " with another account, batch, step, rule, payment or contra side"
            } else {
                ""
            }
        )
    }))
}

/// The first intent, attempt or account of a person that is not what its history gives.
pub async fn states(reader: &mut Reader) -> Result<Option<String>, Error> {
    let mut found = verify::wrong_intent_now(&mut *reader).await?;
    if found.is_none() {
        found = verify::wrong_attempt_now(&mut *reader).await?;
    }
    if found.is_none() {
        found = verify::wrong_attempt_id(&mut *reader).await?;
    }
    if found.is_none() {
        found = verify::wrong_user(reader).await?;
    }
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

/// The first file of which not as many lines stand at a verdict as are counted.
pub async fn file_verdicts(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = verify::wrong_file_verdict(reader).await?;
    Ok(found.map(|(file, verdict, stands, lines)| {
        format!(
            "settlement file {file}: {stands} of its lines stand as {verdict}, counted are {lines}"
        )
    }))
}

/// The first line that waits for a payment of another account, currency, amount or direction.
pub async fn buckets(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = verify::wrong_line_bucket(reader).await?;
    Ok(found.map(|(file, line, waits)| {
        let what = if waits == 1 {
            "waits for a payment of another account, currency, amount or direction than its own"
        } else {
            "names nobody and does not wait for other payments"
        };
        format!("settlement line {}:{line} {what}", short(&file))
    }))
}

/// The first row of a bulk table that names what is not there.
pub async fn references(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = verify::orphan(reader).await?;
    Ok(found.map(|(child, parent, key)| {
        format!("a row of {child} names {parent} {key}, which is not there")
    }))
}

/// The first line whose shares are not those of its last verdict.
pub async fn shares(reader: &mut Reader) -> Result<Option<String>, Error> {
    if let Some((file, line)) = verify::stray_share(&mut *reader).await? {
        return Ok(Some(format!(
            "settlement line {}:{line} is shared out, its history knows of no share",
            short(&file)
        )));
    }
    let mut after = i64::MIN;
    loop {
        let lines = verify::shared_lines(&mut *reader, after).await?;
        let Some(last) = lines.last() else {
            return Ok(None);
        };
        after = last.line_id;
        let mut stands: BTreeMap<i64, Vec<(String, i64)>> = BTreeMap::new();
        let keys = lines.iter().map(|l| l.line_id);
        for (line, attempt, amount) in verify::shares_of_lines(&mut *reader, keys).await? {
            stands.entry(line).or_default().push((attempt, amount));
        }
        for line in &lines {
            let mut now = stands.remove(&line.line_id).unwrap_or_default();
            let detail: Shares = stored::json("verdict", "detail", line.line_id, &line.detail)?;
            let mut history = detail.shares;
            now.sort();
            history.sort();
            if now != history {
                return Ok(Some(format!(
                    "settlement line {}:{} stands as shared out {}, its history says {}",
                    short(&line.file),
                    line.line_no,
                    listed(&now),
                    listed(&history)
                )));
            }
        }
    }
}

/// What of a verdict's detail concerns matched money.
#[derive(serde::Deserialize)]
struct Shares {
    #[serde(default)]
    shares: Vec<(String, i64)>,
}

fn listed(shares: &[(String, i64)]) -> String {
    let parts: Vec<String> = shares
        .iter()
        .map(|(attempt, minor)| format!("{minor} minor units to attempt {attempt}"))
        .collect();
    or_none(&parts.join(", ")).to_owned()
}

/// The first intent whose matched money is not the sum of its lines.
pub async fn intents(reader: &mut Reader) -> Result<Option<String>, Error> {
    let found = verify::wrong_open(reader).await?;
    Ok(found.map(|o| {
        let exponent = o.currency.parse::<Currency>().map_or(0, Currency::exponent);
        if let Some(allowed) = o.allowed.filter(|allowed| *allowed != o.amount) {
            return format!(
                "intent {}: {} {} may be matched as {}, its amount is {}",
                o.intent,
                major(allowed, exponent),
                o.currency,
                o.kind,
                major(o.amount, exponent)
            );
        }
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
    if let Some(b) = verify::wrong_batch(&mut *reader).await? {
        let exponent = b.currency.parse::<Currency>().map_or(0, Currency::exponent);
        return Ok(Some(format!(
            "batch {} of {} in {}: its sums or days (net {}) are not those of its lines (net {})",
            b.batch,
            b.provider,
            b.currency,
            major(b.net_now, exponent),
            major(b.net, exponent)
        )));
    }
    for (batch, currency, stands, pending) in verify::odd_batches(&mut *reader).await? {
        for batch in files::batches(&mut *reader, std::iter::once(batch)).await? {
            if batch.currency != currency {
                continue;
            }
            let open = odd_rows::of_batch(&mut *reader, &batch).await?.len();
            let open = i64::try_from(open)
                .unwrap_or(i64::MAX)
                .saturating_add(pending);
            if open != stands {
                return Ok(Some(format!(
                    "batch {} in {currency}: {stands} of its rows are said to have a net that is off and \
                     that nobody accepted, there are {open}",
                    batch.provider_batch_id
                )));
            }
        }
    }
    Ok(None)
}

/// Enough of a file's hash to find it.
pub fn short(file: &[u8]) -> String {
    hex_of(file.get(..6).unwrap_or(file))
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "nothing" } else { text }
}
