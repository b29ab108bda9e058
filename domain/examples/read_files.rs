//! Reads settlement files and prints what they hold: `read_files --kind stripe FILE…`.
//!
//! For trying a profile on real files, and for measuring: the last line of each file says how
//! many rows a second were read.

use domain::{
    account::ProviderKind,
    formats::{FileFacts, ReadContext, Row, RowReader, recognise},
    money::major,
    time::{Instant, Zone},
};
use std::{
    error::Error,
    fs::File,
    io::{Read, Write},
    time::Instant as Clock,
};

const HEAD: u64 = 64 * 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let mut kind = ProviderKind::Generic;
    let mut zone = Zone::UTC;
    let mut reference_column = String::new();
    let mut profile = None;
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or_else(|| format!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--kind" => kind = value()?.parse()?,
            "--zone" => zone = value()?.parse()?,
            "--reference-column" => reference_column = value()?,
            "--profile" => profile = Some(value()?),
            _ => files.push(argument),
        }
    }
    let context = ReadContext {
        kind,
        zone,
        reference_column,
        latest: Instant::from_micros(4_102_444_800_000_000), // 2100
    };
    let mut out = std::io::stdout().lock();
    for path in files {
        writeln!(out, "{}", path.rsplit('/').next().unwrap_or(&path))?;
        if let Err(error) = read(&path, &context, profile.as_deref(), &mut out) {
            writeln!(out, "  cannot be used: {error}")?;
        }
    }
    Ok(())
}

fn read(
    path: &str,
    context: &ReadContext,
    profile: Option<&str>,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let started = Clock::now();
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    let whole = (head.len() as u64) < HEAD;
    let mut recognition = recognise(&head, whole, context, profile)?;
    if !whole {
        recognition.settle(File::open(path)?)?;
    }
    let mut facts = FileFacts::new(&recognition);
    let mut rejected = Vec::new();
    let mut reader = RowReader::new(File::open(path)?, &recognition);
    while let Some(row) = reader.next_row()? {
        facts.add(&row);
        if let Row::Rejected(row) = row
            && rejected.len() < 20
        {
            rejected.push(row);
        }
    }
    let elapsed = started.elapsed();
    writeln!(
        out,
        "  {} in {}, header on line {}, reference from {:?}",
        recognition.profile.name,
        recognition.encoding,
        recognition.header_line,
        recognition.reference_columns
    )?;
    let kinds: Vec<String> = facts
        .kinds
        .iter()
        .map(|(kind, count)| format!("{kind} {count}"))
        .collect();
    writeln!(
        out,
        "  rows {} (lines {}, rejected {}, blank {}): {}",
        facts.rows,
        facts.lines,
        facts.rejected,
        facts.blank,
        kinds.join(", ")
    )?;
    if let (Some(first), Some(last)) = (facts.first_day, facts.last_day) {
        writeln!(out, "  days {first} to {last}")?;
    }
    for total in facts.totals.values().take(20) {
        let exponent = total.currency.exponent();
        let shown =
            |sum: i128| i64::try_from(sum).map_or("too large".into(), |s| major(s, exponent));
        writeln!(
            out,
            "  batch {:12} {} gross {:>12} fee {:>9} net {:>12} declared {:>12} ties {}",
            format!("{:?}", total.batch_id),
            total.currency,
            shown(total.gross),
            shown(total.fee),
            shown(total.net),
            total.declared.map_or("none".into(), shown),
            match total.ties() {
                Some(true) => "yes",
                Some(false) => "no",
                None => "none",
            }
        )?;
    }
    if facts.uneven.count > 0 {
        writeln!(
            out,
            "  gross - fee is not net on {} rows, lines {:?}",
            facts.uneven.count, facts.uneven.first_lines
        )?;
    }
    for row in rejected {
        writeln!(
            out,
            "  line {} rejected ({}): {}",
            row.line_no, row.reason, row.message
        )?;
    }
    if facts.rows > 10_000 {
        let millis = u64::try_from(elapsed.as_millis())?.max(1);
        writeln!(out, "  {millis} ms, {} rows/s", facts.rows * 1000 / millis)?;
    }
    Ok(())
}
