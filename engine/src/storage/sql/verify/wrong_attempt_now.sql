-- What was written off for an attempt is posted by entries whose cause names the decision and the
-- attempt.
WITH written_off AS (
    SELECT c.subject, CAST(SUM(p.amount) AS BIGINT) AS amount, MAX(e.posted_at) AS at
    FROM review_case AS c
    JOIN decision AS d ON d.case_id = c.id
    JOIN ledger_entry AS e ON e.cause = d.public_id || ':missing:' || SUBSTR(c.subject, 9)
        AND e.cause_kind IN ('decision', 'reversal')
    JOIN posting AS p ON p.entry_id = e.id AND p.ledger_account = 'write_offs'
    WHERE c.kind = 'missing_settlement' AND d.action = 'write_off'
    GROUP BY c.subject
), history AS (
    SELECT attempt_id, MAX(seq) AS last_seq, MAX(CASE WHEN cause_kind = 'report' THEN seq END) AS report_seq,
        -- What a worker's report leads to bears its cause, and none of what a report brings itself. A row of a
        -- payments file may bring nothing but its outcome; what it leads to bears another cause.
        MAX(CASE WHEN cause_kind = 'report'
            AND (cause = 'import' OR finished_at IS NOT NULL OR provider_payment_id <> '' OR error_code <> '')
            THEN seq END) AS full_seq,
        MAX(CASE WHEN cause_kind IN ('sweep', 'line') THEN seq END) AS lease_seq
    FROM attempt_event
    GROUP BY attempt_id
)
SELECT 'attempt' AS what, s.name,
    s.outcome_now || ', reported ' || s.reported_now || ', step ' || CAST(s.seq_now AS TEXT) || ', since '
        || CAST(s.since_now AS TEXT) || ', written off ' || CAST(s.written_off_now AS TEXT) AS stands,
    s.outcome || ', reported ' || s.reported || ', step ' || CAST(s.seq AS TEXT) || ', since '
        || CAST(s.since AS TEXT) || ', written off ' || CAST(s.written_off AS TEXT) AS history
FROM (
    SELECT a.public_id AS name, n.account_id AS account_now, a.account_id,
        n.outcome AS outcome_now, COALESCE(e.outcome, a.outcome) AS outcome,
        n.reported AS reported_now,
        -- A claim whose lease ran out counts as reported unknown.
        CASE
            WHEN n.reported = 'unknown' AND COALESCE(r.outcome, a.outcome) = 'in_flight'
                AND h.lease_seq > COALESCE(h.report_seq, 0) THEN 'unknown'
            WHEN h.report_seq > COALESCE(h.full_seq, 0) AND n.reported = COALESCE(g.outcome, a.outcome)
                THEN n.reported
            ELSE COALESCE(r.outcome, a.outcome)
        END AS reported,
        n.seq AS seq_now, COALESCE(h.last_seq, 0) AS seq,
        n.since AS since_now,
        CASE
            WHEN w.at IS NOT NULL AND (e.at IS NULL OR w.at > e.at) THEN w.at
            WHEN e.at IS NOT NULL THEN e.at
            WHEN a.outcome = 'unknown' AND a.finished_at IS NOT NULL THEN a.finished_at
            ELSE a.started_at
        END AS since,
        n.written_off AS written_off_now, ABS(COALESCE(w.amount, 0)) AS written_off
    FROM attempt_now AS n
    JOIN attempt AS a ON a.id = n.attempt_id
    LEFT JOIN history AS h ON h.attempt_id = n.attempt_id
    LEFT JOIN attempt_event AS e ON e.attempt_id = n.attempt_id AND e.seq = h.last_seq
    LEFT JOIN attempt_event AS r ON r.attempt_id = n.attempt_id AND r.seq = h.report_seq
    LEFT JOIN attempt_event AS g ON g.attempt_id = n.attempt_id AND g.seq = h.full_seq
    LEFT JOIN written_off AS w ON w.subject = 'attempt:' || a.public_id
    UNION ALL
    SELECT a.public_id, a.account_id, a.account_id, 'nothing', a.outcome, '', '', 0, 0, 0, 0, 0, 0
    FROM attempt AS a
    WHERE a.outcome IN ('in_flight', 'unknown')
        AND NOT EXISTS (SELECT 1 FROM attempt_now AS n WHERE n.attempt_id = a.id)
    UNION ALL
    SELECT a.public_id, a.account_id, a.account_id, 'nothing', e.outcome, '', '', 0, 0, 0, 0, 0, 0
    FROM attempt_event AS e
    JOIN attempt AS a ON a.id = e.attempt_id
    WHERE NOT EXISTS (SELECT 1 FROM attempt_now AS n WHERE n.attempt_id = e.attempt_id)
) AS s
WHERE s.account_now <> s.account_id OR s.outcome_now <> s.outcome OR s.reported_now <> s.reported
    OR s.seq_now <> s.seq OR s.since_now <> s.since OR s.written_off_now <> s.written_off
ORDER BY s.name
LIMIT 1
