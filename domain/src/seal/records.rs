//! Every kind of sealed record, field by field, in the order in which the fields are sealed.
//!
//! Records name each other by natural ids: the company's ids, a file's hash and line number, a
//! case's kind, subject and opening. Row numbers and random ids of ours are not sealed, nor is the
//! time at which a machine got round to something; `acted_at` is there when a person acted or bytes
//! were received. So what is sealed does not depend on timing or on the database.

use super::{
    Hash,
    canonical::Text,
    record::{Field, FieldType, Posting, Record, RecordKind, Visitor, is_key, sealed_record},
};

/// How the machine itself is named where an actor is written.
pub const MACHINE: &str = "tieout";

/// The time that a file or case event seals: none for what the machine did by itself.
pub fn acted_at(actor: &str, at: i64) -> Option<i64> {
    (actor != MACHINE).then_some(at)
}

/// The time that an attempt or intent event seals: only when a person decided or a report came in.
pub fn acted_at_of_cause(cause_kind: &str, at: i64) -> Option<i64> {
    matches!(cause_kind, "decision" | "report").then_some(at)
}

sealed_record! {
    /// A change to a user account.
    UserEventRecord is UserEvent, named by (what, at) {
        /// The user's address.
        user: text,
        /// added, roles, disabled, enabled, password.
        what: id,
        /// Role codes after the change, comma separated, sorted.
        roles: id,
        /// The address of who did it, or `operator`.
        by: text,
        /// Microseconds since 1970.
        at: int,
    }
}

sealed_record! {
    /// Something that somebody did or saw.
    AuditEntryRecord is AuditRecord, named by (at, action) {
        /// Microseconds since 1970.
        at: int,
        /// Who, as shown in history.
        actor: text,
        /// What was done.
        action: id,
        /// To what.
        subject: text,
        /// JSON, as stored.
        detail: text,
    }
}

sealed_record! {
    /// A version of a provider account's policy.
    ProviderPolicyRecord is ProviderPolicy, named by (provider, version) {
        /// The account's name.
        provider: id,
        /// The account's kind.
        kind: id,
        /// The zone in which its days are cut.
        zone: id,
        /// From 1.
        version: int,
        /// JSON, as stored.
        fields: id,
        /// Who.
        changed_by: text,
        /// Microseconds since 1970.
        changed_at: int,
    }
}

sealed_record! {
    /// A payment intent as registered.
    IntentRecord is Intent, named by (intent) {
        /// The company's id.
        intent: id,
        /// The reference towards others.
        merchant_reference: id,
        /// The company's word.
        operation: id,
        /// Minor units.
        amount: int,
        /// ISO 4217.
        currency: id,
        /// in or out.
        direction: id,
        /// Who pays or is paid.
        counterparty: text,
        /// Microseconds since 1970, as the company gave it.
        created_at: int,
        /// at_most_once or at_least_once.
        loss_policy: id,
        /// import, api, decision.
        source: id,
    }
}

sealed_record! {
    /// An attempt as registered.
    AttemptRecord is Attempt, named by (attempt) {
        /// The intent's id.
        intent: id,
        /// The provider account's name.
        provider: id,
        /// The company's id.
        attempt: id,
        /// From 1, within the intent.
        number: int,
        /// The key that was sent.
        idempotency_key: id,
        /// The provider's id, or empty.
        provider_payment_id: id,
        /// Microseconds since 1970.
        started_at: int,
        /// Microseconds since 1970.
        finished_at: opt_int,
        /// The outcome as registered.
        outcome: id,
        /// The provider's error code, or empty.
        error_code: id,
    }
}

sealed_record! {
    /// What became of an attempt.
    AttemptEventRecord is AttemptEvent, named by (attempt, seq) {
        /// The attempt's id.
        attempt: id,
        /// From 1, within the attempt.
        seq: int,
        /// The outcome from here on.
        outcome: id,
        /// A provider id learned with it, or empty.
        provider_payment_id: id,
        /// Microseconds since 1970.
        finished_at: opt_int,
        /// The provider's error code, or empty.
        error_code: id,
        /// report, import, line, decision, sweep.
        cause_kind: id,
        /// Natural id of the cause.
        cause: id,
        /// When a person decided or a report was received: for the causes `decision` and `report`.
        acted_at: opt_int,
    }
}

sealed_record! {
    /// What became of an intent.
    IntentEventRecord is IntentEvent, named by (intent, version) {
        /// The intent's id.
        intent: id,
        /// The version from here on.
        version: int,
        /// The state from here on.
        state: id,
        /// As in attempt events.
        cause_kind: id,
        /// Natural id of the cause.
        cause: id,
        /// As in attempt events.
        acted_at: opt_int,
    }
}

sealed_record! {
    /// Something that testifies besides settlement lines.
    EvidenceRecord is Evidence, named by (kind, content_hash, received_at) {
        /// api_request, api_response, provider_event, status_query, bank_line, attestation.
        kind: id,
        /// The provider account's name.
        provider: opt_id,
        /// The intent's id.
        intent: opt_id,
        /// The attempt's id.
        attempt: opt_id,
        /// Who gave it.
        source: text,
        /// SHA-256 of what was received.
        content_hash: hash32,
        /// JSON, as stored.
        claim: text,
        /// Microseconds since 1970.
        occurred_at: opt_int,
        /// Microseconds since 1970.
        received_at: int,
    }
}

sealed_record! {
    /// A settlement file as received.
    SettlementFileRecord is SettlementFile, named by (provider, file) {
        /// The provider account's name.
        provider: id,
        /// SHA-256 of its bytes.
        file: hash32,
        /// How many bytes.
        bytes: int,
        /// The name under which it came.
        name: text,
        /// Microseconds since 1970.
        received_at: int,
        /// From whom.
        received_by: text,
    }
}

sealed_record! {
    /// A step in the life of a settlement file.
    FileEventRecord is FileEvent, named by (provider, file, seq) {
        /// The provider account's name.
        provider: id,
        /// SHA-256 of the file.
        file: hash32,
        /// From 1, within the file.
        seq: int,
        /// The state from here on.
        state: id,
        /// JSON, as stored.
        detail: text,
        /// Who.
        actor: text,
        /// When a person acted.
        acted_at: opt_int,
    }
}

sealed_record! {
    /// A settlement line.
    LineRecord is Line, named by (file, line_no) {
        /// The provider account's name.
        provider: id,
        /// SHA-256 of the file.
        file: hash32,
        /// The physical line at which it starts, from 1.
        line_no: int,
        /// Where it starts in the file.
        byte_offset: int,
        /// How long it is.
        byte_len: int,
        /// The provider's row id, or empty.
        row_id: id,
        /// First 16 bytes of SHA-256 over the identity and its occurrence.
        identity: hash16,
        /// Row kind.
        kind: id,
        /// The provider's word for it.
        source_kind: id,
        /// The payment's id at the provider, or empty.
        provider_payment_id: id,
        /// The refund's or dispute's id at the provider, or empty.
        modification_id: id,
        /// The reference, or empty.
        merchant_reference: id,
        /// Minor units.
        gross: int,
        /// Minor units.
        fee: int,
        /// Minor units.
        net: int,
        /// ISO 4217.
        currency: id,
        /// Minor units.
        presented_amount: int,
        /// ISO 4217.
        presented_currency: id,
        /// Microseconds since 1970.
        occurred_at: opt_int,
        /// Microseconds since 1970.
        settled_at: opt_int,
        /// Days since 1970.
        accounting_day: int,
        /// The provider's batch id, or empty.
        batch: id,
        /// Who paid or was paid.
        counterparty: text,
        /// Free text.
        description: text,
        /// 1 where text was damaged at its source.
        lossy_text: int,
    }
}

sealed_record! {
    /// A verdict on a settlement line.
    VerdictRecord is Verdict, named by (file, line_no, seq) {
        /// The provider account's name.
        provider: id,
        /// SHA-256 of the file.
        file: hash32,
        /// The line.
        line_no: int,
        /// From 1, within the line.
        seq: int,
        /// The verdict.
        verdict: id,
        /// Which rule gave it.
        rule: id,
        /// By which version of the policy.
        policy_version: int,
        /// The intent's id.
        intent: opt_id,
        /// The attempt's id.
        attempt: opt_id,
        /// The ledger account on which the line's contra amount stands, or `split`.
        contra: id,
        /// Minor units.
        contra_amount: int,
        /// ISO 4217, or empty.
        contra_currency: id,
        /// JSON, as stored.
        detail: text,
        /// file, rematch, decision.
        cause_kind: id,
        /// Natural id of the cause.
        cause: id,
    }
}

sealed_record! {
    /// A row that could not be read.
    RejectedRowRecord is RejectedRow, named by (file, line_no) {
        /// The provider account's name.
        provider: id,
        /// SHA-256 of the file.
        file: hash32,
        /// The physical line at which it starts, from 1.
        line_no: int,
        /// Where it starts in the file.
        byte_offset: int,
        /// How long it is.
        byte_len: int,
        /// What stood in the row id column.
        row_id: text,
        /// The column that could not be read.
        column_name: text,
        /// What stood there, shortened.
        value: text,
        /// Why, as a code.
        reason: id,
        /// Why, as a sentence.
        message: text,
    }
}

sealed_record! {
    /// A case as opened.
    ReviewCaseRecord is ReviewCase, named by (kind, subject, opening) {
        /// The kind.
        kind: id,
        /// What it is about.
        subject: id,
        /// 1 for the first of this kind and subject.
        opening: int,
        /// The provider account's name, or empty.
        provider: id,
    }
}

sealed_record! {
    /// A step in the life of a case.
    CaseEventRecord is CaseEvent, named by (kind, subject, opening, version) {
        /// The case's kind.
        kind: id,
        /// The case's subject.
        subject: id,
        /// The case's opening.
        opening: int,
        /// The version from here on.
        version: int,
        /// What happened.
        what: id,
        /// The state from here on.
        state: id,
        /// JSON, as stored.
        detail: text,
        /// Who.
        actor: text,
        /// When a person acted.
        acted_at: opt_int,
    }
}

sealed_record! {
    /// A decision.
    DecisionRecord is Decision, named by (decision) {
        /// The id that its client made.
        decision: id,
        /// The case's kind.
        case_kind: id,
        /// The case's subject.
        case_subject: id,
        /// The case's opening.
        case_opening: int,
        /// The version that was seen.
        case_version: int,
        /// The evidence version that was seen.
        evidence_version: int,
        /// What was decided.
        action: id,
        /// Why, as a code.
        reason_code: id,
        /// Why, in words.
        comment: text,
        /// JSON, as stored.
        params: text,
        /// SHA-256 of what the client sent.
        input_hash: hash32,
        /// JSON array of hashes in hexadecimal.
        evidence_hashes: id,
        /// 1 where a second person is needed.
        needs_approval: int,
        /// Who.
        decided_by: text,
        /// Microseconds since 1970.
        decided_at: int,
        /// The decision that this one reverses.
        reverses: opt_id,
    }
}

sealed_record! {
    /// A second person's yes or no.
    ApprovalRecord is Approval, named by (decision) {
        /// The decision's id.
        decision: id,
        /// 1 for yes.
        approved: int,
        /// Why, in words.
        comment: text,
        /// Who.
        approved_by: text,
        /// Microseconds since 1970.
        approved_at: int,
    }
}

sealed_record! {
    /// A ledger entry with its postings.
    LedgerEntryRecord is LedgerEntry, named by (provider, accounting_day, batch, cause_kind, cause) {
        /// The provider account's name.
        provider: id,
        /// Days since 1970.
        accounting_day: int,
        /// The provider's batch id, or empty.
        batch: id,
        /// lines, move, decision, reversal.
        cause_kind: id,
        /// Natural id of the cause.
        cause: id,
        /// JSON, as stored.
        detail: text,
        /// In order of their number.
        postings: postings,
    }
}

/// The fields of a kind, in order.
pub const fn fields_of(kind: RecordKind) -> &'static [Field] {
    match kind {
        RecordKind::UserEvent => UserEventRecord::FIELDS,
        RecordKind::AuditRecord => AuditEntryRecord::FIELDS,
        RecordKind::ProviderPolicy => ProviderPolicyRecord::FIELDS,
        RecordKind::Intent => IntentRecord::FIELDS,
        RecordKind::Attempt => AttemptRecord::FIELDS,
        RecordKind::AttemptEvent => AttemptEventRecord::FIELDS,
        RecordKind::IntentEvent => IntentEventRecord::FIELDS,
        RecordKind::Evidence => EvidenceRecord::FIELDS,
        RecordKind::SettlementFile => SettlementFileRecord::FIELDS,
        RecordKind::FileEvent => FileEventRecord::FIELDS,
        RecordKind::Line => LineRecord::FIELDS,
        RecordKind::Verdict => VerdictRecord::FIELDS,
        RecordKind::RejectedRow => RejectedRowRecord::FIELDS,
        RecordKind::ReviewCase => ReviewCaseRecord::FIELDS,
        RecordKind::CaseEvent => CaseEventRecord::FIELDS,
        RecordKind::Decision => DecisionRecord::FIELDS,
        RecordKind::Approval => ApprovalRecord::FIELDS,
        RecordKind::LedgerEntry => LedgerEntryRecord::FIELDS,
    }
}
