//! One settlement line down to its bytes.

use super::{files, intent::cause, line_row, nav::count};
use crate::{
    Engine, Error, EvidenceStore,
    storage::{
        StorageError,
        filelist::{self, FileShown},
        lines::{self, RejectedRow, VerdictShown},
        providers::{self, Provider},
        record_cases::{self, FileRecord},
        stored,
        tx::Connected,
    },
};
use domain::{
    actor::{Actor, Permission},
    formats::{AmountSource, ReadContext, Recognition, Source, read_record_at, recognise},
    line::{Rule, Verdict},
    matching::{Explanation, Finding, sentences},
    time::Instant,
    view::line::{LineRow, RawField, RawLinePage, VerdictRecord},
};
use std::{fs::File, io::Read};

/// What recognising a file looks at.
const HEAD: u64 = 64 * 1024;
/// The most of a record that a page shows.
const LONGEST: i64 = 64 * 1024;

/// The page of a line, by its file's public id and the physical line at which it starts.
pub async fn line(
    engine: &Engine,
    actor: &Actor,
    evidence: &EvidenceStore,
    file_id: &str,
    line_no: u64,
) -> Result<Option<RawLinePage>, Error> {
    actor.require(Permission::Read)?;
    let Ok(number) = i64::try_from(line_no) else {
        return Ok(None);
    };
    let mut reader = engine.store.read().await?;
    let Some(file) = filelist::by_public_id(&mut reader, file_id).await? else {
        return Ok(None);
    };
    let place = lines::at(&mut reader, file.id, number).await?;
    let rejected = lines::rejected_at(&mut reader, file.id, number).await?;
    let (offset, len) = match (&place, &rejected) {
        (Some(p), _) => (p.byte_offset, p.byte_len),
        (None, Some(r)) => (r.byte_offset, r.byte_len),
        (None, None) => return Ok(None),
    };
    let row = files::rows(&mut reader, std::slice::from_ref(&file))
        .await?
        .pop();
    let row = row.ok_or_else(|| Error::Internal("a file that was read is gone".to_owned()))?;
    let account = providers::by_name(&mut reader, &file.account).await?;
    let (shown, verdicts) = match place {
        Some(place) => {
            let found = lines::by_ids(&mut reader, &[place.id]).await?.pop();
            let verdicts = lines::verdicts(&mut reader, place.id).await?;
            (found.map(line_row::shown).transpose()?, verdicts)
        }
        None => (None, Vec::new()),
    };
    let case_id = match &rejected {
        Some(_) => open_case_of_rejected(&mut reader, file.id).await?,
        None => String::new(),
    };
    let (previous, next) = lines::neighbours(&mut reader, file.id, number).await?;
    drop(reader);
    let read = read_bytes(evidence, &file, account, (offset, len)).await?;
    let fields = read.fields(shown.as_ref());
    Ok(Some(RawLinePage {
        file: row,
        sha256: hex::encode(&file.sha256),
        line_no,
        byte_offset: count(offset),
        byte_len: count(len),
        masked: read.masked,
        text: read.text,
        fields,
        line: shown,
        rejected: rejected.map_or_else(String::new, |r: RejectedRow| r.message),
        case_id,
        verdicts: verdicts
            .into_iter()
            .map(|v| record(file.id, v))
            .collect::<Result<_, _>>()?,
        previous: previous.map(count),
        next: next.map(count),
    }))
}

/// The open case about rejected rows of a file, or nothing.
async fn open_case_of_rejected(tx: impl Connected, file: i64) -> Result<String, StorageError> {
    let record = std::iter::once(FileRecord::Rejected(file));
    let found = record_cases::of_records(tx, record).await?.remove(&0);
    Ok(found.filter(|c| c.open).map_or_else(String::new, |c| c.id))
}

struct ReadBytes {
    text: String,
    masked: bool,
    columns: Vec<(String, String)>,
    recognition: Option<Recognition>,
}

async fn read_bytes(
    evidence: &EvidenceStore,
    file: &FileShown,
    account: Option<Provider>,
    (offset, len): (i64, i64),
) -> Result<ReadBytes, Error> {
    let sha256: [u8; 32] = file.sha256.as_slice().try_into().map_err(|_| {
        stored::corrupt(
            "settlement_file",
            "sha256",
            &file.public_id,
            &"not 32 bytes",
        )
    })?;
    let (evidence, profile) = (evidence.clone(), file.profile.clone());
    let received_at = Instant::from_micros(file.received_at);
    let work = move || -> std::io::Result<ReadBytes> {
        let len = usize::try_from(len.min(LONGEST)).unwrap_or(0);
        let bytes = evidence.read_range(&sha256, count(offset), len)?;
        let mut head = Vec::new();
        File::open(evidence.path(&sha256))?
            .take(HEAD)
            .read_to_end(&mut head)?;
        let whole = head.len() < usize::try_from(HEAD).unwrap_or(usize::MAX);
        let recognition = account.and_then(|account| {
            let context = ReadContext {
                kind: account.kind,
                zone: account.zone,
                reference_column: account.policy.reference_column,
                latest: received_at.latest_plausible(),
            };
            recognise(
                &head,
                whole,
                &context,
                Some(profile.as_str()).filter(|p| !p.is_empty()),
            )
            .ok()
        });
        Ok(ReadBytes::of(&bytes, recognition))
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|e| Error::Internal(e.to_string()))?
        .map_err(|e| Error::Internal(format!("the bytes of the file cannot be read: {e}")))
}

impl ReadBytes {
    fn of(bytes: &[u8], recognition: Option<Recognition>) -> Self {
        let plain = recognition.as_ref().map_or_else(
            || String::from_utf8_lossy(bytes).into_owned(),
            |r| r.encoding.decode_lossy(bytes),
        );
        let text = domain::formats::masked(&plain).into_owned();
        let columns = recognition
            .as_ref()
            .map_or_else(Vec::new, |r| read_record_at(bytes, r));
        Self {
            masked: text != plain,
            text,
            columns,
            recognition,
        }
    }

    fn fields(&self, line: Option<&LineRow>) -> Vec<RawField> {
        let roles = self.recognition.as_ref().map_or_else(Vec::new, roles);
        let shown = self.columns.iter().map(|(column, value)| {
            let named = |c: &str| c.eq_ignore_ascii_case(column);
            let role = roles
                .iter()
                .find(|(c, _)| named(c))
                .map_or("", |(_, role)| *role);
            RawField {
                column: column.clone(),
                value: value.clone(),
                read_as: role.to_owned(),
                read_value: line.map_or_else(String::new, |l| read_value(role, l)),
            }
        });
        shown.collect()
    }
}

/// Column and what it is read as.
fn roles(recognition: &Recognition) -> Vec<(String, &'static str)> {
    let columns = &recognition.profile.columns;
    let amounts = &recognition.profile.amounts;
    let mut roles: Vec<(String, &'static str)> = Vec::new();
    for column in &recognition.reference_columns {
        roles.push((column.clone(), "merchant reference"));
    }
    let texts: [(&[Source], &str); 8] = [
        (&columns.row_id, "row id"),
        (&columns.kind, "row kind"),
        (&columns.payment_id, "provider id"),
        (&columns.modification_id, "refund or dispute id"),
        (&columns.reference, "merchant reference"),
        (&columns.batch_id, "batch"),
        (&columns.counterparty, "counterparty"),
        (&columns.description, "description"),
    ];
    for (sources, role) in texts {
        roles.extend(sources.iter().map(|s| (s.column().to_owned(), role)));
    }
    roles.extend(
        columns
            .occurred_at
            .iter()
            .map(|s| (s.column.clone(), "occurred")),
    );
    roles.extend(
        columns
            .settled_at
            .iter()
            .map(|s| (s.column.clone(), "settled")),
    );
    roles.push((amounts.currency.clone(), "currency"));
    let sums: [(&Option<AmountSource>, &str); 4] = [
        (&amounts.gross, "gross"),
        (&amounts.fee, "fee"),
        (&amounts.net, "net"),
        (&amounts.presented, "presented amount"),
    ];
    for (source, role) in sums {
        let columns = source.iter().flat_map(AmountSource::columns);
        roles.extend(columns.map(|c| (c.to_owned(), role)));
    }
    roles.extend(
        amounts
            .presented_currency
            .iter()
            .map(|c| (c.clone(), "presented currency")),
    );
    roles
}

fn read_value(role: &str, line: &LineRow) -> String {
    let time = |at: Option<Instant>| at.map_or_else(String::new, |t| t.to_string());
    match role {
        "row id" => line.row_id.clone(),
        "row kind" => line.kind.code().to_owned(),
        "provider id" => line.provider_payment_id.clone(),
        "merchant reference" => line.merchant_reference.clone(),
        "batch" => line.batch_id.clone(),
        "occurred" => time(line.occurred_at),
        "settled" => time(line.settled_at),
        "currency" => line.gross.currency.to_string(),
        "gross" => line.gross.to_string(),
        "fee" => line.fee.to_string(),
        "net" => line.net.to_string(),
        "presented amount" => line.presented.unwrap_or(line.gross).to_string(),
        "presented currency" => line.presented.unwrap_or(line.gross).currency.to_string(),
        _ => String::new(),
    }
}

fn record(file: i64, shown: VerdictShown) -> Result<VerdictRecord, StorageError> {
    #[derive(serde::Deserialize)]
    struct Detail {
        #[serde(default)]
        explanation: Option<Explanation>,
    }
    let place = format!("{file}, {}", shown.seq);
    let verdict: Verdict = stored::parse("verdict", "verdict", &place, &shown.verdict)?;
    let rule: Rule = stored::parse("verdict", "rule", &place, &shown.rule)?;
    let explanation = if shown.detail.is_empty() {
        None
    } else {
        stored::json::<Detail>("verdict", "detail", &place, &shown.detail)?.explanation
    };
    // What needs no detail is an automatic match whose fields agree, or a row settled by its kind.
    let finding = if rule == Rule::Kind {
        Finding::ByKind
    } else {
        Finding::Agrees
    };
    let explanation =
        match (explanation, verdict) {
            (Some(explanation), _) => sentences::explain(&explanation),
            (None, Verdict::Matched | Verdict::Accounted) => sentences::explain(
                &Explanation::plain(verdict, rule, shown.policy_version, finding),
            ),
            (None, _) => String::new(),
        };
    Ok(VerdictRecord {
        seq: shown.seq,
        at: Instant::from_micros(shown.at),
        verdict,
        rule,
        policy_version: shown.policy_version,
        explanation,
        contra: shown.contra,
        entry: (shown.entry_id != 0).then_some(shown.entry_id),
        cause: cause(&shown.cause_kind, &shown.cause),
    })
}
