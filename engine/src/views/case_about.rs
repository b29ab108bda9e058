//! What a case of more than one line is about: a file, a batch, a period. Its figures by name, each
//! with the way to what it counts, and what testifies.

use super::{
    files,
    intent::{of_line, sealed},
    line_row::{self, day},
};
use crate::{
    Error,
    seal::leaves_of,
    storage::{
        books::{self, FileByHash},
        filelist::{self, FileShown},
        files as batches, lines,
        overview::{self, FileOfDays},
        queue::{CaseRow, Standing},
        tx::Connected,
    },
};
use domain::{
    cases::CaseFacts,
    matching::LineName,
    seal::RecordKind,
    time::{Day, Instant},
    view::{
        Link,
        amount::{capital, counted},
        case::{AboutFact, Testimony},
        routes,
    },
};

/// Rejected rows that a case lists.
const MOST_ROWS: usize = 10;
/// Days around a missing one in which files are looked for.
const AROUND: i64 = 7;

/// What a case is about.
#[derive(Debug, Default)]
pub(super) struct About {
    /// Its figures.
    pub facts: Vec<AboutFact>,
    /// What testifies.
    pub evidence: Vec<Testimony>,
}

/// Reads it.
pub(super) async fn read(
    mut tx: impl Connected,
    row: &CaseRow,
    standing: &Standing,
    facts: &CaseFacts,
) -> Result<About, Error> {
    let files = files_of_figures(&mut tx, row, facts).await?;
    let mut about = About {
        facts: facts
            .figures
            .iter()
            .map(|(name, value)| figure(name, value, &files))
            .collect(),
        evidence: Vec::new(),
    };
    match row.subject.split_once(':') {
        Some(("file", hash)) => of_file(&mut tx, row, hash, &mut about).await?,
        Some(("batch", name)) => of_batch(&mut tx, row, standing, name, &mut about).await?,
        Some(("period", name)) => of_period(&mut tx, row, name, facts, &mut about).await?,
        _ => {}
    }
    Ok(about)
}

/// A figure as it is stored; where it names a line, the way there.
fn figure(name: &str, value: &str, files: &[FileByHash]) -> AboutFact {
    let line = value.parse::<LineName>().ok();
    let link = line.as_ref().and_then(|line| {
        let file = file_of(line, files)?;
        let label = format!("{}:{}", file.name, line.line_no);
        Some(Link::new(
            label,
            routes::line(&file.public_id, line.line_no),
        ))
    });
    AboutFact {
        name: capital(name),
        value: if link.is_some() {
            String::new()
        } else {
            value.to_owned()
        },
        link,
    }
}

fn file_of<'a>(line: &LineName, files: &'a [FileByHash]) -> Option<&'a FileByHash> {
    let start = hex::decode(&line.file).ok()?;
    files.iter().find(|f| f.sha256.starts_with(&start))
}

/// Files of the lines that figures name.
async fn files_of_figures(
    tx: impl Connected,
    row: &CaseRow,
    facts: &CaseFacts,
) -> Result<Vec<FileByHash>, Error> {
    let mut starts: Vec<[u8; 8]> = facts
        .figures
        .iter()
        .filter_map(|(_, value)| value.parse::<LineName>().ok())
        .filter_map(|line| hex::decode(&line.file).ok()?.try_into().ok())
        .collect();
    starts.sort_unstable();
    starts.dedup();
    let wanted = starts.into_iter().map(|start| (row.account_id, start));
    Ok(books::files_by_hash(tx, wanted).await?)
}

async fn of_file(
    mut tx: impl Connected,
    row: &CaseRow,
    hash: &str,
    about: &mut About,
) -> Result<(), Error> {
    let Some(start) = hash
        .get(..16)
        .and_then(|h| hex::decode(h).ok()?.try_into().ok())
    else {
        return Ok(());
    };
    let found = books::files_by_hash(&mut tx, std::iter::once((row.account_id, start))).await?;
    let Some(known) = found.into_iter().next() else {
        return Ok(());
    };
    let Some(file) = filelist::by_public_id(&mut tx, &known.public_id).await? else {
        return Ok(());
    };
    about.evidence.push(arrival(&file)?);
    // The figures that the case keeps name lines of this file; each leads to its bytes.
    about.facts.retain(|fact| fact.name != "File");
    for fact in &mut about.facts {
        let number = fact.name.strip_prefix("Line ").and_then(|n| n.parse().ok());
        if let Some(number) = number {
            fact.link = Some(Link::new(
                format!("{}:{number}", file.name),
                routes::line(&file.public_id, number),
            ));
        }
    }
    about.facts.insert(0, named_file(&file));
    let shown = about
        .facts
        .iter()
        .filter(|f| f.name.starts_with("Line "))
        .count();
    if shown == 0 {
        for rejected in filelist::rejected(&mut tx, file.id)
            .await?
            .into_iter()
            .take(MOST_ROWS)
        {
            let number = super::nav::count(rejected.line_no);
            about.facts.push(AboutFact {
                name: format!("Line {number}"),
                value: rejected.message,
                link: Some(Link::new(
                    format!("{}:{number}", file.name),
                    routes::line(&file.public_id, number),
                )),
            });
        }
    }
    Ok(())
}

fn named_file(file: &FileShown) -> AboutFact {
    AboutFact {
        name: "File".to_owned(),
        value: counted(super::nav::count(file.rows_total), "row", "rows"),
        link: Some(Link::new(file.name.clone(), routes::file(&file.public_id))),
    }
}

/// That a file came, as evidence.
fn arrival(file: &FileShown) -> Result<Testimony, Error> {
    let rejected = files::report(file)?.rejected;
    let bad = if rejected == 0 {
        String::new()
    } else {
        format!(
            ", {} of which could not be read",
            domain::view::amount::count(rejected)
        )
    };
    Ok(Testimony {
        occurred_at: None,
        received_at: Some(Instant::from_micros(file.received_at)),
        source: "file".to_owned(),
        text: format!(
            "{} came with {}{bad}; brought by {}.",
            file.name,
            counted(super::nav::count(file.rows_total), "row", "rows"),
            file.received_by
        ),
        hash: hex::encode(&file.sha256),
        link: Some(Link::new("the file", routes::file(&file.public_id))),
    })
}

async fn of_batch(
    mut tx: impl Connected,
    row: &CaseRow,
    standing: &Standing,
    name: &str,
    about: &mut About,
) -> Result<(), Error> {
    // `<account>:<batch>:<currency>`; an account's name holds no colon, a batch's may.
    let rest = name
        .strip_prefix(&format!("{}:", row.account))
        .unwrap_or(name);
    let (batch_name, currency) = rest.rsplit_once(':').unwrap_or((rest, ""));
    about.facts.insert(
        0,
        AboutFact {
            name: "Batch".to_owned(),
            value: batch_name.to_owned(),
            link: None,
        },
    );
    let Some(batch) = standing.batch_id else {
        return Ok(());
    };
    let sums = batches::batches(&mut tx, std::iter::once(batch)).await?;
    let Some(sums) = sums.into_iter().find(|b| b.currency == currency) else {
        return Ok(());
    };
    let mut ids: Vec<i64> = lines::of_batch(&mut tx, sums.first_line, sums.last_line, batch)
        .await?
        .into_iter()
        .map(|(id, _)| id)
        .collect();
    ids.push(sums.last_line);
    ids.dedup();
    let rows = lines::by_ids(&mut tx, &ids).await?;
    let keys = rows.iter().map(|line| (line.id, 0));
    let leaves = leaves_of(&mut tx, RecordKind::Line, keys).await?;
    let mut named: Vec<String> = Vec::new();
    for (line, leaf) in rows.into_iter().zip(leaves) {
        let line = line_row::shown(line)?;
        if line.batch_id != batch_name || line.gross.currency.to_string() != currency {
            continue;
        }
        let file = filelist::by_public_id(&mut tx, &line.file_id).await?;
        let name = file.as_ref().map_or("", |f| f.name.as_str());
        if let Some(file) = file.as_ref().filter(|f| !named.contains(&f.public_id)) {
            named.push(file.public_id.clone());
            about.facts.insert(named.len(), named_file(file));
        }
        about.evidence.push(sealed(of_line(&line, name), leaf));
    }
    about.facts.push(fact(
        "Rows",
        counted(super::nav::count(sums.lines), "row", "rows"),
    ));
    Ok(())
}

async fn of_period(
    mut tx: impl Connected,
    row: &CaseRow,
    name: &str,
    facts: &CaseFacts,
    about: &mut About,
) -> Result<(), Error> {
    let Some(first) = name
        .rsplit_once(':')
        .and_then(|(_, day)| day.parse::<Day>().ok())
    else {
        return Ok(());
    };
    let days = facts.figures.iter().find(|(name, _)| name == "days");
    let last = days
        .and_then(|(_, span)| span.rsplit_once(" to "))
        .and_then(|(_, last)| last.parse::<Day>().ok())
        .unwrap_or(first);
    let (from, to) = (first.number() - AROUND, last.number() + AROUND);
    let around = overview::files_of_days(&mut tx, row.account_id, from, to).await?;
    for file in around.iter().rev().take(MOST_ROWS) {
        if let Some(shown) = filelist::by_public_id(&mut tx, &file.public_id).await? {
            let mut told = arrival(&shown)?;
            told.text = format!("{} {}", span(file)?, told.text);
            about.evidence.push(told);
        }
    }
    about.facts.push(AboutFact {
        name: "Files of the account".to_owned(),
        value: String::new(),
        link: Some(Link::new(
            row.account.clone(),
            routes::query(routes::pattern::FILES, &[("provider", &row.account)]),
        )),
    });
    Ok(())
}

fn span(file: &FileOfDays) -> Result<String, Error> {
    let of = |number: Option<i64>| {
        number
            .map(|n| day("file_now", "first_day", file.file_id, n))
            .transpose()
    };
    Ok(match (of(file.first_day)?, of(file.last_day)?) {
        (Some(a), Some(b)) if a == b => format!("For {a}:"),
        (Some(a), Some(b)) => format!("For {a} to {b}:"),
        _ => String::new(),
    })
}

fn fact(name: &str, value: String) -> AboutFact {
    AboutFact {
        name: name.to_owned(),
        value,
        link: None,
    }
}
