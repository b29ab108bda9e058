//! One payment intent: attempts, what testifies, lines, cases, states, and where its money stands.

use super::{line_names::LineNames, line_row, payments, position::Moved, queue};
use crate::{
    Engine, Error,
    registry::request_digest,
    seal::leaves_of,
    storage::{
        StorageError,
        imports::{self, Origin},
        intents::{self, AttemptEvent, AttemptShown, EvidenceShown, Learned},
        lines::{self, LineShown},
        queue as cases, stored,
        tx::Connected,
    },
};
use domain::{
    actor::{Actor, Permission},
    payment::{IntentState, Outcome},
    seal::{Hash, RecordKind},
    time::Instant,
    view::{
        Link,
        amount::capital,
        case::Testimony,
        intent::{AttemptView, IntentEvent, IntentPage},
        line::LineRow,
        routes,
    },
};

/// The page of an intent, by the company's id.
pub async fn intent(engine: &Engine, actor: &Actor, id: &str) -> Result<Option<IntentPage>, Error> {
    actor.require(Permission::Read)?;
    let mut reader = engine.store.read().await?;
    let Some(found) = intents::by_public_id(&mut reader, id).await? else {
        return Ok(None);
    };
    let attempts = intents::attempts(&mut reader, [found.id].into_iter()).await?;
    let learned = intents::learned(&mut reader, &attempts).await?;
    let told = Told::read(&mut reader, &attempts).await?;
    let line_ids = lines::of_intent(&mut reader, found.id).await?;
    let its_lines = lines::by_ids(&mut reader, &line_ids).await?;
    let case_ids = cases::of_intents(&mut reader, &[found.id]).await?;
    let mut its_cases = cases::by_ids(&mut reader, case_ids).await?;
    its_cases.sort_by_key(|case| (case.resolved_at.is_some(), case.opened_at, case.case_id));
    let states = intents::events(&mut reader, found.id).await?;

    let me = actor.person().map_or(0, |(id, _)| id);
    let moved = Moved::read(&mut reader, &[found.id].into()).await?;
    let positions = moved.positions(found.id, &found.currency)?;
    let timeline = told.timeline(&mut reader, &attempts, &its_lines).await?;
    let causes = states.iter().map(|s| s.cause.as_str()).collect();
    let names = LineNames::read(&mut reader, causes).await?;
    let row = payments::row(found.clone(), &attempts)?;
    Ok(Some(IntentPage {
        why: why(row.state, &attempts, found.resend_permitted != 0),
        version: found.version,
        loss_policy: stored::parse("intent", "loss_policy", found.id, &found.loss_policy)?,
        counterparty: found.counterparty,
        intent: row,
        position: positions.own,
        other_currencies: positions.others,
        attempts: attempts
            .iter()
            .map(|a| attempt(a, &learned))
            .collect::<Result<_, _>>()?,
        timeline,
        lines: its_lines
            .into_iter()
            .map(line_row::shown)
            .collect::<Result<Vec<LineRow>, _>>()?,
        cases: its_cases
            .iter()
            .map(|case| queue::shown(case, me))
            .collect::<Result<_, _>>()?,
        states: states
            .into_iter()
            .map(|event| {
                Ok(IntentEvent {
                    version: event.version,
                    state: stored::parse("intent_event", "state", found.id, &event.state)?,
                    at: Instant::from_micros(event.at),
                    cause: names.say(&cause(&event.cause_kind, &event.cause)),
                })
            })
            .collect::<Result<_, StorageError>>()?,
    }))
}

fn attempt(shown: &AttemptShown, learned: &[Learned]) -> Result<AttemptView, StorageError> {
    let known = learned.iter().find(|l| l.attempt_id == shown.id);
    let (provider_payment_id, learned_from) = match (shown.provider_payment_id.as_str(), known) {
        ("", Some(l)) => (l.provider_payment_id.clone(), l.learned_from.clone()),
        ("", None) => (String::new(), String::new()),
        (id, _) => (id.to_owned(), "company".to_owned()),
    };
    Ok(AttemptView {
        id: shown.public_id.clone(),
        number: shown.number,
        account: shown.account.clone(),
        outcome: stored::parse("attempt_now", "outcome", shown.id, &shown.outcome)?,
        reported: stored::parse("attempt_now", "reported", shown.id, &shown.reported)?,
        idempotency_key: shown.idempotency_key.clone(),
        provider_payment_id,
        learned_from,
        started_at: Instant::from_micros(shown.started_at),
        finished_at: shown.finished_at.map(Instant::from_micros),
        error_code: shown.error_code.clone(),
    })
}

/// Why an intent stands as it does: the first rule of domain.md section 2 that fits.
fn why(state: IntentState, attempts: &[AttemptShown], permitted: bool) -> String {
    let of = |outcome: Outcome| {
        attempts
            .iter()
            .find(|a| a.outcome == outcome.code())
            .map_or(0, |a| a.number)
    };
    match state {
        IntentState::Review if of(Outcome::Contested) > 0 => format!(
            "Attempt {} is contested: evidence contradicts what was reported.",
            of(Outcome::Contested)
        ),
        IntentState::Review => {
            "More than one attempt succeeded, or evidence conflicts: a person decides.".to_owned()
        }
        IntentState::Submitting => format!("Attempt {} is under way.", of(Outcome::InFlight)),
        IntentState::Unknown => format!(
            "Nobody knows yet whether attempt {} moved money.",
            of(Outcome::Unknown)
        ),
        IntentState::Succeeded => format!("Attempt {} succeeded.", of(Outcome::Succeeded)),
        IntentState::Pending if permitted => "Another attempt is permitted.".to_owned(),
        IntentState::Pending => "Nothing was tried yet.".to_owned(),
        IntentState::Failed => "Every attempt was rejected or never executed.".to_owned(),
    }
}

/// What is on record about attempts besides settlement lines.
pub(super) struct Told {
    events: Vec<AttemptEvent>,
    evidence: Vec<EvidenceShown>,
    origins: Vec<Origin>,
}

impl Told {
    pub(super) async fn read(
        mut tx: impl Connected,
        attempts: &[AttemptShown],
    ) -> Result<Self, StorageError> {
        Ok(Self {
            events: intents::attempt_events(&mut tx, attempts).await?,
            evidence: intents::evidence(&mut tx, attempts).await?,
            origins: imports::origins(&mut tx, attempts.iter().map(|a| a.id)).await?,
        })
    }

    /// Everything that testifies, oldest first.
    pub(super) async fn timeline(
        &self,
        mut tx: impl Connected,
        attempts: &[AttemptShown],
        lines: &[LineShown],
    ) -> Result<Vec<Testimony>, Error> {
        let number = |id: i64| attempts.iter().find(|a| a.id == id).map_or(0, |a| a.number);
        let mut told: Vec<Testimony> = Vec::new();
        let keys = attempts.iter().map(|a| (a.id, 0));
        let leaves = leaves_of(&mut tx, RecordKind::Attempt, keys).await?;
        for (attempt, leaf) in attempts.iter().zip(leaves) {
            told.push(sealed(self.registered(attempt), leaf));
        }
        let keys = self.events.iter().map(|e| (e.attempt_id, e.seq));
        let leaves = leaves_of(&mut tx, RecordKind::AttemptEvent, keys).await?;
        for (event, leaf) in self.events.iter().zip(leaves) {
            told.push(sealed(became(event, number(event.attempt_id)), leaf));
        }
        let pieces = self.evidence.iter();
        told.extend(pieces.map(|p| testimony(p, p.attempt_id.map_or(0, number))));
        let keys = lines.iter().map(|line| (line.id, 0));
        let leaves = leaves_of(&mut tx, RecordKind::Line, keys).await?;
        for (line, leaf) in lines.iter().zip(leaves) {
            let testimony = of_line(&line_row::shown(line.clone())?, &line.file_name);
            told.push(sealed(testimony, leaf));
        }
        let names =
            LineNames::read(&mut tx, told.iter().map(|t| t.text.as_str()).collect()).await?;
        for testimony in &mut told {
            names.put(&mut testimony.text);
        }
        told.sort_by_key(|t| (t.occurred_at.or(t.received_at), t.received_at));
        Ok(told)
    }

    /// That an attempt was made, and how we know of it.
    fn registered(&self, attempt: &AttemptShown) -> Testimony {
        let sent = format!(
            "Attempt {} was sent through {}",
            attempt.number, attempt.account
        );
        let origin = self.origins.iter().find(|o| o.attempt_id == attempt.id);
        let (source, text) = match origin {
            Some(o) if o.name.is_empty() => ("payments file", format!("{sent}.")),
            Some(o) => {
                let place = o
                    .line()
                    .map_or(o.name.clone(), |line| format!("{}:{line}", o.name));
                ("payments file", format!("{sent}, as {place} says."))
            }
            None => ("company", format!("{sent}.")),
        };
        Testimony {
            occurred_at: Some(Instant::from_micros(attempt.started_at)),
            received_at: origin.map(|o| Instant::from_micros(o.received_at)),
            source: source.to_owned(),
            text,
            hash: String::new(),
            link: None,
        }
    }
}

/// A testimony with the leaf of the record that it rests on.
pub(super) fn sealed(testimony: Testimony, leaf: Hash) -> Testimony {
    Testimony {
        hash: hex::encode(leaf),
        ..testimony
    }
}

/// What became of an attempt.
fn became(event: &AttemptEvent, number: i64) -> Testimony {
    let code = match event.error_code.as_str() {
        "" => String::new(),
        code => format!(" ({code})"),
    };
    let outcome = match event.outcome.as_str() {
        "absent" => "not executed".to_owned(),
        code => code.replace('_', " "),
    };
    Testimony {
        occurred_at: event.finished_at.map(Instant::from_micros),
        received_at: Some(Instant::from_micros(event.at)),
        source: source(&event.cause_kind, &event.cause).to_owned(),
        text: format!(
            "Attempt {number} became {outcome}{code}: {}.",
            cause(&event.cause_kind, &event.cause)
        ),
        hash: String::new(),
        link: None,
    }
}

/// A piece of evidence as a sentence.
pub(super) fn testimony(piece: &EvidenceShown, attempt: i64) -> Testimony {
    let claim = serde_json::from_str::<serde_json::Value>(&piece.claim).unwrap_or_default();
    let said = |name| claim.get(name).and_then(|o| o.as_str()).map(str::to_owned);
    let says =
        said("outcome").map_or_else(String::new, |o| format!(" says {}", o.replace('_', " ")));
    Testimony {
        occurred_at: piece.occurred_at.map(Instant::from_micros),
        received_at: Some(Instant::from_micros(piece.received_at)),
        source: match piece.kind.as_str() {
            "attestation" => "person",
            "bank_line" => "file",
            _ if piece.source == "payments import" => "payments file",
            _ => "api",
        }
        .to_owned(),
        text: match piece.source.as_str() {
            _ if piece.kind == request_digest::KIND => format!(
                "The request that was to be sent for attempt {attempt} has the digest {}.",
                said("request_digest").unwrap_or_default()
            ),
            "payments import" => {
                format!("A later row of a payments file about attempt {attempt}{says}.")
            }
            _ => format!(
                "{} about attempt {attempt}{says}.",
                capital(&piece.kind.replace('_', " "))
            ),
        },
        hash: hex::encode(&piece.content_hash),
        link: None,
    }
}

/// A settlement line as a sentence, leading to its bytes.
pub(super) fn of_line(row: &LineRow, file: &str) -> Testimony {
    let at = row.occurred_at.or(row.settled_at);
    let presented = row.presented.unwrap_or(row.gross);
    Testimony {
        occurred_at: at,
        received_at: Some(row.received_at),
        source: "file".to_owned(),
        text: format!(
            "{} of {presented} in {file}.",
            capital(&row.kind.code().replace('_', " "))
        ),
        hash: String::new(),
        link: Some(Link::new(
            format!("line {}", domain::view::amount::count(row.line_no)),
            routes::line(&row.file_id, row.line_no),
        )),
    }
}

fn source(cause_kind: &str, cause: &str) -> &'static str {
    match cause_kind {
        "line" | "file" => "file",
        "decision" | "reversal" => "person",
        "import" => "payments file",
        "report" if cause == "import" => "payments file",
        "sweep" | "rematch" => "rules",
        _ => "api",
    }
}

/// What caused a change, in words.
pub(super) fn cause(kind: &str, cause: &str) -> String {
    match kind {
        "report" if cause == "import" => "a payments file says so".to_owned(),
        "report" => "a report about the attempt".to_owned(),
        "import" => "an import of payments".to_owned(),
        "line" => format!("settlement line {cause}"),
        "decision" => format!("decision {cause}"),
        "reversal" => format!("decision {cause}, taken back"),
        "sweep" => "its time ran out".to_owned(),
        "file" => format!("file {cause}"),
        "rematch" => "new facts".to_owned(),
        other => format!("{other} {cause}").trim().to_owned(),
    }
}
