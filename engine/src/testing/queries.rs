//! What tests ask of a database as a whole.

use crate::{
    all,
    derive::{Seeds, load::load},
    storage::{Sql, StorageError, matching, tx::Connected},
};

const fn sql(name: &'static str, text: &'static str) -> Sql {
    Sql {
        name,
        sqlite: text,
        postgres: text,
        params: 0,
        may_scan: "a test",
    }
}

const VERDICTS: Sql = sql(
    "testing/verdicts",
    "SELECT l.row_id, n.verdict, n.rule FROM line l JOIN line_now n ON n.line_id = l.id ORDER BY l.row_id, l.id",
);
const BALANCES: Sql = sql(
    "testing/balances",
    "SELECT ledger_account, CAST(SUM(debit - credit) AS BIGINT) AS amount FROM balance_now
     GROUP BY ledger_account ORDER BY ledger_account",
);
const OPEN_CASES: Sql = sql(
    "testing/open_cases",
    "SELECT kind FROM case_now WHERE state <> 'RESOLVED' ORDER BY kind, subject",
);
const OPEN_CASE_IDS: Sql = sql(
    "testing/open_case_ids",
    "SELECT r.public_id FROM case_now c JOIN review_case r ON r.id = c.case_id
     WHERE c.state <> 'RESOLVED' ORDER BY r.public_id",
);
const EVIDENCE_HASHES: Sql = sql(
    "testing/evidence_hashes",
    "SELECT evidence_hashes FROM decision ORDER BY id",
);
const OUTCOMES: Sql = sql(
    "testing/outcomes",
    "SELECT a.public_id, COALESCE(n.outcome, a.outcome) AS outcome FROM attempt a
     LEFT JOIN attempt_now n ON n.attempt_id = a.id ORDER BY a.public_id",
);
const LEAVES: Sql = sql(
    "testing/leaves",
    "SELECT record, leaves FROM leaf_batch WHERE record NOT IN ('audit_record', 'settlement_file', 'file_event')
     ORDER BY id",
);
const CASES: Sql = sql(
    "testing/cases",
    "SELECT kind, subject, state, at_risk, facts FROM case_now ORDER BY kind, subject",
);

// Without names of lines and files, so that of equal rows either may hold a match and any file may have
// brought them.
const LINES_UNNAMED: Sql = sql(
    "testing/lines_unnamed",
    "SELECT p.name, l.kind, l.presented_amount, n.verdict, CASE WHEN n.rule = 'R3' THEN 'group' ELSE 'one' END AS rule,
            COALESCE(i.public_id, '') AS intent, n.contra, n.contra_amount
     FROM line l JOIN line_now n ON n.line_id = l.id JOIN provider_account p ON p.id = n.account_id
     LEFT JOIN intent i ON i.id = n.intent_id",
);
const CASES_UNNAMED: Sql = sql(
    "testing/cases_unnamed",
    "SELECT c.kind, p.name, CASE WHEN c.subject = 'line:' || SUBSTR(c.subject, 6) THEN 'line' ELSE c.subject END AS subject,
            c.at_risk, CAST(CASE WHEN c.subject = 'line:' || SUBSTR(c.subject, 6) THEN COALESCE(l.presented_amount, 0) ELSE 0 END AS BIGINT) AS amount
     FROM case_now c JOIN provider_account p ON p.id = c.account_id LEFT JOIN line l ON l.id = c.line_id
     WHERE c.state <> 'RESOLVED' AND c.kind <> 'unrecognised_rows'",
);
const BALANCES_BY_ACCOUNT: Sql = sql(
    "testing/balances_by_account",
    "SELECT p.name, b.ledger_account, CAST(SUM(b.debit - b.credit) AS BIGINT) AS amount
     FROM balance_now b JOIN provider_account p ON p.id = b.account_id GROUP BY p.name, b.ledger_account",
);

const FAR: Sql = sql(
    "testing/far",
    "SELECT (SELECT COUNT(*) FROM intent),
            COALESCE((SELECT MIN(state) FROM file_now), ''),
            (SELECT COUNT(*) FROM line_now WHERE verdict = 'PENDING')",
);

/// How far a first import is: intents there, the state of the only file, lines not judged yet.
pub async fn how_far(mut tx: impl Connected) -> Result<(i64, String, i64), StorageError> {
    crate::one!(&mut tx, (i64, String, i64), FAR)
}

/// Row id, verdict and rule of every line, by row id.
pub async fn verdicts(
    mut tx: impl Connected,
) -> Result<Vec<(String, String, String)>, StorageError> {
    all!(&mut tx, (String, String, String), VERDICTS)
}

/// Balance of each ledger account over all days, accounts and currencies, debit positive.
pub async fn balances(mut tx: impl Connected) -> Result<Vec<(String, i64)>, StorageError> {
    all!(&mut tx, (String, i64), BALANCES)
}

/// Kinds of the cases that are not resolved.
pub async fn open_cases(mut tx: impl Connected) -> Result<Vec<String>, StorageError> {
    let found = all!(&mut tx, (String,), OPEN_CASES)?;
    Ok(found.into_iter().map(|(kind,)| kind).collect())
}

/// Public ids of the cases that are not resolved.
pub async fn open_case_ids(mut tx: impl Connected) -> Result<Vec<String>, StorageError> {
    let found = all!(&mut tx, (String,), OPEN_CASE_IDS)?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// What each decision was sealed to rest on, as JSON.
pub async fn evidence_hashes(mut tx: impl Connected) -> Result<Vec<String>, StorageError> {
    let found = all!(&mut tx, (String,), EVIDENCE_HASHES)?;
    Ok(found.into_iter().map(|(hashes,)| hashes).collect())
}

/// Each attempt's outcome.
pub async fn outcomes(mut tx: impl Connected) -> Result<Vec<(String, String)>, StorageError> {
    all!(&mut tx, (String, String), OUTCOMES)
}

/// Everything that two runs over the same facts must agree on: leaf contents (but those of records
/// that hold when and from whom bytes came), verdicts, balances, outcomes, cases; sorted.
pub async fn everything(mut tx: impl Connected) -> Result<Vec<String>, StorageError> {
    let mut lines = Vec::new();
    for (record, leaves) in all!(&mut tx, (String, Vec<u8>), LEAVES)? {
        lines.extend(
            leaves
                .chunks(32)
                .map(|leaf| format!("leaf {record} {}", hex::encode(leaf))),
        );
    }
    for (row, verdict, rule) in verdicts(&mut tx).await? {
        lines.push(format!("verdict {row} {verdict} {rule}"));
    }
    for (account, amount) in balances(&mut tx).await? {
        lines.push(format!("balance {account} {amount}"));
    }
    for (attempt, outcome) in outcomes(&mut tx).await? {
        lines.push(format!("outcome {attempt} {outcome}"));
    }
    for (kind, subject, state, at_risk, facts) in
        all!(&mut tx, (String, String, String, i64, String), CASES)?
    {
        lines.push(format!("case {kind} {subject} {state} {at_risk} {facts}"));
    }
    lines.sort();
    Ok(lines)
}

#[derive(Debug, sqlx::FromRow)]
struct LineUnnamed {
    name: String,
    kind: String,
    presented_amount: i64,
    verdict: String,
    rule: String,
    intent: String,
    contra: String,
    contra_amount: i64,
}

/// The end state that any order and any portions of arrival must lead to, sorted.
pub async fn end_state(mut tx: impl Connected) -> Result<Vec<String>, StorageError> {
    let mut lines = Vec::new();
    for l in all!(&mut tx, LineUnnamed, LINES_UNNAMED)? {
        lines.push(format!(
            "line {} {} {} {} {} {} {} {}",
            l.name,
            l.kind,
            l.presented_amount,
            l.verdict,
            l.rule,
            l.intent,
            l.contra,
            l.contra_amount
        ));
    }
    for (kind, account, subject, at_risk, amount) in
        all!(&mut tx, (String, String, String, i64, i64), CASES_UNNAMED)?
    {
        lines.push(format!(
            "case {kind} {account} {subject} {at_risk} {amount}"
        ));
    }
    for (account, ledger_account, amount) in
        all!(&mut tx, (String, String, i64), BALANCES_BY_ACCOUNT)?
    {
        if amount != 0 {
            lines.push(format!("balance {account} {ledger_account} {amount}"));
        }
    }
    for (attempt, outcome) in outcomes(&mut tx).await? {
        lines.push(format!("outcome {attempt} {outcome}"));
    }
    lines.sort();
    Ok(lines)
}

/// How many lines and intents are judged together with an intent.
pub async fn judged_with(
    mut tx: impl Connected,
    intent: &str,
) -> Result<(usize, usize), crate::Error> {
    let named = std::iter::once((intent, i64::MIN));
    let intents = matching::intents_by_reference(&mut tx, named).await?;
    let seeds = Seeds {
        intents: intents.into_iter().collect(),
        ..Seeds::default()
    };
    let loaded = load(&mut tx, &seeds).await?;
    Ok((loaded.lines.len(), loaded.intents.len()))
}
