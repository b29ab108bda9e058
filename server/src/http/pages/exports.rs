//! `/exports/{what}`: matches, cases, ledger and payments as CSV, JSON or XLSX. Cases, ledger and
//! payments are what their screen lists: the link on a screen carries its filter.

use axum::{
    extract::{Path, Query},
    http::{StatusCode, Uri},
    response::Response,
};
use domain::{time::Day, view::routes::field};
use engine::export::{
    Filter, Format, export_listed_entries, export_listed_payments, export_matches, export_queue,
};
use serde::de::DeserializeOwned;
use std::io::BufWriter;

use crate::http::{
    download::send,
    failure::{Failure, sentence},
    fields::{Asked, Fields},
    visit::Visit,
};

/// Writes the table and sends it.
pub async fn download(
    visit: Visit,
    Path(what): Path<String>,
    Asked(asked): Asked,
    uri: Uri,
) -> Result<Response, Failure> {
    let unknown = || Failure::not_found("export");
    let (table, suffix) = what.rsplit_once('.').ok_or_else(unknown)?;
    let format: Format = suffix.parse().map_err(|_| unknown())?;
    let filter = filter(&asked)?;
    let (engine, actor) = (&visit.web.engine, visit.actor());
    let evidence = &visit.web.evidence;
    let draft = evidence.draft().await.map_err(|e| Failure::broken(&e))?;
    let out = BufWriter::new(draft.writer().map_err(|e| Failure::broken(&e))?);
    let (mut out, _) = match table {
        "matches" => export_matches(engine, &actor, &filter, format, out).await?,
        "cases" => export_queue(engine, &actor, &listed(&uri)?, format, out).await?,
        "ledger" => export_listed_entries(engine, &actor, &listed(&uri)?, format, out).await?,
        "payments" => export_listed_payments(engine, &actor, &listed(&uri)?, format, out).await?,
        _ => return Err(unknown()),
    };
    std::io::Write::flush(&mut out).map_err(|e| Failure::broken(&e))?;
    drop(out);
    let kind = match format {
        Format::Csv => "text/csv; charset=utf-8",
        Format::Json => "application/json",
        Format::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    };
    send(draft, &format!("tieout-{what}"), kind).await
}

/// The filter of the screen. What cannot be read is refused: a file of everything would pass for one
/// of what was asked for.
fn listed<T: DeserializeOwned>(uri: &Uri) -> Result<T, Failure> {
    let Query(filter) = Query::try_from_uri(uri).map_err(|_| {
        Failure::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "This filter cannot be read: export from the list itself.",
        )
    })?;
    Ok(filter)
}

fn filter(asked: &Fields) -> Result<Filter, Failure> {
    let day = |name: &str| {
        let given = asked.given(name).map(Day::parse).transpose();
        given.map_err(|error| {
            Failure::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                sentence(&error.to_string()),
            )
        })
    };
    Ok(Filter {
        from: day(field::FROM)?,
        to: day(field::TO)?,
        provider: asked.text(field::PROVIDER).to_owned(),
    })
}
