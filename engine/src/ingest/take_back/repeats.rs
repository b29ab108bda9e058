//! Rows of other files that did not count, since the file that is taken back brought them first. The first of
//! each counts from now on, and is judged.

use super::{lines::is_odd, work::TakingBack};
use crate::{
    Error,
    derive::{Buckets, Seeds, derive},
    ingest::rows::{Content, Saying},
    seal::Leaves,
    storage::{
        Rows, Tx,
        files::{self, BatchSums},
        matching::{self, StoredLine},
        statement::ColumnType::{self, Blob, Int},
    },
};
use domain::{matching::keys::normalise, time::Instant};
use std::collections::{BTreeMap, BTreeSet, HashMap};

const IDENTITY: &[(&str, ColumnType)] = &[
    ("account_id", Int),
    ("identity", Blob),
    ("line_id", Int),
    ("content", Blob),
];

/// Lets rows count, the first of each identity.
pub(super) async fn count_page(
    tx: &mut Tx,
    leaves: &mut Leaves,
    of: &TakingBack<'_>,
    ids: &[i64],
    at: Instant,
) -> Result<(), Error> {
    let said: HashMap<i64, (Vec<u8>, String)> = files::as_said(&mut *tx, ids.iter().copied())
        .await?
        .into_iter()
        .map(|(line, identity, batch)| (line, (identity, batch)))
        .collect();
    let mut lines = matching::lines(&mut *tx, ids.iter().copied()).await?;
    lines.sort_by_key(|line| line.id);
    let mut taken: BTreeSet<&[u8]> = BTreeSet::new();
    lines.retain(|line| {
        let identity = said.get(&line.id).map(|(identity, _)| identity.as_slice());
        identity.is_some_and(|identity| taken.insert(identity))
    });
    let account = of.account.id;
    let mut identities = Rows::new("row_identity_now", IDENTITY);
    let mut keys = matching::line_key_rows();
    let mut now = matching::line_now_rows();
    let mut counts: BTreeMap<(i64, &str), i64> = BTreeMap::new();
    for line in &lines {
        let Some((identity, batch)) = said.get(&line.id) else {
            continue;
        };
        identities
            .add()
            .int(account)
            .blob(identity)
            .int(line.id)
            .blob(&content(line, batch));
        for (prefix, text) in [
            ('p', line.provider_payment_id.clone()),
            ('m', line.modification_id.clone()),
            ('r', normalise(&line.merchant_reference)),
        ] {
            if !text.is_empty() {
                keys.add()
                    .int(account)
                    .text(&format!("{prefix}:{text}"))
                    .int(line.id);
            }
        }
        now.add()
            .int(line.id)
            .int(account)
            .int(line.seq)
            .text("PENDING")
            .text("none")
            .opt_int(None)
            .opt_int(None)
            .text("")
            .int(0)
            .text("");
        *counts.entry((line.file_id, "REPEATED")).or_default() -= 1;
        *counts.entry((line.file_id, "PENDING")).or_default() += 1;
    }
    identities.insert_into(tx, "row_identity_now").await?;
    matching::put_line_keys(tx, &keys).await?;
    matching::put_line_now(tx, &now).await?;
    let counts = counts.iter().map(|((file, what), n)| (*file, *what, *n));
    files::add_verdicts(tx, counts).await?;
    let sums = batch_sums(&lines)?;
    let sums = sums
        .iter()
        .map(|((batch, currency), sums)| (*batch, *currency, *sums));
    files::add_batch_sums(tx, sums).await?;
    let seeds = Seeds {
        lines: lines.iter().map(|line| line.id).collect(),
        ..Seeds::default()
    };
    let given = Buckets::Given(&[]);
    derive(tx, leaves, &of.known, account, &seeds, given, of.cause(at)).await?;
    Ok(())
}

/// What a row says, as it was hashed when it was read.
fn content(line: &StoredLine, batch: &str) -> Content {
    let mut says = Saying::default();
    for text in [
        line.kind.as_str(),
        &line.provider_payment_id,
        &line.modification_id,
        &line.merchant_reference,
        &line.currency,
        &line.presented_currency,
        batch,
    ] {
        says.text(text);
    }
    says.end([line.gross, line.fee, line.net, line.presented_amount])
}

fn batch_sums(lines: &[StoredLine]) -> Result<BTreeMap<(i64, &str), BatchSums>, Error> {
    let mut sums: BTreeMap<(i64, &str), BatchSums> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.batch_id != 0) {
        let of_batch = sums
            .entry((line.batch_id, line.currency.as_str()))
            .or_insert_with(|| BatchSums {
                last_day: line.accounting_day,
                first_line: line.id,
                ..BatchSums::default()
            });
        of_batch.add(line, is_odd(line)?)?;
    }
    Ok(sums)
}

impl BatchSums {
    /// Adds a line to its batch.
    fn add(&mut self, line: &StoredLine, is_odd: bool) -> Result<(), Error> {
        let add = |to: &mut i64, amount: i64| -> Result<(), Error> {
            *to = to
                .checked_add(amount)
                .ok_or_else(|| crate::derive::overflow(domain::money::AmountOverflow))?;
            Ok(())
        };
        self.lines += 1;
        self.odd_rows += i64::from(is_odd);
        self.last_day = self.last_day.max(line.accounting_day);
        self.last_line = self.last_line.max(line.id);
        if matches!(line.kind.as_str(), "payout" | "payout_reversal") {
            self.payouts += 1;
            return add(&mut self.payout_net, line.net);
        }
        add(&mut self.gross, line.gross)?;
        add(&mut self.fee, line.fee)?;
        add(&mut self.net, line.net)
    }
}
