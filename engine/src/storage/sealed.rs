//! Sealed records as stored: rows of the histories with the natural ids that their leaves hold.

use super::{Rows, RowsSql, StorageError, seal::Refs, stored, tx::Connected};
use crate::statements;
use domain::seal::{
    Posting, Record, RecordKind, Text,
    records::{
        ApprovalRecord, AttemptEventRecord, AttemptRecord, AuditEntryRecord, CaseEventRecord,
        DecisionRecord, EvidenceRecord, FileEventRecord, IntentEventRecord, IntentRecord,
        LedgerEntryRecord, LineRecord, ProviderPolicyRecord, RejectedRowRecord, ReviewCaseRecord,
        SettlementFileRecord, UserEventRecord, VerdictRecord,
    },
};
use sqlx::{FromRow, postgres::PgRow, sqlite::SqliteRow};
use std::collections::HashMap;

statements! {
    @rows
    USER_EVENT(id: Int, part: Int) = "sealed/user_event.sql";
    AUDIT_RECORD(id: Int, part: Int) = "sealed/audit_record.sql";
    PROVIDER_POLICY(id: Int, part: Int) = "sealed/provider_policy.sql";
    INTENT(id: Int, part: Int) = "sealed/intent.sql";
    ATTEMPT(id: Int, part: Int) = "sealed/attempt.sql";
    ATTEMPT_EVENT(id: Int, part: Int) = "sealed/attempt_event.sql";
    INTENT_EVENT(id: Int, part: Int) = "sealed/intent_event.sql";
    EVIDENCE(id: Int, part: Int) = "sealed/evidence.sql";
    SETTLEMENT_FILE(id: Int, part: Int) = "sealed/settlement_file.sql";
    FILE_EVENT(id: Int, part: Int) = "sealed/file_event.sql";
    LINE(id: Int, part: Int) = "sealed/line.sql";
    VERDICT(id: Int, part: Int) = "sealed/verdict.sql";
    REJECTED_ROW(id: Int, part: Int) = "sealed/rejected_row.sql";
    REVIEW_CASE(id: Int, part: Int) = "sealed/review_case.sql";
    CASE_EVENT(id: Int, part: Int) = "sealed/case_event.sql";
    DECISION(id: Int, part: Int) = "sealed/decision.sql";
    APPROVAL(id: Int, part: Int) = "sealed/approval.sql";
    LEDGER_ENTRY(id: Int, part: Int) = "sealed/ledger_entry.sql";
    POSTING(id: Int, part: Int) = "sealed/posting.sql";
}

/// Takes records one after another.
pub trait RecordSink: Send {
    /// The record at this place of its batch.
    fn record<R: Record>(&mut self, place: usize, record: &R);

    /// The row that the batch names at this place does not exist.
    fn missing(&mut self, place: usize);
}

/// Shows the records that a batch of leaves names, in its order.
pub async fn read(
    reader: &mut impl Connected,
    kind: RecordKind,
    refs: &Refs,
    sink: &mut impl RecordSink,
) -> Result<(), StorageError> {
    match kind {
        RecordKind::UserEvent => show::<UserEventRow>(reader, &USER_EVENT, refs, sink).await,
        RecordKind::AuditRecord => show::<AuditRow>(reader, &AUDIT_RECORD, refs, sink).await,
        RecordKind::ProviderPolicy => show::<PolicyRow>(reader, &PROVIDER_POLICY, refs, sink).await,
        RecordKind::Intent => show::<IntentRow>(reader, &INTENT, refs, sink).await,
        RecordKind::Attempt => show::<AttemptRow>(reader, &ATTEMPT, refs, sink).await,
        RecordKind::AttemptEvent => {
            show::<AttemptEventRow>(reader, &ATTEMPT_EVENT, refs, sink).await
        }
        RecordKind::IntentEvent => show::<IntentEventRow>(reader, &INTENT_EVENT, refs, sink).await,
        RecordKind::Evidence => show::<EvidenceRow>(reader, &EVIDENCE, refs, sink).await,
        RecordKind::SettlementFile => show::<FileRow>(reader, &SETTLEMENT_FILE, refs, sink).await,
        RecordKind::FileEvent => show::<FileEventRow>(reader, &FILE_EVENT, refs, sink).await,
        RecordKind::Line => show::<LineRow>(reader, &LINE, refs, sink).await,
        RecordKind::Verdict => show::<VerdictRow>(reader, &VERDICT, refs, sink).await,
        RecordKind::RejectedRow => show::<RejectedRow>(reader, &REJECTED_ROW, refs, sink).await,
        RecordKind::ReviewCase => show::<CaseRow>(reader, &REVIEW_CASE, refs, sink).await,
        RecordKind::CaseEvent => show::<CaseEventRow>(reader, &CASE_EVENT, refs, sink).await,
        RecordKind::Decision => show::<DecisionRow>(reader, &DECISION, refs, sink).await,
        RecordKind::Approval => show::<ApprovalRow>(reader, &APPROVAL, refs, sink).await,
        RecordKind::LedgerEntry => show_entries(reader, refs, sink).await,
    }
}

/// A row that is one record.
trait StoredRecord: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {
    fn key(&self) -> (i64, i64);
    fn show(&self, place: usize, sink: &mut impl RecordSink) -> Result<(), StorageError>;
}

async fn show<T: StoredRecord>(
    reader: &mut impl Connected,
    statement: &RowsSql,
    refs: &Refs,
    sink: &mut impl RecordSink,
) -> Result<(), StorageError> {
    let rows: Vec<T> = wanted(statement, refs).all(&mut *reader, statement).await?;
    let mut rows: HashMap<(i64, i64), T> = rows.into_iter().map(|r| (r.key(), r)).collect();
    for (place, key) in refs.keys().enumerate() {
        match rows.remove(&key) {
            Some(row) => row.show(place, sink)?,
            None => sink.missing(place),
        }
    }
    Ok(())
}

async fn show_entries(
    reader: &mut impl Connected,
    refs: &Refs,
    sink: &mut impl RecordSink,
) -> Result<(), StorageError> {
    let entries: Vec<EntryRow> = wanted(&LEDGER_ENTRY, refs)
        .all(&mut *reader, &LEDGER_ENTRY)
        .await?;
    let mut postings: Vec<PostingRow> = wanted(&POSTING, refs).all(&mut *reader, &POSTING).await?;
    postings.sort_unstable_by_key(|p| (p.entry_id, p.number));
    let mut of_entry: HashMap<i64, Vec<Posting<'_>>> = HashMap::new();
    for row in &postings {
        of_entry.entry(row.entry_id).or_default().push(Posting {
            account: &row.ledger_account,
            currency: &row.currency,
            amount: row.amount,
        });
    }
    let entries: HashMap<i64, EntryRow> = entries.into_iter().map(|e| (e.id, e)).collect();
    for (place, (id, _)) in refs.keys().enumerate() {
        let Some(entry) = entries.get(&id) else {
            sink.missing(place);
            continue;
        };
        let record = LedgerEntryRecord {
            provider: &entry.provider,
            accounting_day: entry.accounting_day,
            batch: &entry.batch,
            cause_kind: &entry.cause_kind,
            cause: &entry.cause,
            detail: Text::Plain(&entry.detail),
            postings: of_entry.get(&id).map_or(&[], Vec::as_slice),
        };
        sink.record(place, &record);
    }
    Ok(())
}

fn wanted(statement: &RowsSql, refs: &Refs) -> Rows {
    let mut rows = Rows::of(statement);
    for (id, part) in refs.keys() {
        rows.add().int(id).int(part);
    }
    rows
}

#[derive(FromRow)]
struct EntryRow {
    id: i64,
    provider: String,
    accounting_day: i64,
    batch: String,
    cause_kind: String,
    cause: String,
    detail: String,
}

#[derive(FromRow)]
struct PostingRow {
    entry_id: i64,
    number: i64,
    ledger_account: String,
    currency: String,
    amount: i64,
}

/// Declares the row of a record kind: the record's fields as the statement names them.
macro_rules! stored_record {
    ($row:ident is $record:ident of $table:literal { $($field:ident: $type:ident),+ $(,)? }) => {
        #[derive(FromRow)]
        struct $row {
            id: i64,
            part: i64,
            $($field: stored_record!(@rust $type)),+
        }

        impl StoredRecord for $row {
            fn key(&self) -> (i64, i64) {
                (self.id, self.part)
            }

            fn show(&self, place: usize, sink: &mut impl RecordSink) -> Result<(), StorageError> {
                let record = $record {
                    $($field: stored_record!(@read $type self.$field, $table, $field, self.id)),+
                };
                sink.record(place, &record);
                Ok(())
            }
        }
    };
    (@rust int) => { i64 };
    (@rust opt_int) => { Option<i64> };
    (@rust id) => { String };
    (@rust opt_id) => { Option<String> };
    (@rust hash) => { Vec<u8> };
    (@rust text) => { String };
    (@read int $v:expr, $t:literal, $f:ident, $id:expr) => { $v };
    (@read opt_int $v:expr, $t:literal, $f:ident, $id:expr) => { $v };
    (@read id $v:expr, $t:literal, $f:ident, $id:expr) => { &$v };
    (@read opt_id $v:expr, $t:literal, $f:ident, $id:expr) => { $v.as_deref() };
    (@read hash $v:expr, $t:literal, $f:ident, $id:expr) => {
        $v.as_slice()
            .try_into()
            .map_err(|_| stored::corrupt($t, stringify!($f), $id, &"a hash of another length"))?
    };
    (@read text $v:expr, $t:literal, $f:ident, $id:expr) => { Text::Plain(&$v) };
}

stored_record! { UserEventRow is UserEventRecord of "user_event" {
    user: text, what: id, roles: id, by: text, at: int,
} }

stored_record! { AuditRow is AuditEntryRecord of "audit_record" {
    at: int, actor: text, action: id, subject: text, detail: text,
} }

stored_record! { PolicyRow is ProviderPolicyRecord of "provider_policy" {
    provider: id, kind: id, zone: id, version: int, fields: id, changed_by: text, changed_at: int,
} }

stored_record! { IntentRow is IntentRecord of "intent" {
    intent: id, merchant_reference: id, operation: id, amount: int, currency: id, direction: id,
    counterparty: text, created_at: int, loss_policy: id, source: id,
} }

stored_record! { AttemptRow is AttemptRecord of "attempt" {
    intent: id, provider: id, attempt: id, number: int, idempotency_key: id,
    provider_payment_id: id, started_at: int, finished_at: opt_int, outcome: id, error_code: id,
} }

stored_record! { AttemptEventRow is AttemptEventRecord of "attempt_event" {
    attempt: id, seq: int, outcome: id, provider_payment_id: id, finished_at: opt_int,
    error_code: id, cause_kind: id, cause: id, acted_at: opt_int,
} }

stored_record! { IntentEventRow is IntentEventRecord of "intent_event" {
    intent: id, version: int, state: id, cause_kind: id, cause: id, acted_at: opt_int,
} }

stored_record! { EvidenceRow is EvidenceRecord of "evidence" {
    kind: id, provider: opt_id, intent: opt_id, attempt: opt_id, source: text, content_hash: hash,
    claim: text, occurred_at: opt_int, received_at: int,
} }

stored_record! { FileRow is SettlementFileRecord of "settlement_file" {
    provider: id, file: hash, bytes: int, name: text, received_at: int, received_by: text,
} }

stored_record! { FileEventRow is FileEventRecord of "file_event" {
    provider: id, file: hash, seq: int, state: id, detail: text, actor: text, acted_at: opt_int,
} }

stored_record! { LineRow is LineRecord of "line" {
    provider: id, file: hash, line_no: int, byte_offset: int, byte_len: int, row_id: id,
    identity: hash, kind: id, source_kind: id, provider_payment_id: id, modification_id: id,
    merchant_reference: id, gross: int, fee: int, net: int, currency: id, presented_amount: int,
    presented_currency: id, occurred_at: opt_int, settled_at: opt_int, accounting_day: int,
    batch: id, counterparty: text, description: text, lossy_text: int,
} }

stored_record! { VerdictRow is VerdictRecord of "verdict" {
    provider: id, file: hash, line_no: int, seq: int, verdict: id, rule: id, policy_version: int,
    intent: opt_id, attempt: opt_id, contra: id, contra_amount: int, contra_currency: id,
    detail: text, cause_kind: id, cause: id,
} }

stored_record! { RejectedRow is RejectedRowRecord of "rejected_row" {
    provider: id, file: hash, line_no: int, byte_offset: int, byte_len: int, row_id: text,
    column_name: text, value: text, reason: id, message: text,
} }

stored_record! { CaseRow is ReviewCaseRecord of "review_case" {
    kind: id, subject: id, opening: int, provider: id,
} }

stored_record! { CaseEventRow is CaseEventRecord of "case_event" {
    kind: id, subject: id, opening: int, version: int, what: id, state: id, detail: text,
    actor: text, acted_at: opt_int,
} }

stored_record! { DecisionRow is DecisionRecord of "decision" {
    decision: id, case_kind: id, case_subject: id, case_opening: int, case_version: int,
    evidence_version: int, action: id, reason_code: id, comment: text, params: text,
    input_hash: hash, evidence_hashes: id, needs_approval: int, decided_by: text, decided_at: int,
    reverses: opt_id,
} }

stored_record! { ApprovalRow is ApprovalRecord of "approval" {
    decision: id, approved: int, comment: text, approved_by: text, approved_at: int,
} }
