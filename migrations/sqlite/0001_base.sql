-- Column types are five: 64-bit integers (money in minor units, counts, microseconds since the
-- epoch, days since the epoch, booleans as 0/1), text, bytes, ids of public things as text, JSON as text.
-- A column may be NULL only where the domain's own type is optional.
-- "sealed" tables are histories: rows are only ever added (0002 refuses anything else).
-- "*_now" tables say how things stand; they can be rebuilt from the histories.

-- Numbers for rows that name their own id: one row per table, the next free number.
CREATE TABLE counter (
    name TEXT NOT NULL PRIMARY KEY,
    next INTEGER NOT NULL CHECK (next > 0)
) STRICT;

CREATE TABLE setting (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- ---------------------------------------------------------------- people and programs

CREATE TABLE user_account (
    id INTEGER NOT NULL PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    roles TEXT NOT NULL, -- codes, comma separated, sorted
    disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
    created_at INTEGER NOT NULL,
    created_by INTEGER NOT NULL, -- user id, 0 for the operator
    changed_by INTEGER NOT NULL  -- user id of the last change of roles or state, 0 for the operator
) STRICT;

CREATE TABLE user_event ( -- sealed
    id INTEGER NOT NULL PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES user_account (id),
    what TEXT NOT NULL, -- added, roles, disabled, enabled, password
    roles TEXT NOT NULL,
    by_user INTEGER NOT NULL,
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE session (
    id_hash BLOB NOT NULL PRIMARY KEY,
    user_id INTEGER NOT NULL, -- 0 before sign-in
    data TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX session_of_user ON session (user_id);
CREATE INDEX session_expiry ON session (expires_at);

-- Failed sign-ins by hash of the address, known or not, so that guessing slows down.
CREATE TABLE sign_in_failure (
    address_hash BLOB NOT NULL PRIMARY KEY,
    failures INTEGER NOT NULL,
    last_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_failure_last ON sign_in_failure (last_at);

CREATE TABLE api_token (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    token_hash BLOB NOT NULL UNIQUE,
    scopes TEXT NOT NULL, -- codes, comma separated, sorted
    user_id INTEGER REFERENCES user_account (id),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

CREATE TABLE audit_record ( -- sealed
    id INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    user_id INTEGER NOT NULL, -- 0 where no person acted
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL -- JSON: old and new values, ids, hashes; no payloads
) STRICT;
CREATE INDEX audit_record_at ON audit_record (at, id);
CREATE INDEX audit_record_actor ON audit_record (actor, at, id);
CREATE INDEX audit_record_action ON audit_record (action, at, id);
CREATE INDEX audit_record_subject ON audit_record (subject, at, id);

-- ---------------------------------------------------------------- provider accounts

CREATE TABLE provider_account (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    zone TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE provider_policy ( -- sealed
    account_id INTEGER NOT NULL REFERENCES provider_account (id),
    version INTEGER NOT NULL,
    fields TEXT NOT NULL, -- JSON
    changed_by TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, version)
) STRICT;

-- Whoever judges lines of an account locks its row here first, so that of two writers the later
-- sees the earlier (PostgreSQL; on SQLite there is one writer anyway).
CREATE TABLE account_gate (
    account_id INTEGER NOT NULL PRIMARY KEY REFERENCES provider_account (id),
    passed INTEGER NOT NULL
) STRICT;

-- ---------------------------------------------------------------- payments

CREATE TABLE intent ( -- sealed
    id INTEGER NOT NULL PRIMARY KEY,
    public_id TEXT NOT NULL UNIQUE,
    merchant_reference TEXT NOT NULL,
    operation TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    direction TEXT NOT NULL,
    counterparty TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    loss_policy TEXT NOT NULL,
    source TEXT NOT NULL -- import, api, decision
) STRICT;
CREATE INDEX intent_amount ON intent (currency, amount, created_at);
CREATE INDEX intent_reference ON intent (merchant_reference) WHERE merchant_reference <> '';

CREATE TABLE attempt ( -- sealed
    id INTEGER NOT NULL PRIMARY KEY,
    intent_id INTEGER NOT NULL REFERENCES intent (id),
    account_id INTEGER NOT NULL REFERENCES provider_account (id),
    public_id TEXT NOT NULL UNIQUE,
    number INTEGER NOT NULL,
    idempotency_key TEXT NOT NULL,
    provider_payment_id TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    outcome TEXT NOT NULL,
    error_code TEXT NOT NULL,
    UNIQUE (intent_id, number)
) STRICT;
CREATE INDEX attempt_started ON attempt (account_id, started_at);
CREATE INDEX attempt_provider_id ON attempt (account_id, provider_payment_id) WHERE provider_payment_id <> '';

-- Texts by which a line can name an intent besides its id and its reference as they are: idempotency
-- keys, and any of the three in normal form where that differs.
CREATE TABLE intent_key_now (
    key TEXT NOT NULL,
    intent_id INTEGER NOT NULL REFERENCES intent (id),
    PRIMARY KEY (key, intent_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX intent_key_now_intent ON intent_key_now (intent_id);

CREATE TABLE attempt_event ( -- sealed: what became of an attempt after it was registered
    attempt_id INTEGER NOT NULL REFERENCES attempt (id),
    seq INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    provider_payment_id TEXT NOT NULL, -- learned with this event, or empty
    finished_at INTEGER,
    error_code TEXT NOT NULL,
    cause_kind TEXT NOT NULL, -- report, line, decision, sweep
    cause TEXT NOT NULL,      -- natural id of the cause
    at INTEGER NOT NULL,
    PRIMARY KEY (attempt_id, seq)
) STRICT;

-- Only attempts that are open or whose state differs from how they were registered have a row.
CREATE TABLE attempt_now (
    attempt_id INTEGER NOT NULL PRIMARY KEY REFERENCES attempt (id),
    account_id INTEGER NOT NULL,
    reported TEXT NOT NULL, -- the outcome that reports and decisions alone give
    outcome TEXT NOT NULL,  -- the outcome with the evidence of lines
    seq INTEGER NOT NULL,   -- last attempt_event
    since INTEGER NOT NULL,
    written_off INTEGER NOT NULL -- minor units posted because nothing came
) STRICT;
CREATE INDEX attempt_now_outcome ON attempt_now (outcome, since, attempt_id);

-- Provider ids of attempts that were not registered with them.
CREATE TABLE attempt_id_now (
    account_id INTEGER NOT NULL,
    provider_payment_id TEXT NOT NULL,
    attempt_id INTEGER NOT NULL REFERENCES attempt (id),
    learned_from TEXT NOT NULL, -- company, event, query, line
    line_id INTEGER,            -- the line, where one taught it
    PRIMARY KEY (account_id, provider_payment_id, attempt_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempt_id_now_attempt ON attempt_id_now (attempt_id);

CREATE TABLE intent_event ( -- sealed
    intent_id INTEGER NOT NULL REFERENCES intent (id),
    version INTEGER NOT NULL,
    state TEXT NOT NULL,
    cause_kind TEXT NOT NULL,
    cause TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (intent_id, version)
) STRICT;

-- Only intents that changed since they were registered have a row; the others are at version 1.
CREATE TABLE intent_now (
    intent_id INTEGER NOT NULL PRIMARY KEY REFERENCES intent (id),
    state TEXT NOT NULL,
    version INTEGER NOT NULL,
    resend_permitted INTEGER NOT NULL CHECK (resend_permitted IN (0, 1))
) STRICT;
CREATE INDEX intent_now_state ON intent_now (state, intent_id);

-- How much of an intent's money is matched, per kind of movement: never more than allowed.
CREATE TABLE intent_open (
    intent_id INTEGER NOT NULL REFERENCES intent (id),
    kind TEXT NOT NULL, -- capture, refund, chargeback
    allowed INTEGER NOT NULL,
    matched INTEGER NOT NULL,
    PRIMARY KEY (intent_id, kind),
    CHECK (matched <= allowed)
) STRICT, WITHOUT ROWID;

CREATE TABLE evidence ( -- sealed: what testifies besides settlement lines, which are their own
    id INTEGER NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL, -- api_response, provider_event, status_query, bank_line, attestation
    account_id INTEGER,
    intent_id INTEGER REFERENCES intent (id),
    attempt_id INTEGER REFERENCES attempt (id),
    source TEXT NOT NULL,
    content_hash BLOB NOT NULL,
    claim TEXT NOT NULL, -- JSON: outcome, amount, currency, ids
    occurred_at INTEGER,
    received_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX evidence_attempt ON evidence (attempt_id, content_hash) WHERE attempt_id IS NOT NULL;

-- ---------------------------------------------------------------- files and lines

CREATE TABLE settlement_file ( -- sealed
    id INTEGER NOT NULL PRIMARY KEY,
    public_id TEXT NOT NULL UNIQUE,
    account_id INTEGER NOT NULL REFERENCES provider_account (id),
    sha256 BLOB NOT NULL,
    bytes INTEGER NOT NULL,
    name TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    received_by TEXT NOT NULL,
    UNIQUE (account_id, sha256)
) STRICT;

CREATE TABLE file_event ( -- sealed
    file_id INTEGER NOT NULL REFERENCES settlement_file (id),
    seq INTEGER NOT NULL,
    state TEXT NOT NULL,
    detail TEXT NOT NULL, -- JSON: profile, counts, totals, reasons for holding, who accepted and why
    actor TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (file_id, seq)
) STRICT;

CREATE TABLE file_now (
    file_id INTEGER NOT NULL PRIMARY KEY REFERENCES settlement_file (id),
    account_id INTEGER NOT NULL,
    state TEXT NOT NULL, -- RECEIVED, READING, HELD, POSTING, CLOSING, USED, REFUSED
    seq INTEGER NOT NULL,
    profile TEXT NOT NULL,
    encoding TEXT NOT NULL,
    rows_total INTEGER NOT NULL,
    rows_done INTEGER NOT NULL,
    lines_done INTEGER NOT NULL, -- line_no of the last record that a committed chunk covers
    accepted INTEGER NOT NULL CHECK (accepted IN (0, 1)),
    report TEXT NOT NULL, -- JSON: what pass one found and why the file is held
    failures INTEGER NOT NULL,
    error TEXT NOT NULL,
    first_day INTEGER,
    last_day INTEGER
) STRICT;
CREATE INDEX file_now_state ON file_now (state, file_id);
CREATE INDEX file_now_account ON file_now (account_id, file_id);

-- How many lines of a file stand at each verdict.
CREATE TABLE file_verdict_now (
    file_id INTEGER NOT NULL REFERENCES settlement_file (id),
    verdict TEXT NOT NULL,
    line_count INTEGER NOT NULL,
    PRIMARY KEY (file_id, verdict)
) STRICT, WITHOUT ROWID;

CREATE TABLE settlement_batch (
    id INTEGER NOT NULL PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES provider_account (id),
    provider_batch_id TEXT NOT NULL,
    UNIQUE (account_id, provider_batch_id)
) STRICT;

CREATE TABLE batch_now (
    batch_id INTEGER NOT NULL REFERENCES settlement_batch (id),
    currency TEXT NOT NULL,
    lines INTEGER NOT NULL,
    gross INTEGER NOT NULL,  -- without payout rows
    fee INTEGER NOT NULL,    -- without payout rows
    net INTEGER NOT NULL,    -- without payout rows
    payouts INTEGER NOT NULL, -- number of payout and payout_reversal rows
    payout_net INTEGER NOT NULL,
    adjusted INTEGER, -- residual accepted by a decision
    odd_rows INTEGER NOT NULL, -- rows whose net is not gross less fee
    last_day INTEGER NOT NULL,
    first_line INTEGER NOT NULL, -- its lines lie between these ids
    last_line INTEGER NOT NULL,
    PRIMARY KEY (batch_id, currency)
) STRICT, WITHOUT ROWID;

CREATE TABLE line ( -- sealed
    id INTEGER NOT NULL PRIMARY KEY,
    file_id INTEGER NOT NULL REFERENCES settlement_file (id),
    line_no INTEGER NOT NULL,
    byte_offset INTEGER NOT NULL,
    byte_len INTEGER NOT NULL,
    row_id TEXT NOT NULL,
    identity BLOB NOT NULL, -- first 16 bytes of SHA-256 over identity text and occurrence
    kind TEXT NOT NULL,
    source_kind TEXT NOT NULL,
    provider_payment_id TEXT NOT NULL,
    modification_id TEXT NOT NULL,
    merchant_reference TEXT NOT NULL,
    gross INTEGER NOT NULL,
    fee INTEGER NOT NULL,
    net INTEGER NOT NULL,
    currency TEXT NOT NULL,
    presented_amount INTEGER NOT NULL,
    presented_currency TEXT NOT NULL,
    occurred_at INTEGER,
    settled_at INTEGER,
    accounting_day INTEGER NOT NULL,
    batch_id INTEGER NOT NULL, -- 0 for rows without a batch
    counterparty TEXT NOT NULL,
    description TEXT NOT NULL,
    lossy_text INTEGER NOT NULL CHECK (lossy_text IN (0, 1)),
    UNIQUE (file_id, line_no)
) STRICT;

CREATE TABLE verdict ( -- sealed
    line_id INTEGER NOT NULL REFERENCES line (id),
    seq INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    rule TEXT NOT NULL,
    policy_version INTEGER NOT NULL,
    intent_id INTEGER,
    attempt_id INTEGER,
    -- Where the line's contra amount stands: a ledger account, or `split` with its parts in detail.
    contra TEXT NOT NULL,
    contra_amount INTEGER NOT NULL,
    contra_currency TEXT NOT NULL,
    entry_id INTEGER NOT NULL, -- 0 where nothing was posted
    detail TEXT NOT NULL,      -- JSON: shares, parts, explanation; empty for an automatic R1 or kind verdict
    cause_kind TEXT NOT NULL,  -- file, rematch, decision
    cause TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (line_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE line_now (
    line_id INTEGER NOT NULL PRIMARY KEY REFERENCES line (id),
    account_id INTEGER NOT NULL,
    seq INTEGER NOT NULL, -- last verdict; 0 while none is given
    verdict TEXT NOT NULL, -- as in verdict, or PENDING
    rule TEXT NOT NULL,
    intent_id INTEGER,
    attempt_id INTEGER,
    contra TEXT NOT NULL,
    contra_amount INTEGER NOT NULL,
    contra_currency TEXT NOT NULL
) STRICT;
CREATE INDEX line_now_intent ON line_now (intent_id) WHERE intent_id IS NOT NULL;
CREATE INDEX line_now_open ON line_now (account_id, verdict, line_id)
    WHERE verdict IN ('PENDING', 'PROPOSED', 'CONFLICT', 'UNMATCHED');
-- Lines whose contra amount is an open item of a ledger account that lists its items.
CREATE INDEX line_now_items ON line_now (account_id, contra, contra_currency, line_id, contra_amount)
    WHERE contra IN ('suspense', 'provider_reserve', 'payouts_in_transit', 'carried_forward', 'split');

-- A line that serves several attempts, or one whose matched amount is not its whole.
CREATE TABLE line_share_now (
    line_id INTEGER NOT NULL REFERENCES line (id),
    attempt_id INTEGER NOT NULL REFERENCES attempt (id),
    intent_id INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (line_id, attempt_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX line_share_now_intent ON line_share_now (intent_id);

-- Keys by which a line can still meet an intent: those of every line that is not matched by R1
-- with an agreeing reference, nor accounted.
CREATE TABLE line_key_now (
    account_id INTEGER NOT NULL,
    key TEXT NOT NULL, -- p:provider payment id, r:reference, m:modification id
    line_id INTEGER NOT NULL REFERENCES line (id),
    PRIMARY KEY (account_id, key, line_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX line_key_now_line ON line_key_now (line_id);

-- Lines that name nobody, by what an open attempt would have to be like (R4). The amount is the
-- presented one without its sign.
CREATE TABLE line_bucket_now (
    account_id INTEGER NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL,
    direction TEXT NOT NULL,
    line_id INTEGER NOT NULL REFERENCES line (id),
    PRIMARY KEY (account_id, currency, amount, direction, line_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX line_bucket_now_line ON line_bucket_now (line_id);

CREATE TABLE row_identity_now (
    account_id INTEGER NOT NULL,
    identity BLOB NOT NULL,
    line_id INTEGER NOT NULL,
    content BLOB NOT NULL, -- first 8 bytes of SHA-256 over what the row says
    PRIMARY KEY (account_id, identity)
) STRICT, WITHOUT ROWID;

CREATE TABLE rejected_row ( -- sealed
    file_id INTEGER NOT NULL REFERENCES settlement_file (id),
    line_no INTEGER NOT NULL,
    byte_offset INTEGER NOT NULL,
    byte_len INTEGER NOT NULL,
    row_id TEXT NOT NULL,
    column_name TEXT NOT NULL,
    value TEXT NOT NULL,
    reason TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (file_id, line_no)
) STRICT, WITHOUT ROWID;

-- Ranges of rows whose keys others may have missed; the matcher judges again what they touch.
CREATE TABLE rematch (
    id INTEGER NOT NULL PRIMARY KEY,
    account_id INTEGER NOT NULL,
    what TEXT NOT NULL, -- attempts, lines
    first_id INTEGER NOT NULL,
    last_id INTEGER NOT NULL
) STRICT;

-- ---------------------------------------------------------------- cases and decisions

CREATE TABLE review_case ( -- sealed
    id INTEGER NOT NULL PRIMARY KEY,
    public_id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL, -- natural id of what the case is about
    opening INTEGER NOT NULL, -- 1 for the first case of this kind and subject
    account_id INTEGER NOT NULL,
    opened_at INTEGER NOT NULL,
    UNIQUE (kind, subject, opening)
) STRICT;

CREATE TABLE case_event ( -- sealed
    case_id INTEGER NOT NULL REFERENCES review_case (id),
    version INTEGER NOT NULL,
    what TEXT NOT NULL, -- opened, evidence, claimed, decided, approved, refused, snoozed, resolved, reopened …
    state TEXT NOT NULL,
    detail TEXT NOT NULL, -- JSON
    actor TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (case_id, version)
) STRICT;

CREATE TABLE case_now (
    case_id INTEGER NOT NULL PRIMARY KEY REFERENCES review_case (id),
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    state TEXT NOT NULL, -- OPEN, IN_REVIEW, AWAITING_APPROVAL, WAITING, RESOLVED
    version INTEGER NOT NULL,
    evidence_version INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    currency TEXT NOT NULL, -- empty where no money is known
    at_risk INTEGER NOT NULL,
    severity INTEGER NOT NULL, -- 1 low, 2 medium, 3 high, 4 critical
    intent_id INTEGER,
    attempt_id INTEGER,
    line_id INTEGER,
    file_id INTEGER,
    batch_id INTEGER,
    facts TEXT NOT NULL, -- JSON: what the case shows; what evidence_version counts
    opened_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    owner_id INTEGER,
    lease_until INTEGER,
    wake_at INTEGER,
    resolution TEXT NOT NULL,
    resolved_at INTEGER
) STRICT;
CREATE UNIQUE INDEX case_now_one_open ON case_now (kind, subject) WHERE state <> 'RESOLVED';
CREATE INDEX case_now_queue ON case_now (severity DESC, opened_at, case_id) WHERE state <> 'RESOLVED';
CREATE INDEX case_now_figures ON case_now (state, opened_at, owner_id, kind, account_id, currency, at_risk, due_at)
    WHERE state <> 'RESOLVED';
CREATE INDEX case_now_done ON case_now (resolved_at DESC, case_id DESC, kind, account_id, currency, at_risk)
    WHERE state = 'RESOLVED';
CREATE INDEX case_now_account ON case_now (account_id, kind) WHERE state <> 'RESOLVED';
CREATE INDEX case_now_intent ON case_now (intent_id) WHERE intent_id IS NOT NULL;
CREATE INDEX case_now_state ON case_now (state, case_id) WHERE state IN ('WAITING', 'IN_REVIEW');
CREATE INDEX case_now_file ON case_now (file_id) WHERE file_id IS NOT NULL;
CREATE INDEX case_now_line ON case_now (line_id) WHERE line_id IS NOT NULL;

CREATE TABLE decision ( -- sealed
    id INTEGER NOT NULL PRIMARY KEY,
    public_id TEXT NOT NULL UNIQUE, -- made by the client, so that a repeat is one decision
    case_id INTEGER NOT NULL REFERENCES review_case (id),
    case_version INTEGER NOT NULL,
    evidence_version INTEGER NOT NULL,
    action TEXT NOT NULL,
    reason_code TEXT NOT NULL,
    comment TEXT NOT NULL,
    params TEXT NOT NULL, -- JSON
    input_hash BLOB NOT NULL,
    evidence_hashes TEXT NOT NULL, -- JSON array of hex
    needs_approval INTEGER NOT NULL CHECK (needs_approval IN (0, 1)),
    decided_by INTEGER NOT NULL REFERENCES user_account (id),
    decided_at INTEGER NOT NULL,
    reverses INTEGER REFERENCES decision (id)
) STRICT;
CREATE INDEX decision_case ON decision (case_id, id);

CREATE TABLE approval ( -- sealed
    decision_id INTEGER NOT NULL PRIMARY KEY REFERENCES decision (id),
    approved INTEGER NOT NULL CHECK (approved IN (0, 1)),
    comment TEXT NOT NULL,
    approved_by INTEGER NOT NULL REFERENCES user_account (id),
    approved_at INTEGER NOT NULL
) STRICT;

CREATE TABLE decision_now (
    decision_id INTEGER NOT NULL PRIMARY KEY REFERENCES decision (id),
    case_id INTEGER NOT NULL,
    state TEXT NOT NULL, -- AWAITING, APPLIED, REFUSED, VOID, REVERSED
    decided_by INTEGER NOT NULL,
    UNIQUE (decision_id, state)
) STRICT;
CREATE INDEX decision_now_case ON decision_now (case_id, decision_id);
CREATE INDEX decision_now_awaiting ON decision_now (state, decision_id) WHERE state = 'AWAITING';

-- What decisions in force say about a line, an attempt, a batch or a file.
CREATE TABLE ruling_now (
    subject TEXT NOT NULL PRIMARY KEY, -- line:ID, attempt:ID, batch:ID:CURRENCY, file:ID
    decision_id INTEGER NOT NULL REFERENCES decision (id),
    ruling TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX ruling_now_decision ON ruling_now (decision_id);

-- ---------------------------------------------------------------- ledger

-- Postings are written before their entry; the entry is refused unless they balance (0002), and
-- the deferred reference refuses postings whose entry never comes.
CREATE TABLE ledger_entry ( -- sealed
    id INTEGER NOT NULL PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES provider_account (id),
    accounting_day INTEGER NOT NULL,
    posted_at INTEGER NOT NULL,
    batch_id INTEGER NOT NULL, -- 0 for none
    cause_kind TEXT NOT NULL,  -- lines, move, decision, reversal
    cause TEXT NOT NULL,       -- natural id of the cause
    detail TEXT NOT NULL       -- JSON
) STRICT;
CREATE INDEX ledger_entry_account ON ledger_entry (account_id, id);

CREATE TABLE posting ( -- sealed
    entry_id INTEGER NOT NULL REFERENCES ledger_entry (id) DEFERRABLE INITIALLY DEFERRED,
    number INTEGER NOT NULL,
    ledger_account TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount <> 0), -- debit positive, credit negative
    PRIMARY KEY (entry_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE balance_now (
    account_id INTEGER NOT NULL,
    ledger_account TEXT NOT NULL,
    currency TEXT NOT NULL,
    accounting_day INTEGER NOT NULL,
    debit INTEGER NOT NULL,
    credit INTEGER NOT NULL,
    PRIMARY KEY (account_id, ledger_account, currency, accounting_day)
) STRICT, WITHOUT ROWID;

-- ---------------------------------------------------------------- seal

-- Leaf hashes of the records that one transaction wrote, in their order: 32 bytes each. A run of
-- consecutive ids that share their second key (0 where the table has none) needs no refs; others
-- are named by refs, a JSON list of [id, part].
CREATE TABLE leaf_batch ( -- sealed
    id INTEGER NOT NULL PRIMARY KEY,
    record TEXT NOT NULL, -- which kind of record
    first_id INTEGER NOT NULL,
    last_id INTEGER NOT NULL,
    part INTEGER NOT NULL,
    refs TEXT NOT NULL, -- empty for a run
    leaf_count INTEGER NOT NULL,
    leaves BLOB NOT NULL
) STRICT;
CREATE INDEX leaf_batch_record ON leaf_batch (record, first_id);

CREATE TABLE leaf_waiting ( -- batches that no block holds yet
    leaf_batch_id INTEGER NOT NULL PRIMARY KEY REFERENCES leaf_batch (id)
) STRICT;

CREATE TABLE block ( -- sealed
    number INTEGER NOT NULL PRIMARY KEY,
    previous BLOB NOT NULL,
    root BLOB NOT NULL,
    leaf_count INTEGER NOT NULL,
    sealed_at INTEGER NOT NULL,
    hash BLOB NOT NULL UNIQUE
) STRICT;

CREATE TABLE block_batch ( -- sealed: which batches a block holds, in order
    block_number INTEGER NOT NULL REFERENCES block (number),
    position INTEGER NOT NULL,
    leaf_batch_id INTEGER NOT NULL UNIQUE REFERENCES leaf_batch (id),
    PRIMARY KEY (block_number, position)
) STRICT, WITHOUT ROWID;

-- ---------------------------------------------------------------- jobs

CREATE TABLE job (
    id INTEGER NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    key TEXT NOT NULL, -- what it is about; one job per kind and key waits or runs
    payload TEXT NOT NULL,
    run_at INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    lease_until INTEGER NOT NULL, -- 0 while nobody works on it
    error TEXT NOT NULL,
    UNIQUE (kind, key)
) STRICT;
CREATE INDEX job_due ON job (run_at, id);
