//! One settlement file: what was read, whether it ties, what was not understood, what happened.

use super::{
    file_batches as batches,
    files::{report, rows, verdicts},
};
use crate::{
    Engine, Error,
    decide::reason_choice,
    ingest::{BatchReport, CUT_OFF, FileReport, SAME_FILE_ELSEWHERE, TWO_PEOPLE, is_final},
    storage::{
        StorageError,
        filelist::{self, FileShown, FileStep},
        lines::RejectedRow,
        stored::{self, corrupt},
        tx::Connected,
    },
    users::may_approve,
};
use domain::{
    actor::{Actor, Permission},
    cases::{Action, CaseKind, ReasonCode},
    money::{Currency, parse_sum},
    time::Instant,
    view::{
        Amount, Link,
        amount::counted,
        case::TypedDecision,
        file::{
            AcceptForm, AskedBack, AwaitingAcceptance, ControlTotal, FileEvent, FilePage,
            HeldReason, KindCount, PutAwayForm, RejectedRowView, TakeBackForm, VerdictCounts,
        },
        files::FileState,
        routes,
    },
};

const TOTALS: usize = 100;

/// The page of a file, by its public id.
pub async fn file(engine: &Engine, actor: &Actor, id: &str) -> Result<Option<FilePage>, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let Some(found) = filelist::by_public_id(&mut reader, id).await? else {
        return Ok(None);
    };
    let row = rows(&mut reader, std::slice::from_ref(&found)).await?.pop();
    let row = row.ok_or_else(|| Error::Internal("a file that was read is gone".to_owned()))?;
    let report = report(&found)?;
    let verdicts = verdicts(&mut reader, std::iter::once(found.id)).await?;
    let of = |verdict: &str| {
        let lines = verdicts
            .get(&found.id)
            .and_then(|v| v.get(verdict))
            .copied();
        super::nav::count(lines.unwrap_or(0))
    };
    let mut totals = report
        .batches
        .iter()
        .take(TOTALS)
        .map(|b| total(&found.public_id, b))
        .collect::<Result<Vec<_>, _>>()?;
    if row.state == FileState::Used {
        batches::go_on(&mut reader, &found.account, &mut totals, engine.now()).await?;
    }
    let rejected = filelist::rejected(&mut reader, found.id).await?;
    let cases = filelist::open_cases(&mut reader, found.id).await?;
    let events = filelist::events(&mut reader, found.id).await?;
    let take_back = take_back(&mut reader, actor, &found, &report, row.state, &events).await?;
    let (accept, awaiting) = acceptance(engine, actor, &found, &report, &cases, row.state, &events);
    Ok(Some(FilePage {
        sha256: hex::encode(&found.sha256),
        encoding: found.encoding.clone(),
        verdicts: VerdictCounts {
            matched: of("MATCHED"),
            proposed: of("PROPOSED"),
            conflict: of("CONFLICT"),
            unmatched: of("UNMATCHED"),
            accounted: of("ACCOUNTED"),
            pending: of("PENDING"),
        },
        kinds: report
            .kinds
            .iter()
            .map(|(kind, rows)| KindCount {
                kind: *kind,
                rows: *rows,
            })
            .collect(),
        totals,
        totals_count: report.batch_count,
        same_rows: report.same_rows,
        rejected: rejected
            .into_iter()
            .map(|r| rejected_row(found.id, r))
            .collect::<Result<_, _>>()?,
        held: report
            .held_because
            .iter()
            .map(|h| HeldReason {
                code: h.code.clone(),
                text: what_is_wrong(&h.code, &h.message).to_owned(),
                remedy: remedy(&h.code).to_owned(),
            })
            .collect(),
        accept,
        awaiting,
        put_away: put_away(actor, row.state),
        take_back,
        error: found.error.clone(),
        events: events.into_iter().map(event).collect(),
        links: links(&found, &cases)?,
        problems: Vec::new(),
        file: row,
    }))
}

/// The form to accept a held file, and the acceptance that waits for a second person.
fn acceptance(
    engine: &Engine,
    actor: &Actor,
    file: &FileShown,
    report: &FileReport,
    cases: &[(String, String)],
    state: FileState,
    events: &[FileStep],
) -> (Option<AcceptForm>, Option<AwaitingAcceptance>) {
    let never = report.held_because.iter().any(|h| is_final(&h.code));
    if state != FileState::Held || !report.rows_written || never {
        return (None, None);
    }
    let elsewhere = report
        .held_because
        .iter()
        .any(|h| h.code == SAME_FILE_ELSEWHERE);
    let two = report
        .held_because
        .iter()
        .any(|h| TWO_PEOPLE.contains(&h.code.as_str()));
    let awaiting = report
        .accepted_by
        .last()
        .filter(|_| two)
        .map(|first| AwaitingAcceptance {
            case_id: cases.first().map_or_else(String::new, |(id, _)| id.clone()),
            by: first.actor.clone(),
            at: Instant::from_micros(events.first().map_or(file.received_at, |e| e.at)),
        });
    let mine = report.accepted_by.iter().any(|a| a.actor == actor.name());
    let form = (actor.may(Permission::Ingest) && !mine).then(|| AcceptForm {
        decision_id: engine.sources.ids.public_id(),
        expected_version: 0,
        reasons: accept_reasons(two, elsewhere)
            .iter()
            .copied()
            .map(reason_choice)
            .collect(),
        needs_approval: two,
        explains: explains(report),
        typed: TypedDecision::default(),
    });
    (form, awaiting)
}

/// What accepting a file uses and what it leaves out.
fn explains(report: &FileReport) -> String {
    let cut_off = report.held_because.iter().any(|h| h.code == CUT_OFF);
    format!(
        "Uses {} that could be read and leaves {} out{}.",
        counted(report.lines, "row", "rows"),
        domain::view::amount::count(report.rejected),
        if cut_off {
            "; nobody knows how many rows stand, or would have stood, in the last of them"
        } else {
            ""
        }
    )
}

/// Why a file may be used as it is: of one that another account has too, of a total that does not tie,
/// and of rows that could not be read.
const fn accept_reasons(total_does_not_tie: bool, elsewhere: bool) -> &'static [ReasonCode] {
    if elsewhere {
        ReasonCode::to_use_file_of_two_accounts()
    } else if total_does_not_tie {
        &[
            ReasonCode::ProviderConfirmed,
            ReasonCode::SmallDifference,
            ReasonCode::Other,
        ]
    } else {
        ReasonCode::for_action(Action::AcceptRows)
    }
}

/// The form to put a held file away, or to hold one again that was put away.
fn put_away(actor: &Actor, state: FileState) -> Option<PutAwayForm> {
    let is_away = match state {
        FileState::Held => false,
        FileState::Withdrawn => true,
        _ => return None,
    };
    actor.may(Permission::Ingest).then(|| PutAwayForm {
        is_away,
        reasons: if is_away {
            ReasonCode::to_hold_file_again()
        } else {
            ReasonCode::to_put_file_away()
        }
        .iter()
        .copied()
        .map(reason_choice)
        .collect(),
        typed: TypedDecision::default(),
    })
}

/// The form to take a used file back, to agree to that, or to keep the file.
async fn take_back(
    tx: impl Connected,
    actor: &Actor,
    file: &FileShown,
    report: &FileReport,
    state: FileState,
    events: &[FileStep],
) -> Result<Option<TakeBackForm>, Error> {
    if state != FileState::Used || !actor.may(Permission::Decide) {
        return Ok(None);
    }
    let asked = report.take_back.as_ref().map(|word| &word.asked);
    let me = actor.person().map_or(0, |(id, _)| id);
    let may_agree = match asked {
        Some(word) => {
            actor.may(Permission::Approve)
                && word.user_id != me
                && may_approve(tx, word.user_id, me).await?
        }
        None => false,
    };
    let choices = |codes: &[ReasonCode]| codes.iter().copied().map(reason_choice).collect();
    Ok(Some(TakeBackForm {
        asked: asked.map(|word| AskedBack {
            by: word.actor.clone(),
            reason: word.reason.clone(),
            at: Instant::from_micros(events.first().map_or(file.received_at, |e| e.at)),
        }),
        may_agree,
        reasons: choices(ReasonCode::to_take_file_back()),
        reasons_to_keep: choices(ReasonCode::to_keep_file()),
        typed: TypedDecision::default(),
        typed_to_keep: TypedDecision::default(),
    }))
}

/// Why a file is held, without the advice that the page gives in words of its own.
fn what_is_wrong<'a>(code: &str, message: &'a str) -> &'a str {
    match message.split_once(": ") {
        Some((what, _)) if matches!(code, "rejected_rows" | "row_id_twice" | "no_rows") => what,
        _ => message,
    }
}

/// What would release a held file; empty where the reason itself says it.
fn remedy(code: &str) -> &'static str {
    match code {
        "rejected_rows" => "Repair the rows and upload the file again, or accept it without them.",
        CUT_OFF => "Or accept the file without this row.",
        "total_does_not_tie" | "totals_not_checked" => {
            "Upload the complete file, or two people accept it as it is."
        }
        "restates_used_rows" => {
            "Compare it with the file that it restates and ask the provider which one stands."
        }
        "row_id_twice" => "Ask the provider for a file in which each row has its own id.",
        "no_rows" => "Upload the file for the period that was meant.",
        _ => "",
    }
}

fn total(file: &str, batch: &BatchReport) -> Result<ControlTotal, StorageError> {
    let currency: Currency = stored::parse("file_now", "report", file, &batch.currency)?;
    let amount = |text: &str| {
        let minor =
            parse_sum(text, currency).map_err(|e| corrupt("file_now", "report", file, &e))?;
        Ok::<Amount, StorageError>(Amount::new(minor, currency))
    };
    Ok(ControlTotal {
        batch_id: batch.batch_id.clone(),
        rows: batch.rows,
        gross: amount(&batch.gross)?,
        fee: amount(&batch.fee)?,
        net: amount(&batch.net)?,
        declared: batch.declared.as_deref().map(amount).transpose()?,
        residual: batch.residual.as_deref().map(amount).transpose()?,
        goes_on: None,
    })
}

fn rejected_row(file: i64, row: RejectedRow) -> Result<RejectedRowView, StorageError> {
    Ok(RejectedRowView {
        line_no: super::nav::count(row.line_no),
        reason: stored::parse(
            "rejected_row",
            "reason",
            format_args!("{file}, {}", row.line_no),
            &row.reason,
        )?,
        row_id: row.row_id,
        column: row.column_name,
        value: row.value,
        message: row.message,
    })
}

fn event(step: FileStep) -> FileEvent {
    let detail: serde_json::Value = serde_json::from_str(&step.detail).unwrap_or_default();
    let text_of = |name: &str| detail.get(name).and_then(|v| v.as_str()).map(str::to_owned);
    let rows = detail
        .get("rows")
        .and_then(serde_json::Value::as_u64)
        .map(|n| counted(n, "row", "rows"));
    let rejected = detail
        .get("rejected")
        .and_then(serde_json::Value::as_u64)
        .filter(|n| *n > 0)
        .map(domain::view::amount::count);
    let text = match (step.state.as_str(), text_of("reason")) {
        ("WITHDRAWN", Some(reason)) => match (text_of("taken_back_by"), text_of("agreed_by")) {
            (Some(by), Some(agreed)) => {
                format!("Out of the books: {by} took it back, {agreed} agreed. {reason}")
            }
            _ => format!("Put away: {reason}"),
        },
        ("USED", Some(reason)) if detail.get("take_back_asked_by").is_some() => {
            format!("Wanted back, a second person must agree: {reason}")
        }
        ("USED", Some(reason)) if detail.get("kept_by").is_some() => format!("Kept: {reason}"),
        ("TAKING_BACK", Some(reason)) => format!("Agreed; being taken back: {reason}"),
        ("HELD", Some(reason)) if detail.get("held_again_by").is_some() => {
            format!("Held again: {reason}")
        }
        (_, Some(reason)) => format!("Accepted as it is: {reason}"),
        ("RECEIVED", _) => "Received.".to_owned(),
        ("POSTING", _) => match (rows, rejected) {
            (Some(n), None) => format!("Read: {n}, none of which was refused."),
            (Some(n), Some(bad)) => format!("Read: {n}, {bad} of which could not be read."),
            (None, _) => "Being used.".to_owned(),
        },
        ("HOLDING", _) => rows.map_or("Will be held.".to_owned(), |n| {
            format!("Read: {n}; something is wrong.")
        }),
        ("HELD", _) => "Held: waits for a person.".to_owned(),
        ("CLOSING", _) => "Every row is in the ledger; the rest is being judged.".to_owned(),
        ("USED", _) => "Used.".to_owned(),
        ("REFUSED", _) => "Cannot be used.".to_owned(),
        ("WITHDRAWN", _) => "Put away.".to_owned(),
        (other, _) => other.to_lowercase(),
    };
    FileEvent {
        at: Instant::from_micros(step.at),
        actor: step.actor,
        text,
    }
}

fn links(file: &FileShown, cases: &[(String, String)]) -> Result<Vec<Link>, StorageError> {
    let mut links = vec![Link::new("Lines", routes::file_lines(&file.public_id))];
    for (id, kind) in cases {
        let kind: CaseKind = stored::parse("case_now", "kind", id, kind)?;
        links.push(Link::new(
            format!("{id} {}", kind.title()),
            routes::case_only(id),
        ));
    }
    Ok(links)
}
