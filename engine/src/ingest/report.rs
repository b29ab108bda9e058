//! What is known of a file as a whole: found by pass one, completed when the file is closed.

use crate::{
    Engine, Error,
    storage::{filelist, files, stored},
};
use domain::{
    formats::FileFacts,
    line::RowKind,
    money::{Currency, major},
    view::files::RowCounts,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Batches that a report lists; more are counted.
const MOST_BATCHES: usize = 500;

/// Why a file is held whose rows lie too far apart: whoever accepts it answers that the dates are right.
pub const DAYS_FAR_APART: &str = "days_far_apart";

/// Why files are held that two people must accept: their own totals say that money is missing, or nobody
/// looked at them.
pub const TWO_PEOPLE: [&str; 2] = ["total_does_not_tie", "totals_not_checked"];
/// Held because the file ends in the middle of its last row.
pub const CUT_OFF: &str = "cut_off";
/// Held because another account has the same bytes: nothing is wrong with the file itself.
pub const SAME_FILE_ELSEWHERE: &str = "same_file_in_other_account";
/// Held because it was in the books before and was taken back out of them.
pub const TAKEN_BACK: &str = "taken_back";

/// Whether nothing more goes on with a file by itself.
pub(crate) fn has_ended(state: &str) -> bool {
    matches!(state, "USED" | "HELD" | "REFUSED" | "WITHDRAWN")
}

/// Why a file is held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldBecause {
    /// rejected_rows, cut_off, total_does_not_tie, totals_not_checked, days_far_apart, restates_used_rows,
    /// row_id_twice, no_rows, too_much_to_add_up, same_file_in_other_account, taken_back, or the code of
    /// a file problem.
    pub code: String,
    /// A sentence for a finance person: what is wrong and what to do.
    pub message: String,
}

/// Somebody's word that a held file is to be used as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    /// As shown in history.
    pub actor: String,
    /// The person's key, 0 where no person did.
    #[serde(default)]
    pub user_id: i64,
    /// Why.
    pub reason: String,
}

/// Somebody's word that a used file is to be taken back out of the books, and a second person's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeBack {
    /// Who wants it, and why.
    pub asked: Acceptance,
    /// Who agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreed: Option<Acceptance>,
    /// When that was, in microseconds since 1970; 0 before. What takes the file out of the books bears
    /// this day, however long the work takes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub agreed_at: i64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde asks
const fn is_zero(number: &i64) -> bool {
    *number == 0
}

/// One batch of a file, in one currency. Amounts in major units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchReport {
    /// The provider's id, or empty.
    pub batch_id: String,
    /// The currency.
    pub currency: String,
    /// Rows in it.
    #[serde(default)]
    pub rows: u64,
    /// Sum of gross, payouts left out.
    pub gross: String,
    /// Sum of fees, payouts left out.
    pub fee: String,
    /// Sum of net, payouts left out.
    pub net: String,
    /// What the file declares, if it does.
    pub declared: Option<String>,
    /// Declared less summed.
    pub residual: Option<String>,
    /// Whether it ties; nothing declared is neither.
    pub ties: Option<bool>,
}

/// The report of a file, kept as JSON. Each step in a file's history holds a hash of that JSON
/// (`standing`), so a field that comes to this type later is left out while it says nothing
/// (`skip_serializing_if`): else `verify` would find every older file changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileReport {
    /// Data rows.
    pub rows: u64,
    /// Rows that could be read.
    pub lines: u64,
    /// Rows that could not.
    pub rejected: u64,
    /// Blank lines and footers.
    pub blank: u64,
    /// Rows of unknown kind.
    pub unrecognised: u64,
    /// Rows that were counted already, from another file or from a row above.
    pub repeated: u64,
    /// Of them, rows that stand in the file itself before, with the same id and the same content.
    pub same_rows: u64,
    /// Readable rows by kind.
    pub kinds: BTreeMap<RowKind, u64>,
    /// Batches, the first 500.
    pub batches: Vec<BatchReport>,
    /// How many batches there are.
    pub batch_count: u64,
    /// Whether the totals that belong to the file tie.
    pub ties: Option<bool>,
    /// Why it is held.
    pub held_because: Vec<HeldBecause>,
    /// Rows whose net is not gross less fee: how many, and the first.
    pub uneven_rows: u64,
    /// Physical lines of the first of them.
    pub uneven_lines: Vec<u64>,
    /// Rows whose text was damaged before it reached us.
    pub lossy_rows: u64,
    /// Ids that look as if a spreadsheet had rounded them.
    pub rounded_ids: u64,
    /// Rows without a row id that equal another row: used, by occurrence.
    pub equal_rows: u64,
    /// Physical lines of the first of them.
    pub equal_lines: Vec<u64>,
    /// Whether the encoding was assumed.
    pub encoding_assumed: bool,
    /// The delimiter.
    pub delimiter: String,
    /// Who accepted it as it is, and why.
    pub accepted_by: Vec<Acceptance>,
    /// Cases that it opened.
    pub cases_opened: u64,
    /// Whether the rows were written while it was held.
    pub rows_written: bool,
    /// Rows of the account's other files that had been used when it was read. Where it is another number by
    /// now, some of them may be rows of this file.
    pub others_used: i64,
    /// The profile that was asked for, or empty.
    pub asked: String,
    /// The version of the reader that read it, 0 where none did.
    pub reader: u32,
    /// Who wants it taken back, and who agreed, until it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub take_back: Option<TakeBack>,
}

impl FileReport {
    /// From what pass one added up.
    pub fn of(facts: &FileFacts) -> Self {
        Self {
            rows: facts.rows,
            lines: facts.lines,
            rejected: facts.rejected,
            blank: facts.blank,
            unrecognised: facts
                .kinds
                .get(&RowKind::Unrecognised)
                .copied()
                .unwrap_or(0),
            kinds: facts.kinds.clone(),
            batches: facts
                .totals
                .values()
                .take(MOST_BATCHES)
                .map(batch_report)
                .collect(),
            batch_count: facts.totals.len() as u64,
            ties: facts.file_ties(),
            uneven_rows: facts.uneven.count,
            uneven_lines: facts.uneven.first_lines.iter().take(20).copied().collect(),
            lossy_rows: facts.lossy_rows,
            rounded_ids: facts.rounded_ids,
            equal_rows: facts.repeated_identities.count,
            equal_lines: facts
                .repeated_identities
                .first_lines
                .iter()
                .take(20)
                .copied()
                .collect(),
            ..Self::default()
        }
    }
}

fn batch_report(total: &domain::formats::BatchTotal) -> BatchReport {
    let text = |minor: i128| amount(minor, total.currency);
    BatchReport {
        batch_id: total.batch_id.clone(),
        currency: total.currency.to_string(),
        rows: total.rows,
        gross: text(total.gross),
        fee: text(total.fee),
        net: text(total.net),
        declared: total.declared.map(text),
        residual: total.residual().map(text),
        ties: total.ties(),
    }
}

fn amount(minor: i128, currency: Currency) -> String {
    major(minor, currency.exponent())
}

/// The answer of `import settlement --json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    pub file_id: String,
    pub sha256: String,
    pub known: bool,
    /// Whether the bytes were there before, unread, and were read again.
    pub read_again: bool,
    pub state: String,
    pub held_because: Vec<String>,
    pub profile: String,
    pub rows: RowCounts,
    pub verdicts: BTreeMap<String, i64>,
    pub totals: Vec<BatchReport>,
    pub cases_opened: u64,
    /// Rows that say the same as one above, and count once; for people.
    #[serde(skip)]
    pub same_rows: u64,
    /// Why work on it stopped until a person lets it go on; for people.
    #[serde(skip)]
    pub stopped: Option<String>,
    /// Sentences that go with `held_because`; for people.
    #[serde(skip)]
    pub held_messages: Vec<String>,
    /// The first rows that could not be read; for people.
    #[serde(skip)]
    pub rejected_rows: Vec<files::RejectedExample>,
}

/// How the rows of a file add up:
/// total = used + accounted + unrecognised + rejected + held + withdrawn + repeated + superseded + blank.
/// `unrecognised` are the lines of unknown kind that nothing has placed, by how they stand: what pass one
/// counted are also those that repeat another file's, and those that somebody has placed since.
pub fn row_counts(
    state: &str,
    report: &FileReport,
    verdicts: &BTreeMap<String, i64>,
    unrecognised: i64,
) -> RowCounts {
    let of = |verdict: &str| verdicts.get(verdict).copied().unwrap_or(0);
    let judged = ["MATCHED", "PROPOSED", "CONFLICT", "UNMATCHED", "PENDING"];
    let judged: i64 = judged.iter().map(|verdict| of(verdict)).sum();
    let away = state == super::WITHDRAWN;
    RowCounts {
        total: report.rows + report.blank,
        used: count(judged - unrecognised),
        accounted: count(of("ACCOUNTED")),
        unrecognised: count(unrecognised),
        rejected: report.rejected,
        held: if away { 0 } else { count(of("HELD")) },
        withdrawn: if away { count(of("HELD")) } else { 0 },
        repeated: count(of("REPEATED")),
        superseded: count(of("SUPERSEDED")),
        blank: report.blank,
    }
}

fn count(rows: i64) -> u64 {
    u64::try_from(rows).unwrap_or(0)
}

/// What became of a file, counted.
pub async fn summary(engine: &Engine, file_id: i64, known: bool) -> Result<Summary, Error> {
    let mut tx = engine.store.read().await?;
    let file = files::by_id(&mut tx, file_id).await?;
    let report: FileReport = stored::json("file_now", "report", &file.public_id, &file.report)?;
    let counts: BTreeMap<String, i64> = files::verdicts(&mut tx, file_id)
        .await?
        .into_iter()
        .collect();
    let rejected_rows = files::rejected_examples(&mut tx, file_id, 20).await?;
    let of = |verdict: &str| counts.get(verdict).copied().unwrap_or(0);
    let verdicts: BTreeMap<String, i64> =
        ["MATCHED", "PROPOSED", "CONFLICT", "UNMATCHED", "ACCOUNTED"]
            .iter()
            .map(|v| ((*v).to_owned(), of(v)))
            .collect();
    let unrecognised = if report.unrecognised > 0 {
        let found = filelist::unrecognised(&mut tx, std::iter::once(file_id)).await?;
        found.first().map_or(0, |(_, lines)| *lines)
    } else {
        0
    };
    let rows = row_counts(&file.state, &report, &counts, unrecognised);
    let stopped =
        (!has_ended(&file.state) && file.failures >= super::MOST_FAILURES).then_some(file.error);
    Ok(Summary {
        stopped,
        file_id: file.public_id,
        sha256: hex::encode(&file.sha256),
        known,
        read_again: false,
        state: file.state,
        held_because: report.held_because.iter().map(|h| h.code.clone()).collect(),
        held_messages: report.held_because.into_iter().map(|h| h.message).collect(),
        profile: file.profile,
        rows,
        verdicts,
        totals: report.batches,
        cases_opened: report.cases_opened,
        same_rows: report.same_rows,
        rejected_rows,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::FileReport;

    #[test]
    fn a_report_that_says_nothing_reads_as_it_always_did() {
        let text = serde_json::to_string(&FileReport::default()).unwrap();
        assert_eq!(
            text,
            concat!(
                r#"{"rows":0,"lines":0,"rejected":0,"blank":0,"unrecognised":0,"repeated":0,"#,
                r#""same_rows":0,"kinds":{},"batches":[],"batch_count":0,"ties":null,"#,
                r#""held_because":[],"uneven_rows":0,"uneven_lines":[],"lossy_rows":0,"#,
                r#""rounded_ids":0,"equal_rows":0,"equal_lines":[],"encoding_assumed":false,"#,
                r#""delimiter":"","accepted_by":[],"cases_opened":0,"rows_written":false,"#,
                r#""others_used":0,"asked":"","reader":0}"#,
            )
        );
    }
}
