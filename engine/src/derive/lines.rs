//! Verdicts and the postings that follow: only what differs from how a line stands is written.

use super::{Loaded, Work, load::line_name, overflow};
use crate::{
    Error,
    post_entries::post_entries,
    storage::{
        Rows,
        entries::NewEntry,
        files,
        matching::{self, LINE_NOW, ShareRow, StoredLine, VERDICT},
        stored,
    },
};
use domain::{
    line::{Rule, Verdict},
    matching::{Judgement, LineJudgement, Movement, explanation::Finding},
    money::Money,
    posting::{Disposition, Figures, LedgerAccount, Posting, line_postings, move_postings},
    seal::{Text, records::VerdictRecord},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a verdict says beyond its columns. Stored as JSON; empty text says nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Detail {
    /// The parts of the contra side, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Posting>,
    /// Shares by attempt's public id, where the line is not one attempt's as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<(String, i64)>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<domain::matching::Explanation>,
}

/// The code in `contra` of a side of several parts.
pub const SPLIT: &str = "split";

/// A new verdict for a line, ready to write.
struct Change<'a> {
    line: &'a StoredLine,
    judged: &'a LineJudgement,
    seq: i64,
    detail: String,
    entry: Option<usize>,
}

/// Writes verdicts that differ, with their entries; returns how many.
pub(crate) async fn write(
    work: &mut Work<'_>,
    loaded: &Loaded,
    judged: &[LineJudgement],
) -> Result<u64, Error> {
    let mut changes = Vec::new();
    for judgement in judged {
        let Some(line) = loaded.lines.get(&judgement.line) else {
            continue;
        };
        let detail = detail(loaded, line, judgement)?;
        if differs(loaded, line, judgement, &detail)? {
            changes.push(Change {
                line,
                judged: judgement,
                seq: line.seq + 1,
                detail,
                entry: None,
            });
        }
    }
    if changes.is_empty() {
        return Ok(0);
    }
    let entries = entries(work, &mut changes).await?;
    let first = post_entries(work.tx, work.leaves, work.cause.now, &entries).await?;
    write_verdicts(work, loaded, &changes, first).await?;
    count_verdicts(work, &changes).await?;
    write_shares(work, loaded, &changes).await?;
    Ok(changes.len() as u64)
}

/// Writes how much of intents' movements is matched, none of those of which no line is left.
pub(crate) async fn write_figures(work: &mut Work<'_>, judgement: &Judgement) -> Result<(), Error> {
    let mut figures: BTreeMap<(i64, &'static str), (i64, i64)> = judgement
        .open
        .iter()
        .map(|o| ((o.intent, o.movement.code()), (o.allowed, o.matched)))
        .collect();
    let allowed: BTreeMap<i64, i64> = judgement
        .open
        .iter()
        .map(|o| (o.intent, o.allowed))
        .collect();
    let before = matching::open_figures(&mut *work.tx, allowed.keys().copied()).await?;
    for (intent, kind, _) in before.into_iter().filter(|(_, _, matched)| *matched != 0) {
        let movement: Movement = stored::parse("intent_open", "kind", intent, &kind)?;
        let allowed = allowed.get(&intent).copied().unwrap_or_default();
        figures
            .entry((intent, movement.code()))
            .or_insert((allowed, 0));
    }
    let figures: Vec<_> = figures
        .into_iter()
        .map(|((intent, kind), (allowed, matched))| (intent, kind, allowed, matched))
        .collect();
    matching::put_intent_open(work.tx, &figures).await?;
    Ok(())
}

/// The contra side as it stands; none while nothing is posted.
pub(crate) fn standing(line: &StoredLine) -> Result<Option<Disposition>, Error> {
    if line.seq == 0 || !is_posted(&line.verdict) {
        return Ok(None);
    }
    if line.contra == SPLIT {
        let detail: Detail = stored::json("verdict", "detail", line.id, &line.detail)?;
        return Ok(Some(Disposition::of(detail.parts)));
    }
    if line.contra.is_empty() {
        return Ok(Some(Disposition::default()));
    }
    let account: LedgerAccount = stored::parse("line_now", "contra", line.id, &line.contra)?;
    let currency = stored::parse(
        "line_now",
        "contra_currency",
        line.id,
        &line.contra_currency,
    )?;
    Ok(Some(Disposition::of([Posting::new(
        account,
        Money::new(line.contra_amount, currency),
    )])))
}

/// Whether lines of this verdict are in the ledger.
pub(crate) fn is_posted(verdict: &str) -> bool {
    matches!(
        verdict,
        "MATCHED" | "PROPOSED" | "CONFLICT" | "UNMATCHED" | "ACCOUNTED"
    )
}

/// Columns of a contra side: account or `split`, amount, currency.
pub(crate) fn contra_columns(disposition: &Disposition) -> (&'static str, i64, String) {
    match (disposition.single(), disposition.parts.is_empty()) {
        (Some(part), _) => (part.account.code(), part.amount, part.currency.to_string()),
        (None, true) => ("", 0, String::new()),
        (None, false) => (SPLIT, 0, String::new()),
    }
}

fn differs(
    loaded: &Loaded,
    line: &StoredLine,
    judged: &LineJudgement,
    detail: &str,
) -> Result<bool, Error> {
    let shares = loaded.shares.get(&line.id).map_or(0, Vec::len);
    let wanted_shares = share_rows(loaded, line, judged)?.len();
    Ok(line.seq == 0
        || line.verdict != judged.verdict.code()
        || line.rule != judged.rule.code()
        || line.intent_id != judged.intent
        || line.attempt_id != judged.attempt
        || standing(line)?.as_ref() != Some(&judged.disposition)
        || shares != wanted_shares
        // The words of a plain match are not worth a record of their own.
        || (line.detail != detail && !(line.detail.is_empty() && judged.verdict == Verdict::Matched)))
}

fn detail(loaded: &Loaded, line: &StoredLine, judged: &LineJudgement) -> Result<String, Error> {
    let shares = share_rows(loaded, line, judged)?;
    let several = judged.disposition.parts.len() > 1;
    let plain_rule = matches!(judged.rule, Rule::ProviderId | Rule::Reference | Rule::Kind);
    let plain_finding = matches!(
        judged.explanation.finding,
        Finding::Agrees | Finding::ByKind
    );
    let settled = matches!(judged.verdict, Verdict::Matched | Verdict::Accounted);
    if shares.is_empty() && !several && settled && plain_rule && plain_finding {
        return Ok(String::new());
    }
    let name = |attempt: i64| {
        loaded
            .attempts
            .get(&attempt)
            .map_or_else(String::new, |a| a.public_id.clone())
    };
    let detail = Detail {
        parts: if several {
            judged.disposition.parts.clone()
        } else {
            Vec::new()
        },
        shares: shares
            .iter()
            .map(|s| (name(s.attempt_id), s.amount))
            .collect(),
        explanation: Some(judged.explanation.clone()),
    };
    Ok(stored::to_json(&detail)?)
}

fn share_rows(
    loaded: &Loaded,
    line: &StoredLine,
    judged: &LineJudgement,
) -> Result<Vec<ShareRow>, Error> {
    let presented = Money::new(
        line.presented_amount,
        stored::parse(
            "line",
            "presented_currency",
            line.id,
            &line.presented_currency,
        )?,
    );
    // What an amount of another currency settles cannot be told from the line's own columns.
    let intent = judged.intent.and_then(|id| loaded.intents.get(&id));
    let foreign = intent.is_some_and(|i| i.currency != line.presented_currency);
    if !foreign && !judged.needs_share_rows(presented) {
        return Ok(Vec::new());
    }
    Ok(judged
        .shares
        .iter()
        .map(|s| ShareRow {
            line_id: line.id,
            attempt_id: s.attempt,
            intent_id: s.intent,
            amount: s.amount,
        })
        .collect())
}

/// What posting a line on a contra side takes: all of it the first time, else what moves.
pub(crate) fn postings(line: &StoredLine, to: &Disposition) -> Result<Vec<Posting>, Error> {
    match standing(line)? {
        None => line_postings(&figures(line)?, to).map_err(overflow),
        Some(from) => move_postings(&from, to).map_err(overflow),
    }
}

pub(crate) fn figures(line: &StoredLine) -> Result<Figures, Error> {
    let currency = |column, text: &str| stored::parse("line", column, line.id, text);
    Ok(Figures {
        kind: stored::parse("line", "kind", line.id, &line.kind)?,
        gross: line.gross,
        fee: line.fee,
        net: line.net,
        currency: currency("currency", &line.currency)?,
        presented: Money::new(
            line.presented_amount,
            currency("presented_currency", &line.presented_currency)?,
        ),
    })
}

/// One entry a group of lines that are posted for the first time, one a line that moves.
async fn entries(work: &mut Work<'_>, changes: &mut [Change<'_>]) -> Result<Vec<NewEntry>, Error> {
    let batches =
        files::batch_names(&mut *work.tx, changes.iter().map(|c| c.line.batch_id)).await?;
    let mut groups: BTreeMap<(i64, i64, i64, String, &'static str, String), Group> =
        BTreeMap::new();
    let mut moves = Vec::new();
    for (at, change) in changes.iter().enumerate() {
        let line = change.line;
        let postings = postings(line, &change.judged.disposition)?;
        match standing(line)? {
            None => {
                let (contra, _, _) = contra_columns(&change.judged.disposition);
                let day = if work.cause.takes_a_file_back() {
                    day_of(work, line)
                } else {
                    line.accounting_day
                };
                let key = (
                    line.file_id,
                    day,
                    line.batch_id,
                    line.currency.clone(),
                    contra,
                    line.kind.clone(),
                );
                groups.entry(key).or_default().add(at, line, &postings);
            }
            Some(_) if postings.is_empty() => {}
            Some(_) => moves.push((at, postings)),
        }
    }
    let name = |id: i64| batches.get(&id).cloned().unwrap_or_default();
    let mut entries = Vec::new();
    let mut numbered = Vec::new();
    for ((_, day, batch, ..), group) in groups {
        let (Some(first), false) = (&group.first, group.sums.is_empty()) else {
            continue;
        };
        numbered.extend(group.members.iter().map(|at| (*at, entries.len())));
        entries.push(NewEntry {
            account_id: first.0,
            accounting_day: day,
            batch_id: batch,
            batch: name(batch),
            cause_kind: "lines",
            cause: format!("{}-{}", first.1, group.last),
            detail: stored::to_json(&serde_json::json!({ "lines": group.members.len() }))?,
            postings: group.postings()?,
        });
    }
    for (at, postings) in moves {
        let Some(change) = changes.get(at) else {
            continue;
        };
        let line = change.line;
        numbered.push((at, entries.len()));
        entries.push(NewEntry {
            account_id: line.account_id,
            accounting_day: day_of(work, line),
            batch_id: line.batch_id,
            batch: name(line.batch_id),
            cause_kind: "move",
            cause: format!("{}:{}", line_name(&line.sha256, line.line_no), change.seq),
            detail: stored::to_json(&serde_json::json!({
                "line": line_name(&line.sha256, line.line_no),
                "from": line.verdict,
                "to": change.judged.verdict,
                "because": work.cause.name,
            }))?,
            postings,
        });
    }
    for (at, entry) in numbered {
        if let Some(change) = changes.get_mut(at) {
            change.entry = Some(entry);
        }
    }
    Ok(entries)
}

/// A move by evidence bears the line's own day, so that balances of a day do not depend on when
/// evidence arrived; a move by decision bears the day of the decision.
fn day_of(work: &Work<'_>, line: &StoredLine) -> i64 {
    let zone = work.accounts.get(&line.account_id).map(|a| a.zone);
    match (work.cause.decided, zone) {
        (Some(at), Some(zone)) => at.day_in(zone).number(),
        _ => line.accounting_day,
    }
}

/// Lines that share an entry.
#[derive(Default)]
pub(crate) struct Group {
    /// The provider account, and the name of the first line.
    pub first: Option<(i64, String)>,
    /// The number of the last line.
    pub last: i64,
    /// Their places.
    pub members: Vec<usize>,
    sums: BTreeMap<(LedgerAccount, domain::money::Currency), i128>,
}

impl Group {
    pub fn add(&mut self, at: usize, line: &StoredLine, postings: &[Posting]) {
        if self.first.is_none() {
            self.first = Some((
                line.account_id,
                line_name(&line.sha256, line.line_no).to_string(),
            ));
        }
        self.last = line.line_no;
        self.members.push(at);
        for p in postings {
            *self.sums.entry((p.account, p.currency)).or_default() += i128::from(p.amount);
        }
        self.sums.retain(|_, amount| *amount != 0);
    }

    pub fn postings(&self) -> Result<Vec<Posting>, Error> {
        self.sums
            .iter()
            .map(|((account, currency), amount)| {
                let minor =
                    i64::try_from(*amount).map_err(|_| overflow(domain::money::AmountOverflow))?;
                Ok(Posting::new(*account, Money::new(minor, *currency)))
            })
            .collect()
    }
}

async fn write_verdicts(
    work: &mut Work<'_>,
    loaded: &Loaded,
    changes: &[Change<'_>],
    first_entry: i64,
) -> Result<(), Error> {
    let mut rows = Rows::new("verdict", VERDICT);
    let mut now = matching::line_now_rows();
    debug_assert_eq!(LINE_NOW.len(), 10);
    for change in changes {
        let (line, judged) = (change.line, change.judged);
        let (contra, amount, currency) = contra_columns(&judged.disposition);
        let entry = change
            .entry
            .and_then(|e| i64::try_from(e).ok())
            .map_or(0, |e| first_entry + e);
        rows.add()
            .int(line.id)
            .int(change.seq)
            .text(judged.verdict.code())
            .text(judged.rule.code())
            .int(judged.policy_version)
            .opt_int(judged.intent)
            .opt_int(judged.attempt)
            .text(contra)
            .int(amount)
            .text(&currency)
            .int(entry)
            .text(&change.detail)
            .text(work.cause.kind)
            .text(work.cause.name)
            .int(work.cause.now.micros());
        now.add()
            .int(line.id)
            .int(line.account_id)
            .int(change.seq)
            .text(judged.verdict.code())
            .text(judged.rule.code())
            .opt_int(judged.intent)
            .opt_int(judged.attempt)
            .text(contra)
            .int(amount)
            .text(&currency);
        let intent = judged.intent.and_then(|id| loaded.intents.get(&id));
        let attempt = judged.attempt.and_then(|id| loaded.attempts.get(&id));
        let file: [u8; 32] = line.sha256.as_slice().try_into().unwrap_or([0; 32]);
        work.leaves.push_part(
            line.id,
            change.seq,
            &VerdictRecord {
                provider: work
                    .accounts
                    .get(&line.account_id)
                    .map_or("", |a| a.name.as_str()),
                file: &file,
                line_no: line.line_no,
                seq: change.seq,
                verdict: judged.verdict.code(),
                rule: judged.rule.code(),
                policy_version: judged.policy_version,
                intent: intent.map(|i| i.public_id.as_str()),
                attempt: attempt.map(|a| a.public_id.as_str()),
                contra,
                contra_amount: amount,
                contra_currency: &currency,
                detail: Text::Plain(&change.detail),
                cause_kind: work.cause.kind,
                cause: work.cause.name,
            },
        );
    }
    rows.insert_into(work.tx, "verdict").await?;
    matching::put_line_now(work.tx, &now).await?;
    Ok(())
}

async fn count_verdicts(work: &mut Work<'_>, changes: &[Change<'_>]) -> Result<(), Error> {
    let mut counts: BTreeMap<(i64, &str), i64> = BTreeMap::new();
    for change in changes {
        *counts
            .entry((change.line.file_id, change.line.verdict.as_str()))
            .or_default() -= 1;
        *counts
            .entry((change.line.file_id, change.judged.verdict.code()))
            .or_default() += 1;
    }
    let counts = counts
        .iter()
        .map(|((file, verdict), count)| (*file, *verdict, *count));
    Ok(files::add_verdicts(work.tx, counts).await?)
}

async fn write_shares(
    work: &mut Work<'_>,
    loaded: &Loaded,
    changes: &[Change<'_>],
) -> Result<(), Error> {
    let mut shares = Vec::new();
    for change in changes {
        shares.extend(share_rows(loaded, change.line, change.judged)?);
    }
    matching::put_shares(work.tx, changes.iter().map(|c| c.line.id), &shares).await?;
    Ok(())
}
