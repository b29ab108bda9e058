//! Uploads of settlement files: one as a raw body with its progress, or several as a form.
//!
//! The bytes are on disk under their hash before anything is recorded; then the file has a name, an
//! account and a place in line, and a job works on it.

use axum::{
    Json,
    body::Body,
    extract::multipart::Field,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{
    actor::{Actor, Permission},
    one_line::file_name,
    view::{
        Link,
        amount::counted,
        files::{FileProgress, FileState, UploadAnswer},
        routes::{self, field, pattern},
    },
};
use engine::{
    evidence_store::Stored,
    ingest::{self, Received},
    views,
};

use crate::http::{
    failure::Failure,
    fields::Asked,
    form_parts::{FormParts, interrupted, skip},
    session::flash,
    state::Web,
    upload,
    visit::Visit,
};

/// Files of one form.
const MOST_FILES: usize = 100;

/// Takes one file as the body of the request: `?provider=NAME&filename=NAME`.
pub async fn raw(
    visit: Visit,
    Asked(asked): Asked,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    let (web, actor) = (visit.web.clone(), visit.actor());
    let declared = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse().ok());
    upload::check_declared(&web, declared)?;
    let provider = asked.text(field::PROVIDER);
    check_provider(&web, &actor, provider).await?;
    let stored = upload::raw(&web, body).await?;
    let received = register(
        &web,
        &actor,
        provider,
        asked.text(field::FILENAME),
        None,
        stored,
    )
    .await?;
    let (status, message) = if received.known {
        (
            StatusCode::OK,
            "These bytes were there already: nothing changed.",
        )
    } else if received.read_again {
        (
            StatusCode::ACCEPTED,
            "These bytes were there already, unread: they are being read again.",
        )
    } else {
        (StatusCode::ACCEPTED, "Received. It is being read.")
    };
    let stands = views::file_progress(
        &web.engine,
        &actor,
        std::slice::from_ref(&received.public_id),
    )
    .await?;
    let answer = UploadAnswer {
        id: received.public_id,
        known: received.known,
        state: stands
            .first()
            .map_or(FileState::Received, |file| file.state),
        message: message.to_owned(),
    };
    Ok((status, Json(answer)).into_response())
}

/// Takes the files of a form, for browsers without scripts.
pub async fn form(visit: Visit, mut form: FormParts) -> Result<Response, Failure> {
    let (web, actor) = (visit.web.clone(), visit.actor());
    let mut provider = String::new();
    let mut files: Vec<(String, Stored)> = Vec::new();
    while let Some(part) = form.next().await? {
        match part.name() {
            Some(field::PROVIDER) => {
                provider = short_text(part).await?;
            }
            Some(field::FILE) => {
                let name = part.file_name().unwrap_or_default().to_owned();
                // A browser sends one empty part where no file was chosen.
                if name.is_empty() {
                    skip(part, LONGEST_TEXT).await?;
                    continue;
                }
                if files.len() == MOST_FILES {
                    return Err(Failure::new(
                        StatusCode::UNPROCESSABLE_ENTITY,
                        format!(
                            "A form takes at most {MOST_FILES} files. Send the rest in another."
                        ),
                    ));
                }
                files.push((name, upload::field(&web, part).await?));
            }
            _ => skip(part, LONGEST_TEXT).await?,
        }
    }
    let provider = provider.trim();
    check_provider(&web, &actor, provider).await?;
    if files.is_empty() {
        return Err(refused("Choose at least one file."));
    }
    let mut received = Vec::new();
    for (name, stored) in files {
        received.push((
            name.clone(),
            register(&web, &actor, provider, &name, None, stored).await?,
        ));
    }
    let told = match received.as_slice() {
        [(name, one)] => {
            let text = if one.known {
                format!("{name} was there already, byte for byte: nothing changed.")
            } else if one.read_again {
                format!("{name} was there already, unread: it is being read again.")
            } else {
                format!("{name} is received and is being read.")
            };
            return visit
                .go_to(&routes::file(&one.public_id), flash::done(text))
                .await;
        }
        all => {
            let known = all.iter().filter(|(_, one)| one.known).count();
            let new = all.len() - known;
            let received = counted(new as u64, "file is received", "files are received");
            let there = counted(known as u64, "file was", "files were");
            format!("{received} and being read; {there} there already.")
        }
    };
    visit.go_to(pattern::FILES, flash::done(told)).await
}

/// Refuses before the bytes are taken where nothing could be done with them.
pub async fn check_provider(web: &Web, actor: &Actor, provider: &str) -> Result<(), Failure> {
    actor
        .require(Permission::Ingest)
        .map_err(engine::Error::from)?;
    let known = engine::providers::list(&web.engine, actor).await?;
    if known.iter().any(|account| account.name == provider) {
        return Ok(());
    }
    Err(refused(if provider.is_empty() {
        "Say which provider account the file comes from."
    } else {
        "There is no provider account of this name."
    }))
}

/// Gives stored bytes a place in line and wakes the job.
pub async fn register(
    web: &Web,
    actor: &Actor,
    provider: &str,
    name: &str,
    profile: Option<&str>,
    stored: Stored,
) -> Result<Received, Failure> {
    let received =
        ingest::receive_file(&web.engine, actor, provider, name, profile, stored).await?;
    if !received.known {
        // Before the job's first word, so that a page that asks at once has something to follow.
        web.progress.report(FileProgress {
            id: received.public_id.clone(),
            name: file_name(name),
            state: FileState::Received,
            rows_done: 0,
            rows_total: 0,
            done: false,
            waits: false,
            summary: String::new(),
        });
        web.bell.ring();
    }
    Ok(received)
}

fn refused(message: &str) -> Failure {
    Failure::new(StatusCode::UNPROCESSABLE_ENTITY, message)
        .with_link(Link::new("Files", pattern::FILES))
}

/// Most bytes of a form's text.
const LONGEST_TEXT: u64 = 4_096;

/// A text of a form, never more of it in memory than an account's name can be.
async fn short_text(mut part: Field<'_>) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    while let Some(chunk) = part.chunk().await.map_err(|e| interrupted(&e))? {
        if (bytes.len() + chunk.len()) as u64 > LONGEST_TEXT {
            return Err(Failure::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("A text of the form is longer than {LONGEST_TEXT} bytes."),
            ));
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|_| refused("A text of the form is not UTF-8."))
}
