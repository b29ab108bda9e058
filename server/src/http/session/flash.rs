//! What the last request did, kept for the page after the redirect.

use domain::view::{
    Link,
    shell::{Flash, Tone},
};
use tower_sessions::Session;

use crate::http::failure::Failure;

const KEY: &str = "flash";

/// Keeps it for the next page.
pub async fn put(session: &Session, flash: Flash) -> Result<(), Failure> {
    session
        .insert(KEY, flash)
        .await
        .map_err(|e| Failure::broken(&e))
}

/// Takes it. Looks first: taking what is not there would count as a change of the session.
pub async fn take(session: &Session) -> Result<Option<Flash>, Failure> {
    let found = session.get::<Flash>(KEY).await;
    if found.map_err(|e| Failure::broken(&e))?.is_none() {
        return Ok(None);
    }
    session
        .remove::<Flash>(KEY)
        .await
        .map_err(|e| Failure::broken(&e))
}

/// It was done.
pub fn done(text: impl Into<String>) -> Flash {
    Flash {
        tone: Tone::Done,
        text: text.into(),
        link: None,
        key: String::new(),
    }
}

/// It was done, and this is where to look.
pub fn done_with(text: impl Into<String>, link: Link) -> Flash {
    Flash {
        link: Some(link),
        ..done(text)
    }
}

/// Something worth knowing.
pub fn note(text: impl Into<String>) -> Flash {
    Flash {
        tone: Tone::Note,
        ..done(text)
    }
}
