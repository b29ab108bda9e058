//! What identifies a row beyond its file, and what it says, as hashes.

use crate::{
    Error,
    storage::{files, tx::Connected},
};
use domain::line::SettlementLine;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// First 16 bytes of SHA-256 over the identity text and the occurrence.
pub type Identity = [u8; 16];
/// First 8 bytes of SHA-256 over what the row says.
pub type Content = [u8; 8];

/// A row's hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prepared {
    /// Its physical line.
    pub line_no: u64,
    /// Which row it is.
    pub identity: Identity,
    /// What it says.
    pub content: Content,
}

/// A row that is counted already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// The line that counts.
    pub line_id: i64,
    /// What it says.
    pub content: Content,
}

/// The hashes of a row.
pub fn prepare(line: &SettlementLine) -> Prepared {
    let mut identity = Sha256::new();
    identity.update(line.identity.as_bytes());
    identity.update([0x1f]);
    identity.update(line.occurrence.to_be_bytes());
    let mut says = Saying::default();
    for text in [
        line.kind.code(),
        &line.provider_payment_id,
        &line.modification_id,
        &line.merchant_reference,
        line.currency.as_str(),
        line.presented.currency.as_str(),
        &line.batch_id,
    ] {
        says.text(text);
    }
    Prepared {
        line_no: line.line_no,
        identity: first(&identity.finalize()),
        content: says.end([line.gross, line.fee, line.net, line.presented.minor]),
    }
}

/// Hashes what a row says: kind, payment id, modification id, reference, currency, presented
/// currency and batch, then gross, fee, net and presented amount.
#[derive(Default)]
pub(crate) struct Saying(Sha256);

impl Saying {
    /// The next text.
    pub fn text(&mut self, text: &str) {
        self.0.update(text.as_bytes());
        self.0.update([0x1f]);
    }

    /// After the texts, the amounts.
    pub fn end(mut self, amounts: [i64; 4]) -> Content {
        for amount in amounts {
            self.0.update(amount.to_be_bytes());
        }
        first(&self.0.finalize())
    }
}

fn first<const N: usize>(hash: &[u8]) -> [u8; N] {
    hash.get(..N)
        .and_then(|part| part.try_into().ok())
        .unwrap_or([0; N])
}

/// Which of the rows are counted already.
pub async fn counted(
    tx: impl Connected,
    account: i64,
    rows: &[Prepared],
) -> Result<HashMap<Identity, Counted>, Error> {
    let found = files::identities(tx, account, rows.iter().map(|r| r.identity.as_slice())).await?;
    Ok(found
        .into_iter()
        .map(|(identity, line_id, content)| {
            (
                first(&identity),
                Counted {
                    line_id,
                    content: first(&content),
                },
            )
        })
        .collect())
}
