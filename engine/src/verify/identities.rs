//! Every row counts once: each line that counts is the one that its identity leads to, and what is
//! kept of what it said is what it says.

use crate::{
    Error,
    ingest::{Content, Saying},
    storage::{Reader, verify},
};
use domain::seal::{Posting, Record, Text, record::Visitor};
use std::collections::HashMap;

/// What a line's record says, hashed as when its row came.
#[derive(Default)]
pub struct Said {
    texts: Saying,
    gross: i64,
    fee: i64,
    net: i64,
    presented: i64,
}

impl Said {
    /// By the record of a line.
    pub fn by<R: Record>(record: &R) -> Content {
        let mut said = Self::default();
        record.visit(&mut said);
        let Self {
            texts,
            gross,
            fee,
            net,
            presented,
        } = said;
        texts.end([gross, fee, net, presented])
    }
}

/// The texts stand in the record in the order in which they are hashed.
impl Visitor for Said {
    fn id(&mut self, name: &'static str, value: &str) {
        if let "kind"
        | "provider_payment_id"
        | "modification_id"
        | "merchant_reference"
        | "currency"
        | "presented_currency"
        | "batch" = name
        {
            self.texts.text(value);
        }
    }

    fn int(&mut self, name: &'static str, value: i64) {
        match name {
            "gross" => self.gross = value,
            "fee" => self.fee = value,
            "net" => self.net = value,
            "presented_amount" => self.presented = value,
            _ => {}
        }
    }

    fn opt_int(&mut self, _: &'static str, _: Option<i64>) {}
    fn opt_id(&mut self, _: &'static str, _: Option<&str>) {}
    fn hash(&mut self, _: &'static str, _: &[u8]) {}
    fn text(&mut self, _: &'static str, _: Text<'_>) {}
    fn postings(&mut self, _: &'static str, _: &[Posting<'_>]) {}
}

/// Identities as compared so far.
#[derive(Debug, Default)]
pub struct Identities {
    /// Lines that count.
    lines: i64,
    /// The first line whose identity is wrong: its key, and how.
    pub broken: Option<(i64, &'static str)>,
}

impl Identities {
    /// Compares the identities of some lines, given by key with what they say.
    pub async fn compare(
        &mut self,
        reader: &mut Reader,
        said: &HashMap<i64, Content>,
    ) -> Result<(), Error> {
        let (Some(first), Some(last)) = (said.keys().min(), said.keys().max()) else {
            return Ok(());
        };
        for (line, known, content) in verify::identities(&mut *reader, *first, *last).await? {
            let Some(says) = said.get(&line) else {
                continue;
            };
            self.lines += 1;
            let wrong = match known {
                0 => "has no identity on record",
                1 if content.as_deref() == Some(says.as_slice()) => continue,
                1 => "says something else than is kept of it beside its identity",
                _ => "counts although another line has its identity",
            };
            self.broken.get_or_insert((line, wrong));
        }
        Ok(())
    }

    /// The first identity that no line has: with it a row that still comes would count as repeated.
    pub async fn first_stray(&self, reader: &mut Reader) -> Result<Option<String>, Error> {
        if verify::count_identities(&mut *reader).await? == self.lines {
            return Ok(None);
        }
        let stray = verify::stray_identity(reader).await?;
        Ok(stray.map(|(provider, line)| {
            format!(
                "an identity of {provider} leads to row {line}, which is no line that counts with it"
            )
        }))
    }
}
