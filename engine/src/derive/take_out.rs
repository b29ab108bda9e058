//! Takes lines out of the books: what they posted is posted the other way by new entries, and they stand
//! as the lines of a file that is held. Their earlier verdicts and entries stay in the histories.

use super::{
    Work, line_name,
    lines::{Group, figures, standing},
    overflow,
};
use crate::{
    Error,
    post_entries::post_entries,
    storage::{
        Rows,
        entries::NewEntry,
        files,
        matching::{self, StoredLine, VERDICT},
        stored,
    },
};
use domain::{
    line::{Rule, Verdict},
    posting::{entries::reversed, line_postings},
    seal::{Text, records::VerdictRecord},
};
use std::collections::BTreeMap;

/// The kind of cause that entries which take lines out of the books bear.
pub(crate) const TAKEN_BACK: &str = "taken_back";

/// Takes lines out; `day` is the accounting day of what is posted.
pub(crate) async fn take_out(
    work: &mut Work<'_>,
    lines: &[StoredLine],
    day: i64,
) -> Result<(), Error> {
    let entry_of = post(work, lines, day).await?;
    write_verdicts(work, lines, &entry_of).await?;
    let mut counts: BTreeMap<(i64, &str), i64> = BTreeMap::new();
    for line in lines {
        *counts
            .entry((line.file_id, line.verdict.as_str()))
            .or_default() -= 1;
        *counts
            .entry((line.file_id, Verdict::Held.code()))
            .or_default() += 1;
    }
    let counts = counts.iter().map(|((file, what), n)| (*file, *what, *n));
    files::add_verdicts(work.tx, counts).await?;
    let ids = || lines.iter().map(|l| l.id);
    matching::put_shares(work.tx, ids(), &[]).await?;
    matching::drop_line_keys(work.tx, ids()).await?;
    Ok(files::drop_identities(work.tx, ids()).await?)
}

/// One entry for lines that share batch, currency, contra account and kind. Gives the entry of each line.
async fn post(
    work: &mut Work<'_>,
    lines: &[StoredLine],
    day: i64,
) -> Result<BTreeMap<usize, i64>, Error> {
    let mut groups: BTreeMap<(i64, String, String, String), Group> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(contra) = standing(line)? else {
            continue;
        };
        let posted = line_postings(&figures(line)?, &contra).map_err(overflow)?;
        let key = (
            line.batch_id,
            line.currency.clone(),
            line.contra.clone(),
            line.kind.clone(),
        );
        let back = reversed(&posted).map_err(overflow)?;
        groups.entry(key).or_default().add(at, line, &back);
    }
    let names = files::batch_names(&mut *work.tx, groups.keys().map(|key| key.0)).await?;
    let (mut entries, mut members) = (Vec::new(), Vec::new());
    for ((batch_id, ..), group) in groups {
        let (postings, Some((account_id, first))) = (group.postings()?, group.first) else {
            continue;
        };
        if postings.is_empty() {
            continue;
        }
        let detail =
            serde_json::json!({ "lines": group.members.len(), "because": work.cause.name });
        members.push(group.members);
        entries.push(NewEntry {
            account_id,
            accounting_day: day,
            batch_id,
            batch: names.get(&batch_id).cloned().unwrap_or_default(),
            cause_kind: TAKEN_BACK,
            cause: format!("{first}-{}", group.last),
            detail: stored::to_json(&detail)?,
            postings,
        });
    }
    let first = post_entries(work.tx, work.leaves, work.cause.now, &entries).await?;
    let numbered = (first..).zip(members);
    Ok(numbered
        .flat_map(|(entry, members)| members.into_iter().map(move |at| (at, entry)))
        .collect())
}

async fn write_verdicts(
    work: &mut Work<'_>,
    lines: &[StoredLine],
    entry_of: &BTreeMap<usize, i64>,
) -> Result<(), Error> {
    let mut rows = Rows::new("verdict", VERDICT);
    let mut now = matching::line_now_rows();
    let (held, rule) = (Verdict::Held.code(), Rule::None.code());
    for (at, line) in lines.iter().enumerate() {
        let account = work.accounts.get(&line.account_id);
        let policy_version = account.map_or(0, |a| a.policy_version);
        let seq = line.seq + 1;
        rows.add()
            .int(line.id)
            .int(seq)
            .text(held)
            .text(rule)
            .int(policy_version)
            .opt_int(None)
            .opt_int(None)
            .text("")
            .int(0)
            .text("")
            .int(entry_of.get(&at).copied().unwrap_or(0))
            .text("")
            .text(work.cause.kind)
            .text(work.cause.name)
            .int(work.cause.now.micros());
        now.add()
            .int(line.id)
            .int(line.account_id)
            .int(seq)
            .text(held)
            .text(rule)
            .opt_int(None)
            .opt_int(None)
            .text("")
            .int(0)
            .text("");
        let file: [u8; 32] = line.sha256.as_slice().try_into().unwrap_or([0; 32]);
        work.leaves.push_part(
            line.id,
            seq,
            &VerdictRecord {
                provider: account.map_or("", |a| a.name.as_str()),
                file: &file,
                line_no: line.line_no,
                seq,
                verdict: held,
                rule,
                policy_version,
                intent: None,
                attempt: None,
                contra: "",
                contra_amount: 0,
                contra_currency: "",
                detail: Text::Plain(""),
                cause_kind: work.cause.kind,
                cause: work.cause.name,
            },
        );
    }
    rows.insert_into(work.tx, "verdict").await?;
    Ok(matching::put_line_now(work.tx, &now).await?)
}

/// The name of a line as cases and rulings know it.
pub(crate) fn name_of(line: &StoredLine) -> String {
    line_name(&line.sha256, line.line_no).to_string()
}
