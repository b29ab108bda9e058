//! What verifying does about each table: the list that the schema is read against.

/// How verifying keeps a table honest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Its rows are records, or the seal itself: recomputed.
    Sealed,
    /// It says how things stand: built again from what is sealed, and compared.
    Compared,
    /// It is not covered; docs/verifier says why.
    Apart,
}

/// A table: how it is kept, which of its columns are not, and how a message names one of its rows.
pub struct Table {
    pub name: &'static str,
    pub kept: Kept,
    /// Columns that verifying cannot tell; docs/verifier says why.
    pub apart: &'static [&'static str],
    /// The name of a row `t`, as SQL; `{hex:x}` stands for the first six bytes of `x` in hex.
    pub named: &'static str,
}

const fn sealed(name: &'static str, apart: &'static [&'static str], named: &'static str) -> Table {
    Table {
        name,
        kept: Kept::Sealed,
        apart,
        named,
    }
}

const fn compared(
    name: &'static str,
    apart: &'static [&'static str],
    named: &'static str,
) -> Table {
    Table {
        name,
        kept: Kept::Compared,
        apart,
        named,
    }
}

const fn apart(name: &'static str) -> Table {
    Table {
        name,
        kept: Kept::Apart,
        apart: &[],
        named: "''",
    }
}

const LINE: &str = "(SELECT {hex:f.sha256} || ':' || CAST(l.line_no AS TEXT) FROM line AS l JOIN settlement_file AS f ON f.id = l.file_id WHERE l.id = t.line_id)";
const BATCH_LINE: &str = "(SELECT {hex:f.sha256} || ':' || CAST(l.line_no AS TEXT) FROM line AS l JOIN settlement_file AS f ON f.id = l.file_id WHERE l.batch_id = t.id ORDER BY l.id LIMIT 1)";
const FILE: &str = "(SELECT f.public_id FROM settlement_file AS f WHERE f.id = t.file_id)";
const CASE: &str = "(SELECT c.public_id FROM review_case AS c WHERE c.id = t.case_id)";
const INTENT: &str = "(SELECT i.public_id FROM intent AS i WHERE i.id = t.intent_id)";
const ATTEMPT: &str = "(SELECT a.public_id FROM attempt AS a WHERE a.id = t.attempt_id)";
const DECISION: &str = "(SELECT d.public_id FROM decision AS d WHERE d.id = t.decision_id)";
const SUBJECT: &str = "(SELECT c.subject FROM review_case AS c WHERE c.id = t.case_id)";

/// Every table of the schema.
pub const TABLES: &[Table] = &[
    sealed("user_event", &[], "'user event ' || t.what"),
    sealed("audit_record", &["user_id"], "'audit record '"),
    sealed("provider_policy", &[], "'provider policy '"),
    sealed("intent", &[], "'intent ' || t.public_id"),
    sealed("attempt", &[], "t.public_id"),
    sealed("attempt_event", &["at"], ATTEMPT),
    sealed("intent_event", &["at"], INTENT),
    sealed("evidence", &[], "'evidence ' || t.kind"),
    sealed("settlement_file", &["public_id"], "{hex:t.sha256}"),
    sealed("file_event", &["at"], "'file event '"),
    sealed(
        "line",
        &[],
        "{hex:(SELECT f.sha256 FROM settlement_file AS f WHERE f.id = t.file_id)} || ':' || CAST(t.line_no AS TEXT)",
    ),
    sealed("verdict", &["at"], LINE),
    sealed(
        "rejected_row",
        &[],
        "{hex:(SELECT f.sha256 FROM settlement_file AS f WHERE f.id = t.file_id)} || ':' || CAST(t.line_no AS TEXT)",
    ),
    sealed("review_case", &["public_id"], "t.subject"),
    sealed("case_event", &["at"], SUBJECT),
    sealed("decision", &[], "t.public_id"),
    sealed("approval", &[], DECISION),
    sealed("ledger_entry", &["posted_at"], "'ledger entry '"),
    sealed("posting", &["number"], "'ledger entry '"),
    sealed("leaf_batch", &[], "''"),
    sealed("block", &[], "'block '"),
    sealed("block_batch", &[], "'block'"),
    compared("provider_account", &["created_at"], "t.name"),
    compared("settlement_batch", &[], BATCH_LINE),
    compared("user_account", &["password_hash"], "t.email"),
    compared("intent_key_now", &[], INTENT),
    compared("attempt_now", &[], ATTEMPT),
    compared("attempt_id_now", &[], ATTEMPT),
    compared("intent_now", &[], INTENT),
    compared("intent_open", &[], INTENT),
    compared("file_now", &["failures", "error"], FILE),
    compared("file_verdict_now", &[], FILE),
    compared(
        "batch_now",
        &[],
        "(SELECT b.provider_batch_id FROM settlement_batch AS b WHERE b.id = t.batch_id)",
    ),
    compared("line_now", &[], LINE),
    compared("line_share_now", &[], LINE),
    compared("line_key_now", &[], LINE),
    compared("line_bucket_now", &[], LINE),
    compared("row_identity_now", &[], LINE),
    compared("case_now", &[], CASE),
    compared("decision_now", &[], DECISION),
    compared("ruling_now", &[], "t.subject"),
    compared("balance_now", &[], "t.ledger_account || ' of '"),
    apart("counter"),
    apart("setting"),
    apart("session"),
    apart("sign_in_failure"),
    apart("api_token"),
    apart("account_gate"),
    apart("rematch"),
    apart("leaf_waiting"),
    apart("job"),
    apart("saved_view"),
    apart("payments_import"),
    apart("payments_import_part"),
    apart("registry_answer"),
    apart("intent_metadata"),
];

/// Columns whose change gives the record itself another name, with what is named instead.
pub const RENAMED: &[(&str, &str, &str)] = &[
    ("line", "file_id", "line row "),
    ("line", "line_no", "settlement line "),
    ("user_account", "email", "user event "),
    ("verdict", "entry_id", "ledger entry "),
    ("attempt", "intent_id", "attempt row "),
    ("approval", "approved_by", "approval row "),
];
