//! The texts by which lines and payments find each other are those that they bear.

use super::current::short;
use crate::{
    Error,
    storage::{Reader, verify},
};
use domain::{
    matching::keys::normalise,
    seal::{Posting, Record, Text, record::Visitor},
};
use std::collections::{HashMap, HashSet};

/// Texts of an intent that are looked for in normal form, since that is not how they stand.
#[derive(Default)]
pub struct NormalTexts(Vec<String>);

impl NormalTexts {
    /// By the record of an intent.
    pub fn of<R: Record>(record: &R) -> impl Iterator<Item = String> {
        let mut texts = Self::default();
        record.visit(&mut texts);
        texts.0.into_iter()
    }
}

impl Visitor for NormalTexts {
    fn id(&mut self, name: &'static str, value: &str) {
        if name == "intent" || name == "merchant_reference" {
            let key = normalise(value);
            if key != value && !key.is_empty() {
                self.0.push(key);
            }
        }
    }

    fn int(&mut self, _: &'static str, _: i64) {}
    fn opt_int(&mut self, _: &'static str, _: Option<i64>) {}
    fn opt_id(&mut self, _: &'static str, _: Option<&str>) {}
    fn hash(&mut self, _: &'static str, _: &[u8]) {}
    fn text(&mut self, _: &'static str, _: Text<'_>) {}
    fn postings(&mut self, _: &'static str, _: &[Posting<'_>]) {}
}

/// The first of these texts that does not lead to its intent.
pub async fn missing_of(
    reader: &mut Reader,
    texts: Vec<(i64, String)>,
) -> Result<Option<String>, Error> {
    if texts.is_empty() {
        return Ok(None);
    }
    let intents: HashSet<i64> = texts.iter().map(|(intent, _)| *intent).collect();
    let there: HashSet<(i64, String)> = verify::keys_of_intents(reader, intents)
        .await?
        .into_iter()
        .collect();
    let missing = texts.into_iter().find(|text| !there.contains(text));
    Ok(missing.map(|(_, key)| format!("no key {key:?} leads to the intent that bears it")))
}

/// The first key that is no text of its line, or its intent, and the first open line or attempt that
/// a text of its own does not lead to.
pub async fn keys(reader: &mut Reader) -> Result<Option<String>, Error> {
    if let Some(wrong) = odd_line_keys(reader).await? {
        return Ok(Some(wrong));
    }
    if let Some(wrong) = keyless_lines(reader).await? {
        return Ok(Some(wrong));
    }
    if let Some(wrong) = odd_intent_keys(reader).await? {
        return Ok(Some(wrong));
    }
    keyless_attempts(reader).await
}

async fn odd_line_keys(reader: &mut Reader) -> Result<Option<String>, Error> {
    let mut after = (i64::MIN, String::new());
    loop {
        let odd = verify::odd_line_keys(&mut *reader, (after.0, &after.1)).await?;
        let Some(last) = odd.last() else {
            return Ok(None);
        };
        after = (last.line_id, last.key.clone());
        let wrong = odd.iter().find(|k| {
            let reference = normalise(&k.reference);
            reference.is_empty() || k.key != format!("r:{reference}")
        });
        if let Some(k) = wrong {
            return Ok(Some(format!(
                "settlement line {}:{} is looked for as {:?}, which it does not say",
                short(&k.file),
                k.line_no,
                k.key
            )));
        }
    }
}

async fn keyless_lines(reader: &mut Reader) -> Result<Option<String>, Error> {
    let mut after = i64::MIN;
    loop {
        let lines = verify::keyless_lines(&mut *reader, after).await?;
        let Some(last) = lines.last() else {
            return Ok(None);
        };
        after = last.line_id;
        let ids = lines.iter().map(|l| l.line_id);
        let there: HashSet<(i64, String)> = verify::keys_of_lines(&mut *reader, ids)
            .await?
            .into_iter()
            .collect();
        let wrong = lines.iter().find(|l| {
            let reference = normalise(&l.reference);
            l.lacks_id == 1
                || !reference.is_empty() && !there.contains(&(l.line_id, format!("r:{reference}")))
        });
        if let Some(l) = wrong {
            return Ok(Some(format!(
                "settlement line {}:{} is open, and an id or reference of it leads nowhere",
                short(&l.file),
                l.line_no
            )));
        }
    }
}

async fn odd_intent_keys(reader: &mut Reader) -> Result<Option<String>, Error> {
    let mut after = (i64::MIN, String::new());
    loop {
        let odd = verify::odd_intent_keys(&mut *reader, (after.0, &after.1)).await?;
        let Some(last) = odd.last() else {
            return Ok(None);
        };
        after = (last.intent_id, last.key.clone());
        let ids: HashSet<i64> = odd.iter().map(|k| k.intent_id).collect();
        let mut sent: HashMap<i64, Vec<String>> = HashMap::new();
        for (intent, key) in verify::idempotency_keys(&mut *reader, ids).await? {
            sent.entry(intent).or_default().push(normalise(&key));
        }
        let wrong = odd.iter().find(|k| {
            let of_attempt = sent
                .get(&k.intent_id)
                .is_some_and(|keys| keys.contains(&k.key));
            let own = [&k.intent, &k.reference]
                .into_iter()
                .any(|text| *text != k.key && normalise(text) == k.key);
            !of_attempt && !own
        });
        if let Some(k) = wrong {
            return Ok(Some(format!(
                "intent {} is looked for as {:?}, which it does not say",
                k.intent, k.key
            )));
        }
    }
}

async fn keyless_attempts(reader: &mut Reader) -> Result<Option<String>, Error> {
    let mut after = i64::MIN;
    loop {
        let attempts = verify::keyless_attempts(&mut *reader, after).await?;
        let Some(last) = attempts.last() else {
            return Ok(None);
        };
        after = last.id;
        let ids: HashSet<i64> = attempts.iter().map(|a| a.intent_id).collect();
        let there: HashSet<(i64, String)> = verify::keys_of_intents(&mut *reader, ids)
            .await?
            .into_iter()
            .collect();
        let wrong = attempts.into_iter().find(|a| {
            let key = normalise(&a.idempotency_key);
            let plain = key.is_empty() || key == a.intent || key == a.reference;
            !plain && !there.contains(&(a.intent_id, key))
        });
        if let Some(a) = wrong {
            return Ok(Some(format!(
                "intent {} cannot be found by {:?}, with which it was sent",
                a.intent, a.idempotency_key
            )));
        }
    }
}
