//! The lines of one settlement file, in the file's order.

use super::{files, line_row, nav::count, place};
use crate::{
    Engine, Error,
    storage::{
        filelist,
        lines::{self, LOOKED_AT, PAGE, Wanted},
        stored,
    },
};
use domain::{
    actor::{Actor, Permission},
    view::{
        Amount,
        line::{LineFilter, LineTotal, LinesPage},
    },
};

/// A page of lines of a file, by its public id. Sums are given for files small enough to sum while
/// a person waits; of larger ones the file's page shows them.
pub async fn lines(
    engine: &Engine,
    actor: &Actor,
    file_id: &str,
    filter: &LineFilter,
) -> Result<Option<LinesPage>, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let Some(file) = filelist::by_public_id(&mut reader, file_id).await? else {
        return Ok(None);
    };
    let row = files::rows(&mut reader, std::slice::from_ref(&file))
        .await?
        .pop();
    let row = row.ok_or_else(|| Error::Internal("a file that was read is gone".to_owned()))?;
    let wanted = Wanted {
        verdict: filter.verdict.trim(),
        kind: filter.kind.trim(),
        q: filter.q.trim(),
    };
    let [after] = place::read::<1>(&filter.after)?.unwrap_or([0]);
    let mut ids = lines::page_of_file(&mut reader, file.id, after, wanted).await?;
    let more = ids.len() > PAGE;
    ids.truncate(PAGE);
    let found = lines::by_ids(&mut reader, &ids).await?;
    let mut rows = found
        .into_iter()
        .map(line_row::shown)
        .collect::<Result<Vec<_>, _>>()?;
    rows.sort_by_key(|line| line.line_no);
    let next = if more {
        rows.last()
            .map(|line| i64::try_from(line.line_no).unwrap_or(i64::MAX))
    } else {
        match lines::last_looked_at(&mut reader, file.id, after).await? {
            // More lines follow those that were looked at.
            Some(last)
                if lines::last_looked_at(&mut reader, file.id, last)
                    .await?
                    .is_some() =>
            {
                Some(last)
            }
            _ => None,
        }
    };
    let figures = lines::figures_of_file(&mut reader, file.id, wanted).await?;
    let counted: i64 = figures.iter().map(|f| f.line_count).sum();
    let all_lines = row.rows.used
        + row.rows.accounted
        + row.rows.unrecognised
        + row.rows.held
        + row.rows.repeated;
    let whole = all_lines <= u64::try_from(LOOKED_AT).unwrap_or(0);
    let unfiltered = wanted.verdict.is_empty() && wanted.kind.is_empty() && wanted.q.is_empty();
    let total = if whole || !unfiltered {
        count(counted)
    } else {
        all_lines
    };
    let totals = figures.into_iter().filter(|_| whole).map(|f| {
        let currency = stored::parse("line", "currency", "sum", &f.currency)?;
        let amount = |minor: i128| Amount::new(minor, currency);
        Ok(LineTotal {
            gross: amount(f.gross()),
            fee: amount(f.fee()),
            net: amount(f.net()),
        })
    });
    Ok(Some(LinesPage {
        filter: filter.clone(),
        total,
        totals: totals.collect::<Result<_, Error>>()?,
        rows,
        next: next.map(|line| place::write(&[line])),
        file: row,
    }))
}
