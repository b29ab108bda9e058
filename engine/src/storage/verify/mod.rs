//! What verifying asks of the database: counts, keys, and sums that must agree.
//!
//! | File | Asks about |
//! |---|---|
//! | [`mod@leaves`] | leaves of the histories, and the rows that they are of |
//! | [`mod@books`] | entries, balances, and the lines that they are of |
//! | [`mod@lines`] | how lines stand: their verdicts, their shares, and what is counted of them |
//! | [`mod@standings`] | whatever else stands otherwise than its history says |
//! | [`mod@batches`] | sums of batches |
//! | [`mod@identities`] | identities of rows that count |
//! | [`mod@keys`] | keys by which lines and payments find each other |
//! | [`mod@files`] | settlement files |
//! | [`mod@cases`] | cases, with what they name |
//! | [`mod@decisions`] | decisions and the rulings that they set |

pub(super) mod batches;
pub(super) mod books;
pub(super) mod cases;
pub(super) mod decisions;
pub(super) mod files;
pub(super) mod identities;
pub(super) mod keys;
pub(super) mod leaves;
pub(super) mod lines;
pub(super) mod standings;

pub use self::{
    batches::{WrongBatch, adjusted_batches, odd_batches, wrong_batch},
    books::{
        LedgerSum, LineSum, WrongBalance, ledger_sums, line_sums, miscounted_entry, split_lines,
        unbalanced_entry, unposted_line, wrong_balance, wrong_trial_balance,
    },
    cases::{CaseRow, CaseStep, case_steps, case_waits, cases_after, lines_by_name, policies},
    decisions::{DecisionRow, decisions_after, ruling_of, rulings_after},
    files::{
        LastStep, ReceivedFile, file_without_standing, files_after, received_files, steps_of_files,
    },
    identities::{count_identities, identities, stray_identity},
    keys::{
        KeylessAttempt, KeylessLine, OddIntentKey, OddLineKey, idempotency_keys, keyless_attempts,
        keyless_lines, keys_of_intents, keys_of_lines, odd_intent_keys, odd_line_keys,
    },
    leaves::{KEYS_AT_ONCE, adrift, batches_after, counts, keys_after, leaf_counts},
    lines::{
        SharedLine, WrongLineNow, WrongOpen, shared_lines, shares_of_lines, stray_share,
        wrong_file_verdict, wrong_line_bucket, wrong_line_now, wrong_open,
    },
    standings::{
        WrongStanding, orphan, wrong_attempt_id, wrong_attempt_now, wrong_intent_now, wrong_user,
    },
};
