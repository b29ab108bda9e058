-- Column types are five: 64-bit integers (money in minor units, counts, microseconds since the
-- epoch, days since the epoch, booleans as 0/1), text, bytes, ids of public things as text, JSON as text.
-- A column may be NULL only where the domain's own type is optional.
-- "sealed" tables are histories: rows are only ever added (0002 refuses anything else).
-- "*_now" tables say how things stand; they can be rebuilt from the histories.

-- Numbers for rows that name their own id: one row per table, the next free number.
CREATE TABLE counter (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    next BIGINT NOT NULL CHECK (next > 0)
);

CREATE TABLE setting (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
);

-- ---------------------------------------------------------------- people and programs

CREATE TABLE user_account (
    id BIGINT NOT NULL PRIMARY KEY,
    email TEXT COLLATE "C" NOT NULL UNIQUE,
    password_hash TEXT COLLATE "C" NOT NULL,
    roles TEXT COLLATE "C" NOT NULL, -- codes, comma separated, sorted
    disabled BIGINT NOT NULL CHECK (disabled IN (0, 1)),
    created_at BIGINT NOT NULL,
    created_by BIGINT NOT NULL, -- user id, 0 for the operator
    changed_by BIGINT NOT NULL  -- user id of the last change of roles or state, 0 for the operator
);

CREATE TABLE user_event ( -- sealed
    id BIGINT NOT NULL PRIMARY KEY,
    user_id BIGINT NOT NULL REFERENCES user_account (id),
    what TEXT COLLATE "C" NOT NULL, -- added, roles, disabled, enabled, password
    roles TEXT COLLATE "C" NOT NULL,
    by_user BIGINT NOT NULL,
    at BIGINT NOT NULL
);

CREATE TABLE session (
    id_hash BYTEA NOT NULL PRIMARY KEY,
    user_id BIGINT NOT NULL, -- 0 before sign-in
    data TEXT COLLATE "C" NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX session_of_user ON session (user_id);
CREATE INDEX session_expiry ON session (expires_at);

-- Failed sign-ins by hash of the address, known or not, so that guessing slows down.
CREATE TABLE sign_in_failure (
    address_hash BYTEA NOT NULL PRIMARY KEY,
    failures BIGINT NOT NULL,
    last_at BIGINT NOT NULL
);
CREATE INDEX sign_in_failure_last ON sign_in_failure (last_at);

CREATE TABLE api_token (
    id BIGINT NOT NULL PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL UNIQUE,
    token_hash BYTEA NOT NULL UNIQUE,
    scopes TEXT COLLATE "C" NOT NULL, -- codes, comma separated, sorted
    user_id BIGINT REFERENCES user_account (id),
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);

CREATE TABLE audit_record ( -- sealed
    id BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    actor TEXT COLLATE "C" NOT NULL,
    user_id BIGINT NOT NULL, -- 0 where no person acted
    action TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    detail TEXT COLLATE "C" NOT NULL -- JSON: old and new values, ids, hashes; no payloads
);
CREATE INDEX audit_record_at ON audit_record (at, id);
CREATE INDEX audit_record_actor ON audit_record (actor, at, id);
CREATE INDEX audit_record_action ON audit_record (action, at, id);
CREATE INDEX audit_record_subject ON audit_record (subject, at, id);

-- ---------------------------------------------------------------- provider accounts

CREATE TABLE provider_account (
    id BIGINT NOT NULL PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL UNIQUE,
    kind TEXT COLLATE "C" NOT NULL,
    zone TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE provider_policy ( -- sealed
    account_id BIGINT NOT NULL REFERENCES provider_account (id),
    version BIGINT NOT NULL,
    fields TEXT COLLATE "C" NOT NULL, -- JSON
    changed_by TEXT COLLATE "C" NOT NULL,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, version)
);

-- Whoever judges lines of an account locks its row here first, so that of two writers the later
-- sees the earlier (PostgreSQL; on SQLite there is one writer anyway).
CREATE TABLE account_gate (
    account_id BIGINT NOT NULL PRIMARY KEY REFERENCES provider_account (id),
    passed BIGINT NOT NULL
);

-- ---------------------------------------------------------------- payments

CREATE TABLE intent ( -- sealed
    id BIGINT NOT NULL PRIMARY KEY,
    public_id TEXT COLLATE "C" NOT NULL UNIQUE,
    merchant_reference TEXT COLLATE "C" NOT NULL,
    operation TEXT COLLATE "C" NOT NULL,
    amount BIGINT NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    direction TEXT COLLATE "C" NOT NULL,
    counterparty TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    loss_policy TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL -- import, api, decision
);
CREATE INDEX intent_amount ON intent (currency, amount, created_at);
CREATE INDEX intent_reference ON intent (merchant_reference) WHERE merchant_reference <> '';

CREATE TABLE attempt ( -- sealed
    id BIGINT NOT NULL PRIMARY KEY,
    intent_id BIGINT NOT NULL REFERENCES intent (id),
    account_id BIGINT NOT NULL REFERENCES provider_account (id),
    public_id TEXT COLLATE "C" NOT NULL UNIQUE,
    number BIGINT NOT NULL,
    idempotency_key TEXT COLLATE "C" NOT NULL,
    provider_payment_id TEXT COLLATE "C" NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT,
    outcome TEXT COLLATE "C" NOT NULL,
    error_code TEXT COLLATE "C" NOT NULL,
    UNIQUE (intent_id, number)
);
CREATE INDEX attempt_started ON attempt (account_id, started_at);
CREATE INDEX attempt_provider_id ON attempt (account_id, provider_payment_id) WHERE provider_payment_id <> '';

-- Texts by which a line can name an intent besides its id and its reference as they are: idempotency
-- keys, and any of the three in normal form where that differs.
CREATE TABLE intent_key_now (
    key TEXT COLLATE "C" NOT NULL,
    intent_id BIGINT NOT NULL REFERENCES intent (id),
    PRIMARY KEY (key, intent_id)
);
CREATE INDEX intent_key_now_intent ON intent_key_now (intent_id);

CREATE TABLE attempt_event ( -- sealed: what became of an attempt after it was registered
    attempt_id BIGINT NOT NULL REFERENCES attempt (id),
    seq BIGINT NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL,
    provider_payment_id TEXT COLLATE "C" NOT NULL, -- learned with this event, or empty
    finished_at BIGINT,
    error_code TEXT COLLATE "C" NOT NULL,
    cause_kind TEXT COLLATE "C" NOT NULL, -- report, line, decision, sweep
    cause TEXT COLLATE "C" NOT NULL,      -- natural id of the cause
    at BIGINT NOT NULL,
    PRIMARY KEY (attempt_id, seq)
);

-- Only attempts that are open or whose state differs from how they were registered have a row.
CREATE TABLE attempt_now (
    attempt_id BIGINT NOT NULL PRIMARY KEY REFERENCES attempt (id),
    account_id BIGINT NOT NULL,
    reported TEXT COLLATE "C" NOT NULL, -- the outcome that reports and decisions alone give
    outcome TEXT COLLATE "C" NOT NULL,  -- the outcome with the evidence of lines
    seq BIGINT NOT NULL,   -- last attempt_event
    since BIGINT NOT NULL,
    written_off BIGINT NOT NULL -- minor units posted because nothing came
);
CREATE INDEX attempt_now_outcome ON attempt_now (outcome, since, attempt_id);

-- Provider ids of attempts that were not registered with them.
CREATE TABLE attempt_id_now (
    account_id BIGINT NOT NULL,
    provider_payment_id TEXT COLLATE "C" NOT NULL,
    attempt_id BIGINT NOT NULL REFERENCES attempt (id),
    learned_from TEXT COLLATE "C" NOT NULL, -- company, event, query, line
    line_id BIGINT,            -- the line, where one taught it
    PRIMARY KEY (account_id, provider_payment_id, attempt_id)
);
CREATE INDEX attempt_id_now_attempt ON attempt_id_now (attempt_id);

CREATE TABLE intent_event ( -- sealed
    intent_id BIGINT NOT NULL REFERENCES intent (id),
    version BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    cause_kind TEXT COLLATE "C" NOT NULL,
    cause TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (intent_id, version)
);

-- Only intents that changed since they were registered have a row; the others are at version 1.
CREATE TABLE intent_now (
    intent_id BIGINT NOT NULL PRIMARY KEY REFERENCES intent (id),
    state TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    resend_permitted BIGINT NOT NULL CHECK (resend_permitted IN (0, 1))
);
CREATE INDEX intent_now_state ON intent_now (state, intent_id);

-- How much of an intent's money is matched, per kind of movement: never more than allowed.
CREATE TABLE intent_open (
    intent_id BIGINT NOT NULL REFERENCES intent (id),
    kind TEXT COLLATE "C" NOT NULL, -- capture, refund, chargeback
    allowed BIGINT NOT NULL,
    matched BIGINT NOT NULL,
    PRIMARY KEY (intent_id, kind),
    CHECK (matched <= allowed)
);

CREATE TABLE evidence ( -- sealed: what testifies besides settlement lines, which are their own
    id BIGINT NOT NULL PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL, -- api_response, provider_event, status_query, bank_line, attestation
    account_id BIGINT,
    intent_id BIGINT REFERENCES intent (id),
    attempt_id BIGINT REFERENCES attempt (id),
    source TEXT COLLATE "C" NOT NULL,
    content_hash BYTEA NOT NULL,
    claim TEXT COLLATE "C" NOT NULL, -- JSON: outcome, amount, currency, ids
    occurred_at BIGINT,
    received_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX evidence_attempt ON evidence (attempt_id, content_hash) WHERE attempt_id IS NOT NULL;

-- ---------------------------------------------------------------- files and lines

CREATE TABLE settlement_file ( -- sealed
    id BIGINT NOT NULL PRIMARY KEY,
    public_id TEXT COLLATE "C" NOT NULL UNIQUE,
    account_id BIGINT NOT NULL REFERENCES provider_account (id),
    sha256 BYTEA NOT NULL,
    bytes BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    received_at BIGINT NOT NULL,
    received_by TEXT COLLATE "C" NOT NULL,
    UNIQUE (account_id, sha256)
);

CREATE TABLE file_event ( -- sealed
    file_id BIGINT NOT NULL REFERENCES settlement_file (id),
    seq BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    detail TEXT COLLATE "C" NOT NULL, -- JSON: profile, counts, totals, reasons for holding, who accepted and why
    actor TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (file_id, seq)
);

CREATE TABLE file_now (
    file_id BIGINT NOT NULL PRIMARY KEY REFERENCES settlement_file (id),
    account_id BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL, -- RECEIVED, READING, HELD, POSTING, CLOSING, USED, REFUSED
    seq BIGINT NOT NULL,
    profile TEXT COLLATE "C" NOT NULL,
    encoding TEXT COLLATE "C" NOT NULL,
    rows_total BIGINT NOT NULL,
    rows_done BIGINT NOT NULL,
    lines_done BIGINT NOT NULL, -- line_no of the last record that a committed chunk covers
    accepted BIGINT NOT NULL CHECK (accepted IN (0, 1)),
    report TEXT COLLATE "C" NOT NULL, -- JSON: what pass one found and why the file is held
    failures BIGINT NOT NULL,
    error TEXT COLLATE "C" NOT NULL,
    first_day BIGINT,
    last_day BIGINT
);
CREATE INDEX file_now_state ON file_now (state, file_id);
CREATE INDEX file_now_account ON file_now (account_id, file_id);

-- How many lines of a file stand at each verdict.
CREATE TABLE file_verdict_now (
    file_id BIGINT NOT NULL REFERENCES settlement_file (id),
    verdict TEXT COLLATE "C" NOT NULL,
    line_count BIGINT NOT NULL,
    PRIMARY KEY (file_id, verdict)
);

CREATE TABLE settlement_batch (
    id BIGINT NOT NULL PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES provider_account (id),
    provider_batch_id TEXT COLLATE "C" NOT NULL,
    UNIQUE (account_id, provider_batch_id)
);

CREATE TABLE batch_now (
    batch_id BIGINT NOT NULL REFERENCES settlement_batch (id),
    currency TEXT COLLATE "C" NOT NULL,
    lines BIGINT NOT NULL,
    gross BIGINT NOT NULL,  -- without payout rows
    fee BIGINT NOT NULL,    -- without payout rows
    net BIGINT NOT NULL,    -- without payout rows
    payouts BIGINT NOT NULL, -- number of payout and payout_reversal rows
    payout_net BIGINT NOT NULL,
    adjusted BIGINT, -- residual accepted by a decision
    odd_rows BIGINT NOT NULL, -- rows whose net is not gross less fee
    last_day BIGINT NOT NULL,
    first_line BIGINT NOT NULL, -- its lines lie between these ids
    last_line BIGINT NOT NULL,
    PRIMARY KEY (batch_id, currency)
);

CREATE TABLE line ( -- sealed
    id BIGINT NOT NULL PRIMARY KEY,
    file_id BIGINT NOT NULL REFERENCES settlement_file (id),
    line_no BIGINT NOT NULL,
    byte_offset BIGINT NOT NULL,
    byte_len BIGINT NOT NULL,
    row_id TEXT COLLATE "C" NOT NULL,
    identity BYTEA NOT NULL, -- first 16 bytes of SHA-256 over identity text and occurrence
    kind TEXT COLLATE "C" NOT NULL,
    source_kind TEXT COLLATE "C" NOT NULL,
    provider_payment_id TEXT COLLATE "C" NOT NULL,
    modification_id TEXT COLLATE "C" NOT NULL,
    merchant_reference TEXT COLLATE "C" NOT NULL,
    gross BIGINT NOT NULL,
    fee BIGINT NOT NULL,
    net BIGINT NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    presented_amount BIGINT NOT NULL,
    presented_currency TEXT COLLATE "C" NOT NULL,
    occurred_at BIGINT,
    settled_at BIGINT,
    accounting_day BIGINT NOT NULL,
    batch_id BIGINT NOT NULL, -- 0 for rows without a batch
    counterparty TEXT COLLATE "C" NOT NULL,
    description TEXT COLLATE "C" NOT NULL,
    lossy_text BIGINT NOT NULL CHECK (lossy_text IN (0, 1)),
    UNIQUE (file_id, line_no)
);

CREATE TABLE verdict ( -- sealed
    line_id BIGINT NOT NULL REFERENCES line (id),
    seq BIGINT NOT NULL,
    verdict TEXT COLLATE "C" NOT NULL,
    rule TEXT COLLATE "C" NOT NULL,
    policy_version BIGINT NOT NULL,
    intent_id BIGINT,
    attempt_id BIGINT,
    -- Where the line's contra amount stands: a ledger account, or `split` with its parts in detail.
    contra TEXT COLLATE "C" NOT NULL,
    contra_amount BIGINT NOT NULL,
    contra_currency TEXT COLLATE "C" NOT NULL,
    entry_id BIGINT NOT NULL, -- 0 where nothing was posted
    detail TEXT COLLATE "C" NOT NULL,      -- JSON: shares, parts, explanation; empty for an automatic R1 or kind verdict
    cause_kind TEXT COLLATE "C" NOT NULL,  -- file, rematch, decision
    cause TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (line_id, seq)
);

CREATE TABLE line_now (
    line_id BIGINT NOT NULL PRIMARY KEY REFERENCES line (id),
    account_id BIGINT NOT NULL,
    seq BIGINT NOT NULL, -- last verdict; 0 while none is given
    verdict TEXT COLLATE "C" NOT NULL, -- as in verdict, or PENDING
    rule TEXT COLLATE "C" NOT NULL,
    intent_id BIGINT,
    attempt_id BIGINT,
    contra TEXT COLLATE "C" NOT NULL,
    contra_amount BIGINT NOT NULL,
    contra_currency TEXT COLLATE "C" NOT NULL
);
CREATE INDEX line_now_intent ON line_now (intent_id) WHERE intent_id IS NOT NULL;
CREATE INDEX line_now_open ON line_now (account_id, verdict, line_id)
    WHERE verdict IN ('PENDING', 'PROPOSED', 'CONFLICT', 'UNMATCHED');
-- Lines whose contra amount is an open item of a ledger account that lists its items.
CREATE INDEX line_now_items ON line_now (account_id, contra, contra_currency, line_id, contra_amount)
    WHERE contra IN ('suspense', 'provider_reserve', 'payouts_in_transit', 'carried_forward', 'split');

-- A line that serves several attempts, or one whose matched amount is not its whole.
CREATE TABLE line_share_now (
    line_id BIGINT NOT NULL REFERENCES line (id),
    attempt_id BIGINT NOT NULL REFERENCES attempt (id),
    intent_id BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (line_id, attempt_id)
);
CREATE INDEX line_share_now_intent ON line_share_now (intent_id);

-- Keys by which a line can still meet an intent: those of every line that is not matched by R1
-- with an agreeing reference, nor accounted.
CREATE TABLE line_key_now (
    account_id BIGINT NOT NULL,
    key TEXT COLLATE "C" NOT NULL, -- p:provider payment id, r:reference, m:modification id
    line_id BIGINT NOT NULL REFERENCES line (id),
    PRIMARY KEY (account_id, key, line_id)
);
CREATE INDEX line_key_now_line ON line_key_now (line_id);

-- Lines that name nobody, by what an open attempt would have to be like (R4). The amount is the
-- presented one without its sign.
CREATE TABLE line_bucket_now (
    account_id BIGINT NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    amount BIGINT NOT NULL,
    direction TEXT COLLATE "C" NOT NULL,
    line_id BIGINT NOT NULL REFERENCES line (id),
    PRIMARY KEY (account_id, currency, amount, direction, line_id)
);
CREATE INDEX line_bucket_now_line ON line_bucket_now (line_id);

CREATE TABLE row_identity_now (
    account_id BIGINT NOT NULL,
    identity BYTEA NOT NULL,
    line_id BIGINT NOT NULL,
    content BYTEA NOT NULL, -- first 8 bytes of SHA-256 over what the row says
    PRIMARY KEY (account_id, identity)
);

CREATE TABLE rejected_row ( -- sealed
    file_id BIGINT NOT NULL REFERENCES settlement_file (id),
    line_no BIGINT NOT NULL,
    byte_offset BIGINT NOT NULL,
    byte_len BIGINT NOT NULL,
    row_id TEXT COLLATE "C" NOT NULL,
    column_name TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    message TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (file_id, line_no)
);

-- Ranges of rows whose keys others may have missed; the matcher judges again what they touch.
CREATE TABLE rematch (
    id BIGINT NOT NULL PRIMARY KEY,
    account_id BIGINT NOT NULL,
    what TEXT COLLATE "C" NOT NULL, -- attempts, lines
    first_id BIGINT NOT NULL,
    last_id BIGINT NOT NULL
);

-- ---------------------------------------------------------------- cases and decisions

CREATE TABLE review_case ( -- sealed
    id BIGINT NOT NULL PRIMARY KEY,
    public_id TEXT COLLATE "C" NOT NULL UNIQUE,
    kind TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL, -- natural id of what the case is about
    opening BIGINT NOT NULL, -- 1 for the first case of this kind and subject
    account_id BIGINT NOT NULL,
    opened_at BIGINT NOT NULL,
    UNIQUE (kind, subject, opening)
);

CREATE TABLE case_event ( -- sealed
    case_id BIGINT NOT NULL REFERENCES review_case (id),
    version BIGINT NOT NULL,
    what TEXT COLLATE "C" NOT NULL, -- opened, evidence, claimed, decided, approved, refused, snoozed, resolved, reopened …
    state TEXT COLLATE "C" NOT NULL,
    detail TEXT COLLATE "C" NOT NULL, -- JSON
    actor TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (case_id, version)
);

CREATE TABLE case_now (
    case_id BIGINT NOT NULL PRIMARY KEY REFERENCES review_case (id),
    kind TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL, -- OPEN, IN_REVIEW, AWAITING_APPROVAL, WAITING, RESOLVED
    version BIGINT NOT NULL,
    evidence_version BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    currency TEXT COLLATE "C" NOT NULL, -- empty where no money is known
    at_risk BIGINT NOT NULL,
    severity BIGINT NOT NULL, -- 1 low, 2 medium, 3 high, 4 critical
    intent_id BIGINT,
    attempt_id BIGINT,
    line_id BIGINT,
    file_id BIGINT,
    batch_id BIGINT,
    facts TEXT COLLATE "C" NOT NULL, -- JSON: what the case shows; what evidence_version counts
    opened_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    owner_id BIGINT,
    lease_until BIGINT,
    wake_at BIGINT,
    resolution TEXT COLLATE "C" NOT NULL,
    resolved_at BIGINT
);
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
    id BIGINT NOT NULL PRIMARY KEY,
    public_id TEXT COLLATE "C" NOT NULL UNIQUE, -- made by the client, so that a repeat is one decision
    case_id BIGINT NOT NULL REFERENCES review_case (id),
    case_version BIGINT NOT NULL,
    evidence_version BIGINT NOT NULL,
    action TEXT COLLATE "C" NOT NULL,
    reason_code TEXT COLLATE "C" NOT NULL,
    comment TEXT COLLATE "C" NOT NULL,
    params TEXT COLLATE "C" NOT NULL, -- JSON
    input_hash BYTEA NOT NULL,
    evidence_hashes TEXT COLLATE "C" NOT NULL, -- JSON array of hex
    needs_approval BIGINT NOT NULL CHECK (needs_approval IN (0, 1)),
    decided_by BIGINT NOT NULL REFERENCES user_account (id),
    decided_at BIGINT NOT NULL,
    reverses BIGINT REFERENCES decision (id)
);
CREATE INDEX decision_case ON decision (case_id, id);

CREATE TABLE approval ( -- sealed
    decision_id BIGINT NOT NULL PRIMARY KEY REFERENCES decision (id),
    approved BIGINT NOT NULL CHECK (approved IN (0, 1)),
    comment TEXT COLLATE "C" NOT NULL,
    approved_by BIGINT NOT NULL REFERENCES user_account (id),
    approved_at BIGINT NOT NULL
);

CREATE TABLE decision_now (
    decision_id BIGINT NOT NULL PRIMARY KEY REFERENCES decision (id),
    case_id BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL, -- AWAITING, APPLIED, REFUSED, VOID, REVERSED
    decided_by BIGINT NOT NULL,
    UNIQUE (decision_id, state)
);
CREATE INDEX decision_now_case ON decision_now (case_id, decision_id);
CREATE INDEX decision_now_awaiting ON decision_now (state, decision_id) WHERE state = 'AWAITING';

-- What decisions in force say about a line, an attempt, a batch or a file.
CREATE TABLE ruling_now (
    subject TEXT COLLATE "C" NOT NULL PRIMARY KEY, -- line:ID, attempt:ID, batch:ID:CURRENCY, file:ID
    decision_id BIGINT NOT NULL REFERENCES decision (id),
    ruling TEXT COLLATE "C" NOT NULL -- JSON
);
CREATE INDEX ruling_now_decision ON ruling_now (decision_id);

-- ---------------------------------------------------------------- ledger

-- Postings are written before their entry; the entry is refused unless they balance (0002), and
-- the deferred reference refuses postings whose entry never comes.
CREATE TABLE ledger_entry ( -- sealed
    id BIGINT NOT NULL PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES provider_account (id),
    accounting_day BIGINT NOT NULL,
    posted_at BIGINT NOT NULL,
    batch_id BIGINT NOT NULL, -- 0 for none
    cause_kind TEXT COLLATE "C" NOT NULL,  -- lines, move, decision, reversal
    cause TEXT COLLATE "C" NOT NULL,       -- natural id of the cause
    detail TEXT COLLATE "C" NOT NULL       -- JSON
);
CREATE INDEX ledger_entry_account ON ledger_entry (account_id, id);

CREATE TABLE posting ( -- sealed
    entry_id BIGINT NOT NULL REFERENCES ledger_entry (id) DEFERRABLE INITIALLY DEFERRED,
    number BIGINT NOT NULL,
    ledger_account TEXT COLLATE "C" NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    amount BIGINT NOT NULL CHECK (amount <> 0), -- debit positive, credit negative
    PRIMARY KEY (entry_id, number)
);

CREATE TABLE balance_now (
    account_id BIGINT NOT NULL,
    ledger_account TEXT COLLATE "C" NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    accounting_day BIGINT NOT NULL,
    debit BIGINT NOT NULL,
    credit BIGINT NOT NULL,
    PRIMARY KEY (account_id, ledger_account, currency, accounting_day)
);

-- ---------------------------------------------------------------- seal

-- Leaf hashes of the records that one transaction wrote, in their order: 32 bytes each. A run of
-- consecutive ids that share their second key (0 where the table has none) needs no refs; others
-- are named by refs, a JSON list of [id, part].
CREATE TABLE leaf_batch ( -- sealed
    id BIGINT NOT NULL PRIMARY KEY,
    record TEXT COLLATE "C" NOT NULL, -- which kind of record
    first_id BIGINT NOT NULL,
    last_id BIGINT NOT NULL,
    part BIGINT NOT NULL,
    refs TEXT COLLATE "C" NOT NULL, -- empty for a run
    leaf_count BIGINT NOT NULL,
    leaves BYTEA NOT NULL
);
CREATE INDEX leaf_batch_record ON leaf_batch (record, first_id);

CREATE TABLE leaf_waiting ( -- batches that no block holds yet
    leaf_batch_id BIGINT NOT NULL PRIMARY KEY REFERENCES leaf_batch (id)
);

CREATE TABLE block ( -- sealed
    number BIGINT NOT NULL PRIMARY KEY,
    previous BYTEA NOT NULL,
    root BYTEA NOT NULL,
    leaf_count BIGINT NOT NULL,
    sealed_at BIGINT NOT NULL,
    hash BYTEA NOT NULL UNIQUE
);

CREATE TABLE block_batch ( -- sealed: which batches a block holds, in order
    block_number BIGINT NOT NULL REFERENCES block (number),
    position BIGINT NOT NULL,
    leaf_batch_id BIGINT NOT NULL UNIQUE REFERENCES leaf_batch (id),
    PRIMARY KEY (block_number, position)
);

-- ---------------------------------------------------------------- jobs

CREATE TABLE job (
    id BIGINT NOT NULL PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL, -- what it is about; one job per kind and key waits or runs
    payload TEXT COLLATE "C" NOT NULL,
    run_at BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    lease_until BIGINT NOT NULL, -- 0 while nobody works on it
    error TEXT COLLATE "C" NOT NULL,
    UNIQUE (kind, key)
);
CREATE INDEX job_due ON job (run_at, id);
