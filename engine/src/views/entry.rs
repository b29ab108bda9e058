//! One ledger entry: its postings, what it rests on down to the lines, and the proof that it is
//! sealed.

use super::{
    entry_decision,
    ledger::{Cause, file_of, shown},
    line_row,
    nav::count,
    reversals,
};
use crate::{
    Engine, Error,
    storage::{
        books::{self, Entry},
        lines, seal, stored,
        tx::Connected,
    },
};
use domain::{
    actor::{Actor, Permission},
    seal::{RecordKind, hex_of, merkle},
    time::{Day, Instant},
    view::{
        Link,
        entry::{EntryPage, Proof},
        routes,
    },
};

const BATCHES_AT_A_TIME: i64 = 100;

/// The page of an entry.
pub async fn entry(
    engine: &Engine,
    actor: &Actor,
    number: i64,
) -> Result<Option<EntryPage>, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let Some(found) = books::entry(&mut reader, number).await? else {
        return Ok(None);
    };
    let cause = Cause::read(&found.cause_kind, &found.cause);
    let (account, batch_id) = (found.account_id, found.batch_id.clone());
    let mut page = EntryPage {
        entry: shown(&mut reader, vec![found.clone()])
            .await?
            .pop()
            .ok_or_else(|| Error::Internal("an entry that was read is gone".to_owned()))?,
        postings: Vec::new(),
        batch_id,
        links: Vec::new(),
        lines: Vec::new(),
        lines_total: 0,
        lines_href: String::new(),
        closed_day: closed_day(&found)?,
        decision: None,
        reverses: None,
        reversed_by: None,
        proof: proof(&mut reader, number).await?,
    };
    page.postings.clone_from(&page.entry.postings);
    let mut moved = None;
    if let Cause::Lines { file, first, last } = cause {
        let files = books::files_by_hash(&mut reader, std::iter::once((account, file))).await?;
        if let Some(file) = file_of(&cause, account, &files) {
            let ids = books::lines_of_entry(&mut reader, file.id, first, last, number).await?;
            moved = ids.first().copied();
            let rows = lines::by_ids(&mut reader, &ids).await?;
            page.lines = rows
                .into_iter()
                .map(line_row::shown)
                .collect::<Result<_, _>>()?;
            page.lines_total = count(
                books::count_lines_of_entry(&mut reader, file.id, first, last, number).await?,
            );
            page.lines_href = routes::file_lines(&file.public_id);
            page.links
                .push(Link::new(file.name.clone(), routes::file(&file.public_id)));
        }
    }
    page.decision = entry_decision::of_entry(&mut reader, &found, moved).await?;
    let counterparts = reversals::counterparts(&mut reader, &found, moved).await?;
    page.reverses = counterparts.reverses;
    page.reversed_by = counterparts.reversed_by;
    Ok(Some(page))
}

/// The closed day that an entry belongs to, where it is booked under another.
fn closed_day(entry: &Entry) -> Result<Option<Day>, Error> {
    #[derive(serde::Deserialize)]
    struct Detail {
        #[serde(default)]
        closed_day: Option<Day>,
    }
    let detail: Detail = stored::json("ledger_entry", "detail", entry.id, &entry.detail)?;
    Ok(detail.closed_day)
}

/// The proof that an entry lies in a block; none while it waits for one.
async fn proof(mut tx: impl Connected, number: i64) -> Result<Option<Proof>, Error> {
    let Some((batch, place)) = seal::batch_with(&mut tx, RecordKind::LedgerEntry, number).await?
    else {
        return Ok(None);
    };
    let Some((block, before)) = seal::place_of(&mut tx, batch.id).await? else {
        return Ok(None);
    };
    let Some(sealed) = seal::block(&mut tx, block).await? else {
        return Ok(None);
    };
    let mut leaves = Vec::with_capacity(usize::try_from(sealed.header.leaf_count).unwrap_or(0));
    let mut position = 0;
    loop {
        let part = seal::batches_of_block(&mut tx, block, position, BATCHES_AT_A_TIME).await?;
        if part.is_empty() {
            break;
        }
        position += i64::try_from(part.len()).unwrap_or(BATCHES_AT_A_TIME);
        leaves.extend(part.into_iter().flat_map(|batch| batch.leaves));
    }
    let index = usize::try_from(before)
        .unwrap_or(usize::MAX)
        .saturating_add(place);
    let (Some(leaf), Some(path)) = (leaves.get(index), merkle::path(&leaves, index)) else {
        return Ok(None);
    };
    Ok(Some(Proof {
        leaf: hex_of(leaf),
        index: index as u64,
        leaf_count: leaves.len() as u64,
        path: path.iter().map(|hash| hex_of(hash)).collect(),
        root: hex_of(&sealed.header.root),
        block,
        block_hash: hex_of(&sealed.hash),
        previous: hex_of(&sealed.header.previous),
        sealed_at: Instant::from_micros(sealed.header.sealed_at),
    }))
}
